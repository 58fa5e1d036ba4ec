"""Constituency parses of CoNLL-2012: verb phrases and minimum spans (MINA)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from anascore.formats.columns import column_of, constituents_in
from anascore.model.document import Corpus, Document, Table
from anascore.model.mention import Mention, Span
from anascore.model.transform import map_mentions
from anascore.settings import Settings

NOUNS, NUMBERS = re.compile(r"NN|(?:PRP|WP|EX)$"), re.compile(r"CD")
ADJECTIVES, VERBS = re.compile(r"JJ|VB[NG]"), re.compile(r"VB|MD")


@dataclass(frozen=True, slots=True)
class Parse:
    """A document's constituents."""

    depths: list[int]
    """Number of constituents that contain each word."""

    starting: Mapping[int, list[tuple[int, str]]]
    """Ends and labels of the constituents that start at each word, longest first."""

    def label_of(self, mention: Mention) -> str:
        """Find the label of the smallest constituent that begins with a mention and covers it.

        A verb thus gets the label of the phrase that it heads.
        """
        start, end = mention.words[0][0], mention.words[-1][1]
        covering = [label for last, label in self.starting.get(start, ()) if last >= end]
        return covering[-1] if covering else ""


def needs_parses(settings: Settings) -> bool:
    """Test whether any setting reads parses, such as `np_only` or minimum spans."""
    return settings.np_only or settings.match == "partial"


def apply_parse_settings(document: Document, key: Document, settings: Settings) -> Document:
    """Apply the settings that read parses: drop verb phrases, add minimum spans."""
    if settings.np_only:
        document = without_verb_phrases(document, parse_of(key) or parse_of(document))
    if settings.match == "partial":
        document = with_minimum_spans(document, parse_of(document))
    return document


def parsed_key(key: Corpus, settings: Settings) -> Corpus:
    """Apply the settings that read parses to a key's documents."""
    documents = {
        name: apply_parse_settings(document, document, settings)
        for name, document in key.documents.items()
    }
    return replace(key, documents=documents)


def without_verb_phrases(document: Document, parse: Parse | None) -> Document:
    """Drop mentions that are verb phrases or begin one."""
    if parse is None:
        return document
    return map_mentions(document, lambda m: None if m.words and parse.label_of(m) == "VP" else m)


def with_minimum_spans(document: Document, parse: Parse | None) -> Document:
    """Add minimum spans to mentions without one, as far as the parse determines them."""
    if parse is None:
        return document
    tags = column_of(document, "XPOS")
    return map_mentions(document, lambda mention: with_minimum(mention, parse, tags))


def with_minimum(mention: Mention, parse: Parse, tags: Sequence[str]) -> Mention:
    """Add a minimum span to a mention without one (MINA, after Moosavi et al. 2019).

    It consists of the nouns, pronouns and numbers (in a verb phrase: verbs) that are highest in the
    tree. Numbers are used only if no noun is as high, adjectives only if there are neither.
    """
    if mention.required_part or mention.size == 1 or not mention.words:
        return mention
    is_verb = parse.label_of(mention) == "VP"
    for patterns in ([VERBS],) if is_verb else ([NOUNS, NUMBERS], [ADJECTIVES]):
        candidates = [
            ((parse.depths[word], rank), word)
            for start, end in mention.words
            for word in range(start, end)
            for rank, pattern in enumerate(patterns)
            if pattern.match(tags[word])
        ]
        if candidates:
            best = min(candidates)[0]
            return mention._replace(minimum=_spans([w for key, w in candidates if key == best]))
    return mention


def _spans(words: list[int]) -> tuple[Span, ...]:
    """Join sorted word positions into spans."""
    spans: list[Span] = []
    for word in words:
        if spans and spans[-1][1] == word:
            spans[-1] = spans[-1][0], word + 1
        else:
            spans.append((word, word + 1))
    return tuple(spans)


def parse_of(document: Document) -> Parse | None:
    """Read a document's parse; None if its parse column is missing or empty."""
    return document.table.cached(_parse_in) if document.table is not None else None


def _parse_in(table: Table) -> Parse | None:
    constituents = constituents_in(table)
    return constituents and Parse(*constituents)
