"""What is shown on a terminal while something takes long."""

import os
import pty
import re
import signal
import termios
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from anascore import terminal as progress
from anascore.terminal import show_progress, status, track


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[int, IO[Any]]]:
    """Open a terminal that is impatient: its reading end, and a stream that writes to it."""
    monkeypatch.setattr(progress, "DELAY", 0.02)
    monkeypatch.setattr(progress, "INTERVAL", 0.02)
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, 40))
    os.set_blocking(master, False)
    with os.fdopen(slave, "w") as stream:
        yield master, stream
    os.close(master)


def written(master: int) -> str:
    """Read all that has been written; a terminal hands it on little by little."""
    found = b""
    for _ in range(20):
        try:
            found += os.read(master, 100_000)
        except BlockingIOError:
            time.sleep(0.01)
    return found.decode()


def wait(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.005)


def test_long_work_is_shown_and_wiped_away(terminal: tuple[int, IO[Any]]) -> None:
    master, stream = terminal
    with show_progress(stream):
        for _ in track(["a", "b"], "scoring document"):
            wait(0.1)
        status("reading " + "x" * 100)
        wait(0.1)

    lines = written(master).split(progress.CLEAR)
    # On a busy machine a tenth of a second can take longer.
    shown = [re.sub(r"[0-9]+ s", "0 s", line) for line in lines]
    assert "anascore: scoring document 1 of 2 (0 s)" in shown
    assert "anascore: scoring document 2 of 2 (0 s)" in shown
    assert max(map(len, lines)) == 39
    assert lines[-1] == ""


def test_short_work_is_not_shown(
    terminal: tuple[int, IO[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    master, stream = terminal
    monkeypatch.setattr(progress, "DELAY", 100)
    with show_progress(stream):
        status("reading")

    assert written(master) == ""


def test_a_name_cannot_control_the_terminal(terminal: tuple[int, IO[Any]]) -> None:
    master, stream = terminal
    with show_progress(stream):
        status("a\x1b[31mb")
        wait(0.1)

    assert "\x1b[31m" not in written(master)


def test_nothing_is_shown_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "DELAY", 0.01)
    with (tmp_path / "log").open("w") as stream, show_progress(stream):
        wait(0.05)
    with show_progress(None):
        assert list(track([1, 2], "item")) == [1, 2]

    assert (tmp_path / "log").read_text() == ""


def test_nothing_is_shown_from_another_thread(terminal: tuple[int, IO[Any]]) -> None:
    master, stream = terminal

    def work() -> None:
        with show_progress(stream):
            wait(0.05)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()

    assert written(master) == ""


def test_the_clock_is_given_back(terminal: tuple[int, IO[Any]]) -> None:
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(ZeroDivisionError), show_progress(terminal[1]):
        _ = 1 / 0

    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_a_terminal_that_does_not_tell_its_width(terminal: tuple[int, IO[Any]]) -> None:
    master, stream = terminal
    termios.tcsetwinsize(stream.fileno(), (0, 0))
    with show_progress(stream):
        status("x" * 100)
        wait(0.1)

    assert max(map(len, written(master).split(progress.CLEAR))) == 79
