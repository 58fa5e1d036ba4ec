"""Text of language models: one document per line, with tags for mentions in one of three notations.

- Text of the CRAC track: `word|[e1` opens a mention of e1, `word|e1]` closes it, `word|[e1]` is a
  mention of one word. Several tags are joined by commas.
- Markdown: `[some words](#e1)`.
- Tags like those of XML: `<e1>some words</e1>`.

Zeros are words that start with `##`. In an opening tag, `e7=e1+e2` names the elements of e7.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from anascore.errors import Problems
from anascore.formats.build import (
    SetLinks,
    brackets_by_unit,
    build_corpus,
    default_names,
    unique_ids,
    unmatched_bracket,
)
from anascore.formats.format import Capacity, Format, ReadOptions
from anascore.formats.llm import CODE_FENCE, TokenList, rewritten_document, tokens_of
from anascore.formats.source import Source
from anascore.model.document import Corpus, Document, Entity
from anascore.model.mention import runs_of

_INLINE_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[\w-]*[ \t]+|(?<![ \t])[ \t]+(?:```|~~~)[ \t]*$")
"""Code fence at the beginning or the end of a line."""

_SENTENCE_END = re.compile(r".*[.!?…。！？।؟][\"'”’»)\]]*")
"""Word that ends a sentence, where nothing else tells."""


class LineReader:
    """Words and mentions of a line, as they are read. Errors are repaired where they can be."""

    def __init__(self, number: int, name: str, problems: Problems) -> None:
        """Start before the first word of the line with a number."""
        self.tokens: list[str] = []
        self._number = number
        self._name = name
        self._problems = problems
        self._mentions: dict[str, list[tuple[int, int]]] = {}
        self._opened: dict[str, list[int]] = {}
        self._links = SetLinks(problems, "element")

    def open(self, entity: str, elements: Sequence[str], start: int, tag: str) -> None:
        """Open a mention of an entity at the token of a position."""
        self._opened.setdefault(entity, []).append(start)
        self._mentions.setdefault(entity, [])
        for element in elements:
            self._links.add(element, entity, self._number, tag)

    def close(self, entity: str, end: int, tag: str, place: str) -> None:
        """Close the latest mention of an entity before the token of a position."""
        if entity not in self._opened:
            message = f"{place}: {unmatched_bracket(tag, reversed(self._opened))}"
            self._problems.repair("closing", self._number, message)
            if end > 0:
                self._mentions.setdefault(entity, []).append((end - 1, end))
            return
        start = self._opened[entity].pop()
        if not self._opened[entity]:
            del self._opened[entity]
        if start < end:
            self._mentions[entity].append((start, end))
        else:
            message = f"{place}: the mention of {entity} that '{tag}' closes has no words"
            self._problems.repair("span", self._number, message)

    def bad_tag(self, place: str, message: str) -> None:
        """Report text that looks like a tag and is none."""
        self._problems.repair("tag", self._number, f"{place}: {message}")

    def document(self, closing: Callable[[str], str]) -> Document:
        """Return the document; `closing` returns the tag that closes a mention of an entity."""
        unclosed = [(entity, start) for entity, all_of in self._opened.items() for start in all_of]
        tokens = self.tokens if unclosed else ()
        ends = [n for n, token in enumerate(tokens, 1) if _SENTENCE_END.fullmatch(token)]
        closed: Counter[str] = Counter()
        for entity, start in unclosed:
            word = self.tokens[start] if start < len(self.tokens) else ""
            message = f"a mention of {entity} is opened here and never closed"
            self._problems.repair(
                "opening",
                self._number,
                f"word {start + 1}, {word!r}: {message}; '{closing(entity)}' is missing",
            )
            after = bisect_left(ends, start + 1)
            end = ends[after] if after < len(ends) else len(self.tokens)
            if start < end:
                self._mentions[entity].append((start, end))
                closed[entity] += 1
        return self._built(closed)

    def _built(self, closed: Counter[str]) -> Document:
        """Return the document; the last mentions of some entities were closed by repairs."""
        token_list = TokenList(self.tokens)
        names = [entity for entity, spans in self._mentions.items() if spans]
        elements = self._links.resolve(names, self._name)
        entities = tuple(
            Entity(tuple(token_list.mention(*span) for span in self._mentions[name]), own, name)
            for name, own in zip(names, map(tuple, elements), strict=True)
        )
        document = rewritten_document(
            self._name, token_list, entities, self._number, self._problems.path
        )
        places = (
            (position, len(self._mentions[name]) - rank)
            for position, name in enumerate(names)
            for rank in range(closed[name], 0, -1)
        )
        return replace(document, unclosed=tuple(places), global_ids=True)


def _lines(source: Source, problems: Problems) -> Iterator[tuple[int, str]]:
    """Yield the lines with their numbers; code fences are left out if they are repaired."""
    for number, line in enumerate(source.text.rstrip("\n").split("\n"), 1):
        if problems.repairing and CODE_FENCE.fullmatch(line):
            problems.repair("fence", number, f"{line.strip()!r} is a code fence")
            continue
        if problems.repairing and _INLINE_FENCE.search(line):
            problems.repair("fence", number, "a code fence is on the line of a document")
            yield number, _INLINE_FENCE.sub("", line)
            continue
        yield number, line


_ID = r"[^\[\]|,=]+"
_ELEMENTS = r"=[^\[\]|,=+]+(?:\+[^\[\]|,=+]+)*"
_BRACKET = rf"\[{_ID}(?:{_ELEMENTS})?\]?|{_ID}\]"
"""A bracket that opens, closes or does both, with the id of an entity."""

_ANNOTATED = re.compile(rf"(.*)\|((?:{_BRACKET})(?:,(?:{_BRACKET}))*)")


def _read_brackets(line: str, reader: LineReader) -> None:
    """Read words with brackets after them."""
    for position, token in enumerate(re.findall(r"[^ \t]+", line)):
        word, brackets = split_token(token)
        reader.tokens.append(word)
        last = token.rpartition("|")[2]
        place = f"word {position + 1}, {token!r}"
        if not brackets and last != token and ("[" in last or "]" in last):
            message = f"{last!r} is not one of '[e1', 'e1]' and '[e1]', joined by commas"
            reader.bad_tag(place, message)
        for bracket in brackets:
            entity, elements = _split_id(bracket.strip("[]"))
            if bracket[0] == "[":
                reader.open(entity, elements, position, bracket)
            if bracket[-1] == "]":
                reader.close(entity, position + 1, f"{entity}]", place)


def split_token(token: str) -> tuple[str, list[str]]:
    """Split a token into the word and its brackets."""
    annotated = _ANNOTATED.fullmatch(token)
    return (annotated[1], annotated[2].split(",")) if annotated else (token, [])


def _split_id(text: str) -> tuple[str, list[str]]:
    """Split `e7=e1+e2` into the id of an entity and those of its elements."""
    entity, _, elements = text.partition("=")
    return entity, elements.split("+") if elements else []


class RunningText:
    """Words of a text with tags among them; words end at blanks and at tags."""

    def __init__(self, reader: LineReader) -> None:
        """Add words to those of a reader."""
        self._reader = reader
        self._word = ""

    def add(self, text: str) -> None:
        """Add text without tags."""
        first, *others = re.split(r"[ \t]+", text)
        self._word += first
        for part in others:
            self.end_word()
            self._word = part

    def end_word(self) -> int:
        """End the current word, if there is one; return the number of words so far."""
        if self._word:
            self._reader.tokens.append(self._word)
            self._word = ""
        return len(self._reader.tokens)

    @property
    def place(self) -> str:
        """Place of the next character, for messages."""
        return f"word {len(self._reader.tokens) + bool(self._word)}"


_LINK_ID = r"[^\s()=+]+(?:=[^\s()=+]+(?:\+[^\s()=+]+)*)?"
_LINK_PIECE = re.compile(rf"\\[\[\]]|\[|\]\(\#({_LINK_ID})\)|\]\(\#|\]|[^\[\]\\]+|\\")


def _read_links(line: str, reader: LineReader) -> None:
    """Read words and links; a bracket without a link is text, and so is one after a backslash."""
    pieces = list(_LINK_PIECE.finditer(line))
    opening: set[int] = set()
    opened: list[int] = []
    for number, piece in enumerate(pieces):
        if piece[0] == "[":
            opened.append(number)
        elif piece[0][0] == "]" and opened:
            bracket = opened.pop()
            if piece[1]:
                opening.add(bracket)
    text = RunningText(reader)
    starts: list[int] = []
    for number, piece in enumerate(pieces):
        if number in opening:
            starts.append(text.end_word())
        elif piece[1]:
            entity, elements = _split_id(piece[1])
            end = text.end_word()
            if starts:
                reader.open(entity, elements, starts.pop(), piece[0])
            reader.close(entity, end, piece[0], text.place)
        else:
            if piece[0] == "](#":
                reader.bad_tag(text.place, "'](#' is not the end of a mention like '](#e1)'")
            text.add(piece[0][1:] if piece[0] in {"\\[", "\\]"} else piece[0])
    text.end_word()


_TAG_ID = r"(?=[^\s<>/=+]*[0-9])[^\s<>/=+]++"
_TAG = re.compile(
    rf"<({_TAG_ID}(?:=[^\s<>/=+]+(?:\+[^\s<>/=+]+)*)?)>|</({_TAG_ID})>|</?[A-Za-z]+[0-9]"
)


def _read_tags(line: str, reader: LineReader) -> None:
    """Read words and tags. Ids have a digit; other tags are text."""
    text = RunningText(reader)
    before = 0
    for tag in _TAG.finditer(line):
        text.add(line[before : tag.start()])
        before = tag.end()
        if tag[1]:
            entity, elements = _split_id(tag[1])
            reader.open(entity, elements, text.end_word(), tag[0])
        elif tag[2]:
            reader.close(tag[2], text.end_word(), tag[0], text.place)
        else:
            text.add(tag[0])
            message = f"{tag[0]!r} is not the beginning of a tag like '<e1>' or '</e1>'"
            reader.bad_tag(text.place, message)
    text.add(line[before:])
    text.end_word()


class Notation(NamedTuple):
    """A notation of mentions."""

    pattern: re.Pattern[bytes]
    """Pattern of the ends of mentions, by which a file is recognised."""

    read: Callable[[str, LineReader], None]
    """Reads the words and tags of a line."""

    closing: Callable[[str], str]
    """Returns the tag that closes a mention of an entity."""


BRACKETS = Notation(
    re.compile(rb"\|(?:\[[^\[\]|,\s]+\]?|[^\[\]|,\s]+\])(?=[,\s]|\Z)"),
    _read_brackets,
    "{}]".format,
)
NOTATIONS = (
    BRACKETS,
    Notation(re.compile(rb"\]\(#[^\s()]+\)"), _read_links, "](#{})".format),
    Notation(re.compile(rb"</(?=[^\s<>/]*[0-9])[^\s<>/]+>"), _read_tags, "</{}>".format),
)
"""The notations, in the order in which they are tried."""


def find_notation(content: bytes) -> Notation | None:
    """Return the notation of a file, which has one throughout; None if it has no mentions."""
    return next((known for known in NOTATIONS if known.pattern.search(content)), None)


def read_llm_text(source: Source, problems: Problems, _: ReadOptions) -> Corpus:
    """Read one document from each line, in the notation that the file has."""
    notation = find_notation(source.content) or BRACKETS
    names = default_names(source)

    def documents() -> Iterator[Document]:
        for number, line in _lines(source, problems):
            reader = LineReader(number, next(names), problems)
            notation.read(line, reader)
            yield reader.document(notation.closing)

    corpus = build_corpus("llm-text", source, documents(), problems)
    return replace(corpus, unnamed=True)


_FORBIDDEN_IN_IDS = re.compile(r"[\s\0|\[\],=+]")


def write_llm_text(corpus: Corpus) -> str:
    """Return the documents as text, one per line, with brackets after words."""
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
    elements = {
        name: f"={'+'.join(names[element] for element in entity.elements)}"
        for name, entity in zip(names, document.entities, strict=True)
        if entity.elements
    }
    for unit, (closing, opening, whole) in brackets_by_unit(parts):
        brackets = [f"{name}]" for name in closing]
        # Elements are named once, where the first mention is opened.
        brackets += [f"[{name}{elements.pop(name, '')}" for name in opening]
        brackets += [f"[{name}{elements.pop(name, '')}]" for name in whole]
        tokens[position[unit]] += f"|{','.join(brackets)}"
    return " ".join(tokens)


LLM_TEXT = Format(
    label="LLM text",
    read=read_llm_text,
    write=write_llm_text,
    endings=(".txt",),
    repairs=True,
    holds=Capacity(
        zeros=True,
        sets="nested",
        sentences=False,
        names=False,
        forbidden_in_words=re.compile(r"[\0 \t\n\r]|^##|^\ufeff|\|(?=.*[\[\]])", re.DOTALL),
    ),
)
