"""Settings: every choice that can change a number, in one named object."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

from anascore.errors import SettingsError
from anascore.version import __version__

Convention = Literal["paper", "ua"]
LayerName: TypeAlias = Literal["identity", "discourse-deixis", "bridging", "non-referring"]
LAYER_NAMES: tuple[LayerName, ...] = get_args(LayerName)
ENTITY_LAYERS: tuple[LayerName, ...] = ("identity", "discourse-deixis")
"""The layers that have entities."""

BREAKDOWNS = ("length", "mention-type", "entity-type", "distance", "document-length")
"""What scores can be broken down by, besides a pattern on the names of documents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How key and response are read, matched and compared."""

    task: str = ""
    """The shared task whose settings these are, if they are one's."""

    layers: tuple[LayerName, ...] = ("identity",)
    """The layers of annotation that are scored."""

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

    np_only: bool = False
    """Whether mentions are left out that are verb phrases in the parse of CoNLL-2012."""

    remove_nested: bool = False
    """Whether mentions are left out that lie within another mention of their entity."""

    anaphors: str = ""
    """A class of anaphors to score by themselves: zero, pronoun, or NAME=VALUE."""

    lea_importance: int = 1
    """How much more an entity with an accommodated set weighs in LEA."""

    missing: Literal["error", "empty"] = "error"
    """What to do with a key document that the response lacks."""

    words: Literal["check", "ignore"] = "check"
    """Whether key and response must have the same words."""

    by: tuple[str, ...] = ()
    """What scores are broken down by: names of BREAKDOWNS, or NAME=PATTERN for the names of
    documents. It adds scores of classes, and changes none."""

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
        _check_layers(self.layers)
        named = isinstance(self.anaphors, str) and ANAPHORS.fullmatch(self.anaphors)
        if self.anaphors != "" and not named:
            message = (
                f"anaphors is {self.anaphors!r}; it can be zero, pronoun, or NAME=VALUE with the "
                f"name of a column, a feature or an attribute of mentions, like UPOS=PRON"
            )
            raise SettingsError(message)
        _check_breakdowns(self.by)
        for message in self._contradictions():
            raise SettingsError(message)

    def _layers_in_order(self) -> str:
        """Name the layers in their own order: which one comes first changes no number."""
        return "+".join(layer for layer in LAYER_NAMES if layer in self.layers)

    def _contradictions(self) -> Iterator[str]:
        """Give the reasons why these settings cannot work together."""
        if self.split and not self.singletons:
            yield (
                "singletons cannot be left out while split antecedents are scored, because the "
                "elements of accommodated sets are often singletons; leave out both "
                "(--no-singletons --no-split, in Python singletons=False, split=False) or neither"
            )
        if self.zeros == "drop" and self.zero_match == "dependent":
            yield (
                "zeros cannot be matched by their dependencies when they are dropped; leave out "
                '--zeros drop or --zero-match dependent (in Python zeros="drop" or '
                'zero_match="dependent")'
            )
        if self.zeros == "drop" and self.anaphors == "zero":
            yield (
                "zeros cannot be scored as anaphors when they are dropped; leave out "
                '--zeros drop or --anaphors zero (in Python zeros="drop" or anaphors="zero")'
            )
        if self.anaphors and not {*self.layers} & {*ENTITY_LAYERS}:
            yield (
                "anaphors are scored among the mentions of entities, so that one of the layers "
                "must be identity or discourse-deixis; name it with --layers, or leave out "
                "--anaphors"
            )
        if self.by and not {*self.layers} & {*ENTITY_LAYERS}:
            yield (
                "scores are broken down by classes of the mentions of entities, so that one of the "
                "layers must be identity or discourse-deixis; name it with --layers, or leave out "
                "--by"
            )

    def signature(self, key_format: str, response_format: str) -> str:
        """Name the version and every setting that can change a number, in one line.

        What most people have no use for is named only where it is not at its default.
        """
        same = key_format == response_format
        parts = {
            "anascore": __version__,
            "task": self.task,
            "format": key_format if same else f"{key_format}/{response_format}",
            "layers": "" if self.layers == ("identity",) else self._layers_in_order(),
            "match": self.match,
            "singletons": "yes" if self.singletons else "no",
            "split": self.convention if self.split else "no",
            "zeros": ZEROS[self.zeros, self.zero_match],
            "np-only": "yes" if self.np_only else "",
            "remove-nested": "yes" if self.remove_nested else "",
            "anaphors": self.anaphors,
            "lea": self.lea_importance,
            "missing": self.missing if self.missing != "error" else "",
            "words": self.words if self.words != "check" else "",
        }
        return "|".join(f"{name}:{value}" for name, value in parts.items() if value)


