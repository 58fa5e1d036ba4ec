"""`anascore baseline`: a response with accommodated sets that no system has found."""

from __future__ import annotations

import argparse

from anascore.baselines import METHODS, PRONOUNS, SEEDS, add_sets, check_choices
from anascore.commands.options import (
    FILE,
    TARGET,
    add_clusters_field,
    add_format,
    add_target_format,
    check_standard_input,
)
from anascore.commands.outcome import Outcome
from anascore.commands.written import written
from anascore.conversion import format_for
from anascore.errors import SettingsError
from anascore.formats import read
from anascore.formats.registry import FORMATS

DESCRIPTION = (
    "Add accommodated sets to a response that has single antecedents only, as the baselines of "
    "the paper do. Plural pronouns that begin an entity get a set of singular entities before "
    "them: two to five at random (random), or the nearest N (recent-N). oracle takes the sets of "
    "the key, and single adds none."
)


def describe(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    command.add_argument(
        "key",
        metavar="KEY",
        help=f"the key: {FILE}; only oracle opens it, and for other methods it need not exist",
    )
    command.add_argument("single", metavar="SINGLE", help="the response, likewise")
    command.add_argument("-o", dest="target", metavar="OUT", required=True, help=TARGET)
    command.add_argument("--method", metavar="NAME", required=True, help=METHODS)
    command.add_argument(
        "--seed",
        type=_seed,
        default=0,
        metavar="S",
        help="what random starts from, a whole number from 0 up (default: %(default)s)",
    )
    command.add_argument(
        "--pronouns",
        default=", ".join(PRONOUNS),
        metavar="WORDS",
        help="the plural pronouns, with commas between (default: %(default)s)",
    )
    add_target_format(command, "; else the format of SINGLE")
    add_format(command, "--format", "the format of SINGLE (default: as recognised)")
    add_format(command, "--key-format", "the format of KEY (default: as recognised)")
    add_clusters_field(command, "of SINGLE")


def _seed(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        message = f"seed is {text!r}; {SEEDS}"
        raise SettingsError(message) from None


def run(options: argparse.Namespace) -> Outcome:
    """Add sets to the response that was named."""
    pronouns = [word.strip() for word in options.pronouns.split(",")]
    check_choices(options.method, options.seed, pronouns)
    key = None
    if options.method == "oracle":
        check_standard_input([options.key, options.single])
        key = read(options.key, options.key_format)
    single = read(options.single, options.format, clusters_field=options.clusters_field)
    name = format_for(options.target, options.to, single.format)
    if options.method != "single" and FORMATS[name].holds.sets == "no":
        message = (
            f"{FORMATS[name].label} cannot hold accommodated sets, which {options.method} adds; "
            f"name another format with --to, or by the ending of OUT"
        )
        raise SettingsError(message)
    corpus = add_sets(single, options.method, seed=options.seed, pronouns=pronouns, key=key)
    return written(corpus, options.single, options.target, name)
