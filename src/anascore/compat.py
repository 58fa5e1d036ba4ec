"""Drop-in replacements for the evaluators that resolvers copy: names, argument order and zeros.

They take the arguments of e2e-coref, AllenNLP and coval, count with a `Scorer`, and return 0 where
a score is undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from anascore.arguments import check_choice, is_string
from anascore.errors import EntityError
from anascore.metrics.scores import MEANS, score_name
from anascore.model.document import Clusters
from anascore.model.ratio import EMPTY_RATIO, RatioPair
from anascore.scorer import Scorer

CorefInfo: TypeAlias = Sequence[Any]
"""Key clusters and system clusters of a document; what follows, as in coval, is ignored."""

CovalMetric: TypeAlias = str | Callable[..., Any]
"""The name of a metric, or the function of this name in coval."""

mentions = "mentions"
muc = "muc"
b_cubed = "b3"
ceafe = "ceafe"
ceafm = "ceafm"
lea = "lea"
COVAL_METRICS = (mentions, muc, b_cubed, ceafe, ceafm, lea)
"""Metrics for `evaluate_documents`, under the names of coval's functions."""

CONLL = MEANS["conll"]

Span: TypeAlias = tuple[int, ...]


class Evaluator:
    """One metric over all documents so far; undefined values are 0."""

    def __init__(self, metric: str, scorer: Scorer, beta: float = 1) -> None:
        """Show one metric of a scorer.

        Args:
            metric: Name of the metric, such as "muc".
            scorer: The scorer, which counts the metric.
            beta: Weight of recall in F.
        """
        self.metric = metric
        self.beta = beta
        self._scorer = scorer

    def get_counts(self) -> tuple[float, float, float, float]:
        """Return numerator and denominator of precision, and numerator and denominator of recall.

        The denominators of B³, for example, are numbers of mentions.
        """
        recall, precision = self._pair()
        counts = precision.part, precision.whole, recall.part, recall.whole
        return float(counts[0]), float(counts[1]), float(counts[2]), float(counts[3])

    def get_recall(self) -> float:
        """Return recall."""
        return float(self._pair().recall.value or 0)

    def get_precision(self) -> float:
        """Return precision."""
        return float(self._pair().precision.value or 0)

    def get_f1(self) -> float:
        """Return F1, or F with another beta."""
        return self.get_prf()[2]

    def get_prf(self) -> tuple[float, float, float]:
        """Return precision, recall and F1, in this order."""
        pair, weight = self._pair(), self.beta**2
        precision, recall = float(pair.precision.value or 0), float(pair.recall.value or 0)
        if not (precision and recall):
            return precision, recall, 0.0
        f_score = (1 + weight) * precision * recall / (weight * precision + recall)
        return precision, recall, f_score

    def _pair(self) -> RatioPair:
        if not len(self._scorer):
            return RatioPair(EMPTY_RATIO, EMPTY_RATIO)
        (pair,) = self._scorer.result().total.scores[self.metric]
        return pair


class CorefEvaluator:
    """The CoNLL score as in e2e-coref: the means of recall, precision and F1 over three metrics."""

    def __init__(self, *, singletons: bool = False) -> None:
        """Create an evaluator without documents.

        Args:
            singletons: Count clusters of one mention on both sides, or exclude them from both, as
                CoNLL-2012 does.

        Example:
            >>> evaluator = CorefEvaluator()
            >>> predicted, gold = [((0, 0), (4, 5), (7, 7))], [((0, 0), (4, 5)), ((2, 2), (7, 7))]
            >>> evaluator.update(predicted, gold)
            >>> [round(value, 4) for value in evaluator.get_prf()]
            [0.6185, 0.5083, 0.5405]
        """
        # Settings exclude split antecedents with singletons; clusters of spans have none.
        self.scorer = Scorer(metrics=(*CONLL, "conll"), singletons=singletons, split=singletons)
        self.evaluators = [Evaluator(metric, self.scorer) for metric in CONLL]

    def update(
        self,
        predicted: Clusters,
        gold: Clusters,
        mention_to_predicted: object = None,  # noqa: ARG002  an argument of e2e-coref
        mention_to_gold: object = None,  # noqa: ARG002  the same
    ) -> None:
        """Score a document, and add up the counts.

        Args:
            predicted: Predicted clusters of mentions.
            gold: Gold clusters of mentions.
            mention_to_predicted: Ignored, because the clusters say the same.
            mention_to_gold: Ignored, too.

        Raises:
            EntityError: Clusters have the wrong nesting, or a mention is not hashable.
        """
        self.scorer.update(gold, predicted)

    def get_recall(self) -> float:
        """Return the mean recall of MUC, B³ and CEAF-E."""
        return self.get_prf()[1]

    def get_precision(self) -> float:
        """Return the mean precision of MUC, B³ and CEAF-E."""
        return self.get_prf()[0]

    def get_f1(self) -> float:
        """Return the mean F1 of MUC, B³ and CEAF-E, which is the CoNLL score."""
        return self.get_prf()[2]

    def get_prf(self) -> tuple[float, float, float]:
        """Return the mean precision, recall and F1, in this order."""
        columns = zip(*(evaluator.get_prf() for evaluator in self.evaluators), strict=True)
        precision, recall, f1 = (sum(column) / len(self.evaluators) for column in columns)
        return precision, recall, f1


