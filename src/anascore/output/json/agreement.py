"""The JSON of `anascore agreement`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, TypeAlias

from msgspec import UNSET, Struct, UnsetType, field

from anascore.analysis.agreement import Agreement, AgreementIntervals, DocumentAgreement
from anascore.analysis.alpha import AlphaCounts, AlphaOptions, ChainAgreement
from anascore.analysis.category_agreement import CATEGORIES, Category, CategoryAgreement
from anascore.analysis.disagreements import DISAGREEMENT_TYPES, Claim, Disagreement
from anascore.model.ratio import as_float
from anascore.output.json.encoding import (
    Bounds,
    Count,
    ExactNumber,
    Output,
    ScoreName,
    Signature,
    Warnings,
    Words,
    Zeros,
    about,
    decode,
    encode,
    exact,
    number,
    structure,
)
from anascore.output.json.results import System, restored_result, system_fields
from anascore.output.view import ReportOptions
from anascore.settings import LayerName

F1ByName: TypeAlias = dict[ScoreName, float | None]


class AlphaValues(Struct, kw_only=True, omit_defaults=True):
    """Krippendorff's alpha."""

    items: Annotated[Count, about("number of items")]
    missing: Annotated[Count | UnsetType, about("values missing: an annotator lacks the item")] = (
        UNSET
    )
    values: Annotated[Count, about("number of values")]
    alpha: float | None
    observed: Annotated[str | None, about("observed disagreement, a fraction")]
    expected: Annotated[str | None, about("expected disagreement, a fraction")]


class Alphas(Struct, kw_only=True):
    """Krippendorff's alpha on chains and on split antecedents."""

    chains: AlphaValues
    split: AlphaValues


class PairCategories(Struct, kw_only=True):
    """Agreement of two annotators on categories."""

    items: Count
    agreement: Annotated[float | None, about("share of items with the same category")]
    cohen: Annotated[float | None, about("Cohen's kappa")]
    confusion: Annotated[
        list[ConfusionCell], about("numbers of items by the categories of both annotators")
    ]


class ConfusionCell(Struct, kw_only=True):
    """Number of items with two categories."""

    first: Category
    second: Category
    items: Count


class AnnotatorPair(System, kw_only=True):
    """Scores of two annotators, with the first as the key; F1 is the same both ways."""

    annotators: Annotated[list[str], about("names", min_length=2, max_length=2)]
    categories: PairCategories


class MeanF1(Struct, kw_only=True):
    """F1 averaged over pairs."""

    f1: Annotated[dict[LayerName, F1ByName], about("F1 by layer and score")]
    split_only: Annotated[F1ByName, about("F1 of accommodated sets alone")]


class CategoryValues(Struct, kw_only=True):
    """Agreement of all annotators on categories."""

    items: Count
    agreement: Annotated[float | None, about("share of pairs of annotators who agree")]
    fleiss: Annotated[float | None, about("Fleiss' kappa; null if values are missing")]
    alpha: Annotated[float | None, about("Krippendorff's nominal alpha")]


class AlphaBounds(Struct, kw_only=True):
    """95% intervals of alpha."""

    chains: Bounds
    split: Bounds


class AgreementBounds(Struct, kw_only=True):
    """95% confidence intervals by bootstrap over documents."""

    f1: Annotated[
        Mapping[LayerName, Mapping[ScoreName, Bounds]], about("of the mean F1 over pairs")
    ]
    alpha: AlphaBounds


class DocumentValues(Struct, kw_only=True):
    """Agreement on one document."""

    alpha: Alphas
    f1: Annotated[F1ByName, about("mean F1 over pairs of each score of the first layer")]


class AnnotatorClaim(Struct, kw_only=True):
    """Annotation of some annotators."""

    annotators: tuple[str, ...]
    statement: str


class ListedDisagreement(Struct, kw_only=True):
    """A place where annotators differ."""

    document: str
    type: str
    words: Words
    zeros: Zeros
    mention: Annotated[str, about("text of the mention")]
    claims: Annotated[list[AnnotatorClaim], about("what they say", min_length=2, max_length=2)]


