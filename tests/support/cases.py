"""The tables of cases in tests/cases, and their scores."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anascore
from anascore import Corpus, Result
from support.notation import corpora
from support.paths import ROOT


def table_of_cases(path: Path) -> list[dict[str, Any]]:
    """Read the cases of a file; what stands at its top holds for all of them."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    top = {name: value for name, value in table.items() if name != "case"}
    settings = top.pop("settings", {})
    return [
        {**top, **case, "settings": {**settings, **case.get("settings", {})}}
        for case in table["case"]
    ]


CASES = {
    f"{path.stem}: {case['name']}": case
    for path in sorted((ROOT / "tests" / "cases").glob("*.toml"))
    for case in table_of_cases(path)
}
PUBLISHED = {name: case for name, case in CASES.items() if "scorer" in case}
CORPORA = ("key", "response", "sentences", "key_deps", "response_deps")
NO_METRICS = {"name", "settings", "split_only", "scorer", "format", *CORPORA}


def corpora_of(case: Mapping[str, Any]) -> tuple[Corpus, Corpus]:
    """Make the key and the response of a case."""
    return corpora(**{name: case[name] for name in CORPORA if name in case})


def result_of(case: Mapping[str, Any]) -> Result:
    """Score a case from objects."""
    return anascore.score(*corpora_of(case), **case["settings"])
