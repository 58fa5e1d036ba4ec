"""Files that are written, read and refused."""

import io
import sys
from pathlib import Path

import pytest

import anascore
from anascore import Document, ReadError
from anascore.corpus.validate import validate_path


def put(folder: Path, name: str, content: str | bytes) -> Path:
    """Write a file, and the folders that it is in."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def refusal(path: Path, format_name: str | None = None) -> str:
    """Return the first line of the ReadError without the name of the file."""
    with pytest.raises(ReadError) as error:
        anascore.read(path, format_name)
    message, *_ = error.value.lines
    assert message.startswith(f"{path}:")
    assert "\n" not in message
    return message.removeprefix(str(path))


def all_refusals(path: Path, format_name: str | None = None) -> list[str]:
    """Return the messages of all errors in a file, in the same form."""
    return [
        f": {problem.what}" if problem.line is None else f":{problem.line}: {problem.what}"
        for validated, _ in validate_path(str(path), format_name)
        for problem in validated.problems
        if problem.severity == "error"
    ]


def standard_input(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="ascii"))


Spans = list[list[tuple[int, int]]]


def spans(document: Document) -> Spans:
    """Return first position and end of the mentions of each entity."""
    return [
        [span for mention in entity.mentions for span in mention.words]
        for entity in document.entities
    ]
