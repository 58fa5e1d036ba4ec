"""Checks that a corpus has the annotation that the settings need."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NoReturn

from anascore.errors import SettingsError
from anascore.formats.registry import FORMATS
from anascore.metrics import RANKED
from anascore.model.document import Corpus, Document
from anascore.model.mention import Mention
from anascore.prepare.anaphor_classes import has_annotation
from anascore.prepare.parses import parse_of
from anascore.prepare.side import zero_dependencies
from anascore.settings import LayerName, Settings
from anascore.tasks import Request

LAYER_CAPACITY: dict[LayerName, str] = {
    "discourse-deixis": "deixis",
    "bridging": "bridging",
    "non-referring": "nonreferring",
}
"""Capacity that a layer needs of a format; all formats hold entities."""


def check_key(key: Corpus, request: Request) -> None:
    """Raise if a key lacks annotation that the settings need."""
    settings = request.settings
    _check(key, "key", request, settings.layers)
    documents = key.documents.values()
    if settings.match == "partial":
        longer = _longer(documents, settings)
        if longer and not any(mention.required_part for mention in longer):
            what = "minimum spans in the key, and no mention of several words has one"
            where = "Min in CoNLL-UA, head in CorefUD, columns with tags and parses in CoNLL-2012"
            _refuse(key, "key", f"--match partial needs {what} ({where})")
    if settings.np_only and not any(parse_of(document) for document in documents):
        _refuse(key, "key", "--np-only needs the parses of CoNLL-2012, and the key has none")
    anaphors = settings.anaphors
    if anaphors and not any(has_annotation(document, anaphors) for document in documents):
        named = f"a column, feature or attribute {anaphors.partition('=')[0]}"
        what = "part-of-speech tags" if anaphors == "pronoun" else named
        _refuse(key, "key", f"--anaphors {anaphors} needs {what} in the key")


def check_response(response: Corpus, request: Request) -> None:
    """Raise if a response lacks annotation that the settings need.

    If only ranked antecedents of a layer are scored, it need not hold the layer itself.
    """
    reported = request.reported
    ranked = {name for names in reported.values() for name in names if name in RANKED}
    formats = formats_of(response)
    unable = formats_without_candidates(response)
    if ranked and len(unable) == len(formats):
        message = f"{_labels(unable)} cannot hold ranked antecedents, which {min(ranked)} needs"
        _refuse(response, "response", f"{message}; JSON lines can (deixis_candidates)")
    layers = [layer for layer, names in reported.items() if not {*names} <= RANKED]
    _check(response, "response", request, layers)


def _check(corpus: Corpus, side: str, request: Request, layers: Collection[LayerName]) -> None:
    """Raise if a corpus lacks annotation that both sides need, or cannot hold one of the layers.

    A folder of several formats must have one that can hold a layer.
    """
    settings = request.settings
    for layer in () if request.all_layers else layers:
        unable = formats_without(corpus, layer)
        if len(unable) == len(formats_of(corpus)):
            _refuse(corpus, side, f"{_labels(unable)} cannot hold the layer {layer}")
    documents = corpus.documents.values()
    if settings.match == "head":
        longer = _longer(documents, settings)
        if longer and not any(mention.head for mention in longer):
            what = "heads, and no mention of several words has one"
            _refuse(corpus, side, f"--match head needs {what} (head in CorefUD, Min in CoNLL-UA)")
    if settings.zero_match == "dependent":
        has_zeros = any(mention.is_zero for mention in _mentions(documents, settings))
        if has_zeros and not any(zero_dependencies(document) for document in documents):
            what = "the enhanced dependencies of zeros, and there are none in a column DEPS"
            hint = "--zero-match linear goes by the places of zeros"
            _refuse(corpus, side, f"--zero-match dependent needs {what}; {hint}")


def formats_of(corpus: Corpus) -> list[str]:
    """Return the names of the formats of a corpus; a folder can have several."""
    return corpus.format.split("+")


def formats_without(corpus: Corpus, layer: LayerName) -> list[str]:
    """Return the formats of a corpus that cannot hold a layer.

    All formats can hold identity, and a corpus made in Python can hold all layers.
    """
    capacity = LAYER_CAPACITY.get(layer)
    return [
        name
        for name in formats_of(corpus)
        if capacity and name in FORMATS and getattr(FORMATS[name].holds, capacity) in {False, "no"}
    ]


def formats_without_candidates(corpus: Corpus) -> list[str]:
    """Return the formats of a corpus that cannot hold ranked antecedents."""
    return [
        name
        for name in formats_of(corpus)
        if name in FORMATS and not FORMATS[name].holds.candidates
    ]


def _labels(names: Iterable[str]) -> str:
    """Return the labels of formats."""
    return " and ".join(FORMATS[name].label for name in names)


def _longer(documents: Iterable[Document], settings: Settings) -> list[Mention]:
    """Return the mentions of more than one word or zero, whose head is not obvious."""
    return [mention for mention in _mentions(documents, settings) if mention.size > 1]


def _mentions(documents: Iterable[Document], settings: Settings) -> Iterator[Mention]:
    """Yield the mentions of the scored layers; bridging links mentions of entities."""
    for document in documents:
        if set(settings.layers) != {"discourse-deixis"}:
            yield from (mention for entity in document.entities for mention in entity.mentions)
        if "discourse-deixis" in settings.layers:
            yield from (mention for entity in document.deixis for mention in entity.mentions)
        if "non-referring" in settings.layers:
            yield from (mention for mention, _ in document.nonreferring)


def _refuse(corpus: Corpus, side: str, what: str) -> NoReturn:
    raise SettingsError(f"{corpus.path or f'the {side}'}: {what}")
