"""Errors by type, after Kummerfeld and Klein (2013), with types for sets."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from anascore.analysis.error_alignment import (
    CorrectedResponse,
    SetAlignment,
    as_side,
    start_correction,
    wrong_spans,
)
from anascore.analysis.find_errors import (
    Finding,
    Findings,
    SideName,
    conflated_entity,
    divided_entity,
    extra_element,
    extra_entity,
    extra_mention,
    missed_set,
    missing_element,
    missing_entity,
    missing_mention,
    set_as_entity,
    set_on_wrong_anaphor,
    spurious_set,
    wrong_element,
    wrong_span,
)
from anascore.layers.counts import CountsByScore, add_rows
from anascore.layers.pair import DocumentPair, pair_of
from anascore.metrics import count_scores
from anascore.metrics.overlap import SidePair, tables_of
from anascore.model.document import Document
from anascore.model.mention import Mention, Place, Span, Zero
from anascore.prepare.side import Side
from anascore.settings import Settings


class MentionRef(NamedTuple):
    """A mention with its text and its place in the file."""

    side: SideName
    text: str
    words: tuple[Span, ...]
    zeros: tuple[Zero, ...]
    line: int | None

    @property
    def place(self) -> Place:
        """Words and zeros that it covers."""
        return self.words, self.zeros


class Error(NamedTuple):
    """One error."""

    type: str
    document: str
    at: MentionRef
    """Place of the error."""

    key_entity: str | None
    """Entity of the key, with the label of `anascore explain`: K1, K2 and so on."""

    response_entity: str | None
    key: tuple[MentionRef, ...]
    """Mentions of the key: the missing mention or entity, or the elements of a set."""

    response: tuple[MentionRef, ...]
    """Mentions of the response, likewise."""

    beside: MentionRef | None
    """Mention of another entity that is involved: the rest of a divided or conflated entity."""

    anaphor: MentionRef | None
    """Anaphor of the wrong set."""


def listed(
    kind: str, mistakes: Iterable[Finding], documents: Mapping[SideName, Document]
) -> Iterator[Error]:
    """Yield the errors of one type in document order."""

    def located(side: SideName, mention: Mention) -> MentionRef:
        document = documents[side]
        line = document.line_of(mention)
        return MentionRef(
            side=side,
            text=document.text_of(mention),
            words=mention.words,
            zeros=mention.zeros,
            line=line,
        )

    for mistake in sorted(mistakes, key=lambda mistake: mistake.at[1].full_order):
        yield Error(
            type=kind,
            document=documents["key"].name,
            at=located(*mistake.at),
            key_entity=_label("K", mistake.key_entity),
            response_entity=_label("R", mistake.response_entity),
            key=tuple(located("key", mention) for mention in mistake.key),
            response=tuple(located("response", mention) for mention in mistake.response),
            beside=mistake.beside and located(*mistake.beside),
            anaphor=mistake.anaphor and located(*mistake.anaphor),
        )


def _label(letter: str, entity: int | None) -> str | None:
    """Label an entity by its number, from 1, if there is one."""
    return None if entity is None else f"{letter}{entity + 1}"


class ErrorType(NamedTuple):
    """A type of error, with the function that finds and corrects it."""

    label: str
    find: Callable[[SetAlignment], Findings]


ERROR_TYPES: dict[str, ErrorType] = {
    "wrong-span": ErrorType("wrong span", wrong_span),
    "extra-mention": ErrorType("extra mention", extra_mention),
    "extra-entity": ErrorType("extra entity", extra_entity),
    "missing-mention": ErrorType("missing mention", missing_mention),
    "missing-entity": ErrorType("missing entity", missing_entity),
    "conflated-entity": ErrorType("conflated entity", conflated_entity),
    "divided-entity": ErrorType("divided entity", divided_entity),
    "wrong-anaphor": ErrorType("set on wrong anaphor", set_on_wrong_anaphor),
    "wrong-element": ErrorType("wrong element of set", wrong_element),
    "missing-element": ErrorType("missing element of set", missing_element),
    "extra-element": ErrorType("extra element of set", extra_element),
    "spurious-set": ErrorType("spurious set", spurious_set),
    "set-as-entity": ErrorType("set taken for an entity", set_as_entity),
    "missed-set": ErrorType("missed set", missed_set),
}
"""The types of errors by name, in the order in which correcting all of them leads to the key."""

SET_TYPES = tuple(ERROR_TYPES)[tuple(ERROR_TYPES).index("wrong-anaphor") :]
"""The types of errors of accommodated sets."""


@dataclass(frozen=True, slots=True)
class ErrorAnalysis:
    """Errors of one or more documents, and the counts with and without them."""

    errors: dict[str, list[Error]]
    """All types, in their order."""

    as_it_is: CountsByScore
    corrected: dict[str, CountsByScore]
    """With all errors of one type corrected, and no others."""

    all_corrected: CountsByScore


class ResponseErrors(NamedTuple):
    """The errors of a response."""

    system: str
    signature: str
    analysis: ErrorAnalysis
    reported: tuple[str, ...]
    """The scores that are counted with errors corrected."""

    warnings: tuple[str, ...]
    """Notes on the documents that can change a score."""


def analyse(pair: DocumentPair, reported: Collection[str]) -> ErrorAnalysis:
    """Find the errors of one document; one that the response lacks has no entities there.

    A mention in several entities is analysed in the first one only.
    """
    settings = analysed_settings(pair.settings)
    if settings is not pair.settings:
        pair = pair_of(pair.key.key, pair.response.document, settings)
    sides = pair.identity
    side = sides.key
    draft = begun(sides)
    sets = SetAlignment(side, draft)
    found = {
        name: kind.find(sets) if name in _possible_types(sets) else Findings([], draft)
        for name, kind in ERROR_TYPES.items()
    }

    def count(sides: SidePair) -> CountsByScore:
        counts = count_scores(sides, reported, settings)
        return {name: count.scores for name, count in counts.items()}

    def count_corrected(draft: CorrectedResponse) -> CountsByScore:
        response, matched = as_side(draft, settings)
        tables = tables_of(side, response, matched, settings.lea_importance)
        return count(SidePair(side, response, matched, tables))

    as_it_is = count(sides)
    documents: dict[SideName, Document] = {
        "key": pair.key.text_document,
        "response": pair.response.text_document,
    }
    return ErrorAnalysis(
        {name: list(listed(name, of.mistakes, documents)) for name, of in found.items()},
        as_it_is,
        {
            name: count_corrected(of.corrected) if of.mistakes else as_it_is
            for name, of in found.items()
        },
        count_corrected(correct_all(side, draft)),
    )


def analysed_settings(settings: Settings) -> Settings:
    """Return the settings that errors are analysed with: each mention is in one entity."""
    return settings if settings.doubled == "first" else replace(settings, doubled="first")


IN_FIRST = (
    "errors are analysed with a mention in several entities counted in the first one only "
    "(--doubled first)"
)
"""Note on settings that count it in all of them."""


def begun(sides: SidePair) -> CorrectedResponse:
    """Return the response before any correction, with wrong spans paired."""
    key, response, matched = sides.key, sides.response, sides.matched
    return start_correction(response, matched, wrong_spans(key, response, matched))


def together(documents: Sequence[ErrorAnalysis]) -> ErrorAnalysis:
    """Add up the errors of several documents."""
    return ErrorAnalysis(
        {name: [e for d in documents for e in d.errors[name]] for name in ERROR_TYPES},
        add_rows(document.as_it_is for document in documents),
        {name: add_rows(d.corrected[name] for d in documents) for name in ERROR_TYPES},
        add_rows(document.all_corrected for document in documents),
    )


def _possible_types(sets: SetAlignment) -> Collection[str]:
    """Return the types of errors that a document can have: those of sets only if it has any."""
    if sets.in_key or sets.draft.elements:
        return ERROR_TYPES
    return [name for name in ERROR_TYPES if name not in SET_TYPES]


def correct_all(key: Side, draft: CorrectedResponse) -> CorrectedResponse:
    """Correct the errors of all types, one type after the other.

    Correcting the elements of one set can move an error to another set, so that the types of sets
    are gone through until none is left.
    """
    for name in _possible_types(SetAlignment(key, draft)):
        draft = ERROR_TYPES[name].find(SetAlignment(key, draft)).corrected
    open_errors = bool(draft.elements)
    while open_errors:
        open_errors = False
        for name in SET_TYPES:
            findings = ERROR_TYPES[name].find(SetAlignment(key, draft))
            draft = findings.corrected
            open_errors = open_errors or bool(findings.mistakes)
    return draft
