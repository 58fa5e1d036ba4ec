"""The tables of section 5 of the paper, and their values by anascore."""

from fractions import Fraction

import anascore
from anascore.entities.normalisation import normalise
from anascore.entities.side import Side
from anascore.matching import match_mentions
from anascore.metrics.metric import align_sets
from anascore.metrics.overlap import Overlaps, overlaps_of
from anascore.metrics.scores import METRICS
from anascore.settings import Settings
from support.paper import KEY, SYSTEMS

# The recalls of aligned accommodated sets that the paper prints: by metric, system, and the
# numbers of the key entity and the response entity there.
RECALLS = {
    ("muc", "A", 3, 3): "2/3",
    ("muc", "A", 7, 6): "1/2",
    ("muc", "B", 7, 6): "2/3",
    ("muc", "D", 7, 6): "1/2",
    ("b3", "A", 3, 3): "2/3",
    ("b3", "A", 7, 6): "8/15",
    ("b3", "B", 7, 6): "2/3",
    ("b3", "C", 6, 6): "7/12",
    ("b3", "D", 7, 6): "7/15",
    ("ceafm", "A", 3, 3): "4/5",
    ("ceafm", "A", 7, 6): "3/5",
    ("ceafm", "B", 7, 6): "4/5",
    ("ceafm", "C", 6, 6): "3/4",
    ("ceafm", "D", 7, 6): "3/5",
    ("ceafe", "A", 3, 3): "9/10",
    ("ceafe", "A", 7, 6): "7/10",
    ("ceafe", "B", 7, 6): "9/10",
    ("ceafe", "C", 6, 6): "13/15",
    ("ceafe", "D", 7, 6): "13/20",
}

# δ of MUC that the paper prints, by system and key entity.
PENALTIES = {
    ("A", 3): "1/3",
    ("A", 6): "1",
    ("A", 7): "1/2",
    ("B", 7): "1/3",
    ("C", 6): "1",
    ("C", 7): "1",
    ("D", 7): "1/2",
}


def read_side(letter: str) -> Side:
    path = KEY if letter == "key" else SYSTEMS["ABCD".index(letter)]
    (document,) = anascore.read(path).documents.values()
    return normalise(document.entities, Settings())


def tables(key: Side, response: Side) -> Overlaps:
    return overlaps_of(key, response, match_mentions(key, response, Settings()), 1)


def aligned_recalls(metric: str, letter: str) -> dict[tuple[int, int], Fraction]:
    """Return recall by the entities' numbers in the paper, which are their ids in the files."""
    key, response = read_side("key"), read_side(letter)
    return {
        (int(key.entities[i].name), int(response.entities[j].name)): pair.credits[0].recall
        for (i, j), pair in align_sets(METRICS[metric].rows, tables(key, response)).items()
    }


def penalties(letter: str) -> dict[int, Fraction]:
    """Return δ of MUC by the number of the key entity: 1, or less if a link to the set is found."""
    key, found_in = read_side("key"), tables(read_side("key"), read_side(letter))
    found = {
        i: pair.credits[0].recall
        for (i, j), pair in align_sets(METRICS["muc"].rows, found_in).items()
        if (i, j) in found_in.from_key.shared
    }
    return {int(key.entities[i].name): 1 - found.get(i, Fraction(0)) for i in found_in.key_sets}
