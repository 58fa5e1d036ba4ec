"""The reports of suites and of agreement: their numbers, and their pages in a browser."""

from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore import Corpus, Document, Entity, Mention
from anascore.cli.main import main
from anascore.example import FOLDER, KEY, SYSTEMS
from anascore.output.agreement import coefficient
from anascore.output.grid import percent
from anascore.output.html.text import TextColumn
from support.browser import AXE, OPEN_ALL, Opened, browser, needs_axe, needs_browser
from support.report_page import ALLOWED, HOSTILE, Page

__all__ = ["browser"]

ANNOTATORS = {"Anna": KEY, "Ben": SYSTEMS[0], "Cleo": SYSTEMS[1]}


def suite_arguments(folder: Path) -> list[str]:
    """Write two datasets and three systems, and return the arguments of `suite`."""
    names = {"keys": KEY, "good": SYSTEMS[0], "fair": SYSTEMS[1], "<b>weak": SYSTEMS[2]}
    for name, path in names.items():
        target = folder / name
        target.mkdir()
        documents = list(anascore.read(path).documents.items())
        for dataset, part in (("one", documents[:5]), ("two", documents[5:])):
            anascore.write(Corpus(dict(part)), target / f"{dataset}.conllua")
    return [str(folder / name) for name in names]


@pytest.fixture(scope="module")
def suite_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("suite")
    arguments = [*suite_arguments(folder), "--confidence", "--samples", "50"]
    path = folder / "suite.html"
    assert main(["suite", *arguments, "--report", str(path), "--output", "json"]) == 0
    return path


