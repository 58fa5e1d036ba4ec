"""Text from language models: one document per line, with mentions tagged in one of three ways.

- Text of the CRAC track: `word|[e1` opens a mention of e1, `word|e1]` closes it, `word|[e1]` is a
  mention of one word. Commas separate several tags.
- Markdown: `[some words](#e1)`.
- Tags as in XML: `<e1>some words</e1>`.

Zeros are words that start with `##`. In an opening tag, `e7=e1+e2` lists the elements of e7.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import NamedTuple

from anascore.errors import Problems
from anascore.formats.building import (
    ReadingNotes,
    SetLinks,
    brackets_by_unit,
    build_corpus,
    default_names,
    unique_ids,
    unmatched_bracket,
)
from anascore.formats.files import Source
from anascore.formats.format import Capacity, Format, ReadOptions
from anascore.formats.llm_json import CODE_FENCE, TokenList, rewritten_document, tokens_of
from anascore.model.document import Corpus, Document, Entity
from anascore.model.mention import Span, runs_of

_INLINE_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[\w-]*[ \t]+|(?<![ \t])[ \t]+(?:```|~~~)[ \t]*$")
"""Code fence at the beginning or end of a line."""

_SENTENCE_END = re.compile(r".*[.!?…。！？।؟][\"'”’»)\]]*")
"""Word that ends a sentence, if nothing else tells where sentences end."""


class LineReader:
    """A line's words and mentions, filled while reading. Errors are repaired where possible."""

    def __init__(
        self, number: int, name: str, problems: Problems, shapes: AbstractSet[str]
    ) -> None:
        """Start before the first word of a line.

        `shapes` are those of the file's entity ids; words of such a shape look like damaged tags.
        """
        self.tokens: list[str] = []
        self.plain: list[str] = []
        """Words with a bar or bracket that was not read as a tag."""

        self.shapes = shapes
        self._number = number
        self._name = name
        self._problems = problems
        self._mentions: dict[str, list[tuple[int, int]]] = {}
        self._opened: dict[str, list[int]] = {}
        self._links = SetLinks(problems, "element")

    def open(self, entity: str, elements: Sequence[str], start: int, tag: str) -> None:
        """Open a mention of an entity at a token position."""
        self._opened.setdefault(entity, []).append(start)
        self._mentions.setdefault(entity, [])
        for element in elements:
            self._links.add(element, entity, self._number, tag)

    def close(self, entity: str, end: int, tag: str, place: str) -> None:
        """Close an entity's latest open mention before a token position."""
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

    def joined(self, tags: str) -> str:
        """Remove spaces from a word's tags; report them."""
        return self.rewritten(tags, f"|{','.join(_tags_in(tags))}")

    def rewritten(self, tags: str, right: str) -> str:
        """Return a word's tags as they should be; report them if they were written differently."""
        if right != tags:
            message = f"the tags {tags!r} must be written {right!r}"
            self._problems.repair("tag", self._number, message)
        return right

    def bad_tag(self, place: str, message: str) -> None:
        """Report text that looks like a tag, but is not one."""
        self._problems.repair("tag", self._number, f"{place}: {message}")

    def document(self, closing: Callable[[str], str]) -> Document:
        """Finish the document; `closing` writes the tag that closes a mention of an entity."""
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
        """Build the document, given how many mentions of each entity a repair closed."""
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
    """Yield the numbered lines, leaving out code fences if they are repaired."""
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
"""A bracket that opens a mention, closes one or does both, with the entity's id."""

_ANNOTATED = re.compile(rf"(.*)\|((?:{_BRACKET})(?:,(?:{_BRACKET}))*)")

_TAG_OF_A_WORD = _BRACKET.replace("[^", r"[^ \t")
_SPACED_TAG = f"(?:{_TAG_OF_A_WORD})".replace(r"\[", r"\[[ \t]*+", 1)
_SPACED_TAGS = re.compile(rf"(?<![ \t])[ \t]*+\|{_SPACED_TAG}(?:,[ \t]*+{_SPACED_TAG})*(?=[ \t]|$)")
"""Tags with spaces before the bar or after a comma, which cannot be words."""

_LOOSE_TAGS = re.compile(
    rf"(?<![ \t])[ \t]*+\|[ \t]*+{_SPACED_TAG}(?:[ \t]*+[,|]?[ \t]*+{_SPACED_TAG})*(?=[ \t]|$)"
)
"""Tags with spaces anywhere, some of which may be words, such as references."""

_TAG_IN_TAGS = re.compile(_SPACED_TAG)

_LATE_ID = rf"{_ID}(?:{_ELEMENTS})?".replace("[^", r"[^ \t").replace("]+", "]++")
_LATE = rf"(?:\[[ \t]*+{_LATE_ID}(?:[ \t]*+\])?|{_LATE_ID}[ \t]*+\])"
_LATE_TAG = re.compile(rf"(\[?)([ \t]*+)({_LATE_ID})([ \t]*+\])?")
_LATE_TAGS = re.compile(rf"\|[ \t]*+{_LATE}(?:,[ \t]*+{_LATE})*+(?=[ \t]|$)")
_CLOSED_LATE = re.compile(rf"[|,\[][ \t]*+{_LATE_ID}[ \t]++\](?=[ \t,]|$)")
"""Tags with spaces before a closing bracket; the bracket may be a word."""


