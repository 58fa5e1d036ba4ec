"""Formats whose documents consist of several files: x.entities needs x.tokens beside it."""

import gzip
from pathlib import Path

import pytest

import anascore
from anascore import ReadError
from anascore.cli.main import main
from support.reading import all_refusals, put, refusal, standard_input
from support.tool_output import BOOKNLP_KEY, BOOKNLP_RESPONSE, BOOKNLP_TOKENS, SAMPLES, Files

KEY = Files(BOOKNLP_KEY, ".tokens", BOOKNLP_TOKENS)
RESPONSE = Files(BOOKNLP_RESPONSE, ".tokens", BOOKNLP_TOKENS)


@pytest.mark.parametrize("main_packed", [True, False])
@pytest.mark.parametrize("text_packed", [True, False])
def test_each_file_can_be_compressed(
    tmp_path: Path, *, main_packed: bool, text_packed: bool
) -> None:
    plain = KEY.put(tmp_path / "plain", "book.entities")
    paths = []
    for ending, packed in ((".entities", main_packed), (".tokens", text_packed)):
        content = plain.with_suffix(ending).read_bytes()
        name = f"book{ending}{'.gz' if packed else ''}"
        paths.append(put(tmp_path, name, gzip.compress(content) if packed else content))

    assert anascore.read(paths[0]) == anascore.read(plain)


@pytest.mark.parametrize("unread", [".quotes", ".supersense", ".book", ".book.html"])
def test_a_folder_leaves_out_the_files_beside(tmp_path: Path, unread: str) -> None:
    for name in ("a.entities", "inner/b.entities"):
        KEY.put((tmp_path / name).parent, Path(name).name)
    put(tmp_path, f"a{unread}", "other output of BookNLP")

    assert list(anascore.read(tmp_path).documents) == ["a", "inner/b"]
    assert all_refusals(tmp_path) == []


def test_a_folder_of_compressed_files(tmp_path: Path) -> None:
    put(tmp_path, "a.entities.gz", gzip.compress(BOOKNLP_KEY.encode()))
    put(tmp_path, "a.tokens.gz", gzip.compress(BOOKNLP_TOKENS.encode()))

    assert list(anascore.read(tmp_path).documents) == ["a"]


def test_folders_of_pairs_are_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.entities", "b.entities"):
        KEY.put(tmp_path / "key", name)
        RESPONSE.put(tmp_path / "response", name)

    assert main(["score", str(tmp_path / "key"), str(tmp_path / "response")]) == 0
    assert "CoNLL" in capsys.readouterr().out


def test_files_that_belong_to_no_other_are_read(tmp_path: Path) -> None:
    put(tmp_path, "a.txt", "John|[e1] left\n")
    put(tmp_path, "a.conll", "#begin document (d); part 000\nd\t0\t0\tJohn\tNNP\t(1)\n")

    assert anascore.read(tmp_path).format == "conll2012+llm-text"


def test_the_missing_file_is_named(tmp_path: Path) -> None:
    path = put(tmp_path, "book.entities", BOOKNLP_KEY)

    expected = tmp_path / "book.tokens"
    message = f": {expected} is missing; it must be beside this file, since it holds the text"
    assert refusal(path) == message
    assert all_refusals(path) == [message]


@pytest.mark.parametrize("format_name", [None, "booknlp"])
@pytest.mark.parametrize("ending", [".entities", ".entities.gz"])
def test_the_file_beside_names_the_file_to_name(
    tmp_path: Path, format_name: str | None, ending: str
) -> None:
    path = KEY.put(tmp_path, "book.entities")
    if ending.endswith(".gz"):
        put(tmp_path, f"book{ending}", gzip.compress(path.read_bytes()))
        path.unlink()
    tokens = tmp_path / "book.tokens"

    message = f": this file belongs to {tmp_path / f'book{ending}'}; give that file instead"
    assert refusal(tokens, format_name) == message
    assert all_refusals(tokens, format_name) == [message]


def test_the_file_beside_without_the_file_that_it_belongs_to(tmp_path: Path) -> None:
    path = put(tmp_path, "book.tokens", BOOKNLP_TOKENS)

    assert refusal(path).startswith(": cannot detect the format of this file")


@pytest.mark.parametrize("name", ["x" * 251 + ".txt", "x" * 246 + ".entities"])
def test_names_that_are_too_long_for_another_ending(tmp_path: Path, name: str) -> None:
    content = BOOKNLP_KEY if name.endswith(".entities") else "Ann left\n"

    assert "Traceback" not in refusal(put(tmp_path, name, content))


def test_standard_input_has_no_files_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    standard_input(monkeypatch, BOOKNLP_KEY.encode())

    with pytest.raises(ReadError) as error:
        anascore.read("-")

    assert str(error.value) == (
        "standard input: this needs the .tokens file beside it; "
        "name the .entities file instead of -"
    )


def test_a_file_with_the_ending_of_the_text(tmp_path: Path) -> None:
    path = put(tmp_path, "book.tokens", BOOKNLP_KEY)

    message = "the name ends in .tokens, the ending of the text; this file needs another"
    assert refusal(path) == f": {message}, like .entities"


@pytest.mark.parametrize("name", SAMPLES)
def test_formats_that_cannot_be_written(tmp_path: Path, name: str) -> None:
    path = SAMPLES[name].put(tmp_path, "story")

    with pytest.raises(anascore.SettingsError, match="can only be read; choose from ua, corefud"):
        anascore.write(anascore.read(path), tmp_path / "new", name)
