"""Reading CorefUD."""

from pathlib import Path

import pytest

import anascore
from anascore import Bridge, Document, Mention
from anascore.corpus.validate import validate
from anascore.formats.corefud import REORDERED
from anascore.formats.corefud_brackets import HEADLESS, SHIFTED
from support.reading import all_refusals, put, refusal
from support.samples import SAMPLES

FIELDS = "eid-etype-head-other"


def header(fields: str = FIELDS) -> str:
    return f"# global.Entity = {fields}\n"


def lines(*misc: str, ids: tuple[str, ...] = (), name: str = "d") -> str:
    """Return a document with these entries in MISC, at words 1, 2, 3 or other ids."""
    numbers = ids or tuple(str(number) for number in range(1, len(misc) + 1))
    rows = (
        "\t".join([number, f"w{number}", *"_" * 7, entry])
        for number, entry in zip(numbers, misc, strict=True)
    )
    return f"# newdoc id = {name}\n" + "\n".join(rows) + "\n"


def entity(*values: str, ids: tuple[str, ...] = (), name: str = "d") -> str:
    """Return a document with these values of Entity."""
    misc = (value if value == "_" else f"Entity={value}" for value in values)
    return lines(*misc, ids=ids, name=name)


def read(folder: Path, text: str) -> dict[str, Document]:
    return anascore.read(put(folder, "test.conllu", text), "corefud").documents


def mentions(document: Document) -> dict[str, list[Mention]]:
    return {
        cluster.name: sorted(cluster.mentions, key=lambda mention: mention.order)
        for cluster in document.entities
    }


def elements(document: Document) -> dict[str, set[str]]:
    """Return the names of the elements of each set."""
    names = [cluster.name for cluster in document.entities]
    return {
        cluster.name: {names[element] for element in cluster.elements}
        for cluster in document.entities
        if cluster.elements
    }


def words(*spans: tuple[int, int], head: int | None = None) -> Mention:
    """Make a mention whose head is the word at a position."""
    return Mention(spans, minimum=() if head is None else ((head, head + 1),))


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param(["(e1-person-1-)"], {"e1": [words((0, 1))]}, id="one word"),
        pytest.param(
            ["(e1-person-2-", "_", "e1)"], {"e1": [words((0, 3), head=1)]}, id="three words"
        ),
        pytest.param(["(e1-person--", "e1)"], {"e1": [words((0, 2))]}, id="no head"),
        pytest.param(["(e1", "e1)(e2)"], {"e1": [words((0, 2))], "e2": [words((1, 2))]}, id="ids"),
        pytest.param(
            ["(e1-person-2-a-b-c", "e1)"],
            {"e1": [words((0, 2), head=1)]},
            id="hyphens in the last field",
        ),
        pytest.param(
            ["(e7-person-2-(e3-place-1-)", "e7)"],
            {"e7": [words((0, 2), head=1)], "e3": [words((0, 1))]},
            id="nested at the first word",
        ),
        pytest.param(
            ["(e7-person-1-", "(e3-place-1-)e7)"],
            {"e7": [words((0, 2), head=0)], "e3": [words((1, 2))]},
            id="nested at the last word",
        ),
        pytest.param(
            ["(e7-person-1-", "e7)(e3-place-1-)"],
            {"e7": [words((0, 2), head=0)], "e3": [words((1, 2))]},
            id="closing before opening",
        ),
        pytest.param(
            ["(e1--1-", "(e2--1-", "e1)", "e2)"],
            {"e1": [words((0, 3), head=0)], "e2": [words((1, 4), head=1)]},
            id="crossing",
        ),
        pytest.param(
            ["(e1--1-(e2--2-", "_", "e1)", "e2)"],
            {"e1": [words((0, 3), head=0)], "e2": [words((0, 4), head=1)]},
            id="the first opened closes first",
        ),
        pytest.param(
            ["(e1--1-", "(e1--2-", "_", "e1)", "e1)"],
            {"e1": [words((0, 5), head=0), words((1, 4), head=2)]},
            id="nested in the same entity",
        ),
        pytest.param(
            ["(e1--2-(e1--1-)", "e1)"],
            {"e1": [words((0, 1)), words((0, 2), head=1)]},
            id="one word nested in the same entity",
        ),
        pytest.param(
            ["(e5[1/2]--1-)", "_", "(e5[2/2]--1-", "e5[2/2])"],
            {"e5": [words((0, 1), (2, 4), head=0)]},
            id="discontinuous",
        ),
        pytest.param(
            ["(e5[1/2]--3-)", "_", "(e5[2/2]--3-", "e5[2/2])"],
            {"e5": [words((0, 1), (2, 4), head=3)]},
            id="discontinuous, with its head in the second part",
        ),
        pytest.param(
            ["(e5[1/3]--2-)", "_", "(e5[2/3]--2-)", "_", "(e5[3/3]--2-)"],
            {"e5": [words((0, 1), (2, 3), (4, 5), head=2)]},
            id="three parts",
        ),
        pytest.param(
            ["(e5[1/3]--2-)", "_", "(e5[2/3])", "_", "(e5[3/3]", "e5[3/3])"],
            {"e5": [words((0, 1), (2, 3), (4, 6), head=2)]},
            id="only the first part has fields",
        ),
        pytest.param(
            ["(e5[1/2]--1-)", "(e5[2/2]--1-)"],
            {"e5": [words((0, 2), head=0)]},
            id="parts that touch are no gap",
        ),
        pytest.param(
            ["(e5[1/2]--2-", "e5[1/2])", "(e5--1-)(e6--1-)", "(e5[2/2]--2-)"],
            {"e5": [words((0, 2), (3, 4), head=1), words((2, 3))], "e6": [words((2, 3))]},
            id="another mention of the entity in the gap",
        ),
        pytest.param(
            ["(e5[1/2]--1-)", "_", "(e5[2/2]--1-)", "(e5[1/2]--2-)", "_", "(e5[2/2]--2-)"],
            {"e5": [words((0, 1), (2, 3), head=0), words((3, 4), (5, 6), head=5)]},
            id="two discontinuous mentions of one entity",
        ),
        pytest.param(
            ["(e5[1/2]--1-)", "(e6[1/2]--1-)", "(e5[2/2]--1-)", "(e6[2/2]--1-)"],
            {"e5": [words((0, 1), (2, 3), head=0)], "e6": [words((1, 2), (3, 4), head=1)]},
            id="discontinuous and crossing",
        ),
    ],
)
def test_mentions(tmp_path: Path, values: list[str], expected: dict[str, list[Mention]]) -> None:
    (document,) = read(tmp_path, header() + entity(*values)).values()

    assert expected == mentions(document)


