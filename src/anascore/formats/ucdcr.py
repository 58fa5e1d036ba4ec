"""uCDCR JSON: a list of mentions with their contexts, in chains across documents.

Because chains cross documents, a file becomes one document, in which the documents follow each
other in the order of their keys. Its words are those of the contexts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from anascore.errors import Problems
from anascore.formats.building import build_corpus, default_names
from anascore.formats.files import Source
from anascore.formats.format import Capacity, Format, ReadOptions
from anascore.formats.json_values import CheckedJson, JsonPath, json_keys, shorten
from anascore.model.document import Corpus, Document, Entity
from anascore.model.mention import Mention, joined

CHAIN = "coref_chain"
DOCUMENT = "conll_doc_key"
CONTEXT = "mention_context"
CONTEXT_PLACE = "context_start_end_global_id"
TOKENS = "tokens_number_context"
FIELDS = (CHAIN, DOCUMENT, CONTEXT, CONTEXT_PLACE, TOKENS)
"""Fields that are read; all others describe the mention."""


class _Mention(NamedTuple):
    """A mention as the file describes it."""

    chain: str
    document: str
    positions: list[int]
    """Positions of its words in the document."""


def read_ucdcr(source: Source, problems: Problems, _: ReadOptions) -> Corpus:
    """Read all mentions of a file into one document."""
    text = CheckedJson(source.text, 1, problems)
    texts: dict[str, dict[int, str]] = {}
    mentions = list(_mentions(text, texts))
    words: list[str] = []
    index: dict[tuple[str, int], int] = {}
    for document, known in sorted(texts.items()):
        for position, word in sorted(known.items()):
            index[document, position] = len(words)
            words.append(word)
    chains: dict[str, list[Mention]] = {}
    for chain, document, positions in mentions:
        numbers = [index[document, position] for position in positions]
        mention = Mention(joined([(number, number + 1) for number in numbers]))
        chains.setdefault(chain, []).append(mention)
    entities = tuple(Entity(tuple(chain), (), name) for name, chain in chains.items())
    name = next(default_names(source))
    joined_document = Document(
        name, tuple(words), entities, path=source.path, line=1, global_ids=True
    )
    corpus = build_corpus("ucdcr", source, [joined_document], problems)
    return replace(corpus, unnamed=True)


def _mentions(text: CheckedJson, texts: dict[str, dict[int, str]]) -> Iterator[_Mention]:
    """Yield the valid mentions; collect the words of their contexts in `texts`."""
    values = text.items(text.value, (), "a list of mentions") if text.is_json else []
    for number, value in enumerate(values):
        fields = text.fields(value, (number,), "a mention {...}")
        missing = [name for name in FIELDS if name not in fields]
        if missing and isinstance(value, dict):
            text.error((number,), f"a mention needs {', '.join(missing)}")
        if missing:
            continue
        chain, document = (_label(text, fields[name], (number, name)) for name in (CHAIN, DOCUMENT))
        context = text.strings(fields[CONTEXT], (number, CONTEXT), "a list of words")
        start = _start(text, fields[CONTEXT_PLACE], (number, CONTEXT_PLACE), len(context))
        tokens = _tokens(text, fields[TOKENS], (number, TOKENS), len(context))
        if chain and document and start is not None:
            known = texts.setdefault(document, {})
            for place, word in enumerate(context):
                if known.setdefault(start + place, word) != word:
                    other = known[start + place]
                    message = (
                        f"{shorten(word)} is {shorten(other)} in another context of {document!r}"
                    )
                    text.error((number, CONTEXT, place), message)
            if tokens:
                yield _Mention(chain, document, [start + token for token in tokens])


def _label(text: CheckedJson, value: Any, path: JsonPath) -> str:
    """Require the name of a chain or document; return an empty string for anything else."""
    if not isinstance(value, str) or not value:
        text.error(path, f"{shorten(value)} is not a name in quotes")
        return ""
    return value if text.is_encodable(value, path) else ""


def _start(text: CheckedJson, value: Any, path: JsonPath, size: int) -> int | None:
    """Require a context's position in its document; return None for anything else."""
    if isinstance(value, list) and len(value) == 2 and all(type(end) is int for end in value):
        start, last = value
        if start >= 0 and last - start + 1 == size:
            return int(start)
    expected = f"[first, last] of {size} words of the document, counted from 0"
    text.error(path, f"{shorten(value)} is not {expected}")
    return None


def _tokens(text: CheckedJson, value: Any, path: JsonPath, size: int) -> list[int]:
    """Require a mention's word positions in its context; return [] if any is invalid."""
    tokens = text.items(value, path, "a list of positions in the context")
    for number, token in enumerate(tokens):
        if type(token) is not int or not 0 <= token < size:
            expected = f"a position among {size} words of the context, counted from 0"
            text.error((*path, number), f"{shorten(token)} is not {expected}")
            return []
    if value == []:
        text.error(path, "a mention needs words")
    if len({*tokens}) < len(tokens):
        text.error(path, f"{shorten(value)} has a position twice; give each word once")
        return []
    return tokens


UCDCR = Format(
    label="uCDCR JSON",
    read=read_ucdcr,
    holds=Capacity(
        gaps=True,
        crossing=True,
        sentences=False,
        names=False,
        forbidden_in_words=re.compile(r"(?!)"),
    ),
    json_key=re.compile(rb'"tokens_number_context"\s*:'),
    names=json_keys(*FIELDS),
)
