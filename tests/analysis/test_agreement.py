"""Agreement among annotators: chains and categories against an oracle written from the spec."""

import json
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest

import anascore
from anascore import Corpus
from anascore.analysis.alpha import (
    AlphaOptions,
    ChainAgreement,
    DistanceName,
    ItemChoice,
    add_agreements,
    add_alpha_counts,
    chain_agreement,
)
from anascore.analysis.category_agreement import add_categories, category_agreement
from anascore.cli.main import main
from anascore.entities.normalisation import normalise
from anascore.entities.side import Side
from anascore.example import KEY, SYSTEMS
from anascore.model.document import Entity
from anascore.model.mention import Mention
from anascore.settings import Settings
from support import agreement_oracle as oracle
from support.paths import ROOT
from support.shared import CORPORA

OPTIONS: list[oracle.Options] = [
    oracle.Options(distance=distance, items=items)
    for distance, items in product(get_args(DistanceName), get_args(ItemChoice))
]


def side_of(annotation: oracle.Annotation) -> Side:
    """Return the entities of an annotation as they are compared."""
    entities = [
        Entity(tuple(Mention((span,)) for span in sorted(mentions)), tuple(sorted(elements)))
        for mentions, elements in annotation
    ]
    return normalise(entities, Settings())


def chains(annotations: Sequence[oracle.Annotation], options: AlphaOptions) -> ChainAgreement:
    return chain_agreement([*map(side_of, annotations)], options)


def drawn(seed: int, number: int) -> list[list[oracle.Annotation]]:
    """Draw documents, each annotated by the same number of annotators."""
    random = Random(seed)
    annotators = random.randint(2, 4)
    return [oracle.random_annotations(random, annotators) for _ in range(number)]


@pytest.mark.parametrize("seed", range(100))
def test_alpha_is_that_of_the_oracle(seed: int) -> None:
    documents = drawn(seed, 10)
    # In a hundred rounds of ten documents, each combination has its turn several times.
    for keywords in OPTIONS[seed % 20 :: 20]:
        counted = [chains(document, AlphaOptions(**keywords)) for document in documents]
        for document, agreement in zip(documents, counted, strict=True):
            expected = oracle.sums(document, **keywords)
            assert agreement.chains.values == expected.n
            assert agreement.chains.observed == expected.observed
            assert agreement.split.values == expected.n_split
            assert agreement.split.observed == expected.observed_split
            if expected.n:
                assert agreement.chains.expected * (expected.n - 1) == expected.expected
                assert agreement.split.expected * (expected.n - 1) == expected.expected_split
        whole = add_agreements(counted)
        assert whole.chains.alpha == oracle.alpha(documents, **keywords)
        assert whole.split.alpha == oracle.alpha_split(documents, **keywords)


@pytest.mark.parametrize("seed", range(60))
def test_categories_are_those_of_the_oracle(seed: int) -> None:
    random = Random(seed)
    annotators = random.randint(2, 4)
    sizes: dict[ItemChoice, int] = {"shared": 2, "common": annotators}
    for which, required in sizes.items():
        rows = []
        counted = []
        for _ in range(3):
            document = oracle.random_annotations(random, annotators)
            nonreferring = oracle.random_nonreferring(random, document)
            tables = [
                oracle.categories(annotation, spans)
                for annotation, spans in zip(document, nonreferring, strict=True)
            ]
            rows += oracle.rows_of(tables, which)
            mentions = [[Mention((span,)) for span in spans] for spans in nonreferring]
            counted.append(category_agreement([*map(side_of, document)], mentions, required))
        agreement = add_categories(counted)
        assert agreement.items.total() == len(rows)
        assert agreement.alpha == oracle.nominal_alpha(rows)
        for pair in combinations(range(annotators), 2):
            assert agreement.cohen(pair) == oracle.cohen(rows, *pair)
            assert agreement.pair_agreement(pair) == oracle.percentage_agreement(rows, *pair)
            assert dict(agreement.confusions[pair]) == dict(oracle.confusion(rows, *pair))
        if agreement.is_complete:
            assert agreement.fleiss == oracle.fleiss(rows)
        else:
            assert agreement.fleiss is None


# Properties


@pytest.mark.parametrize("seed", range(20))
def test_who_agrees_has_alpha_1_or_none(seed: int) -> None:
    (document,) = drawn(seed, 1)
    for keywords in OPTIONS[seed % 4 :: 4]:
        agreement = chains([document[0]] * 3, AlphaOptions(**keywords))
        assert agreement.chains.alpha in {1, None}
        assert agreement.split.alpha in {1, None}


@pytest.mark.parametrize("seed", range(20))
def test_orders_and_labels_change_nothing(seed: int) -> None:
    documents = drawn(seed, 3)
    options = AlphaOptions(**OPTIONS[seed % len(OPTIONS)])
    expected = add_agreements([chains(document, options) for document in documents])
    changed = [
        [shuffled(annotation, seed) for annotation in reversed(document)]
        for document in reversed(documents)
    ]
    assert add_agreements([chains(document, options) for document in changed]) == expected


