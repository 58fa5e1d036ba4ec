"""The recipes for loggers in docs/howto/logging.md, run with the real packages if installed."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from support.code_blocks import Page, blocks_of
from support.paths import ROOT

PAGE = (ROOT / "docs/howto/logging.md").read_text(encoding="utf-8")
BLOCKS = [block.code for block in blocks_of(PAGE) if block.language == "python"]

GOLD = {"a": [[(0, 0), (4, 5)], [(2, 2), (7, 7)]], "b": [[(1, 1), (3, 3)]]}
PREDICTED = {"a": [[(0, 0), (4, 5), (7, 7)]], "b": [[(1, 1), (3, 3)]]}

pytestmark = pytest.mark.filterwarnings("ignore")  # those of other packages


def needs(package: str) -> None:
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed")


def run_recipe(package: str, **names: Any) -> dict[str, Any]:
    """Execute the block that imports a package, with names of the reader's program."""
    needs(package)
    (code,) = (code for code in BLOCKS if f"import {package}" in code or f"from {package}" in code)
    exec(compile(code, package, "exec"), names)
    return names


def predict(_: int) -> dict[str, tuple[Any, Any]]:
    return {name: (gold, PREDICTED[name]) for name, gold in GOLD.items()}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return tmp_path


def scorer() -> Any:
    return import_module("anascore").Scorer(metrics="muc,conll")


def test_every_recipe_is_run() -> None:
    recipes = [code for code in BLOCKS if ">>>" not in code]

    assert [code.split(maxsplit=2)[1].partition(".")[0] for code in recipes] == [
        *("wandb", "torch", "lightning", "transformers"),
    ]


def test_wandb(folder: Path) -> None:
    names = run_recipe("wandb", scorer=scorer(), predict=predict)

    (log,) = folder.glob("wandb/offline-run-*/*.wandb")
    assert log.stat().st_size > 0
    assert names["result"]["muc"].recall == 2 / 3


def test_tensorboard(folder: Path) -> None:
    needs("tensorboard")
    run_recipe("torch", scorer=scorer(), predict=predict)
    reader = import_module("tensorboard.backend.event_processing.event_accumulator")
    events = reader.EventAccumulator(str(folder / "runs"))
    events.Reload()

    assert [event.step for event in events.Scalars("dev/conll_f1")] == [*range(10)]
    assert events.Scalars("dev/muc_recall")[0].value == pytest.approx(200 / 3)


def test_lightning(capsys: pytest.CaptureFixture[str]) -> None:
    names = run_recipe("lightning")
    resolver = names["Resolver"]()
    resolver.predict = lambda gold: PREDICTED["a" if len(gold) == 2 else "b"]
    trainer = names["lightning"].Trainer(
        accelerator="cpu", logger=False, enable_progress_bar=False, enable_model_summary=False
    )

    documents = [{name: gold} for name, gold in GOLD.items()]
    loader = import_module("torch.utils.data").DataLoader(documents, batch_size=None)

    (logged,) = trainer.validate(resolver, loader)

    assert logged["dev/muc_recall"] == pytest.approx(200 / 3)
    assert "CoNLL" in capsys.readouterr().out


def test_trainer() -> None:
    needs("transformers")
    torch = import_module("torch")

    class Model(torch.nn.Module):  # type: ignore[name-defined, misc]
        """A model that predicts the labels."""

        def __init__(self) -> None:
            super().__init__()
            self.weight = torch.nn.Parameter(torch.ones(1))

        def forward(self, labels: Any) -> dict[str, Any]:
            return {"loss": self.weight.sum(), "logits": labels}

    examples = [
        {"labels": torch.tensor([0, 0, 2, 1, 2])},
        {"labels": torch.tensor([0, 1, 0, 3, 4])},
    ]
    page = Page(PAGE, "logging.md")
    page.execute()
    names = run_recipe(
        "transformers",
        model=Model(),
        train=examples,
        development=examples,
        compute_metrics=page.names["compute_metrics"],
    )

    logged = [entry for entry in names["trainer"].state.log_history if "eval_conll_f1" in entry]
    assert [entry["eval_conll_f1"] for entry in logged] == [1, 1, 1]
