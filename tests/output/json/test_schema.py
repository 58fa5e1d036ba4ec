"""JSON Schemas describe the JSON output of every command, with every option."""

import copy
import json
import shlex
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import anascore
from anascore.cli.main import main
from anascore.errors import SettingsError
from anascore.output.json.encoding import SCHEMA
from anascore.output.json.schema import STRUCTURES
from support.commands import COMMANDS, STATUS, folder, results
from support.public_objects import OBJECTS, SMALL

__all__ = ["folder", "results"]  # fixtures

WITH_JSON = {"score", "merge", "suite", "explain", "errors", "agreement", "validate", "stats"}


WITHOUT_JSON = {"eval-results", "--score-only"}
OF_TABLES = {"--output", "--tables"}
"""Options that --output json replaces, each with a value."""


def closed(schema: Any) -> Any:
    """Forbid all keys that the schema does not describe."""
    if isinstance(schema, list):
        return list(map(closed, schema))
    if not isinstance(schema, dict):
        return schema
    content = {name: closed(value) for name, value in schema.items()}
    if "properties" in content:
        content["additionalProperties"] = False
    return content


def command_lines() -> list[str]:
    """Return the command lines of the golden outputs, each with its output as JSON."""
    lines = []
    for name, command in COMMANDS.items():
        words = shlex.split(command)
        has_json = words[0] in WITH_JSON and not WITHOUT_JSON & {*words}
        if has_json and STATUS.get(name, 0) != 2:
            for option in OF_TABLES & {*words}:
                position = words.index(option)
                del words[position : position + 2]
            lines.append(shlex.join([*words, "--output", "json"]))
    return sorted({*lines, "tasks --output json", "formats --output json"})


def schema_of(command: str) -> Any:
    return anascore.json_schema(
        "disagreements" if "--disagreements" in command else command.split(maxsplit=1)[0]
    )


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", command_lines())
def test_output_is_as_described(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(shlex.split(command)) in {0, 1}

    output = json.loads(capsys.readouterr().out)
    Draft202012Validator(closed(schema_of(command))).validate(output)


COMMAND_OF = {
    "Result": "score",
    "Comparison": "score",
    "SuiteResult": "suite",
    "Agreement": "agreement",
    "ResponseErrors": "errors",
    "ErrorComparison": "errors",
    "ResponseExplanation": "explain",
    "Statistics": "stats",
    "Validation": "validate",
}
"""Commands by the class of their result."""


@pytest.mark.parametrize("kind", COMMAND_OF)
def test_json_in_python_is_as_described(kind: str) -> None:
    validator = Draft202012Validator(closed(schema_of(COMMAND_OF[kind])))

    for shown in filter(None, (OBJECTS[kind], SMALL.get(kind))):
        validator.validate(shown.to_dict())


def test_every_schema_has_an_output() -> None:
    assert {schema_of(command)["title"] for command in command_lines()} == {
        anascore.json_schema(name)["title"] for name in STRUCTURES
    }


@pytest.mark.parametrize("name", STRUCTURES)
def test_schemas_are_valid(name: str) -> None:
    Draft202012Validator.check_schema(anascore.json_schema(name))


@pytest.mark.parametrize("name", STRUCTURES)
def test_the_command_prints_the_schema(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", name]) == 0

    assert json.loads(capsys.readouterr().out) == anascore.json_schema(name)


@pytest.mark.usefixtures("folder")
def test_wrong_output_is_noticed() -> None:
    output = anascore.compare("key.conllua", ["system-A.conllua"]).to_dict()
    validator = Draft202012Validator(anascore.json_schema("score"))
    changes: list[tuple[Any, Any]] = [
        (("schema",), SCHEMA + 1),
        (("systems",), []),
        (("systems", 0, "layers", "identities"), {}),
        (("systems", 0, "layers", "identity", "scores", "muc", "recall"), "0.5"),
        (("systems", 0, "exact", "settings", "match"), "heads"),
        (("systems", 0, "exact", "documents", "example", "zeros", "key", "in_text"), -1),
        (
            ("systems", 0, "exact", "documents", "example", "layers", "identity", "scores", "muc"),
            [["1", "2", "3", "x"]],
        ),
    ]

    assert validator.is_valid(json.loads(json.dumps(output)))
    for path, value in changes:
        changed = copy.deepcopy(json.loads(json.dumps(output)))
        place = changed
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
        assert not validator.is_valid(changed), path


@pytest.mark.usefixtures("folder")
def test_later_keys_are_allowed() -> None:
    output = anascore.score("key.conllua", "system-A.conllua").to_dict()
    output["new"] = output["systems"][0]["layers"]["identity"]["new"] = 1

    assert Draft202012Validator(anascore.json_schema("score")).is_valid(output)
    assert anascore.Result.from_json(json.dumps(output))


def test_no_such_schema() -> None:
    message = (
        "no JSON Schema for 'scores' (did you mean 'score'?); choose from score, merge, suite, "
        "explain, errors, agreement, disagreements, validate, stats, tasks, formats"
    )
    with pytest.raises(SettingsError) as error:
        anascore.json_schema("scores")

    assert str(error.value) == message
