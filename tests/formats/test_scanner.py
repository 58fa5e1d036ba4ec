"""The compiled scanner reads the same as the readers in Python, and leaves errors to them."""

import random
import sys
from array import array
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anascore
from anascore.errors import Problem
from anascore.formats import conllu, scanner
from tools.fuzzing import readers
from tools.fuzzing.__main__ import main

is_built = pytest.mark.skipif(scanner.scan is None, reason="the scanner is not compiled")

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


def read(text: str, name: str) -> readers.Reading:
    return readers.read(text.encode(), name)


@is_built
@pytest.mark.parametrize("name", TEXTS)
def test_good_files_are_read_alike(name: str) -> None:
    documents, problems = read(TEXTS[name], name)

    with readers.in_python():
        assert read(TEXTS[name], name) == (documents, problems)
    assert [problem for problem in problems if problem.severity == "error"] == []
    assert sum(len(document["entities"]) for document in documents) > 3


@is_built
@pytest.mark.parametrize("minimum", ["3,4", "4", "2,3", "3,5", "4,3", f"3,{9**20}", f"{9**20}"])
def test_minimum_spans_are_read_alike(minimum: str) -> None:
    text = UA.replace("Min=3,4|ElementOf=3", f"Min={minimum}")

    scanned = read(text, "ua")

    with readers.in_python():
        assert read(text, "ua") == scanned


@is_built
@pytest.mark.parametrize("name", TEXTS)
@given(rng=st.randoms(use_true_random=False))
def test_damaged_files_are_read_alike(name: str, rng: random.Random) -> None:
    text = readers.changed_text(rng, TEXTS[name])

    scanned = read(text, name)

    with readers.in_python():
        assert read(text, name) == scanned


SHARE = 500
"""Number of mutated files that the tests compare; `make readers` compares many more."""


@is_built
@pytest.mark.parametrize("part", range(2))
def test_mutated_files_are_read_alike(part: int) -> None:
    files = readers.starts([Path(anascore.__file__).parent / "example"])
    numbers = range(part, SHARE, 2)

    results = [readers.try_number(number, seed=1, files=files) for number in numbers]

    assert results == [(number, "") for number in numbers]
    assert {readers.make_content(1, number, files)[1] for number in numbers} == {*readers.ENDINGS}


def test_beginnings_of_documents_are_mutated(tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text("# global.Entity = eid\n# newdoc\n1\n# newdoc\n2\n")
    (tmp_path / "b.conll").write_text("#begin document (a);\n" + "a\t-\n" * 500)
    (tmp_path / "c.txt").write_text("#begin document (a);\na\t-\n")
    samples = readers.starts()

    folder = readers.starts([tmp_path])

    assert folder["ua"] == samples["ua"]
    assert folder["corefud"][len(samples["corefud"]) :] == [
        b"# global.Entity = eid\n# newdoc\n1\n",
        b"# global.Entity = eid\n# newdoc\n2\n\n",
    ]
    (beginning,) = folder["conll2012"][len(samples["conll2012"]) :]
    assert beginning.count(b"\n") == readers.MAX_LINES
    assert readers.starts([tmp_path / "b.conll"])["conll2012"] == folder["conll2012"]


PROBLEM = Problem("f", 1, "error", "x")


@pytest.mark.parametrize(
    ("plain", "expected"),
    [
        (([{"words": 1}], [PROBLEM]), ""),
        (([{"words": 1}], [Problem("f", 2, "error", "x")]), "f:1: error: x // f:2: error: x"),
        (([{"words": 1}], []), "1 and 0 problems"),
        (([{"words": 2}], [PROBLEM]), "words: 1 // 2"),
        (([], [PROBLEM]), "1 and 0 documents"),
    ],
)
def test_differences_are_described(
    plain: tuple[Any, Any], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings = iter([readers.Reading([{"words": 1}], [PROBLEM]), readers.Reading(*plain)])
    monkeypatch.setattr(readers, "read", lambda *_: next(readings))

    assert readers.difference(b"", "ua") == expected


def replace_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    def difference(_: bytes, name: str) -> str:
        if name == "ua":
            raise KeyError(name)
        return "other words" if name == "corefud" else ""

    monkeypatch.setattr(readers, "difference", difference)


def test_differences_are_saved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_difference(monkeypatch)
    files = readers.starts()
    made = [readers.make_content(3, number, files) for number in range(12)]
    messages = {"ua": "KeyError('ua')", "corefud": "other words"}
    expected = {
        tmp_path / f"readers-3-{number}{readers.ENDINGS[name]}": (content, messages[name])
        for number, (content, name) in enumerate(made)
        if name in messages
    }

    different = readers.compare_readers(range(12), 3, 2, files, tmp_path)

    assert different == len(expected) > 2
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == {
        path: content for path, (content, _) in expected.items()
    }
    assert sorted(capsys.readouterr().err.splitlines()) == sorted(
        f"{path}: {message}" for path, (_, message) in expected.items()
    )


@is_built
def test_the_command_that_compares(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["readers", "--inputs", "12", "--seed", "3", "--failures", str(tmp_path)]
    line = "12 CoNLL files read with and without the scanner, seed 3: {} differences\n"

    assert main(arguments) == 0
    assert capsys.readouterr().out == line.format(0)

    replace_difference(monkeypatch)

    assert main(arguments) == 1
    assert capsys.readouterr().out == line.format(len([*tmp_path.iterdir()]))


def test_nothing_is_compared_without_the_scanner(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scanner, "scan", None)

    assert main(["readers", "--inputs", "1"]) == 0
    assert capsys.readouterr().out == "the scanner is not compiled: there is nothing to compare\n"


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

    with readers.in_python():
        assert read(COREFUD, "corefud") == expected
    assert len(conllu._NEXT_ID) == most


@is_built
def test_the_scanner_stops_where_a_closer_look_is_needed() -> None:
    assert scanner.scan is not None
    first = COREFUD.partition("\n\n")[0]
    words: list[str] = []
    lines = bytearray()
    sentences: list[int] = []
    rows: list[scanner.ScannedRow] = []
    layout = 9, (b"Entity=",), (b"Entity=", b"Split"), 9, 1, 9

    stop = scanner.scan(COREFUD.encode(), 0, 1, 1, layout, (words, {}, lines, sentences, rows), 100)

    assert stop == (len(first) + 2, 11, 6, 1, 0)
    assert words == ["Ann", "and", "Bob", "came", "."]
    assert array("I", bytes(lines)) == array("I", [4, 5, 6, 8, 9])
    assert sentences == [0]
    assert [row[:2] for row in rows] == [(4, 0), (6, 2), (8, 3)]


@is_built
@pytest.mark.parametrize(
    ("layout", "message"),
    [
        ((9, (b"a",) * 9, (), 9, 1, 9), "too many marks"),
        ((9, (), (), 0, 9, 9), "too many columns"),
        ((9, (), (), 9, 2, 9), "too many columns"),
    ],
)
def test_the_scanner_has_limits(layout: tuple[Any, ...], message: str) -> None:
    assert scanner.scan is not None

    with pytest.raises(ValueError, match=message):
        scanner.scan(b"", 0, 1, 1, layout, ([], {}, bytearray(), [], []), 1)


def test_the_scanner_can_be_turned_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(scanner.PURE, "1")

    assert scanner.load() is None


def test_the_scanner_need_not_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(scanner.PURE, raising=False)
    monkeypatch.setitem(sys.modules, "anascore.formats._scanner", None)

    assert scanner.load() is None
