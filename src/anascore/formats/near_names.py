"""Likely misspellings of names that a format defines, like `entity=` for `Entity=`.

Readers ignore unknown names, because files contain many from other tools.
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
"""Collects the names in a file; if the second argument is False, only if known ones are absent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameKind:
    """A kind of name in a format's files, such as JSON keys."""

    label: str
    """Description in messages."""

    known: frozenset[str]
    """Names that the reader knows."""

    place: str
    """Pattern of a name and what surrounds it; {} stands for the name."""

    others: frozenset[str] = frozenset()
    """Names from other tools that resemble known ones."""

    collect: CollectNames | None = None
    """Collects the names; None if the reader puts them into `Problems.names` as it reads."""

    def pattern(self, name: str) -> re.Pattern[bytes]:
        """Make a pattern that finds a name in a file's content."""
        escaped = re.escape(name).encode(errors="surrogatepass")
        return re.compile(self.place.encode().replace(b"{}", escaped), re.MULTILINE)


SIMILARITY = 0.82
"""Minimum similarity of two names, as difflib computes it; sentences and sentence_id reach 0.8."""

SHORT_SIMILARITY = 0.66
"""Minimum similarity of names of three or four letters, so that one may differ; Min and Mim reach
0.67."""

MAX_DIFFERENCE = 2
"""Maximum length difference between a misspelt name and the right one."""

MAX_NAMES = 1000
"""Maximum number of names to compare, which bounds the time for a hostile file."""


def near_names(
    names: Iterable[str], known: Collection[str], others: Collection[str] = ()
) -> dict[str, str]:
    """Map each likely misspelling to the known name; case matters."""
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
    """Report likely misspellings, and note them on documents that lack the right names.

    Unless `thorough` is True, names that take time to collect are skipped in files that contain the
    right ones.
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
    lines = []
    line, position = source.first_line, 0
    for match in pattern.finditer(source.content):
        line += source.content.count(b"\n", position, match.start())
        position = match.start()
        lines.append(line)
    return lines


def _line_ranges(corpus: Corpus) -> Iterator[tuple[Document, tuple[int, int]]]:
    """Yield documents with their line ranges, ends exclusive.

    Lines before the first document belong to it. If documents begin on the same line, only the
    first is yielded.
    """
    starts: dict[int, Document] = {}
    for document in corpus.documents.values():
        starts.setdefault((document.line or 1) if starts else 1, document)
    lines = sorted(starts)
    for start, end in pairwise([*lines, sys.maxsize]):
        yield starts[start], (start, end)


def _number_between(lines: Sequence[int], start: int, end: int) -> int:
    return bisect_left(lines, end) - bisect_left(lines, start)