class ExactAlpha(Struct, kw_only=True):
    """Sums that alpha is made of."""

    values: Count
    observed: ExactNumber
    expected: ExactNumber


class ExactChains(Struct, kw_only=True):
    """Agreement on chains."""

    items: Count
    missing: Count
    chains: ExactAlpha
    split_items: Count
    split: ExactAlpha


class CategoryItems(Struct, kw_only=True):
    """Number of items that were categorised in the same way."""

    annotators: Annotated[
        tuple[Count, ...],
        about(
            "numbers of annotators who chose new, old, split and non-referring",
            min_length=len(CATEGORIES),
            max_length=len(CATEGORIES),
        ),
    ]
    items: Count


class ExactCategories(Struct, kw_only=True):
    """Agreement on categories."""

    items: list[CategoryItems]
    confusions: Annotated[list[list[ConfusionCell]], about("of each pair, in their order")]


class ExactAgreement(Struct, kw_only=True):
    """Exact counts of a document."""

    chains: ExactChains
    categories: ExactCategories


class AgreementOutput(Output, kw_only=True, omit_defaults=True):
    """Output of anascore agreement."""

    signature: Signature
    summary: str
    annotators: tuple[str, ...]
    options: Annotated[AlphaOptions, about("options of alpha")]
    pairs: Annotated[list[AnnotatorPair], about("all pairs of annotators", min_length=1)]
    mean: MeanF1
    alpha: Alphas
    categories: CategoryValues
    confidence: Annotated[AgreementBounds | UnsetType, about("with --confidence")] = UNSET
    documents: Annotated[dict[str, DocumentValues], about("with --per-document")] = field(
        default_factory=dict
    )
    disagreements: Annotated[
        list[ListedDisagreement], about("places where annotators differ, if they were requested")
    ] = field(default_factory=list)
    warnings: Warnings
    exact: Annotated[dict[str, ExactAgreement], about("exact counts by document")]


class DisagreementOutput(Output, kw_only=True):
    """Output of anascore agreement --disagreements."""

    signature: Signature
    summary: str
    annotators: list[str]
    types: Annotated[dict[str, str], about("types of disagreements, with their descriptions")]
    disagreements: list[ListedDisagreement]


def render_json(agreement: Agreement, *, per_document: bool = False) -> str:
    """Write the agreement as JSON."""
    categories, intervals = agreement.categories, agreement.intervals
    return encode(
        AgreementOutput,
        **_about(agreement),
        options=agreement.options,
        pairs=[_pair(agreement, *pair) for pair in agreement.pairs],
        mean=MeanF1(f1=agreement.layer_means, split_only=agreement.mean_split_f1),
        alpha=_alphas(agreement.total),
        categories=CategoryValues(
            items=categories.items.total(),
            agreement=as_float(categories.agreement),
            fleiss=as_float(categories.fleiss),
            alpha=as_float(categories.alpha),
        ),
        confidence=AgreementBounds(f1=intervals.f1, alpha=structure(AlphaBounds, intervals))
        if intervals
        else UNSET,
        documents={
            name: DocumentValues(alpha=_alphas(document), f1=agreement.document_f1(name))
            for name, document in (agreement.counted.items() if per_document else ())
        },
        warnings=agreement.warnings,
        exact={name: _exact(document) for name, document in agreement.counted.items()},
    )


def render_disagreement_json(agreement: Agreement) -> str:
    """Write the disagreements as JSON."""
    return encode(DisagreementOutput, **_about(agreement), types=DISAGREEMENT_TYPES)


def _about(agreement: Agreement) -> dict[str, Any]:
    """Fill the fields that both outputs share."""
    return {
        "signature": agreement.signature,
        "summary": agreement.summary,
        "annotators": agreement.annotators,
        "disagreements": list(map(_disagreement, agreement.disagreements)),
    }


def _disagreement(one: Disagreement) -> ListedDisagreement:
    words, zeros = one.place
    claims = [structure(AnnotatorClaim, claim) for claim in one.claims]
    return structure(ListedDisagreement, one, words=words, zeros=zeros, claims=claims)


