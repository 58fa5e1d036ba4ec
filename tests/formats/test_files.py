"""Input from files, compressed files, folders and standard input: always UTF-8 text."""

import errno
import gzip
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import anascore
from anascore import ReadError
from anascore.corpus.validate import validate
from support.reading import all_refusals, put, refusal, standard_input

CONLL = "#begin document (d); part 000\nd\t0\t0\tJohn\tNNP\t(1)\n#end document\n"
UNNAMED = "d\t0\t0\tJohn\tNNP\t(1)\n"


def test_a_compressed_file_is_decompressed(tmp_path: Path) -> None:
    packed = put(tmp_path, "a.conll.gz", gzip.compress(CONLL.encode()))
    plain = put(tmp_path, "a.conll", CONLL)

    assert anascore.read(packed) == anascore.read(plain)
    assert anascore.read(packed).name == "a"


def test_a_dash_is_standard_input_in_utf8(monkeypatch: pytest.MonkeyPatch) -> None:
    standard_input(monkeypatch, CONLL.replace("John", "José").encode())

    corpus = anascore.read("-")

    assert corpus.documents["d"].words == ("José",)
    assert corpus.name == "standard input"


def test_a_file_named_standard_input_is_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = '{"text": "Ann", "entities": [[[0, 3]]], "includes": [[]]}'
    put(tmp_path, "standard input", text)
    monkeypatch.chdir(tmp_path)
    standard_input(monkeypatch, text.encode())

    file, piped = (anascore.read(path, "rucoco") for path in ("standard input", "-"))

    assert (file.unnamed, piped.unnamed) == (False, True)
    assert (file.name, piped.name) == ("standard input", "standard input")


def test_bad_standard_input_is_named_so(monkeypatch: pytest.MonkeyPatch) -> None:
    standard_input(monkeypatch, b"\n\n")

    with pytest.raises(ReadError, match=r"^standard input: the file is empty$"):
        anascore.read("-")


def test_closed_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)

    with pytest.raises(
        ReadError, match=r"^standard input: it is closed; give a file name instead of -"
    ):
        anascore.read("-")


def test_a_folder_stands_for_its_files_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in ("c", "a", "b"):
        put(tmp_path, f"{name}.conll", CONLL.replace("(d)", f"({name})"))

    assert list(anascore.read(tmp_path).documents) == ["a", "b", "c"]


def test_documents_without_names_are_named_after_their_files_in_a_folder(tmp_path: Path) -> None:
    put(tmp_path, "b/z.conll.gz", gzip.compress(UNNAMED.encode()))
    put(tmp_path, "b/a.x.conll", UNNAMED)
    put(tmp_path, "a/c", UNNAMED)
    two = '{"tokens": ["a"], "clusters": []}\n'
    put(tmp_path, "d.jsonl", two + two)

    assert list(anascore.read(tmp_path).documents) == ["a/c", "b/a.x", "b/z", "d", "d-2"]


def test_a_document_without_a_name_in_a_file_named_itself(tmp_path: Path) -> None:
    assert list(anascore.read(put(tmp_path, "a.conll", UNNAMED)).documents) == ["unnamed"]


def test_hidden_files_and_folders_are_skipped(tmp_path: Path) -> None:
    put(tmp_path, "a.conll", CONLL)
    put(tmp_path, ".DS_Store", b"\0\xff")
    put(tmp_path, ".git/config", "x")
    put(tmp_path, "sub/.hidden", "x")

    assert list(anascore.read(tmp_path).documents) == ["d"]


def test_a_folder_that_is_hidden_itself_can_be_named(tmp_path: Path) -> None:
    put(tmp_path, ".corpus/a.conll", CONLL)

    assert list(anascore.read(tmp_path / ".corpus").documents) == ["d"]


def test_files_of_a_folder_can_have_different_formats(tmp_path: Path) -> None:
    put(tmp_path, "a.conll", CONLL)
    put(tmp_path, "b.jsonl", '{"doc_key": "e", "tokens": ["a"], "clusters": []}\n')

    corpus = anascore.read(tmp_path)

    assert list(corpus.documents) == ["d", "e"]
    assert corpus.format == "conll2012+jsonl"


def test_a_bad_file_in_a_folder_is_named(tmp_path: Path) -> None:
    put(tmp_path, "a.conll", CONLL)
    bad = put(tmp_path, "sub/b.conll", CONLL.replace("(1)", "1)").replace("(d)", "(e)"))

    with pytest.raises(ReadError) as error:
        anascore.read(tmp_path)

    assert str(error.value) == f"{bad}:2: '1)' closes no mention; open here: nothing"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("\n", "\r\n", id="CRLF"),
        pytest.param("\n", "\r", id="CR"),
        pytest.param("#begin", "\ufeff#begin", id="byte order mark"),
        pytest.param("#end document\n", "#end document", id="no newline at the end"),
        pytest.param("#begin", "\n \n#begin", id="blank lines in front"),
        pytest.param("#end", "\n\n\n#end", id="blank lines at the end"),
    ],
)
def test_forms_of_a_text_file(tmp_path: Path, before: str, after: str) -> None:
    plain = anascore.read(put(tmp_path, "plain", CONLL))

    changed = anascore.read(put(tmp_path, "changed", CONLL.replace(before, after)))

    assert plain == changed


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_lines_are_counted_alike_whatever_ends_them(tmp_path: Path, ending: str) -> None:
    text = CONLL.replace("(1)", "1)").replace("\n", ending)

    assert refusal(put(tmp_path, "a", text)) == ":2: '1)' closes no mention; open here: nothing"


