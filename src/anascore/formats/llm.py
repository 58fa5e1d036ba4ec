"""Text and JSON of the CRAC track for large language models, and JSON of maverick, which is alike.

In the first two, zeros are tokens that start with `##`. Text has one document per line:
`word|[e1` opens a mention of e1, `word|e1]` closes it, `word|[e1]` is a mention of one word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from anascore.errors import Problems
from anascore.formats.build import (
    brackets_by_unit,
    build_corpus,
    default_names,
    entities_of,
    unique_ids,
    unmatched_bracket,
)
from anascore.formats.format import Capacity, Format, ReadOptions
from anascore.formats.json_values import (
    CheckedJson,
    JsonPath,
    documents_on_lines,
    dump_json,
    json_keys,
)
from anascore.formats.source import Source
from anascore.model.document import Corpus, Document, Entity
from anascore.model.mention import (
    Mention,
    Position,
    Unit,
    Zero,
    mention_from_parts,
    next_zero,
    runs_of,
)

ZERO = "##"
OFFSETS = "clusters_token_offsets"


class TokenList:
    """Words and zeros of a list of tokens."""

    def __init__(self, tokens: Sequence[str], *, zeros: bool = True) -> None:
        """Separate zeros from words; without zeros all tokens are words."""
        self.words: list[str] = []
        self.zeros: list[Zero] = []
        self._before: list[Position] = [(0, 0)]
        for token in tokens:
            if zeros and token.startswith(ZERO):
                self.zeros.append(next_zero(len(self.words), self.zeros))
            else:
                self.words.append(token)
            self._before.append((len(self.words), len(self.zeros)))

    def mention(self, start: int, end: int) -> Mention:
        """Return the mention of the tokens from start to before end."""
        return mention_from_parts([(self._before[start], self._before[end])], self.zeros)


def read_llm_text(source: Source, problems: Problems, _: ReadOptions) -> Corpus:
    """Read one document from each line."""
    names = default_names(source)
    lines = source.text.rstrip("\n").split("\n")
    documents = (_read_line(line, n, next(names), problems) for n, line in enumerate(lines, 1))
    corpus = build_corpus("llm-text", source, documents, problems)
    return replace(corpus, unnamed=True)


# A bracket that opens, closes or does both, with the id of an entity.
_BRACKET = r"\[[^\[\]|,]+\]?|[^\[\]|,]+\]"
_ANNOTATED = re.compile(rf"(.*)\|((?:{_BRACKET})(?:,(?:{_BRACKET}))*)")


def _read_line(line: str, number: int, name: str, problems: Problems) -> Document:
    """Read the words of a document and the brackets after them."""
    tokens: list[str] = []
    mentions: dict[str, list[tuple[int, int]]] = {}
    opened: dict[str, list[int]] = {}
    for position, token in enumerate(re.findall(r"[^ \t]+", line)):
        word, brackets = split_token(token)
        tokens.append(word)
        last = token.rpartition("|")[2]
        if not brackets and last != token and ("[" in last or "]" in last):
            message = f"{last!r} is none of '[e1', 'e1]' and '[e1]', joined by commas"
            problems.error(number, f"word {position + 1}, {token!r}: {message}")
        for bracket in brackets:
            entity = bracket.strip("[]")
            if bracket[0] == "[":
                opened.setdefault(entity, []).append(position)
                mentions.setdefault(entity, [])
            if bracket[-1] != "]":
                continue
            if entity not in opened:
                message = unmatched_bracket(f"{entity}]", reversed(opened))
                problems.error(number, f"word {position + 1}, {token!r}: {message}")
                continue
            mentions[entity].append((opened[entity].pop(), position + 1))
            if not opened[entity]:
                del opened[entity]
    for entity, starts in opened.items():
        for start in starts:
            word = f"word {start + 1}, {tokens[start]!r}"
            message = f"a mention of {entity} is opened here and never closed"
            problems.error(number, f"{word}: {message}; '{entity}]' is missing")
    token_list = TokenList(tokens)
    entities = (
        Entity(tuple(token_list.mention(*span) for span in spans), (), entity)
        for entity, spans in mentions.items()
        if spans
    )
    return _document(name, token_list, tuple(entities), number, problems.path)


def split_token(token: str) -> tuple[str, list[str]]:
    """Split a token into the word and its brackets."""
    annotated = _ANNOTATED.fullmatch(token)
    return (annotated[1], annotated[2].split(",")) if annotated else (token, [])


def read_llm_json(source: Source, problems: Problems, _: ReadOptions) -> Corpus:
    """Read a list of documents, or one document."""
    text = CheckedJson(source.text, 1, problems)
    names = default_names(source)
    is_list = isinstance(text.value, list)
    values = text.value if is_list else [text.value]
    documents = (
        _read_object(text, value, (position,) if is_list else (), names)
        for position, value in enumerate(values)
    )
    return build_corpus("llm-json", source, documents, problems)


def read_maverick(source: Source, problems: Problems, _: ReadOptions) -> Corpus:
    """Read outputs of maverick's predict: one, a list of them, or one on each line."""
    names = default_names(source)
    documents: Iterator[Document | None]
    if source.content.lstrip().startswith(b"["):
        text = CheckedJson(source.text, 1, problems)
        documents = (
            _read_object(text, value, (n,), names, zeros=False)
            for n, value in enumerate(text.value or [])
        )
    else:
        documents = documents_on_lines(
            source,
            problems,
            lambda text, fields: _read_object(text, fields, (), names, zeros=False),
        )
    corpus = build_corpus("maverick", source, documents, problems)
    return replace(corpus, unnamed=not _DOC_ID.search(source.content))


