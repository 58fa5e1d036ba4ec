"""Public objects as a line, as HTML, as JSON and back, as pandas tables, and pickled."""

import csv
import io
import json
import os
import pickle
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from html.parser import HTMLParser
from operator import getitem
from pathlib import Path
from typing import Any

import msgspec
import pytest

import anascore
from anascore import (
    Agreement,
    Bridge,
    Comparison,
    Corpus,
    Document,
    Entity,
    Mention,
    NonReferring,
    ReadError,
    ResponseErrors,
    ResponseExplanation,
    Result,
    Settings,
    SettingsError,
    SuiteResult,
)
from anascore.analysis.errors import MentionRef
from anascore.analysis.explain import Direction
from anascore.errors import Problem
from anascore.model.ratio import Ratio
from anascore.output import notebook
from anascore.output.grid import Cell, Column, Grid, Head
from anascore.output.json.encoding import ExactNumber, exact, number
from anascore.output.notebook import MAX_NOTES, MAX_ROWS
from anascore.version import __version__
from support.paper import KEY, SYSTEMS
from support.public_objects import HE, MARY, OBJECTS, SMALL, ZERO, corpus_of
from support.samples import SAMPLES


@pytest.fixture(scope="module")
def compared() -> Comparison:
    return anascore.compare(KEY, {"A": SYSTEMS[0], "B": SYSTEMS[1]}, metrics="muc,conll")


@pytest.fixture(scope="module")
def errors() -> ResponseErrors:
    return anascore.find_errors(KEY, SYSTEMS[0])


@pytest.fixture(scope="module")
def explanation() -> ResponseExplanation:
    return anascore.explain(KEY, SYSTEMS[0], metrics="muc,blanc")


BAD = Problem("f", 3, "error", "odd")

REPRS: dict[str, tuple[object, str]] = {
    "mention": (HE, "Mention(((0, 1),))"),
    "mention with all": (ZERO, "Mention((), zeros=((1, 1),), marked_head=(1, 1))"),
    "minimum": (MARY, "Mention(((2, 4),), minimum=((2, 3),))"),
    "entity": (Entity([HE]), "Entity([Mention(((0, 1),))])"),
    "entity with all": (
        Entity("abcdef", elements=(0, 1), name="e", relation="result"),
        "Entity(['a', 'b', 'c', 'd', … 2 more], elements=[0, 1], name='e', relation='result')",
    ),
    "entity of a wrong type": (Entity(5), "Entity(5)"),  # type: ignore[arg-type]
    "non-referring": (
        NonReferring(HE, "expletive"),
        "NonReferring(mention=Mention(((0, 1),)), type='expletive')",
    ),
    "bridge": (
        Bridge(HE, HE, 1),
        "Bridge(anaphor=Mention(((0, 1),)), anchor=Mention(((0, 1),)), entity=1, relation='')",
    ),
    "document": (
        corpus_of("d").documents["d"],
        "<Document 'd': 4 words, 3 mentions, 3 entities>",
    ),
    "document in characters": (
        Document("d\n", "h", [], errors=(BAD,)),
        "<Document 'd\\n': 1 character, 0 mentions, 0 entities, 1 error>",
    ),
    "corpus": (
        corpus_of("a", "b"),
        "<Corpus: 2 documents, 6 mentions, 6 entities (jsonl, 'corpus.jsonl')>",
    ),
    "corpus without a path": (
        Corpus({}),
        "<Corpus: 0 documents, 0 mentions, 0 entities (clusters)>",
    ),
    "long name": (
        Document("n" * 999, [], []),
        f"<Document '{'n' * 60}…': 0 words, 0 mentions, 0 entities>",
    ),
    "settings": (Settings(), "Settings()"),
    "changed settings": (
        Settings(match="head", split=False, by=("length",)),
        "Settings(match='head', split=False, by=('length',))",
    ),
    "mention of an error": (
        MentionRef("key", "Mary Smith", ((2, 4),), ((1, 1),), None),
        "<MentionRef 'Mary Smith' at 3-4,1.1 of the key>",
    ),
    "empty comparison": (Comparison([]), "<Comparison: no systems>"),
    "explanation of nothing": (
        ResponseExplanation("", [], ()),
        "<ResponseExplanation: 0 documents, metrics ->",
    ),
}


@pytest.mark.parametrize("name", REPRS)
def test_repr(name: str) -> None:
    shown, expected = REPRS[name]

    assert repr(shown) == expected


