"""Presets of shared tasks, and requests: settings with the scores to report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from anascore.arguments import is_string
from anascore.errors import SettingsError, did_you_mean, shown
from anascore.metrics.scores import GROUPS, ON_REQUEST, SCORES, choose, scores_of
from anascore.settings import LayerName, Settings, is_all_layers, layers_from, settings_from

CONLL = ("muc", "b3", "ceafe", "conll")
TaskName: TypeAlias = Literal[
    "conll12",
    "crac18",
    "craft19",
    "codicrac-ar",
    "codicrac-br",
    "codicrac-dd",
    "crac22",
    "crac23",
    "crac24",
    "crac25",
    "crac26",
]


def check_task(task: object) -> None:
    """Raise SettingsError if no task has this name."""
    names = get_args(TaskName)
    if not (is_string(task) and task in names):
        hint = did_you_mean(task, names)
        message = f"no such task: {shown(task)}{hint}; choose from {', '.join(names)}"
        raise SettingsError(message)


FREE = ("heads", "missing", "bad_documents", "repair", "words", "by")
"""Settings that a task does not fix. They check the input or add to the output; they do not
change the score of a whole response."""


@dataclass(frozen=True, slots=True)
class Task:
    """A shared task: its metrics and settings."""

    label: str
    format: str
    """Format of the official data. Other formats can be scored as well."""

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
        repeated_mentions="all",
        zeros="drop",
    ),
    "codicrac-br": _task(
        "codicrac-br",
        "CODI-CRAC 2021 and 2022, task 2: bridging",
        "ua",
        ("bridging-anaphors", "bridging-mentions", "bridging-entities"),
        layers="bridging",
        split=False,
        repeated_mentions="all",
        zeros="drop",
    ),
    "codicrac-dd": _task(
        "codicrac-dd",
        "CODI-CRAC 2021 and 2022, task 3: discourse deixis",
        "ua",
        CONLL,
        layers="discourse-deixis",
        convention="ua",
        repeated_mentions="all",
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
    **{
        f"crac{year % 100}": _task(
            f"crac{year % 100}",
            f"CRAC {year}: multilingual coreference",
            "corefud",
            (*CONLL, "mor", "anaphors"),
            match="head",
            zero_match="dependent",
            **_CRAC,
        )
        for year in (2024, 2025, 2026)  # the published scorer is the same
    },
}
"""Shared tasks by name, in chronological order."""


def list_tasks() -> dict[str, dict[str, Any]]:
    """Return the shared tasks that can be scored, with all their settings.

    Returns:
        For each task by its name: its label, the format of its data, its metrics, and the
        settings that it fixes, by name.

    Example:
        >>> list_tasks()["crac23"]["match"]
        'head'
    """
    return {
        name: {
            "label": task.label,
            "format": task.format,
            "metrics": task.metrics,
            **{setting: getattr(task.settings, setting) for setting in fixed_settings()},
        }
        for name, task in TASKS.items()
    }


def fixed_settings() -> list[str]:
    """List the settings that a shared task fixes."""
    return [field.name for field in fields(Settings) if field.name not in {*FREE, "task"}]


Reported: TypeAlias = Mapping[LayerName, tuple[str, ...]]
"""Names of the scores to report, by layer."""


class Request(NamedTuple):
    """Settings of a run, and the scores to report."""

    settings: Settings
    reported: Reported
    all_layers: bool = False
    """True if the layers were given as `all`: a layer that a format cannot store then counts as
    empty, instead of causing an error."""


def build_request(metrics: str | Iterable[str] | None = None, **choices: Any) -> Request:
    """Build the request for these metrics and settings, completed by the task or the defaults.

    Raise SettingsError if they are invalid or contradict each other.

    >>> build_request(metrics="muc", layers="identity,bridging").reported["identity"]
    ('muc',)
    """
    names = None if metrics is None else choose(metrics)
    task = choices.get("task", "")
    if not (is_string(task) and task == ""):
        _check_against_task(task, choices, names)
        fixed = TASKS[task].settings
        choices = {**{f.name: getattr(fixed, f.name) for f in fields(fixed)}, **choices}
        names = list(TASKS[task].metrics) if names is None else names
    settings = settings_from(choices)
    _check_repeated_mentions(settings, names or ())
    all_layers = is_all_layers(choices.get("layers"))
    return Request(settings, reported_by(settings, names), all_layers)


def _check_repeated_mentions(settings: Settings, metrics: Iterable[str]) -> None:
    """Raise SettingsError if an earlier proposal is named, and mentions may be in two entities."""
    earlier = [group for group, scores in GROUPS.items() if {*scores} & {*metrics}]
    if settings.repeated_mentions == "all" and earlier:
        message = (
            f"{', '.join(earlier)} cannot be counted with --repeated-mentions all (in Python "
            'repeated_mentions="all"), which is only for MUC, B³, CEAF, LEA and BLANC; remove one '
            "of them"
        )
        raise SettingsError(message)


def _check_against_task(task: Any, choices: dict[str, Any], metrics: list[str] | None) -> None:
    """Raise SettingsError if the task does not exist, or if a setting or metric contradicts it."""
    check_task(task)
    for name, value in choices.items():
        choice = layers_from(value) if name == "layers" else value
        fixed: Any = getattr(TASKS[task].settings, name, None)
        if name in FREE or type(choice) is not type(fixed):
            # A value of another type is not valid, and refused with all others that are not.
            continue
        if choice == fixed or (name == "layers" and _same_layers(choice, fixed)):
            continue
        message = (
            f"{setting_in_words(name, choice)} contradicts the task {task}, which sets "
            f"{setting_in_words(name, fixed)}; remove one of them"
        )
        raise SettingsError(message)
    scores = TASKS[task].metrics
    if others := [name for name in metrics or () if name not in scores]:
        message = (
            f"metrics {','.join(others)} contradict the task {task}, whose scores are "
            f"{','.join(scores)}; choose among these, or remove the task"
        )
        raise SettingsError(message)


def _same_layers(layers: Any, fixed: tuple[LayerName, ...]) -> bool:
    """Compare layers, ignoring their order."""
    return isinstance(layers, tuple) and sorted(map(str, layers)) == sorted(fixed)


def setting_in_words(name: str, value: Any) -> str:
    """Write a setting and its value as text, like `singletons yes`."""
    if isinstance(value, bool):
        text = "yes" if value else "no"
    else:
        text = ",".join(map(_in_words, value)) if isinstance(value, tuple) else _in_words(value)
    return f"{name.replace('_', '-')} {text}"


def _in_words(value: object) -> str:
    return value or "none" if isinstance(value, str) and is_string(value) else shown(value)


def reported_by(settings: Settings, metrics: list[str] | None) -> Reported:
    """Choose the scores to report for each layer: the named metrics, or all if none is named.

    If the settings select a class of anaphors, its score is always reported. Of a task's scores,
    only named ones are reported, and no layer without a named score.
    """
    names = set(metrics or ())
    for name in names:
        layers = SCORES[name].layers
        if not {*layers} & {*settings.layers}:
            message = (
                f"{name} is a score of the layer {' or '.join(layers)}, which is not scored; "
                f"add it to --layers"
            )
            raise SettingsError(message)
    if "anaphors" in names and not settings.anaphors:
        message = (
            "the score anaphors needs a class of anaphors; name one with --anaphors, like zero, "
            "pronoun or UPOS=PRON"
        )
        raise SettingsError(message)
    reported = {}
    for layer in settings.layers:
        usual = [name for name in scores_of(layer) if name not in ON_REQUEST]
        chosen = [name for name in scores_of(layer) if name in names]
        if settings.task and names:
            if chosen:
                reported[layer] = tuple(chosen)
            continue
        if settings.anaphors and "anaphors" in scores_of(layer) and "anaphors" not in chosen:
            usual.append("anaphors")
            chosen += ["anaphors"] if chosen else []
        reported[layer] = tuple(chosen or usual)
    return reported
