"""Bracket notation for annotated texts, and for the errors of systems.

A text has one sentence per line, with blanks between words:

    [ann:person Ann] met [ben:person her *brother Ben] .
    [both:person=ann+ben They] saw [house:place a house] with [door:object<house/part a door] .

    [ann Ann]           a mention of the entity ann
    [ann:person Ann]    the same, with the type of the entity, which is needed once
    [both=ann+ben They] an entity with split antecedents
    [door<house/part d] a bridging anaphor, its anchor and their relation
    [both~1 we] ... [both~1 all]   two parts of a discontinuous mention
    [!expletive It]     a non-referring mention
    {fact This}         a mention of discourse deixis, a layer of its own
    *brother            the head of the innermost mention (default: its last word)
    ∅                   a zero, the subject of the next word

A blank line and `NAME:` begin the errors of a system, separated by semicolons or lines. `ann.2` is
the second mention of ann in the text, in the order of opening brackets; `ann` is all of them.

    - ann.2             the mention is missing
    ann.2 > ben         it is in another entity, or in a new one
    ann.2 : her brother it has other words, which overlap with its own
    both = ann ben      the entity has these split antecedents; none of them may follow
    door.1 < house      the bridging anaphor has this anchor; none may follow
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from anascore import Bridge, Document, Entity, Mention, NonReferring
from anascore.formats.conllu import COLUMNS
from anascore.model.document import Table
from anascore.model.mention import Unit, Zero, joined, make_mention, next_zero

ZERO = "∅"
_TOKEN = re.compile(r"(?P<open>[\[{])(?P<label>\S+)\s|(?P<close>[\]}])|(?P<word>[^\s\[\]{}]+)")
_LABEL = re.compile(
    r"(?P<entity>!?\w+)(?::(?P<type>\w+))?(?:=(?P<elements>\w+(?:\+\w+)*))?"
    r"(?:<(?P<anchor>\w+)/(?P<relation>\w+))?(?:~(?P<part>\d))?"
)
_ERROR = re.compile(
    r"(?P<missing>- )?(?P<entity>\w+)(?:\.(?P<rank>\d+))?(?: (?P<kind>[>:=<]) ?(?P<value>.*))?"
)
_PRONOUNS = frozenset(
    {
        *("i", "me", "my", "you", "your", "he", "him", "his", "she", "her", "it", "they", "them"),
        *("their", "we", "us", "who", "which", "another", "su", "él", "le", "ji", "mu", "ho"),
        "která",
    }
)


@dataclass(slots=True)
class Annotated:
    """A mention in the making."""

    entity: str
    rank: int
    """Number among the mentions of its entity in the key, from 1."""

    deixis: bool
    units: list[Unit] = field(default_factory=list)
    head: Unit | None = None
    anchor: str = ""
    relation: str = ""


@dataclass(slots=True)
class Text:
    """A text with an annotation in the making."""

    name: str
    words: list[str] = field(default_factory=list)
    zeros: list[Zero] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)
    mentions: list[Annotated] = field(default_factory=list)
    types: dict[str, str] = field(default_factory=dict)
    elements: dict[str, list[str]] = field(default_factory=dict)


def read_text(name: str, content: str) -> tuple[Text, dict[str, str]]:
    """Return a text with the annotation of the key, and the errors of systems by name."""
    sentences, systems = content.split("\n\n")
    text = Text(name)
    parts: dict[str, Annotated] = {}
    for sentence in sentences.splitlines():
        text.sentences.append(len(text.words))
        _add_sentence(text, sentence, parts)
    _, *errors = re.split(r"^(\w+):\n", systems, flags=re.MULTILINE)
    return text, dict(zip(errors[::2], errors[1::2], strict=True))


def _add_sentence(text: Text, sentence: str, parts: dict[str, Annotated]) -> None:
    """Add the words and mentions of a sentence; parts are those of discontinuous mentions."""
    opened: list[Annotated] = []
    for token in _TOKEN.finditer(sentence):
        if token["label"]:
            opened.append(_open_mention(text, token["open"], token["label"], parts))
        elif token["close"]:
            mention = opened.pop()
            mention.head = mention.head or mention.units[-1]
        else:
            unit = _add_word(text, token["word"].lstrip("*"))
            for mention in opened:
                mention.units.append(unit)
            if token["word"].startswith("*"):
                opened[-1].head = unit


def _add_word(text: Text, word: str) -> Unit:
    if word == ZERO:
        text.zeros.append(next_zero(len(text.words), text.zeros))
        return text.zeros[-1]
    text.words.append(word)
    return len(text.words), 0


def _open_mention(text: Text, bracket: str, label: str, parts: dict[str, Annotated]) -> Annotated:
    """Return a new mention, or the one that a further part belongs to."""
    fields = _LABEL.fullmatch(label)
    if fields is None:
        message = f"{text.name}: {label!r} is not the label of a mention"
        raise ValueError(message)
    entity, part = fields["entity"], f"{fields['entity']}~{fields['part']}"
    if part in parts:
        return parts[part]
    if fields["type"]:
        text.types[entity] = fields["type"]
    if fields["elements"]:
        text.elements[entity] = fields["elements"].split("+")
    rank = 1 + sum(mention.entity == entity for mention in text.mentions)
    mention = Annotated(entity, rank, deixis=bracket == "{")
    mention.anchor, mention.relation = fields["anchor"] or "", fields["relation"] or ""
    text.mentions.append(mention)
    if fields["part"]:
        parts[part] = mention
    return mention


def add_errors(text: Text, errors: str) -> None:
    """Change the annotation of the key to that of a system."""
    ranked: dict[str, list[Annotated]] = {}
    for mention in text.mentions:
        ranked.setdefault(mention.entity, []).append(mention)
    for error in filter(None, (part.strip() for part in re.split(r"[;\n]", errors))):
        fields = _ERROR.fullmatch(error)
        if fields is None or fields["entity"] not in ranked:
            message = f"{text.name}: {error!r} is not an error that a system can have"
            raise ValueError(message)
        mentions = ranked[fields["entity"]]
        if fields["rank"]:
            mentions = [mentions[int(fields["rank"]) - 1]]
        _add_error(text, mentions, fields)


def _add_error(text: Text, mentions: Sequence[Annotated], error: re.Match[str]) -> None:
    kind, value = error["kind"], error["value"]
    if kind == "=":
        text.elements[error["entity"]] = value.split()
    for mention in mentions:
        if error["missing"]:
            text.mentions.remove(mention)
        elif kind == ">":
            mention.entity = value
        elif kind == "<":
            mention.anchor = value
        elif kind == ":":
            mention.units = _find_words(text, value.split(), mention)
            if mention.head not in mention.units:
                mention.head = mention.units[-1]


def _find_words(text: Text, words: list[str], mention: Annotated) -> list[Unit]:
    """Return the place of words that overlap with a mention."""
    for start in range(len(text.words)):
        units = [(start + number, 0) for number in range(1, len(words) + 1)]
        if text.words[start : start + len(words)] == words and {*units} & {*mention.units}:
            return units
    message = f"{text.name}: {' '.join(words)!r} does not overlap with {mention.entity}"
    raise ValueError(message)


def make_document(text: Text) -> Document:
    """Return the document of an annotated text."""
    identity = [m for m in text.mentions if not m.deixis and not m.entity.startswith("!")]
    entities = _entities(text, identity)
    positions = {entity.name: position for position, entity in enumerate(entities)}
    bridges = []
    for mention in identity:
        if anchors := [m for m in identity if mention.anchor and m.entity == mention.anchor]:
            before = [m for m in anchors if m.units[0] < mention.units[0]]
            anchor = before[-1] if before else anchors[0]
            entity = positions[anchor.entity]
            bridges.append(Bridge(_mention(mention), _mention(anchor), entity, mention.relation))
    return Document(
        text.name,
        text.words,
        entities,
        nonreferring=[
            NonReferring(_mention(m), m.entity[1:]) for m in text.mentions if m.entity[0] == "!"
        ],
        bridges=bridges,
        deixis=_entities(text, [m for m in text.mentions if m.deixis]),
        zeros=text.zeros,
        sentences=text.sentences,
        table=_table(text),
    )


def _entities(text: Text, mentions: Sequence[Annotated]) -> list[Entity[Mention]]:
    """Return entities in the order of their first mentions."""
    members: dict[str, list[Annotated]] = {}
    for mention in mentions:
        members.setdefault(mention.entity, []).append(mention)
    positions = {name: position for position, name in enumerate(members)}
    return [
        Entity(
            [_mention(mention) for mention in of_entity],
            [positions[element] for element in text.elements.get(name, ())],
            name,
            [{"etype": text.types[name]} if name in text.types else {} for _ in of_entity],
        )
        for name, of_entity in members.items()
    ]


def _mention(mention: Annotated) -> Mention:
    words = joined([(unit[0] - 1, unit[0]) for unit in mention.units if not unit[1]])
    zeros = tuple(unit for unit in mention.units if unit[1])
    return make_mention(words, zeros, head=mention.head)


def _table(text: Text) -> Table:
    """Return rows with a part of speech for heads, and dependencies for zeros."""
    heads = {mention.head for mention in text.mentions if not mention.deixis}
    rows = []
    for start, end in pairwise([*text.sentences, len(text.words)]):
        rows += [f"# sent_id = {text.name}-{text.sentences.index(start) + 1}"]
        rows += [f"# text = {' '.join(text.words[start:end])}"]
        words = [(number, 0) for number in range(start + 1, end + 1)]
        for number, rank in sorted([*words, *(z for z in text.zeros if start <= z[0] < end)]):
            word = "_" if rank else text.words[number - 1]
            row = dict.fromkeys(COLUMNS, "_") | {"ID": str(number - start), "FORM": word}
            if rank:
                row |= {"ID": f"{number - start}.{rank}", "DEPS": f"{number - start + 1}:nsubj"}
            if rank or (number, rank) in heads:
                row["UPOS"] = _part_of_speech(word)
            rows.append("\t".join(row.values()))
        rows.append("")
    return Table(COLUMNS, "\t", "\n".join(rows).encode())


def _part_of_speech(word: str) -> str:
    if word.lower() in {"_", *_PRONOUNS}:
        return "PRON"
    return "PROPN" if word[0].isupper() else "NOUN"
