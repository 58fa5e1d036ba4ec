"""Converted CoNLL-UA is what the published scorers read; files as CODI-CRAC released them."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import pytest

import anascore
from anascore import Corpus, Document, Entity, Mention
from anascore.corpus.validate import validate
from anascore.formats.writing import fit_to_format, to_text, writer_of
from anascore.model.mention import runs_of
from support.drawn_corpora import CORPORA_DRAWN, has_words
from support.generated_corpora import rich_corpus
from support.samples import LAYERS_KEY, RELEASED
from support.ua_scorer_reading import (
    DEIXIS,
    IDENTITY,
    Reading,
    as_released,
    names_closings,
    reading_of,
    rows_by_document,
)

Runs: TypeAlias = tuple[tuple[int, int], ...]
"""First and last rows of the parts of a mention."""


def rows_of(mention: Mention, document: Document) -> Runs:
    """Return the rows of a mention."""
    words = [(position + 1, 0) for position in range(len(document.words))]
    row_of = {unit: row for row, unit in enumerate(sorted([*words, *document.zeros]))}
    return tuple((row_of[a], row_of[b]) for a, b in runs_of(mention, frozenset(document.zeros)))


def content(document: Document, layer: Any) -> list[Any]:
    """Return the mentions of each entity, and those of the elements of its set."""
    mentions = [sorted(rows_of(m, document) for m in entity.mentions) for entity in layer]
    return sorted(
        (own, sorted(mentions[element] for element in entity.elements) if entity.is_set else [])
        for own, entity in zip(mentions, layer, strict=True)
    )


def content_read(reading: Reading) -> tuple[list[Any], list[Runs]]:
    """Return the same as a scorer sees it, and the non-referring mentions."""
    mentions: dict[str, list[Runs]] = {}
    for name, entity in reading.entity_of.items():
        mentions.setdefault(entity, []).append(tuple(reading.runs[name]))
    ordered = {entity: sorted(runs) for entity, runs in mentions.items()}
    pseudo = [entity for entity in ordered if entity.endswith("-Pseudo")]
    entities = sorted(
        (own, sorted(ordered[element] for element in reading.elements.get(entity, ())))
        for entity, own in ordered.items()
        if entity not in pseudo
    )
    return entities, sorted(runs for entity in pseudo for runs in ordered[entity])


def check(corpus: Corpus) -> None:
    """Compare what is written with what the scorers read."""
    text = writer_of("ua")(corpus)
    named = {column: names_closings(text, column) for column in (IDENTITY, DEIXIS)}
    documents = corpus.documents.values()
    for (name, rows), document in zip(rows_by_document(text), documents, strict=True):
        assert name == document.name
        identity, deixis = (reading_of(rows, at, named=named[at]) for at in (IDENTITY, DEIXIS))
        assert content_read(identity) == (
            content(document, document.entities),
            sorted(rows_of(mention, document) for mention, _ in document.nonreferring),
        )
        assert content_read(deixis) == (content(document, document.deixis), [])
        last = {bridge.anaphor: bridge.anchor for bridge in document.bridges}
        assert {(rows_of(a, document), rows_of(b, document)) for a, b in last.items()} == {
            (tuple(identity.runs[a]), tuple(identity.runs[b])) for a, b in identity.anchors.items()
        }


def test_scorers_read_what_is_written() -> None:
    def test(corpus: Corpus) -> None:
        fitting, _ = fit_to_format(corpus, "ua")
        check(fitting)

    CORPORA_DRAWN.check(test)


def test_scorers_read_a_rich_corpus() -> None:
    fitting, _ = fit_to_format(rich_corpus(), "ua")

    check(fitting)


def documents_of(folder: Path, text: str) -> Iterator[Document]:
    """Read a text; its lines and tables are left out."""
    path = folder / "test.conllua"
    path.write_text(text, encoding="utf-8", newline="")
    return (replace(d, table=None) for d in anascore.read(path, "ua").documents.values())


def test_the_released_form_says_the_same(tmp_path: Path) -> None:
    def test(corpus: Corpus) -> None:
        fitting, _ = fit_to_format(corpus, "ua")
        text = writer_of("ua")(fitting)
        if has_words(fitting, "ua"):
            ours, released = (list(documents_of(tmp_path, t)) for t in (text, as_released(text)))
            assert released == ours

    CORPORA_DRAWN.check(test)


CROSSING = [Mention(((0, 3),)), Mention(((1, 5),)), Mention(((2, 3),)), Mention(((0, 1), (4, 6)))]


@pytest.mark.parametrize(
    ("mentions", "expected"),
    [
        pytest.param(
            CROSSING,
            [
                "(EntityID=1|MarkableID=markable_1(EntityID=4|MarkableID=markable_4)",
                "(EntityID=2|MarkableID=markable_2",
                "markable_1)(EntityID=3|MarkableID=markable_3)",
                "_",
                "markable_2)(EntityID=4|MarkableID=markable_4",
                "markable_4)",
            ],
            id="crossing: all closing brackets are named",
        ),
        pytest.param(
            [CROSSING[0], CROSSING[2], CROSSING[3]],
            [
                "(EntityID=1|MarkableID=markable_1(EntityID=3|MarkableID=markable_3)",
                "_",
                ")(EntityID=2|MarkableID=markable_2)",
                "_",
                "(EntityID=3|MarkableID=markable_3",
                ")",
            ],
            id="nested: all are bare",
        ),
    ],
)
def test_closing_brackets(mentions: list[Mention], expected: list[str]) -> None:
    entities = [Entity([mention]) for mention in mentions]
    text, lost = to_text(Corpus({"d": Document("d", [*"abcdef"], entities)}), "ua")

    ((_, rows),) = rows_by_document(text)

    assert [row[IDENTITY] for row in rows] == expected
    assert not lost


def test_closing_brackets_are_named_in_all_documents_of_a_layer() -> None:
    first = Document("a", [*"abcdef"], [Entity([mention]) for mention in CROSSING])
    second = Document("b", [*"ab"], [Entity([Mention(((0, 2),))])], deixis=first.entities[:1])
    second = replace(second, words=[*"abc"])
    text, _ = to_text(Corpus({"a": first, "b": second}), "ua")

    _, (_, rows) = rows_by_document(text)

    assert [(row[IDENTITY], row[DEIXIS]) for row in rows] == [
        ("(EntityID=1|MarkableID=markable_1", "(EntityID=1|MarkableID=deixis_markable_1"),
        ("markable_1)", "_"),
        ("_", ")"),
    ]


def test_columns_have_no_white_space(tmp_path: Path) -> None:
    text = (
        "# global.Entity = eid-etype-head-other\n# newdoc id = d\n"
        "1\tNew York\tNew York\tX\t_\t_\t0\troot\t_\tEntity=(e1-a\u00a0b-1-)|Gloss=big apple\n"
        "2\ta\u00a0b\t \t_\t_\t_\t_\t_\t_\t_\n"
    )
    (tmp_path / "in.conllu").write_text(text, encoding="utf-8")

    lost = anascore.write(anascore.read(tmp_path / "in.conllu"), tmp_path / "out.conllua")

    written = (tmp_path / "out.conllua").read_text(encoding="utf-8")
    ((_, rows),) = rows_by_document(written)
    assert [" ".join(row) for row in rows] == [
        "1 New_York New_York X _ _ 0 root _ Gloss=big_apple "
        "(EntityID=e1|MarkableID=markable_1|etype=a_b) _ _ _ _",
        "2 a_b _ _ _ _ _ _ _ _ _ _ _ _ _",
    ]
    assert lost == {
        "words with forbidden characters, replaced by _": 2,
        "values with blanks in other columns, replaced by _": 3,
        "characters in attributes of mentions, replaced by _": 1,
    }


def test_bridging_is_written_on_the_first_word_with_the_anchor(tmp_path: Path) -> None:
    (tmp_path / "in.conllua").write_text(LAYERS_KEY)

    text, lost = to_text(anascore.read(tmp_path / "in.conllua"), "ua")

    bridging = [line.split("\t")[11] for line in text.split("\n") if line[:1].isdigit()]
    assert {number: cell for number, cell in enumerate(bridging, 1) if cell != "_"} == {
        6: "(MarkableID=markable_3|Rel=part|MentionAnchor=markable_1|EntityAnchor=1)",
        13: "(MarkableID=markable_4|Rel=owner|MentionAnchor=markable_1|EntityAnchor=1)",
    }
    assert not lost


def test_a_released_file(tmp_path: Path) -> None:
    path = tmp_path / "released.conllua"
    path.write_text(RELEASED)

    (document,) = anascore.read(path).documents.values()
    (validated,) = validate(str(path))
    result = anascore.score(
        path, path, layers=["identity", "discourse-deixis", "bridging", "non-referring"]
    )

    house, men, old, roof = (Mention(((0, 3),)), Mention(((4, 5),)), Mention(((6, 9),)), (9, 12))
    assert [(entity.name, entity.mentions, entity.elements) for entity in document.entities] == [
        ("1", (house,), ()),
        ("2", (men,), ()),
        ("3", (old,), (0, 1)),
        ("4", (Mention((roof,), (), ((11, 12),)),), ()),
    ]
    assert [mention.words for mention, _ in document.nonreferring] == [((12, 13),)]
    assert [(bridge.anaphor.words, bridge.anchor.words) for bridge in document.bridges] == [
        (((6, 9),), ((0, 3),)),
        (((9, 12),), ((0, 3),)),
    ]
    assert [(entity.name, len(entity.mentions)) for entity in document.deixis] == [("1", 2)]
    assert dict(document.notes) == {
        "minimum spans outside of their mentions, not used": 3,
        "non-referring mentions with ElementOf, which are not elements": 1,
    }
    assert [(problem.line, problem.severity, problem.what) for problem in validated.problems] == [
        (4, "warning", "minimum spans outside of their mentions, not used: 3"),
        (17, "warning", "non-referring mentions with ElementOf, which are not elements: 1"),
    ]
    for layer in result.layers.values():
        assert {value for values in layer.scores.values() for value in values} <= {1.0, None}
    assert [note for note in result.notes if note.startswith("key:")] == [
        "key: minimum spans outside of their mentions, not used: 3",
        "key: non-referring mentions with ElementOf, which are not elements: 1",
    ]
