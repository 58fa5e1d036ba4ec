"""Write what comes from the code: tables, JSON Schemas. `python -m docs`, or `make pages`."""

from anascore import json_schema
from anascore.output.data import to_json
from anascore.output.schema import SCHEMAS
from docs.tables import DOCS, fill, pages

for path in pages():
    path.write_text(fill(path.read_text(encoding="utf-8")), encoding="utf-8")
for name in SCHEMAS:
    path = DOCS / "reference" / "schema" / f"{name}.json"
    path.write_text(to_json(json_schema(name)), encoding="utf-8")
