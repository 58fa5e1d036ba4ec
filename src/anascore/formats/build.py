"""Parts that readers and writers share: building a corpus, links, brackets, names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from anascore.errors import Problems
from anascore.formats.format import MODELLED
from anascore.formats.source import Source
from anascore.model.document import Corpus, Document, Entity, RelationName
from anascore.model.mention import Mention, Run, Unit
from anascore.model.transform import find_cycles


def words_by_sentence(document: Document) -> Iterator[Sequence[str]]:
    """Yield the words of each sentence."""
    starts = [0, *(start for start in document.sentences if start > 0), len(document.words)]
    for start, end in pairwise(starts):
        yield document.words[start:end]


UNNAMED = "unnamed"
"""The name of a document that the file does not name; the second is called unnamed-2."""


def default_names(source: Source) -> Iterator[str]:
    """Name documents that have no names: after the file, if it was found in a folder."""
    name = source.stem if source.in_folder else UNNAMED
    number = 1
    yield name
    while True:
        number += 1
        yield f"{name}-{number}"


def build_corpus(
    format_name: str, source: Source, documents: Iterable[Document], problems: Problems
) -> Corpus:
    """Put the documents of a file together."""
    by_name: dict[str, Document] = {}
    for document in documents:
        first = by_name.setdefault(document.name, document)
        if first is not document:
            place = "" if first.line is None else f"; line {first.line} has it too"
            problems.error(document.line, f"document id {document.name!r} again{place}")
    if not any(document.words for document in by_name.values()) and not problems.has_errors:
        problems.error(None, f"there are no words in this file, read as {format_name}")
    return Corpus(by_name, format_name, source.path)


LONG = 10
"""How many steps of a cycle a message names."""


class SetLinks:
    """Collects the links from elements to accommodated sets; `resolve` makes positions of names."""

    def __init__(self, problems: Problems) -> None:
        """Start without links."""
        self._problems = problems
        self._said: dict[tuple[str, str], tuple[int, str]] = {}
        self.relations: dict[str, RelationName] = {}
        """How accommodated objects are made of their elements, by their names."""

    def add(
        self, element: str, owner: str, line: int, text: str, relation: RelationName = "set"
    ) -> None:
        """Note that an entity is an element of the object that another refers to; text says so."""
        if self.relations.setdefault(owner, relation) != relation:
            what = f"{owner} is a set by some links and a result by others; it can be one of them"
            self._problems.error(line, f"{text}: {what}")
            return
        first, _ = self._said.setdefault((element, owner), (line, text))
        if first != line:
            what = (
                f"{text}: that {element} is an element of {owner} is said in line {first} already"
            )
            self._problems.warning(line, f"{what}; once is enough")

    def resolve(self, names: Sequence[str], document: str) -> list[list[int]]:
        """Give each of the entities, named in order, the positions of its elements."""
        positions = {name: position for position, name in enumerate(names)}
        elements: list[list[int]] = [[] for _ in names]
        for (element, owner), (line, text) in self._said.items():
            unknown = [name for name in (element, owner) if name not in positions]
            if unknown:
                what = f"document {document!r} has no entity {' and no entity '.join(unknown)}"
                self._problems.error(line, f"{text}: {what}; an element and its set need mentions")
            else:
                elements[positions[owner]].append(positions[element])
        for cycle in list(find_cycles(elements)):
            links = list(zip(cycle, cycle[1:] + cycle[:1], strict=True))
            steps = [f"{names[a]} is an element of {names[b]}" for a, b in links]
            more = [f"and so on through {len(steps)} entities"] if len(steps) > LONG else []
            what = f"an entity cannot be an element of itself: {', '.join(steps[:LONG] + more)}"
            element, owner = (names[position] for position in links[0])
            self._problems.error(self._said[element, owner][0], what)
            elements[cycle[0]].remove(cycle[-1])
        return elements


SHOWN_CYCLES = 3
"""How many open mentions a message names, of those opened last."""


def unmatched_bracket(bracket: str, opened: Iterable[str]) -> str:
    """Say that a bracket closes no mention; those open, the latest first, have these names."""
    latest = list(islice(opened, SHOWN_CYCLES))
    shown = ", ".join(reversed(latest)) or "nothing"
    return f"'{bracket}' closes no mention; open here: {shown}"


T = TypeVar("T")


class Brackets(NamedTuple, Generic[T]):
    """What closes at a word or zero, what opens there, and what does both."""

    closing: list[T]
    """Inner ones first."""

    opening: list[T]
    """Outer ones first."""

    whole: list[T]


def brackets_at(runs: Iterable[tuple[Run, T]]) -> Iterator[tuple[Unit, Brackets[T]]]:
    """Give, in the order of the text, the words and zeros with brackets, and these."""
    found: dict[Unit, Brackets[tuple[Run, T]]] = {}
    for run, what in runs:
        first, last = run
        if first == last:
            found.setdefault(first, Brackets([], [], [])).whole.append((run, what))
        else:
            found.setdefault(first, Brackets([], [], [])).opening.append((run, what))
            found.setdefault(last, Brackets([], [], [])).closing.append((run, what))
    for unit in sorted(found):
        closing, opening, whole = found[unit]
        # What is closed in the reverse order of its opening nests.
        closing.sort(key=lambda item: item[0][0], reverse=True)
        opening.sort(key=lambda item: item[0][1], reverse=True)
        lists = ([what for _, what in items] for items in (closing, opening, whole))
        yield unit, Brackets(*lists)


def legal_names(
    names: Sequence[str], illegal: re.Pattern[str], prefix: str = "", used: Sequence[str] = ()
) -> list[str]:
    """Keep names that are all there, legal and different; else number them."""
    chosen = set(names)
    if (
        "" not in chosen
        and len(chosen) == len(names)
        and chosen.isdisjoint(used)
        and not any(illegal.search(name) for name in names)
    ):
        return list(names)
    taken = set(used)
    numbers = (f"{prefix}{number}" for number in range(1, len(names) + len(taken) + 1))
    free = (name for name in numbers if name not in taken)
    return [next(free) for _ in names]


Clean: TypeAlias = Callable[[str, str], tuple[str, str]]
"""Takes out of the name and the value of an attribute what cannot stand there."""


def clean_attributes(corpus: Corpus, clean: Clean, lost: Counter[str]) -> Corpus:
    """Clean the attributes of all mentions, and count those that are changed."""

    def cleaned(given: Mapping[str, str]) -> Mapping[str, str]:
        said = {name: value for name, value in given.items() if value and name not in MODELLED}
        new = {name: clean(name, value) for name, value in said.items()}
        changed = sum(new[name] != (name, value) for name, value in said.items())
        if not changed:
            return given
        lost["characters in attributes of mentions, replaced by _"] += changed
        modelled = {name: value for name, value in given.items() if name in MODELLED}
        return {**dict(new.values()), **modelled}

    def changed_layer(entities: Sequence[Entity[Mention]]) -> tuple[Entity[Mention], ...]:
        return tuple(
            replace(entity, attributes=tuple(map(cleaned, entity.attributes)))
            for entity in entities
        )

    return replace(
        corpus,
        documents={
            name: replace(
                document,
                entities=changed_layer(document.entities),
                deixis=changed_layer(document.deixis),
            )
            for name, document in corpus.documents.items()
        },
    )
