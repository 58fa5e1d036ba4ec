"""What a Python user calls."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Any

from anascore.clusters import Clusters, corpora_from_clusters
from anascore.errors import SettingsError
from anascore.formats import read
from anascore.metrics import LABELS
from anascore.model import Corpus
from anascore.pipeline import evaluate
from anascore.results import Result
from anascore.settings import settings_from

Source = Corpus | str | PathLike[str]


def score(
    key: Source, response: Source, *, metrics: str | Iterable[str] = tuple(LABELS), **settings: Any
) -> Result:
    """Score a response against a key, each a path or what `read` returned.

    metrics are names out of muc, b3, ceafe, conll, ceafm, lea, blanc, mentions; for the other
    settings see `Settings`.
    """
    chosen, reported = settings_from(settings), choose(metrics)
    ours, theirs = (
        source if isinstance(source, Corpus) else read(source) for source in (key, response)
    )
    (result,) = evaluate(ours, [(label(theirs.path), theirs)], chosen, reported)
    return result


def score_clusters(
    key: Clusters,
    response: Clusters,
    *,
    metrics: str | Iterable[str] = tuple(LABELS),
    **settings: Any,
) -> Result:
    """Score a list of entities against another, with mentions of any kind that can be hashed.

    An entity is a collection of mentions, or an `Entity`, which can have elements besides.

    >>> score_clusters([["a", "b"], ["c"]], [["a", "b", "c"]])["muc"].recall
    1.0
    """
    chosen, reported = settings_from(settings), choose(metrics)
    ours, theirs = corpora_from_clusters(key, response)
    (result,) = evaluate(ours, [("response", theirs)], chosen, reported)
    return result


def choose(metrics: str | Iterable[str]) -> list[str]:
    """Check the names of metrics, given as a list or with commas between them."""
    names = metrics.split(",") if isinstance(metrics, str) else list(metrics)
    names = [name.strip().lower() for name in names]
    unknown = [name for name in names if name not in LABELS]
    if unknown or not names:
        message = f"no such metric: {', '.join(unknown)}; there are {', '.join(LABELS)}"
        raise SettingsError(message)
    return names


def label(path: str) -> str:
    """Name a system after its file."""
    return Path(path).stem if path else "response"
