"""Ids for entities and mentions in a file: those they have, if they can be kept, or new ones."""

from __future__ import annotations

import re
from collections.abc import Sequence


def legal_names(
    names: Sequence[str], illegal: re.Pattern[str], prefix: str = "", used: Sequence[str] = ()
) -> list[str]:
    """Keep names that are all there, legal and different; else number them."""
    chosen = set(names)
    if (
        "" not in chosen
        and len(chosen) == len(names)
        and chosen.isdisjoint(used)
        and not any(illegal.search(name) for name in names)
    ):
        return list(names)
    taken = set(used)
    numbers = (f"{prefix}{number}" for number in range(1, len(names) + len(taken) + 1))
    free = (name for name in numbers if name not in taken)
    return [next(free) for _ in names]
