"""JSON lines: one document per line; spans count the document's words, and ends are inclusive."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from anascore.errors import Problems, RepairKind, did_you_mean
from anascore.formats.building import (
    ANTECEDENTS,
    CLUSTERS,
    ReadingNotes,
    SetLinks,
    build_corpus,
    default_names,
    owners_of,
    unread_clusters,
    words_by_sentence,
)
from anascore.formats.files import Source
from anascore.formats.format import Capacity, Format, ReadOptions
from anascore.formats.json_values import (
    CheckedJson,
    JsonPath,
    documents_on_lines,
    dump_json,
    json_keys,
    shorten,
    starts_at_lines,
)
from anascore.model.document import (
    Candidates,
    Corpus,
    Document,
    Entity,
    NonReferring,
    RelationName,
    marked_mentions,
)
from anascore.model.mention import Mention

CANDIDATES = "deixis_candidates"
KEYS = (
    *("doc_key", "sentences", "tokens", CLUSTERS, f"predicted_{CLUSTERS}"),
    *(prefix + name for prefix in ("", "predicted_") for name in ANTECEDENTS),
    *(CANDIDATES, "anaphor", "ranked"),
    *("cluster_ids", "predicted_cluster_ids"),
)
"""JSON keys that are read."""

OTHER_KEYS = ("sentence", "sentence_map", "subtoken_map", "token")
"""Other keys that resolvers write."""

LOST_LINKS = "split antecedents that belong to other clusters than those read, left out"
UNLIKE_OTHERS = (
    "referring mentions whose third number (0, -1 or none) differs from most others in the document"
)
UNLISTED = "mentions of split antecedents in no cluster, read as entities of their own"


def read_jsonl(source: Source, problems: Problems, options: ReadOptions) -> Corpus:
    """Read the documents of a file of JSON lines."""
    return read_clusters("jsonl", source, problems, options, read_tokens)


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens that spans count; here they are the words."""

    words: Sequence[str]
    sentences: Sequence[int]
    """First word of each sentence."""

    size: int
    """Number of tokens."""

    def mention(self, start: int, end: int) -> Mention | None:
        """Return the mention that covers a range of tokens; None if it covers no word."""
        return Mention(((start, end),))


def read_clusters(
    format_name: str,
    source: Source,
    problems: Problems,
    options: ReadOptions,
    tokens_of: Callable[[CheckedJson, dict[str, Any]], Tokens],
) -> Corpus:
    """Read clusters of spans, one document per line; `tokens_of` reads a document's tokens."""
    names, notes = default_names(source), ReadingNotes()

    def read_document(text: CheckedJson, fields: dict[str, Any]) -> Document:
        tokens = tokens_of(text, fields)
        field = options.clusters_field
        reader = _Reader(text, fields, tokens, clusters_field=field, problems=problems, notes=notes)
        return reader.read(names)

    documents = documents_on_lines(source, problems, read_document)
    corpus = build_corpus(format_name, source, documents, problems)
    notes.report(problems)
    return corpus


def read_tokens(text: CheckedJson, fields: dict[str, Any]) -> Tokens:
    """Read words and sentence starts."""
    if "sentences" in fields:
        words: list[str] = []
        starts = []
        for sentence in read_sentences(text, fields["sentences"]):
            starts.append(len(words))
            words += sentence
        # An empty sentence has the same start as the next one.
        starts = sorted({start for start in starts if start < len(words)})
        return Tokens(words, starts, len(words))
    if "tokens" in fields:
        words = text.strings(fields["tokens"], ("tokens",), "a list of words")
        return Tokens(words, (), len(words))
    text.error((), "a document needs its words, as sentences or tokens")
    return Tokens((), (), 0)


def read_sentences(text: CheckedJson, value: Any) -> Iterator[list[str]]:
    """Yield the words of each sentence."""
    for position, sentence in enumerate(text.items(value, ("sentences",), "a list")):
        yield text.strings(sentence, ("sentences", position), "a list of words")