def test_entities_are_in_the_order_in_which_their_first_mentions_open(tmp_path: Path) -> None:
    (document,) = read(tmp_path, header() + entity("(e2--1-(e1--1-)", "e2)(e0--1-)")).values()

    assert [cluster.name for cluster in document.entities] == ["e2", "e1", "e0"]


THREE = ((0, 3),)


@pytest.mark.parametrize(
    ("fields", "opening", "expected"),
    [
        (FIELDS, "(e1-person-2-x", words(*THREE, head=1)),
        ("eid", "(e1", words(*THREE)),
        ("eid-etype", "(e1-person", words(*THREE)),
        ("etype-eid-other-head", "(person-e1-x-2", words(*THREE, head=1)),
        ("head-eid", "(2-e1", words(*THREE, head=1)),
        ("GRP-etype-head", "(e1-person-3", words(*THREE, head=2)),
        ("eid-minspan", "(e1-2", words(*THREE, head=1)),
        ("eid-minspan", "(e1-2,3", Mention(THREE, minimum=((1, 3),))),
        ("eid-MIN", "(e1-2,3", Mention(THREE, minimum=((1, 3),))),
        ("eid-minspan", "(e1-1,3", Mention(THREE, minimum=((0, 1), (2, 3)))),
        ("eid-minspan-etype", "(e1--person", words(*THREE)),
        ("eid-minspan-head", "(e1-2,3-2", Mention(THREE, minimum=((1, 3),))),
        ("eid-minspan-head", "(e1-2,3-3", Mention(THREE, minimum=((1, 3),), marked_head=(3, 0))),
        ("eid-head-minspan", "(e1-1-2,3", Mention(THREE, minimum=((1, 3),), marked_head=(1, 0))),
        (
            "GRP-etype-infstat-centering-minspan-link-identity",
            "(e1-person-giv:act-cf1*-2-coref-Jean-Luc_Picard",
            words(*THREE, head=1),
        ),
        (
            "entity-GRP-infstat-MIN-coref_type-identity",
            "(person-e1-new-1,2-coref-Jean-Luc_Picard",
            Mention(THREE, minimum=((0, 2),)),
        ),
    ],
)
def test_fields_are_found_by_name(
    tmp_path: Path, fields: str, opening: str, expected: Mention
) -> None:
    (document,) = read(tmp_path, header(fields) + entity(opening, "_", "e1)")).values()

    assert mentions(document) == {"e1": [expected]}


@pytest.mark.parametrize("last", ["", "e", "et", "h", "he", "head", "x"])
def test_a_header_that_is_cut(tmp_path: Path, last: str) -> None:
    path = put(tmp_path, "test.conllu", header(f"eid-{last}") + entity("(e1)"))

    (result,) = validate(str(path), "corefud")

    message = (
        f"global.Entity = eid-{last} may be truncated: its last field is {last!r}; usual is "
        f"{FIELDS}"
    )
    expected = [] if last in {"head", "x"} else [f"{path}:1: warning: {message}"]
    assert [str(problem) for problem in result.problems] == expected


@pytest.mark.parametrize(
    ("fields", "values", "number"),
    [
        (FIELDS, ["(e1-2", "e1)"], 1),
        (FIELDS, ["(e1-2-", "e1)(e1-2-)"], 2),
        (FIELDS, ["(e1[1/2]-2)", "_", "(e1[2/2]-2)"], 1),
        ("eid-head-etype", ["(e1--2", "e1)"], 0),
        ("eid-etype", ["(e1-2", "e1)"], 0),
        (FIELDS, ["(e1-2-1-", "e1)"], 0),
        (FIELDS, ["(e1", "e1)"], 0),
    ],
)
def test_a_number_in_the_field_before_the_head(
    tmp_path: Path, fields: str, values: list[str], number: int
) -> None:
    path = put(tmp_path, "test.conllu", header(fields) + entity(*values))

    (result,) = validate(str(path), "corefud")

    expected = [f"{path}:3: warning: {SHIFTED}: {number}"] if number else []
    assert [str(problem) for problem in result.problems] == expected
    notes = anascore.read(path, "corefud").documents["d"].notes
    assert notes == ({SHIFTED: number} if number else {})


@pytest.mark.parametrize(
    ("fields", "values", "number"),
    [
        (FIELDS, ["(e1--2-", "e1)(e2---", "e2)"], 1),
        (FIELDS, ["(e1--2-", "e1)(e2", "e2)"], 1),
        (FIELDS, ["(e1--2-", "e1)(e2--1-)", "(e2---)"], 0),
        (FIELDS, ["(e1--2-", "e1)(e2---", "e2)(e3[1/2]---)", "_", "(e3[2/2]---)"], 2),
        (FIELDS, ["(e1---", "e1)"], 0),
        (FIELDS, ["(e1--2-", "e1)(e2[1/2]---)", "_", "(e2[2/2])"], 1),
        ("eid-etype-head-minspan", ["(e1--2-", "e1)(e2---1", "e2)"], 0),
        ("eid-etype-head-minspan", ["(e1---1", "e1)(e2---", "e2)"], 1),
        ("eid-etype", ["(e1-", "e1)"], 0),
    ],
)
def test_a_head_that_is_lost(tmp_path: Path, fields: str, values: list[str], number: int) -> None:
    path = put(tmp_path, "test.conllu", header(fields) + entity(*values))

    (result,) = validate(str(path), "corefud")

    assert [p.what for p in result.problems] == ([f"{HEADLESS}: {number}"] if number else [])
    assert anascore.read(path, "corefud").documents["d"].notes == (
        {HEADLESS: number} if number else {}
    )


