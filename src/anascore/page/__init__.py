"""A page that shows how responses compare with a key: one file of HTML that needs nothing else."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from anascore.page.breakdown import breakdown
from anascore.page.documents import documents
from anascore.page.errors import errors
from anascore.page.gathered import Gathered
from anascore.page.markup import Markup, element, joined, raw
from anascore.page.overview import overview
from anascore.version import __version__

_FOLDER = Path(__file__).parent


def render_page(page: Gathered) -> str:
    """Write the whole page."""
    style = _read("page.css") + _chosen_system(len(page.systems))
    script = _read("page.js")
    policy = "; ".join(
        [
            "default-src 'none'",
            f"style-src '{_hash(style)}'",
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
            element("h1", "How responses compare with the key"),
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
    )
    return joined(Markup("<!DOCTYPE html>\n"), element("html", head, body, lang="en")) + "\n"


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    return f"sha256-{b64encode(sha256(content.encode()).digest()).decode()}"


def _chosen_system(number: int) -> str:
    """Make the rules that hide what is about other systems than the one that is chosen."""
    return "".join(
        f'body:has(#system-{n}:checked) main [data-s]:not([data-s="{n}"]){{display:none}}\n'
        for n in range(number)
    )


def _navigation(page: Gathered) -> Markup:
    places = {
        "overview": "Overview",
        "breakdown": "By class",
        "errors": "Errors",
        "documents": "Documents",
    }
    if not page.systems[0].result.first.breakdown:
        del places["breakdown"]
    items = (
        element("li", element("a", label, href=f"#{place}")) for place, label in places.items()
    )
    return element("nav", element("ul", *items), aria_label="Parts of the page")


def _toolbar(page: Gathered) -> Markup:
    """Make the choices of what is shown; they work without scripts."""
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
    documents = page.key.documents.values()
    looked = [look.response for system in page.systems for look in system.looked.values()]
    switches = [("hide-matched", "hide marks of what is right")]
    if page.systems[1:]:
        switches.append(("only-differing", "only lines where systems differ"))
    if any(document.deixis for document in (*documents, *looked)):
        switches.append(("show-deixis", "discourse deixis"))
    if any(document.bridges for document in (*documents, *looked)):
        switches.append(("show-bridging", "bridging"))
    marks = element(
        "fieldset",
        element("legend", "Texts"),
        *(
            element("label", element("input", type="checkbox", id=name), f" {label}")
            for name, label in switches
        ),
    )
    legend = element(
        "p",
        "Marks: ",
        element("mark", "is right", class_="m", data_e="K1"),
        " ",
        element("mark", "is found, but resolved wrongly", class_="w", data_e="K1"),
        " ",
        element("mark", "matches partly, or with a wrong span", class_="p", data_e="K1"),
        " ",
        element("mark", "missing (key) or extra (response)", class_="x", data_e="K1"),
        class_="marks",
    )
    return element(
        "form",
        choice if page.systems[1:] else None,
        marks,
        legend,
        class_="toolbar",
        aria_label="What is shown",
    )
