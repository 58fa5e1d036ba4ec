"""Columns of a table: split on demand, once for each document."""

import pickle
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore.entities.parses import parse_of
from anascore.formats import columns as columns_module
from anascore.formats import conllu
from anascore.formats.columns import Columns, column_of, columns, zero_dependencies
from anascore.model.document import Table
from support.samples import SAMPLES

Splits = Callable[[], Counter[str]]


@pytest.fixture
def splits(monkeypatch: pytest.MonkeyPatch) -> Splits:
    """Count how often each line is split into columns, from the first call of the fixture."""
    counts: Counter[str] = Counter()
    split_columns = conllu.split_columns

    def counted(line: str, separator: str) -> list[str]:
        counts[line] += 1
        return split_columns(line, separator)

    def start() -> Counter[str]:
        monkeypatch.setattr(columns_module, "split_columns", counted)
        return counts

    return start


def corpus(name: str, folder: Path) -> anascore.Corpus:
    """Read a sample, with lines that no other sample has."""
    path = folder / name
    text = SAMPLES[name]
    if name.endswith(".conllu"):
        lines = (
            f"{line}|Line={name}-{number}" if line[:1].isdigit() else line
            for number, line in enumerate(text.split("\n"))
        )
        text = "\n".join(lines)
    path.write_text(text, encoding="utf-8")
    return anascore.read(path)


def token_lines(corpora: list[anascore.Corpus]) -> Counter[str]:
    """Count the lines of columns in the tables of corpora."""
    tables = (d.table for c in corpora for d in c.documents.values() if d.table)
    return Counter(line for table in tables for line in table.lines if conllu.is_token(line))


@pytest.mark.parametrize(
    ("names", "settings"),
    [
        (("zeros-key.conllu", "zeros.conllu"), {"task": "crac24", "by": "all"}),
        (("zeros-key.conllu", "zeros.conllu"), {"anaphors": "deprel=obj", "by": "all"}),
        (("parsed-key.conll", "parsed.conll"), {"np_only": True, "match": "partial"}),
    ],
)
def test_lines_are_split_once(
    names: tuple[str, str], settings: dict[str, Any], tmp_path: Path, splits: Splits
) -> None:
    corpora = [corpus(name, tmp_path) for name in names]
    counts = splits()

    anascore.score(*corpora, **settings)

    assert counts == token_lines(corpora)


def test_a_parse_and_dependencies_are_read_once(tmp_path: Path) -> None:
    (parsed,) = corpus("parsed-key.conll", tmp_path).documents.values()
    (zeros,) = corpus("zeros.conllu", tmp_path).documents.values()

    assert parse_of(parsed) is parse_of(replace(parsed, entities=())) is not None
    assert zero_dependencies(zeros) is zero_dependencies(replace(zeros, name="copy"))
    assert zero_dependencies(zeros)


def test_nothing_is_split_without_need(tmp_path: Path, splits: Splits) -> None:
    corpora = [corpus(name, tmp_path) for name in ("zeros-key.conllu", "zeros.conllu")]
    counts = splits()

    anascore.score(*corpora)

    assert not counts


def test_a_column_that_settings_do_not_read_is_split_when_it_is_needed(
    tmp_path: Path, splits: Splits
) -> None:
    (document,) = corpus("zeros.conllu", tmp_path).documents.values()
    counts = splits()

    assert columns(document, ["LEMMA", "UPOS", "NONE"])["NONE"] == {}
    assert columns(document, ["UPOS"]) == columns(document, ["UPOS"])
    assert max(counts.values()) == 1
    assert len(column_of(document, "LEMMA")) == len(column_of(document, "DEPREL"))
    assert max(counts.values()) == 2


def test_the_cache_of_a_table_is_not_part_of_it() -> None:
    content = b"1\tHere\t_\n2\tit\tPRON\n2.1\t_\tPRON\n\n1\trains\tVERB\n"
    table = Table(("ID", "FORM", "UPOS"), "\t", content)
    fresh = replace(table)
    size = len(pickle.dumps(table))
    cells = table.cached(Columns)

    assert cells.column("UPOS") == ["_", "PRON", "PRON", "VERB"]
    assert list(cells.units()) == [(1, 0), (2, 0), (2, 1), (3, 0)]
    assert (cells.zeros, cells.sentences) == ({2: (2, 1)}, [0, 3])
    assert table.cached(Columns) is cells
    assert (table, hash(table), repr(table)) == (fresh, hash(fresh), repr(fresh))
    assert len(pickle.dumps(table)) == size
    assert pickle.loads(pickle.dumps(table)) == table


def test_zeros_have_no_place_in_a_parse() -> None:
    content = b"1\tHere\t(S*\n1.1\t_\t_\n2-3\tit's\t_\n2\tit\t(NP*)\n3\ts\t*)\n"
    table = Table(("ID", "FORM", "PARSE"), "\t", content)
    parse = parse_of(anascore.Document("d", ("Here", "it", "s"), (), table=table))

    assert parse is not None
    assert parse.depths == [1, 2, 1]
    assert parse.starting == {0: [(3, "S")], 1: [(2, "NP")]}


def test_zeros_without_a_column_of_dependencies_have_none() -> None:
    table = Table(("ID", "FORM"), "\t", b"1\tHere\n1.1\t_\n")

    assert (
        zero_dependencies(anascore.Document("d", ("Here",), (), zeros=((1, 1),), table=table)) == {}
    )
