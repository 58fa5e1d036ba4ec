"""Every format: how it is read and written, and what it can hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from anascore.formats.reading import conll2012, conllu, ua
from anascore.formats.reading.corefud import read_corefud
from anascore.formats.reading.friends import read_friends
from anascore.formats.reading.jsonl import read_jsonl
from anascore.formats.reading.llm import read_llm_json, read_llm_text
from anascore.formats.reading.rucoco import read_rucoco
from anascore.formats.source import Source
from anascore.formats.writing.capacity import ILLEGAL_VALUE, Capacity
from anascore.model import Corpus, Document
from anascore.problems import Problems


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One format."""

    label: str
    """What people call it."""

    read: Callable[[Source, Problems], Corpus]
    write: Callable[[Corpus], str]
    holds: Capacity
    endings: tuple[str, ...]
    """The endings of file names that stand for it."""

    refine: Callable[[Document, Counter[str]], Document] | None = None
    """Takes out what it cannot hold for reasons of its own."""

    clean: Callable[[Corpus, Counter[str]], Corpus] | None = None
    """Takes out of the whole corpus what it cannot hold."""

    one_document: bool = False
    """Whether each document is a file of its own."""


def _writing(module: str, function: str) -> Callable[..., Any]:
    """Make a function of a module of `writing`, which is imported when the function is called."""

    def call(*arguments: Any) -> Any:
        return getattr(import_module(f"anascore.formats.writing.{module}"), function)(*arguments)

    return call


_CONLLU = frozenset(conllu.COLUMNS)

FORMATS = {
    "ua": Format(
        label="CoNLL-UA",
        read=ua.read_ua,
        write=_writing("ua", "write_ua"),
        clean=_writing("ua", "clean_ua"),
        endings=(".conllua",),
        holds=Capacity(
            zeros=True,
            gaps=True,
            crossing=True,
            sets="nested",
            results=True,
            antecedents=frozenset({"set"}),
            nonreferring="named",
            bridging="mentions",
            deixis=True,
            minimum="span",
            attributes=True,
            columns=frozenset(ua.COLUMNS),
            comments=True,
            illegal=ILLEGAL_VALUE,
        ),
    ),
    "corefud": Format(
        label="CorefUD",
        read=read_corefud,
        write=_writing("corefud", "write_corefud"),
        clean=_writing("corefud", "clean_corefud"),
        endings=(".conllu",),
        holds=Capacity(
            zeros=True,
            gaps=True,
            sets="nested",
            bridging="entities",
            minimum="words",
            attributes=True,
            columns=_CONLLU,
            comments=True,
            illegal=re.compile(r"[\0\t\n\r|,]"),
        ),
    ),
    "conll2012": Format(
        label="CoNLL-2012",
        read=conll2012.read_conll2012,
        write=_writing("conll2012", "write_conll2012"),
        endings=(".conll", "_conll"),
        holds=Capacity(
            columns=frozenset({*conll2012.COLUMNS, conll2012.ARGUMENTS, conll2012.UNKNOWN})
        ),
    ),
    "jsonl": Format(
        label="JSON lines",
        read=read_jsonl,
        write=_writing("json", "write_jsonl"),
        endings=(".jsonl", ".jsonlines"),
        refine=_writing("json", "fit_links"),
        holds=Capacity(
            crossing=True,
            sets="nested",
            results=True,
            antecedents=frozenset({"set", "result"}),
            nonreferring="numbered",
            candidates=True,
            forbidden=re.compile(r"(?!)"),
        ),
    ),
    "friends": Format(
        label="Friends JSON",
        read=read_friends,
        write=_writing("json", "write_friends"),
        endings=(),
        refine=_writing("friends_fitting", "fit_friends"),
        holds=Capacity(crossing=True, sets="of-entities", forbidden=re.compile(r"(?!)")),
    ),
    "rucoco": Format(
        label="RuCoCo JSON",
        read=read_rucoco,
        write=_writing("json", "write_rucoco"),
        endings=(),
        one_document=True,
        holds=Capacity(characters=True, crossing=True, sets="nested", sentences=False),
    ),
    "llm-text": Format(
        label="LLM text",
        read=read_llm_text,
        write=_writing("llm", "write_llm_text"),
        endings=(".txt",),
        holds=Capacity(
            zeros=True,
            sentences=False,
            names=False,
            forbidden=re.compile(r"[\0 \t\n\r]|^##|^\ufeff|\|(?=.*[\[\]])", re.DOTALL),
        ),
    ),
    "llm-json": Format(
        label="LLM JSON",
        read=read_llm_json,
        write=_writing("json", "write_llm_json"),
        endings=(),
        holds=Capacity(zeros=True, crossing=True, sentences=False, forbidden=re.compile(r"^##")),
    ),
}
