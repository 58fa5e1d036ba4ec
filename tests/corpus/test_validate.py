"""Every problem in a file, and what is suspicious in it."""

from pathlib import Path

import pytest

import anascore
from anascore import Bridge, Document, Entity, Mention
from anascore.cli.main import main
from anascore.corpus.validate import FileValidation, suspicions, validate_path
from support.generated_corpora import FORMATS, generated_file
from support.shared import CORPORA


def found_in(path: Path, format_name: str | None = None) -> list[FileValidation]:
    return [file for file, _ in validate_path(str(path), format_name)]


def lines_of(path: Path, text: str, format_name: str | None = None) -> list[tuple[int | None, str]]:
    """Write a file, and return the lines and texts of the errors in it."""
    path.write_text(text, encoding="utf-8")
    (validated,) = found_in(path, format_name)
    assert sorted(validated.errors + validated.warnings) == sorted(validated.problems)
    return [(p.line, p.what) for p in validated.problems if p.severity == "error"]


def test_every_error_in_corefud(tmp_path: Path) -> None:
    misc = [
        "Entity=(e1-x-3-)",
        "Entity=e2)",
        "Entity=(e3[2/2]-x-1-)",
        "Entity=(e4-x-1-",
        "Entity=(e5[1/2]-x-1-)|SplitAnte=e1",
        "SplitAnte=e1<e9,e1<e1|Bridge=e1",
        "Entity=xyz",
        "Entity=(e6[x]-x-1-)",
        "Entity=(-x-1-)",
    ]
    rows = [f"{n}\tw\t" + "_\t" * 7 + text for n, text in enumerate(misc, 1)]
    header = "# global.Entity = eid-etype-head-other\n"

    found = lines_of(tmp_path / "f.conllu", header + "\n".join(rows) + "\n")

    assert found == [
        (2, "head of a mention of e1 is '3'; it must be 1, the number of its word"),
        (3, "'e2)' closes no mention; open here: nothing"),
        (4, "e3[2/2] is here, but part 1 of that mention is not closed before it"),
        (5, "a mention of e4 is opened here and never closed; 'e4)' is missing"),
        (6, "'e1' in SplitAnte=e1 is not of the form e3<e11: element, '<', set"),
        (6, "e5[1/2] is here, but 1 of its 2 parts are closed"),
        (
            7,
            "SplitAnte=e1<e9,e1<e1: document 'unnamed' has no entity e9; an element and its set "
            "need mentions",
        ),
        (7, "an entity cannot be an element of itself: e1 is an element of e1"),
        (7, "'e1' in Bridge=e1 is not of the form e12<e124 or e12<e124:part"),
        (8, "'xyz' is neither '(e1-...' nor 'e1)', where e1 is an entity id"),
        (9, "'e6[x]' is neither the id of an entity, like e1, nor a part, like e1[1/2]"),
        (10, "'(-x-1-' without the id of an entity, like '(e1-...'"),
    ]


def test_every_error_in_conll2012(tmp_path: Path) -> None:
    text = """\
stray -
#begin document (a); part 000
w (1
w 2)
w x
#end document
stray -
#begin document (a); part 000
w -
"""

    assert lines_of(tmp_path / "f.conll", text) == [
        (1, "this word is in no document; '#begin document (id); part 000' is missing above"),
        (3, "a mention of 1 is opened here and never closed; '1)' is missing"),
        (4, "'2)' closes no mention; open here: 1"),
        (
            5,
            "'x' in the last column is not one of '(3', '3)', '(3)' and '-'; no open mention has "
            "this id",
        ),
        (7, "this word is in no document; '#begin document (id); part 000' is missing above"),
        (8, "duplicate document id 'a'; line 2 has it too"),
    ]


def test_every_error_in_ua(tmp_path: Path) -> None:
    cells = [
        "(EntityID=1|MarkableID=m|Min=x)",
        "(EntityID=2|MarkableID=m)",
        "(EntityID=3|x)",
        "xyz",
        "(EntityID=5",
    ]
    rows = [f"{n}\tw\t{cell}\t(x)" for n, cell in enumerate(cells, 1)]
    header = "# global.columns = ID FORM IDENTITY BRIDGING\n"

    found = lines_of(tmp_path / "f.conllua", header + "\n".join(rows) + "\n")

    assert [(line, what) for line, what in found if "'(x'" not in what] == [
        (2, "Min=x is not one word number, or two with a comma between"),
        (3, "MarkableID m is in entity 2 here and in 1 above; a mention is in one entity"),
        (4, "'(EntityID=3|x' is not of the form '(EntityID=...|MarkableID=...'"),
        (5, "'xyz' is neither '(EntityID=...' nor ')' nor '_'"),
        (6, "a mention of entity 5 is opened here and never closed; a ')' is missing"),
    ]
    assert len([what for _, what in found if "'(x'" in what]) == len(cells)


