"""The working behind scores."""

import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anascore
from anascore.analysis.explain import Delta, Explanation, about, explain_document
from anascore.cli import main
from anascore.example import KEY, SYSTEMS
from anascore.layers.pair import pair_of
from anascore.metrics import METRICS
from anascore.metrics.blanc import blanc_noncoref
from anascore.metrics.ceaf import ceaf_e, similarity_e
from anascore.metrics.compare import Component
from anascore.metrics.overlap import Overlap
from anascore.metrics.shares import EntityShare, each_with_partner, of_no_entity
from anascore.model.ratio import Ratio, Score, total
from anascore.settings import Settings
from documents import document_of
from strategies import random_pair
from test_paper_example import PENALTIES, RECALLS


def explained(letter: str, **choices: Any) -> Explanation:
    (key,), (response,) = (
        anascore.read(path).documents.values() for path in (KEY, SYSTEMS["ABCD".index(letter)])
    )
    return explain_document(pair_of(key, response, Settings(**choices)), METRICS)


@pytest.mark.parametrize(("metric", "letter", "k", "r"), RECALLS)
def test_credits_of_the_paper(metric: str, letter: str, k: int, r: int) -> None:
    (found,) = [m for m in explained(letter).metrics if m.metric == metric]
    aligned = {(one.key, one.response): one.credits[0] for one in found.sets if one.response}

    assert aligned[f"K{k}", f"R{r}"].recall == Fraction(RECALLS[metric, letter, k, r])


def test_credits_that_the_paper_leaves_to_the_reader() -> None:
    """LEA and both halves of BLANC on the accommodated sets of system A, worked out by hand.

    K1 and K5 are found, K2 has 2 of 3 mentions, K4 is an element of K7 only, and missed there. LEA:
    K3 has 2 · 1 + 3 · 1/3 of 5, K7 the same and 2 · 1 of 10. Links within elements: 1 + 1 of 1 + 3,
    and 1 + 1 + 1 of 1 + 3 + 3 + 1. Links between them: 2 · 2 of 2 · 3, and 2 · 2 + 2 · 2 + 2 · 2 of
    C(10, 2) - 8 = 37.
    """
    found = {metric.metric: metric.sets for metric in explained("A").metrics}

    def recalls(metric: str) -> dict[str, list[str]]:
        return {s.key: [str(w.recall) for w in s.credits] for s in found[metric] if s.response}

    assert recalls("lea") == {"K3": ["3/5"], "K7": ["1/2"]}
    assert recalls("blanc") == {"K3": ["1/2", "2/3"], "K7": ["3/8", "12/37"]}


@pytest.mark.parametrize(("letter", "k"), PENALTIES)
def test_delta_of_muc_is_the_penalty_of_the_paper(letter: str, k: int) -> None:
    """It is 1 if no set is aligned, and also if the two entities have no mention in common."""
    (one,) = [s for s in explained(letter).metrics[0].sets if s.key == f"K{k}"]

    assert one.delta[0].recall == Fraction(PENALTIES[letter, k])


@pytest.mark.parametrize(("metric", "letter", "k", "r"), RECALLS)
def test_delta_of_other_metrics_is_the_credit_of_the_paper(
    metric: str, letter: str, k: int, r: int
) -> None:
    (found,) = [m for m in explained(letter).metrics if m.metric == metric]
    (one,) = [s for s in found.sets if (s.key, s.response) == (f"K{k}", f"R{r}")]
    credit = Fraction(RECALLS[metric, letter, k, r])

    assert one.delta[0].recall == (1 - credit if metric == "muc" else credit)


@pytest.mark.parametrize(("metric", "delta"), [("muc", 1), *((m, 0) for m in [*METRICS][1:5])])
def test_delta_of_a_set_without_a_partner(metric: str, delta: int) -> None:
    """System C has nothing for K7; the penalty of MUC is 1, and δ of the other metrics 0."""
    (found,) = [m for m in explained("C").metrics if m.metric == metric]
    (one,) = [s for s in found.sets if s.key == "K7"]

    assert one.response is None
    assert one.delta == (Delta(Fraction(delta), None),)


