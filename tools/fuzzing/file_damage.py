"""Damage to files of any format: encoding, line ends, cuts; and to the files beside them."""

from __future__ import annotations

import codecs

from tools.fuzzing.kinds import (
    ALL,
    COLUMNS,
    CONLL_U,
    JSON,
    NOTICED,
    REJECTED,
    TABLES,
    UNCHANGED,
    Pick,
    beside,
    content,
    each,
    kind,
    text,
)
from tools.fuzzing.samples import Sample


def _without_last_line(main: str) -> str:
    return main.rstrip("\n").rpartition("\n")[0] + "\n"


def _half(main: bytes) -> bytes:
    return main[: len(main) // 2]


def _cut(sample: Sample, _: Pick) -> Sample:
    """Cut a file in the middle, where columns are separated if it has columns."""
    half = _half(sample.main)
    end = half.rfind(b"\t") if sample.format in COLUMNS else len(half)
    return sample._replace(main=half[:end])


def _other_text(companion: bytes) -> bytes:
    return companion.replace(b"Ann", b"Eve")


FILE_KINDS = (
    kind(
        "CRLF at the ends of lines",
        UNCHANGED,
        each(ALL, content(lambda main: main.replace(b"\n", b"\r\n"))),
    ),
    kind(
        "CR at the ends of lines",
        UNCHANGED,
        each(ALL, content(lambda main: main.replace(b"\n", b"\r"))),
    ),
    kind(
        "byte order mark",
        UNCHANGED,
        each(ALL, content(lambda main: codecs.BOM_UTF8 + main)),
    ),
    kind(
        "byte order mark twice",
        REJECTED,
        each(ALL, content(lambda main: codecs.BOM_UTF8 * 2 + main)),
        noticed=("llm-text",),
    ),
    kind(
        "UTF-16",
        REJECTED,
        each(ALL, content(lambda main: main.decode().encode("utf-16"))),
    ),
    kind(
        "byte of Latin-1",
        REJECTED,
        each(ALL, content(lambda main: main.replace(b"o", b"\xe4", 1))),
    ),
    kind(
        "UTF-8 cut within a character",
        REJECTED,
        each(ALL, content(lambda main: main.rstrip(b"\n") + "é".encode()[:1])),
    ),
    kind(
        "NUL character",
        REJECTED,
        each(ALL, content(lambda main: main.replace(b"o", b"\0", 1))),
    ),
    kind(
        "empty file",
        REJECTED,
        each(ALL, content(lambda _: b"")),
        warned=("litbank", "brat"),
    ),
    kind(
        "file of blank lines",
        REJECTED,
        each(ALL, content(lambda _: b" \n\n")),
        warned=("litbank", "brat"),
    ),
    kind("last line end missing", UNCHANGED, each(ALL, text(lambda main: main.rstrip("\n")))),
    kind(
        "blank lines at the end",
        UNCHANGED,
        each(ALL, text(lambda main: f"{main}\n\n \n")),
        warned=("llm-text",),
    ),
    kind(
        "blank line at the beginning",
        UNCHANGED,
        each(ALL, text(lambda main: f"\n{main}")),
        warned=("llm-text",),
    ),
    kind(
        "file cut in the middle",
        REJECTED,
        each((*COLUMNS, "llm-text", *JSON), _cut),
        noticed=("llm-text",),
    ),
    kind(
        "file cut before its last byte",
        REJECTED,
        each(ALL, content(lambda b: b.rstrip()[:-1])),
        unchanged=("ua", "corefud", "stanza", "conll2012"),
        noticed=("llm-text",),
    ),
    kind(
        "last line missing",
        NOTICED,
        each((*CONLL_U, "conll2012", "llm-text", "jsonl", "llm-json"), text(_without_last_line)),
        unchanged=("conll2012",),
        rejected=("llm-json",),
    ),
    kind(
        "content twice",
        REJECTED,
        each(ALL, content(lambda main: main + main)),
        noticed=("llm-text", "fastcoref", "maverick"),
    ),
    kind(
        "text after the end",
        REJECTED,
        each(ALL, text(lambda main: f"{main.rstrip()}\n}}x\n")),
        noticed=("llm-text",),
    ),
    kind(
        "blanks at the ends of lines",
        UNCHANGED,
        each(ALL, text(lambda main: main.replace("\n", " \n"))),
        rejected=("booknlp", "litbank"),
    ),
    kind(
        "tab at the end of the file",
        UNCHANGED,
        each(ALL, text(lambda main: f"{main}\t")),
        warned=("llm-text",),
    ),
)

COMPANION_KINDS = (
    kind("file beside it missing", REJECTED, each(TABLES, beside(lambda _: None))),
    kind("file beside it empty", REJECTED, each(TABLES, beside(lambda _: b""))),
    kind("file beside it cut in the middle", REJECTED, each(TABLES, beside(_half))),
    kind("file beside it of another text", REJECTED, each(TABLES, beside(_other_text))),
    kind(
        "file beside it with other last words",
        NOTICED,
        each(TABLES, beside(lambda companion: companion.replace(b"came", b"went"))),
    ),
    kind(
        "file beside it with a byte of Latin-1",
        REJECTED,
        each(TABLES, beside(lambda companion: companion.replace(b"a", b"\xe4", 1))),
    ),
    kind(
        "file beside it with a word more at the beginning",
        REJECTED,
        {
            **each(("brat", "litbank"), beside(lambda companion: b"Oh " + companion)),
            "booknlp": beside(lambda companion: companion.replace(b"\n", b"\n0\t0\t0\t0\tOh\n", 1)),
        },
    ),
    kind(
        "file beside it with CRLF",
        UNCHANGED,
        each(TABLES, beside(lambda companion: companion.replace(b"\n", b"\r\n"))),
    ),
    kind(
        "file beside it with a byte order mark",
        UNCHANGED,
        each(TABLES, beside(lambda companion: codecs.BOM_UTF8 + companion)),
    ),
    kind(
        "token missing in the file beside it",
        REJECTED,
        {"booknlp": beside(lambda companion: b"".join(companion.splitlines(keepends=True)[:3]))},
    ),
    kind(
        "column missing in the file beside it",
        REJECTED,
        {"booknlp": beside(lambda companion: companion.replace(b"\tword\t", b"\tw\t"))},
    ),
)
