"""A slow, literal oracle of the six metrics with accommodated sets, to test the library against.

Each formula is copied from the spec or the paper in its most obvious form: one-to-one maps are all
tried out, links are all listed. Nothing here is shared with the library.
"""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from typing import NamedTuple

Entity = tuple[frozenset[int], frozenset[int]]
Side = list[Entity]
RatioPair = tuple[Fraction | None, Fraction | None, Fraction | None]

Mentions = frozenset[int]
Accommodated = frozenset[Mentions]
Pair = tuple[int, int]
Credits = dict[Pair, Fraction]
Counts = tuple[Fraction, Fraction]
Node = tuple[str, int]
Link = frozenset[Node]


class Flat(NamedTuple):
    """An entity after normalisation: its accommodated set holds its elements' mention sets."""

    mentions: Mentions
    accommodated: Accommodated = frozenset()

    @property
    def size(self) -> int:
        """The cardinality: |K^m| + 1 with an accommodated set, else |K^m|."""
        return len(self.mentions) + (1 if self.accommodated else 0)


Count = Callable[[list[Flat], list[Flat], Credits], Counts]
Similarity = Callable[[Flat, Flat, Fraction], Fraction]


# Normalisation


def atoms(side: Side, i: int) -> Accommodated:
    """The mention sets of the atomic entities that entity i stands for, through any nesting."""
    mentions, elements = side[i]
    if not elements:
        return frozenset({mentions})
    return frozenset().union(*(atoms(side, element) for element in elements))


def normalise(side: Side) -> list[Flat]:
    """The entities with atomic elements, those of equal sets merged, in document order."""
    atomic = [Flat(mentions) for mentions, elements in side if not elements]
    sets = {i: atoms(side, i) for i, (_, elements) in enumerate(side) if elements}
    merged = [
        Flat(frozenset().union(*(side[i][0] for i in sets if sets[i] == one)), one)
        for one in set(sets.values())
    ]
    return sorted(atomic + merged, key=lambda entity: sorted(entity.mentions))


# Values


def ratio(counts: Counts) -> Fraction | None:
    """Part over whole, undefined when the whole is 0."""
    part, whole = counts
    return part / whole if whole else None


def f1(recall: Fraction | None, precision: Fraction | None) -> Fraction | None:
    """2PR / (P + R): undefined when both are, 0 when one is or when P + R = 0."""
    if recall is None and precision is None:
        return None
    if not recall or not precision:
        return Fraction(0)
    return 2 * precision * recall / (precision + recall)


def mean(values: list[Fraction | None]) -> Fraction | None:
    """The mean of the defined values, undefined when there are none."""
    defined = [value for value in values if value is not None]
    return sum(defined, Fraction(0)) / len(defined) if defined else None


def score(recall: Counts, precision: Counts) -> RatioPair:
    """Recall, precision and F1 from the counts of both directions."""
    return ratio(recall), ratio(precision), f1(ratio(recall), ratio(precision))


def one_to_one(pairs: list[Pair]) -> Iterator[frozenset[Pair]]:
    """Every way to choose from the pairs such that no entity of either side is in two of them."""
    if not pairs:
        yield frozenset()
        return
    (i, j), *rest = pairs
    yield from one_to_one(rest)
    for chosen in one_to_one([pair for pair in rest if pair[0] != i and pair[1] != j]):
        yield chosen | {(i, j)}


# Metrics, in one direction: the numerator and the denominator of recall, own being the key


def partition(own: Mentions, others: list[Mentions]) -> set[Mentions]:
    """P(K; R) = {K and R_j for each j, if any is shared} + {{k} for each k of K not in R}."""
    shared = {own & other for other in others if own & other}
    return shared | {frozenset({k}) for k in own if not any(k in other for other in others)}


def muc(own: list[Flat], other: list[Flat], credit: Credits) -> Counts:
    """MUC: sum of |K_i| - |P(K^m_i; R^m)| - delta_i, over sum of |K_i| - 1."""
    part = Fraction(0)
    for i, k in enumerate(own):
        delta = Fraction(1 if k.accommodated else 0)
        for j, r in enumerate(other):
            if (i, j) in credit and k.mentions & r.mentions:
                delta = 1 - credit[i, j]
        part += k.size - len(partition(k.mentions, [r.mentions for r in other])) - delta
    return part, Fraction(sum(k.size - 1 for k in own))


