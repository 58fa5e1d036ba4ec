"""LitBank: mentions and entities in a `.ann` file, words in the `.txt` file next to it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import TypeAlias

from anascore.errors import Problems
from anascore.formats.building import build_corpus, have_same_text, open_sidecar, typed_entities
from anascore.formats.conllu import split_columns
from anascore.formats.corefud_brackets import is_number
from anascore.formats.files import STANDOFF, Source
from anascore.formats.format import Capacity, Format, ReadOptions
from anascore.model.document import Corpus, Document
from anascore.model.mention import Mention

"""Files of brat, which LitBank shares."""

COLUMNS = {"MENTION": 9, "COREF": 3, "COP": 3, "APPOS": 3}
"""Number of columns for each kind of line."""

NOT_ANNOTATED = "documents without any annotation"
CUT_NAMES = "entity names without a number that other names begin with, probably truncated"

_NUMBERED = re.compile(r".*-[0-9]+")
"""Entity name in LitBank, like Ann-0."""

_Row: TypeAlias = tuple[int, list[str]]


def read_litbank(source: Source, problems: Problems, _: ReadOptions) -> Corpus:
    """Read the one document of an `.ann` file, and name it after the file."""
    opened = open_sidecar(source, STANDOFF, problems)
    if opened is None:
        return Corpus({}, ("litbank",), source.path)
    text = opened[0]
    sentences = [split_columns(line, " ") for line in text.lines]
    rows: dict[str, list[_Row]] = {kind: [] for kind in COLUMNS}
    for kind, row in _rows(source, problems):
        rows[kind].append(row)
    reader = _Reader(sentences, text.path, problems)
    for row in rows["MENTION"]:
        reader.add_mention(*row)
    for row in rows["COREF"]:
        reader.add_to_entity(*row)
    for line, labels in (*rows["COP"], *rows["APPOS"]):
        for label in labels:
            reader.check_label(line, label)
    document = Document(
        source.stem,
        tuple(reader.words),
        typed_entities(reader.mentions()),
        path=source.path,
        line=1,
        # An empty line has the same start as the next line.
        sentences=tuple(sorted({*reader.starts} - {len(reader.words)})),
        notes=Counter(check_annotated(source, problems)) + reader.check_names(),
    )
    return build_corpus("litbank", source, [document], problems)


def check_annotated(source: Source, problems: Problems) -> dict[str, int]:
    """Warn about an empty file; return the notes on its document."""
    if source.content.strip():
        return {}
    problems.warning(None, "the file is empty: the document has no mentions")
    return {NOT_ANNOTATED: 1}


def _rows(source: Source, problems: Problems) -> Iterator[tuple[str, _Row]]:
    for number, line in enumerate(source.lines, 1):
        if not line or line.isspace():
            continue
        kind, *columns = line.split("\t")
        if kind not in COLUMNS:
            message = f"{kind!r} is not {', '.join(COLUMNS)}, which a line of LitBank starts with"
            problems.error(number, message)
        elif len(columns) + 1 != COLUMNS[kind]:
            message = f"this line has {len(columns) + 1} columns; {kind} needs {COLUMNS[kind]}"
            problems.error(number, f"{message}, between tabs")
        else:
            yield kind, (number, columns)


class _Reader:
    def __init__(self, sentences: list[list[str]], path: str, problems: Problems) -> None:
        self._sentences = sentences
        self._path = path
        self._problems = problems
        self._mentions: dict[str, tuple[int, Mention | None, dict[str, str]]] = {}
        self._entities: dict[str, tuple[int, str]] = {}
        self.words = [word for sentence in sentences for word in sentence]
        self.starts = [0, *accumulate(map(len, sentences))]
        """First word of each sentence."""

    def mentions(self) -> Iterator[tuple[str | None, Mention, dict[str, str]]]:
        for label, (_, mention, attributes) in self._mentions.items():
            if mention:
                name = self._entities[label][1] if label in self._entities else None
                yield name, mention, attributes

    def add_mention(self, line: int, columns: list[str]) -> None:
        """Report a mention outside the text."""
        label, *numbers, text, etype, prop = columns
        if label in self._mentions:
            other_line = self._mentions[label][0]
            message = f"{label} is also a mention on line {other_line}; names must be unique"
            self._problems.error(line, message)
            return
        first, last = self._position(*numbers[:2]), self._position(*numbers[2:])
        mention = None
        if first is None or last is None or first > last:
            first_sentence, first_token, last_sentence, last_token = numbers
            message = (
                f"{label} is from token {first_token} of sentence {first_sentence} to token "
                f"{last_token} of sentence {last_sentence}; {self._path} has no such tokens"
            )
            self._problems.error(line, f"{message}, counted from 0")
        # A text of n characters has no more than n words.
        elif not have_same_text(
            covered := " ".join(self.words[first : min(last, first + len(text)) + 1]), text
        ):
            message = f"the text of {label} is {text!r}, but {covered!r} in {self._path}"
            self._problems.error(line, message)
        else:
            mention = Mention(((first, last + 1),))
        self._mentions[label] = line, mention, {"etype": etype, "prop": prop}

    def add_to_entity(self, line: int, columns: list[str]) -> None:
        label, entity = columns
        self.check_label(line, label)
        if not entity:
            message = f"COREF has no entity for {label}; it must name one, like Ann-0"
            self._problems.error(line, message)
        other_line, other = self._entities.setdefault(label, (line, entity))
        if other_line != line:
            message = f"{label} is in entity {other} on line {other_line}; it can be in one only"
            self._problems.error(line, message)

    def check_names(self) -> Counter[str]:
        """Warn about names that are prefixes of others, like Ann-1 and Ann-12; return the notes."""
        notes: Counter[str] = Counter()
        lines = {name: line for line, name in reversed(self._entities.values())}
        # If names that begin with a name follow it in the order, the next one does.
        for name, other in pairwise(sorted(lines)):
            if name and other.startswith(name):
                message = f"entity {name} may be {other}, truncated: the names begin alike"
                self._problems.warning(lines[name], message)
                notes[CUT_NAMES] += not _NUMBERED.fullmatch(name)
        return +notes

    def check_label(self, line: int, label: str) -> None:
        if label not in self._mentions:
            self._problems.error(
                line, f"there is no mention {label}; a MENTION line must define it"
            )

    def _position(self, sentence: str, token: str) -> int | None:
        if not (is_number(sentence) and is_number(token)) or int(sentence) >= len(self._sentences):
            return None
        if int(token) >= len(self._sentences[int(sentence)]):
            return None
        return self.starts[int(sentence)] + int(token)


LITBANK = Format(
    label="LitBank",
    read=read_litbank,
    one_document=True,
    holds=Capacity(crossing=True, attributes=True),
    companions=STANDOFF,
    comment=re.compile(rb"(?:MENTION|COREF)\tT[0-9]+\t"),
)