def test_repr_of_results(compared: Comparison) -> None:
    result = compared[0]

    assert repr(result) == "<Result 'A': CoNLL 77.69, 1 document>"
    assert repr(compared) == "<Comparison: 'A' CoNLL 77.69, 'B' CoNLL 78.52>"
    assert repr(Comparison([result] * 10)).endswith(", 'A' CoNLL 77.69, … 2 more>")
    assert repr(result.layers) == "{'identity': <LayerResult identity: CoNLL 77.69, 1 document>}"
    assert repr(result.documents) == "{'example': <DocumentResult: CoNLL 77.69>}"
    assert repr(anascore.score(KEY, SYSTEMS[0], metrics="lea")) == (
        "<Result 'system-A': LEA 68.53, 1 document>"
    )
    assert repr(replace(result.documents["example"], scores={})) == "<DocumentResult: no scores>"


def test_repr_of_analyses(errors: ResponseErrors, explanation: ResponseExplanation) -> None:
    (document,) = explanation
    first = next(iter(errors))

    assert repr(errors) == "<ResponseErrors 'system-A': 5 errors of 4 types>"
    assert repr(first) == "<Error missing-mention in 'example' at 8>"
    assert str(first) == "missing mention: example 8 (line 12 of the key): “her”"
    assert repr(explanation) == "<ResponseExplanation: 1 document, metrics muc, blanc>"
    assert repr(document) == "<Explanation 'example': 7 and 6 entities>"
    assert repr(document.metrics[0]) == "<MetricExplanation muc: 3 accommodated sets>"


def test_repr_of_statistics_and_validations(tmp_path: Path) -> None:
    path = tmp_path / "f.conll"
    path.write_text("w 1)\n")
    validation, counts = anascore.validate(path), anascore.stats(corpus_of("d"))

    assert repr(validation) == "<Validation: 1 file, 1 error, 0 warnings>"
    assert repr(validation.files) == f"(<FileValidation {str(path)[:60]!r}".removesuffix("'") + (
        f"{'…' if len(str(path)) > 60 else ''}': 1 error, 0 warnings>,)"
    )
    assert repr(counts) == "<Statistics: 1 file, 1 document, 3 mentions, 3 entities>"
    assert repr(counts.files) == (
        "(<FileStatistics 'corpus.jsonl': 1 document, 3 mentions, 3 entities>,)"
    )


EXCEPTIONS = {
    "AnascoreError": anascore.AnascoreError("wrong"),
    "EntityError": anascore.EntityError("wrong"),
    "MismatchError": anascore.MismatchError("wrong"),
    "ReadError": anascore.ReadError("f", 3, "wrong", ["g: wrong"]),
    "SettingsError": SettingsError("wrong"),
    "WriteError": anascore.WriteError("f", "wrong"),
}


def test_there_is_an_object_of_each_public_class() -> None:
    classes = {name for name in anascore.__all__ if isinstance(getattr(anascore, name), type)}

    # A scorer has a state and is not compared; see test_merging. Metrics of plug-ins take the rest.
    assert classes - {"Scorer", "Overlap", "Ratio"} <= OBJECTS.keys() | EXCEPTIONS.keys()


@pytest.mark.parametrize("name", OBJECTS)
def test_pickle(name: str) -> None:
    original = OBJECTS[name]

    restored = pickle.loads(pickle.dumps(original))

    assert restored == original
    assert repr(restored) == repr(original)
    assert type(restored) is type(original)


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_pickle_of_errors(name: str) -> None:
    original = EXCEPTIONS[name]

    restored = pickle.loads(pickle.dumps(original))

    assert (type(restored), str(restored)) == (type(original), str(original))
    assert restored.__dict__ == original.__dict__


@pytest.mark.parametrize("name", [*OBJECTS, *EXCEPTIONS])
def test_repr_is_one_short_line(name: str) -> None:
    shown = repr({**OBJECTS, **EXCEPTIONS}[name])

    assert "\n" not in shown
    assert len(shown) < 250


def test_repr_of_a_large_corpus_is_short() -> None:
    mentions = [Mention(((n, n + 1),)) for n in range(5000)]
    document = Document("d", ["w"] * 5000, [Entity(mentions), *(Entity([m]) for m in mentions)])
    corpus = Corpus({"d": document})

    assert len(repr(corpus)) < 100
    assert len(repr(document)) < 100
    assert len(repr(document.entities[0])) < 150


