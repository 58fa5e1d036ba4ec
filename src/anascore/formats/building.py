"""What readers and writers share: building corpora, linking sets, placing brackets, making ids."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from typing import Any, Generic, NamedTuple, TypeVar, overload

from anascore.errors import Problems, ReadError, RepairKind
from anascore.formats.files import SidecarFiles, Source
from anascore.formats.format import DEFAULT_OPTIONS, MODEL_ATTRIBUTES
from anascore.model.document import Corpus, Document, Entity, RelationName, ResponseNote
from anascore.model.mention import Mention, Run, Unit
from anascore.model.transform import find_cycles
from anascore.model.visible_text import without_spaces


def words_by_sentence(document: Document) -> Iterator[Sequence[str]]:
    """Split the document's words into sentences."""
    starts = [0, *(start for start in document.sentences if start > 0), len(document.words)]
    for start, end in pairwise(starts):
        yield document.words[start:end]


UNNAMED = "unnamed"
"""Name of a document that the file does not name; the second one becomes unnamed-2."""


def default_names(source: Source) -> Iterator[str]:
    """Yield names for unnamed documents, with the file name if the file is from a folder."""
    name = source.stem if source.in_folder else UNNAMED
    number = source.unnamed
    while True:
        number += 1
        yield name if number == 1 else f"{name}-{number}"


def build_corpus(
    format_name: str, source: Source, documents: Iterable[Document | None], problems: Problems
) -> Corpus:
    """Build a corpus from a file's documents; report duplicate names and missing words.

    An error reported while the iterator makes a document is attributed to that document. The
    iterator yields None for a part of the file that is not a document; errors in such a part
    concern the file.
    """
    by_name: dict[str, Document] = {}
    before, repairs_before = len(problems.found), len(problems.repairs)
    for read_document in documents:
        reported, before = problems.found[before:], len(problems.found)
        if read_document is None:
            continue
        errors = tuple(problem for problem in reported if problem.severity == "error")
        document = replace(read_document, errors=errors) if errors else read_document
        if len(problems.repairs) > repairs_before:
            document = replace(document, repairs=tuple(problems.repairs[repairs_before:]))
            repairs_before = len(problems.repairs)
        first = by_name.setdefault(document.name, document)
        if first is not document:
            place = "" if first.line is None else f"; line {first.line} has it too"
            problems.error(document.line, f"duplicate document id {document.name!r}{place}")
            before += 1
    if by_name and len(problems.repairs) > repairs_before:
        # Repairs behind the last document.
        name, document = by_name.popitem()
        more = problems.repairs[repairs_before:]
        by_name[name] = replace(document, repairs=(*document.repairs, *more))
    has_words = source.head or any(document.words for document in by_name.values())
    if not has_words and not problems.has_errors and not (by_name and problems.repairs):
        problems.error(None, no_words(format_name))
    return Corpus(by_name, (format_name,), source.path)


def no_words(format_name: str) -> str:
    """Word the error for a file without words."""
    return f"this file has no words when read as {format_name}"


class ReadingNotes:
    """A file's warnings by kind; those that can change a score become notes on documents."""

    def __init__(self) -> None:
        """Start without notes."""
        self._in_document: Counter[str] = Counter()
        self._in_file: Counter[str] = Counter()
        self._first_lines: dict[str, int] = {}

    def warn(self, kind: str, line: int) -> None:
        """Count a warning that cannot change a score."""
        self._in_file[kind] += 1
        self._first_lines.setdefault(kind, line)

    def add(self, kind: str, line: int) -> None:
        """Count a warning, and note it on the current document because it can change a score."""
        self._in_document[kind] += 1
        self.warn(kind, line)

    def end_document(self) -> dict[str, int]:
        """Return the notes on the current document, and start collecting for the next one."""
        if not self._in_document:
            return {}
        counts, self._in_document = self._in_document, Counter()
        return dict(counts)

    def report(self, problems: Problems) -> None:
        """Report one warning per kind, with its count, at the first line concerned."""
        for kind, number in self._in_file.items():
            problems.warning(self._first_lines[kind], f"{kind}: {number}")


def entities_of(clusters: Iterable[Sequence[Mention]]) -> tuple[Entity[Mention], ...]:
    """Turn non-empty clusters into entities, each named after its position."""
    numbered = enumerate(clusters)
    return tuple(Entity(tuple(mentions), (), str(n)) for n, mentions in numbered if mentions)


CLUSTERS = "clusters"
ANTECEDENTS: dict[str, RelationName] = {"split_antecedents": "set", "result_antecedents": "result"}
"""Fields that store antecedents of accommodated objects, with the relation each stands for."""


