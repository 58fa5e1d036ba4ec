"""The JSON of `anascore suite`."""

from __future__ import annotations

from typing import Annotated

import msgspec

from anascore.output.json.encoding import (
    Count,
    Output,
    ScoreName,
    ScoresByName,
    SystemDifference,
    Warnings,
    about,
    decode,
    encode,
    scores_of,
    structure,
)
from anascore.output.json.results import (
    Reported,
    ScoreBounds,
    SettingValues,
    System,
    bounds_of,
    restored_intervals,
    restored_result,
    setting_values,
    system_fields,
)
from anascore.output.view import ReportOptions
from anascore.results.result import Result
from anascore.results.suite import PairComparison, SuiteResult


class Variant(msgspec.Struct, kw_only=True):
    """A variant of the settings."""

    signatures: Annotated[list[str], about("signatures of its runs; several if formats differ")]
    settings: SettingValues
    reported: Reported
    undefined: Annotated[
        dict[ScoreName, list[str]], about("datasets that macro-averages leave out, by score")
    ]


class RankedSystem(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Rank and macro-averages of a system."""

    name: str
    rank: Annotated[Count, about("number from 1 up, which all systems of a cluster share")]
    cluster: Annotated[Count, about("number of its rank cluster")]
    macro: Annotated[dict[str, ScoresByName], about("macro-averages over datasets by variant")]
    confidence: Annotated[
        dict[str, dict[ScoreName, ScoreBounds]],
        about("with --confidence: 95% intervals of macro-averages by variant and score"),
    ] = {}


class PairDifference(SystemDifference, kw_only=True):
    """Difference between two systems: of the macro-averages, and in each dataset."""

    system: str
    to: str
    datasets: dict[str, SystemDifference]


class Run(System, kw_only=True):
    """Scores of a system on a dataset in a variant."""

    variant: str
    dataset: str


class SuiteOutput(Output, kw_only=True):
    """Output of anascore suite."""

    datasets: Annotated[list[str], about("names of the datasets")]
    systems: Annotated[list[RankedSystem], about("systems in the order of the command")]
    variants: Annotated[dict[str, Variant], about("variants of the settings by name")]
    primary: Annotated[str, about("variant that ranks the systems")]
    score: Annotated[ScoreName, about("score that ranks the systems")]
    resampling: Annotated[str, about("test, samples and seed; empty if nothing was resampled")]
    comparisons: Annotated[list[PairDifference], about("all pairs of systems, by score")]
    runs: list[Run]
    notes: Annotated[list[str], about("notes on datasets and samples")]
    warnings: Warnings


def render_json(suite: SuiteResult) -> str:
    """Write all numbers of a suite as JSON."""
    return encode(
        SuiteOutput,
        datasets=suite.datasets,
        systems=[_system(suite, name) for name in suite.systems],
        variants={name: _variant(suite, name) for name in suite.variants},
        primary=suite.primary,
        score=suite.score,
        resampling=suite.resampling_signature,
        comparisons=[
            structure(
                PairDifference,
                compared.overall,
                system=system,
                to=other,
                datasets={
                    name: structure(SystemDifference, one)
                    for name, one in compared.datasets.items()
                },
            )
            for (other, system), compared in suite.comparisons.items()
        ],
        runs=[
            Run(variant=variant, dataset=dataset, **system_fields(result, ReportOptions()))
            for variant, systems in suite.cells.items()
            for results in systems.values()
            for dataset, result in results.items()
        ],
        notes=suite.notes,
        warnings=suite.warnings,
    )


def _variant(suite: SuiteResult, name: str) -> Variant:
    request = suite.result(suite.systems[0], suite.datasets[0], name).request
    return Variant(
        signatures=suite.signatures[name],
        settings=setting_values(request.settings),
        reported=request.reported,
        undefined=suite.undefined[name],
    )


def _system(suite: SuiteResult, name: str) -> RankedSystem:
    (rank,) = (rank for rank in suite.ranks if rank.system == name)
    return structure(
        RankedSystem,
        rank,
        name=name,
        macro={variant: scores_of(systems[name]) for variant, systems in suite.averages.items()},
        confidence={
            variant: bounds_of(systems[name]) for variant, systems in suite.intervals.items()
        },
    )


def read_suite(text: str) -> SuiteResult:
    """Restore a suite's result."""
    return decode(text, SuiteOutput, _restored_suite, "suite")


def _restored_suite(output: SuiteOutput) -> SuiteResult:
    runs = {(run.variant, run.name, run.dataset): restored_result(run) for run in output.runs}
    cells: dict[str, dict[str, dict[str, Result]]] = {
        variant: {
            system.name: {
                dataset: runs[variant, system.name, dataset] for dataset in output.datasets
            }
            for system in output.systems
        }
        for variant in output.variants
    }
    for of_systems in cells.values() or [{}]:
        scores = {tuple(run) for of_system in of_systems.values() for run in of_system.values()}
        if len(scores) != 1 or not all(scores):
            message = "there are no runs, or those of a variant do not have the same scores"
            raise ValueError(message)
    suite = SuiteResult(
        cells,
        {
            (one.to, one.system): PairComparison(
                one.restored(), {name: of.restored() for name, of in one.datasets.items()}
            )
            for one in output.comparisons
        },
        {
            variant: {
                system.name: restored_intervals(system.confidence[variant])
                for system in output.systems
            }
            for variant in output.systems[0].confidence
        },
        output.resampling,
        tuple(output.notes),
    )
    # Figures that do not fit together fail here.
    str(suite)
    suite.to_json()
    return suite
