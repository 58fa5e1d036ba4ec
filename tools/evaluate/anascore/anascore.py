"""Metric of Hugging Face evaluate: coreference scores of anascore, document by document."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import datasets
import evaluate

from anascore import score_clusters

_DESCRIPTION = """\
Scores of coreference resolution: MUC, B3, CEAF, LEA, BLANC, the CoNLL score and mention detection.
Each item is a document. Mentions of different documents are never the same mention.
"""

_KWARGS_DESCRIPTION = """\
Args:
    predictions: Documents of the response. A document is a list of clusters, a cluster a list of
        mentions, and a mention a span [start, end].
    references: Documents of the key, in the same order.
    metrics: Names of scores, as a list or with commas between them; the usual ones if omitted.
    settings: Further keywords are fields of anascore.Settings, like repeated_mentions="all".

Returns:
    Recall, precision and F1 of each score, like muc_recall, muc_precision and muc_f1. Means of F1
    have one value, like conll. A value that is undefined is nan.

Examples:
    >>> scores = evaluate.load("tools/evaluate/anascore").compute(
    ...     references=[[[[0, 0], [3, 3]]]], predictions=[[[[0, 0], [3, 3]]]], metrics="muc,conll")
    >>> scores["conll"]
    1.0
"""

_CITATION = """\
@software{anascore,
    title = {anascore: scores of anaphora and coreference resolution, split antecedents included},
    author = {{The anascore developers}},
}
"""


class Anascore(evaluate.Metric):
    """Scores of anascore over documents that are lists of clusters of spans."""

    def _info(self) -> evaluate.MetricInfo:
        document = datasets.Sequence(datasets.Sequence(datasets.Sequence(datasets.Value("int64"))))
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=datasets.Features({"predictions": document, "references": document}),
        )

    def _compute(
        self,
        predictions: Sequence[Any],
        references: Sequence[Any],
        metrics: str | Iterable[str] | None = None,
        **settings: Any,
    ) -> dict[str, float]:
        key, response = (
            {str(number): document for number, document in enumerate(documents, 1)}
            for documents in (references, predictions)
        )
        result = score_clusters(key, response, metrics=metrics, **settings).to_dict()
        (layer,) = result["systems"][0]["layers"].values()
        return {
            f"{name}_{kind}" if len(score) > 1 else name: math.nan if value is None else value
            for name, score in layer["scores"].items()
            for kind, value in score.items()
        }