class _Reader:
    def __init__(  # noqa: PLR0913  a document and what its file has in common
        self,
        text: CheckedJson,
        fields: dict[str, Any],
        tokens: Tokens,
        *,
        clusters_field: str,
        problems: Problems,
        notes: ReadingNotes,
    ) -> None:
        self._text = text
        self._fields = fields
        self._tokens = tokens
        self._clusters_field = clusters_field
        self._problems = problems
        self._notes = notes

    def read(self, names: Iterator[str]) -> Document:
        line = self._text.line_of(())
        clusters, nonreferring = self._read_clusters()
        fields = {name: self._antecedents_field(name) for name in ANTECEDENTS}
        lost = sum(number for _, number in fields.values())
        linked = {
            name: ((field,), self._fields[field]) for name, (field, _) in fields.items() if field
        }
        links = LinkReader(self._text, self._mention, self._problems, self._notes)
        entities = links.entities(clusters, linked, nonreferring, line)
        ids = self._read_ids()
        if ids is not None:
            entities = tuple(replace(e, name=ids.get(int(e.name), "")) for e in entities)
        return Document(
            name=self._text.name(self._fields.get("doc_key"), ("doc_key",), names),
            words=tuple(self._tokens.words),
            entities=entities,
            nonreferring=tuple(nonreferring),
            path=self._problems.path,
            line=line,
            sentences=tuple(self._tokens.sentences),
            notes=self._notes.end_document()
            | ({LOST_LINKS: lost} if lost else {})
            | unread_clusters(self._fields, self._clusters_field, f"predicted_{CLUSTERS}"),
            candidates=tuple(self._read_candidates()),
            global_ids=ids is not None,
        )

    def _read_ids(self) -> dict[int, str] | None:
        """Read ids that link clusters across documents, by position; None if there are none."""
        field = f"{self._clusters_field.removesuffix('s')}_ids"
        if field not in self._fields:
            return None
        expected = "a list with an id for each cluster"
        values = self._text.items(self._fields[field], (field,), expected)
        clusters = self._fields.get(self._clusters_field)
        if isinstance(clusters, list) and len(values) != len(clusters):
            message = f"it has {len(values)} ids, but there are {len(clusters)} clusters"
            self._text.error((field,), f"{message}; each needs one")
        numbers: dict[str, int] = {}
        for number, value in enumerate(values):
            if not isinstance(value, str | int) or isinstance(value, bool) or value == "":
                message = f"{shorten(value)} is not an id, in quotes or as a number"
                self._text.error((field, number), message)
            elif str(value) in numbers:
                self._text.error((field, number), f"{shorten(value)} is the id of two clusters")
            elif self._text.is_encodable(str(value), (field, number)):
                numbers[str(value)] = number
        return {number: name for name, number in numbers.items()}

    def _read_candidates(self) -> Iterator[Candidates]:
        expected = 'a list of {"anaphor": [first, last], "ranked": [[first, last], ...]}'
        listed = self._text.items(self._fields.get(CANDIDATES, []), (CANDIDATES,), expected)
        seen: set[Mention | None] = set()
        for number, value in enumerate(listed):
            path = (CANDIDATES, number)
            entry = self._text.fields(value, path, '{"anaphor": ..., "ranked": ...}')
            if not {"anaphor", "ranked"} <= entry.keys():
                self._text.error(path, f"{CANDIDATES} needs anaphor and ranked")
                continue
            anaphor = self._mention(entry["anaphor"], (*path, "anaphor"))
            spans = self._text.items(entry["ranked"], (*path, "ranked"), "a list of spans")
            ranked = [self._mention(s, (*path, "ranked", i)) for i, s in enumerate(spans)]
            if anaphor in seen:
                self._text.error(path, "this anaphor already has ranked antecedents above")
            elif anaphor:
                seen.add(anaphor)
                yield Candidates(anaphor, tuple(mention for mention in ranked if mention))

    def _read_clusters(self) -> tuple[list[list[Mention]], list[NonReferring]]:
        """Read each cluster's mentions, and the non-referring mentions.

        A span whose third number is positive is non-referring. A cluster without other mentions
        stays in the list, empty, because an entity's id is its position.
        """
        if self._clusters_field not in self._fields:
            others = [name for name in self._fields if name.endswith(CLUSTERS)]
            hint = ""
            if self._clusters_field != CLUSTERS:
                hint = did_you_mean(self._clusters_field, self._fields)
            if others and not hint:
                hint = f"; it has {', '.join(others)}: try --clusters-field {others[0]}"
            self._text.error((), f"a document needs {self._clusters_field}{hint}")
            return [], []
        clusters: list[list[Mention]] = []
        nonreferring: list[NonReferring] = []
        kinds: Counter[int | None] = Counter()
        values = self._text.items(
            self._fields[self._clusters_field], (self._clusters_field,), "a list of entities"
        )
        for position, cluster in enumerate(values):
            path = (self._clusters_field, position)
            mentions: list[Mention] = []
            for number, value in enumerate(self._text.items(cluster, path, "a list of spans")):
                mention = self._mention(value, (*path, number))
                kind = value[2] if mention and len(value) > 2 else 0
                if mention and (type(kind) is not int or len(value) > 3):
                    expected = "[first, last] or [first, last, number of a type]"
                    self._text.error((*path, number), f"{shorten(value)} is not {expected}")
                elif mention is not None and kind > 0:
                    nonreferring.append(NonReferring(mention, str(kind)))
                elif mention is not None:
                    mentions.append(mention)
                    kinds[kind if len(value) > 2 else None] += 1
            clusters.append(mentions)
        for _ in range(kinds.total() - max(kinds.values(), default=0)):
            self._notes.add(UNLIKE_OTHERS, self._text.line_of(()))
        return clusters, nonreferring

    def _mention(self, value: Any, path: JsonPath) -> Mention | None:
        more = path[0] == self._clusters_field
        size = self._tokens.size
        unit = "words" if size == len(self._tokens.words) else "tokens"
        span = self._text.span(value, path, size, inclusive=True, more=more, unit=unit)
        mention = self._tokens.mention(*span) if span else None
        if span and not mention:
            self._text.error(path, f"{shorten(value)} has special tokens only, and no words")
        return mention

    def _antecedents_field(self, name: str) -> tuple[str, int]:
        """Choose the field with antecedents, and count the links left out.

        The field name is empty if there is none. `split_antecedents` next to `clusters` do not
        belong to `predicted_clusters`, so they are left out.
        """
        own = self._clusters_field.removesuffix(CLUSTERS) + name
        if own in self._fields:
            return own, 0
        if name in self._fields:
            if CLUSTERS not in self._fields:
                return name, 0
            return "", len(self._text.items(self._fields[name], (name,), "a list of pairs"))
        return "", 0


