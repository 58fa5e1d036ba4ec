"""Documents with errors: all are listed, or they are skipped and named."""

import json
import re
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anascore
from anascore import (
    Corpus,
    Document,
    MismatchError,
    ReadError,
    Settings,
    SettingsError,
)
from anascore.cli.main import main
from anascore.errors import Problem, Problems
from anascore.formats.registry import FORMATS
from anascore.pairing.documents import UNREADABLE, blank_bad_documents
from anascore.results.result import Result
from support.damaged_documents import DAMAGES, NAMES, corpus_of, damage
from support.documents import document_of
from support.metric_oracles import Side
from support.shared import CORPORA
from support.strategies import sides

each_format = pytest.mark.parametrize("name", DAMAGES)


def write_damaged(path: Path, name: str, numbers: Collection[int] = ()) -> Path:
    """Write three documents to a file, or to a folder, and damage some of them."""
    anascore.write(corpus_of(), path, name)
    if FORMATS[name].one_document:
        for number in numbers:
            file = path / f"{NAMES[number]}.json"
            file.write_text(damage(file.read_text(), name, [0]))
    else:
        path.write_text(damage(path.read_text(), name, numbers))
    return path


def skipped(result: Result) -> list[tuple[str, str]]:
    return [(document.side, document.document) for document in result.skipped]


def name_in(corpus: Corpus, number: int) -> str:
    return list(corpus.documents)[number]


# Reading


@each_format
def test_read_marks_the_documents_that_have_errors(tmp_path: Path, name: str) -> None:
    path = write_damaged(tmp_path / "in", name, [1])

    corpus = anascore.read(path, bad_documents="skip")

    assert len(corpus.documents) == 3
    assert [bool(document.errors) for document in corpus.documents.values()] == [0, 1, 0]
    (error,) = corpus.documents[name_in(corpus, 1)].errors
    pattern = re.sub(r"\\\{\\\}", r"\\d+", re.escape(DAMAGES[name][2]))
    assert re.match(pattern, error.text.removeprefix(error.path))
    assert Path(error.path).is_relative_to(path)


@each_format
def test_the_error_lists_all_bad_documents(tmp_path: Path, name: str) -> None:
    path = write_damaged(tmp_path / "in", name, [0, 2])
    corpus = anascore.read(path, bad_documents="skip")

    with pytest.raises(ReadError) as error:
        anascore.read(path)

    first, second = (d.errors[0] for d in corpus.documents.values() if d.errors)
    assert str(error.value) == f"{first.text}\n{second.text}"
    assert (error.value.path, error.value.line, error.value.what) == (
        first.path,
        first.line,
        first.what,
    )


def test_a_document_is_listed_with_its_first_error_only(tmp_path: Path) -> None:
    text = "#begin document (a)\nx (1\ny 2)\n#end document\n#begin document (b)\nx 3)\n"
    (tmp_path / "in.conll").write_text(text)

    with pytest.raises(ReadError) as error:
        anascore.read(tmp_path / "in.conll")

    assert error.value.lines == (
        f"{tmp_path}/in.conll:3: '2)' closes no mention; open here: 1",
        f"{tmp_path}/in.conll:6: '3)' closes no mention; open here: nothing",
    )


@pytest.mark.parametrize("jobs", [1, 2])
def test_all_files_of_a_folder_are_listed(tmp_path: Path, jobs: int) -> None:
    for number in range(5):
        bad = "1)" if number % 2 else "(1)"
        text = f"#begin document (d{number}); part 000\nx {bad}\n"
        (tmp_path / f"{number}.conll").write_text(text)

    with pytest.raises(ReadError) as error:
        anascore.read(tmp_path, jobs=jobs)

    assert error.value.lines == tuple(
        f"{tmp_path}/{number}.conll:2: '1)' closes no mention; open here: nothing"
        for number in (1, 3)
    )
    corpus = anascore.read(tmp_path, bad_documents="skip", jobs=jobs)
    assert [name for name, d in corpus.documents.items() if d.errors] == ["d1", "d3"]


@pytest.mark.parametrize(
    ("number", "last"),
    [(20, "in.jsonl:20: a document needs clusters"), (37, "and 17 more documents")],
)
def test_a_long_list_is_cut(tmp_path: Path, number: int, last: str) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text("".join(f'{{"doc_key": "{n}", "tokens": ["x"]}}\n' for n in range(number)))

    with pytest.raises(ReadError) as error:
        anascore.read(path, "jsonl")

    assert error.value.lines[19] == f"{path}:20: a document needs clusters"
    assert len(error.value.lines) == min(number, 21)
    assert error.value.lines[-1].endswith(last)


