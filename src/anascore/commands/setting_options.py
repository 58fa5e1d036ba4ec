"""The options that become Settings."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from dataclasses import fields
from typing import Any

from anascore.settings import BREAKDOWNS, CHOICES, LAYER_NAMES, Settings
from anascore.tasks import TASKS


def settings_of(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that were given."""
    given = vars(options)
    return {field.name: given[field.name] for field in fields(Settings) if field.name in given}


def add_settings(group: argparse._ArgumentGroup, without: Collection[str] = ()) -> None:
    """Describe the options that become Settings; those not given are left to their defaults."""
    # An empty group would break --help.
    one_or_several = group if "layers" in without else group.add_mutually_exclusive_group()

    def add(option: str, explanation: str, **details: Any) -> None:
        name = details.get("dest") or option.removeprefix("--").replace("-", "_")
        if name in without:
            return
        default = getattr(Settings(), name)
        if "action" not in details and default:
            shown = ",".join(default) if isinstance(default, tuple) else default
            explanation += f" (default: {shown})"
        to = one_or_several if name == "layers" else group
        to.add_argument(option, default=argparse.SUPPRESS, help=explanation, **details)

    add("--task", "a shared task, which sets everything; see anascore tasks", choices=TASKS)
    add(
        "--layer",
        "the layer to score",
        dest="layers",
        choices=LAYER_NAMES,
    )
    add(
        "--layers",
        f"the layers to score, with commas between, or all: {', '.join(LAYER_NAMES)}",
        metavar="NAMES",
    )
    add(
        "--match",
        "which mentions match besides identical ones: none (exact), those within the key's that "
        "have its minimum span, those with the same head, or as in CRAFT 2019",
        choices=CHOICES["match"],
    )
    add("--zeros", "keep zeros as mentions or drop them", choices=CHOICES["zeros"])
    add(
        "--zero-match",
        "match zeros by their places, or first by their enhanced dependencies",
        choices=CHOICES["zero_match"],
    )
    add(
        "--no-singletons",
        "leave out entities of one mention; needs --no-split",
        dest="singletons",
        action="store_false",
    )
    add(
        "--no-split",
        "leave out split antecedents: an entity is its mentions alone",
        dest="split",
        action="store_false",
    )
    add(
        "--convention",
        "credit accommodated sets as in the paper, or as the published Universal Anaphora scorer "
        "does",
        choices=CHOICES["convention"],
    )
    add(
        "--lea-importance",
        "weight in LEA of an entity with an accommodated set",
        type=int,
        metavar="N",
    )
    add(
        "--anaphors",
        "score a class of anaphors by themselves: zero, pronoun, or NAME=VALUE with a column, a "
        "feature or an attribute of mentions, like UPOS=PRON",
        metavar="CLASS",
    )
    add(
        "--by",
        f"break scores down by classes of mentions, and say it again for more: "
        f"{', '.join(BREAKDOWNS)}, all of these, or NAME=PATTERN, a regular expression for the "
        f"names of documents, like genre=^([a-z]+)_",
        action="append",
        metavar="WHAT",
    )
    add(
        "--np-only",
        "leave out mentions that are verb phrases, by the parse of CoNLL-2012",
        action="store_true",
    )
    add(
        "--remove-nested",
        "leave out mentions within another mention of their entity",
        action="store_true",
    )
    add(
        "--missing",
        "whether a document that the response lacks is an error or counts as empty",
        choices=CHOICES["missing"],
    )
    add(
        "--words",
        "check that key and response have the same words, or ignore them and compare by position",
        choices=CHOICES["words"],
    )
