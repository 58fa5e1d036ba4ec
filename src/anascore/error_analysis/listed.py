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
        return Located(
            side=side,
            text=document.text_of(mention),
            words=mention.words,
            zeros=mention.zeros,
            line=line,
        )

    for mistake in sorted(mistakes, key=lambda mistake: mistake.at[1].full_order):
        yield Listed(
            type=kind,
            document=documents["key"].name,
            at=located(*mistake.at),
            key_entity=_label("K", mistake.key_entity),
            response_entity=_label("R", mistake.response_entity),
            key=tuple(located("key", mention) for mention in mistake.key),
            response=tuple(located("response", mention) for mention in mistake.response),
            beside=mistake.beside and located(*mistake.beside),
            anaphor=mistake.anaphor and located(*mistake.anaphor),
        )


def _label(letter: str, entity: int | None) -> str | None:
    """Label an entity by its number, from 1, if there is one."""
    return None if entity is None else f"{letter}{entity + 1}"
