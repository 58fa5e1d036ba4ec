"""Shared tasks with their settings; a request: settings and the scores to report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, TypeAlias

from anascore.errors import SettingsError
from anascore.metrics import ON_REQUEST, SCORES, choose, scores_of
from anascore.settings import LayerName, Settings, is_all_layers, layers_from, settings_from

CONLL = ("muc", "b3", "ceafe", "conll")
FREE = ("missing", "words", "by")
"""What a task does not fix: they check what is given, or add to what is shown, and change no score
of a whole response."""


@dataclass(frozen=True, slots=True)
class Task:
    """A shared task: what it scores and how."""

    label: str
    format: str
    """The format in which its data were given out; others serve as well."""

    metrics: tuple[str, ...]
    settings: Settings


def _task(name: str, label: str, form: str, metrics: tuple[str, ...], **choices: Any) -> Task:
    return Task(label, form, metrics, settings_from({"task": name, **choices}))


_CRAC: dict[str, Any] = {"singletons": False, "split": False, "anaphors": "zero"}

TASKS = {
    "conll12": _task(
        "conll12",
        "CoNLL-2012: coreference in OntoNotes",
        "conll2012",
        CONLL,
        singletons=False,
        split=False,
        zeros="drop",
    ),
    "crac18": _task(
        "crac18",
        "CRAC 2018: ARRAU, task 1",
        "ua",
        (*CONLL, "non-referring"),
        layers="identity,non-referring",
        split=False,
        zeros="drop",
    ),
    "craft19": _task(
        "craft19",
        "CRAFT 2019: coreference in biomedical articles",
        "ua",
        CONLL,
        match="craft",
        split=False,
        zeros="drop",
    ),
    "codicrac-ar": _task(
        "codicrac-ar",
        "CODI-CRAC 2021 and 2022, task 1: anaphora resolution",
        "ua",
        CONLL,
        convention="ua",
        zeros="drop",
    ),
    "codicrac-br": _task(
        "codicrac-br",
        "CODI-CRAC 2021 and 2022, task 2: bridging",
        "ua",
        ("bridging-anaphors", "bridging-mentions", "bridging-entities"),
        layers="bridging",
        split=False,
        zeros="drop",
    ),
    "codicrac-dd": _task(
        "codicrac-dd",
        "CODI-CRAC 2021 and 2022, task 3: discourse deixis",
        "ua",
        CONLL,
        layers="discourse-deixis",
        convention="ua",
        zeros="drop",
    ),
    "crac22": _task(
        "crac22",
        "CRAC 2022: multilingual coreference",
        "corefud",
        (*CONLL, "mor", "anaphors"),
        match="partial",
        **_CRAC,
    ),
    "crac23": _task(
        "crac23",
        "CRAC 2023: multilingual coreference",
        "corefud",
        (*CONLL, "mor", "anaphors"),
        match="head",
        **_CRAC,
    ),
    "crac24": _task(
        "crac24",
        "CRAC 2024 and later: multilingual coreference",
        "corefud",
        (*CONLL, "mor", "anaphors"),
        match="head",
        zero_match="dependent",
        **_CRAC,
    ),
}
"""The shared tasks by name, in the order of their years."""


Reported: TypeAlias = Mapping[LayerName, tuple[str, ...]]
"""The names of the scores to report, for each layer that is scored."""


class Request(NamedTuple):
    """What is to be scored, how, and what is reported of it."""

    settings: Settings
    reported: Reported
    all_layers: bool = False
    """Whether the layers were asked for as `all`: one that a format cannot hold is empty then."""


def build_request(metrics: str | Iterable[str] | None = None, **choices: Any) -> Request:
    """Check what was asked for; what is not given is at its default, or as the task has it.

    >>> build_request(metrics="muc", layers="identity,bridging").reported["identity"]
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
        having = SCORES[name].layers
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
        usual = [name for name in scores_of(layer) if name not in ON_REQUEST]
        chosen = [name for name in scores_of(layer) if name in named]
        if settings.anaphors and "anaphors" in scores_of(layer) and "anaphors" not in chosen:
            usual.append("anaphors")
            chosen += ["anaphors"] if chosen else []
        reported[layer] = tuple(chosen or usual)
    return reported
