"""Structures as JSON and back, and the parts that the structures of several outputs share."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, get_args

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from anascore.errors import Problems, ReadError, read_error, shown
from anascore.formats.json_values import CheckedJson
from anascore.layers.counts import CountsByScore
from anascore.metrics.scores import check_known, values_of
from anascore.model.ratio import Components, Number, Ratio, RatioPair
from anascore.output.json.text import to_json
from anascore.results.result import Difference, Interval, Scores
from anascore.version import __version__

SchemaVersion: TypeAlias = Literal[2]
(SCHEMA,) = get_args(SchemaVersion)
"""Version of the JSON output. It changes if programs that read the output have to change."""

LARGEST_INTEGER = 2**53
"""Largest integer that every JSON reader keeps exactly."""

S = TypeVar("S", bound=Struct)
R = TypeVar("R")


def about(description: str, **limits: Any) -> Meta:
    """Describe a field, and limit its values."""
    return Meta(description=description, **limits)


ScoreName: TypeAlias = Annotated[
    str,
    about(
        "name of a score, or of a metric of another package",
        pattern="^[a-z0-9]+([.@-][a-z0-9]+)*$",
    ),
]

Count: TypeAlias = Annotated[int, Meta(ge=0)]
Sizes: TypeAlias = dict[str, Count]
Value: TypeAlias = Annotated[float, Meta(ge=0)] | None
Signature: TypeAlias = Annotated[
    str, about("version and every setting that can change a number, in one line")
]
Warnings: TypeAlias = Annotated[Sequence[str], about("messages that affect how to read the scores")]
Line: TypeAlias = Annotated[Count | None, about("line of the file")]
Words: TypeAlias = Annotated[
    tuple[tuple[Count, Count], ...], about("spans of positions from 0, end exclusive")
]
Zeros: TypeAlias = Annotated[tuple[tuple[Count, Count], ...], about("zeros: words before, rank")]
Bounds: TypeAlias = Annotated[Interval, about("lower and upper end of a 95% interval")]

_WHOLE = "-?(0x[0-9a-f]+|[0-9]+)"
ExactNumber: TypeAlias = int | Annotated[str, Meta(pattern=f"^{_WHOLE}(/{_WHOLE})?$")]
ExactRow: TypeAlias = Annotated[
    list[ExactNumber],
    about(
        "numerator and denominator of recall, numerator and denominator of precision: integers, "
        'fractions like "43/6", or hexadecimal digits like "0x20000000000001" above 2 to the 53',
        min_length=4,
        max_length=4,
    ),
]
ExactCounts: TypeAlias = dict[ScoreName, list[ExactRow]]
"""For each score, the counts of each of its components."""


class Output(Struct, kw_only=True):
    """A whole output, which begins with two versions."""

    anascore: Annotated[str, about("version of anascore")]
    schema: Annotated[SchemaVersion, about("version of this layout")]


class ScoreValues(Struct, kw_only=True, omit_defaults=True):
    """One score as fractions of 1; null if a value is undefined. Means have F1 only."""

    recall: Value | UnsetType = UNSET
    precision: Value | UnsetType = UNSET
    f1: Value


ScoresByName: TypeAlias = dict[ScoreName, ScoreValues]


class SideSizes(Struct, kw_only=True):
    """Numbers of documents, mentions, entities and so on, in both sides."""

    key: Sizes
    response: Sizes


class SystemDifference(Struct, kw_only=True):
    """Difference in F1 between two systems."""

    difference: float | None
    p: Annotated[float, Meta(ge=0, le=1)] | None
    corrected: Annotated[
        Annotated[float, Meta(ge=0, le=1)] | None, about("p-value after Holm's correction")
    ]
    wins: Annotated[Count, about("documents in which it is better; datasets in a suite")]
    losses: Count
    ties: Count

    def restored(self) -> Difference:
        """Convert back."""
        return Difference(*(getattr(self, name) for name in Difference._fields))


def structure(kind: type[S], value: object, **others: Any) -> S:
    """Build a structure from the attributes of a value whose names match its fields.

    `others` supplies all other fields.
    """
    names = (name for name in kind.__struct_fields__ if name not in others)
    return kind(**{name: getattr(value, name) for name in names}, **others)


def encode(kind: type[Output], **fields: Any) -> str:
    """Write an output as JSON; the versions are added to the fields."""
    output = kind(anascore=__version__, schema=SCHEMA, **fields)
    return to_json(msgspec.to_builtins(output, str_keys=True))


def decode(
    text: str, kind: type[S], restore: Callable[[S], R], command: str, path: str = "JSON"
) -> R:
    """Restore what a command wrote as JSON.

    Args:
        text: The JSON.
        kind: Structure of the JSON.
        restore: Function that turns the structure into the object.
        command: The command that must have written the text.
        path: Place that errors name.

    Raises:
        ReadError: The text is not JSON, uses another version of the layout, or has invalid values.
    """
    problems = Problems(path)
    content = CheckedJson(text, 1, problems).value
    if problems.has_errors:
        raise read_error(problems.found, "errors")
    _check_schema(content, path)
    try:
        _check_numbers(content)
        return restore(msgspec.convert(content, kind))
    except ReadError:
        raise
    except Exception as error:
        message = f"this is not the output of anascore {command} --output json: {_reason(error)}"
        raise ReadError(path, None, message) from error


def _check_numbers(content: Any) -> None:
    """Raise ValueError for NaN and 1e999, which Python accepts."""
    try:
        json.dumps(content, allow_nan=False)
    except ValueError:
        message = "NaN, Infinity and numbers above 1.8e308 are not JSON"
        raise ValueError(message) from None


def _reason(error: Exception) -> str:
    """Extract what an error says about an output's values."""
    if isinstance(error, KeyError):
        return f"{error} is missing"
    if str(error).startswith("zip()"):
        return "lists that must have the same length differ"
    return str(error)