def test_heads_are_compared_within_a_document(tmp_path: Path) -> None:
    text = header() + entity("(e1--2-", "e1)") + entity("(e2---", "e2)", name="e")

    assert [document.notes for document in read(tmp_path, text).values()] == [{}, {}]


@pytest.mark.parametrize(
    ("second", "number"),
    [
        ("eid-head-etype-other", 1),
        ("eid-other-head", 1),
        (FIELDS, 0),
        ("eid-head", 0),
        ("eid-minspan-etype-head", 0),
        ("GRP-etype-head-other", 0),
    ],
)
def test_a_header_with_another_order_of_fields(tmp_path: Path, second: str, number: int) -> None:
    text = header() + entity("(e1)") + header(second) + entity("(e2)", name="e")
    path = put(tmp_path, "test.conllu", text)

    (result,) = validate(str(path), "corefud")

    expected = [f"{path}:4: warning: {REORDERED}: 1"] if number else []
    assert [str(problem) for problem in result.problems] == expected
    assert [document.notes for document in read(tmp_path, text).values()] == [
        {},
        {REORDERED: 1} if number else {},
    ]


@pytest.mark.parametrize("separator", ["\t", " "])
@pytest.mark.parametrize(
    ("column", "attribute"),
    [
        (8, "Entity=(e1--1-)"),
        (5, "Entity=e1)"),
        (4, "SplitAnte=e1<e2,e3<e2"),
        (7, "Split=e1<e2"),
        (3, "Bridge=e1<e2:part"),
        (6, "Case=Nom|Entity=(e1--1-)"),
    ],
)
def test_annotation_in_a_column_of_grammar(
    tmp_path: Path, column: int, attribute: str, separator: str
) -> None:
    name = ["UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS"][column - 3]
    row = ["2", "w", *"_" * 8]
    row[column] = attribute
    text = header() + entity("(e1--1-)") + "\t".join(row) + "\n"
    path = put(tmp_path, "test.conllu", text.replace("\t", separator))

    assert all_refusals(path, "corefud") == [
        f":4: {attribute.rpartition('|')[2]!r} is in column {name}, where coreference is not read; "
        "it belongs in MISC"
    ]


def test_annotation_of_a_multiword_token_in_a_column_of_grammar(tmp_path: Path) -> None:
    rows = "1-2\tw" + "\t_" * 6 + "\tEntity=(e1--1-)\t_\n1\tw" + "\t_" * 8 + "\n"

    assert refusal(put(tmp_path, "f.conllu", header() + rows), "corefud") == (
        ":2: 'Entity=(e1--1-)' is in column DEPS, where coreference is not read; it belongs in MISC"
    )


@pytest.mark.parametrize("column", [1, 2])
def test_annotation_in_the_column_of_a_word(tmp_path: Path, column: int) -> None:
    row = ["2", "w", *"_" * 8]
    row[column] = "Entity=(e1--1-)"
    text = header() + entity("(e1--1-)") + "\t".join(row) + "\n"
    kind = f"lines with coreference in column {['FORM', 'LEMMA'][column - 1]}, not read"

    (document,) = read(tmp_path, text).values()

    assert document.notes == {kind: 1}
    (result,) = validate(str(tmp_path / "test.conllu"), "corefud")
    assert [str(problem) for problem in result.problems] == [
        f"{tmp_path / 'test.conllu'}:4: warning: {kind}: 1"
    ]


@pytest.mark.parametrize("attribute", ["EntityID", "EntityId"])
def test_annotation_of_conllua_in_misc(tmp_path: Path, attribute: str) -> None:
    row = ["2", "w", *"_" * 7, f"SpaceAfter=No|({attribute}=e1|MarkableID=m1)"]
    text = header() + entity("(e1--1-)") + "\t".join(row) + "\n"

    (document,) = read(tmp_path, text).values()

    assert document.notes == {"lines with annotation of CoNLL-UA in MISC, not read": 1}


@pytest.mark.parametrize("cell", ["Entity=Yes", "Split=Yes|Case=Nom", "XEntity=(e1)", "Bridge"])
def test_other_attributes_in_other_columns(tmp_path: Path, cell: str) -> None:
    text = header() + entity("(e1--1-)") + "\t".join(["2", "w", *"_" * 3, cell, *"_" * 4]) + "\n"

    (document,) = read(tmp_path, text).values()

    assert document.notes == {}


@pytest.mark.parametrize(
    ("misc", "name"),
    [
        ("Entity=(e1--1-)Bridge=e2<e1", "Bridge="),
        ("Entity=(e1--1-)Entity=(e2--1-)", "Entity="),
        ("Bridge=e2<e1SplitAnte=e2<e1", "SplitAnte="),
        ("SpaceAfter=NoEntity=(e1--1-)", "Entity="),
    ],
)
def test_attributes_that_are_joined(tmp_path: Path, misc: str, name: str) -> None:
    path = put(tmp_path, "f.conllu", header() + lines(misc))

    assert refusal(path, "corefud") == (
        f":3: {misc!r} has {name} in the middle; a | is missing before it"
    )


@pytest.mark.parametrize("fields", ["eid-etype head-other", "eid-etype\thead-other", "eid -etype"])
def test_blanks_in_the_fields(tmp_path: Path, fields: str) -> None:
    path = put(tmp_path, "f.conllu", header(fields) + entity("(e1)"))

    assert refusal(path, "corefud") == (
        f":1: global.Entity = {fields} has white space in it; fields are separated by hyphens; "
        f"usual is {FIELDS}"
    )


