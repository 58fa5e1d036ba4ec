"""What a Python user calls."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import Any

from anascore.errors import SettingsError
from anascore.formats import read
from anascore.formats.objects import Clusters, corpora_from_clusters
from anascore.model.document import Corpus
from anascore.pipeline import evaluate
from anascore.results import Result
from anascore.tasks import request

CorpusOrPath = Corpus | str | PathLike[str]


def score(
    key: CorpusOrPath,
    response: CorpusOrPath,
    *,
    metrics: str | Iterable[str] | None = None,
    **settings: Any,
) -> Result:
    """Score a response against a key, each a path or what `read` returned.

    metrics are names of scores, as a list or with commas between them; the rest are settings, with
    layers likewise.
    """
    asked = request(metrics, **settings)
    of_key, of_response = (
        source if isinstance(source, Corpus) else read(source) for source in (key, response)
    )
    (result,) = evaluate(of_key, [(of_response.name, of_response)], asked)
    return result


def score_clusters(
    key: Clusters,
    response: Clusters,
    *,
    metrics: str | Iterable[str] | None = None,
    **settings: Any,
) -> Result:
    """Score a list of entities against another, with mentions of any kind that can be hashed.

    An entity is a list (or set, or tuple) of mentions, or an `Entity`, which can have elements.

    >>> score_clusters([["a", "b"], ["c"]], [["a", "b", "c"]])["muc"].recall
    1.0
    """
    asked = request(metrics, **settings)
    if asked.settings.match != "exact" or asked.settings.layers != ("identity",):
        message = (
            "plain mentions have no words: they match exactly or not, and are of the layer "
            "identity; see Corpus.from_clusters for spans of words"
        )
        raise SettingsError(message)
    of_key, of_response = corpora_from_clusters(key, response)
    (result,) = evaluate(of_key, [(of_response.name, of_response)], asked)
    return result
