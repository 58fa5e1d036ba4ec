"""Annotation that the settings need, and checks that a corpus contains it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple, NoReturn, TypeAlias

from anascore.entities.anaphor_classes import has_annotation
from anascore.entities.heads import tree_of
from anascore.entities.parses import parse_of
from anascore.entities.side import has_key_dependencies
from anascore.errors import SettingsError
from anascore.formats.columns import zero_dependencies
from anascore.formats.registry import FORMATS
from anascore.metrics.scores import RANKED
from anascore.model.document import Corpus, Document, Formats
from anascore.model.mention import Mention
from anascore.pairing.selection import has_split_antecedent
from anascore.settings import LayerName, Settings
from anascore.tasks import Request

LAYER_CAPACITY: dict[LayerName, str] = {
    "discourse-deixis": "deixis",
    "bridging": "bridging",
    "non-referring": "nonreferring",
    "zeros": "zeros",
}
"""Capacity that a layer requires of a format; all formats store entities."""

LAYER_ANNOTATION: dict[LayerName, str] = {
    "identity": "entities",
    "discourse-deixis": "discourse deixis",
    "bridging": "bridging",
    "non-referring": "non-referring mentions",
    "zeros": "zeros",
}
"""Each layer's annotation in words."""

LAYER_CONTENT: dict[LayerName, Callable[[Document], Sequence[object]]] = {
    "identity": lambda document: document.entities,
    "discourse-deixis": lambda document: document.deixis,
    "bridging": lambda document: document.bridges,
    "non-referring": lambda document: document.nonreferring,
    "zeros": lambda document: document.zeros,
}
"""Each layer's annotation in a document."""


class Missing(NamedTuple):
    """Annotation that a corpus lacks for a request."""

    annotation: str
    """The annotation, and where formats store it."""

    message: str
    """Why the request is refused."""


Annotation: TypeAlias = Literal[
    "mentions of several words",
    "heads",
    "minimum spans",
    "parses",
    "classes of anaphors",
    "zeros",
    "dependencies of zeros",
    "split antecedents",
    "dependency trees",
]
"""Annotation that settings can need."""


def annotation_of(
    documents: Collection[Document], settings: Settings, *, of_key: bool
) -> frozenset[Annotation]:
    """Find the annotation that documents contain, as far as the settings need it.

    The annotation of several corpora together is the union. Apply settings that need parses to a
    key's documents first.
    """
    annotation = {*_annotation_of_mentions(documents, settings, of_key=of_key)}
    if settings.zero_match == "dependent" or "zeros" in settings.layers:
        own = [document for document in documents if not has_key_dependencies(document)]
        if _has_zeros(documents if of_key else own, settings):
            annotation.add("zeros")
        if any(zero_dependencies(document) for document in documents):
            annotation.add("dependencies of zeros")
    return frozenset(annotation).union(_annotation_of_key(documents, settings) if of_key else ())


def _annotation_of_key(documents: Collection[Document], settings: Settings) -> Iterator[Annotation]:
    """Yield the annotation that only a key needs."""
    if settings.np_only and any(map(parse_of, documents)):
        yield "parses"
    if settings.docs == "split" and any(has_split_antecedent(d, settings) for d in documents):
        yield "split antecedents"
    anaphors = settings.anaphors
    if anaphors and any(has_annotation(document, anaphors) for document in documents):
        yield "classes of anaphors"


def _annotation_of_mentions(
    documents: Collection[Document], settings: Settings, *, of_key: bool
) -> Iterator[Annotation]:
    """Yield the annotation on mentions of several words: heads and the like."""
    needs_heads = settings.match == "head" or settings.heads == "key"
    if not needs_heads and not (of_key and settings.match == "partial"):
        return
    longer = _longer(documents, settings)
    if longer:
        yield "mentions of several words"
    if settings.match == "head" and any(mention.head for mention in longer):
        yield "heads"
    if settings.match == "partial" and any(mention.required_part for mention in longer):
        yield "minimum spans"
    if of_key and needs_heads and any(map(tree_of, documents)):
        yield "dependency trees"


def check_key(key: Corpus, annotation: Collection[Annotation], request: Request) -> None:
    """Raise if a key with this annotation lacks some that the settings need."""
    for missing in _missing_in_key(key, annotation, request):
        _refuse(key, "key", missing)


