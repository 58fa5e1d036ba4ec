"""`anascore tasks`: the shared tasks and their settings."""

from __future__ import annotations

import argparse
import json
from dataclasses import fields
from typing import Any

from anascore.commands.options import add_output
from anascore.commands.outcome import Outcome
from anascore.settings import Settings
from anascore.tasks import FREE, TASKS, Task

DESCRIPTION = "List the shared tasks that `anascore score --task` knows, with all their settings."


def describe(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    add_output(command, ("table", "json"))


def run(options: argparse.Namespace) -> Outcome:
    """List the tasks."""
    described = {name: describe_task(task) for name, task in TASKS.items()}
    if options.output == "json":
        return Outcome(json.dumps({"tasks": described}, ensure_ascii=False, indent=2) + "\n")
    blocks = []
    for name, task in described.items():
        lines = [f"{name}: {task['label']}"]
        lines += [
            f"  {setting:15}{_shown(value)}"
            for setting, value in task.items()
            if setting != "label"
        ]
        blocks.append("\n".join(lines))
    return Outcome("\n\n".join(blocks) + "\n")


def describe_task(task: Task) -> dict[str, Any]:
    """Return all that a task sets, by the names of settings."""
    settings = {
        field.name: getattr(task.settings, field.name)
        for field in fields(Settings)
        if field.name not in {*FREE, "task"}
    }
    return {"label": task.label, "format": task.format, "metrics": task.metrics, **settings}


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) if isinstance(value, tuple) else str(value) or "-"
