"""Comparison in blocks: results and messages are those of whole corpora."""

import gc
import gzip
import io
import json
import random
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore import Corpus, Document, Entity, Mention, blocks
from anascore.errors import ReadError
from anascore.formats.files import File
from anascore.formats.reading import CorpusFile
from anascore.formats.streams import CannotStream, Stream, _lines
from anascore.formats.writing import to_text
from support.block_comparison import assert_same, error_of, streamed
from support.damaged_documents import corpus_of, damage
from support.generated_corpora import generated_file, rich_corpus
from support.resolvers import coref_hoi, fastcoref, preco, wl_coref
from support.samples import SAMPLES
from support.shared import CORPORA

WRITTEN = ("ua", "corefud", "conll2012", "jsonl")
"""Formats that can be cut and written."""


def names_in(key: Path | Corpus, response: Path | Corpus) -> list[str]:
    """Return the names of the documents that are scored, the same in whole corpora and batches."""
    (result,) = list(assert_same(key, response))
    return [name for name, _ in result[0]]


def is_streamed(path: Path) -> bool:
    return not isinstance(Stream(CorpusFile(str(path))).source, Corpus)


def shuffled(corpus: Corpus) -> Corpus:
    names = list(corpus.documents)
    random.Random(1).shuffle(names)
    return replace(corpus, documents={name: corpus.documents[name] for name in names})


def written(folder: Path, corpus: Corpus, name: str, file: str) -> Path:
    path = folder / file
    anascore.write(corpus, path, name)
    return path


each_format = pytest.mark.parametrize("name", WRITTEN)


@each_format
@pytest.mark.parametrize("settings", [{}, {"layers": "all"}, {"by": "all"}, {"match": "partial"}])
def test_results_are_those_of_whole_corpora(
    tmp_path: Path, name: str, settings: dict[str, Any]
) -> None:
    key, first, second = (generated_file(tmp_path, name, number) for number in range(3))

    assert_same(key, first, second, **settings)


@each_format
@pytest.mark.parametrize("ending", ["", ".gz"])
def test_another_order(tmp_path: Path, name: str, ending: str) -> None:
    key = written(tmp_path, rich_corpus(), name, f"key{ending}")
    response = written(tmp_path, shuffled(rich_corpus(1)), name, f"response{ending}")

    assert names_in(key, response) == list(rich_corpus().documents)


@pytest.mark.parametrize("other", WRITTEN)
@each_format
def test_another_format(tmp_path: Path, name: str, other: str) -> None:
    key = written(tmp_path, rich_corpus(), name, "key")
    response = written(tmp_path, rich_corpus(1), other, "response")

    assert_same(key, response)


@each_format
@pytest.mark.parametrize("missing", ["error", "empty"])
def test_missing_and_extra_documents(tmp_path: Path, name: str, missing: str) -> None:
    corpus = rich_corpus()
    fewer = replace(corpus, documents=dict([*corpus.documents.items()][2:-1]))
    key, response = written(tmp_path, corpus, name, "key"), written(tmp_path, fewer, name, "fewer")

    assert_same(key, response, missing=missing)
    message = error_of(response, key, missing=missing)
    assert message.startswith("MismatchError: ")
    assert "key and response must have the same documents" in message


@each_format
@pytest.mark.parametrize("bad_documents", ["error", "skip"])
@pytest.mark.parametrize("in_key", [[], [1], [0, 1, 2]])
@pytest.mark.parametrize("in_response", [[], [2], [0, 1, 2]])
def test_documents_with_errors(
    tmp_path: Path, name: str, bad_documents: str, in_key: list[int], in_response: list[int]
) -> None:
    paths = tmp_path / "key", tmp_path / "response"
    for path, numbers in zip(paths, (in_key, in_response), strict=True):
        anascore.write(corpus_of(), path, name)
        path.write_text(damage(path.read_text(), name, numbers))

    assert_same(*paths, bad_documents=bad_documents)


@pytest.mark.parametrize("bad_documents", ["error", "skip"])
def test_documents_with_errors_in_another_order(tmp_path: Path, bad_documents: str) -> None:
    key, response = tmp_path / "key", tmp_path / "response"
    anascore.write(corpus_of(("a", "b", "c", "d")), key, "ua")
    anascore.write(corpus_of(("d", "c", "b")), response, "ua")
    response.write_text(damage(response.read_text(), "ua", [0, 1]))
    key.write_text(damage(key.read_text(), "ua", [0]))

    assert_same(key, response, bad_documents=bad_documents)


