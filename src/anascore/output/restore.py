"""Suites, analyses and statistics from the JSON that they were written to."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, TypeVar, get_args

from anascore.analysis.errors import (
    ERROR_TYPES,
    Error,
    ErrorAnalysis,
    ErrorComparison,
    MentionRef,
    ResponseErrors,
)
from anascore.analysis.explain import (
    AlignedSet,
    Delta,
    Direction,
    EntityDescription,
    Explanation,
    MetricExplanation,
    ResponseExplanation,
    Share,
    Working,
)
from anascore.corpus.scorable import Scorable, ScoringSummary, Status
from anascore.corpus.stats import FileStatistics, Statistics, Stats
from anascore.corpus.validate import FileValidation, Validation
from anascore.errors import Problem, ReadError, SettingsError
from anascore.layers.counts import CountsByScore
from anascore.model.document import RELATIONS, RelationName
from anascore.model.ratio import Number, Ratio, Score
from anascore.output.corpus import COUNTS
from anascore.results import Difference, Result
from anascore.results.exact import (
    SCHEMA,
    counts_from_lists,
    number_from_json,
    restore_intervals,
    restore_result,
)
from anascore.results.suite import PairComparison, SuiteResult

T = TypeVar("T")
IN_JSON = "JSON"
"""Place of an error in a text that has no path."""


BAD_CONTENT = (
    *(ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError),
)
"""Errors that content of another form can cause."""


@contextmanager
def _restoring(name: str) -> Iterator[None]:
    """Turn errors about the content into a ReadError; `name` is the class that wrote it."""
    try:
        yield
    except BAD_CONTENT as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        message = f"this is not what {name}.to_json writes: {reason}"
        raise ReadError(IN_JSON, None, message) from error


def _load(text: str) -> dict[str, Any]:
    """Return the content of JSON; raise ValueError or TypeError if it cannot be restored."""
    content = _typed(json.loads(text), dict)
    if content["schema"] != SCHEMA:
        message = f"its schema is {content['schema']!r}, and this version reads schema {SCHEMA}"
        raise ValueError(message)
    return content


def _typed(value: object, kind: type[T]) -> T:
    """Return a value; raise TypeError if it is not of this type."""
    if not isinstance(value, kind):
        message = f"{type(value).__name__} instead of {kind.__name__}"
        raise TypeError(message)
    return value


def _printable(restored: T) -> T:
    """Return an object that can be printed; otherwise raise the error that printing raises."""
    str(restored)
    return restored


def _text(value: object) -> str:
    return _typed(value, str)


def _texts(values: object) -> tuple[str, ...]:
    return tuple(map(_text, _typed(values, list)))


def _or_none(convert: Callable[[Any], T], value: object) -> T | None:
    return None if value is None else convert(value)


def _integer(value: object) -> int:
    return _typed(value, int)


def errors_from_json(text: str) -> ResponseErrors:
    """Return the errors of a response; raise ReadError if the text is something else."""
    with _restoring("ResponseErrors"):
        return _response_errors(_load(text))


def error_comparison_from_json(text: str) -> ErrorComparison:
    """Return the errors of several responses; raise ReadError if the text is something else."""
    with _restoring("ErrorComparison"):
        return ErrorComparison(map(_response_errors, _typed(_load(text)["systems"], list)))


def _response_errors(content: Mapping[str, Any]) -> ResponseErrors:
    errors: dict[str, list[Error]] = {name: [] for name in ERROR_TYPES}
    for error in map(_error, content["errors"]):
        errors[error.type].append(error)
    for name, listed in errors.items():
        if content["types"][name]["errors"] != len(listed):
            message = f"the errors of type {name} are not all listed"
            raise ValueError(message)
    exact = content["exact"]
    as_it_is = counts_from_lists(exact["scores"])
    corrected: dict[str, CountsByScore] = {
        name: counts_from_lists(exact["types"][name]) if listed else as_it_is
        for name, listed in errors.items()
    }
    all_corrected = counts_from_lists(exact["all_corrected"])
    return _printable(
        ResponseErrors(
            _text(content["system"]),
            _text(content["signature"]),
            ErrorAnalysis(errors, as_it_is, corrected, all_corrected),
            _texts(content["metrics"]),
            _texts(content["warnings"]),
        )
    )


def _error(content: Mapping[str, Any]) -> Error:
    return Error(
        type=_text(content["type"]),
        document=_text(content["document"]),
        at=_mention(content["at"]),
        key_entity=_or_none(_text, content["key_entity"]),
        response_entity=_or_none(_text, content["response_entity"]),
        key=tuple(map(_mention, content["key"])),
        response=tuple(map(_mention, content["response"])),
        beside=_or_none(_mention, content["beside"]),
        anaphor=_or_none(_mention, content["anaphor"]),
    )


def _mention(content: Mapping[str, Any]) -> MentionRef:
    return MentionRef(
        side="key" if content["side"] == "key" else "response",
        text=_text(content["text"]),
        words=tuple(map(_pair, content["words"])),
        zeros=tuple(map(_pair, content["zeros"])),
        line=_or_none(_integer, content["line"]),
    )


def _pair(numbers: Sequence[object]) -> tuple[int, int]:
    first, second = map(_integer, numbers)
    return first, second


def explanation_from_json(text: str) -> ResponseExplanation:
    """Return the working behind scores; raise ReadError if the text is something else."""
    with _restoring("ResponseExplanation"):
        content = _load(text)
        return _printable(
            ResponseExplanation(
                _text(content["signature"]),
                [_explanation(document) for document in content["documents"]],
                _texts(content["warnings"]),
                _text(content.get("system", "")),
                _or_none(_text, content.get("entity")) or "",
            )
        )


def _explanation(content: Mapping[str, Any]) -> Explanation:
    return Explanation(
        _text(content["name"]),
        tuple(map(_entity, content["key"])),
        tuple(map(_entity, content["response"])),
        {
            (_text(one["key"]), _text(one["response"])): _integer(one["mentions"])
            for one in content["shared"]
        },
        tuple(
            MetricExplanation(
                _text(name),
                tuple(map(_aligned_set, metric["sets"])),
                tuple(map(_working, metric["rows"])),
            )
            for name, metric in content["metrics"].items()
        ),
    )


def _entity(content: Mapping[str, Any]) -> EntityDescription:
    relations: dict[str | None, RelationName | None] = {None: None, **{r: r for r in RELATIONS}}
    return EntityDescription(
        _text(content["label"]),
        _text(content["name"]),
        _texts(content["elements"]),
        _texts(content["mentions"]),
        relations[content["relation"]],
    )


def _aligned_set(content: Mapping[str, Any]) -> AlignedSet:
    best = content["next_best"]
    return AlignedSet(
        key=_text(content["key"]),
        response=_or_none(_text, content["response"]),
        credits=tuple(
            Score(*(_fraction(score[name]) for name in Score._fields)) for score in content["score"]
        ),
        delta=tuple(
            Delta(_fraction(one["recall"]), _or_none(_fraction, one["precision"]))
            for one in content["delta"]
        ),
        f1=_fraction(content["f1"]),
        next_best=best and (_text(best["response"]), _fraction(best["f1"])),
    )


def _working(content: Mapping[str, Any]) -> Working:
    return Working(
        _text(content["links"]), _direction(content["recall"]), _direction(content["precision"])
    )


def _direction(content: Mapping[str, Any]) -> Direction:
    shares = tuple(
        Share(
            _text(share["entity"]),
            _texts(share["partners"]),
            _or_none(_number, share["part"]),
            _or_none(_number, share["whole"]),
        )
        for share in content["shares"]
    )
    return Direction(shares, Ratio(_number(content["part"]), _number(content["whole"])))


def _number(text: object) -> Number:
    return number_from_json(text)


def _fraction(text: object) -> Fraction:
    return Fraction(_number(text))


def statistics_from_json(text: str) -> Statistics:
    """Return counts; raise ReadError if the text is something else."""
    with _restoring("Statistics"):
        files = (
            FileStatistics(
                _text(file["path"]),
                _text(file["format"]),
                _text(file["unit"]),
                {_text(name): _stats(counts) for name, counts in file["documents"].items()},
            )
            for file in _load(text)["files"]
        )
        return _printable(Statistics(tuple(files)))


def _stats(content: Mapping[str, Any]) -> Stats:
    counts = {name: _integer(content[name]) for name in COUNTS}
    chains, sizes = (
        Counter({int(number): _integer(count) for number, count in content[name].items()})
        for name in ("chain_lengths", "set_sizes")
    )
    left_out = Counter({_text(note): _integer(n) for note, n in content["left_out"].items()})
    return Stats(**counts, chain_lengths=chains, set_sizes=sizes, left_out=left_out)


def validation_from_json(text: str) -> Validation:
    """Return the problems of files; raise ReadError if the text is something else."""
    with _restoring("Validation"):
        content = _load(text)
        scoring = content["scoring"]
        return Validation(
            tuple(map(_file, content["files"])),
            ScoringSummary(
                _texts(scoring["paths"]),
                _or_none(_text, scoring["obstacle"]) or "",
                tuple(map(_scorable, scoring["options"])),
            ),
        )


def _file(content: Mapping[str, Any]) -> FileValidation:
    problems = (
        Problem(
            _text(problem["path"]),
            _or_none(_integer, problem["line"]),
            "error" if problem["severity"] == "error" else "warning",
            _text(problem["what"]),
        )
        for problem in content["problems"]
    )
    return FileValidation(_text(content["path"]), _text(content["format"]), tuple(problems))


def _scorable(content: Mapping[str, Any]) -> Scorable:
    statuses: dict[str, Status] = {status: status for status in get_args(Status)}
    return Scorable(
        _text(content["option"]),
        statuses[content["status"]],
        {_text(one["annotation"]): list(_texts(one["paths"])) for one in content["missing"]},
    )


def suite_from_json(text: str) -> SuiteResult:
    """Return the result of a suite; raise ReadError if the text is something else."""
    with _restoring("SuiteResult"):
        try:
            suite = _printable(_suite(_load(text)))
            suite.to_json()
        except SettingsError as error:
            raise ValueError(str(error)) from error
        return suite


def _suite(content: Mapping[str, Any]) -> SuiteResult:
    runs = {(run["variant"], run["system"], run["dataset"]): run for run in content["runs"]}
    systems, datasets = _texts(content["systems"]), _texts(content["datasets"])

    def result(variant: str, system: str, dataset: str) -> Result:
        return restore_result({**runs[variant, system, dataset], "name": system}, "")

    cells = {
        variant: {
            system: {dataset: result(variant, system, dataset) for dataset in datasets}
            for system in systems
        }
        for variant in content["variants"]
    }
    for of_systems in cells.values() or [{}]:
        scores = {tuple(run) for of_system in of_systems.values() for run in of_system.values()}
        if len(scores) != 1 or not all(scores):
            message = "there are no runs, or those of a variant do not have the same scores"
            raise ValueError(message)
    return SuiteResult(
        cells,
        {
            (_text(comparison["to"]), _text(comparison["system"])): PairComparison(
                _difference(comparison),
                {name: _difference(of) for name, of in comparison["datasets"].items()},
            )
            for comparison in content["comparisons"]
        },
        {
            variant: {system: restore_intervals(of) for system, of in of_systems.items()}
            for variant, of_systems in content["confidence"].items()
        },
        _text(content["resampling"]),
        _texts(content["notes"]),
    )


def _difference(content: Mapping[str, Any]) -> Difference:
    return Difference(**{name: content[name] for name in Difference._fields})
