"""JSON lines of coref-hoi and similar resolvers: spans count subtokens, and a map leads to words.

`sentences` are segments of subtokens, with special tokens like [CLS] at their ends. The map assigns
a word to special tokens, too, but they belong to none.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from anascore.errors import Problems
from anascore.formats.files import Source
from anascore.formats.format import Format, ReadOptions
from anascore.formats.json_values import CheckedJson, json_keys, shorten, starts_at_lines
from anascore.formats.jsonl import (
    JSON_LINES,
    KEYS,
    OTHER_KEYS,
    Tokens,
    read_clusters,
    read_sentences,
)
from anascore.model.document import Corpus
from anascore.model.mention import Mention

SUBTOKEN_MAP = "subtoken_map"
SENTENCE_MAP = "sentence_map"
SPECIAL_TOKENS = {
    *("[CLS]", "[SEP]", "[PAD]", "[SPL]", "<s>", "</s>", "<pad>", "<cls>", "<sep>"),
    *("[SPEAKER_START]", "[SPEAKER_END]", "<speaker>", "</speaker>"),
}
_WORD_START = re.compile(r"^[\u2581\u0120]")
"""Mark at the start of a word in SentencePiece and byte-level BPE."""

_CONTINUATION = re.compile(r"^##")
"""Mark at the start of a word's later subtokens in WordPiece."""


def read_coref_hoi(source: Source, problems: Problems, options: ReadOptions) -> Corpus:
    """Read JSON lines whose spans count subtokens."""
    return read_clusters("coref-hoi", source, problems, options, read_subtokens)


@dataclass(frozen=True, slots=True)
class Subtokens(Tokens):
    """A document's subtokens, and the words to which they belong."""

    positions: Sequence[int]
    """Positions of the ordinary subtokens."""

    word_of: Sequence[int]
    """Word of each ordinary subtoken."""

    def mention(self, start: int, end: int) -> Mention | None:
        """Return the mention that covers a range of subtokens; None if it covers no word."""
        first, after = (bisect_left(self.positions, border) for border in (start, end))
        if first == after:
            return None
        return Mention(((self.word_of[first], self.word_of[after - 1] + 1),))


def read_subtokens(text: CheckedJson, fields: dict[str, Any]) -> Tokens:
    """Read subtokens, words and sentences; without a valid map each subtoken is a word."""
    if "sentences" not in fields:
        text.error((), "a document needs sentences, which are lists of subtokens")
    segments = read_sentences(text, fields.get("sentences", []))
    subtokens = [subtoken for segment in segments for subtoken in segment]
    words = None
    if "tokens" in fields:
        words = text.strings(fields["tokens"], ("tokens",), "a list of words")
    limit = len(subtokens) if words is None else len(words)
    numbers = _read_map(text, fields, SUBTOKEN_MAP, subtokens, limit)
    if numbers is None:
        return Tokens(subtokens, (), len(subtokens))
    positions = [position for position, number in enumerate(numbers) if number is not None]
    word_of = [number for number in numbers if number is not None]
    if words is None:
        words = _join_subtokens([subtokens[position] for position in positions], word_of)
    sentences: Sequence[int] = ()
    if SENTENCE_MAP in fields:
        sentence_of = _read_map(text, fields, SENTENCE_MAP, subtokens, len(subtokens)) or ()
        pairs = ((s, w) for s, w in zip(sentence_of, numbers, strict=False) if w is not None)
        sentences = sorted({next(group)[1] for _, group in groupby(pairs, key=itemgetter(0))})
    return Subtokens(words, sentences, len(subtokens), positions, word_of)


def _read_map(
    text: CheckedJson, fields: dict[str, Any], name: str, subtokens: Sequence[str], limit: int
) -> list[int | None] | None:
    """Read the word number of each subtoken, None for special ones.

    Report errors and return None if the map is invalid.
    """
    if name not in fields:
        text.error((), f"a document needs {name}")
        return None
    values = text.items(fields[name], (name,), "a list of numbers")
    if len(values) != len(subtokens):
        message = f"it has {len(values)} numbers, but there are {len(subtokens)} subtokens"
        text.error((name,), f"{message}; each needs one")
        return None
    numbers: list[int | None] = []
    previous = 0
    for position, (value, subtoken) in enumerate(zip(values, subtokens, strict=True)):
        if value is None or subtoken in SPECIAL_TOKENS:
            numbers.append(None)
        elif type(value) is int and previous <= value < limit:
            numbers.append(value)
            previous = value
        else:
            message = f"{shorten(value)} is not a number from {previous} to {limit - 1}"
            text.error((name, position), f"{message}; numbers must not fall")
            return None
    return numbers


def _join_subtokens(subtokens: Sequence[str], word_of: Sequence[int]) -> list[str]:
    """Restore the words from their subtokens; a word without subtokens becomes _."""
    words = ["_"] * (max(word_of, default=-1) + 1)
    pairs = zip(word_of, subtokens, strict=True)
    for word, group in groupby(pairs, key=itemgetter(0)):
        first, *others = (subtoken for _, subtoken in group)
        parts = [_WORD_START.sub("", first), *(_CONTINUATION.sub("", part) for part in others)]
        words[word] = "".join(parts)
    return words


COREF_HOI = Format(
    label="JSON lines of coref-hoi",
    ends="inclusive",
    read=read_coref_hoi,
    options=frozenset({"clusters_field"}),
    holds=JSON_LINES.holds,
    json_key=re.compile(rb'"subtoken_map"\s*:'),
    names=json_keys(*KEYS, SUBTOKEN_MAP, SENTENCE_MAP, others=OTHER_KEYS),
    starts=starts_at_lines(lambda fields: fields.get("doc_key")),
)
