"""The command line, every option of it, against outputs that were looked at once.

Run with UPDATE_GOLDEN=1 in the environment to write the outputs anew; then look at the difference.
"""

import argparse
import contextlib
import csv
import gc
import io
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from anascore.cli.demo import PAGE
from anascore.cli.main import COMMANDS as COMMANDS_OF_THE_LINE
from anascore.cli.main import CommandResult, main, parser
from anascore.settings import FORMER_NAMES
from support.commands import COMMANDS, STATUS, folder, results
from support.paths import ROOT

__all__ = ["folder", "results"]  # fixtures

GOLDEN = ROOT / "tests" / "golden"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", COMMANDS)
def test_golden(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(shlex.split(COMMANDS[name]))

    output = capsys.readouterr()
    found = f"$ anascore {COMMANDS[name]}\n{output.out}{output.err}"
    path = GOLDEN / COMMANDS[name].split()[0] / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(found, encoding="utf-8")
    assert status == STATUS.get(name, 0)
    assert path.read_text(encoding="utf-8") == found


def test_no_golden_file_is_left_over() -> None:
    # test_golden finds missing files. It may be writing new ones in another process.
    expected = {f"{command.split()[0]}/{name}.txt" for name, command in COMMANDS.items()}
    files = (path for path in GOLDEN.rglob("*") if path.is_file())
    assert {path.relative_to(GOLDEN).as_posix() for path in files} <= expected


@pytest.mark.parametrize("command", COMMANDS_OF_THE_LINE)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main([command, "--help"])

    assert f"usage: anascore {command}" in capsys.readouterr().out


def test_every_option_is_replayed() -> None:
    (commands,) = (
        action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)
    )
    # See test_out.py and test_repeated_mentions.py.
    elsewhere = {"--help", "--out", *(f"--{name}" for name in FORMER_NAMES)}
    options = {
        (name, option)
        for name, command in commands.choices.items()
        for action in command._actions
        for option in action.option_strings
        if option.startswith("--") and option not in elsewhere
    }

    lines = [command.split() for command in COMMANDS.values()]
    replayed = {(words[0], word) for words in lines for word in words[1:]}

    assert options <= replayed


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "name",
    [
        name
        for name, command in COMMANDS.items()
        if command.startswith(("score", "suite", "stats", "demo")) and "--output" not in command
    ],
)
def test_tables_fit_into_80_columns(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(shlex.split(COMMANDS[name]))

    lines = capsys.readouterr().out.splitlines()
    assert all(len(line) <= 80 for line in lines if "anascore:" not in line)
    assert not any("\x1b" in line or line != line.rstrip() for line in lines)


def json_of(command: str, capsys: pytest.CaptureFixture[str]) -> Any:
    assert main([*shlex.split(command), "--output", "json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.usefixtures("folder")
def test_json_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    found = json_of("score key.conllua system-A.conllua system-B.conllua", capsys)

    assert list(found) == ["anascore", "schema", "signature", "systems"]
    assert [system["name"] for system in found["systems"]] == ["system-A", "system-B"]
    layer = found["systems"][0]["layers"]["identity"]
    assert "documents" not in layer
    assert layer["scores"]["blanc"]["recall"] == 729819 / 1297664
    assert layer["split_only"]["muc"] == {
        "recall": 5 / 14,
        "precision": 1.0,
        "f1": 10 / 19,
    }


@pytest.mark.usefixtures("folder")
def test_undefined_is_null_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = json_of("score singletons.conllua singletons.conllua", capsys)

    muc = found["systems"][0]["layers"]["identity"]["scores"]["muc"]
    assert muc == {"recall": None, "precision": None, "f1": None}
    assert found["systems"][0]["warnings"] == [
        "CoNLL leaves out MUC, which is undefined",
        "BLANC leaves out coreference links, because neither side has any",
    ]


@pytest.mark.usefixtures("folder")
def test_csv_can_be_read_back_and_warnings_go_to_standard_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(shlex.split("score singletons.conllua repeated.conllua --output csv --metrics muc,b3"))

    output = capsys.readouterr()
    rows = list(csv.DictReader(io.StringIO(output.out)))
    assert [(row["metric"], row["recall"]) for row in rows] == [("muc", ""), ("b3", "1.0")]
    assert output.err == (
        "anascore: warning: repeated: response: mentions that are also in an earlier entity, "
        "counted only there: 1\n"
    )


@pytest.mark.usefixtures("folder")
def test_the_files_of_the_demo_can_be_scored(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--files", "new folder/example"]) == 0
    hint = capsys.readouterr().out.removeprefix("Now try: anascore ")

    assert main(shlex.split(hint)) == 0
    scores = capsys.readouterr().out
    assert all(f"\n{name} " in scores for name in ("key", "neural", "rules"))


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("terminal", "browser", "message"),
    [
        (True, True, f"{PAGE} is open in a browser.\n"),
        (True, False, f"Now open {PAGE} in a browser.\n"),
        (False, True, f"Now open {PAGE} in a browser.\n"),
    ],
)
def test_the_report_of_the_demo_is_opened_on_a_terminal(
    *,
    terminal: bool,
    browser: bool,
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[str] = []

    def open_page(address: str) -> bool:
        opened.append(address)
        return browser

    monkeypatch.setattr("webbrowser.open", open_page)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)

    assert main(["demo", "--report"]) == 0

    assert capsys.readouterr().out == message
    assert opened == ([Path(PAGE).resolve().as_uri()] if terminal else [])
    assert "story_lighthouse" in Path(PAGE).read_text(encoding="utf-8")


@pytest.mark.usefixtures("folder")
def test_copying_the_demo_overwrites_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    Path("there").mkdir()
    Path("there/rules.jsonl").write_text("mine")

    assert main(["demo", "--files", "there"]) == 2

    expected = "there/rules.jsonl: this file already exists; choose another folder"
    assert capsys.readouterr().err == f"anascore: error: {expected}\n"
    assert [path.name for path in Path("there").iterdir()] == ["rules.jsonl"]


@pytest.mark.usefixtures("folder")
def test_copying_the_demo_leaves_nothing_half_done(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill_disk(source: Path, target: Path) -> None:
        target.write_bytes(source.read_bytes()[:10])
        if target.name == "rules.conllu":
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("anascore.example.files.shutil.copyfile", fill_disk)

    assert main(["demo", "--files", "full"]) == 2

    assert capsys.readouterr().err == (
        "anascore: error: full: the example cannot be written to this folder: "
        "No space left on device\n"
    )
    assert list(Path("full").iterdir()) == []


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("score key.conllua", "the following arguments are required: RESPONSE"),
        ("score short.conll x --word-column 0", "must be a whole number, at least 1, not 0"),
        ("score short.conll x --word-column two", "--word-column: 'two' is not a whole number"),
        ("score key.conllua x --word-column 2", "--word-column is only for CoNLL-2012"),
        ("score key.conllua x --zeros maybe", "invalid choice: 'maybe'"),
        ("score key.conllua x --metrics muc,bleu", "no such metric: bleu; choose from muc, b3"),
        ("score key.conllua x --lea-importance 0", "must be a whole number, at least 1, not 0"),
        ("score key.conllua x --no-singletons", "(--no-singletons --no-split, in Python sing"),
        ("score key.conllua x --split-only --no-split", "--split-only contradicts --no-split"),
        ("score key.conllua x --split-only --metrics mentions", "shows none of these"),
        (
            "score key.conllua x --zeros drop --zero-match dependent",
            "when they are dropped; remove",
        ),
        ("score key.conllua x --split-only --by length", "--by reports scores that"),
        ("score key.conllua x --zeros drop --anaphors zero", "when they are dropped; remove"),
        ("score key.conllua x --anaphors", "expected one argument"),
        (
            "errors key.conllua x --type typo",
            "--type typo: no such type of error; choose from wrong",
        ),
        ("errors key.conllua x --examples -1", "--examples -1: give a number from 0 up, or all"),
        ("errors key.conllua system-A.conllua --doc x", "--doc x: the key has no such document; i"),
        ("errors key.conllua system-A.conllua --doc exampl", "(did you mean 'example'?); it has "),
        ("explain key.conllua system-A.conllua --entity K99", "--entity K99: no entity has this"),
        ("explain key.conllua x --metric conll", "--metric conll: only muc, b3, ceafe, ceafm, lea"),
        ("explain key.conllua x --task codicrac-dd", "explain works on the layer identity, but"),
        ("explain key.conllua x y", "explain takes one response, not 2; see anascore explain --h"),
        ("explain key.conllua x --document d", "--document d (did you mean '--doc'?); see"),
        ("explain key.conllua x --documents=d", "--documents=d (did you mean '--doc'?); see"),
        ("explain key.conllua x --layer bridging", "unrecognized arguments: --layer bridging"),
        ("score key.conllua x --fail-under conll", "--fail-under conll: give a score and its lowe"),
        ("score key.conllua x --fail-under conl=7", "conl: it is not reported (did you mean 'con"),
        (
            "score key.conllua x --metrics muc --fail-under conll=70",
            "--fail-under conll: it is not reported; choose from muc",
        ),
        ("score key.conllua x --fail-under conll=101", "conll=101: '101' is not a number from 0"),
        ("score key.conllua x --fail-under conll=-1", "conll=-1: '-1' is not a number from 0 to"),
        ("score key.conllua x --fail-under conll=nan", "'nan' is not a number from 0 to 100"),
        ("score key.conllua x --fail-under b3=10,bcub=20", "--fail-under: b3 is given twice"),
        (
            "score key.conllua x --fail-under muc=70,conll=0.7",
            '--fail-under conll=0.7 (in Python fail_under={"conll": 0.7}) is a limit of 0.7 per '
            "cent, since limits are percentages; did you mean conll=70?",
        ),
        ("score key.conllua x --fail-under conll=1", "did you mean conll=100?"),
        ("score key.conllua x --max-drop 1", "--max-drop needs --baseline; add --baseline FILE"),
        ("score key.conllua x --baseline b --max-drop x", "--max-drop: 'x' is not a number from"),
        ("score key.conllua x --baseline nowhere", "nowhere: no such file"),
        ("score key.conllua x --baseline key.conllua", "key.conllua:1: "),
        ("score key.conllua - --baseline -", "standard input (-) can be read only once; give"),
        ("score key.conllua x --score muc", "--score chooses the score of tables by class and"),
        (
            "score key.conllua x --metrics muc --by length --score leaa",
            "--score leaa: it is not reported; choose from muc, b3, mentions, anaphors",
        ),
        (
            "score key.conllua x --metrics muc --per-document --score anaphors",
            "--score anaphors: it is not reported; choose from muc",
        ),
        (
            "score key.conllua x --metrics muc --per-document --sort-by lea",
            "--sort-by lea: it is not reported; choose from muc",
        ),
        ("score key.conllua x --macro --split-only", "--macro reports scores that --split-"),
        ("score key.conllua x --paired bootstrap", "compares responses with the first one; give"),
        ("score key.conllua x --samples 10", "--samples needs --confidence or --paired; add"),
        (
            "score key.conllua x --confidence --samples 0",
            "error: --samples must be a whole number, at least",
        ),
        (
            "score key.conllua x --confidence --seed -1",
            "error: --seed must be a whole number, at least 0",
        ),
        (
            "score key.conllua x --confidence --split-only",
            "test scores that --split-only leaves out",
        ),
        ("score key.conllua x --anaphors pronouns", "--anaphors must be zero, pronoun, or NAME"),
        ("score key.conllua x --metrics anaphors", "needs a class of anaphors; name one"),
        ("score key.conllua x --layers bridging --anaphors pronoun", "--anaphors needs a layer"),
        (
            "score key.conllua x --layers identity,deixis",
            "no such layer: 'deixis'; choose from ide",
        ),
        ("score key.conllua x --layers identity,identity", "--layers has identity twice"),
        ("score key.conllua x --layer all", "invalid choice: 'all'"),
        ("score key.conllua x --layer bridging --layers all", "not allowed with argument"),
        ("score key.conllua x --metrics non-referring", "non-referring is a score of the layer"),
        ("score key.conllua x --task conll11", "'conll11' (did you mean 'conll12'?); choose from"),
        (
            "score key.conllua x --task crac23 --match exact",
            "match exact contradicts the task crac23, which sets match head; remove one of them",
        ),
        (
            "score key.conllua x --task codicrac-dd --layer identity",
            "layers identity contradicts the task codicrac-dd, which sets layers discourse-deixis",
        ),
        (
            "score key.conllua x --task conll12 --metrics muc,lea",
            "metrics lea contradict the task conll12, whose scores are muc,b3,ceafe,conll; choose",
        ),
        (
            "score key.conllua x --task codicrac-ar --no-split",
            "split no contradicts the task codicrac-ar, which sets split yes",
        ),
        ("score key.conllua x --task crac22 --split-only", "contradicts the task crac22, which"),
        (
            "score key.conllua x --split",
            "ts: --split (did you mean '--no-split'?); see anascore sc",
        ),
        ("score key.conllua x --metrcs=muc", "--metrcs=muc (did you mean '--metrics'?); see anasc"),
        ("stats x --colour", "unrecognized arguments: --colour; see anascore stats --help"),
        ("stats x 1 --colour", "unrecognized arguments: --colour; see anascore stats --help"),
        ("demo x", "unrecognized arguments: x; see anascore demo --help"),
        ("scor x", "COMMAND: invalid choice: 'scor' (did you mean 'score'?); choose from score, "),
        ("score key.conllua x --format corefd", "'corefd' (did you mean 'corefud'?); choose from"),
        ("score key.conllua x --match exat", "'exat' (did you mean 'exact'?); choose from exact, "),
        ("score key.conllua x --metrics blank", "blank (did you mean 'blanc'?); choose from muc, "),
        (
            "score key.conllua x --layers bridgin",
            "'bridgin' (did you mean 'bridging'?); choose from",
        ),
        (
            "score key.conllua x --by lenght",
            "by 'lenght' (did you mean 'length'?); choose from leng",
        ),
        (
            "errors key.conllua x --type missed-sets",
            "of error (did you mean 'missed-set'?); choose",
        ),
        ("score key.conllua a=x a=y", "two responses are named 'a'; give each a different name"),
        (
            "score key.conllua x=y x.conllua",
            "two responses are named 'x'; give each a different name",
        ),
        ("score key.conllua a= b", "'a=' lacks a path after the equals sign"),
        (
            "baseline k x -o - --method recent",
            "method must be random, recent-N with N of at least 2",
        ),
        ("baseline k x -o - --method recent-1", "or oracle, not 'recent-1'"),
        (
            "baseline k x -o - --method random --seed -1",
            "seed must be a whole number, at least 0",
        ),
        (
            "baseline k x -o - --method random --seed 1.5",
            "argument --seed: '1.5' is not a whole number",
        ),
        (
            "baseline k x -o - --method random --pronouns ''",
            "pronouns must be one or more words, none of them empty, not ['']",
        ),
        ("baseline k x -o -", "the following arguments are required: --method"),
        ("baseline k x --method single", "the following arguments are required: -o"),
        ("baseline - - -o - --method oracle", "standard input (-) can be read only once; give"),
        ("score key.conllua x --colour", "unrecognized arguments: --colour"),
        ("", "the following arguments are required: COMMAND"),
    ],
)
def test_bad_options(arguments: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """They are found before anything is read: there is no file x."""
    status = main(shlex.split(arguments))

    output = capsys.readouterr()
    assert (status, output.out) == (2, "")
    assert message in output.err
    assert output.err.count("\n") == 1


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([option])

    assert stop.value.code == 0
    assert "anascore" in capsys.readouterr().out


def run(command: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a shell command in which `anascore` is the command of this interpreter."""
    anascore = f"{shlex.quote(sys.executable)} -m anascore"
    return subprocess.run(
        ["bash", "-c", command.replace("anascore", anascore)],
        capture_output=True,
        check=False,
        env=os.environ | environment,
    )


@pytest.mark.usefixtures("folder")
def test_output_is_utf_8_whatever_the_locale() -> None:
    done = run("anascore demo", LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0")

    assert done.returncode == 0
    assert "B³" in done.stdout.decode("utf-8")


def test_output_can_go_to_any_stream() -> None:
    with contextlib.redirect_stdout(io.StringIO()) as stream:
        assert main(["demo"]) == 0

    assert "neural" in stream.getvalue()


@pytest.mark.usefixtures("folder")
def test_a_reader_that_goes_away_is_no_error() -> None:
    done = run("set -o pipefail; anascore score key.conllua system-{A,B,C,D}.conllua | true")

    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device /dev/full")
@pytest.mark.usefixtures("folder")
def test_a_full_disk_is_an_error() -> None:
    done = run("anascore demo > /dev/full")

    assert done.returncode == 2
    assert done.stderr == b"anascore: error: no output: No space left on device\n"


@pytest.mark.usefixtures("folder")
def test_names_of_files_can_be_anything() -> None:
    done = run(r"cp system-A.conllua $'\xff.conllua'; anascore score key.conllua $'\xff.conllua'")
    missing = run(r"anascore score key.conllua $'\xfe\n.conllua'")

    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"\udcff  65.15" in done.stdout
    assert missing.returncode == 2
    assert missing.stderr == rb"anascore: error: \udcfe\n.conllua: no such file" + b"\n"


@pytest.mark.usefixtures("folder")
def test_closed_streams_are_no_crash() -> None:
    without_output = run("anascore demo >&-")
    without_errors = run("anascore score nowhere nowhere 2>&-")

    assert without_output.returncode == 2
    assert without_output.stderr == b"anascore: error: no output: standard output is closed\n"
    assert (without_errors.returncode, without_errors.stdout) == (2, b"")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("name", "message"),
    [("", "'': a folder must have a name"), ("x" * 300, "the example cannot be written")],
)
def test_the_demo_cannot_be_copied_anywhere(
    name: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "--files", name]) == 2
    assert message in capsys.readouterr().err


def test_an_interrupt_leaves_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("anascore.formats.reading.read_corpus", interrupt)

    assert main(["score", "key", "response"]) == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("collecting", [True, False])
def test_garbage_is_collected_as_before_when_a_command_is_done(*, collecting: bool) -> None:
    (gc.enable if collecting else gc.disable)()

    main(["demo"])

    assert gc.isenabled() is collecting
    gc.enable()


def test_no_garbage_is_collected_while_a_command_works(monkeypatch: pytest.MonkeyPatch) -> None:
    collecting = []

    def run(*_: object) -> CommandResult:
        collecting.append(gc.isenabled())
        return CommandResult("")

    monkeypatch.setattr("anascore.cli.demo.run_demo", run)

    assert main(["demo"]) == 0
    assert collecting == [False]
    assert gc.isenabled()
