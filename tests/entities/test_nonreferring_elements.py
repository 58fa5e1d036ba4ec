"""Elements of sets that are annotated as non-referring, which the `ua` convention keeps."""

import random
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore.model.document import Document
from support.paths import ROOT

HEADER = "# global.columns = ID FORM IDENTITY DISCOURSE_DEIXIS\n# newdoc id = d\n"
DISAGREEMENT = ROOT / "docs/examples/disagreements/nonreferring-elements"


def write(path: Path, *cells: str, column: int = 0) -> Path:
    """Write a document with a word for each cell of IDENTITY, or of DISCOURSE_DEIXIS."""
    rows = [["_", "_"] for _ in cells]
    for row, cell in zip(rows, cells, strict=True):
        row[column] = cell
    lines = (f"{n}\tw{n}\t{row[0]}\t{row[1]}\n" for n, row in enumerate(rows, 1))
    path.write_text(HEADER + "".join(lines))
    return path


def score(key: Path, response: Path, **settings: Any) -> dict[str, tuple[Fraction | int, ...]]:
    """Return recall and precision of MUC, B³ and the CEAFs as fractions."""
    result = anascore.score(key, response, **{"convention": "ua", **settings})
    layer = next(iter(result.layers.values()))
    return {
        name: tuple(
            Fraction(layer.scores[name][side] or 0).limit_denominator(10_000) for side in (0, 1)
        )
        for name in ("muc", "b3", "ceafe", "ceafm")
    }


# They = {Ann} and a non-referring mention.
KEY = (
    "(EntityID=a|MarkableID=m1|ElementOf=s)",
    "(EntityID=9-Pseudo|MarkableID=m2|ElementOf=s)",
    "(EntityID=s|MarkableID=m3)",
)


@pytest.mark.parametrize("task", ["", "codicrac-ar"])
def test_the_published_scorer_prints_the_same(task: str) -> None:
    key, response = (DISAGREEMENT / f"{side}.conllua" for side in ("key", "response"))
    options: dict[str, Any] = {"task": task} if task else {"convention": "ua"}

    result = anascore.score(key, response, **options, metrics="muc,b3,ceafe")

    printed = {"muc": (50, 100), "b3": (70.83, 100), "ceafe": (91.67, 91.67)}
    for name, values in printed.items():
        ours = [100 * (value or 0) for value in result[name][:2]]
        assert ours == pytest.approx(values, abs=0.005)


@pytest.mark.parametrize("side", [0, 1])
def test_they_exist_inside_sets_only(tmp_path: Path, side: int) -> None:
    both = write(tmp_path / "both.conllua", *KEY)
    one = write(tmp_path / "one.conllua", KEY[0], "_", KEY[2])
    sides = (both, one) if side == 0 else (one, both)

    result = anascore.score(*sides, convention="ua")

    assert (result.total.matching["missing"], result.total.matching["spurious"]) == (0, 0)
    assert result["mentions"].f1 == result["mor"].f1 == 1
    sizes = [result.total.key, result.total.response]
    assert [(size["mentions"], size["entities"]) for size in sizes] == [(2, 2), (2, 2)]
    assert result["b3"][side] == pytest.approx(17 / 24)
    assert result["b3"][1 - side] == 1
    note = "non-referring elements of accommodated sets, counted inside the sets only: 1"
    assert [n for n in result.notes if "non-referring" in n] == [
        f"{['key', 'response'][side]}: {note}"
    ]


def test_they_match_mentions_of_entities(tmp_path: Path) -> None:
    key = write(tmp_path / "key.conllua", *KEY)
    referring = KEY[1].replace("9-Pseudo", "b")
    response = write(tmp_path / "response.conllua", KEY[0], referring, KEY[2])

    # The sets are equal, but the response has an entity too many.
    assert score(key, response) == {
        "muc": (1, 1),
        "b3": (1, Fraction(3, 4)),
        "ceafe": (1, Fraction(2, 3)),
        "ceafm": (1, Fraction(3, 4)),
    }