def muc_inside(own: list[Flat], other: list[Flat], _credit: Credits) -> Counts:
    """MUC on a pair of sets: an element of one mention is one link, found if it is in both."""
    several = [k for k in own if k.size > 1]
    single = [k for k in own if k.size == 1]
    part, whole = muc(several, other, {})
    return part + sum(k in other for k in single), whole + len(single)


def b3(own: list[Flat], other: list[Flat], credit: Credits) -> Counts:
    """B-cubed: sum over i, j of (n_ij + delta_ij)^2 / |K_i|, over sum of |K_i|."""
    part = Fraction(0)
    for i, k in enumerate(own):
        for j, r in enumerate(other):
            shared = len(k.mentions & r.mentions) + credit.get((i, j), Fraction(0))
            part += shared**2 / k.size
    return part, Fraction(sum(k.size for k in own))


def phi_m(k: Flat, r: Flat, delta: Fraction) -> Fraction:
    """Similarity of CEAF-M: n_ij + delta_ij."""
    return len(k.mentions & r.mentions) + delta


def phi_e(k: Flat, r: Flat, delta: Fraction) -> Fraction:
    """Similarity of CEAF-E: 2 (n_ij + delta_ij) / (|K_i| + |R_j|)."""
    return 2 * (len(k.mentions & r.mentions) + delta) / (k.size + r.size)


def ceaf(phi: Similarity, own: list[Flat], other: list[Flat], credit: Credits) -> Counts:
    """CEAF: max over one-to-one g of sum of phi(K_i, g(K_i)), over sum of phi(K_i, K_i)."""
    table = {
        (i, j): phi(k, r, credit.get((i, j), Fraction(0)))
        for i, k in enumerate(own)
        for j, r in enumerate(other)
    }
    maps = one_to_one([pair for pair in table if table[pair] > 0])
    part = max(sum((table[pair] for pair in g), Fraction(0)) for g in maps)
    whole = sum((phi(k, k, Fraction(1 if k.accommodated else 0)) for k in own), Fraction(0))
    return part, whole


def lea(own: list[Flat], other: list[Flat], credit: Credits, *, importance: int = 1) -> Counts:
    """LEA: sum of beta_i |K_i| sum_j links_ij / links_i, over sum of beta_i |K_i|.

    links_ij = C(n_ij, 2) + delta_ij n_ij and links_i = C(|K_i|, 2); an entity of cardinality 1 has
    one link, found when the other side has that entity too.
    """
    part, whole = Fraction(0), Fraction(0)
    for i, k in enumerate(own):
        weight = (importance if k.accommodated else 1) * k.size
        whole += weight
        if k.size == 1:
            part += weight * (k in other)
            continue
        for j, r in enumerate(other):
            n = len(k.mentions & r.mentions)
            found = math.comb(n, 2) + credit.get((i, j), Fraction(0)) * n
            part += weight * found / math.comb(k.size, 2)
    return part, whole


def nodes(side: list[Flat], i: int) -> list[Node]:
    """The nodes of entity i: its mentions, and its accommodated set under the entity's index."""
    mentions: list[Node] = [("mention", mention) for mention in side[i].mentions]
    return mentions + ([("set", i)] if side[i].accommodated else [])


def coreference_links(side: list[Flat]) -> set[Link]:
    """C_K: every two different nodes of one entity."""
    return {frozenset(two) for i in range(len(side)) for two in combinations(nodes(side, i), 2)}


def non_coreference_links(side: list[Flat]) -> set[Link]:
    """N_K: every two nodes of two different entities."""
    return {
        frozenset({u, v})
        for i, j in combinations(range(len(side)), 2)
        for u in nodes(side, i)
        for v in nodes(side, j)
    }


def node_credit(own: Node, other: Node, credit: Credits) -> Fraction:
    """1 for a mention on both sides, delta_ij for aligned accommodated sets, else 0."""
    if own[0] == other[0] == "mention":
        return Fraction(own[1] == other[1])
    if own[0] == other[0] == "set":
        return credit.get((own[1], other[1]), Fraction(0))
    return Fraction(0)


