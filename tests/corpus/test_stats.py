"""What is counted in a corpus."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anascore
from anascore import Corpus, Document, Entity, Mention, Settings
from anascore.corpus.stats import (
    FileStatistics,
    Statistics,
    Stats,
    document_stats,
    overlapping,
)
from anascore.entities.normalisation import REPEATED, normalise
from support.shared import CORPORA, Lazy, each_corpus


def spans(*words: tuple[int, int]) -> list[Mention]:
    return [Mention((span,)) for span in words]


@pytest.mark.parametrize(
    ("mentions", "nested", "crossing"),
    [
        pytest.param(spans((0, 1), (1, 2)), 0, 0, id="apart"),
        pytest.param(spans((0, 3), (1, 2)), 1, 0, id="nested"),
        pytest.param(spans((0, 3), (0, 2), (1, 3)), 2, 2, id="two in one that cross each other"),
        pytest.param(spans((0, 2), (1, 3)), 0, 2, id="crossing"),
        pytest.param(spans((0, 3), (0, 3)), 0, 0, id="the same"),
        pytest.param(spans((0, 9), (1, 8), (2, 7)), 2, 0, id="deeply nested"),
        pytest.param(spans((0, 4), (1, 6), (5, 8)), 0, 3, id="a row of crossings"),
        pytest.param([Mention(((0, 2),)), Mention((), ((1, 1),))], 1, 0, id="a zero inside"),
    ],
)
def test_mentions_overlap(mentions: list[Mention], nested: int, crossing: int) -> None:
    assert overlapping(mentions) == (nested, crossing)


SPANS = st.tuples(st.integers(0, 8), st.integers(1, 5)).map(lambda p: (p[0], p[0] + p[1]))


@given(st.lists(SPANS, max_size=12))
def test_overlaps_are_those_found_pair_by_pair(words: list[tuple[int, int]]) -> None:
    nested = sum(any(b != a and b[0] <= a[0] and a[1] <= b[1] for b in words) for a in words)
    crossing = sum(
        any(a[0] < b[0] < a[1] < b[1] or b[0] < a[0] < b[1] < a[1] for b in words) for a in words
    )

    assert overlapping(spans(*words)) == (nested, crossing)


def test_a_document() -> None:
    entities = [
        Entity(spans((0, 1), (4, 6))),
        Entity(spans((1, 2))),
        Entity(spans((2, 3), (3, 4)), [0, 1]),
        Entity([Mention(((0, 1), (2, 3)))], [2, 4]),
        Entity([Mention((), ((3, 1),))]),
    ]
    document = Document("d", ["w"] * 9, entities, zeros=[(3, 1)], sentences=[0, 4], notes={"x": 2})

    stats = document_stats(document)

    assert (stats.documents, stats.words, stats.sentences) == (1, 9, 2)
    assert (stats.mentions, stats.entities, stats.singletons) == (7, 5, 2)
    assert (stats.accommodated_sets, stats.nested_sets, stats.split_mentions) == (2, 1, 3)
    assert (stats.zeros, stats.zero_mentions, stats.discontinuous_mentions) == (1, 1, 1)
    assert stats.chain_lengths == Counter({2: 2, 1: 3})
    assert stats.set_sizes == Counter({2: 1, 3: 1})
    assert (stats.entity_share, stats.mention_share, stats.mean_length) == (2 / 5, 3 / 7, 7 / 5)
    assert stats.anaphor_share == 2 / 7
    assert (stats + stats).left_out == {"x": 4}


def test_entities_are_counted_as_they_are_scored() -> None:
    """Equal sets are one entity, and so are sets that become equal when sets in them are undone."""
    entities = [
        Entity(spans((0, 1))),
        Entity(spans((1, 2))),
        Entity(spans((2, 3)), [0, 1]),
        Entity(spans((3, 4)), [0, 1]),
        Entity(spans((4, 5)), [0, 2]),
        Entity(spans((5, 6), (0, 1))),
        Entity([]),
    ]
    document = Document("d", ["w"] * 9, entities, deixis=entities[:4])

    stats = document_stats(document)

    corpus = Corpus({"d": document})
    scored = anascore.score(corpus, corpus, metrics="muc").total.key
    assert (stats.mentions, stats.entities, stats.accommodated_sets) == (6, 4, 1)
    assert scored == {name: getattr(stats, name) for name in scored}
    assert (stats.split_mentions, stats.set_sizes) == (3, Counter({2: 1}))
    assert (stats.deixis_entities, stats.deixis_mentions, stats.deixis_sets) == (3, 4, 1)
    assert stats.left_out == {REPEATED: 1}


def test_results_are_no_sets() -> None:
    entities = [
        Entity(spans((0, 1))),
        Entity(spans((1, 2))),
        Entity(spans((2, 3)), [0, 1], relation="result"),
        Entity(spans((3, 4)), [0, 1], relation="result"),
        Entity(spans((4, 5), (5, 6)), [0, 2]),
    ]

    stats = document_stats(Document("d", ["w"] * 9, entities))

    assert (stats.results, stats.accommodated_sets, stats.nested_sets) == (2, 1, 0)
    assert (stats.singletons, stats.split_mentions, stats.set_sizes) == (2, 2, Counter({2: 1}))
    assert stats.entity_share == 1 / 5


def test_generic_mentions_are_also_counted_one_by_one() -> None:
    entities = [
        Entity(spans((0, 1)), name="Ross"),
        Entity(spans((1, 2)), name="Rachel"),
        Entity(spans((2, 3), (3, 4)), name="#GENERAL#"),
        Entity(spans((4, 5)), name="#ALL# + #OTHER#"),
        Entity(spans((5, 6)), [0, 1], name="Rachel + Ross"),
        Entity(spans((6, 7)), [0], name="Ross + others"),
    ]

    stats = document_stats(Document("d", ["w"] * 9, entities))

    assert (stats.entities, stats.generic_entities, stats.generic_mentions) == (6, 2, 3)
    assert (stats.entity_share, stats.entity_share_generic_apart) == (2 / 6, 1 / 7)


RARE_LINES = ("generic label", "generic mention", "results of others")


@pytest.mark.parametrize("shown", [False, True])
def test_rare_numbers_are_shown_only_where_there_are_some(*, shown: bool) -> None:
    stats = Stats(generic_mentions=2, generic_entities=1, results=1) if shown else Stats()

    text = Statistics((FileStatistics("f", "ua", "words", {"d": stats}),)).table()

    assert all((line in text) is shown for line in RARE_LINES)


def test_nothing_has_no_shares() -> None:
    assert Stats().entity_share_generic_apart is None
    assert (Stats().entity_share, Stats().mention_share, Stats().mean_length) == (None, None, None)
    assert Stats().anaphor_share is None


@each_corpus()
def test_sums_over_documents(corpus: Lazy[Corpus]) -> None:
    documents = corpus().documents.values()

    stats = sum(map(document_stats, documents), Stats())

    sides = [normalise(document.entities, Settings()) for document in documents]
    entities = [entity for side in sides for entity in side.entities]
    sets = [entity for entity in entities if entity.is_set]
    nested = [
        entity
        for document in documents
        for entity in document.entities
        if any(document.entities[element].elements for element in entity.elements)
    ]
    assert (stats.documents, stats.entities) == (len(documents), len(entities))
    assert stats.words == sum(len(document.words) for document in documents)
    assert stats.mentions == sum(len(entity.mentions) for entity in entities)
    assert stats.accommodated_sets == len(sets)
    assert 0 < stats.nested_sets <= len(nested) or not nested
    assert stats.split_mentions == sum(len(entity.mentions) for entity in sets)


@pytest.mark.corpora
def test_friends() -> None:
    corpus = anascore.read(CORPORA / "friends" / "dev.json")

    stats = sum(map(document_stats, corpus.documents.values()), Stats())

    assert (stats.documents, stats.mentions, stats.entities) == (122, 3932, 753)
    assert (stats.accommodated_sets, stats.split_mentions) == (162, 408)
    assert (stats.generic_entities, stats.generic_mentions) == (89, 264)
    assert stats.entity_share_generic_apart == 134 / 928


@pytest.mark.corpora
def test_rucoco() -> None:
    corpus = anascore.read(CORPORA / "rucoco")

    stats = sum(map(document_stats, corpus.documents.values()), Stats())

    assert (stats.documents, stats.mentions, stats.entities) == (200, 11480, 2885)
    assert (stats.accommodated_sets, stats.nested_sets) == (283, 21)
