"""Comparison of several systems: their results against one key."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, overload

from anascore.errors import SettingsError, did_you_mean
from anascore.model.short import quote
from anascore.results import Result, main_score

if TYPE_CHECKING:
    from pandas import DataFrame

MAX_SYSTEMS = 8
"""Maximum number of systems that `repr` shows."""


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
        hint = did_you_mean(index, self.names)
        message = f"there is no system {index!r}{hint}; there are {', '.join(self.names)}"
        raise SettingsError(message)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Comparison) and self.results == other.results

    def __hash__(self) -> int:
        return hash(tuple(self.names))

    def render(self, output: str = "table", **view: Any) -> str:
        """Return the scores as text: a table, Markdown, LaTeX, JSON or CSV; see `Result.render`."""
        from anascore.output import render  # noqa: PLC0415  outputs need results

        return render(self.results, output, **view)

    def to_dict(self) -> dict[str, Any]:
        """Return the scores of all systems as plain values, including those of each document."""
        from anascore.output import ReportOptions  # noqa: PLC0415  outputs need results
        from anascore.output.data import comparison_to_dict  # noqa: PLC0415  the same

        return comparison_to_dict(self.results, ReportOptions(per_document=True))

    def to_json(self) -> str:
        """Return the scores as JSON, with exact counts, from which `from_json` restores them."""
        return self.render("json", per_document=True)

    @staticmethod
    def from_json(text: str) -> Comparison:
        """Restore a comparison from the JSON output."""
        from anascore.output.data import read_json  # noqa: PLC0415  outputs need results

        return Comparison(read_json(text))

    def table(self) -> str:
        """Return the scores as a text table."""
        return self.render()

    def to_frame(self) -> DataFrame:
        """Return all scores as a tidy table of pandas, one row per value.

        Returns:
            A table with the columns `system`, `document` (missing in rows on the whole corpus),
            `layer`, `scope` (`scores`, or `split_only` for accommodated sets only), `metric`,
            `measure` (`recall`, `precision` or `f1`), `value` (a fraction of 1, NaN if it is
            undefined), and `low` and `high`, the ends of the 95% confidence interval (NaN where
            there is none: intervals are about the whole corpus).

        Raises:
            SettingsError: pandas is not installed.
        """
        from anascore.output.frames import results_to_frame  # noqa: PLC0415  outputs need results

        return results_to_frame(self.results)

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        """Return the systems with their main scores on one line."""
        systems = (f"{quote(one.name)} {main_score(one.scores)}" for one in self.results)
        shown = ", ".join(islice(systems, MAX_SYSTEMS))
        more = len(self) - MAX_SYSTEMS
        return f"<Comparison: {shown or 'no systems'}{f', … {more} more' if more > 0 else ''}>"

    def _repr_html_(self) -> str:
        """Return the tables for a notebook."""
        from anascore.output.notebook import results_to_html  # noqa: PLC0415  outputs need results

        return results_to_html(self.results)
