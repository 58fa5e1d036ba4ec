"""A corpus to a file or to standard output, and warnings of what got lost."""

from __future__ import annotations

from collections import Counter

from anascore.commands.outcome import Outcome
from anascore.conversion import to_text, write
from anascore.formats.registry import FORMATS
from anascore.formats.source import STANDARD_INPUT
from anascore.formats.writing.columns import COLUMN
from anascore.model import Corpus


def written(corpus: Corpus, source: str, target: str, name: str) -> Outcome:
    """Write a corpus that was read from a source to a target, in the format of that name."""
    if target == STANDARD_INPUT:
        text, lost = to_text(corpus, name)
    else:
        text, lost = "", write(corpus, target, name)
    notes = sum((Counter(document.notes) for document in corpus.documents.values()), Counter())
    warnings = [f"{source}: {note}: {number}" for note, number in notes.items()]
    cannot = f"{target}: {FORMATS[name].label} cannot hold"
    warnings += [f"{cannot} {what}: {number}" for what, number in _grouped(lost)]
    return Outcome(text, tuple(warnings))


def _grouped(lost: Counter[str]) -> list[tuple[str, int]]:
    """Put what is lost in order, with all columns in one line."""
    columns = sorted(what for what in lost if what.startswith(COLUMN))
    others = [(what, number) for what, number in sorted(lost.items()) if what not in columns]
    names = ", ".join(what.removeprefix(COLUMN) for what in columns)
    values = sum(lost[what] for what in columns)
    return [*others, (f"values in columns ({names})", values)] if columns else others