@pytest.mark.parametrize(
    ("columns", "what"),
    [
        ("ID FORM", "global.columns has no column IDENTITY, which CoNLL-UA needs"),
        ("FORM IDENTITY", "global.columns has no column ID, which CoNLL-UA needs"),
    ],
)
def test_columns_that_are_missing(tmp_path: Path, columns: str, what: str) -> None:
    text = f"# global.columns = {columns}\n1\tw\t_\n"

    assert lines_of(tmp_path / "f.conllua", text) == [(1, what)]


def test_too_few_columns_for_ua(tmp_path: Path) -> None:
    what = "it has no global.columns, and no line has 11 columns or more"

    found = lines_of(tmp_path / "f", "1\tw\t_\n", "ua")

    assert found == [(None, f"this is not CoNLL-UA: {what}")]


def test_fields_that_are_not_those_of_corefud(tmp_path: Path) -> None:
    text = "# global.Entity = etype-head\n1\tw\t" + "_\t" * 7 + "Entity=(e1-x-1-)\n"
    what = "global.Entity = etype-head must name eid, and no field twice"

    found = lines_of(tmp_path / "f.conllu", text)

    assert found == [(1, f"{what}; usual is eid-etype-head-other")]


def test_entities_without_fields(tmp_path: Path) -> None:
    row = "1\tw\t" + "_\t" * 7 + "Entity=(e1-x-1-)\n"
    what = "Entity= without a line '# global.Entity = ...' above that names its fields"

    found = lines_of(tmp_path / "f.conllu", f"{row}\n{row}")

    assert found == [(1, f"{what}; usual is eid-etype-head-other")]


def test_a_file_of_no_known_format(tmp_path: Path) -> None:
    ((line, what),) = lines_of(tmp_path / "f.txt", "Once upon a time.\n")

    assert line is None
    assert what.startswith("cannot detect the format of this file; choose one with --format")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    (validated,) = found_in(tmp_path / "nowhere")

    assert len(validated.errors) == 1
    assert str(validated.problems[0]) == f"{tmp_path / 'nowhere'}: error: no such file"


def test_all_files_of_a_folder(tmp_path: Path) -> None:
    good = '{"doc_key": "d", "tokens": ["a"], "clusters": []}\n'
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_text(good)
    (tmp_path / "c.jsonl").write_bytes(b"\xff")
    (tmp_path / "d.jsonl").write_text(good)

    first, second, third, fourth = found_in(tmp_path)

    assert first.problems == ()
    assert str(second.problems[0]) == (
        f"{tmp_path / 'b.jsonl'}: warning: document 'd' is also in {tmp_path / 'a.jsonl'}; "
        "the folder cannot be read as one corpus"
    )
    assert third.problems[0].what == "byte 0xff is not UTF-8; the file must be UTF-8 text"
    assert (fourth.errors, fourth.warnings) == ([], [*fourth.problems])


def test_several_documents_that_other_files_have(tmp_path: Path) -> None:
    line = '{{"doc_key": "{}", "tokens": ["a"], "clusters": []}}\n'
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_text("".join(line.format(document) for document in "xyz"))

    _, second = found_in(tmp_path)

    assert [problem.what for problem in second.problems] == [
        f"document 'x' is also in {tmp_path / 'a.jsonl'} (2 more are repeated); "
        "the folder cannot be read as one corpus"
    ]


def one(*words: int) -> list[Mention]:
    return [Mention(((word, word + 1),)) for word in words]


def bridge(anaphor: int, anchor: int, entity: int | None) -> Bridge:
    first, second = one(anaphor, anchor)
    return Bridge(first, second, entity)


