"""What a user asks for: settings, or a shared task, and the scores of each layer to report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, NamedTuple, TypeAlias

from anascore.errors import SettingsError
from anascore.metrics import LABELS_OF, ON_REQUEST, choose
from anascore.settings import LayerName, Settings, is_all_layers, layers_from, settings_from
from anascore.tasks import FREE, TASKS

Reported: TypeAlias = Mapping[LayerName, tuple[str, ...]]
"""The names of the scores to report, for each layer that is scored."""


class Request(NamedTuple):
    """What is to be scored, how, and what is reported of it."""

    settings: Settings
    reported: Reported
    all_layers: bool = False
    """Whether the layers were asked for as `all`: one that a format cannot hold is empty then."""


def request(metrics: str | Iterable[str] | None = None, **choices: Any) -> Request:
    """Check what was asked for; what is not given is at its default, or as the task has it.

    >>> request(metrics="muc", layers="identity,bridging").reported["identity"]
    ('muc',)
    """
    named = None if metrics is None else choose(metrics)
    task = choices.get("task", "")
    if task != "":
        _check_against_task(task, choices, named)
        fixed = TASKS[task].settings
        choices = {**{f.name: getattr(fixed, f.name) for f in fields(fixed)}, **choices}
        named = list(TASKS[task].metrics)
    settings = settings_from(choices)
    all_layers = is_all_layers(choices.get("layers"))
    return Request(settings, reported_by(settings, named), all_layers)


def _check_against_task(task: Any, choices: dict[str, Any], metrics: list[str] | None) -> None:
    """Refuse a task that does not exist, and whatever contradicts it."""
    if not isinstance(task, str) or task not in TASKS:
        message = f"no such task: {task!r}; there are {', '.join(TASKS)}"
        raise SettingsError(message)
    for name, value in choices.items():
        given = layers_from(value) if name == "layers" else value
        fixed = getattr(TASKS[task].settings, name, given)
        if name in FREE or given == fixed or (name == "layers" and _same_layers(given, fixed)):
            continue
        message = (
            f"{shown(name, given)} contradicts the task {task}, which has {shown(name, fixed)}"
        )
        raise SettingsError(f"{message}; leave one of them out")
    if metrics is not None and set(metrics) != set(TASKS[task].metrics):
        message = (
            f"metrics {','.join(metrics)} contradict the task {task}, which has "
            f"{','.join(TASKS[task].metrics)}; leave one of them out"
        )
        raise SettingsError(message)


def _same_layers(given: Any, fixed: tuple[LayerName, ...]) -> bool:
    """Tell whether the same layers are named, in any order."""
    return isinstance(given, tuple) and sorted(map(str, given)) == sorted(fixed)


def shown(name: str, value: Any) -> str:
    """Write a setting in the words of the command line."""
    if isinstance(value, bool):
        text = "yes" if value else "no"
    else:
        text = ",".join(value) if isinstance(value, tuple) else str(value) or "none"
    return f"{name.replace('_', '-')} {text}"


def reported_by(settings: Settings, metrics: list[str] | None) -> Reported:
    """Return the scores to report of each layer: those that are named, or all if none is.

    The anaphors of a class are reported whenever there is a class.
    """
    named = set(metrics or ())
    for name in named:
        having = [layer for layer, labels in LABELS_OF.items() if name in labels]
        if not {*having} & {*settings.layers}:
            message = (
                f"{name} is a score of the layer {' or '.join(having)}, which is not asked for; "
                f"name it with --layers (in Python layers=...)"
            )
            raise SettingsError(message)
    if "anaphors" in named and not settings.anaphors:
        message = (
            "which anaphors are to be scored? name a class with --anaphors (in Python "
            "anaphors=...), like zero, pronoun or UPOS=PRON"
        )
        raise SettingsError(message)
    reported = {}
    for layer in settings.layers:
        usual = [name for name in LABELS_OF[layer] if name not in ON_REQUEST]
        chosen = [name for name in LABELS_OF[layer] if name in named]
        if settings.anaphors and "anaphors" in LABELS_OF[layer] and "anaphors" not in chosen:
            usual.append("anaphors")
            chosen += ["anaphors"] if chosen else []
        reported[layer] = tuple(chosen or usual)
    return reported
