"""Faults of the system: one message and a status, no traceback, no file left behind."""

import errno
import gzip
import json
import os
import re
import resource
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import anascore
from anascore import WriteError
from anascore.analysis.explain import Direction
from anascore.cli.main import main
from anascore.errors import AnascoreError, SettingsError
from anascore.example import copy_example
from anascore.formats.files import write_file, write_folder
from anascore.model.document import Corpus, Document, Entity
from anascore.model.mention import Mention
from anascore.model.ratio import Number, Ratio
from anascore.output.grid import fraction
from anascore.parallel import TerminationSignal, for_each, raise_on_termination
from support.paper import KEY, SYSTEMS

RESPONSE = "system.conllua"
LONG = "x" * 300
SINGLE = '{"doc_key": "example", "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]]}\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with a link to itself."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "key.conllua").write_bytes(KEY.read_bytes())
    (tmp_path / RESPONSE).write_bytes(SYSTEMS[0].read_bytes())
    (tmp_path / "single.jsonl").write_text(SINGLE)
    return tmp_path


def run(command: str, **environment: str) -> tuple[int, bytes, bytes]:
    """Run a command in bash; return its status, output and messages."""
    python = f"{sys.executable} -m anascore"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command.replace('anascore', python)}"],
        capture_output=True,
        check=False,
        timeout=60,
        stdin=subprocess.DEVNULL,
        env=os.environ | environment,
    )
    return done.returncode, done.stdout, done.stderr


def left_behind(folder: Path) -> list[str]:
    """Return the temporary files in a folder."""
    return [path.name for path in folder.rglob(".anascore-*")]


# Arguments before the output, the output, and the message.
OUTPUTS = {
    "a long name": (["convert", "key.conllua"], f"{LONG}.conll", "file", "File name too long"),
    "a long folder": (["convert", "key.conllua"], f"{LONG}/a.conll", "file", "File name too long"),
    "a long report": (
        ["report", "key.conllua", RESPONSE, "-o"],
        f"{LONG}.html",
        "file",
        "File name too long",
    ),
    "a long name for a folder": (
        ["convert", "key.conllua", "--to", "rucoco"],
        LONG,
        "folder",
        "File name too long",
    ),
    "a loop": (
        ["convert", "key.conllua"],
        "loop",
        "file",
        "Too many levels of symbolic links",
    ),
    "below a loop": (
        ["convert", "key.conllua"],
        "loop/a.conll",
        "file",
        "Too many levels of symbolic links",
    ),
    "a report in a loop": (
        ["report", "key.conllua", RESPONSE, "-o"],
        "loop",
        "file",
        "Too many levels of symbolic links",
    ),
    "a baseline in a loop": (
        ["baseline", "key.conllua", "single.jsonl", "--method", "single", "-o"],
        "loop/a.conllua",
        "file",
        "Too many levels of symbolic links",
    ),
    "a NUL": (["convert", "key.conllua"], "a\0.conll", "file", "embedded null byte"),
    "a NUL for a folder": (
        ["convert", "key.conllua", "--to", "rucoco"],
        "a\0",
        "folder",
        "embedded null byte",
    ),
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_an_output_that_cannot_be_written(
    folder: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, target, kind, reason = OUTPUTS[name]
    if target == "loop":
        arguments = [arguments[0], *arguments[1:]]
        arguments += ["--to", "conll2012"] if arguments[0] == "convert" else []
    before = sorted(folder.rglob("*"))

    assert main([*arguments, target]) == 2

    shown = target.replace("\0", "\\x00")
    expected = f"anascore: error: {shown}: the {kind} cannot be written: {reason}\n"
    assert capsys.readouterr() == ("", expected)
    assert sorted(folder.rglob("*")) == before


def test_a_folder_that_is_a_loop(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "key.conllua", "loop", "--to", "rucoco"]) == 2
    assert (
        capsys.readouterr().err
        == "anascore: error: loop: this already exists; choose a new folder\n"
    )


@pytest.mark.parametrize("command", ["score", "explain", "errors", "stats", "convert"])
def test_an_input_that_is_a_loop(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = {"stats": ["loop"], "convert": ["loop", "a.conll"]}.get(command, ["loop", RESPONSE])

    assert main([command, *arguments]) == 2

    message = "loop: the file cannot be read: Too many levels of symbolic links"
    assert capsys.readouterr().err == f"anascore: error: {message}\n"


def deny(*_: object, **__: object) -> None:
    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), "inner")


