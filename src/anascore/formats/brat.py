"""brat standoff: mentions in a `.ann` file, as offsets into the `.txt` file next to it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from anascore.errors import Problems
from anascore.formats.building import SetLinks, build_corpus, open_sidecar, typed_entities
from anascore.formats.files import STANDOFF, Source
from anascore.formats.format import Capacity, Format, ReadOptions
from anascore.formats.litbank import check_annotated
from anascore.formats.near_names import CollectNames, NameKind
from anascore.model.document import Corpus, Document, Entity
from anascore.model.mention import Mention, Span, joined
from anascore.model.visible_text import VisibleText, without_spaces

OTHER_RELATIONS = "relations of other types than coreference, left out"

SELF_LINKS = "links of annotations to themselves, left out"

REVERSED_LINKS = "split-antecedent links that may point the other way, read like the others"

_LABEL = re.compile(r"[TREAMN#][^\s]*|\*")
_TEXT_BOUND = re.compile(r"(\S+) ([0-9]{1,9} [0-9]{1,9}(?:;[0-9]{1,9} [0-9]{1,9})*) *")
_COREFERENCE = re.compile(
    r"(?:coref|ident|equiv|anaphor)\w*|same_?as|alias", re.IGNORECASE | re.ASCII
)
"""Relation types that mean coreference."""

_SPLIT_ANTECEDENT = re.compile(
    r"bridge:aggr|split\w*|aggr\w*|element\w*|member\w*|group|gruppe|multiple_phrase\w*",
    re.IGNORECASE | re.ASCII,
)
"""Relation types that lead from a split-antecedent anaphor to one of its antecedents."""

_READ_RELATION = re.compile(
    f"{_COREFERENCE.pattern}|{_SPLIT_ANTECEDENT.pattern}", re.IGNORECASE | re.ASCII
)

_ENTITY_ATTRIBUTE = re.compile(
    r"coref\w*|(?:entity|cluster|chain)(?:[_-]?(?:id|name|number))?", re.IGNORECASE | re.ASCII
)
"""Attribute and note types whose value names the entity."""

_ENTITY_TYPE = re.compile(r".+-[0-9]+")
"""Types that name an entity, as in LitBank, if another annotation covers the same text."""

NOTE = "AnnotatorNotes"

SetLink: TypeAlias = tuple[int, str, str, str]
"""A relation between a set and an element: its line, its id, and the two annotations."""


def read_brat(source: Source, problems: Problems, _: ReadOptions) -> Corpus:
    """Read the one document of an `.ann` file, and name it after the file."""
    opened = open_sidecar(source, STANDOFF, problems)
    if opened is None:
        return Corpus({}, ("brat",), source.path)
    text = opened[0]
    reader = _Reader(text, _line_end(source, text) if text.has_crlf else "\n", problems)
    reader.read(source)
    entities = reader.entities(source.stem)
    notes = {
        OTHER_RELATIONS: reader.other_relations,
        SELF_LINKS: reader.self_links,
        REVERSED_LINKS: reader.reversed_links,
    }
    document = Document(
        source.stem,
        text.text,
        entities,
        path=source.path,
        line=1,
        notes=Counter(notes) + Counter(check_annotated(source, problems)),
    )
    return build_corpus("brat", source, [document], problems)


def _line_end(source: Source, text: Source) -> str:
    """Return CRLF if the annotation agrees with the text only that way.

    Some versions of brat count CRLF as two characters, others as one.
    """
    for line_end in ("\n", "\r\n"):
        problems = Problems(source.path)
        _Reader(text, line_end, problems).read(source)
        if not problems.has_errors:
            return line_end
    return "\n"


class _Groups:
    """Disjoint sets of names (union-find)."""

    def __init__(self) -> None:
        self._parents: dict[str, str] = {}

    def group(self, name: str) -> str:
        path = []
        while (parent := self._parents.get(name, name)) != name:
            path.append(name)
            name = parent
        for member in path:
            self._parents[member] = name
        return name

    def unite(self, first: str, second: str) -> None:
        self._parents[self.group(second)] = self.group(first)


class _Reader:
    def __init__(self, text: Source, line_end: str, problems: Problems) -> None:
        """line_end is the line end that the offsets count."""
        self._raw = text.text.replace("\n", line_end)
        self._text = VisibleText(text.text)
        self._counted = VisibleText(self._raw) if text.has_crlf else self._text
        self._path = text.path
        self._problems = problems
        self._mentions: dict[str, tuple[int, Mention | None, str]] = {}
        self._triggers: dict[str, str] = {}
        self._links: list[tuple[int, list[str]]] = []
        self._set_links: dict[str, list[SetLink]] = {}
        self._names: list[tuple[int, str, str]] = []
        self._notes: list[tuple[int, str, str]] = []
        self.other_relations = 0

        self.self_links = 0
        """Number of relations of an annotation to itself."""

        self.reversed_links = 0
        """Number of split-antecedent links that point against most links of their type."""

        self._read_kind: dict[str, Callable[[int, str, str], None]] = {
            "T": self._read_text_bound,
            "R": self._read_relation,
            "E": self._read_event,
            "A": self._read_attribute,
            "M": self._read_attribute,
            "#": self._read_note,
            "*": self._read_equivalence,
            "N": lambda *_: None,
        }

    def read(self, source: Source) -> None:
        for number, line in enumerate(source.lines, 1):
            if line and not line.isspace():
                self._read_line(number, line)

    def _read_line(self, number: int, line: str) -> None:
        label, tab, rest = line.partition("\t")
        if not tab or not _LABEL.fullmatch(label):
            expected = "T1, R1, E1, A1, M1, N1, #1 or * and a tab"
            self._problems.error(number, f"{label!r} is not the start of a line, like {expected}")
        else:
            self._read_kind[label[0]](number, label, rest)

    def _read_text_bound(self, line: int, label: str, rest: str) -> None:
        data, tab, text = rest.partition("\t")
        match = _TEXT_BOUND.fullmatch(data)
        if match is None or not tab:
            forms = f"{label}, Person 0 3, Ann, or {label}, Person 0 3;8 12, Ann Dunn"
            message = f"{label} needs three columns between tabs, like {forms}"
            self._problems.error(line, message)
            return
        if label in self._mentions:
            message = f"{label} is also on line {self._mentions[label][0]}; ids must be unique"
            self._problems.error(line, message)
            return
        spans = [_span(offsets) for offsets in match[2].split(";")]
        self._mentions[label] = line, self._mention(line, label, spans, text), match[1]

    def _mention(self, line: int, label: str, spans: list[Span], text: str) -> Mention | None:
        """Make a mention from its spans; report spans outside the text."""
        for start, end in spans:
            if not start < end <= len(self._raw):
                message = f"{label} is from {start} to {end}, which is outside of {self._path}"
                message += f"; it has {len(self._raw)} characters"
                self._problems.error(line, message)
                return None
        ranks = [self._counted.ranks(span) for span in spans]
        expected = without_spaces(text)
        # The length first: so a long span with a short text takes no time.
        if sum(end - start for start, end in ranks) != len(expected) or expected != "".join(
            self._text.characters[start:end] for start, end in ranks
        ):
            start, end = spans[0]
            actual = self._raw[start : min(end, start + len(text) + 1)]
            message = f"the text of {label} is {text!r}, but at {start} {self._path} has {actual!r}"
            self._problems.error(line, message)
            return None
        if not expected:
            self._problems.error(line, f"{label} is white space; a mention needs characters")
            return None
        # brat divides a mention at the end of a line: parts with white space between are one.
        return Mention(tuple(map(self._text.span, joined([r for r in ranks if r[0] < r[1]]))))

    def _read_relation(self, line: int, label: str, rest: str) -> None:
        kind, *arguments = rest.partition("\t")[0].split() or [""]
        is_split = _SPLIT_ANTECEDENT.fullmatch(kind)
        if not is_split and not _COREFERENCE.fullmatch(kind):
            self.other_relations += 1
            return
        labels = [argument.partition(":")[2] for argument in arguments]
        if len(labels) != 2 or not all(labels):
            message = f"{label} must have two arguments, like {kind} Arg1:T1 Arg2:T2"
            self._problems.error(line, message)
            return
        if labels[0] == labels[1]:
            message = f"{label} links {labels[0]} to itself; it should link two annotations"
            self._problems.warning(line, message)
            self.self_links += 1
        if is_split and labels[0] != labels[1]:
            links = self._set_links.setdefault(kind.casefold(), [])
            links.append((line, label, labels[0], labels[1]))
        elif not is_split:
            self._links.append((line, labels))

    def _read_equivalence(self, line: int, _: str, rest: str) -> None:
        labels = rest.split()[1:]
        if len(labels) < 2:
            message = "an equivalence needs a type and two annotations or more, like Equiv T1 T2"
            self._problems.error(line, message)
            return
        self._links.append((line, labels))

    def _read_event(self, line: int, label: str, rest: str) -> None:
        trigger = (rest.split() or [""])[0].partition(":")[2]
        if not trigger:
            message = f"{label} must start with its type and trigger, like Meeting:T1"
            self._problems.error(line, message)
            return
        self._triggers[label] = trigger

    def _read_attribute(self, line: int, label: str, rest: str) -> None:
        kind, target, value = (*rest.split(None, 2), "", "", "")[:3]
        if not target:
            message = f"{label} must have a type and an annotation, like Coref T1 e5"
            self._problems.error(line, message)
        elif value and target[0] in "TE" and _ENTITY_ATTRIBUTE.fullmatch(kind):
            self._names.append((line, target, value.strip()))

    def _read_note(self, line: int, label: str, rest: str) -> None:
        data, _, text = rest.partition("\t")
        kind, target = (*data.split(None, 1), "", "")[:2]
        if not target:
            message = f"{label} must have a type and an annotation, like {NOTE} T1"
            self._problems.error(line, message)
        elif text.strip() and target[0] in "TE":
            if kind == NOTE:
                self._notes.append((line, target, text.strip()))
            elif _ENTITY_ATTRIBUTE.fullmatch(kind):
                self._names.append((line, target, text.strip()))

    def entities(self, document: str) -> tuple[Entity[Mention], ...]:
        naming = self._naming_annotations()
        entity_of = self._entities_of(naming)
        entities = typed_entities(
            (entity_of[label], mention, {"etype": kind})
            for label, (_, mention, kind) in self._mentions.items()
            if mention and naming.get(label, label) == label
        )
        links = SetLinks(self._problems)
        for line, text, anaphor, antecedent in self._directed_set_links():
            links.add(entity_of[antecedent], entity_of[anaphor], line, text)
        names = [entity.name for entity in entities]
        elements = map(tuple, links.resolve(names, document))
        return tuple(
            replace(entity, elements=own) for entity, own in zip(entities, elements, strict=True)
        )

    def _directed_set_links(self) -> Iterator[SetLink]:
        """Decide which end of each split-antecedent link is the anaphor.

        All relations of one type point the same way. An anaphor has several antecedents, so
        anaphors are the side with fewer annotations; if both sides have equally many, anaphors come
        later in the text.
        """
        mentions = {label: mention for label, (_, mention, _) in self._mentions.items() if mention}
        for of_type in self._set_links.values():
            links = [
                (line, text, self._mention_label(line, first), self._mention_label(line, second))
                for line, text, first, second in of_type
            ]
            links = [link for link in links if link[2] in mentions and link[3] in mentions]
            later = [mentions[first].words > mentions[second].words for *_, first, second in links]
            firsts, seconds = (Counter(link[side] for link in links) for side in (2, 3))
            is_first = (len(seconds) - len(firsts) or 2 * sum(later) - len(links)) >= 0
            elements = firsts if is_first else seconds
            for (line, text, first, second), is_later in zip(links, later, strict=True):
                anaphor, antecedent = (first, second) if is_first else (second, first)
                # An anaphor that comes first lists its elements, rather than a single one.
                self.reversed_links += is_later != is_first and elements[anaphor] == 1
                yield line, text, anaphor, antecedent

    def _entities_of(self, naming: Mapping[str, str]) -> dict[str, str]:
        groups, names = _Groups(), dict[str, str]()
        for line, labels in self._links:
            first, *others = (self._mention_label(line, label) for label in labels)
            for label in others:
                groups.unite(first, label)
        for line, target, name in self._entity_names(naming):
            label = self._mention_label(line, target)
            if name in self._mentions:
                groups.unite(label, name)
            else:
                # A label has no tab, so a name is never a label.
                groups.unite(label, f"\t{name}")
                names[name] = label
        by_group = {groups.group(label): name for name, label in names.items()}
        members = ((label, groups.group(label)) for label in self._mentions)
        return {label: by_group.get(group, group) for label, group in members}

    def _naming_annotations(self) -> dict[str, str]:
        """Map each annotation whose type names an entity to the mention that it labels.

        The mention is another annotation of the same text. If more annotations there name entities
        than do not, the annotation itself is the mention.
        """
        by_place: dict[Mention, list[str]] = {}
        for label, (_, mention, _) in self._mentions.items():
            if mention:
                by_place.setdefault(mention, []).append(label)
        naming: dict[str, str] = {}
        for labels in by_place.values():
            names: list[str] = []
            others: list[str] = []
            for label in labels:
                is_name = _ENTITY_TYPE.fullmatch(self._mentions[label][2])
                (names if is_name else others).append(label)
            if others:
                mentions = [*others[: len(names)], *names[len(others) :]]
                naming |= zip(names, mentions, strict=True)
        return naming

    def _entity_names(self, naming: Mapping[str, str]) -> list[tuple[int, str, str]]:
        """Collect the line, annotation and entity name wherever an entity is named."""
        names = [
            (self._mentions[label][0], mention, self._mentions[label][2])
            for label, mention in naming.items()
        ]
        names += self._names
        # Where other annotation has the coreference, notes are comments.
        return names or ([] if self._links else self._notes)

    def _mention_label(self, line: int, label: str) -> str:
        """Follow an event to its trigger; report an unknown label."""
        mention = self._triggers.get(label, label)
        if mention not in self._mentions:
            self._problems.error(
                line, f"this line refers to annotation {mention}, which does not exist"
            )
        return mention


def _span(offsets: str) -> Span:
    start, end = offsets.split(" ")
    return int(start), int(end)


def _types(labels: str, known: re.Pattern[str]) -> CollectNames:
    """Make a collector of type names on lines with these labels, leaving out known types."""
    line = re.compile(rf"^[{labels}]\S*\t *(\S+)", re.MULTILINE)

    def collect(source: Source, _: bool) -> Iterator[str]:  # noqa: FBT001  see NameKind
        return (name for name in {*line.findall(source.text)} if not known.fullmatch(name))

    return collect


_NAMES = (
    NameKind(
        label="type of relation",
        known=frozenset(
            {"Coref", "Coreference", "Ident", "Identity", "Equiv", "Anaphor", "Anaphora", "SameAs"}
            | {"Split_antecedent"}
        ),
        place=r"^R\S*\t *{}(?!\S)",
        collect=_types("R", _READ_RELATION),
    ),
    NameKind(
        label="type of attribute",
        known=frozenset(
            {"Coref", "Coreference", "Entity", "EntityID", "Cluster", "ClusterID", "ChainID"}
        ),
        place=r"^[AM#]\S*\t *{}(?!\S)",
        collect=_types("AM#", _ENTITY_ATTRIBUTE),
    ),
)


BRAT = Format(
    label="brat",
    read=read_brat,
    one_document=True,
    holds=Capacity(
        characters=True, gaps=True, crossing=True, sets="nested", attributes=True, sentences=False
    ),
    companions=STANDOFF,
    names=_NAMES,
)
