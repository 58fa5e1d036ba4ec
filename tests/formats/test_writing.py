"""Writing corpora to files, which appear whole or not at all."""

import gzip
import json
import os
import stat
import threading
from dataclasses import replace
from pathlib import Path

import pytest

import anascore
from anascore import (
    Bridge,
    Corpus,
    Document,
    Entity,
    Mention,
    NonReferring,
    SettingsError,
    WriteError,
)
from anascore.cli.main import main
from anascore.formats.files import write_file, write_folder
from anascore.formats.registry import WRITABLE
from anascore.formats.writing import format_for
from anascore.model.document import RelationName
from anascore.model.transform import map_mentions
from support.paper import KEY


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.conllua", "ua"),
        ("a.conllu", "corefud"),
        ("a.conll", "conll2012"),
        ("a.v4_gold_conll", "conll2012"),
        ("a.jsonl", "jsonl"),
        ("a.jsonlines.gz", "jsonl"),
        ("a.txt", "llm-text"),
    ],
)
def test_the_ending_chooses_the_format(path: str, name: str) -> None:
    assert format_for(path, None) == name
    assert format_for(path, "rucoco") == "rucoco"


@pytest.mark.parametrize("path", ["a", "a.json", "-", ""])
def test_an_ending_of_no_format(path: str) -> None:
    with pytest.raises(
        SettingsError, match="cannot tell the output format from this name; choose one"
    ):
        format_for(path, None)


def test_unknown_format(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="unknown format: xml; choose from ua, corefud"):
        anascore.write(anascore.read(KEY), tmp_path / "f", "xml")


@pytest.mark.parametrize("name", WRITABLE)
def test_the_example_in_every_format(tmp_path: Path, name: str) -> None:
    corpus = anascore.read(KEY)
    path = tmp_path / "example.json"

    lost = anascore.write(corpus, path, name)
    back = anascore.read(path, None if name != "llm-text" else name)

    assert back.format == name
    sets = [sum(bool(e.elements) for e in d.entities) for d in back.documents.values()]
    assert sets == [0 if lost["accommodated sets"] else 3]
    assert [p.name for p in tmp_path.iterdir()] == ["example.json"]


def test_a_name_in_gz_is_compressed_always_alike(tmp_path: Path) -> None:
    corpus = anascore.read(KEY)
    first, second = tmp_path / "a.jsonl.gz", tmp_path / "b.jsonl.gz"
    anascore.write(corpus, first)
    anascore.write(corpus, second)

    assert json.loads(gzip.decompress(first.read_bytes()))["doc_key"] == "example"
    assert first.read_bytes() == second.read_bytes()
    assert anascore.read(first) == corpus


def several() -> Corpus:
    documents = {
        name: Document(name, ["Ann", "she"], [Entity([Mention(((0, 1),)), Mention(((1, 2),))])])
        for name in ("a", "b/c")
    }
    return Corpus(documents)


def test_a_document_in_each_file(tmp_path: Path) -> None:
    lost = anascore.write(several(), tmp_path / "new", "rucoco")

    assert lost == {"the division of a text into words": 4}
    files = sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*.json"))
    assert files == ["new/a.json", "new/b/c.json"]
    assert list(anascore.read(tmp_path / "new").documents) == ["a", "b/c"]


def test_a_file_can_rename_its_document(tmp_path: Path) -> None:
    lost = anascore.write(anascore.read(KEY), tmp_path / "other.json", "rucoco")

    assert lost["names of documents, which are those of the files"] == 1
    assert list(anascore.read(tmp_path / "other.json").documents) == ["other"]


def test_a_folder_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("")

    with pytest.raises(WriteError, match="this already exists; choose a new folder"):
        anascore.write(several(), tmp_path, "rucoco")


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()

    anascore.write(several(), tmp_path / "empty", "rucoco")

    assert len(list((tmp_path / "empty").rglob("*.json"))) == 2


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../x", ".hidden", "a//b", "a\0b", ""])
def test_names_that_lead_elsewhere(tmp_path: Path, name: str) -> None:
    with pytest.raises(WriteError, match="but this is not a valid file name"):
        write_folder(str(tmp_path / "new"), {name: "x"})
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="this is a folder; give a file name"):
        anascore.write(anascore.read(KEY), tmp_path, "ua")


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match=r"the folder .*/nowhere does not exist"):
        anascore.write(anascore.read(KEY), tmp_path / "nowhere" / "f.conllua")
    with pytest.raises(WriteError, match="the folder cannot be written: No such file or directory"):
        anascore.write(several(), tmp_path / "nowhere" / "new", "rucoco")


