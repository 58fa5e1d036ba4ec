"""A slow, literal oracle of matching and of what is scored beside the six metrics.

Written from the spec alone: every one-to-one assignment is tried out, every set is listed. Nothing
here is shared with the library. Meant for up to about six mentions a side.
"""

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import NamedTuple

# A word at position w is (w + 1, 0), a zero is (number of words before it, rank from 1).
Unit = tuple[int, int]
Pair = tuple[int, int]
Scores = dict[Pair, Fraction]
Counts = tuple[int, int, int]


class Marked(NamedTuple):
    """A mention with all that matching may look at; an empty minimum means that it has none."""

    units: frozenset[Unit]
    minimum: frozenset[Unit] = frozenset()
    head: Unit | None = None
    sentence: int = 0
    dependencies: frozenset[tuple[Unit | None, str]] = frozenset()

    @property
    def is_zero(self) -> bool:
        """Whether the head is a zero, or all units are."""
        if self.head is not None and self.head[1] > 0:
            return True
        return all(rank > 0 for _, rank in self.units)

    @property
    def order(self) -> tuple[Unit, Unit, int, list[Unit]]:
        """The place in document order: first unit, last unit, number of units, then the units."""
        return min(self.units), max(self.units), len(self.units), sorted(self.units)


PairScore = Callable[[Marked, Marked], Fraction]


# Assignments


def assignments(own: Sequence[int], other: Sequence[int]) -> Iterator[set[Pair]]:
    """Every way to pair some of own with some of other, one to one."""
    for size in range(min(len(own), len(other)) + 1):
        for chosen in combinations(own, size):
            for partners in permutations(other, size):
                yield set(zip(chosen, partners, strict=True))


def positive_assignments(scores: Scores) -> Iterator[set[Pair]]:
    """Every assignment in which each pair has a positive score."""
    rows = sorted({i for (i, _), score in scores.items() if score > 0})
    columns = sorted({j for (_, j), score in scores.items() if score > 0})
    for chosen in assignments(rows, columns):
        if all(scores.get(pair, Fraction(0)) > 0 for pair in chosen):
            yield chosen


def total(chosen: set[Pair], scores: Scores) -> Fraction:
    """The sum of the scores of the chosen pairs."""
    return sum((scores[pair] for pair in chosen), Fraction(0))


def best_assignment(scores: Scores, key: list[int], response: list[int]) -> set[Pair]:
    """The assignment of maximal sum; key and response are positions in document order.

    Ties: each key mention in turn has the earliest response mention possible, or none at last.
    """

    def place(chosen: set[Pair]) -> tuple[Fraction, list[float]]:
        partner = dict(chosen)
        ranks = [response.index(partner[i]) if i in partner else math.inf for i in key]
        return -total(chosen, scores), ranks

    return min(positive_assignments(scores), key=place)


# Pair scores


def f1(key: frozenset[Hashable], response: frozenset[Hashable]) -> Fraction:
    """F1 of two sets, 0 if both are empty."""
    if not key | response:
        return Fraction(0)
    return Fraction(2 * len(key & response), len(key) + len(response))


def shared_part(k: Marked, r: Marked) -> Fraction:
    """|k and r| / |k|."""
    return Fraction(len(k.units & r.units), len(k.units))


def dependent_score(k: Marked, r: Marked) -> Fraction:
    """10 F1({(parent, deprel)}) + F1({parent}) for two zeros of one sentence, else 0."""
    if not (k.is_zero and r.is_zero and k.sentence == r.sentence):
        return Fraction(0)
    key_parents = frozenset(parent for parent, _ in k.dependencies)
    response_parents = frozenset(parent for parent, _ in r.dependencies)
    return 10 * f1(k.dependencies, r.dependencies) + f1(key_parents, response_parents)


def exact_score(_k: Marked, _r: Marked) -> Fraction:
    """Nothing beyond identical mentions."""
    return Fraction(0)


def partial_score(k: Marked, r: Marked) -> Fraction:
    """|k and r| / |k| if k has a minimum span and min(k) <= r <= k, else 0."""
    if k.minimum and k.minimum <= r.units <= k.units:
        return shared_part(k, r)
    return Fraction(0)


def head_score(k: Marked, r: Marked) -> Fraction:
    """|k and r| / |k| if both have a head and it is the same, else 0."""
    if k.head is not None and k.head == r.head:
        return shared_part(k, r)
    return Fraction(0)


SCORES: dict[str, PairScore] = {
    "exact": exact_score,
    "partial": partial_score,
    "head": head_score,
}


# Matching


def left(mentions: Sequence[Marked], taken: set[int]) -> list[int]:
    """The positions of the mentions not taken, in document order."""
    in_order = sorted(range(len(mentions)), key=lambda i: mentions[i].order)
    return [i for i in in_order if i not in taken]


def match_by_score(
    key: Sequence[Marked],
    response: Sequence[Marked],
    key_left: list[int],
    response_left: list[int],
    score: PairScore,
) -> set[Pair]:
    """The best assignment of the mentions left, by the pair score."""
    scores = {(i, j): score(key[i], response[j]) for i in key_left for j in response_left}
    return best_assignment(scores, key_left, response_left)


def identical(k: Marked, r: Marked, method: str) -> bool:
    """Whether the units are the same, and with head matching the heads too."""
    return k.units == r.units and (method != "head" or k.head == r.head)


def spans(mention: Marked) -> list[set[int]]:
    """The contiguous spans of words from left to right, none for a zero."""
    found: list[set[int]] = []
    if mention.is_zero:
        return found
    for word in sorted(place for place, rank in mention.units if rank == 0):
        if found and word - 1 in found[-1]:
            found[-1].add(word)
        else:
            found.append({word})
    return found


