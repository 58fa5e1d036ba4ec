"""The JSON of `anascore stats`, `validate`, `formats` and `tasks`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Struct, defstruct

from anascore.corpus.scorable import ScoringSummary, Status
from anascore.corpus.stats import Statistics, Stats
from anascore.corpus.validate import FileValidation, Validation
from anascore.formats.registry import ANNOTATION, list_formats
from anascore.output.json.encoding import (
    Count,
    Line,
    Output,
    ScoreName,
    about,
    encode,
    structure,
)
from anascore.output.json.results import SETTING_FIELDS
from anascore.tasks import fixed_settings, list_tasks

Unit: TypeAlias = Literal["words", "characters"]


class CorpusCounts(Struct, kw_only=True):
    """Counts of one or more documents, whose entities are normalised as for scoring."""

    documents: Count
    words: Annotated[Count, about("words, or characters if these are the unit")]
    sentences: Count
    mentions: Count
    entities: Count
    singletons: Annotated[Count, about("entities of one mention and without elements")]
    generic_entities: Annotated[
        Count, about("entities named by a generic label of Friends JSON, like #GENERAL#")
    ]
    generic_mentions: Annotated[Count, about("their mentions")]
    accommodated_sets: Annotated[Count, about("entities with an accommodated set")]
    nested_sets: Annotated[Count, about("sets with such an entity as an element")]
    split_mentions: Annotated[Count, about("mentions of entities with an accommodated set")]
    results: Annotated[Count, about("entities that are the result of others, not a set of them")]
    non_referring: Annotated[Count, about("non-referring mentions")]
    bridging_links: Annotated[Count, about("pairs of a bridging anaphor and its anchor")]
    deixis_entities: Annotated[Count, about("discourse deixis: entities")]
    deixis_mentions: Annotated[Count, about("discourse deixis: mentions")]
    deixis_sets: Annotated[Count, about("discourse deixis: accommodated sets")]
    zeros: Annotated[Count, about("zeros in the text")]
    zero_mentions: Annotated[Count, about("mentions that are zeros")]
    discontinuous_mentions: Annotated[Count, about("mentions with gaps")]
    nested_mentions: Annotated[
        Count, about("mentions between the first and the last word of another mention")
    ]
    crossing_mentions: Annotated[
        Count, about("mentions that overlap another mention without nesting")
    ]
    entity_share: Annotated[
        float | None, about("share of entities with an accommodated set; null without entities")
    ]
    entity_share_generic_apart: Annotated[
        float | None,
        about(
            "share of entities with a set of several elements, each generic mention an entity of "
            "its own; null without generic mentions"
        ),
    ]
    mention_share: Annotated[float | None, about("share of mentions of entities with a set")]
    anaphor_share: Annotated[float | None, about("the same of the first mentions alone")]
    mean_length: Annotated[float | None, about("mentions per entity")]
    chain_lengths: Annotated[dict[int, Count], about("number of entities by number of mentions")]
    set_sizes: Annotated[dict[int, Count], about("number of sets by number of elements")]
    left_out: Annotated[
        dict[str, Count], about("annotation that reading or normalisation left out, by kind")
    ]


class CorpusFile(Struct, kw_only=True, omit_defaults=True):
    """Counts of one file."""

    path: str
    format: str
    unit: Unit
    total: CorpusCounts
    documents: Annotated[dict[str, CorpusCounts], about("with --per-document")] = {}


class StatsOutput(Output, kw_only=True):
    """Output of anascore stats."""

    files: list[CorpusFile]


class FileProblem(Struct, kw_only=True):
    """An error or a warning."""

    line: Line
    severity: Literal["error", "warning"]
    what: Annotated[str, about("message")]
    path: Annotated[str, about("file with the problem, which can be a companion")]


class ValidatedFile(Struct, kw_only=True):
    """Problems of one file."""

    path: str
    format: Annotated[str, about("unknown if the format was not detected")]
    errors: Annotated[Count, about("number of errors")]
    warnings: Annotated[Count, about("number of warnings")]
    problems: list[FileProblem]


class MissingAnnotation(Struct, kw_only=True):
    """Annotation that files lack."""

    annotation: str
    paths: Sequence[str]


class ScoringOption(Struct, kw_only=True):
    """An option of anascore score that needs annotation."""

    option: Annotated[str, about("option with its value, like --match head")]
    status: Annotated[
        Status, about("yes; empty if it works but there is nothing to score; no if it is refused")
    ]
    missing: list[MissingAnnotation]


class Scoring(Struct, kw_only=True):
    """Options that the files can be scored with."""

    paths: list[str]
    obstacle: Annotated[str | None, about("reason why nothing can be scored")]
    options: list[ScoringOption]


class ValidationOutput(Output, kw_only=True):
    """Output of anascore validate."""

    errors: Annotated[Count, about("number of errors in all files")]
    warnings: Annotated[Count, about("number of warnings in all files")]
    files: list[ValidatedFile]
    scoring: Scoring


if TYPE_CHECKING:
    TaskSettings: TypeAlias = Struct
    FormatCapacity: TypeAlias = Struct
else:
    TaskSettings = defstruct(
        "TaskSettings",
        [
            ("label", str),
            ("format", Annotated[str, about("format of the official data")]),
            ("metrics", list[ScoreName]),
            *(SETTING_FIELDS[name][:2] for name in fixed_settings()),
        ],
        module=__name__,
        namespace={"__doc__": "Metrics and settings of a shared task."},
    )
    FormatCapacity = defstruct(
        "FormatCapacity",
        [
            ("label", str),
            ("write", Annotated[bool, about("the format can be written")]),
            ("endings", Annotated[list[str], about("file name endings that choose the format")]),
            ("unit", Unit),
            *((kind, bool | str) for kind in ANNOTATION),
        ],
        module=__name__,
        namespace={"__doc__": "Annotation that a format can hold: yes, no, or which part of it."},
    )


class TaskOutput(Output, kw_only=True):
    """Output of anascore tasks."""

    tasks: Annotated[dict[str, TaskSettings], about("shared tasks by name")]


class FormatOutput(Output, kw_only=True):
    """Output of anascore formats."""

    formats: Annotated[dict[str, FormatCapacity], about("formats by name")]


def render_stats_json(files: Statistics, *, per_document: bool = False) -> str:
    """Write all counts as JSON."""
    return encode(
        StatsOutput,
        files=[
            structure(
                CorpusFile,
                file,
                total=_counts(file.total),
                documents={
                    name: _counts(stats)
                    for name, stats in (file.documents.items() if per_document else ())
                },
            )
            for file in files
        ],
    )


def _counts(stats: Stats) -> CorpusCounts:
    chains, sets = (dict(sorted(of.items())) for of in (stats.chain_lengths, stats.set_sizes))
    return structure(CorpusCounts, stats, chain_lengths=chains, set_sizes=sets)


def render_validation_json(validation: Validation) -> str:
    """Write all problems of all files, and what can be scored, as JSON."""
    return encode(
        ValidationOutput,
        errors=len(validation.errors),
        warnings=len(validation.warnings),
        files=list(map(_file, validation)),
        scoring=_scoring(validation.scoring),
    )


def _file(file: FileValidation) -> ValidatedFile:
    return structure(
        ValidatedFile,
        file,
        errors=len(file.errors),
        warnings=len(file.warnings),
        problems=[structure(FileProblem, problem) for problem in file.problems],
    )


def _scoring(scoring: ScoringSummary) -> Scoring:
    options = []
    for option in scoring.options:
        missing = [
            MissingAnnotation(annotation=annotation, paths=paths)
            for annotation, paths in option.missing.items()
        ]
        options.append(structure(ScoringOption, option, missing=missing))
    return structure(Scoring, scoring, obstacle=scoring.obstacle or None, options=options)


def render_tasks_json() -> str:
    """Write the shared tasks as JSON."""
    return encode(TaskOutput, tasks=_converted(list_tasks(), TaskSettings))


def render_formats_json() -> str:
    """Write the formats as JSON."""
    return encode(FormatOutput, formats=_converted(list_formats(), FormatCapacity))


def _converted(values: dict[str, dict[str, Any]], kind: type[Struct]) -> dict[str, Struct]:
    return {name: msgspec.convert(value, kind) for name, value in values.items()}
