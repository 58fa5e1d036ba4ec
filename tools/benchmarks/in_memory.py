"""Scoring in memory, as in a training loop, against what trainers copy.

    python -m tools.benchmarks.in_memory [RUNS]

Processor time of one process, in turns; the best of some runs.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import anascore
from tools.benchmarks.copied_evaluator import CopiedEvaluator
from tools.benchmarks.generated import NOISE, SEED
from tools.benchmarks.ratios import Ratio
from tools.benchmarks.report import table_of_ratios

Clusters: TypeAlias = list[tuple[tuple[int, int], ...]]
Documents: TypeAlias = list[tuple[Clusters, Clusters]]
ListsOfLists: TypeAlias = list[list[list[int]]]

CORPORA = {
    "like OntoNotes": (343, 20, 93),
    "like LitBank": (20, 600, 790),
    "one long document": (1, 5305, 5305),
}
"""Numbers of documents, and of mentions in a document, from and to."""

CONLL = "muc,b3,ceafe,conll"
ALL = "muc,b3,ceafe,conll,ceafm,lea,blanc"


def key_entities(rng: random.Random, mentions: int) -> list[int]:
    """Return the entity of each mention: of two mentions or more, and sometimes of many."""
    entities: list[int] = []
    number = 0
    while len(entities) < mentions:
        size = int(2 / (1 - rng.random()) ** 0.7)
        entities += [number] * min(size, max(2, mentions // 5))
        number += 1
    rng.shuffle(entities)
    return entities


def clusters_of(entities: Sequence[int], spans: Sequence[tuple[int, int]]) -> Clusters:
    """Return entities as lists of spans; as in OntoNotes, there are no singletons."""
    clusters: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for entity, span in zip(entities, spans, strict=True):
        if entity >= 0:
            clusters[entity].append(span)
    return [tuple(own) for own in clusters.values() if len(own) > 1]


def documents(name: str) -> Documents:
    """Generate the documents of a corpus, with responses in which a share of mentions is wrong."""
    number, least, most = CORPORA[name]
    rng = random.Random(f"{SEED} {name}")  # noqa: S311  nothing to keep secret
    pairs = []
    for _ in range(number):
        key = key_entities(rng, rng.randint(least, most))
        spans = [(5 * place, 5 * place + rng.randint(0, 3)) for place in range(len(key))]
        response, other_spans = list(key), list(spans)
        for place, (start, end) in enumerate(spans):
            if rng.random() < NOISE:
                response[place] = rng.choice([rng.choice(key), -1, response[place]])
                other_spans[place] = (start, end + rng.randint(0, 1))
        pairs.append((clusters_of(key, spans), clusters_of(response, other_spans)))
    return pairs


def copied(pairs: Documents) -> float:
    """Score as trainers do."""
    evaluator = CopiedEvaluator()
    for key, response in pairs:
        evaluator.update(response, key)
    return evaluator.conll()


def with_lists(clusters: Clusters) -> ListsOfLists:
    """Return clusters as JSON and `tolist` give them."""
    return [[list(span) for span in cluster] for cluster in clusters]


def ours(pairs: Sequence[tuple[Any, Any]], metrics: str) -> float:
    """Score with anascore, one document after another."""
    scorer = anascore.Scorer(metrics=metrics)
    for number, (key, response) in enumerate(pairs):
        scorer.update(key, response, name=str(number))
    return scorer.result().conll or 0.0


def one_by_one(pairs: Documents) -> float:
    """Score each document by a call of its own, and read its score; return the mean."""
    results = [anascore.score_clusters(*pair, metrics=CONLL) for pair in pairs]
    return statistics.mean(result.conll or 0.0 for result in results)


class Row(NamedTuple):
    """Seconds of each way to score a corpus."""

    name: str
    documents: int
    mentions: int
    seconds: dict[str, float]


def measure(name: str, runs: int) -> Row:
    """Measure all ways to score a corpus, in turns."""
    pairs = documents(name)
    ways: dict[str, Callable[[], float]] = {
        "copied": lambda: copied(pairs),
        "ours": lambda: ours(pairs, CONLL),
        "ours, all": lambda: ours(pairs, ALL),
    }
    scores = {way: score() for way, score in ways.items()}
    if max(scores.values()) - min(scores.values()) > 1e-9:
        message = f"{name}: scores differ: {scores}"
        raise AssertionError(message)
    seconds = best_seconds(ways, runs)
    mentions = sum(len(cluster) for key, _ in pairs for cluster in key)
    return Row(name, len(pairs), mentions, seconds)


def best_seconds(ways: Mapping[str, Callable[[], object]], runs: int) -> dict[str, float]:
    """Measure some ways in turns; return the best time of each."""
    seconds = dict.fromkeys(ways, float("inf"))
    for _ in range(runs):
        for way, score in ways.items():
            start = time.process_time()
            score()
            seconds[way] = min(seconds[way], time.process_time() - start)
    return seconds


def ratios(runs: int) -> Iterator[Ratio]:
    """Measure what must hold for trainers who pass lists, or score one document per call."""
    pairs = documents("like OntoNotes")
    lists = [(with_lists(key), with_lists(response)) for key, response in pairs]
    seconds = best_seconds(
        {
            "copied": lambda: copied(pairs),
            "tuples": lambda: ours(pairs, CONLL),
            "lists": lambda: ours(lists, CONLL),
            "one by one": lambda: one_by_one(pairs),
        },
        runs,
    )
    for way, base, limit, what, unit in (
        ("lists", "tuples", 1.3, "lists of lists", "× tuples"),
        ("one by one", "copied", 0.8, f"score_clusters {len(pairs)} times", "× copied evaluator"),
    ):
        how = f"{seconds[way]:.3f} s; {base} {seconds[base]:.3f} s"
        yield Ratio(what, seconds[way] / seconds[base], limit, unit, how)


def main() -> None:
    """Measure and print."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    line = "{:20}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}\n"
    heads = ("documents", "mentions", "copied s", "ours s", "ratio", "all s", "ratio")
    sys.stdout.write(line.format("", *heads))
    for name in CORPORA:
        row = measure(name, runs)
        base, conll, everything = row.seconds.values()
        figures = (f"{base:.3f}", f"{conll:.3f}", f"{conll / base:.2f}")
        more = (f"{everything:.3f}", f"{everything / base:.2f}")
        sys.stdout.write(line.format(row.name, row.documents, row.mentions, *figures, *more))
    sys.stdout.writelines(f"{row}\n" for row in ("", *table_of_ratios(ratios(2 * runs))))


if __name__ == "__main__":
    main()
