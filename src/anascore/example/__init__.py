"""The worked example of section 5 of the paper: a key and the systems A, B, C and D.

Takes nothing; gives the paths of the files, and copies of them.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from anascore.errors import WriteError

_FOLDER = Path(__file__).parent
KEY = _FOLDER / "key.conllua"
SYSTEMS = tuple(_FOLDER / f"system-{letter}.conllua" for letter in "ABCD")


def copy_example(folder: str) -> list[str]:
    """Copy the files of the example into a folder and return their paths.

    Raise WriteError if a file exists or cannot be written; no file is left behind then.
    """
    if not folder:
        raise WriteError("''", "a folder must have a name")
    files = {source: Path(folder) / source.name for source in (KEY, *SYSTEMS)}
    try:
        _copy(files)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        message = f"the example cannot be written to this folder: {reason}"
        raise WriteError(folder, message) from None
    return [str(target) for target in files.values()]


def _copy(files: Mapping[Path, Path]) -> None:
    """Copy files to new ones in a folder."""
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