@pytest.fixture(scope="module")
def large_suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the page of a suite of six systems."""
    folder = tmp_path_factory.mktemp("large")
    keys, *systems = suite_arguments(folder)
    named = [f"{name}={systems[n % 3]}" for n, name in enumerate("abcdef")]
    path = folder / "suite.html"
    arguments = ["suite", keys, *named, "--samples", "50", "--report", str(path)]
    assert main([*arguments, "--output", "json"]) == 0
    return path


@pytest.fixture(scope="module")
def agreement_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("agreement") / "agreement.html"
    given = [f"{name}={file}" for name, file in ANNOTATORS.items()]
    assert main(["agreement", *given, "--confidence", "--report", str(path)]) == 0
    return path


def test_numbers_of_a_suite(tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    keys, *systems = suite_arguments(tmp_path)

    assert main(["suite", keys, *systems, "--report", str(target)]) == 0

    suite = anascore.suite(keys, systems, paired="bootstrap")
    ranked = [rank.system for rank in suite.ranks]
    macro = [percent(suite.macro(system)["conll"].f1) for system in ranked]
    page = Page(target)
    table = page.table("F1 of CoNLL in per cent")
    assert table.heads[0][1:4] == ranked
    assert [row[:4] for row in table.rows] == [
        ["macro-average", *macro],
        *(
            [dataset, *(percent(suite.value(system, dataset)) for system in ranked)]
            for dataset in ("one", "two")
        ),
    ]
    for card, system, f1 in zip(page.cards, ranked, macro, strict=True):
        assert card.startswith(f"{system}macro CoNLL {f1} ")
    assert {tag for tag, _ in page.tags} <= ALLOWED


def test_the_suite_of_one_system(tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    keys, system, *_ = suite_arguments(tmp_path)

    assert main(["suite", keys, system, "--report", str(target), "--output", "json"]) == 0

    page = Page(target)
    assert "good: macro CoNLL" in page.visible
    assert "rank" not in page.visible
    assert "Differences" not in page.visible


def test_agreement_of_many_and_undefined_scores(tmp_path: Path) -> None:
    entities = [Entity([Mention(((0, 1),)), Mention(((1, 2),))])]
    documents = {"d": Document("d", ["a", "b"], entities), "e": Document("e", ["a", "b"], [])}
    corpora = {letter: Corpus(documents) for letter in "vwxyz"}
    target = tmp_path / "page.html"

    anascore.agreement(corpora, report=target)

    page = Page(target)
    assert "5 annotators: α = " in page.visible
    assert "Disagreements by type" not in page.visible
    points = [a for tag, a in page.tags if tag == "a" and a.get("data-s") == "0"]
    assert [a["href"] for a in points] == ["#d0"]


def test_numbers_of_agreement(tmp_path: Path) -> None:
    target = tmp_path / "page.html"

    result = anascore.agreement(ANNOTATORS, confidence=True, samples=20, report=target)

    page = Page(target)
    f1s = [percent(pair["conll"].f1) for pair in result.pairs.values()]
    assert page.table("F1 of CoNLL of each pair").rows == [
        ["Anna", "", f1s[0], f1s[1]],
        ["Ben", f1s[0], "", f1s[2]],
        ["Cleo", f1s[1], f1s[2], ""],
    ]
    alpha, split_alpha = coefficient(result.alpha).text(), coefficient(result.split_alpha).text()
    mean = percent(result.mean_f1["conll"])
    for card, start in zip(
        page.cards,
        (
            f"Chainsα {alpha} ",
            f"Split antecedentsα {split_alpha} ",
            f"Mean F1 of pairsCoNLL {mean} ",
            "",
        ),
        strict=True,
    ):
        assert card.startswith(start)
    disagreements = anascore.agreement(ANNOTATORS, disagreements=True).disagreements
    assert page.table("Agreement by document").rows == [
        [
            *(name, str(counted.chains.items), coefficient(counted.chains.chains.alpha).text()),
            coefficient(counted.chains.split.alpha).text(),
            percent(result.document_f1(name)["conll"]),
            str(sum(one.document == name for one in disagreements)),
        ]
        for name, counted in result.counted.items()
    ]
    listed = [
        error
        for n in range(10)
        for column in page.data(f"d{n}-data")["columns"]
        for error in column["errors"]
    ]
    assert len(listed) == len(disagreements) > 20
    assert {str(one) for one in disagreements} == {error[4] for error in listed}


def test_agreement_of_two_with_another_text_and_deixis(tmp_path: Path) -> None:
    words = ["Ann", "met", "Bob", "."]
    mentions = [Mention(((0, 1),)), Mention(((2, 3),))]
    corpora = {
        name: Corpus({"d": Document("d", words, [], deixis=[Entity(chain)])})
        for name, chain in (("x", mentions), ("y", mentions[:1]))
    }
    target = tmp_path / "page.html"

    anascore.agreement(corpora, layers="discourse-deixis", report=target)

    first, second = Page(target).data("d0-data")["columns"]
    assert first["mentions"] == [[0, 0, 1], [0, 2, 3]]
    assert second["mentions"] == [[0, 0, 1]]
    assert second["shared"] == [[0, 0, 1]]
    assert "units" not in second


def test_a_disagreement_on_a_zero_is_in_the_line_that_begins_with_it(tmp_path: Path) -> None:
    chain = [Mention(((0, 1),)), Mention((), ((2, 1),))]
    corpora = {
        name: Corpus(
            {
                "d": Document(
                    *("d", ["Ann", "came", "left", "."], [Entity(mentions)]),
                    zeros=[(2, 1)],
                    sentences=[0, 2],
                )
            }
        )
        for name, mentions in (("x", chain), ("y", chain[:1]))
    }
    target = tmp_path / "page.html"

    anascore.agreement(corpora, disagreements=True, report=target)

    page = Page(target)
    assert "#d0l1" in {a["href"] for tag, a in page.tags if tag == "a"}
    assert [error[1] for error in page.data("d0-data")["columns"][1]["errors"]] == [1]


def test_the_matrix_of_each_layer_is_shown_once(tmp_path: Path) -> None:
    target = tmp_path / "page.html"

    anascore.agreement(ANNOTATORS, layers="identity,bridging", report=target)

    page = Page(target)
    matrices = [table for table in page.tables if table.heads[-1][1:] == [*ANNOTATORS]]
    assert [table.caption for table in matrices] == [
        "F1 of CoNLL of each pair, in per cent",
        "Anaphors F1 by annotator, bridging",
    ]


def test_a_report_without_disagreements(tmp_path: Path) -> None:
    target = tmp_path / "page.html"

    anascore.agreement({"x": KEY, "y": KEY}, report=target)

    assert "disagreements" not in {a.get("id") for _, a in Page(target).tags}


def test_hostile_names(tmp_path: Path) -> None:
    entities = [Entity([Mention(((0, 1),)), Mention(((1, 2),))])]
    corpora = {
        text: Corpus({HOSTILE[0]: Document(HOSTILE[0], [text, "they"], entities[:n])})
        for n, text in enumerate(HOSTILE)
    }
    target = tmp_path / "page.html"

    anascore.agreement(corpora, words="ignore", report=target)

    page = Page(target)
    assert {tag for tag, _ in page.tags} <= ALLOWED
    everything = page.all_text()
    for text in HOSTILE:
        assert text in everything


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["suite", "keys", "system", "--report", "-"], "file name with --report"),
        (["agreement", str(KEY), str(SYSTEMS[0]), "--report", "-"], "file name with --report"),
        (
            ["agreement", str(KEY), str(SYSTEMS[0]), "--report", str(KEY)],
            "this is one of the input files",
        ),
        (
            ["agreement", str(KEY), str(SYSTEMS[0]), "--report", str(FOLDER / "no" / "page.html")],
            "/no does not exist",
        ),
    ],
)
def test_targets_that_are_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


PAGES = ["suite_page", "large_suite", "agreement_page"]


@needs_browser
@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", [375, 1366])
def test_pages_load_without_messages_and_scrolling_sideways(
    name: str, width: int, browser: Any, request: pytest.FixtureRequest
) -> None:
    path = request.getfixturevalue(name)
    context = browser.new_context(viewport={"width": width, "height": 800})
    found = Opened(context, path)
    found.page.wait_for_selector("body.script")
    if name == "agreement_page":
        found.ready()
    found.page.evaluate(OPEN_ALL)

    assert found.problems == []
    assert found.requests == [path.as_uri()]
    assert found.page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()


@needs_browser
@needs_axe
@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_have_no_serious_problem_of_access(
    name: str, scheme: str, browser: Any, request: pytest.FixtureRequest
) -> None:
    path = request.getfixturevalue(name)
    context = browser.new_context(bypass_csp=True, color_scheme=scheme)
    page = Opened(context, path).page
    page.wait_for_selector("body.script")
    page.evaluate(OPEN_ALL)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    violations = page.evaluate("axe.run().then((found) => found.violations)")

    assert [one["id"] for one in violations if one["impact"] in {"serious", "critical"}] == []
    context.close()


@needs_browser
@pytest.mark.parametrize("width", [1366, 1920])
def test_a_suite_fills_a_wide_window(width: int, browser: Any, suite_page: Path) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900})
    page = Opened(context, suite_page).page
    page.wait_for_selector("body.script")
    boxes = [table.bounding_box() for table in page.locator("#overview table").all()]

    assert len(boxes) == 4  # the heat map, differences, variants, tests
    assert max(box["x"] + box["width"] for box in boxes) > 0.8 * width
    heat_map, differences = (
        page.locator("#overview table", has=page.locator("caption", has_text=text))
        for text in ("F1 of CoNLL", "Differences")
    )
    tops = [
        [round(row.bounding_box()["y"]) for row in table.locator("tbody tr").all()]
        for table in (heat_map, differences)
    ]
    for own, other in zip(*tops, strict=True):
        assert abs(own - other) <= 2  # a dataset is in one line
    context.close()


@needs_browser
@pytest.mark.parametrize("name", ["suite_page", "large_suite"])
def test_columns_of_a_suite_are_chosen(
    name: str, browser: Any, request: pytest.FixtureRequest
) -> None:
    context = browser.new_context(viewport={"width": 1366, "height": 900})
    page = Opened(context, request.getfixturevalue(name)).page
    page.wait_for_selector("body.script")
    cells = "(row) => [...row.cells].filter((cell) => cell.offsetWidth).length"
    rows = page.locator("#overview table.matrix tr")
    before = {row.evaluate(cells) for row in rows.all()}
    page.click(".systems summary")
    page.locator(".systems label").first.click()

    assert len(before) == 1
    assert {row.evaluate(cells) + 1 for row in rows.all()} == before
    context.close()


@needs_browser
def test_a_system_disappears_from_all_tables(browser: Any, suite_page: Path) -> None:
    context = browser.new_context(viewport={"width": 1366, "height": 900})
    page = Opened(context, suite_page).page
    page.wait_for_selector("body.script")
    names = page.locator("main table th", has_text="good")
    before = sum(name.is_visible() for name in names.all())
    page.click(".systems summary")
    page.locator(".systems label", has_text="good").click()

    assert before == 5  # the heat map, variants, tests, metrics, intervals
    assert [name.text_content() for name in names.all() if name.is_visible()] == ["fair vs. good"]
    context.close()


@needs_browser
def test_documents_are_sorted_by_large_numbers(browser: Any, tmp_path: Path) -> None:
    documents = {}
    for name, size in (("many", 1001), ("few", 2), ("some", 30)):
        chain = Entity([Mention(((n, n + 1),)) for n in range(size)])
        documents[name] = Document(name, ["x"] * size, [chain])
    target = tmp_path / "page.html"
    anascore.agreement({"a": Corpus(documents), "b": Corpus(documents)}, report=target)
    context = browser.new_context(viewport={"width": 1366, "height": 900})
    page = Opened(context, target).page
    page.wait_for_selector("body.script")

    page.locator("#document-list th", has_text="items").locator("button").click()

    rows = page.locator("#document-list tbody tr")
    assert [row.locator("td").first.text_content() for row in rows.all()] == ["2", "30", "1,001"]
    context.close()


@needs_browser
def test_disagreements_by_keyboard(browser: Any, agreement_page: Path) -> None:
    context = browser.new_context(viewport={"width": 1366, "height": 900})
    page = Opened(context, agreement_page, "#d0").ready()
    heads = page.locator("#viewer .row.head [role=columnheader]").all_text_contents()[1:]

    assert heads == ["Anna", "Ben", "Cleo"]
    page.keyboard.press("j")
    first = int(page.locator(".line.current").get_attribute("data-line"))
    page.keyboard.press("j")
    second = int(page.locator(".line.current").get_attribute("data-line"))
    assert second > first
    page.keyboard.press("k")
    assert int(page.locator(".line.current").get_attribute("data-line")) == first
    page.locator("#error-list a").last.click()
    page.locator(
        "#viewer h3", has_text=page.locator("#error-list a").last.text_content()
    ).wait_for()
    context.close()


def empty_and_full(folder: Path) -> list[str]:
    """Write a dataset with an entity and one without, twice as keys and twice as systems."""
    entity = Entity([Mention(((0, 1),)), Mention(((1, 2),))])
    for name in ("keys", "a", "b"):
        (folder / name).mkdir()
        for dataset, entities in (("full", [entity]), ("empty", [])):
            corpus = Corpus({"d": Document("d", ["x", "y"], entities)})
            anascore.write(corpus, folder / name / f"{dataset}.conllua")
    return [str(folder / name) for name in ("keys", "a", "b")]


def test_a_dataset_without_mentions_has_no_score_in_the_page_of_a_suite(tmp_path: Path) -> None:
    target = tmp_path / "page.html"

    status = main(["suite", *empty_and_full(tmp_path), "--samples", "50", "--report", str(target)])

    rows = Page(target).table("F1 of CoNLL in per cent").rows
    assert status == 0
    assert [row[:3] for row in rows[1:]] == [["empty", "-", "-"], ["full", "100.00", "100.00"]]


def test_the_report_of_systems_without_a_defined_score(tmp_path: Path) -> None:
    keys, *systems = (f"{folder}/empty.conllua" for folder in empty_and_full(tmp_path))
    target = tmp_path / "page.html"

    anascore.report(keys, dict(zip("ab", systems, strict=True)), target)

    assert "CoNLL of 2 systems is undefined" in Page(target).visible


@pytest.mark.parametrize(
    ("words", "zeros", "place"),
    [
        ((0, 1), [], [0, 1]),
        ((1, 3), [], [2, 4]),
        ((0, 2), [], [0, 1, 2, 3]),
        ((0, 2), [(1, 1)], [0, 3]),
        ((2, 5), [], [3, 4]),
    ],
)
def test_places_of_mentions_among_zeros(
    words: tuple[int, int], zeros: list[tuple[int, int]], place: list[int]
) -> None:
    column = TextColumn(Document("d", ["a", "b", "c"], [], zeros=[(1, 1)]), [0])

    assert column.place(Mention((words,), tuple(zeros))) == place
