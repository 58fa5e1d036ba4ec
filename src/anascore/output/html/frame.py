"""Frame of every page: navigation bar, style sheet, script, and the policy that allows them."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from anascore.output.html.charts import system_mark
from anascore.output.html.markup import Content, Markup, element, joined, raw
from anascore.version import __version__

_FOLDER = Path(__file__).parent


def frame(
    title: str,
    sections: Mapping[str, tuple[str, Markup | None]],
    choices: Content = None,
    data: Content = None,
) -> str:
    """Build a page whose navigation bar links to the sections.

    `sections` maps an id to a link label and the content; sections that are None are left out.
    """
    style = _read("page.css")
    script = _read("page.js") + _read("viewer.js")
    policy = "; ".join(
        [
            "default-src 'none'",
            f"style-src '{_hash(style)}'",
            f"script-src '{_hash(script)}'",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    shown = {name: label for name, (label, content) in sections.items() if content}
    links = (element("li", element("a", label, href=f"#{name}")) for name, label in shown.items())
    bar = element(
        "header",
        element("strong", "anascore", class_="brand"),
        element("nav", element("ul", *links), aria_label="Sections"),
        choices,
        class_="bar",
    )
    body = element(
        "body",
        element("a", "Skip to the scores", href="#main", class_="skip"),
        bar,
        element("main", *(content for _, content in sections.values()), id="main"),
        element("footer", element("p", f"Made by anascore {__version__}.")),
        element("p", id="status", class_="status", role="status", aria_live="polite"),
        data,
        raw("script", script),
    )
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        raw("style", style),
    )
    return joined(Markup("<!DOCTYPE html>\n"), element("html", head, body, lang="en")) + "\n"


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    return f"sha256-{b64encode(sha256(content.encode()).digest()).decode()}"


def choices(label: str, names: Iterable[str], *, texts: bool = True) -> Markup:
    """Add menus for the document and the systems, which need scripts."""
    boxes = (
        element(
            "label",
            element("input", type="checkbox", name="system", value=n, checked=True),
            system_mark(n),
            element("bdi", name),
        )
        for n, name in enumerate(names)
    )
    picker = element(
        "span",
        element("button", "‹", type="button", id="previous", aria_label="Previous document (p)"),
        element(
            "input",
            id="document",
            type="search",
            list="document-names",
            placeholder="Find a document",
            aria_label="Document",
            autocomplete="off",
        ),
        element("datalist", id="document-names"),
        element("button", "›", type="button", id="next", aria_label="Next document (n)"),
        class_="picker",
    )
    systems = element(
        "details",
        element("summary", label, data_label=label),
        element("fieldset", element("legend", "Show", class_="hidden"), *boxes),
        class_="systems",
    )
    return element(
        "form",
        picker if texts else None,
        systems,
        class_="choices needs-script",
        aria_label="Choices",
    )
