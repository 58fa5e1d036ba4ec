"""Reading CoNLL-2012."""

from pathlib import Path

import pytest

import anascore
from anascore import Document
from anascore.corpus.validate import validate
from anascore.formats.conll2012 import write_conll2012
from support.reading import all_refusals, put, refusal

Spans = dict[str, list[tuple[int, int]]]


def lines(*cells: str, begin: str = "#begin document (d); part 000") -> str:
    """Write a document with these entries in its last column."""
    rows = (
        "\t".join(["d", "0", str(number), f"w{number}", "NN", "-", cell])
        for number, cell in enumerate(cells)
    )
    return "\n".join([begin, *rows, "#end document", ""])


def read(folder: Path, text: str) -> dict[str, Document]:
    return anascore.read(put(folder, "test.conll", text), "conll2012").documents


def spans(document: Document) -> Spans:
    """Return first position and end of the mentions of each entity, in order."""
    return {
        entity.name: sorted(span for mention in entity.mentions for span in mention.words)
        for entity in document.entities
    }


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        pytest.param(["(3)"], {"3": [(0, 1)]}, id="one word"),
        pytest.param(["(3", "-", "3)"], {"3": [(0, 3)]}, id="three words"),
        pytest.param(["-", "_", "*"], {}, id="nothing, written in three ways"),
        pytest.param(["(3", "_", "*", "-", "3)"], {"3": [(0, 5)]}, id="nothing inside a mention"),
        pytest.param(["(3|(4)", "3)"], {"3": [(0, 2)], "4": [(0, 1)]}, id="nested at the start"),
        pytest.param(["(3", "(4)|3)"], {"3": [(0, 2)], "4": [(1, 2)]}, id="nested at the end"),
        pytest.param(["(3", "3)|(4)"], {"3": [(0, 2)], "4": [(1, 2)]}, id="in any order"),
        pytest.param(["(3(4)", "3)"], {"3": [(0, 2)], "4": [(0, 1)]}, id="joined by nothing"),
        pytest.param(
            ["(3(4(5)", "4)3)"],
            {"3": [(0, 2)], "4": [(0, 2)], "5": [(0, 1)]},
            id="three joined by nothing",
        ),
        pytest.param(
            ["(3|(4(5)", "4)3)|(5)"],
            {"3": [(0, 2)], "4": [(0, 2)], "5": [(0, 1), (1, 2)]},
            id="joined in both ways",
        ),
        pytest.param(
            ["(3", "(4", "3)", "4)"], {"3": [(0, 3)], "4": [(1, 4)]}, id="crossing mentions"
        ),
        pytest.param(
            ["(3", "(3", "3)", "3)"], {"3": [(0, 4), (1, 3)]}, id="nested in the same entity"
        ),
        pytest.param(
            ["(3", "(3)", "3)"], {"3": [(0, 3), (1, 2)]}, id="one word nested in the same entity"
        ),
        pytest.param(["(3", "3)|(3", "3)"], {"3": [(0, 2), (1, 3)]}, id="closed and opened again"),
        pytest.param(["(3", "3", "3", "3)"], {"3": [(0, 4)]}, id="bare ids"),
        pytest.param(["(3", "(4)|3", "3)"], {"3": [(0, 3)], "4": [(1, 2)]}, id="bare id last"),
        pytest.param(["(3", "3|(4)", "3)"], {"3": [(0, 3)], "4": [(1, 2)]}, id="bare id first"),
        pytest.param(["(3", "3(4)", "3)"], {"3": [(0, 3)], "4": [(1, 2)]}, id="bare id, no |"),
        pytest.param(
            ["(3|(4", "3|4", "3)|4", "4)"], {"3": [(0, 3)], "4": [(0, 4)]}, id="two bare ids"
        ),
        pytest.param(["(e_7-x", "e_7-x)"], {"e_7-x": [(0, 2)]}, id="an id that is no number"),
        pytest.param(
            ["(3)", "-", "(12)", "(3)"], {"3": [(0, 1), (3, 4)], "12": [(2, 3)]}, id="ids"
        ),
    ],
)
def test_mentions(tmp_path: Path, cells: list[str], expected: Spans) -> None:
    (document,) = read(tmp_path, lines(*cells)).values()

    assert expected == spans(document)
    assert document.words == tuple(f"w{number}" for number in range(len(cells)))


