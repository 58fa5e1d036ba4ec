"""anascore scores anaphora and coreference resolution, including split antecedents.

    import anascore

    result = anascore.score("key.conllua", "response.conllua")
    print(result)                      # all scores as a table
    result["muc"].recall, result.conll

    gold = {"document": [[(0, 0), (4, 5)], [(2, 2), (7, 7)]]}
    predicted = {"document": [[(0, 0), (4, 5), (7, 7)]]}
    anascore.score(gold, predicted).conll

`compare` tests several responses, `find_errors` and `explain` say where scores are lost, `report`
writes a page, and `Scorer` adds up documents as they come. `anascore.example` has files to try
this with; `help(anascore.score)` lists the settings.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from anascore.version import __version__

if TYPE_CHECKING:
    from anascore.analysis.agreement import Agreement
    from anascore.analysis.annotated_text import AnnotatedText
    from anascore.analysis.disagreements import Disagreement
    from anascore.analysis.errors import ErrorComparison, ResponseErrors
    from anascore.analysis.explain import ResponseExplanation
    from anascore.api import (
        agreement,
        compare,
        explain,
        find_errors,
        merge,
        report,
        score,
        score_clusters,
        show,
        suite,
    )
    from anascore.corpus.baselines import add_sets
    from anascore.corpus.convert import convert
    from anascore.corpus.stats import Statistics, stats
    from anascore.corpus.validate import Validation, validate
    from anascore.errors import (
        AnascoreError,
        EntityError,
        MismatchError,
        ReadError,
        SettingsError,
        WriteError,
    )
    from anascore.formats.reading import read
    from anascore.formats.registration import register_format
    from anascore.formats.registry import list_formats
    from anascore.formats.writing import write
    from anascore.integrations.codabench import write_competition
    from anascore.metrics.overlap import Overlap
    from anascore.metrics.scores import register_metric
    from anascore.model.document import Bridge, Corpus, Document, Entity, NonReferring
    from anascore.model.mention import Mention
    from anascore.model.ratio import Ratio
    from anascore.output.json.schema import json_schema
    from anascore.results.comparison import Comparison
    from anascore.results.result import DocumentResult, Result
    from anascore.results.suite import SuiteResult
    from anascore.scorer import Scorer
    from anascore.settings import Settings
    from anascore.tasks import list_tasks

__all__ = [
    "Agreement",
    "AnascoreError",
    "AnnotatedText",
    "Bridge",
    "Comparison",
    "Corpus",
    "Disagreement",
    "Document",
    "DocumentResult",
    "Entity",
    "EntityError",
    "ErrorComparison",
    "Mention",
    "MismatchError",
    "NonReferring",
    "Overlap",
    "Ratio",
    "ReadError",
    "ResponseErrors",
    "ResponseExplanation",
    "Result",
    "Scorer",
    "Settings",
    "SettingsError",
    "Statistics",
    "SuiteResult",
    "Validation",
    "WriteError",
    "__version__",
    "add_sets",
    "agreement",
    "compare",
    "convert",
    "explain",
    "find_errors",
    "json_schema",
    "list_formats",
    "list_tasks",
    "merge",
    "read",
    "register_format",
    "register_metric",
    "report",
    "score",
    "score_clusters",
    "show",
    "stats",
    "suite",
    "validate",
    "write",
    "write_competition",
]

_MODULES = {
    "analysis.agreement": ("Agreement",),
    "analysis.annotated_text": ("AnnotatedText",),
    "analysis.disagreements": ("Disagreement",),
    "analysis.errors": ("ErrorComparison", "ResponseErrors"),
    "analysis.explain": ("ResponseExplanation",),
    "api": (
        *("agreement", "compare", "explain", "find_errors", "merge", "report", "score"),
        *("score_clusters", "show", "suite"),
    ),
    "corpus.baselines": ("add_sets",),
    "corpus.convert": ("convert",),
    "corpus.stats": ("Statistics", "stats"),
    "corpus.validate": ("Validation", "validate"),
    "errors": (
        "AnascoreError",
        "EntityError",
        "MismatchError",
        "ReadError",
        "SettingsError",
        "WriteError",
    ),
    "formats.reading": ("read",),
    "formats.writing": ("write",),
    "formats.registration": ("register_format",),
    "formats.registry": ("list_formats",),
    "integrations.codabench": ("write_competition",),
    "metrics.overlap": ("Overlap",),
    "metrics.scores": ("register_metric",),
    "model.document": ("Bridge", "Corpus", "Document", "Entity", "NonReferring"),
    "model.mention": ("Mention",),
    "model.ratio": ("Ratio",),
    "output.json.schema": ("json_schema",),
    "results.result": ("DocumentResult", "Result"),
    "results.comparison": ("Comparison",),
    "results.suite": ("SuiteResult",),
    "scorer": ("Scorer",),
    "settings": ("Settings",),
    "tasks": ("list_tasks",),
}
"""Module of each public name, for `__getattr__`."""


if not TYPE_CHECKING:  # pragma: no branch  type checkers would take all names for public ones

    def __getattr__(name: str) -> Any:
        """Import a public name on first use, which keeps `import anascore` fast."""
        for module, names in _MODULES.items():
            if name in names:
                found = getattr(import_module(f"anascore.{module}"), name)
                globals()[name] = found
                return found
        message = f"module 'anascore' has no attribute {name!r}"
        raise AttributeError(message)


def __dir__() -> list[str]:
    return sorted(__all__)