ANAPHORS = re.compile(r"zero|pronoun|[^=|\s]+=[^|\s]+")
"""What can be said of a class of anaphors; the signature is split at |."""

ZEROS = {
    ("keep", "linear"): "yes",
    ("keep", "dependent"): "dependent",
    ("drop", "linear"): "no",
}
"""What the signature says of zeros."""

CHOICES: dict[str, tuple[Any, ...]] = {
    name: (True, False) if hint is bool else get_args(hint)
    for name, hint in get_type_hints(Settings).items()
    if hint is bool or get_origin(hint) is Literal
}
"""The values that a setting can have, for those that have a few."""


def _check_layers(layers: Any) -> None:
    """Refuse layers that do not exist, that come twice, and none."""
    for layer in layers if isinstance(layers, tuple) else ():
        if layer not in LAYER_NAMES:
            message = f"no such layer: {layer!r}; there are {', '.join(LAYER_NAMES)}, and all"
            raise SettingsError(message)
    if not isinstance(layers, tuple) or not layers or len(set(layers)) < len(layers):
        message = f"layers are {layers!r}; name each one once, or all: {', '.join(LAYER_NAMES)}"
        raise SettingsError(message)


def _check_breakdowns(by: Any) -> None:
    """Refuse to break scores down by what does not exist, or twice by the same."""
    if not isinstance(by, tuple) or not all(isinstance(name, str) for name in by):
        message = f"by is {by!r}; give names, as a list, like {BREAKDOWNS[0]}"
        raise SettingsError(message)
    for asked in by:
        name, _, pattern = asked.partition("=")
        if not pattern and asked not in BREAKDOWNS:
            message = (
                f"scores cannot be broken down by {asked!r}; there are {', '.join(BREAKDOWNS)}, "
                f"all, and NAME=PATTERN with a regular expression for the names of documents, like "
                f"genre=^([a-z]+)_"
            )
            raise SettingsError(message)
        if pattern and (not name or name in BREAKDOWNS):
            message = f"{asked!r} needs a name of its own before =, like genre={pattern}"
            raise SettingsError(message)
        try:
            re.compile(pattern)
        except re.error as error:
            message = f"{asked!r} is no regular expression after =: {error}"
            raise SettingsError(message) from None
    names = [asked.partition("=")[0] for asked in by]
    if len(set(names)) < len(names):
        message = f"scores are to be broken down twice by the same: {', '.join(names)}"
        raise SettingsError(message)


def settings_from(choices: dict[str, Any]) -> Settings:
    """Make Settings of keyword arguments, and name the valid ones if one of them is not."""
    valid = [field.name for field in fields(Settings)]
    unknown = [name for name in choices if name not in valid]
    if unknown:
        message = f"no such setting: {', '.join(unknown)}; there are {', '.join(valid)}"
        raise SettingsError(message)
    if "layers" in choices:
        choices = {**choices, "layers": layers_from(choices["layers"])}
    if "by" in choices:
        choices = {**choices, "by": breakdowns_from(choices["by"])}
    return Settings(**choices)


def breakdowns_from(given: Any) -> Any:
    """Read what to break scores down by, given as a list or as one name; all stands for many."""
    listed = [given] if isinstance(given, str) else given
    if not isinstance(listed, list | tuple):
        return given
    every = (BREAKDOWNS if name == "all" else (name,) for name in listed)
    return tuple(name for names in every for name in names)


def layers_from(given: Any) -> Any:
    """Read the names of layers, given as a list, with commas between them, or as all."""
    if is_all_layers(given):
        return LAYER_NAMES
    if isinstance(given, str):
        return tuple(name.strip() for name in given.split(","))
    return tuple(given) if isinstance(given, list) else given


def is_all_layers(layers: Any) -> bool:
    """Tell whether layers are given as `all`, and not name by name."""
    return isinstance(layers, str) and layers.strip() == "all"