def shuffled(annotation: oracle.Annotation, seed: int) -> oracle.Annotation:
    """Return the entities of an annotation in another order."""
    order = Random(seed).sample(range(len(annotation)), len(annotation))
    position = {old: new for new, old in enumerate(order)}
    return [
        (annotation[old][0], frozenset(position[element] for element in annotation[old][1]))
        for old in order
    ]


@pytest.mark.parametrize("distance", sorted({*get_args(DistanceName)} - {"passonneau"}))
def test_random_chains_agree_little(distance: DistanceName) -> None:
    random = Random(1)
    options = AlphaOptions(distance=distance)
    alphas: list[Fraction] = []
    nothing: frozenset[int] = frozenset()
    for _ in range(200):
        annotations = []
        for _ in range(2):
            labels = [random.randrange(6) for _ in range(20)]
            spans = [
                [(i, i + 1) for i, own in enumerate(labels) if own == label] for label in {*labels}
            ]
            annotations.append([(frozenset(chain), nothing) for chain in spans])
        alphas.append(chains(annotations, options).chains.alpha or Fraction(0))
    mean = float(sum(alphas)) / len(alphas)
    assert mean > 0.1 if distance in {"dice", "jaccard"} else -0.1 < mean < 0


# The function


def corpus(spans: Sequence[Sequence[tuple[int, int]]], words: str = "a b c d e f") -> Corpus:
    return Corpus.from_clusters(spans, offsets="token", end="exclusive", words=words.split())


A = corpus([[(0, 1), (1, 2)], [(2, 3), (3, 4)]])
B = corpus([[(0, 1), (1, 2), (2, 3)], [(3, 4)]])


def test_agreement_of_two() -> None:
    agreement = anascore.agreement({"A": A, "B": B})

    assert agreement.total.chains.chains.alpha == Fraction(11, 690)
    assert agreement.alpha == 11 / 690
    assert agreement.split_alpha is None
    assert agreement.f1("muc", "B", "A") == anascore.score(A, B)["muc"].f1
    assert agreement.mean_f1["muc"] == agreement.f1("muc", "A", "B")
    assert agreement.document_f1("document")["muc"] == agreement.f1("muc", "A", "B")
    assert agreement.categories.agreement == Fraction(1, 2)
    assert repr(agreement) == "<Agreement: alpha 0.016, 2 annotators, 1 document>"
    assert f"{agreement}\n" == agreement.render("table")
    assert "11/690" not in str(agreement)
    assert "<table" in agreement._repr_html_()
    frame = agreement.to_frame()
    assert frame[frame.name == "chains"].value.tolist() == [11 / 690] * 2
    assert json.loads(agreement.to_json())["alpha"]["chains"]["observed"] == "97/144"
    assert json.loads(agreement.to_json()) == agreement.to_dict()


def test_nothing_in_common_is_undefined() -> None:
    agreement = anascore.agreement({"A": corpus([[(0, 1)]]), "B": corpus([[(1, 2)]])})

    assert agreement.alpha is None
    assert agreement.categories.agreement is None
    assert agreement.categories.cohen((0, 1)) is None
    assert repr(agreement) == "<Agreement: alpha undefined, 2 annotators, 1 document>"
    assert "0 items" in str(agreement)


def test_one_document_has_no_intervals() -> None:
    agreement = anascore.agreement({"A": A, "B": B}, confidence=True)

    assert agreement.intervals is not None
    assert {*agreement.intervals.f1["identity"].values()} == {(None, None)}
    assert agreement.intervals.chains == (None, None)
    assert "only one" in agreement.warnings[0]


def test_intervals_are_those_of_a_literal_bootstrap() -> None:
    documents = [
        Corpus.from_clusters(own, offsets="token", end="exclusive", words=list("abcdef"), name=name)
        for name, own in (
            ("x", [[(0, 1), (1, 2)], [(2, 3), (3, 4)]]),
            ("y", [[(0, 1), (1, 2)], [(2, 3)]]),
        )
    ]
    others = [
        Corpus.from_clusters(own, offsets="token", end="exclusive", words=list("abcdef"), name=name)
        for name, own in (
            ("x", [[(0, 1), (1, 2), (2, 3)], [(3, 4)]]),
            ("y", [[(0, 1), (1, 2)], [(2, 3)]]),
        )
    ]
    joined = [
        Corpus({n: d for part in parts for n, d in part.documents.items()}, parts[0].formats)
        for parts in (documents, others)
    ]
    agreement = anascore.agreement(
        {"A": joined[0], "B": joined[1]}, confidence=True, samples=200, seed=1
    )
    single = {name: of.chains.chains for name, of in agreement.counted.items()}
    values = {
        float(add_alpha_counts(single[name] for name in drawn_names).alpha or 0)
        for drawn_names in (("x", "x"), ("x", "y"), ("y", "y"))
    }

    assert agreement.intervals is not None
    low, high = agreement.intervals.chains
    assert (low, high) == pytest.approx((min(values), max(values)))


