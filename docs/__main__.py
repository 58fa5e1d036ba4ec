"""Write what comes from the code: `python -m docs`, or `make pages`."""

from docs.generated import files

for path, text in files().items():
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
