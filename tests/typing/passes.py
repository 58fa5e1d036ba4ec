"""Code of users that mypy must accept, in its strict mode."""

from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import anascore
from anascore import (
    Agreement,
    AnnotatedText,
    Comparison,
    Corpus,
    Entity,
    ErrorComparison,
    ResponseErrors,
    ResponseExplanation,
    Result,
    Settings,
    Statistics,
    SuiteResult,
    Validation,
)
from anascore.compat import ConllCorefScores, CorefEvaluator, evaluate_documents, muc

KEY = Path("key.conllua")

corpus: Corpus = anascore.read(KEY)
corpus_with_sets: Corpus = anascore.add_sets(corpus, "recent-2", seed=3)
result: Result = anascore.score(
    KEY,
    "response.conllua",
    metrics="muc,conll",
    match="head",
    singletons=False,
    split=False,
    layers=["identity", "bridging"],
    key_format="ua",
    confidence=True,
    samples=100,
    seed=7,
)
conll: float | None = result.conll
recall: float | None = result["muc"].recall
with_settings: Result = anascore.score(corpus, corpus, settings=Settings(match="partial"))
joined: Result = anascore.score(
    corpus, corpus, words="align", across="all", window=1500, docs="split", layers="zeros"
)
of_task: Result = anascore.score(corpus, corpus, task="crac23")
clusters: Result = anascore.score_clusters(
    [[(0, 1), (4, 4)], Entity([(7, 7)], elements=[0])], [[(0, 1), (4, 4)]]
)
named: Comparison = anascore.compare(KEY, {"A": KEY, "B": corpus}, paired="bootstrap")
listed: Comparison = anascore.compare(KEY, [KEY, "other.conllua"], paired=None, jobs=2)
several_keys: Comparison = anascore.compare(
    KEY,
    [KEY],
    also_keys={"Ben": corpus},
    combine_keys="mean",
    key_weights=[2, 0.5],
    key_name="Anna",
    human=True,
)
human: float | None = several_keys.human["muc"].f1
of_ben: Result = anascore.score(KEY, KEY, also_keys=["ben.conllua"]).by_key["ben"]
first: Result = named[0]
names: list[str] = [one.name for one in named]
table: str = named.render("latex", macro=True)

suite: SuiteResult = anascore.suite(
    "keys", [KEY, "other"], variants=["head", "own:match=exact"], paired="randomisation"
)
of_systems: SuiteResult = anascore.suite(
    {"a": corpus, "b": KEY},
    {"A": "folder", "B": {"a": corpus, "b": KEY}},
    variants={"own": Settings(match="head"), "other": {"match": "exact"}},
    missing="empty",
)
macro: float | None = suite.macro("A", "head")["conll"].f1
clusters_of_systems: list[list[str]] = suite.clusters
run: Result = suite.result("A", "a")

explanation: ResponseExplanation = anascore.explain(KEY, corpus, metrics=["muc"], entity="K1")
lines: str = explanation.table()
errors: ResponseErrors = anascore.find_errors(KEY, corpus, document="d", convention="ua")
of_several: ErrorComparison = anascore.find_errors(KEY, {"A": KEY, "B": corpus})
of_listed: ErrorComparison = anascore.find_errors(KEY, [KEY, KEY])
of_one: ResponseErrors = of_several["A"]
numbers: dict[str, int] = errors.counts
places: list[str] = [error.document for error in errors]
csv: str = errors.render("csv", types=["missed-set"], examples=None)
latex: str = errors.render("latex", decimals=1, tables=["errors", "scores"])
drawn: AnnotatedText = anascore.show(KEY)
of_clusters: AnnotatedText = anascore.show(
    [[(0, 1)]], {"A": [[(0, 1)]]}, document="d", match="head"
)
annotated: str = str(anascore.show(KEY, [KEY, corpus], key_format="ua"))
anascore.report(KEY, [corpus], "page.html", documents="worst:3", by="all")