LinkFields: TypeAlias = Mapping[str, tuple[JsonPath, Any]]
"""Paths and values of the antecedent fields, by their names in ANTECEDENTS."""


@dataclass(frozen=True, slots=True)
class LinkReader:
    """Reader of one document's split antecedents, which are pairs of anaphor and antecedent."""

    text: CheckedJson
    mention: Callable[[Any, JsonPath], Mention | None]
    """Reads a span."""

    problems: Problems
    notes: ReadingNotes
    repair: RepairKind | None = None
    """Kind of repair that drops an invalid link; None if invalid links are errors."""

    def entities(
        self,
        clusters: list[list[Mention]],
        fields: LinkFields,
        nonreferring: Collection[NonReferring] = (),
        line: int = 1,
    ) -> tuple[Entity[Mention], ...]:
        """Turn non-empty clusters into entities, with their elements.

        A linked span outside all clusters becomes a cluster of its own.
        """
        elements, relations, antecedents = self._read(clusters, fields, nonreferring, line)
        numbers = [number for number, mentions in enumerate(clusters) if mentions]
        positions = {number: position for position, number in enumerate(numbers)}
        return tuple(
            Entity(
                tuple(clusters[number]),
                tuple(positions[element] for element in elements[number]),
                str(number),
                relation=relations.get(str(number), "set"),
                antecedents=tuple(dict.fromkeys(antecedents.get(number, ()))),
            )
            for number in numbers
        )

    def _read(
        self,
        clusters: list[list[Mention]],
        fields: LinkFields,
        nonreferring: Collection[NonReferring],
        line: int,
    ) -> tuple[list[list[int]], dict[str, RelationName], dict[int, list[Mention]]]:
        """Return each cluster's elements, relation and marked antecedents."""
        if not fields:
            return [[] for _ in clusters], {}, {}
        owner = owners_of(clusters)
        empty = {mention for mention, _ in nonreferring} - owner.keys()
        links = SetLinks(self.problems, self.repair)
        antecedents: dict[int, list[Mention]] = {}
        for name, (path, value) in fields.items():
            for number, pair in self._pairs(path, value):
                for mention in pair:
                    if mention in empty:
                        message = "a non-referring mention is neither anaphor nor antecedent"
                        self.text.error((*path, number), message)
                    if mention not in owner:
                        self.notes.add(UNLISTED, line)
                        owner[mention] = len(clusters)
                        clusters.append([mention])
                anaphor, antecedent = (str(owner[mention]) for mention in pair)
                place = f"{path[-1]}[{number}]"
                links.add(antecedent, anaphor, line, place, ANTECEDENTS[name])
                antecedents.setdefault(owner[pair[0]], []).append(pair[1])
        elements = links.resolve([str(number) for number in range(len(clusters))], "")
        return elements, links.relations, antecedents

    def _pairs(self, path: JsonPath, value: Any) -> Iterator[tuple[int, tuple[Mention, Mention]]]:
        """Yield pairs of anaphor and antecedent, with their positions in the field."""
        for number, pair in enumerate(self.text.items(value, path, "a list of pairs of spans")):
            place = (*path, number)
            ends = self.text.items(pair, place, "a pair [anaphor, antecedent] of spans")
            if len(ends) != 2:
                self.text.error(place, "this is not a pair [anaphor, antecedent]")
                continue
            anaphor, antecedent = (self.mention(end, (*place, i)) for i, end in enumerate(ends))
            if anaphor and antecedent:
                yield number, (anaphor, antecedent)


