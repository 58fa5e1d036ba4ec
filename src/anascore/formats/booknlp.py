"""BookNLP: mentions in a `.entities` file, words in the `.tokens` file next to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from anascore.errors import Problems
from anascore.formats.building import build_corpus, have_same_text, open_sidecar, typed_entities
from anascore.formats.corefud_brackets import is_number
from anascore.formats.files import BOOKNLP_FILES, Source
from anascore.formats.format import Capacity, Format, ReadOptions
from anascore.model.document import Corpus, Document
from anascore.model.mention import Mention

HEADER = ("COREF", "start_token", "end_token", "prop", "cat", "text")
TOKENS_HEADER = ("sentence_ID", "token_ID_within_document", "word")
"""Columns that are read from the token file."""

_ENTITY_ID = re.compile(r"-?[0-9]{1,9}")

Rows: TypeAlias = Iterable[tuple[int, list[str]]]
"""Table rows: each row's line number, and its values in the columns that are read."""


def read_booknlp(source: Source, problems: Problems, _: ReadOptions) -> Corpus:
    """Read the one document of an `.entities` file, and name it after the file."""
    opened = open_sidecar(source, BOOKNLP_FILES, problems)
    if opened is None:
        return Corpus({}, ("booknlp",), source.path)
    tokens, token_problems = opened
    words, sentences = read_tokens(_rows(tokens, TOKENS_HEADER, token_problems), token_problems)
    rows = _rows(source, HEADER, problems)
    mentions = read_mentions(rows, words, tokens.path, problems)
    document = Document(
        source.stem,
        tuple(words),
        typed_entities(mentions),
        path=source.path,
        line=1,
        sentences=tuple(sentences),
    )
    return build_corpus("booknlp", source, [document], problems)


def _rows(
    source: Source, columns: Sequence[str], problems: Problems
) -> Iterator[tuple[int, list[str]]]:
    lines = ((n, line) for n, line in enumerate(source.lines, 1) if line and not line.isspace())
    number, header = next(lines, (1, ""))
    names = header.split("\t")
    if missing := [name for name in columns if name not in names]:
        message = f"the header has no {' and no '.join(missing)}"
        problems.error(number, f"{message}; the first line must name the columns, between tabs")
        return
    places = [names.index(name) for name in columns]
    for number, line in lines:
        values = line.split("\t")
        if len(values) == len(names):
            yield number, [values[place] for place in places]
        else:
            message = f"this line has {len(values)} columns, but the header has {len(names)}"
            problems.error(number, f"{message}; columns are separated by tabs")


def read_tokens(rows: Rows, problems: Problems) -> tuple[list[str], list[int]]:
    """Read the token table into words and sentence starts."""
    words: list[str] = []
    starts: list[int] = []
    last = None
    for line, (sentence, number, word) in rows:
        if number != str(len(words)):
            message = f"token_ID_within_document is {number!r}; it must be {len(words)}"
            problems.error(line, f"{message}, the number of tokens before")
        if sentence != last:
            starts.append(len(words))
            last = sentence
        words.append(word)
    return words, starts


def read_mentions(
    rows: Rows, words: Sequence[str], tokens: str, problems: Problems
) -> Iterator[tuple[str | None, Mention, dict[str, str]]]:
    """Yield the entity, span and attributes of each mention.

    `tokens` is the name that messages use for the token table.
    """
    for line, row in rows:
        entity, first, last, prop, cat, text = row
        span = int(first) if is_number(first) else -1, int(last) if is_number(last) else -1
        if not _ENTITY_ID.fullmatch(entity):
            problems.error(line, f"COREF is {entity!r}; it must be the number of an entity")
        elif not 0 <= span[0] <= span[1] < len(words):
            message = f"start_token is {first!r} and end_token {last!r}; they must be the first and"
            problems.error(line, f"{message} last token of a mention, from 0 to {len(words) - 1}")
        # A text of n characters has no more than n words.
        elif not have_same_text(
            covered := " ".join(words[span[0] : min(span[1], span[0] + len(text)) + 1]), text
        ):
            message = f"text is {text!r}, but tokens {first} to {last} of {tokens} are {covered!r}"
            problems.error(line, message)
        else:
            # Without its step for coreference, BookNLP writes -1 at mentions that have no name.
            name = None if entity.startswith("-") else entity
            yield name, Mention(((span[0], span[1] + 1),)), {"etype": cat, "prop": prop}


BOOKNLP = Format(
    label="BookNLP",
    read=read_booknlp,
    one_document=True,
    holds=Capacity(crossing=True, attributes=True),
    companions=BOOKNLP_FILES,
    comment=re.compile(rb"COREF\tstart_token\t"),
)
