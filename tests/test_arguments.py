"""Hostile Python objects and damaged JSON: each is used, or refused by an error of anascore."""

from __future__ import annotations

import functools
import inspect
import json
import math
import operator
import pickle
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import anascore
from anascore import (
    AnascoreError,
    Bridge,
    Comparison,
    Corpus,
    Document,
    Entity,
    Mention,
    NonReferring,
    ReadError,
    Result,
    Scorer,
    Settings,
    SettingsError,
)
from anascore.errors import shown
from anascore.example import KEY, SYSTEMS
from anascore.integrations.spacy import make_coref_scorer
from anascore.model.ratio import Ratio
from anascore.output.json.encoding import SCHEMA
from anascore.output.renderers import Layout
from anascore.output.view import ReportOptions

LONGEST = 2_000
"""Number of characters of a message that is still short."""


def raising(*methods: str, error: type[Exception] = RuntimeError, base: type = object) -> Any:
    """Return an object of which these methods raise an error."""

    def fail(*_: object, **__: object) -> Any:
        message = "hostile"
        raise error(message)

    kind = type("Hostile", (base,), dict.fromkeys(methods, fail))
    return kind()


def containing_itself() -> list[Any]:
    values: list[Any] = []
    values.append(values)
    return values


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


def generator() -> Iterator[str]:
    yield "a"
    message = "hostile"
    raise RuntimeError(message)


class PathOfBytes:
    """A path whose name is no string."""

    def __fspath__(self) -> Any:
        return b"x"


def document_with(**fields: Any) -> Corpus:
    """Return a corpus of a document in which a field is wrong."""
    document = Document(**{"name": "d", "words": ["w"] * 8, "entities": [], **fields})
    return Corpus({"d": document})


WRONG_MENTIONS: list[Any] = [
    [(0, 1)],
    raising,
    [Mention((0, 1))],  # type: ignore[arg-type]
    [Mention(((1, 0),))],
    [Mention(())],
    [Mention([(0, 1)])],  # type: ignore[arg-type]
    [Mention(((0, 10**5000),))],
    [Mention(((0, 1),), raising)],  # type: ignore[arg-type]
]

