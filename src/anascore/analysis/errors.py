"""Errors by type, after Kummerfeld and Klein (2013), with types for sets."""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, islice
from typing import Any, NamedTuple, TypeAlias, Unpack, overload

from anascore.analysis.corrected_counts import CorrectionCounter
from anascore.analysis.error_alignment import (
    SetAlignment,
    start_correction,
    wrong_spans,
)
from anascore.analysis.error_finders import (
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
from anascore.arguments import is_string, list_of
from anascore.errors import (
    MAX_NUMBER,
    SettingsError,
    check_whole_number,
    did_you_mean,
    shown,
)
from anascore.layers.counts import CountsByScore, add_rows
from anascore.layers.document import DocumentComparison, compare_sides, pair_of
from anascore.matching import Matched
from anascore.metrics.scores import MEANS, METRICS
from anascore.model.abbreviated import abbreviated, pluralise, quote
from anascore.model.document import Document
from anascore.model.mention import Mention, Place, Span, Zero
from anascore.printing import LayoutKeywords, OutputName, Printable
from anascore.results.comparison import MAX_SYSTEMS
from anascore.results.result import Scores, scores_from_counts
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
        """Words and zeros that the mention covers."""
        return self.words, self.zeros

    @property
    def position(self) -> str:
        """Words and zeros that the mention covers, as text; words are counted from 1."""
        return position_of(self.place)

    def __repr__(self) -> str:
        """Show the text and the place on one line."""
        return f"<MentionRef {quote(self.text)} at {self.position} of the {self.side}>"


def position_of(place: Place) -> str:
    """Write words and zeros like 3-5,8; words are counted from 1."""
    words, zeros = place
    spans = [f"{first + 1}-{end}" if end > first + 1 else str(end) for first, end in words]
    return ",".join([*spans, *(f"{before}.{rank}" for before, rank in zeros)])


class Error(NamedTuple):
    """One error."""

    type: str
    document: str
    at: MentionRef
    """Place of the error."""

    key_entity: str | None
    """Key entity, under its label in `anascore explain`: K1, K2 and so on."""

    response_entity: str | None
    key: tuple[MentionRef, ...]
    """Key mentions: the missing mention or entity, or the elements of a set."""

    response: tuple[MentionRef, ...]
    """Response mentions: the extra mention or entity, or the elements of a set."""

    beside: MentionRef | None
    """Mention of another entity that is involved: the rest of a divided or conflated entity."""

    anaphor: MentionRef | None
    """Anaphor of the wrong set."""

    def __repr__(self) -> str:
        """Show the type, the document and the place on one line."""
        return f"<Error {self.type} in {quote(self.document)} at {self.at.position}>"

    def __str__(self) -> str:
        from anascore.output.errors import error_line  # noqa: PLC0415  outputs need errors

        return f"{ERROR_TYPES[self.type].label}: {error_line(self)}"


Locate: TypeAlias = Callable[[SideName, Mention], MentionRef]
"""Returns a side's mention with its text and its place in the file."""


def locate_in(documents: Mapping[SideName, Document]) -> Locate:
    """Make a function that locates mentions; one in several errors is located only once."""

    @cache
    def locate(side: SideName, mention: Mention) -> MentionRef:
        document = documents[side]
        text, line = document.text_of(mention), document.line_of(mention)
        return MentionRef(side, text, mention.words, mention.zeros, line)

    return locate


def listed(
    kind: str, mistakes: Iterable[Finding], document: str, locate: Locate
) -> Iterator[Error]:
    """Describe the errors of one type in document order."""
    placed = [(mistake.at, mistake) for mistake in mistakes]
    for at, mistake in sorted(placed, key=lambda item: item[0][1].full_order):
        yield Error(
            type=kind,
            document=document,
            at=locate(*at),
            key_entity=_label("K", mistake.key_entity),
            response_entity=_label("R", mistake.response_entity),
            key=tuple(locate("key", mention) for mention in mistake.key),
            response=tuple(locate("response", mention) for mention in mistake.response),
            beside=mistake.beside and locate(*mistake.beside),
            anaphor=mistake.anaphor and locate(*mistake.anaphor),
        )


def _label(letter: str, entity: int | None) -> str | None:
    """Label an entity by its number from 1, if there is one."""
    return None if entity is None else f"{letter}{entity + 1}"


class ErrorType(NamedTuple):
    """A type of error."""

    label: str
    find: Callable[[SetAlignment], Findings]
    """Finds and corrects the errors of this type."""

    description: str
    """Template for describing an error."""

    of_sets: bool = False
    """True if such errors require accommodated sets."""


ERROR_TYPES: dict[str, ErrorType] = {
    "wrong-span": ErrorType("wrong span", wrong_span, "{response} instead of {key}"),
    "extra-mention": ErrorType("extra mention", extra_mention, "{response}"),
    "extra-entity": ErrorType("extra entity", extra_entity, "{response}"),
    "missing-mention": ErrorType("missing mention", missing_mention, "{key}"),
    "missing-entity": ErrorType("missing entity", missing_entity, "{key}"),
    "conflated-entity": ErrorType("conflated entity", conflated_entity, "{response} with {beside}"),
    "divided-entity": ErrorType("divided entity", divided_entity, "{response} apart from {beside}"),
    "wrong-anaphor": ErrorType(
        "set on wrong anaphor", set_on_wrong_anaphor, "{response} instead of {key}", of_sets=True
    ),
    "wrong-element": ErrorType(
        "wrong element of set",
        wrong_element,
        "{anaphor}: {response} instead of {key}",
        of_sets=True,
    ),
    "missing-element": ErrorType(
        "missing element of set", missing_element, "{anaphor}: without {key}", of_sets=True
    ),
    "extra-element": ErrorType(
        "extra element of set", extra_element, "{anaphor}: with {response}", of_sets=True
    ),
    "spurious-set": ErrorType(
        "spurious set", spurious_set, "{anaphor}: {{{response}}}", of_sets=True
    ),
    "set-as-entity": ErrorType(
        "set taken for an entity",
        set_as_entity,
        "{anaphor}: {{{key}}}, taken for {response}",
        of_sets=True,
    ),
    "missed-set": ErrorType("missed set", missed_set, "{anaphor}: {{{key}}}", of_sets=True),
}
"""Error types by name; correcting all of them in this order leads to the key."""


EXAMPLES = 5
"""Number of errors of each type that the table lists by default."""


@dataclass(frozen=True, slots=True)
class ErrorAnalysis:
    """Errors in one or more documents, and the counts with and without them."""

    errors: Mapping[str, Sequence[Error]]
    """All types, in their order."""

    as_it_is: CountsByScore
    corrected: dict[str, CountsByScore]
    """Counts after correcting all errors of one type, and no others."""

    all_corrected: CountsByScore
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ResponseErrors(Printable):
    """The errors of a response. Print it for a table, or iterate over the errors.

    `len(errors)` is the number of errors, and `errors.counts` their numbers by type.
    """

    system: str
    signature: str
    analysis: ErrorAnalysis
    reported: tuple[str, ...]
    """The scores that are also computed after corrections."""

    warnings: tuple[str, ...]
    """Notes on the documents that can change a score."""

    @property
    def by_type(self) -> Mapping[str, Sequence[Error]]:
        """The errors of each type, in the order of types; see docs/reference/errors.md."""
        return self.analysis.errors

    @property
    def counts(self) -> dict[str, int]:
        """The number of errors of each type."""
        return {name: len(errors) for name, errors in self.by_type.items()}

    @property
    def scores(self) -> Scores:
        """The scores of the uncorrected response."""
        return scores_from_counts(self.analysis.as_it_is, self.reported)

    @property
    def corrected(self) -> dict[str, Scores]:
        """The scores with all errors of one type corrected, by type."""
        return {
            name: scores_from_counts(counts, self.reported)
            for name, counts in self.analysis.corrected.items()
        }

    @property
    def all_corrected(self) -> Scores:
        """The scores with the errors of all types corrected."""
        return scores_from_counts(self.analysis.all_corrected, self.reported)

    def __iter__(self) -> Iterator[Error]:
        """Iterate over the errors, type by type."""
        return (error for errors in self.by_type.values() for error in errors)

    def __len__(self) -> int:
        """Return the number of errors of all types."""
        return sum(self.counts.values())

    def render(
        self,
        output: OutputName = "table",
        *,
        types: str | Iterable[str] | None = None,
        examples: int | None = EXAMPLES,
        **layout: Unpack[LayoutKeywords],
    ) -> str:
        """Return the errors as text.

        Args:
            output: Output format, such as "markdown" or "json".
            types: Types of errors to list, as a list or a comma-separated string (default: all).
            examples: Number of errors of each type to list in the table; None for all. JSON and CSV
                list all.
            layout: `decimals=4` for that many decimals, and `tables="errors"` for only the tables
                with these ids.

        Returns:
            The text that `anascore errors` prints.

        Raises:
            SettingsError: The output or a type is unknown.

        Example:
            >>> from anascore import find_errors
            >>> from anascore.example import KEY, SYSTEMS
            >>> print(find_errors(KEY, SYSTEMS[1]).render("csv", types="missed-set")[:19])
            type,document,words
        """
        return self._render(output, **_view(types, examples), **layout)

    def __repr__(self) -> str:
        """Show the system and the number of errors on one line."""
        types = pluralise(sum(map(bool, self.counts.values())), "type")
        return f"<ResponseErrors {quote(self.system)}: {pluralise(len(self), 'error')} of {types}>"


class ErrorComparison(Printable, Sequence[ResponseErrors]):
    """The errors of several responses to one key. Print it, or iterate over the responses.

    `comparison["A"]` or `comparison[0]` returns the errors of one system.
    """

    def __init__(self, responses: Iterable[ResponseErrors]) -> None:
        """Store the errors of each response."""
        self.responses = tuple(responses)

    @property
    def names(self) -> list[str]:
        """The names of the systems."""
        return [errors.system for errors in self.responses]

    def __len__(self) -> int:
        return len(self.responses)

    @overload
    def __getitem__(self, index: int | str) -> ResponseErrors: ...

    @overload
    def __getitem__(self, index: slice) -> ErrorComparison: ...

    def __getitem__(self, index: int | str | slice) -> ResponseErrors | ErrorComparison:
        """Return a system's errors by its name or position; or those of several systems."""
        if isinstance(index, slice):
            return ErrorComparison(self.responses[index])
        if isinstance(index, int):
            return self.responses[index]
        for errors in self.responses:
            if errors.system == index:
                return errors
        hint = did_you_mean(index, self.names)
        message = f"there is no system {shown(index)}{hint}; choose from {', '.join(self.names)}"
        raise SettingsError(message)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ErrorComparison) and self.responses == other.responses

    def __hash__(self) -> int:
        return hash(tuple(self.names))

    def render(
        self,
        output: OutputName = "table",
        *,
        types: str | Iterable[str] | None = None,
        examples: int | None = 0,
        **layout: Unpack[LayoutKeywords],
    ) -> str:
        """Return the errors of all systems as text.

        Args:
            output: Output format, such as "markdown" or "json".
            types: Types of errors to list, as a list or a comma-separated string (default: all).
            examples: Number of errors of each type and system to list below the table; None for
                all. JSON and CSV list all.
            layout: Decimals and tables, as for one response.

        Returns:
            The text that `anascore errors` prints for several responses.

        Raises:
            SettingsError: The output or a type is unknown.
        """
        return self._render(output, **_view(types, examples), **layout)

    def __repr__(self) -> str:
        """Show the systems and their numbers of errors on one line."""
        systems = (f"{quote(one.system)} {len(one)}" for one in self.responses)
        return f"<ErrorComparison: {abbreviated(systems, len(self), MAX_SYSTEMS) or 'no systems'}>"


