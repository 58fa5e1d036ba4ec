"""Auto-detection of the format of a file."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

import pytest

import anascore
from anascore import ReadError, SettingsError, example
from anascore.formats.files import SIDECAR_FILES, File
from anascore.formats.format import FormatName
from anascore.formats.registry import (
    _COLUMN_FORMATS,
    FORMATS,
    WRITABLE,
    detect_format,
    detect_large,
)
from support.reading import all_refusals, put, refusal
from support.resolvers import KEY, LAYOUTS, fastcoref_words, ucdcr

NOT_RECOGNISED = (
    f": cannot detect the format of this file; choose one with --format: {', '.join(FORMATS)}"
)


def recognised(path: Path) -> str | None:
    """Return the format that is detected; the file is read, too, unless it needs another one."""
    name = detect_format(File(str(path), "file").open())
    if name is None or not FORMATS[name].companions:
        assert anascore.read(path).format == name
    return name


def row(*columns: str, width: int = 0) -> str:
    return "\t".join([*columns, *"_" * (width - len(columns))]) + "\n"


def dump(value: Any, **style: Any) -> str:
    return json.dumps(value, **style)


def reordered(name: str) -> str:
    """Write a file whose objects have their keys in reverse order."""
    return "\n".join(
        dump({key: fields[key] for key in reversed(fields)})
        for fields in map(json.loads, LAYOUTS[name](KEY).splitlines())
    )


UTTERANCES = {"utterances": [{"tokens": [["a"]], "character_entities": [[]]}]}
LLM = {"tokens": ["a"], "clusters_token_offsets": []}
CLUSTERS = {"tokens": ["a"], "clusters": []}
BOOKNLP_HEADER = row("COREF", "start_token", "end_token", "prop", "cat", "text")

CASES: dict[str, list[tuple[str, str]]] = {
    "ua": [
        ("declared columns", "# global.columns = ID FORM IDENTITY\n1\tJohn\t(EntityID=1)\n"),
        ("declared, not first", "# a comment\n#global.columns = ID FORM IDENTITY\n1\tJohn\t_\n"),
        ("fifteen columns", row("1", "John", width=15)),
        ("eleven columns", "1 John" + " _" * 8 + " (EntityID=1)\n"),
        ("blanks", "1 John" + " _" * 13 + "\n"),
        ("other spelling", "1 John" + " _" * 8 + " (entityid=1)\n"),
        ("zero first", row("0.1", "_", width=15) + row("1", "John", width=15)),
        ("multiword token first", row("1-2", "du", width=15) + row("1", "de", width=15)),
        ("some short lines", "1 John\n2 left" + " _" * 13 + "\n"),
        (
            "CorefUD comment behind",
            "# global.columns = ID FORM IDENTITY\n# global.Entity = x\n1\ta\t_\n",
        ),
    ],
    "corefud": [
        ("declared fields", "# global.Entity = eid\n" + row("1", "John", width=10)),
        ("declared per document", "# newdoc\n# global.Entity = eid\n" + row("1", "a", width=10)),
        ("no annotation", row("1", "John", width=10)),
        ("blanks", "1 John" + " _" * 8 + "\n"),
        (
            "zero and multiword token",
            row("1-2", "a", width=10) + row("1.1", "b", width=10) + row("1", "c", width=10),
        ),
        ("short lines", "# global.Entity = eid\n1 John\n"),
    ],
    "conll2012": [
        ("begin", "#begin document (d); part 000\nd 0 0 John - (1)\n#end document\n"),
        ("begin with a blank", "# begin document d\nd 0 0 John -\n"),
        ("no begin", "d\t0\t0\tJohn\t(1)\n"),
        ("no begin, blanks", "d 0 0 John -\nd 0 1 left (1|(2)\nd 0 2 . 1)\n"),
        ("two columns", "John\t(1)\nleft\t-\n"),
        ("two columns, blanks", "John (1)\nleft -\n"),
        ("joined by nothing", "d 0 0 John (1(2)\nd 0 1 left 1)\n"),
        ("trailing tabs", "d\t0\t0\tJohn\t(1)\t\n"),
        ("bare ids", "d\t1\tJohn\t(1\nd\t2\tthe\t1\nd\t3\tcook\t1)|(2)\n"),
        ("bare ids, blanks", "John (1|(2\nthe 1|2\ncook 1|2)\nwent 1)\n"),
        ("ID first", "1\tJohn\t(1)\n2\tleft\t-\n"),
    ],
    "jsonl": [
        ("minimal", dump(CLUSTERS)),
        ("usual", dump({"doc_key": "d", "sentences": [["a"]], "clusters": []}) + "\n"),
        ("other order", dump({"clusters": [], "sentences": [["a"]], "doc_key": "d"})),
        ("more fields", dump({"text": "a", "entities": [], "includes": [], **CLUSTERS})),
        ("blanks", ' { "tokens" : ["a"] , "clusters" : [] }\n'),
        ("blank line first", "\n" + dump(CLUSTERS)),
        (
            "words that are names of fields",
            dump({"tokens": ["episodes", ":", '"scenes":'], "clusters": []}),
        ),
        ("words with brackets", dump({"tokens": ["a|[e1]", "(EntityID=1)"], "clusters": []})),
    ],
    "friends": [
        ("scene", dump(UTTERANCES)),
        ("scenes", dump([UTTERANCES])),
        ("season, on many lines", dump({"episodes": [{"scenes": [UTTERANCES]}]}, indent=2)),
        (
            "characters called like fields",
            dump(
                {"utterances": [{"tokens": [["a"]], "character_entities": [[[0, 1, "clusters"]]]}]}
            ),
        ),
    ],
    "rucoco": [
        ("minimal", dump({"text": "a", "entities": []})),
        ("usual", dump({"text": "a", "entities": [[[0, 1]]], "includes": [[]]}, indent=1)),
        ("other order", dump({"includes": [], "entities": [], "text": "a"})),
        ("a text about JSON", dump({"text": '{"tokens": [], "clusters": []}', "entities": []})),
    ],
    "llm-text": [
        ("one word", "John|[e1]\n"),
        ("usual", "RCD|[e1 Espanyol|[e2],e1] won\n"),
        ("several documents", "a b\nc|[e1 d|e1]\n"),
        ("a zero first", "##_|[e1] vino\n"),
        ("a comment character first", "# John|[e1] left\n"),
        ("a number first", "2 men|[e1] left\n"),
        ("a number first, ten words", "1989 was a|[e1 good year|e1] for us and them .\n"),
        (
            "a number first, many words",
            "1989 was a|[e1 good year|e1] for us and for them , too .\n",
        ),
        ("the last word in brackets", "John|[e1] left (early)\n"),
    ],
    "llm-json": [
        ("minimal", dump([LLM])),
        ("one document", dump(LLM)),
        ("on many lines", dump([{"doc_id": "x", **LLM}], indent=4)),
        ("with other fields", dump([{"sentences": [["a"]], "clusters": [], "text": "a", **LLM}])),
    ],
    "coref-hoi": [
        ("usual", LAYOUTS["coref-hoi"](KEY)),
        ("other order", reordered("coref-hoi")),
        ("no tokens", dump({"subtoken_map": [0], "sentences": [["a"]], "clusters": []})),
        ("on many lines", dump(json.loads(LAYOUTS["coref-hoi"](KEY)), indent=1)),
    ],
    "wl-coref": [
        ("usual", LAYOUTS["wl-coref"](KEY)),
        ("other order", reordered("wl-coref")),
        ("corpus", dump({"document_id": "d", "cased_words": ["a"], "clusters": []})),
    ],
    "preco": [
        ("usual", LAYOUTS["preco"](KEY)),
        ("other order", reordered("preco")),
    ],
    "fastcoref": [
        ("usual", LAYOUTS["fastcoref"](KEY)),
        ("other order", reordered("fastcoref")),
        ("words", fastcoref_words(KEY)),
    ],
    "maverick": [
        ("usual", LAYOUTS["maverick"](KEY)),
        ("other order", reordered("maverick")),
        ("of a text", dump({**LLM, "clusters_char_offsets": [], "clusters_token_text": []})),
        ("an earlier version", dump({**LLM, "clusters_text_mentions": []})),
        ("a list", dump([{**LLM, "clusters_token_text": []}], indent=1)),
        ("lines", f"{LAYOUTS['maverick'](KEY)}\n{LAYOUTS['maverick'](KEY)}\n"),
    ],
    "ucdcr": [
        ("usual", LAYOUTS["ucdcr"](KEY)),
        ("other order", dump([dict(reversed(m.items())) for m in json.loads(ucdcr(KEY))])),
        ("on many lines", dump(json.loads(ucdcr(KEY)), indent=4)),
    ],
    "brat": [
        ("usual", "T1\tPerson 0 4\tJohn\n"),
        ("links first", "*\tEquiv T1 T2\nR1\tCoref Arg1:T1 Arg2:T2\nT1\tPerson 0 4\tJohn\n"),
        ("a gap", "T1\tPerson 0 4;9 12\tJohn Doe\n"),
        ("a note first", "#1\tAnnotatorNotes T1\te1\nT1\tPerson 0 4\tJohn\n"),
        ("a text in brackets", "T1\tPerson 0 3\t(1)\n"),
    ],
    "litbank": [
        (
            "usual",
            row(*("MENTION", "T1"), *"0000", "John", "PER", "PROP") + row(*["COP", "T1", "T1"]),
        ),
        ("entities first", row("COREF", "T1", "John-0") + row("APPOS", "T2", "T1")),
    ],
    "booknlp": [
        (
            "usual",
            BOOKNLP_HEADER + row(*"1200PA"),
        ),
        ("no mentions", BOOKNLP_HEADER),
    ],
    "stanza": [
        ("usual", row("1", "John", width=9).rstrip() + "\tcoref_chains=unit-repr-id0\n"),
        ("other attributes", row("1", "a", width=9).rstrip() + "\tner=O|coref_chains=unit-id0\n"),
        ("blanks", "1 John _ _ _ _ _ _ _ coref_chains=unit-id0\n"),
        (
            "annotation of the input",
            "# global.Entity = eid\n1\ta" + "\t_" * 7 + "\tEntity=(e1)|coref_chains=unit-id0\n",
        ),
    ],
}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param(name, text, id=f"{name}, {case}")
        for name, cases in CASES.items()
        for case, text in cases
    ],
)
def test_a_format_is_recognised_by_content(tmp_path: Path, name: str, text: str) -> None:
    assert recognised(put(tmp_path, "file", text)) == name


@pytest.mark.parametrize("ending", [".txt", ".conll", ".json", ".conllua"])
@pytest.mark.parametrize("name", CASES)
def test_the_name_of_a_file_does_not_matter(tmp_path: Path, name: str, ending: str) -> None:
    _, text = CASES[name][0]

    assert recognised(put(tmp_path, f"file{ending}", text)) == name


def test_every_format_is_recognised_from_something() -> None:
    assert set(CASES) == set(FORMATS)


@pytest.mark.parametrize("before", ["\ufeff", "\n\n", " \n"])
@pytest.mark.parametrize("name", CASES)
def test_what_stands_in_front_does_not_matter(tmp_path: Path, name: str, before: str) -> None:
    _, text = CASES[name][0]

    assert recognised(put(tmp_path, "file", before + text)) == name


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("John\n", id="a word"),
        pytest.param("John met Mary.\nHe smiled.\n", id="prose"),
        pytest.param("John,1\nMary,2\n", id="comma-separated values"),
        pytest.param("# only a comment\n", id="a comment"),
        pytest.param("{}", id="an empty object"),
        pytest.param("[]", id="an empty list"),
        pytest.param('{"a": 1}', id="another object"),
        pytest.param("[1, 2]", id="a list of numbers"),
        pytest.param("7", id="a number"),
        pytest.param("<html>\n<body>\n</body>\n</html>\n", id="HTML"),
        pytest.param("id\tform\n1\tJohn\n", id="a table"),
        pytest.param("a\t1\nb\t(1)\n", id="a bare id before its bracket"),
        pytest.param("a\t(1)\nb\t|\n", id="a bar without brackets"),
        pytest.param("a\t(1 2)\nb\t-\n", id="a blank in brackets"),
    ],
)
def test_what_is_in_no_format_is_refused(tmp_path: Path, text: str) -> None:
    assert refusal(put(tmp_path, "file", text)) == NOT_RECOGNISED


WEBANNO = (
    ": this is a WebAnno TSV file, which anascore cannot read yet; export the document from "
    "INCEpTION or WebAnno as CoNLL 2012, which keeps the chains of the layer Coreference"
)
WEBANNO_ROWS = "1-1\t0-4\tJohn\t_\t\n1-2\t5-9\tleft\t*\t\n"
WEBANNO_FILES = [
    f"#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.Simple|\n\n\n#Text=John left\n{WEBANNO_ROWS}",
    f"#Text=John\n#Text=left\n{WEBANNO_ROWS}",
    "#id=1\n#text=John left\n1-1\tJohn\t_\n1-2\tleft\t_\n",
]
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'


@pytest.mark.parametrize("before", ["", "\ufeff"])
@pytest.mark.parametrize(
    ("text", "label"),
    [
        *((text, "a WebAnno TSV file") for text in WEBANNO_FILES),
        (f'{XML}<xmi:XMI xmlns:xmi="http://www.omg.org/XMI">', "an XMI file of UIMA"),
        ("<XMI>John|[e1]</XMI>\n", "an XMI file of UIMA"),
        (f'{XML}<!DOCTYPE words SYSTEM "words.dtd">\n<words>\n', "a file of MMAX2"),
        ("<!-- by MMAX2 -->\n<mmax_project>\n", "a file of MMAX2"),
        (f"{XML}<GateDocument>\n<TextWithNodes>", "an XML file of GATE"),
        (f"{XML}<root>\n1\tJohn\t(1)\n</root>", "an XML file"),
        ("ID\tText\tPronoun\tPronoun-offset\n1\tHe\tHe\t_\n", "a GAP file"),
        ("TOKEN\tMARKABLE\nJohn\t_\n", "a file of the CRAC 2018 task"),
    ],
)
def test_files_of_other_tools_are_refused_by_name(
    tmp_path: Path, text: str, label: str, before: str
) -> None:
    path = put(tmp_path, "file", before + text)

    assert refusal(path).startswith(f": this is {label}, which anascore cannot read yet; ")
    assert refusal(path) == WEBANNO or "WebAnno" not in label
    with pytest.raises(ReadError, match="yet; "):
        anascore.read(path, repair=True)


def test_files_of_other_tools_are_not_read_in_batches(tmp_path: Path) -> None:
    blocks = "begin document\n" + "John\t_\n" * 10
    path = put(tmp_path, "file", f"{WEBANNO_FILES[0]}\n#{blocks}")

    assert detect_large(path.read_bytes()) is None


def test_a_comment_with_the_text_is_not_webanno(tmp_path: Path) -> None:
    text = "#text=du pain\n" + row("1-2", "du", width=10) + row("1", "de", width=10)

    assert recognised(put(tmp_path, "file", text)) == "corefud"


def test_a_wrong_format_that_finds_no_annotation_is_refused(tmp_path: Path) -> None:
    header = "# global.columns = ID FORM IDENTITY MISC\n"
    path = put(tmp_path, "file", header + row("1", "John", "(EntityID=1)", "_"))
    ua = (
        ": read as CoNLL-2012, this file has no annotation, but read as CoNLL-UA it has; leave out "
        '--format, or type --format ua (in Python format="ua")'
    )

    assert refusal(path, "conll2012") == ua
    with pytest.raises(ReadError, match="but read as CoNLL-UA it has"):
        anascore.read(path, "conll2012", word_column=2)
    assert all_refusals(path, "conll2012") == [ua]
    assert refusal(
        put(tmp_path, "json", dump({"tokens": ["a"], "clusters": [[[0, 0]]]})), "llm-text"
    )
    foreign = put(tmp_path, "file.tsv", WEBANNO_FILES[0])
    assert refusal(foreign, "conll2012") == (
        f": read as CoNLL-2012, this file has no annotation; {WEBANNO.removeprefix(': ')}"
    )


def test_a_format_that_is_named_may_find_no_annotation(tmp_path: Path) -> None:
    fields = {"mention_clusters": [[[0, 0, 1]]], "id": "d", "sentences": [["a"]], "mine": []}
    path = put(tmp_path, "file", dump({**fields, "clusters": []}))

    assert anascore.read(path).format == "preco"
    assert anascore.read(path, "jsonl").sizes["entities"] == 0
    assert anascore.read(path, "jsonl", clusters_field="mine").sizes["entities"] == 0


def test_annotation_of_another_format_is_noted(tmp_path: Path) -> None:
    key = example.KEY.with_suffix(".conllu")
    note = "documents without annotation in Stanza's CoNLL-U, whose file has some in CorefUD"

    result = anascore.score(key, key, response_format="stanza")

    assert f"response: {note}: 10" in result.notes
    (validation,) = anascore.validate(key, "stanza")
    assert f"{note}: 10" in [problem.what for problem in validation.problems]
    empty = put(tmp_path, "file.conllu", row("1", "John", width=10))
    assert not any(document.notes for document in anascore.read(empty, "stanza").documents.values())


def test_an_error_about_the_format_does_not_advise_to_repair() -> None:
    with pytest.raises(ReadError) as error:
        anascore.score(example.KEY, example.KEY, response_format="llm-text")

    assert "but read as CoNLL-UA it has" in str(error.value)
    assert "--repair" not in str(error.value)


def test_a_format_that_is_named_is_not_recognised(tmp_path: Path) -> None:
    path = put(tmp_path, "file", "1\tJohn\t_\t_\t_\t_\t_\t_\t_\t_\n")

    assert anascore.read(path).format == "corefud"
    assert anascore.read(path, "conll2012").format == "conll2012"
    assert anascore.read(path, format="conll2012").documents["unnamed"].words == ("_",)


def test_a_format_that_is_named_wrongly_says_what_is_wrong(tmp_path: Path) -> None:
    path = put(tmp_path, "file", "d 0 0 John (1)\n")

    assert refusal(path, "jsonl").startswith(":1: this is not JSON: ")
    assert refusal(path, "ua") == (
        ": this is not CoNLL-UA: it has no global.columns, and no line has 11 columns or more"
    )


@pytest.mark.parametrize("text", ["d 0 0 John (1)\n", "a|[e1]\n", dump(CLUSTERS), dump([LLM]), "7"])
@pytest.mark.parametrize("name", FORMATS)
def test_any_format_reads_or_refuses_any_file(tmp_path: Path, name: str, text: str) -> None:
    path = put(tmp_path, "file", text)

    with suppress(ReadError):
        assert anascore.read(path, name).format == name


def test_a_format_that_does_not_exist(tmp_path: Path) -> None:
    path = put(tmp_path, "file", "d 0 0 John (1)\n")

    with pytest.raises(SettingsError) as error:
        anascore.read(path, "conll")

    assert str(error.value) == (
        f"unknown format: conll (did you mean 'conll2012'?); choose from {', '.join(FORMATS)}"
    )
    assert [*FORMATS][:3] == ["ua", "corefud", "conll2012"]


def test_a_text_without_mentions_is_of_no_known_format(tmp_path: Path) -> None:
    for text in ("Ann left *\n", "Ann left -\nBob ran _\n"):
        assert "cannot detect the format of this file" in refusal(put(tmp_path, "f", text))


def test_formats_are_known_by_name_before_they_are_loaded() -> None:
    assert [*FORMATS] == [*get_args(FormatName)]
    assert len(FORMATS) == len([*FORMATS])
    assert "corefud" in FORMATS
    assert "xml" not in FORMATS


def test_formats_that_can_only_be_read_are_not_writable() -> None:
    assert len(WRITABLE) == len([*WRITABLE]) < len(FORMATS)
    assert "corefud" in WRITABLE
    assert "brat" in FORMATS
    assert "brat" not in WRITABLE


def test_all_companions_are_known() -> None:
    assert {*SIDECAR_FILES} == {f.companions for f in FORMATS.values() if f.companions}


def test_formats_that_a_line_identifies_are_all_tried() -> None:
    assert {*_COLUMN_FORMATS} == {name for name, f in FORMATS.items() if f.comment}
