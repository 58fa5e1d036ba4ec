"""One document of key and response: the hub for all scores and analyses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from anascore.entities.document import PreparedDocument
from anascore.entities.normalisation import AllMentions
from anascore.entities.side import Side
from anascore.layers.windows import CutDocument, cut_sides
from anascore.matching import Matched, match_mentions
from anascore.metrics.overlap import ComparedSides, overlaps_of
from anascore.model.document import Document
from anascore.settings import Settings


@dataclass(frozen=True)
class DocumentComparison:
    """A key document, paired with a response's.

    Two sides are compared once, on demand, for scores, breakdowns, explanations, errors and the
    report.
    """

    key: PreparedDocument
    response: PreparedDocument
    settings: Settings
    window: tuple[int, ComparedSides] | None = None
    """First word and entities, if this is a window of a document."""

    @property
    def name(self) -> str:
        """Name of the document and, for a window, its words."""
        name = self.key.key.name
        if self.window is None:
            return name
        first, last = self.window[0], self.window[0] + self.settings.window - 1
        return f"{name}, words {first}-{min(last, self.key.key.number_of_words)}"

    @cached_property
    def identity(self) -> ComparedSides:
        """The entities."""
        if self.window is not None:
            return self.window[1]
        return compare_sides(self.key.identity, self.response.identity, self.settings)

    @cached_property
    def cut_identity(self) -> CutDocument:
        """The entities, cut into windows."""
        return cut_sides(self.identity, self.key.key, self.settings)

    @cached_property
    def cut_deixis(self) -> CutDocument:
        """The entities of discourse deixis, cut into windows."""
        return cut_sides(self.discourse_deixis, self.key.key, self.settings)

    def windows(self) -> list[DocumentComparison]:
        """Return the document, or its windows if the settings cut it."""
        if not self.settings.window:
            return [self]
        return [replace(self, window=window) for window in self.cut_identity.windows]

    @cached_property
    def discourse_deixis(self) -> ComparedSides:
        """The entities of discourse deixis."""
        sides = self.key.discourse_deixis, self.response.discourse_deixis
        compared = compare_sides(*sides, self.settings)
        return replace(compared, candidates=self.response.candidates)

    @cached_property
    def matched(self) -> Matched:
        """Matches among all mentions, by their positions in `all_mentions`."""
        return match_mentions(self.key.all_mentions, self.response.all_mentions, self.settings)


def pair_of(key: Document, response: Document | None, settings: Settings) -> DocumentComparison:
    """Pair two documents; None represents a document that the response lacks."""
    return DocumentComparison(
        PreparedDocument(key, key, settings), PreparedDocument(response, key, settings), settings
    )


def match_sides(key: Side, response: Side, settings: Settings) -> Matched:
    """Match two sides' mentions, each mention once."""
    if not (key.repeated or response.repeated):
        return match_mentions(key, response, settings)
    own, other = (AllMentions(side.unique_mentions, side.dependencies) for side in (key, response))
    matched = match_mentions(own, other, settings)
    return [(key.unique_positions[k], response.unique_positions[r]) for k, r in matched]


def compare_sides(key: Side, response: Side, settings: Settings) -> ComparedSides:
    """Match two sides' mentions, and count the mentions that their entities share."""
    matched = match_sides(key, response, settings)
    overlaps = overlaps_of(key, response, matched, settings.lea_importance)
    return ComparedSides(key, response, matched, overlaps)
