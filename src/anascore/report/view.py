"""What of the results is shown."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What of the results is shown; nothing here changes a number."""

    per_document: bool = False
    """The scores of each document besides those of the corpus."""

    split_only: bool = False
    """The scores of the accommodated sets, and no others."""
