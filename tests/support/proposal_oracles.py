"""A slow, literal oracle of the earlier proposals for split antecedents.

Written from the spec and section 6 of the paper alone: every one-to-one assignment is tried out,
every link is listed. Nothing here is shared with the library. Meant for up to six entities a side,
each with a mention, no mention in two entities, no two entities with equal sets; the oracle of
RuCoCo's LEA takes both.
"""

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations, product

from support.metric_oracles import (
    Counts,
    Credits,
    Flat,
    Mentions,
    Pair,
    Side,
    atoms,
    lea,
    normalise,
)

# Found and whole for recall, found and whole for precision.
Both = tuple[Counts, Counts]

# The mentions of elements that are marked as antecedents, by the position of the entity.
Marks = dict[int, Mentions]

# The marked mentions of each atomic element of a set.
Antecedents = dict[Mentions, Mentions]


def assignments(rows: int, columns: int) -> Iterator[list[Pair]]:
    """Every one-to-one assignment that gives each of the fewer ones a partner."""
    if rows <= columns:
        for chosen in permutations(range(columns), rows):
            yield list(enumerate(chosen))
    else:
        for chosen in permutations(range(rows), columns):
            yield [(i, j) for j, i in enumerate(chosen)]


# Vala et al. 2016, Yu et al. 2020


def right_elements(key: list[Mentions], response: list[Mentions]) -> int:
    """The pairs with shared mentions in the one-to-one match that shares the most mentions.

    Of several such matches the one with the most pairs counts.
    """
    best = (0, 0)
    for chosen in assignments(len(key), len(response)):
        shared = [len(key[i] & response[j]) for i, j in chosen]
        best = max(best, (sum(shared), sum(number > 0 for number in shared)))
    return best[1]


def links(key: Side, response: Side) -> dict[str, tuple[int, int, int]]:
    """Right, key and response links of gold anaphors; anaphors that are complete, all, resolved.

    The anaphor is the first mention of a key entity with a set.
    """
    right, in_key, in_response = 0, 0, 0
    complete, anaphors, resolved = 0, 0, 0
    for k in normalise(key):
        if not k.accommodated:
            continue
        anaphor = min(k.mentions)
        found: list[Mentions] = []
        for r in normalise(response):
            if anaphor in r.mentions:
                found = list(r.accommodated)
        number = right_elements(list(k.accommodated), found)
        right += number
        in_key += len(k.accommodated)
        in_response += len(found)
        complete += number == len(k.accommodated) == len(found)
        anaphors += 1
        resolved += len(found) > 0
    return {
        "links": (right, in_key, in_response),
        "links-complete": (complete, anaphors, resolved),
    }


# Zhou and Choi 2018


def overlapping_clusters(side: Side) -> list[Mentions]:
    """The atomic entities, each with all mentions of all entities that have it as an element."""
    entities = normalise(side)
    return [
        atomic.mentions.union(
            *(entity.mentions for entity in entities if atomic.mentions in entity.accommodated)
        )
        for atomic in entities
        if not atomic.accommodated
    ]


def mentions_of(clusters: list[Mentions]) -> Mentions:
    """All mentions of a side."""
    return frozenset().union(*clusters)


def cluster_of(mention: int, clusters: list[Mentions]) -> Mentions:
    """The union of all clusters that the mention is in; empty when there are none."""
    return frozenset().union(*(cluster for cluster in clusters if mention in cluster))


def zhou_choi_b3(own: list[Mentions], other: list[Mentions]) -> Counts:
    """Sum over mentions m of |K(m) and R(m)| / |K(m)|, over the number of mentions."""
    part = Fraction(0)
    for mention in mentions_of(own):
        k, r = cluster_of(mention, own), cluster_of(mention, other)
        part += Fraction(len(k & r), len(k))
    return part, Fraction(len(mentions_of(own)))


def phi(k: Mentions, r: Mentions) -> Fraction:
    """Similarity of CEAF-E: 2 |k and r| / (|k| + |r|)."""
    return Fraction(2 * len(k & r), len(k) + len(r))