def _tags_in(text: str) -> list[str]:
    """Split tags from bars, commas and spaces."""
    return re.findall(_TAG_OF_A_WORD, re.sub(r"[ \t]+", "", text))


def _ids_in(text: str) -> list[str]:
    return [_split_id(tag.strip("[]"))[0] for tag in _tags_in(text)]


def _close_tags(line: str, reader: LineReader) -> str:
    """Remove the spaces before brackets that close mentions.

    Such a bracket is a word of the text if the mention is closed elsewhere, or was never opened.
    """
    if not _CLOSED_LATE.search(line):
        return line
    opened: Counter[str] = Counter()
    for tags in _LATE_TAGS.findall(line):
        for opening, _, entity, closing in _LATE_TAG.findall(tags):
            opened[_split_id(entity)[0]] += bool(opening) - (closing == "]")

    def close(tag: re.Match[str]) -> str:
        entity = _split_id(tag[3])[0]
        if tag[4] in {None, "]"} or opened[entity] <= 0:
            return tag[0]
        opened[entity] -= 1
        return f"{tag[1]}{tag[3]}]"

    def close_all(tags: re.Match[str]) -> str:
        # A bar alone is a word unless ids that are no numbers follow.
        is_known = tags[0][1] not in " \t" or _shapes(_ids_in(tags[0])) & reader.shapes
        return reader.rewritten(tags[0], _LATE_TAG.sub(close, tags[0])) if is_known else tags[0]

    return _LATE_TAGS.sub(close_all, line)


def _runs_of_tags(text: str, shapes: AbstractSet[str]) -> Iterator[Span]:
    """Yield runs of tags after a bar whose ids look like known ones; other runs may be words."""
    start = end = before = 0
    is_run = True
    for tag in _TAG_IN_TAGS.finditer(text):
        if {*map(_shape, _ids_in(tag[0]))} <= shapes:
            if not is_run and "|" in text[before : tag.start()]:
                is_run, start = True, before
            if is_run and text[tag.end() : tag.end() + 1] in {"", " ", "\t"}:
                end = tag.end()
        else:
            if end > start:
                yield start, end
            is_run, start = False, len(text)
        before = tag.end()
    if end > start:
        yield start, end


def _join_tags(line: str, reader: LineReader) -> str:
    """Remove spaces in tags, before tags and between them."""
    line = _close_tags(line, reader)
    line = _SPACED_TAGS.sub(lambda tags: reader.joined(tags[0]), line)

    def join(tags: re.Match[str]) -> str:
        text, parts, done = tags[0], [], 0
        for start, end in _runs_of_tags(text, reader.shapes):
            parts += [text[done:start], reader.joined(text[start:end])]
            done = end
        return "".join([*parts, text[done:]])

    return _LOOSE_TAGS.sub(join, line)


_DIGITS = re.compile(r"[0-9]+")


def _shape(entity: str) -> str:
    """Replace each number in an entity id by 0."""
    return _DIGITS.sub("0", entity)


def _shapes(entities: Iterable[str]) -> set[str]:
    """Collect id shapes; words of such a shape look like damaged tags.

    Ids that are plain numbers are left out, because numbers can be references.
    """
    return {*map(_shape, entities)} - {"0"}


def _shapes_in(text: str) -> set[str]:
    lines = text.split("\n")
    tags = (tags for line in lines for tags in _SPACED_TAGS.findall(line))
    return _shapes(entity for of_word in tags for entity in _ids_in(of_word))


def _read_brackets(line: str, reader: LineReader) -> None:
    for position, token in enumerate(re.findall(r"[^ \t]+", _join_tags(line, reader))):
        word, brackets = split_token(token)
        last = token.rpartition("|")[2]
        place = f"word {position + 1}, {token!r}"
        reader.tokens.append(word or token)
        if not word:
            reader.bad_tag(place, "there is no word before this tag")
            continue
        if not brackets and last != token and ("[" in last or "]" in last):
            message = f"{last!r} is not one of '[e1', 'e1]' and '[e1]', joined by commas"
            reader.bad_tag(place, message)
        elif "[" in word or "|" in word:
            reader.plain.append(word)
        for bracket in brackets:
            entity, elements = _split_id(bracket.strip("[]"))
            if bracket[0] == "[":
                reader.open(entity, elements, position, bracket)
            if bracket[-1] == "]":
                reader.close(entity, position + 1, f"{entity}]", place)


def _read_spaced_brackets(line: str, reader: LineReader) -> None:
    """Read brackets with a space after the bar, which is invalid."""
    _read_brackets(_LOOSE_TAGS.sub(lambda tags: reader.joined(tags[0]), line), reader)


def split_token(token: str) -> tuple[str, list[str]]:
    """Split a token into the word and its brackets."""
    annotated = _ANNOTATED.fullmatch(token)
    return (annotated[1], annotated[2].split(",")) if annotated else (token, [])


