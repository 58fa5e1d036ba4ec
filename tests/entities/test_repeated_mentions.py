"""Mentions in several entities: `--repeated-mentions first` and `--repeated-mentions all`."""

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest

import anascore
from anascore import Corpus, Document, Entity, Mention, SettingsError, score_clusters
from anascore.analysis.errors import IN_FIRST
from anascore.cli.main import main
from anascore.entities.normalisation import REPEATED, REPEATED_IN_ALL, normalise
from anascore.layers.document import compare_sides
from anascore.layers.entities import count_entities
from anascore.metrics.scores import BY_CLASS, GROUPS, METRICS
from anascore.model.ratio import Components
from anascore.settings import BREAKDOWNS, Convention, Match, Settings
from anascore.tasks import TASKS
from support.documents import document_of
from support.metric_oracles import one_to_one
from support.paper import KEY, SYSTEMS
from support.strategies import random_pair, random_rich_entities

Cluster = tuple[str, ...]
Counts = tuple[Fraction | int, Fraction | int]


# A literal oracle: clusters in the order of the file, without accommodated sets


def last(mention: str, clusters: list[Cluster]) -> int | None:
    """The last cluster that has a mention."""
    return max((i for i, cluster in enumerate(clusters) if mention in cluster), default=None)


def muc(own: list[Cluster], other: list[Cluster]) -> Counts:
    part = 0
    for cluster in own:
        found = [last(m, other) for m in cluster]
        part += len(cluster) - len({*found} - {None}) - found.count(None)
    return Fraction(part), Fraction(sum(len(cluster) - 1 for cluster in own))


def b3(own: list[Cluster], other: list[Cluster]) -> Counts:
    part = Fraction(0)
    for cluster in own:
        found = [last(m, other) for m in cluster]
        part += sum(Fraction(found.count(j) ** 2, len(cluster)) for j in {*found} - {None})
    return part, Fraction(sum(map(len, own)))


def lea(own: list[Cluster], other: list[Cluster]) -> Counts:
    part = Fraction(0)
    for cluster in own:
        found = [last(m, other) for m in cluster]
        if len(cluster) == 1:
            part += found[0] is not None and len(other[found[0]]) == 1
            continue
        pairs = list(combinations(found, 2))
        part += Fraction(len(cluster) * sum(a is not None and a == b for a, b in pairs), len(pairs))
    return part, Fraction(sum(map(len, own)))


def ceaf(own: list[Cluster], other: list[Cluster], phi: Callable[..., Fraction]) -> Fraction:
    table = {
        (i, j): phi(len({*k} & {*r}), k, r) for i, k in enumerate(own) for j, r in enumerate(other)
    }
    maps = one_to_one([pair for pair in table if table[pair]])
    return max(sum((table[pair] for pair in g), Fraction(0)) for g in maps)


def links(own: list[Cluster], *, same: bool) -> list[tuple[str, str]]:
    nodes = [(i, m) for i, cluster in enumerate(own) for m in cluster]
    return [(m, n) for (i, m), (j, n) in combinations(nodes, 2) if (i == j) is same]


def blanc(key: list[Cluster], response: list[Cluster], *, same: bool) -> tuple[Counts, Counts]:
    """Links of the key; the number found is the numerator of precision, too."""
    found = [(last(m, response), last(n, response)) for m, n in links(key, same=same)]
    part = sum(None not in {a, b} and (a == b) is same for a, b in found)
    return (Fraction(part), Fraction(len(found))), (
        Fraction(part),
        Fraction(len(links(response, same=same))),
    )


def oracle(key: list[Cluster], response: list[Cluster]) -> dict[str, list[tuple[Counts, Counts]]]:
    """Counts of recall and precision, by metric and component."""
    phi_e = ceaf(key, response, lambda n, k, r: Fraction(2 * n, len(k) + len(r)))
    phi_m = ceaf(key, response, lambda n, *_: Fraction(n))
    sizes = [Fraction(sum(map(len, side))) for side in (key, response)]
    return {
        "muc": [(muc(key, response), muc(response, key))],
        "b3": [(b3(key, response), b3(response, key))],
        "ceafe": [((phi_e, Fraction(len(key))), (phi_e, Fraction(len(response))))],
        "ceafm": [((phi_m, sizes[0]), (phi_m, sizes[1]))],
        "lea": [(lea(key, response), lea(response, key))],
        "blanc": [blanc(key, response, same=same) for same in (True, False)],
    }


