"""Screenshots of reports for the documentation, taken in Chromium: `make screenshots`.

The reports are those of the example corpus, so that everyone can make them.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, NamedTuple

from playwright.sync_api import sync_playwright

import anascore
from anascore import Corpus
from anascore.example import KEY, SYSTEMS

IMAGES = Path(__file__).parent / "images"


class Screenshot(NamedTuple):
    """A part of a report in a window."""

    name: str
    """Name of the image."""

    report: str
    place: str = ""
    """Part of the address after #."""

    size: tuple[int, int] = (1366, 800)
    scheme: Literal["light", "dark"] = "light"
    element: str = ""
    """Element to take instead of the window."""

    script: str = ""
    """Script to run before."""

    is_printed: bool = False


OPEN_PANEL = "(document.querySelector('details.{}').open = true)"
UNSTICK = (
    "document.querySelectorAll('.bar, .tools').forEach((e) => { e.style.position = 'static'; })"
)
PHONE = (390, 844)

SCREENSHOTS = [
    Screenshot("overview", "report"),
    Screenshot("overview-dark", "report", size=(1920, 1000), scheme="dark"),
    Screenshot("overview-phone", "report", size=PHONE),
    Screenshot("overview-print", "report", is_printed=True, size=(800, 1100)),
    Screenshot("classes", "report", element="#classes"),
    Screenshot("errors", "report", element="#errors"),
    Screenshot("documents", "report", element="#documents"),
    Screenshot("document", "report", place="d6&e=0:0"),
    Screenshot("document-dark", "report", place="d6&e=0:0", size=(1920, 1000), scheme="dark"),
    Screenshot("document-phone", "report", place="d6", size=PHONE),
    Screenshot(
        "split-antecedents",
        "report",
        place="d1&s=0",
        element="details.sets-here",
        script=OPEN_PANEL.format("sets-here"),
    ),
    Screenshot(
        "working",
        "report",
        place="d1&s=0",
        element="details.working",
        script=OPEN_PANEL.format("working"),
    ),
    Screenshot("suite", "suite"),
    Screenshot("suite-phone", "suite", size=PHONE, scheme="dark"),
    Screenshot("agreement", "agreement"),
    Screenshot("disagreements", "agreement", place="d2&differ"),
]


def main() -> None:
    """Write all screenshots."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        reports = dict(write_reports(Path(folder)))
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for screenshot in SCREENSHOTS:
            take(browser, screenshot, reports[screenshot.report])
        browser.close()


def write_reports(folder: Path) -> Iterator[tuple[str, Path]]:
    """Write the reports of the example: of three systems, of a suite, and of agreement."""
    key = Path(KEY.name)
    systems = {path.stem: Path(path.name) for path in SYSTEMS}
    paths = {name: folder / f"{name}.html" for name in ("report", "suite", "agreement")}
    with chdir(KEY.parent):  # reports show the path of the key
        anascore.report(key, systems, paths["report"])
    keys = _datasets(KEY)
    responses = {path.stem: _datasets(path) for path in SYSTEMS}
    anascore.suite(keys, responses, confidence=True, report=paths["suite"])
    annotators = dict(zip(("Anna", "Ben", "Cleo"), (KEY, *SYSTEMS), strict=False))
    anascore.agreement(annotators, confidence=True, report=paths["agreement"])
    yield from paths.items()


def _datasets(path: Path) -> dict[str, Corpus]:
    """Divide a corpus into two datasets."""
    documents = list(anascore.read(path.with_suffix(".conllu")).documents.items())
    parts = {"stories": documents[5:], "texts": documents[:5]}
    return {name: Corpus(dict(part)) for name, part in parts.items()}


def take(browser: Any, screenshot: Screenshot, report: Path) -> None:
    """Take one screenshot."""
    width, height = screenshot.size
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=screenshot.scheme
    )
    page = context.new_page()
    if screenshot.is_printed:
        page.emulate_media(media="print")
    page.goto(f"{report.as_uri()}#{screenshot.place}")
    page.wait_for_selector("body.script" if screenshot.report == "suite" else "body.ready")
    if screenshot.script:
        page.evaluate(screenshot.script)
    target = IMAGES / f"{screenshot.name}.png"
    page.wait_for_timeout(300)
    if screenshot.element:
        page.evaluate(UNSTICK)
        page.locator(screenshot.element).first.screenshot(path=target)
    else:
        page.screenshot(path=target)
    context.close()


if __name__ == "__main__":
    main()
