"""Pairs of mentions, and the choice between those that are possible."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

from anascore.assignment import Cell
from anascore.choice import first_of_the_best
from anascore.mention import Mention

Matched: TypeAlias = list[Cell]
"""Pairs of positions among the mentions of the key and of the response, each in one pair only."""

Mentions: TypeAlias = dict[int, Mention]
"""Mentions that have no partner yet, in document order, by their positions."""


def best_pairs(key: Mentions, response: Mentions, scores: Mapping[Cell, Fraction]) -> Matched:
    """Choose the pairs with the largest sum of scores, earlier mentions before later ones."""
    keys, responses = list(key), list(response)
    row = {position: rank for rank, position in enumerate(keys)}
    column = {position: rank for rank, position in enumerate(responses)}
    chosen = first_of_the_best({(row[k], column[r]): score for (k, r), score in scores.items()})
    return [(keys[i], responses[j]) for i, j in chosen]
