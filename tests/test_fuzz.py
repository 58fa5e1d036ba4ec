"""Fuzzing: damaged files lead to a corpus or a clear error, in time."""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import anascore
from anascore import Corpus, Document, Entity, Mention, ReadError
from anascore.corpus.validate import validate
from anascore.formats import fit_to_format, to_text, writer_of
from anascore.formats.registry import FORMATS, WRITABLE
from anascore.model.document import Bridge, NonReferring
from anascore.model.mention import make_mention
from resolvers import LAYOUTS, RESPONSE
from samples import RELEASED
from tool_output import SAMPLES

RELEASED_UA = "ua, as released"
each_format = pytest.mark.parametrize("name", FORMATS)
each_sample = pytest.mark.parametrize("kind", [*FORMATS, RELEASED_UA])
Damage = Callable[[bytes, random.Random], bytes]


def small() -> Corpus:
    """Make two documents with a little of everything."""
    first, second = Mention(((0, 2),)), Mention(((3, 4),))
    both, zero = make_mention(((1, 5),), (), ((2, 3),)), Mention((), ((2, 1),))
    apart, late = Mention(((0, 1), (4, 5))), Mention(((5, 6),))
    document = Document(
        "d",
        ("The", "old", "house", "and", "Ann", "left"),
        (
            Entity((first, apart, zero), (), "e1", ({"etype": "place"}, {}, {})),
            Entity((second,), (), "e2"),
            Entity((both, late), (0, 1), "e3"),
        ),
        (NonReferring(late, "2"),),
        (Bridge(second, first, 0, "part"),),
        (Entity((first,), (), "s1"), Entity((second,), (0,), "s2")),
        ((2, 1),),
        sentences=(0, 3),
    )
    other = Document("é", ("Ça", "va"), (Entity((Mention(((1, 2),)),), (), "e9"),))
    return Corpus({"d": document, "é": other}, "test")


def format_of(kind: str) -> str:
    """Return the format of a sample."""
    return kind.partition(",")[0]


def sample(name: str) -> bytes:
    """Return the documents as text, as far as a format can hold them."""
    if name in LAYOUTS:
        return LAYOUTS[name](RESPONSE).encode()
    if name in SAMPLES:
        return SAMPLES[name].main.encode()
    if name == RELEASED_UA:
        return RELEASED.encode()
    corpus = small()
    if FORMATS[name].one_document:
        corpus = replace(corpus, documents={"d": corpus.documents["d"]})
    return to_text(corpus, name)[0].encode()


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
    results = list(validate(str(path), name))
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


def lines_of(content: bytes) -> list[bytes]:
    return content.split(b"\n")


def without_line(content: bytes, rng: random.Random) -> bytes:
    lines = lines_of(content)
    del lines[rng.randrange(len(lines))]
    return b"\n".join(lines)


def doubled_line(content: bytes, rng: random.Random) -> bytes:
    lines = lines_of(content)
    lines.insert(rng.randrange(len(lines)), rng.choice(lines))
    return b"\n".join(lines)


def swapped_lines(content: bytes, rng: random.Random) -> bytes:
    lines = lines_of(content)
    first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    return b"\n".join(lines)


MARKS = re.compile(rb"[\[\](){}\"\t|,:=<@#\n-]")


def without_mark(content: bytes, rng: random.Random) -> bytes:
    match = rng.choice(list(MARKS.finditer(content)))
    return content[: match.start()] + content[match.end() :]


def doubled_mark(content: bytes, rng: random.Random) -> bytes:
    match = rng.choice(list(MARKS.finditer(content)))
    return content[: match.end()] + match[0] + content[match.end() :]


def another_mark(content: bytes, rng: random.Random) -> bytes:
    match, other = rng.sample(list(MARKS.finditer(content)), 2)
    return content[: match.start()] + other[0] + content[match.end() :]


def flipped_bit(content: bytes, rng: random.Random) -> bytes:
    changed = bytearray(content)
    changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def another_byte(content: bytes, rng: random.Random) -> bytes:
    changed = bytearray(content)
    changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


NUMBERS = [b"0", b"-1", b"99999999999999999999", b"1e999", b"1.5", b"9" * 5000, b"007"]
NUMBERS += ["\u0663".encode(), "²".encode(), b"1_0", b"NaN", b"true", b"null", b'"1"', b"+1", b""]


def another_number(content: bytes, rng: random.Random) -> bytes:
    match = rng.choice(list(re.finditer(rb"\d+", content)))
    return content[: match.start()] + rng.choice(NUMBERS) + content[match.end() :]


PIECES = [b"{}", b"[]", b"[[]]", b'""', b"null", b"true", b"1.5", b"[0, 0]", b'"\\ud800"', b"-"]


def another_value(content: bytes, rng: random.Random) -> bytes:
    """Replace something that looks like a value by another value."""
    match = rng.choice(list(re.finditer(rb'"[^"\n]*"|\[[^\[\]]*\]|\([^()\n]*\)|[^\s\t]+', content)))
    return content[: match.start()] + rng.choice(PIECES) + content[match.end() :]


def moved_piece(content: bytes, rng: random.Random) -> bytes:
    start, end = sorted(rng.randrange(len(content)) for _ in range(2))
    end = min(end, start + 40)
    rest = content[:start] + content[end:]
    place = rng.randrange(len(rest) + 1)
    return rest[:place] + content[start:end] + rest[place:]


DAMAGES: list[Damage] = [
    *(without_line, doubled_line, swapped_lines, without_mark, doubled_mark, another_mark),
    *(flipped_bit, another_byte, another_number, another_value, moved_piece),
]


@each_sample
@pytest.mark.parametrize("damage", DAMAGES, ids=[damage.__name__ for damage in DAMAGES])
def test_damaged_files(tmp_path: Path, kind: str, damage: Damage) -> None:
    rng = random.Random(f"{kind} {damage.__name__}")
    name, content = format_of(kind), sample(kind)
    path = tmp_path / "damaged"
    put_companion(path, name)
    for number in range(20):
        damaged = damage(content, rng)
        if number % 3 == 2 and MARKS.search(damaged):
            damaged = rng.choice(DAMAGES[:6])(damaged, rng)
        path.write_bytes(damaged)
        check(path, name if number % 2 else None)


@pytest.mark.parametrize("name", [name for name in SAMPLES if SAMPLES[name].companion])
@pytest.mark.parametrize("damage", [damage for damage in DAMAGES if damage is not another_number])
def test_damaged_files_beside(tmp_path: Path, name: str, damage: Damage) -> None:
    rng = random.Random(f"{name} {damage.__name__}")
    path = SAMPLES[name].put(tmp_path, "good")
    beside = path.with_suffix(SAMPLES[name].ending)
    for _ in range(20):
        beside.write_bytes(damage(SAMPLES[name].companion.encode(), rng))
        results = list(validate(str(path), name))
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