HOSTILE: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "True": lambda: True,
    "number": lambda: 7,
    "huge number": lambda: 10**5000,
    "huge negative number": lambda: -(10**5000),
    "list of huge numbers": lambda: [10**5000],
    "span of huge numbers": lambda: [[(0, 10**5000), (10**5000, 10**5001)]],
    "span to a large number": lambda: [[(0, 10**18)]],
    "nan": lambda: math.nan,
    "inf": lambda: math.inf,
    "complex": lambda: 1j,
    "array": lambda: np.arange(6).reshape(3, 2),
    "array of strings": lambda: np.array(["muc", "b3"]),
    "array without dimensions": lambda: np.array(5),
    "empty array": lambda: np.array([]),
    "NumPy number": lambda: np.int64(3),
    "NumPy float": lambda: np.float64(math.nan),
    "NumPy boolean": lambda: np.True_,
    "list of arrays": lambda: [np.arange(3), np.arange(3)],
    "function": lambda: raising,
    "class": lambda: Corpus,
    "built-in class": lambda: dict,
    "module": lambda: math,
    "generator": generator,
    "iterator": lambda: iter([1, 2]),
    "string": lambda: "x",
    "empty string": lambda: "",
    "long string": lambda: "x" * 100_000,
    "string with NUL": lambda: "a\0b",
    "surrogate": lambda: "\ud800",
    "control characters": lambda: "\x1b[31m\n",
    "broken pattern": lambda: "(",
    "long list": lambda: ["no such file"] * 10_000,
    "bytes": lambda: b"\xff" * 100,
    "bytearray": lambda: bytearray(b"x"),
    "list of bytes": lambda: [b"x"],
    "path of bytes": PathOfBytes,
    "deep nesting": lambda: nested(5_000),
    "list in itself": containing_itself,
    "set": lambda: {1},
    "dictionary": lambda: {"a": 1},
    "dictionary of strings": lambda: {"x": "y"},
    "empty dictionary": dict,
    "dictionary with numbers": lambda: {10**5000: 10**5000},
    "dictionary of lists": lambda: {"a": [[["b"]]]},
    "dictionary of arrays": lambda: {"a": np.arange(4)},
    "exception": lambda: ValueError("x"),
    "repr": lambda: raising("__repr__", "__str__"),
    "repr with recursion": lambda: raising("__repr__", error=RecursionError),
    "eq": lambda: raising("__eq__", "__ne__"),
    "hash": lambda: raising("__hash__"),
    "iter": lambda: raising("__iter__"),
    "bool": lambda: raising("__bool__", "__len__"),
    "fspath": lambda: raising("__fspath__"),
    "getattr": lambda: raising("__getattr__"),
    "getitem": lambda: raising("__getitem__", "__len__"),
    "everything": lambda: raising(
        *("__repr__", "__str__", "__eq__", "__hash__", "__iter__", "__len__", "__bool__"),
        *("__getattr__", "__fspath__", "__lt__", "__contains__", "__call__"),
    ),
    "string with repr": lambda: raising("__repr__", "__str__", base=str),
    "list with iter": lambda: raising("__iter__", "__len__", base=list),
    "list of hostile": lambda: [raising("__repr__", "__eq__", "__hash__")],
    "dictionary of hostile": lambda: {"a": raising("__repr__", "__eq__", "__hash__", "__iter__")},
    "clusters with hostile": lambda: [[raising("__repr__")]],
    "clusters with eq": lambda: [[raising("__eq__", "__hash__")]],
    "entity": lambda: Entity([1], elements=[10**5000]),
    "entities": lambda: [Entity(np.arange(3)), Entity([1], elements=np.arange(3))],
    "entity of hostile": lambda: [Entity(raising("__iter__", "__repr__"))],
    "entity with relation": lambda: [Entity([1], [0], relation=raising("__eq__", "__repr__"))],
    "dictionary with methods": lambda: raising("items", "keys", "values", "__iter__", base=dict),
    "settings": Settings,
    "corpus": lambda: Corpus({}),
    "corpus of a function": lambda: Corpus({"d": raising}),  # type: ignore[dict-item]
    "corpus that is a function": lambda: Corpus(raising, raising),  # type: ignore[arg-type]
    **{
        f"document with {name}": functools.partial(document_with, **{name: value})
        for name, value in {
            "name": 5,
            "words": raising,
            "entities": raising,
            "deixis": [[Mention(((0, 1),))]],
            "nonreferring": [5],
            "bridges": {"a": 1},
            "candidates": np.arange(3),
        }.items()
    },
    **{
        f"document with mentions {number}": functools.partial(
            document_with, entities=[Entity(mentions)]
        )
        for number, mentions in enumerate(WRONG_MENTIONS)
    },
}

CLUSTERS = [[(0, 0), (3, 3)], [(5, 6)]]
GOOD = Corpus.from_clusters(CLUSTERS, offsets="token", end="inclusive", words=["w"] * 8, name="d")
SCORED = Scorer()
SCORED.update(CLUSTERS, CLUSTERS, name="d")
RESULT = SCORED.result()


def names_of(options: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(options))


LAYOUT = names_of(Layout)


class Call(NamedTuple):
    """A public function with arguments that are right."""

    function: Callable[..., object]
    arguments: dict[str, Any]
    parameters: tuple[str, ...] = ()
    """Parameters that are not in its signature."""


