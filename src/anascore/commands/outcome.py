"""What a command gives back to the command line."""

from __future__ import annotations

from typing import NamedTuple


class Outcome(NamedTuple):
    """The text for standard output, the lines for standard error, and the exit status."""

    text: str
    warnings: tuple[str, ...] = ()
    status: int = 0