def _view(types: str | Iterable[str] | None, examples: int | None) -> dict[str, Any]:
    """Check the output options; raise SettingsError if one is invalid."""
    if examples is not None:
        check_whole_number("--examples", examples, 0, MAX_NUMBER)
    return {"types": choose_types(types), "examples": examples}


def choose_types(names: str | Iterable[str] | None) -> list[str]:
    """Sort error types in their usual order; raise SettingsError if one does not exist."""
    if names is None:
        return [*ERROR_TYPES]
    expected = "a string or a list of names"
    listed = names.split(",") if is_string(names) else list_of("types", names, expected)
    chosen = [name.strip() if is_string(name) else shown(name) for name in listed]
    for name in chosen:
        if name not in ERROR_TYPES:
            hint = did_you_mean(name, ERROR_TYPES)
            types = ", ".join(ERROR_TYPES)
            message = f"--type {name}: no such type of error{hint}; choose from {types}"
            raise SettingsError(message)
    return [name for name in ERROR_TYPES if name in chosen]


def analyse(
    pair: DocumentComparison,
    reported: Collection[str],
    *,
    counts: CountsByScore | None = None,
    spans: Matched | None = None,
) -> ErrorAnalysis:
    """Find the errors in one document, and count the reported metrics after correcting them.

    A document that the response lacks has no entities there. A mention in several entities is
    analysed only in the first one. `counts` of the uncorrected response and `spans` that are wrong
    are not computed again if the caller passes them.
    """
    settings = analysed_settings(pair.settings)
    if settings is not pair.settings:
        pair = pair_of(pair.key.key, pair.response.document, settings)
    sides = pair.identity
    notes: tuple[str, ...] = ()
    if sides.key.nonreferring or sides.response.nonreferring:
        notes = (WITHOUT_NONREFERRING,)
        sides = compare_sides(
            sides.key.without_nonreferring(), sides.response.without_nonreferring(), settings
        )
    side = sides.key
    if spans is None:
        spans = wrong_spans(side, sides.response, sides.matched)
    draft = start_correction(sides.response, sides.matched, spans)
    sets = SetAlignment(side, draft)
    has_sets = bool(sets.in_key or sets.draft.elements)
    found = {
        name: kind.find(sets) if has_sets or not kind.of_sets else Findings([], draft)
        for name, kind in ERROR_TYPES.items()
    }

    parts = {part for name in reported for part in MEANS.get(name, (name,))}
    metrics = tuple(name for name in METRICS if name in parts)
    counter = CorrectionCounter(sides, metrics, settings, counts)
    locate = locate_in({"key": pair.key.text_document, "response": pair.response.text_document})
    return ErrorAnalysis(
        {
            name: list(listed(name, of.mistakes, pair.key.key.name, locate))
            for name, of in found.items()
        },
        counter.as_it_is,
        {
            name: counter.count_corrected(of.corrected) if of.mistakes else counter.as_it_is
            for name, of in found.items()
        },
        # Correcting the errors of all types, one type after the other, leads to the key.
        counter.perfect,
        notes,
    )


