"""Agreement with udapi on CorefUD files, ours and others: the same counts of mentions."""

import logging
from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore import Corpus, Document, Entity, Mention
from support.generated_corpora import generated_file
from support.samples import SAMPLES
from support.shared import CORPORA
from tools.benchmarks.generated import write as write_benchmark

udapi = pytest.importorskip("udapi.core.document", reason="needs udapi")


def udapi_counts(path: Path) -> dict[str, Any]:
    """Count mentions, entities, split antecedents and bridging links as udapi sees them."""
    logging.disable(logging.WARNING)
    try:
        document = udapi.Document()
        document.from_conllu_string(path.read_text(encoding="utf-8"))
        entities = document.coref_entities
    finally:
        logging.disable(logging.NOTSET)
    mentions = [mention for entity in entities for mention in entity.mentions]
    return {
        "entities": len(entities),
        "mentions": len(mentions),
        "words": sorted(len(mention.words) for mention in mentions),
        "heads": sorted(
            mention.words.index(mention.head) + 1 for mention in mentions if len(mention.words) > 1
        ),
        "sets": sorted(len(entity.split_ante) for entity in entities if entity.split_ante),
        "bridges": sum(len(mention.bridging) for mention in mentions),
    }


def our_counts(corpus: anascore.Corpus) -> dict[str, Any]:
    entities = [entity for d in corpus.documents.values() for entity in d.entities]
    mentions = [mention for entity in entities for mention in entity.mentions]
    return {
        "entities": len(entities),
        "mentions": len(mentions),
        "words": sorted(mention.size for mention in mentions),
        "heads": sorted(_head_number(mention) for mention in mentions if mention.size > 1),
        "sets": sorted(len(entity.elements) for entity in entities if entity.elements),
        "bridges": sum(len(document.bridges) for document in corpus.documents.values()),
    }


def _head_number(mention: anascore.Mention) -> int:
    words = [(word + 1, 0) for start, end in mention.words for word in range(start, end)]
    assert mention.head is not None
    return sorted([*words, *mention.zeros]).index(mention.head) + 1


@pytest.mark.parametrize("response", [0, 1])
def test_udapi_reads_generated_corpora(tmp_path: Path, response: int) -> None:
    path = generated_file(tmp_path, "corefud", response)

    assert our_counts(anascore.read(path)) == udapi_counts(path)


def test_udapi_reads_a_discontinuous_mention_whose_parts_are_single_words(tmp_path: Path) -> None:
    mention = Mention(((0, 1), (2, 3), (4, 5)), (), ((2, 3),))
    document = Document("d", list("abcdef"), [Entity([mention], name="e1")])
    path = tmp_path / "f.conllu"

    anascore.write(Corpus({"d": document}), path)

    counts = udapi_counts(path)
    assert counts["words"] == [3]
    assert counts["heads"] == [2]
    assert our_counts(anascore.read(path)) == counts


@pytest.mark.parametrize("side", ["key", "response"])
def test_we_read_what_udapi_reads_in_a_large_document(tmp_path: Path, side: str) -> None:
    write_benchmark(tmp_path, "1000")
    path = tmp_path / f"1000-{side}.conllu"

    assert our_counts(anascore.read(path)) == udapi_counts(path)


@pytest.mark.parametrize("name", ["zeros-key.conllu", "zeros.conllu"])
def test_we_read_what_udapi_reads_in_a_text_with_zeros(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(f"{SAMPLES[name]}\n", encoding="utf-8")

    assert our_counts(anascore.read(path)) == udapi_counts(path)


@pytest.mark.corpora
@pytest.mark.parametrize(
    "name", ["gum/key.conllu", "gum/noisy-b.conllu", "gum/xrenner.conllu", "ancora/dev.conllu"]
)
def test_we_read_what_udapi_reads(name: str) -> None:
    path = CORPORA / name

    assert our_counts(anascore.read(path)) == udapi_counts(path)


@pytest.mark.corpora
def test_we_read_what_udapi_reads_in_the_original_gum() -> None:
    path = CORPORA / "gum" / "original-dev.conllu"

    ours, theirs = our_counts(anascore.read(path)), udapi_counts(path)

    # udapi takes no heads from minspan.
    del ours["heads"], theirs["heads"]
    assert ours == theirs


@pytest.mark.corpora
@pytest.mark.parametrize("name", ["gum/key.conllua", "ancora/dev.conllu", "gum/key.conllu"])
def test_udapi_reads_what_we_write(tmp_path: Path, name: str) -> None:
    corpus = anascore.read(CORPORA / name)
    anascore.write(corpus, tmp_path / "f.conllu")

    assert our_counts(corpus) == udapi_counts(tmp_path / "f.conllu")
