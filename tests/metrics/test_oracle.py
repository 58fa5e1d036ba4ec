"""The library against the slow literal oracle, on thousands of random documents."""

import random

import pytest

from anascore import assignment
from anascore.entities.normalisation import normalise
from anascore.layers.counts import LayerCounts
from anascore.layers.document import compare_sides
from anascore.layers.entities import count_entities
from anascore.metrics.scores import METRICS
from anascore.model.ratio import averaged
from anascore.settings import Convention, Settings
from support.documents import document_of
from support.metric_oracles import Side, oracle, oracle_split_only
from support.strategies import random_pair

CHUNKS = 16
DOCUMENTS = 125
"""In each chunk, so that 2,000 documents are compared by six metrics in two conventions."""


def counted(key: Side, response: Side, settings: Settings) -> LayerCounts:
    ours, theirs = (normalise(document_of(side).entities, settings) for side in (key, response))
    return count_entities(compare_sides(ours, theirs, settings), METRICS, settings)


@pytest.mark.parametrize("convention", ["paper", "ua"])
@pytest.mark.parametrize("seed", range(CHUNKS))
def test_equals_the_oracle(seed: int, convention: Convention) -> None:
    rng = random.Random(seed)
    for _ in range(DOCUMENTS):
        key, response = random_pair(rng)
        settings = Settings(convention=convention, lea_importance=rng.choice([1, 10]))

        found = counted(key, response, settings)

        scores = {name: averaged(found.scores[name]) for name in METRICS}
        importance = settings.lea_importance
        expected = oracle(key, response, convention=convention, importance=importance)
        assert scores == expected, (key, response)
        sets = {name: averaged(found.split_only[name]) for name in METRICS}
        assert sets == oracle_split_only(key, response, convention=convention), (key, response)


@pytest.mark.parametrize("convention", ["paper", "ua"])
@pytest.mark.parametrize("dense", [0, assignment.DENSE])
@pytest.mark.parametrize("seed", range(CHUNKS // 2))
def test_equals_the_oracle_where_scipy_solves_all_tables(
    seed: int, dense: int, convention: Convention, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assignment, "SMALL", 0)
    monkeypatch.setattr(assignment, "DENSE", dense)
    rng = random.Random(seed)
    for _ in range(DOCUMENTS // 4):
        key, response = random_pair(rng)

        found = counted(key, response, Settings(convention=convention))

        scores = {name: averaged(found.scores[name]) for name in METRICS}
        assert scores == oracle(key, response, convention=convention), (key, response)
        sets = {name: averaged(found.split_only[name]) for name in METRICS}
        assert sets == oracle_split_only(key, response, convention=convention), (key, response)
