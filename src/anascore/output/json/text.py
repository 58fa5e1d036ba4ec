"""Plain values as JSON for people."""

from __future__ import annotations

import json
from typing import Any

from anascore.terminal import escape_control_characters

WIDTH = 100
"""Number of characters up to which a value stays on one line, apart from its name and margin."""


def to_json(content: object) -> str:
    """Write JSON that is indented where a line would be long, and safe in a terminal.

    JSON itself escapes only the control characters of ASCII.
    """
    lines = _laid_out(content, "").split("\n")
    return "".join(f"{_escaped(line)}\n" for line in lines)


def _laid_out(value: Any, margin: str) -> str:
    """Put a value on one line if it is short, or else on several lines after a margin."""
    line = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if len(line) <= WIDTH or not isinstance(value, dict | list | tuple):
        return line
    inner = f"{margin}  "
    items = [("", item) for item in value]
    if isinstance(value, dict):
        items = [(f"{json.dumps(name, ensure_ascii=False)}: ", value[name]) for name in value]
    laid_out = [f"{inner}{name}{_laid_out(item, inner)}" for name, item in items]
    return "\n".join([line[0], ",\n".join(laid_out), f"{margin}{line[-1]}"])


def _escaped(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(
        character
        if escape_control_characters(character) == character
        # A lone surrogate gets an escape, too, and reads back as it was.
        else json.dumps(character)[1:-1]
        for character in line
    )
