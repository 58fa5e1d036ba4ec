"""Agreement among annotators: chains and categories against an oracle written from the spec."""

from collections.abc import Sequence
from itertools import combinations, product
from random import Random
from typing import get_args

import pytest

import agreement_oracle as oracle
from anascore.analysis import alpha as alpha_module
from anascore.analysis.alpha import (
    AlphaOptions,
    ChainAgreement,
    ChainChoice,
    DistanceName,
    ItemChoice,
    ItselfChoice,
    add_agreements,
    chain_agreement,
)
from anascore.analysis.categories import add_categories, category_agreement
from anascore.model.document import Entity
from anascore.model.mention import Mention
from anascore.prepare.normalise import normalise
from anascore.prepare.side import Side
from anascore.settings import Settings

OPTIONS: list[oracle.Options] = [
    oracle.Options(distance=distance, items=items, chain=chain, itself=itself)
    for distance, items, chain, itself in product(
        get_args(DistanceName),
        get_args(ItemChoice),
        get_args(ChainChoice),
        get_args(ItselfChoice),
    )
]


def side_of(annotation: oracle.Annotation) -> Side:
    """Return the entities of an annotation as they are compared."""
    entities = [
        Entity(tuple(Mention((span,)) for span in sorted(mentions)), tuple(sorted(elements)))
        for mentions, elements in annotation
    ]
    return normalise(entities, Settings())


def chains(annotations: Sequence[oracle.Annotation], options: AlphaOptions) -> ChainAgreement:
    return chain_agreement([*map(side_of, annotations)], options)


def drawn(seed: int, number: int) -> list[list[oracle.Annotation]]:
    """Draw documents, each annotated by the same number of annotators."""
    random = Random(seed)
    annotators = random.randint(2, 4)
    return [oracle.random_annotations(random, annotators) for _ in range(number)]


@pytest.mark.parametrize("seed", range(100))
def test_alpha_is_that_of_the_oracle(seed: int) -> None:
    documents = drawn(seed, 10)
    # In a hundred rounds of ten documents, each combination has its turn several times.
    for keywords in OPTIONS[seed % 20 :: 20]:
        counted = [chains(document, AlphaOptions(**keywords)) for document in documents]
        for document, agreement in zip(documents, counted, strict=True):
            expected = oracle.sums(document, **keywords)
            assert agreement.chains.values == expected.n
            assert agreement.chains.observed == expected.observed
            assert agreement.split.values == expected.n_split
            assert agreement.split.observed == expected.observed_split
            if expected.n:
                assert agreement.chains.expected * (expected.n - 1) == expected.expected
                assert agreement.split.expected * (expected.n - 1) == expected.expected_split
        whole = add_agreements(counted)
        assert whole.chains.alpha == oracle.alpha(documents, **keywords)
        assert whole.split.alpha == oracle.alpha_split(documents, **keywords)


def test_chunks_do_not_change_alpha(monkeypatch: pytest.MonkeyPatch) -> None:
    (document,) = drawn(3, 1)
    options = AlphaOptions(chain="preceding")
    whole = chains(document, options)
    monkeypatch.setattr(alpha_module, "CHUNK", 3)
    assert chains(document, options) == whole


@pytest.mark.parametrize("seed", range(60))
def test_categories_are_those_of_the_oracle(seed: int) -> None:
    random = Random(seed)
    annotators = random.randint(2, 4)
    sizes: dict[ItemChoice, int] = {"shared": 2, "common": annotators}
    for which, required in sizes.items():
        rows = []
        counted = []
        for _ in range(3):
            document = oracle.random_annotations(random, annotators)
            nonreferring = oracle.random_nonreferring(random, document)
            tables = [
                oracle.categories(annotation, spans)
                for annotation, spans in zip(document, nonreferring, strict=True)
            ]
            rows += oracle.rows_of(tables, which)
            mentions = [[Mention((span,)) for span in spans] for spans in nonreferring]
            counted.append(category_agreement([*map(side_of, document)], mentions, required))
        agreement = add_categories(counted)
        assert agreement.items.total() == len(rows)
        assert agreement.alpha == oracle.nominal_alpha(rows)
        for pair in combinations(range(annotators), 2):
            assert agreement.cohen(pair) == oracle.cohen(rows, *pair)
            assert agreement.pair_agreement(pair) == oracle.percentage_agreement(rows, *pair)
            assert dict(agreement.confusions[pair]) == dict(oracle.confusion(rows, *pair))
        if agreement.is_complete:
            assert agreement.fleiss == oracle.fleiss(rows)
        else:
            assert agreement.fleiss is None