def zhou_choi_ceafe(own: list[Mentions], other: list[Mentions]) -> Counts:
    """Max over one-to-one g of sum of phi(k, g(k)), over the number of clusters."""
    part = max(
        sum((phi(own[i], other[j]) for i, j in g), Fraction(0))
        for g in assignments(len(own), len(other))
    )
    return part, Fraction(len(own))


def all_links(clusters: list[Mentions]) -> set[Mentions]:
    """Every two mentions of the side."""
    return {frozenset(two) for two in combinations(mentions_of(clusters), 2)}


def coreference_links(clusters: list[Mentions]) -> set[Mentions]:
    """Every two mentions that are together in a cluster."""
    return {frozenset(two) for cluster in clusters for two in combinations(cluster, 2)}


def non_coreference_links(clusters: list[Mentions]) -> set[Mentions]:
    """Every two mentions of the side that are together in no cluster."""
    return all_links(clusters) - coreference_links(clusters)


def common_links(own: set[Mentions], other: set[Mentions]) -> Counts:
    """|C_K and C_R| over |C_K|."""
    return Fraction(len(own & other)), Fraction(len(own))


def zhou_choi(key: Side, response: Side) -> dict[str, Both | tuple[Both, Both]]:
    """The counts of each metric on overlapping clusters; BLANC's of its C and of its N links."""
    k, r = overlapping_clusters(key), overlapping_clusters(response)
    c_k, c_r = coreference_links(k), coreference_links(r)
    n_k, n_r = non_coreference_links(k), non_coreference_links(r)
    return {
        "zhou-choi-b3": (zhou_choi_b3(k, r), zhou_choi_b3(r, k)),
        "zhou-choi-ceafe": (zhou_choi_ceafe(k, r), zhou_choi_ceafe(r, k)),
        "zhou-choi-blanc": (
            (common_links(c_k, c_r), common_links(c_r, c_k)),
            (common_links(n_k, n_r), common_links(n_r, n_k)),
        ),
    }


# Yu et al. 2021


def align_regular(key: list[Mentions], response: list[Mentions]) -> set[tuple[Mentions, Mentions]]:
    """The assignment of CEAF-E, without pairs that share nothing.

    Of several best ones that in which the first key entity has the earliest partner, then the
    second and so on, no partner coming last.
    """

    def place(g: list[Pair]) -> tuple[Fraction, list[float]]:
        partner = {i: j for i, j in g if key[i] & response[j]}
        return (
            -sum((phi(key[i], response[j]) for i, j in g), Fraction(0)),
            [partner.get(i, math.inf) for i in range(len(key))],
        )

    best = min(assignments(len(key), len(response)), key=place)
    return {(key[i], response[j]) for i, j in best if key[i] & response[j]}


def antecedents(side: Side, marks: Marks, i: int) -> Antecedents:
    """The marked mentions of each atomic element of entity i; none where no mention is marked.

    A marked mention of an element that is a set itself stands for those that this set marks.
    """
    _, elements = side[i]
    found = dict.fromkeys(atoms(side, i), Mentions())
    for element in elements:
        mentions, nested = side[element]
        marked = marks.get(i, Mentions()) & mentions
        below = antecedents(side, marks, element) if nested else {mentions: marked}
        for atom in below if marked else ():
            found[atom] |= below[atom]
    return found


def antecedents_of_sets(side: Side, marks: Marks, entities: list[Flat]) -> list[Antecedents]:
    """The same for entities after normalisation, which have no equal sets; no set, nothing."""
    found = {
        atoms(side, i): antecedents(side, marks, i)
        for i, (_, elements) in enumerate(side)
        if elements
    }
    return [found.get(entity.accommodated, {}) for entity in entities]


def number(marked: Mentions) -> int:
    """An element counts as many antecedents as it has marked mentions, or as one."""
    return len(marked) if marked else 1


def common_antecedents(
    own: Antecedents, other: Antecedents, aligned: set[tuple[Mentions, Mentions]]
) -> int:
    """The antecedents that both sets have, mapped through the alignment of their elements.

    Marked mentions of aligned elements are paired one to one. An element of which the other side
    marks no mention is found with all its antecedents.
    """
    common = 0
    for k, r in product(own, other):
        if (k, r) in aligned:
            both = own[k] and other[r]
            common += len(list(zip(own[k], other[r], strict=False))) if both else number(own[k])
    return common


