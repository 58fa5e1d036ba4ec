"""Input that cannot be scored: one clear message with its place, status 2, nothing on stdout."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from anascore import AnascoreError, MismatchError, ReadError, score
from anascore.cli.main import main
from support.documents import write_ua
from support.paper import KEY
from support.ua_files import HEADER, lines

GOOD = HEADER + lines("(EntityID=1)", "(EntityID=1)", "_")


def cycle(length: int) -> str:
    """Write entities each of which is an element of the next, and the last of the first."""
    return HEADER + lines(
        *(f"(EntityID={i}|ElementOf={(i + 1) % length})" for i in range(length)), *["_"] * 3
    )


# The text of a file, and what the message must say, behind the name of the file.
BAD_FILES: dict[str, tuple[str | bytes, str]] = {
    "unclosed bracket": (
        HEADER + lines("_", "(EntityID=1|MarkableID=m7", "_"),
        ":4: mention m7 of entity 1 is opened here and never closed; a ')' is missing",
    ),
    "unclosed bracket without a name": (
        HEADER + lines("(EntityID=1", "_", "_"),
        ":3: a mention of entity 1 is opened here and never closed; a ')' is missing",
    ),
    "bracket that closes nothing": (
        HEADER + lines("_", "_", ")"),
        ":5: ')' closes no mention; open here: nothing",
    ),
    "bracket that closes another mention": (
        HEADER + lines("(EntityID=1|MarkableID=m7", "m8)", ")"),
        ":4: 'm8)' closes no mention; open here: mention m7 of entity 1",
    ),
    "no EntityID": (
        HEADER + lines("_", "(MarkableID=m7)", "_"),
        ":4: EntityID is missing in '(MarkableID=m7'",
    ),
    "empty EntityID": (
        HEADER + lines("(EntityID=|MarkableID=m7)"),
        ":3: EntityID is missing in '(EntityID=|MarkableID=m7'",
    ),
    "attribute without a value": (
        HEADER + lines("(EntityID=1|Markable)"),
        ":3: '(EntityID=1|Markable' is not of the form '(EntityID=...|MarkableID=...'",
    ),
    "something else in the column": (
        HEADER + lines("(EntityID=1)xyz"),
        ":3: 'xyz' is neither '(EntityID=...' nor ')' nor '_'",
    ),
    "an opening bracket that is lost": (
        HEADER + lines("EntityID=1|MarkableID=m7", "_"),
        ":3: 'EntityID=1|MarkableID=m7' is neither '(EntityID=...' nor ')' nor '_'",
    ),
    "something else before a bracket": (
        HEADER + lines("@xyz(EntityID=1)"),
        ":3: 'xyz(EntityID=1)' is neither '(EntityID=...' nor ')' nor '_'",
    ),
    "one mention in two entities": (
        HEADER + lines("(EntityID=1|MarkableID=m7)", "(EntityID=2|MarkableID=m7)"),
        ":4: MarkableID m7 is in entity 2 here and in 1 above; a mention is in one entity",
    ),
    "minimum span of letters": (
        HEADER + lines("(EntityID=1|Min=a,b)"),
        ":3: Min=a,b is not one word number, or two with a comma between",
    ),
    "minimum span that runs backwards": (
        HEADER + lines("(EntityID=1|Min=3,1)"),
        ":3: Min=3,1 is not one word number, or two with a comma between",
    ),
    "ElementOf naming no entity": (
        HEADER + lines("_", "(EntityID=1|ElementOf=9)", "_"),
        ":4: ElementOf=9: document 'd' has no entity 9; an element and its set need mentions",
    ),
    "bridging bracket that closes nothing": (
        HEADER + lines("_").replace("\t_\t_\t_\t_\n", "\t)\t_\t_\t_\n"),
        ":3: ')' closes no bridging entry; open here: nothing",
    ),
    "bridging bracket that closes another entry": (
        HEADER + lines("_").replace("\t_\t_\t_\t_\n", "\t(MarkableID=a@b)\t_\t_\t_\n"),
        ":3: 'b)' closes no bridging entry; open here: '(MarkableID=a)'",
    ),
    "unclosed bridging bracket": (
        HEADER + lines("_", "_").replace("\t_\t_\t_\t_\n2", "\t(MarkableID=a\t_\t_\t_\n2"),
        ":3: bridging entry '(MarkableID=a)' is opened here and never closed; a ')' is missing",
    ),
    "something else in the bridging column": (
        HEADER + lines("_").replace("\t_\t_\t_\t_\n", "\t(MarkableID=a)xyz\t_\t_\t_\n"),
        ":3: 'xyz' is not of the form '(MarkableID=...|MentionAnchor=...)'",
    ),
    "cycle of length 1": (
        cycle(1),
        ":3: an entity cannot be an element of itself: 0 is an element of 0",
    ),
    "cycle of length 2": (
        cycle(2),
        ": an entity cannot be an element of itself: ",
    ),
    "cycle of length 5": (
        cycle(5),
        ": an entity cannot be an element of itself: ",
    ),
    "no ID": (
        HEADER + lines("_", ids=("John",)),
        ":3: 'John' is not an ID like 8 (a word), 8.1 (a zero) or 8-9 (multiword token)",
    ),
    "no IDENTITY column": (
        "# global.columns = ID FORM\n# newdoc id = d\n1\tJohn\n",
        ":1: global.columns has no column IDENTITY, which CoNLL-UA needs",
    ),
    "another format": (
        "# newdoc id = d\n1\tJohn\tJohn\tPROPN\t_\t_\t0\troot\t_\tEntity=(e1)\n",
        ":2: Entity= without a line '# global.Entity = ...' above that names its fields; "
        "usual is eid-etype-head-other",
    ),
    "document id twice": (
        GOOD + GOOD,
        ":7: duplicate document id 'd'; line 2 has it too",
    ),
    "empty": ("", ": the file is empty"),
    "blank": (" \n\n", ": the file is empty"),
    "comments only": (
        HEADER + "# newdoc id = d\n",
        ": this file has no words when read as ua",
    ),
    "comments without a document": (
        HEADER,
        ": this file has no words when read as ua",
    ),
    "a line without an ID": (
        "# global.columns = FORM IDENTITY ID\nJohn\t_\t_\n",
        ":2: '_' is not an ID like 8 (a word), 8.1 (a zero) or 8-9 (multiword token)",
    ),
    "an attribute twice": (
        HEADER + lines("(EntityID=1|ElementOf=2|ElementOf=3)", "(EntityID=2)", "(EntityID=3)"),
        ":3: '(EntityID=1|ElementOf=2|ElementOf=3' has ElementOf twice; "
        "several ids are joined by commas",
    ),
    "blank EntityID": (
        HEADER + lines("(EntityID= |MarkableID=m7)"),
        ":3: EntityID is missing in '(EntityID= |MarkableID=m7'",
    ),
    "very many open mentions": (
        HEADER + lines(*(f"(EntityID=1|MarkableID=m{i}" for i in range(100)), "n)"),
        ":103: 'n)' closes no mention; open here: mention m97 of entity 1, "
        "mention m98 of entity 1, mention m99 of entity 1",
    ),
    "not UTF-8": (
        b"# newdoc id = d\n1\tJos\xe9\t_\n",
        ":2: byte 0xe9 is not UTF-8; the file must be UTF-8 text",
    ),
    "not text": (b"PK\x03\x04\x00\x00", ":1: this is not a text file: it has a NUL character"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with a good key and a good response."""
    (tmp_path / "key.conllua").write_text(GOOD)
    (tmp_path / "response.conllua").write_text(GOOD)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def message_for(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run a command that must fail, and return its message."""
    assert main(arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("anascore: error: ")
    assert output.err.count("\n") == 1
    return output.err.removeprefix("anascore: error: ").rstrip("\n")


@pytest.mark.parametrize("name", BAD_FILES)
@pytest.mark.parametrize("side", ["key", "response"])
def test_bad_file(folder: Path, capsys: pytest.CaptureFixture[str], name: str, side: str) -> None:
    text, expected = BAD_FILES[name]
    path = folder / f"{side}.conllua"
    path.write_bytes(text.encode() if isinstance(text, str) else text)

    message = message_for(capsys, "score", "key.conllua", "response.conllua")

    if name.startswith("cycle"):
        assert message.startswith(f"{side}.conllua:")
        assert expected in message
    else:
        assert message == f"{side}.conllua{expected}"


@pytest.mark.parametrize("length", [2, 5])
def test_a_cycle_names_its_entities_and_the_line_of_a_link(folder: Path, length: int) -> None:
    (folder / "key.conllua").write_text(cycle(length))

    with pytest.raises(ReadError) as error:
        score("key.conllua", "response.conllua")

    for entity in range(length):
        assert f"{entity} is an element of {(entity + 1) % length}" in str(error.value)
    assert error.value.line is not None
    start = int(str(error.value).split("itself: ")[1].split()[0])
    assert error.value.line == 3 + start


def test_a_long_cycle_is_named_in_part(folder: Path) -> None:
    (folder / "key.conllua").write_text(cycle(500))

    with pytest.raises(ReadError) as error:
        score("key.conllua", "response.conllua")

    assert str(error.value).endswith("and so on through 500 entities")
    assert len(str(error.value)) < 400


def test_an_element_that_no_set_has_is_reported_where_it_first_stands(folder: Path) -> None:
    links = ["(EntityID=1)", "(EntityID=1|ElementOf=9)", "(EntityID=1|ElementOf=9)"]
    (folder / "key.conllua").write_text(HEADER + lines(*links))

    with pytest.raises(
        ReadError, match=r"key\.conllua:4: ElementOf=9: document 'd' has no entity 9"
    ):
        score("key.conllua", "response.conllua")


def test_missing_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    message = message_for(capsys, "score", "key.conllua", str(folder / "nowhere"))

    assert message == f"{folder / 'nowhere'}: no such file"


def test_a_name_that_cannot_be_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    del folder
    assert message_for(capsys, "score", "key.conllua", "") == "'': this is not a file name"
    message = message_for(capsys, "score", "key.conllua", "a\0b")
    assert message == "a\\x00b: the file cannot be read: embedded null byte"


def test_a_folder_with_a_document_twice(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    message = message_for(capsys, "score", "key.conllua", str(folder))

    assert message == (
        f"{folder / 'response.conllua'}:2: duplicate document id 'd'; "
        f"{folder / 'key.conllua'} has it too"
    )


def test_an_empty_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "empty").mkdir()

    message = message_for(capsys, "score", "key.conllua", "empty")

    assert message == "empty: there are no files in this folder"


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (PermissionError(), "no permission to read this file"),
        (OSError(5, "Input/output error"), "the file cannot be read: Input/output error"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_unreadable_file(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    error: OSError,
    expected: str,
) -> None:
    def refuse(_: Path, __: str) -> None:
        raise error

    monkeypatch.setattr(Path, "open", refuse)

    message = message_for(capsys, "score", "key.conllua", "response.conllua")

    assert message == f"key.conllua: {expected}"


SAME_WORDS = (
    "; key and response must have the same words; "
    '--words align (in Python words="align") moves mentions to the words of the key, and '
    "--words ignore compares by position alone"
)
MISMATCHES = {
    "another word": (
        GOOD.replace("w2", "v2"),
        "4: word 2 of document 'd' is 'v2', but 'w2' in the key (key.conllua:4)" + SAME_WORDS,
    ),
    "a word less": (
        HEADER + lines("(EntityID=1)", "(EntityID=1)"),
        "4: document 'd' ends before word 3, 'w3' in the key (key.conllua:5)" + SAME_WORDS,
    ),
    "a word more": (
        HEADER + lines(*"____"),
        "6: document 'd' goes on with 'w4', where it ends in the key (key.conllua:5)" + SAME_WORDS,
    ),
    "another document": (
        GOOD.replace("id = d", "id = e"),
        "3: the key key.conllua has no document 'e'; key and response must have the same "
        "documents, and the key has document 'd'",
    ),
    "more documents": (
        GOOD + write_ua([], name="e") + write_ua([], name="f"),
        "7: the key key.conllua has no documents 'e', 'f'; "
        "key and response must have the same documents, and the key has document 'd'",
    ),
}


@pytest.mark.parametrize("name", MISMATCHES)
def test_key_and_response_that_do_not_belong_together(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    response, expected = MISMATCHES[name]
    (folder / "response.conllua").write_text(response)

    message = message_for(capsys, "score", "key.conllua", "response.conllua")

    assert message == f"response.conllua:{expected}"


def test_missing_document(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "key.conllua").write_text(GOOD + write_ua([], name="e"))

    message = message_for(capsys, "score", "key.conllua", "response.conllua")

    assert message == (
        "response.conllua: document 'e' is missing, which the key has (key.conllua:7); "
        '--missing empty (in Python missing="empty") scores missing documents as empty'
    )


def test_many_missing_documents_are_counted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "key.conllua").write_text(GOOD + "".join(write_ua([], name=n) for n in "vwxyz"))

    message = message_for(capsys, "score", "key.conllua", "response.conllua")

    assert message.startswith("response.conllua: documents 'v', 'w', 'x' and 2 more are missing")


def test_a_document_without_words_is_named_by_its_first_line(folder: Path) -> None:
    (folder / "key.conllua").write_text(GOOD + "# newdoc id = e\n")

    with pytest.raises(MismatchError, match=r"which the key has \(key.conllua:6\)"):
        score("key.conllua", "response.conllua")


def test_a_fault_in_the_last_response_leaves_no_output(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "bad.conllua").write_text(HEADER + lines(")"))

    message = message_for(capsys, "score", "key.conllua", "response.conllua", "bad.conllua")

    assert message.startswith("bad.conllua:3: ")


@pytest.mark.parametrize("seed", range(10))
def test_damaged_files_are_read_or_refused(folder: Path, seed: int) -> None:
    """Damage of any kind leads to a result or to one of our errors."""
    rng = random.Random(seed)
    text = KEY.read_text(encoding="utf-8")
    refused = []
    for _ in range(60):
        damaged = text
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(damaged))
            end = place + rng.choice([1, 1, 1, 5, 40])
            piece = rng.choice(["", "", damaged[place:end] * 2, *"()|=@#_\t\n ,.0\r\u00a0"])
            damaged = damaged[:place] + piece + damaged[end:]
        path = folder / "damaged.conllua"
        path.write_text(damaged, encoding="utf-8")
        try:
            result = score(path, path)
        except AnascoreError as error:
            refused.append(str(error))
        else:
            assert all(set(v) <= {1.0, None} for v in result.scores.values())
    assert 0 < len(refused) < 60
    assert all(message.startswith(str(folder / "damaged.conllua:")) for message in refused)


def test_errors_are_one_family(folder: Path) -> None:
    with pytest.raises(AnascoreError) as error:
        score(folder / "key.conllua", folder / "nowhere")

    assert isinstance(error.value, ReadError)
    assert (str(folder / "nowhere"), None) == (error.value.path, error.value.line)


def test_a_long_chain_of_sets_is_no_cycle_and_does_not_hang(folder: Path) -> None:
    length = 5000
    chain = [f"(EntityID={i}|ElementOf={i + 1})" for i in range(length)]
    text = HEADER + lines(*chain, f"(EntityID={length})")
    (folder / "key.conllua").write_text(text)

    result = score("key.conllua", "key.conllua")

    assert result.conll == 1.0


def test_the_installed_command_prints_no_traceback(folder: Path) -> None:
    (folder / "bad.conllua").write_text(HEADER + lines(")"))

    done = subprocess.run(
        [sys.executable, "-m", "anascore", "score", "bad.conllua", "bad.conllua"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("anascore: error: bad.conllua:3: ")
