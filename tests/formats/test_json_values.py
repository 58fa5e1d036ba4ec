"""JSON with checks: depth, long numbers, and lines of values."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

import anascore
from anascore import ReadError
from anascore.errors import Problems
from anascore.formats.json_values import MAX_NESTING, CheckedJson
from anascore.formats.registry import FORMATS

READERS = [name for name, target in FORMATS.items() if target.json_key]


def messages(text: str, first: int = 1) -> list[tuple[int | None, str]]:
    """Parse a text and return the errors."""
    problems = Problems("f")
    CheckedJson(text, first, problems)
    return [(problem.line, problem.what) for problem in problems.found]


def nested(depth: int, inner: str = "") -> str:
    return "[" * depth + inner + "]" * depth


TOO_DEEP = "this is nested more than 100 levels deep, which no format needs"

TEXTS = {
    "as deep as allowed": (nested(MAX_NESTING), None),
    "deeper": (nested(MAX_NESTING + 1), 1),
    "objects": ('{"a":\n' * 101 + "1" + "}" * 101, 101),
    "lists and objects": ('[{"a":' * 51 + "1" + "}]" * 51, 1),
    "many lists side by side": (f"[{', '.join([nested(MAX_NESTING - 1)] * 50)}]", None),
    "the last of many": (f"[{', '.join([nested(5)] * 50)},\n{nested(MAX_NESTING)}]", 2),
    "never closed": ("[\n" * 200_000, 101),
    "brackets in strings": (f'["{"[" * 500}", "{"{" * 500}"]', None),
    "closing brackets in strings": ("[" * 101 + f'"{"]" * 500}"' + "]" * 101, 1),
    "quotes in strings": (rf'["\"{"[" * 500}\\\"{"[" * 500}", "\\"]', None),
    "quotes in strings outside of which it is deep": (r'["\\\"", ' * 101 + "1" + "]" * 101, 1),
    "a deep list behind a string": (r'["\\", ' + nested(101) + "]", 1),
    "halves of characters": (f'["\ud800", {nested(99)}]', None),
}


@pytest.mark.parametrize("name", TEXTS)
def test_depth(name: str) -> None:
    text, line = TEXTS[name]

    assert messages(text) == ([] if line is None else [(line, TOO_DEEP)])


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("]" * 300, id="closing brackets"),
        pytest.param('["' + "[" * 300, id="an open string"),
        pytest.param('["' + r"\"" * 100_000, id="an open string of quotes"),
        pytest.param("[1]" * 300 + "[" * 90, id="several values"),
    ],
)
def test_other_errors_are_not_called_depth(text: str) -> None:
    ((_, message),) = messages(text)

    assert message.startswith("this is not JSON: ")


@pytest.mark.parametrize("reader", READERS)
def test_each_reader_has_the_limit(tmp_path: Path, reader: str) -> None:
    path = tmp_path / "f.json"
    path.write_text('{\n"text": "a", "x": ' + nested(1500) + "}\n")

    with pytest.raises(ReadError) as error:
        anascore.read(path, reader)

    assert (error.value.line, error.value.what) == (2, TOO_DEEP)


def test_nested_episodes(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    path.write_text('{"episodes": [' * 1500 + "]}" * 1500)

    with pytest.raises(ReadError, match=f"f.json:1: {TOO_DEEP}"):
        anascore.read(path)


def test_a_number_of_very_many_digits_is_reported_with_its_line() -> None:
    text = f'{{"a": 1,\n"b": {"1" * 5000}}}'

    message = "this cannot be read as JSON: a number has too many digits"
    assert messages(text, first=3) == [(4, message)]


def test_lines_of_values() -> None:
    value = CheckedJson('{"a": [1,\n[2,\n{"b": 3}]],\n"c": {},\n"d": 4}', 5, Problems("f"))

    paths = [(), ("a",), ("a", 1), ("a", 1, 1, "b"), ("a", 1, 7), ("c",), ("d",), ("e",)]
    assert [value.line_of(path) for path in paths] == [5, 5, 6, 7, 6, 8, 9, 5]


MEMORY = 500_000_000


def test_memory_is_linear(tmp_path: Path) -> None:
    """Values at the greatest depth do not each take the memory of their whole path."""
    path = tmp_path / "f.json"
    numbers = ",".join(["1"] * 1_000_000)
    path.write_text(f'{{"text": 1, "entities": [], "includes": [],\n"x": {nested(99, numbers)}}}')

    done = subprocess.run(
        [sys.executable, "-m", "anascore", "validate", str(path), "--format", "rucoco"],
        capture_output=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY)),
    )

    assert (done.returncode, done.stderr) == (1, b"")
    assert b"f.json:1: error: text: 1 is not a text in quotes" in done.stdout
