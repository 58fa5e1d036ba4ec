"""Heads of response mentions by the dependency tree of the key."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from anascore.formats.columns import parents_in
from anascore.model.document import Document, Table
from anascore.model.mention import Mention, Place, Unit, make_mention, units_of
from anascore.model.transform import map_mentions

ABOVE_ROOT = -1
ON_PATH = -2
"""Depths of what is above the root of a sentence, and of words whose depth is not known yet."""


@dataclass(frozen=True)
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
        if top is not None:
            return top
        return marked if marked in candidates else candidates[0]

    def _enhanced_candidates(
        self, candidates: Sequence[Unit], inside: Collection[Unit | None]
    ) -> list[Unit]:
        """Keep candidates without enhanced parents in the mention, or with one outside of it."""
        top = [u for u in candidates if not any(p in inside for p in self.enhanced[u])]
        return top or [u for u in candidates if not all(p in inside for p in self.enhanced[u])]

    def _top(self, candidates: Sequence[Unit]) -> Unit | None:
        """Return the candidate that is the lowest common ancestor of all of them, if there is one.

        A zero is replaced by the first word among its enhanced parents, and left out if it has
        none. The root of a sentence is above all words, and no candidate.
        """
        replaced: list[Unit | None] = []
        for unit in candidates:
            above = self.enhanced[unit] if unit[1] > 0 else [unit]
            replaced += [u for u in above if u is None or u[1] == 0][:1]
        words = [word for word in replaced if word is not None]
        if not words or len(words) < len(replaced):
            return None
        if self._depths is None:
            top = self._lowest_common_ancestor(words)
        else:
            # If it is a candidate, no other one is less deep.
            top = min(words, key=self._depths.__getitem__)
            top = top if all(self._is_below(word, top, self._depths) for word in words) else None
        return top if top in candidates else None

    def _is_below(self, word: Unit | None, top: Unit, depths: Mapping[Unit, int]) -> bool:
        """Return True if a word is in the subtree of another one, which is not deeper."""
        while word is not None and depths[word] > depths[top]:
            word = self.parents[word]
        return word == top

    @cached_property
    def _depths(self) -> dict[Unit, int] | None:
        """The depth of each word; None if there is a cycle, or a word below a zero."""
        depths: dict[Unit, int] = {}
        for unit, parent in self.parents.items():
            if parent is not None and parent[1] > 0:
                return None
            path = []
            ancestor: Unit | None = unit
            while ancestor is not None and ancestor not in depths:
                path.append(ancestor)
                depths[ancestor] = ON_PATH
                ancestor = self.parents[ancestor]
            depth = ABOVE_ROOT if ancestor is None else depths[ancestor]
            if depth == ON_PATH:
                return None
            for below in reversed(path):
                depth += 1
                depths[below] = depth
        return depths

    def _lowest_common_ancestor(self, words: Sequence[Unit]) -> Unit | None:
        """Return the lowest common ancestor of words whose ancestors may be a cycle."""
        first, *others = (dict.fromkeys(self._ancestors(word)) for word in words)
        return next((a for a in first if all(a in ancestors for ancestors in others)), None)

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
    parents = parents_in(table)
    return parents and Tree(*parents)


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
