"""The compiled scanner reads the same as the readers in Python, and leaves errors to them."""

import random
import sys
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anascore.errors import Problem, Problems
from anascore.formats import conll2012, conllu, corefud_brackets, scanner, ua_brackets
from anascore.formats.format import DEFAULT_OPTIONS
from anascore.formats.registry import FORMATS
from anascore.formats.source import Source

FUNCTIONS = [
    (conllu, "scan_conllu"),
    (conll2012, "scan_conll2012"),
    (corefud_brackets, "new_entities"),
    (ua_brackets, "group_markables"),
    (ua_brackets, "new_entities"),
]
"""Functions that read rows, where readers use them. Brackets are read in such rows only."""

is_built = pytest.mark.skipif(scanner.scan_conllu is None, reason="the scanner is not compiled")

COREFUD = """# global.Entity = eid-etype-head-other
# newdoc id = a
# text = Ann and Bob came.
1\tAnn\tAnn\tX\tX\t_\t0\troot\t_\tEntity=(e3-person-1-(e1-person-1-)
2\tand\tand\tX\tX\t_\t1\tcc\t_\tSpaceAfter=No
3\tBob\tBob\tX\tX\t_\t1\tconj\t_\tEntity=(e2-person-1-)e3)|SpaceAfter=No
4-5\tcame.\t_\t_\t_\t_\t_\t_\t_\t_
4\tcame\tcome\tX\tX\t_\t0\troot\t_\tBridge=e1<e4:part|Entity=(e4-event-1-)
5\t.\t.\tX\tX\t_\t4\tpunct\t_\t_

# text = They sat there.
1\tThey\tthey\tX\tX\t_\t2\tnsubj\t_\tEntity=(e5-person-1-)|SplitAnte=e1<e5,e2<e5
2\tsat\tsit\tX\tX\t_\t0\troot\t_\tEntity=(e6[1/2]-event-1-)
2.1\t_\tshe\tX\tX\t_\t_\t_\t2:nsubj\tEntity=(e1-person-1-)
3\tthere\tthere\tX\tX\t_\t2\tadv\t_\tEntity=(e6[2/2])
# a comment
4\t.\t.\tX\tX\t_\t2\tpunct\t_\t_

# newdoc id = b
1\tThe\tthe\tX\tX\t_\t2\tdet\t_\tEntity=(e1-person-2-new
2\twoman\twoman\tX\tX\t_\t0\troot\t_\tEntity=e1)

3\ton\ton\tX\tX\t_\t2\tdet\t_\tEntity=(e1--1-
4\tand\tand\tX\tX\t_\t0\troot\t_\tEntity=e1)
"""

UA_COLUMNS = (
    "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS"
)
OTHERS = "\t_" * 8 + "\t"
UA = f"""# global.columns = {UA_COLUMNS}
# newdoc id = a
1\tAnn{OTHERS}(EntityID=1|MarkableID=m1|Min=1|SemType=person)\t_\t_
2-3\tand Bob{OTHERS}_\t_\t_
2\tand{OTHERS}_\t_\t_
3\tBob{OTHERS}(EntityID=2|MarkableID=m2|Min=3,4|ElementOf=3\t_\t_
4\tS.{OTHERS})\t_\t_

5\tThey{OTHERS}(EntityID=3|MarkableID=m3)@(EntityID=4|MarkableID=m4\t_\t_
6\tsaid{OTHERS}m4)\t_\t(EntityID=9|MarkableID=d1|SemType=dn)
6.1\t_{OTHERS}(EntityID=1|MarkableID=m6)\t_\t_
7\tthe door{OTHERS}(EntityID=5|MarkableID=m5\t(MarkableID=m5|MentionAnchor=m1)\t_
8\t({OTHERS})\t_\t_

# newdoc id = b
1\tit{OTHERS}(EntityID=1-Pseudo|MarkableID=m7)\t_\t_
"""

CONLL = """#begin document (a); part 000
a\t0\t0\tAnn\tNNP\t*\t-\t-\t-\t-\t*\t(1)
a\t0\t1\tand\tCC\t*\t-\t-\t-\t-\t*\t-
a\t0\t2\tBob\tNNP\t*\t-\t-\t-\t-\t*\t(2|(3|(2

a\t0\t0\tS.\tNNP\t*\t-\t-\t-\t-\t*\t3)|2)
a\t0\t1\tQ.\tNNP\t*\t-\t-\t-\t-\t*\t2)
# a comment
a\t0\t1\tcame\tVBD\t*\t-\t-\t-\t-\t*\t_

#end document
#begin document (b); part 001
b\t1\t0\tshe\t(1
b\t1\t1\tsat\t1

b\t1\t0\tdown\t1)
#end document
"""

TEXTS = {"corefud": COREFUD, "ua": UA, "conll2012": CONLL}
SIGNS = [*"()[]|-_=@,/<\t #*019e.\u00a0\u00e9\u0663", "\n", "\n\n", "Entity=", "(e1-x-1-)", "\t_"]


