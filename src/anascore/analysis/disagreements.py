"""Disagreements among annotators: the list that an adjudicator works through.

They are the errors of each pair of annotators, worded symmetrically, because neither is the key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from anascore.analysis.errors import Error, MentionRef, analyse, position_of
from anascore.layers.document import DocumentComparison
from anascore.model.abbreviated import quote
from anascore.model.mention import Mention, Place
from anascore.terminal import shorten_middle

Pair: TypeAlias = tuple[int, int]
"""Positions of two annotators."""


class Claim(NamedTuple):
    """What some annotators marked at one place."""

    annotators: tuple[str, ...]
    statement: str

    def __str__(self) -> str:
        return f"{', '.join(self.annotators)}: {self.statement}"


class Disagreement(NamedTuple):
    """A place where annotators differ."""

    type: str
    """A name of `DISAGREEMENT_TYPES`."""

    document: str
    place: Place
    """Words and zeros of the mention."""

    mention: str
    """Text of the mention."""

    claims: tuple[Claim, Claim]

    @property
    def position(self) -> str:
        """Words and zeros of the mention as text; words are counted from 1."""
        return position_of(self.place)

    def __repr__(self) -> str:
        """Return the type, the document and the place on one line."""
        return f"<Disagreement on {self.type} in {quote(self.document)} at {self.position}>"

    def __str__(self) -> str:
        first, second = self.claims
        return f"{self.position} “{_shown(self.mention)}”: {first}; {second}"


class _Statements(NamedTuple):
    """What the key and the response of a pair claim, in an adjudicator's words."""

    type: str
    key: Callable[[Error], str]
    response: Callable[[Error], str]


MAX_WIDTH = 60
"""Maximum width of a mention in a statement."""


def _texts(mentions: Iterable[MentionRef]) -> str:
    return ", ".join(f"“{_shown(mention.text)}” ({mention.position})" for mention in mentions)


def _shown(text: str) -> str:
    """Put a text on one line, and cut out the middle if it is long."""
    return shorten_middle(" ".join(text.split()), MAX_WIDTH)


def _says(text: str) -> Callable[[Error], str]:
    """Make a statement that is the same for every error."""
    return lambda _: text


def _joins(error: Error) -> str:
    return f"joins it with {_texts(_beside(error))}"


def _divides(error: Error) -> str:
    return f"keeps it apart from {_texts(_beside(error))}"


def _beside(error: Error) -> list[MentionRef]:
    return [error.beside] if error.beside else []


STATEMENTS = {
    "wrong-span": _Statements(
        "span", lambda e: f"marks {_texts(e.key)}", lambda e: f"marks {_texts(e.response)}"
    ),
    "extra-mention": _Statements("mention", _says("does not mark it"), _says("marks it")),
    "missing-mention": _Statements("mention", _says("marks it"), _says("does not mark it")),
    "extra-entity": _Statements(
        "entity", _says("has none of these"), lambda e: f"has the entity {_texts(e.response)}"
    ),
    "missing-entity": _Statements(
        "entity", lambda e: f"has the entity {_texts(e.key)}", _says("has none of these")
    ),
    "conflated-entity": _Statements("division", _divides, _joins),
    "divided-entity": _Statements("division", _joins, _divides),
    "wrong-anaphor": _Statements(
        "anaphor",
        lambda e: f"has the split antecedents at {_texts(e.key)}",
        lambda e: f"has the split antecedents at {_texts(e.response)}",
    ),
    "wrong-element": _Statements(
        "elements",
        lambda e: f"has the element {_texts(e.key)}",
        lambda e: f"has the element {_texts(e.response)}",
    ),
    "missing-element": _Statements(
        "elements",
        lambda e: f"has the element {_texts(e.key)}",
        lambda e: f"does not have the element {_texts(e.key)}",
    ),
    "extra-element": _Statements(
        "elements",
        lambda e: f"does not have the element {_texts(e.response)}",
        lambda e: f"has the element {_texts(e.response)}",
    ),
    "spurious-set": _Statements(
        "split antecedents",
        _says("has no split antecedents"),
        lambda e: f"has the split antecedents {_texts(e.response)}",
    ),
    "missed-set": _Statements(
        "split antecedents",
        lambda e: f"has the split antecedents {_texts(e.key)}",
        _says("has no split antecedents"),
    ),
    "set-as-entity": _Statements(
        "split antecedents",
        lambda e: f"has the split antecedents {_texts(e.key)}",
        lambda e: f"has it in the entity of {_texts(e.response)}",
    ),
}
"""Both sides' claims, by error type."""

