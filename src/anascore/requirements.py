"""Whether a corpus has what the settings need, before anything is scored."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NoReturn

from anascore.classes import is_said
from anascore.dependencies import zero_dependencies
from anascore.errors import SettingsError
from anascore.formats.registry import FORMATS
from anascore.mention import Mention
from anascore.metrics import SUCCESS
from anascore.model import Corpus, Document
from anascore.request import Reported
from anascore.settings import LAYER_NAMES, LayerName, Settings
from anascore.trees import parse_of

HELD: dict[LayerName, str] = {
    "discourse-deixis": "deixis",
    "bridging": "bridging",
    "non-referring": "nonreferring",
}
"""What a format must be able to hold for a layer; all formats hold entities."""


def check_key(key: Corpus, settings: Settings) -> None:
    """Refuse a key that lacks what the settings need."""
    _check(key, "key", settings, settings.layers)
    documents = key.documents.values()
    if settings.match == "partial":
        longer = _longer(documents, settings)
        if longer and not any(mention.least for mention in longer):
            what = "minimum spans in the key, and no mention of several words has one"
            where = "Min in CoNLL-UA, head in CorefUD, columns with tags and parses in CoNLL-2012"
            _refuse(key, "key", f"--match partial needs {what} ({where})")
    if settings.np_only and not any(parse_of(document) for document in documents):
        _refuse(key, "key", "--np-only needs the parses of CoNLL-2012, and the key has none")
    asked = settings.anaphors
    if asked and not any(is_said(document, asked) for document in documents):
        named = f"a column, feature or attribute {asked.partition('=')[0]}"
        what = "part-of-speech tags" if asked == "pronoun" else named
        _refuse(key, "key", f"--anaphors {asked} needs {what} in the key")


def check_response(response: Corpus, settings: Settings, reported: Reported) -> None:
    """Refuse a response that lacks what the settings need.

    If only ranked antecedents of a layer are scored, it need not hold the layer itself.
    """
    asked = {name for names in reported.values() for name in names if name in SUCCESS}
    if asked and response.format in FORMATS and not FORMATS[response.format].holds.candidates:
        label = FORMATS[response.format].label
        what = f"{label} cannot hold ranked antecedents, which {min(asked)} needs"
        _refuse(response, "response", f"{what}; JSON lines can (deixis_candidates)")
    layers = [layer for layer, names in reported.items() if not {*names} <= {*SUCCESS}]
    _check(response, "response", settings, layers)


def _check(corpus: Corpus, side: str, settings: Settings, layers: Collection[LayerName]) -> None:
    """Refuse what neither key nor response can lack; the layers are those it must hold."""
    for layer in layers if set(layers) != set(LAYER_NAMES) else ():
        if not can_hold(corpus.format, layer):
            label = FORMATS[corpus.format].label
            _refuse(corpus, side, f"{label} cannot hold the layer {layer}")
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


def can_hold(name: str, layer: LayerName) -> bool:
    """Tell whether a format can hold a layer; what was made in Python can hold all."""
    if name not in FORMATS or layer not in HELD:
        return True
    return getattr(FORMATS[name].holds, HELD[layer]) not in {False, "no"}


def _longer(documents: Iterable[Document], settings: Settings) -> list[Mention]:
    """Return the mentions that have more than one word, so that the head is not the only one."""
    return [mention for mention in _mentions(documents, settings) if mention.size > 1]


def _mentions(documents: Iterable[Document], settings: Settings) -> Iterator[Mention]:
    """Give the mentions of the layers that are scored; bridging is between those of entities."""
    for document in documents:
        if set(settings.layers) != {"discourse-deixis"}:
            yield from (mention for entity in document.entities for mention in entity.mentions)
        if "discourse-deixis" in settings.layers:
            yield from (mention for entity in document.deixis for mention in entity.mentions)
        if "non-referring" in settings.layers:
            yield from (mention for mention, _ in document.nonreferring)


def _refuse(corpus: Corpus, side: str, what: str) -> NoReturn:
    raise SettingsError(f"{corpus.path or f'the {side}'}: {what}")