@pytest.mark.parametrize("name", ["etype", "entity"])
def test_other_fields_are_kept_under_their_present_names(tmp_path: Path, name: str) -> None:
    text = header(f"eid-{name}-infstat") + entity("(e1-person-new)", "(e1-place-giv)")

    (document,) = read(tmp_path, text).values()

    (cluster,) = document.entities
    assert [(attributes["etype"], attributes["infstat"]) for attributes in cluster.attributes] == [
        ("person", "new"),
        ("place", "giv"),
    ]


ZERO = ("1", "1.1", "2")


@pytest.mark.parametrize(
    ("fields", "values", "expected"),
    [
        pytest.param("eid-head", ["_", "(e1-1)", "_"], Mention((), ((1, 1),)), id="a zero"),
        pytest.param(
            "eid-head",
            ["(e1-1", "_", "e1)"],
            Mention(((0, 2),), ((1, 1),), ((0, 1),)),
            id="a zero inside",
        ),
        pytest.param(
            "eid-head",
            ["(e1-2", "_", "e1)"],
            Mention(((0, 2),), ((1, 1),), (), (1, 1)),
            id="a zero as head",
        ),
        pytest.param(
            "eid-head",
            ["(e1-3", "_", "e1)"],
            Mention(((0, 2),), ((1, 1),), ((1, 2),)),
            id="a head behind a zero",
        ),
        pytest.param(
            "eid-head",
            ["_", "(e1-2", "e1)"],
            Mention(((1, 2),), ((1, 1),), ((1, 2),)),
            id="a zero first",
        ),
        pytest.param(
            "eid-head",
            ["(e1-1", "e1)", "_"],
            Mention(((0, 1),), ((1, 1),), ((0, 1),)),
            id="a zero last",
        ),
        pytest.param(
            "eid-head",
            ["(e1-2", "e1)", "_"],
            Mention(((0, 1),), ((1, 1),), (), (1, 1)),
            id="a zero last, as head",
        ),
        pytest.param(
            "eid-minspan",
            ["(e1-2,3", "_", "e1)"],
            Mention(((0, 2),), ((1, 1),), ((1, 2),), (1, 1)),
            id="a zero first in the minimum span",
        ),
        pytest.param(
            "eid-minspan",
            ["(e1-1,2", "_", "e1)"],
            Mention(((0, 2),), ((1, 1),), ((0, 1),)),
            id="a zero second in the minimum span",
        ),
        pytest.param(
            "eid-head",
            ["(e1[1/2]-1)", "_", "(e1[2/2]-1)"],
            Mention(((0, 2),), (), ((0, 1),)),
            id="a zero in a gap",
        ),
        pytest.param(
            "eid-head",
            ["_", "(e1[1/2]-1)", "(e1[2/2]-1)"],
            Mention(((1, 2),), ((1, 1),), (), (1, 1)),
            id="a zero as a part",
        ),
    ],
)
def test_zeros(tmp_path: Path, fields: str, values: list[str], expected: Mention) -> None:
    (document,) = read(tmp_path, header(fields) + entity(*values, ids=ZERO)).values()

    assert document.words == ("w1", "w2")
    assert list(document.zeros) == [(1, 1)]
    assert mentions(document) == {"e1": [expected]}


def test_zeros_are_placed_by_the_words_before_them_and_their_rank(tmp_path: Path) -> None:
    ids = ("0.1", "1", "1.1", "1.2", "2", "2.1", "0.1", "1")
    text = header() + entity("_", "_", "_", "(e1--1-", "_", "_", "e1)", "_", ids=ids)
    before, _, second_sentence = text.rpartition("\n0.1\t")

    (document,) = read(tmp_path, f"{before}\n\n0.1\t{second_sentence}").values()

    assert list(document.zeros) == [(0, 1), (1, 1), (1, 2), (2, 1), (2, 2)]
    assert mentions(document) == {"e1": [Mention(((1, 2),), ((1, 2), (2, 1), (2, 2)), (), (1, 2))]}


def test_multiword_tokens_carry_nothing(tmp_path: Path) -> None:
    text = header() + lines("SpaceAfter=No", "Entity=(e1--2-", "Entity=e1)", ids=("1-2", "1", "2"))

    (document,) = read(tmp_path, text).values()

    assert document.words == ("w1", "w2")
    assert mentions(document) == {"e1": [words((0, 2), head=1)]}


E1, E2, E3, E4 = (f"Entity=(e{number}--1-)" for number in (1, 2, 3, 4))


