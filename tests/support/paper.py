"""The worked example of section 5 of the paper: a key and the systems A, B, C and D."""

from pathlib import Path

FOLDER = Path(__file__).parent / "paper_files"
KEY = FOLDER / "key.conllua"
SYSTEMS = tuple(FOLDER / f"system-{letter}.conllua" for letter in "ABCD")
