"""The JSON of `anascore errors`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from msgspec import Struct

from anascore.analysis.error_finders import SideName
from anascore.analysis.errors import (
    ERROR_TYPES,
    Error,
    ErrorComparison,
    MentionRef,
    ResponseErrors,
    choose_types,
)
from anascore.output.json.encoding import (
    Count,
    ExactCounts,
    Line,
    Output,
    ScoreName,
    ScoresByName,
    Signature,
    Warnings,
    Words,
    Zeros,
    about,
    counts_of,
    encode,
    scores_of,
    structure,
)

if TYPE_CHECKING:
    ErrorTypeName: TypeAlias = str
else:
    ErrorTypeName = Literal[tuple(ERROR_TYPES)]


class PlacedMention(Struct, kw_only=True):
    """A mention with its place."""

    side: SideName
    text: str
    words: Words
    zeros: Zeros
    line: Line


class ListedError(Struct, kw_only=True):
    """One error."""

    type: ErrorTypeName
    document: str
    at: Annotated[PlacedMention, about("place of the error")]
    key_entity: Annotated[str | None, about("label of the entity, as in anascore explain")]
    response_entity: str | None
    key: Annotated[list[PlacedMention], about("annotation of the key that is involved")]
    response: Annotated[list[PlacedMention], about("annotation of the response")]
    beside: Annotated[
        PlacedMention | None,
        about("mention of the entity that something is joined with or separated from"),
    ]
    anaphor: Annotated[PlacedMention | None, about("anaphor of the wrong set")]


class ErrorsOfType(Struct, kw_only=True):
    """The errors of one type."""

    errors: Annotated[Count, about("number of errors")]
    corrected: Annotated[ScoresByName, about("scores with only these corrected")]


class ExactErrors(Struct, kw_only=True):
    """Exact counts behind the scores."""

    scores: ExactCounts
    types: Annotated[
        dict[ErrorTypeName, ExactCounts], about("with one type corrected, if it has errors")
    ]
    all_corrected: ExactCounts


class SystemErrors(Struct, kw_only=True):
    """Errors of one response."""

    name: str
    signature: Signature
    metrics: Annotated[tuple[ScoreName, ...], about("names of the scores")]
    scores: Annotated[ScoresByName, about("scores of the uncorrected response")]
    types: Annotated[dict[ErrorTypeName, ErrorsOfType], about("errors of each type")]
    all_corrected: Annotated[ScoresByName, about("scores with all errors corrected")]
    errors: Annotated[list[ListedError], about("errors of the types that --type names")]
    warnings: Warnings
    exact: ExactErrors


class ErrorOutput(Output, kw_only=True):
    """Output of anascore errors."""

    systems: Annotated[
        list[SystemErrors], about("responses in the order of the command", min_length=1)
    ]


def render_json(
    shown: ResponseErrors | ErrorComparison,
    *,
    types: str | Iterable[str] | None = None,
    examples: int | None = None,
) -> str:
    """Write counts, scores as fractions of 1, and all errors of some types as JSON."""
    del examples
    responses = [shown] if isinstance(shown, ResponseErrors) else shown
    systems = [_system(errors, choose_types(types)) for errors in responses]
    return encode(ErrorOutput, systems=systems)


def _system(errors: ResponseErrors, types: Iterable[str]) -> SystemErrors:
    analysis, numbers, corrected = errors.analysis, errors.counts, errors.corrected
    return SystemErrors(
        name=errors.system,
        signature=errors.signature,
        metrics=errors.reported,
        scores=scores_of(errors.scores),
        types={
            name: ErrorsOfType(errors=numbers[name], corrected=scores_of(corrected[name]))
            for name in ERROR_TYPES
        },
        all_corrected=scores_of(errors.all_corrected),
        errors=[_error(error) for name in types for error in errors.by_type[name]],
        warnings=errors.warnings,
        exact=ExactErrors(
            scores=counts_of(analysis.as_it_is),
            # The counts of a type without errors are those of the response as it is.
            types={
                name: counts_of(counts)
                for name, counts in analysis.corrected.items()
                if numbers[name]
            },
            all_corrected=counts_of(analysis.all_corrected),
        ),
    )


def _error(error: Error) -> ListedError:
    return structure(
        ListedError,
        error,
        at=_mention(error.at),
        key=list(map(_mention, error.key)),
        response=list(map(_mention, error.response)),
        beside=error.beside and _mention(error.beside),
        anaphor=error.anaphor and _mention(error.anaphor),
    )


def _mention(mention: MentionRef) -> PlacedMention:
    return structure(PlacedMention, mention)
