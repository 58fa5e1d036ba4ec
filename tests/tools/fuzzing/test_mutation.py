"""Fuzzing: damaged files lead to a corpus or a clear error, in time."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import anascore
from anascore import Corpus, ReadError
from anascore.corpus.validate import validate_path
from anascore.formats.registry import FORMATS, WRITABLE
from anascore.formats.writing import fit_to_format, writer_of
from support.resolvers import LAYOUTS
from support.samples import RELEASED
from support.tool_output import SAMPLES
from tools.fuzzing.mutation import MARKS, SIMPLE_MUTATIONS, Mutation, another_number
from tools.fuzzing.samples import good, small_corpus, varied, written

RELEASED_UA = "ua, as released"
each_format = pytest.mark.parametrize("name", FORMATS)
each_sample = pytest.mark.parametrize("kind", [*FORMATS, RELEASED_UA])


def format_of(kind: str) -> str:
    """Return the format of a sample."""
    return kind.partition(",")[0]


def sample(name: str) -> bytes:
    """Return a good file of a format."""
    if name == RELEASED_UA:
        return RELEASED.encode()
    if name in WRITABLE:
        return written(small_corpus(), name)
    return varied(name)[-1].main if name in LAYOUTS else good(name).main


def put_companion(path: Path, name: str | None) -> None:
    """Write the file beside a file of this format, if it needs one."""
    if name in SAMPLES and SAMPLES[name].companion:
        path.with_suffix(SAMPLES[name].ending).write_text(SAMPLES[name].companion)


def read_or_error(path: Path, name: str | None) -> Corpus | ReadError:
    try:
        return anascore.read(path, name)
    except ReadError as error:
        return error


def check(path: Path, name: str | None, *, convert: str | None = None) -> str | None:
    """Read and validate a file; return the message if it cannot be read."""
    results = [file for file, _ in validate_path(str(path), name)]
    errors = [p for validated in results for p in validated.problems if p.severity == "error"]
    corpus = read_or_error(path, name)
    if isinstance(corpus, ReadError):
        message = str(corpus)
        assert corpus.path == str(path)
        assert all(line.startswith((f"{path}:", "and ")) for line in message.split("\n"))
        assert corpus.line is None or 1 <= corpus.line <= path.read_bytes().count(b"\n") + 1
        assert errors, f"validate finds nothing, but read says {message}"
        assert all(problem.path == str(path) for problem in errors)
        return message
    assert not errors, f"read finds nothing, but validate says {errors[0]}"
    result = anascore.score(corpus, corpus)
    assert all(set(values) <= {1.0, None} for values in result.scores.values())
    for target in WRITABLE if convert is None else [convert]:
        fitting, _ = fit_to_format(corpus, target)
        if not FORMATS[target].one_document:
            assert writer_of(target)(fitting).encode()
    return None


@each_sample
@pytest.mark.parametrize(
    "damage", SIMPLE_MUTATIONS, ids=[mutation.__name__ for mutation in SIMPLE_MUTATIONS]
)
def test_damaged_files(tmp_path: Path, kind: str, damage: Mutation) -> None:
    rng = random.Random(f"{kind} {damage.__name__}")
    name, content = format_of(kind), sample(kind)
    path = tmp_path / "damaged"
    put_companion(path, name)
    for number in range(20):
        damaged = damage(content, rng)
        if number % 3 == 2 and MARKS.search(damaged):
            damaged = rng.choice(SIMPLE_MUTATIONS[:6])(damaged, rng)
        path.write_bytes(damaged)
        check(path, name if number % 2 else None)


@pytest.mark.parametrize("name", [name for name in SAMPLES if SAMPLES[name].companion])
@pytest.mark.parametrize(
    "damage", [damage for damage in SIMPLE_MUTATIONS if damage is not another_number]
)
def test_damaged_files_beside(tmp_path: Path, name: str, damage: Mutation) -> None:
    rng = random.Random(f"{name} {damage.__name__}")
    path = SAMPLES[name].put(tmp_path, "good")
    beside = path.with_suffix(SAMPLES[name].ending)
    for _ in range(20):
        beside.write_bytes(damage(SAMPLES[name].companion.encode(), rng))
        results = [file for file, _ in validate_path(str(path), name)]
        corpus = read_or_error(path, name)
        assert isinstance(corpus, ReadError) == any(validated.errors for validated in results)
        assert isinstance(corpus, Corpus) or corpus.path in {str(path), str(beside)}


@each_sample
def test_files_cut_off(tmp_path: Path, kind: str) -> None:
    # Runs of blanks, which align the columns of released files, are cut once.
    name, content = format_of(kind), re.sub(rb"  +", b"  ", sample(kind))
    path = tmp_path / "cut"
    put_companion(path, name)
    for end in range(len(content)):
        path.write_bytes(content[:end])
        for chosen in (name, None) if end % 4 == 0 else (name,):
            check(path, chosen, convert="jsonl")


@each_sample
def test_files_whose_beginning_is_gone(tmp_path: Path, kind: str) -> None:
    name, content = format_of(kind), sample(kind)
    path = tmp_path / "cut"
    put_companion(path, name)
    for start in range(1, len(content), 5):
        path.write_bytes(content[start:])
        check(path, name, convert="ua")


def random_contents() -> Iterator[bytes]:
    rng = random.Random(1)
    for size in (1, 2, 3, 10, 100, 1000):
        for _ in range(5):
            yield rng.randbytes(size)
            yield bytes(rng.randrange(128) for _ in range(size))
            yield bytes(rng.choice(b'()[]{}"|,:=<-_#@ \t\n01e\\') for _ in range(size))


@pytest.mark.parametrize("name", [None, *FORMATS])
def test_random_bytes(tmp_path: Path, name: str | None) -> None:
    path = tmp_path / "random"
    put_companion(path, name)
    for content in random_contents():
        path.write_bytes(content)
        check(path, name, convert="corefud")


DEEP = 50_000
DEEP_FILES = {
    "lists": b"[" * DEEP,
    "closed lists": b"[" * DEEP + b"]" * DEEP,
    "objects": b'{"a":' * DEEP,
    "closed objects": b'{"a":' * DEEP + b"1" + b"}" * DEEP,
    "lists in clusters": b'{"sentences": [["a"]], "clusters": ' + b"[" * DEEP + b"]" * DEEP + b"}",
    "lists of scenes": b"[" * 900 + b'{"utterances": []}' + b"]" * 900,
    "episodes": b'{"episodes": [' * 400 + b"]}" * 400,
    "brackets that open": b"1\ta" + b"\t_" * 8 + b"\t" + b"(EntityID=1" * DEEP + b"\t_" * 4 + b"\n",
    "bridging that opens": b"1\ta"
    + b"\t_" * 9
    + b"\t"
    + b"(MarkableID=1" * DEEP
    + b"\t_" * 3
    + b"\n",
    "bridging that closes": b"1\ta" + b"\t_" * 9 + b"\t" + b")" * DEEP + b"\t_" * 3 + b"\n",
    "brackets that close": b"1\ta" + b"\t_" * 8 + b"\t" + b")" * DEEP + b"\t_" * 4 + b"\n",
    "round brackets": b"#begin document (d)\nd\t0\t0\ta\t" + b"(1" * DEEP + b"1)" * DEEP + b"\n",
    "square brackets": b"a|" + b",".join([b"[e1"] * 5000 + [b"e1]"] * 5000) + b"\n",
    "bars": b"a" + b"|" * DEEP + b"[e1\n",
    "entities": b"# global.Entity = eid\n1\ta" + b"\t_" * 7 + b"\tEntity=" + b"(e1" * DEEP + b"\n",
    "parts": b"# global.Entity = eid\n1\ta" + b"\t_" * 7 + b"\tEntity=(e1[1/9999999999])\n",
    "a long line": b"a" * 1_000_000,
    "a long line of blanks and more": b"a|[e1] " + b" " * 1_000_000 + b"b\n",
    "many empty lines": b"\n" * 2000 + b"1",
    "backslashes": b'{"a": "' + b"\\" * DEEP,
    "quotes": b'"' * DEEP,
    "hashes": b"#" * DEEP + b"\n" + b"# newdoc\n" * 1000 + b"1\ta\n",
}


@pytest.mark.parametrize("name", [None, *FORMATS])
@pytest.mark.parametrize("kind", DEEP_FILES)
def test_very_deep_and_very_long_files(tmp_path: Path, name: str | None, kind: str) -> None:
    path = tmp_path / "deep"
    put_companion(path, name)
    path.write_bytes(DEEP_FILES[kind])

    check(path, name, convert="jsonl")


@each_format
def test_messages_are_short_also_if_lines_are_long(tmp_path: Path, name: str) -> None:
    path = tmp_path / "long"
    put_companion(path, name)
    path.write_bytes(b"a" * 100_000 + b"|[e1\n")

    message = check(path, name)

    assert message is not None
    assert len(message) < 1000


@each_sample
def test_the_samples_are_fine(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "good"
    put_companion(path, format_of(kind))
    path.write_bytes(sample(kind))

    assert check(path, format_of(kind)) is None
    assert check(path, None) is None
