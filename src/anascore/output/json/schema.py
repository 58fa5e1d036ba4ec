"""JSON Schemas (draft 2020-12) of the JSON output of every command."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from anascore.arguments import check_arguments
from anascore.errors import SettingsError, did_you_mean, shown
from anascore.output.json.agreement import AgreementOutput, DisagreementOutput
from anascore.output.json.corpus import FormatOutput, StatsOutput, TaskOutput, ValidationOutput
from anascore.output.json.encoding import Output
from anascore.output.json.errors import ErrorOutput
from anascore.output.json.explanation import ExplanationOutput
from anascore.output.json.results import MergeOutput, ScoreOutput
from anascore.output.json.suite import SuiteOutput

DIALECT = "https://json-schema.org/draft/2020-12/schema"

STRUCTURES: dict[str, type[Output]] = {
    "score": ScoreOutput,
    "merge": MergeOutput,
    "suite": SuiteOutput,
    "explain": ExplanationOutput,
    "errors": ErrorOutput,
    "agreement": AgreementOutput,
    "disagreements": DisagreementOutput,
    "validate": ValidationOutput,
    "stats": StatsOutput,
    "tasks": TaskOutput,
    "formats": FormatOutput,
}
"""Each command's output structure."""


@check_arguments
def json_schema(command: str) -> dict[str, Any]:
    """Return the JSON Schema of the JSON output of a command.

    The schema is complete: every key that the command can print is described. It allows further
    keys, which later versions may add.

    Args:
        command: Name of the command, like "score"; "disagreements" for `anascore agreement
            --disagreements`.

    Returns:
        A schema of draft 2020-12, as plain values.

    Raises:
        SettingsError: The command has no JSON output.

    Example:
        >>> json_schema("score")["required"]
        ['anascore', 'schema', 'signature', 'systems']
    """
    if command not in STRUCTURES:
        hint = did_you_mean(command, STRUCTURES)
        message = f"no JSON Schema for {shown(command)}{hint}; choose from {', '.join(STRUCTURES)}"
        raise SettingsError(message)
    structure = STRUCTURES[command]
    definitions = json.loads(json.dumps(msgspec.json.schema(structure)["$defs"]))
    content = definitions.pop(structure.__name__)
    line = content.pop("description").removesuffix(".")
    return {"$schema": DIALECT, **content, "title": f"{line} --output json", "$defs": definitions}