def owners_of(clusters: Sequence[Collection[Mention]]) -> dict[Mention, int]:
    """Map each mention to its entity.

    A mention of several entities belongs to the entity that comes first in the text, whatever the
    order in the file.
    """
    orders = [sorted(mention.order for mention in mentions) for mentions in clusters]
    owners: dict[Mention, int] = {}
    for number in sorted(range(len(clusters)), key=orders.__getitem__):
        for mention in clusters[number]:
            owners.setdefault(mention, number)
    return owners


def unread_clusters(fields: Mapping[str, Any], field: str, other: str) -> dict[str, int]:
    """Note that a document stores entities in two fields, of which only `field` is read.

    Nothing is noted if the user chose the field, because then leaving the other out is intended.
    """
    is_choice = field == DEFAULT_OPTIONS.clusters_field and field in fields and other in fields
    if not is_choice or fields[field] == fields[other]:
        return {}
    note = f"documents whose {field} are read, not their {other} (see --clusters-field)"
    return {ResponseNote(note): 1}


def open_sidecar(
    source: Source, endings: SidecarFiles, problems: Problems
) -> tuple[Source, Problems] | None:
    """Open a file's text file, with its own problem collector; None if it is missing."""
    try:
        companion = source.companion(endings)
    except ReadError as error:
        problems.in_file(error.path).error(error.line, error.what)
        return None
    return companion, problems.in_file(companion.path)


def have_same_text(first: str, second: str) -> bool:
    """Compare two texts, ignoring white space."""
    return without_spaces(first) == without_spaces(second)


def typed_entities(
    mentions: Iterable[tuple[str | None, Mention, dict[str, str]]],
) -> tuple[Entity[Mention], ...]:
    """Group mentions by entity name; a mention without a name becomes an entity of its own.

    Each mention comes with its attributes.
    """
    entities: dict[str | int, tuple[list[Mention], list[dict[str, str]]]] = {}
    for number, (name, mention, attributes) in enumerate(mentions):
        own_mentions, own_attributes = entities.setdefault(
            number if name is None else name, ([], [])
        )
        own_mentions.append(mention)
        own_attributes.append(attributes)
    return tuple(
        Entity(tuple(own), name=name if isinstance(name, str) else "", attributes=tuple(attributes))
        for name, (own, attributes) in entities.items()
    )


MAX_STEPS = 10
"""Number of links after which a message cuts a cycle short."""


class SetLinks:
    """Links from elements to accommodated objects, by name until `resolve` makes positions."""

    def __init__(self, problems: Problems, repair: RepairKind | None = None) -> None:
        """Start without links; invalid ones are errors, or are dropped as `repair`."""
        self._problems = problems
        self._repair = repair
        self._links: dict[tuple[str, str], tuple[int, str]] = {}
        self.relations: dict[str, RelationName] = {}
        """Relation of each accommodated object to its elements, by the object's name."""

    def __bool__(self) -> bool:
        """Tell whether there are links."""
        return bool(self._links)

    def add(
        self, element: str, owner: str, line: int, text: str, relation: RelationName = "set"
    ) -> None:
        """Add a link from an element to its owner; `text` is what messages quote."""
        if self.relations.setdefault(owner, relation) != relation:
            message = f"{owner} is a set in some links and a result in others; it can be one only"
            self._error(line, f"{text}: {message}")
            return
        first, _ = self._links.setdefault((element, owner), (line, text))
        if first != line:
            message = f"line {first} already makes {element} an element of {owner}"
            self._problems.warning(line, f"{text}: {message}; once is enough")

    def _error(self, line: int, message: str) -> None:
        if self._repair is None:
            self._problems.error(line, message)
        else:
            self._problems.repair(self._repair, line, message)

    def resolve(self, names: Sequence[str], document: str) -> list[list[int]]:
        """Return the element positions of each entity, in the order of `names`."""
        elements: list[list[int]] = [[] for _ in names]
        if not self._links:
            return elements
        positions = {name: position for position, name in enumerate(names)}
        for (element, owner), (line, text) in self._links.items():
            unknown = [name for name in (element, owner) if name not in positions]
            if unknown:
                message = f"document {document!r} has no entity {' and no entity '.join(unknown)}"
                self._error(line, f"{text}: {message}; an element and its set need mentions")
            else:
                elements[positions[owner]].append(positions[element])
        closing: defaultdict[int, set[int]] = defaultdict(set)
        for cycle in find_cycles(elements, MAX_STEPS + 1):
            path = [names[entity] for entity in cycle.entities]
            if cycle.length <= MAX_STEPS:
                path.append(path[0])
            steps = [f"{element} is an element of {owner}" for element, owner in pairwise(path)]
            if cycle.length > MAX_STEPS:
                steps.append(f"and so on through {cycle.length} entities")
            message = f"an entity cannot be an element of itself: {', '.join(steps)}"
            self._error(self._links[path[0], path[1]][0], message)
            closing[cycle.first].add(cycle.last)
        for position, removed in closing.items():
            elements[position] = [e for e in elements[position] if e not in removed]
        return elements


