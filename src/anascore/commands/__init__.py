"""The commands of the command line: each describes its arguments, and runs."""

from __future__ import annotations

COMMANDS = {
    "score": "score responses against a key",
    "explain": "show the working behind a score, with exact fractions",
    "errors": "count and list errors by type, with the scores if they were corrected",
    "report": "write a page that shows scores, errors and texts, to look at in a browser",
    "convert": "convert a file to another format",
    "validate": "find everything that is wrong or suspicious in files",
    "stats": "count what there is in files",
    "baseline": "add split antecedents to a response, by a baseline of the paper",
    "tasks": "list the shared tasks that --task knows, with all their settings",
    "demo": "score the example of the paper",
}
"""What each of them does. Its module has its name, and is imported when the command is named."""
