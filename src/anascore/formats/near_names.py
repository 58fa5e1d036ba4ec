"""Names that are nearly those that a format has, like `entity=` for `Entity=`: misspelt, probably.

A reader ignores names that it does not know, since files have many of other tools.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

from anascore.errors import Problems
from anascore.formats.files import Source
from anascore.model.document import Corpus, Document

CollectNames: TypeAlias = Callable[[Source, bool], Iterable[str]]
"""Returns the names in a file; if the second argument is False, only if known ones are absent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameKind:
    """A kind of names in files of a format, such as JSON keys."""

    label: str
    """Description in messages."""

    known: frozenset[str]
    """Names that the reader knows."""

    place: str
    """Pattern of a name and what is around it; {} stands for the name."""

    others: frozenset[str] = frozenset()
    """Names of other tools that resemble known ones."""

    collect: CollectNames | None = None
    """Collects the names; None if the reader does so while it reads, in `Problems.names`."""

    def pattern(self, name: str) -> re.Pattern[bytes]:
        """Return the pattern of the places of a name in the content of a file."""
        escaped = re.escape(name).encode(errors="surrogatepass")
        return re.compile(self.place.encode().replace(b"{}", escaped), re.MULTILINE)


SIMILARITY = 0.82
"""Minimum similarity of names, as difflib computes it; sentences and sentence_id have 0.8."""

SHORT_SIMILARITY = 0.66
"""The same for names of three or four letters: one of them may differ; Min and Mim have 0.67."""

MAX_DIFFERENCE = 2
"""Maximum difference in length between a misspelt name and the right one."""

MAX_NAMES = 1000
"""Maximum number of names that are compared, which bounds the time for a hostile file."""


def near_names(
    names: Iterable[str], known: Collection[str], others: Collection[str] = ()
) -> dict[str, str]:
    """Return the names that are nearly known ones, and those; case makes a difference, too."""
    spellings = {name.lower(): name for name in (*others, *known)}
    lengths = {len(name) for name in known}
    possible = {
        length + more for length in lengths for more in range(-MAX_DIFFERENCE, MAX_DIFFERENCE + 1)
    }
    unknown = {name for name in names if len(name) in possible}.difference(known, others)
    short = [spelling for spelling in spellings if _is_short(spelling)]
    near: dict[str, str] = {}
    if not unknown:
        return near
    from difflib import get_close_matches  # noqa: PLC0415  most files have known names only

    for name in sorted(unknown)[:MAX_NAMES]:
        matches = get_close_matches(name.lower(), spellings, n=1, cutoff=SIMILARITY)
        if not matches and _is_short(name):
            matches = get_close_matches(name.lower(), short, n=1, cutoff=SHORT_SIMILARITY)
        meant = spellings[matches[0]] if matches else ""
        if meant in known and abs(len(meant) - len(name)) <= MAX_DIFFERENCE:
            near[name] = meant
    return near


def _is_short(name: str) -> bool:
    return 3 <= len(name) <= 4


def report_near_names(
    corpus: Corpus,
    source: Source,
    kinds: Sequence[NameKind],
    problems: Problems,
    *,
    thorough: bool,
) -> Corpus:
    """Report names that are nearly known ones; note them on documents that lack the known ones.

    Unless `thorough` is True, kinds whose names take time to collect are left out if the file has
    the known ones.
    """
    notes: dict[str, Counter[str]] = {}
    for kind in kinds:
        names = kind.collect(source, thorough) if kind.collect else problems.names
        for name, meant in near_names(names, kind.known, kind.others).items():
            message = f"unknown {kind.label} {name!r}, not read (did you mean {meant!r}?)"
            lines = _lines(source, kind.pattern(name)) or [1]
            problems.warning(lines[0], f"{message}: {len(lines)}")
            known_lines = _lines(source, kind.pattern(meant))
            for document, (start, end) in _line_ranges(corpus):
                number = _number_between(lines, start, end)
                if number and not _number_between(known_lines, start, end):
                    notes.setdefault(document.name, Counter())[message] = number
    if not notes:
        return corpus
    documents = {
        name: replace(document, notes={**document.notes, **notes.get(name, {})})
        for name, document in corpus.documents.items()
    }
    return replace(corpus, documents=documents)


def _lines(source: Source, pattern: re.Pattern[bytes]) -> list[int]:
    """Return the line numbers of all matches of a pattern, in order."""
    lines = []
    line, position = source.first_line, 0
    for match in pattern.finditer(source.content):
        line += source.content.count(b"\n", position, match.start())
        position = match.start()
        lines.append(line)
    return lines


def _line_ranges(corpus: Corpus) -> Iterator[tuple[Document, tuple[int, int]]]:
    """Yield the documents and their lines: the first one, and the one after the last.

    Lines before the first document belong to it. Of documents that begin on the same line, only
    the first is yielded.
    """
    starts: dict[int, Document] = {}
    for document in corpus.documents.values():
        starts.setdefault((document.line or 1) if starts else 1, document)
    lines = sorted(starts)
    for start, end in pairwise([*lines, sys.maxsize]):
        yield starts[start], (start, end)


def _number_between(lines: Sequence[int], start: int, end: int) -> int:
    """Return how many of the sorted lines are from start to before end."""
    return bisect_left(lines, end) - bisect_left(lines, start)
