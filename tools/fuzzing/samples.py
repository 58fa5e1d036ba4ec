"""Good files of every format, small ones, from which mutation and damage start."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from anascore import Corpus, Document, Entity, Mention
from anascore.formats.registry import FORMATS, WRITABLE
from anascore.formats.writing import to_text
from anascore.model.document import Bridge, NonReferring
from anascore.model.mention import make_mention
from support.resolvers import KEY, LAYOUTS, RESPONSE
from support.samples import DOUGH, LAYERS_KEY, PARSED_KEY, RELEASED, ZEROS_KEY
from support.tool_output import BRAT_LINKS, BRAT_MENTIONS
from support.tool_output import SAMPLES as TOOL_OUTPUT


class Sample(NamedTuple):
    """A file, and the file beside it if its format has two."""

    format: str
    main: bytes
    ending: str = ""
    """Ending of the file beside it; empty if there is none."""

    companion: bytes | None = None
    """Content of the file beside it; None if it is missing."""

    @property
    def main_ending(self) -> str:
        """Ending of the file; empty if it can have any."""
        return MAIN_ENDINGS.get(self.ending, "")

    def put(self, folder: Path, name: str = "d") -> Path:
        """Write the files to a folder; return the path of the first."""
        folder.mkdir(exist_ok=True, parents=True)
        if self.companion is not None:
            (folder / f"{name}{self.ending}").write_bytes(self.companion)
        path = folder / f"{name}{self.main_ending}"
        path.write_bytes(self.main)
        return path


MAIN_ENDINGS = {".txt": ".ann", ".tokens": ".entities"}
"""Endings of files, by the endings of the files beside them."""


def small_corpus() -> Corpus:
    """Make two documents with a little of everything, unusual annotation included."""
    first, second = Mention(((0, 2),)), Mention(((3, 4),))
    both, zero = make_mention(((1, 5),), (), ((2, 3),)), Mention((), ((2, 1),))
    apart, late = Mention(((0, 1), (4, 5))), Mention(((5, 6),))
    document = Document(
        "d",
        ("The", "old", "house", "and", "Ann", "left"),
        (
            Entity((first, apart, zero), (), "e1", ({"etype": "place"}, {}, {})),
            Entity((second,), (), "e2"),
            Entity((both, late), (0, 1), "e3"),
        ),
        (NonReferring(late, "2"),),
        (Bridge(second, first, 0, "part"),),
        (Entity((first,), (), "s1"), Entity((second,), (0,), "s2")),
        ((2, 1),),
        sentences=(0, 3),
    )
    other = Document("é", ("Ça", "va"), (Entity((Mention(((1, 2),)),), (), "e9"),))
    return Corpus({"d": document, "é": other})


WORDS = (
    *("Ann", "saw", "the", "old", "house", "."),
    *("Bob", "left", "it", ",", "and", "they", "met", "."),
    *("It", "rained", "on", "the", "roof", "."),
    *("This", "pleased", "both", "."),
)


def tidy_corpus() -> Corpus:
    """Make two documents that have all layers, and nothing that readers warn of."""
    ann, bob, they = Mention(((0, 1),)), Mention(((6, 7),)), Mention(((11, 12),))
    house, it = make_mention(((2, 5),), (), ((4, 5),)), Mention(((8, 9),))
    roof = make_mention(((17, 19),), (), ((18, 19),))
    document = Document(
        "d",
        WORDS,
        (
            Entity((ann, Mention((), ((10, 1),))), (), "e1"),
            Entity((house, it), (), "e2"),
            Entity((bob,), (), "e3"),
            Entity((they, Mention(((22, 23),))), (0, 2), "e4"),
            Entity((roof,), (), "e5"),
        ),
        (NonReferring(Mention(((14, 15),)), "1"),),
        (Bridge(roof, house, 1, "part"),),
        (Entity((Mention(((0, 5),)), Mention(((20, 21),))), (), "s1"),),
        ((10, 1),),
        sentences=(0, 6, 14, 20),
    )
    words = ("Zoé", "dort", ".", "Elle", "rêve", ".")
    sleeper = Entity((Mention(((0, 1),)), Mention(((3, 4),))), (), "e9")
    other = Document("é", words, (sleeper,), sentences=(0, 3))
    return Corpus({"d": document, "é": other})


def written(corpus: Corpus, name: str) -> bytes:
    """Return a corpus as a file of a format, as far as the format can hold it."""
    if FORMATS[name].one_document:
        first = next(iter(corpus.documents))
        corpus = replace(corpus, documents={first: corpus.documents[first]})
    return to_text(corpus, name)[0].encode()


@cache
def good(name: str) -> Sample:
    """Return a file of a format that is read without a warning."""
    if name in WRITABLE:
        return Sample(name, written(tidy_corpus(), name))
    if name in LAYOUTS:
        return Sample(name, f"{LAYOUTS[name](KEY).rstrip()}\n".encode())
    output = TOOL_OUTPUT[name]
    companion = output.companion.encode() if output.companion else None
    return Sample(name, output.main.encode(), output.ending, companion)


@cache
def varied(name: str) -> tuple[Sample, ...]:
    """Return good files of a format with as many of its features as possible."""
    return (good(name), *_varied(name))


MORE_TEXTS = {
    "ua": (LAYERS_KEY, RELEASED, DOUGH),
    "corefud": (ZEROS_KEY,),
    "conll2012": (PARSED_KEY,),
    "brat": [BRAT_MENTIONS + links for links in BRAT_LINKS.values()],
}


def _varied(name: str) -> Iterator[Sample]:
    for text in MORE_TEXTS.get(name, ()):
        yield good(name)._replace(main=text.encode())
    if name in WRITABLE:
        yield Sample(name, written(small_corpus(), name))
    if name in LAYOUTS:
        yield Sample(name, LAYOUTS[name](RESPONSE).encode())
