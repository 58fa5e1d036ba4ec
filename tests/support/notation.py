"""Notation for the entities of test cases, by hand and on one line.

`ab cd (ac)fg` is three entities. Letters are mentions of one word each: `a` is the first word, `b`
the second. In brackets stand the elements of an accommodated set, each called by one of its
mentions: here the entities of `a` and `c`.

`1-2,5 3-4 (1-2,3-4)6-9` has numbers of words, counted from 1, instead of letters. Commas separate
mentions, and blanks separate entities. A mention is written as

    4             a word
    4-7           a span of words
    2-4+7         parts with a gap between them
    15.1          a zero: the first after word 15, as in the column ID of CoNLL-U
    14-15+15.1    words and a zero
    4-7:5         a span whose minimum span is word 5; 4-7:5-6 for two words
    14+14.1:14.1  words and a zero that is the head

Cases in `tests/cases/*.toml` have `key` and `response` in this notation, and may have

    sentences      the words that begin sentences, if there are several
    key_deps       the dependencies of zeros, as in the column DEPS: {"15.1" = "13:nsubj|15:obj"}
    response_deps  the same of the response
    settings       settings of `anascore.score`
    split_only     expected values of accommodated sets alone
    scorer         the published scorer that printed the expected values
    format         the format that this scorer reads, in which the case must fit

What stands at the top of a file holds for all its cases. Expected values are named by metrics. They
are recall, precision and, if it is given, F1, written as fractions; a dash is undefined.
"""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence

from anascore import Corpus, Document, Entity, Mention
from anascore.model.document import Table

NAME = "case"
_ENTITY = re.compile(r"(?:\(([^()]+)\))?([^()]*)")
_PARTS = r"\d+(?:[-.]\d+)?(?:\+\d+(?:[-.]\d+)?)*"
_MENTION = re.compile(rf"[a-z]|({_PARTS})(?::({_PARTS}))?")

Span = tuple[int, int]
Zero = tuple[int, int]


def entities(text: str) -> list[Entity[Hashable]]:
    """Read entities whose mentions are the letters and numbers as they are written."""
    parsed = [_entity(word) for word in text.split()]
    owner = {_place(mention): i for i, (_, mentions) in enumerate(parsed) for mention in mentions}
    return [
        Entity(
            tuple(map(_place, mentions)),
            tuple(owner[element] for element in elements),
            ",".join(mentions),
        )
        for elements, mentions in parsed
    ]


def document(
    text: str,
    *,
    name: str = NAME,
    words: int = 1,
    sentences: Sequence[int] = (1,),
    deps: Mapping[str, str] | None = None,
) -> Document:
    """Make a document of made-up words, at least as many as asked for and as mentions need."""
    annotation = [
        Entity([_mention(m) for m in mentions], entity.elements, str(number))
        for number, (entity, (_, mentions)) in enumerate(
            zip(entities(text), map(_entity, text.split()), strict=True), 1
        )
    ]
    mentions = [mention for entity in annotation for mention in entity.mentions]
    number_of_words = max([words, *(_last_word(mention) for mention in mentions)])
    forms = [f"w{number}" for number in range(1, number_of_words + 1)]
    last = dict(sorted(zero for mention in mentions for zero in mention.zeros))
    zeros = [(before, rank) for before in last for rank in range(1, last[before] + 1)]
    starts = [start - 1 for start in sentences if start <= number_of_words]
    table = _table(forms, zeros, deps) if deps else None
    return Document(name, forms, annotation, zeros=zeros, sentences=starts, table=table)


def corpora(
    key: str,
    response: str,
    *,
    sentences: Sequence[int] = (1,),
    key_deps: Mapping[str, str] | None = None,
    response_deps: Mapping[str, str] | None = None,
) -> tuple[Corpus, Corpus]:
    """Make a key and a response of one document each, with the same words."""
    words = max(len(document(text).words) for text in (key, response))
    of_key, of_response = (
        Corpus(
            {NAME: document(text, words=words, sentences=sentences, deps=deps)},
            ("notation",),
            unnamed=True,
        )
        for text, deps in ((key, key_deps), (response, response_deps))
    )
    return of_key, of_response


def _entity(word: str) -> tuple[list[str], list[str]]:
    """Return elements and mentions of an entity, as they are written."""
    match = _ENTITY.fullmatch(word)
    assert match, f"{word!r} is not in set notation"
    elements, mentions = _split(match[1] or ""), _split(match[2])
    for mention in (*elements, *mentions):
        assert _MENTION.fullmatch(mention), f"{mention!r} is not in set notation"
    return elements, mentions


def _split(mentions: str) -> list[str]:
    return mentions.split(",") if "," in mentions or mentions[:1].isdigit() else list(mentions)


def _place(mention: str) -> str:
    return mention.partition(":")[0]


def _mention(text: str) -> Mention:
    if text.isalpha():
        number = ord(text) - ord("a")
        return Mention(((number, number + 1),))
    place, _, least = text.partition(":")
    words, zeros = _words_and_zeros(place)
    minimum, heads = _words_and_zeros(least)
    return Mention(words, zeros, minimum, heads[0] if heads else None)


def _words_and_zeros(text: str) -> tuple[tuple[Span, ...], tuple[Zero, ...]]:
    words: list[Span] = []
    zeros: list[Zero] = []
    for part in text.split("+") if text else ():
        if "." in part:
            before, _, rank = part.partition(".")
            zeros.append((int(before), int(rank)))
        else:
            first, _, last = part.partition("-")
            words.append((int(first) - 1, int(last or first)))
    return tuple(words), tuple(zeros)


def _last_word(mention: Mention) -> int:
    return max([end for _, end in mention.words] + [before for before, _ in mention.zeros])


def _table(forms: Iterable[str], zeros: Sequence[Zero], deps: Mapping[str, str]) -> Table:
    """Write columns with the dependencies of zeros, in one sentence."""
    rows = []
    for number, form in enumerate(forms, 1):
        rows.append((str(number), form, "_"))
        ids = [f"{number}.{rank}" for before, rank in zeros if before == number]
        rows.extend((zero, "_", deps.get(zero, "_")) for zero in ids)
    lines = ["\t".join(row) for row in rows]
    return Table(("ID", "FORM", "DEPS"), "\t", "\n".join([*lines, ""]).encode())