def align_sets(
    own: list[Flat],
    other: list[Flat],
    sets: tuple[list[Antecedents], list[Antecedents]],
    aligned: set[tuple[Mentions, Mentions]],
) -> dict[Pair, int]:
    """For each own set the other set with the most in common, and how much that is.

    Then the one whose entity shares the most mentions, then the earliest; none with nothing in
    common.
    """
    common = {}
    for i, k in enumerate(own):
        candidates = []
        for j, r in enumerate(other):
            both = common_antecedents(sets[0][i], sets[1][j], aligned)
            if both > 0:
                candidates.append((-both, -len(k.mentions & r.mentions), j))
        if candidates:
            most, _, j = min(candidates)
            common[i, j] = -most
    return common


def lea_2021_one_way(
    own: list[Flat],
    other: list[Flat],
    sets: tuple[list[Antecedents], list[Antecedents]],
    aligned: set[tuple[Mentions, Mentions]],
) -> tuple[Counts, Counts]:
    """The counts of LEA with credits, and those of the sets alone, in one direction."""
    common = align_sets(own, other, sets, aligned)
    sizes = [sum(number(marked) for marked in found.values()) for found in sets[0]]
    credit: Credits = {(i, j): Fraction(common[i, j], sizes[i]) for i, j in common}
    return lea(own, other, credit), (Fraction(sum(common.values())), Fraction(sum(sizes)))


def lea_2021(
    key: Side, response: Side, key_marks: Marks, response_marks: Marks
) -> tuple[Both, Both]:
    """The counts of LEA with credits, recall and precision, then those of the sets alone."""
    k, r = normalise(key), normalise(response)
    of_key = antecedents_of_sets(key, key_marks, k)
    of_response = antecedents_of_sets(response, response_marks, r)
    aligned = align_regular(
        [entity.mentions for entity in k if not entity.accommodated],
        [entity.mentions for entity in r if not entity.accommodated],
    )
    back = {(two, one) for one, two in aligned}
    recall, recall_alone = lea_2021_one_way(k, r, (of_key, of_response), aligned)
    precision, precision_alone = lea_2021_one_way(r, k, (of_response, of_key), back)
    return (recall, precision), (recall_alone, precision_alone)


# RuCoCo 2023


def atomic_positions(side: Side, i: int) -> set[int]:
    """The positions of the atomic entities that entity i stands for, through any nesting."""
    _, elements = side[i]
    if not elements:
        return {i}
    return {atom for element in elements for atom in atomic_positions(side, element)}


def child_mentions(side: Side, i: int) -> Mentions:
    """All mentions of the immediate elements and of the atomic ones below them."""
    _, elements = side[i]
    children = set(elements)
    for element in elements:
        children |= atomic_positions(side, element)
    return frozenset().union(*(side[child][0] for child in children))


def lea_rucoco_one_way(own: Side, other: Side) -> Counts:
    """Sum of importance times resolution over the sum of importance, of entities and of sets."""
    part, whole = Fraction(0), Fraction(0)
    for mentions, _ in own:
        if len(mentions) >= 2:
            every = list(combinations(sorted(mentions), 2))
            found = [two for two in every if any(r.issuperset(two) for r, _ in other)]
            part += len(mentions) * Fraction(len(found), len(every))
            whole += len(mentions)
    for i, (mentions, elements) in enumerate(own):
        if elements:
            children = child_mentions(own, i)
            pairs = list(product(mentions, children))
            held = [
                (mention, child)
                for mention, child in pairs
                if any(
                    mention in r and child in child_mentions(other, j)
                    for j, (r, _) in enumerate(other)
                )
            ]
            part += len(children) * Fraction(len(held), len(pairs))
            whole += len(children)
    return part, whole


def lea_rucoco(key: Side, response: Side) -> Both:
    """The counts of recall and of precision, on the sides as they are, nested sets kept."""
    return lea_rucoco_one_way(key, response), lea_rucoco_one_way(response, key)
