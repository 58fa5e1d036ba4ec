"""A browser that opens reports."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.paths import ROOT

sync_api = pytest.importorskip("playwright.sync_api", reason="needs Playwright: make browser")
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
AXE = Path(os.environ.get("AXE", ROOT / ".venv/npm/node_modules/axe-core/axe.min.js"))

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: make browser")
needs_axe = pytest.mark.skipif(not AXE.exists(), reason="needs axe-core from npm: make browser")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        # Containers have no user namespaces; the pages are our own.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


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

    def ready(self) -> Any:
        """Return the page after its script has shown a text."""
        self.page.wait_for_selector("body.ready")
        return self.page


OPEN_ALL = "document.querySelectorAll('main details').forEach((one) => one.open = true)"
