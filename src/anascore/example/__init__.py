"""The worked example of section 5 of the paper: a key and the systems A, B, C and D.

Takes nothing; gives the paths of its files, or copies of them.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from anascore.errors import WriteError

_FOLDER = Path(__file__).parent
KEY = _FOLDER / "key.conllua"
SYSTEMS = tuple(_FOLDER / f"system-{letter}.conllua" for letter in "ABCD")


def copy_example(folder: str) -> list[str]:
    """Write the files of the example into a folder, all or none, and return their paths."""
    if not folder:
        raise WriteError("''", "this is not the name of a folder")
    files = {source: Path(folder) / source.name for source in (KEY, *SYSTEMS)}
    written: list[Path] = []
    try:
        for target in files.values():
            if target.exists():
                raise WriteError(str(target), "this file exists already; name another folder")
        Path(folder).mkdir(parents=True, exist_ok=True)
        for source, target in files.items():
            written.append(target)
            shutil.copyfile(source, target)
    except OSError as error:
        for target in written:
            target.unlink(missing_ok=True)
        raise WriteError(folder, f"the example cannot be written there: {error.strerror}") from None
    return [str(target) for target in files.values()]