DISAGREEMENT_TYPES = {
    "span": "different spans",
    "mention": "only some mark the mention",
    "entity": "only some have the entity",
    "division": "some divide what others join",
    "split antecedents": "only some have split antecedents",
    "anaphor": "split antecedents of different anaphors",
    "elements": "different elements",
}
"""Disagreement types, with a description of each."""


def find_disagreements(
    pairs: Mapping[Pair, Iterable[DocumentComparison]], annotators: Sequence[str]
) -> list[Disagreement]:
    """Find the disagreements of all pairs of annotators, by document and in text order.

    What several annotators claim against several others is a single disagreement.

    Args:
        pairs: The documents of each pair of annotators.
        annotators: Annotator names.
    """
    documents: dict[str, int] = {}
    sides: dict[_Dispute, tuple[set[int], set[int]]] = {}
    places: dict[_Dispute, tuple[object, ...]] = {}
    for (own, other), compared in pairs.items():
        for pair in compared:
            name = pair.key.key.name
            documents.setdefault(name, len(documents))
            for kind, errors in analyse(pair, ()).errors.items():
                for error in errors:
                    who, dispute = _oriented(kind, error, (own, other))
                    places[dispute] = _order(error.at)
                    for side, annotator in zip(
                        sides.setdefault(dispute, (set(), set())), who, strict=True
                    ):
                        side.add(annotator)
    in_order = sorted(sides, key=lambda one: (documents[one.document], places[one], one))
    return [_disagreement(dispute, sides[dispute], annotators) for dispute in in_order]


class _Dispute(NamedTuple):
    """Everything that identifies a disagreement, with the statements about one annotator."""

    document: str
    type: str
    place: Place
    mention: str
    first: str
    second: str


def _oriented(kind: str, error: Error, pair: Pair) -> tuple[Pair, _Dispute]:
    """Put the annotators in the order of their statements, and describe what they disagree on."""
    if kind in {"missing-entity", "extra-entity"} and len(error.key or error.response) == 1:
        kind = kind.replace("entity", "mention")
    statements = STATEMENTS[kind]
    at = error.anaphor or error.at
    if statements.type == "span":
        at = min((*error.key, *error.response), key=_order)
    claims = [(statements.key(error), pair[0]), (statements.response(error), pair[1])]
    (first, own), (second, other) = sorted(
        claims, key=lambda claim: (_is_negative(claim[0]), claim)
    )
    dispute = _Dispute(
        document=error.document,
        type=statements.type,
        place=at.place,
        mention=at.text,
        first=first,
        second=second,
    )
    return (own, other), dispute


def _is_negative(statement: str) -> bool:
    return statement.startswith(("does not", "has no", "keeps"))


PLURALS = {"does": "do", "has": "have", "marks": "mark", "joins": "join", "keeps": "keep"}
"""Verbs in statements, with their plurals."""


def _plural(statement: str) -> str:
    """Change a statement about one annotator into one about several."""
    verb, blank, rest = statement.partition(" ")
    return f"{PLURALS[verb]}{blank}{rest}"


def _order(mention: MentionRef) -> tuple[object, ...]:
    return Mention(mention.words, mention.zeros).order


def _disagreement(
    dispute: _Dispute, sides: tuple[set[int], set[int]], annotators: Sequence[str]
) -> Disagreement:
    first, second = (
        Claim(
            tuple(annotators[number] for number in sorted(side)),
            statement if len(side) == 1 else _plural(statement),
        )
        for side, statement in zip(sides, (dispute.first, dispute.second), strict=True)
    )
    return Disagreement(
        dispute.type, dispute.document, dispute.place, dispute.mention, (first, second)
    )