def _split_id(text: str) -> tuple[str, list[str]]:
    """Split `e7=e1+e2` into the entity's id and its elements' ids."""
    entity, _, elements = text.partition("=")
    return entity, elements.split("+") if elements else []


class RunningText:
    """Words of a text with tags among them; spaces and tags end a word."""

    def __init__(self, reader: LineReader) -> None:
        """Add the words to those of a reader."""
        self._reader = reader
        self._word = ""

    def add(self, text: str) -> None:
        """Add text that contains no tags."""
        first, *others = re.split(r"[ \t]+", text)
        self._word += first
        for part in others:
            self.end_word()
            self._word = part

    def end_word(self) -> int:
        """End the current word, if there is one, and return the number of words so far."""
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
    """Read words and links; a bracket that is escaped or not part of a link is text."""
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
    """Read words and tags; a tag whose name has no digit is text."""
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
    """A notation for mentions."""

    pattern: re.Pattern[bytes]
    """Pattern of mention ends, which identifies a file's notation."""

    read: Callable[[str, LineReader], None]
    """Reads the words and tags of a line."""

    closing: Callable[[str], str]
    """Reads a line's words and tags."""


BRACKETS = Notation(
    re.compile(rb"\|(?:\[[^\[\]|,\s]+\]?|[^\[\]|,\s]+\])(?=[,\s]|\Z)"),
    _read_brackets,
    "{}]".format,
)
NOTATIONS = (
    BRACKETS,
    Notation(re.compile(rb"\]\(#[^\s()]+\)"), _read_links, "](#{})".format),
    Notation(re.compile(rb"</(?=[^\s<>/]*[0-9])[^\s<>/]+>"), _read_tags, "</{}>".format),
    Notation(
        re.compile(rb"\|[ \t]+(?:\[[^\[\]|,\s]+\]?|[^\[\]|,\s]+\])(?=[,\s]|\Z)"),
        _read_spaced_brackets,
        BRACKETS.closing,
    ),
)
"""The notations, in order of detection."""


def find_notation(content: bytes) -> Notation | None:
    """Return a file's only notation; None if it contains no mentions."""
    return next((known for known in NOTATIONS if known.pattern.search(content)), None)


def read_llm_text(source: Source, problems: Problems, _: ReadOptions) -> Corpus:
    """Read one document per line, all in the same notation."""
    notation = find_notation(source.content) or BRACKETS
    names, notes = default_names(source), ReadingNotes()
    shapes = _shapes_in(source.text)

    def documents() -> Iterator[Document]:
        for number, line in _lines(source, problems):
            reader = LineReader(number, next(names), problems, shapes)
            yield _read_line(line, reader, notation, notes)

    corpus = build_corpus("llm-text", source, documents(), problems)
    notes.report(problems)
    return replace(corpus, unnamed=True)


def _read_line(line: str, reader: LineReader, notation: Notation, notes: ReadingNotes) -> Document:
    notation.read(line, reader)
    document = reader.document(notation.closing)
    for _ in _damaged_tags(reader.plain, document):
        notes.add(DAMAGED_TAGS, document.line or 0)
    return replace(document, notes=notes.end_document(), raw_text=line)


def join_paragraphs(paragraphs: Sequence[Document]) -> Document:
    """Read lines as one document, in which a tag can name an entity of an earlier line.

    A tag can also close a mention that an earlier line opened. Repairs of the lines themselves are
    replaced by repairs of the document.
    """
    first = paragraphs[0]
    line = first.line or 1
    problems = Problems(first.path, repairing=True)
    what = f"this line and the next {len(paragraphs) - 1} are one document"
    problems.repair("paragraph", line, what)
    text = " ".join(document.raw_text for document in paragraphs)
    notation = find_notation(text.encode()) or BRACKETS
    shapes = _shapes(entity.name for part in paragraphs for entity in part.entities)
    reader = LineReader(line, first.name, problems, shapes)
    document = _read_line(text, reader, notation, ReadingNotes())
    others = (r for p in paragraphs for r in p.repairs if r.kind in {"fence", "preamble"})
    repairs = sorted([*problems.repairs, *others], key=lambda repair: repair.line or 0)
    return replace(document, repairs=tuple(repairs))


DAMAGED_TAGS = "words that look like tags without a bar or a bracket, read as words"
_DAMAGED_TAG = re.compile(rf"[\[|]({_ID})(?=[\[\]|,=]|\Z)")


def _damaged_tags(words: Sequence[str], document: Document) -> Iterator[str]:
    """Yield words like `Bob[e3]`, `Bob|e3` and `Bob|(e3)`, if the document's ids look like e3."""
    shapes = _shapes(entity.name for entity in document.entities)
    for word in words:
        if any(_shape(name.strip("(){}")) in shapes for name in _DAMAGED_TAG.findall(word)):
            yield word


_FORBIDDEN_IN_IDS = re.compile(r"[\s\0|\[\],=+]")


def write_llm_text(corpus: Corpus) -> str:
    """Write the documents as text, one per line, with brackets after words."""
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
