"""What is computed for a document is computed once, whatever a command shows of it."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from anascore.cli.main import main
from anascore.entities import document
from anascore.layers import document as document_comparison
from support.paper import KEY, SYSTEMS


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count how often documents are normalised, and matched."""
    counts: Counter[str] = Counter()

    def counted(module: Any, name: str) -> None:
        function = getattr(module, name)

        def call(*arguments: Any) -> Any:
            counts[name] += 1
            return function(*arguments)

        monkeypatch.setattr(module, name, call)

    counted(document, "normalise")
    counted(document, "all_mentions")
    counted(document_comparison, "match_mentions")
    return counts


@pytest.mark.parametrize("command", ["score", "explain", "errors", "report"])
def test_a_document_is_prepared_and_matched_once(
    command: str, calls: Counter[str], tmp_path: Path
) -> None:
    target = ["-o", str(tmp_path / "page.html")] if command == "report" else []

    assert main([command, str(KEY), str(SYSTEMS[0]), *target]) == 0

    assert calls == {"normalise": 2, "match_mentions": 1}


def test_bridging_and_non_referring_mentions_are_matched_together(calls: Counter[str]) -> None:
    assert main(["score", str(KEY), str(SYSTEMS[0]), "--layers", "all"]) == 0

    assert calls == {"normalise": 4, "all_mentions": 2, "match_mentions": 3}
