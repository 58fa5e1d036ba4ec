"""Random documents for property tests."""

import random

from hypothesis import strategies as st

from anascore import Entity, Mention
from anascore.model.document import RelationName
from anascore.model.mention import make_mention
from support.metric_oracles import Side

Entities = list[Entity[Mention]]

ENTITIES = 6
MENTIONS = 12


def sides(*, sets: bool = True) -> st.SearchStrategy[Side]:
    """Draw a side: entities over some of the mentions, some with (nested) accommodated sets."""
    return st.randoms(use_true_random=False).map(lambda rng: random_side(rng, sets=sets))


def pairs_of_sides(*, sets: bool = True) -> st.SearchStrategy[tuple[Side, Side]]:
    """Draw a key and a response that is often a damaged copy of it."""
    return st.randoms(use_true_random=False).map(lambda rng: random_pair(rng, sets=sets))


def pairs_of_rich_entities() -> st.SearchStrategy[tuple[Entities, Entities]]:
    """Draw entities with mentions of all shapes, which may be in several entities at once."""
    return st.randoms(use_true_random=False).map(
        lambda rng: (random_rich_entities(rng), random_rich_entities(rng))
    )


def random_rich_entities(rng: random.Random) -> Entities:
    """Make entities of words, longer and discontinuous mentions, and zeros, with nested sets."""
    entities: Entities = []
    for _ in range(rng.randint(1, 6)):
        mentions = [random_mention(rng) for _ in range(rng.randint(0, 3))]
        number = rng.choice([0, 0, 1, 2]) if entities else 0
        elements = rng.sample(range(len(entities)), min(number, len(entities)))
        entities.append(Entity(mentions, elements))
    return entities


def pairs_of_plain_entities() -> st.SearchStrategy[tuple[Entities, Entities]]:
    """Draw entities with mentions of all shapes but zeros, each of them once."""
    return st.randoms(use_true_random=False).map(
        lambda rng: (random_plain_entities(rng), random_plain_entities(rng))
    )


def random_plain_entities(rng: random.Random) -> Entities:
    """Make entities without sets and repetitions; some are empty."""
    mentions = {mention for _ in range(20) if not (mention := random_mention(rng)).is_zero}
    entities: list[list[Mention]] = [[] for _ in range(rng.randint(1, 6))]
    for mention in sorted(mentions):
        rng.choice(entities).append(mention)
    return [Entity(own) for own in entities]


def pairs_of_overlapping_entities() -> st.SearchStrategy[tuple[Entities, Entities]]:
    """Draw entities of few mentions, many of them in several entities, with sets and results."""
    return st.randoms(use_true_random=False).map(
        lambda rng: (random_overlapping_entities(rng), random_overlapping_entities(rng))
    )


def random_overlapping_entities(rng: random.Random) -> Entities:
    """Make entities that share mentions, minimum spans apart; some are results of others."""
    entities: Entities = []
    for _ in range(rng.randint(2, 6)):
        mentions = [random_span(rng) for _ in range(rng.randint(1, 2))]
        number = rng.choice([0, 0, 1, 2]) if entities else 0
        elements = rng.sample(range(len(entities)), min(number, len(entities)))
        relation: RelationName = rng.choice(["set", "result"]) if elements else "set"
        entities.append(Entity(mentions, elements, relation=relation))
    return entities


def random_span(rng: random.Random) -> Mention:
    """Choose one of few spans, with one of few minimum spans, or none."""
    start = rng.randrange(3)
    words = ((start, start + rng.randint(1, 2)),)
    (_, end), first = words[0], rng.choice([None, start, start + 1])
    minimum = ((first, first + 1),) if first is not None and first < end else ()
    return make_mention(words, (), minimum)


def random_mention(rng: random.Random) -> Mention:
    """Choose one of few mentions, so that they often meet."""
    start = rng.randrange(4)
    return rng.choice(
        [
            Mention(((start, start + 1),)),
            Mention(((start, start + 2),)),
            Mention(((start, start + 1), (start + 2, start + 3))),
            Mention((), ((start, 1),)),
            Mention(((start, start + 1),), ((start + 1, 1),)),
            Mention((), ((start, 1), (start, 2))),
        ]
    )


def random_side(rng: random.Random, *, sets: bool = True) -> Side:
    """Make a side of up to ENTITIES entities over up to MENTIONS mentions."""
    mentions: list[set[int]] = [set() for _ in range(rng.randint(1, ENTITIES))]
    for mention in range(rng.randint(1, MENTIONS)):
        if rng.random() < 0.85:
            rng.choice(mentions).add(mention)
    found = [frozenset(entity) for entity in mentions if entity]
    elements = [frozenset[int]() for _ in found]
    order = rng.sample(range(len(found)), len(found))
    for rank, entity in enumerate(order):
        if sets and rank and rng.random() < 0.5:
            number = rng.randint(1, min(3, rank))
            elements[entity] = frozenset(rng.sample(order[:rank], number))
    return list(zip(found, elements, strict=True))


def random_tied_side(rng: random.Random) -> Side:
    """Make a side of few atomic entities and many sets of them, so that alignments often tie."""
    atoms: Side = [(frozenset({mention}), frozenset()) for mention in range(3)]
    anaphors = rng.sample(range(3, 11), rng.randint(1, 4))
    return atoms + [
        (frozenset({mention}), frozenset(rng.sample(range(3), rng.randint(1, 2))))
        for mention in anaphors
    ]


def random_pair(rng: random.Random, *, sets: bool = True) -> tuple[Side, Side]:
    """Make a key and a response."""
    if sets and rng.random() < 0.4:
        return random_tied_side(rng), random_tied_side(rng)
    key = random_side(rng, sets=sets)
    if rng.random() < 0.4:
        return key, random_side(rng, sets=sets)
    return key, damaged(key, rng)


def damaged(side: Side, rng: random.Random) -> Side:
    """Move some mentions to other entities, lose some, and take elements out of sets."""
    mentions = [set(found) for found, _ in side]
    for _ in range(rng.randint(0, 3) if side else 0):
        source, target = rng.choice(mentions), rng.choice(mentions)
        if len(source) > 1:
            moved = rng.choice(sorted(source))
            source.discard(moved)
            if rng.random() < 0.7:
                target.add(moved)
    return [
        (frozenset(found), frozenset(e for e in sorted(elements) if rng.random() < 0.8))
        for found, (_, elements) in zip(mentions, side, strict=True)
    ]