@pytest.mark.parametrize(
    "columns",
    [
        pytest.param(["John"], id="word and entities"),
        pytest.param(["0", "John"], id="three"),
        pytest.param(["d", "0", "John"], id="four, of which the last is not the word"),
        pytest.param(["d", "0", "0", "John"], id="five"),
        pytest.param(["d", "0", "0", "John", "NNP"], id="six"),
        pytest.param(
            ["d", "0", "0", "John", "NNP", "(TOP*", "-", "-", "-", "A", "(PERSON)"], id="twelve"
        ),
        pytest.param(
            ["d", "0", "0", "John", "N", "*", "-", "-", "-", "A", "*", "(ARG0*)", "(V*)"],
            id="with predicate arguments",
        ),
    ],
)
@pytest.mark.parametrize("separator", ["\t", " ", "     "])
def test_any_number_of_columns(tmp_path: Path, columns: list[str], separator: str) -> None:
    text = f"#begin document (d); part 000\n{separator.join([*columns, '(3)'])}\n#end document\n"

    (document,) = read(tmp_path, text).values()

    assert document.words == ("John",)
    assert spans(document) == {"3": [(0, 1)]}


def test_bare_ids_are_counted_in_a_note(tmp_path: Path) -> None:
    second = lines("(4", "4)", begin="#begin document (e)")
    third = lines("(4", "4", "4)", begin="#begin document (f)")

    documents = read(tmp_path, lines("(3", "3", "3|(4)", "3)") + second + third)

    note = "bare ids inside mentions, which add no information, left out"
    assert {name: document.notes for name, document in documents.items()} == {
        "d": {note: 2},
        "e": {},
        "f": {note: 1},
    }
    (result,) = validate(str(tmp_path / "test.conll"))
    assert [(line, what) for _, line, _, what in result.problems] == [(None, f"{note}: 3")]


def test_all_lines_of_a_sentence_with_other_numbers_of_columns_are_found(tmp_path: Path) -> None:
    text = "#begin document (d)\na b w (1\na w 1)\na b c w (1)\na b w -\n\nw (1)\n"

    assert all_refusals(put(tmp_path, "f.conll", text)) == [
        f":3: {started_with(3, 4)}",
        f":4: {started_with(5, 4)}",
    ]


def test_lines_of_one_document_can_differ_in_the_number_of_columns(tmp_path: Path) -> None:
    text = "#begin document (d)\nd 0 0 John N (ARG0*) (3)\n\nd 0 0 left V * * -\n#end document\n"

    (document,) = read(tmp_path, text).values()

    assert document.words == ("John", "left")
    assert list(document.sentences) == [0, 1]


@pytest.mark.parametrize("behind", ["\t", "\t\t", " ", "  \t "])
def test_tabs_and_blanks_behind_the_last_column(tmp_path: Path, behind: str) -> None:
    text = lines("(3", "-", "3)").replace("\n", f"{behind}\n")

    assert [spans(document) for document in read(tmp_path, text).values()] == [{"3": [(0, 3)]}]


def test_words_can_hold_blanks_where_tabs_separate_columns(tmp_path: Path) -> None:
    (document,) = read(tmp_path, lines("(3)").replace("w0", "New York")).values()

    assert document.words == ("New York",)


