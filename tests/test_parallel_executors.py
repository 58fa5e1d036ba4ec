"""executor=, --jobs and --dask: results never depend on who does the work, and nothing hangs."""

import importlib.util
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar, Self, TypeVar, cast

import pytest

import anascore
from anascore import blocks, parallel
from anascore.cli.main import main
from anascore.errors import AnascoreError, ReadError, SettingsError
from anascore.parallel import dask_executor, submit_each
from anascore.results.result import Result
from support.damaged_documents import corpus_of, damage
from support.generated_corpora import generated_file, rich_corpus
from support.paper import KEY, SYSTEMS

T = TypeVar("T")


def loky_executor() -> Executor:
    loky = pytest.importorskip("loky", reason="loky is not installed")
    executor: Executor = loky.ProcessPoolExecutor(2)
    return executor


class Promise:
    """A future that has nothing but its result."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.result = work


class PlainExecutor:
    """An executor that has nothing but submit."""

    def submit(self, work: Callable[[T], Any], item: T) -> Promise:
        return Promise(lambda: work(item))


@contextmanager
def plain_executor() -> Iterator[Executor]:
    yield cast("Executor", PlainExecutor())


EXECUTORS: dict[str, Callable[[], Any]] = {
    "submit and result": plain_executor,
    "threads": lambda: ThreadPoolExecutor(3),
    "processes": lambda: ProcessPoolExecutor(2, multiprocessing.get_context("spawn")),
    "loky": loky_executor,
}
each_executor = pytest.mark.parametrize("name", EXECUTORS)


@pytest.fixture
def paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """A key and two responses, of which each document is a block."""
    monkeypatch.setattr(blocks, "PARALLEL_SIZE", 1)
    return [generated_file(tmp_path, "corefud", number) for number in range(3)]


def seen(results: Any) -> list[Any]:
    """Return all that can be seen of results."""
    return [
        (result.name, list(result.counted.items()), result.to_dict(), result.notes)
        for result in results
    ]


@each_executor
@pytest.mark.filterwarnings("ignore")
def test_results_do_not_depend_on_the_executor(paths: list[Path], name: str) -> None:
    key, *responses = paths
    settings: dict[str, Any] = {"layers": "all", "by": "all", "confidence": True, "samples": 5}
    expected = anascore.compare(key, responses, **settings)

    with EXECUTORS[name]() as executor:
        results = anascore.compare(key, responses, executor=executor, **settings)
        one = anascore.score(key, responses[0], executor=executor, **settings)
        in_memory = anascore.score(
            anascore.read(key), anascore.read(responses[0]), executor=executor, **settings
        )

    assert seen(results) == seen(expected)
    assert seen([one]) == seen([next(iter(expected))])
    assert in_memory.to_dict() == one.to_dict()


@each_executor
@pytest.mark.filterwarnings("ignore")
def test_errors_do_not_depend_on_the_executor(tmp_path: Path, name: str) -> None:
    path = tmp_path / "key.conllu"
    anascore.write(corpus_of(), path)
    path.write_text(damage(path.read_text(), "corefud", [0, 2]))
    with pytest.raises(ReadError) as expected:
        anascore.score(path, path)

    with EXECUTORS[name]() as executor, pytest.raises(ReadError) as error:
        anascore.score(path, path, executor=executor)

    assert str(error.value) == str(expected.value)


def test_errors_do_not_depend_on_the_number_of_jobs(paths: list[Path]) -> None:
    text = paths[1].read_text()
    paths[1].write_text(text.replace("Entity=(", "Entity=((", 1))
    with pytest.raises(ReadError) as expected:
        anascore.score(*paths[:2])

    with pytest.raises(ReadError) as error:
        anascore.score(*paths[:2], jobs=2)

    assert str(error.value) == str(expected.value)
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("jobs", [2, 3])
def test_documents_of_one_response(paths: list[Path], jobs: int) -> None:
    expected = anascore.score(*paths[:2], layers="all")

    assert seen([anascore.score(*paths[:2], layers="all", jobs=jobs)]) == seen([expected])
    corpora = map(anascore.read, paths[:2])
    assert seen([anascore.score(*corpora, layers="all", jobs=jobs)]) == seen([expected])


def test_corpora_in_memory_are_one_block_in_one_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(blocks, "BLOCK_SIZE", 1)
    monkeypatch.setattr(blocks, "_compare_blocks", None)

    assert anascore.score(rich_corpus(), rich_corpus(1)).counted


def test_standard_input_is_read_by_the_first_process(paths: list[Path]) -> None:
    code = "import anascore.blocks; anascore.blocks.PARALLEL_SIZE = 1\n"
    code += "from anascore.cli.main import main; main()"
    command = [sys.executable, "-c", code, "score", str(paths[0]), "-", "--jobs"]

    shown = [
        subprocess.run(
            [*command, jobs], input=paths[1].read_bytes(), capture_output=True, check=True
        ).stdout
        for jobs in ("1", "2")
    ]

    assert shown[0] == shown[1]


def kill_this_process(_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_ends() -> None:
    message = "the executor could not finish the work: BrokenProcessPool: A process in the "
    with (
        ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as executor,
        pytest.raises(AnascoreError, match=message),
    ):
        list(submit_each(kill_this_process, [1], executor))


def test_a_worker_of_jobs_that_ends(paths: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "work_on_block", kill_this_process)

    with pytest.raises(AnascoreError, match="a worker process ended unexpectedly"):
        anascore.score(*paths[:2], jobs=2)


def raise_error(item: int) -> int:
    if item:
        raise AnascoreError("an error of ours")
    return item


def test_errors_of_the_work() -> None:
    with ThreadPoolExecutor(1) as executor:
        results = submit_each(raise_error, [0, 1], executor)
        assert next(results) == 0
        with pytest.raises(AnascoreError, match="an error of ours"):
            next(results)
        results = submit_each(lambda n: 1 // n, [0], executor)
        message = "^the executor could not finish the work: ZeroDivisionError: integer"
        with pytest.raises(AnascoreError, match=message):
            next(results)


def test_an_executor_holds_a_limited_number_of_items(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "MAX_SUBMITTED", 2)
    submitted: list[int] = []

    class CountingExecutor(PlainExecutor):
        def submit(self, work: Callable[[T], Any], item: T) -> Promise:
            submitted.append(len(submitted))
            return super().submit(work, item)

    results = submit_each(lambda n: n, range(5), cast("Executor", CountingExecutor()))

    assert next(results) == 0
    assert len(submitted) == 2
    assert list(results) == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"executor": 2}, "executor must be a concurrent.futures.Executor, not 2"),
        (
            {"executor": PlainExecutor(), "jobs": 2},
            "executor and jobs cannot be combined: an executor has its own processes; pass one of "
            "them",
        ),
    ],
)
def test_wrong_executors(choices: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=f"^{message}$"):
        anascore.score(KEY, SYSTEMS[0], **choices)


# Dask


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["score", str(KEY), str(SYSTEMS[0]), *arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


class FakeClient:
    """Client of a cluster of threads, which can lose its workers."""

    workers: ClassVar[dict[str, str]] = {"a": "worker"}

    def __init__(self, cluster: object, timeout: float) -> None:
        if cluster != "tcp://good:1":
            message = f"Timed out after {timeout:.0f} s"
            raise OSError(message)
        self._threads = ThreadPoolExecutor(1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown()

    def wait_for_workers(self, number: int, timeout: float) -> None:
        assert timeout
        if len(self.workers) < number:
            raise TimeoutError

    def get_executor(self) -> Executor:
        return self._threads

    def scheduler_info(self) -> dict[str, Any]:
        return {"workers": self.workers}


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> type[FakeClient]:
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=FakeClient))
    monkeypatch.setattr(parallel, "POLL_INTERVAL", 0.01)
    monkeypatch.setattr(parallel, "DASK_TIMEOUT", 0.05)
    return FakeClient


@pytest.mark.usefixtures("client")
def test_a_cluster(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--dask", "tcp://good:1") == run(capsys)


@pytest.mark.usefixtures("client")
def test_a_cluster_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "--dask", "tcp://bad:1")

    assert (status, out) == (2, "")
    assert err == (
        "anascore: error: --dask tcp://bad:1: there is no such cluster, or it has no workers: "
        "Timed out after 0 s\n"
    )


def test_a_cluster_without_workers(
    capsys: pytest.CaptureFixture[str], client: type[FakeClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "workers", {})

    assert run(capsys, "--dask", "tcp://good:1")[2] == (
        "anascore: error: --dask tcp://good:1: there is no such cluster, or it has no workers: "
        "TimeoutError\n"
    )


def test_a_cluster_that_loses_its_workers(
    client: type[FakeClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    with dask_executor("tcp://good:1") as executor:
        future: Future[int] = Future()
        monkeypatch.setattr(ThreadPoolExecutor, "submit", lambda *_: future)
        submitted = executor.submit(len, "a")
        monkeypatch.setattr(client, "workers", {})
        with pytest.raises(AnascoreError, match="the Dask cluster has lost all its workers"):
            submitted.result()
        monkeypatch.undo()


@pytest.mark.usefixtures("client")
def test_slow_work_is_waited_for() -> None:
    import time

    with dask_executor("tcp://good:1") as executor:
        assert executor.submit(lambda n: time.sleep(0.1) or n, 1).result() == 1  # type: ignore[func-returns-value]


def test_dask_that_is_not_installed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)

    assert run(capsys, "--dask", "local") == (
        2,
        "",
        "anascore: error: --dask needs the package distributed: pip install 'anascore[dask]'\n",
    )


def test_dask_and_jobs(capsys: pytest.CaptureFixture[str]) -> None:
    message = (
        "--dask and --jobs cannot be combined: a cluster has its own processes; remove one of them"
    )

    assert run(capsys, "--dask", "local", "--jobs", "2") == (2, "", f"anascore: error: {message}\n")


needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None, reason="distributed is not installed"
)

KILL_A_WORKER = """
import os, signal, sys
from distributed import Client, LocalCluster
import anascore
from anascore import blocks