def test_what_was_there_stays_when_writing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "f").write_text("old")

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "chmod", refuse)

    with pytest.raises(WriteError, match="No space left on device"):
        write_file(str(tmp_path / "f"), "new")
    assert (tmp_path / "f").read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["f"]


def test_no_half_of_a_folder_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", refuse)

    with pytest.raises(WriteError, match="No space left on device"):
        write_folder(str(tmp_path / "new"), {"a": "x"})
    assert list(tmp_path.iterdir()) == []


def test_rights_of_files(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("")
    (tmp_path / "old").chmod(0o640)
    plain = tmp_path / "plain"
    plain.write_text("")

    write_file(str(tmp_path / "old"), "x")
    write_file(str(tmp_path / "new"), "x")

    assert stat.S_IMODE((tmp_path / "old").stat().st_mode) == 0o640
    assert (tmp_path / "new").stat().st_mode == plain.stat().st_mode


def test_a_file_that_is_wrong_leaves_no_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in.jsonl").write_text('{"tokens": ["a"], "clusters": [[[0, 3]]]}\n')

    assert main(["convert", str(tmp_path / "in.jsonl"), str(tmp_path / "out.conll")]) == 2

    assert "in.jsonl:1: clusters[0][0]: [0, 3] is not a span" in capsys.readouterr().err
    assert not (tmp_path / "out.conll").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("convert f.conllua f.conllua", "OUT f.conllua: "),
        ("convert f.conllua ./f.conllua", "OUT ./f.conllua: "),
        ("convert f.conllua link.conllua", "OUT link.conllua: "),
        ("convert memory://f.conllua memory://f.conllua", "OUT memory://f.conllua: "),
        ("baseline key f.conllua --method single -o f.conllua", "-o f.conllua: "),
        ("baseline f.conllua g.conllua --method single -o f.conllua", "-o f.conllua: "),
    ],
)
def test_the_command_does_not_write_over_its_input(
    arguments: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("f.conllua").write_bytes(KEY.read_bytes())
    Path("link.conllua").symlink_to("f.conllua")

    assert main(arguments.split()) == 2

    expected = f"anascore: error: {message}this is one of the input files; choose another\n"
    assert capsys.readouterr().err == expected
    assert Path("f.conllua").read_bytes() == KEY.read_bytes()


def test_standard_output_is_never_the_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-").write_bytes(KEY.read_bytes())

    assert main(["convert", "./-", "-", "--to", "ua"]) == 0

    assert "EntityID=" in capsys.readouterr().out


def test_many_documents_for_standard_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    anascore.write(several(), tmp_path / "f.jsonl")

    assert main(["convert", str(tmp_path / "f.jsonl"), "-", "--to", "rucoco"]) == 2
    assert "holds one document per file; give a folder" in capsys.readouterr().err


def test_documents_whose_names_become_the_same_stay_apart() -> None:
    from anascore.formats.writing import fit_to_format

    names = ["a\nb", "a_b", "a\rb"]
    documents = {name: Document(name, ["w"], []) for name in names}

    fitting, lost = fit_to_format(Corpus(documents), "ua")

    assert list(fitting.documents) == ["a_b", "a_b-2", "a_b-3"]
    assert lost == {"names of documents with forbidden characters, replaced by _": 2}


def converted(tmp_path: Path, text: str, name: str) -> str:
    """Write a file, convert it to another format, and return the output."""
    (tmp_path / "in").write_text(text, encoding="utf-8")
    anascore.write(anascore.read(tmp_path / "in"), tmp_path / "out", name)
    return (tmp_path / "out").read_text(encoding="utf-8")


def test_words_are_counted_anew_in_each_sentence_of_corefud(tmp_path: Path) -> None:
    text = """\
# global.columns = ID FORM HEAD DEPS IDENTITY
1\ta\t0\t0:root\t_

1.1\t_\t_\t2:nsubj\t_
2-3\tbc\t_\t_\t_
2\tb\t3\t3:dep|1.1:x\t_
3\tc\t0\t0:root\t(EntityID=1)
"""

    output = converted(tmp_path, text, "corefud")

    rows = [line.split("\t") for line in output.splitlines() if line[:1].isdecimal()]
    assert [(row[0], row[1], row[6], row[8]) for row in rows] == [
        ("1", "a", "0", "0:root"),
        ("0.1", "_", "_", "1:nsubj"),
        ("1-2", "bc", "_", "_"),
        ("1", "b", "2", "2:dep|0.1:x"),
        ("2", "c", "0", "0:root"),
    ]


def test_each_part_of_a_discontinuous_mention_has_all_fields_in_corefud(tmp_path: Path) -> None:
    rows = [
        "1 a _ _ _ _ _ _ _ Entity=(e1[1/2]-person-2-x-y",
        "2 b _ _ _ _ _ _ _ Entity=e1[1/2])",
        "3 c _ _ _ _ _ _ _ _",
        "4 d _ _ _ _ _ _ _ Entity=(e1[2/2])",
    ]
    text = "\n".join(["# global.Entity = eid-etype-head-other", *rows])

    output = converted(tmp_path, text, "corefud")

    assert "Entity=(e1[1/2]-person-2-x-y\n" in output
    assert "Entity=(e1[2/2]-person-2-x-y)\n" in output


def test_ids_that_are_no_numbers_worth_the_name(tmp_path: Path) -> None:
    text = f"# global.columns = ID FORM IDENTITY\n{'9' * 5000}\ta\t(EntityID=1)\n"

    assert "1\ta\t" in converted(tmp_path, text, "corefud")


def test_a_column_alone_is_a_column_of_entities(tmp_path: Path) -> None:
    text = "#begin document (d); part 000\n(1)\n-\n#end document\n"

    output = converted(tmp_path, text, "conll2012")

    assert output == "#begin document (d); part 000\n(1)\n-\n\n#end document\n"


def test_a_name_that_looks_like_a_part(tmp_path: Path) -> None:
    text = '{"doc_key": "a; part 7", "tokens": ["w"], "clusters": []}\n'

    output = converted(tmp_path, text, "conll2012")

    assert output.startswith("#begin document (a; part 7); part 000\n")
    assert list(anascore.read(tmp_path / "out").documents) == ["a; part 7"]


def test_generic_labels_are_kept_for_what_is_no_element(tmp_path: Path) -> None:
    names = ["#OTHER#", "#OTHER#", "Ann", "#GENERAL#"]
    entities = [Entity([Mention(((i, i + 1),))], name=name) for i, name in enumerate(names)]
    entities.append(Entity([Mention(((4, 5),))], [1, 2], "s"))
    corpus = Corpus({"d": Document("d", list("abcde"), entities)})

    anascore.write(corpus, tmp_path / "out", "friends")

    back = anascore.read(tmp_path / "out")
    assert back == corpus
    labels = [entity.name for entity in back.documents["d"].entities]
    assert labels.count("#OTHER#") == labels.count("#GENERAL#") == 1


def test_standard_input_is_read_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "-", "-"]) == 2
    assert "standard input (-) can be read only once; give file names" in capsys.readouterr().err


