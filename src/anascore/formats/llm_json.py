"""JSON of the CRAC track for large language models, and maverick's similar JSON.

In CRAC's JSON, zeros are tokens that start with `##`.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from anascore.errors import Problems
from anascore.formats.building import ANTECEDENTS, ReadingNotes, build_corpus, default_names
from anascore.formats.files import Source
from anascore.formats.format import Capacity, Format, ReadOptions
from anascore.formats.json_values import (
    CheckedJson,
    JsonPath,
    documents_on_lines,
    dump_json,
    json_keys,
    position_too_deep,
    shorten,
)
from anascore.formats.jsonl import LinkReader, antecedents_to_json, fit_links
from anascore.model.document import Corpus, Document, Entity
from anascore.model.mention import (
    Mention,
    Position,
    Unit,
    Zero,
    mention_from_parts,
    next_zero,
)

ZERO = "##"
OFFSETS = "clusters_token_offsets"
CODE_FENCE = re.compile(r"[ \t]*(?:```|~~~)[\w-]*[ \t]*")
"""Code fence, alone on a line."""


class TokenList:
    """Words and zeros in a list of tokens."""

    def __init__(self, tokens: Sequence[str], *, zeros: bool = True) -> None:
        """Separate zeros from words; with `zeros=False`, all tokens are words."""
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
        """Return the mention that covers a range of tokens."""
        return mention_from_parts([(self._before[start], self._before[end])], self.zeros)


def read_llm_json(source: Source, problems: Problems, _: ReadOptions) -> Corpus:
    """Read a list of documents, or a single document."""
    if problems.repairing and not _is_json(source.text):
        reader = _ObjectReader(source, problems)
        return reader.corpus("llm-json", reader.salvage())
    text = CheckedJson(source.text, 1, problems)
    is_list = isinstance(text.value, list)
    values = text.value if is_list else [text.value]
    reader = _ObjectReader(source, problems)
    documents = (
        reader.read(text, value, (position,) if is_list else ())
        for position, value in enumerate(values)
    )
    return reader.corpus("llm-json", documents)


def read_maverick(source: Source, problems: Problems, _: ReadOptions) -> Corpus:
    """Read maverick's predictions: one, a list of them, or one per line."""
    reader = _ObjectReader(source, problems, zeros=False)
    documents: Iterator[Document | None]
    if source.content.lstrip().startswith(b"["):
        text = CheckedJson(source.text, 1, problems)
        documents = (reader.read(text, value, (n,)) for n, value in enumerate(text.value or []))
    else:
        documents = documents_on_lines(source, problems, reader.read)
    corpus = reader.corpus("maverick", documents)
    return replace(corpus, unnamed=not _DOC_ID.search(source.content))


def _is_json(text: str) -> bool:
    """Accept text that is nested too deeply to parse, so that the reader reports it."""
    if position_too_deep(text) is not None:
        return True
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


_OBJECT = re.compile(r'\{\s*"')
_NAME = re.compile(r'"doc_id"\s*:\s*"([^"\\]+)"')
_STRING_OR_TRAILING_COMMA = re.compile(r'"(?:[^"\\]|\\.)*+"|,(?=\s*+[\]}])', re.DOTALL)
_DECODER = json.JSONDecoder()
_DOC_ID = re.compile(rb'"doc_id"\s*:')


