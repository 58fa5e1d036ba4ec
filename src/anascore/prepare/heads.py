"""Heads of response mentions by the dependency tree of the key."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from anascore.formats.conllu import NO_VALUE, Cells
from anascore.model.document import Document, Table
from anascore.model.mention import Mention, Place, Unit, make_mention, units_of
from anascore.model.transform import map_mentions


@dataclass(frozen=True, slots=True)
class Tree:
    """The dependencies of a document: one tree for each sentence."""

    parents: Mapping[Unit, Unit | None]
    """Basic parent of each word and zero. A root has None, and so has every zero."""

    enhanced: Mapping[Unit, Sequence[Unit | None]]
    """Parents in DEPS; the root is None. Without DEPS it is the basic parent."""

    def head(self, units: Sequence[Unit], marked: Unit | None = None) -> Unit:
        """Return the head of a mention, given its words and zeros in order.

        This is the rule of udapi's `corefud.MoveHead`. The head that the annotation marks, or else
        the first word, decides between candidates that the tree does not rank.
        """
        inside = {unit for unit in units if unit in self.parents}
        candidates = [u for u in units if u in inside and self.parents[u] not in inside]
        if len(candidates) > 1:
            candidates = self._enhanced_candidates(candidates, inside)
        marked = marked or units[0]
        if not candidates:
            return marked
        if len(candidates) == 1:
            return candidates[0]
        top = self._top(candidates)
        if top in candidates:
            return top
        return marked if marked in candidates else candidates[0]

    def _enhanced_candidates(
        self, candidates: Sequence[Unit], inside: Collection[Unit | None]
    ) -> list[Unit]:
        """Keep candidates without enhanced parents in the mention, or with one outside of it."""
        top = [u for u in candidates if not any(p in inside for p in self.enhanced[u])]
        return top or [u for u in candidates if not all(p in inside for p in self.enhanced[u])]

    def _top(self, candidates: Sequence[Unit]) -> Unit | None:
        """Return the lowest common ancestor of candidates, zeros replaced by their parents.

        A zero is replaced by the first word among its enhanced parents, and left out if it has
        none. The result is None if it is the root of a sentence.
        """
        common: list[Unit] | None = None
        for unit in candidates:
            words: Sequence[Unit | None] = [unit]
            if unit[1] > 0:
                words = [u for u in self.enhanced[unit] if u is None or u[1] == 0]
            if words:
                ancestors = dict.fromkeys(self._ancestors(words[0]))
                if common is None:
                    common = list(ancestors)
                else:
                    common = [ancestor for ancestor in common if ancestor in ancestors]
        return common[0] if common else None

    def _ancestors(self, unit: Unit | None) -> Iterator[Unit]:
        """Yield a word and its ancestors; a cycle ends with its last word."""
        seen: set[Unit] = set()
        while unit is not None and unit not in seen:
            seen.add(unit)
            yield unit
            unit = self.parents[unit]


def tree_of(document: Document) -> Tree | None:
    """Return the dependency trees of a document; None if there are none in a column HEAD."""
    return document.table.cached(_tree_in) if document.table is not None else None


def _tree_in(table: Table) -> Tree | None:
    """Read the dependencies in a table."""
    if not {"ID", "HEAD"} <= {*table.columns}:
        return None
    cells = table.cached(Cells)
    cells.load(["ID", "HEAD"])
    ids, heads = cells.column("ID"), cells.column("HEAD")
    if all(head == NO_VALUE for row, head in enumerate(heads) if row not in cells.zeros):
        return None
    links = cells.column("DEPS") if "DEPS" in table.columns else [NO_VALUE] * len(ids)
    units = list(cells.units())
    parents: dict[Unit, Unit | None] = {}
    enhanced: dict[Unit, Sequence[Unit | None]] = {}
    for start, end in pairwise([*cells.sentences, len(units)]):
        by_id: dict[str, Unit | None] = {ids[row]: units[row] for row in range(start, end)}
        by_id["0"] = None
        for row in range(start, end):
            unit = units[row]
            parents[unit] = None if row in cells.zeros else by_id.get(heads[row])
            if links[row] != NO_VALUE:
                named = (link.partition(":")[0] for link in links[row].split("|"))
                enhanced[unit] = [by_id[name] for name in named if name in by_id]
            else:
                enhanced[unit] = [] if row in cells.zeros else [parents[unit]]
    return Tree(parents, enhanced)


def with_key_heads(response: Document, key: Document) -> Document:
    """Return a response whose mentions of several words have heads by the key's annotation.

    A mention with exactly the words of a key mention has the head of that one; the head of another
    is that of the key's tree. The response must have the words of the key.
    """
    tree, annotated = tree_of(key), _heads_by_place(key)
    cache: dict[Mention, Mention] = {}

    def change(mention: Mention) -> Mention:
        if mention.size == 1:
            return mention
        if mention not in cache:
            head = annotated.get(mention.place)
            if head is None and tree is not None:
                head = tree.head(units_of(mention), mention.head)
            cache[mention] = (
                make_mention(mention.words, mention.zeros, (), head) if head else mention
            )
        return cache[mention]

    return map_mentions(response, change)


def _heads_by_place(key: Document) -> dict[Place, Unit]:
    """Return the heads of the mentions of a key; the first one where two have the same words."""
    heads: dict[Place, Unit] = {}
    mentions = [m for layer in (key.entities, key.deixis) for e in layer for m in e.mentions]
    for mention in (*mentions, *(mention for mention, _ in key.nonreferring)):
        if mention.size > 1 and mention.head is not None:
            heads[mention.place] = min(mention.head, heads.get(mention.place, mention.head))
    return heads
