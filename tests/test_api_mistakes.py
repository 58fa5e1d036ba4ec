"""Mistakes in Python are answered with what to write instead."""

from collections.abc import Callable
from typing import Any

import pytest

import anascore
from anascore import SettingsError
from anascore.example import KEY, SYSTEMS

MISTAKES: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "a task": (
        lambda: anascore.Settings(task="crac2024"),
        SettingsError,
        "no such task: 'crac2024' (did you mean 'crac24'?); choose from conll12,",
    ),
    "a setting": (
        lambda: anascore.score(KEY, SYSTEMS[0], mach="head"),  # type: ignore[call-arg]
        SettingsError,
        "no such setting: mach (did you mean 'match'?)",
    ),
    "an argument beside settings": (
        lambda: anascore.compare(KEY, SYSTEMS, confidense=True),  # type: ignore[call-arg]
        SettingsError,
        "no such argument: confidense (did you mean 'confidence'?)",
    ),
    "an argument": (
        lambda: anascore.read(KEY, formatt="ua"),  # type: ignore[call-arg]
        TypeError,
        "read() got an unexpected keyword argument 'formatt' (did you mean 'format'?)",
    ),
    "too many arguments": (
        lambda: anascore.read(KEY, "ua", 3),  # type: ignore[call-arg, arg-type]
        TypeError,
        "read() too many positional arguments",
    ),
    "a value as a score": (
        lambda: anascore.score(KEY, SYSTEMS[0])["f1"],
        SettingsError,
        "'f1' is a value of a score; write result[\"muc\"].f1",
    ),
    "a score as an attribute": (
        lambda: anascore.score(KEY, SYSTEMS[0]).muc,  # type: ignore[attr-defined]
        AttributeError,
        "'Result' object has no attribute 'muc'; write result[\"muc\"], or result[\"muc\"].f1",
    ),
    "another attribute": (
        lambda: anascore.score(KEY, SYSTEMS[0]).nothing,  # type: ignore[attr-defined]
        AttributeError,
        "'Result' object has no attribute 'nothing'",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_answered(name: str) -> None:
    call, kind, message = MISTAKES[name]

    with pytest.raises(kind) as raised:
        call()

    assert str(raised.value).startswith(message)


def test_only_public_names_are_listed() -> None:
    assert dir(anascore) == sorted(anascore.__all__)


def test_a_printed_result_ends_without_an_empty_line() -> None:
    text = str(anascore.score(KEY, SYSTEMS[0]))

    assert text == text.strip("\n")


def test_help_begins_with_a_short_signature() -> None:
    import inspect

    signature = inspect.signature(anascore.score)

    assert str(signature).startswith("(key, response, *, metrics=None, ")
    assert len(str(signature)) < 300
    assert "match" in signature.parameters


def test_the_scores_so_far_for_logging() -> None:
    scorer = anascore.Scorer(metrics="muc")
    scorer.update([["a", "b"]], [["a", "b"]])

    assert scorer.compute("dev/", percent=True) == scorer.result().flat("dev/", percent=True)