@pytest.mark.parametrize(
    ("write", "kind"),
    [
        (lambda: write_file("f", "b"), "file"),
        (lambda: write_folder("f", {"a": "b"}), "folder"),
    ],
)
def test_an_output_below_an_inaccessible_folder(
    write: Callable[[], None], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("stat", "mkdir", "open"):
        monkeypatch.setattr(os, name, deny)

    with pytest.raises(WriteError, match=f"the {kind} cannot be written: Permission denied"):
        write()


def test_any_fault_of_the_system_is_a_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("anascore.formats.reading.read_corpus", deny)
    assert main(["score", "key.conllua", RESPONSE]) == 2
    assert capsys.readouterr().err == "anascore: error: inner: Permission denied\n"

    def fail(*_: object, **__: object) -> None:
        raise OSError("broken")

    monkeypatch.setattr("anascore.formats.reading.read_corpus", fail)
    assert main(["score", "key.conllua", RESPONSE]) == 2
    assert capsys.readouterr().err == "anascore: error: broken\n"


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (MemoryError, "not enough memory; use smaller files, or fewer --jobs"),
        (RecursionError, "the input is nested too deeply"),
    ],
)
def test_errors_of_python(
    error: type[Exception],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("anascore.formats.reading.read_corpus", fail)

    assert main(["score", "key.conllua", RESPONSE]) == 2
    assert capsys.readouterr() == ("", f"anascore: error: {message}\n")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_limit_on_memory(folder: Path, jobs: str) -> None:
    for name in "ab":
        (folder / name).write_text('{"tokens": ["a"], "x": [' + "[1]," * 2_000_000 + "1]}")

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (200_000_000, 200_000_000))

    command = ["score", "a", "a", "b", "--jobs", jobs, "--format", "jsonl"]
    done = subprocess.run(
        [sys.executable, "-m", "anascore", *command],
        capture_output=True,
        check=False,
        preexec_fn=limit,
    )

    assert (done.returncode, done.stdout) == (2, b"")
    message = "not enough memory to read this; use a smaller file, or fewer --jobs"
    assert done.stderr.decode() == f"anascore: error: a: {message}\n"


@pytest.mark.parametrize("format_name", ["conll2012", "jsonl"])
def test_a_limit_on_memory_in_python(folder: Path, format_name: str) -> None:
    """A file that is small while it is compressed, and one that takes memory as it is read."""
    bomb = gzip.compress(b"a\n" * 150_000_000, 1)
    nested = gzip.compress(b'{"tokens": ["a"], "x": [' + b"[1]," * 4_000_000 + b"1]}", 1)
    (folder / "a.gz").write_bytes(bomb if format_name == "conll2012" else nested)
    code = (
        "import anascore\n"
        f"try:\n    anascore.read('a.gz', '{format_name}')\n"
        "except anascore.ReadError as error:\n    print(error)\n"
    )

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (200_000_000, 200_000_000))

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=False, preexec_fn=limit
    )

    message = "not enough memory to read this; use a smaller file, or fewer --jobs"
    assert (done.stdout.decode(), done.stderr) == (f"a.gz: {message}\n", b"")


# Devices

ENDLESS = b"this is a device, which may have no end; give a file, a folder, a pipe or -"


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/full", "/dev/urandom"])
@pytest.mark.parametrize("command", ["score {} {}", "validate {}", "stats {}", "validate - < {}"])
def test_devices_without_end_are_refused(device: str, command: str) -> None:
    status, output, message = run(f"anascore {command.format(device, device)}")

    name = b"standard input" if "<" in command else device.encode()
    assert name + b": " in output + message
    assert ENDLESS in output + message
    assert status == (1 if command.startswith("validate") else 2)


@pytest.mark.parametrize(
    "command",
    [
        "stats /dev/stdin < key.conllua",
        "cat key.conllua | anascore stats /dev/stdin",
        "anascore stats /dev/fd/3 3< key.conllua",
        "mkfifo pipe; cat key.conllua > pipe & anascore stats pipe",
    ],
)
def test_open_files_and_pipes_are_read(command: str) -> None:
    status, output, _ = run(command if "anascore" in command else f"anascore {command}")

    assert status == 0
    assert b"documents" in output


def test_the_device_without_content_is_an_empty_file() -> None:
    status, _, message = run("anascore stats /dev/null")

    assert (status, message) == (2, b"anascore: error: /dev/null: the file is empty\n")


# Output

