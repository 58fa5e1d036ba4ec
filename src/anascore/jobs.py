"""The same work for many items, one after the other or shared among processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from anascore.errors import SettingsError

T = TypeVar("T")
R = TypeVar("R")


def check_jobs(jobs: int) -> None:
    """Refuse a number of processes that is none."""
    if jobs < 1:
        message = f"jobs are {jobs}; they must be 1 or more, the number of processes"
        raise SettingsError(message)


def for_each(work: Callable[[T], R], items: Sequence[T], jobs: int) -> Iterator[R]:
    """Do a work for each item, and give what comes of it in the order of the items."""
    number = min(jobs, len(items))
    if number < 2:
        return map(work, items)
    from anascore.processes import share  # noqa: PLC0415  slow to load, seldom needed

    return share(work, items, number)
