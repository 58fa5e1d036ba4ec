"""Zeros as a layer of their own."""

import random
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

import anascore
from anascore import Corpus, Document, SettingsError
from anascore.layers.zeros import WITHOUT_PARENT
from anascore.metrics.scores import ZERO_SCORES
from anascore.model.document import Table
from support.shared import CORPORA

HEADER = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
KEY = f"""\
{HEADER}\
1\tDijo\tdecir\tVERB\t_\t_\t0\troot\t0:root\t_
1.1\t_\tél\tPRON\tp\tCase=Nom\t_\t_\t1:nsubj\t_
2\tque\tque\tSCONJ\t_\t_\t3\tmark\t3:mark\t_
2.1\t_\tél\tPRON\tp\tCase=Nom\t_\t_\t3:nsubj|4:nsubj:xsubj\t_
3\tquiere\tquerer\tVERB\t_\t_\t1\tccomp\t1:ccomp\t_
4\tir\tir\tVERB\t_\t_\t3\txcomp\t3:xcomp\t_

1\tVa\tir\tVERB\t_\t_\t0\troot\t0:root\t_
1.1\tyo\tyo\tPRON\tp\t_\t_\t_\t1:nsubj\t_
1.2\tlo\tlo\tPRON\tp\t_\t_\t_\t1:obj\t_

"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def scores(folder: Path, response: str, key: str = KEY) -> dict[str, tuple[Fraction, ...]]:
    """Return recall and precision of each score as fractions, without prefix."""
    paths = write(folder, "key.conllu", key), write(folder, "response.conllu", response)
    counted = anascore.score(*paths, layers="zeros").total.scores
    return {
        name.removeprefix("zeros-"): tuple(
            Fraction(r.part) / r.whole for r in (row.recall, row.precision)
        )
        for name, (row,) in counted.items()
    }


def f(right: int, key: int = 5, response: int = 5) -> tuple[Fraction, Fraction]:
    return Fraction(right, key), Fraction(right, response)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param("", "", dict.fromkeys(("arc", "dep", "all"), f(5)), id="the same"),
        pytest.param(
            "4:nsubj:xsubj",
            "4:obj",
            {"arc": f(5), "dep": f(4), "wo": f(5), "dep-wo": f(4), "lemma": f(5), "all": f(4)},
            id="another relation to one of two parents",
        ),
        pytest.param(
            "3:nsubj|4:nsubj:xsubj",
            "3:nsubj",
            {"arc": f(4, 5, 4), "dep": f(4, 5, 4), "all": f(4, 5, 4)},
            id="a parent less",
        ),
        pytest.param(
            "1:obj", "0:obj", {"arc": f(4), "dep": f(4), "form": f(4), "all": f(4)}, id="the root"
        ),
        pytest.param(
            "1.2\tlo\tlo",
            "1.2\tla\tlo",
            {"arc": f(5), "form": f(4), "lemma": f(5), "upos": f(5), "all": f(4)},
            id="another form",
        ),
        pytest.param(
            "Case=Nom\t_\t_\t1:nsubj",
            "_\t_\t_\t1:nsubj",
            {"arc": f(5), "feats": f(4), "xpos": f(5), "all": f(4)},
            id="other features",
        ),
        pytest.param(
            "2.1\t_\tél\tPRON\tp\tCase=Nom\t_\t_\t3:nsubj|4:nsubj:xsubj\t_\n",
            "",
            {"arc": f(3, 5, 3), "wo": f(3, 5, 3), "all": f(3, 5, 3)},
            id="a zero less",
        ),
        pytest.param(
            "1.1\tyo\tyo\tPRON\tp\t_\t_\t_\t1:nsubj\t_\n1.2\tlo\tlo\tPRON\tp\t_\t_\t_\t1:obj",
            "1.1\tlo\tlo\tPRON\tp\t_\t_\t_\t1:obj\t_\n1.2\tyo\tyo\tPRON\tp\t_\t_\t_\t1:nsubj",
            {"arc": f(5), "wo": f(5), "all": f(5)},
            id="zeros in another order",
        ),
        pytest.param(
            "1:obj",
            "_",
            {"arc": f(4), "dep": f(4), "all": f(4)},
            id="no parent, which is a mistake of its own",
        ),
    ],
)
def test_by_hand(
    old: str, new: str, expected: dict[str, tuple[Fraction, ...]], tmp_path: Path
) -> None:
    assert old in KEY
    found = scores(tmp_path, KEY.replace(old, new, 1))

    assert {name: found[name] for name in expected} == expected


def test_the_word_before_may_differ(tmp_path: Path) -> None:
    zero = "1.1\t_\tél\tPRON\tp\tCase=Nom\t_\t_\t1:nsubj\t_\n"
    first = "1\tDijo\tdecir\tVERB\t_\t_\t0\troot\t0:root\t_\n"
    moved = KEY.replace(first + zero, zero.replace("1.1", "0.1") + first)

    found = scores(tmp_path, moved)

    assert (found["arc"], found["dep"], found["wo"], found["all"]) == (f(5), f(5), f(4), f(4))


def test_sizes_and_matches_are_counted(tmp_path: Path) -> None:
    key = write(tmp_path, "key.conllu", KEY)
    response = write(tmp_path, "response.conllu", KEY.replace("1:obj", "_").replace("xsubj", "x"))

    result = anascore.score(key, response, layers="zeros")

    assert result.total.key == {"documents": 1, "zeros": 4, "parents": 5}
    assert result.total.matching == {
        "exactly": 3,
        "partly": 1,
        "as_zeros": 0,
        "missing": 1,
        "spurious": 1,
    }
    assert result.notes == (f"response: {WITHOUT_PARENT}: 1",)
    assert "layers:zeros" in result.signature
    assert "ARC" in result.table()


def test_a_missing_document_has_no_zeros(tmp_path: Path) -> None:
    key = write(tmp_path, "key.conllu", KEY + KEY.replace("id = d", "id = e"))
    response = write(tmp_path, "response.conllu", KEY)

    result = anascore.score(key, response, layers="zeros", missing="empty")

    assert result["zeros-arc"][:2] == (0.5, 1.0)
    assert result.total.response["documents"] == 1


def test_without_zeros_nothing_is_defined(tmp_path: Path) -> None:
    plain = write(tmp_path, "plain.conllu", re.sub(r"\d\.\d\t.*\n", "", KEY))

    result = anascore.score(plain, plain, layers="identity,zeros")

    assert {*result.layers["zeros"].scores.values()} == {(None, None, None)}
    only = anascore.score(write(tmp_path, "key.conllu", KEY), plain, layers="zeros")
    assert only["zeros-all"] == (0.0, None, 0.0)


def test_what_is_refused(tmp_path: Path) -> None:
    key = write(tmp_path, "key.conllu", KEY)
    with pytest.raises(SettingsError, match="zeros cannot be scored as a layer when they are drop"):
        anascore.score(key, key, layers="zeros", zeros="drop")
    anascore.write(anascore.read(key), tmp_path / "key.jsonl")
    with pytest.raises(SettingsError, match="JSON lines cannot hold the layer zeros"):
        anascore.score(key, tmp_path / "key.jsonl", layers="zeros")
    with pytest.raises(SettingsError, match="zeros-arc is a score of the layer zeros, which is"):
        anascore.score(key, key, metrics="zeros-arc")
    bare = Corpus({"d": Document("d", ["a"], [], zeros=[(1, 1)])})
    with pytest.raises(SettingsError, match=r"the layer zeros needs .*there are none in a column"):
        anascore.score(bare, bare, layers="zeros")


def test_columns_that_a_file_lacks_are_empty() -> None:
    text = "1\ta\t0:root\n1.1\t_\t1:dep\n"
    table = Table(("ID", "FORM", "DEPS"), "\t", text.encode())
    document = Document("d", ["a"], [], zeros=[(1, 1)], table=table)
    corpus = Corpus({"d": document})

    assert anascore.score(corpus, corpus, layers="zeros")["zeros-all"].f1 == 1


def entries(text: str) -> list[dict[str, object]]:
    """Read the entries of zeros from the lines of a file, by nothing but the definition."""
    found: list[dict[str, object]] = []
    document = sentence = 0
    for line in text.split("\n"):
        document += line.startswith("# newdoc")
        sentence += not line
        cells = line.split("\t")
        if re.match(r"\d+\.\d", line):
            for link in cells[8].split("|"):
                head, _, relation = link.partition(":")
                found.append(
                    {
                        "ARC": (document, sentence, head),
                        "DEP": relation,
                        "WO": cells[0].partition(".")[0],
                        "FORM": cells[1],
                        **dict(zip(("LEMMA", "UPOS", "XPOS", "FEATS"), cells[2:6], strict=True)),
                    }
                )
    return found


def damaged(text: str, rng: random.Random) -> str:
    """Remove zeros, and change columns of others."""
    lines = []
    for line in text.split("\n"):
        cells = line.split("\t")
        if re.match(r"\d+\.\d", line):
            if rng.random() < 0.1:
                continue
            for column, other in ((1, "x"), (2, "x"), (3, "X"), (4, "x"), (5, "X=Y")):
                if rng.random() < 0.1:
                    cells[column] = other
            if rng.random() < 0.1:
                cells[8] = cells[8].replace(":", ":x", 1)
            if rng.random() < 0.1:
                cells[8] = "1" + cells[8][cells[8].index(":") :]
        lines.append("\t".join(cells))
    return "\n".join(lines)


def check_by_definition(text: str, folder: Path) -> None:
    changed = damaged(text, random.Random(1))
    paths = write(folder, "key.conllu", text), write(folder, "response.conllu", changed)
    found = anascore.score(*paths, layers="zeros").total.scores
    sides = entries(text), entries(changed)
    for name, parts in ZERO_SCORES.items():
        key, response = (Counter(tuple(e[p] for p in parts) for e in side) for side in sides)
        (row,) = found[name]
        expected = (key & response).total(), key.total(), response.total()
        assert (row.recall.part, row.recall.whole, row.precision.whole) == expected, name


def test_by_the_definition(tmp_path: Path) -> None:
    check_by_definition("".join(KEY.replace("id = d", f"id = {n}") for n in range(40)), tmp_path)


@pytest.mark.corpora
def test_by_the_definition_on_ancora(tmp_path: Path) -> None:
    check_by_definition((CORPORA / "ancora/dev.conllu").read_text(encoding="utf-8"), tmp_path)