class Tags(HTMLParser):
    """Collects the elements, attributes and text of HTML, and checks that elements are closed."""

    def __init__(self, html: str) -> None:
        """Parse HTML."""
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.open: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


IN_NOTEBOOKS = [name for name, shown in OBJECTS.items() if hasattr(shown, "_repr_html_")]
TAGS = {*("div", "table", "caption", "thead", "tbody", "tr", "th", "td", "bdi", "strong", "code")}
TEXT_TAGS = {"ol", "li", "mark", "b"}
ATTRIBUTES = {
    *("class", "style", "scope", "colspan", "cellpadding", "dir", "role", "aria-label", "title")
}


@pytest.mark.parametrize("name", IN_NOTEBOOKS)
def test_html_has_tables_and_nothing_that_runs(name: str) -> None:
    html = OBJECTS[name]._repr_html_()

    found = Tags(html)
    assert found.tags <= TAGS | TEXT_TAGS
    assert found.attributes <= ATTRIBUTES
    assert "url(" not in html
    assert html.startswith('<div class="tex2jax_ignore mathjax_ignore"')
    assert len(html) < 60_000


def test_what_has_html() -> None:
    assert [
        *("Comparison", "Result", "SuiteResult", "Agreement", "ResponseErrors"),
        *("ErrorComparison", "AnnotatedText", "ResponseExplanation"),
        *("Statistics", "Validation", "Corpus", "Document"),
    ] == IN_NOTEBOOKS


HOSTILE = "<script>alert(1)</script>\"'&amp;\x1b\u202e$x$"


def hostile_objects() -> Iterator[Any]:
    key, response = (
        replace(corpus_of(HOSTILE, words=words), path=HOSTILE)
        for words in (f"he{HOSTILE} saw Mary Smith", f"he{HOSTILE} saw Mary Smith")
    )
    empty = replace(response.documents[HOSTILE], entities=())
    response = replace(response, documents={HOSTILE: empty})
    compared = anascore.compare(key, {HOSTILE: key, "": response}, by="genre=(.*)")
    yield compared
    yield compared[0]
    yield anascore.agreement({HOSTILE: key, "": response}, disagreements=True)
    yield anascore.find_errors(key, response)
    yield anascore.explain(key, response)
    yield anascore.stats(key)
    yield anascore.validate(HOSTILE)
    yield key


def test_html_escapes_names_and_words() -> None:
    for shown in hostile_objects():
        html = shown._repr_html_()

        assert "<script" not in html
        assert Tags(html).tags <= TAGS
        assert html.isprintable()
        assert HOSTILE[:30] in Tags(html).text


def test_html_is_that_of_the_grids(compared: Comparison) -> None:
    text = Tags(compared._repr_html_()).text

    for part in ("All entities", "MUC", "88.89", "accommodated sets", compared[0].signature):
        assert part in text
    assert Comparison([])._repr_html_().endswith("></div>")


def test_a_grid_as_html() -> None:
    grid = Grid(
        "table",
        "t < u",
        [Head([Column("n"), Column("text", is_text=True)], "both"), Head([Column("m")])],
        [("a", [Cell("1", best=True, p=0.01), Cell("x"), Cell("2")])],
        corner="c",
        notes=["note"],
    )

    html = notebook.render([grid], ["s|t"])

    assert '<th scope="colgroup" colspan="2" style="text-align:center">both</th>' in html
    assert '<td style="text-align:right"><strong>1</strong>*</td>' in html
    assert '<td style="text-align:left" dir="auto">x</td>' in html
    assert Tags(html).text == "t < ubothcntextma1*x2notes|t"


def test_a_large_grid_is_cut() -> None:
    rows = [(str(n), [Cell(str(n))]) for n in range(MAX_ROWS + 1)]
    notes = [f"note {n}" for n in range(MAX_NOTES + 2)]

    text = Tags(
        notebook.render([Grid("table", "", [Head([Column("", "")])], rows, notes=notes)])
    ).text

    assert text.endswith(f"note {MAX_NOTES - 1}and 1 more rowand 2 more lines")
    assert text.startswith("0011")


def test_a_wide_grid_is_split() -> None:
    heads = [Head([Column(f"c{n}")]) for n in range(20)]
    grid = Grid("table", "title", heads, [("a", [Cell("1")] * 20)])

    html = notebook.render([grid])

    assert html.count("<table") == 2
    assert html.count("title") == 1


