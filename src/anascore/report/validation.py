"""What is wrong or suspicious in files as text: for people, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from anascore.printable import printable
from anascore.validation import Validated
from anascore.version import __version__

SHOWN = 100
"""How many problems of a file are shown to people."""


def render_problems(files: Sequence[Validated]) -> str:
    """Show each problem on a line, with its place, and how many there are."""
    lines: list[str] = []
    for file in files:
        lines += [str(problem) for problem in file.problems[:SHOWN]]
        if len(file.problems) > SHOWN:
            more = len(file.problems) - SHOWN
            lines.append(f"{file.path}: and {more} more; --output json shows all")
    errors = _counted(sum(file.errors for file in files), "error")
    warnings = _counted(sum(file.warnings for file in files), "warning")
    lines.append(f"{errors}, {warnings} in {_counted(len(files), 'file')}")
    return "".join(f"{printable(line)}\n" for line in lines)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def problems_to_json(files: Sequence[Validated]) -> str:
    """Write all problems of all files."""
    content = {
        "anascore": __version__,
        "errors": sum(file.errors for file in files),
        "warnings": sum(file.warnings for file in files),
        "files": [
            {
                "path": file.path,
                "format": file.format,
                "errors": file.errors,
                "warnings": file.warnings,
                "problems": [
                    {"line": line, "severity": severity, "what": what}
                    for _, line, severity, what in file.problems
                ],
            }
            for file in files
        ],
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


VALIDATION_OUTPUTS: dict[str, Callable[[Sequence[Validated]], str]] = {
    "table": render_problems,
    "json": problems_to_json,
}
"""The kinds of output by name."""
