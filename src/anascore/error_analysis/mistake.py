"""One error of a response, and all of a type."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from anascore.error_analysis.draft import Draft
from anascore.mention import Mention

SideName: TypeAlias = Literal["key", "response"]
Place: TypeAlias = tuple[SideName, Mention]


class Mistake(NamedTuple):
    """One error: what the key has, what the response has, and what else helps to see it."""

    key_entity: int | None
    response_entity: int | None
    key: tuple[Mention, ...] = ()
    response: tuple[Mention, ...] = ()
    beside: Place | None = None
    """A mention of the entity that something is apart from, or together with."""

    anaphor: Place | None = None
    """The anaphor of the set that is wrong."""

    @property
    def at(self) -> Place:
        """Where to look: at the anaphor of a set, else at what the response has, or the key."""
        if self.anaphor:
            return self.anaphor
        return ("response", self.response[0]) if self.response else ("key", self.key[0])


class Found(NamedTuple):
    """All errors of one type, and the response without them."""

    mistakes: list[Mistake]
    corrected: Draft
