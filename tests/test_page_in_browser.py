"""The page in a real browser."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from anascore.cli import main
from anascore.example import KEY, SYSTEMS
from generated import generated_file
from samples import SAMPLES
from shared import CORPORA
from test_page import write_hostile

sync_api = pytest.importorskip("playwright.sync_api", reason="needs Playwright: make browser")

ROOT = Path(__file__).parents[1]
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
AXE = Path(os.environ.get("AXE", ROOT / ".venv/npm/node_modules/axe-core/axe.min.js"))

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: make browser")
needs_axe = pytest.mark.skipif(not AXE.exists(), reason="needs axe-core from npm: make browser")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        # Containers have no user namespaces; the pages are our own.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


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
    files = [str(CORPORA / f"gum/{name}.conllu") for name in ("key", "noisy-a", "xrenner")]
    assert main(["report", *files, "-o", str(path), "--documents", "worst:2"]) == 0
    return path


class Opened:
    """A page that is open, with all that went wrong and all that it asked for."""

    def __init__(self, context: Any, path: Path, place: str = "") -> None:
        self.page = context.new_page()
        self.problems: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.problems.append(message.text))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("dialog", lambda dialog: self.problems.append(dialog.message))
        self.page.goto(f"{path.as_uri()}{place}")


@pytest.fixture
def opened(browser: Any, example: Path) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    yield Opened(context, example, "#d0").page
    context.close()


PAGES = ["example", "hostile", "generated", pytest.param("gum", marks=pytest.mark.corpora)]


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", [375, 1200])
def test_it_loads_without_errors_requests_and_scrolling_sideways(
    name: str, width: int, browser: Any, request: pytest.FixtureRequest
) -> None:
    path = request.getfixturevalue(name)
    context = browser.new_context(viewport={"width": width, "height": 800})
    found = Opened(context, path)
    found.page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)")

    assert found.problems == []
    assert found.requests == [path.as_uri()]
    assert found.page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()


@needs_axe
@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_problem_of_access(
    name: str, scheme: str, browser: Any, request: pytest.FixtureRequest
) -> None:
    path = request.getfixturevalue(name)
    context = browser.new_context(
        bypass_csp=True, color_scheme=scheme, viewport={"width": 1200, "height": 900}
    )
    page = Opened(context, path).page
    page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    violations = page.evaluate("axe.run().then((found) => found.violations)")

    serious = [
        (one["id"], one["nodes"][0]["html"][:200])
        for one in violations
        if one["impact"] in {"serious", "critical"}
    ]
    assert serious == []
    context.close()


def test_numbers_and_texts_are_there_without_scripts(browser: Any, example: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = Opened(context, example, "#d0").page

    text = page.text_content("main")
    assert "77.69" in text
    assert "43/6 / 11 = 65.15%" in text
    assert not page.is_visible("#filter-text")
    page.click("#d0 > summary")
    assert page.is_visible("#d0 table.text")
    page.check("#system-1")
    assert page.is_hidden("#d0 section[data-s='0']")
    assert page.is_visible("#d0 section[data-s='1']")
    context.close()


def test_documents_are_sorted_and_filtered(browser: Any, tmp_path: Path) -> None:
    from anascore import Corpus, Document, Entity, Mention, write

    mentions = [Mention(((n, n + 1),)) for n in range(4)]
    for name, sizes in (("key", (4, 4, 4)), ("one", (3, 4, 2)), ("two", (4, 3, 2))):
        documents = {
            letter: Document(letter, list("wxyz"), [Entity(mentions[:size])])
            for letter, size in zip("abc", sizes, strict=True)
        }
        write(Corpus(documents, "jsonl"), tmp_path / f"{name}.jsonl")
    files = [str(tmp_path / f"{name}.jsonl") for name in ("key", "one", "two")]
    assert main(["report", *files, "-o", str(tmp_path / "page.html"), "--samples", "10"]) == 0
    context = browser.new_context()
    page = Opened(context, tmp_path / "page.html").page

    def names() -> list[str]:
        rows = page.locator("#document-list tbody tr:visible th").all_text_contents()
        return [name.strip() for name in rows]

    head = page.locator("#document-list th", has_text="CoNLL, one")
    head.locator("button").click()
    assert names() == ["c", "a", "b"]
    assert head.get_attribute("aria-sort") == "ascending"
    head.locator("button").press("Enter")
    assert names() == ["b", "a", "c"]
    assert head.get_attribute("aria-sort") == "descending"

    page.select_option("#filter-best", "0")
    assert names() == ["b", "c"]
    page.fill("#filter-document", "b")
    assert names() == ["b"]
    context.close()


def test_errors_are_filtered_and_lead_to_their_places(opened: Any) -> None:
    opened.locator("summary", has_text="List of errors").click()
    rows = opened.locator("#error-list tbody tr:visible")
    everything = rows.count()

    opened.select_option("#filter-type", "missing-mention")
    opened.check("#system-0")
    assert rows.count() == 2
    opened.fill("#filter-text", "her")
    assert rows.count() == 1
    rows.locator("a").click()
    assert opened.locator("tr:target").text_content().count("her") == 2
    opened.fill("#filter-text", "")
    opened.select_option("#filter-type", "")
    opened.check("#system-all")
    opened.select_option("#filter-unlike", "1")
    assert 0 < rows.count() < everything


def test_an_entity_is_lit_in_both_texts(opened: Any) -> None:
    text = opened.locator("#d0 section[data-s='0'] table.text")
    text.locator("mark[data-e='K3']").first.hover()

    lit = text.locator("mark.lit")
    assert {mark.get_attribute("data-e") for mark in lit.all()} == {"K3", "R3"}
    elements = {mark.get_attribute("data-e") for mark in text.locator("mark.element").all()}
    assert elements == {"K1", "K2", "R1", "R2"}
    assert "K3: 3 mentions; shares most with R3" in opened.text_content("#said")
    opened.hover("h1")
    assert lit.count() == 0


def test_texts_are_read_with_the_keyboard(opened: Any) -> None:
    text = opened.locator("#d0 section[data-s='0'] table.text")
    reachable = text.locator("mark[tabindex='0']")
    assert reachable.count() == 1
    reachable.focus()
    assert text.locator("mark.lit").count() > 1

    opened.keyboard.press("ArrowRight")
    focused = opened.evaluate("document.activeElement.dataset.e")
    assert focused == "K2"
    assert {m.get_attribute("data-e") for m in text.locator("mark.lit").all()} == {"K2", "R2"}
    opened.keyboard.press("ArrowLeft")
    opened.keyboard.press("ArrowLeft")
    assert opened.evaluate("document.activeElement.dataset.e") == "K1"
    opened.keyboard.press("Enter")
    assert opened.is_visible("tr:focus")
    assert opened.text_content("tr:focus th") == "K1"
    opened.keyboard.press("Escape")
    assert opened.evaluate("document.activeElement.dataset.e") == "K1"
    opened.keyboard.press("Escape")
    assert text.locator("mark.lit").count() == 0


@pytest.mark.parametrize("place", ["#%", "#%E0%A4%A", '#"><img src=x>', "#nowhere"])
def test_any_place_can_be_asked_for(place: str, browser: Any, example: Path) -> None:
    context = browser.new_context()
    found = Opened(context, example, place)

    assert found.problems == []
    assert found.page.locator("#document-list th button").count() > 0
    context.close()


def test_a_link_leads_to_a_system_that_is_not_shown(opened: Any) -> None:
    opened.check("#system-1")
    opened.evaluate("location.hash = '#d0s0l2'")

    assert opened.is_visible("#d0s0l2")


def test_everything_is_printed(browser: Any, example: Path) -> None:
    context = browser.new_context()
    page = Opened(context, example).page
    page.evaluate("dispatchEvent(new Event('beforeprint'))")

    assert page.is_visible("#d0 table.text")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.is_hidden("#d0 table.text")
    context.close()


def test_what_differs_between_systems_is_one_choice_away(browser: Any, tmp_path: Path) -> None:
    context = browser.new_context()
    path = tmp_path / "page.html"
    assert main(["report", str(KEY), str(SYSTEMS[0]), str(KEY), "-o", str(path)]) == 0
    page = Opened(context, path, "#d0").page
    lines = page.locator("#d0 section[data-s='0'] table.text tbody tr:visible")
    everything = lines.count()

    page.check("#only-differing")

    assert 0 < lines.count() < everything
    for line in lines.all():
        assert line.locator("mark[data-ok]").count() > 0
    context.close()


def test_layers_are_switched_on(browser: Any, tmp_path: Path) -> None:
    files = []
    for name in ("layers-key.conllua", "layers.conllua"):
        (tmp_path / name).write_text(SAMPLES[name], encoding="utf-8")
        files.append(str(tmp_path / name))
    assert main(["report", *files, "-o", str(tmp_path / "page.html")]) == 0
    context = browser.new_context()
    page = Opened(context, tmp_path / "page.html", "#d0").page
    behind = page.locator("#d0 .behind").first

    assert behind.is_hidden()
    page.check("#show-bridging")
    assert behind.is_visible()
    style = "(mark) => getComputedStyle(mark).borderBottomStyle"
    deixis = page.locator("#d0 mark.d").first
    assert deixis.evaluate(style) == "none"
    page.check("#show-deixis")
    assert deixis.evaluate(style) == "dotted"
    context.close()
