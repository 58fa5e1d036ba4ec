"""Scores of anascore beside those of the published scorers, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import anascore
from anascore.example import ENDINGS, NAMES
from anascore.example import FOLDER as EXAMPLE
from tools.evidence.documents import random_pair
from tools.evidence.peers import PEERS, Pair, PeerScores, run_peer

EQUAL = 1e-9
"""Differences below this are rounding errors of floating-point numbers."""

DOCUMENTS = 300
"""Number of random documents."""

CORPORA = Path(__file__).parents[3] / "shared" / "corpora"
REAL = {
    "GUM": ("gum/key", ("gum/noisy-a", "gum/noisy-b")),
    "Friends, SemEval-2018": (
        "friends-semeval/key",
        tuple(
            f"friends-semeval/{name}" for name in ("AMORE_UPF", "Cheoneum", "Kampfpudding", "Zuma")
        ),
    ),
    "GerDraCor": ("gerdracor/A", ("gerdracor/B",)),
}
"""Real corpora: the key and the responses, without endings."""


KNOWN_IN_SOURCE = {
    ("GerDraCor", "coval", ".conll"): "sentences",
    ("GUM", "ua", ".conllua"): "ties",
    ("GUM", "corefud", ".conllua"): "ties",
    ("example corpus", "ua", ".conllua"): "gaps",
}
"""Disagreements that concern a few mentions or sets of a source, and all metrics."""


class Comparison(NamedTuple):
    """A peer with its options, and our settings that mean the same."""

    peer: str
    ending: str
    label: str
    options: Mapping[str, Any] = {}
    settings: Mapping[str, Any] = {}
    suite: str = ""
    """Folder of the peer's own test suite for these options."""

    known: Mapping[str, str] = {}
    """Disagreements that can explain a difference, by metric."""

    @property
    def format(self) -> str:
        """Format of the files, whose names in test suites do not tell it."""
        return next(name for name, ending in ENDINGS.items() if ending == self.ending)


_UA = {"convention": "ua", "repeated_mentions": "all"}
_PLAIN = {"split": False}
_COREFUD = {"split": False, "repeated_mentions": "all"}
_NO_LINKS = {"blanc": "no-links"}

COMPARISONS = (
    Comparison("conll", ".conll", "exact", {}, _PLAIN, "test/DataFiles", _NO_LINKS),
    Comparison("coval", ".conll", "exact", {}, _PLAIN, "tests"),
    Comparison(
        "coval",
        ".conll",
        "exact, no singletons",
        {"singletons": False},
        {**_PLAIN, "singletons": False},
    ),
    Comparison(
        "ua", ".conllua", "exact, no split antecedents", {"split": False}, {**_UA, "split": False}
    ),
    Comparison(
        "ua",
        ".conllua",
        "exact, split antecedents",
        {"split": True},
        _UA,
        "plural-tests",
        {"lea": "order", "blanc": "order"},
    ),
    *(
        Comparison(
            "corefud",
            ".conllua",
            f"{match}, split antecedents",
            {"format": "ua", "split": True, "match": theirs},
            {**_UA, "match": match},
            f"tests/tests-ua/{suite}",
            {"blanc": "order"},
        )
        for match, theirs, suite in (
            ("exact", "exact", "plural"),
            ("partial", "partial-corefud", "partial-match-corefud"),
            ("craft", "partial-craft", "discontinuous-craft"),
        )
    ),
    *(
        Comparison(
            "corefud",
            ".conllu",
            match,
            {"format": "corefud", "split": False, "match": theirs},
            {**_COREFUD, "match": match},
            f"tests/tests-corefud/{suite}",
        )
        for match, theirs, suite in (
            ("exact", "exact", "exact-match"),
            ("head", "head", "head-match"),
            ("partial", "partial-corefud", "partial-corefud-match"),
        )
    ),
    Comparison("scorch", ".jsonl", "exact", {"add_mentions": False}, _PLAIN, "", _NO_LINKS),
)


@dataclass(frozen=True)
class Row:
    """Scores that were compared with one peer, from one source."""

    source: str
    peer: str
    label: str
    pairs: int = 0
    scores: int = 0
    largest: float = 0
    """Largest difference among scores that are equal but for rounding."""

    explained: Mapping[str, int] = field(default_factory=dict)
    """Number of scores that differ, by the disagreement that explains it."""

    unexplained: int = 0
    not_scored: int = 0
    """Pairs that one of the two refuses to score."""

    rerun: bool = True
    """False if the peer or the data were not at hand, and an earlier run is restated."""


