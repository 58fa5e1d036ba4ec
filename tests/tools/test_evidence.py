"""The page on agreement with other scorers is up to date, and its files show what it says."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import anascore
from tools.evidence import __main__ as command
from tools.evidence.comparisons import COMPARISONS, Comparison, Row, compare_scores, live_rows
from tools.evidence.disagreements import (
    DISAGREEMENTS,
    FILES,
    our_scores,
    peer_scores,
    with_moved_heads,
)
from tools.evidence.documents import random_pair
from tools.evidence.figures import Figures, paper_figures, suite_figures
from tools.evidence.page import Evidence, render
from tools.evidence.peers import PEERS, is_at_hand, printed_f1, read_perl, run_peer, version_of

RECORDED = command.read_recorded()


def test_the_page_is_up_to_date() -> None:
    assert command.PAGE.read_text(encoding="utf-8") == render(RECORDED), "run make evidence"


def test_results_are_recorded_as_they_are() -> None:
    assert Evidence.from_dict(json.loads(json.dumps(RECORDED.to_dict()))) == RECORDED


def test_every_difference_has_a_reason() -> None:
    assert RECORDED.peers.keys() == PEERS.keys()
    assert {(row.peer, row.label) for row in RECORDED.rows} == {
        (c.peer, c.label) for c in COMPARISONS
    }
    for row in RECORDED.rows:
        assert row.unexplained == 0
        assert row.largest < 1e-13
        assert row.explained.keys() <= DISAGREEMENTS.keys()
    for figures in RECORDED.figures:
        assert figures.differ == 0 or figures.note


def test_figures_of_suites_and_of_the_paper_are_reproduced() -> None:
    for figures in (*suite_figures(), paper_figures()):
        assert figures in RECORDED.figures
        assert figures.differ == 0


def test_every_disagreement_has_its_files() -> None:
    assert {path.name for path in FILES.iterdir()} == {*DISAGREEMENTS}
    for name, case in DISAGREEMENTS.items():
        files = {file for pair in case.pairs for file in pair}
        assert {path.name for path in (FILES / name).iterdir()} == files


@pytest.mark.parametrize("name", DISAGREEMENTS)
def test_the_files_show_the_disagreement(name: str) -> None:
    recorded = RECORDED.disagreements[name]

    for response, scores in our_scores(name).items():
        assert recorded[response]["anascore"] == scores["anascore"]
    assert any(
        scores[peer] != scores["anascore"]
        for scores in recorded.values()
        for peer in DISAGREEMENTS[name].peers
    )


F1 = {
    "order": [{"lea": "81.58", "blanc": "80.63"}] * 2,
    "ties": [{"muc": "33.33", "b3": "68.75", "ceafe": "83.33"}] * 2,
    "mention-ties": [{"b3": "66.67", "ceafe": "83.33"}],
    "heads": [{"muc": "100.00", "b3": "100.00"}],
    "sentences": [{"muc": "0.00", "b3": "25.00"}],
    "no-links": [{"blanc": "40.00"}],
    "singletons": [{"muc": "-"}],
    "doubled": [{"muc": "100.00", "b3": "100.00", "lea": "100.00"}],
    "nonreferring-elements": [{"b3": "100.00", "ceafe": "100.00"}],
    "sets-of-one-mention": [{"blanc": "100.00"}],
    "gaps": [{"muc": "0.00", "b3": "25.00"}],
    "extra-mentions": [{"b3": "61.54", "ceafe": "80.00"}],
    "rounding": [{"muc": "66.67"}],
}
"""F1 by anascore for each response of a disagreement."""


@pytest.mark.parametrize("name", DISAGREEMENTS)
def test_scores_of_the_files(name: str) -> None:
    assert [scores["anascore"] for scores in our_scores(name).values()] == F1[name]


def test_udapi_moves_the_head_to_the_full_stop(tmp_path: Path) -> None:
    pytest.importorskip("udapi.core.document", reason="needs udapi")

    moved = with_moved_heads(FILES / "heads" / "response.conllu", tmp_path)

    (document,) = anascore.read(moved).documents.values()
    heads = [mention.head for entity in document.entities for mention in entity.mentions]
    assert [document.words[head[0] - 1] for head in heads if head] == [".", "them"]


def test_repeated_mentions_can_be_counted_as_by_the_published_scorer() -> None:
    path = FILES / "doubled" / "key.conllua"

    result = anascore.score(path, path, convention="ua", repeated_mentions="all")

    printed = RECORDED.disagreements["doubled"]["key.conllua"]["ua"]
    assert {name: f"{100 * (result[name].f1 or 0):.2f}" for name in printed} == printed


PERL = """\
METRIC muc:

