"""Constituency parses of CoNLL-2012: verb phrases and minimum spans (MINA)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from anascore.formats.conllu import Cells, column_of
from anascore.model.document import Document, Table
from anascore.model.mention import Mention, Span
from anascore.model.transform import map_mentions
from anascore.settings import Settings

NOUNS, NUMBERS = re.compile(r"NN|(?:PRP|WP|EX)$"), re.compile(r"CD")
ADJECTIVES, VERBS = re.compile(r"JJ|VB[NG]"), re.compile(r"VB|MD")


@dataclass(frozen=True, slots=True)
class Parse:
    """The constituents of a document."""

    depths: list[int]
    """For each word how many constituents it lies in."""

    starting: Mapping[int, list[tuple[int, str]]]
    """The constituents that start with a word, by its position: ends and labels, longest first."""

    def label_of(self, mention: Mention) -> str:
        """Return the label of the smallest constituent that begins with a mention and covers it.

        So a verb has the label of the phrase that it heads.
        """
        start, end = mention.words[0][0], mention.words[-1][1]
        covering = [label for last, label in self.starting.get(start, ()) if last >= end]
        return covering[-1] if covering else ""


def apply_parse_settings(document: Document, key: Document, settings: Settings) -> Document:
    """Do to a document what the settings ask for and its parse, or the key's, is needed for."""
    if settings.np_only:
        document = without_verb_phrases(document, parse_of(key) or parse_of(document))
    if settings.match == "partial":
        document = with_minimum_spans(document, parse_of(document))
    return document


def without_verb_phrases(document: Document, parse: Parse | None) -> Document:
    """Leave out the mentions that are verb phrases, or begin one."""
    if parse is None:
        return document
    return map_mentions(document, lambda m: None if m.words and parse.label_of(m) == "VP" else m)


def with_minimum_spans(document: Document, parse: Parse | None) -> Document:
    """Give the mentions that have none a minimum span, where that can be found out."""
    if parse is None:
        return document
    tags = column_of(document, "XPOS")
    return map_mentions(document, lambda mention: with_minimum(mention, parse, tags))


def with_minimum(mention: Mention, parse: Parse, tags: Sequence[str]) -> Mention:
    """Give a mention that has none a minimum span (after Moosavi et al. 2019).

    It is made of those nouns, pronouns and numbers (in a verb phrase: verbs) that are least deep in
    the tree; numbers only where no noun is as high, and adjectives where there is neither.
    """
    if mention.required_part or mention.size == 1 or not mention.words:
        return mention
    is_verb = parse.label_of(mention) == "VP"
    for kinds in ([VERBS],) if is_verb else ([NOUNS, NUMBERS], [ADJECTIVES]):
        found = [
            ((parse.depths[word], kind), word)
            for start, end in mention.words
            for word in range(start, end)
            for kind, tag in enumerate(kinds)
            if tag.match(tags[word])
        ]
        if found:
            best = min(found)[0]
            return mention._replace(minimum=_spans([word for how, word in found if how == best]))
    return mention


def _spans(words: list[int]) -> tuple[Span, ...]:
    """Write words as spans."""
    spans: list[Span] = []
    for word in words:
        if spans and spans[-1][1] == word:
            spans[-1] = spans[-1][0], word + 1
        else:
            spans.append((word, word + 1))
    return tuple(spans)


_BRACKET = re.compile(r"\(([^\s()*]*)|(\*)|\)")


def parse_of(document: Document) -> Parse | None:
    """Return the parse of a document; None if it has no parse column or an empty one."""
    return document.table.cached(_parse_in) if document.table is not None else None


def _parse_in(table: Table) -> Parse | None:
    """Read the parse column of a table."""
    if "PARSE" not in table.columns:
        return None
    cells = table.cached(Cells)
    column = cells.column("PARSE")
    if not any("(" in brackets for brackets in column):
        return None
    depths: list[int] = []
    starting: dict[int, list[tuple[int, str]]] = defaultdict(list)
    opened: list[tuple[int, str]] = []
    sentences = set(cells.sentences)
    word = -1
    for row, brackets in enumerate(column):
        if row in sentences:
            opened = []
        if row in cells.zeros:
            continue
        word += 1
        for bracket in _BRACKET.finditer(brackets):
            if bracket[0][0] == "(":
                opened.append((word, bracket[1].partition("-")[0]))
            elif bracket[0] == "*":
                depths.append(len(opened))
            elif opened:
                start, label = opened.pop()
                starting[start].insert(0, (word + 1, label))
        depths += [len(opened)] * (word + 1 - len(depths))
    return Parse(depths, starting)
