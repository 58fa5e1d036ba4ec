"""The report in a real browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from anascore import example as example_corpus
from anascore.cli.main import main
from support.browser import AXE, OPEN_ALL, Opened, browser, needs_axe, needs_browser
from support.generated_corpora import generated_file
from support.paper import KEY, SYSTEMS
from support.report_page import write_hostile
from support.samples import SAMPLES
from support.shared import CORPORA

__all__ = ["browser"]  # fixtures

pytestmark = needs_browser


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "example.html"
    assert main(["report", str(KEY), *map(str, SYSTEMS), "-o", str(path), "--samples", "20"]) == 0
    return path


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    path = folder / "page.html"
    given = [*write_hostile(folder), "--layers", "all", "--samples", "10"]
    assert main(["report", *given, "-o", str(path)]) == 0
    return path


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("generated")
    path = folder / "page.html"
    files = [str(generated_file(folder, "corefud", response)) for response in (0, 1, 2)]
    assert main(["report", *files, "-o", str(path), "--documents", "worst:2"]) == 0
    return path


@pytest.fixture(scope="module")
def gum(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("gum") / "gum.html"
    names = ("key", "noisy-a", "noisy-b", "xrenner")
    files = [str(CORPORA / f"gum/{name}.conllu") for name in names]
    assert main(["report", *files, "-o", str(path)]) == 0
    return path


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a report of three small documents and two systems that differ in two of them."""
    from anascore import Corpus, Document, Entity, Mention, write

    folder = tmp_path_factory.mktemp("several")
    mentions = [Mention(((n, n + 1),)) for n in range(4)]
    for name, sizes in (("key", (4, 4, 4)), ("one", (3, 4, 2)), ("two", (4, 3, 2))):
        documents = {
            letter: Document(letter, list("wxyz"), [Entity(mentions[:size])], sentences=[0, 2, 3])
            for letter, size in zip("abc", sizes, strict=True)
        }
        write(Corpus(documents), folder / f"{name}.jsonl")
    files = [str(folder / f"{name}.jsonl") for name in ("key", "one", "two")]
    assert main(["report", *files, "-o", str(folder / "page.html"), "--samples", "10"]) == 0
    return folder / "page.html"