SUSPICIOUS = {
    "an accommodated set with one element": (
        Document("d", "abc", [Entity(one(0), name="x"), Entity(one(1), [0], "s")]),
        ["the accommodated set of entity s has only one element"],
    ),
    "an element that is mentioned only later": (
        Document(
            "d",
            "abc",
            [Entity(one(0), name="x"), Entity(one(2), name="y"), Entity(one(1), [0, 1], "s")],
        ),
        [
            "entity y is an element of the accommodated set of entity s, "
            "but is first mentioned after it"
        ],
    ),
    "two sets that are equal": (
        Document(
            "d",
            "abcd",
            [
                *(Entity(one(word), name=str(word)) for word in (0, 1)),
                Entity(one(2), [0, 1], "s"),
                Entity(one(3), [1, 0], "t"),
            ],
        ),
        ["entity s and entity t have the same accommodated set; they are scored as one entity"],
    ),
    "the same mention in two entities": (
        Document("d", "abc", [Entity(one(0), name="x"), Entity(one(0, 1), name="y")]),
        ["entity x and entity y have the same mention; it counts for only one of them"],
    ),
    "the same mention twice in an entity": (
        Document("d", "abc", [Entity(one(0, 0), name="x")]),
        ["entity x has the same mention twice"],
    ),
    "a bridging anaphor that is a mention of its anchor": (
        Document("d", "abc", [Entity(one(0, 1), name="x")], bridges=[bridge(1, 0, 0)]),
        ["a bridging anaphor is itself a mention of its anchor, entity x"],
    ),
    "a minimum span outside of its mention": (
        Document("d", "abcd", [Entity([Mention(((0, 2),), minimum=((2, 3),))], name="x")]),
        ["a mention of entity x does not contain its minimum span"],
    ),
    "discourse deixis": (
        Document("d", "abc", [], deixis=[Entity(one(0)), Entity(one(1), [0], "s")]),
        ["the accommodated set of entity s has only one element"],
    ),
    "no words": (Document("d", "", []), ["document 'd' has no words"]),
    "nothing": (
        Document(
            "d",
            "abcd",
            [
                *(Entity(one(word), name=str(word)) for word in (0, 1)),
                Entity(one(2), [0, 1], "s"),
            ],
            bridges=[bridge(1, 0, 0), bridge(1, 3, None)],
        ),
        [],
    ),
}


@pytest.mark.parametrize("name", SUSPICIOUS)
def test_suspicious(name: str) -> None:
    document, expected = SUSPICIOUS[name]

    assert [what for _, what in suspicions(document)] == expected


def test_split_links_that_are_repeated(tmp_path: Path) -> None:
    text = """\
# global.columns = ID FORM IDENTITY
1\ta\t(EntityID=1)
2\tb\t(EntityID=2)
3\tc\t(EntityID=3|ResultOf=1,2)
4\td\t(EntityID=3|ResultOf=1)
"""
    (tmp_path / "f").write_text(text)

    ((problem,),) = (validated.problems for validated in found_in(tmp_path / "f"))

    assert (problem.line, problem.severity) == (5, "warning")
    assert problem.what == ("ResultOf=1: line 4 already makes 1 an element of 3; once is enough")


def test_several_mentions_of_an_element_can_be_marked(tmp_path: Path) -> None:
    text = """\
# global.columns = ID FORM IDENTITY
1\ta\t(EntityID=1|ElementOf=3)
2\tb\t(EntityID=2|ElementOf=3)
3\tc\t(EntityID=1|ElementOf=3)
4\td\t(EntityID=3)
"""
    (tmp_path / "f").write_text(text)

    assert [list(validated.problems) for validated in found_in(tmp_path / "f")] == [[]]


@pytest.mark.parametrize("name", FORMATS)
def test_generated_corpora_have_no_errors(name: str, tmp_path: Path) -> None:
    generated_file(tmp_path, name)

    found = found_in(tmp_path)

    assert not any(validated.errors for validated in found)
    assert {validated.format for validated in found} == {name}


@pytest.mark.corpora
@pytest.mark.parametrize(
    "name",
    [
        *("gum/key.conllu", "gum/key.conllua", "gum/key.conll", "gum/original-dev.conllu"),
        *("gum/xrenner.conllu", "ancora/dev.conllu", "friends/dev.json", "rucoco"),
        *("friends-semeval/key.conll", "gerdracor/A.conll", "gum"),
    ],
)
def test_real_corpora_have_no_errors(name: str) -> None:
    assert not any(validated.errors for validated in found_in(CORPORA / name))


def test_a_folder_without_files(tmp_path: Path) -> None:
    ((problem,),) = (validated.problems for validated in found_in(tmp_path))

    assert problem.what == "there are no files in this folder"


def test_only_the_first_of_many_problems_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "f.conll").write_text("w 1)\n" * 250)

    assert main(["validate", str(tmp_path / "f.conll")]) == 1

    lines = capsys.readouterr().out.splitlines()
    assert lines[100:] == [
        f"{tmp_path / 'f.conll'}: and 150 more; --output json shows all",
        "250 errors, 0 warnings in 1 file",
        "Nothing can be scored until the errors are corrected.",
    ]


def test_a_long_message_is_cut(tmp_path: Path) -> None:
    ((_, what),) = lines_of(tmp_path / "f.conll", "w (1)\nw " + "x" * 10_000 + "\n", "conll2012")

    assert len(what) < 500
    assert what.endswith("not one of '(3', '3)', '(3)' and '-'; no open mention has this id")


