"""Notes about whole corpora on what can change a score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from anascore.errors import MAX_LISTED, REPAIRS, Repair, RepairKind
from anascore.formats.registry import FORMATS
from anascore.layers.counts import LayerCounts, ZeroCounts
from anascore.metrics.scores import RANKED
from anascore.model.abbreviated import pluralise
from anascore.model.document import End, Formats
from anascore.pairing.documents import listing
from anascore.requirements import formats_lacking, formats_without, heads_note, labels_of
from anascore.settings import LayerName, Settings


def notes_on_zeros(key: ZeroCounts, response: ZeroCounts, settings: Settings) -> Iterator[str]:
    """Warn if only one side has zeros, so that no mention with a zero can match."""
    if settings.zeros == "drop":
        return
    hint = "" if settings.task else "; --zeros drop leaves zeros out"
    for side, zeros, other, others in (
        ("key", key, "response", response),
        ("response", response, "key", key),
    ):
        if zeros.in_text and zeros.mentions and not others.in_text:
            yield f"{side}: mentions with zeros, but the {other} has none: {zeros.mentions}{hint}"


def notes_on_sets(
    formats: tuple[Formats, Formats], sets: Iterable[int], settings: Settings
) -> Iterator[str]:
    """Warn if one side's format cannot store the accommodated sets of the other."""
    hint = "" if settings.task else "; --no-split (in Python split=False) leaves them out"
    (of_key, of_response), (in_key, in_response) = formats, sets
    for side, own_formats, own, other, others, measure in (
        ("key", of_key, in_key, "response", in_response, "precision"),
        ("response", of_response, in_response, "key", in_key, "recall"),
    ):
        lacking = formats_lacking(own_formats, "sets")
        if others and not own and lacking:
            yield (
                f"the {side}'s format, {labels_of(lacking)}, cannot store split antecedents, but "
                f"the {other} has {others}, which lowers {measure}{hint}"
            )


def notes_on_documents(documents: int, settings: Settings) -> Iterator[str]:
    """State how many documents are scored if the settings select them."""
    if settings.docs == "split":
        yield f"only documents with split antecedents in the key are scored: {documents}"


MANY_MENTIONS = 10
"""With this many mentions, it is suspicious if none matches, or if one side has none."""

MANY_TIMES = 3
"""Span ends are suspicious if shifting them gives this many times as many matches."""


def notes_on_matches(layer: LayerCounts, formats: Iterable[Formats]) -> Iterator[str]:
    """Warn if mentions do not match although key or response has many.

    `formats` are those of key and response.
    """
    matching = layer.matching
    missing, spurious = matching.get("missing", 0), matching.get("spurious", 0)
    total = sum(matching.values())
    exactly = matching.get("exactly", 0) + matching.get("as_zeros", 0)
    for shift, number in layer.shifted.items():
        is_likely = number >= max(MANY_MENTIONS, MANY_TIMES * exactly)
        if is_likely and 2 * number >= total - max(missing, spurious):
            yield (
                f"only {exactly} of {pluralise(total - missing, 'response mention')} match "
                f"exactly, but at least {number} would if their ends were one {shift}; check the "
                f"ends of spans in key and response{_conventions(formats)}"
            )
            return
    for side, other, number in (("response", "key", missing), ("key", "response", spurious)):
        if number == total >= MANY_MENTIONS:
            yield (
                f"the {side} has no mentions, but the {other} has {number}; check that its "
                f"annotation is where its format has it"
            )
    is_none = total == missing + spurious
    if is_none and min(missing, spurious) >= MANY_MENTIONS:
        yield (
            f"response: none of its {spurious} mentions matches a mention of the key; check that "
            f"word numbers and span ends mean the same in both"
        )


def _conventions(formats: Iterable[Formats]) -> str:
    """State which span ends some formats need."""
    needed = []
    for name in dict.fromkeys(chain.from_iterable(formats)):
        if name not in FORMATS:
            needed.append('in Python, Corpus.from_clusters takes end="inclusive" or "exclusive"')
        elif ends := FORMATS[name].ends:
            needed.append(f"{FORMATS[name].label} needs {ends} ends, {_REMEDIES[ends]}")
    return "".join(f"; {convention}" for convention in dict.fromkeys(needed))


_REMEDIES: dict[End, str] = {
    "inclusive": "[first, last], so subtract 1 if they are exclusive",
    "exclusive": "[first, last + 1], so add 1 if they are inclusive",
}


def notes_on_heads(key: Formats, response: Formats, settings: Settings) -> Iterator[str]:
    """State that heads come from the key because the response's format has none."""
    yield from filter(None, [heads_note(key, response, settings)])


def notes_on_missing(names: Iterable[str]) -> Iterator[str]:
    """Name the documents that a response lacks."""
    if missing := list(names):
        yield f"response: missing: {listing(missing, MAX_LISTED)}"


def notes_on_keys(documents: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Warn about each key that lacks documents, given every key's documents."""
    number = len(next(iter(documents.values())))
    for key, names in documents.items():
        if len(names) < number:
            lacking = f"{number - len(names)} of {pluralise(number, 'document')}"
            yield f"the key {key} lacks {lacking}, which are scored against the other keys"


def notes_by_key(notes: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Merge the notes from scoring against each key; name the keys unless all agree."""
    keys: dict[str, list[str]] = {}
    for key, own in notes.items():
        for note in own:
            keys.setdefault(note, []).append(key)
    for note, concerned in keys.items():
        everywhere = len(concerned) == len(notes)
        yield note if everywhere else f"against {', '.join(concerned)}: {note}"


def count_repairs(repairs: Iterable[Iterable[Repair]]) -> dict[RepairKind, int]:
    """Count the repairs of each kind, given those of each document."""
    numbers = Counter(repair.kind for own in repairs for repair in own)
    return {kind: numbers[kind] for kind in REPAIRS if kind in numbers}


def notes_on_repairs(repairs: Mapping[str, Sequence[Repair]]) -> Iterator[str]:
    """Yield the numbers of repairs, and the first few with their places."""
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
    key: Formats, response: Formats, layer: LayerName, reported: Collection[str]
) -> Iterator[str]:
    """Warn if a format cannot store a layer that the other side has.

    Because a folder can mix formats, the note names the one that cannot.
    """
    only_ranked = {*reported} <= RANKED
    for side, formats in (("key", key), ("response", response)):
        for named in () if only_ranked else _named(formats_without(formats, layer), formats):
            yield (f"{side}: {named} cannot hold the layer {layer}, so the layer is empty there")
    if {*reported} & RANKED:
        for named in _named(formats_lacking(response, "candidates"), response):
            yield f"response: {named} cannot hold ranked antecedents, so they are missing"


def _named(lacking: Collection[str], formats: Formats) -> Iterator[str]:
    """Name formats, unless a corpus has only one."""
    several = len(formats) > 1
    return (f"its format {FORMATS[name].label}" if several else "its format" for name in lacking)
