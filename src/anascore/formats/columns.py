"""What the columns of a file say of words and zeros, besides what is scored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anascore.formats.places import next_zero
from anascore.formats.reading.conllu import NOTHING, is_token, split_columns
from anascore.mention import Unit, Zero
from anascore.model import Document, Table


def columns(document: Document, names: Sequence[str]) -> dict[str, dict[Unit, str]]:
    """Return what columns say of each word and zero, where they say something."""
    said: dict[str, dict[Unit, str]] = {name: {} for name in names}
    if "FORM" in names:
        said["FORM"] = {(number, 0): word for number, word in enumerate(document.words, 1)}
    table = document.table
    wanted = [name for name in names if table and name in table.columns and name != "FORM"]
    if table is None or not wanted:
        return said
    if "ID" not in table.columns:
        for name in wanted:
            words = enumerate(column_of(document, name), 1)
            said[name] = {(number, 0): v for number, v in words if v not in {NOTHING, "-"}}
        return said
    for sentence in sentences_of(table, wanted):
        for unit, (_, *values) in sentence.items():
            for name, value in zip(wanted, values, strict=True):
                if value != NOTHING:
                    said[name][unit] = value
    return said


def column(document: Document, name: str) -> dict[Unit, str]:
    """Return what one column says."""
    return columns(document, [name])[name]


def sentences_of(table: Table, names: Sequence[str]) -> Iterator[dict[Unit, list[str]]]:
    """Give the ID and some columns of each word and zero, sentence by sentence."""
    places = [table.columns.index(name) for name in ("ID", *names)]
    missing = [NOTHING] * len(table.columns)
    sentence: dict[Unit, list[str]] = {}
    words = 0
    zero: Zero = (-1, 0)
    for line in table.lines:
        if not is_token(line):
            if sentence and not line.startswith("#"):
                yield sentence
                sentence = {}
            continue
        cells = split_columns(line, table.separator) + missing
        row = [cells[place] or NOTHING for place in places]
        if row[0].isdecimal():
            words += 1
            sentence[words, 0] = row
        elif "." in row[0]:
            zero = next_zero(words, [zero])
            sentence[zero] = row
    yield sentence


def column_of(document: Document, name: str) -> Sequence[str]:
    """Return a column of the file by the words, if it has one of that name."""
    table = document.table
    if table is None or name not in table.columns:
        return [NOTHING] * len(document.words)
    at = table.columns.index(name)
    lines = filter(is_token, table.lines)
    rows = (split_columns(line.rstrip(), table.separator) for line in lines)
    if "ID" in table.columns:
        word_id = table.columns.index("ID")
        rows = (row for row in rows if row[word_id].isdecimal())
    return [row[at] if len(row) > at else NOTHING for row in rows]
