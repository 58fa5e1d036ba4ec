"""Tests of mutants: each mutant lives in a forked process that has all tests loaded.

A first run records which tests execute which lines. A mutant is tested by these alone, up to the
first failure: first those that noticed most other mutants of the same function or file for their
time. The record of a test file is stored, and used again while the file and all that it tests
stay as they are.
"""

from __future__ import annotations

import gc
import hashlib
import importlib
import os
import pickle
import resource
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple, TypeVar

import pytest
from _pytest.runner import runtestprotocol
from coverage import Coverage
from hypothesis import HealthCheck, Phase, settings

from tools.mutants.mutations import SOURCES, Mutant

TESTS = (
    "analysis/errors analysis/explain api assignment cli/bad_documents cli/bad_input "
    "cli/commands comparison corpus/scorable corpus/stats entities/heads "
    "entities/normalisation entities/parses entities/repeated_mentions formats/columns "
    "formats/conll2012 formats/corefud formats/language_model_track formats/llm "
    "formats/near_names formats/objects formats/rucoco formats/ua formats/ucdcr "
    "formats/word_column "
    "layers/class_scores layers/other_layers layers/windows layers/zeros matching metrics/cases "
    "metrics/earlier_proposals metrics/key_against_itself metrics/oracle "
    "metrics/paper_example metrics/properties metrics/relations metrics/set_alignment "
    "model/document pairing/word_alignment pairing/characters pairing/different_words "
    "pairing/joining pairing/repairs pairing/selection pairing/unnamed results/uncertainty "
    "settings several_keys tasks"
)
"""Test files of scores; tests of formats and of the output notice little of them."""

OPTIONS = ["-q", "-s", "-p", "no:xdist", "-p", "no:cacheprovider", "-p", "no:cov", "--tb=no"]
OPTIONS += ["--assert=plain", "--no-header", "--no-summary", "--hypothesis-profile=mutants"]
OPTIONS += ["-p", "no:unraisableexception"]

SAME_TEST = 6.0
"""Maximum seconds of the parametrised cases of one test."""

BUDGET = 20.0
"""Maximum seconds of the tests of a mutant."""

MEMORY = 8 * 2**30
"""Maximum address space of a process in bytes."""

STORED = Path(".mutants")
"""Folder of the records of test files."""

KILLED = STORED / "killed"
"""Fingerprints of the mutants that some test killed, a line each."""

J = TypeVar("J")
R = TypeVar("R")


