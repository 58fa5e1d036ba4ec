"""Settings: every choice that can change a number, in one named object."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from anascore.errors import SettingsError

Convention = Literal["paper", "ua"]
Match = Literal["exact"]
Zeros = Literal["keep", "drop"]
Missing = Literal["error", "empty"]
Words = Literal["check", "ignore"]

CHOICES: dict[str, tuple[str, ...]] = {
    "convention": get_args(Convention),
    "match": get_args(Match),
    "zeros": get_args(Zeros),
    "missing": get_args(Missing),
    "words": get_args(Words),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How key and response are read, matched and compared."""

    match: Match = "exact"
    """When a key mention and a response mention are taken for the same."""

    singletons: bool = True
    """Whether entities of one mention are scored."""

    split: bool = True
    """Whether accommodated sets are scored; if not, entities are their mentions alone."""

    convention: Convention = "paper"
    """How an aligned accommodated set is credited: as in the paper, or as the published Universal
    Anaphora scorer does it (F1 in both directions for CEAF and BLANC)."""

    zeros: Zeros = "keep"
    """Whether zeros count as mentions."""

    lea_importance: int = 1
    """How much more an entity with an accommodated set weighs in LEA."""

    missing: Missing = "error"
    """What to do with a key document that the response lacks."""

    words: Words = "check"
    """Whether key and response must have the same words."""

    def __post_init__(self) -> None:
        """Refuse values that do not exist and settings that contradict each other."""
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                message = f"{name} is {getattr(self, name)!r}; it can be {' or '.join(choices)}"
                raise SettingsError(message)
        for name in ("singletons", "split"):
            if not isinstance(getattr(self, name), bool):
                message = f"{name} is {getattr(self, name)!r}; it can be True or False"
                raise SettingsError(message)
        if not isinstance(self.lea_importance, int) or self.lea_importance < 1:
            message = f"lea_importance is {self.lea_importance!r}; it must be 1, 2, 3 or more"
            raise SettingsError(message)
        if self.split and not self.singletons:
            message = (
                "singletons cannot be left out while split antecedents are scored, because the "
                "elements of accommodated sets are often singletons; leave out both (options "
                "--no-singletons --no-split), or neither"
            )
            raise SettingsError(message)

    def signature(self, version: str, data_format: str) -> str:
        """Name the version and every setting that can change a number, in one line.

        What checks or refuses is named only where it was switched off.
        """
        parts = {
            "anascore": version,
            "format": data_format,
            "match": self.match,
            "singletons": "yes" if self.singletons else "no",
            "split": self.convention if self.split else "no",
            "zeros": "yes" if self.zeros == "keep" else "no",
            "lea": self.lea_importance,
            **({"missing": self.missing} if self.missing != "error" else {}),
            **({"words": self.words} if self.words != "check" else {}),
        }
        return "|".join(f"{name}:{value}" for name, value in parts.items())


def settings_from(choices: dict[str, Any]) -> Settings:
    """Make Settings of keyword arguments, and name the valid ones if one of them is not."""
    valid = [field.name for field in fields(Settings)]
    unknown = [name for name in choices if name not in valid]
    if unknown:
        message = f"no such setting: {', '.join(unknown)}; there are {', '.join(valid)}"
        raise SettingsError(message)
    return Settings(**choices)
