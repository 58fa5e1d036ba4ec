"""Settings: every choice that can change a number, in one named object."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal, get_args, get_type_hints

from anascore.errors import SettingsError
from anascore.version import __version__

Convention = Literal["paper", "ua"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How key and response are read, matched and compared."""

    match: Literal["exact", "partial", "head", "craft"] = "exact"
    """When a key mention and a response mention are taken for the same: if they cover the same
    words; or else if the response's lies within the key's and has its minimum span, if they have
    the same head, or by the greedy rule of CRAFT 2019."""

    singletons: bool = True
    """Whether entities of one mention are scored."""

    split: bool = True
    """Whether accommodated sets are scored; if not, entities are their mentions alone."""

    convention: Convention = "paper"
    """How an aligned accommodated set is credited: as in the paper, or as the published Universal
    Anaphora scorer does it (F1 in both directions for CEAF and BLANC)."""

    zeros: Literal["keep", "drop"] = "keep"
    """Whether zeros count as mentions."""

    zero_match: Literal["linear", "dependent"] = "linear"
    """Whether zeros are known by their place among the words, or first of all by what they depend
    on in the enhanced graph."""

    lea_importance: int = 1
    """How much more an entity with an accommodated set weighs in LEA."""

    missing: Literal["error", "empty"] = "error"
    """What to do with a key document that the response lacks."""

    words: Literal["check", "ignore"] = "check"
    """Whether key and response must have the same words."""

    def __post_init__(self) -> None:
        """Refuse values that do not exist and settings that contradict each other."""
        for name, choices in CHOICES.items():
            value = getattr(self, name)
            if type(value) is not type(choices[0]) or value not in choices:
                shown = " or ".join(str(choice) for choice in choices)
                message = f"{name} is {value!r}; it can be {shown}"
                raise SettingsError(message)
        if type(self.lea_importance) is not int or self.lea_importance < 1:
            message = f"lea_importance is {self.lea_importance!r}; it must be 1, 2, 3 or more"
            raise SettingsError(message)
        if self.zeros == "drop" and self.zero_match == "dependent":
            message = (
                "zeros cannot be matched by their dependencies when they are dropped; leave out "
                '--zeros drop or --zero-match dependent (in Python zeros="drop", '
                'zero_match="dependent")'
            )
            raise SettingsError(message)
        if self.split and not self.singletons:
            message = (
                "singletons cannot be left out while split antecedents are scored, because the "
                "elements of accommodated sets are often singletons; leave out both "
                "(--no-singletons --no-split, in Python singletons=False, split=False) or neither"
            )
            raise SettingsError(message)

    def signature(self, key_format: str, response_format: str) -> str:
        """Name the version and every setting that can change a number, in one line.

        What checks or refuses is named only where it was switched off.
        """
        same = key_format == response_format
        parts = {
            "anascore": __version__,
            "format": key_format if same else f"{key_format}/{response_format}",
            "match": self.match,
            "singletons": "yes" if self.singletons else "no",
            "split": self.convention if self.split else "no",
            "zeros": ZEROS[self.zeros, self.zero_match],
            "lea": self.lea_importance,
            **({"missing": self.missing} if self.missing != "error" else {}),
            **({"words": self.words} if self.words != "check" else {}),
        }
        return "|".join(f"{name}:{value}" for name, value in parts.items())


ZEROS = {
    ("keep", "linear"): "yes",
    ("keep", "dependent"): "dependent",
    ("drop", "linear"): "no",
}
"""What the signature says of zeros."""

CHOICES: dict[str, tuple[Any, ...]] = {
    name: (True, False) if hint is bool else get_args(hint)
    for name, hint in get_type_hints(Settings).items()
    if hint is not int
}
"""The values that a setting can have, for all but numbers."""


def settings_from(choices: dict[str, Any]) -> Settings:
    """Make Settings of keyword arguments, and name the valid ones if one of them is not."""
    valid = [field.name for field in fields(Settings)]
    unknown = [name for name in choices if name not in valid]
    if unknown:
        message = f"no such setting: {', '.join(unknown)}; there are {', '.join(valid)}"
        raise SettingsError(message)
    return Settings(**choices)
