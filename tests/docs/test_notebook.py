"""The notebook and the programs of the documentation, executed."""

import ast
import contextlib
import io
import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from support.paths import ROOT

DOCS = ROOT / "docs"


def run_cell(source: str, names: dict[str, Any]) -> dict[str, str]:
    """Run a cell like Jupyter; return what it prints, and the text of its last expression."""
    *statements, last = ast.parse(source).body
    printed = io.StringIO()
    shown: dict[str, str] = {}
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(statements, []), "cell", "exec"), names)
        if not isinstance(last, ast.Expr):
            exec(compile(ast.Module([last], []), "cell", "exec"), names)
        elif (
            value := eval(compile(ast.Expression(last.value), "cell", "eval"), names)
        ) is not None:
            shown["text/plain"] = repr(value)
            if hasattr(value, "_repr_html_"):
                shown["text/html"] = value._repr_html_()
    return {**shown, **({"stdout": printed.getvalue()} if printed.getvalue() else {})}


def saved_outputs(cell: dict[str, Any]) -> dict[str, str]:
    """Return the outputs of a cell in the file."""
    outputs = {}
    for output in cell["outputs"]:
        assert output["output_type"] in {"execute_result", "stream"}
        parts = output["data"] if "data" in output else {"stdout": output["text"]}
        outputs.update({kind: "".join(text) for kind, text in parts.items()})
    return outputs


def test_the_notebook_shows_what_its_cells_return(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pandas")
    notebook = json.loads((DOCS / "notebook.ipynb").read_text(encoding="utf-8"))
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) == 8

    for cell in cells:
        source = "".join(cell["source"])
        outputs, saved = run_cell(source, names), saved_outputs(cell)
        assert outputs.keys() == saved.keys(), source
        for kind in {"text/html", "stdout"} & saved.keys():
            # pandas changes its tables from version to version.
            assert "frame" in source or outputs[kind] == saved[kind], source
    assert len(json.dumps(notebook)) < 60_000


def test_the_training_loop_stops_and_analyses_its_checkpoints(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(DOCS / "examples" / "training_loop.py"), run_name="__main__")

    printed = capsys.readouterr().out
    scores = [float(score) for score in re.findall(r"(?m)^epoch \d: CoNLL ([\d.]+)", printed)]
    assert f"best epoch: {len(scores) - 2}\n" in printed
    assert max(scores) == scores[-3] > scores[0] + 20
    changes = [float(change) for change in re.findall(r"(?m)^  doc-\d+ (-[\d.]+)$", printed)]
    assert len(changes) == 10
    assert changes == sorted(changes)
    assert re.search(r"(?m)^  conflated-entity: \d+, \d+$", printed)
    report = (tmp_path / "checkpoints.html").read_text(encoding="utf-8")
    assert all(name in report for name in ("before", "best", "doc-43"))
    assert printed.splitlines()[-1].startswith("wrote checkpoints.html; anascore:")