def check_response(
    response: Corpus,
    annotation: Collection[Annotation],
    request: Request,
    key: Collection[Annotation],
) -> None:
    """Raise if a response with this annotation lacks some that the settings need.

    `key` is the key's annotation, on which the needs of the settings can depend.
    """
    for missing in _missing_in_response(response, annotation, request):
        _refuse(response, "response", missing)
    needs_tree = request.settings.heads == "key" and "mentions of several words" in annotation
    if needs_tree and "dependency trees" not in key:
        message = (
            "its mentions need heads by the dependency tree of the key (--heads key), but the key "
            "has none (columns ID and HEAD in CorefUD and CoNLL-UA)"
        )
        _refuse(response, "response", Missing("dependency trees (a column HEAD)", message))


def resolve_heads(request: Request, response: Formats) -> Request:
    """Take heads from the key if none of a response's formats can store any."""
    settings = request.settings
    if settings.match != "head" or settings.heads == "key" or not _lacks_heads(response):
        return request
    return request._replace(settings=replace(settings, heads="key"))


def _lacks_heads(formats: Formats) -> bool:
    return all(name in FORMATS and FORMATS[name].holds.minimum == "no" for name in formats)


def _lacks_trees(formats: Formats) -> bool:
    return all(name in FORMATS and "HEAD" not in FORMATS[name].holds.columns for name in formats)


def heads_note(key: Formats, response: Formats, settings: Settings) -> str:
    """State that heads come from the key because a format cannot store any.

    Empty if the key cannot have a tree, because then all mentions are single words.
    """
    if settings.heads != "key" or not _lacks_heads(response) or _lacks_trees(key):
        return ""
    labels = labels_of(response)
    return (
        f"response: {labels} cannot hold heads; those of mentions of several words come from the "
        f"key's dependency tree"
    )


def missing_in_key(key: Corpus, request: Request) -> Iterator[Missing]:
    """Yield the annotation that the settings need and a key lacks.

    Apply settings that need parses to the key first.
    """
    annotation = annotation_of(key.documents.values(), request.settings, of_key=True)
    return _missing_in_key(key, annotation, request)


def missing_in_response(response: Corpus, request: Request) -> Iterator[Missing]:
    """Yield the annotation that the settings need and a response lacks."""
    annotation = annotation_of(response.documents.values(), request.settings, of_key=False)
    return _missing_in_response(response, annotation, request)


def _missing_in_key(
    key: Corpus, annotation: Collection[Annotation], request: Request
) -> Iterator[Missing]:
    settings = request.settings
    yield from _missing(key, annotation, request, settings.layers, of_key=True)
    has_longer = "mentions of several words" in annotation
    if settings.match == "partial" and has_longer and "minimum spans" not in annotation:
        what = "minimum spans in the key, but no mention of several words has one"
        where = "Min in CoNLL-UA, head in CorefUD, columns with tags and parses in CoNLL-2012"
        message = f"{_option('--match partial', settings)} needs {what} ({where})"
        yield Missing(f"minimum spans ({where})", message)
    if settings.docs == "split" and "split antecedents" not in annotation:
        message = "--docs split needs a document with split antecedents, but the key has none"
        yield Missing("split antecedents", message)
    if settings.np_only and "parses" not in annotation:
        message = "--np-only needs the parses of CoNLL-2012, but the key has none"
        yield Missing("parses (a column of CoNLL-2012)", message)
    anaphors = settings.anaphors
    if anaphors and "classes of anaphors" not in annotation:
        named = f"a column, feature or attribute {anaphors.partition('=')[0]}"
        what = "part-of-speech tags" if anaphors == "pronoun" else named
        yield Missing(what, f"--anaphors {anaphors} needs {what} in the key")


def _missing_in_response(
    response: Corpus, annotation: Collection[Annotation], request: Request
) -> Iterator[Missing]:
    """Yield what a response lacks; a layer may be absent if only its ranked antecedents count."""
    reported = request.reported
    ranked = {name for names in reported.values() for name in names if name in RANKED}
    unable = formats_lacking(response.formats, "candidates")
    if ranked and len(unable) == len(response.formats):
        cause = f"{labels_of(unable)} cannot hold ranked antecedents, which {min(ranked)} needs"
        hint = "JSON lines can (deixis_candidates)"
        yield Missing("ranked antecedents (deixis_candidates in JSON lines)", f"{cause}; {hint}")
    layers = [layer for layer, names in reported.items() if not {*names} <= RANKED]
    yield from _missing(response, annotation, request, layers, of_key=False)