def test_many_problems_of_each_kind_take_no_time_to_speak_of(tmp_path: Path) -> None:
    number = 5000
    rows = [
        f"{i + 1}\tw\t(EntityID={i}|ElementOf={i ^ 1})(EntityID=x|MarkableID=m{i})\t"
        f"(MarkableID=m{i}|EntityAnchor=x)"
        for i in range(number)
    ]
    header = "# global.columns = ID FORM IDENTITY BRIDGING\n"

    assert len(lines_of(tmp_path / "a", header + "\n".join(rows))) == number // 2
    text = "\n".join(f"w ({i}|x{i})" for i in range(number))
    assert len(lines_of(tmp_path / "b", text, "conll2012")) == 2 * number
    text = " ".join(f"w|[{i},x{i}]" for i in range(number))
    assert len(lines_of(tmp_path / "c", text, "llm-text")) == 2 * number


def conll_row(position: int, cell: str, last: str = "-") -> str:
    row = ["d", "0", "0", "w", "NN", "*", "-", "-", "-", "-", "*", "*", last]
    row[position] = cell
    return "\t".join(row) + "\n"


@pytest.mark.parametrize(
    ("position", "name"), [(4, "XPOS"), (5, "PARSE"), (8, "SENSE"), (10, "NER")]
)
@pytest.mark.parametrize("cell", ["(1)", "(12", "12)", "(1)|(2", "3)(1"])
def test_brackets_in_another_column(tmp_path: Path, position: int, name: str, cell: str) -> None:
    rows = conll_row(4, "NN", "(1)") + conll_row(position, cell) * 2
    path = tmp_path / "f.conll"
    path.write_text(f"#begin document (d)\n{rows}#end document\n")

    (validated,) = found_in(path, "conll2012")

    message = f"brackets like those of the last column in column {name}, not read: 2"
    assert [(problem.line, problem.what) for problem in validated.problems] == [(3, message)]


def test_brackets_in_another_column_only(tmp_path: Path) -> None:
    path = tmp_path / "f.conll"
    others = (
        conll_row(3, "(2)") + "#end document\n#begin document (e)\n" + conll_row(3, "(3)", "(1)")
    )
    path.write_text(f"#begin document (d)\n{conll_row(10, '(1)')}{others}#end document\n")

    (validated,) = found_in(path, "conll2012")

    kind = "brackets like those of the last column in column NER, not read"
    assert [(problem.line, problem.what) for problem in validated.problems] == [(2, f"{kind}: 1")]
    notes = [document.notes for document in anascore.read(path, "conll2012").documents.values()]
    assert notes == [{kind: 1}, {}]


@pytest.mark.parametrize(
    ("position", "cell"),
    [(5, "(TOP(S(NP*)"), (10, "(GPE)"), (11, "(ARG0*)"), (9, "speaker_1"), (8, "1"), (3, "(1)")],
)
def test_brackets_that_may_be_in_another_column(tmp_path: Path, position: int, cell: str) -> None:
    path = tmp_path / "f.conll"
    row = conll_row(4, "NN", "(1)") + conll_row(position, cell)
    path.write_text(f"#begin document (d)\n{row}#end document\n")

    (validated,) = found_in(path, "conll2012")

    assert validated.problems == ()


def numbered_rows(*sentences: str) -> str:
    """Return a document whose sentences have these numbers of words."""
    rows = ("".join(f"d\t0\t{n}\tw\t(1)\n" for n in numbers.split()) for numbers in sentences)
    return "#begin document (d)\n" + "\n".join(rows) + "#end document\n"


LONG = " ".join(map(str, range(20)))


@pytest.mark.parametrize(
    ("sentences", "odd"),
    [
        (["0 1 2 2 3", LONG], [5]),
        (["0 2 1", LONG, LONG], [3, 4]),
        ([LONG, "0 1 3"], [25]),
        (["0 1 - 3", LONG], [4, 5]),
        (["0 1 \u0662", LONG], [4]),
        ([LONG, LONG], []),
        (["1 2 3", "4 5 6", "0 1"], []),
        (["0 0 0", "0 0"], []),
        (["_ _ _"], []),
        (["0 1 1 2 2"], []),
    ],
)
def test_numbers_of_words(tmp_path: Path, sentences: list[str], odd: list[int]) -> None:
    path = tmp_path / "f.conll"
    path.write_text(numbered_rows(*sentences))

    (validated,) = found_in(path, "conll2012")

    message = (
        "words whose number does not follow that of the word before; "
        f"lines may be missing or repeated: {len(odd)}"
    )
    assert [(problem.line, problem.what) for problem in validated.problems] == [
        (line, message) for line in odd[:1]
    ]


def test_numbers_of_words_in_another_layout_are_not_checked(tmp_path: Path) -> None:
    path = tmp_path / "f.conll"
    path.write_text(numbered_rows("0 1 1 2", LONG).replace("d\t0\t", ""))

    (validated,) = found_in(path, "conll2012")

    assert validated.problems == ()