def test_a_set_of_nothing_else(tmp_path: Path) -> None:
    text = (KEY[1], KEY[2])
    key = write(tmp_path / "key.conllua", *text)
    without = write(tmp_path / "without.conllua", "_", KEY[2])

    assert score(key, key) == dict.fromkeys(("muc", "b3", "ceafe", "ceafm"), (1, 1))
    assert score(key, without)["b3"] == (Fraction(1, 4), 1)
    result = anascore.score(key, without, convention="ua")
    assert result.total.key["accommodated_sets"] == 1
    assert result.total.response["accommodated_sets"] == 0


def test_non_referring_sets_are_unpacked(tmp_path: Path) -> None:
    # s = {p}, p = {a, q}, q = {b}, all of p and q non-referring.
    nested = (
        "(EntityID=a|MarkableID=m1|ElementOf=1-Pseudo)",
        "(EntityID=b|MarkableID=m2|ElementOf=2_Pseudo)",
        "(EntityID=1-Pseudo|MarkableID=m3|ElementOf=s)",
        "(EntityID=2_Pseudo|MarkableID=m4|ElementOf=1-Pseudo)",
        "(EntityID=s|MarkableID=m5)",
    )
    flat = ("(EntityID=a|ElementOf=s)", "(EntityID=b|ElementOf=s)", "_", "_", "(EntityID=s)")
    key = write(tmp_path / "key.conllua", *nested)
    response = write(tmp_path / "response.conllua", *flat)

    assert score(key, response) == dict.fromkeys(("muc", "b3", "ceafe", "ceafm"), (1, 1))
    result = anascore.score(key, key)
    assert [note for note in result.notes if note.startswith("key")] == [
        "key: mentions with ElementOf of a non-referring mention, which is not a set: 3",
        "key: non-referring mentions with ElementOf, which are not elements: 1",
    ]
    assert not any(entity.elements for entity in document_of(key).entities)


def document_of(path: Path) -> Document:
    (document,) = anascore.read(path).documents.values()
    return document


def test_cycles_of_non_referring_sets_end(tmp_path: Path) -> None:
    cells = (
        "(EntityID=1-Pseudo|ElementOf=2-Pseudo)",
        "(EntityID=2-Pseudo|ElementOf=1-Pseudo,s)",
        "(EntityID=s|ElementOf=1-Pseudo)",
    )
    path = write(tmp_path / "key.conllua", *cells)

    assert document_of(path).entities[0].nonreferring == ()
    assert score(path, path)["b3"] == (1, 1)


def test_long_chains_of_non_referring_sets(tmp_path: Path) -> None:
    length = 3000
    cells = [f"(EntityID={n}-Pseudo|ElementOf={n + 1}-Pseudo)" for n in range(length - 1)]
    cells += [f"(EntityID={length - 1}-Pseudo|ElementOf=s)", "(EntityID=s)"]
    path = write(tmp_path / "key.conllua", *cells)

    (element,) = document_of(path).entities[0].nonreferring

    assert element.name == "0-Pseudo"


def test_a_mention_that_an_entity_has_too(tmp_path: Path) -> None:
    again = "(EntityID=a|MarkableID=m4)"
    key = write(tmp_path / "key.conllua", KEY[0], KEY[1] + again, KEY[2])
    response = write(tmp_path / "response.conllua", KEY[0], again, KEY[2])

    assert score(key, response) == dict.fromkeys(("muc", "b3", "ceafe", "ceafm"), (1, 1))


def test_repeated_mentions_of_the_other_side(tmp_path: Path) -> None:
    key = write(tmp_path / "key.conllua", *KEY)
    repeated = "(EntityID=b|MarkableID=m4|ElementOf=s)(EntityID=c|MarkableID=m5|ElementOf=s)"
    response = write(tmp_path / "response.conllua", KEY[0], repeated, KEY[2])

    # b and c both have the mention: {a, -} against {a, b, c}.
    assert score(key, response, repeated_mentions="all")["muc"][0] == 1
    swapped = score(response, key, repeated_mentions="all")
    assert swapped["muc"][::-1] == score(key, response, repeated_mentions="all")["muc"]


@pytest.mark.parametrize("settings", [{"split": False}, {"convention": "paper"}])
def test_other_settings_leave_them_out(tmp_path: Path, settings: dict[str, Any]) -> None:
    key = write(tmp_path / "key.conllua", *KEY)
    response = write(tmp_path / "response.conllua", KEY[0], "_", KEY[2])

    assert score(key, response, **settings)["b3"] == (1, 1)