@pytest.fixture(scope="module")
def ten(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a report of ten systems; there are three kinds of them."""
    path = tmp_path_factory.mktemp("ten") / "page.html"
    names = ["a-system-with-a-long-name", *"bcdefghij"]
    systems = [f"{name}={example_corpus.SYSTEMS[n % 3]}" for n, name in enumerate(names)]
    options = ["--samples", "10", "--documents", "2"]
    assert main(["report", str(example_corpus.KEY), *systems, "-o", str(path), *options]) == 0
    return path


@pytest.fixture
def opened(browser: Any, example: Path) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1366, "height": 900})
    yield Opened(context, example, "#d0").ready()
    context.close()


@pytest.fixture
def three(browser: Any, several: Path) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1366, "height": 900})
    yield Opened(context, several).ready()
    context.close()


PAGES = ["example", "hostile", "generated", "ten", pytest.param("gum", marks=pytest.mark.corpora)]


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", [375, 1366])
def test_it_loads_without_messages_requests_and_scrolling_sideways(
    name: str, width: int, browser: Any, request: pytest.FixtureRequest
) -> None:
    path = request.getfixturevalue(name)
    context = browser.new_context(viewport={"width": width, "height": 800})
    found = Opened(context, path)
    page = found.ready()
    page.evaluate(OPEN_ALL)

    assert found.problems == []
    assert found.requests == [path.as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()


@needs_axe
@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_problem_of_access(
    name: str, scheme: str, browser: Any, request: pytest.FixtureRequest
) -> None:
    path = request.getfixturevalue(name)
    context = browser.new_context(
        bypass_csp=True, color_scheme=scheme, viewport={"width": 1366, "height": 900}
    )
    page = Opened(context, path).ready()
    page.evaluate(OPEN_ALL)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    violations = page.evaluate("axe.run().then((found) => found.violations)")

    serious = [
        (one["id"], one["nodes"][0]["html"][:200])
        for one in violations
        if one["impact"] in {"serious", "critical"}
    ]
    assert serious == []
    context.close()


@pytest.mark.corpora
def test_the_weight_of_a_corpus(browser: Any, gum: Path) -> None:
    context = browser.new_context(viewport={"width": 1366, "height": 900})
    page = Opened(context, gum).ready()

    assert gum.stat().st_size < 4_000_000
    assert page.evaluate("document.querySelectorAll('*').length") < 30_000
    context.close()


def test_numbers_sets_and_the_key_are_there_without_scripts(browser: Any, example: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = Opened(context, example, "#d0").page

    assert page.locator(".card strong").first.is_visible()
    assert page.locator(".matrix .rp").first.is_visible()
    assert not page.is_visible("#filter-text")
    assert not page.is_visible("#document")
    page.click("#d0 > summary")
    assert page.locator("#d0 mark[data-e^='K']").first.is_visible()
    page.locator("summary", has_text="List of errors").click()
    assert page.locator("#error-list tbody tr").first.is_visible()
    assert page.locator("section.sets figure").count() > 0
    context.close()


def test_the_first_screen(three: Any) -> None:
    text = three.text_content("#overview")

    assert three.locator(".card").count() == 2
    assert "rank 1" in text
    assert three.locator(".matrix .rp").first.is_hidden()
    three.locator("[data-show=rp]").first.check()
    assert three.locator(".matrix .rp").first.is_visible()
    box = three.locator(".matrix").first.bounding_box()
    assert box["y"] < 500


def test_headings_of_numbers_stand_above_them(three: Any) -> None:
    three.evaluate(OPEN_ALL)
    aligned = """() => [...document.querySelectorAll("#overview table, #errors table")]
      .filter((table) => table.tHead.rows.length === 1)
      .flatMap((table) => [...table.tHead.rows[0].cells].map((head, n) =>
        [table.caption.textContent, head.textContent, getComputedStyle(head).textAlign,
         getComputedStyle(table.tBodies[0].rows[0].cells[n]).textAlign]))
      .filter(([, label]) => label)"""

    heads = three.evaluate(aligned)
    assert len(heads) > 20
    assert [head for head in heads if head[3] == "right" != head[2]] == []


def test_documents_are_sorted_and_filtered(three: Any) -> None:
    def names() -> list[str]:
        rows = three.locator("#document-list tbody tr:visible th").all_text_contents()
        return [name.strip() for name in rows]

    head = three.locator("#document-list th", has_text="one")
    head.locator("button").click()
    assert names() == ["c", "a", "b"]
    assert head.get_attribute("aria-sort") == "ascending"
    head.locator("button").press("Enter")
    assert names() == ["b", "a", "c"]
    assert head.get_attribute("aria-sort") == "descending"

    three.select_option("#filter-best", "0")
    assert names() == ["b", "c"]
    three.fill("#filter-document", "b")
    assert names() == ["b"]


def shows(page: Any, document: str) -> None:
    """Wait until the text of a document is shown."""
    page.locator("#viewer h3", has_text=document).wait_for()


def test_the_picker_and_keys_lead_to_documents(three: Any) -> None:
    def title() -> str:
        return str(three.text_content("#viewer h3"))

    assert title() == "a"
    three.keyboard.press("n")
    shows(three, "b")
    assert three.evaluate("location.hash") == "#d1"
    three.keyboard.press("n")
    shows(three, "c")
    three.keyboard.press("p")
    shows(three, "b")
    three.click("#previous")
    shows(three, "a")
    three.fill("#document", "C")
    three.press("#document", "Enter")
    shows(three, "c")
    three.locator("#document-list a", has_text="b").click()
    shows(three, "b")
    three.go_back()
    shows(three, "c")


def test_a_step_right_after_a_step_is_not_lost(three: Any) -> None:
    """The address of a step is announced late: by then, the next step has begun."""
    three.evaluate("""() => {
        const next = document.getElementById("next");
        const observer = new MutationObserver(async () => {
            observer.disconnect();
            for (let wait = 0; wait < 9; wait += 1) await null;
            next.click();
        });
        observer.observe(document.getElementById("viewer"), { childList: true });
        next.click();
    }""")
    three.wait_for_timeout(500)
    assert three.text_content("#viewer h3") == "c"
    assert three.evaluate("location.hash") == "#d2"


def heads(page: Any) -> list[str]:
    texts = page.locator("#viewer .row.head [role=columnheader]").all_text_contents()
    return [text.split()[0] for text in texts[1:]]


def test_columns_are_chosen(three: Any) -> None:
    assert heads(three) == ["key", "one", "two"]
    three.click(".systems summary")
    three.locator(".systems label", has_text="one").click()
    assert heads(three) == ["key", "two"]
    assert three.locator(".card:visible").count() == 1
    assert three.evaluate("location.hash") == "#d0&s=1"
    three.locator(".tools label", has_text="key").click()
    assert heads(three) == ["two"]


def test_at_most_four_columns(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    systems = [f"{letter}={SYSTEMS[0]}" for letter in "abcdef"]
    assert main(["report", str(KEY), *systems, "-o", str(path), "--samples", "10"]) == 0
    context = browser.new_context(viewport={"width": 1366, "height": 900})
    page = Opened(context, path).ready()

    assert heads(page) == ["key", "a", "b", "c"]
    assert "4 of 7 columns are shown" in page.text_content("#viewer")
    context.close()


def test_many_systems_are_ranked_in_a_table(browser: Any, ten: Path) -> None:
    context = browser.new_context(viewport={"width": 1366, "height": 900})
    page = Opened(context, ten).ready()
    rows = page.locator(".league tbody tr")
    scores = [float(text) for text in page.locator(".league strong").all_text_contents()]

    assert page.locator(".card").count() == 0
    assert rows.count() == 10
    assert scores == sorted(scores, reverse=True)
    assert [row.locator("td").first.text_content() for row in rows.all()] == (
        ["1"] * 4 + ["5"] * 3 + ["8"] * 3
    )
    assert page.locator(".matrix").first.bounding_box()["y"] < 700
    context.close()


BARS = """(table) => [...table.querySelectorAll("tbody td.n:has(svg.level)")].map((cell) => {
  const [all, box] = ["svg", "rect"]
    .map((name) => cell.querySelector(name).getBoundingClientRect());
  return [parseFloat(cell.textContent), 100 * box.width / all.width, box.left - all.left];
})"""


def test_bars_of_many_systems_are_as_long_as_their_numbers(browser: Any, ten: Path) -> None:
    context = browser.new_context(viewport={"width": 1366, "height": 900})
    page = Opened(context, ten).ready()
    tables = page.locator("table.levels")

    assert tables.count() > 5
    assert page.locator("#classes svg.chart").count() == 0  # no marks that cover each other
    for table in [
        *page.locator("#overview .levels").all(),
        *page.locator("#classes .levels").all(),
    ]:
        bars = table.evaluate(BARS)
        assert bars
        for number, width, start in bars:
            assert width == pytest.approx(number, abs=0.2)
            assert start == pytest.approx(0, abs=0.1)
    longest = max(width for _, width, _ in page.locator("#errors .levels").evaluate(BARS))
    assert longest == pytest.approx(100, abs=0.1)
    context.close()


def test_ten_systems_fit_into_a_window(browser: Any, ten: Path) -> None:
    context = browser.new_context(viewport={"width": 1366, "height": 900})
    page = Opened(context, ten).ready()
    hidden = "(table) => table.parentElement.scrollWidth - table.parentElement.clientWidth"
    widths = "(row) => [...row.cells].slice(1, 11).map((cell) => cell.offsetWidth)"

    for table in page.locator(".league, .levels, #document-list").all():
        assert table.evaluate(hidden) <= 0
    columns = page.locator("#overview .levels tbody tr").first.evaluate(widths)
    assert max(columns) - min(columns) < 15
    assert page.locator(".plots > div").count() == 10
    context.close()


def test_columns_of_many_systems_are_chosen(browser: Any, ten: Path) -> None:
    context = browser.new_context(viewport={"width": 1366, "height": 900})
    page = Opened(context, ten, "#d0&s=1,2").ready()
    cells = "(row) => [...row.cells].filter((cell) => cell.offsetWidth).length"

    for rows in (page.locator("#overview .levels tr"), page.locator("#errors .levels tr")):
        assert {row.evaluate(cells) for row in rows.all()} == {3}
    assert page.locator(".plots > div:visible").count() == 2
    assert page.locator(".league tbody tr:visible").count() == 2
    context.close()


def test_panels_of_errors_have_the_same_rows(opened: Any) -> None:
    labels = [
        panel.locator("text.end").all_text_contents()
        for panel in opened.locator("#errors .panel").all()
    ]

    assert len(labels) == len(SYSTEMS)
    assert labels[0]
    assert all(row == labels[0] for row in labels)


def lines(page: Any) -> list[str]:
    return [
        str(row.get_attribute("data-line")) for row in page.locator("#viewer .line:visible").all()
    ]


def test_lines_are_filtered(three: Any) -> None:
    # Documents have the lines "w x", "y", "z"; system one lacks z in a, both lack y and z in c.
    assert lines(three) == ["0", "1", "2"]
    three.locator(".tools label", has_text="only lines that differ").click()
    assert lines(three) == ["2"]
    assert "1 of 3 lines" in three.text_content(".kept")
    assert three.evaluate("location.hash") == "#d0&differ"
    three.keyboard.press("n")
    three.keyboard.press("n")
    shows(three, "c")
    assert lines(three) == []
    three.locator(".tools label", has_text="only lines that differ").click()
    three.locator(".tools select").nth(1).select_option("missing-mention")
    assert lines(three) == ["1", "2"]
    three.locator(".tools select").nth(1).select_option("")
    three.locator(".tools select").nth(0).select_option(index=1)
    assert lines(three) == ["0", "1", "2"]


def test_keys_lead_to_lines_with_errors(three: Any) -> None:
    three.evaluate("location.hash = '#d2&s=0'")
    shows(three, "c")
    three.keyboard.press("j")
    assert three.locator(".line.current").get_attribute("data-line") == "1"
    three.keyboard.press("j")
    assert three.locator(".line.current").get_attribute("data-line") == "2"
    assert three.evaluate("location.hash") == "#d2l2&s=0"
    three.keyboard.press("j")
    assert "No more" in three.text_content("#status")
    three.keyboard.press("k")
    assert three.locator(".line.current").get_attribute("data-line") == "1"


def test_errors_are_filtered_and_lead_to_their_places(opened: Any) -> None:
    opened.locator("summary", has_text="List of errors").click()
    rows = opened.locator("#error-list tbody tr:visible")
    everything = rows.count()

    opened.select_option("#filter-type", "missing-mention")
    some = rows.count()
    assert 0 < some < everything
    text = rows.first.locator("td").nth(2).text_content()
    opened.fill("#filter-text", text[:12])
    assert 0 < rows.count() <= some
    rows.first.locator("a").click()
    opened.wait_for_selector(".line.current")
    assert "missing mention" in opened.text_content("#status")
    assert "x=" in opened.evaluate("location.hash")
    opened.fill("#filter-text", "")
    opened.select_option("#filter-type", "")
    opened.select_option("#filter-unlike", "1")
    assert 0 < rows.count() < everything


def test_a_type_of_error_on_the_first_screen_leads_to_its_list(opened: Any) -> None:
    link = opened.locator("a[data-type]").first
    kind = link.get_attribute("data-type")
    link.click()

    assert opened.input_value("#filter-type") == kind
    assert opened.is_visible("#error-list")


def test_an_entity_has_one_colour_and_is_lit_in_all_columns(opened: Any) -> None:
    mark = opened.locator("#viewer mark.m.right[data-g^='0:']").first
    group = mark.get_attribute("data-g")
    mark.hover()

    lit = opened.locator("#viewer mark.lit")
    assert {one.get_attribute("data-g") for one in lit.all()} == {group}
    columns = {one.get_attribute("data-m").split(":")[0] for one in lit.all()}
    assert len(columns) > 1
    colours = {one.get_attribute("class").split()[1] for one in lit.all()}
    assert len(colours) == 1
    assert opened.locator(".map .chain").count() > 0
    assert "mention" in opened.text_content("#status")
    opened.hover("footer")
    assert lit.count() == 0
    mark.click()
    opened.hover("footer")
    assert lit.count() > 0
    assert f"e={group}" in opened.evaluate("location.hash")


def test_texts_are_read_with_the_keyboard(opened: Any) -> None:
    reachable = opened.locator("#viewer mark[tabindex='0']")
    assert reachable.count() == 1
    reachable.focus()
    assert opened.locator("#viewer mark.lit").count() > 0
    first = opened.evaluate("document.activeElement.dataset.m")

    opened.keyboard.press("ArrowRight")
    second = opened.evaluate("document.activeElement.dataset.m")
    assert first.startswith("0:")
    assert second.startswith("0:")
    assert second != first
    opened.keyboard.press("ArrowLeft")
    assert opened.evaluate("document.activeElement.dataset.m") == first
    focused = opened.locator("#viewer mark.m[data-l^='K']:focus")
    assert focused.count() == 1


def test_enter_leads_to_the_working(opened: Any) -> None:
    mark = opened.locator("#viewer mark.m:not(.e)").first
    mark.evaluate("(one) => { one.tabIndex = 0; one.focus(); }")
    label = mark.get_attribute("data-l").partition("=")[0]
    opened.keyboard.press("Enter")
    opened.wait_for_selector("tr:focus")

    assert opened.text_content("tr:focus th").partition("=")[0] == label
    opened.keyboard.press("Escape")
    assert opened.evaluate("document.activeElement.tagName") == "MARK"


def test_a_link_leads_to_a_mention_of_chosen_systems(browser: Any, example: Path) -> None:
    context = browser.new_context(viewport={"width": 1366, "height": 900})
    page = Opened(context, example, "#d0&s=1&m=2:0").ready()

    assert page.evaluate("document.activeElement.dataset.m") == "2:0"
    assert len(heads(page)) == 2
    context.close()


@pytest.mark.parametrize(
    "place",
    ["#%", "#%E0%A4%A", '#"><img src=x>', "#nowhere", "#d99", "#d0l999&s=77&e=9:9&x=5.5&t=odd"],
)
def test_any_place_can_be_asked_for(place: str, browser: Any, example: Path) -> None:
    context = browser.new_context()
    found = Opened(context, example, place)

    assert found.ready().locator("#document-list th button").count() > 0
    assert found.problems == []
    context.close()


def test_one_column_at_a_time_on_a_phone(browser: Any, several: Path) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 800})
    page = Opened(context, several, "#d0").ready()
    cells = page.locator("#viewer .line").first.locator(".cell:not(.number)")

    assert [cell.is_visible() for cell in cells.all()] == [True, False, False]
    page.locator(".tabs button", has_text="two").click()
    assert [cell.is_visible() for cell in cells.all()] == [False, False, True]
    context.close()


def test_the_map_leads_to_lines(three: Any) -> None:
    assert three.locator(".map .tick").count() > 0
    three.locator(".map").scroll_into_view_if_needed()
    box = three.locator(".map").bounding_box()
    three.mouse.click(box["x"] + box["width"] / 2, box["y"] + 0.9 * box["height"])

    assert three.locator(".line.current").get_attribute("data-line") == "2"


def test_what_is_folded_is_printed(browser: Any, example: Path) -> None:
    context = browser.new_context()
    page = Opened(context, example).ready()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")

    assert page.is_visible("#error-list")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.is_hidden("#error-list")
    context.close()


def test_layers_are_switched_on(browser: Any, tmp_path: Path) -> None:
    files = []
    for name in ("layers-key.conllua", "layers.conllua"):
        (tmp_path / name).write_text(SAMPLES[name], encoding="utf-8")
        files.append(str(tmp_path / name))
    assert main(["report", *files, "-o", str(tmp_path / "page.html")]) == 0
    context = browser.new_context(viewport={"width": 1366, "height": 900})
    page = Opened(context, tmp_path / "page.html", "#d0").ready()
    behind = page.locator("#viewer .behind").first

    assert behind.is_hidden()
    page.locator(".tools label", has_text="bridging").click()
    assert behind.is_visible()
    style = "(mark) => getComputedStyle(mark).borderBottomStyle"
    deixis = page.locator("#viewer mark.d").first
    assert deixis.evaluate(style) == "none"
    page.locator(".tools label", has_text="discourse deixis").click()
    assert deixis.evaluate(style) == "dotted"
    context.close()