@pytest.mark.parametrize("character", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\xa0"])
def test_characters_inside_a_word_that_end_no_line(tmp_path: Path, character: str) -> None:
    path = put(tmp_path, "a", CONLL.replace("John", f"Jo{character}hn"))

    assert anascore.read(path).documents["d"].words == (f"Jo{character}hn",)


BAD_FILES: dict[str, tuple[str, bytes, str]] = {
    "empty": ("a", b"", ": the file is empty"),
    "blank": ("a", b" \r\n\t\n", ": the file is empty"),
    "byte order mark only": ("a", b"\xef\xbb\xbf", ": the file is empty"),
    "compressed nothing": ("a.gz", gzip.compress(b""), ": the file is empty"),
    "Latin-1": (
        "a",
        CONLL.replace("John", "José").encode("latin-1"),
        ":2: byte 0xe9 is not UTF-8; the file must be UTF-8 text",
    ),
    "Latin-1 behind CRLF": (
        "a",
        CONLL.replace("John", "José").replace("\n", "\r\n").encode("latin-1"),
        ":2: byte 0xe9 is not UTF-8; the file must be UTF-8 text",
    ),
    "Latin-1, compressed": (
        "a.gz",
        gzip.compress(CONLL.replace("John", "José").encode("latin-1")),
        ":2: byte 0xe9 is not UTF-8; the file must be UTF-8 text",
    ),
    "UTF-16": (
        "a",
        CONLL.encode("utf-16"),
        ":1: byte 0xff is not UTF-8; the file must be UTF-8 text",
    ),
    "cut inside a character": (
        "a",
        "José".encode()[:-1],
        ":1: byte 0xc3 is not UTF-8; the file must be UTF-8 text",
    ),
    "a surrogate in UTF-8": (
        "a",
        b"\n\xed\xa0\x80",
        ":2: byte 0xed is not UTF-8; the file must be UTF-8 text",
    ),
    "NUL": ("a", b"a\n\0", ":2: this is not a text file: it has a NUL character"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_a_file_that_is_not_utf8_text(tmp_path: Path, case: str) -> None:
    name, content, expected = BAD_FILES[case]
    path = put(tmp_path, name, content)

    assert refusal(path) == expected
    assert all_refusals(path) == [expected]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(CONLL.encode(), id="not compressed"),
        pytest.param(gzip.compress(CONLL.encode())[:-9], id="cut"),
        pytest.param(gzip.compress(CONLL.encode())[:-8] + b"\0" * 8, id="wrong checksum"),
        pytest.param(gzip.compress(CONLL.encode())[:10] + b"\xff" * 20, id="damaged"),
        pytest.param(b"\x1f\x8b", id="only its first bytes"),
    ],
)
def test_a_compressed_file_that_is_broken(tmp_path: Path, content: bytes) -> None:
    message = refusal(put(tmp_path, "a.conll.gz", content))

    assert message.startswith(
        ": the name ends in .gz, but the content cannot be decompressed: ",
    )


def test_a_folder_without_files(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()

    assert refusal(tmp_path) == ": there are no files in this folder"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert refusal(tmp_path / "nowhere") == ": no such file"


def in_ascii(folder: Path, *arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
    """Run the command in an ASCII locale."""
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    environment.pop("PYTHONIOENCODING", None)
    done = subprocess.run(
        [sys.executable, "-m", "anascore", *arguments],
        input=stdin,
        capture_output=True,
        cwd=folder,
        env=environment,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


FOREIGN = CONLL.replace("(d)", "(Škoda)").replace("John", "José")


@pytest.mark.parametrize("name", ["a.conll", "-"])
def test_reading_does_not_depend_on_the_locale(tmp_path: Path, name: str) -> None:
    put(tmp_path, "a.conll", FOREIGN)

    status, _, errors = in_ascii(tmp_path, "score", "a.conll", name, stdin=FOREIGN.encode())

    assert (status, errors) == (0, "")


def test_messages_do_not_depend_on_the_locale(tmp_path: Path) -> None:
    put(tmp_path, "bad.conll", FOREIGN.replace("(1)", "(é"))

    status, output, errors = in_ascii(tmp_path, "score", "bad.conll", "bad.conll")

    assert (status, output) == (2, "")
    assert errors.startswith("anascore: error: bad.conll:2: a mention of ")
    assert errors.endswith(")' is missing\n")
    assert errors.count("\n") == 1


def test_a_name_that_is_too_long(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="the file cannot be read: File name too long"):
        anascore.read(tmp_path / ("x" * 300))


def problems_in(folder: Path) -> list[str]:
    """Return the errors of the items of a folder, with their paths inside of it."""
    with pytest.raises(ReadError) as error:
        anascore.read(folder)
    validated = [
        problem.text
        for result in validate(str(folder))
        for problem in result.problems
        if problem.severity == "error"
    ]
    assert list(error.value.lines) == validated
    return [line.replace(f"{folder}/", "") for line in validated]


def test_linked_files_and_folders_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    put(folder, "a.conll", CONLL)
    elsewhere = put(tmp_path, "elsewhere/b.conll", CONLL.replace("(d)", "(b)"))
    put(tmp_path, "elsewhere/sub/c", UNNAMED)
    (folder / "c").symlink_to(elsewhere.parent / "sub")
    (folder / "z.conll").symlink_to(elsewhere)

    assert list(anascore.read(folder).documents) == ["d", "c/c", "b"]


def test_items_of_a_folder_that_are_no_files(tmp_path: Path) -> None:
    put(tmp_path, "a.conll", CONLL)
    (tmp_path / "b.conll").symlink_to("nowhere")
    (tmp_path / "c").symlink_to("c")
    os.mkfifo(tmp_path / "d")
    (tmp_path / ".hidden").symlink_to("nowhere")

    assert problems_in(tmp_path) == [
        "b.conll: this link does not lead to a file",
        "c: this cannot be read: Too many levels of symbolic links",
        "d: this is neither a file nor a folder",
    ]


def test_a_socket_in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "a.conll", CONLL)
    # The whole path can be too long for a socket.
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s")

        assert problems_in(tmp_path) == ["s: this is neither a file nor a folder"]


def test_a_loop_of_linked_folders(tmp_path: Path) -> None:
    put(tmp_path, "sub/a.conll", CONLL)
    (tmp_path / "sub/loop").symlink_to(tmp_path)

    assert problems_in(tmp_path) == [
        f"sub/loop: this is the same folder as {tmp_path}, by a link; it can be read once"
    ]


def test_folders_that_double_by_links_are_read_once(tmp_path: Path) -> None:
    put(tmp_path, "0/a.conll", CONLL)
    for number in range(1, 20):
        (tmp_path / str(number)).mkdir()
        for name in ("x", "y"):
            (tmp_path / str(number) / name).symlink_to(tmp_path / str(number - 1))

    messages = problems_in(tmp_path / "19")

    assert len(messages) == 19
    assert messages[-1] == (
        f"y: this is the same folder as {tmp_path / '19/x'}, by a link; it can be read once"
    ).replace(f"{tmp_path / '19'}/", "")


def test_a_folder_as_deep_as_paths_can_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(1500):
        Path("a").mkdir()
        os.chdir("a")
    put(Path(), "b", UNNAMED)

    names = list(anascore.read(tmp_path).documents)

    assert names == [f"{'a/' * 1500}b"]
    # Python cannot remove folders as deep as these.
    Path("b").unlink()
    for _ in range(1500):
        os.chdir("..")
        Path("a").rmdir()


@pytest.mark.parametrize(
    ("method", "item", "expected"),
    [
        ("iterdir", "sub", ["sub: this cannot be read: Permission denied"]),
        ("iterdir", "", [": this cannot be read: Permission denied"]),
        ("stat", "sub/b", ["sub/b: this cannot be read: Permission denied"]),
        ("open", "sub/b", ["sub/b: no permission to read this file"]),
    ],
)
def test_folders_and_files_without_permission(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str, item: str, expected: list[str]
) -> None:
    # Removing permissions would not do: the administrator has them all.
    put(tmp_path, "a.conll", CONLL)
    put(tmp_path, "sub/b", UNNAMED)
    original = getattr(Path, method)

    def refuse(path: Path, *arguments: object, **keywords: object) -> object:
        if path == tmp_path / item:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return original(path, *arguments, **keywords)

    monkeypatch.setattr(Path, method, refuse)

    assert problems_in(tmp_path) == [
        message if item else f"{tmp_path}{message}" for message in expected
    ]


NO_MEMORY = "not enough memory to read this; use a smaller file, or fewer --jobs"


@pytest.mark.parametrize("step", ["gzip.decompress", "json.JSONDecoder.raw_decode"])
def test_a_file_that_needs_too_much_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    text = '{"doc_key": "d", "tokens": ["a"], "clusters": []}\n'
    path = put(tmp_path, "a.jsonl.gz", gzip.compress(text.encode()))

    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(step, fail)

    assert refusal(path, "jsonl") == f": {NO_MEMORY}"
    assert all_refusals(path, "jsonl") == [f": {NO_MEMORY}"]


def test_a_device_is_refused() -> None:
    message = ": this is a device, which may have no end; give a file, a folder, a pipe or -"

    assert refusal(Path("/dev/zero")) == message
    assert all_refusals(Path("/dev/zero")) == [message]