def compare_scores(
    row: Row, pairs: Sequence[Pair], theirs: Sequence[PeerScores | None], comparison: Comparison
) -> Row:
    """Return the row with the numbers of scores that are equal and that differ."""
    scores = unexplained = not_scored = 0
    largest = 0.0
    explained = Counter[str]()
    place = row.source, comparison.peer, comparison.ending
    for pair, values in zip(pairs, theirs, strict=True):
        try:
            result = _score(pair, values, comparison)
        except anascore.AnascoreError:
            result = None
        if result is None or values is None:
            not_scored += 1
            continue
        doubled = any("also in an earlier entity" in warning for warning in result.warnings)
        for metric, numbers in values.items():
            for number, own in zip(numbers, result.scores[metric], strict=False):
                # The published scorers print 0 for what is undefined.
                difference = abs(number - (own or 0))
                scores += 1
                if difference < EQUAL:
                    largest = max(largest, difference)
                elif doubled:
                    explained["doubled"] += 1
                elif metric in comparison.known:
                    explained[comparison.known[metric]] += 1
                elif place in KNOWN_IN_SOURCE:
                    explained[KNOWN_IN_SOURCE[place]] += 1
                else:
                    unexplained += 1
    return replace(
        row,
        pairs=len(pairs),
        scores=scores,
        largest=largest,
        explained=dict(sorted(explained.items())),
        unexplained=unexplained,
        not_scored=not_scored,
    )


def _score(pair: Pair, values: PeerScores | None, comparison: Comparison) -> anascore.Result | None:
    if values is None:
        return None
    keywords = {**comparison.settings, "format": comparison.format, "words": "ignore"}
    return anascore.score(*pair, metrics=[*values], **keywords)


def live_rows(comparison: Comparison, peers: Path, folder: Path) -> Iterator[Row]:
    """Compare with a peer that is at hand, on its own suite, random documents and corpora."""
    home = peers / PEERS[comparison.peer].folder
    sources = {
        "own test suite": _suite_pairs(home, comparison),
        f"{DOCUMENTS} random documents": _random_pairs(comparison, folder),
        "example corpus": _example_pairs(comparison, folder),
        **{name: _real_pairs(name, comparison) for name in REAL},
    }
    for source, pairs in sources.items():
        if pairs:
            theirs = run_peer(comparison.peer, home, pairs, comparison.options)
            row = Row(source, comparison.peer, comparison.label)
            yield compare_scores(row, pairs, theirs, comparison)


def _suite_pairs(home: Path, comparison: Comparison) -> list[Pair]:
    """Return the keys and responses of a peer's own test suite."""
    keys = sorted((home / comparison.suite).rglob("*.key")) if comparison.suite else []
    return [
        (key, response)
        for key in keys
        for response in sorted(key.parent.glob(f"{key.stem}-*"))
        if response.suffix in {".response", ".sys"}
    ]


def _random_pairs(comparison: Comparison, folder: Path) -> list[Pair]:
    """Write random documents, with split antecedents where the peer can score them."""
    pairs = []
    sets = comparison.settings.get("split", True)
    for seed in range(DOCUMENTS):
        names = (f"{side}-{seed}-{int(sets)}{comparison.ending}" for side in ("key", "response"))
        key, response = (folder / name for name in names)
        if not key.exists():
            for corpus, path in zip(random_pair(seed, sets=sets), (key, response), strict=True):
                anascore.write(corpus, path)
        pairs.append((key, response))
    return pairs


def _example_pairs(comparison: Comparison, folder: Path) -> list[Pair]:
    """Return the files of the example corpus; those of JSON lines are cut into documents."""
    paths = [EXAMPLE / f"{name}{comparison.ending}" for name in NAMES]
    if comparison.ending != ".jsonl":
        return [(paths[0], path) for path in paths[1:]]
    pairs = []
    lines = [path.read_text(encoding="utf-8").splitlines() for path in paths]
    for number, (key, *responses) in enumerate(zip(*lines, strict=True)):
        target = folder / f"example-key-{number}.jsonl"
        target.write_text(key, encoding="utf-8")
        for system, response in enumerate(responses):
            path = folder / f"example-{system}-{number}.jsonl"
            path.write_text(response, encoding="utf-8")
            pairs.append((target, path))
    return pairs


def _real_pairs(name: str, comparison: Comparison) -> list[Pair]:
    """Return the files of a real corpus that are there in the format of the peer."""
    if comparison.peer in {"conll", "scorch"}:
        return []  # the first takes hours, and the second reads single documents
    key, responses = REAL[name]
    pairs = [
        (CORPORA / f"{key}{comparison.ending}", CORPORA / f"{response}{comparison.ending}")
        for response in responses
    ]
    return pairs if all(path.exists() for pair in pairs for path in pair) else []
