"""The commands of the command line: each describes its arguments, and runs."""

from __future__ import annotations

from anascore.commands import baseline, convert, demo, explain, score, stats, tasks, validate

COMMANDS = {
    "score": score,
    "explain": explain,
    "convert": convert,
    "validate": validate,
    "stats": stats,
    "baseline": baseline,
    "tasks": tasks,
    "demo": demo,
}
