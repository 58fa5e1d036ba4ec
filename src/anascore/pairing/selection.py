"""Selection of the documents to score."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from anascore.model.document import Corpus, Document
from anascore.settings import ENTITY_LAYERS, Settings


def has_split_antecedent(document: Document, settings: Settings) -> bool:
    """Test for sets in the scored entity layers, or in identity if neither layer is scored.

    Results of elements, like a dough made from flour, are not sets.
    """
    layers = [layer for layer in ENTITY_LAYERS if layer in settings.layers] or ["identity"]
    deixis = document.deixis if "discourse-deixis" in layers else ()
    entities = document.entities if "identity" in layers else ()
    return any(entity.is_set for entity in (*entities, *deixis))


def select_documents(key: Corpus, settings: Settings) -> Corpus:
    """Keep a key's documents with split antecedents."""
    documents = {n: d for n, d in key.documents.items() if has_split_antecedent(d, settings)}
    return replace(key, documents=documents)


def leave_out_unselected(
    response: Corpus, key: Collection[str], selected: Collection[str]
) -> Corpus:
    """Remove response documents whose key document is not selected."""
    documents = {
        name: document
        for name, document in response.documents.items()
        if name in selected or name not in key
    }
    return replace(response, documents=documents)
