"""Labelled damage: files are rejected, warned of, noticed in scores, or read unchanged."""

import random
from pathlib import Path

import pytest

import anascore
from anascore.corpus.validate import validate_path
from anascore.formats.registry import FORMATS
from support.reading import put
from tools.fuzzing.damage import (
    GROUPS,
    KINDS,
    KNOWN,
    damaged_outcome,
    good_corpus,
    outcome_elsewhere,
)
from tools.fuzzing.kinds import ALL, LABELS, content, each, first, kind, pattern
from tools.fuzzing.outcome import outcome
from tools.fuzzing.page import PAGE, page
from tools.fuzzing.samples import good


@pytest.mark.parametrize("name", KINDS)
def test_damage_is_treated_as_its_label_says(tmp_path: Path, name: str) -> None:
    labels = KINDS[name].labels
    expected = {target: labels[target] for target in labels if (name, target) not in KNOWN}

    outcomes = {
        target: damaged_outcome(KINDS[name], target, tmp_path / target) for target in expected
    }

    assert outcomes == expected


def test_known_failures_still_fail(tmp_path: Path) -> None:
    mended = [
        (name, target)
        for number, (name, target) in enumerate(KNOWN)
        if damaged_outcome(KINDS[name], target, tmp_path / str(number))
        == KINDS[name].labels[target]
    ]

    assert mended == [], "remove them from KNOWN, and run make robustness"


@pytest.mark.parametrize("format_name", FORMATS)
def test_nothing_is_silent_elsewhere(tmp_path: Path, format_name: str) -> None:
    rng = random.Random(format_name)
    names = [name for name in KINDS if format_name in KINDS[name].labels]
    share = [name for name in rng.sample(names, 15) if (name, format_name) not in KNOWN]

    outcomes = {
        name: outcome_elsewhere(KINDS[name], format_name, tmp_path / str(number), rng)
        for number, name in enumerate(share)
    }

    assert {name: reached for name, reached in outcomes.items() if reached not in LABELS} == {}


@pytest.mark.parametrize("format_name", FORMATS)
def test_good_files_are_read_without_a_word(tmp_path: Path, format_name: str) -> None:
    path = good(format_name).put(tmp_path)

    ((result, _),) = validate_path(str(path), format_name)

    assert result.problems == ()
    assert anascore.score(path, path).notes == ()
    assert anascore.read(path) == good_corpus(format_name)


def test_there_are_kinds_for_every_format() -> None:
    assert sorted(ALL) == sorted(FORMATS)
    assert sum(map(len, GROUPS.values())) == len(KINDS) > 60
    assert min(sum(name in known.labels for known in KINDS.values()) for name in FORMATS) >= 35


def test_damage_changes_files() -> None:
    same = [
        (known.name, name)
        for known in KINDS.values()
        for name, damage in known.damages.items()
        if damage(good(name), first) == good(name)
    ]

    assert same == []


MESSAGES = {
    ("zero moved to another word", "corefud"): (
        ":20: warning: zeros whose ID does not continue that of the word before, read at their "
        "place in the file: 1",
        "response: zeros whose ID does not continue that of the word before, read at their place "
        "in the file: 1",
    ),
    ("header with another one after it", "ua"): (
        ":2: error: global.columns differs from line 1; a file has the same columns throughout",
        "",
    ),
    ("id of an entity missing", "litbank"): (
        ":8: error: COREF has no entity for T1; it must name one, like Ann-0",
        "",
    ),
    ("empty file", "litbank"): (
        ": warning: the file is empty: the document has no mentions",
        "response: documents without any annotation: 1",
    ),
    ("empty file", "brat"): (
        ": warning: the file is empty: the document has no mentions",
        "response: documents without any annotation: 1",
    ),
    ("link to itself", "brat"): (
        ":8: warning: R1 links T5 to itself; it should link two annotations",
        "response: links of annotations to themselves, left out: 1",
    ),
    ("separator of attributes lost", "stanza"): (
        ":15: error: 'end_char=26coref_chains=unit-id0' has coref_chains= in the middle; a | is "
        "missing before it",
        "",
    ),
    ("annotation joined to another attribute", "corefud"): (
        ":43: error: 'SpaceAfter=NoEntity=(e9--1-)' has Entity= in the middle; a | is missing "
        "before it",
        "",
    ),
    ("position of a mention twice", "ucdcr"): (
        ":1: error: [0].tokens_number_context: [0, 1, 1] has a position twice; give each word once",
        "",
    ),
    ("field of the mentions missing", "friends"): (
        ":1: warning: an utterance without character_entities; it has no mentions",
        "response: utterances without character_entities: 1",
    ),
}
"""Message of `validate` and note of `score`, by kind and format."""


@pytest.mark.parametrize(("name", "format_name"), MESSAGES)
def test_messages(tmp_path: Path, name: str, format_name: str) -> None:
    problem, note = MESSAGES[name, format_name]
    path = KINDS[name].damages[format_name](good(format_name), first).put(tmp_path)

    ((result, _),) = validate_path(str(path), format_name)

    assert list(map(str, result.problems)) == [f"{path}{problem}"]
    if note:
        response = anascore.read(path, format_name)
        assert note in anascore.score(good_corpus(format_name), response).notes


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run make robustness"


def test_labels_are_checked() -> None:
    damages = each(["jsonl", "ua"], content(lambda main: main))

    assert kind("same", "unchanged", damages, rejected=["ua"]).labels == {
        "jsonl": "unchanged",
        "ua": "rejected",
    }
    with pytest.raises(ValueError, match="same: ua has the label unchanged twice"):
        kind("same", "unchanged", damages, unchanged=["ua"])
    with pytest.raises(ValueError, match="same: no such label: refused"):
        kind("same", "unchanged", damages, refused=["ua"])
    with pytest.raises(ValueError, match="jsonl: nowhere is nowhere in the good file"):
        pattern("nowhere", "")(good("jsonl"), first)


LOST = '{"doc_key": "d", "sentences": [["a", "b"]], "clusters": [[[0, 0]]]}'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (LOST, "unchanged"),
        (LOST.replace("[0, 0]", "[1, 1]"), "silent"),
        (LOST.replace("[0, 0]", "[1, 1], [1, 1]"), "suspected"),
        (LOST.replace("[0, 0]", "[0, 0], [0, 0]"), "warned"),
        (LOST.replace("[0, 0]", "[2, 2]"), "rejected"),
        (LOST.replace('"a"', '"c"'), "noticed"),
    ],
)
def test_outcomes(tmp_path: Path, text: str, expected: str) -> None:
    key = anascore.read(put(tmp_path, "key.jsonl", LOST))

    assert outcome(key, put(tmp_path, "d.jsonl", text), "jsonl") == expected
