"""Options that several commands share."""

from pathlib import Path

import pytest

from anascore.cli.options import split_name
from anascore.errors import SettingsError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("system.conllu", ("", "system.conllu")),
        ("ours=system.conllu", ("ours", "system.conllu")),
        ("ours=runs/a=b.conllu", ("ours", "runs/a=b.conllu")),
        ("runs/a=b.conllu", ("", "runs/a=b.conllu")),
        ("ours=-", ("ours", "-")),
        ("-", ("", "-")),
        ("s3://bucket/a=b.conllu", ("", "s3://bucket/a=b.conllu")),
    ],
)
def test_a_name_stands_before_the_first_equals_sign(text: str, expected: tuple[str, str]) -> None:
    assert split_name(text) == expected


def test_a_path_that_exists_is_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a=b.conllu").touch()
    assert split_name("a=b.conllu") == ("", "a=b.conllu")


@pytest.mark.parametrize(
    ("text", "problem"),
    [("ours=", "lacks a path after the equals sign"), ("=a", "lacks a name before the equals")],
)
def test_name_and_path_are_both_needed(text: str, problem: str) -> None:
    with pytest.raises(SettingsError, match=problem):
        split_name(text)