def link_credit(own: Link, other: Link, credit: Credits) -> Fraction:
    """delta((k1, k2), (r1, r2)): the product of the nodes' credits, matched in either order."""
    k1, k2 = own
    r1, r2 = other
    return max(
        node_credit(k1, r1, credit) * node_credit(k2, r2, credit),
        node_credit(k1, r2, credit) * node_credit(k2, r1, credit),
    )


Links = Callable[[list[Flat]], set[Link]]


def blanc(links: Links, own: list[Flat], other: list[Flat], credit: Credits) -> Counts:
    """A half of BLANC: sum of delta over all pairs of a link of K and one of R, over |C_K|."""
    pairs = product(links(own), links(other))
    part = sum((link_credit(k, r, credit) for k, r in pairs), Fraction(0))
    return part, Fraction(len(links(own)))


def blanc_inside(links: Links, own: list[Flat], other: list[Flat], _credit: Credits) -> Counts:
    """A half of BLANC in its standard form: |C_K and C_R| over |C_K|."""
    return Fraction(len(links(own) & links(other))), Fraction(len(links(own)))


# Aligning accommodated sets


class Component(NamedTuple):
    """What is counted on a document, and inside a pair of sets; BLANC is the mean of two rows."""

    document: Count
    inside: Count


CEAF_M, CEAF_E = partial(ceaf, phi_m), partial(ceaf, phi_e)

ROWS: dict[str, list[Component]] = {
    "muc": [Component(muc, muc_inside)],
    "b3": [Component(b3, b3)],
    "ceafm": [Component(CEAF_M, CEAF_M)],
    "ceafe": [Component(CEAF_E, CEAF_E)],
    "lea": [Component(lea, lea)],
    "blanc": [
        Component(partial(blanc, links), partial(blanc_inside, links))
        for links in (coreference_links, non_coreference_links)
    ],
}

CREDIT_IS_F1 = {"paper": frozenset[str](), "ua": frozenset({"ceafm", "ceafe", "blanc"})}


class EntityAlignment(NamedTuple):
    """What a row makes of two sets: the F1 to align them by, and the credits r_ij and p_ij."""

    similarity: Fraction
    recall: Fraction
    precision: Fraction


def count_inside(row: Component, own: Accommodated, other: Accommodated) -> Counts:
    """The row's counts on two sets, as if they were two tiny documents."""
    return row.inside([Flat(k) for k in own], [Flat(r) for r in other], {})


def credits_of_pair(
    name: str, key: Accommodated, response: Accommodated, convention: str
) -> list[EntityAlignment]:
    """Per row F1, R and P on two sets, undefined as 0, with the conventions' rules for gaps.

    A row without links on either side cannot score the sets. By the paper's convention it takes
    the other row's R and P, and the F1 is the mean of the rows' F1; if no row can score the sets,
    all is 1 for equal sets, else 0. By the ua convention of CEAF and BLANC each row has its own
    F1, which is also R and P, and is 1 for equal sets, else 0, if the row cannot score the sets.
    """
    equal = Fraction(key == response)
    scores = [
        score(count_inside(row, key, response), count_inside(row, response, key))
        for row in ROWS[name]
    ]
    if name in CREDIT_IS_F1[convention]:
        values = [equal if f is None else f for _, _, f in scores]
        return [EntityAlignment(value, value, value) for value in values]
    able = [one for one in scores if one[2] is not None]
    similarity = mean([f for _, _, f in able])
    if similarity is None:
        return [EntityAlignment(equal, equal, equal) for _ in scores]
    taken = [able[0] if one[2] is None else one for one in scores]
    return [EntityAlignment(similarity, r or Fraction(0), p or Fraction(0)) for r, p, _ in taken]


def in_document_order(side: list[Flat]) -> list[tuple[list[int], list[int]]]:
    """The side's entities as sorted mentions and sorted positions of the elements."""
    atomic = {k.mentions: position for position, k in enumerate(side) if not k.accommodated}
    return [
        (sorted(k.mentions), sorted(atomic[element] for element in k.accommodated)) for k in side
    ]


def partners(side: list[Flat], partner: dict[int, int]) -> list[float]:
    """The partner's position for each accommodated set of the side, infinity for none."""
    return [partner.get(i, math.inf) for i, k in enumerate(side) if k.accommodated]


