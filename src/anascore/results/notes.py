"""Notes on corpora as a whole that can change a score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from anascore.errors import MAX_LISTED, REPAIRS, Repair, RepairKind
from anascore.formats.registry import FORMATS
from anascore.layers.counts import ZeroCounts
from anascore.layers.requirements import (
    formats_without,
    formats_without_candidates,
    heads_note,
    split_formats,
)
from anascore.metrics import RANKED
from anascore.model.short import pluralise
from anascore.prepare.pairing import listing
from anascore.settings import LayerName, Settings


def notes_on_zeros(key: ZeroCounts, response: ZeroCounts, settings: Settings) -> Iterator[str]:
    """Yield a note if only one side has zeros, so that no mention with a zero can match."""
    if settings.zeros == "drop":
        return
    hint = "" if settings.task else "; --zeros drop leaves zeros out"
    for side, zeros, other, others in (
        ("key", key, "response", response),
        ("response", response, "key", key),
    ):
        if zeros.in_text and zeros.mentions and not others.in_text:
            yield f"{side}: mentions with zeros, but the {other} has none: {zeros.mentions}{hint}"


def notes_on_documents(documents: int, settings: Settings) -> Iterator[str]:
    """Yield a note with the number of documents if the settings select them."""
    if settings.docs == "split":
        yield f"only documents with split antecedents in the key are scored: {documents}"


MANY_MENTIONS = 10
"""Number of mentions from which on it is suspicious that none of them matches."""


def notes_on_matches(matching: Mapping[str, int]) -> Iterator[str]:
    """Yield a note if no mention matches though key and response have many."""
    missing, spurious = matching.get("missing", 0), matching.get("spurious", 0)
    is_none = sum(matching.values()) == missing + spurious
    if is_none and min(missing, spurious) >= MANY_MENTIONS:
        yield (
            f"response: none of its {spurious} mentions matches a mention of the key; check that "
            f"word numbers and span ends mean the same in both"
        )


def notes_on_heads(key: str, response: str, settings: Settings) -> Iterator[str]:
    """Yield a note if heads are those of the key since the format of the response has none."""
    yield from filter(None, [heads_note(key, response, settings)])


def notes_on_missing(names: Iterable[str]) -> Iterator[str]:
    """Yield a note that names the documents that a response lacks."""
    if missing := list(names):
        yield f"response: missing: {listing(missing, MAX_LISTED)}"


def notes_on_keys(documents: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Yield a note for each key that lacks documents, given the documents of each by its name."""
    number = len(next(iter(documents.values())))
    for key, names in documents.items():
        if len(names) < number:
            lacking = f"{number - len(names)} of {pluralise(number, 'document')}"
            yield f"the key {key} lacks {lacking}, which are scored against the other keys"


def notes_by_key(notes: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Yield the notes of the results against each key; those of some keys name these."""
    keys: dict[str, list[str]] = {}
    for key, own in notes.items():
        for note in own:
            keys.setdefault(note, []).append(key)
    for note, concerned in keys.items():
        everywhere = len(concerned) == len(notes)
        yield note if everywhere else f"against {', '.join(concerned)}: {note}"


def count_repairs(repairs: Iterable[Iterable[Repair]]) -> dict[RepairKind, int]:
    """Return the number of repairs of each kind that occurs, given those of each document."""
    numbers = Counter(repair.kind for own in repairs for repair in own)
    return {kind: numbers[kind] for kind in REPAIRS if kind in numbers}


def notes_on_repairs(repairs: Mapping[str, Sequence[Repair]]) -> Iterator[str]:
    """Yield the numbers of repairs, given by document, and the first of them with their places."""
    if not repairs:
        return
    numbers = count_repairs(repairs.values()).items()
    kinds = "; ".join(f"{REPAIRS[kind]}: {number}" for kind, number in numbers)
    listed = [repair for own in repairs.values() for repair in own]
    total = f"{pluralise(len(listed), 'repair')} in {pluralise(len(repairs), 'document')}"
    yield f"response: {total}: {kinds}"
    yield from (f"repaired: {repair.text}" for repair in listed[:MAX_LISTED])
    if len(listed) > MAX_LISTED:
        more = pluralise(len(listed) - MAX_LISTED, "more repair")
        yield f"{more}, which --output json lists"


def notes_on_formats(
    key: str, response: str, layer: LayerName, reported: Collection[str]
) -> Iterator[str]:
    """Yield a note if a format cannot hold a layer that the other side has.

    A folder can have several formats, so that the note names the one that cannot.
    """
    only_ranked = {*reported} <= RANKED
    for side, joined in (("key", key), ("response", response)):
        for named in () if only_ranked else _named(formats_without(joined, layer), joined):
            yield (f"{side}: {named} cannot hold the layer {layer}, so the layer is empty there")
    if {*reported} & RANKED:
        for named in _named(formats_without_candidates(response), response):
            yield f"response: {named} cannot hold ranked antecedents, so they are missing"


def _named(formats: Collection[str], joined: str) -> Iterator[str]:
    """Yield the names of formats; the only format of a corpus needs none."""
    several = len(split_formats(joined)) > 1
    return (f"its format {FORMATS[name].label}" if several else "its format" for name in formats)