@pytest.mark.parametrize(
    ("misc", "expected"),
    [
        pytest.param([E1, E2, f"{E3}|SplitAnte=e1<e3,e2<e3"], {"e3": {"e1", "e2"}}, id="set"),
        pytest.param([E1, E2, f"{E3}|Split=e1<e3,e2<e3"], {"e3": {"e1", "e2"}}, id="older name"),
        pytest.param(
            [E1, E2, f"SplitAnte=e1<e3,e2<e3|{E3}"], {"e3": {"e1", "e2"}}, id="before Entity"
        ),
        pytest.param(
            [E1, E2, f"SpaceAfter=No|{E3}|Gloss=x|SplitAnte=e1<e3,e2<e3|X=y"],
            {"e3": {"e1", "e2"}},
            id="among other attributes",
        ),
        pytest.param(
            [f"{E3}|SplitAnte=e1<e3,e2<e3", E1, E2], {"e3": {"e1", "e2"}}, id="cataphoric"
        ),
        pytest.param(
            [E1, f"{E3}|SplitAnte=e1<e3,e2<e3", E2], {"e3": {"e1", "e2"}}, id="half cataphoric"
        ),
        pytest.param(
            [E1, E2, f"{E3}|SplitAnte=e1<e3", f"{E3}|SplitAnte=e2<e3"],
            {"e3": {"e1", "e2"}},
            id="in pieces",
        ),
        pytest.param(
            [E1, E2, *[f"{E3}|SplitAnte=e1<e3,e2<e3"] * 2], {"e3": {"e1", "e2"}}, id="said twice"
        ),
        pytest.param(
            [E1, E2, E3, "SplitAnte=e1<e3,e2<e3"], {"e3": {"e1", "e2"}}, id="at another word"
        ),
        pytest.param(
            [E1, E2, f"{E3}|SplitAnte=e1<e3,e2<e3", f"{E4}|SplitAnte=e3<e4,e2<e4"],
            {"e3": {"e1", "e2"}, "e4": {"e3", "e2"}},
            id="nested",
        ),
        pytest.param(
            [E1, E2, f"{E3}{E4.removeprefix('Entity=')}|SplitAnte=e1<e3,e2<e4,e2<e3,e1<e4"],
            {"e3": {"e1", "e2"}, "e4": {"e1", "e2"}},
            id="two sets at one word",
        ),
        pytest.param([f"Split={E1}".replace("=Entity", "X")], {}, id="another attribute"),
    ],
)
def test_split_antecedents(tmp_path: Path, misc: list[str], expected: dict[str, set[str]]) -> None:
    (document,) = read(tmp_path, header() + lines(*misc)).values()

    assert expected == elements(document)
    assert all(
        len(cluster.elements) == len(expected.get(cluster.name, ()))
        for cluster in document.entities
    )


def bridges(document: Document) -> list[tuple[Mention, str, str]]:
    """Return the anaphors, the entities of their anchors, and the relations."""
    return [
        (bridge.anaphor, document.entities[bridge.entity].name, bridge.relation)
        for bridge in document.bridges
        if bridge.entity is not None
    ]


@pytest.mark.parametrize(
    ("misc", "expected"),
    [
        pytest.param([E1, f"{E2}|Bridge=e1<e2:part"], [(1, "e1", "part")], id="relation"),
        pytest.param([E1, f"{E2}|Bridge=e1<e2"], [(1, "e1", "")], id="no relation"),
        pytest.param([E1, f"Bridge=e1<e2|{E2}"], [(1, "e1", "")], id="before Entity"),
        pytest.param([f"{E2}|Bridge=e1<e2", E1], [(0, "e1", "")], id="cataphoric"),
        pytest.param(
            [E1, f"{E2}(e3--1-)|Bridge=e1<e3:a:b"], [(1, "e1", "a:b")], id="colon in the relation"
        ),
        pytest.param(
            [E1, E2, f"{E3}|Bridge=e1<e3:part,e2<e3"],
            [(2, "e1", "part"), (2, "e2", "")],
            id="two anchors",
        ),
        pytest.param(
            [E1, E2, f"{E2}|Bridge=e1<e2", E2], [(2, "e1", "")], id="the mention of this line"
        ),
    ],
)
def test_bridging(tmp_path: Path, misc: list[str], expected: list[tuple[int, str, str]]) -> None:
    (document,) = read(tmp_path, header() + lines(*misc)).values()

    assert bridges(document) == [
        (words((word, word + 1)), anchor, relation) for word, anchor, relation in expected
    ]
    assert document.notes == {}


def test_the_anaphor_of_a_bridge_opens_on_its_line_and_may_have_gaps(tmp_path: Path) -> None:
    misc = (
        "Entity=(e1--1-)",
        "Entity=(e2--1-",
        "Entity=e2)(e2[1/2]--1-)|Bridge=e1<e2:part",
        "_",
        "Entity=(e2[2/2]--1-)",
    )

    (document,) = read(tmp_path, header() + lines(*misc)).values()

    assert bridges(document) == [(words((2, 3), (4, 5), head=2), "e1", "part")]


def test_of_several_anaphors_on_its_line_the_shortest_has_the_bridge(tmp_path: Path) -> None:
    misc = (
        "Entity=(e1--1-)",
        "Entity=(e2--1-(e2[1/2]--1-)|Bridge=e1<e2",
        "_",
        "Entity=e2)(e2[2/2]--1-)",
    )

    (document,) = read(tmp_path, header() + lines(*misc)).values()

    assert bridges(document) == [(words((1, 2), (3, 4), head=1), "e1", "")]


def test_the_anchor_of_a_bridge_is_the_latest_mention_before_it(tmp_path: Path) -> None:
    (document,) = read(tmp_path, header() + lines(E1, E1, f"{E2}|Bridge=e1<e2", E1)).values()

    assert document.bridges == (Bridge(words((2, 3)), words((1, 2)), 0, ""),)


@pytest.mark.parametrize(
    "misc",
    [
        pytest.param([E1, f"{E2}|Bridge=e9<e2:part"], id="no such anchor"),
        pytest.param([E1, f"{E2}|Bridge=e1<e9:part"], id="no such anaphor"),
        pytest.param([E1, E2, "Bridge=e1<e2:part"], id="the anaphor is elsewhere"),
        pytest.param(
            [E1, "Entity=(e2--1-", "Entity=e2)|Bridge=e1<e2"], id="the anaphor closes here"
        ),
    ],
)
def test_a_bridge_without_anaphor_or_anchor_is_left_out_and_counted(
    tmp_path: Path, misc: list[str]
) -> None:
    (document,) = read(tmp_path, header() + lines(*misc)).values()

    assert document.bridges == ()
    assert document.notes == {
        "bridging links whose anaphor or anchor is not a mention, left out": 1,
    }


def test_documents_are_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = header() + lines(E1, name="z") + "\n" + lines("_", name="a")

    documents = read(tmp_path, text)

    assert [(name, len(document.entities)) for name, document in documents.items()] == [
        ("z", 1),
        ("a", 0),
    ]


@pytest.mark.parametrize("name", ["newdoc", "a newdoc", "# newdoc", "d = e", "Škoda/1"])
def test_odd_names_of_documents(tmp_path: Path, name: str) -> None:
    documents = read(tmp_path, header() + lines(E1, name=name))

    assert list(documents) == [name]