def test_a_long_list_with_errors_of_the_file_counts_errors(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text("7\n" * 22)

    with pytest.raises(ReadError) as error:
        anascore.read(path, "jsonl")

    assert error.value.lines[-1] == "and 2 more errors"


FILE_ERRORS = {
    "line that is no JSON": (
        "jsonl",
        '{"doc_key": "a", "tokens": ["x"], "clusters": []}\n{"doc_key": "b", \n'
        '{"doc_key": "c", "tokens": ["x"], "clusters": []}\n',
        ":2: this is not JSON: ",
    ),
    "line that is no object": (
        "jsonl",
        '[]\n{"doc_key": "c", "tokens": ["x"], "clusters": []}\n',
        ":1: [] is not a document",
    ),
    "word outside of documents": (
        "conll2012",
        "x -\n#begin document (a)\nx (1)\n#end document\n",
        ":1: this word is in no document; ",
    ),
    "header of CorefUD": (
        "corefud",
        "# global.Entity = etype\n# newdoc id = a\n1\tx" + "\t_" * 8 + "\n",
        ":1: global.Entity = etype must name eid",
    ),
    "header of CoNLL-UA": (
        "ua",
        "# global.columns = ID FORM\n# newdoc id = a\n1\tx\n",
        ":1: global.columns has no column IDENTITY",
    ),
    "scene that is none": (
        "friends",
        '{"episodes": [{"scenes": [{"scene": 1}, {"scene_id": "a", "utterances": []}]}]}',
        ":1: episodes[0].scenes[0]: this has neither episodes nor scenes nor utterances",
    ),
    "JSON of all documents": ("llm-json", "[{", ":1: this is not JSON: "),
    "document id twice": (
        "jsonl",
        '{"doc_key": "a", "tokens": ["x"], "clusters": []}\n' * 2,
        ":2: duplicate document id 'a'; line 1 has it too",
    ),
    "no words": ("ua", "# global.columns = ID FORM IDENTITY\n", ": this file has no words"),
    "not UTF-8": (None, "\xff", ":1: byte 0xff is not UTF-8"),
    "unknown format": (None, "hello\n", ": cannot detect the format"),
}


@pytest.mark.parametrize("case", FILE_ERRORS)
def test_errors_of_a_file_are_errors_in_any_case(tmp_path: Path, case: str) -> None:
    name, text, expected = FILE_ERRORS[case]
    path = tmp_path / "in"
    path.write_bytes(text.encode("latin-1"))

    for bad_documents in ("error", "skip"):
        with pytest.raises(ReadError) as error:
            anascore.read(path, name, bad_documents=bad_documents)
        assert error.value.lines[0].startswith(f"{path}{expected}")


def test_errors_of_documents_are_not_listed_with_those_of_the_file_if_skipped(
    tmp_path: Path,
) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text('{"doc_key": "a", "tokens": ["x"]}\n7\n')

    with pytest.raises(ReadError) as error:
        anascore.read(path, "jsonl")
    with pytest.raises(ReadError) as skipping:
        anascore.read(path, "jsonl", bad_documents="skip")

    assert [line.split(": ")[0] for line in error.value.lines] == [f"{path}:1", f"{path}:2"]
    assert [line.split(": ")[0] for line in skipping.value.lines] == [f"{path}:2"]


def test_an_error_of_the_whole_file_stands_alone(tmp_path: Path) -> None:
    path = tmp_path / "in"
    path.write_text("d 0 0 John (1)\n")

    with pytest.raises(ReadError) as error:
        anascore.read(path, "ua")

    assert len(error.value.lines) == 1
    assert error.value.what.startswith("this is not CoNLL-UA")


def test_a_file_that_cannot_be_opened_is_listed_with_the_others(tmp_path: Path) -> None:
    (tmp_path / "1.conll").write_text("#begin document (a)\nx 1)\n")
    (tmp_path / "2.conll").write_bytes(b"\xff")

    with pytest.raises(ReadError) as error:
        anascore.read(tmp_path)

    assert [line.split(": ")[0] for line in error.value.lines] == [
        f"{tmp_path}/1.conll:2",
        f"{tmp_path}/2.conll:1",
    ]


def test_a_rucoco_file_that_is_no_json_is_a_document_named_by_the_file(tmp_path: Path) -> None:
    path = write_damaged(tmp_path / "in", "rucoco")
    (path / "b.json").write_text('{"text": "x y z", "entities": [[')

    corpus = anascore.read(path, bad_documents="skip")

    assert list(corpus.documents) == ["a", "b", "c"]
    assert corpus.documents["b"].errors[0].what.startswith("this is not JSON: ")


def test_a_choice_that_does_not_exist() -> None:
    with pytest.raises(SettingsError, match=r"^bad_documents must be error or skip, not 'drop'$"):
        anascore.read("nowhere", bad_documents="drop")  # type: ignore[arg-type]


def test_warnings_are_no_errors_of_a_document(tmp_path: Path) -> None:
    text = (
        "# global.columns = ID FORM IDENTITY BRIDGING\n# newdoc id = a\n"
        "1\tx\t(EntityID=1|MarkableID=m)\t(MarkableID=m|EntityAnchor=9)\n"
    )
    (tmp_path / "in.conllua").write_text(text)

    assert anascore.read(tmp_path / "in.conllua").documents["a"].errors == ()


def test_a_collector_has_errors_after_an_error() -> None:
    problems = Problems("in")
    problems.warning(1, "odd")
    assert not problems.has_errors
    problems.error(None, "wrong")
    assert problems.has_errors
    assert problems.found == [
        Problem("in", 1, "warning", "odd"),
        Problem("in", None, "error", "wrong"),
    ]
    assert problems.found[1].text == "in: wrong"


# Scoring


@each_format
def test_a_bad_document_of_the_key_is_left_out_on_both_sides(tmp_path: Path, name: str) -> None:
    key = write_damaged(tmp_path / "key", name, [1])
    response = write_damaged(tmp_path / "response", name)

    result = anascore.score(key, response, metrics="mentions", bad_documents="skip")

    assert len(result.documents) == 2
    assert result.total.key["documents"] == result.total.response["documents"] == 2
    assert result["mentions"].f1 == 1
    (bad,) = result.skipped
    assert bad.side == "key"
    assert bad.document not in result.documents
    assert result.signature.endswith("|skipped:1")
    assert result.warnings == (bad.note,)
    assert bad.note == f"key: document {bad.document!r} was left out: {bad.error}"


@each_format
def test_a_bad_document_of_a_response_counts_as_empty(tmp_path: Path, name: str) -> None:
    key = write_damaged(tmp_path / "key", name)
    response = write_damaged(tmp_path / "response", name, [1])

    result = anascore.score(key, response, metrics="mentions", bad_documents="skip")

    assert result.total.key["mentions"] == 6
    assert result.total.response["mentions"] == 4
    assert result["mentions"].recall == pytest.approx(2 / 3)
    assert result["mentions"].precision == 1
    (bad,) = result.skipped
    assert bad.side == "response"
    assert result.documents[bad.document].notes == (
        "response: documents that cannot be read, scored as empty: 1",
    )
    assert result.signature.endswith("|skipped:1")
    assert result.warnings == (
        "response: documents that cannot be read, scored as empty: 1",
        f"response: document {bad.document!r} was scored as empty: {bad.error}",
    )


def test_a_document_that_is_bad_on_both_sides_counts_once(tmp_path: Path) -> None:
    key = write_damaged(tmp_path / "key.conll", "conll2012", [0, 1])
    response = write_damaged(tmp_path / "response.conll", "conll2012", [1, 2])

    result = anascore.score(key, response, bad_documents="skip")

    assert skipped(result) == [("key", "a"), ("key", "b"), ("response", "c")]
    assert result.signature.endswith("|skipped:3")
    assert list(result.documents) == ["c"]
    assert result["mentions"].recall == 0


def test_nothing_changes_if_nothing_is_bad(tmp_path: Path) -> None:
    path = write_damaged(tmp_path / "key.conll", "conll2012")

    result = anascore.score(path, path, bad_documents="skip")

    assert str(result) == str(anascore.score(path, path))
    assert result.counted == anascore.score(path, path).counted
    assert "skipped" not in result.to_dict()
    assert "skipped" not in result.signature


def test_a_key_without_good_documents_is_an_error(tmp_path: Path) -> None:
    key = write_damaged(tmp_path / "key.jsonl", "jsonl", [0, 1, 2])

    with pytest.raises(ReadError) as error:
        anascore.score(key, key, bad_documents="skip")

    assert [line.partition(": ")[0] for line in error.value.lines] == [
        *(f"{key}:{line}" for line in (1, 2, 3)),
        str(key),
    ]
    assert error.value.lines[-1] == f"{key}: the key has no document left to score"


def test_a_response_without_good_documents_is_empty(tmp_path: Path) -> None:
    key = write_damaged(tmp_path / "key.conllu", "corefud")
    response = write_damaged(tmp_path / "response.conllu", "corefud", [0, 1, 2])

    result = anascore.score(key, response, bad_documents="skip")

    assert result.total.response == {
        "documents": 3,
        "mentions": 0,
        "entities": 0,
        "accommodated_sets": 0,
    }
    assert result["mentions"].recall == 0


def test_the_words_of_a_bad_document_are_not_compared(tmp_path: Path) -> None:
    key = write_damaged(tmp_path / "key.jsonl", "jsonl", [0])
    response = write_damaged(tmp_path / "response.jsonl", "jsonl", [1])
    lines = response.read_text().splitlines()
    response.write_text("\n".join([*(line.replace('"x"', '"q"') for line in lines[:2]), lines[2]]))

    result = anascore.score(key, response, bad_documents="skip")

    assert skipped(result) == [("key", "a"), ("response", "b")]
    assert list(result.documents) == ["b", "c"]


def test_a_bad_document_that_only_the_response_has_is_an_error(tmp_path: Path) -> None:
    response = write_damaged(tmp_path / "response.jsonl", "jsonl", [2])

    with pytest.raises(MismatchError, match=r"has no document 'c'"):
        anascore.score(corpus_of(["a", "b"]), response, bad_documents="skip")


def test_a_document_that_is_bad_in_the_key_may_be_missing_in_the_response(tmp_path: Path) -> None:
    key = write_damaged(tmp_path / "key.jsonl", "jsonl", [2])

    result = anascore.score(key, corpus_of(["a", "b"]), bad_documents="skip")

    assert result.conll == 1


def test_documents_that_order_identifies_keep_their_places(tmp_path: Path) -> None:
    key = write_damaged(tmp_path / "key.jsonl", "jsonl", [0])
    response = write_damaged(tmp_path / "response.txt", "llm-text", [1])

    result = anascore.score(key, response, bad_documents="skip")

    assert skipped(result) == [("key", "a"), ("response", "b")]
    assert result.documents["c"].scores["muc"].f1 == 1


def test_a_corpus_that_was_read_before_has_its_marks(tmp_path: Path) -> None:
    path = write_damaged(tmp_path / "key.jsonl", "jsonl", [0])
    key = anascore.read(path, bad_documents="skip")

    result = anascore.score(key, corpus_of())

    assert skipped(result) == [("key", "a")]
    assert result.signature.endswith("|skipped:1")


def test_errors_name_the_option_if_other_documents_are_good(tmp_path: Path) -> None:
    some = write_damaged(tmp_path / "some.jsonl", "jsonl", [0, 1])
    every = write_damaged(tmp_path / "every.jsonl", "jsonl", [0, 1, 2])

    with pytest.raises(ReadError) as error:
        anascore.score(some, some)
    with pytest.raises(ReadError) as hopeless:
        anascore.score(every, every)

    assert error.value.lines[2:] == (
        '2 of 3 documents have errors; --bad-documents skip (in Python bad_documents="skip") '
        "scores the others",
    )
    assert len(hopeless.value.lines) == 3


def test_each_response_has_its_own_list(tmp_path: Path) -> None:
    key = write_damaged(tmp_path / "key.jsonl", "jsonl", [0])
    one = write_damaged(tmp_path / "one.jsonl", "jsonl", [1])
    two = write_damaged(tmp_path / "two.jsonl", "jsonl")

    for jobs in (1, 2):
        first, second = anascore.compare(
            key, [one, two], bad_documents="skip", paired="bootstrap", samples=9, jobs=jobs
        )

        assert skipped(first) == [("key", "a"), ("response", "b")]
        assert skipped(second) == [("key", "a")]
        assert [*first.documents] == [*second.documents] == ["b", "c"]
        assert "|skipped:2|" in first.signature
        assert "|skipped:1|" in second.signature
        difference = second.first.uncertainty.differences["mentions"]
        assert (difference.wins, difference.ties) == (1, 1)


def test_a_task_leaves_the_choice_free(tmp_path: Path) -> None:
    key = write_damaged(tmp_path / "key.conll", "conll2012", [0])

    result = anascore.score(key, corpus_of(), task="conll12", bad_documents="skip")

    assert result.signature.endswith("|skipped:1")


def test_json_lists_the_documents(tmp_path: Path) -> None:
    key = write_damaged(tmp_path / "key.jsonl", "jsonl", [0])
    response = write_damaged(tmp_path / "response.jsonl", "jsonl", [1])

    (system,) = anascore.score(key, response, bad_documents="skip").to_dict()["systems"]

    reason = (
        "clusters[0][1]: [2, 9] is not a span [first and last position]; the document has 3 words, "
        "so positions go from 0 to 2"
    )
    assert system["skipped"] == [
        {"side": "key", "document": "a", "path": str(key), "line": 1, "reason": reason},
        {"side": "response", "document": "b", "path": str(response), "line": 2, "reason": reason},
    ]
    assert list(system)[-3:] == ["warnings", "skipped", "exact"]


def test_explain_and_errors_skip_too(tmp_path: Path) -> None:
    key = write_damaged(tmp_path / "key.jsonl", "jsonl", [0])
    response = write_damaged(tmp_path / "response.jsonl", "jsonl", [1])

    explained = anascore.explain(key, response, bad_documents="skip")
    errors = anascore.find_errors(key, response, bad_documents="skip")

    assert [document.name for document in explained.documents] == ["b", "c"]
    assert explained.documents[0].response == ()
    for signature, warnings in (
        (explained.signature, explained.warnings),
        (errors.signature, errors.warnings),
    ):
        assert signature.endswith("|skipped:2")
        assert [warning.partition(" was ")[0] for warning in warnings] == [
            "response: documents that cannot be read, scored as empty: 1",
            "key: document 'a'",
            "response: document 'b'",
        ]
    with pytest.raises(SettingsError, match=r"^--doc a: key: document 'a' was left out: .*:1: "):
        anascore.explain(key, response, document="a", bad_documents="skip")
    with pytest.raises(SettingsError, match=r"^--doc d: the key has no such document"):
        anascore.explain(key, response, document="d", bad_documents="skip")


def test_the_report_names_the_documents_first(tmp_path: Path) -> None:
    key = write_damaged(tmp_path / "key.jsonl", "jsonl", [0])
    one = write_damaged(tmp_path / "one.jsonl", "jsonl", [1])
    two = write_damaged(tmp_path / "two.jsonl", "jsonl", [1, 2])

    anascore.report(key, [one, two], tmp_path / "page.html", samples=9, bad_documents="skip")

    page = (tmp_path / "page.html").read_text()
    overview = page[page.index('<section id="overview"') :]
    table = overview[: overview.index("</table>")]
    assert "<caption>Documents that cannot be read" in table
    rows = re.findall(r"<tr><th[^>]*><bdi>(.*?)</bdi></th>(.*?)</tr>", table)
    cells = [(name, *re.sub("<[^>]+>", "|", row).strip("|").split("|||")[:2]) for name, row in rows]
    assert [(name, owner.strip("|")) for name, owner, *_ in cells] == [
        ("a", "key"),
        ("b", "one"),
        ("b", "two"),
        ("c", "two"),
    ]
    assert table.count("left out") == 1
    assert table.count("scored as empty") == 3
    assert f"{one}:2: clusters[0][1]" in table
    warnings = re.findall(r"<li>(.*?)</li>", overview[: overview.index("Signature")])
    assert not any("document &#" in warning or "document '" in warning for warning in warnings)


def test_a_report_without_bad_documents_has_no_such_table(tmp_path: Path) -> None:
    anascore.report(corpus_of(), [corpus_of()], tmp_path / "page.html", samples=9)

    assert "cannot be read" not in (tmp_path / "page.html").read_text()


def marked(document: Document) -> Document:
    return replace(document, errors=(Problem("response", 3, "error", "bad"),))


@given(st.lists(st.tuples(sides(), sides()), min_size=1, max_size=3), st.data())
def test_breaking_a_document_of_a_response_is_the_same_as_emptying_it(
    pairs: list[tuple[Side, Side]], data: st.DataObject
) -> None:
    bad = data.draw(st.sets(st.sampled_from(range(len(pairs))), min_size=1))

    def corpus(documents: list[Document]) -> Corpus:
        named = {str(n): replace(d, name=str(n)) for n, d in enumerate(documents)}
        return Corpus(named)

    key = corpus([document_of(side) for side, _ in pairs])
    whole = [document_of(side) for _, side in pairs]
    words = [document.words for document in key.documents.values()]
    whole = [replace(d, words=words[n]) for n, d in enumerate(whole)]
    broken = corpus([marked(d) if n in bad else d for n, d in enumerate(whole)])
    emptied = corpus([replace(d, entities=()) if n in bad else d for n, d in enumerate(whole)])

    result, expected = anascore.score(key, broken), anascore.score(key, emptied)
    before = anascore.score(key, corpus(whole))

    assert result.total == expected.total
    assert result.scores == expected.scores
    assert result.signature == f"{expected.signature}|skipped:{len(bad)}"
    for name, rows in result.total.scores.items():
        for row, earlier in zip(rows, before.total.scores[name], strict=True):
            assert row.recall.whole == earlier.recall.whole
            assert row.recall.part <= earlier.recall.part


# The command line


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    output = capsys.readouterr()
    return status, output.out, output.err


def test_each_document_is_a_line_on_standard_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(write_damaged(tmp_path / "key.jsonl", "jsonl", [0, 2]))

    status, out, err = run(capsys, "score", path, path)

    assert (status, out) == (2, "")
    assert [line.partition(": clusters")[0] for line in err.splitlines()] == [
        f"anascore: error: {path}:1",
        f"anascore: error: {path}:3",
        "anascore: error: 2 of 3 documents have errors; --bad-documents skip (in Python "
        'bad_documents="skip") scores the others',
    ]


@pytest.mark.parametrize(
    "command", ["convert {} - --to jsonl", "stats {}", "baseline {} {} --method oracle -o -"]
)
def test_commands_that_do_not_score_list_all_documents(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    path = str(write_damaged(tmp_path / "key.jsonl", "jsonl", [0, 2]))

    status, out, err = run(capsys, *command.replace("{}", path).split())

    assert (status, out) == (2, "")
    assert [line.partition(": clusters")[0] for line in err.splitlines()] == [
        f"anascore: error: {path}:1",
        f"anascore: error: {path}:3",
    ]


def test_csv_names_the_documents_in_warnings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(write_damaged(tmp_path / "key.jsonl", "jsonl", [0]))

    status, out, err = run(
        capsys, "score", path, path, "--bad-documents", "skip", "--output", "csv"
    )

    assert status == 0
    assert "|skipped:1\n" in out
    assert f"warning: key: key: document 'a' was left out: {path}:1: " in err


@pytest.mark.corpora
def test_a_play_with_a_broken_bracket_does_not_stop_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key, response = CORPORA / "gerdracor/A.conll", CORPORA / "gerdracor/B.conll"
    text = response.read_text(encoding="utf-8")
    start = text.rindex("#begin document")
    broken = tmp_path / "broken.conll"
    last = re.sub(r"\(\d+\n", "-\n", text[start:], count=1)
    broken.write_text(text[:start] + last, encoding="utf-8")
    arguments = ["--metrics", "muc,mentions", "--output", "json"]

    status, _, err = run(capsys, "score", str(key), str(broken), *arguments)
    assert status == 2
    assert "closes no mention" in err

    skip = ["--bad-documents", "skip"]
    systems: list[dict[str, Any]] = []
    for pair in ((key, broken), (broken, response)):
        _, out, _ = run(capsys, "score", *map(str, pair), *arguments, *skip)
        systems += json.loads(out)["systems"]
    documents = len(anascore.read(key).documents)
    assert [system["skipped"][0]["side"] for system in systems] == ["response", "key"]
    assert systems[0]["layers"]["identity"]["counts"]["key"]["documents"] == documents
    assert systems[1]["layers"]["identity"]["counts"]["key"]["documents"] == documents - 1


def test_a_bad_document_gets_the_words_of_the_key_and_keeps_its_place() -> None:
    problem = Problem("response.txt", 7, "error", "wrong")
    bad = replace(Document("d", ["x"], []), path="response.txt", line=7, errors=(problem,))
    key = Corpus({"d": Document("d", ["a", "b"], [], sentences=[0, 1])})

    (document,) = blank_bad_documents(key, Corpus({"d": bad}), Settings()).documents.values()

    assert (document.name, document.path, document.line) == ("d", "response.txt", 7)
    assert (list(document.words), list(document.sentences)) == (["a", "b"], [0, 1])
    assert (document.notes, document.errors) == (UNREADABLE, (problem,))