CALLS: dict[str, Call] = {
    "Settings": Call(Settings, {}),
    "Scorer": Call(Scorer, {}),
    "Scorer.update": Call(
        lambda **arguments: Scorer().update(**arguments),
        {"key": CLUSTERS, "response": CLUSTERS},
        ("key", "response", "name"),
    ),
    "Scorer.merge": Call(lambda other: Scorer().merge(other), {"other": SCORED}),
    "Scorer.result": Call(SCORED.result, {}),
    "Corpus.from_clusters": Call(
        Corpus.from_clusters, {"clusters": CLUSTERS, "offsets": "token", "end": "inclusive"}
    ),
    "Corpus.from_clusters, words": Call(
        Corpus.from_clusters,
        {
            "clusters": CLUSTERS,
            "offsets": "token",
            "end": "inclusive",
            "words": ["w"] * 8,
            "texts": [["w", "w"], ["w w"]],
        },
    ),
    "Corpus.from_clusters, text": Call(
        Corpus.from_clusters,
        {"clusters": CLUSTERS, "offsets": "character", "end": "inclusive", "text": "abcdefg"},
    ),
    "Corpus.from_spacy": Call(Corpus.from_spacy, {"docs": []}),
    "Corpus.from_fastcoref": Call(Corpus.from_fastcoref, {"results": []}),
    "Corpus.from_maverick": Call(Corpus.from_maverick, {"outputs": []}),
    "Corpus.from_stanza": Call(Corpus.from_stanza, {"docs": []}),
    "Corpus.from_booknlp": Call(Corpus.from_booknlp, {"entities": [], "tokens": []}),
    "Comparison.failures": Call(Comparison([RESULT]).failures, {}),
    "Result.render": Call(RESULT.render, {}, (*names_of(ReportOptions), *LAYOUT)),
    **{
        f"{type(shown).__name__}.render": Call(shown.render, {}, ("output", *names, *LAYOUT))
        for shown, *names in (
            (Comparison([RESULT]), "name"),
            (anascore.suite({"one": GOOD}, {"A": {"one": GOOD}}, variants={"own": {}}), "name"),
            (anascore.agreement({"a": GOOD, "b": GOOD}), "per_document"),
            (anascore.find_errors(GOOD, GOOD), "types", "examples"),
            (anascore.find_errors(GOOD, {"a": GOOD, "b": GOOD}), "types", "examples"),
            (anascore.explain(GOOD, GOOD), "full"),
            (anascore.stats(GOOD), "per_document"),
            (anascore.validate(KEY), "kind"),
        )
    },
    "Result.__getitem__": Call(RESULT.__getitem__, {"name": "muc"}),
    "make_coref_scorer": Call(
        lambda **own: make_coref_scorer(**own)([]), {}, ("prefix", "metrics", "settings")
    ),
    "add_sets": Call(anascore.add_sets, {"corpus": GOOD, "method": "recent-2"}),
    "agreement": Call(anascore.agreement, {"annotations": {"a": GOOD, "b": GOOD}}),
    "compare": Call(anascore.compare, {"key": GOOD, "responses": {"a": GOOD, "b": GOOD}}),
    "convert": Call(anascore.convert, {"source": GOOD, "target": "converted.jsonl"}),
    "explain": Call(anascore.explain, {"key": GOOD, "response": GOOD}),
    "find_errors": Call(anascore.find_errors, {"key": GOOD, "response": GOOD}),
    "json_schema": Call(anascore.json_schema, {"command": "score"}),
    "list_formats": Call(anascore.list_formats, {}),
    "list_tasks": Call(anascore.list_tasks, {}),
    "merge": Call(anascore.merge, {"parts": [RESULT]}),
    "read": Call(anascore.read, {"path": "key.jsonl"}),
    "register_format": Call(
        anascore.register_format,
        {"name": "own-format", "read": lambda *_: GOOD, "label": "Own format", "version": "1"},
    ),
    "register_metric": Call(
        anascore.register_metric,
        {"name": "own-metric", "count": lambda _: Ratio(1, 1), "label": "Own", "version": "1"},
    ),
    "report": Call(
        anascore.report, {"key": GOOD, "responses": [GOOD], "path": "page.html", "samples": 2}
    ),
    "score": Call(anascore.score, {"key": GOOD, "response": GOOD}),
    "score, two keys": Call(
        anascore.score, {"key": GOOD, "response": GOOD, "also_keys": [GOOD], "samples": 2}
    ),
    "score_clusters": Call(anascore.score_clusters, {"key": CLUSTERS, "response": CLUSTERS}),
    "score_clusters, documents": Call(
        lambda one: anascore.score_clusters({"a": one}, {"a": CLUSTERS}), {"one": CLUSTERS}
    ),
    "show": Call(anascore.show, {"key": GOOD, "responses": GOOD}),
    "stats": Call(anascore.stats, {"corpora": GOOD}),
    "suite": Call(
        anascore.suite,
        {"keys": {"one": GOOD}, "systems": {"A": {"one": GOOD}, "B": {"one": GOOD}}, "samples": 2},
    ),
    "suite, a task": Call(
        anascore.suite,
        {"keys": {"one": GOOD}, "systems": {"A": {"one": GOOD}}, "variants": {"own": {}}},
    ),
    "validate": Call(anascore.validate, {"corpora": "key.jsonl"}),
    "write": Call(anascore.write, {"corpus": GOOD, "path": "written.jsonl"}),
    "write_competition": Call(
        anascore.write_competition, {"folder": "competition", "task": "codicrac-ar"}
    ),
}


