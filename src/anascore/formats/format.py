"""Description of one file format: how to detect, read and write it, and what it can store."""

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
"""Finds documents that start in some lines, and yields their positions and names; an unnamed one
has an empty name. The second argument is True for the first lines of a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity:
    """What a format can store."""

    characters: bool = False
    """True if mentions are character spans instead of word spans."""

    zeros: bool = False
    gaps: bool = False
    """Discontinuous mentions."""

    crossing: bool = False
    """Crossing mentions of one entity."""

    sets: Literal["no", "of-entities", "nested"] = "no"
    """Accommodated sets; "nested" if elements can be sets."""

    results: bool = False
    """Accommodated objects that result from their elements instead of being sets."""

    antecedents: frozenset[RelationName] = frozenset()
    """Relations for which the format can mark an element's mentions as antecedents."""

    nonreferring: Literal["no", "numbered", "named"] = "no"
    """Non-referring mentions; their types are numbers or names."""

    bridging: Literal["no", "entities", "mentions"] = "no"
    """Bridging; the anchor is an entity or one of its mentions."""

    deixis: bool = False
    candidates: bool = False
    """Ranked antecedents of discourse deixis."""

    minimum: Literal["no", "span", "words"] = "no"
    """Minimum spans; "words" if they can have gaps, and the head is stored separately."""

    attributes: bool = False
    """Other mention attributes, like etype or SemType."""

    sentences: bool = True
    columns: frozenset[str] = frozenset()
    """Other columns that the format keeps, like LEMMA or UPOS."""

    comments: bool = False
    """Comments on sentences and documents, and multiword tokens."""

    forbidden_in_words: re.Pattern[str] = re.compile(r"[\0\t\n\r]")
    """Characters that words must not contain."""

    names: bool = True
    """Document names."""

    forbidden_in_labels: re.Pattern[str] = re.compile(r"(?!)")
    """Characters that relations and types must not contain."""


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
"""Attributes that mentions and entities store as fields, and mere ids."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """Reading options that only some formats have.

    An option's metadata contain its help text, and say whether the command line applies it to the
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
        """Return the names of options that differ from their defaults."""
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
    """None if the format is read-only."""

    endings: tuple[str, ...] = ()
    """File endings that select this format for writing."""

    options: frozenset[str] = frozenset()
    """Names of the `ReadOptions` that apply to the format."""

    fit_document: Callable[[Document, Counter[str]], Document] | None = None
    """Fits a document in ways specific to the format, after fitting it to the capacity."""

    fit_corpus: Callable[[Corpus, Counter[str]], Corpus] | None = None
    """Fits the whole corpus in ways specific to the format, after its documents."""

    ends: End | None = None
    """Whether span ends are inclusive or exclusive, if files contain them as numbers that nothing
    else checks."""

    one_document: bool = False
    """True if each file contains exactly one document."""

    companions: SidecarFiles | None = None
    """Files that make up a document, if there are several."""

    detect: Callable[[Source], bool] | None = None
    """Recognises files of a plug-in; formats of anascore are detected by their patterns."""

    json_key: re.Pattern[bytes] | None = None
    """Key that identifies a JSON format."""

    names: tuple[NameKind, ...] = ()
    """Names that the reader knows; a warning reports near misses."""

    comment: re.Pattern[bytes] | None = None
    """Comment or other line that identifies a column format; the registry stores a word from it."""

    repairs: bool = False
    """True if the reader can repair files (`--repair`). Messages then list all errors of a
    document."""

    starts: DocumentStarts | None = None
    """Finds documents in a large file; None if the format must be read whole."""

    declaration: tuple[re.Pattern[bytes], bytes] | None = None
    """Comment that applies to the whole file, and a word in it."""
