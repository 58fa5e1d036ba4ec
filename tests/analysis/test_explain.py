"""The working behind scores."""

import json
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anascore
from anascore import Entity
from anascore.analysis.explain import (
    Delta,
    Explanation,
    ResponseExplanation,
    about,
    explain_document,
)
from anascore.cli.main import main
from anascore.layers.document import pair_of
from anascore.metrics.blanc import blanc_noncoref
from anascore.metrics.ceaf import ceaf_e, similarity_e
from anascore.metrics.metric import Component
from anascore.metrics.overlap import Overlap
from anascore.metrics.scores import METRICS
from anascore.metrics.shares import EntityShares, OwnEntities, each_with_partner, of_no_entity
from anascore.model.ratio import Ratio, Score, total
from anascore.output.explanation import _amount, _term
from anascore.settings import Settings
from anascore.terminal import display_width
from support.clusters import both
from support.documents import document_of
from support.paper import KEY, SYSTEMS
from support.paper_tables import PENALTIES, RECALLS
from support.shared import CORPORA
from support.strategies import random_pair


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
        anascore.Corpus({"d": key}),
        anascore.Corpus({"d": response}),
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


CONLL = ("muc", "b3", "ceafe")


def document(name: str, key: Any, response: Any, metrics: Sequence[str] = CONLL) -> Explanation:
    sides = both({name: key}, {name: response}).corpora
    one, other = (side.documents[name] for side in sides)
    return explain_document(pair_of(one, other, Settings()), metrics)


def text_of(*documents: Explanation, full: bool = False, entity: str = "", **fields: Any) -> str:
    found = ResponseExplanation("signature", [*documents], (), "ours", entity)
    return replace(found, **fields).table(full=full)


RIGHT, WRONG = [["a", "b"], ["c", "d"]], [["a", "c"], ["b", "d"]]


def test_the_document_with_the_lowest_score_is_shown() -> None:
    sides = {"x": RIGHT, "y": WRONG, "z": WRONG}
    documents = [document(name, RIGHT, side) for name, side in sides.items()]

    lines = text_of(*documents).splitlines()

    assert lines[:2] == [
        "Document y of ours: the lowest CoNLL of 3 documents, 33.33; --doc chooses",
        "  another",
    ]
    assert sum(line.startswith("Document") for line in lines) == 1
    assert text_of(documents[0]).splitlines()[0] == "Document x of ours"
    assert text_of(documents[0], system="").splitlines()[0] == "Document x"
    every = text_of(*documents, full=True).splitlines()
    assert [line for line in every if line.startswith("Document")] == [
        f"Document {name} of ours" for name in "xyz"
    ]


@pytest.mark.parametrize(
    ("metrics", "expected"),
    [
        (["muc", "b3", "ceafe", "lea"], ("CoNLL", Fraction(1, 3))),
        (["muc"], ("MUC F1", Fraction(0))),
        (["muc", "b3"], ("mean F1", Fraction(1, 4))),
    ],
)
def test_the_score_of_an_explanation(metrics: list[str], expected: tuple[str, Fraction]) -> None:
    assert document("d", RIGHT, WRONG, metrics).main_score == expected


def test_documents_without_a_score_are_shown_last() -> None:
    empty, right = document("empty", [], []), document("right", RIGHT, RIGHT)

    assert ResponseExplanation("", [empty, right], ()).worst is right
    assert ResponseExplanation("", [empty], ()).worst is empty
    assert "undefined, 0 of 0" in text_of(empty)
    assert "Key, recall: 0 of 0 entities score fully\n" in text_of(empty)


def test_entities_that_score_fully_are_counted() -> None:
    key = [*RIGHT, ["e", "f", "g"], ["h"]]
    found = document("d", key, [*RIGHT, ["e", "f"], ["g"], ["h"]])

    text = text_of(found)

    assert "Key, recall: 3 of 4 entities score fully\n  K3 = {e, f, g}  (id 2; shares R3 2," in text
    assert "K1" not in text
    assert "K3  1/2 50%  1.67/3 56%  0.8/1 80%" in text
    assert "Response, precision: 3 of 5 entities score fully\n  R4 = " in text
    assert "K1 = {a, b}  (id 0; shares R1 2)" in text_of(found, full=True)
    assert "Key, recall\n" in text_of(found, full=True)
    assert ["K4", "-", "1/1", "100%", "1/1", "100%"] in [
        line.split() for line in text_of(found, full=True).splitlines()
    ]


