"""Reading CoNLL-UA."""

from pathlib import Path

import pytest

import anascore
from anascore import Document, Entity, Mention, NonReferring

HEADER = (
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC "
    "IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM\n"
)


def lines(*identity: str, ids: tuple[str, ...] = ()) -> str:
    """Return a document with these entries in IDENTITY, at words 1, 2, 3 or other ids."""
    numbers = ids or tuple(str(number) for number in range(1, len(identity) + 1))
    rows = (
        "\t".join([number, f"w{number}", *"_" * 8, entry, *"_" * 4])
        for number, entry in zip(numbers, identity, strict=True)
    )
    return "# newdoc id = d\n" + "\n".join(rows) + "\n"


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