_DOC_ID = re.compile(rb'"doc_id"\s*:')


def _read_object(
    text: CheckedJson, value: Any, path: JsonPath, names: Iterator[str], *, zeros: bool = True
) -> Document:
    fields = text.fields(value, path, "a document {...}")
    for name in ("tokens", OFFSETS):
        if isinstance(value, dict) and name not in fields:
            text.error(path, f"a document needs {name}")
    tokens = text.strings(fields.get("tokens", []), (*path, "tokens"), "a list of words")
    token_list = TokenList(tokens, zeros=zeros)

    def mention(value: Any, path: JsonPath) -> Mention | None:
        span = text.span(value, path, len(tokens), inclusive=True)
        return token_list.mention(*span) if span else None

    clusters = text.clusters(fields.get(OFFSETS, []), (*path, OFFSETS), mention)
    name = text.name(fields.get("doc_id"), (*path, "doc_id"), names)
    return _document(name, token_list, entities_of(clusters), text.line_of(path), text.file)


def _document(
    name: str,
    token_list: TokenList,
    entities: tuple[Entity[Mention], ...],
    line: int,
    path: str,
) -> Document:
    words, zeros = tuple(token_list.words), tuple(token_list.zeros)
    return Document(name, words, entities, zeros=zeros, path=path, line=line, rewritten=True)


_FORBIDDEN_IN_IDS = re.compile(r"[\s\0|\[\],]")


def write_llm_text(corpus: Corpus) -> str:
    """Return the documents as text, one per line."""
    return "".join(f"{_line(document)}\n" for document in corpus.documents.values())


def _line(document: Document) -> str:
    tokens, position = tokens_of(document)
    names = unique_ids([entity.name for entity in document.entities], _FORBIDDEN_IN_IDS, "e")
    zeros = frozenset(document.zeros)
    parts = [
        (run, name)
        for name, entity in zip(names, document.entities, strict=True)
        for mention in entity.mentions
        for run in runs_of(mention, zeros)
    ]
    for unit, (closing, opening, whole) in brackets_by_unit(parts):
        brackets = [f"{name}]" for name in closing]
        brackets += [f"[{name}" for name in opening] + [f"[{name}]" for name in whole]
        tokens[position[unit]] += f"|{','.join(brackets)}"
    return " ".join(tokens)


def tokens_of(document: Document) -> tuple[list[str], dict[Unit, int]]:
    """Return the tokens, zeros among words, and the position of each word and zero."""
    words = [((position + 1, 0), word) for position, word in enumerate(document.words)]
    zeros = [(zero, ZERO) for zero in document.zeros]
    units = sorted([*words, *zeros])
    return [text for _, text in units], {unit: i for i, (unit, _) in enumerate(units)}


def write_llm_json(corpus: Corpus) -> str:
    """Return a list of documents as JSON, one per line."""
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


_KEYS = json_keys(
    *("doc_id", "tokens", OFFSETS),
    others=("clusters_token_text", "clusters_char_offsets"),
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
    names=_KEYS,
)


MAVERICK = Format(
    label="JSON of maverick",
    read=read_maverick,
    holds=Capacity(
        crossing=True, sentences=False, names=False, forbidden_in_words=re.compile(r"(?!)")
    ),
    json_key=re.compile(rb'"clusters_(?:token_text|text_mentions|char_offsets|char_text)"\s*:'),
    names=_KEYS,
)