def test_attributes_of_corefud_are_a_sequence(tmp_path: Path) -> None:
    misc = "Entity=(e1-person-1-new)(e1-place-1-old)"
    text = f"# global.Entity = eid-etype-head-infstat\n1\tw{chr(9) + '_'}" + "\t_" * 6
    (tmp_path / "f").write_text(f"{text}\t{misc}\n")

    ((entity,),) = (d.entities for d in anascore.read(tmp_path / "f").documents.values())

    assert [attributes["infstat"] for attributes in entity.attributes] == ["new", "old"]
    assert [attributes["etype"] for attributes in entity.attributes[1:]] == ["place"]
    assert len(entity.attributes) == 2


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real.conllua").write_text("old")
    (tmp_path / "link.conllua").symlink_to("real.conllua")

    anascore.write(anascore.read(KEY), tmp_path / "link.conllua")

    assert (tmp_path / "link.conllua").is_symlink()
    assert anascore.read(tmp_path / "real.conllua") == anascore.read(KEY)


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    contents: list[bytes] = []
    reader = threading.Thread(target=lambda: contents.append(pipe.read_bytes()))
    reader.start()

    write_file(str(pipe), "x")
    reader.join()

    assert contents == [b"x"]
    assert pipe.is_fifo()


def test_a_file_that_must_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "f").write_text("old")
    monkeypatch.setattr(os, "access", lambda *_: False)

    with pytest.raises(WriteError, match="the file cannot be written: Permission denied"):
        write_file(str(tmp_path / "f"), "new")
    assert (tmp_path / "f").read_text() == "old"


def test_a_folder_is_not_compressed(tmp_path: Path) -> None:
    with pytest.raises(
        WriteError, match=r"a folder of files cannot be compressed; give a name without .gz"
    ):
        anascore.write(several(), tmp_path / "new.gz", "rucoco")


