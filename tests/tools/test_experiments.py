"""The experiments: noise that repeats, and what the page says of the results."""

from pathlib import Path

import pytest

import anascore
from anascore import Corpus
from anascore.cli import main as command_line
from anascore.metrics.scores import GROUPS as PROPOSED
from support.generated_corpora import PRONOUNS, generated_file
from support.paper import KEY, SYSTEMS
from support.shared import Lazy, beginning, each_corpus
from tools.experiments.__main__ import PAGE, SEEDS, main, run
from tools.experiments.corpora import CORPORA, Data
from tools.experiments.findings import (
    BASELINES,
    F1,
    Check,
    Range,
    Runs,
    baselines_hardly_differ,
    corpora_where,
    few_are_complete,
    importance_spreads,
    long_sets_cost,
    nothing_gained,
    oracle_is_best,
    precision_for_recall,
    random_has_more_over_sets,
    range_of,
    sets_are_in_order,
    sets_spread_more,
    single_is,
)
from tools.experiments.noise import Noise, single_antecedents
from tools.experiments.report import report
from tools.experiments.systems import partly_right, systems
from tools.experiments.tables import CONLL, Rows, Scored, table

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
        assert command_line.main(["validate", str(path)]) == 0


def test_a_partly_right_response_repeats_and_has_fewer_sets() -> None:
    key = anascore.read(KEY)

    def set_sizes(seed: int) -> tuple[int, ...]:
        (document,) = partly_right(key, seed).documents.values()
        return tuple(len(entity.elements) for entity in document.entities)

    assert set_sizes(0) == set_sizes(0)
    assert len({set_sizes(seed) for seed in range(40)}) > 10


def test_a_table() -> None:
    result = anascore.score(KEY, KEY, metrics="muc,b3,ceafe,conll")

    lines = table([{"Key": Scored(result, result)}], CONLL).splitlines()

    assert lines[0].startswith("| | MUC R | MUC P | MUC F1 | B³ R |")
    assert lines[2] == f"| Key |{' 100.0 |' * 10}"


def test_cells_are_ranges_over_the_seeds() -> None:
    scores = [anascore.score(KEY, system, metrics="muc,lea") for system in (KEY, SYSTEMS[0])]
    columns = [column for column in CONLL if column[0] == "MUC R"]

    lines = table([{"System": Scored(score, score)} for score in scores], columns).splitlines()

    assert lines[2] == "| System | 65.2–100.0 |"


def test_undefined_cells_are_dashes() -> None:
    singletons = anascore.score_clusters([["a"]], [["a"]], metrics="muc")
    columns = [column for column in CONLL if column[0] == "MUC R"]

    assert table([{"System": Scored(singletons, singletons)}], columns).endswith("| System | - |")


def test_what_is_missing_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    nowhere = tuple(data._replace(path=tmp_path / "nowhere") for data in CORPORA)
    monkeypatch.setattr("tools.experiments.__main__.CORPORA", nowhere)

    assert main([]) == 2
    assert capsys.readouterr().err == (
        "experiments: the data of GUM, Friends, RuCoCo are not there\n"
    )


@each_corpus("rucoco", real_ones=["rucoco"])
def test_characters_can_be_noisy(corpus: Lazy[Corpus]) -> None:
    key = beginning(corpus())

    single = single_antecedents(key, Noise(moved=0.5), 1)

    scores = anascore.score(key, single, split=False).scores
    assert 0 < (scores["mentions"].f1 or 0) < (scores["mor"].f1 or 0) < 1


def rows_of(*systems: Path) -> Rows:
    """Give the names of all systems to the example's."""
    scored = {
        system: Scored(
            anascore.score(KEY, system, metrics=METRICS),
            anascore.score(KEY, system, metrics="lea", lea_importance=10),
        )
        for system in {*systems}
    }
    names = (*BASELINES, "Partly right", "Oracle")
    return {name: scored[system] for name, system in zip(names, systems, strict=True)}


METRICS = ["muc", "b3", "ceafe", "ceafm", "lea", "blanc", "conll", *PROPOSED]
A, B, _, D = SYSTEMS