def test_an_explanation_of_many_documents_is_cut() -> None:
    corpus = corpus_of(*"abcde")

    text = Tags(anascore.explain(corpus, corpus)._repr_html_()).text

    assert "Document a" in text
    assert "Document b" not in text
    assert "and 4 more documents; to show all, add --all (in Python full=True)" in text


def test_long_entities_and_fractions_are_cut_in_html() -> None:
    words = [f"w{n}" for n in range(10)]
    mentions = [Mention(((n, n + 1),)) for n in range(10)]
    corpus = Corpus({"d": Document("d", words, [Entity(mentions)])})
    explanation = anascore.explain(corpus, corpus, metrics="muc")
    (document,) = explanation
    (metric,) = document.metrics
    (row,) = metric.rows
    row = row._replace(recall=Direction((), Ratio(Fraction(10**20, 3**40), 1)))
    document = replace(document, metrics=(replace(metric, rows=(row,)),))

    text = Tags(replace(explanation, documents=[document])._repr_html_()).text

    assert "{w0, w1, w2, w3, … 6 more}" in text
    assert "≈8.225" in text


def test_errors_give_their_numbers(errors: ResponseErrors) -> None:
    assert len(errors) == len(list(errors)) == sum(errors.counts.values()) == 5
    assert {name: n for name, n in errors.counts.items() if n} == {
        "missing-mention": 2,
        "conflated-entity": 1,
        "missing-element": 1,
        "set-as-entity": 1,
    }
    assert [error.type for error in errors][:2] == ["missing-mention"] * 2
    assert errors.scores == anascore.score(KEY, SYSTEMS[0], metrics=errors.reported).scores
    assert errors.corrected["missed-set"] == errors.scores
    assert errors.all_corrected["conll"].f1 == 1


def test_errors_of_some_types(errors: ResponseErrors) -> None:
    assert f"{errors}\n" == errors.table() == errors.render("table")
    assert "“her”" not in errors.table(types="conflated-entity")
    assert "and 1 more; --examples all shows them" in errors.table(examples=1)
    assert len(errors.render("csv", types=["missing-mention", "missed-set"]).splitlines()) == 3
    with pytest.raises(
        SettingsError, match="--type x: no such type of error; choose from wrong-sp"
    ):
        errors.table(types=["x"])


