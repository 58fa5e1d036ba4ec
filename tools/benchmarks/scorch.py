"""Files for scorch, which reads JSON of its own.

Run it as `python -m tools.benchmarks.scorch FOLDER FILE...`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from anascore import read


def write(folder: Path, path: Path) -> None:
    """Write the mentions of entities as scorch reads them, a file for each document."""
    folder.mkdir(exist_ok=True)
    for number, document in enumerate(read(path).documents.values()):
        clusters = {
            position: sorted({str(mention.place) for mention in entity.mentions})
            for position, entity in enumerate(document.entities)
        }
        text = json.dumps({"type": "clusters", "clusters": clusters})
        # It takes a name that begins like another one for the same.
        (folder / f"{number:06}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for argument in sys.argv[2:]:
        write(Path(sys.argv[1]) / Path(argument).stem, Path(argument))