def test_aligned_sets_whose_entities_share_no_mention_earn_nothing_in_muc() -> None:
    """K6 and R6 of system C: the elements have recall 3/5 and precision 1, but no link leads there.

    K6 and R6 have one mention each besides their sets, and so one link, which is not found.
    """
    muc, b3 = explained("C").metrics[:2]
    one, other = (next(s for s in m.sets if s.key == "K6") for m in (muc, b3))
    recall, precision = (d.shares for d in (muc.rows[0].recall, muc.rows[0].precision))

    assert one.response == other.response == "R6"
    assert one.credits == (Score(Fraction(3, 5), Fraction(1), Fraction(3, 4)),)
    assert one.delta == (Delta(Fraction(1), Fraction(1)),)
    assert other.delta == (Delta(Fraction(7, 12), Fraction(1)),)
    assert [(s.part, s.whole) for s in recall if s.entity == "K6"] == [(0, 1)]
    assert [(s.part, s.whole) for s in precision if s.entity == "R6"] == [(0, 1)]


def test_delta_of_the_convention_ua_is_the_f1_that_is_credited() -> None:
    found = {metric.metric: metric.sets for metric in explained("A", convention="ua").metrics}

    for name in ("ceafe", "ceafm", "blanc"):
        for one in found[name]:
            credited = tuple(Delta(worth.f1, worth.f1) for worth in one.credits)
            assert one.delta == (credited or (Delta(Fraction(0), None),))


@pytest.mark.parametrize("seed", range(30))
def test_muc_is_the_formula_of_the_paper_with_the_delta_that_is_shown(seed: int) -> None:
    """Each key entity adds |K| - |P(K^m; R^m)| - δ, out of |K| - 1."""
    key, response = (document_of(side) for side in random_pair(random.Random(seed)))
    found = explain_document(pair_of(key, response, Settings()), ["muc"])
    (muc,) = found.metrics
    delta = {one.key: one.delta[0].recall for one in muc.sets}

    for entity, share in zip(found.key, muc.rows[0].recall.shares, strict=True):
        cells = [n for (label, _), n in found.shared.items() if label == entity.label]
        parts = len(cells) + len(entity.mentions) - sum(cells)
        size = len(entity.mentions) + bool(entity.elements)
        assert share.part == size - parts - delta.get(entity.label, 0)
        assert share.whole == size - 1


def test_entities_are_written_as_in_the_paper() -> None:
    found = explained("A")

    assert str(found.key[2]) == "K3 = {K1, K2} ⊕ {their, they, The two}"
    assert str(found.response[1]) == "R2 = {Mary, She}"
    assert found.shared["K6", "R3"] == 1


def test_the_relation_is_shown_unless_it_is_a_set() -> None:
    """A result of two elements and their set are not aligned, and must not look equal."""
    mentions = [anascore.Mention(((n, n + 1),)) for n in range(3)]
    key, response = (
        anascore.Document(
            "d",
            ["water", "flour", "dough"],
            [
                anascore.Entity([mentions[0]]),
                anascore.Entity([mentions[1]]),
                anascore.Entity([mentions[2]], [0, 1], relation=relation),
            ],
        )
        for relation in ("result", "set")
    )

    found = explain_document(pair_of(key, response, Settings()), ["b3"])

    assert str(found.key[2]) == "K3 = result{K1, K2} ⊕ {dough}"
    assert str(found.response[2]) == "R3 = {R1, R2} ⊕ {dough}"
    assert [entity.relation for entity in found.key] == [None, None, "result"]
    assert found.response[2].relation == "set"
    assert found.metrics[0].sets[0].response is None


def test_the_next_best_partner_is_named() -> None:
    muc = explained("A").metrics[0]

    assert [(s.key, s.response, s.f1, s.next_best) for s in muc.sets] == [
        ("K3", "R3", Fraction(4, 5), ("R6", Fraction(2, 3))),
        ("K6", None, 0, ("R3", Fraction(4, 7))),
        ("K7", "R6", Fraction(2, 3), ("R3", Fraction(1, 2))),
    ]


@pytest.mark.parametrize("convention", ["paper", "ua"])
@pytest.mark.parametrize("name", METRICS)
@given(st.randoms(use_true_random=False))
def test_shares_add_up_to_the_score(name: str, convention: Any, rng: random.Random) -> None:
    key, response = (document_of(side) for side in random_pair(rng))
    settings = Settings(convention=convention, lea_importance=rng.choice([1, 10]))
    result = anascore.score(
        anascore.Corpus({"d": key}, "test"),
        anascore.Corpus({"d": response}, "test"),
        metrics=name,
        convention=convention,
        lea_importance=settings.lea_importance,
    )

    (metric,) = explain_document(pair_of(key, response, settings), [name]).metrics

    rows = zip(METRICS[name].rows, metric.rows, result.total.scores[name], strict=True)
    for row, working, counted in rows:
        for direction, ratio in (
            (working.recall, counted.recall),
            (working.precision, counted.precision),
        ):
            assert direction.ratio == ratio
            parts = [(s.part, 1) for s in direction.shares if s.part is not None]
            wholes = [(s.whole, 1) for s in direction.shares if s.whole is not None]
            if row.shares is of_no_entity:
                assert parts == wholes == []
            else:
                assert len(parts) == len(direction.shares)
                assert Ratio(total(parts), total(wholes)) == ratio