def _check_schema(content: Any, path: str) -> None:
    """Raise ReadError if JSON uses another version of the layout."""
    schema = content.get("schema") if isinstance(content, dict) else None
    if type(schema) is int and schema != SCHEMA:
        remedy = "update anascore" if schema > SCHEMA else "run the command again with this version"
        writer = content.get("anascore")
        written = "" if writer is None else f", written by anascore {shown(writer)}"
        message = (
            f"the JSON has schema {schema}{written}, "
            f"but anascore {__version__} reads schema {SCHEMA}; {remedy}"
        )
        raise ReadError(path, None, message)


def scores_of(scores: Scores) -> dict[str, ScoreValues]:
    """Convert scores to structures."""
    return {
        name: ScoreValues(**{column: getattr(score, column) for column in values_of(name)})
        for name, score in scores.items()
    }


def counts_of(counts: CountsByScore) -> dict[str, list[list[int | str]]]:
    """Write counts by score: for each component, part and whole of recall and of precision."""
    return {
        name: [
            [exact(number) for ratio in (row.recall, row.precision) for number in ratio]
            for row in rows
        ]
        for name, rows in counts.items()
    }


def restored_counts(content: Mapping[str, list[list[int | str]]]) -> dict[str, Components]:
    """Read the counts that `counts_of` wrote."""
    check_known(content)
    return {
        name: tuple(
            RatioPair(Ratio(a, b), Ratio(c, d)) for a, b, c, d in (map(number, row) for row in rows)
        )
        for name, rows in content.items()
    }


def exact(number: Number) -> int | str:
    """Convert a number to JSON exactly: an integer, or text if it is large or a fraction.

    >>> exact(13), exact(Fraction(13, 2)), exact(2**60)
    (13, '13/2', '0x1000000000000000')
    """
    # Python refuses to print numbers of thousands of digits in decimal.
    parts = [
        part if abs(part) <= LARGEST_INTEGER else f"{part:#x}"
        for part in (number.numerator, number.denominator)
    ]
    return parts[0] if number.denominator == 1 else f"{parts[0]}/{parts[1]}"


def number(value: int | str) -> Number:
    """Read a number that `exact` wrote.

    >>> number(7), number("13/2")
    (7, Fraction(13, 2))
    """
    if isinstance(value, int):
        return value
    above, _, below = value.partition("/")
    return Fraction(_whole(above), _whole(below)) if below else _whole(above)


def _whole(text: str) -> int:
    return int(text, 16 if "x" in text else 10)
