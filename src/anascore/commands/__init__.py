"""The commands of the command line: each describes its arguments, and runs."""

from __future__ import annotations

from anascore.commands import (
    baseline,
    convert,
    demo,
    errors,
    explain,
    report,
    score,
    stats,
    tasks,
    validate,
)

COMMANDS = {
    "score": score,
    "explain": explain,
    "errors": errors,
    "report": report,
    "convert": convert,
    "validate": validate,
    "stats": stats,
    "baseline": baseline,
    "tasks": tasks,
    "demo": demo,
}