====== TOTALS =======
Identification of Mentions: Recall: (11 / 12) 91.66%\tPrecision: (11 / 11) 100%\tF1: 95.65%
Coreference: Recall: (0 / 0) 0%\tPrecision: (2 / 3) 66.66%\tF1: 0%
METRIC blanc:
Identification of Mentions: Recall: (11 / 12) 91.66%\tPrecision: (11 / 11) 100%\tF1: 95.65%
Coreference:
Coreference links: Recall: (36 / 39) 92.3%\tPrecision: (36 / 45) 80%\tF1: 85.71%
BLANC: Recall: (0.25 / 1) 25%\tPrecision: (0.5 / 1) 50%\tF1: 33.33%
"""


def test_output_of_the_perl_scorer() -> None:
    assert read_perl(PERL) == {"muc": [0, 2 / 3], "blanc": [0.25, 0.5]}
    assert read_perl("") is None
    assert printed_f1(PERL) == {"muc": "0.00", "blanc": "33.33"}


@pytest.fixture
def peers(tmp_path: Path) -> Path:
    """Make a scorer that gives everything 1, and fails on a response without a name."""
    for package in ("coval", "coval/conll", "coval/eval"):
        (tmp_path / "coval" / package).mkdir(parents=True, exist_ok=True)
        (tmp_path / "coval" / package / "__init__.py").touch()
    (tmp_path / "coval/coval/conll/reader.py").write_text(
        "def get_coref_infos(key, response, keep_singletons):\n"
        "    print('reading')\n"
        "    return open(response).read()\n"
    )
    (tmp_path / "coval/coval/eval/evaluator.py").write_text(
        "mentions = muc = b_cubed = ceafe = lea = 1\n"
        "def evaluate_documents(infos, metric, beta):\n    return 1, 1, 1\n"
    )
    return tmp_path


PAIR = FILES / "rounding" / "key.conll", FILES / "rounding" / "response.conll"
ONES = {name: [1, 1, 1] for name in ("mentions", "muc", "b3", "ceafe", "lea")}


def test_a_scorer_runs_in_a_process_of_its_own(peers: Path) -> None:
    scores = run_peer("coval", peers / "coval", [PAIR, (PAIR[0], Path("nowhere"))], {})

    assert scores == [ONES, None]


def test_a_scorer_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"^ModuleNotFoundError: No module named 'coval'$"):
        run_peer("coval", tmp_path, [PAIR], {})
    assert version_of(tmp_path) == "unknown"


def test_the_perl_scorer_needs_perl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / PEERS["conll"].folder).mkdir()
    (tmp_path / PEERS["coval"].folder).mkdir()
    monkeypatch.setattr("tools.evidence.peers.which", {}.get)

    assert [name for name in PEERS if is_at_hand(name, tmp_path)] == ["coval"]


def test_scores_are_counted() -> None:
    comparison = Comparison("coval", ".conll", "exact", {}, {"split": False}, "", {"b3": "order"})
    theirs = [{"muc": [0.5, 1, 0.7], "b3": [7 / 12, 0.9, 0.9]}, None]

    row = compare_scores(Row("a source", "coval", "exact"), [PAIR, PAIR], theirs, comparison)

    assert (row.pairs, row.not_scored, row.scores) == (2, 1, 6)
    assert (row.explained, row.unexplained) == ({"order": 2}, 1)
    assert row.largest < 1e-15
    # Known reasons of a source, and mentions in several entities.
    of_corpus = compare_scores(Row("GerDraCor", "coval", ""), [PAIR, PAIR], theirs, comparison)
    assert of_corpus.explained == {"order": 2, "sentences": 1}
    key = FILES / "doubled" / "key.conllua"
    ua = Comparison("ua", ".conllua", "exact", {}, {}, "", {})
    doubled = compare_scores(Row("s", "ua", ""), [(key, key)], [{"muc": [0, 0, 0]}], ua)
    assert doubled.explained == {"doubled": 3}
    refused = compare_scores(Row("s", "ua", ""), [PAIR], [{"muc": [0, 0, 0]}], ua)
    assert (refused.not_scored, refused.scores) == (1, 0)


def test_a_peer_is_run_on_its_suite_and_on_random_documents(
    peers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.evidence.comparisons.DOCUMENTS", 3)
    monkeypatch.setattr("tools.evidence.comparisons.REAL", {})
    (peers / "coval" / "tests").mkdir()
    for name in ("a.key", "a-1.response", "a-2.response", "b.key"):
        (peers / "coval" / "tests" / name).write_bytes(PAIR[0].read_bytes())
    (tmp_path / "files").mkdir()

    rows = {row.source: row for row in live_rows(COMPARISONS[1], peers, tmp_path / "files")}

    assert [(source, row.pairs) for source, row in rows.items()] == [
        ("own test suite", 2),
        ("3 random documents", 3),
        ("example corpus", 3),
    ]
    assert rows["own test suite"].unexplained == 0
    assert rows["example corpus"].unexplained > 0


def test_peers_at_hand_are_asked_about_disagreements(peers: Path, tmp_path: Path) -> None:
    found = peer_scores("sentences", peers, tmp_path)

    assert found == {"response.conll": {"coval": {"muc": "100.00", "b3": "100.00"}}}


def test_results_that_cannot_be_repeated_are_restated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "corpus_figures", lambda: iter(()))
    monkeypatch.setattr(command, "RECORDED", tmp_path / "recorded.json")
    monkeypatch.setattr(command, "PAGE", tmp_path / "reference" / "page.md")

    evidence = command.gather(tmp_path, RECORDED)

    assert evidence.absent == [*PEERS]
    assert evidence.peers == RECORDED.peers
    assert evidence.rows == [replace(row, rerun=False) for row in RECORDED.rows]
    assert evidence.disagreements == RECORDED.disagreements
    assert {figures.rerun for figures in evidence.figures} == {True, False}
    page = render(evidence)
    assert page.count("not at hand; results of an earlier run") == len(PEERS)
    # Without any earlier run, the page says what is missing.
    assert command.main(["--peers", str(tmp_path)]) == 0
    page = command.PAGE.read_text(encoding="utf-8")
    assert page.count("| never run |") == len(PEERS)
    assert "| not at hand |" in page


def test_rows_of_this_run_replace_earlier_ones() -> None:
    first, *others = RECORDED.rows
    again = replace(first, scores=first.scores + 1)

    assert command.restate([again], RECORDED.rows) == [
        again,
        *(replace(row, rerun=False) for row in others),
    ]
    assert command.restate_figures([Figures("s", 1, 0, 0)], [Figures("s", 2, 0, 0)]) == [
        Figures("s", 1, 0, 0)
    ]


def test_unexplained_differences_fail(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bad = replace(RECORDED, rows=[replace(RECORDED.rows[0], unexplained=2)])
    monkeypatch.setattr(command, "gather", lambda *_: bad)
    monkeypatch.setattr(command, "RECORDED", tmp_path / "recorded.json")
    monkeypatch.setattr(command, "PAGE", tmp_path / "page.md")

    assert command.main([]) == 1
    assert "**2 unexplained**" in command.PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("sets", [True, False])
def test_random_documents(sets: bool) -> None:  # noqa: FBT001  a parameter of the test
    pairs = [random_pair(seed, sets=sets) for seed in range(20)]

    assert pairs == [random_pair(seed, sets=sets) for seed in range(20)]
    for key, response in pairs:
        (own,), (other,) = key.documents.values(), response.documents.values()
        assert own.words == other.words
    entities = [e for pair in pairs for c in pair for d in c.documents.values() for e in d.entities]
    assert any(entity.is_set for entity in entities) == sets
    assert any(len(entity.mentions) == 1 for entity in entities)
