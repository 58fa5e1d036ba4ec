"""The text and JSON formats of the CRAC large-language-model track.

In both, zeros stand among the words and start with `##`. Text has one document per line:
`word|[e1` opens a mention of e1, `word|e1]` closes it, `word|[e1]` is a mention of one word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from anascore.errors import Problems
from anascore.formats.build import (
    brackets_at,
    build_corpus,
    default_names,
    legal_names,
    unmatched_bracket,
)
from anascore.formats.format import Capacity, Format
from anascore.formats.json_values import CheckedJson, Where, dump_json
from anascore.formats.source import Source
from anascore.model.document import Corpus, Document, Entity
from anascore.model.mention import Mention, Position, Unit, Zero, mention_of, next_zero, runs_of

ZERO = "##"
OFFSETS = "clusters_token_offsets"


class TokenList:
    """The words and zeros that stand in a list of tokens."""

    def __init__(self, tokens: Sequence[str]) -> None:
        """Tell words from zeros."""
        self.words: list[str] = []
        self.zeros: list[Zero] = []
        self._before: list[Position] = [(0, 0)]
        for token in tokens:
            if token.startswith(ZERO):
                self.zeros.append(next_zero(len(self.words), self.zeros))
            else:
                self.words.append(token)
            self._before.append((len(self.words), len(self.zeros)))

    def mention(self, start: int, end: int) -> Mention:
        """Return the mention from a token to before another."""
        return mention_of([(self._before[start], self._before[end])], self.zeros)


def read_llm_text(source: Source, problems: Problems) -> Corpus:
    """Read a document from each line."""
    names = default_names(source)
    lines = source.text.rstrip("\n").split("\n")
    documents = (_read_line(line, n, next(names), problems) for n, line in enumerate(lines, 1))
    corpus = build_corpus("llm-text", source, documents, problems)
    return replace(corpus, unnamed=True)


# One bracket that opens, closes or does both, with the id of an entity in it.
_BRACKET = r"\[[^\[\]|,]+\]?|[^\[\]|,]+\]"
_ANNOTATED = re.compile(rf"(.*)\|((?:{_BRACKET})(?:,(?:{_BRACKET}))*)")


def _read_line(line: str, number: int, name: str, problems: Problems) -> Document:
    """Read the words of a document and the brackets behind them."""
    tokens: list[str] = []
    mentions: dict[str, list[tuple[int, int]]] = {}
    opened: dict[str, list[int]] = {}
    for position, token in enumerate(re.findall(r"[^ \t]+", line)):
        word, brackets = split_token(token)
        tokens.append(word)
        last = token.rpartition("|")[2]
        if not brackets and last != token and ("[" in last or "]" in last):
            what = f"{last!r} is none of '[e1', 'e1]' and '[e1]', joined by commas"
            problems.error(number, f"word {position + 1}, {token!r}: {what}")
        for bracket in brackets:
            entity = bracket.strip("[]")
            if bracket[0] == "[":
                opened.setdefault(entity, []).append(position)
                mentions.setdefault(entity, [])
            if bracket[-1] != "]":
                continue
            if entity not in opened:
                what = unmatched_bracket(f"{entity}]", reversed(opened))
                problems.error(number, f"word {position + 1}, {token!r}: {what}")
                continue
            mentions[entity].append((opened[entity].pop(), position + 1))
            if not opened[entity]:
                del opened[entity]
    for entity, starts in opened.items():
        for start in starts:
            what = f"word {start + 1}, {tokens[start]!r}: a mention of {entity} is opened here and"
            problems.error(number, f"{what} never closed; '{entity}]' is missing")
    places = TokenList(tokens)
    entities = (
        Entity(tuple(places.mention(*span) for span in spans), (), entity)
        for entity, spans in mentions.items()
        if spans
    )
    return _document(name, places, tuple(entities), number, problems)


def split_token(token: str) -> tuple[str, list[str]]:
    """Take the brackets off a word."""
    annotated = _ANNOTATED.fullmatch(token)
    return (annotated[1], annotated[2].split(",")) if annotated else (token, [])


def read_llm_json(source: Source, problems: Problems) -> Corpus:
    """Read a list of documents, or one."""
    text = CheckedJson(source.text, 1, problems)
    names = default_names(source)
    whole = isinstance(text.value, list)
    values = text.value if whole else [text.value]
    documents = (
        _read_object(text, value, (position,) if whole else (), names, problems)
        for position, value in enumerate(values)
    )
    return build_corpus("llm-json", source, documents, problems)


def _read_object(
    text: CheckedJson, value: Any, where: Where, names: Iterator[str], problems: Problems
) -> Document:
    given = text.fields(value, where, "a document {...}")
    for name in ("tokens", OFFSETS):
        if isinstance(value, dict) and name not in given:
            text.error(where, f"a document needs {name}")
    tokens = text.strings(given.get("tokens", []), (*where, "tokens"), "a list of words")
    places = TokenList(tokens)
    clusters = text.items(given.get(OFFSETS, []), (*where, OFFSETS), "a list of entities")
    entities = []
    for position, cluster in enumerate(clusters):
        at = (*where, OFFSETS, position)
        spans = (
            text.span(span, (*at, number), len(tokens), inclusive=True)
            for number, span in enumerate(text.items(cluster, at, "a list of spans"))
        )
        mentions = tuple(places.mention(*span) for span in spans if span is not None)
        if mentions:
            entities.append(Entity(mentions, (), str(position)))
    name = text.name(given.get("doc_id"), (*where, "doc_id"), names)
    return _document(name, places, tuple(entities), text.line_of(where), problems)


def _document(
    name: str,
    places: TokenList,
    entities: tuple[Entity[Mention], ...],
    line: int,
    problems: Problems,
) -> Document:
    words, zeros = tuple(places.words), tuple(places.zeros)
    path = problems.path
    return Document(name, words, entities, zeros=zeros, path=path, line=line, rewritten=True)


_ILLEGAL = re.compile(r"[\s\0|\[\],]")


def write_llm_text(corpus: Corpus) -> str:
    """Write a document on each line."""
    return "".join(f"{_line(document)}\n" for document in corpus.documents.values())


def _line(document: Document) -> str:
    tokens, position = tokens_of(document)
    names = legal_names([entity.name for entity in document.entities], _ILLEGAL, "e")
    zeros = frozenset(document.zeros)
    parts = [
        (run, name)
        for name, entity in zip(names, document.entities, strict=True)
        for mention in entity.mentions
        for run in runs_of(mention, zeros)
    ]
    for unit, (closing, opening, whole) in brackets_at(parts):
        brackets = [f"{name}]" for name in closing]
        brackets += [f"[{name}" for name in opening] + [f"[{name}]" for name in whole]
        tokens[position[unit]] += f"|{','.join(brackets)}"
    return " ".join(tokens)


def tokens_of(document: Document) -> tuple[list[str], dict[Unit, int]]:
    """Put zeros among the words; tell where each word and zero stands."""
    words = [((position + 1, 0), word) for position, word in enumerate(document.words)]
    zeros = [(zero, ZERO) for zero in document.zeros]
    units = sorted([*words, *zeros])
    return [text for _, text in units], {unit: i for i, (unit, _) in enumerate(units)}


def write_llm_json(corpus: Corpus) -> str:
    """Write a list of documents, one on each line."""
    documents = (dump_json(_to_llm(document)) for document in corpus.documents.values())
    return "[\n" + ",\n".join(documents) + "\n]\n"


def _to_llm(document: Document) -> dict[str, Any]:
    tokens, position = tokens_of(document)
    clusters = [
        [[position[mention.order[0]], position[mention.order[1]]] for mention in entity.mentions]
        for entity in document.entities
    ]
    return {"doc_id": document.name, "tokens": tokens, OFFSETS: clusters}


LLM_TEXT = Format(
    label="LLM text",
    read=read_llm_text,
    write=write_llm_text,
    endings=(".txt",),
    holds=Capacity(
        zeros=True,
        sentences=False,
        names=False,
        forbidden_in_words=re.compile(r"[\0 \t\n\r]|^##|^\ufeff|\|(?=.*[\[\]])", re.DOTALL),
    ),
)


LLM_JSON = Format(
    label="LLM JSON",
    read=read_llm_json,
    write=write_llm_json,
    endings=(),
    holds=Capacity(
        zeros=True, crossing=True, sentences=False, forbidden_in_words=re.compile(r"^##")
    ),
    json_key=re.compile(rb'"clusters_token_offsets"\s*:'),
)
