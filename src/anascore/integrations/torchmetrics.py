"""Metric for torchmetrics and Lightning, whose state is gathered over processes."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Unpack

import numpy as np
import torch
from torchmetrics import Metric
from torchmetrics.utilities import dim_zero_cat

from anascore.api import Metrics
from anascore.errors import MismatchError, shown
from anascore.keywords import SettingKeywords
from anascore.layers.counts import DocumentCounts
from anascore.results.result import Result, add_results
from anascore.scorer import Scored, Scorer
from anascore.settings import Settings


class CoreferenceScores(Metric):
    """Scores of documents that come in batches, in one process or several."""

    is_differentiable = False
    higher_is_better = True
    full_state_update = False

    documents: list[torch.Tensor] | torch.Tensor
    """Results as bytes: those of each update, or of all processes while they are synchronised."""

    def __init__(
        self,
        *,
        metrics: Metrics = None,
        settings: Settings | None = None,
        prefix: str = "",
        percent: bool = False,
        options: dict[str, Any] | None = None,
        **keywords: Unpack[SettingKeywords],
    ) -> None:
        """Create a metric without documents.

        Args:
            metrics: Names of scores, as a list or a comma-separated string (default: the usual
                ones).
            settings: A `Settings` object, instead of keywords for single settings.
            prefix: Beginning of the names that `compute` returns, such as "dev/".
            percent: If True, values are between 0 and 100.
            options: Options of `torchmetrics.Metric`, such as {"dist_sync_on_step": True}.
            keywords: Settings, as in `Scorer`.

        Raises:
            SettingsError: Settings are unknown or contradict each other.
        """
        super().__init__(**(options or {}))
        self.scorer = Scorer(metrics=metrics, settings=settings, **keywords)
        self.prefix = prefix
        self.percent = percent
        self.result: Result | None = None
        """The result of the last `compute`, over all processes."""

        self.add_state("documents", default=[], dist_reduce_fx="cat")
        self._begin()

    def update(self, preds: Scored, target: Scored, name: str | None = None) -> None:
        """Score one or more documents.

        Args:
            preds: Predicted clusters of a document; or of several, as a dictionary by name.
            target: Gold clusters likewise.
            name: Name of the document, if it is a list of clusters. The default is a unique name.

        Raises:
            AnascoreError: See `Scorer.update`.
        """
        self.scorer.reset()
        self.scorer.update(target, preds, name)
        self._add(pickle.dumps(self.scorer.result()))

    def compute(self) -> dict[str, torch.Tensor]:
        """Return recall, precision and F1 of all scores by name; undefined values are nan.

        A document that several processes scored, such as one with which a sampler fills up the last
        batch, counts once.

        Raises:
            MismatchError: No document has been scored, or one of them twice with different results.
        """
        scored = [*self._scored()]
        if not scored:
            message = "no document has been scored yet; call update first"
            raise MismatchError(message)
        self.result = _add_once(scored)
        values = self.result.flat(self.prefix, percent=self.percent, undefined=float("nan"))
        return {name: torch.tensor(value, device=self.device) for name, value in values.items()}

    def reset(self) -> None:
        """Forget all documents."""
        super().reset()
        self._begin()

    def _begin(self) -> None:
        """Add nothing as bytes, so that a process without documents takes part in gathering."""
        self._add(b"")

    def _add(self, data: bytes) -> None:
        array = np.frombuffer(data, np.uint8).copy()
        self.documents.append(torch.from_numpy(array).to(self.device))

    def _scored(self) -> Iterator[Result]:
        """Yield the results of all updates."""
        data = io.BytesIO(dim_zero_cat(self.documents).cpu().numpy().tobytes())
        size = len(data.getbuffer())
        while data.tell() < size:
            yield pickle.load(data)  # noqa: S301  written by this metric


def _add_once(results: list[Result]) -> Result:
    """Add results up; a document that several of them have counts once."""
    counted: dict[str, DocumentCounts] = {}
    parts = []
    for result in results:
        for name, counts in result.counted.items():
            if counted.get(name, counts) != counts:
                message = f"the document {shown(name)} was scored twice, with different results"
                raise MismatchError(message)
        added = {name: c for name, c in result.counted.items() if name not in counted}
        counted |= added
        parts.append(replace(result, counted=added))
    return add_results(parts)
