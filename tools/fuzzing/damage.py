"""All kinds of labelled damage, and the check that files are treated as their labels say."""

from __future__ import annotations

import gzip
import random
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import anascore
from anascore import Corpus
from tools.fuzzing.column_damage import COLUMN_KINDS
from tools.fuzzing.file_damage import COMPANION_KINDS, FILE_KINDS
from tools.fuzzing.json_damage import JSON_KINDS
from tools.fuzzing.kinds import Kind, first
from tools.fuzzing.outcome import Outcome, outcome
from tools.fuzzing.samples import good

GROUPS = {
    "Files": FILE_KINDS,
    "Files beside a file": COMPANION_KINDS,
    "Columns and brackets": COLUMN_KINDS,
    "JSON": JSON_KINDS,
}
"""Kinds of damage by the heading of their table."""

KINDS = {kind.name: kind for kinds in GROUPS.values() for kind in kinds}

KNOWN: dict[tuple[str, str], str] = {}
"""Kinds and formats whose label does not hold yet, and the reason; to be emptied."""


@cache
def good_corpus(format_name: str) -> Corpus:
    """Return the corpus of the good file of a format."""
    with TemporaryDirectory() as folder:
        return anascore.read(good(format_name).put(Path(folder)), format_name)


def damaged_outcome(kind: Kind, format_name: str, folder: Path) -> Outcome:
    """Write a file that is damaged at the first place to an empty folder; return its outcome."""
    path = kind.damages[format_name](good(format_name), first).put(folder)
    return outcome(good_corpus(format_name), path, format_name)


def outcome_elsewhere(kind: Kind, format_name: str, folder: Path, rng: random.Random) -> Outcome:
    """Do the same at a random place; the file may be compressed, and its format detected."""
    path = kind.damages[format_name](good(format_name), rng.choice).put(folder)
    if rng.random() < 0.3:
        compressed = path.with_name(f"{path.name}.gz")
        compressed.write_bytes(gzip.compress(path.read_bytes(), 1, mtime=0))
        path.unlink()
        path = compressed
    return outcome(good_corpus(format_name), path, rng.choice([None, format_name]))
