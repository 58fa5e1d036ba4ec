"""The third system of the example corpus: a baseline that links mentions by their last words."""

from __future__ import annotations

from collections import Counter

from tools.example_corpus.notation import Annotated, Text

LONGEST = 2
"""Maximum number of words of a mention that the baseline finds."""


def link_by_last_word(text: Text) -> None:
    """Replace the annotation of the key by that of the baseline.

    The baseline finds short mentions, and no zeros. Mentions with the same last word are one
    entity, and a short word without a namesake is added to the entity before it. There are no
    singletons, no split antecedents, no bridging anaphors and no discourse deixis.
    """
    text.elements.clear()
    text.types.clear()
    text.mentions = [mention for mention in text.mentions if _finds(mention)]
    entities: dict[str, str] = {}
    previous = ""
    for mention in text.mentions:
        last = text.words[mention.units[-1][0] - 1].lower()
        is_short = len(mention.units) == 1 and len(last) <= 4
        entities.setdefault(last, previous if is_short and previous else last)
        mention.entity = previous = entities[last]
        mention.anchor = ""
    sizes = Counter(mention.entity for mention in text.mentions)
    text.mentions = [mention for mention in text.mentions if sizes[mention.entity] > 1]


def _finds(mention: Annotated) -> bool:
    """Return True if the baseline finds a mention of the key."""
    is_zero = any(rank for _, rank in mention.units)
    is_entity = not mention.deixis and not mention.entity.startswith("!")
    return is_entity and not is_zero and len(mention.units) <= LONGEST
