"""--jobs: the same as one process, byte for byte; errors as usual; nothing left after Ctrl-C."""

import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pytest

import anascore
from anascore.cli.main import main
from anascore.comparison import Key, count
from anascore.entities.normalisation import AllMentions
from anascore.errors import AnascoreError, ReadError, SettingsError, WriteError
from anascore.layers.document import pair_of
from anascore.layers.registry import LAYERS
from anascore.metrics.metric import count_metric
from anascore.metrics.scores import METRICS
from anascore.parallel import _in_processes, for_each, number_of_jobs
from anascore.settings import Settings
from anascore.tasks import build_request
from support.paper import KEY, SYSTEMS
from support.samples import SAMPLES

T = TypeVar("T")

RESPONSES = [str(path) for path in SYSTEMS]


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["score", *arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.mark.parametrize("jobs", ["2", "3", "9", "auto"])
@pytest.mark.parametrize("form", ["table", "json", "csv"])
def test_several_responses(capsys: pytest.CaptureFixture[str], jobs: str, form: str) -> None:
    arguments = [str(KEY), *RESPONSES, "--per-document", "--output", form]

    assert output(capsys, *arguments, "--jobs", jobs) == output(capsys, *arguments)


def folder(at: Path, path: Path, number: int) -> str:
    """Write a document so many times, each time under another name and into another file."""
    at.mkdir()
    text = path.read_text(encoding="utf-8")
    name = next(line for line in text.splitlines() if "newdoc" in line)
    for copy in range(number):
        (at / f"{copy}.conllua").write_text(
            text.replace(name, f"# newdoc id = {copy}"), encoding="utf-8"
        )
    return str(at)


def test_many_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    arguments = [
        folder(tmp_path / "key", KEY, 5),
        folder(tmp_path / "response", SYSTEMS[0], 5),
        "--per-document",
    ]

    assert output(capsys, *arguments, "--jobs", "2") == output(capsys, *arguments)
    assert anascore.read(arguments[0], jobs=3) == anascore.read(arguments[0])


def test_the_first_error_in_order_is_reported(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    wrong = [tmp_path / "first.conllua", tmp_path / "second.conllua"]
    for path in wrong:
        shutil.copy(KEY, path)
        with path.open("a", encoding="utf-8") as file:
            file.write("x" + "\ty" * 14 + "\n")
    arguments = [str(KEY), RESPONSES[0], *map(str, wrong)]

    status, out, err = output(capsys, *arguments, "--jobs", "3")

    assert (status, out) == (2, "")
    lines = len(KEY.read_text(encoding="utf-8").splitlines())
    assert err.startswith(f"anascore: error: {wrong[0]}:{lines + 1}: 'x' is not an ID")
    assert (status, out, err) == output(capsys, *arguments)


def test_standard_input_is_read_by_the_first_process() -> None:
    command = [sys.executable, "-m", "anascore", "score", str(KEY), RESPONSES[1], "-"]
    text = SYSTEMS[0].read_bytes()

    shown = [
        subprocess.run([*command, "--jobs", jobs], input=text, capture_output=True, check=True)
        for jobs in ("1", "2")
    ]

    assert shown[0].stdout == shown[1].stdout


@pytest.mark.parametrize("jobs", ["0", "-1"])
def test_less_than_one_process(capsys: pytest.CaptureFixture[str], jobs: str) -> None:
    message = f"anascore: error: --jobs must be a whole number, at least 1, not {jobs}\n"

    assert output(capsys, str(KEY), RESPONSES[0], f"--jobs={jobs}") == (2, "", message)
    with pytest.raises(SettingsError, match="must be a whole number, at least 1"):
        anascore.read(KEY, jobs=int(jobs))


@pytest.mark.parametrize("error", [ReadError("a", 3, "b"), ReadError("a", None, "b")])
def test_errors_travel_between_processes(error: ReadError) -> None:
    again = pickle.loads(pickle.dumps(error))

    assert (str(again), again.path, again.line, again.what) == (
        str(error),
        error.path,
        error.line,
        error.what,
    )
    assert str(pickle.loads(pickle.dumps(WriteError("a", "b")))) == "a: b"


def test_results_are_in_order() -> None:
    assert list(for_each(lambda n: n * n, range(10), 4)) == [n * n for n in range(10)]


def test_a_process_that_is_ended_from_outside() -> None:
    def work(item: int) -> int:
        if item:
            os.kill(os.getpid(), signal.SIGKILL)
        return item

    with pytest.raises(AnascoreError, match="a worker process ended unexpectedly"):
        list(for_each(work, range(2), 2))


def test_an_error_in_a_process_is_raised_in_its_place() -> None:
    results = for_each(lambda n: 6 // n, [3, 0, 2], 2)

    assert next(results) == 2
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_without_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fork")

    assert set(for_each(lambda _: os.getpid(), [1, 2], 2)) == {os.getpid()}


def children_of(process: int) -> list[str]:
    tasks = Path(f"/proc/{process}/task/{process}/children")
    return tasks.read_text(encoding="utf-8").split()


needs_proc = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="there is no /proc")

CODE = """
import signal, sys
from anascore.cli.main import main
# Whoever runs the tests in the background may have Ctrl-C ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(main())
"""


@contextmanager
def waiting(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], list[str]]]:
    """Score two responses in two processes, which wait for somebody to write these responses."""
    for name in ("a", "b"):
        os.mkfifo(folder / name)
    command = [sys.executable, "-c", CODE, "score", str(KEY), "a", "b", "--jobs", "2"]
    process = subprocess.Popen(command, cwd=folder, stdout=-1, stderr=-1, start_new_session=True)
    try:
        while len(children := children_of(process.pid)) < 2:
            assert process.poll() is None, process.communicate()
            time.sleep(0.01)
        yield process, children
    finally:
        process.kill()
        process.communicate()


