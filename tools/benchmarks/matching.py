"""How long matching takes when half of the mentions match only partly, against exact matching.

    python -m tools.benchmarks.matching

A document of 30,000 and one of 300,000 mentions are made: mentions of one to eight words, many of
them nested and overlapping, of which half have lost words in the response. Shown are the best of
several runs, how much longer it takes than exact matching, and how much longer for ten times as
many mentions.
"""

from __future__ import annotations

import random
import sys
import time

from anascore import Mention, Settings
from anascore.entities.normalisation import AllMentions
from anascore.matching import match_mentions
from anascore.parallel import gc_paused
from anascore.settings import CHOICES

SIZES = (30_000, 300_000)
LONGEST = 8
RUNS = 3
MOST_GROWTH = 20.0
"""Between 10, which is linear, and 100, quadratic."""


def document(size: int, seed: int = 1) -> tuple[AllMentions, AllMentions]:
    """Make the mentions of a key and of a response."""
    rng = random.Random(seed)  # noqa: S311  nothing to keep secret
    key: dict[tuple[int, int], Mention] = {}
    response: dict[tuple[int, int], Mention] = {}
    while len(key) < size:
        start, length = rng.randrange(2 * size), rng.randint(1, LONGEST)
        head = start + rng.randrange(length)
        place = start, start + length
        key[place] = mention(*place, head)
        if rng.random() < 0.5:
            place = rng.randint(start, head), rng.randint(head + 1, start + length)
        response.setdefault(place, mention(*place, head))
    return AllMentions(list(key.values())), AllMentions(list(response.values()))


def mention(start: int, end: int, head: int) -> Mention:
    """Make a mention whose minimum span is its head."""
    return Mention(((start, end),), minimum=((head, head + 1),) if end - start > 1 else ())


def seconds(sides: tuple[AllMentions, AllMentions], settings: Settings) -> float:
    """Time the best of several runs."""
    times = []
    for _ in range(RUNS):
        with gc_paused():
            start = time.perf_counter()
            match_mentions(*sides, settings)
            times.append(time.perf_counter() - start)
    return min(times)


def main() -> int:
    """Measure each way of matching, and tell whether the time grows no faster than it may."""
    documents = [document(size) for size in SIZES]
    exact = seconds(documents[-1], Settings())
    heads = "".join(f"{size:>10,}" for size in SIZES)
    sys.stdout.write(f"{'matching':<10}{heads}{'growth':>9}{'to exact':>10}\n")
    within = True
    for match in CHOICES["match"]:
        times = [seconds(sides, Settings(match=match)) for sides in documents]
        growth = times[-1] / times[0]
        within = within and growth <= MOST_GROWTH
        shown = "".join(f"{t:>9.3f}s" for t in times)
        sys.stdout.write(f"{match:<10}{shown}{growth:>9.1f}{times[-1] / exact:>10.1f}\n")
    verdict = "holds" if within else "does not hold"
    sys.stdout.write(f"limit: growth {MOST_GROWTH} for ten times as many mentions: it {verdict}\n")
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
