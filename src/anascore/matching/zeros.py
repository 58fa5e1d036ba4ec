"""Zeros by their enhanced dependencies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from anascore.matching.pairs import Matched, Mentions, best_pairs
from anascore.mention import Unit, Zero
from anascore.ratio import Ratio, Score


class Dependencies(NamedTuple):
    """What a zero depends on."""

    sentence: int
    """The number of words before its sentence."""

    links: frozenset[tuple[Unit | None, str]]
    """Its parents, None for the root, each with the relation."""

    @property
    def parents(self) -> frozenset[Unit | None]:
        """What it depends on, whatever the relation."""
        return frozenset(parent for parent, _ in self.links)


ZeroDependencies: TypeAlias = Mapping[Zero, Dependencies]

WITH_RELATION = 10
"""How much more a parent with its relation counts than a parent alone."""


def match_zeros(
    key: Mentions, response: Mentions, of_key: ZeroDependencies, of_response: ZeroDependencies
) -> Matched:
    """Pair zeros of the same sentence by 10 · F1 of (parent, relation) + F1 of the parents."""
    in_sentence: dict[int, list[tuple[int, Dependencies]]] = defaultdict(list)
    for r, found in _zeros(response, of_response):
        in_sentence[found.sentence].append((r, found))
    scores = {
        (k, r): WITH_RELATION * _f1(mine.links, theirs.links) + _f1(mine.parents, theirs.parents)
        for k, mine in _zeros(key, of_key)
        for r, theirs in in_sentence.get(mine.sentence, ())
    }
    return best_pairs(key, response, {pair: score for pair, score in scores.items() if score})


def _zeros(mentions: Mentions, dependencies: ZeroDependencies) -> list[tuple[int, Dependencies]]:
    """Return the mentions that are zeros, with the dependencies of their heads."""
    zeros = ((position, m.head or m.zeros[0]) for position, m in mentions.items() if m.is_zero)
    return [(position, dependencies[z]) for position, z in zeros if z in dependencies]


def _f1(key: frozenset[Any], response: frozenset[Any]) -> Fraction:
    common = len(key & response)
    return Score(Ratio(common, len(key)), Ratio(common, len(response))).f1 or Fraction(0)