def test_every_public_function_is_called() -> None:
    functions = {name for name in anascore.__all__ if inspect.isfunction(getattr(anascore, name))}

    assert functions <= CALLS.keys()
    for call in CALLS.values():
        assert call.arguments.keys() <= {*parameters_of(call)} | {"samples"}


def parameters_of(call: Call) -> Sequence[str]:
    return call.parameters or tuple(inspect.signature(call.function).parameters)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of its own, with a file: hostile strings are paths, too."""
    monkeypatch.chdir(tmp_path)
    anascore.write(GOOD, tmp_path / "key.jsonl")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "parameter"),
    [(name, parameter) for name, call in CALLS.items() for parameter in parameters_of(call)],
)
@pytest.mark.usefixtures("folder")
def test_hostile_objects_are_used_or_refused(name: str, parameter: str) -> None:
    call = CALLS[name]

    for hostile, make in HOSTILE.items():
        arguments = {**call.arguments, parameter: make()}
        is_refused(f"{name}({parameter}={hostile})", functools.partial(call.function, **arguments))


def is_refused(name: str, work: Callable[[], object]) -> bool:
    """Do something; return True if an error of anascore with a short message refuses it."""
    try:
        shown = work()
        if isinstance(shown, Result | Comparison):
            assert str(shown)
            assert shown.to_json()
    except AnascoreError as error:
        message = str(error)
        assert message.encode(), name
        assert len(message) < LONGEST, name
        return True
    except Exception as error:
        error.add_note(name)
        raise
    return False


class Refused(NamedTuple):
    """A call with a bad argument, and what the message says."""

    name: str
    arguments: dict[str, Any]
    message: str


WRONG_CORPUS = Corpus({"d": raising})  # type: ignore[dict-item]
ONE = Mention(((0, 1),))
WRONG_MENTION = document_with(entities=[Entity([Mention((0, 1))])])  # type: ignore[arg-type]

REFUSED = [
    Refused("Settings", {"window": 10**5000}, "at most 1000000000, not <16610-bit number>"),
    Refused(
        "Settings",
        {"match": np.arange(2)},
        "match must be exact, partial, head or craft, not array([0, 1])",
    ),
    Refused("Settings", {"task": 5}, "task must be the name of a shared task, not 5"),
    Refused("Settings", {"across": "a{99999999999}"}, "is not a valid regular expression"),
    Refused("score", {"confidence": "no"}, "confidence must be True or False, not 'no'"),
    Refused("score", {"match": [1] * 100}, "not [1, 1, 1, 1, 1, 1, ...]"),
    Refused("score", {"task": "conll12", "singletons": "no"}, "singletons must be True or False"),
    Refused(
        "score", {"combine_keys": "men"}, "must be mean or best, not 'men' (did you mean 'mean'?)"
    ),
    Refused("score", {"metrics": ["x"] * 30}, "x, 10 more; choose from"),
    Refused("score, two keys", {"key_weights": [1, math.inf]}, "one for each key, not 1, inf"),
    Refused(
        "score, two keys", {"key_weights": [1, Fraction(1, 10**5000)]}, "must be 2 positive numbers"
    ),
    Refused(
        "score",
        {"key": document_with(entities=raising)},
        "'d': entities must be a list of Entity, not <function",
    ),
    Refused("score", {"response": WRONG_CORPUS}, "is not a Document with a name"),
    Refused(
        "score",
        {"key": document_with(entities=[Entity([(0, 1)])])},
        "mentions of an entity must be a list of Mention, not [(0, 1)]",
    ),
    Refused("score", {"key": WRONG_MENTION}, "Mention((0, 1)) must have spans (start, end) or"),
    Refused("score", {"key": document_with(zeros=raising)}, "zeros must be a list of tuple, not"),
    Refused("score", {"key": document_with(errors=7)}, "errors must be a list of Problem, not 7"),
    Refused(
        "score",
        {"response": document_with(errors=["no"])},
        "errors must be a list of Problem, not ['no']",
    ),
    Refused(
        "score",
        {"response": document_with(notes=None)},
        "notes must be a dictionary of numbers by description, not None",
    ),
    Refused(
        "score",
        {"key": document_with(notes={"left out": "many"})},
        "notes must be a dictionary of numbers by description, not {'left out': 'many'}",
    ),
    Refused(
        "score",
        {"response": document_with(rewritten=[1])},
        "rewritten must be True or False, not [1]",
    ),
    Refused("score", {"key": document_with(zeros=[(1, 1, 1)])}, "must have spans (start, end)"),
    Refused(
        "score",
        {"key": document_with(nonreferring=[NonReferring("it")])},  # type: ignore[arg-type]
        "non-referring mentions must be a list of Mention, not ['it']",
    ),
    Refused(
        "score",
        {"key": document_with(nonreferring=[NonReferring(ONE, [])])},  # type: ignore[arg-type]
        "types of non-referring mentions must be a list of str, not [[]]",
    ),
    Refused(
        "score",
        {"key": document_with(bridges=[Bridge(ONE, (0, 1), None)])},  # type: ignore[arg-type]
        "anaphors and anchors must be a list of Mention, not [Mention",
    ),
    Refused(
        "score",
        {"key": document_with(entities=[Entity([Mention(((0, 1),), iter([]))])])},  # type: ignore[arg-type]
        "must have spans (start, end) or zeros, in a tuple",
    ),
    Refused(
        "score",
        {"key": document_with(entities=[Entity([ONE], [10**5000])])},
        "has element <16610-bit number>; elements are positions in the list of entities",
    ),
    Refused(
        "score",
        {"key": replace(GOOD, path=5)},  # type: ignore[arg-type]
        "the path of a corpus must be a string, not 5",
    ),
    Refused("write", {"corpus": [GOOD]}, "is not a list of mentions"),
    Refused("compare", {"responses": {5: GOOD}}, "the name of a response must be a string, not 5"),
    Refused("read", {"path": 5}, "path must be a path, not 5"),
    Refused(
        "merge", {"parts": raising("__iter__")}, "parts must be results, or the paths of results"
    ),
    Refused("Scorer.merge", {"other": RESULT}, "only a Scorer can be merged, not <Result"),
    Refused("Corpus.from_clusters", {"clusters": [[(0, 10**9)]]}, "(0, 1000000000) is not a span"),
    Refused("score_clusters", {"key": [[raising("__hash__")]]}, "this is not clusters of mentions"),
    Refused("write_competition", {"task": ""}, "no such task: ''; choose from conll12"),
    Refused("write_competition", {"start": "2026-01-01"}, "start must be a date, not '2026-01-01'"),
    Refused("write_competition", {"reference": ""}, "this is not a file name"),
    Refused(
        "Comparison.failures",
        {"fail_under": {"muc": "70"}},
        "fail_under must be a dictionary of numbers",
    ),
    Refused("Comparison.failures", {"baseline": RESULT}, "baseline must be a Comparison"),
    Refused(
        "Result.render", {"per_document": "yes"}, "per_document must be True or False, not 'yes'"
    ),
    Refused(
        "make_coref_scorer", {"settings": [1]}, "settings must be a dictionary of settings, not [1]"
    ),
    Refused(
        "suite", {"match": np.arange(3)}, "match array([0, 1, 2]) contradicts the variant head"
    ),
    Refused(
        "suite", {"variants": {"a": 5}}, "the settings of the variant a must be a dictionary, not 5"
    ),
]


@pytest.mark.parametrize("refused", REFUSED)
@pytest.mark.usefixtures("folder")
def test_messages_name_the_argument_and_what_it_must_be(refused: Refused) -> None:
    call = CALLS[refused.name]

    with pytest.raises(AnascoreError) as error:
        call.function(**{**call.arguments, **refused.arguments})

    assert refused.message in str(error.value)


def test_long_messages_are_cut_in_the_middle() -> None:
    error = SettingsError(f"begin {'x' * 10_000} end\ud800")

    assert str(error).startswith("begin xxx")
    assert str(error).endswith("xxx end\\ud800")
    assert len(str(error)) < LONGEST
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert len(str(ReadError("x" * 10_000, 5, "y" * 10_000, ["z" * 10_000]))) < 2 * LONGEST


# JSON


def examples_of_json() -> dict[str, Any]:
    """Return objects that can be written as JSON and read again."""
    names = ["story_lighthouse", "recipe_bread"]
    key, one, other = (
        replace(corpus, documents={name: corpus.documents[name] for name in names})
        for corpus in map(anascore.read, (KEY, *SYSTEMS[:2]))
    )
    both = {"A": one, "B": other}
    layers: dict[str, Any] = {"by": "all", "layers": "all"}
    return {
        "Result": anascore.score(key, one, **layers, confidence=True, samples=5),
        "Result of several keys": anascore.score(key, one, also_keys=[other], human=True),
        "Comparison": anascore.compare(key, both, paired="bootstrap", samples=5),
        "SuiteResult": anascore.suite(
            {"one": key}, {name: {"one": own} for name, own in both.items()}, samples=5
        ),
        "Agreement": anascore.agreement(
            {"C": key, **both}, confidence=True, samples=5, disagreements=True
        ),
    }


JSON = examples_of_json()
VALUES: list[Any] = [
    *(None, True, 0, -1, 7, 10**400, 1.5, math.nan, math.inf, "x", "", "1/0", "≈nan", "≈x"),
    *("≈1e999", f"0x{'f' * 5000}", "-1/3", [], {}, [[]], [None], {"a": 1}, {"": []}),
    *([1, 2, 3], ["a", "b", "c", "d"], "\ud800", "y" * 3000),
]
OTHER_TEXTS = [
    *("", "null", "[]", "5", '"x"', "{", "NaN", "[" * 100_000, "{}", '{"schema": 2}', "\ud800"),
    *('{"schema": [1], "anascore": 5}', f'{{"schema": 99, "anascore": {"9" * 5000}}}', "9" * 5000),
]


def places_in(content: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths to all values."""
    steps: Iterable[Any] = ()
    if isinstance(content, dict | list):
        steps = content if isinstance(content, dict) else range(len(content))
    for step in steps:
        yield (*place, step)
        yield from places_in(content[step], (*place, step))


