"""A format: how it is recognised, read and written, and what it can hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from anascore.errors import Problems
from anascore.formats.source import Source
from anascore.model.document import Corpus, Document, RelationName


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity:
    """What a format can hold."""

    characters: bool = False
    """Whether mentions are given by character offsets."""

    zeros: bool = False
    gaps: bool = False
    """Discontinuous mentions."""

    crossing: bool = False
    """Mentions of the same entity that cross each other."""

    sets: Literal["no", "of-entities", "nested"] = "no"
    """Accommodated sets, and whether their elements can be sets, too."""

    results: bool = False
    """Accommodated objects that are made of their elements in another way than as a set."""

    antecedents: frozenset[RelationName] = frozenset()
    """The relations for which the mentions of elements can be marked as antecedents."""

    nonreferring: Literal["no", "numbered", "named"] = "no"
    """Non-referring mentions, and whether their types are numbers or names."""

    bridging: Literal["no", "entities", "mentions"] = "no"
    """Bridging, and whether the anchor is an entity or one of its mentions."""

    deixis: bool = False
    candidates: bool = False
    """Ranked antecedents of discourse deixis."""

    minimum: Literal["no", "span", "words"] = "no"
    """Minimum spans, and whether they can have gaps; and heads besides, if they can."""

    attributes: bool = False
    """Whatever else is said of mentions, like etype or SemType."""

    sentences: bool = True
    columns: frozenset[str] = frozenset()
    """What else is said of words, like LEMMA or UPOS."""

    comments: bool = False
    """Comments on sentences and documents, and multiword tokens."""

    forbidden_in_words: re.Pattern[str] = re.compile(r"[\0\t\n\r]")
    """What cannot stand in a word."""

    names: bool = True
    """The names of documents."""

    forbidden_in_labels: re.Pattern[str] = re.compile(r"(?!)")
    """What cannot stand in a relation or a type."""


FORBIDDEN_IN_VALUES = re.compile(r"[\0\t\n\r|()@]|^\s|\s$")
"""What cannot stand in the value of an attribute in CoNLL-UA."""

MODELLED = {"entityid", "markableid", "min", "elementof", "resultof", "eid", "head", "minspan"}
"""Attributes that mentions and entities have fields for, or that name them only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One format."""

    label: str
    """What people call it."""

    read: Callable[[Source, Problems], Corpus]
    write: Callable[[Corpus], str]
    holds: Capacity
    endings: tuple[str, ...]
    """The endings of file names that stand for it."""

    refine: Callable[[Document, Counter[str]], Document] | None = None
    """Takes out what it cannot hold for reasons of its own."""

    clean: Callable[[Corpus, Counter[str]], Corpus] | None = None
    """Takes out of the whole corpus what it cannot hold."""

    one_document: bool = False
    """Whether each document is a file of its own."""

    json_key: re.Pattern[bytes] | None = None
    """A key by which a format in JSON is recognised."""

    comment: tuple[re.Pattern[bytes], bytes] | None = None
    """A comment by which a format in columns is recognised, and a word that is in it."""