@pytest.mark.parametrize(
    ("begin", "name"),
    [
        ("#begin document (bc/cctv/00/cctv_0000); part 000", "bc/cctv/00/cctv_0000"),
        ("#begin document (bc/cctv/00/cctv_0000); part 012", "bc/cctv/00/cctv_0000; part 012"),
        ("#begin document (x);", "x"),
        ("#begin document (x)", "x"),
        ("#begin document x", "x"),
        ("#begin document x; part 1", "x; part 001"),
        ("# begin document (x); part 0", "x"),
        ("#begin document (a b (c)); part 000", "a b (c)"),
        ("#begin document (Škoda); part 000", "Škoda"),
        ("#begin document (document); part 000", "document"),
        (
            "#begin document (my document of documents); part 001",
            "my document of documents; part 001",
        ),
        ("#begin document (the #end document); part 000", "the #end document"),
        ("#begin document", "unnamed"),
    ],
)
def test_documents_are_named_by_id_and_part(tmp_path: Path, begin: str, name: str) -> None:
    documents = read(tmp_path, lines("(3)", begin=begin))

    assert {name: {"3": [(0, 1)]}} == {
        name: spans(document) for name, document in documents.items()
    }


@pytest.mark.parametrize(
    ("cells", "kinds"),
    [
        (["(3)", "*", "-", "-"], {("*", "-"): [3]}),
        (["*", "-", "*", "-", "-"], {("*", "-"): [2, 4]}),
        (["*", "*", "-"], {("-", "*"): [4]}),
        (["*", "*", "-", "_"], {("-", "*"): [4], ("_", "*"): [5]}),
        (["*", "_", "_", "-"], {("*", "_"): [2]}),
        (["*", "*", "(3)"], {}),
        (["-", "_", "_"], {}),
    ],
)
@pytest.mark.parametrize("separator", ["\t", " "])
def test_stars_among_other_empty_cells(
    tmp_path: Path, cells: list[str], kinds: dict[tuple[str, str], list[int]], separator: str
) -> None:
    text = lines(*cells) + lines("-", begin="#begin document (e)")
    path = put(tmp_path, "f.conll", text.replace("\t", separator))

    (result,) = validate(str(path), "conll2012")

    messages = {
        f"lines with {cell} in the last column, where most others have {usual}": numbers
        for (cell, usual), numbers in kinds.items()
    }
    assert [(p.line, p.what) for p in result.problems] == [
        (numbers[0], f"{message}: {len(numbers)}") for message, numbers in messages.items()
    ]
    notes = [document.notes for document in anascore.read(path, "conll2012").documents.values()]
    assert notes == [{message: len(numbers) for message, numbers in messages.items()}, {}]


def test_each_part_is_a_document_with_ids_of_its_own(tmp_path: Path) -> None:
    begins = [f"#begin document (d); part 00{part}" for part in range(3)]

    documents = read(tmp_path, "\n".join(lines("(3)", begin=begin) for begin in begins))

    assert list(documents) == ["d", "d; part 001", "d; part 002"]
    assert [spans(document) for document in documents.values()] == [{"3": [(0, 1)]}] * 3


def test_the_end_of_a_document_need_not_be_marked(tmp_path: Path) -> None:
    text = lines("(3)") + lines("(4)", begin="#begin document (e); part 000")

    documents = read(tmp_path, text.replace("#end document\n", ""))

    assert {name: spans(document) for name, document in documents.items()} == {
        "d": {"3": [(0, 1)]},
        "e": {"4": [(0, 1)]},
    }


def test_a_file_without_begin_is_one_document(tmp_path: Path) -> None:
    text = "d\t0\t0\tJohn\tN\t(3\n\nd\t0\t0\tleft\tV\t3)\n"

    documents = read(tmp_path, text)

    assert {name: spans(document) for name, document in documents.items()} == {
        "unnamed": {"3": [(0, 2)]}
    }


def test_a_document_can_lack_words(tmp_path: Path) -> None:
    documents = read(tmp_path, lines(begin="#begin document (empty)") + lines("(3)"))

    assert [document.words for document in documents.values()] == [(), ("w0",)]