def still_there(children: list[str]) -> list[str]:
    return [child for child in children if Path(f"/proc/{child}").exists()]


@needs_proc
@pytest.mark.parametrize("to_all", [True, False])
def test_ctrl_c(tmp_path: Path, *, to_all: bool) -> None:
    with waiting(tmp_path) as (process, children):
        (os.killpg if to_all else os.kill)(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)

    assert (process.returncode, out, err) == (130, b"", b"")
    assert not still_there(children)


LARGE_RESULTS = """
import time
from anascore.parallel import for_each
for result in for_each(lambda n: bytes(1_000_000), range(20), 2):
    print("begun", flush=True)
    time.sleep(600)
"""


@needs_proc
def test_processes_do_not_outlive_the_first() -> None:
    """Their results are larger than a pipe, so that they may wait for a reader that is gone."""
    with subprocess.Popen([sys.executable, "-c", LARGE_RESULTS], stdout=-1) as process:
        assert process.stdout is not None
        process.stdout.readline()
        children = children_of(process.pid)
        process.kill()
    end = time.monotonic() + 60
    while still_there(children) and time.monotonic() < end:
        time.sleep(0.01)

    assert len(children) == 2
    assert not still_there(children)


def copied(value: T) -> T:
    """Send a value to another process and back."""
    copy: T = pickle.loads(pickle.dumps(value))
    return copy


@pytest.fixture
def corpora(tmp_path: Path) -> tuple[anascore.Corpus, anascore.Corpus]:
    """A key and a response with all layers, zeros and accommodated sets."""
    key, response = (tmp_path / name for name in ("key", "response"))
    for folder, sample, path in ((key, "layers-key", KEY), (response, "layers", SYSTEMS[0])):
        folder.mkdir()
        (folder / "layers.conllua").write_text(SAMPLES[f"{sample}.conllua"])
        shutil.copy(path, folder / "sets.conllua")
    return anascore.read(key), anascore.read(response)


def test_corpora_and_requests_can_be_sent_to_other_processes(
    corpora: tuple[anascore.Corpus, anascore.Corpus],
) -> None:
    everything = build_request(layers="all", by="all")

    prepared = copied(Key.of(corpora[0], everything))
    result = count(prepared.compare("response", copied(corpora[1])))

    assert copied(corpora) == corpora
    assert copied(everything.settings) == everything.settings
    expected = anascore.score(*corpora, layers="all", by="all")
    assert {n: layer.scores for n, layer in result.layers.items()} == {
        n: layer.scores for n, layer in expected.layers.items()
    }


def test_results_can_be_sent_to_other_processes(
    corpora: tuple[anascore.Corpus, anascore.Corpus],
) -> None:
    result = anascore.score(*corpora, layers="all", by="all")

    assert str(copied(result)) == str(result)
    assert copied(result).to_dict() == result.to_dict()


def test_comparisons_can_be_sent_to_other_processes(
    corpora: tuple[anascore.Corpus, anascore.Corpus],
) -> None:
    for key, response in zip(*(corpus.documents.values() for corpus in corpora), strict=True):
        comparison = pair_of(key, response, Settings()).identity

        copy = copied(comparison)

        assert copy == comparison
        for metric in METRICS.values():
            scores = count_metric(metric, copy.overlaps, Settings()).scores
            assert scores == count_metric(metric, comparison.overlaps, Settings()).scores


@pytest.mark.parametrize("response", [True, False])
def test_pairs_can_be_sent_to_other_processes(
    corpora: tuple[anascore.Corpus, anascore.Corpus], *, response: bool
) -> None:
    key, other = (next(iter(corpus.documents.values())) for corpus in corpora)
    pair = copied(pair_of(key, other if response else None, Settings()))

    for name, layer in LAYERS.items():
        expected = layer.count(pair_of(key, other if response else None, Settings()), METRICS)
        assert layer.count(copied(pair), METRICS) == expected, name


def test_mentions_can_be_sent_to_other_processes() -> None:
    mentions = AllMentions([anascore.Mention(((0, 1),))])

    assert copied(mentions) == mentions


def test_workers_end_even_if_a_signal_does_not_reach_them(tmp_path: Path) -> None:
    done = tmp_path / "done"

    def work(number: int) -> int:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if number:
            time.sleep(3)
            done.touch()
        return number

    results = _in_processes(work, [0, 1], 2)
    first = next(results)
    del results

    assert first == 0
    assert not done.exists()


def test_auto_uses_all_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 3, 5}, raising=False)

    assert number_of_jobs("auto") == 3


def test_auto_without_affinity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: None)

    assert number_of_jobs("auto") == 1


@pytest.mark.parametrize("jobs", [0, -1, "all"])
def test_jobs_that_are_no_number(jobs: int) -> None:
    shown = f"'{jobs}'" if isinstance(jobs, str) else jobs
    message = f"--jobs must be a whole number, at least 1, not {shown}"
    with pytest.raises(SettingsError, match=message):
        number_of_jobs(jobs)