def test_standard_output_is_for_the_command_line() -> None:
    with pytest.raises(WriteError, match="a corpus cannot be written to -; give a file"):
        anascore.write(several(), "-", "jsonl")


def test_entities_without_mentions_are_counted(tmp_path: Path) -> None:
    corpus = Corpus({"d": Document("d", ["w"], [Entity([]), Entity([Mention(((0, 1),))])])})

    lost = anascore.write(corpus, tmp_path / "f.conllua")

    assert lost == {"entities without mentions": 1}


def test_deeply_nested_mentions_of_one_entity(tmp_path: Path) -> None:
    spans = [(i, 8000 - i) for i in range(4000)] + [(0, 1), (3000, 7999)]
    entity = Entity([Mention((span,)) for span in spans])
    corpus = Corpus({"d": Document("d", ["w"] * 8000, [entity])})

    lost = anascore.write(corpus, tmp_path / "f.conll")

    assert lost == {"mentions that cross another mention of the same entity": 1}


def test_types_have_the_same_numbers_in_all_documents(tmp_path: Path) -> None:
    word = Mention(((0, 1),))
    types = {"d": ["predicate", "2"], "e": ["expletive", "predicate"], "f": [""]}
    documents = {
        name: Document(name, ["w"], [], [NonReferring(word, kind) for kind in kinds])
        for name, kinds in types.items()
    }

    lost = anascore.write(Corpus(documents), tmp_path / "f.jsonl")

    back = anascore.read(tmp_path / "f.jsonl").documents.values()
    assert [[entry.type for entry in document.nonreferring] for document in back] == [
        ["4", "2"],
        ["3", "4"],
        ["1"],
    ]
    numbering = "1 for no type, 3 for expletive, 4 for predicate"
    loss = f"names of types of non-referring mentions, numbered instead ({numbering})"
    assert lost == {loss: 4}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ua", {"a_b": "c_d", "x-y": "1-2", "min_": "-", "z": "3-4"}),
        ("corefud", {"a_b": "c_d", "x_y": "1-2", "Min": "_", "z": "3_4"}),
    ],
)
def test_attributes_with_forbidden_characters(
    tmp_path: Path, name: str, expected: dict[str, str]
) -> None:
    attributes = {"x-y": "1-2", "a|b": "c(d", "Min": "-", "z": "3-4"}
    entity = Entity([Mention(((0, 1),))], (), "e", [attributes])
    corpus = Corpus({"d": Document("d", ["w"], [entity])})

    lost = anascore.write(corpus, tmp_path / "f", name)

    (back,) = anascore.read(tmp_path / "f").documents["d"].entities
    kept = {key: value for key, value in back.attributes[0].items() if key in expected}
    assert kept == expected
    changed = sum(pair not in attributes.items() for pair in expected.items())
    assert lost == {"characters in attributes of mentions, replaced by _": changed}


def test_a_minimum_span_outside_of_its_mention_is_no_minimum_span_in_corefud(
    tmp_path: Path,
) -> None:
    outside, before = Mention(((0, 2),), (), ((2, 3),)), Mention(((2, 4),), (), ((0, 2),))
    document = Document("d", "abcd", [Entity([outside], (), "1"), Entity([before], (), "2")])
    corpus = Corpus({"d": replace(document, words=[*"abcd"])})

    lost = anascore.write(corpus, tmp_path / "out", "corefud")

    assert lost == {"minimum spans or heads outside of their mentions": 2}
    assert "Entity=(1-" in (tmp_path / "out").read_text()


def test_a_minimum_span_outside_of_its_mention_is_not_written_to_ua(tmp_path: Path) -> None:
    gap = Mention(((0, 1), (2, 3)), (), ((1, 2),))
    ends = Mention(((0, 1), (2, 4)), (), ((0, 4),))
    mentions = [Mention(((0, 2),), (), ((1, 3),)), Mention(((2, 4),), (), ((0, 1),)), gap, ends]
    corpus = Corpus({"d": Document("d", [*"abcd"], [Entity([m]) for m in mentions])})

    lost = anascore.write(corpus, tmp_path / "f.conllua")

    (document,) = anascore.read(tmp_path / "f.conllua").documents.values()
    assert lost == {"minimum spans outside of their mentions": 3}
    assert {mention for entity in document.entities for mention in entity.mentions} == {
        *(Mention(mention.words) for mention in mentions[:3]),
        ends,
    }