def test_a_statement_must_hold_with_every_seed() -> None:
    above, below = (rows_of(*[single] * 7, oracle) for single, oracle in ((A, KEY), (KEY, A)))

    def oracle_is_right(rows: Rows) -> bool:
        return rows["Oracle"].usual.conll == 1

    results = {"one": [above, above], "two": [above, below], "three": [below, below]}

    assert corpora_where(results, oracle_is_right) == ["one"]


def test_statements_that_do_not_hold_are_not_on_the_page() -> None:
    good = rows_of(*[A] * 5, D, B, KEY)
    bad = rows_of(KEY, A, A, A, A, KEY, A, A)
    names = ("GUM", "Friends", "RuCoCo")

    pages = [
        report(dict(zip(names, found, strict=True)), Noise(), (1, 2))
        for found in (
            [[good, good]] * 3,
            [[good, good], [good, bad], [bad, bad]],
            [[good, bad]] * 3,
        )
    ]

    assert "is above *Partly right* on all corpora." in " ".join(pages[0].split())
    assert "is above *Partly right* on GUM." in " ".join(pages[1].split())
    assert "**Better sets get better scores.**" not in pages[2]
    assert "in 45 of 45 columns" in pages[0]
    assert "in 15 of 45 columns" in pages[1]


def test_a_range() -> None:
    assert range_of([0.32, 0.123, 0.2]) == Range(0.123, 0.32)
    assert Range(0.123, 0.32).text() == "12.3 to 32.0"
    assert Range(0.1231, 0.1232).text() == "12.3"


@pytest.fixture(scope="module")
def generated_data(tmp_path_factory: pytest.TempPathFactory) -> tuple[Data, ...]:
    """Write generated corpora in the place of the real ones."""
    folder = tmp_path_factory.mktemp("generated")
    formats = ("corefud", "friends", "rucoco")
    return tuple(
        Data(data.name, generated_file(folder, name), PRONOUNS)
        for data, name in zip(CORPORA, formats, strict=True)
    )


@pytest.fixture(scope="module")
def generated_results(generated_data: tuple[Data, ...]) -> dict[str, Runs]:
    return {data.name: run(data, SEEDS) for data in generated_data}


@pytest.fixture(scope="module")
def results() -> dict[str, Runs]:
    return {data.name: run(data, SEEDS) for data in CORPORA}


def test_a_page_is_written(
    generated_data: tuple[Data, ...],
    generated_results: dict[str, Runs],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr("tools.experiments.__main__.CORPORA", generated_data)

    assert main([str(tmp_path / "page.md")]) == 0

    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert page == report(generated_results, Noise(), SEEDS)
    for heading in ("GUM", "Friends", "RuCoCo"):
        assert f"## {heading}" in page


@pytest.mark.corpora
def test_the_page_is_what_comes_out(results: dict[str, Runs]) -> None:
    assert PAGE.read_text(encoding="utf-8") == report(results, Noise(), SEEDS)


@pytest.mark.parametrize(
    "name", ["generated_results", pytest.param("results", marks=pytest.mark.corpora)]
)
@pytest.mark.parametrize(
    "check",
    [
        baselines_hardly_differ,
        sets_spread_more,
        sets_are_in_order,
        importance_spreads,
        precision_for_recall,
        *map(oracle_is_best, F1),
    ],
)
def test_what_the_paper_found_comes_out(
    name: str, check: Check, request: pytest.FixtureRequest
) -> None:
    results: dict[str, Runs] = request.getfixturevalue(name)

    assert corpora_where(results, check) == [*results]


@pytest.mark.corpora
@pytest.mark.parametrize("check", [few_are_complete, nothing_gained])
def test_what_the_paper_found_in_real_texts(results: dict[str, Runs], check: Check) -> None:
    assert corpora_where(results, check) == [*results]


@pytest.mark.corpora
@pytest.mark.parametrize(
    ("check", "corpora"),
    [
        (long_sets_cost, ["GUM"]),
        (single_is(min, "Z&C B³"), ["Friends"]),
        (single_is(max, "B³"), ["GUM", "Friends", "RuCoCo"]),
        (single_is(min, "LEA RuCoCo"), ["Friends"]),
        (single_is(max, "LEA RuCoCo"), ["GUM"]),
        (random_has_more_over_sets, ["GUM", "Friends", "RuCoCo"]),
    ],
)
def test_where_proposals_disagree(
    results: dict[str, Runs], check: Check, corpora: list[str]
) -> None:
    assert corpora_where(results, check) == corpora