def _missing(
    corpus: Corpus,
    annotation: Collection[Annotation],
    request: Request,
    layers: Collection[LayerName],
    *,
    of_key: bool,
) -> Iterator[Missing]:
    """Yield the annotation that both sides need, and the layers that a corpus cannot store.

    If a folder mixes formats, one of them must be able to store a layer.
    """
    settings = request.settings
    for layer in () if request.all_layers else layers:
        unable = formats_without(corpus.formats, layer)
        if len(unable) == len(corpus.formats):
            labels = labels_of(unable)
            content = f"{LAYER_ANNOTATION[layer]} ({labels} cannot hold any)"
            yield Missing(content, f"{labels} cannot hold the layer {layer}")
    has_longer, has_zeros = "mentions of several words" in annotation, "zeros" in annotation
    has_heads = "heads" in annotation or (not of_key and settings.heads == "key")
    if settings.match == "head" and has_longer and not has_heads:
        what = "heads, but no mention of several words has one"
        where = "head in CorefUD, Min in CoNLL-UA"
        message = f"{_option('--match head', settings)} needs {what} ({where})"
        yield Missing(f"heads ({where})", message)
    if has_zeros and "dependencies of zeros" not in annotation:
        what = "the enhanced dependencies of zeros, but there are none in a column DEPS"
        message = (
            f"the layer zeros needs {what}"
            if "zeros" in settings.layers
            else f"{_option('--zero-match dependent', settings)} needs {what}; --zero-match linear "
            f"matches by position"
        )
        yield Missing("enhanced dependencies of zeros (a column DEPS)", message)


def _option(option: str, settings: Settings) -> str:
    """Name an option, and the task that sets it, if any."""
    return f"--task {settings.task} ({option})" if settings.task else option


def nothing_to_score(corpus: Corpus, request: Request) -> str:
    """Name the annotation whose absence leaves a request nothing to score.

    Empty if there is something to score.
    """
    settings = request.settings
    documents = corpus.documents.values()
    if not any(LAYER_CONTENT[layer](d) for layer in settings.layers for d in documents):
        return " or ".join(LAYER_ANNOTATION[layer] for layer in settings.layers)
    of_zeros = settings.anaphors == "zero" or settings.zero_match == "dependent"
    if of_zeros and not settings.task:
        mentions = _mentions(documents, settings)
        return "" if any(mention.is_zero for mention in mentions) else "zeros"
    return ""


def formats_without(formats: Formats, layer: LayerName) -> list[str]:
    """List a corpus's formats that cannot store a layer.

    All formats can store identity, and a corpus made in Python can store all layers.
    """
    capacity = LAYER_CAPACITY.get(layer)
    return formats_lacking(formats, capacity) if capacity else []


def formats_lacking(formats: Formats, capacity: str) -> list[str]:
    """List a corpus's formats that cannot store some annotation, a field of `Capacity`."""
    return [
        name
        for name in formats
        if name in FORMATS and getattr(FORMATS[name].holds, capacity) in {False, "no"}
    ]


def labels_of(names: Iterable[str]) -> str:
    """Join the formats' labels."""
    return " and ".join(FORMATS[name].label for name in names)


def _has_zeros(documents: Iterable[Document], settings: Settings) -> bool:
    """Test for zeros to score, or mentions that are zeros."""
    if "zeros" in settings.layers:
        return any(document.zeros for document in documents)
    return any(mention.is_zero for mention in _mentions(documents, settings))


def _longer(documents: Iterable[Document], settings: Settings) -> list[Mention]:
    """List the mentions of more than one word or zero, whose head is not obvious."""
    return [mention for mention in _mentions(documents, settings) if mention.size > 1]


def _mentions(documents: Iterable[Document], settings: Settings) -> Iterator[Mention]:
    """Yield the mentions of the scored layers; bridging links mentions of entities."""
    for document in documents:
        if {*settings.layers} - {"discourse-deixis", "zeros"}:
            yield from (mention for entity in document.entities for mention in entity.mentions)
        if "discourse-deixis" in settings.layers:
            yield from (mention for entity in document.deixis for mention in entity.mentions)
        if "non-referring" in settings.layers:
            yield from (mention for mention, _ in document.nonreferring)


def _refuse(corpus: Corpus, side: str, missing: Missing) -> NoReturn:
    raise SettingsError(f"{corpus.path or f'the {side}'}: {missing.message}")
