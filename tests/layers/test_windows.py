"""Windows of long documents."""

import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anascore
from anascore import Corpus, Document, Entity, Mention, Scorer, SettingsError
from anascore.entities.word_numbers import word_numbers
from anascore.layers.counts import LayerCounts
from anascore.layers.document import pair_of
from anascore.layers.entities import count_identity
from anascore.layers.windows import LOST_SETS
from anascore.metrics.scores import GROUPS, METRICS
from anascore.model.document import Candidates
from anascore.settings import BREAKDOWNS, Settings
from support.documents import document_of
from support.generated_corpora import FORMATS, generated, rich_corpus
from support.metric_oracles import ROWS, Counts, Flat, Side, align_rows, normalise
from support.notation import corpora, document
from support.strategies import Entities as RichEntities
from support.strategies import pairs_of_overlapping_entities, pairs_of_rich_entities, random_pair


def counted(key: str, response: str, **choices: Any) -> LayerCounts:
    """Count a document in set notation."""
    return anascore.score(*corpora(key, response), **choices).total


def fractions(counts: LayerCounts, name: str) -> list[Fraction | int]:
    (row,) = counts.scores[name]
    return [Fraction(r.part) / (r.whole or 1) for r in (row.recall, row.precision)]


def test_entities_are_cut() -> None:
    """Windows of 3 words: abc, def. The key's entity abde is ab and de there, the response's too.

    Whole documents have 3 links in the key, of which 2 are found; windows have 2 of 2. B³ of the
    whole document is (4 · 3/4 + 0) / 4 for a, b, d; and e is alone.
    """
    key, response = "abde", "abd e"

    assert fractions(counted(key, response), "muc") == [Fraction(2, 3), 1]
    windows = counted(key, response, window=3)
    assert fractions(windows, "muc") == [Fraction(1, 2), 1]
    assert fractions(windows, "b3") == [Fraction(2 + 1, 4), 1]
    assert windows.key == {"documents": 1, "mentions": 4, "entities": 2, "accommodated_sets": 0}
    assert windows.response["entities"] == 3


def test_singletons_that_cuts_make_are_treated_like_others() -> None:
    choices: dict[str, Any] = {"window": 3, "singletons": False, "split": False}

    cut = counted("abd ef", "abd ef", **choices)

    assert cut.key == {"documents": 1, "mentions": 4, "entities": 2, "accommodated_sets": 0}
    assert counted("abd ef", "abd ef", window=3).key["mentions"] == 5


def test_a_set_keeps_the_elements_of_its_window() -> None:
    """Windows of 4 words: abcd, efgh. The set {ab, c} of de stays with d; e has no element."""
    result = anascore.score(*corpora("ab c (ac)de fh", "ab c (ac)de fh"), window=4)

    assert result.total.key == {
        "documents": 1,
        "mentions": 7,
        "entities": 5,
        "accommodated_sets": 1,
    }
    assert result.notes == ()
    assert {*result.scores["b3"]} == {1.0}


@pytest.mark.parametrize(
    ("key", "lost"),
    [
        pytest.param("a c (ac)b", 0, id="all in one window"),
        pytest.param("a d (ad)b", 0, id="an element is elsewhere"),
        pytest.param("a b (ab)d", 1, id="the anaphor is elsewhere"),
        pytest.param("a b (ab)cd", 0, id="one of its mentions is elsewhere"),
        pytest.param("a b (ab)d g (bg)h", 1, id="one of two"),
        pytest.param("a b (ab)d f g (fg)c", 2, id="two"),
    ],
)
def test_lost_sets_are_counted(key: str, lost: int) -> None:
    result = anascore.score(*corpora(key, "a"), window=3)

    assert result.notes == ((f"key: {LOST_SETS}: {lost}",) if lost else ())
    other = anascore.score(*corpora("a", key), window=3)
    assert other.notes == ((f"response: {LOST_SETS}: {lost}",) if lost else ())


def test_a_matched_mention_is_in_the_window_of_its_partner() -> None:
    """Key 3-4 begins in the first window of 3 words; its partner, word 4, in the second one."""
    key, response = "1,3-4:4 5,6", "1,4 5,6"

    counts = counted(key, response, window=3, match="head")

    assert fractions(counts, "muc") == [1, 1]
    assert counts.matching["partly"] == 1
    assert fractions(counted(key, response, window=3), "muc") == [Fraction(1, 2), 1]


def test_a_zero_belongs_to_the_word_after_it() -> None:
    for zero, entities in (("2.1", 2), ("3.1", 3), ("6.1", 3)):
        counts = counted(f"1,{zero} 6", f"1,{zero} 6", window=3)
        assert counts.key["entities"] == entities, zero
    # Behind the last word there is no window.
    assert counted("5,6.1", "5,6.1", window=3).key["entities"] == 1


def test_responses_can_have_words_behind_the_text() -> None:
    key = Document("d", list("ab"), [Entity([Mention(((0, 1),)), Mention(((1, 2),))])])
    response = Document("d", list("abcdef"), [Entity([Mention(((0, 1),)), Mention(((5, 6),))])])
    sides = [Corpus({"d": one}) for one in (key, response)]

    one, other = (anascore.score(*sides, words="ignore", window=n) for n in (0, 2))

    assert one.counted == other.counted


