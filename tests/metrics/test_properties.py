"""What must hold for every metric, whatever the documents."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anascore import Corpus, Document, Entity, Mention, Result
from anascore.comparison import Key, count
from anascore.entities.normalisation import normalise
from anascore.layers.document import compare_sides
from anascore.layers.entities import count_entities
from anascore.metrics.scores import METRICS
from anascore.model.mention import make_mention
from anascore.results.result import Scores, scores_from_counts
from anascore.settings import CHOICES, Settings
from anascore.tasks import build_request
from support.documents import document_of
from support.metric_oracles import Side, oracle
from support.strategies import (
    Entities,
    pairs_of_overlapping_entities,
    pairs_of_rich_entities,
    pairs_of_sides,
    sides,
)

CONVENTIONS = ["paper", "ua"]

both_conventions = pytest.mark.parametrize("convention", CONVENTIONS)
often = settings(max_examples=150)


def result_of(keys: dict[str, Document], responses: dict[str, Document], **choices: Any) -> Result:
    """Score documents that are given by name."""
    key, response = Corpus(keys), Corpus(responses)
    return count(Key.of(key, build_request(**choices)).compare("response", response))


def score(key: Side, response: Side, convention: str, *, before: int = 0) -> Result:
    """Score one document, with so many words before it."""
    documents = (document_of(side, before=before) for side in (key, response))
    ours, theirs = ({"d": document} for document in documents)
    return result_of(ours, theirs, convention=convention)


def swapped(scores: Scores) -> dict[str, tuple[float | None, ...]]:
    return {name: (values.precision, values.recall, values.f1) for name, values in scores.items()}


def shuffled(entities: Sequence[Entity[Mention]], rng: random.Random) -> Document:
    """Put entities and mentions in another order, and give them other names."""
    order = rng.sample(range(len(entities)), len(entities))
    place = {old: new for new, old in enumerate(order)}
    mixed = [
        Entity(
            rng.sample(list(entities[old].mentions), len(entities[old].mentions)),
            rng.sample([place[e] for e in entities[old].elements], len(entities[old].elements)),
            f"entity {rng.random()}",
            relation=entities[old].relation,
        )
        for old in order
    ]
    return Document("d", ["w"] * 100, mixed)


@both_conventions
@often
@given(sides())
def test_key_against_itself_is_perfect_or_undefined(convention: str, key: Side) -> None:
    result = score(key, key, convention)

    for scores in result.scores, result.split_only:
        for name, values in scores.items():
            assert set(values) <= {1.0, None}, name


@both_conventions
@often
@given(pairs_of_sides())
def test_swapping_sides_swaps_recall_and_precision(
    convention: str, pair: tuple[Side, Side]
) -> None:
    key, response = pair

    there, back = score(key, response, convention), score(response, key, convention)

    assert swapped(back.scores) == there.scores
    assert swapped(back.split_only) == there.split_only


@both_conventions
@often
@given(pairs_of_sides(), st.randoms(use_true_random=False))
def test_order_and_names_change_nothing(
    convention: str, pair: tuple[Side, Side], rng: random.Random
) -> None:
    key, response = pair
    mixed = ({"d": shuffled(document_of(side).entities, rng)} for side in pair)

    result = result_of(*mixed, convention=convention)

    assert result.scores == score(key, response, convention).scores
    assert result.split_only == score(key, response, convention).split_only


@both_conventions
@often
@given(pairs_of_sides(), st.integers(1, 1000))
def test_words_before_the_document_change_nothing(
    convention: str, pair: tuple[Side, Side], before: int
) -> None:
    result = score(*pair, convention, before=before)

    assert result.scores == score(*pair, convention).scores
    assert result.split_only == score(*pair, convention).split_only


@often
@given(st.lists(pairs_of_sides(), min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_order_of_documents_changes_nothing(
    pairs: list[tuple[Side, Side]], rng: random.Random
) -> None:
    names = [f"d{number}" for number in range(len(pairs))]
    keys = {name: document_of(key) for name, (key, _) in zip(names, pairs, strict=True)}
    responses = {name: document_of(r) for name, (_, r) in zip(names, pairs, strict=True)}
    mixed = {name: responses[name] for name in rng.sample(names, len(names))}

    result = result_of(keys, mixed)

    backwards = result_of(dict(reversed(keys.items())), responses)
    assert result.scores == result_of(keys, responses).scores == backwards.scores
    assert list(result.documents) == names


@often
@given(st.lists(pairs_of_sides(), min_size=2, max_size=3))
def test_documents_are_added_up_before_they_are_divided(pairs: list[tuple[Side, Side]]) -> None:
    keys = {str(number): document_of(key) for number, (key, _) in enumerate(pairs)}
    responses = {str(number): document_of(r) for number, (_, r) in enumerate(pairs)}

    result = result_of(keys, responses, convention="ua")

    for name in METRICS:
        for row in range(len(METRICS[name].rows)):
            scores = [counted.scores[name][row] for counted in result.first.counted.values()]
            total = result.total.scores[name][row]
            assert total.recall.part == sum(score.recall.part for score in scores)
            assert total.recall.whole == sum(score.recall.whole for score in scores)
            assert total.precision.part == sum(score.precision.part for score in scores)
            assert total.precision.whole == sum(score.precision.whole for score in scores)


@often
@given(pairs_of_sides(sets=False))
def test_without_sets_every_metric_has_its_standard_form(pair: tuple[Side, Side]) -> None:
    result = score(*pair, "paper")

    for name, values in oracle(*pair).items():
        assert result.scores[name] == tuple(None if v is None else float(v) for v in values)
    assert result.scores == score(*pair, "ua").scores
    assert result.split_only == {}


@both_conventions
@often
@given(pairs_of_sides())
def test_scores_are_between_0_and_1(convention: str, pair: tuple[Side, Side]) -> None:
    result = score(*pair, convention)

    for scores in result.scores, result.split_only:
        for values in scores.values():
            assert all(value is None or 0 <= value <= 1 for value in values)
            assert all(type(value) in {float, type(None)} for value in values)


@both_conventions
@pytest.mark.parametrize("zeros", ["keep", "drop"])
@often
@given(pairs_of_rich_entities(), st.randoms(use_true_random=False))
def test_all_of_this_holds_for_mentions_of_any_shape_and_in_several_entities(
    convention: str, zeros: str, pair: tuple[Entities, Entities], rng: random.Random
) -> None:
    choices = {"convention": convention, "zeros": zeros}
    key, response = ({"d": Document("d", (), entities)} for entities in pair)
    mixed_key, mixed_response = ({"d": shuffled(entities, rng)} for entities in pair)

    result = result_of(key, response, **choices)

    assert result.scores == result_of(mixed_key, mixed_response, **choices, words="ignore").scores
    assert result.scores == swapped(result_of(response, key, **choices).scores)
    for values in result_of(key, key, **choices).scores.values():
        assert set(values) <= {1.0, None}


def scores_of(
    key: Sequence[Entity[Mention]], response: Sequence[Entity[Mention]], match: Any
) -> Scores:
    """Score entities in the convention of the paper, whether or not the key has minimum spans."""
    chosen = Settings(match=match)
    sides = [normalise(entities, chosen) for entities in (key, response)]
    counts = count_entities(
        compare_sides(sides[0], sides[1], chosen), [*METRICS, "mentions"], chosen
    )
    return scores_from_counts(counts.scores, METRICS)


@pytest.mark.parametrize("match", CHOICES["match"])
@often
@given(pairs_of_overlapping_entities(), st.randoms(use_true_random=False))
def test_order_changes_nothing_for_mentions_in_several_entities(
    match: Any, pair: tuple[Entities, Entities], rng: random.Random
) -> None:
    key, response = pair
    mixed_key, mixed_response = (shuffled(entities, rng).entities for entities in pair)

    assert scores_of(mixed_key, mixed_response, match) == scores_of(key, response, match)
    for name, values in scores_of(key, mixed_key, match).items():
        assert set(values) <= {1.0, None}, name


SPAN, WORD, LAST = make_mention(((0, 2),)), make_mention(((0, 1),)), make_mention(((4, 5),))


@pytest.mark.parametrize(
    "key",
    [
        # a set and a result of the same elements, with the same anaphor
        [
            Entity([WORD]),
            Entity([SPAN]),
            Entity([LAST], (0, 1)),
            Entity([LAST], (0, 1), relation="result"),
        ],
        # two entities that differ in minimum spans only
        [
            Entity([make_mention(((0, 2),), (), ((0, 1),)), LAST]),
            Entity([make_mention(((0, 2),), (), ((1, 2),)), LAST]),
        ],
        # a result of one of two equal results
        [
            Entity([WORD]),
            Entity([SPAN], (0,), relation="result"),
            Entity([SPAN], (0,), relation="result"),
            Entity([LAST], (1,), relation="result"),
        ],
    ],
    ids=["relations", "minimum spans", "twins as elements"],
)
@pytest.mark.parametrize("match", CHOICES["match"])
def test_order_changes_nothing_in_ties(match: Any, key: Entities) -> None:
    for seed in range(10):
        mixed = shuffled(key, random.Random(seed)).entities

        for name, values in scores_of(key, mixed, match).items():
            assert set(values) <= {1.0, None}, name
