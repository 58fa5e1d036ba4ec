"""The commands of the command line: each describes its arguments, and runs."""

from __future__ import annotations

from anascore.commands import convert, demo, score, stats, validate

COMMANDS = {
    "score": score,
    "convert": convert,
    "validate": validate,
    "stats": stats,
    "demo": demo,
}
