"""Interfaces of other libraries, with the real library where it is installed."""

import math
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml

from anascore import Corpus, SettingsError, score_clusters
from anascore.integrations.spacy import make_coref_scorer
from support.paths import ROOT


@dataclass
class Token:
    text: str


@dataclass
class Span:
    start: int
    end: int
    start_char: int
    end_char: int


@dataclass
class Doc:
    """Stub of a spaCy Doc, made of words; the words of `clusters` are mentions."""

    words: list[str]
    clusters: list[list[int]]
    spans: dict[str, list[Span]] = field(init=False)

    def __post_init__(self) -> None:
        starts = [sum(len(word) + 1 for word in self.words[:i]) for i in range(len(self.words))]
        self.spans = {
            f"coref_clusters_{number}": [
                Span(i, i + 1, starts[i], starts[i] + len(self.words[i])) for i in cluster
            ]
            for number, cluster in enumerate(self.clusters, 1)
        }

    def __iter__(self) -> Iterator[Token]:
        return (Token(word) for word in self.words)

    @property
    def text(self) -> str:
        return " ".join(self.words)


@dataclass
class Example:
    reference: Doc
    predicted: Doc


WORDS = ["Ann", "says", "Bo", "left", "her"]


def test_each_example_is_a_document() -> None:
    clusters = [([[0, 4], [2]], [[0, 4, 2]]), ([[0], [2, 4]], [[0], [2, 4]])]
    examples = [Example(Doc(WORDS, key), Doc(WORDS, response)) for key, response in clusters]
    result = score_clusters(
        {str(n): key for n, (key, _) in enumerate(clusters)},
        {str(n): response for n, (_, response) in enumerate(clusters)},
    )

    scores = make_coref_scorer()(examples, nlp=None)

    assert [*scores] == [
        *("coref_muc_r", "coref_muc_p", "coref_muc_f"),
        *("coref_b3_r", "coref_b3_p", "coref_b3_f"),
        *("coref_ceafe_r", "coref_ceafe_p", "coref_ceafe_f"),
        "coref_conll_f",
        *("coref_lea_r", "coref_lea_p", "coref_lea_f"),
        *("coref_mentions_r", "coref_mentions_p", "coref_mentions_f"),
    ]
    assert scores["coref_muc_p"] == result["muc"].precision == 2 / 3
    assert scores["coref_conll_f"] == result.conll


def test_other_tokens_are_compared_by_their_characters() -> None:
    other = ["An", "n", "says", "Bo", "left", "her"]
    reference = Doc(WORDS, [[2, 4]])
    predicted = Doc(other, [[3, 5]])
    # The texts must be the same, white space apart.
    scores = make_coref_scorer(metrics="conll,mentions")([Example(reference, predicted)])

    assert scores["coref_mentions_f"] == scores["coref_conll_f"] == 1


def test_mor_compares_the_words_of_spacy() -> None:
    other = ["An", "n", "says", "Bo", "left", "her"]
    shorter, same = Doc(WORDS, [[0, 1]]), Doc(other, [[0, 2]])
    reference = Doc(WORDS, [[0, 1]])
    reference.spans["coref_clusters_1"] = [Span(0, 2, 0, 8), Span(2, 3, 9, 11)]
    shorter.spans["coref_clusters_1"] = [Span(0, 1, 0, 3), Span(2, 3, 9, 11)]
    same.spans["coref_clusters_1"] = [Span(0, 3, 0, 9), Span(3, 4, 10, 12)]
    scores = make_coref_scorer(metrics="mor,mentions")

    assert scores([Example(reference, shorter)])["coref_mor_f"] == 4 / 5
    assert scores([Example(reference, shorter)])["coref_mentions_f"] == 1 / 2
    assert scores([Example(reference, same)])["coref_mor_f"] == 1


def test_values_that_are_undefined() -> None:
    reference, nothing = Doc(WORDS, [[0, 4]]), Doc(WORDS, [])
    scorer = make_coref_scorer(metrics="muc")

    assert scorer([Example(reference, nothing)]) == dict.fromkeys(
        ("coref_muc_r", "coref_muc_p", "coref_muc_f"), 0
    )
    assert scorer([Example(nothing, reference)]) == dict.fromkeys(
        ("coref_muc_r", "coref_muc_p", "coref_muc_f")
    )


def test_settings_of_the_scorer() -> None:
    example = Example(Doc(WORDS, [[0, 4], [2]]), Doc(WORDS, [[0, 4]]))
    settings = {"singletons": False, "split": False}

    assert make_coref_scorer(metrics="b3")([example])["coref_b3_r"] == 2 / 3
    assert make_coref_scorer(metrics="b3", settings=settings)([example])["coref_b3_r"] == 1
    assert make_coref_scorer(metrics="b3", prefix="x")([example])["coref_b3_r"] is None
    with pytest.raises(SettingsError, match="no such metric: bleu"):
        make_coref_scorer(metrics="bleu")


def test_the_entry_point_names_the_scorer() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (path,) = tomllib.loads(text)["project"]["entry-points"]["spacy_scorers"].values()
    module, _, name = path.partition(":")

    assert getattr(import_module(module), name) is make_coref_scorer