CONVERT = "anascore convert key.conllua {} --to jsonl 2>/dev/null"
REPORT = f"anascore report key.conllua {RESPONSE} -o {{}}"
BASELINE = "anascore baseline key single.jsonl --method single --to jsonl -o {} 2>/dev/null"
COMMANDS = {"convert": CONVERT, "report": REPORT, "baseline": BASELINE}


def expected(name: str) -> bytes:
    """Return the output of a command, written to a file."""
    assert run(COMMANDS[name].format("expected"))[0] == 0
    return Path("expected").read_bytes()


def without_command(output: bytes) -> bytes:
    """Remove the name of the output from a report, which has its command in it."""
    return re.sub(rb"(?<=-o )[^<\n]*", b"", output)


SUBSTITUTION = "{>(cat > f; touch end)} > g; until [ -e end ]; do sleep 0.1; done; cat f g"


@pytest.mark.parametrize(
    ("name", "shell"),
    [
        *((name, "{/dev/stdout} | cat") for name in COMMANDS),
        *((name, SUBSTITUTION) for name in COMMANDS),
        ("report", "{/dev/stdout} > f; cat f"),
        ("convert", "{/dev/fd/1} | cat"),
        ("convert", "{/proc/self/fd/1} > f; cat f"),
        ("convert", "{/dev/fd/3} 3> f; cat f"),
        ("convert", "{/dev/fd/3} 3>&1 >/dev/null | cat"),
    ],
)
def test_streams_are_written_to(name: str, shell: str, folder: Path) -> None:
    start = shell.index("{")
    end = shell.index("}", start)
    command = COMMANDS[name].format(shell[start + 1 : end])
    if name == "report":
        command += " 2>/dev/null"

    status, output, _ = run(shell[:start] + command + shell[end + 1 :])

    assert status == 0
    assert without_command(output) == without_command(expected(name))
    assert not left_behind(folder)


def test_what_stands_in_a_file_stays_when_output_is_appended() -> None:
    status, output, _ = run(f"echo old > f; {CONVERT.format('/dev/stdout')} >> f; cat f")

    assert (status, output) == (0, b"old\n" + expected("convert"))


def test_a_closed_descriptor_is_an_error() -> None:
    status, _, message = run(REPORT.format("/dev/fd/9"))

    text = b"anascore: error: /dev/fd/9: the file cannot be written: Bad file descriptor\n"
    assert (status, message) == (2, text)


def test_standard_error_can_be_the_output() -> None:
    status, output, message = run(REPORT.format("/dev/stderr"))

    assert (status, output) == (0, b"")
    assert message.startswith(b"<!DOCTYPE html>")


def test_a_format_of_one_document_per_file_goes_to_a_stream() -> None:
    command = "anascore convert key.conllua /dev/stdout --to rucoco 2>/dev/null"
    in_place = "anascore convert key.conllua - --to rucoco 2>/dev/null"

    assert run(f"{command} | cat") == run(in_place)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_reader_that_goes_away_is_no_error(name: str) -> None:
    status, _, message = run(f"{COMMANDS[name].format('/dev/stdout')} | true")

    assert (status, message) == (0, b"")


def test_a_full_disk() -> None:
    status, _, message = run(REPORT.format("/dev/full"))

    text = b"anascore: error: /dev/full: the file cannot be written: No space left on device\n"
    assert (status, message) == (2, text)


@pytest.mark.parametrize("command", ["--help", "--version", "score --help"])
def test_help_on_a_full_disk_or_to_nobody(command: str) -> None:
    full = run(f"anascore {command} > /dev/full")
    nobody = run(f"anascore {command} | true")
    closed = run(f"anascore {command} >&-")

    assert full == (2, b"", b"anascore: error: no output: No space left on device\n")
    assert nobody == (0, b"", b"")
    assert (closed[0], closed[1]) == (2, b"")
    assert closed[2].endswith(b"anascore: error: no output: standard output is closed\n")


@pytest.mark.parametrize("stream", ["2>/dev/full", "2>&-", "2>&1 >/dev/null | true"])
def test_messages_that_cannot_be_written(stream: str) -> None:
    assert run(f"anascore score nowhere nowhere {stream}") == (2, b"", b"")


@pytest.mark.parametrize(
    ("stream", "reason"),
    [
        ("0> f", "cannot be read: Bad file descriptor"),
        ("<&-", "is closed; give a file name instead of -"),
    ],
)
def test_standard_input_that_cannot_be_read(stream: str, reason: str) -> None:
    status, output, message = run(f"anascore score - key.conllua {stream}")

    assert (status, output) == (2, b"")
    assert message.decode() == f"anascore: error: standard input: it {reason}\n"


