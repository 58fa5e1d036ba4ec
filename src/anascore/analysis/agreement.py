"""Agreement among annotators: F1 of each pair, alpha of chains, and categories."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import combinations
from typing import NamedTuple, Unpack

from anascore.analysis.alpha import AlphaOptions, ChainAgreement, add_agreements, chain_agreement
from anascore.analysis.category_agreement import (
    CategoryAgreement,
    add_categories,
    category_agreement,
)
from anascore.analysis.disagreements import Disagreement, Pair
from anascore.arguments import check_arguments
from anascore.entities.document import PreparedDocument
from anascore.entities.normalisation import drop_zeros
from anascore.errors import SettingsError
from anascore.model.abbreviated import pluralise
from anascore.model.ratio import as_float
from anascore.printing import LayoutKeywords, Restorable
from anascore.results.result import Interval, Result, mean_of_defined
from anascore.results.uncertainty import ResamplingOptions, warnings_on
from anascore.settings import LayerName, Settings


class DocumentAgreement(NamedTuple):
    """Agreement on one document, or on all documents."""

    chains: ChainAgreement
    categories: CategoryAgreement


def count_agreement(
    annotations: Sequence[PreparedDocument], settings: Settings, options: AlphaOptions
) -> DocumentAgreement:
    """Count the agreement of annotators on one document."""
    deixis = chain_layer(settings) == "discourse-deixis"
    sides = [a.discourse_deixis if deixis else a.identity for a in annotations]
    nonreferring = [
        drop_zeros([mention for mention, _ in annotation.document.nonreferring], settings)
        if annotation.document
        else ()
        for annotation in annotations
    ]
    required = len(sides) if options.items == "common" else 2
    return DocumentAgreement(
        chain_agreement(sides, options), category_agreement(sides, nonreferring, required)
    )


def chain_layer(settings: Settings) -> LayerName:
    """Choose the layer whose chains are compared: discourse deixis if identity is not scored."""
    only_deixis = "discourse-deixis" in settings.layers and "identity" not in settings.layers
    return "discourse-deixis" if only_deixis else "identity"


class AgreementIntervals(NamedTuple):
    """95% confidence intervals by bootstrap over documents."""

    f1: Mapping[LayerName, Mapping[str, Interval]]
    """Intervals of the mean F1 over pairs, by layer and score name."""

    chains: Interval
    split: Interval


@dataclass(frozen=True)
class Agreement(Restorable):
    """Agreement among annotators: `alpha`, `mean_f1`, `categories`. Print it for the tables."""

    annotators: tuple[str, ...]
    """Annotator names."""

    pairs: Mapping[Pair, Result]
    """Scores of each pair of annotators, with the first as the key; F1 is the same both ways."""

    counted: Mapping[str, DocumentAgreement]
    """Agreement on each document."""

    options: AlphaOptions = field(default_factory=AlphaOptions)
    """Options of alpha on chains."""

    intervals: AgreementIntervals | None = None
    """Confidence intervals, if documents were resampled."""

    disagreements: tuple[Disagreement, ...] = ()
    """Places where annotators differ, if requested."""

    @cached_property
    def total(self) -> DocumentAgreement:
        """Agreement on all documents."""
        documents = self.counted.values()
        return DocumentAgreement(
            add_agreements([document.chains for document in documents]),
            add_categories([document.categories for document in documents]),
        )

    @property
    def first(self) -> Result:
        """Scores of the first pair of annotators."""
        return self.pairs[0, 1]

    @property
    def chain_layer(self) -> LayerName:
        """The layer whose chains and categories are compared."""
        return chain_layer(self.first.request.settings)

    @property
    def alpha(self) -> float | None:
        """Krippendorff's alpha on chains; None if it is undefined."""
        return as_float(self.total.chains.chains.alpha)

    @property
    def split_alpha(self) -> float | None:
        """Alpha on mentions that introduce split antecedents; None if it is undefined."""
        return as_float(self.total.chains.split.alpha)

    @property
    def categories(self) -> CategoryAgreement:
        """Agreement on categories: new, old, split or non-referring."""
        return self.total.categories

    @cached_property
    def layer_means(self) -> dict[LayerName, dict[str, float | None]]:
        """F1 of each layer and score, averaged over the pairs for which it is defined."""
        return {
            layer: {
                name: mean_of_defined(
                    result.layers[layer].scores[name].f1 for result in self.pairs.values()
                )
                for name in first.scores
            }
            for layer, first in self.first.layers.items()
        }

    @property
    def mean_f1(self) -> dict[str, float | None]:
        """F1 of each score of the first layer, averaged over pairs."""
        return self.layer_means[self.first.first.layer]

    @cached_property
    def mean_split_f1(self) -> dict[str, float | None]:
        """Mean F1 over pairs for accommodated sets only; empty if no annotator has any."""
        names = {name: None for result in self.pairs.values() for name in result.split_only}
        return {
            name: mean_of_defined(
                r.split_only[name].f1 for r in self.pairs.values() if name in r.split_only
            )
            for name in names
        }

    def document_f1(self, document: str) -> dict[str, float | None]:
        """Return one document's mean F1 over pairs, for each score of the first layer."""
        return {
            name: mean_of_defined(
                result.documents[document].scores[name].f1 for result in self.pairs.values()
            )
            for name in self.first.scores
        }

    def f1(self, score: str, a: str, b: str) -> float | None:
        """Return the F1 of one score for two annotators, taken from the first layer that has it."""
        pair = sorted(map(self.annotators.index, (a, b)))
        return self.pairs[pair[0], pair[1]][score].f1

    @property
    def summary(self) -> str:
        """Sentence that says what was compared: annotators, documents, items, missing values."""
        chains = self.total.chains
        *others, last = self.annotators
        values = pluralise(chains.missing, "value")
        return (
            f"{len(self.annotators)} annotators ({', '.join(others)} and {last}), "
            f"{pluralise(len(self.counted), 'document')}, {pluralise(chains.items, 'item')} "
            f"({ITEMS[self.options.items]}), {values} missing."
        )

    @property
    def signature(self) -> str:
        """The version and every setting that can change a number, in one line."""
        return "|".join(
            filter(
                None,
                (
                    self.first.settings_signature,
                    self.options.signature,
                    self.first.resampling_signature,
                ),
            )
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings that a reader of the numbers should see."""
        return tuple(dict.fromkeys(self._warnings()))

    def _warnings(self) -> Iterator[str]:
        if self.intervals:
            yield from warnings_on(len(self.counted))
        for (a, b), result in self.pairs.items():
            notes = {**result.first.total.notes.key}, {**result.first.total.notes.response}
            for annotator, of_annotator in zip((a, b), notes, strict=True):
                for note, number in of_annotator.items():
                    yield f"{self.annotators[annotator]}: {note}: {number}"

    @check_arguments
    def render(
        self, output: str = "table", *, per_document: bool = False, **layout: Unpack[LayoutKeywords]
    ) -> str:
        """Return the agreement as text.

        Args:
            output: Output format, such as "markdown" or "json".
            per_document: If True, also show the agreement on each document.
            layout: `decimals=4` for that many decimals, and `tables="alpha"` for only the tables
                with these ids.
        """
        return self._render(output, per_document=per_document, **layout)

    def render_disagreements(self, output: str = "table", **layout: Unpack[LayoutKeywords]) -> str:
        """Return the list of disagreements as text.

        `layout` is that of `render`.
        """
        return self._render(output, "Disagreements", **layout)

    def __repr__(self) -> str:
        """Show the number of annotators and documents, and alpha, on one line."""
        alpha = "undefined" if self.alpha is None else f"{self.alpha:.3f}"
        return (
            f"<Agreement: alpha {alpha}, {len(self.annotators)} annotators, "
            f"{pluralise(len(self.counted), 'document')}>"
        )


ITEMS = {
    "shared": "mentions that two or more of them marked",
    "common": "mentions that all of them marked",
}
"""Descriptions of the items, by option."""


AGREEMENT_SETTINGS = frozenset(
    {
        *("layers", "singletons", "split", "zeros", "remove_nested", "lea_importance"),
        *("missing", "bad_documents", "words"),
    }
)
"""Settings that treat all annotators alike."""


def check_symmetric(settings: Settings) -> None:
    """Raise SettingsError if settings treat one annotator differently from another."""
    for setting in fields(settings):
        value = getattr(settings, setting.name)
        if setting.name not in AGREEMENT_SETTINGS and value != setting.default:
            option = setting.name.replace("_", "-")
            message = (
                f"agreement has no setting {option} (in Python {setting.name}): mentions of "
                f"annotators match exactly, and none of the annotators is the key"
            )
            raise SettingsError(message)


def pairs_of(annotators: Sequence[object]) -> list[Pair]:
    """List the positions of all pairs of annotators."""
    return list(combinations(range(len(annotators)), 2))


def resample_agreement(agreement: Agreement, options: ResamplingOptions) -> Agreement:
    """Add confidence intervals for alpha and the mean F1, by bootstrap over documents.

    All pairs of annotators are resampled together, with the same documents.
    """
    if not options.confidence:
        return agreement
    undefined = Interval(None, None)
    if len(agreement.counted) < 2:
        means = agreement.layer_means.items()
        f1 = {layer: dict.fromkeys(names, undefined) for layer, names in means}
        return replace(agreement, intervals=AgreementIntervals(f1, undefined, undefined))
    import numpy as np  # noqa: PLC0415  NumPy loads slowly

    from anascore.results import resampling  # noqa: PLC0415  the same

    f1 = {}
    for layer, names in agreement.layer_means.items():
        counts = [resampling.counts_of(result.layers[layer]) for result in agreement.pairs.values()]
        sampled = [resampling.resampled(own, options.samples, options.seed) for own in counts]
        f1[layer] = {
            name: Interval(
                *resampling.percentile_interval(
                    resampling.mean_of_defined([own[name].f1 for own in sampled])
                )
            )
            for name in names
        }
    sums = np.array(
        [
            [float(part) for of in (counted.chains.chains, counted.chains.split) for part in of[1:]]
            for counted in agreement.counted.values()
        ]
    )
    alphas = []
    for multiplicities in resampling.bootstrap(len(sums), options.samples, options.seed):
        drawn = multiplicities @ sums
        with np.errstate(divide="ignore", invalid="ignore"):
            values = 1 - drawn[:, ::2] / drawn[:, 1::2]
        alphas.append(np.where(drawn[:, 1::2] > 0, values, np.nan))
    chains, split = (
        Interval(*resampling.percentile_interval(of)) for of in np.concatenate(alphas).T
    )
    return replace(agreement, intervals=AgreementIntervals(f1, chains, split))