def test_bridging_from_a_mention_that_is_lost_is_counted(tmp_path: Path) -> None:
    zero, word = Mention((), ((1, 1),)), Mention(((0, 1),))
    entities = [Entity([word]), Entity([zero])]
    bridges = [Bridge(zero, word, 0)]
    document = Document("d", ["w"], entities, bridges=bridges, zeros=[(1, 1)])

    lost = anascore.write(Corpus({"d": document}), tmp_path / "f.jsonl")

    assert lost == {"mentions that are zeros": 1, "zeros": 1, "bridging links": 1}


LOST_MARKS = "marked antecedents that are not just the first mention of an element"


def marked_corpus(relation: RelationName = "set") -> Corpus:
    """A set that marks one mention of the first element, two of the second, none of the third."""
    mentions = [Mention(((n, n + 1),)) for n in range(8)]
    entities = [
        Entity(mentions[:2]),
        Entity(mentions[2:5]),
        Entity(mentions[5:7]),
        Entity(
            mentions[7:],
            [0, 1, 2],
            relation=relation,
            antecedents=[mentions[1], mentions[2], mentions[4]],
        ),
    ]
    return Corpus({"d": Document("d", ["w"] * 8, entities)})


def marks_in(path: Path) -> list[int]:
    """Return the positions of marked antecedents."""
    (document,) = anascore.read(path).documents.values()
    return [m.words[0][0] for entity in document.entities for m in entity.antecedents]


@pytest.mark.parametrize("second", ["conllua", "jsonl"])
@pytest.mark.parametrize("first", ["conllua", "jsonl"])
def test_marked_antecedents_are_kept(first: str, second: str, tmp_path: Path) -> None:
    """Both formats must mark a mention of each element: the first, if none is marked."""
    paths = [tmp_path / f"once.{first}", tmp_path / f"twice.{second}"]

    lost = anascore.write(marked_corpus(), paths[0])
    lost += anascore.write(anascore.read(paths[0]), paths[1])

    assert LOST_MARKS not in lost
    assert marks_in(paths[0]) == marks_in(paths[1]) == [1, 2, 4, 5]


@pytest.mark.parametrize("ending", ["conllu", "json"])
def test_marked_antecedents_that_a_format_cannot_hold(ending: str, tmp_path: Path) -> None:
    """Without marks readers take the first mention, so that a mark of it is no loss."""
    corpus = marked_corpus()
    (document,) = corpus.documents.values()
    first = document.entities[0].mentions
    plain = replace(document.entities[3], antecedents=tuple(first)[:1])
    unmarked = replace(document, entities=[*document.entities[:3], plain])
    name = "friends" if ending == "json" else None

    assert anascore.write(corpus, tmp_path / f"a.{ending}", name)[LOST_MARKS] == 3
    lost = anascore.write(
        replace(corpus, documents={"d": unmarked}), tmp_path / f"b.{ending}", name
    )
    assert LOST_MARKS not in lost
    assert marks_in(tmp_path / f"a.{ending}") == []


def test_marked_antecedents_of_results(tmp_path: Path) -> None:
    """ResultOf names elements, and result_antecedents mark their mentions."""
    corpus = marked_corpus("result")

    assert anascore.write(corpus, tmp_path / "a.conllua") == {LOST_MARKS: 3}
    assert not anascore.write(corpus, tmp_path / "a.jsonl")
    assert marks_in(tmp_path / "a.conllua") == []
    assert marks_in(tmp_path / "a.jsonl") == [1, 2, 4, 5]


def test_a_mention_that_marks_an_earlier_entity_is_not_written(tmp_path: Path) -> None:
    """JSON lines knows an element by a mention of its own."""
    first, second, they = (Mention(((n, n + 1),)) for n in range(3))
    entities = [
        Entity([first]),
        Entity([first, second]),
        Entity([they], [1], antecedents=[first]),
    ]
    corpus = Corpus({"d": Document("d", ["w"] * 3, entities)})

    anascore.write(corpus, tmp_path / "a.jsonl")

    assert marks_in(tmp_path / "a.jsonl") == [1]


def test_changed_mentions_keep_their_marks() -> None:
    (document,) = marked_corpus().documents.values()

    def moved(mention: Mention) -> Mention | None:
        (start, end), *_ = mention.words
        return None if start == 2 else Mention(((start + 10, end + 10),))

    changed = map_mentions(document, moved)

    assert [m.words[0][0] for m in changed.entities[3].antecedents] == [11, 14]
