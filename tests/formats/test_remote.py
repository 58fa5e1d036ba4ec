"""Paths with ://, which fsspec reads and writes."""

import gzip
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import anascore
from anascore import blocks
from anascore.cli.main import main
from anascore.errors import ReadError, WriteError
from anascore.formats.files import File, is_file
from anascore.formats.reading import CorpusFile
from anascore.formats.remote import remote_size
from anascore.formats.streams import Stream
from support.generated_corpora import generated_file, rich_corpus
from support.paper import KEY, SYSTEMS

fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")


@pytest.fixture
def memory() -> Iterator[Any]:
    system = fsspec.filesystem("memory")
    yield system
    system.store.clear()
    system.pseudo_dirs[:] = [""]


def put(memory: Any, address: str, content: bytes) -> str:
    memory.pipe_file(address, content)
    return f"memory://{address}"


def test_files_in_memory(memory: Any) -> None:
    key = put(memory, "/corpora/key.conllua", KEY.read_bytes())
    response = put(memory, "/corpora/system.conllua.gz", gzip.compress(SYSTEMS[0].read_bytes()))

    result = anascore.score(key, response)

    assert result.name == "system"
    assert result.counted == anascore.score(KEY, SYSTEMS[0]).counted
    assert anascore.read(key).documents["example"].path == key


def test_files_on_disk(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(KEY), str(SYSTEMS[0])]) == 0
    expected = capsys.readouterr()
    assert main(["score", KEY.as_uri(), SYSTEMS[0].as_uri()]) == 0
    assert capsys.readouterr() == expected


def test_folders(memory: Any, tmp_path: Path) -> None:
    path = generated_file(tmp_path, "rucoco")
    (path / ".hidden").mkdir()
    (path / ".hidden" / "x.json").write_text("no corpus")
    (path / "below").mkdir()
    next(path.glob("*.json")).rename(path / "below" / "x.json")
    for file in path.rglob("*.json"):
        put(memory, f"/folder/{file.relative_to(path).as_posix()}", file.read_bytes())

    corpus = anascore.read("memory://folder")

    assert corpus == anascore.read(path)
    assert list(corpus.documents) == list(anascore.read(path).documents)
    memory.mkdir("/empty")
    with pytest.raises(ReadError, match="memory://empty: there are no files in this folder"):
        anascore.read("memory://empty")


def test_companions(memory: Any) -> None:
    text = put(memory, "/brat/x.txt", b"John left. He slept.")
    annotation = put(memory, "/brat/x.ann", b"T1\tPerson 0 4\tJohn\n")

    assert anascore.read(annotation).documents
    with pytest.raises(ReadError, match=f"this file belongs to {annotation}"):
        anascore.read(text)
    memory.rm("/brat/x.txt")
    with pytest.raises(ReadError, match=f"{text} is missing"):
        anascore.read(annotation)


@pytest.mark.parametrize("ending", ["", ".gz"])
@pytest.mark.usefixtures("memory")
def test_large_files(monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    for number in range(2):
        anascore.write(rich_corpus(number), f"memory://{number}.conllu{ending}", "corefud")
    paths = [f"memory://{number}.conllu{ending}" for number in range(2)]
    expected = anascore.score(*paths)
    monkeypatch.setattr(blocks, "BLOCK_SIZE", 1)

    assert len([*Stream(CorpusFile(paths[0]))]) == len(rich_corpus().documents)
    assert anascore.score(*paths).counted == expected.counted
    assert anascore.score(*paths, jobs=2).counted == expected.counted


def test_writing(memory: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(KEY), "memory://new/key.jsonl"]) == 0
    capsys.readouterr()
    assert memory.cat_file("/new/key.jsonl").startswith(b'{"doc_key": "example"')
    message = "memory://new: a folder can only be written to a disk; give a path without ://"
    with pytest.raises(WriteError, match=message):
        anascore.write(rich_corpus(), "memory://new", "rucoco")


ERRORS = {
    "memory://none.conllu": "no such file",
    "nope://a.conllu": "the file cannot be read: Protocol not known: nope",
}


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("path", ERRORS)
def test_errors(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", path, path]) == 2
    assert capsys.readouterr().err == f"anascore: error: {path}: {ERRORS[path]}\n"
    assert main(["validate", path]) != 0
    assert ERRORS[path] in "".join(capsys.readouterr())
    assert File(path, "a").size is None


def test_fsspec_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    message = r"the file cannot be \w+: a path with :// needs the package fsspec: pip install"

    with pytest.raises(ReadError, match=message):
        anascore.read("memory://a.conllu")
    with pytest.raises(WriteError, match=message):
        anascore.write(rich_corpus(), "memory://a.conllu")


def test_servers_that_cannot_send_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    information = {"type": "file", "size": 3, "partial": False}
    system = SimpleNamespace(info=lambda _: information)
    monkeypatch.setattr("fsspec.core.url_to_fs", lambda path: (system, path))

    assert remote_size("http://a") is None


def test_a_file_of_an_unknown_system_is_not_there() -> None:
    assert not is_file("unknown://key.conllua")