# Signals

STOPPING = """
import os, pathlib, signal, sys
from anascore.cli.main import main
number = getattr(signal, sys.argv.pop(1))
signal.signal(number, getattr(signal, sys.argv.pop(1)))
chmod = pathlib.Path.chmod
def stop(path, *rest):
    # The temporary file is there, and has not been moved yet.
    assert path.name.startswith(".anascore-") and path.exists()
    os.kill(os.getpid(), number)
    chmod(path, *rest)
pathlib.Path.chmod = stop
sys.exit(main())
"""

WRITING = {
    "a file": ["convert", "key.conllua", "out.conll"],
    "a folder": ["convert", "key.conllua", "out", "--to", "rucoco"],
    "a report": ["report", "key.conllua", RESPONSE, "-o", "out.html"],
    "a result": ["score", "key.conllua", RESPONSE, "-o", "out.txt"],
}


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("kind", WRITING)
def test_a_signal_leaves_no_file_behind(folder: Path, kind: str, name: str) -> None:
    before = sorted(folder.rglob("*"))
    command = [sys.executable, "-c", STOPPING, name, "SIG_DFL", *WRITING[kind]]

    done = subprocess.run(command, capture_output=True, check=False)

    assert (done.returncode, done.stdout, done.stderr) == (128 + signal.Signals[name], b"", b"")
    assert sorted(folder.rglob("*")) == before