UNNAMED = """\
# global.columns = ID FORM IDENTITY
# newdoc
1\tshe\t(EntityID=1|MarkableID=m1)
2\tsaw\t_
3\ther\t(EntityID=1|MarkableID=m2)

# newdoc id = named
1\the\t(EntityID=1|MarkableID=m1)

# newdoc
1\tit\t(EntityID=1|MarkableID=m1)
2\tis\t(EntityID=1|MarkableID=m2)
"""


def test_documents_without_names(tmp_path: Path) -> None:
    key, response = tmp_path / "key", tmp_path / "response"
    key.write_text(UNNAMED)
    response.write_text(UNNAMED.replace("EntityID=1|MarkableID=m2", "EntityID=2|MarkableID=m2"))

    assert names_in(key, response) == ["unnamed", "named", "unnamed-2"]


WITHOUT_NEWDOC = """\
# global.Entity = eid-etype-head-other
1\tshe\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1--1-)

# newdoc id = second
1\ther\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1--1-)
"""


def test_words_before_the_first_newdoc(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text(WITHOUT_NEWDOC)

    assert names_in(path, path) == ["unnamed", "second"]


def json_lines(*documents: str) -> str:
    """Join documents, each of which is on a line of its own."""
    return "".join(json.dumps(json.loads(document)) + "\n" for document in documents)


RESOLVERS: dict[str, Callable[[int], str]] = {
    "coref-hoi": lambda n: coref_hoi([[(0, 1), (2, 3)]], doc_key=f"d{n}"),
    "wl-coref": lambda n: wl_coref([[(0, 1), (2, 3)]], document_id=f"d{n // 2}", part_id=n % 2),
    "preco": lambda n: preco([[(0, 1), (2, 3)]]).replace('"id": "', f'"id": "{n}'),
    "fastcoref": lambda _: fastcoref([[(0, 1), (2, 3)]]),
}


@pytest.mark.parametrize("name", RESOLVERS)
def test_output_of_resolvers(tmp_path: Path, name: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(json_lines(*map(RESOLVERS[name], range(4))))
    corpus = anascore.read(path)
    assert corpus.format == name
    assert len(corpus.documents) == 4

    assert is_streamed(path) == (name != "fastcoref")
    assert_same(path, path)


@each_format
def test_errors_and_explanations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    key, response = (generated_file(tmp_path, name, number) for number in range(2))
    whole = anascore.find_errors(key, response)
    explained = anascore.explain(key, response)
    monkeypatch.setattr(blocks, "BLOCK_SIZE", 1)
    monkeypatch.setattr(blocks, "compare_whole", None)

    errors = anascore.find_errors(key, response)

    assert list(errors) == list(whole)
    assert (len(errors), errors.counts) == (len(whole), whole.counts)
    assert (errors.scores, errors.corrected) == (whole.scores, whole.corrected)
    for listed in ("table", "json", "csv"):
        assert errors.render(listed) == whole.render(listed)
    stored, listed_errors = max(
        zip(errors.by_type.values(), whole.by_type.values(), strict=True),
        key=lambda pair: len(pair[1]),
    )
    assert (stored[0], stored[-2:]) == (listed_errors[0], listed_errors[-2:])
    assert list(anascore.explain(key, response)) == list(explained)


def test_documents_identified_by_order(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(json_lines(*map(RESOLVERS["fastcoref"], range(4))))
    document = next(iter(anascore.read(path).documents.values()))
    key = Corpus({name: replace(document, name=name) for name in "abcd"})
    more = Corpus({name: replace(document, name=name) for name in "abcde"})

    assert names_in(key, path) == [*"abcd"]
    assert "identified by order only" in error_of(more, path)
    assert_same(more, path, missing="empty")


@pytest.mark.parametrize("name", ["friends", "llm-text", "llm-json"])
def test_formats_that_cannot_be_cut(tmp_path: Path, name: str) -> None:
    key, response = (generated_file(tmp_path, name, number) for number in range(2))

    assert not is_streamed(key)
    assert_same(key, response)
    assert_same(written(tmp_path, rich_corpus(), "corefud", "large"), response, words="ignore")


BAD_LINES: dict[str, tuple[dict[int, str], dict[str, Any]]] = {
    "all there": ({}, {}),
    "heads of a key without tree": ({}, {"match": "head"}),
    "one missing": ({1: ""}, {}),
    "one missing, which is empty": ({1: ""}, {"missing": "empty"}),
    "broken": ({2: "x|e9] {}", 3: "{} y|[e9"}, {}),
    "repaired": ({2: "x|e9] {}", 3: "{} y|[e9"}, {"repair": True}),
    "a line before": ({0: "Here you are :\n{}"}, {"repair": True}),
    "a line before, another missing": ({0: "Here !\n{}", 4: ""}, {"repair": True}),
    "a refusal": ({1: "I cannot help|[e1] you\n"}, {"repair": True}),
    "another order": ({0: "", 3: "{0}{0}"}, {"repair": True}),
}


@pytest.mark.parametrize("case", BAD_LINES)
@pytest.mark.parametrize("of_key", [True, False])
def test_documents_that_are_paired_by_words(tmp_path: Path, case: str, of_key: bool) -> None:  # noqa: FBT001  a parameter
    changes, settings = BAD_LINES[case]
    texts = {str(n): Document(str(n), [f"w{n}{m}" for m in range(9)], ()) for n in range(6)}
    entity = Entity((Mention(((1, 3),)), Mention(((5, 6),))), name="e1")
    corpus = Corpus({n: replace(d, entities=(entity,)) for n, d in texts.items()})
    key: Path | Corpus = written(tmp_path, corpus, "corefud", "key") if of_key else corpus
    lines = to_text(corpus, "llm-text")[0].splitlines(keepends=True)
    for number, change in changes.items():
        lines[number] = change.format(lines[number])
    response = tmp_path / "response.txt"
    response.write_text("".join(lines))

    assert_same(key, response, response, **settings)


def test_a_bad_key_of_documents_that_are_paired_by_words(tmp_path: Path) -> None:
    key = written(tmp_path, rich_corpus(), "corefud", "key")
    response = written(tmp_path, rich_corpus(), "llm-text", "response.txt")
    key.write_text(
        re.sub(r"Entity=[(][^)\n|]*[)]", lambda bracket: bracket[0][:-1], key.read_text(), count=1)
    )

    assert "never closed" in error_of(key, response)
    assert_same(key, response, bad_documents="skip")


@pytest.mark.parametrize("bad_documents", ["error", "skip"])
def test_folders_of_one_document_in_each_file(tmp_path: Path, bad_documents: str) -> None:
    key, response = (generated_file(tmp_path, "rucoco", number) for number in range(2))

    assert streamed(key) == list(anascore.read(key).documents)
    assert_same(key, response)
    first, second, third, *_ = sorted(response.iterdir())
    first.write_text(first.read_text().replace("[", "[[", 1))
    assert_same(key, response, bad_documents=bad_documents)
    second.write_text('{"text": "", "entities": []}')
    assert_same(key, response, bad_documents=bad_documents)
    third.write_bytes(b"\xff")
    assert_same(key, response, bad_documents=bad_documents)


def test_files_with_companions(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text("John left. He slept.")
        (tmp_path / f"{name}.ann").write_text("T1\tPerson 0 4\tJohn\nT2\tPerson 11 13\tHe\n")
    (tmp_path / "b.ann").write_text("")

    assert is_streamed(tmp_path)
    assert names_in(tmp_path, tmp_path) == ["a", "b"]


def test_folders(tmp_path: Path) -> None:
    corpora = [rich_corpus(number) for number in range(2)]
    for number, corpus in enumerate(corpora):
        (tmp_path / str(number)).mkdir()
        for name, document in corpus.documents.items():
            one = replace(corpus, documents={name: document})
            anascore.write(one, tmp_path / str(number) / f"{name}.conllu", "corefud")
    first = next((tmp_path / "1").iterdir())
    key, response = tmp_path / "0", tmp_path / "1"

    assert is_streamed(key)
    assert_same(key, response)
    assert CorpusFile(str(key)).is_larger(max(f.stat().st_size for f in key.iterdir()))
    (response / "twice.conllu").write_bytes(first.read_bytes())
    assert "duplicate document id" in error_of(key, response)


REQUIREMENTS: dict[str, tuple[dict[str, Any], str]] = {
    "heads": ({"match": "head"}, "--match head needs heads"),
    "minimum spans": ({"match": "partial"}, "--match partial needs minimum spans in the key"),
    "parses": ({"np_only": True}, "--np-only needs the parses of CoNLL-2012"),
    "anaphors": ({"anaphors": "pronoun"}, "--anaphors pronoun needs part-of-speech tags"),
    "layers": ({"layers": "bridging"}, "CoNLL-2012 cannot hold the layer bridging"),
}


@pytest.mark.parametrize("case", REQUIREMENTS)
def test_annotation_that_the_corpora_lack(tmp_path: Path, case: str) -> None:
    settings, message = REQUIREMENTS[case]
    path = written(tmp_path, corpus_of(), "conll2012", "key.conll")

    text = error_of(path, path, **settings)
    assert text.startswith(f"SettingsError: {path}: {message}")


def test_annotation_that_one_document_has(tmp_path: Path) -> None:
    """Other documents, which are in other batches, need not have it."""
    key = tmp_path / "key"
    key.write_text(SAMPLES["layers-key.conllua"] + UNNAMED.partition("\n")[2])
    both = tmp_path / "both"
    both.write_text(UNNAMED)

    assert_same(both, both, match="head")
    with pytest.raises(ReadError):  # global.columns differs
        anascore.score(key, key)
    assert_same(key, key, match="head")


def test_annotation_that_only_the_response_lacks(tmp_path: Path) -> None:
    key = written(tmp_path, rich_corpus(), "corefud", "key")
    response = written(tmp_path, rich_corpus(1), "conll2012", "response")

    message = error_of(key, response, match="head")
    assert message.startswith(f"SettingsError: {response}: its mentions need heads by the")


def test_other_words(tmp_path: Path) -> None:
    """The first difference of the first response is reported, whatever comes first in batches."""
    corpus = rich_corpus()
    names = list(corpus.documents)

    def changed(name: str) -> Corpus:
        document = corpus.documents[name]
        other = replace(document, words=("other", *document.words[1:]))
        return replace(corpus, documents={**corpus.documents, name: other})

    paths = [written(tmp_path, changed(names[number]), "corefud", str(number)) for number in (3, 0)]
    key = written(tmp_path, corpus, "corefud", "key")

    message = error_of(key, *paths)
    assert message.startswith("MismatchError: ")
    assert f"word 1 of document {names[3]!r} is 'other'" in message
    assert_same(key, *paths, words="ignore")
    assert error_of(key, key, *paths) == message


def test_an_error_of_a_response_that_is_read_as_a_whole(tmp_path: Path) -> None:
    key = written(tmp_path, corpus_of(), "corefud", "key")
    response = tmp_path / "response"
    response.write_text('{"episodes": 3}')

    assert error_of(key, response).startswith(f"ReadError: {response}:")
    assert_same(key, tmp_path / "none")


DUPLICATE = "# global.columns = ID FORM IDENTITY\n" + "# newdoc id = d\n1\tx\t_\n\n" * 2
NOT_CUT: dict[str, str | bytes] = {
    "duplicate names": DUPLICATE,
    "other columns below": UNNAMED + "# global.columns = ID IDENTITY FORM\n",
    "columns declared below words": "\n".join(UNNAMED.split("\n")[1:]) + UNNAMED,
    "no columns": "\n".join(UNNAMED.split("\n")[1:]),
    "a column twice": UNNAMED.replace("ID FORM", "ID FORM FORM"),
    "fields declared below words": WITHOUT_NEWDOC.partition("\n")[2] + WITHOUT_NEWDOC,
    "other fields": WITHOUT_NEWDOC + "# global.Entity = eid-head\n",
    "no UTF-8": UNNAMED.encode() + b"\xff\n",
    "a NUL": UNNAMED + "\0\n",
    "a format that its beginning does not tell": WITHOUT_NEWDOC.partition("\n")[2],
    "nothing": "",
    "no documents": "no format at all",
    "a part of no document": "#begin document (); part 002\nx\t0\t0\ty\t-\n\n#end document\n" * 2,
    "indented JSON": '{\n"doc_key": "d", "tokens": ["x"], "clusters": []}\n',
    "objects on one line": '{"doc_key": "d", "tokens": ["x"], "clusters": []}'
    '{"doc_key": "e", "tokens": ["x"], "clusters": []}\n',
    "deep nesting": '{"doc_key": ' + "[" * 100_000 + "\n",
    "a part without a name": '{"cased_words": ["x"], "clusters": [], "part_id": 1}\n' * 2,
    "a list": '[{"doc_key": "d", "tokens": ["x"], "clusters": []}]\n',
}


@pytest.mark.parametrize("case", NOT_CUT)
def test_unusual_files_are_read_as_a_whole(tmp_path: Path, case: str) -> None:
    path = tmp_path / "key"
    content = NOT_CUT[case]
    path.write_bytes(content if isinstance(content, bytes) else content.encode())

    with pytest.raises((CannotStream, ReadError)):
        streamed(path)
    assert_same(path, path, streamed=False)


CUT = {
    "CRLF": UNNAMED.replace("\n", "\r\n"),
    "mixed ends of lines": UNNAMED.replace("\n", "\r\n", 3),
    "carriage returns alone": UNNAMED.replace("\n", "\r"),
    "byte order mark": "\ufeff" + UNNAMED,
    "no line end": UNNAMED.rstrip("\n"),
    "comments above newdoc": UNNAMED.replace("# newdoc", "# one\n# two\n# newdoc"),
    "columns declared twice": UNNAMED.replace(
        "# newdoc id", "# global.columns = ID FORM IDENTITY\n# newdoc id"
    ),
    "fields that are wrong": WITHOUT_NEWDOC.replace("eid-etype", "etype-etype"),
    "a line that is no JSON": '{"doc_key": "a", "tokens": ["x"], "clusters": []}\n{\n[]\n'
    '{"doc_key": "b", "tokens": ["x"], "clusters": []}\n',
    "names that are no names": '{"doc_key": 3, "tokens": ["x"], "clusters": []}\n'
    '{"doc_key": "\\ud800", "tokens": ["x"], "clusters": []}\n'
    '{"tokens": ["x"], "clusters": []}\n',
    "a document without words": '{"doc_key": "a", "tokens": [], "clusters": []}\n'
    '{"doc_key": "b", "tokens": ["x"], "clusters": []}\n',
    "no words": '{"doc_key": "a", "tokens": [], "clusters": []}\n'
    '{"doc_key": "b", "tokens": [], "clusters": []}\n',
    "no words, but errors": '{"doc_key": "a", "tokens": [], "clusters": [3]}\n'
    '{"doc_key": "b", "tokens": [], "clusters": []}\n',
    "words outside of documents": "#begin document (a)\nx\t-\n\n#end document\ny\t-\n"
    "#begin document (b); part 001\nx\t-\n\n#end document\n",
    "columns separated by blanks": "#begin document (a)\nx  -\n\n#end document\n"
    "#begin document (b)\nx\t-\n\n#end document\n",
    "words in another column": "#begin document (a)\n1 she x y (1)\n2 saw x y -\n\n#end document\n"
    "#begin document ()\n1 x x y -\n\n#end document\n",
    "a misspelt attribute": WITHOUT_NEWDOC + "2\tx\t_\t_\t_\t_\t_\t_\t_\tSplitAntee=e1<e2\n",
    "a misspelt comment": UNNAMED.replace("# newdoc id =", "# newdoc\n# newdoc_id =") + "# sent\n",
    "a misspelt key": '{"doc_key": "a", "tokens": ["x"], "clusters": [], "split_antecedent": []}\n'
    '{"doc_key": "b", "tokens": ["x"], "clusters": []}\n',
    "Stanza's attributes": WITHOUT_NEWDOC.partition("\n")[2].replace(
        "Entity=(e1--1-)", "coref_chains=unit-id0"
    ),
}


@pytest.mark.parametrize("bad_documents", ["error", "skip"])
@pytest.mark.parametrize("case", CUT)
def test_files_that_can_be_cut(tmp_path: Path, case: str, bad_documents: str) -> None:
    path = tmp_path / "key"
    path.write_bytes(CUT[case].encode())
    text = CUT[case].removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    content = text.encode()

    pieces = list(Stream(CorpusFile(str(path))))

    assert b"".join(piece.content for piece in pieces) == content
    before = [b"".join(piece.content for piece in pieces[:n]) for n in range(len(pieces))]
    assert [piece.first_line for piece in pieces] == [b.count(b"\n") + 1 for b in before]
    assert_same(path, path, bad_documents=bad_documents)


@pytest.mark.parametrize("size", [1, 500, 5000])
@each_format
def test_documents_in_several_chunks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, size: int
) -> None:
    monkeypatch.setattr("anascore.formats.streams.CHUNK_SIZE", size)
    key, response = (generated_file(tmp_path, name, number) for number in range(2))
    assert key.stat().st_size > size

    assert_same(key, response)


LATER = {
    "other columns": "# global.columns = ID IDENTITY FORM\n",
    "a byte order mark": "\n" * 100 + "\ufeff1\tx\t_\n",
    "no UTF-8": "\udcff",
}


@pytest.mark.parametrize("case", LATER)
def test_chunks_that_are_unlike_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    monkeypatch.setattr("anascore.formats.streams.CHUNK_SIZE", 1)
    path = tmp_path / "key"
    path.write_text(UNNAMED + LATER[case], errors="surrogateescape")

    stream = Stream(CorpusFile(str(path)))
    assert not isinstance(stream.source, Corpus)
    with pytest.raises(CannotStream):
        list(stream)
    assert_same(path, path)


def test_chunks_end_after_lines_that_are_no_comments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anascore.formats.streams.CHUNK_SIZE", 1)
    text = b"a\n# b\nc\n# d\n# e\nf"

    assert list(_lines(io.BytesIO(text))) == [b"a\n", b"# b\nc\n", b"# d\n# e\nf"]


def test_compressed_files(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.conllu.gz" for number in range(3)]
    for number, path in enumerate(paths):
        anascore.write(rich_corpus(number), path, "corefud")

    assert_same(*paths)
    paths[0].write_bytes(gzip.compress(b"x" * 100)[:-12])
    assert "cannot be decompressed" in error_of(paths[0], paths[1])


def test_small_corpora_are_scored_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, corpus_of(), "corefud", "key.conllu")
    calls = []

    def note(*arguments: Any) -> Any:
        calls.append(arguments)
        return compare_blocks(*arguments)

    compare_blocks = blocks._compare_blocks
    monkeypatch.setattr(blocks, "_compare_blocks", note)
    whole = anascore.score(path, path)
    assert not calls
    monkeypatch.setattr(blocks, "BLOCK_SIZE", path.stat().st_size - 1)
    assert anascore.score(path, path) == whole
    assert len(calls) == 1


def test_pipes_are_read_as_a_whole() -> None:
    assert File("-", "standard input").size is None
    assert File("/dev/null", "null").size is None
    assert not CorpusFile("/dev/null").is_larger(0)


@pytest.mark.parametrize("damaged", [True, False])
def test_standard_input_is_read_once(tmp_path: Path, *, damaged: bool) -> None:
    key = written(tmp_path, corpus_of(), "corefud", "key.conllu")
    text = key.read_text()
    response = damage(text, "corefud", [1]) if damaged else text.replace("\tx\t", "\tother\t", 1)
    code = "from anascore import blocks; blocks.BLOCK_SIZE = {}\n"
    code += "from anascore.cli.main import main; main()"

    shown = [
        subprocess.run(
            [sys.executable, "-c", code.format(size), "score", str(key), "-"],
            input=response,
            capture_output=True,
            text=True,
            check=False,
        ).stderr
        for size in (1, 1000_000)
    ]

    assert shown[0] == shown[1]
    assert shown[0].startswith("anascore: error: standard input:")


def test_a_corpus_without_files(tmp_path: Path) -> None:
    """The error of the key comes first, though the response is seen to be wrong before."""
    assert not CorpusFile(str(tmp_path)).is_larger(0)
    with pytest.raises(ReadError, match="key: no such file"):
        anascore.score(tmp_path / "key", tmp_path)


def test_a_format_that_is_named(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text(WITHOUT_NEWDOC.partition("\n")[2])

    stream = Stream(CorpusFile(str(path), "corefud"))

    assert [piece.name for piece in stream] == ["unnamed", "second"]


@pytest.mark.parametrize("settings", [{}, {"layers": "all", "by": "all", "match": "partial"}])
def test_scoring_leaves_no_reference_cycles(tmp_path: Path, settings: dict[str, Any]) -> None:
    """They would stay in memory, since the command line does not search for them."""
    key, response = (generated_file(tmp_path, "ua", number) for number in range(2))
    anascore.score(key, response, **settings)
    gc.collect()
    gc.disable()
    try:
        result = anascore.score(key, response, **settings)
        assert result.counted
        assert gc.collect() == 0
    finally:
        gc.enable()


@pytest.mark.corpora
@pytest.mark.parametrize("ending", ["conllu", "conllua", "conll"])
def test_real_corpora(ending: str) -> None:
    folder = CORPORA / "gum"

    assert_same(*(folder / f"{name}.{ending}" for name in ("key", "noisy-a", "noisy-b")))