def random_clusters(rng: random.Random) -> list[Cluster]:
    return [tuple(rng.sample("abcdefg", rng.randint(1, 4))) for _ in range(rng.randint(1, 4))]


def counts(found: Components) -> list[tuple[Counts, Counts]]:
    return [
        ((row.recall.part, row.recall.whole), (row.precision.part, row.precision.whole))
        for row in found
    ]


@pytest.mark.parametrize("seed", range(4))
def test_equals_the_oracle(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(100):
        key = random_clusters(rng)
        response = rng.choice([key, random_clusters(rng), random_clusters(rng)])

        result = score_clusters(key, response, repeated_mentions="all")

        expected = oracle(key, response)
        found = result.first.counted["document"].scores
        assert {name: counts(found[name]) for name in METRICS} == expected, (key, response)


def test_the_example_of_the_documentation() -> None:
    key = [["a", "m"], ["b", "m"]]

    both, first = (score_clusters(key, key, repeated_mentions=rule) for rule in ("all", "first"))

    assert (both["muc"].f1, both["b3"].f1) == (0.5, 0.75)
    assert (both["ceafe"].f1, both["ceafm"].f1) == (1, 1)
    assert all(first[name].f1 == 1 for name in METRICS)
    assert both["mentions"] == (1, 1, 1)
    assert both.first.total.key["mentions"] == 3
    assert "|repeated-mentions:all|" in both.signature
    assert "repeated-mentions" not in first.signature
    assert (
        (f"key: {REPEATED_IN_ALL}: 1" in both.notes)
        is (f"key: {REPEATED}: 1" in first.notes)
        is True
    )


def test_the_last_entity_in_the_file_has_the_counterpart() -> None:
    """{a, m} is found whole only if it is the last entity that has m."""
    key, response = [["a", "m"]], [["a", "m"], ["b", "m"]]

    scores = [
        score_clusters(key, r, repeated_mentions="all")["b3"].recall
        for r in (response, response[::-1])
    ]

    assert scores == [0.5, 1]


def test_recall_and_precision_are_each_counted_from_their_own_side() -> None:
    """Both entities of the key find m with their other mention, {a, b, m} finds it with b alone."""
    key, response = [["a", "m"], ["b", "m"]], [["a", "b", "m"]]

    result = score_clusters(key, response, repeated_mentions="all", metrics="muc,b3")

    assert result["muc"][:2] == (1, 1 / 2)
    assert result["b3"][:2] == (1, 5 / 9)


def word(number: int) -> Mention:
    return Mention(((number, number + 1),))


def corpus_of(*entities: Entity[Mention]) -> Corpus:
    return Corpus({"d": Document("d", ["w"] * 20, list(entities))})


def test_counterparts_within_sets_are_sought_among_their_elements() -> None:
    """The entity {1, 5} is the last one that has word 1, but it is no element of the set."""
    one, two, anaphor = Entity([word(1)]), Entity([word(2)]), Entity([word(9)], elements=(0, 1))
    key, response = (
        corpus_of(one, two, anaphor),
        corpus_of(one, two, anaphor, Entity([word(1), word(5)])),
    )

    result = anascore.score(
        key, response, repeated_mentions="all", metrics="b3,muc,ceafe,lea,blanc,ceafm"
    )

    for name in METRICS:
        assert result.first.split_only[name].f1 == 1, name


def test_elements_that_share_a_mention() -> None:
    """Word 1 of the first element is found in the last: B³ (1/2 · 1² + 1/2 · 1² + 2²/2) / 4."""
    side = corpus_of(
        Entity([word(1), word(2)]), Entity([word(1), word(3)]), Entity([word(9)], elements=(0, 1))
    )

    result = anascore.score(side, side, repeated_mentions="all", metrics="b3,ceafe")

    assert result.first.split_only["b3"].f1 == 0.75
    assert result.first.split_only["ceafe"].f1 == 1


@pytest.mark.parametrize("convention", ["paper", "ua"])
def test_documents_without_such_mentions_score_the_same(convention: Convention) -> None:
    rng = random.Random(0)
    first = Settings(convention=convention)
    for _ in range(200):
        sides = [document_of(side).entities for side in random_pair(rng)]

        scores = [
            count_entities(
                compare_sides(
                    normalise(sides[0], settings), normalise(sides[1], settings), settings
                ),
                METRICS,
                settings,
            )
            for settings in (first, replace(first, repeated_mentions="all"))
        ]

        assert scores[0] == scores[1]


def random_corpora(rng: random.Random) -> tuple[Corpus, Corpus]:
    """Make a key and a response of mentions of all shapes, many of them in several entities."""
    key, response = (
        corpus_of(*(e for e in random_rich_entities(rng) if e.mentions and not e.elements))
        for _ in range(2)
    )
    return key, rng.choice([key, response])


@pytest.mark.parametrize("match", ["exact", "craft"])
def test_classes_of_a_breakdown_add_up(match: Match) -> None:
    rng = random.Random(5)
    for _ in range(100):
        key, response = random_corpora(rng)

        result = anascore.score(key, response, repeated_mentions="all", match=match, by=BREAKDOWNS)

        counted = result.first.total
        for name, classes in counted.breakdown.items():
            for score_name in {*BY_CLASS} - {"anaphors"}:
                rows = [row for of in classes.values() for row in of[score_name]]
                (total,) = counted.scores[score_name]
                assert sum((r.recall.part for r in rows), Fraction(0)) == total.recall.part, name
                assert sum(r.precision.whole for r in rows) == total.precision.whole, name


def test_the_working_adds_up_to_the_scores() -> None:
    rng = random.Random(7)
    for _ in range(100):
        key, response = random_corpora(rng)

        explained = anascore.explain(key, response, repeated_mentions="all")

        for metric in explained.documents[0].metrics:
            for row in metric.rows:
                for direction in (row.recall, row.precision):
                    parts = [share.part for share in direction.shares if share.part is not None]
                    if len(parts) == len(direction.shares) > 0:
                        assert sum(parts) == direction.ratio.part, metric.metric


def test_errors_are_analysed_in_the_first_entity(tmp_path: Path) -> None:
    rng = random.Random(9)
    for _ in range(20):
        key, response = random_corpora(rng)

        errors = anascore.find_errors(key, response, repeated_mentions="all")

        assert errors.analysis == anascore.find_errors(key, response).analysis
        assert errors.warnings[-1] == IN_FIRST
        assert "repeated-mentions" not in errors.signature

        anascore.report(
            key, [response], tmp_path / "page.html", repeated_mentions="all", samples=10
        )
        page = (tmp_path / "page.html").read_text()
        assert "repeated-mentions:all" in page
        assert (
            "counted in the first one only (--repeated-mentions first)." in page
            or "No errors." in page
        )


@pytest.mark.parametrize("name", GROUPS)
def test_earlier_proposals_are_refused(name: str) -> None:
    message = rf"^{name} cannot be counted with --repeated-mentions all .* remove one of them$"
    with pytest.raises(SettingsError, match=message):
        score_clusters([["a"]], [["a"]], repeated_mentions="all", metrics=f"muc,{name}")


@pytest.mark.parametrize("task", ["codicrac-ar", "codicrac-br", "codicrac-dd"])
def test_codi_crac_counts_mentions_in_all_their_entities(task: str) -> None:
    assert TASKS[task].settings.repeated_mentions == "all"


def test_a_set_earns_nothing_from_a_result() -> None:
    """Elements that share a mention are counted for pairs of the same relation only."""
    elements = [Entity([word(1), word(2)]), Entity([word(1), word(3)])]
    key = corpus_of(*elements, Entity([word(9)], elements=(0, 1)))
    response = corpus_of(*elements, Entity([word(9)], elements=(0, 1), relation="result"))

    result = anascore.score(key, response, repeated_mentions="all", metrics="b3")

    assert result.first.split_only["b3"].recall == 0


def test_the_option_has_its_former_name_too(capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--repeated-mentions", "--doubled"):
        assert main(["score", str(KEY), str(SYSTEMS[0]), option, "all"]) == 0
        assert "|repeated-mentions:all|" in capsys.readouterr().out
