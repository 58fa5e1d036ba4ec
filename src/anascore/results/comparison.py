"""Comparison of several systems: their results against one key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, overload

from anascore.errors import SettingsError, did_you_mean
from anascore.model.short import quote
from anascore.results import Result, Scores, main_score

if TYPE_CHECKING:
    from pandas import DataFrame

MAX_SYSTEMS = 8
"""Maximum number of systems that `repr` shows."""


DIGITS = 9
"""Digits after the point to which differences in per cent are rounded before they are compared."""


def _percent(result: Result, name: str) -> float:
    """Return the F1 of a score in per cent; raise SettingsError if it is undefined."""
    value = result[name].f1
    if value is None:
        message = f"{result.name}: {name} is undefined and cannot be compared with a limit"
        raise SettingsError(message)
    return 100 * value


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

    @property
    def human(self) -> Scores:
        """The human ceiling: the mean score of a key against all others, if it was requested.

        Compare it with the `leave_one_out` of a system.
        """
        return self.results[0].human if self.results else {}

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
        message = f"there is no system {index!r}{hint}; choose from {', '.join(self.names)}"
        raise SettingsError(message)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Comparison) and self.results == other.results

    def __hash__(self) -> int:
        return hash(tuple(self.names))

    def failures(
        self,
        *,
        fail_under: Mapping[str, float] | None = None,
        baseline: Comparison | None = None,
        max_drop: float = 0,
    ) -> list[str]:
        """Return a message for each F1 that is too low, for use in continuous integration.

        All numbers are in per cent.

        Args:
            fail_under: Lowest accepted values, by name of score.
            baseline: Earlier results, with the same settings. Systems are compared by name, unless
                there is only one on each side.
            max_drop: Largest accepted drop below the baseline.

        Returns:
            The messages, each with the system, the score, its value and the limit.

        Raises:
            SettingsError: A score is undefined or was not requested; or the baseline has other
                settings, or lacks a system or a score.

        Example:
            >>> from anascore import compare
            >>> from anascore.example import KEY, SYSTEMS
            >>> compare(KEY, SYSTEMS[:2]).failures(fail_under={"conll": 60})
            ['rules: conll is 57.75, but must be at least 60']
        """
        low = [
            f"{result.name}: {name} is {value:.2f}, but must be at least {lowest:g}"
            for result in self.results
            for name, lowest in (fail_under or {}).items()
            if (value := _percent(result, name)) < lowest
        ]
        return low if baseline is None else [*low, *self._drops(baseline, max_drop)]

    def _drops(self, baseline: Comparison, largest: float) -> Iterator[str]:
        """Yield a sentence for each F1 that is lower than that of the baseline by too much."""
        for result in self.results:
            earlier = baseline._counterpart(result, single=len(self) == len(baseline) == 1)
            for name in result:
                if name not in earlier:
                    message = (
                        f"the baseline has no score {name}; choose scores that it has with "
                        f"--metrics (in Python metrics): {', '.join(earlier)}"
                    )
                    raise SettingsError(message)
                if result[name].f1 is None and earlier[name].f1 is None:
                    continue
                before, now = _percent(earlier, name), _percent(result, name)
                if round(before - now, DIGITS) > largest:
                    yield (
                        f"{result.name}: {name} is {now:.2f}, down from {before:.2f}; the largest "
                        f"accepted drop is {largest:g}"
                    )

    def _counterpart(self, result: Result, *, single: bool) -> Result:
        """Return the result of the same system; raise SettingsError if it cannot be compared."""
        if not single and result.name not in self.names:
            hint = did_you_mean(result.name, self.names)
            message = (
                f"the baseline has no system {result.name!r}{hint}; it has {', '.join(self.names)}"
            )
            raise SettingsError(message)
        own = self[0] if single else self[result.name]
        # Formats and versions may differ.
        settings = (one.request.settings.signature("", "") for one in (own, result))
        if own.combination != result.combination or len({*settings}) > 1:
            message = (
                f"the baseline has other settings: {own.settings_signature} instead of "
                f"{result.settings_signature}"
            )
            raise SettingsError(message)
        return own

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
        """Return the scores as JSON with exact counts, which `from_json` reads."""
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
        """Return all scores as a tidy pandas DataFrame, one row per value.

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
