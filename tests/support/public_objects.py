"""An object of each public class."""

from collections.abc import Iterator
from typing import Any

import anascore
from anascore import Bridge, Corpus, Document, Entity, Mention, NonReferring, Settings
from support.paper import KEY, SYSTEMS

HE, MARY = Mention(((0, 1),)), Mention(((2, 4),), minimum=((2, 3),))
ZERO = Mention((), ((1, 1),), marked_head=(1, 1))


def corpus_of(*names: str, words: str = "he saw Mary Smith") -> Corpus:
    """Return a corpus of documents with these names."""
    entities = [Entity([HE], name="1"), Entity([MARY], name="2"), Entity([ZERO], [0, 1], "3")]
    documents = (Document(name, words.split(), entities, zeros=[(1, 1)]) for name in names)
    return Corpus({document.name: document for document in documents}, ("jsonl",), "corpus.jsonl")


def public_objects() -> Iterator[tuple[str, Any]]:
    """Yield an object of each public class, and some that they have."""
    compared = anascore.compare(KEY, SYSTEMS, paired="bootstrap", confidence=True, samples=3)
    yield "Comparison", compared
    yield "Result", compared[1]
    yield "LayerResult", compared[1].first
    yield "DocumentResult", compared[0].documents["example"]
    yield (
        "SuiteResult",
        anascore.suite(
            {"example": KEY},
            {path.stem: {"example": path} for path in SYSTEMS},
            variants={"all": {}, "plain": {"split": False}},
            confidence=True,
        ),
    )
    agreement = anascore.agreement([KEY, *SYSTEMS], confidence=True, disagreements=True)
    yield "Agreement", agreement
    yield "Disagreement", agreement.disagreements[0]
    yield "ResponseErrors", anascore.find_errors(KEY, SYSTEMS[1])
    yield "ErrorComparison", anascore.find_errors(KEY, SYSTEMS[:2])
    yield "AnnotatedText", anascore.show(KEY, SYSTEMS[:2])
    yield "ResponseExplanation", anascore.explain(KEY, SYSTEMS[1])
    yield "Statistics", anascore.stats([KEY, *SYSTEMS])
    yield "Validation", anascore.validate([KEY, SYSTEMS[0]])
    corpus = anascore.read(KEY)
    (document,) = corpus.documents.values()
    yield "Corpus", corpus
    yield "Document", document
    yield "Entity", document.entities[2]
    yield "Mention", document.entities[2].mentions[0]  # type: ignore[index]
    yield "NonReferring", NonReferring(HE)
    yield "Bridge", Bridge(HE, MARY, 0)
    yield "Settings", Settings(match="head")


OBJECTS = dict(public_objects())
WITH_SET = corpus_of("d")
SMALL: dict[str, Any] = {
    "Result": anascore.score(KEY, KEY, metrics="muc,conll", by="all", across="all"),
    "Comparison": anascore.compare(
        WITH_SET,
        {"A": WITH_SET, "B": WITH_SET},
        also_keys={"C": WITH_SET},
        human=True,
        confidence=True,
        paired="bootstrap",
        samples=3,
    ),
    "Agreement": anascore.agreement(
        {"A": WITH_SET, "B": WITH_SET}, confidence=True, samples=3, disagreements=True
    ),
    "SuiteResult": anascore.suite(
        {"x": WITH_SET},
        {"A": {"x": WITH_SET}, "B": {"x": WITH_SET}},
        variants={"own": {}},
        metrics="muc,conll",
    ),
}