OUTPUTS = {
    "Comparison": "table, markdown, latex, json, csv, eval-results",
    **dict.fromkeys(
        (
            *("SuiteResult", "Agreement", "ResponseErrors", "ErrorComparison"),
            *("ResponseExplanation", "Statistics", "Validation"),
        ),
        "table, markdown, latex, json, csv",
    ),
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_no_such_output(name: str) -> None:
    with pytest.raises(SettingsError) as raised:
        OBJECTS[name].render("x")

    assert str(raised.value) == f"no such output: 'x'; choose from {OUTPUTS[name]}"


def test_an_explanation_is_iterable(explanation: ResponseExplanation) -> None:
    assert list(explanation) == explanation.documents
    assert len(explanation) == 1
    assert f"{explanation}\n" == explanation.table()


def test_warnings_are_in_html(errors: ResponseErrors, explanation: ResponseExplanation) -> None:
    for shown in (replace(errors, warnings=("odd",)), replace(explanation, warnings=("odd",))):
        assert "warning: odd" in Tags(shown._repr_html_()).text


def test_errors_without_any() -> None:
    errors = anascore.find_errors(KEY, KEY)

    assert not errors
    assert list(errors) == []
    assert "at most 5 of each type" not in errors._repr_html_()
    (system,) = errors.to_dict()["systems"]
    assert {content["errors"] for content in system["types"].values()} == {0}


CLASSES: dict[str, Any] = {
    "Result": Result,
    "Comparison": Comparison,
    "SuiteResult": SuiteResult,
    "Agreement": Agreement,
}
"""Classes that can be restored from JSON."""


@pytest.mark.parametrize("name", CLASSES)
def test_json_and_back(name: str) -> None:
    original = OBJECTS[name]

    restored = CLASSES[name].from_json(original.to_json())

    assert restored == original
    assert type(restored) is type(original)
    assert str(restored) == str(original)
    assert restored._repr_html_() == original._repr_html_()
    assert restored.to_json() == original.to_json()
    assert original.to_dict()["schema"] == 2


def sample_pairs(folder: Path) -> Iterator[tuple[str, str]]:
    for name, text in SAMPLES.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name in SAMPLES:
        stem, _, ending = name.rpartition(".")
        if stem.endswith("-key") and (other := f"{stem.removesuffix('-key')}.{ending}") in SAMPLES:
            yield str(folder / name), str(folder / other)


def test_json_and_back_of_all_samples(tmp_path: Path) -> None:
    pairs = list(sample_pairs(tmp_path))

    for pair in pairs:
        result = anascore.score(*pair, layers="all", by="all")
        agreement = anascore.agreement(pair, layers="all", disagreements=True)
        assert Result.from_json(result.to_json()) == result
        assert Agreement.from_json(agreement.to_json()) == agreement
    assert len(pairs) > 2


OF_COMMANDS: dict[str, tuple[str, Callable[[], Any]]] = {
    # a command, and its result in Python
    "layers and classes": (
        "score key/a.conllua A/a.conllua --layers all --by all --macro",
        lambda: anascore.compare("key/a.conllua", ["A/a.conllua"], layers="all", by="all"),
    ),
    "several keys": (
        "score key A --also-key B --human --key-weights 2,1 --missing empty --by length",
        lambda: anascore.compare(
            "key",
            ["A"],
            also_keys=["B"],
            human=True,
            key_weights=[2, 1],
            missing="empty",
            by="length",
        ),
    ),
    "resampling": (
        "score key A B --confidence --paired bootstrap --samples 9 --seed 3 --bad-documents skip",
        lambda: anascore.compare(
            "key",
            ["A", "B"],
            confidence=True,
            paired="bootstrap",
            samples=9,
            seed=3,
            bad_documents="skip",
        ),
    ),
    "across": (
        "score key A --across all --metrics muc,blanc",
        lambda: anascore.compare("key", ["A"], across="all", metrics="muc,blanc"),
    ),
    "suite": (
        "suite key A B --variants plain:match=exact --confidence --samples 9",
        lambda: anascore.suite(
            "key", ["A", "B"], variants="plain:match=exact", confidence=True, samples=9
        ),
    ),
    "agreement": (
        "agreement key A B --layers all --confidence --samples 9 --distance dice",
        lambda: anascore.agreement(
            ["key", "A", "B"], layers="all", confidence=True, samples=9, distance="dice"
        ),
    ),
}


@pytest.mark.parametrize("case", OF_COMMANDS)
def test_json_of_another_process(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    layers = (SAMPLES["layers-key.conllua"], SAMPLES["layers.conllua"])
    for name, paper, other in zip(
        ("key", "A", "B"), (KEY, *SYSTEMS), (*layers, layers[0]), strict=False
    ):
        Path(name).mkdir()
        Path(name, "a.conllua").write_text(other, encoding="utf-8")
        Path(name, "b.conllua").write_bytes(paper.read_bytes())
    command, in_python = OF_COMMANDS[case]

    process = subprocess.run(
        [sys.executable, "-m", "anascore", *command.split(), "--output", "json"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "1"},
    )

    expected = in_python()
    assert type(expected).from_json(process.stdout) == expected


def test_huge_fractions_of_explanations_are_rounded(explanation: ResponseExplanation) -> None:
    (document,) = explanation
    metric = document.metrics[0]
    ratio = Ratio(Fraction(10**700, 3**1400), 1)
    row = metric.rows[0]._replace(recall=Direction((), ratio))
    document = replace(document, metrics=(replace(metric, rows=(row,)),))

    content = replace(explanation, documents=[document]).to_dict()
    recall = content["systems"][0]["documents"]["example"]["metrics"]["muc"]["rows"][0]["recall"]

    assert (recall["part"][0], recall["whole"]) == ("≈", "1")
    assert float(recall["part"][1:]) == pytest.approx(float(ratio.part))


HUGE = 7**20_000


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, 0),
        (-3, -3),
        (Fraction(13, 2), "13/2"),
        (Fraction(-1, 3), "-1/3"),
        (HUGE, f"{HUGE:#x}"),
        (Fraction(-2, HUGE), f"-2/{HUGE:#x}"),
    ],
    ids=["zero", "negative", "fraction", "negative fraction", "huge", "huge denominator"],
)
def test_exact_numbers(value: int | Fraction, text: int | str) -> None:
    assert exact(value) == text
    assert msgspec.convert(text, ExactNumber) == text
    assert number(text) == value


