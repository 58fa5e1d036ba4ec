"""Scorer for spaCy pipelines: `anascore.coref_scorer.v1` in spaCy's registry of scorers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from anascore.arguments import check_arguments, items_of
from anascore.comparison import Key, count
from anascore.formats.adapters import from_spacy
from anascore.metrics.scores import values_of
from anascore.model.document import Corpus, Document, Offsets
from anascore.tasks import build_request

SpacyScorer: TypeAlias = Callable[..., dict[str, float | None]]
"""Takes Examples and keywords that other scorers need; returns values by name."""


@check_arguments
def make_coref_scorer(
    prefix: str = "coref_clusters_",
    metrics: str = "muc,b3,ceafe,conll,lea,mentions",
    settings: dict[str, Any] | None = None,
) -> SpacyScorer:
    """Make a scorer of coreference for a component of a spaCy pipeline.

    Args:
        prefix: Start of the names of the span groups that are entities.
        metrics: Names of scores, comma-separated.
        settings: Fields of `Settings`, like {"singletons": False, "split": False}.

    Returns:
        A function of Examples that returns `coref_muc_r`, `coref_muc_p`, `coref_muc_f` and so on,
        and `coref_conll_f`. Each Example is a document. As in spaCy, an undefined value is 0, and
        all are None if no reference has entities.

    Raises:
        SettingsError: A metric or a setting is unknown or invalid.

    Example:
        >>> settings = {"repeated_mentions": "all"}
        >>> score_examples = make_coref_scorer(metrics="conll", settings=settings)
        >>> score_examples([])
        {'coref_conll_f': None}

    """
    expected = "a dictionary of settings"
    choices = {} if settings is None else items_of("settings", settings, expected, "a setting")
    request = build_request(metrics, **choices)
    names = [(name, value) for name in request.reported["identity"] for value in values_of(name)]

    def score_examples(examples: Iterable[Any], **_: Any) -> dict[str, float | None]:
        key: dict[str, Document] = {}
        response: dict[str, Document] = {}
        for number, example in enumerate(examples, 1):
            name, reference, predicted = str(number), example.reference, example.predicted
            key |= from_spacy({name: reference}, prefix=prefix).documents
            # The tokeniser may split the text in another way than the reference: then characters
            # are compared.
            is_same = [token.text for token in reference] == [token.text for token in predicted]
            offsets: Offsets = "token" if is_same else "character"
            response |= from_spacy({name: predicted}, prefix=prefix, offsets=offsets).documents
        if not any(document.entities for document in key.values()):
            return {_key(*name): None for name in names}
        corpora = Corpus(key), Corpus(response)
        result = count(Key.of(corpora[0], request).compare("response", corpora[1]))
        return {
            _key(name, value): getattr(result.scores[name], value) or 0.0 for name, value in names
        }

    return score_examples


def _key(name: str, value: str) -> str:
    """Name a value in the style of spaCy: coref_muc_f for the F1 of MUC."""
    return f"coref_{name}_{value[0]}"
