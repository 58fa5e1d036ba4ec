"""Comparison of the compiled scanner with the readers in Python, messages included.

Files of the CoNLL formats are mutated and read both ways.
"""

from __future__ import annotations

import multiprocessing
import random
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias
from unittest.mock import patch

from anascore.errors import Problem, Problems
from anascore.formats import scanner
from anascore.formats.files import Source
from anascore.formats.format import DEFAULT_OPTIONS
from anascore.formats.reading import read_source
from tools.fuzzing.campaign import TIME_LIMIT, HangError, time_limit
from tools.fuzzing.mutation import mutate
from tools.fuzzing.samples import varied

ENDINGS = {"ua": ".conllua", "corefud": ".conllu", "conll2012": ".conll"}
"""Endings of the files of each format that are mutated."""


def in_python() -> AbstractContextManager[object]:
    """Read without the scanner."""
    return patch.object(scanner, "scan", None)


class Reading(NamedTuple):
    """All that a reader finds in a file."""

    documents: Sequence[Mapping[str, Any]]
    """Values of the fields of each document."""

    problems: Sequence[Problem]


def read(content: bytes, name: str) -> Reading:
    """Read a file in a format."""
    problems = Problems("file")
    source = Source("file", content, "file")
    corpus = read_source(source, name, DEFAULT_OPTIONS, problems, all_names=True)
    documents = [
        {
            **_values(document),
            "entities": [
                {**_values(entity), "attributes": [*entity.attributes]}
                for entity in document.entities
            ],
        }
        for document in corpus.documents.values()
    ]
    return Reading(documents, problems.found)


def _values(value: Any) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in fields(value)}


def difference(content: bytes, name: str) -> str:
    """Return what the scanner reads differently; empty if it reads the same."""
    scanned = read(content, name)
    with in_python():
        plain = read(content, name)
    if scanned == plain:
        return ""
    for one, other in zip(scanned.problems, plain.problems, strict=False):
        if one != other:
            return f"{one} // {other}"
    if len(scanned.problems) != len(plain.problems):
        return f"{len(scanned.problems)} and {len(plain.problems)} problems"
    for document, other_document in zip(*(r.documents for r in (scanned, plain)), strict=False):
        for field, value in document.items():
            if value != other_document[field]:
                return f"{field}: {value} // {other_document[field]}"
    return f"{len(scanned.documents)} and {len(plain.documents)} documents"


Starts: TypeAlias = Mapping[str, Sequence[bytes]]
"""Files that are mutated, by format."""

MAX_LINES = 120
"""Maximum number of lines of a file that is mutated."""


def starts(paths: Iterable[Path] = ()) -> Starts:
    """Return the samples of each format, and the beginnings of documents in files and folders."""
    files = [
        file
        for path in paths
        for file in (sorted(path.rglob("*")) if path.is_dir() else [path])
        if file.suffix in ENDINGS.values()
    ]
    return {
        name: [
            *(sample.main for sample in varied(name)),
            *(piece for file in files if file.suffix == ending for piece in _pieces(file)),
        ]
        for name, ending in ENDINGS.items()
    }


def _pieces(file: Path) -> Iterator[bytes]:
    """Yield the beginning of each document of a file, below the first comment of the file."""
    lines = file.read_bytes().split(b"\n")
    places = [n for n, line in enumerate(lines) if line.startswith((b"# newdoc", b"#begin"))]
    for start, end in zip(places, [*places[1:], len(lines)], strict=True):
        header = [line for line in lines[:1] if start and line.startswith(b"# global")]
        yield b"\n".join([*header, *lines[start : min(end, start + MAX_LINES)]]) + b"\n"


SIGNS = [*"()[]|-_=@,/<\t #*019e.\u00a0\u00e9\u0663", "\n", "\n\n", "Entity=", "(e1-x-1-)", "\t_"]
_SIGN = re.compile(r"[]()|=\[-]|\t_")


def changed_text(rng: random.Random, text: str) -> str:
    """Change a text in a few places: lines, cells, characters, and signs that mean something."""
    for _ in range(rng.randint(1, 4)):
        lines = text.split("\n")
        rows = [number for number, line in enumerate(lines) if "\t" in line]
        line = rng.choice(rows if rows and rng.random() < 0.8 else range(len(lines)))
        signs = [sign.end() - rng.randint(0, 1) for sign in _SIGN.finditer(lines[line])]
        column = rng.randint(0, len(lines[line]))
        column = rng.choice(signs) if signs and rng.random() < 0.6 else column
        before, after = lines[line][:column], lines[line][column:]
        cells = lines[line].split("\t")
        cells[rng.randrange(len(cells))] = rng.choice([*SIGNS, *cells, "junk"])
        changes = [
            *([], [before], [before + after[1:]], [before, after], ["\t".join(cells)]),
            *([before + rng.choice(SIGNS) + after], [lines[line], rng.choice(lines)]),
        ]
        lines[line : line + 1] = rng.choice(changes)
        text = "\n".join(lines)
    return text


def make_content(seed: int, number: int, files: Starts) -> tuple[bytes, str]:
    """Return the content and the format of an input."""
    rng = random.Random(f"readers {seed} {number}")  # noqa: S311  nothing to keep secret
    name = rng.choice(list(files))
    content = rng.choice(files[name])
    if rng.random() < 0.5:
        return changed_text(rng, content.decode()).encode(), name
    mutated = mutate(content, list(files[rng.choice(list(files))]), rng)
    # Files that are not UTF-8, or have other ends of lines, do not reach a reader as they are.
    return mutated.translate(None, b"\0\r").decode(errors="replace").encode(), name


def try_number(number: int, *, seed: int, files: Starts) -> tuple[int, str]:
    """Return the number of an input and the difference that it shows; empty if there is none."""
    content, name = make_content(seed, number, files)
    # Rarely, the scanner pauses after few rows.
    most = [1, 2, 5][number % 3] if number % 10 == 0 else scanner.MAX_ROWS
    try:
        with time_limit(TIME_LIMIT), patch.object(scanner, "MAX_ROWS", most):
            return number, difference(content, name)
    except (Exception, HangError) as error:  # noqa: BLE001  a defect is any exception
        return number, repr(error)


def compare_readers(
    numbers: Sequence[int], seed: int, workers: int, files: Starts, failures: Path
) -> int:
    """Try inputs; print and save those that are read differently, and return their number."""
    different = 0
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        attempt = partial(try_number, seed=seed, files=files)
        for number, message in pool.imap_unordered(attempt, numbers, chunksize=50):
            if message:
                different += 1
                content, name = make_content(seed, number, files)
                path = failures / f"readers-{seed}-{number}{ENDINGS[name]}"
                failures.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
                sys.stderr.write(f"{path}: {message}\n")
    return different
