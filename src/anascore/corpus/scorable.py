"""Options for scoring that files support, and the annotation that the others lack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from anascore.entities.parses import parsed_key
from anascore.errors import ReadError
from anascore.formats.reading import merge_corpora
from anascore.model.document import Corpus
from anascore.requirements import missing_in_key, missing_in_response, nothing_to_score
from anascore.settings import CHOICES, LAYER_NAMES
from anascore.tasks import TASKS, Request, build_request

Status: TypeAlias = Literal["yes", "empty", "no"]

OPTIONS: Mapping[str, Mapping[str, Any]] = {
    **{f"--layers {name}": {"layers": name} for name in LAYER_NAMES},
    **{f"--match {name}": {"match": name} for name in CHOICES["match"]},
    "--zero-match dependent": {"zero_match": "dependent"},
    **{f"--anaphors {name}": {"anaphors": name} for name in ("zero", "pronoun")},
    "--np-only": {"np_only": True},
    "--docs split": {"docs": "split"},
    **{f"--task {name}": {"task": name} for name in TASKS},
}
"""The `anascore score` options that need annotation, each with its settings.

Others, like `--convention`, always work. Ranked antecedents (`success@n`) are left out, because key
and response need different annotation for them.
"""


class OptionStatus(NamedTuple):
    """An option, and whether it works if files are scored against themselves or similar ones."""

    option: str
    status: Status
    """`yes`; `empty` if it works, but there is nothing to score; `no` if it is refused."""

    missing: Mapping[str, Sequence[str]]
    """Missing annotation, with the paths of the files or folders that lack it."""


class ScoringSummary(NamedTuple):
    """All options for some files or folders."""

    paths: Sequence[str]
    obstacle: str
    """Why nothing can be scored; empty if something can."""

    options: Sequence[OptionStatus] = ()


def summarise(corpora: Mapping[str, Sequence[Corpus]], errors: int) -> ScoringSummary:
    """Determine which options files or folders support.

    `corpora` contains the corpora of the files at each path, and `errors` is the number of their
    errors.
    """
    paths = tuple(corpora)
    if errors:
        noun = "the error is" if errors == 1 else "the errors are"
        return ScoringSummary(paths, f"Nothing can be scored until {noun} corrected.")
    merged = []
    for path, own in corpora.items():
        try:
            merged.append(merge_corpora(path, own))
        except ReadError as error:
            return ScoringSummary(paths, f"Nothing can be scored: {error}")
    return ScoringSummary(paths, "", tuple(_scorable(option, merged) for option in OPTIONS))


def _scorable(option: str, corpora: Sequence[Corpus]) -> OptionStatus:
    """Test whether all corpora contain the annotation that an option needs."""
    request = build_request(**OPTIONS[option])
    refused: dict[str, list[str]] = {}
    empty: dict[str, list[str]] = {}
    for corpus in corpora:
        if annotations := missing_annotation(corpus, request):
            for annotation in annotations:
                refused.setdefault(annotation, []).append(corpus.path)
        elif annotation := nothing_to_score(corpus, request):
            empty.setdefault(annotation, []).append(corpus.path)
    return OptionStatus(option, "no" if refused else "empty" if empty else "yes", refused or empty)


def missing_annotation(corpus: Corpus, request: Request) -> list[str]:
    """List the annotation that a corpus lacks to be scored against itself."""
    missing = (
        *missing_in_key(parsed_key(corpus, request.settings), request),
        *missing_in_response(corpus, request),
    )
    return [*dict.fromkeys(lack.annotation for lack in missing)]
