"""The metric for torchmetrics: with stand-ins, and with the real package where it is installed."""

import math
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from anascore import MismatchError, SettingsError, score_clusters
from support.torch_stand_in import modules

MODULE = "anascore.integrations.torchmetrics"
INSTALLED = find_spec("torchmetrics") is not None

GOLD = {"a": [[(0, 0), (4, 5)], [(2, 2), (7, 7)]], "b": [[(1, 1), (3, 3)]], "c": [[(0, 0), (1, 1)]]}
PREDICTED = {"a": [[(0, 0), (4, 5), (7, 7)]], "b": [[(1, 1), (3, 3)]], "c": [[(0, 0), (2, 2)]]}


@pytest.fixture
def metric_class(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return the class, made from stand-ins if torchmetrics is not installed."""
    if not INSTALLED:
        monkeypatch.delitem(sys.modules, MODULE, raising=False)
        for name, module in modules().items():
            monkeypatch.setitem(sys.modules, name, module)
    yield import_module(MODULE).CoreferenceScores
    if not INSTALLED:
        del sys.modules[MODULE]


def as_floats(scores: dict[str, Any]) -> dict[str, float]:
    return {name: float(value) for name, value in scores.items()}


def test_documents_are_added_up(metric_class: Any) -> None:
    metric = metric_class(metrics="muc,conll", prefix="dev/", percent=True)
    metric.update({"a": PREDICTED["a"], "b": PREDICTED["b"]}, {"a": GOLD["a"], "b": GOLD["b"]})
    metric.update(PREDICTED["c"], GOLD["c"], "c")

    scores = metric.compute()

    result = score_clusters(GOLD, PREDICTED, metrics="muc,conll")
    assert as_floats(scores) == pytest.approx(result.flat("dev/", percent=True), rel=1e-6)
    assert metric.result == result
    assert metric.higher_is_better


def test_reset_forgets_documents(metric_class: Any) -> None:
    metric = metric_class(metrics="muc")
    metric.update(PREDICTED["a"], GOLD["a"])
    metric.reset()
    metric.update(PREDICTED["b"], GOLD["b"])

    assert as_floats(metric.compute()) == {"muc_recall": 1, "muc_precision": 1, "muc_f1": 1}


def test_undefined_values_are_nan(metric_class: Any) -> None:
    metric = metric_class(metrics="muc")
    metric.update([], GOLD["a"])

    scores = as_floats(metric.compute())

    assert (scores["muc_recall"], scores["muc_f1"]) == (0, 0)
    assert math.isnan(scores["muc_precision"])


def test_a_document_that_is_repeated_counts_once(metric_class: Any) -> None:
    metric = metric_class(metrics="muc,conll")
    for name in "abca":
        metric.update(PREDICTED[name], GOLD[name], name)

    metric.compute()

    assert metric.result == score_clusters(GOLD, PREDICTED, metrics="muc,conll")

    metric.update(GOLD["a"], GOLD["a"], "a")
    with pytest.raises(MismatchError, match="'a' was scored twice, with different results"):
        metric.compute()


@pytest.mark.filterwarnings("ignore:The ``compute`` method")
def test_at_least_one_document(metric_class: Any) -> None:
    with pytest.raises(MismatchError, match="call update first"):
        metric_class().compute()


def test_settings(metric_class: Any) -> None:
    metric = metric_class(metrics="b3", singletons=False, split=False)
    metric.update([[(0, 0)], [(1, 1), (2, 2)]], [[(1, 1), (2, 2)]])

    assert as_floats(metric.compute()) == {"b3_recall": 1, "b3_precision": 1, "b3_f1": 1}
    with pytest.raises(SettingsError, match="no such metric: bleu"):
        metric_class(metrics="bleu")


needs_torchmetrics = pytest.mark.skipif(
    not INSTALLED, reason="torchmetrics is not installed: see make integrations"
)


@needs_torchmetrics
def test_real_torchmetrics(metric_class: Any) -> None:
    torchmetrics = import_module("torchmetrics")
    metric = metric_class(metrics="muc,conll", options={"compute_on_cpu": True})
    batches = [as_floats(metric(PREDICTED[name], GOLD[name], name)) for name in GOLD]

    assert [batch["muc_f1"] for batch in batches] == [0.5, 1, 0]
    result = score_clusters(GOLD, PREDICTED, metrics="muc,conll")
    assert as_floats(metric.compute()) == pytest.approx(result.flat(), rel=1e-6)
    collection = torchmetrics.MetricCollection({"all": metric.clone()}, prefix="x_")
    assert as_floats(collection.compute()) == pytest.approx(
        {f"x_{name}": value for name, value in result.flat().items()}, rel=1e-6
    )


def score_in_process(rank: int, folder: str) -> None:
    """Score the documents of one of three processes; the last one has none."""
    torch = import_module("torch")
    store = f"file://{folder}/store"
    torch.distributed.init_process_group("gloo", init_method=store, rank=rank, world_size=3)
    metric = import_module(MODULE).CoreferenceScores(metrics="muc,conll")
    # A sampler gives the first document to the second process again.
    for name in ("ab", "ca", "")[rank]:
        metric.update(PREDICTED[name], GOLD[name], name)
    metric.compute()
    shares = metric.result.counted, len(metric.documents)
    Path(folder, str(rank)).write_text(repr(shares), encoding="utf-8")
    torch.distributed.destroy_process_group()


@needs_torchmetrics
def test_real_processes(tmp_path: Path) -> None:
    multiprocessing = import_module("torch.multiprocessing")

    multiprocessing.spawn(score_in_process, args=(str(tmp_path),), nprocs=3)

    result = score_clusters(GOLD, PREDICTED, metrics="muc,conll")
    expected = [repr((result.counted, updates + 1)) for updates in (2, 2, 0)]
    assert [(tmp_path / str(rank)).read_text(encoding="utf-8") for rank in range(3)] == expected
