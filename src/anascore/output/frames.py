"""Grids as data frames of pandas."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from anascore.errors import SettingsError
from anascore.output.grid import Grid, Value

if TYPE_CHECKING:
    from pandas import DataFrame


def render(grid: Grid) -> DataFrame:
    """Return a grid as the data frame that pandas reads from its CSV: empty cells are missing.

    Raises:
        SettingsError: pandas is not installed.
    """
    try:
        from pandas import DataFrame  # noqa: PLC0415  only needed here, and optional
    except ImportError:
        message = "to_frame needs pandas, which is not installed: pip install 'anascore[pandas]'"
        raise SettingsError(message) from None
    rows = [
        [None if value == "" else value for value in row]
        for row in grid.values  # noqa: PD011  no values of pandas
    ]
    frame = DataFrame(rows, columns=grid.names)
    numbers = [
        name
        for name, column in zip(grid.names, zip(*rows, strict=True), strict=False)
        if _is_numeric(column)
    ]
    return frame.astype(dict.fromkeys(numbers, float))


def _is_numeric(column: Sequence[Value]) -> bool:
    """Return True for a column of numbers that are not all whole."""
    values = [value for value in column if value is not None]
    return all(isinstance(value, int | float | Fraction) for value in values) and not (
        values and all(isinstance(value, int) for value in values)
    )