def test_a_file_without_newdoc_is_a_document(tmp_path: Path) -> None:
    text = header() + lines(E1).replace("# newdoc id = d\n", "")

    assert {name: mentions(document) for name, document in read(tmp_path, text).items()} == {
        "unnamed": {"e1": [words((0, 1))]},
    }


def test_words_before_the_first_newdoc_are_a_document(tmp_path: Path) -> None:
    first = lines(E1).replace("# newdoc id = d\n", "# sent_id = 1\n")

    documents = read(tmp_path, header() + first + "\n" + lines(E1, E2))

    assert [(name, len(document.words)) for name, document in documents.items()] == [
        ("unnamed", 1),
        ("d", 2),
    ]


def test_comments_above_newdoc_belong_to_its_document(tmp_path: Path) -> None:
    names = ("# newdoc id = a\n", "# sent_id = 1\n# newdoc id = b\n# text = x\n# newdoc id = c\n")
    first = lines(E1).replace("# newdoc id = d\n", "".join(names))
    second = "# x\n# y\n" + lines(E1, E2)

    documents = read(tmp_path, header() + first + "\n" + second)

    assert [(name, d.line, len(d.words), [*d.lines]) for name, d in documents.items()] == [
        ("a", 2, 0, []),
        ("b", 4, 0, []),
        ("c", 6, 1, [7]),
        ("d", 11, 2, [12, 13]),
    ]


def test_documents_without_ids_are_told_apart(tmp_path: Path) -> None:
    text = header() + lines(E1).replace(" id = d", "") * 3

    assert list(read(tmp_path, text)) == ["unnamed", "unnamed-2", "unnamed-3"]


def test_each_document_can_declare_its_fields(tmp_path: Path) -> None:
    first = entity("(e1-2", "e1)").replace("= d\n", f"= d\n{header('eid-head')}")
    second = entity("(2-e1", "e1)", name="e").replace("= e\n", f"= e\n{header('head-eid')}")

    documents = read(tmp_path, first + "\n" + second)

    assert [mentions(document) for document in documents.values()] == [
        {"e1": [words((0, 2), head=1)]}
    ] * 2


def test_fields_declared_above_newdoc_are_those_of_the_document_below(tmp_path: Path) -> None:
    first = header("eid-head") + entity("(e1-2", "e1)")
    second = header("head-eid") + entity("(2-e1", "e1)", name="e")

    documents = read(tmp_path, first + "\n" + second)

    assert [mentions(document) for document in documents.values()] == [
        {"e1": [words((0, 2), head=1)]}
    ] * 2


@pytest.mark.parametrize("name", ["GRP", "eid"])
def test_each_document_has_entities_of_its_own(tmp_path: Path, name: str) -> None:
    text = header(name) + entity("(1)", "(1)") + "\n" + entity("(1)", "(2)", name="e")

    documents = read(tmp_path, text)

    assert [mentions(document) for document in documents.values()] == [
        {"1": [words((0, 1)), words((1, 2))]},
        {"1": [words((0, 1))], "2": [words((1, 2))]},
    ]


def test_token_ids_may_restart_or_run_on(tmp_path: Path) -> None:
    values = ("(e1--4-", "_", "_", "e1)")
    restarting, running = (
        (header() + entity(*values, ids=ids)).replace("w3", "w1").replace("w4", "w2")
        for ids in [("1", "2", "1", "2"), ()]
    )
    restarting, running = restarting.replace("_\n1", "_\n\n1"), running.replace("\n3", "\n\n3")
    variants = [read(tmp_path, text)["d"] for text in (restarting, running)]

    assert variants[0] == variants[1]
    assert mentions(variants[0]) == {"e1": [words((0, 4), head=3)]}


def test_sentences_end_at_empty_lines_and_words_know_their_lines(tmp_path: Path) -> None:
    text = header() + lines("_", "_").replace("\n2\t", "\n\n# text = x\n2\t")

    (document,) = read(tmp_path, text).values()

    assert list(document.sentences) == [0, 1]
    assert list(document.lines) == [3, 6]


def test_blanks_separate_columns_where_there_are_no_tabs(tmp_path: Path) -> None:
    text = header() + "# newdoc id = d\n1  John _ _  _ _ _ _ _   Entity=(e1--2-\n"

    (document,) = read(tmp_path, text + "2 Smith _ _ _ _ _ _ _ Entity=e1)\n").values()

    assert document.words == ("John", "Smith")
    assert mentions(document) == {"e1": [words((0, 2), head=1)]}


def test_missing_columns_at_the_end_are_empty_where_there_are_no_tabs(tmp_path: Path) -> None:
    row = " ".join(["3", "c", *"_" * 7, "Entity=(e1--1-)"])
    text = header() + f"# newdoc id = d\n1\n2 b\n{row}\n4 d _\n"

    (document,) = read(tmp_path, text).values()

    assert document.words == ("_", "b", "c", "d")
    assert mentions(document) == {"e1": [words((2, 3))]}


NOT_A_FIELD_LIST = "must name eid, and no field twice; usual is eid-etype-head-other"

