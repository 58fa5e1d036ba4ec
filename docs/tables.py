"""Tables of the reference pages, made from the parser of the command line and from the settings."""

from __future__ import annotations

import argparse
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from anascore.cli.main import parser
from anascore.metrics.scores import LABELS
from anascore.output.json.schema import STRUCTURES, json_schema
from anascore.settings import CHOICES, DocumentNumbers, Settings, setting_text

DOCS = Path(__file__).parent

DETAILS = {
    "--across": "../howto/documents.md#across-documents",
    "--also-key": "../howto/several-keys.md",
    "--anaphors": "../understand/matching.md#layers",
    "--bad-documents": "formats.md#documents-with-errors",
    "--by": "../understand/breakdown.md",
    "--clusters-field": "formats.md#json-lines",
    "--combine-keys": "../howto/several-keys.md#mean-or-best",
    "--confidence": "../understand/uncertainty.md",
    "--convention": "../understand/metrics.md#accommodated-sets",
    "--distance": "../howto/agreement.md#choosing-a-distance",
    "--docs": "../howto/documents.md#only-documents-with-split-antecedents",
    "--format": "formats.md",
    "--heads": "../understand/matching.md#heads-by-the-tree-of-the-key",
    "--human": "../howto/several-keys.md#the-human-ceiling",
    "--layers": "../understand/matching.md#layers",
    "--match": "../understand/matching.md",
    "--metrics": "../understand/metrics.md",
    "--output": "output.md",
    "--paired": "../understand/uncertainty.md",
    "--repair": "../howto/llm.md#repair",
    "--repeated-mentions": "../understand/metrics.md#mentions-in-several-entities",
    "--task": "../understand/matching.md#shared-tasks",
    "--type": "errors.md",
    "--variants": "../howto/suite.md#variants",
    "--window": "../howto/documents.md#windows-of-long-documents",
    "--word-column": "formats.md#conll-2012",
    "--words": "../howto/documents.md#words-that-differ",
    "--zero-match": "../understand/matching.md",
}
"""Pages about options, as links from the reference."""

MAX_CHOICES = 50
"""Maximum length of the choices of an option that stand beside its name."""

SAMPLES: dict[str, Any] = {
    "task": "crac24",
    "layers": ("identity", "bridging"),
    "anaphors": "zero",
    "lea_importance": 10,
    "across": "all",
    "window": 1500,
    "by": ("length",),
}
"""Values of settings that have no list of choices, for examples of signatures."""


def commands() -> str:
    """Return a section for each command: its description, usage, arguments and options."""
    return "\n\n".join(_command(name, command) for name, command in _subparsers().items())


def _subparsers() -> dict[str, argparse.ArgumentParser]:
    (action,) = (
        action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)
    )
    return dict(action.choices)


def _command(name: str, command: argparse.ArgumentParser) -> str:
    parts = [f"## anascore {name}", _escape(command.description or "")]
    positional = [action for action in command._actions if not action.option_strings]
    words = [f"anascore {name}", *map(_usage, positional)]
    options = "" if len(positional) + 1 == len(command._actions) else " [options]"
    parts.append(f"```text\n{' '.join(words)}{options}\n```")
    for group in command._action_groups:
        actions = [action for action in group._group_actions if action.dest != "help"]
        if actions:
            title = "arguments" if actions[0] in positional else group.title
            parts.append(f"**{(title or '').capitalize()}**")
            parts.append(_table(command, actions))
    return "\n\n".join(parts)


def _usage(action: argparse.Action) -> str:
    name = action.metavar
    return f"{name} [{name} ...]" if action.nargs == "+" else str(name)


def _table(command: argparse.ArgumentParser, actions: list[argparse.Action]) -> str:
    formatter = command._get_formatter()
    rows = ["| name | meaning |", "| --- | --- |"]
    for action in actions:
        text = _escape(formatter._expand_help(action)) + _long_choices(action)
        details = [DETAILS[option] for option in action.option_strings if option in DETAILS]
        more = f" ([details]({details[0]}))" if details else ""
        required = " (required)" if action.option_strings and action.required else ""
        rows.append(f"| {_names(action)}{required} | {text}{more} |")
    return "\n".join(rows)


def _names(action: argparse.Action) -> str:
    """Return the names of an option with its values, or the name of an argument."""
    if not action.option_strings:
        return f"`{action.metavar}`"
    if action.nargs == 0:
        value = ""
    elif _long_choices(action):
        value = " NAME"
    elif action.metavar is None and action.choices is not None:
        value = f" {{{','.join(map(str, action.choices))}}}"
    else:
        value = f" {action.metavar}"
    return ", ".join(f"`{option}{value}`" for option in action.option_strings)


def _long_choices(action: argparse.Action) -> str:
    """Return the choices of an option for its description, if they are too many for its name."""
    choices = list(map(str, action.choices or ()))
    if action.metavar is not None or len(",".join(choices)) <= MAX_CHOICES:
        return ""
    return f"; one of {', '.join(f'`{choice}`' for choice in choices)}"


def _escape(text: str) -> str:
    """Escape the characters of a help text that Markdown would take for markup."""
    text = re.sub(r"(?<![\w`-])(--[a-z][a-z-]*|-o)(?![\w`-])", r"`\1`", text)
    return re.sub(r"([|<>*_^\[\]])", r"\\\1", text)


