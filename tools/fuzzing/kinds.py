"""Kinds of labelled damage: the change to a file, and how it must be treated in each format."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from tools.fuzzing.samples import Sample

T = TypeVar("T")

Label: TypeAlias = Literal["rejected", "warned", "suspected", "noticed", "unchanged"]
"""Treatment of a damaged file.

rejected: The file is not read; `validate` reports errors.
warned: `validate` warns; if annotation differs, the scores have a note, too.
suspected: Annotation differs, `validate` warns, and the scores have no note.
noticed: The file is valid, but scoring it against the good one raises an error or adds a note.
unchanged: The same documents are read as from the good file.
"""

REJECTED: Label = "rejected"
WARNED: Label = "warned"
SUSPECTED: Label = "suspected"
NOTICED: Label = "noticed"
UNCHANGED: Label = "unchanged"
LABELS = (REJECTED, WARNED, SUSPECTED, NOTICED, UNCHANGED)

JSON_LINES = ("jsonl", "coref-hoi", "wl-coref", "preco", "fastcoref")
"""JSON formats with one document on each line."""

JSON_VALUES = ("friends", "rucoco", "llm-json", "maverick", "ucdcr")
"""JSON formats with one value in the file."""

JSON = (*JSON_LINES, *JSON_VALUES)
CONLL_U = ("ua", "corefud", "stanza")
TABLES = ("booknlp", "litbank", "brat")
"""Formats of two files."""

COLUMNS = (*CONLL_U, "conll2012", *TABLES)
"""Formats with columns."""

ALL = (*COLUMNS, "llm-text", *JSON)


class Pick(Protocol):
    """A choice of one of several places that can be damaged."""

    def __call__(self, places: Sequence[T], /) -> T:
        """Return one of the places."""


def first(places: Sequence[T]) -> T:
    """Return the first place: the damage that the table of kinds and formats is about."""
    return places[0]


Damage: TypeAlias = Callable[[Sample, Pick], Sample]


class Kind(NamedTuple):
    """A kind of damage."""

    name: str
    damages: Mapping[str, Damage]
    """Damage by format; the kind does not apply to other formats."""

    labels: Mapping[str, Label]
    """Labels by format."""


def kind(
    name: str, label: Label, damages: Mapping[str, Damage], **exceptions: Iterable[str]
) -> Kind:
    """Make a kind with one label for all formats, apart from exceptions: formats by label."""
    labels = dict.fromkeys(damages, label)
    for other in LABELS:
        for format_name in exceptions.pop(other, ()):
            if labels[format_name] == other:
                message = f"{name}: {format_name} has the label {other} twice"
                raise ValueError(message)
            labels[format_name] = other
    if exceptions:
        message = f"{name}: no such label: {', '.join(exceptions)}"
        raise ValueError(message)
    return Kind(name, damages, labels)


def each(formats: Iterable[str], damage: Damage) -> dict[str, Damage]:
    """Return the same damage for several formats."""
    return dict.fromkeys(formats, damage)


def content(change: Callable[[bytes], bytes]) -> Damage:
    """Return a damage that changes the whole content of a file."""
    return lambda sample, _: sample._replace(main=change(sample.main))


def beside(change: Callable[[bytes], bytes | None]) -> Damage:
    """Return a damage that changes the file beside a file."""
    return lambda sample, _: sample._replace(companion=change(sample.companion or b""))


def text(change: Callable[[str], str]) -> Damage:
    """Return a damage that changes a file as text."""
    return content(lambda main: change(main.decode()).encode())


def pattern(expression: str, replacement: str) -> Damage:
    """Return a damage that replaces a match of a regular expression."""
    compiled = re.compile(expression, re.MULTILINE)

    def damage(sample: Sample, pick: Pick) -> Sample:
        main = sample.main.decode()
        matches = list(compiled.finditer(main))
        if not matches:
            message = f"{sample.format}: {expression} is nowhere in the good file"
            raise ValueError(message)
        match = pick(matches)
        changed = main[: match.start()] + match.expand(replacement) + main[match.end() :]
        return sample._replace(main=changed.encode())

    return damage


def patterns(replacements: Mapping[str, tuple[str, str]]) -> dict[str, Damage]:
    """Return damages that replace matches of regular expressions, by format."""
    return {name: pattern(*replacement) for name, replacement in replacements.items()}