class _ObjectReader:
    """Reader of a file's documents, each of which is an object."""

    def __init__(self, source: Source, problems: Problems, *, zeros: bool = True) -> None:
        """With `zeros=False`, there are no split antecedents and no repairs, either."""
        self._source = source
        self._problems = problems
        self._zeros = zeros
        self._repairing = zeros and problems.repairing
        self._names = default_names(source)
        self._notes = ReadingNotes()

    def corpus(self, format_name: str, documents: Iterable[Document | None]) -> Corpus:
        corpus = build_corpus(format_name, self._source, documents, self._problems)
        self._notes.report(self._problems)
        return corpus

    def salvage(self) -> Iterator[Document | None]:
        """Read the objects in text that is not JSON; a broken object becomes an empty document.

        Yield None for a broken object without a name.
        """
        text, commas = self._without_trailing_commas()
        before, line, counted = 0, 1, 0
        is_broken = False
        while start := _OBJECT.search(text, before):
            if not is_broken:
                self._report_other_text(text[before : start.start()], line)
            line += text.count("\n", counted, start.start())
            counted = start.start()
            try:
                _, before = _DECODER.raw_decode(text, counted)
            except ValueError as error:
                # What comes before the error belongs to this object.
                before = max(getattr(error, "pos", 0), start.end())
                is_broken = True
                following = _OBJECT.search(text, before)
                end = following.start() if following else len(text)
                document = self._broken(text[counted:end], line, error)
            else:
                is_broken = False
                content = CheckedJson(text[counted:before], line, self._problems)
                document = self.read(content, content.value)
            line += text.count("\n", counted, before)
            counted = before
            self._report_commas(commas, line)
            yield document
        if not is_broken:
            self._report_other_text(text[before:], line)
        self._report_commas(commas, None)
        if not self._problems.repairs:
            message = "this is not JSON as a whole; each object {...} is read as a document"
            self._problems.repair("syntax", 1, message)

    def _without_trailing_commas(self) -> tuple[str, deque[int]]:
        """Blank out commas before closing brackets; return the text, and the commas' lines."""
        text, lines = self._source.text, deque[int]()
        line, counted = 1, 0

        def blank(found: re.Match[str]) -> str:
            nonlocal line, counted
            if found[0] != ",":
                return found[0]
            line += text.count("\n", counted, found.start())
            counted = found.start()
            lines.append(line)
            return " "

        return _STRING_OR_TRAILING_COMMA.sub(blank, text), lines

    def _report_commas(self, lines: deque[int], last: int | None) -> None:
        """Report trailing commas up to a line, or all that are left."""
        while lines and (last is None or lines[0] <= last):
            message = "a comma stands before a closing bracket, which JSON does not allow"
            self._problems.repair("syntax", lines.popleft(), message)

    def _report_other_text(self, text: str, line: int) -> None:
        """Report text between objects, other than commas and list brackets."""
        for number, content in enumerate(text.split("\n"), line):
            if CODE_FENCE.fullmatch(content):
                self._problems.repair("fence", number, f"{content.strip()!r} is a code fence")
            elif words := content.strip(" \t,[]"):
                message = f"{shorten(words)} is not of a document"
                self._problems.repair("preamble", number, message)

    def _broken(self, text: str, line: int, error: Exception) -> Document | None:
        """Return an empty document for an object that is not JSON; None if it has no name."""
        message = f"this is not JSON: {error}"
        self._problems.repair("document", line, message)
        name = _NAME.search(text)
        if name is None:
            return None
        return rewritten_document(name[1], TokenList([]), (), line, self._problems.path)

    def read(self, text: CheckedJson, value: Any, path: JsonPath = ()) -> Document:
        """Read one document; if repairs are requested, repair or empty one with errors."""
        before, repairs_before = len(self._problems.found), len(self._problems.repairs)
        document = self._read(text, value, path)
        errors = [p for p in self._problems.found[before:] if p.severity == "error"]
        if not (errors and self._repairing):
            return document
        del self._problems.found[before:], self._problems.repairs[repairs_before:]
        self._problems.repair("document", errors[0].line, errors[0].what)
        return rewritten_document(
            document.name, TokenList([]), (), text.line_of(path), self._problems.path
        )

    def _read(self, text: CheckedJson, value: Any, path: JsonPath) -> Document:
        fields = text.fields(value, path, "a document {...}")
        for name in ("tokens", OFFSETS):
            if isinstance(value, dict) and name not in fields:
                text.error(path, f"a document needs {name}")
        tokens = text.strings(fields.get("tokens", []), (*path, "tokens"), "a list of words")
        token_list = TokenList(tokens, zeros=self._zeros)

        def mention(value: Any, path: JsonPath) -> Mention | None:
            before = len(self._problems.found)
            span = text.span(value, path, len(tokens), inclusive=True)
            if span is None and self._repairing:
                error = self._problems.found.pop(before)
                self._problems.repair("span", error.line, error.what)
            return token_list.mention(*span) if span else None

        clusters = text.clusters(fields.get(OFFSETS, []), (*path, OFFSETS), mention)
        name = text.name(fields.get("doc_id"), (*path, "doc_id"), self._names)
        line = text.line_of(path)
        linked = {f: ((*path, f), fields[f]) for f in ANTECEDENTS if self._zeros and f in fields}
        links = LinkReader(text, mention, self._problems, self._notes, repair="element")
        entities = links.entities(clusters, linked, (), line)
        document = rewritten_document(name, token_list, entities, line, text.file)
        return replace(document, notes=self._notes.end_document())


def rewritten_document(
    name: str,
    token_list: TokenList,
    entities: tuple[Entity[Mention], ...],
    line: int,
    path: str,
) -> Document:
    """Mark a document's words as possibly different from the key's."""
    words, zeros = tuple(token_list.words), tuple(token_list.zeros)
    return Document(name, words, entities, zeros=zeros, path=path, line=line, rewritten=True)


def tokens_of(document: Document) -> tuple[list[str], dict[Unit, int]]:
    """List words and zeros in text order, and map each to its position."""
    words = [((position + 1, 0), word) for position, word in enumerate(document.words)]
    zeros = [(zero, ZERO) for zero in document.zeros]
    units = sorted([*words, *zeros])
    return [text for _, text in units], {unit: i for i, (unit, _) in enumerate(units)}


def write_llm_json(corpus: Corpus) -> str:
    """Write a list of documents as JSON, one per line."""
    documents = (dump_json(_to_llm(document)) for document in corpus.documents.values())
    return "[\n" + ",\n".join(documents) + "\n]\n"


def _to_llm(document: Document) -> dict[str, Any]:
    tokens, position = tokens_of(document)

    def span(mention: Mention) -> list[int]:
        first, last, *_ = mention.order
        return [position[first], position[last]]

    clusters = [[*map(span, entity.mentions)] for entity in document.entities]
    return {
        "doc_id": document.name,
        "tokens": tokens,
        OFFSETS: clusters,
        **antecedents_to_json(document, span),
    }


_KEYS = ("doc_id", "tokens", OFFSETS)
_OTHER_KEYS = ("clusters_token_text", "clusters_char_offsets")

LLM_JSON = Format(
    label="LLM JSON",
    ends="inclusive",
    read=read_llm_json,
    write=write_llm_json,
    repairs=True,
    fit_document=fit_links,
    holds=Capacity(
        zeros=True,
        crossing=True,
        sets="nested",
        results=True,
        antecedents=frozenset({"set", "result"}),
        sentences=False,
        forbidden_in_words=re.compile(r"^##"),
    ),
    json_key=re.compile(rb'"clusters_token_offsets"\s*:'),
    names=json_keys(*_KEYS, *ANTECEDENTS, others=_OTHER_KEYS),
)


MAVERICK = Format(
    label="JSON of maverick",
    ends="inclusive",
    read=read_maverick,
    holds=Capacity(
        crossing=True, sentences=False, names=False, forbidden_in_words=re.compile(r"(?!)")
    ),
    json_key=re.compile(rb'"clusters_(?:token_text|text_mentions|char_offsets|char_text)"\s*:'),
    names=json_keys(*_KEYS, others=_OTHER_KEYS),
)