def settings() -> str:
    """Return the table of settings: Python name, option, default, signature and meaning."""
    options = {
        action.dest: action.option_strings[0]
        for action in _subparsers()["score"]._actions
        if action.option_strings and action.option_strings[0] != "--layer"
    }
    rows = [
        "| setting | option | default | in the signature | meaning |",
        "| --- | --- | --- | --- | --- |",
    ]
    for setting in fields(Settings):
        option = options[setting.name]
        shown = ", ".join(f"`{part}`" for part in signature_parts(setting.name)) or "-"
        rows.append(
            f"| `{setting.name}` | `{option}` | `{setting.default!r}` | {shown} "
            f"| {_escape(setting_text(setting))} |"
        )
    return "\n".join(rows)


def signature_parts(name: str) -> Iterator[str]:
    """Yield the part of the signature that each value of a setting gives, the default first."""
    default = Settings()
    values = CHOICES.get(name, (getattr(default, name), SAMPLES.get(name)))
    for value in sorted(values, key=lambda value: value != getattr(default, name)):
        yield from _differences(name, value)


def _differences(name: str, value: Any) -> list[str]:
    """Return the parts of a signature that another value of the setting would not give."""
    free = {"split": False} if name == "singletons" else {}
    others = CHOICES.get(name, (getattr(Settings(), name), SAMPLES.get(name)))
    other = next(choice for choice in others if choice != value)
    documents = DocumentNumbers(scored=7)
    own = Settings(**{**free, name: value}).signature(("ua",), ("ua",), documents, "x")
    rest = Settings(**{**free, name: other}).signature(("ua",), ("ua",), documents, "x")
    return [part for part in own.split("|") if part not in rest.split("|")]


def agreement() -> str:
    """Return the numbers of test cases and scores of the published scorers that tests compare."""
    rows = [
        "| test suite of | cases | values | largest difference |",
        "| --- | ---: | ---: | ---: |",
    ]
    for path in sorted((DOCS.parent / "tests" / "cases").glob("*_*.toml")):
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        values = sum(
            len(scores)
            for case in table["case"]
            for name, scores in [*case.items(), *case.get("split_only", {}).items()]
            if name in LABELS
        )
        rows.append(f"| {table['scorer']} | {len(table['case'])} | {values} | 0 |")
    return "\n".join(rows)


def json_outputs() -> str:
    """Return a section for the output of each command, and for each structure in any of them."""
    parts: list[str] = []
    structures: dict[str, Any] = {}
    for name in STRUCTURES:
        schema = json_schema(name)
        structures |= schema["$defs"]
        parts += [f"## {schema['title'].removeprefix('Output of ')}", _keys(schema)]
    parts.append("## Structures")
    for name, structure in sorted(structures.items()):
        shown = _keys(structure) if "properties" in structure else _list(structure)
        parts += [f"### {name}", _escape(structure.get("description", "")), shown]
    return "\n\n".join(filter(None, parts))


def _keys(structure: Mapping[str, Any]) -> str:
    """Return the table of the keys of an object."""
    rows = ["| key | value | meaning |", "| --- | --- | --- |"]
    for name, schema in structure["properties"].items():
        optional = "" if name in structure["required"] else ", optional"
        meaning = _escape(schema.get("description", ""))
        rows.append(f"| `{name}` | {_value(schema)}{optional} | {meaning} |")
    return "\n".join(rows)


def _list(structure: Mapping[str, Any]) -> str:
    """Return a description of the items of a list."""
    items = ", ".join(map(_value, structure["prefixItems"]))
    return f"A list of {len(structure['prefixItems'])} values: {items}."


VALUES = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "`true` or `false`",
    "null": "`null`",
}
"""Descriptions of types of JSON."""

MAX_NAMES = 8
"""Maximum number of values of an enumeration that a page lists; the schema has all."""


def _value(schema: Mapping[str, Any]) -> str:
    """Return a description of the values that a schema allows."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(map(_value, schema["anyOf"]))
    if "enum" in schema:
        names = schema["enum"]
        more = ", …" if len(names) > MAX_NAMES else ""
        return f"{', '.join(f'`{json.dumps(name)}`' for name in names[:MAX_NAMES])}{more}"
    if schema["type"] == "array":
        items = _value(schema["items"] or schema["prefixItems"][0])
        return f"list of {items}"
    if schema["type"] == "object":
        return f"{_value(schema['additionalProperties'])} by name"
    return VALUES[schema["type"]]


BLOCKS: dict[str, Callable[[], str]] = {
    "agreement": agreement,
    "commands": commands,
    "json": json_outputs,
    "settings": settings,
}
"""Tables by the names that the marks in pages have."""

BLOCK = re.compile(r"(<!-- (\w+), by python -m docs -->\n).*?(<!-- end -->)", re.DOTALL)
"""A table in a page, between marks."""


def fill(page: str) -> str:
    """Return a page with all tables between marks made anew."""
    return BLOCK.sub(lambda match: f"{match[1]}\n{BLOCKS[match[2]]()}\n\n{match[3]}", page)


def pages() -> Iterator[Path]:
    """Yield the pages with tables that are made from the code."""
    for path in [DOCS.parent / "README.md", *sorted(DOCS.rglob("*.md"))]:
        if "_build" not in path.parts and BLOCK.search(path.read_text(encoding="utf-8")):
            yield path