lost: Counter[str] = anascore.convert(KEY, "key.jsonl", to="jsonl", format="ua")
validation: Validation = anascore.validate([KEY, "other.conllua"], format="ua")
messages: list[str] = [str(problem) for problem in validation.errors] if validation.ok else []
statistics: Statistics = anascore.stats([KEY, corpus], word_column=4)
entities: int = statistics.total.entities
tasks: list[str] = list(anascore.list_tasks())
of_annotators: Agreement = anascore.agreement({"a": KEY, "b": corpus})
restored: Agreement = Agreement.from_json(of_annotators.to_json())

# Clusters in memory, in all forms
spans: dict[str, list[list[tuple[int, int]]]] = {"a": [[(0, 1), (4, 4)]], "b": []}
of_lists: dict[str, list[list[list[int]]]] = {"a": [[[0, 1], [4, 4]]], "b": []}
of_arrays: dict[str, list[NDArray[np.int64]]] = {"a": [np.array([[0, 1], [4, 4]])], "b": []}
with_entities: list[list[tuple[int, int]] | Entity[tuple[int, int]]] = [
    *([(0, 1), (4, 4)], [(6, 6)]),
    Entity([(7, 7)], elements=[0, 1]),
]
system_outputs: dict[str, dict[str, list[list[tuple[int, int]]]]] = {"A": spans, "B": spans}
beside: dict[str, dict[str, object]] = {"a": {"clusters": [[(0, 1)]], "split_antecedents": []}}
words: dict[str, list[str]] = {"a": ["Ann", "said"], "b": []}

of_spans: Result = anascore.score(spans, of_lists)
of_numpy: Result = anascore.score(KEY, of_arrays, match="head")
of_one_array: Result = anascore.score_clusters(np.array([[[0, 1]]]), [np.array([[0, 1]])])
of_entities: Result = anascore.score(with_entities, [[(0, 1)], [[4, 4]]], jobs=2)
of_links: Result = anascore.score(beside, beside)
of_outputs: Comparison = anascore.compare(spans, system_outputs, paired="bootstrap")
of_mixed: Comparison = anascore.compare(
    spans, {"A": of_lists, "B": KEY, "C": corpus, "D": of_arrays}, also_keys={"Ben": spans}
)
of_dictionary: Comparison = anascore.compare(spans, spans)
errors_of_one: ResponseErrors = anascore.find_errors(with_entities, with_entities)
errors_of_outputs: ErrorComparison = anascore.find_errors(
    KEY, {"A": {"a": [[(0, 1)]]}, "B": {"a": [[(0, 1)]]}}
)
explained: ResponseExplanation = anascore.explain(spans, of_arrays)
anascore.report(spans, system_outputs, "page.html")
agreed: Agreement = anascore.agreement(system_outputs)
counted: Statistics = anascore.stats(spans)
validated: Validation = anascore.validate(with_entities)
anascore.write(Corpus.from_clusters(spans, words=words), "key.jsonl")
of_datasets: SuiteResult = anascore.suite({"d": spans}, {"A": {"d": spans}, "B": {"d": KEY}})
both: Corpus = Corpus.from_clusters(of_arrays) + sum([corpus, corpus_with_sets], Corpus({}))

flat: dict[str, float] = result.flat("dev/", percent=True, undefined=0.0)
evaluator = CorefEvaluator(singletons=True)
evaluator.update([((0, 0), (1, 1))], [[(0, 0), (1, 1)]], {}, {})
prf: tuple[float, float, float] = evaluator.get_prf()
metric = ConllCorefScores()
metric([[[0, 0]]], [[[0]]], [[-1]], [{"clusters": []}])
of_allennlp: tuple[float, float, float] = metric.get_metric(reset=True)
of_coval: tuple[float, float, float] = evaluate_documents({"d": ([["a"]], [["a"]])}, muc)