def test_of_many_entities_those_that_lose_most_are_listed() -> None:
    key = [[f"{n:02}-{m:02}" for m in range(n + 2)] for n in range(12)]

    text = text_of(document("d", key, [[mention] for entity in key for mention in entity]))

    listed = re.findall(r"^  (K\d+) =", text, re.MULTILINE)
    assert listed == [f"K{n}" for n in range(12, 4, -1)]
    assert "Key, recall: 0 of 12 entities score fully; of the others, the 8 that lose most" in text


def test_sets_that_are_found_are_counted() -> None:
    elements = [Entity([name]) for name in "abc"]
    found = [Entity([f"y{a}{b}"], elements=[a, b]) for a, b in ((0, 1), (0, 2))]
    lost = [Entity([f"x{n}"], elements=[n % 3, (n + 1) % 3, 3 + n]) for n in range(4)]
    others = [Entity([f"o{n}"]) for n in range(4)]
    key = [*elements, *others, *lost, *found]
    response = [*elements, *others, *(Entity(one.mentions) for one in lost), *found]

    text = text_of(document("d", key, response))
    title, *lines = text[text.index("Accommodated") :].split("\n\n")[0].splitlines()

    assert title == (
        "Accommodated sets of the key, with δ of recall and precision; 2 of 6 are found"
    )
    assert [line.split()[:2] for line in lines[:-1]] == [
        [metric, f"K{n}:"] for metric in ("MUC", "B³", "CEAF-E") for n in (8, 9, 10)
    ]
    assert lines[-1] == "  and 1 more set; --all shows all"


def test_fractions_of_large_terms_are_decimals() -> None:
    parts = (Fraction(999, 998), Fraction(12345, 1000), 12345, Fraction(1, 2), 0)

    assert [_term(part) for part in parts] == ["999/998", "12.35", "12345", "1/2", "0"]
    assert [_amount(part) for part in parts] == ["1", "12.3", "12345", "0.5", "0"]


@pytest.mark.corpora
@pytest.mark.parametrize("system", ["noisy-a", "xrenner"])
def test_a_document_of_gum_takes_less_than_100_lines(system: str) -> None:
    gum = CORPORA / "gum"
    found = anascore.explain(gum / "key.conllu", gum / f"{system}.conllu")

    for one in found:
        lines = replace(found, documents=[one]).table().splitlines()
        assert len(lines) < 100
        assert all(display_width(line) <= 80 for line in lines[:-1])


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(KEY), str(SYSTEMS[0]), "--output", "json"]) == 0

    content = json.loads(capsys.readouterr().out)
    document = content["systems"][0]["documents"]["example"]
    muc = document["metrics"]["muc"]
    assert muc["sets"][0]["delta"] == [{"recall": "1/3", "precision": "0"}]
    assert muc["sets"][0]["score"] == [{"recall": "2/3", "precision": "1", "f1": "4/5"}]
    assert muc["sets"][1]["delta"] == [{"recall": "1", "precision": None}]
    assert muc["sets"][1]["score"] == []
    assert muc["rows"][0]["recall"]["value"] == "43/66"
    assert document["key"][0] == {
        "label": "K1",
        "name": "1",
        "elements": [],
        "mentions": ["John", "him"],
        "relation": None,
    }
    assert document["key"][2]["relation"] == "set"


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

    documents = json.loads(capsys.readouterr().out)["systems"][0]["documents"]
    assert list(documents) == ["a", "b"]
    first, second = documents.values()
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
    assert json.loads(capsys.readouterr().out)["systems"][0]["documents"] == {"b": second}


def test_the_share_of_an_entity_is_its_similarity_with_its_partner() -> None:
    overlap = Overlap([2, 3, 1], [1, 1, 1], [2, 4], {(0, 0): 1, (0, 1): 1, (1, 1): 2})

    shares = each_with_partner(similarity_e, lambda size: size + 10)(ceaf_e, OwnEntities(overlap))

    ratios = [Ratio(Fraction(1, 2), 12), Ratio(Fraction(4, 7), 13), Ratio(0, 11)]
    assert shares == EntityShares([(0,), (1,), ()], ratios)