def test_real_spacy() -> None:
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed: see make integrations")
    language, training = import_module("spacy.language"), import_module("spacy.training")

    class Resolver:
        """A component that finds the same mentions in every text."""

        def __init__(self, scorer: Any) -> None:
            self.scorer = scorer

        def __call__(self, doc: Any) -> Any:
            doc.spans["coref_clusters_1"] = [doc[0:1], doc[4:5]]
            return doc

        def score(self, examples: Any, **keywords: Any) -> dict[str, Any]:
            scores: dict[str, Any] = self.scorer(examples, **keywords)
            return scores

    language.Language.factory(
        "anascore_test_resolver",
        default_config={"scorer": {"@scorers": "anascore.coref_scorer.v1"}},
        default_score_weights={"coref_conll_f": 1.0},
        func=lambda nlp, name, scorer: Resolver(scorer),  # noqa: ARG005  spaCy's names
    )
    nlp = spacy.blank("en")
    nlp.add_pipe(
        "anascore_test_resolver",
        config={"scorer": {"metrics": "muc,conll", "settings": {"repeated_mentions": "all"}}},
    )
    same = nlp.make_doc("Ann says Bo left her")
    same.spans["coref_clusters_7"] = [same[0:1], same[4:5]]
    other = spacy.tokens.Doc(
        nlp.vocab, words=["An", "n", "says", "Bo", "left", "her"], spaces=[False, *[True] * 5]
    )
    other.spans["coref_clusters_7"] = [other[0:2], other[3:4], other[5:6]]

    scores = nlp.evaluate([training.Example(nlp.make_doc(doc.text), doc) for doc in (same, other)])

    assert spacy.registry.scorers.get("anascore.coref_scorer.v1") is make_coref_scorer
    assert nlp.config["training"]["score_weights"]["coref_conll_f"] == 1
    assert (scores["coref_muc_r"], scores["coref_muc_p"]) == (2 / 3, 1)
    document = Corpus.from_spacy({"x": same}).documents["x"]
    assert [*document.words] == WORDS
    assert [document.text_of(m) for m in document.entities[0].mentions] == ["Ann", "her"]


METRIC = ROOT / "tools" / "evaluate" / "anascore"


def test_real_evaluate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    evaluate = pytest.importorskip(
        "evaluate", reason="evaluate is not installed: see make integrations"
    )
    metric = evaluate.load(str(METRIC), cache_dir=str(tmp_path))
    # The same spans in different documents are different mentions.
    references = [[[[0, 0], [4, 4]], [[2, 2]]], [[[0, 0]], [[2, 2], [4, 4]]]]
    predictions = [[[[0, 0], [4, 4], [2, 2]]], [[[0, 0]], [[2, 2], [4, 4]]]]

    scores = metric.compute(references=references, predictions=predictions)
    for reference, prediction in zip(references, predictions, strict=True):
        metric.add(references=reference, predictions=prediction)
    added = metric.compute(metrics="muc,conll")
    singletons = metric.compute(references=[[[[0, 0]]]], predictions=[[[[0, 0]]]], metrics="muc")
    nothing = metric.compute(
        references=references, predictions=[[], []], metrics=["b3"], singletons=False, split=False
    )

    assert {type(value) for value in scores.values()} == {float}
    assert (scores["muc_recall"], scores["muc_precision"], scores["muc_f1"]) == (1, 2 / 3, 4 / 5)
    assert added == {name: scores[name] for name in [*list(scores)[:3], "conll"]}
    assert [math.isnan(value) for value in singletons.values()] == [True] * 3
    assert nothing["b3_recall"] == nothing["b3_f1"] == 0


def test_the_card_of_the_metric_is_complete() -> None:
    card = (METRIC / "README.md").read_text(encoding="utf-8")
    requirements = (METRIC / "requirements.txt").read_text(encoding="utf-8")

    assert card.startswith("---\ntitle: anascore\n")
    assert requirements.splitlines() == ["anascore", "datasets", "evaluate"]


def test_real_hub() -> None:
    hub = pytest.importorskip(
        "huggingface_hub", reason="huggingface_hub is not installed: see make integrations"
    )
    result = score_clusters([["a", "b"], ["c"]], [["a", "b", "c"]])
    text = result.render("eval-results", dataset_id="user/corpus", task_id="test", score="muc")

    (entry,) = hub.parse_eval_result_entries(yaml.safe_load(text))

    assert (entry.dataset_id, entry.task_id, entry.value) == ("user/corpus", "test", 66.67)
    assert entry.notes == f"MUC F1, {result.signature}"
    assert hub.eval_result_entries_to_yaml([entry]) == yaml.safe_load(text)


def test_real_stanza() -> None:
    pytest.importorskip("stanza", reason="Stanza is not installed")
    coref = import_module("stanza.models.coref.coref_chain")
    words = [{"id": i, "text": word} for i, word in enumerate(WORDS, 1)]
    doc = import_module("stanza.models.common.doc").Document([words])
    mentions = [coref.CorefMention(0, 0, 1), coref.CorefMention(0, 2, 5)]
    doc.coref = [coref.CorefChain(0, mentions, "Ann", 0)]

    (document,) = Corpus.from_stanza(doc).documents.values()

    assert [*document.words] == WORDS
    assert [document.text_of(m) for m in document.entities[0].mentions] == ["Ann", "Bo left her"]