def run_tests(mutants: Sequence[Mutant], workers: int, *, left: bool) -> dict[Mutant, str]:
    """Return the outcome of each mutant: killed, timeout or survived.

    With `left`, a mutant that an earlier run killed counts as killed.
    """
    settings.register_profile(
        "mutants",
        deadline=None,
        derandomize=True,
        database=None,
        max_examples=40,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    known = set(KILLED.read_text().split()) if left and KILLED.exists() else set()
    outcomes = {mutant: "killed" for mutant in mutants if _fingerprint(mutant) in known}
    campaign = _Campaign([mutant for mutant in mutants if mutant not in outcomes], workers)
    if campaign.mutants:
        paths = (Path("tests", name) for name in TESTS.split())
        tests = (str(path.with_name(f"test_{path.name}.py")) for path in paths)
        pytest.main([*OPTIONS, *tests], plugins=[campaign])
    outcomes |= campaign.outcomes
    if len(outcomes) < len(mutants):
        sys.exit("The tests ended before all mutants were tested.")
    return {mutant: outcomes[mutant] for mutant in mutants}


class _Coverage(NamedTuple):
    seconds: Mapping[str, float]
    """Seconds of tests, by name."""

    tests: Mapping[tuple[str, int], set[str]]
    """Names of tests, by file and line."""


class _Campaign:
    """A run of pytest that forks for each mutant after the tests are collected."""

    def __init__(self, mutants: Sequence[Mutant], workers: int) -> None:
        self.mutants = mutants
        self._workers = workers
        self._seconds: dict[str, float] = {}
        self._tests: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
        self._kills: Counter[tuple[str, ...]] = Counter()
        self.outcomes: dict[Mutant, str] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Record the lines of all tests, then test the mutants."""
        items = {item.nodeid: item for item in session.items}
        self._record({item.nodeid.partition("::")[0] for item in session.items}, session.items)
        sys.stderr.write(f"{len(self._seconds)} of {len(items)} tests\n")
        unchanged = self.mutants[0]._replace(text=self.mutants[0].source)
        [(_, failed)] = _in_forks([unchanged], lambda m: self._test(m, items), 1)
        if failed != "":
            sys.exit(f"A test fails without mutants: {failed or 'timeout'}")
        outcomes = _in_forks(self.mutants, lambda m: self._test(m, items), self._workers)
        for mutant, failed in outcomes:
            outcome = "timeout" if failed is None else "killed" if failed else "survived"
            self.outcomes[mutant] = outcome
            if outcome != "survived":
                with KILLED.open("a") as file:
                    file.write(f"{_fingerprint(mutant)}\n")
            if failed:
                self._kills[mutant.file, failed] += 1
                self._kills[mutant.file, mutant.function, failed] += 1
            sys.stderr.write({"timeout": "t", "killed": "."}.get(outcome, "S"))
            sys.stderr.flush()
        return True

    def _record(self, files: Iterable[str], items: Sequence[pytest.Item]) -> None:
        """Record the lines of the tests of some files, or read the record where it is stored."""
        stored = {file: STORED / f"{_fingerprint_of_tests(file)}.pickle" for file in files}
        new = [item for item in items if not stored[item.nodeid.partition("::")[0]].exists()]
        coverages = [
            pickle.loads(path.read_bytes())  # noqa: S301  our own
            for path in stored.values()
            if path.exists()
        ]
        parts = [new[n :: self._workers] for n in range(self._workers)]
        for _, coverage in _in_forks(filter(None, parts), _covered, self._workers):
            if coverage is None:
                sys.exit("A test ended its process.")
            coverages.append(coverage)
        for coverage in coverages:
            self._seconds.update(coverage.seconds)
            for line, tests in coverage.tests.items():
                self._tests[line] |= tests
        STORED.mkdir(exist_ok=True)
        for path in {*STORED.glob("*.pickle")}.difference(stored.values()):
            path.unlink()
        for file, path in stored.items():
            if not path.exists():
                path.write_bytes(pickle.dumps(self._coverage_by(file)))

    def _coverage_by(self, file: str) -> _Coverage:
        """Return the record of one test file."""
        seconds = {name: n for name, n in self._seconds.items() if name.partition("::")[0] == file}
        tests = {line: seconds.keys() & names for line, names in self._tests.items()}
        return _Coverage(seconds, {line: names for line, names in tests.items() if names})

    def _test(self, mutant: Mutant, items: Mapping[str, pytest.Item]) -> str:
        """Replace the code of a function; return the test that fails, or an empty string."""
        _replace(mutant)
        for name in self._chosen(mutant):
            signal.setitimer(signal.ITIMER_PROF, 3 + 5 * self._seconds[name])
            reports = runtestprotocol(items[name], log=False, nextitem=None)
            if any(report.failed for report in reports):
                return name
        return ""

    def _chosen(self, mutant: Mutant) -> Iterator[str]:
        """Yield the tests of a mutant in order, as far as there is time."""
        names = set().union(*(self._tests.get((mutant.file, line), ()) for line in mutant.lines))
        kills = {
            name: (self._kills[mutant.file, mutant.function, name], self._kills[mutant.file, name])
            for name in names
        }

        def order(name: str) -> tuple[float, str]:
            """Put tests first that are likely to notice the mutant, for their time."""
            in_function, in_file = kills[name]
            likelihood = 1 + min(10, in_file) + 10 * min(3, in_function)
            return -likelihood / (self._seconds[name] + 0.01), name

        spent: defaultdict[str, float] = defaultdict(float)
        total = 0.0
        for name in sorted(names, key=order):
            test = name.partition("[")[0]
            if total < BUDGET and (kills[name][0] or spent[test] < SAME_TEST):
                total += self._seconds[name]
                spent[test] += self._seconds[name]
                yield name


def _fingerprint_of_tests(file: str) -> str:
    """Return a hash of a test file and of all that it may test or import."""
    digest = hashlib.sha256(sys.version.encode())
    sources = [*SOURCES.rglob("*.py"), *Path("tests").rglob("*")]
    for path in sorted(path for path in sources if path.is_file()):
        if path.suffix != ".pyc" and (path == Path(file) or not path.name.startswith("test_")):
            digest.update(f"{path}\0".encode())
            digest.update(path.read_bytes())
    return f"{Path(file).stem}-{digest.hexdigest()[:16]}"


def _fingerprint(mutant: Mutant) -> str:
    """Return a hash of a mutated module."""
    return hashlib.sha256(f"{mutant.file}\0{mutant.text}".encode()).hexdigest()


def _covered(items: Sequence[pytest.Item]) -> _Coverage:
    """Run tests; return their seconds and the lines that they execute, unless they fail."""
    coverage = Coverage(data_file=None, config_file=False, include=[f"{SOURCES.resolve()}/*"])
    spent: defaultdict[str, float] = defaultdict(float)
    seconds: dict[str, float] = {}
    coverage.start()
    for item in items:
        test = item.nodeid.partition("[")[0]
        if spent[test] < SAME_TEST:
            coverage.switch_context(item.nodeid)
            start = time.process_time()
            reports = runtestprotocol(item, log=False, nextitem=None)
            spent[test] += time.process_time() - start
            if all(report.passed for report in reports):
                seconds[item.nodeid] = time.process_time() - start
    coverage.stop()
    data = coverage.get_data()
    tests = {
        (os.path.relpath(path, SOURCES.resolve()), line): seconds.keys() & names
        for path in data.measured_files()
        for line, names in data.contexts_by_lineno(path).items()
    }
    return _Coverage(seconds, tests)


def _replace(mutant: Mutant) -> None:
    """Replace the code of a function by that of a mutant."""
    module = mutant.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    function: Any = importlib.import_module(f"anascore.{module}")
    code: Any = compile(mutant.text, mutant.file, "exec", dont_inherit=True)
    for part in mutant.function.split("."):
        function = vars(function)[part]
        inner = (c for c in code.co_consts if isinstance(c, CodeType))
        code = next(c for c in inner if c.co_name == part)
    match function:
        case property():
            function = function.fget
        case cached_property():
            function = function.func
        case classmethod():
            function = function.__func__
        case _ if hasattr(function, "cache_clear"):
            function.cache_clear()
            function = function.__wrapped__
    before = _functions_in(function.__code__)
    function.__code__ = code
    # Functions that this one made on import, such as rules in the table of scores, live on.
    for old, new in zip(before, _functions_in(code), strict=False):
        for closure in gc.get_referrers(old):
            if isinstance(closure, FunctionType) and old.co_freevars == new.co_freevars:
                closure.__code__ = new


def _functions_in(code: CodeType) -> list[CodeType]:
    """Return the code of inner functions and lambdas, without comprehensions."""
    inner = (c for c in code.co_consts if isinstance(c, CodeType))
    return [c for c in inner if c.co_name == "<lambda>" or not c.co_name.startswith("<")]


def _in_forks(
    jobs: Iterable[J], work: Callable[[J], R], workers: int
) -> Iterator[tuple[J, R | None]]:
    """Do each job in a process of its own; yield jobs and results, None if it ended without one."""
    with tempfile.TemporaryDirectory() as folder:
        running: dict[int, J] = {}

        def finished() -> tuple[J, R | None]:
            pid, status = os.wait()
            job = running.pop(pid)
            stored = Path(folder, str(pid))
            if os.WIFSIGNALED(status) or not stored.exists():
                return job, None
            result: R = pickle.loads(stored.read_bytes())  # noqa: S301  our own
            return job, result

        for job in jobs:
            pid = os.fork()
            if pid == 0:
                _end_with_result(job, work, folder)
            running[pid] = job
            if len(running) >= workers:
                yield finished()
        while running:
            yield finished()


def _end_with_result(job: J, work: Callable[[J], R], folder: str) -> None:
    """Do a job without output, store its result, and end the process."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        result = work(job)
        signal.setitimer(signal.ITIMER_PROF, 0)
        Path(folder, str(os.getpid())).write_bytes(pickle.dumps(result))
    finally:
        os._exit(0)