# The text of a file, and what the message must say, behind the name of the file.
BAD_FILES: dict[str, tuple[str, str]] = {
    "unclosed": (
        header() + entity("_", "(e1--1-", "_"),
        ":4: a mention of e1 is opened here and never closed; 'e1)' is missing",
    ),
    "unclosed at the end of its document": (
        header() + entity("(e1--1-") + entity("e1)", name="e"),
        ":3: a mention of e1 is opened here and never closed; 'e1)' is missing",
    ),
    "unclosed part": (
        header() + entity("(e1[1/2]--1-", "_"),
        ":3: a mention of e1[1/2] is opened here and never closed; 'e1[1/2])' is missing",
    ),
    "closes nothing": (
        header() + entity("_", "e1)"),
        ":4: 'e1)' closes no mention; open here: nothing",
    ),
    "closes another": (
        header() + entity("(e2--1-(e1--1-", "e3)", "e1)e2)"),
        ":4: 'e3)' closes no mention; open here: e2, e1",
    ),
    "closes twice": (
        header() + entity("(e1--1-", "e1)e1)"),
        ":4: 'e1)' closes no mention; open here: nothing",
    ),
    "a part missing at the end": (
        header() + entity("(e1[1/2]--1-)", "_"),
        ":3: e1[1/2] is here, but 1 of its 2 parts are closed",
    ),
    "a part missing at the start": (
        header() + entity("_", "(e1[2/2]--1-)"),
        ":4: e1[2/2] is here, but part 1 of that mention is not closed before it",
    ),
    "a part missing in the middle": (
        header() + entity("(e1[1/3]--1-)", "_", "(e1[3/3]--1-)"),
        ":5: e1[3/3] is here, but part 2 of that mention is not closed before it",
    ),
    "parts that do not agree": (
        header() + entity("(e1[1/2]--1-)", "_", "(e1[2/3]--1-)"),
        ":5: e1[2/3] is here, but part 1 of that mention is not closed before it",
    ),
    "part 0": (
        header() + entity("(e1[0/2]--1-)"),
        ":3: 'e1[0/2]' is neither the id of an entity, like e1, nor a part, like e1[1/2]",
    ),
    "part 3 of 2": (
        header() + entity("(e1[3/2]--1-)"),
        ":3: 'e1[3/2]' is neither the id of an entity, like e1, nor a part, like e1[1/2]",
    ),
    "a part of letters": (
        header() + entity("(e1[a/b]--1-)"),
        ":3: 'e1[a/b]' is neither the id of an entity, like e1, nor a part, like e1[1/2]",
    ),
    "a part of nothing": (
        header() + entity("([1/1]--1-)"),
        ":3: '[1/1]' is neither the id of an entity, like e1, nor a part, like e1[1/2]",
    ),
    "a part without its bracket": (
        header() + entity("(e1[1/2--1-)"),
        ":3: 'e1[1/2' is neither the id of an entity, like e1, nor a part, like e1[1/2]",
    ),
    "something behind a part": (
        header() + entity("(e1[1/1]x--1-)"),
        ":3: 'e1[1/1]x' is neither the id of an entity, like e1, nor a part, like e1[1/2]",
    ),
    "no id": (
        header() + entity("(-person-1-)"),
        ":3: '(-person-1-' without the id of an entity, like '(e1-...'",
    ),
    "no id in a longer mention": (
        header() + entity("(-person-1-", "_"),
        ":3: '(-person-1-' without the id of an entity, like '(e1-...'",
    ),
    "no field for the id": (
        header("etype-eid") + entity("(person)"),
        ":3: '(person' without the id of an entity, like '(e1-...'",
    ),
    "no bracket": (
        header() + entity("e1"),
        ":3: 'e1' is neither '(e1-...' nor 'e1)', where e1 is an entity id",
    ),
    "empty brackets": (
        header() + entity("()"),
        ":3: '()' is neither '(e1-...' nor 'e1)', where e1 is an entity id",
    ),
    "a bare closing bracket": (
        header() + entity("(e1--1-", ")"),
        ":4: ')' is neither '(e1-...' nor 'e1)', where e1 is an entity id",
    ),
    "head outside": (
        header() + entity("(e1--3-", "e1)"),
        ":3: head of a mention of e1 is '3'; it must be word numbers from 1 to 2",
    ),
    "head 0": (
        header() + entity("(e1--0-", "e1)"),
        ":3: head of a mention of e1 is '0'; it must be word numbers from 1 to 2",
    ),
    "head of one word": (
        header() + entity("(e1--2-)"),
        ":3: head of a mention of e1 is '2'; it must be 1, the number of its word",
    ),
    "head that is no number": (
        header() + entity("(e1--x-", "e1)"),
        ":3: head of a mention of e1 is 'x'; it must be word numbers from 1 to 2",
    ),
    "minimum span outside": (
        header("eid-minspan") + entity("(e1-1,3", "e1)"),
        ":3: minspan of a mention of e1 is '1,3'; it must be word numbers from 1 to 2",
    ),
    "minimum span that is no list": (
        header("eid-MIN") + entity("(e1-1,,2", "e1)"),
        ":3: minspan of a mention of e1 is '1,,2'; it must be word numbers from 1 to 2",
    ),
    "fields without eid": (
        header("etype-head") + entity("(e1)"),
        f":1: global.Entity = etype-head {NOT_A_FIELD_LIST}",
    ),
    "a field twice": (
        header("eid-head-head") + entity("(e1)"),
        f":1: global.Entity = eid-head-head {NOT_A_FIELD_LIST}",
    ),
    "a field under two names": (
        header("eid-GRP") + entity("(e1)"),
        f":1: global.Entity = eid-GRP {NOT_A_FIELD_LIST}",
    ),
    "no fields": (header("") + entity("(e1)"), f":1: global.Entity =  {NOT_A_FIELD_LIST}"),
    "fields not declared": (
        entity("_", "(e1)"),
        ":3: Entity= without a line '# global.Entity = ...' above that names its fields; "
        "usual is eid-etype-head-other",
    ),
    "an element that is not there": (
        header() + lines(E1, f"{E3}|SplitAnte=e1<e3,e2<e3"),
        ":4: SplitAnte=e1<e3,e2<e3: document 'd' has no entity e2; "
        "an element and its set need mentions",
    ),
    "a set that is not there": (
        header() + lines(E1, "Split=e1<e3"),
        ":4: Split=e1<e3: document 'd' has no entity e3; an element and its set need mentions",
    ),
    "an element in another document": (
        header() + lines(E1) + lines(f"{E3}|SplitAnte=e1<e3", name="e"),
        ":5: SplitAnte=e1<e3: document 'e' has no entity e1; an element and its set need mentions",
    ),
    "neither element nor set": (
        header() + lines(E1, "SplitAnte=e2<e3"),
        ":4: SplitAnte=e2<e3: document 'd' has no entity e2 and no entity e3; "
        "an element and its set need mentions",
    ),
    "a split antecedent without its set": (
        header() + lines(E1, f"{E3}|SplitAnte=e1<e3,e2"),
        ":4: 'e2' in SplitAnte=e1<e3,e2 is not of the form e3<e11: element, '<', set",
    ),
    "a split antecedent without a set at another word": (
        header() + lines(E1, "SplitAnte=e1"),
        ":4: 'e1' in SplitAnte=e1 is not of the form e3<e11: element, '<', set",
    ),
    "a split antecedent without its element": (
        header() + lines(E1, f"{E3}|SplitAnte=<e3"),
        ":4: '<e3' in SplitAnte=<e3 is not of the form e3<e11: element, '<', set",
    ),
    "an empty split antecedent": (
        header() + lines(E1, f"{E3}|SplitAnte="),
        ":4: '' in SplitAnte= is not of the form e3<e11: element, '<', set",
    ),
    "an element of itself": (
        header() + lines(f"{E1}|SplitAnte=e1<e1"),
        ":3: an entity cannot be an element of itself: e1 is an element of e1",
    ),
    "a bridge without its anaphor": (
        header() + lines(E1, f"{E2}|Bridge=e1"),
        ":4: 'e1' in Bridge=e1 is not of the form e12<e124 or e12<e124:part",
    ),
    "a bridge without its anaphor at another word": (
        header() + lines(E1, "Bridge=e1"),
        ":4: 'e1' in Bridge=e1 is not of the form e12<e124 or e12<e124:part",
    ),
    "a bridge without its anchor": (
        header() + lines(E1, f"{E2}|Bridge=<e2:part"),
        ":4: '<e2:part' in Bridge=<e2:part is not of the form e12<e124 or e12<e124:part",
    ),
    "no ID": (
        header() + lines("_", ids=("John",)),
        ":3: 'John' is not an ID like 8 (a word), 8.1 (a zero) or 8-9 (multiword token)",
    ),
    "a cut line": (
        header() + lines(E1, "_").removesuffix("\t_\n") + "\n",
        ":4: this line has 9 columns; 10 are expected, from ID to MISC",
    ),
    "a column too many": (
        header() + lines(E1, f"_\t{E1}"),
        ":4: this line has 11 columns; 10 are expected, from ID to MISC",
    ),
    "an ID twice": (
        header() + lines(E1, E1, ids=("7", "7")),
        ":4: ID 7 after 7: IDs must rise within a sentence; an empty line ends a sentence",
    ),
    "annotation of a multiword token": (
        header() + lines(f"SpaceAfter=No|{E1}", "_", ids=("1-2", "1")),
        ":3: multiword token 1-2 has annotation in MISC; it belongs on the lines of its words",
    ),
    "a set on a multiword token": (
        header() + lines("SplitAnte=e1<e2", "_", ids=("1-2", "1")),
        ":3: multiword token 1-2 has annotation in MISC; it belongs on the lines of its words",
    ),
    "a document twice": (
        header() + lines(E1) + lines(E1),
        ":4: duplicate document id 'd'; line 2 has it too",
    ),
    "no words": (
        header() + "# newdoc id = d\n",
        ": this file has no words when read as corefud",
    ),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_bad_file(tmp_path: Path, case: str) -> None:
    text, expected = BAD_FILES[case]
    path = put(tmp_path, "bad.conllu", text)

    assert refusal(path) == expected
    assert expected in all_refusals(path)


def test_a_cycle_of_sets_names_its_entities(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        "bad.conllu",
        header() + lines(f"{E1}|SplitAnte=e2<e1", f"{E2}|SplitAnte=e1<e2"),
    )

    message = refusal(path)

    assert ": an entity cannot be an element of itself: " in message
    assert "e1 is an element of e2" in message
    assert "e2 is an element of e1" in message


def test_all_that_is_wrong_is_found(tmp_path: Path) -> None:
    text = header() + lines(f"{E1}|SplitAnte=e8<e1", "Entity=e9)", "Entity=(e2--7-", "Entity=e2)")

    assert all_refusals(put(tmp_path, "bad.conllu", text)) == [
        ":3: SplitAnte=e8<e1: document 'd' has no entity e8; an element and its set need mentions",
        ":4: 'e9)' closes no mention; open here: nothing",
        ":5: head of a mention of e2 is '7'; it must be word numbers from 1 to 2",
    ]


def test_an_attribute_that_only_ends_like_entity(tmp_path: Path) -> None:
    text = header() + entity("(e1--1-)").replace("Entity=", "XEntity=", 1)

    (document,) = anascore.read(put(tmp_path, "f", text), "corefud").documents.values()

    assert document.entities == ()


def test_entity_twice_on_a_line_says_both(tmp_path: Path) -> None:
    text = header() + entity("(e1--1-)|Entity=(e2--1-)")

    (document,) = anascore.read(put(tmp_path, "f", text), "corefud").documents.values()

    assert [cluster.name for cluster in document.entities] == ["e1", "e2"]


def test_zeros_depend_on_the_same_words_where_there_are_tokens_of_two_words(
    tmp_path: Path,
) -> None:
    plain, fused = [], []
    for name in ("zeros-key.conllu", "zeros.conllu"):
        text = SAMPLES[name]
        token = "\t".join(["3-4", "yvio", *"_" * 8])
        before, separator, after = text.partition("3\ty\t")
        plain.append(put(tmp_path, f"plain-{name}", text))
        fused.append(put(tmp_path, f"fused-{name}", f"{before}{token}\n{separator}{after}"))

    expected, result = (
        anascore.score(*paths, zero_match="dependent", match="head") for paths in (plain, fused)
    )

    assert result.scores == expected.scores
