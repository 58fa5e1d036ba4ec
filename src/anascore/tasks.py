"""The shared tasks, each with all its settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from anascore.settings import Settings, settings_from

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