def damaged(content: Any, rng: random.Random) -> str:
    """Return JSON in which one or two values are removed, renamed, added or changed."""
    content = json.loads(json.dumps(content))
    for _ in range(rng.choice([1, 1, 2])):
        places = [*places_in(content)]
        depth = rng.randint(1, max(map(len, places)))
        *steps, last = rng.choice([place for place in places if len(place) <= depth])
        parent = functools.reduce(operator.getitem, steps, content)
        damage = rng.randrange(4)
        if damage == 0:
            del parent[last]
        elif damage == 1 and isinstance(parent, dict):
            parent[rng.choice(["x", "", "muc"])] = parent.pop(last)
        elif damage == 2 and isinstance(parent, list):
            parent.append(rng.choice(VALUES))
        else:
            parent[last] = rng.choice(VALUES)
    return json.dumps(content)


@pytest.mark.parametrize("name", JSON)
def test_damaged_json_is_refused_or_used(name: str) -> None:
    rng = random.Random(name)
    kind, text = type(JSON[name]), JSON[name].to_json()
    content = json.loads(text)
    texts: list[Any] = [damaged(content, rng) for _ in range(60)]
    texts += [text[: rng.randrange(len(text))] for _ in range(5)]

    refusals = [is_refused(text, functools.partial(restore, kind, text)) for text in texts]

    assert 15 < sum(refusals) < len(texts)
    assert not is_refused(name, functools.partial(restore, kind, text))