def test_a_metric_must_say_how_it_is_divided_among_entities() -> None:
    with pytest.raises(TypeError, match="shares"):
        Component(METRICS["b3"].rows[0].count)  # type: ignore[call-arg]


def test_links_between_entities_alone_have_no_shares() -> None:
    """A count that is no sum over entities would be divided wrongly without anyone noticing."""
    without = [row.count for m in METRICS.values() for row in m.rows if row.shares is of_no_entity]

    assert without == [blanc_noncoref]


def test_one_entity() -> None:
    found = about(explained("A"), "K6")

    assert [entity.label for entity in found.key] == ["K1", "K2", "K4", "K6"]
    assert [entity.label for entity in found.response] == ["R3"]
    assert [one.key for one in found.metrics[0].sets] == ["K6"]
    shares = found.metrics[0].rows[0]
    assert [share.entity for share in shares.recall.shares] == ["K6"]
    assert [share.entity for share in shares.precision.shares] == ["R3"]


def test_gaps_and_zeros_are_shown() -> None:
    mention = anascore.Mention(((0, 1), (2, 3)), ((3, 1),))
    document = anascore.Document("d", ["a", "b", "c"], [anascore.Entity([mention])], zeros=[(3, 1)])

    found = explain_document(pair_of(document, document, Settings()), ["b3"])

    assert str(found.key[0]) == "K1 = {a … c … ∅}"


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(KEY), str(SYSTEMS[0]), "--output", "json"]) == 0

    content = json.loads(capsys.readouterr().out)
    muc = content["documents"][0]["metrics"]["muc"]
    assert muc["sets"][0]["delta"] == [{"recall": "1/3", "precision": "0"}]
    assert muc["sets"][0]["score"] == [{"recall": "2/3", "precision": "1", "f1": "4/5"}]
    assert muc["sets"][1]["delta"] == [{"recall": "1", "precision": None}]
    assert muc["sets"][1]["score"] == []
    assert muc["rows"][0]["recall"]["value"] == "43/66"
    assert content["documents"][0]["key"][0] == {
        "label": "K1",
        "name": "1",
        "elements": [],
        "mentions": ["John", "him"],
        "relation": None,
    }
    assert content["documents"][0]["key"][2]["relation"] == "set"


def test_a_missing_document_is_explained_as_empty(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, documents in (("key", "ab"), ("response", "a")):
        lines = (
            f'{{"doc_key": "{d}", "tokens": ["x", "y"], "clusters": [[[0, 0], [1, 1]]]}}'
            for d in documents
        )
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines))
    paths = [str(tmp_path / f"{name}.jsonl") for name in ("key", "response")]
    command = ["explain", *paths, "--missing", "empty", "--output", "json"]

    assert main(command) == 0

    first, second = json.loads(capsys.readouterr().out)["documents"]
    assert (first["name"], second["name"]) == ("a", "b")
    assert [entity["mentions"] for entity in second["key"]] == [["x", "y"]]
    assert second["response"] == second["shared"] == []
    result = anascore.score(*paths, missing="empty")
    for name, metric in second["metrics"].items():
        for number, counted in enumerate(result.total.scores[name]):
            for figure in ("recall", "precision"):
                ratio = getattr(counted, figure)
                both = [d["metrics"][name]["rows"][number][figure] for d in (first, second)]
                assert sum(Fraction(one["part"]) for one in both) == ratio.part
                assert sum(Fraction(one["whole"]) for one in both) == ratio.whole
        assert metric["rows"][0]["recall"]["part"] == "0"

    assert main([*command, "--doc", "b"]) == 0
    (alone,) = json.loads(capsys.readouterr().out)["documents"]
    assert alone == second


def test_the_share_of_an_entity_is_its_similarity_with_its_partner() -> None:
    overlap = Overlap([2, 3, 1], [1, 1, 1], [2, 4], {(0, 0): 1, (0, 1): 1, (1, 1): 2})

    shares = each_with_partner(similarity_e, lambda size: size + 10)(ceaf_e, overlap)

    assert shares == [
        EntityShare([0], Ratio(Fraction(1, 2), 12)),
        EntityShare([1], Ratio(Fraction(4, 7), 13)),
        EntityShare([], Ratio(0, 11)),
    ]