def _text(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


def _pair(agreement: Agreement, first: int, second: int) -> AnnotatorPair:
    categories, pair = agreement.categories, (first, second)
    return AnnotatorPair(
        **system_fields(agreement.pairs[pair], ReportOptions()),
        annotators=[agreement.annotators[first], agreement.annotators[second]],
        categories=PairCategories(
            items=categories.confusions[pair].total(),
            agreement=as_float(categories.pair_agreement(pair)),
            cohen=as_float(categories.cohen(pair)),
            confusion=_confusion(categories.confusions[pair]),
        ),
    )


def _confusion(cells: Mapping[tuple[Category, Category], int]) -> list[ConfusionCell]:
    return [ConfusionCell(first=a, second=b, items=n) for (a, b), n in sorted(cells.items())]


def _alphas(counted: DocumentAgreement) -> Alphas:
    chains = counted.chains
    return Alphas(
        chains=_alpha(chains.chains, items=chains.items, missing=chains.missing),
        split=_alpha(chains.split, items=chains.split_items, missing=UNSET),
    )


def _alpha(counts: AlphaCounts, **others: Any) -> AlphaValues:
    return structure(
        AlphaValues,
        counts,
        alpha=as_float(counts.alpha),
        observed=_text(counts.mean_observed),
        expected=_text(counts.mean_expected),
        **others,
    )


def _exact(document: DocumentAgreement) -> ExactAgreement:
    chains, categories = document.chains, document.categories
    return ExactAgreement(
        chains=structure(
            ExactChains,
            chains,
            chains=_exact_alpha(chains.chains),
            split=_exact_alpha(chains.split),
        ),
        categories=ExactCategories(
            items=[
                CategoryItems(annotators=numbers, items=items)
                for numbers, items in sorted(categories.items.items())
            ],
            confusions=[_confusion(cells) for cells in categories.confusions.values()],
        ),
    )


def _exact_alpha(counts: AlphaCounts) -> ExactAlpha:
    observed, expected = exact(counts.observed), exact(counts.expected)
    return structure(ExactAlpha, counts, observed=observed, expected=expected)


def read_agreement(text: str) -> Agreement:
    """Restore the agreement among annotators."""
    return decode(text, AgreementOutput, _restored, "agreement")


def _restored(output: AgreementOutput) -> Agreement:
    names = output.annotators
    pairs = [
        (names.index(one), names.index(other))
        for one, other in (pair.annotators for pair in output.pairs)
    ]
    bounds = output.confidence
    agreement = Agreement(
        names,
        dict(zip(pairs, map(restored_result, output.pairs), strict=True)),
        {
            name: DocumentAgreement(
                _restored_chains(document.chains),
                CategoryAgreement(
                    len(names),
                    Counter({of.annotators: of.items for of in document.categories.items}),
                    {
                        pair: Counter({(cell.first, cell.second): cell.items for cell in cells})
                        for pair, cells in zip(pairs, document.categories.confusions, strict=True)
                    },
                ),
            )
            for name, document in output.exact.items()
        },
        options=output.options,
        intervals=None
        if bounds is UNSET
        else AgreementIntervals(bounds.f1, bounds.alpha.chains, bounds.alpha.split),
        disagreements=tuple(map(_restored_disagreement, output.disagreements)),
    )
    # Counts that do not fit together fail here.
    agreement.render(per_document=True)
    agreement.to_json()
    return agreement


def _restored_disagreement(place: ListedDisagreement) -> Disagreement:
    first, second = (Claim(own.annotators, own.statement) for own in place.claims)
    at = place.words, place.zeros
    return Disagreement(place.type, place.document, at, place.mention, (first, second))


def _restored_chains(chains: ExactChains) -> ChainAgreement:
    return ChainAgreement(
        chains.items,
        chains.missing,
        _restored_alpha(chains.chains),
        chains.split_items,
        _restored_alpha(chains.split),
    )


def _restored_alpha(counts: ExactAlpha) -> AlphaCounts:
    return AlphaCounts(counts.values, number(counts.observed), number(counts.expected))