@pytest.mark.parametrize(
    "text", ["", "x", "1e9", "1/2/3", "1 ", "0x", "١", "1.5", "≈x", None, [1], 1.5, True]
)
def test_texts_that_are_no_numbers(text: object) -> None:
    with pytest.raises(msgspec.ValidationError, match="Expected `"):
        msgspec.convert(text, ExactNumber)


VALUES: tuple[Any, ...] = (None, "x", "1/0", -1, [], {}, [[]], True)
"""Values that replace others in JSON; they are of other types, or mean nothing there."""


def damaged(content: object, path: Sequence[str | int]) -> Iterator[str]:
    """Yield JSON of the content with another value at a path, and without it."""
    for value in (*VALUES, "removed"):
        copied: Any = json.loads(json.dumps(content))
        *steps, last = path
        place = reduce(getitem, steps, copied)
        if value == "removed":
            place.pop(last)
        else:
            place[last] = value
        yield json.dumps(copied)


def paths_in(content: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the paths of all values, in a list only of the first."""
    items: list[tuple[str | int, object]] = []
    if isinstance(content, dict):
        items = list(content.items())
    elif isinstance(content, list):
        items = list(enumerate(content[:1]))
    for step, value in items:
        yield (*path, step)
        yield from paths_in(value, (*path, step))


@pytest.mark.parametrize("name", CLASSES)
def test_damaged_json_is_refused_or_read(name: str) -> None:
    content = json.loads(SMALL[name].to_json())
    paths = list(paths_in(content))
    some = random.Random(0).sample(paths, min(len(paths), 60))

    messages = [refusal(name, text) for path in some for text in damaged(content, path)]
    refusals = [message for message in messages if message is not None]

    own = re.compile(f"JSON: (this is not {OUTPUT_OF[name]}: |the JSON has schema )")
    assert [message for message in refusals if not own.match(message)] == []
    assert len(refusals) > 50


def refusal(name: str, text: str) -> str | None:
    """Return the message about JSON that is refused; None if it is read."""
    try:
        restored = CLASSES[name].from_json(text)
    except ReadError as error:
        return str(error)
    assert str(restored)
    assert restored.to_json()
    return None


def test_counts_that_no_table_shows_are_checked_too() -> None:
    content = SMALL["SuiteResult"].to_dict()
    layer = content["runs"][0]["exact"]["documents"]["d"]["layers"]["identity"]
    layer["split_only_by_relation"]["set"] = {}

    assert refusal("SuiteResult", json.dumps(content)) == (
        f"JSON: this is not {OUTPUT_OF['SuiteResult']}: 'muc' is missing"
    )


OUTPUT_OF = {
    "Result": "the output of anascore score --output json",
    "Comparison": "the output of anascore score --output json",
    "SuiteResult": "the output of anascore suite --output json",
    "Agreement": "the output of anascore agreement --output json",
}

NOT_WRITTEN = {
    # text, and the message; * stands for the output of the command
    "nothing": ("", ":1: this is not JSON: Expecting value, at character 1 of the line"),
    "a list": ("[]", ": this is not *: Expected `object`, got `array`"),
    "no schema": ('{"anascore": "0.1.0"}', ": this is not *: Object missing required field `"),
    "a schema of text": ('{"schema": "1"}', ": this is not *: "),
    "an older schema": (
        '{"schema": 1, "anascore": "0.0.9"}',
        f": the JSON has schema 1, written by anascore '0.0.9', but anascore {__version__} reads "
        "schema 2; run the command again with this version",
    ),
    "a later schema": (
        '{"schema": 3, "anascore": "9.0"}',
        f": the JSON has schema 3, written by anascore '9.0', but anascore {__version__} reads "
        "schema 2; update anascore",
    ),
    "too deep": ("[" * 100_000, ":1: this is nested more than 100 levels deep"),
    "something else": ('{"schema": 2}', ": this is not *: Object missing required field `"),
    "another command": (anascore.stats(KEY).to_json(), ": this is not *: Object missing required"),
    "not a number": ('{"schema": 2, "anascore": NaN}', ": this is not *: "),
}


@pytest.mark.parametrize("case", NOT_WRITTEN)
@pytest.mark.parametrize("name", CLASSES)
def test_other_json_is_refused(name: str, case: str) -> None:
    text, message = NOT_WRITTEN[case]

    with pytest.raises(ReadError) as raised:
        CLASSES[name].from_json(text)

    assert str(raised.value).startswith(f"JSON{message.replace('*', OUTPUT_OF[name])}")


# Tables of pandas


def test_to_frame_needs_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)

    for name in ("Result", *OUTPUTS):
        with pytest.raises(SettingsError) as raised:
            OBJECTS[name].to_frame()
        assert str(raised.value) == (
            "to_frame needs pandas, which is not installed: pip install 'anascore[pandas]'"
        )


def test_frame_of_results() -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    files = {"a": SYSTEMS[0], "b": SYSTEMS[1]}
    key = merged(dict.fromkeys(files, KEY))
    compared = anascore.compare(
        key, {"A": merged(files), "B": key}, confidence=True, samples=20, layers="all"
    )

    frame = compared.to_frame()

    rows = csv.DictReader(io.StringIO(compared.render("csv", per_document=True)))
    assert list(frame.columns) == rows.fieldnames
    assert len(frame) == len(list(rows))
    whole = frame.query("document.isna() and layer == 'identity' and system == 'A'")
    muc = whole.query("metric == 'muc'").set_index("scope").recall
    interval = compared["A"].first.uncertainty.intervals["muc"].recall
    assert muc["scores"] == compared["A"]["muc"].recall
    assert (muc["confidence low"], muc["confidence high"]) == interval
    assert frame.query("metric == 'conll'")[["recall", "precision"]].isna().all(axis=None)
    assert set(frame.document.dropna()) == {"a", "b"}
    assert set(frame.scope) == {"scores", "split_only", "confidence low", "confidence high"}
    assert set(frame.query("document.notna()").scope) == {"scores", "split_only"}
    one = frame.query("system == 'B' and document == 'b' and scope == 'split_only'")
    assert (one.f1 == 1).all()
    assert len(frame) == len(compared["A"].to_frame()) + len(compared["B"].to_frame())
    assert [str(frame[name].dtype) for name in ("recall", "precision", "f1")] == ["float64"] * 3


def merged(files: dict[str, Path]) -> Corpus:
    documents = {
        name: replace(document, name=name)
        for name, path in files.items()
        for document in anascore.read(path).documents.values()
    }
    return Corpus(documents)


def test_undefined_scores_are_nan_in_a_frame() -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")

    frame = anascore.score_clusters([["a"]], [["a"]], metrics="muc").to_frame()

    assert len(frame) == 2
    assert frame[["recall", "precision", "f1"]].isna().all(axis=None)


def test_frame_of_errors(errors: ResponseErrors) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")

    frame = errors.to_frame()

    assert dict(frame.type.value_counts()) == {n: c for n, c in errors.counts.items() if c}
    assert list(frame.columns[:4]) == ["type", "document", "words", "line"]
    assert list(frame.words[:2]) == ["8", "54"]
    assert list(anascore.find_errors(KEY, KEY).to_frame().columns) == list(frame.columns)


def test_frame_of_an_explanation(explanation: ResponseExplanation) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")

    frame = explanation.to_frame()

    assert list(frame.columns) == [
        *("document", "metric", "links", "measure", "side", "entity", "id", "partners"),
        *("part", "whole"),
    ]
    muc = frame.query("metric == 'muc' and measure == 'recall'")
    assert list(muc.entity) == [f"K{n}" for n in range(1, 8)]
    assert set(muc.side) == {"key"}
    assert muc.part.sum() / muc.whole.sum() == pytest.approx(43 / 66)
    assert [str(frame[name].dtype) for name in ("part", "whole")] == ["float64"] * 2
    assert set(frame.query("metric == 'blanc'").links) == {
        "coreference links",
        "non-coreference links",
    }


def test_frame_of_statistics() -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")

    frame = anascore.stats([KEY, corpus_of("a", "b")]).to_frame()

    assert list(frame.document) == ["example", "a", "b"]
    assert list(frame.mentions) == [15, 3, 3]
    assert list(frame.columns[:4]) == ["file", "format", "unit", "document"]
    assert frame.entity_share[0] == 3 / 7


def test_damaged_json_and_no_results() -> None:
    with pytest.raises(ReadError):
        Result.from_json("{")
    with pytest.raises(SettingsError, match="there are no results to show"):
        Comparison([]).render("eval-results", dataset_id="a/b", task_id="c")


def test_json_of_another_schema_that_names_no_version() -> None:
    with pytest.raises(ReadError, match="the JSON has schema 1, but anascore"):
        Result.from_json('{"schema": 1}')
