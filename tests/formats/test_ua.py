"""Reading CoNLL-UA."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TypeAlias

import pytest

import anascore
from anascore import Bridge, Document, Entity, Mention, NonReferring, ReadError
from anascore.corpus.validate import validate
from support.reading import all_refusals, put
from support.samples import tabbed
from support.ua_files import HEADER, lines
from tools.fuzzing.readers import in_python


def read(folder: Path, text: str | bytes) -> dict[str, Document]:
    path = folder / "test.conllua"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return anascore.read(path).documents


def words(*spans: tuple[int, int]) -> Mention:
    return Mention(spans)


@pytest.mark.parametrize(
    ("identity", "expected"),
    [
        pytest.param(["(EntityID=1)"], {"1": [words((0, 1))]}, id="one word"),
        pytest.param(
            ["(EntityID=1|MarkableID=m1", "_", ")"], {"1": [words((0, 3))]}, id="three words"
        ),
        pytest.param(
            ["(EntityID=1(EntityID=2)", ")"],
            {"1": [words((0, 2))], "2": [words((0, 1))]},
            id="nested at the first word",
        ),
        pytest.param(
            ["(EntityID=1@(EntityID=2", "_", ")", ")"],
            {"1": [words((0, 4))], "2": [words((0, 3))]},
            id="openings separated by @",
        ),
        pytest.param(
            ["(EntityID=1", "(EntityID=2))"],
            {"1": [words((0, 2))], "2": [words((1, 2))]},
            id="a closing bracket behind a mention of one word",
        ),
        pytest.param(
            ["(EntityID=1", "(EntityID=2", "))(EntityID=1)"],
            {"1": [words((0, 3)), words((2, 3))], "2": [words((1, 3))]},
            id="closings before an opening",
        ),
        pytest.param(
            ["(EntityID=1|MarkableID=a", "(EntityID=2|MarkableID=b", "a)", "b)"],
            {"1": [words((0, 3))], "2": [words((1, 4))]},
            id="crossing mentions, closed by name",
        ),
        pytest.param(
            ["(EntityID=1|MarkableID=a", "(EntityID=2|MarkableID=b", "a)", ")"],
            {"1": [words((0, 3))], "2": [words((1, 4))]},
            id="named and bare closings in one file",
        ),
        pytest.param(
            ["(EntityID=1|MarkableID=a)", "_", "(EntityID=1|MarkableID=a", ")"],
            {"1": [words((0, 1), (2, 4))]},
            id="discontinuous",
        ),
        pytest.param(
            ["(EntityID=1|MarkableID=a)", "(EntityID=1|MarkableID=a)"],
            {"1": [words((0, 2))]},
            id="parts that touch are no gap",
        ),
        pytest.param(
            ["(EntityID=1|MarkableID=a(EntityID=1|MarkableID=a)", "_", ")"],
            {"1": [words((0, 3))]},
            id="parts that overlap",
        ),
        pytest.param(
            ["(entityid=1|MARKABLEID=a)", "(EntityId=1|MarkableId=b)"],
            {"1": [words((0, 1)), words((1, 2))]},
            id="keys in any case",
        ),
        pytest.param(
            ["(EntityID=1|Min=2,3", "_", "_", ")"],
            {"1": [Mention(((0, 4),), minimum=((1, 3),))]},
            id="minimum span",
        ),
        pytest.param(
            ["(EntityID = 1| MarkableID = a )", "_", "(EntityID=1|MarkableID=a)"],
            {"1": [words((0, 1), (2, 3))]},
            id="blanks around keys and values",
        ),
        pytest.param(
            ["(EntityID=1|MIN=2", "_", ")"],
            {"1": [Mention(((0, 3),), minimum=((1, 2),))]},
            id="minimum of one word",
        ),
    ],
)
def test_mentions(tmp_path: Path, identity: list[str], expected: dict[str, list[Mention]]) -> None:
    (document,) = read(tmp_path, HEADER + lines(*identity)).values()

    assert expected == {entity.name: list(entity.mentions) for entity in document.entities}


def test_zeros_are_placed_by_the_words_before_them_and_their_rank(tmp_path: Path) -> None:
    ids = ("1", "1.1", "1.2", "2", "2.1")
    identity = ("(EntityID=1", "(EntityID=2)", "(EntityID=3)", ")", "(EntityID=2)")

    (document,) = read(tmp_path, HEADER + lines(*identity, ids=ids)).values()

    assert document.words == ("w1", "w2")
    assert [
        Entity((Mention(((0, 2),), ((1, 1), (1, 2))),)),
        Entity((Mention((), ((1, 1),)), Mention((), ((2, 1),)))),
        Entity((Mention((), ((1, 2),)),)),
    ] == list(document.entities)


def test_multiword_tokens_carry_nothing(tmp_path: Path) -> None:
    text = lines("_", "(EntityID=1)", "_", ids=("1-2", "1", "2"))

    (document,) = read(tmp_path, HEADER + text).values()

    assert document.words == ("w1", "w2")
    assert [entity.name for entity in document.entities] == ["1"]


@pytest.mark.parametrize("suffix", ["-Pseudo", "_Pseudo"])
def test_non_referring_mentions_are_kept_apart(tmp_path: Path, suffix: str) -> None:
    text = lines(f"(EntityID=1{suffix})", "(EntityID=1)")

    (document,) = read(tmp_path, HEADER + text).values()

    assert document.nonreferring == (NonReferring(words((0, 1))),)
    assert [Entity((words((1, 2)),))] == list(document.entities)


def test_element_of_names_the_set_also_before_it_is_mentioned(tmp_path: Path) -> None:
    identity = ("(EntityID=a|ElementOf=s,t)", "(EntityID=b|ElementOf=s)", "(EntityID=s)")
    text = lines(*identity, "(EntityID=t)", "(EntityID=a|ElementOf=s)")

    (document,) = read(tmp_path, HEADER + text).values()

    elements = {entity.name: entity.elements for entity in document.entities}
    assert elements == {"a": (), "b": (), "s": (0, 1), "t": (0,)}


def test_columns_are_found_by_name(tmp_path: Path) -> None:
    text = "# global.columns = FORM IDENTITY ID\n# newdoc id = d\nJohn\t(EntityID=1)\t1\n"

    (document,) = read(tmp_path, text).values()

    assert document.words == ("John",)
    assert [Entity((words((0, 1)),))] == list(document.entities)


def test_without_global_columns_identity_is_the_eleventh(tmp_path: Path) -> None:
    (document,) = read(tmp_path, lines("(EntityID=1)")).values()

    assert [Entity((words((0, 1)),))] == list(document.entities)


def test_missing_columns_at_the_end_are_empty_where_there_are_no_tabs(tmp_path: Path) -> None:
    (document,) = read(tmp_path, HEADER + "# newdoc id = d\n1\n2 w\n").values()

    assert document.words == ("_", "w")
    assert document.entities == ()


def test_blanks_separate_columns_where_there_are_no_tabs(tmp_path: Path) -> None:
    text = HEADER + "# newdoc id = d\n1   John  _ _ _ _ _ _ _ _  (EntityID=1)   _\n"

    (document,) = read(tmp_path, text).values()

    assert document.words == ("John",)
    assert len(document.entities) == 1


def test_only_blanks_separate_columns_there(tmp_path: Path) -> None:
    text = HEADER + "# newdoc id = d\n1 New\u00a0York _ _ _ _ _ _ _ _ (EntityID=1)\n"

    (document,) = read(tmp_path, text).values()

    assert document.words == ("New\u00a0York",)
    assert len(document.entities) == 1


def test_words_can_hold_blanks_where_tabs_separate_columns(tmp_path: Path) -> None:
    text = HEADER + lines("_").replace("w1", "New York")

    (document,) = read(tmp_path, text).values()

    assert document.words == ("New York",)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda text: text.replace("\n", "\r\n").encode(), id="CRLF"),
        pytest.param(lambda text: text.replace("\n", "\r").encode(), id="CR"),
        pytest.param(lambda text: b"  \n" + text.encode(), id="a blank line in front"),
        pytest.param(lambda text: b"\xef\xbb\xbf" + text.encode(), id="byte order mark"),
        pytest.param(lambda text: text.rstrip("\n").encode(), id="no newline at the end"),
        pytest.param(lambda text: text.replace("\n", "\n\n").encode(), id="blank lines"),
    ],
)
def test_forms_of_a_text_file(tmp_path: Path, change: "object") -> None:
    text = HEADER + lines("(EntityID=1)", "_", "(EntityID=1)")
    plain = read(tmp_path, text)

    assert callable(change)
    assert plain == read(tmp_path, change(text))


def test_line_separators_inside_words_do_not_end_a_line(tmp_path: Path) -> None:
    (document,) = read(tmp_path, HEADER + lines("_").replace("w1", "a\u2028b")).values()

    assert document.words == ("a\u2028b",)


def test_documents_are_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = HEADER + lines("(EntityID=1)").replace("id = d", "id = z") + "\n" + lines("_")

    documents = read(tmp_path, text)

    assert list(documents) == ["z", "d"]
    assert [len(document.entities) for document in documents.values()] == [1, 0]


def test_a_document_without_newdoc_is_still_a_document(tmp_path: Path) -> None:
    text = HEADER + lines("(EntityID=1)").replace("# newdoc id = d\n", "")

    assert list(read(tmp_path, text)) == ["unnamed"]


def test_documents_without_ids_are_told_apart(tmp_path: Path) -> None:
    text = HEADER + lines("(EntityID=1)").replace(" id = d", "") * 3

    assert list(read(tmp_path, text)) == ["unnamed", "unnamed-2", "unnamed-3"]


def test_a_document_can_lack_words(tmp_path: Path) -> None:
    text = HEADER + "# newdoc id = empty\n\n" + lines("_")

    documents = read(tmp_path, text)

    assert [document.words for document in documents.values()] == [(), ("w1",)]


def test_ids_may_restart_in_each_sentence(tmp_path: Path) -> None:
    text = lines("(EntityID=1", "_", "_", ")", ids=("1", "2", "1", "2"))
    text = text.replace("_\n1\t", "_\n\n1\t")

    (document,) = read(tmp_path, HEADER + text).values()

    assert [Entity((words((0, 4)),))] == list(document.entities)


def test_words_know_their_lines(tmp_path: Path) -> None:
    (document,) = read(tmp_path, HEADER + lines("_", "_")).values()

    assert list(document.lines) == [3, 4]


def warnings_of(folder: Path, text: str) -> list[tuple[int | None, str]]:
    """Return lines and messages of the warnings about a file without errors."""
    path = folder / "test.conllua"
    path.write_text(text)
    (validated,) = validate(str(path), "ua")
    assert not validated.errors
    return [(problem.line, problem.what) for problem in validated.problems]


def layered(*rows: str) -> str:
    """Return a document of words with values of IDENTITY, BRIDGING and DISCOURSE_DEIXIS."""
    lines = (f"{number} w {row}" for number, row in enumerate(rows, 1))
    columns = "# global.columns = ID FORM IDENTITY BRIDGING DISCOURSE_DEIXIS\n"
    return columns + tabbed("# newdoc id = d\n" + "\n".join(lines) + "\n")


ANCHOR = "(EntityID=1|MarkableID=a)"
B, C, D = (f"(EntityID={name}|MarkableID={name}" for name in "bcd")


@pytest.mark.parametrize(
    ("rows", "anaphors"),
    [
        pytest.param(
            [f"{ANCHOR} _ _", f"{B} (MarkableID=b|MentionAnchor=a) _", ") _ _"],
            [(1, 3)],
            id="closed on the first word",
        ),
        pytest.param(
            [f"{ANCHOR} _ _", f"{B} (MarkableID=b|EntityAnchor=1 _", ") ) _"],
            [(1, 3)],
            id="closed on the last word",
        ),
        pytest.param(
            [f"{ANCHOR} _ _", f"{B} (MarkableID=b|MentionAnchor=a _", ") b) _"],
            [(1, 3)],
            id="closed by name",
        ),
        pytest.param(
            [
                f"{ANCHOR} _ _",
                f"{B}{C} (MarkableID=b|MentionAnchor=a@(MarkableID=c|MentionAnchor=a _",
                f"){D}) )(MarkableID=d|MentionAnchor=a) _",
                ") ) _",
            ],
            [(1, 4), (1, 3), (2, 3)],
            id="nested",
        ),
        pytest.param(
            [
                f"{ANCHOR} _ _",
                f"{B} (MarkableID=b|MentionAnchor=a _",
                f"{C}) (MarkableID=c|MentionAnchor=a)) _",
                ") _ _",
            ],
            [(1, 4), (2, 3)],
            id="a closing bracket behind an entry of one word",
        ),
        pytest.param(
            [
                f"{ANCHOR} _ _",
                f"{B} (MarkableID=b|MentionAnchor=a _",
                f"{C} (MarkableID=c|MentionAnchor=a _",
                "b) b) _",
                "c) c) _",
            ],
            [(1, 4), (2, 5)],
            id="crossing",
        ),
    ],
)
def test_bridging(tmp_path: Path, rows: list[str], anaphors: list[tuple[int, int]]) -> None:
    (document,) = read(tmp_path, layered(*rows)).values()

    assert list(document.bridges) == [
        Bridge(words(anaphor), words((0, 1)), 0, "") for anaphor in anaphors
    ]
    assert document.notes == {}


def test_discourse_deixis_has_entities_of_its_own(tmp_path: Path) -> None:
    text = layered("(EntityID=1) _ (EntityID=1|ElementOf=2)", "_ _ (EntityID=2)")

    (document,) = read(tmp_path, text).values()

    assert [(e.name, e.mentions, e.elements) for e in document.entities] == [
        ("1", (words((0, 1)),), ())
    ]
    assert [(e.name, e.mentions, e.elements) for e in document.deixis] == [
        ("1", (words((0, 1)),), ()),
        ("2", (words((1, 2)),), (0,)),
    ]


def test_reference_and_nom_sem_are_not_read(tmp_path: Path) -> None:
    text = HEADER + lines("(EntityID=1)", "_").replace("_\t_\n", ")\t(x\n")

    (document,) = read(tmp_path, text).values()

    assert len(document.entities) == 1


OUTSIDE = "minimum spans outside of their mentions, not used"


@pytest.mark.parametrize(
    ("identity", "number"),
    [
        (["(EntityID=1|Min=1,2", ")", "_"], 0),
        (["(EntityID=1|Min=3", ")", "_"], 1),
        (["(EntityID=1|Min=2,3", ")", "_"], 1),
        (["_", "(EntityID=1|Min=1,2", ")"], 1),
        (["_", "(EntityID=1|Min=1)", "(EntityID=1|Min=900)"], 2),
        (["(EntityID=1|MarkableID=a|Min=2)", "_", "(EntityID=1|MarkableID=a)"], 1),
        (["(EntityID=1|MarkableID=a|Min=1,3)", "_", "(EntityID=1|MarkableID=a)"], 0),
    ],
)
def test_minimum_spans_outside_of_their_mentions(
    tmp_path: Path, identity: list[str], number: int
) -> None:
    (document,) = read(tmp_path, HEADER + lines(*identity)).values()
    warnings = warnings_of(tmp_path, HEADER + lines(*identity))

    assert document.notes == ({OUTSIDE: number} if number else {})
    assert any(m.minimum for e in document.entities for m in e.mentions) == (not number)
    assert [what for _, what in warnings if "outside" in what] == (
        [f"{OUTSIDE}: {number}"] if number else []
    )


@pytest.mark.parametrize(
    "minimum",
    [
        "1_0",
        "\u0661",
        "1,\u0662",
        "+1",
        "1,",
        ",1",
        "1,2,3",
        "0",
        "2,1",
        "",
        "-1",
        "1." + "9" * 5000,
    ],
)
def test_minimum_spans_that_are_no_numbers(tmp_path: Path, minimum: str) -> None:
    message = "is not one word number, or two with a comma between"

    with pytest.raises(ReadError, match=r":3: Min=.*" + message):
        read(tmp_path, HEADER + lines(f"(EntityID=1|Min={minimum}", ")"))


def test_blanks_in_minimum_spans(tmp_path: Path) -> None:
    (document,) = read(tmp_path, HEADER + lines("(EntityID=1|Min=1 , 2", "_", ")")).values()

    assert [m.minimum for e in document.entities for m in e.mentions] == [((0, 2),)]


def test_non_referring_mentions_are_no_elements(tmp_path: Path) -> None:
    text = HEADER + lines("(EntityID=1_Pseudo|ElementOf=2)", "(EntityID=2)")
    text += lines("(EntityID=1-Pseudo|ElementOf=9)", "(EntityID=2)").replace("id = d", "id = e")
    note = "non-referring mentions with ElementOf, which are not elements"

    no_set = "non-referring mentions whose ElementOf names no entity, left out"

    documents = read(tmp_path, text)

    assert [document.notes for document in documents.values()] == [{note: 1}, {no_set: 1}]
    assert [e.elements for d in documents.values() for e in d.entities] == [(), ()]
    assert [len(document.nonreferring) for document in documents.values()] == [1, 1]
    assert warnings_of(tmp_path, text) == [(3, f"{note}: 1"), (6, f"{no_set}: 1")]


REOPENED = "reopened MarkableIDs, read as parts of discontinuous mentions"


@pytest.mark.parametrize(
    ("first", "second", "warned"),
    [
        ("", "", True),
        ("|Min=1", "", False),
        ("|SemType=dn", "", False),
        ("|Min=1", "|Min=3", True),
        ("|SemType=dn", "|SemType=dn", True),
        ("", "|SemType=dn", True),
    ],
)
def test_markables_that_open_again(
    tmp_path: Path, first: str, second: str, *, warned: bool
) -> None:
    opening = "(EntityID=1|MarkableID=a"
    text = HEADER + lines(f"{opening}{first})", "_", f"{opening}{second})")

    (document,) = read(tmp_path, text).values()

    assert [m.words for e in document.entities for m in e.mentions] == [((0, 1), (2, 3))]
    assert document.notes == ({REOPENED: 1} if warned else {})
    assert warnings_of(tmp_path, text) == ([(5, f"{REOPENED}: 1")] if warned else [])


@pytest.mark.parametrize(
    ("sentences", "number"), [("_ _ _", 0), ("_ | _ _", 1), ("_ _ | _", 1), ("_ | _ | _", 1)]
)
def test_markables_with_parts_in_several_sentences(
    tmp_path: Path, sentences: str, number: int
) -> None:
    further = "(EntityID=1|MarkableID=a)"
    cells = iter([further.replace(")", "|Min=1)"), further, further])
    text = HEADER + "".join(
        lines(*(next(cells) for _ in sentence.split())).replace("# newdoc id = d\n", "") + "\n"
        for sentence in sentences.split("|")
    )

    (document,) = read(tmp_path, text).values()

    assert sum(len(e.mentions) for e in document.entities) == 1
    assert document.notes == ({REOPENED: 1} if number else {})


LOST_COLUMNS = "lines that end before a column of coreference, read as empty there"


@pytest.mark.parametrize(
    ("widths", "warnings"),
    [
        ((15, 14, 13), []),
        ((13, 12, 15), [(4, f"{LOST_COLUMNS}: 1")]),
        ((10, 15, 2), [(3, f"{LOST_COLUMNS}: 2")]),
    ],
)
def test_absent_columns_where_there_are_no_tabs(
    tmp_path: Path, widths: tuple[int, ...], warnings: list[tuple[int, str]]
) -> None:
    rows = (" ".join([f"{n}", "w", *"_" * 13][:width]) for n, width in enumerate(widths, 1))
    text = HEADER + "# newdoc id = d\n" + "\n".join(rows) + "\n"

    (document,) = read(tmp_path, text).values()

    assert document.words == ("w", "w", "w")
    assert sum(document.notes.values()) == sum(width < 13 for width in widths)
    assert warnings_of(tmp_path, text) == warnings


COLUMNS = "# global.columns = ID FORM MISC IDENTITY\n# newdoc id = d\n1{0}a{0}_{0}_\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (COLUMNS.format("\t") + "2\tb\t_\n", ":4: this line has 3 columns; 4 are expected"),
        (COLUMNS.format("\t") + "2\tb\t_\t_\t_\n", ":4: this line has 5 columns; 4 are expected"),
        (COLUMNS.format("\t") + "2\n", ":4: this line has 1 column; 4 are expected"),
        (COLUMNS.format("\t") + "2.1\tb\n", ":4: this line has 2 columns; 4 are expected"),
        (COLUMNS.format("\t") + "2-3\tb\n", ":4: this line has 2 columns; 4 are expected"),
        (COLUMNS.format(" ") + "2 b _ _ _\n", ":4: this line has 5 columns; 4 are expected"),
    ],
)
def test_wrong_number_of_columns(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ReadError) as raised:
        read(tmp_path, text)

    assert str(raised.value).endswith(f"{message}, from ID to IDENTITY")


def test_wrong_number_of_columns_where_none_are_declared(tmp_path: Path) -> None:
    text = lines("_", "_").removesuffix("\t_\n") + "\n"

    with pytest.raises(ReadError, match=r":3: this line has 14 columns; 15 are expected, from ID"):
        read(tmp_path, text)


def test_a_column_declared_twice(tmp_path: Path) -> None:
    text = "# global.columns = ID FORM IDENTITY IDENTITY\n1\ta\t_\t_\n"
    message = ":1: global.columns has the column IDENTITY 2 times; it must be unique"

    with pytest.raises(ReadError, match=message):
        read(tmp_path, text)


@pytest.mark.parametrize(
    ("cells", "column"),
    [
        ("(EntityID=1) _ _", "IDENTITY"),
        ("_ ) _", "BRIDGING"),
        ("_ _ (EntityID=1", "DISCOURSE_DEIXIS"),
    ],
)
def test_annotation_of_a_multiword_token(tmp_path: Path, cells: str, column: str) -> None:
    text = layered("_ _ _").replace("1\tw", "1-2\tw\t" + "\t".join(cells.split()) + "\n1\tw")
    message = f":3: multiword token 1-2 has annotation in {column}; it belongs on the lines of"

    with pytest.raises(ReadError, match=message):
        read(tmp_path, text)


Reading: TypeAlias = Callable[[], AbstractContextManager[None]]

NEITHER = "is neither '(EntityID=...' nor ')' nor '_'"
NO_ENTRY = "is not of the form '(MarkableID=...|MentionAnchor=...)'"


@pytest.mark.parametrize("reading", [nullcontext, in_python])
@pytest.mark.parametrize("cell", ["junk", "-", "__", "*", "EntityID=1", "@", "@@"])
@pytest.mark.parametrize(
    ("column", "rule"),
    [("IDENTITY", NEITHER), ("BRIDGING", NO_ENTRY), ("DISCOURSE_DEIXIS", NEITHER)],
)
def test_a_cell_that_is_neither_empty_nor_brackets(
    tmp_path: Path,
    column: str,
    rule: str,
    cell: str,
    reading: Callable[[], AbstractContextManager[None]],
) -> None:
    cells = [cell if name == column else "_" for name in HEADER.split()[-5:]]
    text = HEADER + lines("(EntityID=1)", "_", "_")
    text = text.replace("w2\t" + "_\t" * 12 + "_", "w2\t" + "_\t" * 8 + "\t".join(cells))
    path = put(tmp_path, "f.conllua", text)

    with reading():
        assert all_refusals(path, "ua") == [f":4: {cell!r} {rule}"]


@pytest.mark.parametrize("cell", ["@(EntityID=1)", "(EntityID=1)@", "@@(EntityID=1)@@"])
def test_signs_between_brackets(tmp_path: Path, cell: str) -> None:
    assert warnings_of(tmp_path, HEADER + lines(cell)) == []


ENTITY = "(EntityID=1|MarkableID=a)"


@pytest.mark.parametrize("separator", ["\t", " "])
@pytest.mark.parametrize(
    ("column", "cell", "message"),
    [
        ("DEPS", ENTITY, "'EntityID=1' is in column DEPS"),
        ("XPOS", ENTITY.replace("EntityID", "EntityId"), "'EntityId=1' is in column XPOS"),
        ("UPOS", "ElementOf=3", "'ElementOf=3' is in column UPOS"),
        ("HEAD", "(MarkableID=a|MentionAnchor=b)", "'MentionAnchor=b' is in column HEAD"),
        ("FEATS", "(MarkableID=a|EntityAnchor=1", "'EntityAnchor=1' is in column FEATS"),
    ],
)
def test_annotation_in_a_column_of_grammar(
    tmp_path: Path, column: str, cell: str, message: str, separator: str
) -> None:
    columns = HEADER.split()[3:]
    row = ["2", "w", *"_" * 13]
    row[columns.index(column)] = cell
    text = HEADER + lines("_") + "\t".join(row) + "\n"
    path = put(tmp_path, "f.conllua", text.replace("\t", separator))

    right = "BRIDGING" if "Anchor" in cell else "IDENTITY or DISCOURSE_DEIXIS"
    assert all_refusals(path, "ua") == [
        f":4: {message}, where coreference is not read; it belongs in {right}"
    ]


@pytest.mark.parametrize("column", ["FORM", "LEMMA", "MISC", "REFERENCE", "NOM_SEM"])
def test_annotation_in_a_column_that_can_have_anything(tmp_path: Path, column: str) -> None:
    columns = HEADER.split()[3:]
    row = ["2", "w", *"_" * 13]
    row[columns.index(column)] = ENTITY
    text = HEADER + lines("_") + "\t".join(row) + "\n"

    (document,) = read(tmp_path, text).values()

    kind = f"lines with coreference in column {column}, not read"
    assert document.notes == {kind: 1}
    assert warnings_of(tmp_path, text) == [(4, f"{kind}: 1")]


def test_annotation_of_corefud(tmp_path: Path) -> None:
    row = ["2", "w", *"_" * 7, "SpaceAfter=No|Entity=(e1--1-)", *"_" * 5]
    text = HEADER + lines("_") + "\t".join(row) + "\n"

    (document,) = read(tmp_path, text).values()

    kind = "lines with coreference in column MISC, not read"
    assert document.notes == {kind: 1}
    assert warnings_of(tmp_path, text) == [(4, f"{kind}: 1")]


def test_sets_in_a_column_of_their_own_are_not_lost_silently(tmp_path: Path) -> None:
    rows = ["1\tw\t(EntityID=1)\tEntityID=1|ElementOf=2\t_", "2\tw\t(EntityID=2)\t_\t_"]
    text = "# global.columns = ID FORM IDENTITY SPLIT BRIDGING\n" + "\n".join(rows) + "\n"

    (document,) = read(tmp_path, text).values()

    assert document.notes == {"lines with coreference in column SPLIT, not read": 1}
    assert len(document.entities) == 2


@pytest.mark.parametrize(
    ("entry", "name"),
    [
        ("(EntityID=1|MarkableID=a)", "EntityID"),
        ("(MarkableID=a|EntityAnchor=1|ElementOf=2)", "ElementOf"),
        ("(EntityID=1|MarkableID=a|MentionAnchor=a)", ""),
        ("(EntityID=1|MarkableID=a|EntityAnchor=1)", ""),
    ],
)
def test_annotation_of_entities_in_the_column_of_bridging(
    tmp_path: Path, entry: str, name: str
) -> None:
    path = put(tmp_path, "f.conllua", layered(f"{ENTITY} {entry} _"))

    assert all_refusals(path, "ua") == [
        f":3: '{entry}' has {attribute} in column BRIDGING, where it is not read; "
        "it belongs in IDENTITY or DISCOURSE_DEIXIS"
        for attribute in [name]
        if name
    ]


@pytest.mark.parametrize(
    "attribute", ["EntityID=1MarkableID=a", "EntityID==1", "ElementOf=2=3", "ResultOf=2Min=1"]
)
def test_an_attribute_with_two_equals_signs(tmp_path: Path, attribute: str) -> None:
    path = put(tmp_path, "f.conllua", HEADER + lines(f"(EntityID=2)(MarkableID=b|{attribute})"))

    assert f":3: '{attribute}' has more than one '='; a '|' may be missing in it" in all_refusals(
        path, "ua"
    )


@pytest.mark.parametrize("attribute", ["Link=http://x/?a=b=c", "SemType=a=b", "Rel=a=b"])
def test_other_attributes_can_have_several_equals_signs(tmp_path: Path, attribute: str) -> None:
    assert warnings_of(tmp_path, HEADER + lines(f"(EntityID=2|{attribute})")) == []


def numbered(*sentences: str) -> str:
    """Return a document with sentences of these IDs."""
    rows = ("".join(f"{word_id}\tw\t_\n" for word_id in ids.split()) for ids in sentences)
    return "# global.columns = ID FORM IDENTITY\n# newdoc id = d\n" + "\n".join(rows)


GAPS = "gaps in the IDs of words; lines may be missing"


@pytest.mark.parametrize(
    ("sentences", "gaps"),
    [
        (["1 2 3", "1 2"], []),
        (["1 2 3", "4 5", "6"], []),
        (["1 2 3", "4 5", "1 2", "3"], []),
        (["1 2-3 2 2.1 3", "0.1 1"], []),
        (["1 1.1", "1 1.1", "0.1 0.2 1"], []),
        (["01 2"], []),
        (["1 3 4 6"], [(4, f"{GAPS}: 2")]),
        (["2 3", "1 2"], [(3, f"{GAPS}: 1")]),
        (["1 2", "2 3", "4"], [(6, f"{GAPS}: 1")]),
        (["0 1 2"], [(3, f"{GAPS}: 1")]),
        (["1 " + "9" * 5000], [(4, f"{GAPS}: 1")]),
        ([" ".join(map(str, range(1, 5000))), "5000 5001"], []),
    ],
)
def test_gaps_in_ids(tmp_path: Path, sentences: list[str], gaps: list[tuple[int, str]]) -> None:
    text = numbered(*sentences)

    (document,) = read(tmp_path, text).values()

    assert len(document.sentences) == len(sentences)
    assert warnings_of(tmp_path, text) == gaps
    assert document.notes == {}


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        (["1 2 2"], ":5: ID 2 after 2: IDs must rise within a sentence"),
        (["1 2 3", "1 2 1 2"], ":9: ID 1 after 2: IDs must rise within a sentence"),
        (["1 3 2"], ":5: ID 2 after 3: IDs must rise within a sentence"),
        (["1 1.1 1.1"], ":5: ID 1.1 is that of the line before; each zero needs its own"),
        (["0.1 0.1 1"], ":4: ID 0.1 is that of the line before; each zero needs its own"),
        (["1 \u0662"], ":4: the ID '\u0662' must be written in the digits 0 to 9"),
        (["1 1.\u0662"], ":4: '1.\u0662' is not an ID like 8 (a word), 8.1 (a zero) or 8-9"),
        (["\u0661-2 1 2"], ":3: '\u0661-2' is not an ID like 8 (a word), 8.1 (a zero) or 8-9"),
    ],
)
def test_wrong_ids(tmp_path: Path, sentences: list[str], message: str) -> None:
    with pytest.raises(ReadError, match=re.escape(message)):
        read(tmp_path, numbered(*sentences))


def test_reading_goes_on_behind_wrong_ids_and_columns(tmp_path: Path) -> None:
    path = tmp_path / "test.conllua"
    path.write_text(numbered("1 1 2 \u0663 x").replace("2\tw\t_", "2\tw"))

    (validated,) = validate(str(path), "ua")

    assert [problem.line for problem in validated.problems] == [4, 5, 6, 7]
