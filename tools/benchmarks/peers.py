"""Published scorers, on the same files where they can read them."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from tools.benchmarks.measured import PYTHON, Command, Failed, run
from tools.benchmarks.ratios import Pair

LIMIT = 30.0
"""After so many seconds a scorer is stopped."""


class Peers:
    """The scorers that were found, and how each of them is called."""

    def __init__(self, coval: Path | None, corefud_scorer: Path | None) -> None:
        """Take the folders of those that cannot be installed."""
        self._scripts = {
            "coval": coval and coval / "scorer.py",
            "corefud-scorer": corefud_scorer and corefud_scorer / "corefud-scorer.py",
        }
        self.missing = [
            name for name, script in self._scripts.items() if not (script and script.is_file())
        ]
        if find_spec("scorch") is None:
            self.missing.insert(0, "scorch")

    def seconds(self, files: Pair, folder: Path) -> dict[str, float | None]:
        """Time the scorers that can read these files; None if one fails or takes too long.

        scorch reads clusters in JSON of its own, which another process writes into a folder.
        """
        found: dict[str, float | None] = {}
        for name, command in self._commands(files, folder):
            try:
                found[name] = run(command, LIMIT).seconds
            except Failed:
                found[name] = None
        return found

    def _commands(self, files: Pair, folder: Path) -> Iterator[tuple[str, Command]]:
        if "scorch" not in self.missing:
            run((*PYTHON, "-m", "tools.benchmarks.scorch", str(folder), *map(str, files)))
            code = "from scorch.main import main_entry_point; main_entry_point()"
            sides = (str(folder / path.stem) for path in files)
            yield "scorch", (*PYTHON, "-c", code, *sides)
        format_of = {"coval": ".conll", "corefud-scorer": ".conllu"}
        for name, script in self._scripts.items():
            if name not in self.missing and files.key.suffix == format_of[name]:
                yield name, (*PYTHON, str(script), *map(str, files))
