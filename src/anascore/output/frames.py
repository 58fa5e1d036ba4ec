"""Grids as pandas data frames."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from anascore.errors import SettingsError
from anascore.output.grid import Grid, Value

if TYPE_CHECKING:
    from pandas import DataFrame


def render(grid: Grid) -> DataFrame:
    """Make the data frame that pandas would read from the grid's CSV: empty cells are missing.

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
    """Test for a column of numbers, unless all of them are integers."""
    values = [value for value in column if value is not None]
    return all(isinstance(value, int | float | Fraction) for value in values) and not (
        values and all(isinstance(value, int) for value in values)
    )