MAX_OPEN = 3
"""Number of open mentions after which a message stops listing."""


def unmatched_bracket(bracket: str, opened: Iterable[str], thing: str = "mention") -> str:
    """Word the error for a bracket that closes nothing; `opened` lists open names, latest first."""
    latest = list(islice(opened, MAX_OPEN))
    shown = ", ".join(reversed(latest)) or "nothing"
    return f"'{bracket}' closes no {thing}; open here: {shown}"


class LazyAttributes(Sequence[Mapping[str, str]]):
    """Attributes of mentions, which are split on access: most settings need none."""

    __slots__ = ("_split", "_texts")

    def __init__(self, split: Callable[[str], Mapping[str, str]], texts: Sequence[str]) -> None:
        """Store the attributes of each mention as text, and how to split it."""
        self._split = split
        self._texts = texts

    @overload
    def __getitem__(self, index: int) -> Mapping[str, str]: ...
    @overload
    def __getitem__(self, index: slice) -> LazyAttributes: ...
    def __getitem__(self, index: int | slice) -> Mapping[str, str] | LazyAttributes:
        if isinstance(index, slice):
            return LazyAttributes(self._split, self._texts[index])
        return self._split(self._texts[index])

    def __iter__(self) -> Iterator[Mapping[str, str]]:
        return map(self._split, self._texts)

    def __len__(self) -> int:
        return len(self._texts)


T = TypeVar("T")


class Brackets(NamedTuple, Generic[T]):
    """Brackets at one word or zero, as a writer prints them."""

    closing: list[T]
    """Mentions that end here, inner ones first."""

    opening: list[T]
    """Mentions that start here, outer ones first."""

    whole: list[T]
    """Mentions that start and end here."""


def brackets_by_unit(runs: Iterable[tuple[Run, T]]) -> Iterator[tuple[Unit, Brackets[T]]]:
    """Yield every word or zero where a mention starts or ends, with its brackets, in text order."""
    by_unit: dict[Unit, Brackets[tuple[Run, T]]] = {}
    for run, item in runs:
        first, last = run
        if first == last:
            by_unit.setdefault(first, Brackets([], [], [])).whole.append((run, item))
        else:
            by_unit.setdefault(first, Brackets([], [], [])).opening.append((run, item))
            by_unit.setdefault(last, Brackets([], [], [])).closing.append((run, item))
    for unit in sorted(by_unit):
        closing, opening, whole = by_unit[unit]
        # Brackets nest if they close in the reverse order of their opening.
        closing.sort(key=lambda bracket: bracket[0][0], reverse=True)
        opening.sort(key=lambda bracket: bracket[0][1], reverse=True)
        lists = ([item for _, item in brackets] for brackets in (closing, opening, whole))
        yield unit, Brackets(*lists)


def unique_ids(names: Sequence[str], forbidden: re.Pattern[str], prefix: str = "") -> list[str]:
    """Return the names unchanged if all are valid and unique ids; otherwise number them."""
    distinct = set(names)
    if (
        "" not in distinct
        and len(distinct) == len(names)
        and not any(forbidden.search(name) for name in names)
    ):
        return list(names)
    return [f"{prefix}{number}" for number in range(1, len(names) + 1)]


def escape_attributes(
    corpus: Corpus, escape: Callable[[str, str], tuple[str, str]], lost: Counter[str]
) -> Corpus:
    """Escape the attributes of all mentions, and count those that change."""

    def escaped(attributes: Mapping[str, str]) -> Mapping[str, str]:
        others = {
            name: value
            for name, value in attributes.items()
            if value and name not in MODEL_ATTRIBUTES
        }
        new = {name: escape(name, value) for name, value in others.items()}
        changes = sum(new[name] != (name, value) for name, value in others.items())
        if not changes:
            return attributes
        lost["characters in attributes of mentions, replaced by _"] += changes
        modelled = {name: value for name, value in attributes.items() if name in MODEL_ATTRIBUTES}
        return {**dict(new.values()), **modelled}

    def escaped_layer(entities: Sequence[Entity[Mention]]) -> tuple[Entity[Mention], ...]:
        return tuple(
            replace(entity, attributes=tuple(map(escaped, entity.attributes)))
            for entity in entities
        )

    return replace(
        corpus,
        documents={
            name: replace(
                document,
                entities=escaped_layer(document.entities),
                deixis=escaped_layer(document.deixis),
            )
            for name, document in corpus.documents.items()
        },
    )