@contextmanager
def in_python() -> Iterator[None]:
    """Read without the scanner."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name in FUNCTIONS:
            patch.setattr(module, name, None)
        yield


def read(text: str, name: str) -> tuple[list[dict[str, Any]], list[Problem]]:
    """Return all that a reader finds, and all that it reports."""
    problems = Problems("file")
    source = Source("file", text.encode(), "file")
    corpus = FORMATS[name].read(source, problems, DEFAULT_OPTIONS)
    documents = [
        {
            **{field.name: getattr(document, field.name) for field in fields(document)},
            "entities": [
                {
                    **{field.name: getattr(entity, field.name) for field in fields(entity)},
                    "attributes": [*entity.attributes],
                }
                for entity in document.entities
            ],
        }
        for document in corpus.documents.values()
    ]
    return documents, problems.found


def damage(rng: random.Random, text: str) -> str:
    """Change a text in a few places."""
    for _ in range(rng.randint(1, 4)):
        lines = text.split("\n")
        line = rng.randrange(len(lines))
        column = rng.randint(0, len(lines[line]))
        before, after = lines[line][:column], lines[line][column:]
        changes = [
            *([], [before], [before + after[1:]], [before, after]),
            *([before + rng.choice(SIGNS) + after], [lines[line], rng.choice(lines)]),
        ]
        lines[line : line + 1] = rng.choice(changes)
        text = "\n".join(lines)
    return text


@is_built
@pytest.mark.parametrize("name", TEXTS)
def test_good_files_are_read_alike(name: str) -> None:
    documents, problems = read(TEXTS[name], name)

    with in_python():
        assert read(TEXTS[name], name) == (documents, problems)
    assert [problem for problem in problems if problem.severity == "error"] == []
    assert sum(len(document["entities"]) for document in documents) > 3


@is_built
@pytest.mark.parametrize("minimum", ["3,4", "4", "2,3", "3,5", "4,3", f"3,{9**20}", f"{9**20}"])
def test_minimum_spans_are_read_alike(minimum: str) -> None:
    text = UA.replace("Min=3,4|ElementOf=3", f"Min={minimum}")

    scanned = read(text, "ua")

    with in_python():
        assert read(text, "ua") == scanned


@is_built
@pytest.mark.parametrize("name", TEXTS)
@given(rng=st.randoms(use_true_random=False))
def test_damaged_files_are_read_alike(name: str, rng: random.Random) -> None:
    text = damage(rng, TEXTS[name])

    scanned = read(text, name)

    with in_python():
        assert read(text, name) == scanned


@is_built
@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize("name", TEXTS)
def test_the_scanner_can_pause_after_each_sentence(
    name: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = read(TEXTS[name], name)
    monkeypatch.setattr(scanner, "MAX_ROWS", most)

    assert read(TEXTS[name], name) == expected


@pytest.mark.parametrize("most", [0, 2])
def test_few_successors_of_ids_need_be_kept(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = read(COREFUD, "corefud")
    monkeypatch.setattr(conllu, "MAX_IDS", most)
    monkeypatch.setattr(conllu, "_NEXT_ID", conllu._NextIds())

    with in_python():
        assert read(COREFUD, "corefud") == expected
    assert len(conllu._NEXT_ID) == most


@is_built
def test_the_scanner_stops_where_a_closer_look_is_needed() -> None:
    assert scanner.scan_conllu is not None
    first = COREFUD.partition("\n\n")[0]
    words: list[str] = []
    lines = bytearray()
    sentences: list[int] = []
    rows: list[scanner.ScannedRow] = []
    layout = 9, (b"Entity=",), (b"Entity=", b"Split"), (9,), 9

    stop = scanner.scan_conllu(
        COREFUD.encode(), 0, 1, 1, layout, (words, {}, lines, sentences, rows), 100
    )

    assert stop == (len(first) + 2, 11, 6, 1)
    assert words == ["Ann", "and", "Bob", "came", "."]
    assert array("I", bytes(lines)) == array("I", [4, 5, 6, 8, 9])
    assert sentences == [0]
    assert [row[:2] for row in rows] == [(4, 0), (6, 2), (8, 3)]


@is_built
@pytest.mark.parametrize(
    ("layout", "message"),
    [
        ((9, (b"a",) * 9, (), (9,), 9), "too many marks"),
        ((9, (), (), (9,) * 9, 9), "too many columns"),
    ],
)
def test_the_scanner_has_limits(layout: tuple[Any, ...], message: str) -> None:
    assert scanner.scan_conllu is not None

    with pytest.raises(ValueError, match=message):
        scanner.scan_conllu(b"", 0, 1, 1, layout, ([], {}, bytearray(), [], []), 1)


@is_built
@pytest.mark.parametrize(("slots", "own"), [(5, 2), (6, 1)])
def test_the_scanner_makes_entities_of_known_slots_only(slots: int, own: int) -> None:
    assert scanner.new_entities is not None

    with pytest.raises(ValueError, match="not the slots of an entity"):
        scanner.new_entities({}, (object, ("a",) * slots), "set", (object, ("a",) * own, []))


@is_built
def test_the_scanner_knows_few_keys() -> None:
    state: tuple[Any, ...] = (
        [],
        {},
        [],
        {},
        tuple,
        {str(number): "" for number in range(9)},
        "",
        "",
        "",
    )

    with pytest.raises(ValueError, match="too many keys"):
        scanner.read_markables([], 0, 0, state)


def test_the_scanner_can_be_turned_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(scanner.PURE, "1")

    assert scanner.load() is None


def test_the_scanner_need_not_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(scanner.PURE, raising=False)
    monkeypatch.setitem(sys.modules, "anascore.formats._scanner", None)

    assert scanner.load() is None
