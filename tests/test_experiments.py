"""The experiments: noise that repeats, and what the page says of the results."""

from pathlib import Path

import pytest

import anascore
from anascore import Corpus, cli
from anascore.example import KEY
from experiments.__main__ import PAGE, SEED, main, run
from experiments.corpora import CORPORA
from experiments.findings import BASELINES, findings, percent
from experiments.noise import Noise, single_antecedents
from experiments.report import report
from experiments.systems import partly_right, systems
from experiments.tables import CONLL, PROPOSALS, Rows, Scored, table
from shared import beginning, needs_shared, real

NO_NOISE = Noise(moved=0, lost=0, split=0, merged=0, invented=0)


def sizes(corpus: Corpus) -> tuple[int, int]:
    documents = corpus.documents.values()
    entities = [entity for document in documents for entity in document.entities]
    return len(entities), sum(len(entity.mentions) for entity in entities)


def test_without_noise_only_the_sets_are_gone() -> None:
    key = anascore.read(KEY)

    single = single_antecedents(key, NO_NOISE, 1)

    result = anascore.score(key, single, split=False)
    assert result.conll == 1
    assert not any(e.elements for d in single.documents.values() for e in d.entities)


def test_noise_repeats_under_a_seed() -> None:
    key = anascore.read(KEY)
    noise = Noise(moved=0.5, lost=0.3, split=0.5, merged=0.3, invented=0.5)

    responses = [single_antecedents(key, noise, seed) for seed in (1, 1, 2)]

    assert responses[0] == responses[1]
    assert responses[0] != responses[2]


@pytest.mark.parametrize(
    ("noise", "entities", "mentions"),
    [
        (Noise(moved=0, lost=1, split=0, merged=0, invented=0), 0, 0),
        (Noise(moved=0, lost=0, split=0, merged=1, invented=0), 1, 15),
        (Noise(moved=1, lost=0, split=0, merged=0, invented=0), 7, 15),
    ],
)
def test_each_kind_of_noise(noise: Noise, entities: int, mentions: int) -> None:
    single = single_antecedents(anascore.read(KEY), noise, 1)

    assert sizes(single) == (entities, mentions)


def test_entities_fall_apart_and_mentions_are_invented() -> None:
    key = anascore.read(KEY)

    split = single_antecedents(key, Noise(moved=0, lost=0, split=1, merged=0, invented=0), 1)
    more = single_antecedents(key, Noise(moved=0, lost=0, split=0, merged=0, invented=1), 1)

    assert sizes(split)[0] > sizes(key)[0]
    assert sizes(split)[1] == sizes(key)[1]
    assert sizes(more)[1] > sizes(key)[1]


def test_responses_are_valid(tmp_path: Path) -> None:
    key = anascore.read(KEY)
    single = single_antecedents(key, Noise(), 3)

    for number, (_, response) in enumerate(systems(key, single, ("they", "their"), 3)):
        path = tmp_path / f"{number}.conllua"
        anascore.write(response, path)
        assert cli.main(["validate", str(path)]) == 0


def test_a_partly_right_response_repeats_and_has_fewer_sets() -> None:
    key = anascore.read(KEY)

    def set_sizes(seed: int) -> tuple[int, ...]:
        (document,) = partly_right(key, seed).documents.values()
        return tuple(len(entity.elements) for entity in document.entities)

    assert set_sizes(0) == set_sizes(0)
    assert len({set_sizes(seed) for seed in range(40)}) > 10


def test_a_table() -> None:
    result = anascore.score(KEY, KEY, metrics="muc,b3,ceafe,conll")

    lines = table({"Key": Scored(result, result)}, CONLL).splitlines()

    assert lines[0].startswith("| | MUC R | MUC P | MUC F1 | B³ R |")
    assert lines[2] == f"| Key |{' 100.0 |' * 10}"


def test_what_is_missing_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    nowhere = tuple(data._replace(path=tmp_path / "nowhere") for data in CORPORA)
    monkeypatch.setattr("experiments.__main__.CORPORA", nowhere)

    assert main([]) == 2
    assert capsys.readouterr().err == (
        "experiments: the data of GUM, Friends, RuCoCo are not there\n"
    )


@needs_shared
def test_characters_can_be_noisy() -> None:
    key = beginning(real("rucoco"))

    single = single_antecedents(key, Noise(moved=0.5), 1)

    scores = anascore.score(key, single, split=False).scores
    assert 0 < (scores["mentions"].f1 or 0) < (scores["mor"].f1 or 0) < 1


@pytest.fixture(scope="module")
def results() -> dict[str, tuple[Corpus, Rows]]:
    return {data.name: run(data, SEED) for data in CORPORA}


@needs_shared
def test_the_page_is_what_comes_out(results: dict[str, tuple[Corpus, Rows]]) -> None:
    assert PAGE.read_text(encoding="utf-8") == report(results, Noise(), SEED)


@needs_shared
def test_what_the_paper_found_comes_out(results: dict[str, tuple[Corpus, Rows]]) -> None:
    for _, rows in results.values():
        found = findings(rows)
        assert found.spread_all < 0.01
        assert found.spread_sets > 0.05 > found.gain
        assert found.oracle > found.partly > found.best_baseline
        assert found.above_oracle == ()
        assert found.spread_heavy > 3 * found.spread_lea
        assert found.complete < 0.3


@needs_shared
def test_where_proposals_disagree(results: dict[str, tuple[Corpus, Rows]]) -> None:
    """What the page says of them in words."""

    def value(corpus: str, label: str, system: str) -> float:
        return float(percent(results[corpus][1], PROPOSALS, label, system))

    falling = [value("GUM", "Z&C B³", f"Recent {n}") for n in (2, 3, 4, 5)]
    assert falling == sorted(falling, reverse=True)
    for label in ("Z&C B³", "LEA RuCoCo"):
        friends = {system: value("Friends", label, system) for system in BASELINES}
        assert min(friends, key=friends.__getitem__) == "Single Ant"
    for corpus in ("GUM", "RuCoCo"):
        rucoco = {system: value(corpus, "LEA RuCoCo", system) for system in BASELINES}
        assert max(rucoco, key=rucoco.__getitem__) == "Single Ant"
    b3 = {system: value("Friends", "B³", system) for system in BASELINES}
    assert max(b3, key=b3.__getitem__) == "Single Ant"
