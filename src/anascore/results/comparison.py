"""Comparison of several systems: their results against one key."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, overload

from anascore.errors import SettingsError
from anascore.results import Result


class Comparison(Sequence[Result]):
    """Results of several responses against one key.

    `comparison["A"]` or `comparison[0]` is the result of one system, and iteration yields all of
    them, in order. Print it to see the table.
    """

    def __init__(self, results: Iterable[Result]) -> None:
        """Store the results of the systems."""
        self.results = tuple(results)

    @property
    def names(self) -> list[str]:
        """The names of the systems."""
        return [result.name for result in self.results]

    def __len__(self) -> int:
        return len(self.results)

    @overload
    def __getitem__(self, index: int | str) -> Result: ...

    @overload
    def __getitem__(self, index: slice) -> Comparison: ...

    def __getitem__(self, index: int | str | slice) -> Result | Comparison:
        """Return the result of a system by its name or position; or some of the systems."""
        if isinstance(index, slice):
            return Comparison(self.results[index])
        if isinstance(index, int):
            return self.results[index]
        for result in self.results:
            if result.name == index:
                return result
        message = f"there is no system {index!r}; there are {', '.join(self.names)}"
        raise SettingsError(message)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Comparison) and self.results == other.results

    def __hash__(self) -> int:
        return hash(tuple(self.names))

    def render(self, output: str = "table", **view: Any) -> str:
        """Return the scores as text: a table, Markdown, LaTeX, JSON or CSV; see `Result.render`."""
        from anascore.output import render  # noqa: PLC0415  outputs need results

        return render(self.results, output, **view)

    def table(self) -> str:
        """Return the scores as a text table."""
        return self.render()

    def __str__(self) -> str:
        return self.table()
