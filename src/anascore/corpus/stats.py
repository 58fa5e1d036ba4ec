"""Statistics of a corpus: counts of words, mentions, entities, accommodated sets and the rest."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from os import PathLike, fspath
from typing import NamedTuple, Unpack

from anascore.arguments import check_arguments
from anascore.entities.normalisation import normalise
from anascore.formats.format import DEFAULT_OPTIONS, FormatName
from anascore.formats.friends import is_generic
from anascore.formats.reading import read
from anascore.formats.sources import CorpusSource, as_list, corpus_in_memory
from anascore.model.abbreviated import pluralise, quote
from anascore.model.document import Document
from anascore.model.mention import Mention, Unit
from anascore.printing import LayoutKeywords, OutputName, Printable
from anascore.settings import Settings
from anascore.terminal import track


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts for one or more documents."""

    documents: int = 0
    words: int = 0
    sentences: int = 0
    mentions: int = 0
    entities: int = 0
    singletons: int = 0
    """Entities with one mention and without elements."""

    generic_entities: int = 0
    """Entities with a generic label, as in Friends."""

    generic_mentions: int = 0
    accommodated_sets: int = 0
    nested_sets: int = 0
    """Accommodated sets with an element that itself has an accommodated set."""

    split_mentions: int = 0
    """Mentions of entities with an accommodated set."""

    results: int = 0
    """Entities that are the result of their elements instead of the set of them."""

    non_referring: int = 0
    bridging_links: int = 0
    deixis_entities: int = 0
    deixis_mentions: int = 0
    deixis_sets: int = 0
    zeros: int = 0
    zero_mentions: int = 0
    discontinuous_mentions: int = 0
    nested_mentions: int = 0
    """Mentions between the first and the last word of another mention."""

    crossing_mentions: int = 0
    """Mentions that overlap another mention without nesting."""

    chain_lengths: Counter[int] = field(default_factory=Counter)
    """Number of entities by number of mentions."""

    set_sizes: Counter[int] = field(default_factory=Counter)
    """Number of accommodated sets by number of elements."""

    left_out: Counter[str] = field(default_factory=Counter)
    """Number of things left out during reading and normalisation, by description."""

    def __add__(self, other: Stats) -> Stats:
        return Stats(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    @property
    def entity_share(self) -> float | None:
        """Share of entities with an accommodated set."""
        return self.accommodated_sets / self.entities if self.entities else None

    @property
    def entity_share_generic_apart(self) -> float | None:
        """Share of entities with a set of several elements, as in the paper.

        Each generic mention counts as an entity of its own. None without generic mentions.
        """
        if not self.generic_mentions:
            return None
        several = self.accommodated_sets - self.set_sizes[1]
        return several / (self.entities - self.generic_entities + self.generic_mentions)

    @property
    def mention_share(self) -> float | None:
        """Share of mentions whose entity has an accommodated set."""
        return self.split_mentions / self.mentions if self.mentions else None

    @property
    def anaphor_share(self) -> float | None:
        """Share of mentions that are the first of an entity with an accommodated set.

        These are the split-antecedent anaphors: they are the antecedents of later mentions.
        """
        return self.accommodated_sets / self.mentions if self.mentions else None

    @property
    def mean_length(self) -> float | None:
        """Mean number of mentions per entity."""
        return self.mentions / self.entities if self.entities else None


class FileStatistics(NamedTuple):
    """Counts of each document of a file."""

    path: str
    format: str
    unit: str
    """What the text's units are: words or characters."""

    documents: Mapping[str, Stats]

    @property
    def total(self) -> Stats:
        """Counts of all documents together."""
        return sum(self.documents.values(), Stats())

    def __repr__(self) -> str:
        """Show the path and the most important counts on one line."""
        return f"<FileStatistics {quote(self.path)}: {_in_words(self.total)}>"


def _in_words(stats: Stats) -> str:
    return (
        f"{pluralise(stats.documents, 'document')}, {pluralise(stats.mentions, 'mention')}, "
        f"{pluralise(stats.entities, 'entity', 'entities')}"
    )


@dataclass(frozen=True, slots=True)
class Statistics(Printable):
    """Counts of the annotation in files. Print it, or iterate over the files."""

    files: tuple[FileStatistics, ...]

    @property
    def total(self) -> Stats:
        """Counts of all files together."""
        return sum((file.total for file in self.files), Stats())

    def __iter__(self) -> Iterator[FileStatistics]:
        """Iterate over the files."""
        return iter(self.files)

    def __len__(self) -> int:
        """Return the number of files."""
        return len(self.files)

    @check_arguments
    def render(
        self,
        output: OutputName = "table",
        *,
        per_document: bool = False,
        **layout: Unpack[LayoutKeywords],
    ) -> str:
        """Return the counts as text.

        Args:
            output: Output format, such as "markdown" or "json".
            per_document: If True, also return the counts of each document.
            layout: `decimals=4` for that many decimals, and `tables="counts"` for only the tables
                with these ids.

        Returns:
            The text that `anascore stats` prints.

        Raises:
            SettingsError: The output is unknown.
        """
        return self._render(output, per_document=per_document, **layout)

    def __repr__(self) -> str:
        """Show the number of files and the most important counts on one line."""
        return f"<Statistics: {pluralise(len(self), 'file')}, {_in_words(self.total)}>"


@check_arguments
def stats(
    corpora: CorpusSource | Iterable[CorpusSource],
    format: FormatName | None = None,  # noqa: A002  what users call it
    *,
    clusters_field: str = DEFAULT_OPTIONS.clusters_field,
    word_column: int | None = DEFAULT_OPTIONS.word_column,
) -> Statistics:
    """Count documents, words, mentions, entities and all other annotation.

    Entities are counted as they are scored with the default settings.

    Args:
        corpora: A file, a folder, - for standard input, or a corpus; or several of these.
        format: Name of the format of files (default: auto-detect).
        clusters_field: Field of JSON lines that holds the entities.
        word_column: Column of CoNLL-2012 that holds the words, counted from 1 (default:
            auto-detect).

    Returns:
        The counts of each document of each file.

    Raises:
        ReadError: A file cannot be read.
        SettingsError: An option is invalid, or does not apply to the format.

    Example:
        >>> from anascore.example import KEY
        >>> stats(KEY).total.accommodated_sets
        18
    """
    files = []
    for source in as_list(corpora):
        if isinstance(source, str | PathLike):
            corpus = read(source, format, clusters_field=clusters_field, word_column=word_column)
            path = fspath(source)
        else:
            corpus = corpus_in_memory(source)
            path = corpus.path or "in Python"
        tracked = track(corpus.documents.items(), f"counting in {path}: document")
        documents = {name: document_stats(document) for name, document in tracked}
        in_characters = (document.in_characters for document in corpus.documents.values())
        unit = "characters" if all(in_characters) else "words"
        files.append(FileStatistics(path, corpus.format, unit, documents))
    return Statistics(tuple(files))


def document_stats(document: Document) -> Stats:
    """Count a document's annotation; entities are normalised with the default settings."""
    side = normalise(document.entities, Settings())
    deixis = normalise(document.deixis, Settings())
    entities, mentions = side.entities, side.mentions
    sets = [entity for entity in entities if entity.is_set]
    generic = [entity for entity in entities if is_generic(entity.name) and not entity.elements]
    nested, crossing = overlapping(mentions)
    return Stats(
        documents=1,
        words=len(document.words),
        sentences=len(document.sentences),
        mentions=len(mentions),
        entities=len(entities),
        singletons=sum(len(e.mentions) == 1 and not e.elements for e in entities),
        generic_entities=len(generic),
        generic_mentions=sum(len(entity.mentions) for entity in generic),
        accommodated_sets=len(sets),
        nested_sets=sum(
            entity.is_set and any(entities[child].is_set for child in children)
            for entity, children in zip(entities, side.children, strict=True)
        ),
        split_mentions=sum(len(entity.mentions) for entity in sets),
        results=sum(bool(entity.elements) for entity in entities) - len(sets),
        non_referring=len(document.nonreferring),
        bridging_links=len(document.bridges),
        deixis_entities=len(deixis.entities),
        deixis_mentions=len(deixis.mentions),
        deixis_sets=sum(entity.is_set for entity in deixis.entities),
        zeros=len(document.zeros),
        zero_mentions=sum(mention.is_zero for mention in mentions),
        discontinuous_mentions=sum(len(mention.words) > 1 for mention in mentions),
        nested_mentions=nested,
        crossing_mentions=crossing,
        chain_lengths=Counter(len(entity.mentions) for entity in entities),
        set_sizes=Counter(len(entity.elements) for entity in sets),
        left_out=Counter(document.notes) + Counter(side.notes) + Counter(deixis.notes),
    )


def overlapping(mentions: Iterable[Mention]) -> tuple[int, int]:
    """Count nested and crossing mentions, by first and last word."""
    spans = Counter(mention.order[:2] for mention in mentions)
    nested = 0
    reach: Unit | None = None
    for first, last in sorted(spans, key=lambda span: (span[0], (-span[1][0], -span[1][1]))):
        if reach is not None and last <= reach:
            nested += spans[first, last]
        else:
            reach = last
    # Reading backwards finds the spans that cross the start of another span.
    backwards = map(_mirrored, _end_outside(map(_mirrored, spans)))
    crossing = _end_outside(spans) | set(backwards)
    return nested, sum(spans[span] for span in crossing)


def _mirrored(span: tuple[Unit, Unit]) -> tuple[Unit, Unit]:
    """Return a span's position in the reversed text."""
    (first, first_rank), (last, last_rank) = span
    return (-last, -last_rank), (-first, -first_rank)


def _end_outside(spans: Iterable[tuple[Unit, Unit]]) -> set[tuple[Unit, Unit]]:
    """Find the spans that start inside an earlier span and end after it."""
    crossing = set()
    lasts: list[Unit] = []
    for _, group in groupby(sorted(spans), key=lambda span: span[0]):
        same_start = list(group)
        for first, last in same_start:
            if bisect_left(lasts, first) < bisect_left(lasts, last):
                crossing.add((first, last))
        for _, last in same_start:
            insort(lasts, last)
    return crossing
