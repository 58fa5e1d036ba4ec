"""Report: one self-contained HTML file. Scores, errors, sets and the key work without scripts."""

from __future__ import annotations

from anascore.analysis.report import PageData
from anascore.output.html.classes import classes
from anascore.output.html.documents import documents, texts
from anascore.output.html.errors import errors
from anascore.output.html.frame import choices, frame
from anascore.output.html.overview import overview
from anascore.output.html.viewer import blocks


def render_page(page: PageData) -> str:
    """Build the HTML of the whole report."""
    sections = {
        "overview": ("Overview", overview(page)),
        "classes": ("Classes", classes(page)),
        "errors": ("Errors", errors(page)),
        "documents": ("Documents", documents(page)),
        "text": ("Texts", texts(page)),
    }
    names = [system.name for system in page.systems]
    title = f"anascore: {' · '.join(names)}"
    chosen = choices("Systems", names, texts=bool(page.shown))
    return frame(title, sections, chosen, blocks(page) if page.shown else None)