def restore(kind: Any, text: Any) -> None:
    """Restore an object from JSON, and show it in all ways."""
    restored = kind.from_json(text)
    assert str(restored)
    assert repr(restored)
    assert restored.to_json()


@pytest.mark.parametrize("name", JSON)
def test_other_texts_are_refused(name: str) -> None:
    kind = type(JSON[name])
    hostile = [make() for make in HOSTILE.values()]

    for text in (*OTHER_TEXTS, *hostile):
        assert is_refused(name, functools.partial(restore, kind, text))


def refusal_of(content: Any) -> str:
    """Return the message for the JSON of a result."""
    with pytest.raises(ReadError) as error:
        Result.from_json(content if isinstance(content, str) else json.dumps(content))
    return str(error.value)


NOT_AN_OUTPUT = "JSON: this is not the output of anascore score --output json: "


def test_damaged_json_is_named() -> None:
    content = json.loads(RESULT.to_json())
    exact = content["systems"][0]["exact"]

    rows = exact["documents"]["d"]["layers"]["identity"]["scores"]["muc"]
    rows.append(rows[0])
    different = "lists that must have the same length differ"
    assert refusal_of(content) == NOT_AN_OUTPUT + different
    del exact["documents"]
    missing = "Object missing required field `documents` - at `$.systems[0].exact`"
    assert refusal_of(content) == NOT_AN_OUTPUT + missing
    boolean = {**content, "schema": True}
    assert refusal_of(boolean) == f"{NOT_AN_OUTPUT}Expected `int`, got `bool` - at `$.schema`"
    assert refusal_of("[]") == f"{NOT_AN_OUTPUT}Expected `object`, got `array`"
    assert refusal_of("{,").startswith("JSON:1: this is not JSON: Expecting property name")
    assert refusal_of("[" * 9**6).startswith("JSON:1: this is nested more than 100 levels deep")
    for text in (5, b"{}"):
        with pytest.raises(SettingsError, match="text must be a string, not "):
            Result.from_json(text)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999"])
def test_numbers_that_are_not_json(number: str) -> None:
    text = re.sub(r'(?<="f1": )[0-9.]+', number, RESULT.to_json(), count=1)

    message = "NaN, Infinity and numbers above 1.8e308 are not JSON"
    assert refusal_of(text) == NOT_AN_OUTPUT + message


@pytest.mark.parametrize(
    ("schema", "version", "remedy"),
    [
        (SCHEMA - 1, "0.0.9", "run the command again with this version"),
        (SCHEMA + 1, "9.0", "update anascore"),
    ],
)
def test_json_of_another_version(schema: int, version: str, remedy: str) -> None:
    content = {**json.loads(RESULT.to_json()), "schema": schema, "anascore": version}

    assert refusal_of(content) == (
        f"JSON: the JSON has schema {schema}, written by anascore '{version}', but anascore "
        f"{anascore.__version__} reads schema {SCHEMA}; {remedy}"
    )


def test_a_value_that_cannot_be_shown() -> None:
    hostile = raising("__len__", base=dict)
    type(hostile).__name__ = "dict"

    assert shown(hostile) == "<dict object>"
