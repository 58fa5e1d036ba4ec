"""Test data that is not part of the repository; tests that need it skip where it is absent."""

import json
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).parents[2] / "shared"
CONFORMANCE = SHARED / "conformance"
CORPORA = SHARED / "corpora"

needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="needs the folder ../shared, which is not part of the repository"
)


def conformance_cases() -> list[Any]:
    """Return the cases of the public test suites, or none where they are absent."""
    path = CONFORMANCE / "cases.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def corpus_expectations() -> list[Any]:
    """Return what the published scorers print for the corpora, or nothing where it is absent."""
    path = CORPORA / "expected.json"
    return list(json.loads(path.read_text())) if path.exists() else []
