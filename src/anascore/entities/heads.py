"""Heads of response mentions, found in the key's dependency tree."""

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
"""Depths of the root's parent, and of words whose depth is not known yet."""


@dataclass(frozen=True)
class Tree:
    """A document's dependencies: one tree per sentence."""

    parents: Mapping[Unit, Unit | None]
    """Basic parent of each word and zero. Roots map to None, and so do all zeros."""

    enhanced: Mapping[Unit, Sequence[Unit | None]]
    """Parents from DEPS, where the root is None; without DEPS, the basic parent alone."""

    def head(self, units: Sequence[Unit], marked: Unit | None = None) -> Unit:
        """Find a mention's head, given its words and zeros in order.

        Follows udapi's `corefud.MoveHead`. If the tree does not rank the candidates, the head that
        the annotation marks decides, or else the first word.
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
        """Keep candidates that have no enhanced parents in the mention, or one outside it."""
        top = [u for u in candidates if not any(p in inside for p in self.enhanced[u])]
        return top or [u for u in candidates if not all(p in inside for p in self.enhanced[u])]

    def _top(self, candidates: Sequence[Unit]) -> Unit | None:
        """Return the candidate that is the lowest common ancestor of all of them, if any.

        A zero is replaced by the first word among its enhanced parents, and left out if it has
        none. The root of a sentence is above all words, but is not a candidate.
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
        """Test whether a word is in another word's subtree; the other must not be deeper."""
        while word is not None and depths[word] > depths[top]:
            word = self.parents[word]
        return word == top

    @cached_property
    def _depths(self) -> dict[Unit, int] | None:
        """The depth of each word; None if there is a cycle, or a word depends on a zero."""
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
        """Find the lowest common ancestor even if ancestors form a cycle."""
        first, *others = (dict.fromkeys(self._ancestors(word)) for word in words)
        return next((a for a in first if all(a in ancestors for ancestors in others)), None)

    def _ancestors(self, unit: Unit | None) -> Iterator[Unit]:
        """Yield a word and its ancestors; stop before a cycle repeats."""
        seen: set[Unit] = set()
        while unit is not None and unit not in seen:
            seen.add(unit)
            yield unit
            unit = self.parents[unit]


def tree_of(document: Document) -> Tree | None:
    """Read a document's dependency trees; None if its HEAD column is missing or empty."""
    return document.table.cached(_tree_in) if document.table is not None else None


def _tree_in(table: Table) -> Tree | None:
    parents = parents_in(table)
    return parents and Tree(*parents)


def with_key_heads(response: Document, key: Document) -> Document:
    """Give a response's mentions of several words the heads that the key implies.

    A mention with exactly the words of a key mention takes that mention's head; any other takes its
    head from the key's tree. The response must have the key's words.
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
    """Collect the heads of the key's mentions; of two with the same words, the first counts."""
    heads: dict[Place, Unit] = {}
    mentions = [m for layer in (key.entities, key.deixis) for e in layer for m in e.mentions]
    for mention in (*mentions, *(mention for mention, _ in key.nonreferring)):
        if mention.size > 1 and mention.head is not None:
            heads[mention.place] = min(mention.head, heads.get(mention.place, mention.head))
    return heads