def test_windows_of_documents_in_characters_are_of_words() -> None:
    text = "Ann  met Bob and she\nran"
    spans = [(0, 3), (17, 20), (21, 24)]
    entities = [Entity([Mention((span,)) for span in spans])]
    corpus = Corpus({"d": Document("d", text, entities)})

    assert [anascore.score(corpus, corpus, window=n).total.key["entities"] for n in (4, 5, 6)] == [
        *(2, 2, 1)
    ]
    number = word_numbers(Document("d", f" {text} ", []))
    units = [(1, 0), (2, 0), (4, 0), (5, 0), (7, 0), (26, 0), (1, 1), (2, 1), (99, 1)]
    assert [number(unit) for unit in units] == [0, 0, 0, 0, 1, 5, 0, 1, 6]


def pieces(side: list[Flat], window: range) -> list[Flat]:
    """Cut normalised entities."""
    within = frozenset(window)
    cut = [
        Flat(
            entity.mentions & within,
            frozenset(element & within for element in entity.accommodated if element & within),
        )
        for entity in side
        if entity.mentions & within
    ]
    return sorted(cut, key=lambda entity: sorted(entity.mentions))


def add(counts: list[Counts]) -> Counts:
    return sum((n for n, _ in counts), Fraction(0)), sum((d for _, d in counts), Fraction(0))


