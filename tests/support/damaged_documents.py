"""Files in which some documents have errors."""

import re
from collections.abc import Collection, Sequence

from anascore import (
    Corpus,
    Document,
    Entity,
    Mention,
)

DAMAGES = {
    "ua": (r"_\t\)\t", "_\t_\t", ":{}: mention markable_1 of entity e1 is opened here and never"),
    "corefud": (r"Entity=e\d\)", "_", ":{}: a mention of e{} is opened here and never closed"),
    "conll2012": (r"\t1\)\n", "\t-\n", ":{}: a mention of 1 is opened here and never closed"),
    "jsonl": (r"\[2, 2\]", "[2, 9]", ":{}: clusters[0][1]: [2, 9] is not a span"),
    "friends": (r"3,\n *\"e1\"", '9, "e1"', ":{}: episodes[0].scenes[{}].utterances[0]"),
    "rucoco": (r"\[4, 5\]", "[4, 9]", ":1: entities[0][1]: [4, 9] is not a span"),
    "llm-text": (r"y\|e1\]", "y", ":{}: word 1, 'x': a mention of e1 is opened here and never"),
    "llm-json": (r"\[2, 2\]", "[2, 9]", ":{}: [{}].clusters_token_offsets[0][1]: [2, 9] is not"),
}
"""For each format what is replaced in a document, by what, and the error."""

NAMES = ("a", "b", "c")
WORDS = ("x", "y", "z")


def corpus_of(names: Sequence[str] = NAMES) -> Corpus:
    """Make documents of one entity each, with a mention of two words and one of one word."""
    entity = Entity((Mention(((0, 2),)), Mention(((2, 3),))), (), "e1")
    return Corpus({n: Document(n, WORDS, (entity,), sentences=(0,)) for n in names})


def damage(text: str, name: str, numbers: Collection[int]) -> str:
    """Damage the documents of these numbers in a file."""
    pattern, replacement, _ = DAMAGES[name]
    found = [*re.finditer(pattern, text)]
    for number in sorted(numbers, reverse=True):
        text = text[: found[number].start()] + replacement + text[found[number].end() :]
    return text
