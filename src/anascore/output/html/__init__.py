"""Report: one self-contained HTML file that works without scripts."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from anascore.output.html.data import PageData
from anascore.output.html.documents import documents
from anascore.output.html.errors import errors
from anascore.output.html.markup import Markup, element, joined, raw
from anascore.output.html.overview import breakdown, overview
from anascore.version import __version__

_FOLDER = Path(__file__).parent


def render_page(page: PageData) -> str:
    """Return the HTML of the whole page."""
    style = _read("page.css") + _system_rules(len(page.systems))
    fallback = without_script(style, [f"system-{n}" for n in range(len(page.systems))])
    script = _read("page.js")
    policy = "; ".join(
        [
            "default-src 'none'",
            f"style-src '{_hash(style)}' '{_hash(fallback)}'",
            f"script-src '{_hash(script)}'",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    names = " · ".join(system.name for system in page.systems)
    parts = [overview(page), breakdown(page), errors(page), documents(page)]
    body = element(
        "body",
        element("a", "Skip to the scores", href="#overview", class_="skip"),
        element(
            "header",
            element("h1", "Responses compared with the key"),
            element(
                "p",
                "Key: ",
                element("bdi", page.key.path or "from Python"),
                " · responses: ",
                element("bdi", names),
            ),
        ),
        _navigation(page),
        _toolbar(page),
        element("main", *parts),
        element("footer", element("p", f"Made by anascore {__version__}.")),
        element("p", id="said", class_="said", role="status", aria_live="polite"),
        raw("script", script),
    )
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", f"anascore: {names}"),
        raw("style", style),
        element("noscript", raw("style", fallback)),
    )
    return joined(Markup("<!DOCTYPE html>\n"), element("html", head, body, lang="en")) + "\n"


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    return f"sha256-{b64encode(sha256(content.encode()).digest()).decode()}"


def _system_rules(number: int) -> str:
    """Return the CSS rules that hide all systems but the selected one."""
    return "".join(
        f'.system-{n} main [data-s]:not([data-s="{n}"]) {{ display: none; }}\n'
        for n in range(number)
    )


SWITCHES = {
    "hide-right": "hide marks of correct mentions",
    "only-differing": "show only lines where systems differ",
    "show-deixis": "discourse deixis",
    "show-bridging": "bridging",
}
"""Labels of the switches above the texts. The script sets their names as classes of the page."""


def without_script(style: str, systems: Sequence[str]) -> str:
    """Return CSS rules that work without a script.

    They use `:has`, which would slow down the page where the script runs.
    """
    rules = (
        f"body:has(#{name}:checked) {line.removeprefix(f'.{name} ')}\n"
        for line in style.splitlines()
        for name in (*SWITCHES, *systems)
        if line.startswith(f".{name} ")
    )
    return "".join(rules)


def _navigation(page: PageData) -> Markup:
    sections = {
        "overview": "Overview",
        "breakdown": "By class",
        "errors": "Errors",
        "documents": "Documents",
    }
    if not page.systems[0].result.first.breakdown:
        del sections["breakdown"]
    items = (
        element("li", element("a", label, href=f"#{name}")) for name, label in sections.items()
    )
    return element("nav", element("ul", *items), aria_label="Sections")


def _toolbar(page: PageData) -> Markup:
    """Return the form that filters the page; it works without scripts."""
    systems = [("all", "all"), *((str(n), s.name) for n, s in enumerate(page.systems))]
    choice = element(
        "fieldset",
        element("legend", "Response"),
        *(
            element(
                "label",
                element(
                    "input",
                    type="radio",
                    name="system",
                    id=f"system-{value}",
                    checked=value == "all",
                ),
                " ",
                element("bdi", name),
            )
            for value, name in systems
        ),
    )
    marks = element(
        "fieldset",
        element("legend", "Texts"),
        *(
            element("label", element("input", type="checkbox", id=name), f" {SWITCHES[name]}")
            for name in _switches(page)
        ),
    )
    samples = (
        element("mark", label, class_=name, data_e="R1" if name.endswith("r") else "K1")
        for name, label in SAMPLES.items()
    )
    legend = element("p", "Marks: ", *(joined(sample, " ") for sample in samples), class_="marks")
    return element(
        "form",
        choice if page.systems[1:] else None,
        marks,
        legend,
        class_="toolbar",
        aria_label="Display options",
    )


SAMPLES = {
    "m": "found and resolved correctly",
    "p": "resolved correctly, partial match",
    "w": "found, but resolved incorrectly",
    "s": "wrong span",
    "x": "missing",
    "x r": "extra",
}
"""Meanings of the marks, by class."""


def _switches(page: PageData) -> Iterator[str]:
    """Yield the switches that change something on this page."""
    responses = [view.response for system in page.systems for view in system.looked.values()]
    documents = [*page.key.documents.values(), *responses]
    is_useful = {
        "hide-right": True,
        "only-differing": bool(page.systems[1:]),
        "show-deixis": any(document.deixis for document in documents),
        "show-bridging": any(document.bridges for document in documents),
    }
    return (name for name in SWITCHES if is_useful[name])
