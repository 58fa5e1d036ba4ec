"""Errors with their texts and places, for a reader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from anascore.error_analysis.mistake import Mistake, SideName
from anascore.mention import Mention, Place, Span, Zero
from anascore.model import Document


class Located(NamedTuple):
    """A mention: its text, and where it stands."""

    side: SideName
    text: str
    words: tuple[Span, ...]
    zeros: tuple[Zero, ...]
    line: int | None

    @property
    def place(self) -> Place:
        """The words and zeros that it covers."""
        return self.words, self.zeros


class Listed(NamedTuple):
    """One error, as it is listed."""

    type: str
    document: str
    at: Located
    """Where to look."""

    key_entity: str | None
    """The key's entity, as `anascore explain` labels it: K1, K2 and so on."""

    response_entity: str | None
    key: tuple[Located, ...]
    """What the key has: the mention or entity that is missing, the elements of a set."""

    response: tuple[Located, ...]
    """What the response has."""

    beside: Located | None
    """A mention of the entity that something is apart from, or together with."""

    anaphor: Located | None
    """The anaphor of the set that is wrong."""


def listed(
    kind: str, mistakes: Iterable[Mistake], documents: Mapping[SideName, Document]
) -> Iterator[Listed]:
    """Write down the errors of one type in a document, in its order."""

    def located(side: SideName, mention: Mention) -> Located:
        document = documents[side]
        line = document.line_of(mention)
        return Located(side, document.text_of(mention), mention.words, mention.zeros, line)

    for mistake in sorted(mistakes, key=lambda mistake: mistake.at[1].full_order):
        yield Listed(
            kind,
            documents["key"].name,
            located(*mistake.at),
            None if mistake.key_entity is None else f"K{mistake.key_entity + 1}",
            None if mistake.response_entity is None else f"R{mistake.response_entity + 1}",
            tuple(located("key", mention) for mention in mistake.key),
            tuple(located("response", mention) for mention in mistake.response),
            mistake.beside and located(*mistake.beside),
            mistake.anaphor and located(*mistake.anaphor),
        )