@pytest.mark.parametrize("seed", range(8))
def test_sums_over_windows_equal_the_oracle(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        key, response = random_pair(rng)
        size = rng.randint(1, 7)
        found = count_identity(cut_pair(key, response, size), METRICS)
        sides = [normalise(side) for side in (key, response)]
        windows = [
            [pieces(side, range(start, start + size)) for side in sides]
            for start in range(0, 100, size)
        ]
        for name, rows in ROWS.items():
            taus = [align_rows(name, k, r, "paper") for k, r in windows]
            for number, row in enumerate(rows):
                recall, precision = [], []
                for (k, r), tau in zip(windows, (one[number] for one in taus), strict=True):
                    there = {pair: one.recall for pair, one in tau.items()}
                    back = {(j, i): one.precision for (i, j), one in tau.items()}
                    recall.append(row.document(k, r, there))
                    precision.append(row.document(r, k, back))
                counts = found.scores[name][number]
                assert (counts.recall.part, counts.recall.whole) == add(recall), (key, response)
                assert (counts.precision.part, counts.precision.whole) == add(precision)


def cut_pair(key: Side, response: Side, size: int) -> Any:
    return pair_of(document_of(key), document_of(response), Settings(window=size))


CHOICES: list[dict[str, Any]] = [
    {"layers": "all"},
    {"layers": "all", "match": "head"},
    {"match": "partial", "metrics": ",".join(GROUPS)},
    {"repeated_mentions": "all", "by": [*BREAKDOWNS]},
    {"split": False, "singletons": False, "match": "craft"},
]


@pytest.mark.parametrize("choices", CHOICES, ids=str)
def test_a_window_larger_than_every_document_changes_nothing(choices: dict[str, Any]) -> None:
    key, response = rich_corpus(), rich_corpus(1)

    whole, cut = (anascore.score(key, response, **choices, window=n) for n in (0, 10_000))

    assert cut.counted == whole.counted
    assert cut.notes == whole.notes
    assert cut.signature == f"{whole.signature}|window:10000"


@pytest.mark.parametrize("choices", CHOICES, ids=str)
def test_mentions_are_neither_lost_nor_added(choices: dict[str, Any]) -> None:
    key, response = rich_corpus(), rich_corpus(1)
    if not choices.get("singletons", True):
        choices = {"match": "craft"}

    whole, cut = (anascore.score(key, response, **choices, window=n) for n in (0, 13))

    for layer, counts in whole.layers.items():
        assert cut.layers[layer].total.matching == counts.total.matching
        for side in ("key", "response"):
            before, after = (getattr(one.layers[layer].total, side) for one in (whole, cut))
            same = {name: before[name] for name in before if name in {"documents", "mentions"}}
            assert {name: after[name] for name in same} == same
    if "by" in choices:
        for name, classes in whole.first.breakdown.items():
            sizes = {one: (result.key, result.response) for one, result in classes.items()}
            assert sizes == {
                one: (result.key, result.response)
                for one, result in cut.first.breakdown[name].items()
            }


@settings(max_examples=50)
@given(pairs_of_overlapping_entities(), st.integers(1, 5))
def test_mentions_in_several_entities_are_cut(
    pair: tuple[RichEntities, RichEntities], size: int
) -> None:
    key, response = (Corpus({"d": Document("d", ["w"] * 6, entities)}) for entities in pair)
    every: dict[str, Any] = {"repeated_mentions": "all"}
    for choices in (every, {**every, "split": False, "singletons": False}):
        whole, one = (anascore.score(key, response, window=n, **choices) for n in (0, 6))
        assert whole.counted == one.counted
        result = anascore.score(key, response, window=size, **choices)
        for side in ("key", "response"):
            before, after = (getattr(one.total, side)["mentions"] for one in (whole, result))
            assert after <= before
            assert after == before or not choices.get("singletons", True)


@settings(max_examples=50)
@given(pairs_of_rich_entities(), st.integers(1, 5), st.randoms(use_true_random=False))
def test_the_order_of_entities_changes_nothing(
    pair: tuple[RichEntities, RichEntities], size: int, rng: random.Random
) -> None:
    def shuffled(entities: RichEntities) -> RichEntities:
        order = rng.sample(range(len(entities)), len(entities))
        position = {old: new for new, old in enumerate(order)}
        return [
            replace(entities[old], elements=[position[e] for e in entities[old].elements])
            for old in order
        ]

    def corpus(entities: RichEntities) -> Corpus:
        zeros = sorted({z for e in entities for m in e.mentions for z in m.zeros})
        return Corpus({"d": Document("d", ["w"] * 8, entities, zeros=zeros)})

    first, second = (
        anascore.score(*(corpus(side) for side in sides), window=size)
        for sides in (pair, [shuffled(side) for side in pair])
    )
    assert first.scores == second.scores


@pytest.mark.parametrize("name", FORMATS)
def test_formats_change_nothing(name: str, tmp_path: Path) -> None:
    key, response = generated(name), generated(name, 1)
    expected = anascore.score(key, response, window=20, by="length")
    for number, corpus in enumerate((key, response)):
        anascore.write(corpus, tmp_path / f"{number}.conllua")

    read = [anascore.read(tmp_path / f"{number}.conllua") for number in (0, 1)]
    if name == "rucoco":
        # Characters are written as words.
        return
    assert anascore.score(*read, window=20, by="length").counted == expected.counted


def test_ranked_antecedents_are_counted_in_the_window_of_the_anaphor() -> None:
    words = [Mention(((n, n + 1),)) for n in range(8)]
    deixis = [Entity([words[0], words[2]]), Entity([words[5], words[6], words[1]])]
    key = Document("d", ["w"] * 8, [], deixis=deixis)
    candidates = [
        Candidates(words[2], (words[0],)),
        Candidates(words[6], (words[5],)),
        Candidates(words[7], (words[5],)),
    ]
    response = Document("d", ["w"] * 8, [], candidates=candidates)
    sides = [Corpus({"d": one}) for one in (key, response)]

    def success(window: int) -> list[Fraction | int]:
        result = anascore.score(
            *sides, layers="discourse-deixis", metrics="success@1", window=window
        )
        return fractions(result.total, "success@1")

    assert success(0) == [Fraction(1, 3), Fraction(1, 3)]
    assert success(4) == [1, Fraction(2, 3)]


def test_explanations_are_of_windows() -> None:
    key, response = corpora("ab de (a)f", "abd e")

    explained = anascore.explain(key, response, metrics="muc", window=3)

    assert [one.name for one in explained] == ["case, words 1-3", "case, words 4-6"]
    assert [len(one.key) for one in explained] == [1, 2]
    assert explained.signature.endswith("|window:3")
    assert f"key: {LOST_SETS}: 1" in explained.warnings
    (whole,) = anascore.explain(*corpora("ab", "ab"), metrics="muc", window=300)
    assert whole.name == "case, words 1-2"


def test_documents_without_mentions_have_one_window() -> None:
    empty = Corpus({"d": Document("d", list("abcdef"), [])})

    result = anascore.score(empty, empty, window=2)

    assert result.total.key["documents"] == 1
    assert result["b3"].f1 is None
    missing = anascore.score(corpora("abde", "a")[0], Corpus({}), missing="empty", window=2)
    assert (missing.total.key["documents"], missing.total.response["documents"]) == (1, 0)


def test_one_side_may_have_a_window_that_the_other_lacks() -> None:
    counts = counted("ab", "ef", window=3)

    assert (counts.key["mentions"], counts.response["mentions"]) == (2, 2)
    assert fractions(counts, "b3") == [0, 0]


def test_windows_with_a_scorer_and_in_results() -> None:
    key, response = document("abde"), document("abd e")
    scorer = Scorer(window=3)
    scorer.update(key, response)
    expected = anascore.score(*corpora("abde", "abd e"), window=3)

    assert scorer.result().counted == expected.counted
    restored = anascore.Result.from_json(expected.to_json())
    assert restored.counted == expected.counted
    assert restored.signature == expected.signature


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda c: anascore.find_errors(*c, window=5),
            "the analysis of errors needs whole documents",
        ),
        (
            lambda c: anascore.report(c[0], c[1:], "x.html", window=5),
            "a report needs whole documents",
        ),
        (lambda c: anascore.score(*c, window=5, task="crac23"), "window 5 contradicts the task"),
        (
            lambda _: anascore.score_clusters([[1]], [[1]], window=5),
            "and no windows are possible; see",
        ),
        (lambda _: Scorer(window=5).update([[1]], [[1]]), "plain mentions have no words"),
    ],
)
def test_what_is_refused(call: Any, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        call(corpora("ab", "ab"))