class Killer:
    def __init__(self, client):
        self.client, self.executor, self.submitted = client, client.get_executor(), 0

    def submit(self, work, item):
        self.submitted += 1
        if self.submitted == 4:
            os.kill(min(self.client.run(os.getpid).values()), signal.SIGKILL)
        return self.executor.submit(work, item)

if __name__ == "__main__":
    blocks.PARALLEL_SIZE = 1
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            killer = Killer(client)
            try:
                result = anascore.score(*sys.argv[1:], executor=killer)
                print(repr(list(result.counted.items())))
            except anascore.AnascoreError as error:
                print("error:", error)
            assert killer.submitted >= 4
"""


@needs_dask
def test_a_real_cluster_loses_a_worker(paths: list[Path], tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(KILL_A_WORKER)
    expected: Result = anascore.score(*paths[:2])

    done = subprocess.run(
        [sys.executable, str(script), *map(str, paths[:2])],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    if not done.stdout.startswith("error: the executor could not finish the work: "):
        assert done.stdout == f"{list(expected.counted.items())!r}\n"


@needs_dask
def test_a_cluster_of_our_own(paths: list[Path]) -> None:
    command = [sys.executable, "-m", "anascore", "score", *map(str, paths), "--per-document"]

    shown = [
        subprocess.run([*command, *more], capture_output=True, timeout=300, check=True).stdout
        for more in ([], ["--dask", "local"])
    ]

    assert shown[0] == shown[1]