def test_a_signal_that_is_ignored(folder: Path) -> None:
    command = [sys.executable, "-c", STOPPING, "SIGHUP", "SIG_IGN", *WRITING["a file"]]

    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    assert (folder / "out.conll").exists()
    assert not left_behind(folder)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_while_nobody_reads_the_output(number: signal.Signals) -> None:
    """The output is larger than a pipe, so that the process waits for a reader."""
    code = """
import signal, sys
from anascore.cli.main import CommandResult, main
import anascore.cli.demo
signal.signal(signal.SIGINT, signal.default_int_handler)
for number in signal.SIGTERM, signal.SIGHUP:
    signal.signal(number, signal.SIG_DFL)
anascore.cli.demo.run_demo = lambda _: CommandResult("x" * 10_000_000)
sys.exit(main(["demo"]))
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=-1, stderr=-1) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(1)
        process.send_signal(number)
        assert process.wait(60) == 128 + number
        assert process.stderr.read() == b""


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="there is no /proc")
@pytest.mark.parametrize("to_all", [True, False])
def test_a_signal_ends_all_processes(folder: Path, *, to_all: bool) -> None:
    for name in "ab":
        os.mkfifo(folder / name)
    command = [sys.executable, "-m", "anascore", "score", "key.conllua", "a", "b", "--jobs", "2"]
    with subprocess.Popen(command, stdout=-1, stderr=-1, start_new_session=True) as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while len(workers := children.read_text().split()) < 2:
            assert process.poll() is None
            time.sleep(0.01)
        time.sleep(0.3)
        (os.killpg if to_all else os.kill)(process.pid, signal.SIGTERM)
        out, err = process.communicate(timeout=60)

    assert (process.returncode, out, err) == (143, b"", b"")
    assert not [worker for worker in workers if Path(f"/proc/{worker}").exists()]


def test_handlers_are_restored() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(TerminationSignal), raise_on_termination():
        signal.raise_signal(signal.SIGTERM)

    assert signal.getsignal(signal.SIGTERM) is before


def test_other_threads_cannot_handle_signals() -> None:
    results: list[int] = []
    thread = threading.Thread(target=lambda: results.append(main(["tasks"])))
    thread.start()
    thread.join()

    assert results == [0]


def test_an_interrupted_copy_of_the_example_is_removed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: Path, target: Path) -> None:
        target.write_text("half")
        raise KeyboardInterrupt

    monkeypatch.setattr("shutil.copyfile", interrupt)

    with pytest.raises(KeyboardInterrupt):
        copy_example("copy")
    assert list((folder / "copy").iterdir()) == []


def test_the_example_goes_to_no_folder_with_a_nul(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--files", "a\0b"]) == 2
    message = "a\\x00b: the example cannot be written to this folder: embedded null byte"
    assert capsys.readouterr().err == f"anascore: error: {message}\n"


def test_a_temporary_file_is_private(monkeypatch: pytest.MonkeyPatch) -> None:
    modes = []
    chmod = Path.chmod

    def record(path: Path, mode: int) -> None:
        modes.append(stat.S_IMODE(path.stat().st_mode))
        chmod(path, mode)

    monkeypatch.setattr(Path, "chmod", record)
    write_file("f", "x")

    assert modes == [0o600]


# Processes


def test_too_many_processes_for_the_limit_on_open_files(folder: Path) -> None:
    names = [f"{number}.conllua" for number in range(40)]
    for name in names:
        (folder / name).write_bytes(SYSTEMS[0].read_bytes())

    status, output, message = run(
        f"ulimit -n 40; anascore score key.conllua {' '.join(names)} --jobs 40",
    )

    text = "40 processes cannot be started: Too many open files; use fewer --jobs"
    assert (status, output, message.decode()) == (2, b"", f"anascore: error: {text}\n")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (BlockingIOError(errno.EAGAIN, "Resource unavailable"), "Resource unavailable"),
        (RuntimeError("can't start new thread"), "can't start new thread"),
    ],
)
def test_a_limit_on_processes(
    error: Exception, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", fail)

    with pytest.raises(AnascoreError) as caught:
        list(for_each(str, [1, 2], 2))
    assert str(caught.value) == f"2 processes cannot be started: {reason}; use fewer --jobs"


# Names that are not UTF-8

RUCOCO = '{"text": "a b", "entities": [[[0, 1], [2, 3]]], "includes": [[]]}'
NAME = os.fsdecode(b"r\xff.json")


@pytest.fixture
def strange(folder: Path) -> str:
    """Return a file whose name, which is the name of its document, is not UTF-8."""
    (folder / NAME).write_text(RUCOCO)
    return NAME


@pytest.mark.parametrize("target", ["ua", "jsonl", "conll2012", "friends", "corefud", "llm-json"])
def test_a_name_that_is_not_utf_8_is_converted(
    folder: Path, strange: str, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["convert", strange, "out", "--to", target]) == 0
    assert main(["convert", strange, "-", "--to", target]) == 0

    assert capsys.readouterr().out.encode() == (folder / "out").read_bytes()
    assert next(iter(anascore.read("out").documents)) == r"r\udcff"


def test_a_name_that_is_not_utf_8_is_a_name_of_a_file(folder: Path, strange: str) -> None:
    assert main(["convert", strange, "out", "--to", "rucoco"]) == 0
    assert [path.name for path in (folder / "out").iterdir()] == [r"r\udcff.json"]


@pytest.mark.parametrize(
    "command",
    [
        *(
            f"score FILE FILE --per-document --output {o}"
            for o in ("table", "json", "csv", "latex")
        ),
        *(f"stats FILE --per-document --output {output}" for output in ("table", "json", "csv")),
        *(f"explain FILE FILE --output {output}" for output in ("table", "json")),
        "validate FILE --output json",
        "errors FILE FILE --output json",
        "report FILE FILE -o /dev/stdout",
    ],
)
@pytest.mark.usefixtures("strange")
def test_a_name_that_is_not_utf_8_is_shown(command: str) -> None:
    status, output, message = run(f"anascore {command}".replace("FILE", r"$'r\xff.json'"))

    assert status == 0
    assert "udcff" in output.decode()
    assert b"Traceback" not in message


def test_texts_from_python_that_are_not_unicode() -> None:
    corpus = Corpus({"d": Document("d", ["\ud800"], [])})

    with pytest.raises(WriteError, match=r"out.jsonl: the file cannot be written: a text or name "):
        anascore.write(corpus, "out.jsonl")
    with pytest.raises(WriteError, match=r"out: the folder cannot be written: a text or name with"):
        anascore.write(corpus, "out", "rucoco")
    assert not left_behind(Path())


# Numbers of very many digits

DIGITS = "9" * 5000


@pytest.mark.parametrize(
    "command",
    [
        "score key.conllua system.conllua --jobs",
        "score key.conllua system.conllua --confidence --samples",
        "score key.conllua system.conllua --confidence --seed",
        "score key.conllua system.conllua --lea-importance",
        "score key.conllua system.conllua --word-column",
        "report key.conllua system.conllua -o out.html --samples",
        "report key.conllua system.conllua -o out.html --seed",
        "baseline key.conllua single.jsonl -o out.jsonl --method random --seed",
    ],
)
def test_an_option_of_very_many_digits(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = command.split()

    assert main([*words, DIGITS]) == 2

    message = f"argument {words[-1]}: a number of 5000 digits is too large; see anascore {words[0]}"
    assert capsys.readouterr().err == f"anascore: error: {message} --help\n"


@pytest.mark.parametrize("value", ["1_0", "٣", "", "1.5", "x" * 5000])
def test_an_option_that_is_no_number(value: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "key.conllua", RESPONSE, "--jobs", value]) == 2

    message = f"argument --jobs: {value[:40]!r} is not a whole number; see anascore score --help"
    assert capsys.readouterr().err == f"anascore: error: {message}\n"


def test_other_options_of_very_many_digits(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["errors", "key.conllua", RESPONSE, "--examples", DIGITS]) == 2
    message = f"--examples {'9' * 40}: give a number from 0 up, or all"
    assert capsys.readouterr().err == f"anascore: error: {message}\n"

    for documents in (DIGITS, f"worst:{DIGITS}"):
        command = ["report", "key.conllua", RESPONSE, "-o", "out.html", "--documents", documents]
        assert main(command) == 0


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (10**9 + 1, "at most 1000000000, not 1000000001"),
        (10**5000, "at most 1000000000, not <16610-bit number>"),
        (-(10**5000), "at least 1, not <16610-bit number>"),
        ("9", "at least 1, not '9'"),
    ],
    ids=["above", "far above", "far below", "text"],
)
def test_settings_of_python(value: int, message: str) -> None:
    expected = re.escape(f"must be a whole number, {message}")
    with pytest.raises(SettingsError, match=expected):
        anascore.score(KEY, SYSTEMS[0], lea_importance=value)
    with pytest.raises(SettingsError, match=expected):
        anascore.read(KEY, jobs=value)
    with pytest.raises(SettingsError, match=expected):
        anascore.read(KEY, word_column=value)
    with pytest.raises(SettingsError, match=expected):
        anascore.compare(KEY, {"a": SYSTEMS[0], "b": SYSTEMS[1]}, samples=value)


def test_a_message_about_a_long_value_is_cut() -> None:
    with pytest.raises(SettingsError) as error:
        anascore.read(KEY, word_column="x" * 5000)  # type: ignore[arg-type]
    assert len(str(error.value)) < 500


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (7, "7"),
        (Fraction(1, 3), "1/3"),
        (Fraction(1, 10**639), f"1/1{'0' * 639}"),
        (Fraction(10**5000 + 1, 3 * 10**5000), "≈0.333333333333"),
        (Fraction(-(10**5000) - 1, 3 * 10**4999), "≈-3.33333333333"),
    ],
    ids=["whole", "third", "long", "longer", "negative"],
)
def test_fractions_of_very_many_digits_are_rounded(number: Number, text: str) -> None:
    assert fraction(number) == text


def test_an_explanation_with_fractions_of_very_many_digits() -> None:
    explained = anascore.explain(KEY, SYSTEMS[0], metrics="b3")
    (document,) = explained.documents
    (metric,) = document.metrics
    (row,) = metric.rows
    share = row.recall.shares[0]._replace(part=Fraction(1, 10**5000 - 1))
    ratio = Ratio(Fraction(10**5000 + 1, 3 * 10**5000), 1)
    row = row._replace(recall=Direction((share,), ratio))
    document = replace(document, metrics=(replace(metric, rows=(row,)),))
    explained = replace(explained, documents=[document])

    text = explained.table()
    content = json.loads(explained.to_json())

    assert "B³  0.33 of 1 = 33.33%" in text
    (document,) = content["systems"][0]["documents"].values()
    recall = document["metrics"]["b3"]["rows"][0]["recall"]
    assert (recall["value"], recall["shares"][0]["part"]) == ("≈0.333333333333", "≈0")


# A minimum span behind the text, which only Python can make

BEHIND = Document("d", ["the", "man"], [Entity([Mention(((0, 2),), minimum=((8, 9),))])])


def test_a_minimum_span_behind_the_text_is_left_out() -> None:
    corpus = Corpus({"d": BEHIND})

    lost = anascore.write(corpus, "out.json", "rucoco")

    assert lost["minimum spans behind the text"] == 1
    assert json.loads(Path("out.json").read_text())["entities"] == [[[0, 7]]]


def test_a_minimum_span_behind_the_text_is_not_aligned_with_characters() -> None:
    key = Corpus({"d": Document("d", "the man", [Entity([Mention(((0, 7),))])])})

    result = anascore.score(key, Corpus({"d": BEHIND}))

    assert result.scores["b3"].f1 == 1
