"""Results, analyses and statistics as tables of pandas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from anascore.analysis.agreement import Agreement
from anascore.analysis.errors import ERROR_TYPES, ResponseErrors
from anascore.analysis.explain import ResponseExplanation
from anascore.corpus.stats import Statistics
from anascore.errors import SettingsError
from anascore.metrics import values_of
from anascore.output import ReportOptions
from anascore.output.agreement import AGREEMENT_COLUMNS, agreement_rows
from anascore.output.analysis import ERROR_CSV_COLUMNS, error_rows
from anascore.output.corpus import COUNTS, SHARES, numbers_of
from anascore.output.data import score_rows
from anascore.results import DocumentResult, Interval, LayerResult, Result
from anascore.results.suite import SuiteResult

if TYPE_CHECKING:
    from pandas import DataFrame


def _frame(
    columns: Sequence[str], rows: Iterable[Sequence[object]], numbers: Iterable[str]
) -> DataFrame:
    """Return a table; undefined values of the columns of numbers are NaN."""
    try:
        from pandas import DataFrame  # noqa: PLC0415  only needed here, and optional
    except ImportError:
        message = "to_frame needs pandas, which is not installed: pip install 'anascore[pandas]'"
        raise SettingsError(message) from None
    frame = DataFrame(list(rows), columns=list(columns))
    return frame.astype(dict.fromkeys(numbers, float))


SCORE_COLUMNS = (
    *("system", "document", "layer", "scope", "metric", "measure"),
    *("value", "low", "high"),
)


def results_to_frame(results: Sequence[Result]) -> DataFrame:
    """Return one row per system, document, layer, score and value; see `Comparison.to_frame`."""
    return _frame(SCORE_COLUMNS, _score_rows(results), SCORE_COLUMNS[6:])


def _score_rows(results: Sequence[Result]) -> Iterator[tuple[object, ...]]:
    no_interval = Interval(None, None)
    for result in results:
        for name, layer in result.layers.items():
            scored: list[tuple[str | None, LayerResult | DocumentResult]] = [(None, layer)]
            scored += layer.documents.items()
            for document, scores in scored:
                for scope, metric, *values in score_rows(scores, ReportOptions()):
                    by_measure = dict(zip(("recall", "precision", "f1"), values, strict=True))
                    intervals = layer.uncertainty.intervals.get(str(metric))
                    applies = intervals and document is None and scope == "scores"
                    for measure in values_of(str(metric)):
                        interval = getattr(intervals, measure) if applies else no_interval
                        place = (result.name, document, name, scope, metric, measure)
                        yield *place, by_measure[measure], *interval


def agreement_to_frame(agreement: Agreement) -> DataFrame:
    """Return one row per figure; see `Agreement.to_frame`."""
    rows = agreement_rows(agreement, per_document=True)
    return _frame(AGREEMENT_COLUMNS, rows, AGREEMENT_COLUMNS[5:8])


SUITE_COLUMNS = (
    *("variant", "system", "dataset", "metric", "measure"),
    *("value", "low", "high"),
)


def suite_to_frame(suite: SuiteResult) -> DataFrame:
    """Return one row per variant, system, dataset, score and value; see `SuiteResult.to_frame`."""
    return _frame(SUITE_COLUMNS, _suite_rows(suite), SUITE_COLUMNS[5:])


def _suite_rows(suite: SuiteResult) -> Iterator[tuple[object, ...]]:
    no_interval = Interval(None, None)
    for variant, systems in suite.cells.items():
        for system, results in systems.items():
            for name, score in suite.macro(system, variant).items():
                intervals = suite.intervals.get(variant, {}).get(system, {}).get(name)
                for measure in values_of(name):
                    interval = getattr(intervals, measure) if intervals else no_interval
                    yield variant, system, None, name, measure, getattr(score, measure), *interval
            for dataset, result in results.items():
                for name in result:
                    for measure in values_of(name):
                        value = getattr(result[name], measure)
                        yield variant, system, dataset, name, measure, value, *no_interval


def errors_to_frame(responses: Iterable[ResponseErrors]) -> DataFrame:
    """Return one row per error."""
    rows = (row for errors in responses for row in error_rows(errors, ERROR_TYPES))
    return _frame(ERROR_CSV_COLUMNS, rows, ())


SHARE_COLUMNS = (
    *("document", "metric", "links", "measure", "side", "entity", "id", "partners"),
    *("part", "whole"),
)


def explanation_to_frame(explanation: ResponseExplanation) -> DataFrame:
    """Return one row for the share of each entity in a value."""
    return _frame(SHARE_COLUMNS, _share_rows(explanation), SHARE_COLUMNS[8:])


def _share_rows(explanation: ResponseExplanation) -> Iterator[tuple[object, ...]]:
    for document in explanation:
        ids = {entity.label: entity.name for entity in (*document.key, *document.response)}
        for metric in document.metrics:
            for row in metric.rows:
                for measure, side, direction in (
                    ("recall", "key", row.recall),
                    ("precision", "response", row.precision),
                ):
                    place = (document.name, metric.metric, row.links, measure, side)
                    for share in direction.shares:
                        entity = (share.entity, ids.get(share.entity), ", ".join(share.partners))
                        yield *place, *entity, share.part, share.whole


def statistics_to_frame(statistics: Statistics) -> DataFrame:
    """Return one row per document."""
    columns = ("file", "format", "unit", "document", *COUNTS, *SHARES)
    rows = (
        (file.path, file.format, file.unit, name, *numbers_of(stats).values())
        for file in statistics
        for name, stats in file.documents.items()
    )
    return _frame(columns, rows, SHARES)
