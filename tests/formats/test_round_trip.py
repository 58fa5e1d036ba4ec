"""Round trips: reading a written corpus restores it, in every format."""

import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import strategies as st

import anascore
from anascore import Corpus, Document, Entity, score
from anascore.corpus.validate import validate
from anascore.formats.registry import FORMATS, WRITABLE
from anascore.formats.writing import fit_to_format, writer_of
from anascore.results.result import Scores
from support.drawn_corpora import CORPORA_DRAWN, SetDrawing, annotated, corpora, has_words
from support.samples import tabbed
from support.shared import REAL, Lazy, beginning, each_corpus, each_pair, real

each_format = pytest.mark.parametrize("name", WRITABLE)


@st.composite
def keys_and_responses(draw: st.DrawFn, *, characters: bool) -> tuple[Corpus, Corpus]:
    """Draw two annotations of the same words."""
    key = draw(corpora(characters=characters))
    response = {name: draw(annotated(bare)) for name, bare in without_annotation(key)}
    return key, Corpus(response)


def alone(corpus: Corpus) -> list[Corpus]:
    """Make a corpus of each document."""
    return [replace(corpus, documents={name: d}) for name, d in corpus.documents.items()]


def files_of(corpus: Corpus, name: str, folder: Path) -> list[Path]:
    """Write a corpus to files, one per document if the format requires that."""
    target = FORMATS[name]
    parts = alone(corpus) if target.one_document else [corpus]
    paths = [folder / f"{number}.file" for number in range(len(parts))]
    for path, part in zip(paths, parts, strict=True):
        path.write_bytes(writer_of(name)(part).encode())
    return paths


def read_back(corpus: Corpus, name: str) -> Corpus:
    """Write a corpus in a format, and read it back."""
    with tempfile.TemporaryDirectory() as folder:
        read = [anascore.read(path, name) for path in files_of(corpus, name, Path(folder))]
    if not (read[0].unnamed or FORMATS[name].one_document):
        return read[0]
    # Such files have no names of documents in them.
    documents = [document for part in read for document in part.documents.values()]
    named = [replace(d, name=n) for n, d in zip(corpus.documents, documents, strict=True)]
    return replace(read[0], documents={document.name: document for document in named})


PAIRS_DRAWN = {kind: SetDrawing(keys_and_responses(characters=kind), 25) for kind in (True, False)}


@each_format
def test_what_fits_fits(name: str) -> None:
    def test(corpus: Corpus) -> None:
        once, _ = fit_to_format(corpus, name)
        twice, lost = fit_to_format(once, name)

        assert twice == once
        assert lost == Counter()

    CORPORA_DRAWN.check(test)


@each_format
def test_what_is_written_can_be_read(name: str) -> None:
    def test(corpus: Corpus) -> None:
        fitting, _ = fit_to_format(corpus, name)
        if has_words(fitting, name):
            read = read_back(fitting, name)

            assert list(read.documents) == list(fitting.documents)
            assert read == fitting
            assert read.format == name

    CORPORA_DRAWN.check(test)


@pytest.mark.parametrize("name", [name for name in WRITABLE if FORMATS[name].holds.sentences])
def test_sentences_are_kept(name: str) -> None:
    def test(corpus: Corpus) -> None:
        plain_corpus = replace(corpus, documents=dict(without_annotation(corpus)))
        fitting, _ = fit_to_format(plain_corpus, name)
        if has_words(fitting, name):
            read = read_back(fitting, name).documents.values()
            for ours, theirs in zip(fitting.documents.values(), read, strict=True):
                assert tuple(theirs.sentences) == tuple(ours.sentences or theirs.sentences[:1])

    CORPORA_DRAWN.check(test)


@each_format
def test_what_is_written_is_recognised(name: str) -> None:
    def test(corpus: Corpus) -> None:
        fitting, _ = fit_to_format(corpus, name)
        parts = alone(fitting) if FORMATS[name].one_document else [fitting]
        with tempfile.TemporaryDirectory() as folder:
            for path, part in zip(files_of(fitting, name, Path(folder)), parts, strict=True):
                has_mentions = any(document.entities for document in part.documents.values())
                if has_words(part, name) and (has_mentions or name != "llm-text"):
                    (validated,) = validate(str(path), None)
                    assert validated.format == name

    CORPORA_DRAWN.check(test)


@each_format
def test_nothing_disappears_silently(name: str) -> None:
    def test(corpus: Corpus) -> None:
        for part in alone(corpus):
            fitting, lost = fit_to_format(part, name)
            assert fitting == part or lost
            assert all(number > 0 for number in lost.values())

    CORPORA_DRAWN.check(test)


@each_format
def test_a_format_changes_no_score(name: str) -> None:
    def test(pair: tuple[Corpus, Corpus]) -> None:
        fits = [fit_to_format(side, name) for side in pair]
        if all(has_words(fitting, name) for fitting, _ in fits):
            lossless = not any(lost for _, lost in fits)
            before = list(pair) if lossless else [fitting for fitting, _ in fits]

            after = [read_back(fitting, name) for fitting, _ in fits]

            assert results(*after) == results(*before)

    PAIRS_DRAWN[FORMATS[name].holds.characters].check(test)


def results(key: Corpus, response: Corpus) -> list[tuple[Scores, Scores]]:
    # Some formats fill the gaps of mentions, and so have more words: MOR differs.
    result = score(key, response, metrics="conll,ceafm,lea,blanc,mentions")
    documents = [(document.scores, document.split_only) for document in result.documents.values()]
    return [(result.scores, result.split_only), *documents]


