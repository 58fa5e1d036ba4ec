"""Documents without names: they are paired in order, by the words that they share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from math import log
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MIN_OVERLAP = 0.1
"""Minimum share of a document's words that the key's must contain."""

CLEAR_OVERLAP = 0.2
"""Minimum overlap with another key document to suspect a wrong order."""

SAFE_OVERLAP = 0.5
"""Overlap that puts a pair of documents beyond doubt."""


PARTS = 1_000_000_000
"""Precision for adding shares."""


class Mismatch(NamedTuple):
    """A document that shares few words with the key document in its place."""

    better: int | None
    """Position of a key document with which it shares far more words, if there is one."""


class SharedWords:
    """Shares of words that key documents contain; rare words weigh more."""

    def __init__(self, key: Sequence[Sequence[str]]) -> None:
        """Index the words of each key document."""
        self._words = [_distinct(words) for words in key]
        numbers = Counter(word for words in self._words for word in words)
        self._weights = {word: _weight(len(key) / number) for word, number in numbers.items()}
        # A word that the key lacks is as rare as one of a single document.
        self._unknown = _weight(len(key))

    def _share(self, words: frozenset[str], position: int) -> float:
        """Compute the weighted share of words that one key document contains."""
        common = sum(self._weights[word] for word in words & self._words[position])
        return common / self._total(words)

    def _shares(self, words: frozenset[str]) -> list[float]:
        """Compute the weighted share of words for each key document."""
        import numpy as np  # noqa: PLC0415  only where documents are not simply in order

        common = np.zeros(len(self._words), dtype=np.int64)
        for word in words & self._weights.keys():
            common[self._positions[word]] += self._weights[word]
        total = self._total(words)
        return [weight / total for weight in common.tolist()]

    def _total(self, words: frozenset[str]) -> int:
        """Weigh all words of a document, at least 1."""
        return sum(self._weights.get(word, self._unknown) for word in words) or 1

    @cached_property
    def _positions(self) -> dict[str, NDArray[np.int64]]:
        """Positions of the key documents that contain a word."""
        import numpy as np  # noqa: PLC0415  only where documents are not simply in order

        positions: dict[str, list[int]] = {}
        for position, words in enumerate(self._words):
            for word in words:
                positions.setdefault(word, []).append(position)
        return {word: np.array(of_word, dtype=np.int64) for word, of_word in positions.items()}

    def best_share(self, words: Sequence[str]) -> float:
        """Return the largest share of words that any key document contains."""
        return max(self._shares(_distinct(words)), default=0.0)

    def pair(self, documents: Sequence[Sequence[str]]) -> list[int]:
        """Return the key position of each document; there are at most as many as in the key.

        Both are in the same order. Of all such pairings, choose the one with the largest sum of
        shares, and among several the one in which documents come first.
        """
        missing = len(self._words) - len(documents)
        if missing == 0:
            return [*range(len(documents))]
        # Before each document, so many of the key are missing; the numbers never fall.
        sums = [0] * (missing + 1)
        choices: list[list[int]] = []
        for number, words in enumerate(map(_distinct, documents)):
            best, chosen = 0, []
            for skipped in range(missing + 1):
                best = skipped if sums[skipped] > sums[best] else best
                chosen.append(best)
            shares = self._shares(words)[number : number + missing + 1]
            # Integers, so that equal sums are equal in whatever order they are added up.
            parts = [round(share * PARTS) for share in shares]
            sums = [sums[best] + part for best, part in zip(chosen, parts, strict=True)]
            choices.append(chosen)
        skipped = max(range(missing + 1), key=sums.__getitem__)
        positions = []
        for number in reversed(range(len(documents))):
            positions.append(number + skipped)
            skipped = choices[number][skipped]
        return positions[::-1]

    def places(self, lines: Sequence[Sequence[str]]) -> list[int] | None:
        """Return the key position of each line; several lines can belong to the same document.

        Both are in the same order. Of all such choices, take the one with the largest sum of
        shares, and among several the one in which lines come first; None if it leaves a doubt.
        """
        shares = [self._shares(_distinct(words)) for words in lines]
        # The best sum of shares, and the positions, if the last line has at most this position.
        best: list[tuple[float, list[int]]] = [(0.0, [])] * len(self._words)
        for of_line in shares:
            best = [
                (total + share, [*places, place])
                for place, ((total, places), share) in enumerate(zip(best, of_line, strict=True))
            ]
            best = list(accumulate(best, _better))
        places = best[-1][1]
        doubted = any(
            words and of_line[place] < SAFE_OVERLAP
            for words, of_line, place in zip(lines, shares, places, strict=True)
        )
        return None if doubted else places

    def doubt(self, words: Sequence[str], position: int) -> Mismatch | None:
        """Return why a document seems not to belong to a key position; None if it does."""
        distinct = _distinct(words)
        share = self._share(distinct, position)
        if share >= SAFE_OVERLAP or not distinct:
            return None
        shares = self._shares(distinct)
        best = max(range(len(shares)), key=shares.__getitem__)
        if shares[best] >= CLEAR_OVERLAP and shares[best] > 2 * share:
            return Mismatch(best)
        return Mismatch(None) if share < MIN_OVERLAP else None


def _better(
    one: tuple[float, list[int]], other: tuple[float, list[int]]
) -> tuple[float, list[int]]:
    return other if other[0] > one[0] else one


def _weight(rarity: float) -> int:
    """Weigh a word by the number of key documents per document that contains it.

    Weights are integers, so that their sums do not depend on the order of words.
    """
    return round(1_000_000 * log(1 + rarity))


class SharedPhrases:
    """Shares of adjacent word pairs that key documents contain.

    A long document contains most words of any sentence, but not next to each other.
    """

    def __init__(self, key: Sequence[Sequence[str]]) -> None:
        """Index the word pairs of each key document."""
        self._shared = SharedWords([[*words, *_pairs(words)] for words in key])

    def best_share(self, words: Sequence[str]) -> float:
        """Return the largest share of word pairs, or of a single word, that any document has."""
        return self._shared.best_share(_pairs(words) or words)


def _pairs(words: Sequence[str]) -> list[str]:
    return [f"{one}\n{other}" for one, other in pairwise(words)]


def _distinct(words: Sequence[str]) -> frozenset[str]:
    # A form with a blank is written with an underscore by language models.
    return frozenset(word.replace(" ", "_") for word in words)