def first_span_contains(k: Marked, r: Marked) -> bool:
    """Whether the first span of k contains one of the spans of r."""
    return any(span <= first for first in spans(k)[:1] for span in spans(r))


def by_words(mention: Marked) -> tuple[object, ...]:
    """Sort by first word, last word and number of words; zeros decide only between the same."""
    words = sorted(unit for unit in mention.units if not unit[1])
    return words[:1], words[-1:], len(words), mention.order


def match_craft(
    key: Sequence[Marked],
    response: Sequence[Marked],
    key_left: list[int],
    response_left: list[int],
) -> set[Pair]:
    """Each r in turn takes the first k that contains it, or none if that one is taken."""
    matched: set[Pair] = set()
    for j in sorted(response_left, key=lambda j: by_words(response[j])):
        in_order = sorted(key_left, key=lambda i: by_words(key[i]))
        containing = [i for i in in_order if first_span_contains(key[i], response[j])]
        if containing and containing[0] not in dict(matched):
            matched.add((containing[0], j))
    return matched


def match(
    key: Sequence[Marked], response: Sequence[Marked], method: str, zero_match: str
) -> set[Pair]:
    """The matched pairs of positions, by the three steps of the spec."""
    matched: set[Pair] = set()

    def key_left() -> list[int]:
        return left(key, {i for i, _ in matched})

    def response_left() -> list[int]:
        return left(response, {j for _, j in matched})

    if zero_match == "dependent":
        matched |= match_by_score(key, response, key_left(), response_left(), dependent_score)
    matched |= {
        (i, j)
        for i in key_left()
        for j in response_left()
        if identical(key[i], response[j], method)
    }
    if method == "craft":
        return matched | match_craft(key, response, key_left(), response_left())
    return matched | match_by_score(key, response, key_left(), response_left(), SCORES[method])


# Beside the six metrics


def mention_overlap(key: Sequence[Marked], response: Sequence[Marked]) -> Counts:
    """MOR: units shared in an optimal assignment, units of all key and of all response mentions."""
    shared = {
        (i, j): Fraction(len(k.units & r.units))
        for i, k in enumerate(key)
        for j, r in enumerate(response)
    }
    most = max(total(chosen, shared) for chosen in positive_assignments(shared))
    return int(most), sum(len(k.units) for k in key), sum(len(r.units) for r in response)


def not_first(entities: Sequence[Sequence[int]]) -> set[int]:
    """The mentions that are not the first of their entity."""
    return {mention for entity in entities for mention in entity[1:]}


def decomposable(
    key_entities: Sequence[Sequence[int]],
    response_entities: Sequence[Sequence[int]],
    matched: set[Pair],
    key_anaphors: set[int],
    response_anaphors: set[int],
) -> tuple[int, int, int, int]:
    """Right, wrong, missed and spurious anaphors of the anaphor-decomposable score."""
    counterpart = dict(matched)
    response_entity = {r: entity for entity in response_entities for r in entity}
    right, wrong, missed = set[int](), set[int](), set[int]()
    for entity in key_entities:
        for place, k in enumerate(entity):
            if place == 0 or k not in key_anaphors:
                continue
            if k not in counterpart or counterpart[k] not in not_first(response_entities):
                missed.add(k)
                continue
            earlier = {counterpart[e] for e in entity[:place] if e in counterpart}
            held = earlier & set(response_entity[counterpart[k]])
            (right if held else wrong).add(k)
    counted = {counterpart[k] for k in right | wrong}
    spurious = (response_anaphors & not_first(response_entities)) - counted
    return len(right), len(wrong), len(missed), len(spurious)


def right_links(
    key_links: set[Pair],
    response_links: set[Pair],
    matched_anaphors: set[Pair],
    is_right: Callable[[int, int], bool],
) -> int:
    """How many links of matched anaphors can be paired one to one so that each anchor is right."""
    right = 0
    for k, r in matched_anaphors:
        key_anchors = [anchor for anaphor, anchor in key_links if anaphor == k]
        response_anchors = [anchor for anaphor, anchor in response_links if anaphor == r]
        right += max(
            len(chosen)
            for chosen in assignments(key_anchors, response_anchors)
            if all(is_right(own, other) for own, other in chosen)
        )
    return right


def bridging(
    key_links: set[Pair],
    response_links: set[Pair],
    matched_anaphors: set[Pair],
    matched_anchors: set[Pair],
    key_entity_of: Mapping[int, int],
) -> dict[str, Counts]:
    """Right, in key and in response: anaphors recognised, links by mention, links by entity."""
    key_anaphors = {anaphor for anaphor, _ in key_links}
    response_anaphors = {anaphor for anaphor, _ in response_links}
    recognised = {
        (k, r) for k, r in matched_anaphors if k in key_anaphors and r in response_anaphors
    }

    def same_mention(own: int, other: int) -> bool:
        return (own, other) in matched_anchors

    def same_entity(own: int, other: int) -> bool:
        counterparts = {k for k, r in matched_anchors if r == other}
        if own not in key_entity_of:
            return own in counterparts
        return key_entity_of[own] in {key_entity_of[k] for k in counterparts if k in key_entity_of}

    by_mention = right_links(key_links, response_links, recognised, same_mention)
    by_entity = right_links(key_links, response_links, recognised, same_entity)
    links = len(key_links), len(response_links)
    return {
        "bridging-anaphors": (len(recognised), len(key_anaphors), len(response_anaphors)),
        "bridging-mentions": (by_mention, *links),
        "bridging-entities": (by_entity, *links),
    }