def without_annotation(corpus: Corpus) -> Iterator[tuple[str, Document]]:
    for name, document in corpus.documents.items():
        yield name, replace(document, entities=(), nonreferring=(), bridges=(), deixis=())


def reordered(document: Document, rng: random.Random) -> Document:
    """Put entities, mentions, elements and links in another order."""
    order = rng.sample(range(len(document.entities)), len(document.entities))
    position = {old: new for new, old in enumerate(order)}
    entities = [
        Entity(
            rng.sample(list(document.entities[old].mentions), len(document.entities[old].mentions)),
            [position[element] for element in reversed(list(document.entities[old].elements))],
            relation=document.entities[old].relation,
        )
        for old in order
    ]
    bridges = [
        bridge._replace(entity=None if bridge.entity is None else position[bridge.entity])
        for bridge in reversed(document.bridges)
    ]
    nonreferring = list(reversed(document.nonreferring))
    return replace(document, entities=entities, nonreferring=nonreferring, bridges=bridges)


def test_documents_are_equal_in_whatever_order() -> None:
    rng = random.Random(1)

    def test(corpus: Corpus) -> None:
        for document in corpus.documents.values():
            for _ in range(5):
                assert reordered(document, rng) == document

    CORPORA_DRAWN.check(test)


def test_a_folder_of_rucoco_names_its_documents() -> None:
    def test(corpus: Corpus) -> None:
        # A file without a text cannot be read, and not all names can be names of files.
        nonempty = [d for d in corpus.documents.values() if "".join(d.words)]
        documents = {name: replace(d, name=name) for name, d in zip("abc", nonempty, strict=False)}
        if documents:
            named = Corpus(documents)
            with tempfile.TemporaryDirectory() as folder:
                anascore.write(named, Path(folder) / "new", "rucoco")
                read = anascore.read(Path(folder) / "new")
            assert read == fit_to_format(named, "rucoco")[0]

    CORPORA_DRAWN.check(test)


@each_format
@each_corpus(real_ones=REAL)
def test_whole_corpora_can_be_written_and_read(corpus: Lazy[Corpus], name: str) -> None:
    whole = corpus()
    part = whole if name == whole.format else beginning(whole)
    fitting, lost = fit_to_format(part, name)

    read = read_back(fitting, name)

    assert read == fitting
    assert fitting == part or lost


@each_pair("friends", real_ones=["noisy-b"])
@pytest.mark.parametrize("name", ["corefud", "ua", "jsonl"])
def test_scores_of_a_whole_corpus_are_the_same_in_formats_with_sets(
    pair: Lazy[tuple[Corpus, Corpus]], name: str
) -> None:
    # In some formats mentions of one entity cannot cross.
    original = [fit_to_format(side, "corefud")[0] for side in pair()]

    written = [read_back(fit_to_format(side, name)[0], name) for side in original]

    assert results(*written) == results(*original)


@each_pair("conll2012", real_ones=["noisy-b"])
def test_scores_of_a_whole_corpus_without_sets_are_the_same_in_conll2012(
    pair: Lazy[tuple[Corpus, Corpus]],
) -> None:
    original = pair()

    written = [read_back(fit_to_format(side, "conll2012")[0], "conll2012") for side in original]

    ours, theirs = (score(*sides, split=False).scores for sides in (written, original))
    assert ours == {**theirs, "mor": ours["mor"]}


def test_a_text_converted_to_conll2012_is_the_one_written_by_hand(tmp_path: Path) -> None:
    corefud = """\
# global.Entity = eid-etype-head-other
# newdoc id = story
1 The _ _ _ _ _ _ _ Entity=(e1-person-2-
2 girl _ _ _ _ _ _ _ _
3 with _ _ _ _ _ _ _ _
4 a _ _ _ _ _ _ _ Entity=(e2-object-2-
5 hat _ _ _ _ _ _ _ Entity=e2)e1)
6 saw _ _ _ _ _ _ _ _
6.1 _ _ _ _ _ _ _ _ Entity=(e1-person-1-)
7 it _ _ _ _ _ _ _ Entity=(e2-object-1-)

1 They _ _ _ _ _ _ _ Entity=(e3--1-)|SplitAnte=e1<e3,e2<e3
2 left _ _ _ _ _ _ _ _
"""
    conll = """\
#begin document (story); part 000
story 0 0 The (1
story 0 1 girl -
story 0 2 with -
story 0 3 a (2
story 0 4 hat 1)|2)
story 0 5 saw -
story 0 6 it (2)

story 0 0 They (3)
story 0 1 left -

#end document
"""
    (tmp_path / "f.conllu").write_text(tabbed(corefud), encoding="utf-8")
    (tmp_path / "f.conll").write_text(conll, encoding="utf-8")

    converted, lost = fit_to_format(anascore.read(tmp_path / "f.conllu"), "conll2012")

    by_hand = anascore.read(tmp_path / "f.conll")
    assert [*read_back(converted, "conll2012").documents.values()] == [
        replace(document, name="story") for document in by_hand.documents.values()
    ]
    assert lost["accommodated sets"] == lost["mentions that are zeros"] == 1


@pytest.mark.corpora
@pytest.mark.parametrize("side", ["key", "noisy-b"])
def test_a_corpus_converted_to_conll2012_is_the_given_one(side: str) -> None:
    expected = real(f"gum/{side}.conll")

    converted = read_back(fit_to_format(real(f"gum/{side}.conllu"), "conll2012")[0], "conll2012")

    assert converted == expected