def align(key: list[Flat], response: list[Flat], similarity: Credits) -> frozenset[Pair]:
    """The alignment tau: of all one-to-one choices of pairs with F1 > 0 the first by these rules.

    Largest sum of F1, then largest sum of n_ij, then first in document order, read from the side
    that is itself first.
    """
    key_is_read = in_document_order(key) <= in_document_order(response)

    def place(chosen: frozenset[Pair]) -> tuple[Fraction, int, list[float]]:
        return (
            -sum((similarity[pair] for pair in chosen), Fraction(0)),
            -sum(len(key[i].mentions & response[j].mentions) for i, j in chosen),
            partners(key, dict(chosen))
            if key_is_read
            else partners(response, {j: i for i, j in chosen}),
        )

    return min(one_to_one([pair for pair in similarity if similarity[pair] > 0]), key=place)


def align_rows(
    name: str, key: list[Flat], response: list[Flat], convention: str
) -> list[dict[Pair, EntityAlignment]]:
    """Per row the aligned pairs of entities with what the row makes of their sets."""
    alignment = {
        (i, j): credits_of_pair(name, k.accommodated, r.accommodated, convention)
        for i, k in enumerate(key)
        for j, r in enumerate(response)
        if k.accommodated and r.accommodated
    }
    rows = [{pair: alignment[pair][row] for pair in alignment} for row in range(len(ROWS[name]))]
    taus = [align(key, response, {pair: row[pair].similarity for pair in row}) for row in rows]
    return [{pair: row[pair] for pair in tau} for row, tau in zip(rows, taus, strict=True)]


# Scores


def mean_score(rows: list[RatioPair]) -> RatioPair:
    """The means over rows of recall, of precision and of F1, without rows that are all undefined.

    Where only one side of a row is undefined, that counts as 0, as in the published scorers; it is
    undefined in the mean only if it is so in every row.
    """
    recalls, precisions, f1s = (
        [row[column] for row in rows if row[2] is not None] for column in range(3)
    )
    return mean_unless_undefined(recalls), mean_unless_undefined(precisions), mean(f1s)


def mean_unless_undefined(values: list[Fraction | None]) -> Fraction | None:
    """The mean with undefined values as 0, undefined when all are."""
    return None if mean(values) is None else mean([value or Fraction(0) for value in values])


def oracle(
    key: Side, response: Side, *, convention: str = "paper", importance: int = 1
) -> dict[str, RatioPair]:
    """Recall, precision and F1 of every metric, on entities with their accommodated sets."""
    k, r = normalise(key), normalise(response)
    weighted = {**ROWS, "lea": [Component(partial(lea, importance=importance), lea)]}
    scores = {}
    for name, rows in weighted.items():
        taus = align_rows(name, k, r, convention)
        scores[name] = mean_score(
            [
                score(
                    row.document(k, r, {(i, j): tau[i, j].recall for i, j in tau}),
                    row.document(r, k, {(j, i): tau[i, j].precision for i, j in tau}),
                )
                for row, tau in zip(rows, taus, strict=True)
            ]
        )
    return scores


def count_split_only(row: Component, own: list[Flat], other: list[Flat], tau: set[Pair]) -> Counts:
    """Numerators over aligned pairs of sets, denominators over all sets of the own side."""
    pairs = [(own[i].accommodated, other[j].accommodated) for i, j in tau]
    sets = [k.accommodated for k in own if k.accommodated]
    return (
        sum((count_inside(row, k, r)[0] for k, r in pairs), Fraction(0)),
        sum((count_inside(row, k, frozenset())[1] for k in sets), Fraction(0)),
    )


def oracle_split_only(
    key: Side, response: Side, *, convention: str = "paper"
) -> dict[str, RatioPair]:
    """Recall, precision and F1 of every metric, on the aligned accommodated sets alone."""
    k, r = normalise(key), normalise(response)
    scores = {}
    for name, rows in ROWS.items():
        taus = align_rows(name, k, r, convention)
        scores[name] = mean_score(
            [
                score(
                    count_split_only(row, k, r, set(tau)),
                    count_split_only(row, r, k, {(j, i) for i, j in tau}),
                )
                for row, tau in zip(rows, taus, strict=True)
            ]
        )
    return scores
