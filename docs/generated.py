"""Files of the documentation that come from the code."""

from pathlib import Path

from anascore.output.json.schema import STRUCTURES, json_schema
from anascore.output.json.text import to_json
from docs.pictures import PICTURES
from docs.tables import DOCS, fill, pages


def files() -> dict[Path, str]:
    """Return the texts of generated files: pages with tables, JSON Schemas, and pictures."""
    schemas = DOCS / "reference" / "schema"
    return {
        **{page: fill(page.read_text(encoding="utf-8")) for page in pages()},
        **{schemas / f"{name}.json": to_json(json_schema(name)) for name in STRUCTURES},
        **{DOCS / "images" / f"{name}.svg": draw() for name, draw in PICTURES.items()},
    }