def test_discourse_deixis(tmp_path: Path) -> None:
    key = write(tmp_path / "key.conllua", *KEY, column=1)
    response = write(tmp_path / "response.conllua", KEY[0], "_", KEY[2], column=1)

    scores = score(key, response, layers="discourse-deixis", metrics="muc,b3,ceafe,ceafm")

    assert scores["b3"] == (Fraction(17, 24), 1)


def test_the_order_of_the_file_has_no_effect(tmp_path: Path) -> None:
    rng = random.Random(7)
    names = ["a", "b", "s", "t", "1-Pseudo", "2-Pseudo", "3-Pseudo"]
    sets = {"a": "s", "b": "t", "1-Pseudo": "s", "2-Pseudo": "s,t", "3-Pseudo": "t"}
    paths = []
    for number in range(20):
        words = [rng.choice([*names, ""]) for _ in range(12)]
        cells = [
            f"(EntityID={n}|ElementOf={sets[n]})" if n in sets else f"(EntityID={n})" if n else "_"
            for n in words
        ]
        present = {*words}
        cells = [
            cell if all(s in present for s in sets.get(n, "").split(",") if s) else "_"
            for n, cell in zip(words, cells, strict=True)
        ]
        paths.append(write(tmp_path / f"{number}.conllua", *cells))
    for key, response in pairwise(paths):
        scores, swapped = score(key, response), score(response, key)
        assert {name: values[::-1] for name, values in swapped.items()} == scores
        own = score(key, key)
        assert {value for values in own.values() for value in values} <= {0, 1}
        assert own["b3"] in {(1, 1), (0, 0)}


def test_conversion_keeps_them(tmp_path: Path) -> None:
    key = write(tmp_path / "key.conllua", *KEY)
    anascore.convert(key, tmp_path / "copy.conllua")

    (copied,) = document_of(tmp_path / "copy.conllua").entities[1].nonreferring

    assert [mention.words for mention in copied.mentions] == [((1, 2),)]
    assert copied.name == "1-Pseudo"
    assert (
        "(EntityID=1-Pseudo|MarkableID=markable_3|ElementOf=s)"
        in (tmp_path / "copy.conllua").read_text()
    )
    losses = anascore.convert(key, tmp_path / "copy.jsonl")
    assert losses["non-referring elements of accommodated sets"] == 1


def test_joined_documents_keep_them(tmp_path: Path) -> None:
    path = write(tmp_path / "key.conllua", *KEY)
    more = path.read_text() + path.read_text().partition("\n")[2].replace("= d", "= e")
    path.write_text(more.replace("ElementOf=s", "ElementOf=2-Pseudo,s", 1))
    without = tmp_path / "response.conllua"
    without.write_text(path.read_text().replace(KEY[1], "_"))

    result = anascore.score(path, without, convention="ua", across="all")

    recall, precision, _ = result["b3"]
    assert precision == 1
    assert recall is not None
    assert recall < 1
    assert anascore.score(path, path, convention="ua", across="all")["b3"].f1 == 1


def test_analyses(tmp_path: Path) -> None:
    key = write(tmp_path / "key.conllua", *KEY)
    response = write(tmp_path / "response.conllua", KEY[0], "_", KEY[2])
    note = "errors are analysed without the non-referring elements of accommodated sets"

    (explained,) = anascore.explain(key, response, convention="ua")
    errors = anascore.find_errors(key, response, convention="ua")
    anascore.report(key, [response], tmp_path / "report.html", convention="ua")
    windows = anascore.score(key, response, convention="ua", window=2)

    assert [entity.elements for entity in explained.key] == [(), ("K1", "K3"), ()]
    assert note in errors.warnings
    assert note not in anascore.find_errors(key, response).warnings
    assert repr(errors) == "<ResponseErrors 'response': 0 errors of 0 types>"
    assert windows["b3"].f1 == 1
    proposals = anascore.score(
        key, response, convention="ua", metrics="links,zhou-choi,lea-2021,lea-rucoco"
    )
    assert proposals["links"].recall == 0.5