class ConllCorefScores:
    """The metric `conll_coref_scores` of AllenNLP, for the documents of one process."""

    supports_distributed = False

    def __init__(self, allow_singletons: bool = False) -> None:  # noqa: FBT001, FBT002  AllenNLP's
        """Create a metric without documents.

        Args:
            allow_singletons: A span that is its own antecedent is a singleton, and singletons
                count on both sides. Otherwise they are excluded from both.
        """
        self.allow_singletons = allow_singletons
        self.evaluator = CorefEvaluator(singletons=allow_singletons)

    def __call__(
        self,
        top_spans: Any,
        antecedent_indices: Any,
        predicted_antecedents: Any,
        metadata_list: Iterable[Mapping[str, Any]],
    ) -> None:
        """Score a batch of documents.

        Args:
            top_spans: Tensor or nested list of spans (start, end): documents × spans × 2.
            antecedent_indices: Positions of the spans that could be the antecedent of each span:
                documents × spans × antecedents.
            predicted_antecedents: For each span, which of its antecedents was predicted, or a
                negative number for none: documents × spans.
            metadata_list: For each document, a dictionary whose `clusters` are the gold clusters.

        Raises:
            EntityError: The antecedent of a span does not precede it.
        """
        tensors = map(_listed, (top_spans, antecedent_indices, predicted_antecedents))
        for metadata, spans, candidates, choices in zip(metadata_list, *tensors, strict=True):
            antecedents = {
                position: candidates[position][choice]
                for position, choice in enumerate(choices)
                if choice >= 0
            }
            predicted = self._clusters([*map(tuple, spans)], antecedents)
            gold = [[*map(tuple, cluster)] for cluster in metadata["clusters"]]
            self.evaluator.update(predicted, gold)

    def get_metric(self, reset: bool = False) -> tuple[float, float, float]:  # noqa: FBT001, FBT002
        """Return the mean precision, recall and F1, in this order.

        Args:
            reset: Forget all documents afterwards.
        """
        scores = self.evaluator.get_prf()
        if reset:
            self.reset()
        return scores

    def reset(self) -> None:
        """Forget all documents."""
        self.evaluator.scorer.reset()

    def _clusters(self, spans: list[Span], antecedents: Mapping[int, int]) -> list[list[Span]]:
        """Return the clusters of spans that are linked to an antecedent before them."""
        clusters: dict[int, list[Span]] = {}
        for position, antecedent in antecedents.items():
            if not 0 <= antecedent < position + self.allow_singletons:
                message = f"span {antecedent} does not precede span {position}, its anaphor"
                raise EntityError(message)
            cluster = clusters.setdefault(antecedent, [spans[antecedent]])
            if antecedent != position:
                cluster.append(spans[position])
                clusters[position] = cluster
        return [*{id(cluster): cluster for cluster in clusters.values()}.values()]


def evaluate_documents(
    doc_coref_infos: Mapping[Any, CorefInfo], metric: CovalMetric, beta: float = 1
) -> tuple[float, float, float]:
    """Score documents by one metric, as coval does. Singletons count.

    Args:
        doc_coref_infos: For each document, its key clusters and system clusters, and possibly
            dictionaries from mentions to clusters, which are ignored.
        metric: Name of the metric, or the function of this name in coval.
        beta: Weight of recall in F.

    Returns:
        Recall, precision and F1, in this order.

    Raises:
        SettingsError: There is no such metric.
        EntityError: Clusters have the wrong nesting, or a mention is not hashable.

    Example:
        >>> evaluate_documents({"a": ([["a", "b"], ["c"]], [["a", "b", "c"]])}, "muc")
        (1.0, 0.5, 0.6666666666666666)
    """
    name: Any = getattr(metric, "__name__", metric)
    name = score_name(name) if is_string(name) else name
    check_choice("metric", name, COVAL_METRICS)
    scorer = Scorer(metrics=[name])
    for document, (key, system, *_) in doc_coref_infos.items():
        scorer.update(key, system, name=str(document))
    precision, recall, f_score = Evaluator(name, scorer, beta).get_prf()
    return recall, precision, f_score


def _listed(tensor: Any) -> Any:
    """Return a tensor or array as nested lists of numbers."""
    return tensor.tolist() if hasattr(tensor, "tolist") else tensor