def test_sentences_end_at_empty_lines_and_words_know_their_lines(tmp_path: Path) -> None:
    text = "#begin document (d)\n\nx 0 0 a -\nx 0 1 b -\n\n \nx 0 0 c -\n# a comment\nx 0 1 d -\n"

    (document,) = read(tmp_path, text + "#end document\n").values()

    assert list(document.sentences) == [0, 2]
    assert list(document.lines) == [3, 4, 7, 9]
    assert document.line == 1


def started_with(number: int, expected: int) -> str:
    """Return the message about a number of columns."""
    return (
        f"the number of columns is {number}, but the sentence started with {expected}; "
        "only sentences may differ"
    )


NO_BRACKET = "in the last column is not one of '(3', '3)', '(3)' and '-'"

BAD_FILES: dict[str, tuple[str, str]] = {
    "unclosed": (
        lines("-", "(3", "-"),
        ":3: a mention of 3 is opened here and never closed; '3)' is missing",
    ),
    "unclosed at the end of its document": (
        lines("(3") + lines("3)", begin="#begin document (e)"),
        ":2: a mention of 3 is opened here and never closed; '3)' is missing",
    ),
    "outer one of two unclosed": (
        lines("(3", "(3", "3)"),
        ":2: a mention of 3 is opened here and never closed; '3)' is missing",
    ),
    "closes nothing": (lines("-", "3)"), ":3: '3)' closes no mention; open here: nothing"),
    "closes another": (
        lines("(4|(3", "5)", "4)|3)"),
        ":3: '5)' closes no mention; open here: 4, 3",
    ),
    "closes twice": (lines("(3", "3)3)"), ":3: '3)' closes no mention; open here: nothing"),
    "no bracket": (
        lines("3"),
        f":2: '3' {NO_BRACKET}; no open mention has this id",
    ),
    "a bare id behind its mention": (
        lines("(3", "3", "3)", "3"),
        f":5: '3' {NO_BRACKET}; no open mention has this id",
    ),
    "a bare id behind a mention of one word": (
        lines("(3)|3"),
        f":2: '3' {NO_BRACKET}; no open mention has this id",
    ),
    "a bare id in a mention of another entity": (
        lines("(3", "4", "3)"),
        f":3: '4' {NO_BRACKET}; no open mention has this id",
    ),
    "a line with a column less": (
        lines("(3", "3)", "(3)").replace("w2\tNN", "w2"),
        f":4: {started_with(6, 7)}",
    ),
    "a line with a column more": (
        lines("(3", "3)", "-").replace("w1\tNN", "w1\tNN\tNN"),
        f":3: {started_with(8, 7)}",
    ),
    "a line with one column": (
        lines("(3", "3)").replace("d\t0\t1\tw1\tNN\t-\t", ""),
        f":3: {started_with(1, 7)}",
    ),
    "a line behind a comment with a column less": (
        "#begin document (d)\nd 0 0 John N (3)\n# comment\nd 0 1 left -\n",
        f":4: {started_with(5, 6)}",
    ),
    "brackets without an id": (
        lines("()"),
        f":2: '()' {NO_BRACKET}",
    ),
    "a bracket alone": (
        lines("(3", ")"),
        f":3: ')' {NO_BRACKET}",
    ),
    "something behind a bracket": (
        lines("(3)x"),
        f":2: 'x' {NO_BRACKET}; no open mention has this id",
    ),
    "entities in another column": (
        lines("(3)").replace("(3)", "(3)\tx"),
        f":2: 'x' {NO_BRACKET}; is the coreference column missing?",
    ),
    "no coreference column": (
        "#begin document (d); part 000\nd 0 0 John NNP\nd 0 1 left VBD\n#end document\n",
        f":2: 'NNP' {NO_BRACKET}; is the coreference column missing?",
    ),
    "a word before the first document": (
        "d\t0\t0\tw\t-\t-\n" + lines("(3)"),
        ":1: this word is in no document; '#begin document (id); part 000' is missing above",
    ),
    "a word behind a document": (
        lines("(3)") + "\nd\t0\t0\tw\t-\t-\n",
        ":5: this word is in no document; '#begin document (id); part 000' is missing above",
    ),
    "a document twice": (
        lines("(3)") + lines("(3)"),
        ":4: duplicate document id 'd'; line 1 has it too",
    ),
    "no words": (lines(), ": this file has no words when read as conll2012"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_bad_file(tmp_path: Path, case: str) -> None:
    text, expected = BAD_FILES[case]
    path = put(tmp_path, "bad.conll", text)

    assert refusal(path) == expected
    assert expected in all_refusals(path)


def test_all_that_is_wrong_is_found(tmp_path: Path) -> None:
    path = put(tmp_path, "bad.conll", lines("(3", "4)", "x", "(5)"))

    assert all_refusals(path) == [
        ":2: a mention of 3 is opened here and never closed; '3)' is missing",
        ":3: '4)' closes no mention; open here: 3",
        f":4: 'x' {NO_BRACKET}; no open mention has this id",
    ]


@pytest.mark.parametrize("separator", ["\t", " "])
def test_the_word_hash_in_two_columns_is_no_comment(tmp_path: Path, separator: str) -> None:
    lines = ["#begin document (d); part 000", "# comment", "a (1)", "# -", "# (1)", "#end document"]
    path = put(
        tmp_path,
        "f",
        "".join(f"{line}\n" for line in lines)
        .replace(" -", f"{separator}-")
        .replace(" (1)", f"{separator}(1)"),
    )

    (document,) = anascore.read(path).documents.values()
    anascore.write(anascore.read(path), tmp_path / "out.conll")

    assert list(document.words) == ["a", "#", "#"]
    assert [m.words for m in document.entities[0].mentions] == [((0, 1),), ((2, 3),)]
    assert anascore.read(tmp_path / "out.conll").documents["d"] == document


@pytest.mark.parametrize(
    ("cells", "written"),
    [
        pytest.param([["(7)", "(3)"], ["(3)"]], ["(7)", "(3)", "(3)"], id="numbers stay"),
        pytest.param(
            [["(b)", "(7)"], ["(a)", "(b)"]], ["(1)", "(2)", "(3)", "(1)"], id="other ids do not"
        ),
        pytest.param([["(٣)"]], ["(1)"], id="digits of other scripts do not"),
    ],
)
def test_ids_are_written_as_numbers(
    tmp_path: Path, cells: list[list[str]], written: list[str]
) -> None:
    text = "".join(
        lines(*of_document, begin=f"#begin document (d{number}); part 000")
        for number, of_document in enumerate(cells)
    )

    corpus = anascore.read(put(tmp_path, "test.conll", text), "conll2012")

    rows = [line.split("\t") for line in write_conll2012(corpus).splitlines()]
    assert [row[-1] for row in rows if len(row) > 1] == written


@pytest.mark.parametrize("separator", ["\t", "  "])
def test_blanks_around_bars(tmp_path: Path, separator: str) -> None:
    rows = (("Ann", "(1 | (2)"), ("|", "-"), ("(a|b)", "(3)| 1)"), ("and", "1) |(4)"))
    text = "".join(separator.join(["0", word, cell]) + "\n" for word, cell in rows)
    path = put(tmp_path, "test.conll", text.replace("1) |(4)", "(4)"))

    for forced in (None, "conll2012"):
        (document,) = anascore.read(path, forced).documents.values()

        assert document.words == ("Ann", "|", "(a|b)", "and")
        assert spans(document) == {"1": [(0, 3)], "2": [(0, 1)], "3": [(2, 3)], "4": [(3, 4)]}
