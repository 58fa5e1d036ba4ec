"""Comparison of several systems: their results against one key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Real
from typing import Any, overload

from anascore.arguments import items_of
from anascore.errors import (
    SettingsError,
    did_you_mean,
    shown,
)
from anascore.model.abbreviated import abbreviated, quote
from anascore.printing import Restorable
from anascore.results.result import Result, Scores, main_score

MAX_SYSTEMS = 8
"""Maximum number of systems that `repr` shows."""


DIGITS = 9
"""Decimals to which differences in per cent are rounded before they are compared."""


def _percent(result: Result, name: str) -> float:
    """Return a score's F1 in per cent; raise SettingsError if it is undefined."""
    value = result[name].f1
    if value is None:
        message = f"{result.name}: {name} is undefined and cannot be compared with a limit"
        raise SettingsError(message)
    return 100 * value


def check_lowest(fail_under: Mapping[str, float]) -> None:
    """Raise SettingsError if a limit is a fraction instead of a percentage.

    Every system would pass such a limit.
    """
    for name, lowest in fail_under.items():
        if 0 < lowest <= 1:
            message = (
                f'--fail-under {name}={lowest:g} (in Python fail_under={{"{name}": {lowest:g}}}) '
                f"is a limit of {lowest:g} per cent, since limits are percentages; did you mean "
                f"{name}={100 * lowest:g}?"
            )
            raise SettingsError(message)


class Comparison(Restorable, Sequence[Result]):
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
        """Return a system's result by name or position; or those of several systems."""
        if isinstance(index, slice):
            return Comparison(self.results[index])
        if isinstance(index, int):
            return self.results[index]
        for result in self.results:
            if result.name == index:
                return result
        hint = did_you_mean(index, self.names)
        message = f"there is no system {shown(index)}{hint}; choose from {', '.join(self.names)}"
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
            fail_under: Lowest accepted values in per cent, by name of score. Values above 0 and up
                to 1 are refused, because they look like fractions.
            baseline: Earlier results, with the same settings. Systems are compared by name, unless
                there is only one on each side.
            max_drop: Largest accepted drop below the baseline.

        Returns:
            The messages, each with the system, the score, its value and the limit.

        Raises:
            SettingsError: A score is undefined or was not requested; a lowest value is a fraction;
                or the baseline has other settings, or lacks a system or a score.

        Example:
            >>> from anascore import compare
            >>> from anascore.example import KEY, SYSTEMS
            >>> compare(KEY, SYSTEMS[:2]).failures(fail_under={"conll": 60})
            ['rules: conll is 57.75, but must be at least 60']
        """
        if not isinstance(baseline, Comparison | None) or not isinstance(max_drop, Real):
            message = (
                f"baseline must be a Comparison and max_drop a number, not {shown(baseline)} and "
                f"{shown(max_drop)}"
            )
            raise SettingsError(message)
        expected = "a dictionary of numbers by name of score"
        limits = (
            {} if fail_under is None else items_of("fail_under", fail_under, expected, "a score")
        )
        if not all(isinstance(lowest, Real) for lowest in limits.values()):
            message = f"fail_under must be {expected}, not {shown(fail_under)}"
            raise SettingsError(message)
        check_lowest(limits)
        low = [
            f"{result.name}: {name} is {value:.2f}, but must be at least {lowest:g}"
            for result in self.results
            for name, lowest in limits.items()
            if (value := _percent(result, name)) < lowest
        ]
        return low if baseline is None else [*low, *self._drops(baseline, max_drop)]

    def _drops(self, baseline: Comparison, largest: float) -> Iterator[str]:
        """Describe each F1 that is too far below the baseline's."""
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
        """Find the same system's result; raise SettingsError if it cannot be compared."""
        if not single and result.name not in self.names:
            hint = did_you_mean(result.name, self.names)
            message = (
                f"the baseline has no system {result.name!r}{hint}; it has {', '.join(self.names)}"
            )
            raise SettingsError(message)
        own = self[0] if single else self[result.name]
        # Formats and versions may differ.
        settings = (one.request.settings.signature((), ()) for one in (own, result))
        if own.combination != result.combination or len({*settings}) > 1:
            message = (
                f"the baseline has other settings: {own.settings_signature} instead of "
                f"{result.settings_signature}"
            )
            raise SettingsError(message)
        return own

    def render(self, output: str = "table", **view: Any) -> str:
        """Return the scores as text: a table, Markdown, LaTeX, JSON or CSV; see `Result.render`."""
        return self._render(output, **view)

    def __repr__(self) -> str:
        """Show the systems with their main scores on one line."""
        systems = (f"{quote(one.name)} {main_score(one.scores)}" for one in self.results)
        return f"<Comparison: {abbreviated(systems, len(self), MAX_SYSTEMS) or 'no systems'}>"
