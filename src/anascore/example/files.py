"""The example corpus: ten short texts with a key and the systems neural, rules and baseline.

Takes nothing; provides the paths of the files, and copies of them. Key, neural, rules and baseline
all exist in CoNLL-UA (`.conllua`), CorefUD (`.conllu`), CoNLL-2012 (`.conll`) and JSON lines
(`.jsonl`); README.md says what the formats cannot store. `make examples` writes these files.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from anascore.errors import WriteError

FOLDER = Path(__file__).parent
NAMES = ("key", "neural", "rules", "baseline")
ENDINGS = {"ua": ".conllua", "corefud": ".conllu", "conll2012": ".conll", "jsonl": ".jsonl"}
"""File endings by format; each name exists in every format."""

KEY = FOLDER / "key.conllua"
SYSTEMS = tuple(FOLDER / f"{name}.conllua" for name in NAMES[1:])
README = FOLDER / "README.md"


def copy_example(folder: str) -> list[str]:
    """Copy the example's files into a folder and return their paths.

    Raise WriteError if a file exists or cannot be written; then no file is left behind.
    """
    if not folder:
        raise WriteError("''", "a folder must have a name")
    corpora = (FOLDER / f"{name}{ending}" for ending in ENDINGS.values() for name in NAMES)
    files = {source: Path(folder) / source.name for source in (*corpora, README)}
    try:
        _copy(files)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        message = f"the example cannot be written to this folder: {reason}"
        raise WriteError(folder, message) from None
    return [str(target) for target in files.values()]


def _copy(files: Mapping[Path, Path]) -> None:
    """Copy files only to paths that do not exist yet, and remove the copies if one fails."""
    for target in files.values():
        if target.exists():
            raise WriteError(str(target), "this file already exists; choose another folder")
    written: list[Path] = []
    try:
        for source, target in files.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            written.append(target)
            shutil.copyfile(source, target)
    except BaseException:
        for target in written:
            target.unlink(missing_ok=True)
        raise