def analysed_settings(settings: Settings) -> Settings:
    """Adapt settings for error analysis: each mention belongs to one entity."""
    in_first = settings.repeated_mentions == "first"
    return settings if in_first else replace(settings, repeated_mentions="first")


IN_FIRST = (
    "errors are analysed with a mention in several entities counted in the first one only "
    "(--repeated-mentions first)"
)
"""Note on settings that count a mention in all its entities."""


WITHOUT_NONREFERRING = "errors are analysed without the non-referring elements of accommodated sets"
"""Note on documents with non-referring elements, in the `ua` convention."""


class StoredErrors(Sequence[Error]):
    """Errors of a large corpus, pickled and compressed to a twentieth of the memory.

    GUM repeated 100 times has 400,000 errors in one response: 480 MB as objects.
    """

    def __init__(self) -> None:
        """Start without errors."""
        self._stored: list[bytes] = []
        self._size = 0

    def extend(self, errors: Iterable[Error]) -> None:
        """Add errors."""
        listed = list(errors)
        self._size += len(listed)
        self._stored.append(zlib.compress(pickle.dumps(listed)))

    def __iter__(self) -> Iterator[Error]:
        """Iterate over the errors."""
        for stored in self._stored:
            # The pickled errors are our own.
            yield from pickle.loads(zlib.decompress(stored))  # noqa: S301

    def __len__(self) -> int:
        """Return the number of errors."""
        return self._size

    @overload
    def __getitem__(self, index: int) -> Error: ...

    @overload
    def __getitem__(self, index: slice) -> list[Error]: ...

    def __getitem__(self, index: int | slice) -> Error | list[Error]:
        """Return one error or several by position."""
        return list(self)[index]


def together(
    documents: Iterable[ErrorAnalysis], store: Callable[[], list[Error] | StoredErrors] = list
) -> ErrorAnalysis:
    """Add up the errors of several documents."""
    errors = {name: store() for name in ERROR_TYPES}
    counted: list[ErrorAnalysis] = []
    for document in documents:
        for name, own in document.errors.items():
            errors[name].extend(own)
        counted.append(replace(document, errors={}))
    return ErrorAnalysis(
        errors,
        add_rows(document.as_it_is for document in counted),
        {name: add_rows(document.corrected[name] for document in counted) for name in ERROR_TYPES},
        add_rows(document.all_corrected for document in counted),
        tuple(dict.fromkeys(note for document in counted for note in document.notes)),
    )


def analyse_documents(
    pairs: Iterable[DocumentComparison], reported: Collection[str]
) -> ErrorAnalysis:
    """Find the errors of several documents."""
    return together(analyse(pair, reported) for pair in pairs)


def combine_blocks(blocks: Iterable[ErrorAnalysis]) -> ErrorAnalysis:
    """Add up the errors of blocks; if there are several blocks, store the errors compressed."""
    first, *second = islice(blocks := iter(blocks), 2)
    return together(chain([first], second, blocks), StoredErrors) if second else first