def write_jsonl(corpus: Corpus) -> str:
    """Write the documents as JSON, one per line."""
    return "".join(f"{dump_json(_to_line(document))}\n" for document in corpus.documents.values())


def _to_line(document: Document) -> dict[str, Any]:
    clusters: list[list[list[int]]] = [
        [_inclusive(mention) for mention in entity.mentions] for entity in document.entities
    ]
    clusters += [[[*_inclusive(m), int(kind)]] for m, kind in document.nonreferring]
    sentences = list(words_by_sentence(document))
    line: dict[str, Any] = {"doc_key": document.name, "sentences": sentences, CLUSTERS: clusters}
    line |= antecedents_to_json(document, _inclusive)
    if document.candidates:
        line[CANDIDATES] = [
            {"anaphor": _inclusive(anaphor), "ranked": [_inclusive(m) for m in ranked]}
            for anaphor, ranked in document.candidates
        ]
    return line


def antecedents_to_json(
    document: Document, span_of: Callable[[Mention], list[int]]
) -> dict[str, list[list[list[int]]]]:
    """Return a document's split antecedents by field; `span_of` returns a mention's span."""
    fields = {
        name: [[*map(span_of, pair)] for pair in _antecedents(document, relation)]
        for name, relation in ANTECEDENTS.items()
    }
    return {name: pairs for name, pairs in fields.items() if pairs}


def _antecedents(document: Document, relation: RelationName) -> Iterator[tuple[Mention, Mention]]:
    """Yield pairs of anaphor and antecedent.

    Antecedents are an element's marked mentions, or one mention if none is marked.
    """
    owners = owners_of([entity.mentions for entity in document.entities])
    names = _naming_mentions(document)
    for position, entity in enumerate(document.entities):
        if entity.relation != relation:
            continue
        for element, marked in sorted(marked_mentions(entity, document.entities).items()):
            own = [mention for mention in dict.fromkeys(marked) if owners[mention] == element]
            for mention in sorted(own, key=lambda m: m.order) or [names[element]]:
                yield names[position], mention


def fit_links(document: Document, lost: Counter[str]) -> Document:
    """Remove links to entities that no mention identifies."""
    named = _naming_mentions(document).keys()
    entities = []
    for position, entity in enumerate(document.entities):
        elements = [e for e in entity.elements if e in named] if position in named else []
        lost["elements of accommodated sets whose mentions all belong to an earlier entity"] += len(
            entity.elements
        ) - len(elements)
        entities.append(replace(entity, elements=tuple(elements)))
    return replace(document, entities=tuple(entities))


def _naming_mentions(document: Document) -> dict[int, Mention]:
    """Map each entity to its first mention that belongs to no other entity."""
    owners = owners_of([entity.mentions for entity in document.entities])
    names: dict[int, Mention] = {}
    for mention in sorted(owners, key=lambda mention: mention.order):
        names.setdefault(owners[mention], mention)
    return names


def _inclusive(mention: Mention) -> list[int]:
    start, end = mention.words[0]
    return [start, end - 1]


JSON_LINES = Format(
    label="JSON lines",
    ends="inclusive",
    read=read_jsonl,
    options=frozenset({"clusters_field"}),
    write=write_jsonl,
    endings=(".jsonl", ".jsonlines"),
    fit_document=fit_links,
    holds=Capacity(
        crossing=True,
        sets="nested",
        results=True,
        antecedents=frozenset({"set", "result"}),
        nonreferring="numbered",
        candidates=True,
        forbidden_in_words=re.compile(r"(?!)"),
    ),
    json_key=re.compile(rb'"(?:doc_key|sentences|tokens|\w*clusters)"\s*:'),
    names=json_keys(*KEYS, others=OTHER_KEYS),
    starts=starts_at_lines(lambda fields: fields.get("doc_key")),
)
