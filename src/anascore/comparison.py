"""One document compared: both sides, which mentions match, and the tables of all metrics."""

from __future__ import annotations

from dataclasses import dataclass

from anascore.matching.pairs import Matched
from anascore.side import Side
from anascore.tables import Tables


@dataclass(frozen=True, slots=True)
class Comparison:
    """Key and response of one document, with matched mentions and the tables of all metrics."""

    key: Side
    response: Side
    matched: Matched
    tables: Tables
