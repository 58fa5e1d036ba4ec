"""A document's text with its entities, and what responses make of each mention."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, NamedTuple, TypeAlias

from anascore.analysis.report import (
    PARTIAL,
    RIGHT,
    SPAN,
    UNMATCHED,
    WRONG,
    chosen,
    compared_by,
    mentions_with_wrong_span,
    statuses,
    view_document,
)
from anascore.analysis.responses import analyse_responses
from anascore.blocks import Corpora, CorpusOrFile
from anascore.layers.document import DocumentComparison
from anascore.metrics.scores import LABELS
from anascore.model.abbreviated import pluralise, quote
from anascore.model.document import Corpus, Document, Entity
from anascore.model.mention import Mention
from anascore.printing import InNotebook
from anascore.tasks import Request

OutcomeName: TypeAlias = Literal["right", "wrong entity", "wrong span", "missing", "extra"]

OF_STATUS: dict[str, OutcomeName] = {
    RIGHT: "right",
    PARTIAL: "right",
    WRONG: "wrong entity",
    SPAN: "wrong span",
    UNMATCHED: "missing",
}
"""Outcomes of the key's mentions by status."""


class Outcome(NamedTuple):
    """What a response makes of a mention."""

    name: OutcomeName
    mention: Mention
    words: str
    entity: int | None = None
    """Position of the key's entity; None for an extra mention."""

    instead: str = ""
    """Words of the response's mention, if its span is wrong."""


class ResponseOutcomes(NamedTuple):
    """A response to one document."""

    name: str
    f1: float | None
    outcomes: tuple[Outcome, ...]
    """The outcome of each of the key's mentions, then the response's extra mentions."""


@dataclass(frozen=True, slots=True)
class AnnotatedText(InNotebook):
    """A document's text with its entities, and the outcome of each mention in some responses.

    Notebooks draw it; `str` writes it as text, without a limit on its length.
    """

    document: Document
    entities: tuple[Entity[Mention], ...]
    """The document's entities as they are scored, in the order of their first mentions."""

    responses: tuple[ResponseOutcomes, ...]
    score: str
    """Label of the score of the responses."""

    def __repr__(self) -> str:
        """Show the document's name and the number of responses on one line."""
        responses = pluralise(len(self.responses), "response")
        return f"<AnnotatedText {quote(self.document.name)}: {responses}>"

    def __str__(self) -> str:
        """Write the text line by line, with brackets around mentions."""
        from anascore.output.annotated_text import text  # noqa: PLC0415  outputs need results

        return text(self)


class _View(NamedTuple):
    """The key's document, and a response's outcomes in it."""

    document: Document
    entities: tuple[Entity[Mention], ...]
    outcomes: tuple[Outcome, ...]


def annotate(
    key: Corpus, responses: Sequence[tuple[str, Corpus]], request: Request, name: str | None
) -> AnnotatedText:
    """Collect the outcomes of the mentions of one document.

    It is the named one, or else the one in which the first response has the lowest score. Without
    responses, it is the first one.
    """
    if name is None and responses:
        name = _worst(Corpora(key, responses[:1], request))
    # Without responses, the key is compared with itself, which checks names and settings alike.
    compared = Corpora[CorpusOrFile](key, responses or [("key", key)], request)
    analysed = list(analyse_responses(compared, _first_view, _joined, verb="show", document=name))
    ((first, (view,)), *_) = analysed
    score = compared_by([first])
    outcomes = []
    for result, (of_response,) in analysed if responses else ():
        (document,) = result.first.documents.values()
        outcomes.append(
            ResponseOutcomes(result.name, document.scores[score].f1, of_response.outcomes)
        )
    return AnnotatedText(view.document, view.entities, tuple(outcomes), LABELS[score])


def _worst(corpora: Corpora[CorpusOrFile]) -> str:
    """Find the document with the lowest score, or the first if no document has a score."""
    ((result, _),) = analyse_responses(corpora, _score_all, _joined, verb="show", document=None)
    (name,) = chosen("worst:1", [result])
    return name


def _score_all(pairs: Iterable[DocumentComparison]) -> list[_View]:
    """Let all documents be scored, and view none."""
    for _ in pairs:
        pass
    return []


def _joined(blocks: Iterable[list[_View]]) -> list[_View]:
    return list(chain.from_iterable(blocks))


def _first_view(pairs: Iterable[DocumentComparison]) -> list[_View]:
    """View the first document, which is the only one if its name is given."""
    pair = next(iter(pairs))
    key = pair.key.key
    return [_View(key, pair.identity.key.entities, tuple(_outcomes(pair)))]


def _outcomes(pair: DocumentComparison) -> Iterator[Outcome]:
    """Yield the outcomes of the key's mentions, then the extra mentions of the response."""
    view = view_document(pair, mentions_with_wrong_span(pair))
    key, response = view.sides
    of_key, of_response = statuses(view)
    with_wrong_span = dict(view.spans)
    for k, (mention, entity, status) in enumerate(
        zip(key.mentions, key.entity_of, of_key, strict=True)
    ):
        name = OF_STATUS[status]
        instead = ""
        if status == SPAN:
            instead = view.response.text_of(response.mentions[with_wrong_span[k]])
        yield Outcome(name, mention, pair.key.key.text_of(mention), entity, instead)
    for mention, status in zip(response.mentions, of_response, strict=True):
        if status == UNMATCHED:
            yield Outcome("extra", mention, view.response.text_of(mention))
