"""The published scorers: where they are, which version, and how each is run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import which
from typing import Any, NamedTuple, TypeAlias

Pair: TypeAlias = tuple[Path, Path]
"""Files of the key and the response."""

PeerScores: TypeAlias = dict[str, list[float]]
"""Recall, precision and, unless it is rounded, F1 by metric."""

DRIVER = Path(__file__).with_name("driver.py")


class Peer(NamedTuple):
    """A published scorer."""

    label: str
    repository: str
    """Owner and name on GitHub; the name is that of the folder."""

    @property
    def folder(self) -> str:
        """Name of the folder of a clone."""
        return self.repository.partition("/")[2]


PEERS = {
    "conll": Peer("CoNLL reference scorer", "conll/reference-coreference-scorers"),
    "coval": Peer("coval", "ns-moosavi/coval"),
    "ua": Peer("UA scorer 1.0", "juntaoy/universal-anaphora-scorer"),
    "corefud": Peer("CorefUD scorer, UA scorer 2.0", "ufal/corefud-scorer"),
    "scorch": Peer("scorch", "LoicGrobol/scorch"),
}


def is_at_hand(name: str, peers: Path) -> bool:
    """Return True if a folder has a clone of a peer, and this machine has what it needs."""
    return (peers / PEERS[name].folder).is_dir() and (name != "conll" or which("perl") is not None)


def version_of(folder: Path) -> str:
    """Return the commit of a clone and its date, with the last tag if there is one."""
    words = {
        name: subprocess.run(
            ["git", "-C", str(folder), *command], capture_output=True, text=True, check=False
        ).stdout.strip()
        for name, command in (
            ("tag", ["describe", "--tags", "--abbrev=0"]),
            ("commit", ["log", "-1", "--format=%h of %cs"]),
        )
    }
    return ", ".join(filter(None, words.values())) or "unknown"


def run_peer(
    name: str, folder: Path, pairs: Sequence[Pair], options: Mapping[str, Any]
) -> list[PeerScores | None]:
    """Score pairs of files with a peer; None for a pair that it cannot score.

    Raise RuntimeError with the last line of its output if it fails.
    """
    if name == "conll":
        return [read_perl(perl_output(folder, pair)) for pair in pairs]
    task = {"pairs": [[str(path) for path in pair] for pair in pairs], "options": dict(options)}
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, str(DRIVER), name],
        input=json.dumps(task),
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr.strip().rpartition("\n")[2])
    scores: list[PeerScores | None] = json.loads(done.stdout)
    return scores


PERL_NAMES = {"muc": "muc", "bcub": "b3", "ceafm": "ceafm", "ceafe": "ceafe", "blanc": "blanc"}
_METRIC = re.compile(
    r"^METRIC (\w+):$.*?^(?:Coreference|BLANC): (Recall:.*?)$", re.MULTILINE | re.DOTALL
)
_FRACTION = re.compile(r"\(([\d.e-]+) / ([\d.e-]+)\)")


def perl_output(folder: Path, pair: Pair) -> str:
    """Return the output of the Perl scorer; empty if it refuses to score."""
    command = ["perl", str(folder / "scorer.pl"), "all", *map(str, pair), "none"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode else done.stdout


def read_perl(text: str) -> PeerScores | None:
    """Return recall and precision of each metric, from fractions: per cents are cut."""
    scores = {}
    for name, line in _METRIC.findall(text):
        fractions = [(float(part), float(whole)) for part, whole in _FRACTION.findall(line)]
        scores[PERL_NAMES[name]] = [part / whole if whole else 0.0 for part, whole in fractions]
    return scores or None


def printed_f1(text: str) -> dict[str, str]:
    """Return the F1 of each metric as the Perl scorer prints it."""
    return {
        PERL_NAMES[name]: f"{float(line.rpartition('F1: ')[2].rstrip('%')):.2f}"
        for name, line in _METRIC.findall(text)
    }