BAD = {
    "one annotator": ({"A": A}, {}, "agreement needs two or more annotators"),
    "other words": (
        {"A": A, "B": corpus([[(0, 1)]], "a b x d e f")},
        {},
        "B (the response below) differs from A (the key below): .*word 3 .*is 'x', but 'c' in the "
        "key",
    ),
    "matching": ({"A": A, "B": B}, {"match": "head"}, "agreement has no setting match"),
    "distance": ({"A": A, "B": B}, {"distance": "cosine"}, "distance must be masi, .* or nominal"),
    "unknown": ({"A": A, "B": B}, {"mach": "head"}, "no such setting: mach"),
    "lacking": (
        {"A": A, "B": Corpus({})},
        {},
        "annotators must have the same documents .* document 'document' is missing",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_explained(case: str) -> None:
    annotations, keywords, message = BAD[case]
    with pytest.raises(
        anascore.AnascoreError, match=message.replace("(", r"\(").replace(")", r"\)")
    ):
        anascore.agreement(annotations, **keywords)  # type: ignore[arg-type]


def test_a_missing_document_can_be_empty() -> None:
    agreement = anascore.agreement({"A": A, "B": B, "C": Corpus({})}, missing="empty")

    assert agreement.total.chains.items == 4
    assert agreement.total.chains.missing == 4
    assert agreement.alpha == 11 / 690


# Real corpora


@pytest.mark.corpora
def test_figures_of_gum_and_friends() -> None:
    gum = CORPORA / "gum"
    annotators = [gum / f"{name}.conllu" for name in ("key", "noisy-a", "noisy-b")]
    friends = CORPORA / "friends-semeval"
    systems = [friends / f"{n}.conll" for n in ("AMORE_UPF", "Cheoneum", "Kampfpudding", "Zuma")]
    page = (ROOT / "docs/howto/agreement.md").read_text(encoding="utf-8")
    for name, paths in (("GUM", annotators), ("Friends", systems)):
        agreement = anascore.agreement(paths)
        split = "-" if agreement.split_alpha is None else f"{agreement.split_alpha:.3f}"
        categories = agreement.categories
        coefficient = (
            f"Fleiss' κ {float(categories.fleiss):.3f}"
            if categories.fleiss is not None
            else f"α {float(categories.alpha or 0):.3f}"
        )
        row = (
            f"| {name} | {len(paths)} | {agreement.total.chains.items:,} | "
            f"{100 * (agreement.mean_f1['conll'] or 0):.2f} | {agreement.alpha:.3f} | {split} | "
            f"{coefficient} |"
        )
        assert row in page


def test_several_annotators_have_plural_verbs(tmp_path: Path) -> None:
    clusters = {
        "anna": [[[0, 0], [1, 1]], [[2, 2], [3, 3]], [[4, 4]]],
        "ben": [[[0, 0], [1, 1]], [[2, 2], [3, 3]], [[4, 4]]],
        "cem": [[[0, 0], [1, 1], [2, 2], [3, 3]]],
    }
    paths = {}
    for name, entities in clusters.items():
        paths[name] = tmp_path / f"{name}.jsonl"
        line = {"doc_key": "d", "tokens": [*"abcde"], "clusters": entities}
        paths[name].write_text(json.dumps(line) + "\n", encoding="utf-8")

    found = anascore.agreement(paths, disagreements=True).disagreements

    assert [str(claim) for one in found for claim in one.claims] == [
        "cem: joins it with “a” (1)",
        "anna, ben: keep it apart from “a” (1)",
        "anna, ben: mark it",
        "cem: does not mark it",
    ]


def test_agreement_without_split_antecedents_by_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    twice = Mention(((0, 1),))
    entities = [Entity([twice, Mention(((1, 2),))]), Entity([twice, Mention(((2, 3),))])]
    corpus = Corpus({"d": anascore.Document("d", ["a", "b", "c"], entities)})
    paths = [str(tmp_path / f"{name}.jsonl") for name in "ab"]
    for path in paths:
        anascore.write(corpus, path)

    assert main(["agreement", *paths, "--per-document"]) == 0

    printed = capsys.readouterr().out
    assert "alpha of split antecedents" not in printed
    assert "a: mentions that are also in an earlier entity, counted only there: 1" in printed


def test_samples_of_agreement_need_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agreement", str(KEY), str(SYSTEMS[0]), "--samples", "10"]) == 2

    assert "--samples needs --confidence; add it" in capsys.readouterr().err


def test_one_category_and_no_disagreement() -> None:
    annotation = {"a": [[(0, 0)], [(2, 2)]]}
    agreed = anascore.agreement({"x": annotation, "y": annotation}, disagreements=True)

    assert agreed.categories.alpha is None
    assert "alpha" in agreed.render("csv")
    assert "Disagreements in the order of the text" not in agreed.render_disagreements()


def test_a_set_and_a_result_of_the_same_elements_do_not_agree() -> None:
    elements: list[Any] = [[(0, 0)], [(1, 1)]]
    as_set, as_result = (
        [*elements, Entity([(3, 3)], elements=[0, 1], relation=relation)]
        for relation in ("set", "result")
    )
    with_set, both = (
        anascore.agreement({"x": {"a": as_set}, "y": {"a": other}}) for other in (as_set, as_result)
    )

    assert with_set.split_alpha != both.split_alpha
