"""Format: the detector, reader, writer, capacity and options of one file format."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from typing import Literal, TypeAlias

from anascore.arguments import check_argument
from anascore.errors import MAX_NUMBER, Problems, check_whole_number
from anascore.formats.files import SidecarFiles, Source
from anascore.formats.near_names import NameKind
from anascore.model.document import Corpus, Document, End, RelationName

FormatName: TypeAlias = Literal[
    "ua",
    "corefud",
    "conll2012",
    "jsonl",
    "friends",
    "rucoco",
    "llm-text",
    "llm-json",
    "coref-hoi",
    "wl-coref",
    "preco",
    "fastcoref",
    "maverick",
    "ucdcr",
    "stanza",
    "booknlp",
    "brat",
    "litbank",
]


DocumentStarts: TypeAlias = Callable[[bytes, bool], Iterable[tuple[int, str]]]
"""Returns the positions and names of the documents that start in some lines; unnamed ones have an
empty name. The second argument is True for the first lines of a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity:
    """Annotation that a format can hold."""

    characters: bool = False
    """True if mentions are spans of characters, not of words."""

    zeros: bool = False
    gaps: bool = False
    """Discontinuous mentions."""

    crossing: bool = False
    """Mentions of the same entity that cross each other."""

    sets: Literal["no", "of-entities", "nested"] = "no"
    """Accommodated sets; "nested" if their elements can be sets, too."""

    results: bool = False
    """Accommodated objects that are results of their elements, not sets."""

    antecedents: frozenset[RelationName] = frozenset()
    """Relations that can mark mentions of elements as antecedents."""

    nonreferring: Literal["no", "numbered", "named"] = "no"
    """Non-referring mentions; their types are numbers or names."""

    bridging: Literal["no", "entities", "mentions"] = "no"
    """Bridging; the anchor is an entity or one of its mentions."""

    deixis: bool = False
    candidates: bool = False
    """Ranked antecedents of discourse deixis."""

    minimum: Literal["no", "span", "words"] = "no"
    """Minimum spans; "words" if they can have gaps, and a head besides."""

    attributes: bool = False
    """Other attributes of mentions, like etype or SemType."""

    sentences: bool = True
    columns: frozenset[str] = frozenset()
    """Names of the other columns that it keeps, like LEMMA or UPOS."""

    comments: bool = False
    """Comments on sentences and documents, and multiword tokens."""

    forbidden_in_words: re.Pattern[str] = re.compile(r"[\0\t\n\r]")
    """Characters that a word cannot have."""

    names: bool = True
    """Names of documents."""

    forbidden_in_labels: re.Pattern[str] = re.compile(r"(?!)")
    """Characters that a relation or a type cannot have."""


MODEL_ATTRIBUTES = {
    "entityid",
    "markableid",
    "min",
    "elementof",
    "resultof",
    "eid",
    "head",
    "minspan",
}
"""Attributes that are fields of mentions and entities, or mere ids."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """Options for reading that only some formats have.

    The metadata of an option say, besides its help text, if the command line applies it to the
    `key`, too, or only to responses.
    """

    clusters_field: str = field(
        default="clusters",
        metadata={
            "help": "field of JSON lines with the entities {whose}, like predicted_clusters",
            "metavar": "NAME",
            "key": False,
        },
    )
    word_column: int | None = field(
        default=None,
        metadata={
            "help": "column of CoNLL-2012 files with the words, counted from 1",
            "metavar": "N",
            "key": True,
        },
    )

    def __post_init__(self) -> None:
        check_argument("clusters_field", self.clusters_field, "str")
        if self.word_column is not None:
            check_whole_number("--word-column", self.word_column, 1, MAX_NUMBER)

    def changed(self) -> list[str]:
        """Return the names of the options that are not at their defaults."""
        return [f.name for f in fields(self) if getattr(self, f.name) != f.default]


DEFAULT_OPTIONS = ReadOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One file format."""

    label: str
    """Name in messages."""

    read: Callable[[Source, Problems, ReadOptions], Corpus]
    holds: Capacity
    write: Callable[[Corpus], str] | None = None
    """None if the format can only be read."""

    endings: tuple[str, ...] = ()
    """Endings of file names that choose this format for writing."""

    options: frozenset[str] = frozenset()
    """Names of the `ReadOptions` that the format has."""

    fit_document: Callable[[Document, Counter[str]], Document] | None = None
    """Format-specific fitting of a document, applied after fitting to the capacity."""

    fit_corpus: Callable[[Corpus, Counter[str]], Corpus] | None = None
    """Format-specific fitting of the whole corpus, applied after fitting its documents."""

    ends: End | None = None
    """Convention of the ends of spans, if files have them as numbers that nothing else checks."""

    one_document: bool = False
    """True if each document is a file of its own."""

    companions: SidecarFiles | None = None
    """Files that a document consists of, if there are several."""

    json_key: re.Pattern[bytes] | None = None
    """Key that identifies a JSON format."""

    names: tuple[NameKind, ...] = ()
    """Names that the reader knows; a warning names those that are nearly the same."""

    comment: re.Pattern[bytes] | None = None
    """Comment or other line that identifies a column format; the registry has a word of it."""

    repairs: bool = False
    """True if the reader can repair a file (`--repair`). Then messages name all of its errors."""

    starts: DocumentStarts | None = None
    """Finds documents in a large file; None if the format must be read as a whole."""

    declaration: tuple[re.Pattern[bytes], bytes] | None = None
    """Comment that holds for the whole file, and a word in it."""
