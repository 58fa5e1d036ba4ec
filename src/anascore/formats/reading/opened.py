"""What is open where a bracket closes nothing, for messages."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

SHOWN = 3
"""How many open mentions a message names, of those opened last."""


def closes_nothing(bracket: str, opened: Iterable[str]) -> str:
    """Say that a bracket closes no mention; those open, the latest first, have these names."""
    latest = list(islice(opened, SHOWN))
    shown = ", ".join(reversed(latest)) or "nothing"
    return f"'{bracket}' closes no mention; open here: {shown}"
