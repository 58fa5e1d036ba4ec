"""Outputs that show tables, each in its own module."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import get_args

from anascore.arguments import is_string, list_of
from anascore.errors import SettingsError, check_whole_number, shown
from anascore.output.grid import DECIMALS, Grid, choose_tables, main_tables
from anascore.printing import OutputName

RENDERERS = tuple(name for name in get_args(OutputName) if name not in {"json", "csv"})
"""Outputs that show tables. Each is a module of this folder with a function `render`."""

ONE_TABLE = {"latex"}
"""Outputs that show only the first table, and those that the user asked for with other options."""


MAX_DECIMALS = 15
"""Maximum number of decimals; further digits of a float are not exact."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A user's choices about tables. None of them changes a number."""

    decimals: int = DECIMALS
    """Decimals of scores and differences."""

    tables: str | Sequence[str] = ()
    """Ids of the tables to show, as a list or comma-separated (default: all; LaTeX: the first)."""

    def __post_init__(self) -> None:
        """Split the table names; raise SettingsError if an option is invalid."""
        check_whole_number("--decimals", self.decimals, 0, MAX_DECIMALS)
        object.__setattr__(self, "tables", _names(self.tables))

    def check(self, output: str) -> None:
        """Raise SettingsError if tables are selected in an output that has none."""
        if self.tables and output not in RENDERERS:
            message = (
                f"--tables (in Python tables) chooses among tables, but the output {output} has "
                f"none; remove the option, or choose one of these outputs: {', '.join(RENDERERS)}"
            )
            raise SettingsError(message)


def _names(tables: str | Sequence[str]) -> list[str]:
    expected = "names of tables"
    names = tables.split(",") if is_string(tables) else list_of("tables", tables, expected)
    for name in names:
        if not is_string(name):
            message = f"tables must be {expected}, not {shown(tables)}"
            raise SettingsError(message)
    return [name.strip() for name in names if name.strip()]


USUAL = Layout()


def render_tables(
    output: str, grids: Iterable[Grid], signatures: Sequence[str] = (), layout: Layout = USUAL
) -> str:
    """Render tables as text in the named output."""
    if layout.tables:
        grids = choose_tables(grids, layout.tables)
    elif output in ONE_TABLE:
        grids = main_tables(grids)
    module = import_module(f"anascore.output.{output}")
    text: str = module.render(grids, signatures, layout.decimals)
    return text
