"""Nothing is lost silently: repeated JSON keys, misspelt names, attributes without a value."""

import json
import time
from collections import Counter
from pathlib import Path

import pytest

import anascore
from anascore import ReadError
from anascore.cli.main import main
from anascore.corpus.validate import validate, validate_path
from anascore.formats.near_names import MAX_NAMES, near_names
from anascore.formats.registry import FORMATS
from support.samples import SAMPLES
from support.shared import CONFORMANCE, CORPORA, SHARED

DAMAGE = SHARED / "damage" / "silent"


def put(folder: Path, name: str, text: str) -> Path:
    """Write a file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def warnings(path: Path, format_name: str | None = None) -> list[str]:
    """Return the warnings of `validate` about names, as line and message."""
    return [
        f"{problem.line}: {problem.what}"
        for result, _ in validate_path(str(path), format_name)
        for problem in result.problems
        if problem.severity == "warning"
    ]


def notes(path: Path, format_name: str | None = None) -> dict[str, dict[str, int]]:
    """Return the notes of the documents that have some, which `score` shows as warnings."""
    documents = anascore.read(path, format_name).documents
    return {name: dict(document.notes) for name, document in documents.items() if document.notes}


LINE = '{"doc_key": "%s", "tokens": ["Ann", "left"], "clusters": [[[0, 0]]]%s}\n'
REPEATED = "this key occurs more than once in its object; keys must be unique"

REPEATED_KEYS = {
    "JSON lines": (
        LINE % ("a", "") + LINE % ("b", ', "clusters": []'),
        [f"2: clusters: {REPEATED}"],
    ),
    "the same value twice": (
        LINE % ("a", ', "tokens": ["Ann", "left"]'),
        [f"1: tokens: {REPEATED}"],
    ),
    "several objects on a line": (
        LINE.strip() % ("a", "") + LINE % ("b", ', "doc_key": "c"'),
        [f"1: doc_key: {REPEATED}"],
    ),
    "a key of an inner object": (
        LINE % ("a", ', "deixis_candidates": [{"anaphor": [0, 0], "ranked": [], "ranked": []}]'),
        [f"1: deixis_candidates[0].ranked: {REPEATED}"],
    ),
    "a key that nothing reads": (LINE % ("a", ', "x": {"y": 1, "y": 2}'), [f"1: x.y: {REPEATED}"]),
    "a key with an escape": (LINE % ("a", ', "cl\\u0075sters": []'), [f"1: clusters: {REPEATED}"]),
    "three times, with keys inside": (
        LINE % ("a", ', "x": {"y": 1}, "x": {"y": 2}, "x": {"y": 3, "z": [{}, {}]}'),
        [f"1: x: {REPEATED}"],
    ),
    "Friends": (
        '{"scenes": [\n{"scene_id": "s", "utterances": [\n{"tokens": [["Hi"]],\n'
        '"character_entities": [[]],\n"character_entities": [[]]}]}]}',
        [f"5: scenes[0].utterances[0].character_entities: {REPEATED}"],
    ),
    "RuCoCo": (
        '{"text": "Ann", "entities": [[[0, 3]]],\n"includes": [[]],\n"entities": []}',
        [
            f"3: entities: {REPEATED}",
            "2: includes: it has 1 lists, but there are 0 entities; each needs one",
        ],
    ),
    "LLM JSON": (
        '[{"doc_id": "d", "doc_id": "e", "tokens": ["a"], "clusters_token_offsets": []}]',
        [f"1: [0].doc_id: {REPEATED}"],
    ),
    "a repeated key in a text that is not JSON": (
        '{"doc_key": "a", "doc_key": "a", "tokens"',
        ["1: this is not JSON: Expecting ':' delimiter, at character 42 of the line"],
    ),
}


@pytest.mark.parametrize("case", REPEATED_KEYS)
def test_a_repeated_json_key_is_an_error(tmp_path: Path, case: str) -> None:
    text, expected = REPEATED_KEYS[case]
    path = put(tmp_path, "a", text)

    errors = [
        f"{problem.line}: {problem.what}"
        for result in validate(str(path))
        for problem in result.problems
        if problem.severity == "error"
    ]

    assert sorted(errors) == sorted(expected)
    with pytest.raises(ReadError):
        anascore.read(path)


def test_keys_of_different_objects_are_not_repeated(tmp_path: Path) -> None:
    path = put(tmp_path, "a", LINE % ("a", ', "x": [{"y": 1}, {"y": 1, "x": 1}]'))

    assert list(anascore.read(path).documents) == ["a"]


def test_a_document_with_a_repeated_key_can_be_skipped(tmp_path: Path) -> None:
    path = put(tmp_path, "a", LINE % ("a", "") + LINE % ("b", ', "clusters": []'))

    corpus = anascore.read(path, bad_documents="skip")

    assert [name for name, document in corpus.documents.items() if document.errors] == ["b"]


COREFUD = """# global.Entity = eid-etype-head-other
# newdoc id = d
1	Ann	_	_	_	_	_	_	_	Entity=(e1-person-1-)
2	and	_	_	_	_	_	_	_	_
3	Bob	_	_	_	_	_	_	_	Entity=(e2-person-1-)
4	left	_	_	_	_	_	_	_	SpaceAfter=No
5	They	_	_	_	_	_	_	_	Entity=(e3-person-1-)|SplitAnte=e1<e3,e2<e3|Bridge=e1<e3
"""
MENTIONS = COREFUD.partition("|SplitAnte")[0] + "\n"
UA = """# global.columns = ID FORM IDENTITY BRIDGING
# newdoc id = d
1	Ann	(EntityID=1|MarkableID=a|ElementOf=3)	_
2	Bob	(EntityID=2|MarkableID=b|ElementOf=3)	_
3	they	(EntityID=3|MarkableID=c|Min=3)	(MarkableID=c|Rel=x|MentionAnchor=a)
"""
JSONL = (
    '{"doc_key": "d", "tokens": ["Ann", "Bob", "they"], "clusters": [[[0, 0]], [[1, 1]], [[2, 2]]],'
    ' "split_antecedents": [[[2, 2], [0, 0]], [[2, 2], [1, 1]]],'
    ' "deixis_candidates": [{"anaphor": [2, 2], "ranked": [[0, 0]]}]}\n'
)
FRIENDS = """{"episodes": [{"scenes": [
{"scene_id": "d",
"utterances": [{"tokens": [["Ann"]], "speakers": [], "character_entities": [[[0, 1, "Ann"]]]}]}]}]}
"""
RUCOCO = (
    '{"text": "Ann Bob they", "entities": [[[0, 3]], [[4, 7]], [[8, 12]]],'
    ' "includes": [[], [], [0, 1]]}'
)
WL_COREF = (
    '{"document_id": "d", "cased_words": ["Ann"], "sent_id": [0], "span_clusters": [[[0, 1]]]}'
)
STANZA = COREFUD.replace("Entity=(e1-person-1-)", "coref_chains=unit-id0")

MISSPELT = {
    # a text, a part of it, the misspelt part; line, kind, name, known name, and number
    "Entity in lower case": (
        *(MENTIONS, "Entity=", "entity="),
        *(3, "attribute in MISC", "entity=", "Entity=", 3),
    ),
    "Entity with a letter too many": (
        *(MENTIONS, "Entity=(", "Entitty=("),
        *(3, "attribute in MISC", "Entitty=", "Entity=", 3),
    ),
    "Entity without its sign": (
        *(MENTIONS, "Entity=(", "Entity("),
        *(3, "attribute in MISC", "Entity(", "Entity=", 3),
    ),
    "Entity in columns with blanks": (
        *(MENTIONS.replace("\t", " "), "Entity=(", "entity=("),
        *(3, "attribute in MISC", "entity=", "Entity=", 3),
    ),
    "SplitAnte": (
        *(COREFUD, "SplitAnte=", "SplitAnt="),
        *(7, "attribute in MISC", "SplitAnt=", "SplitAnte=", 1),
    ),
    "Bridge": (
        *(COREFUD, "Bridge=", "Bridg="),
        *(7, "attribute in MISC", "Bridg=", "Bridge=", 1),
    ),
    "newdoc": (COREFUD, "newdoc", "newDoc", 2, "comment", "newDoc id", "newdoc id", 1),
    "newdoc_id": (UA, "newdoc id", "newdoc_id", 2, "comment", "newdoc_id", "newdoc id", 1),
    "head": (COREFUD, "-head-", "-heads-", 1, "field in global.Entity", "heads", "head", 1),
    "bridging": (UA, "BRIDGING", "BRIGDING", 1, "column", "BRIGDING", "BRIDGING", 1),
    "ElementOf": (
        *(UA, "ElementOf", "ElementsOf"),
        *(3, "attribute in brackets", "ElementsOf", "ElementOf", 2),
    ),
    "Min": (UA, "Min=", "Mim=", 5, "attribute in brackets", "Mim", "Min", 1),
    "Rel": (UA, "Rel=", "Rell=", 5, "attribute in brackets", "Rell", "Rel", 1),
    "split antecedents": (
        *(JSONL, "split_antecedents", "split_antecedent"),
        *(1, "JSON key", "split_antecedent", "split_antecedents", 1),
    ),
    "candidates": (
        *(JSONL, "deixis_candidates", "deixis-candidates"),
        *(1, "JSON key", "deixis-candidates", "deixis_candidates", 1),
    ),
    "a key in another case": (
        *(JSONL, "doc_key", "Doc_Key", 1, "JSON key", "Doc_Key", "doc_key", 1),
    ),
    "characters": (
        *(FRIENDS, "character_entities", "charcter_entities"),
        *(3, "JSON key", "charcter_entities", "character_entities", 1),
    ),
    "scene": (FRIENDS, "scene_id", "sceneid", 2, "JSON key", "sceneid", "scene_id", 1),
    "includes": (RUCOCO, "includes", "include", 1, "JSON key", "include", "includes", 1),
    "wl-coref": (WL_COREF, "sent_id", "sentid", 1, "JSON key", "sentid", "sent_id", 1),
}


@pytest.mark.parametrize("case", MISSPELT)
def test_a_name_that_is_nearly_a_known_one(tmp_path: Path, case: str) -> None:
    text, right, wrong, line, label, name, meant, number = MISSPELT[case]
    path = put(tmp_path, "a", text.replace(right, wrong))
    message = f"unknown {label} {name!r}, not read (did you mean {meant!r}?)"

    assert f"{line}: {message}: {number}" in warnings(path)
    (document_notes,) = notes(path).values()
    assert document_notes[message] == number


def test_keys_in_brackets_are_read_in_any_case(tmp_path: Path) -> None:
    upper = put(tmp_path, "a", UA.replace("ElementOf", "ELEMENTOF").replace("ID=b", "Id=b"))
    misspelt = put(tmp_path, "b", UA.replace("MarkableID=b", "MARKABELID=b"))
    message = "unknown attribute in brackets 'MARKABELID', not read (did you mean 'MarkableID'?)"

    assert notes(upper) == {}
    assert warnings(misspelt) == [f"4: {message}: 1"]
    assert notes(misspelt) == {}  # since other brackets of the document have the known name


@pytest.mark.parametrize("text", [COREFUD, UA, JSONL, FRIENDS, RUCOCO, WL_COREF, STANZA])
def test_known_names_and_those_of_other_tools_are_no_misspelt_ones(
    tmp_path: Path, text: str
) -> None:
    path = put(tmp_path, "a", text)

    assert [w for w in warnings(path) if "did you mean" in w] == []


ORDINARY = {
    "corefud": (
        "SpaceAfter= SpacesAfter= Translit= LTranslit= Gloss= MSeg= Lang= Ref= NER= EntityID= "
        "Identity= Entities= Discourse= ClusterId= MentionSpan= newpar newpar_id sent_id text "
        "global.columns etype infstat other link"
    ),
    "ua": "etype infstat other SemType FEATS XPOS UPOS POS NOM_SEM REFERENCE newpar sent_id",
    "stanza": "Entity= SplitAnte= start_char= end_char= ner= sent_id text",
    "jsonl": (
        "speakers speaker sentence_map subtoken_map token_map ner pos constituents genre "
        "sentence_starts sentence_id section_starts pronouns relations events dataset text "
        "predicted_ner predicted_relations gold_clusters clusters_text clusters_strings sentence"
    ),
    "coref-hoi": "speakers constituents ner genre pronouns tokens_pos",
    "wl-coref": "word_clusters head2span speaker pos deprel head",
    "friends": "season_id episode_id utterance_id speakers transcript tokens_with_note sent_id",
    "rucoco": "title author entity_types",
    "llm-json": "clusters_token_text clusters_char_offsets clusters_char_text speakers",
    "maverick": "clusters_token_text clusters_char_offsets clusters_char_text",
    "fastcoref": "clusters_strings idx",
    "preco": "sentence_id speakers",
    "brat": "appos cop Part-Whole Affiliated Confidence AnnotatorNotes Negation",
    "ucdcr": "mention_id mention_type mention_ner tokens_str tokens_number doc_id topic coref_link",
}


@pytest.mark.parametrize("format_name", [name for name, known in FORMATS.items() if known.names])
def test_ordinary_names_resemble_no_known_ones(format_name: str) -> None:
    for kind in FORMATS[format_name].names:
        assert near_names(ORDINARY[format_name].split(), kind.known, kind.others) == {}


def test_a_column_that_is_needed(tmp_path: Path) -> None:
    path = put(tmp_path, "a", UA.replace("IDENTITY", "IDENTITIY"))
    missing = "global.columns has no column IDENTITY, which CoNLL-UA needs"

    with pytest.raises(ReadError, match=f"a:1: {missing}; is it IDENTITIY, misspelt"):
        anascore.read(path)
    assert warnings(path) == [
        "1: unknown column 'IDENTITIY', not read (did you mean 'IDENTITY'?): 1"
    ]


def test_a_misspelt_global_comment(tmp_path: Path) -> None:
    corefud = put(tmp_path, "a", COREFUD.replace("global.Entity", "global.entity"))
    ua = put(tmp_path, "b", UA.replace("global.columns", "global.column"))

    assert "1: unknown comment 'global.entity', not read (did you mean 'global.Entity'?): 1" in (
        warnings(corefud)
    )
    assert warnings(ua, "ua") == [
        "1: unknown comment 'global.column', not read (did you mean 'global.columns'?): 1"
    ]


def test_score_warns_only_if_a_document_lacks_the_known_name(tmp_path: Path) -> None:
    wrong = JSONL.replace("split_antecedents", "split_antecedent")
    both = JSONL.replace(', "deixis', ', "split_antecedent": [], "deixis')
    path = put(tmp_path, "a", wrong + both.replace('"d"', '"e"') + JSONL.replace('"d"', '"f"'))
    message = "unknown JSON key 'split_antecedent', not read (did you mean 'split_antecedents'?)"

    assert warnings(path) == [f"1: {message}: 2"]
    assert notes(path) == {"d": {message: 1}}


def test_one_misspelt_attribute_among_right_ones_is_found_by_validate(tmp_path: Path) -> None:
    path = put(tmp_path, "a", COREFUD.replace("Entity=(e2", "entity=(e2").replace(",e2<e3", ""))
    message = "unknown attribute in MISC 'entity=', not read (did you mean 'Entity='?)"

    assert f"5: {message}: 1" in warnings(path)
    assert notes(path) == {}


CUT = "lines that may be truncated: their last attribute in MISC has no value"


@pytest.mark.parametrize(
    "rest",
    ["E", "Enti", "Entity", "SpaceAfter", "SpaceAfter=", "SpaceAfter=No|", "SpaceAfter=No|Enti"],
)
def test_a_line_that_is_cut_within_an_attribute_is_found_by_validate(
    tmp_path: Path, rest: str
) -> None:
    text = COREFUD.replace("Entity=(e2-person-1-)", rest).replace(",e2<e3", "")
    path = put(tmp_path, "a", text)

    assert f"5: {CUT}: 1" in warnings(path)
    assert notes(path) == {}


def test_lines_that_are_cut_are_counted(tmp_path: Path) -> None:
    text = STANZA.replace("SpaceAfter=No", "start_char=1|coref_ch")
    zero = "4.1\t_\t_\t_\t_\t_\t_\t_\t_\tcoref_chains\n"
    path = put(tmp_path, "a", text.replace("5\tThey", f"{zero}5\tThey"))
    blanks = put(tmp_path, "b", text.replace("\t", " "))

    assert f"6: {CUT}: 2" in warnings(path, "stanza")
    assert [warning for warning in warnings(blanks, "stanza") if CUT in warning] == []


def test_a_file_of_another_format_is_not_cut(tmp_path: Path) -> None:
    path = put(tmp_path, "a", "##|[e1] Ann\n")

    assert warnings(path, "conll2012") == ["1: document 'unnamed' has no words"]


@pytest.mark.parametrize("rest", ["_", "SpaceAfter=No", "X|SpaceAfter=No", "Note=a=b", "Entity="])
def test_lines_that_are_not_cut(tmp_path: Path, rest: str) -> None:
    path = put(tmp_path, "a", COREFUD.replace("SpaceAfter=No", rest))

    assert [warning for warning in warnings(path) if CUT in warning] == []


def test_links_are_missing_altogether(tmp_path: Path) -> None:
    # Only lines with the sign of a link are searched; this file has some in words, too.
    text = COREFUD.replace("Bridge=e1<e3", "_").replace("\tleft\t", "\t<left>\t")
    path = put(tmp_path, "a", text.replace("SplitAnte", "splitante"))
    message = "unknown attribute in MISC 'splitante=', not read (did you mean 'SplitAnte='?)"

    assert notes(path) == {"d": {message: 1}}


def test_a_misspelt_attribute_of_stanza(tmp_path: Path) -> None:
    path = put(tmp_path, "a", STANZA.replace("coref_chains", "coref_chain"))
    message = "unknown attribute in MISC 'coref_chain=', not read (did you mean 'coref_chains='?)"

    other = "documents without annotation in Stanza's CoNLL-U, whose file has some in CorefUD"

    assert notes(path, "stanza") == {"d": {message: 1, other: 1}}
    assert notes(put(tmp_path, "b", STANZA), "stanza") == {}


def test_documents_on_one_line_share_a_note(tmp_path: Path) -> None:
    scenes = [
        {"scene_id": name, "utterances": [{"tokens": [["Ann"]], "charcter_entities": [[]]}]}
        for name in "ab"
    ]
    path = put(tmp_path, "a", json.dumps({"scenes": scenes}))
    message = "unknown JSON key 'charcter_entities', not read (did you mean 'character_entities'?)"

    missing = {"utterances without character_entities": 1}
    assert notes(path) == {"a": {**missing, message: 2}, "b": missing}


def test_a_misspelt_key_with_an_escape(tmp_path: Path) -> None:
    path = put(tmp_path, "a", JSONL.replace("split_antecedents", "split_anteced\\u0065nt"))
    message = "unknown JSON key 'split_antecedent', not read (did you mean 'split_antecedents'?)"

    assert warnings(path) == [f"1: {message}: 1"]
    assert notes(path) == {"d": {message: 1}}


def test_a_misspelt_key_in_a_file_without_documents(tmp_path: Path) -> None:
    path = put(tmp_path, "a", '[{"clusters": 1, "doc_keys": 2}]')

    assert warnings(path) == [
        "1: unknown JSON key 'doc_keys', not read (did you mean 'doc_key'?): 1"
    ]


def test_a_lone_surrogate_in_a_misspelt_key(tmp_path: Path) -> None:
    path = put(tmp_path, "a", JSONL.replace("split_antecedents", "split_antecedents\\ud800"))

    assert warnings(path) == [
        r"1: unknown JSON key 'split_antecedents\ud800', not read "
        "(did you mean 'split_antecedents'?): 1"
    ]


def test_many_distinct_names_take_little_time() -> None:
    names = [f"{number:06}" for number in range(100_000)]

    start = time.process_time()
    near = near_names([*names, "doc_kye"], {"doc_key", "123456789"})

    assert near == {}  # beyond the names that are compared
    assert len(names) > MAX_NAMES
    assert time.process_time() - start < 5


def test_score_shows_the_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key = put(tmp_path, "key", JSONL)
    response = put(tmp_path, "response", JSONL.replace("split_antecedents", "split_antecedent"))

    assert main(["score", str(key), str(response)]) == 0
    output = " ".join(capsys.readouterr().out.split())
    expected = (
        "unknown JSON key 'split_antecedent', not read (did you mean 'split_antecedents'?): 1"
    )
    assert f"warning: response: response: {expected}" in output


def test_an_attribute_without_a_value(tmp_path: Path) -> None:
    path = put(tmp_path, "a", COREFUD.replace("SpaceAfter=No", "Entity="))
    message = "attributes Entity= without a value, which annotate nothing"

    assert f"6: {message}: 1" in warnings(path)
    assert notes(path) == {"d": {message: 1}}


def test_white_space_before_an_attribute(tmp_path: Path) -> None:
    path = put(tmp_path, "a", COREFUD.replace("SpaceAfter=No", "SpaceAfter=No| Entity=(e1-x-1-)"))

    with pytest.raises(ReadError) as error:
        anascore.read(path)

    assert str(error.value) == (
        f"{path}:6: white space before an attribute in MISC: ' Entity=(e1-x-1-)'; "
        "it belongs right after the '|'"
    )


@pytest.mark.parametrize("sample", SAMPLES)
def test_samples_have_no_misspelt_names(tmp_path: Path, sample: str) -> None:
    path = put(tmp_path, sample, SAMPLES[sample])

    assert [warning for warning in warnings(path) if "did you mean" in warning] == []


@pytest.mark.corpora
@pytest.mark.parametrize("folder", [CORPORA, CONFORMANCE])
def test_corpora_have_no_misspelt_names(folder: Path) -> None:
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    others = ("samples", "expected.json")  # exports in formats that are not read, and figures
    files = [path for path in paths if path.suffix != ".md" and not {*others} & {*path.parts}]
    messages = [warning for path in files for warning in warnings(path)]

    assert len(files) > 50
    assert [m for m in messages if "did you mean" in m or "without a value" in m] == []


EXPECTED_DAMAGE = {
    "column-appended.conll": "error: the number of columns is 7, but the sentence started with 6",
    "column-extra.conllua": "error: this line has 5 columns; 4 are expected",
    "column-lost.conll": "error: the number of columns is 5, but the sentence started with 6",
    "column-lost.conllua": "error: this line has 3 columns; 4 are expected",
    "cut-line.conllu": "error: this line has 9 columns; 10 are expected",
    "identity-twice.conllua": "error: global.columns has the column IDENTITY 2 times",
    "ids-wrong.conllu": "error: ID 7 after 7: IDs must rise within a sentence",
    "key-empty.conllu": "warning: attributes Entity= without a value",
    "key-lower.conllu": "warning: unknown attribute in MISC 'entity='",
    "key-twice.jsonl": f"error: split_antecedents: {REPEATED}",
    "markable-twice.conllua": "warning: reopened MarkableIDs, read as parts",
    "min-digits.conllua": "error: Min=1_2 is not one word number",
    "misspelt.jsonl": "warning: unknown JSON key 'split_antecedent'",
    "multiword-line.conllu": "error: multiword token 3-4 has annotation in MISC",
    "rucoco/includes-lost": "warning: unknown JSON key 'include'",
    "tab-extra.conllu": "error: this line has 11 columns; 10 are expected",
    "tab-missing.conllu": "error: this line has 9 columns; 10 are expected",
}


@pytest.mark.corpora
def test_all_damaged_files_are_expected() -> None:
    names = [path.relative_to(DAMAGE).as_posix() for path in DAMAGE.glob("*.*")]
    names += [path.relative_to(DAMAGE).as_posix() for path in DAMAGE.glob("rucoco/*")]

    assert Counter(name for name in names if "good" not in name) == Counter(list(EXPECTED_DAMAGE))


@pytest.mark.corpora
@pytest.mark.parametrize("name", EXPECTED_DAMAGE)
def test_damaged_files(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = DAMAGE / name
    good = path.parent / f"good{path.suffix}"
    severity, _, message = EXPECTED_DAMAGE[name].partition(": ")

    status = main(["validate", str(path)])
    validated = " ".join(capsys.readouterr().out.split())
    score_status = main(["score", str(good), str(path)])
    scored = " ".join("".join(capsys.readouterr()).split())

    assert f"{severity}: {message}" in validated
    assert message in scored
    assert (status, score_status) == ((1, 2) if severity == "error" else (0, 0))
