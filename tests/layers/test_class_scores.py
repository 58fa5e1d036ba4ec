"""Scores by classes of mentions."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import anascore
from anascore import Corpus, Document, Entity, Mention
from anascore.entities import anaphor_classes
from anascore.entities.anaphor_classes import (
    ClassMembers,
    EntityLayer,
    class_members,
    column_values,
    described_mentions,
    has_annotation,
)
from anascore.entities.breakdowns import DIMENSIONS, Bin, Dimension, bins, classes_of
from anascore.entities.normalisation import normalise
from anascore.errors import SettingsError
from anascore.formats.columns import columns
from anascore.layers.counts import add_rows
from anascore.layers.document import pair_of
from anascore.layers.entities import count_identity
from anascore.matching import match_mentions
from anascore.metrics.mentions import decomposable
from anascore.model.document import Table
from anascore.model.mention import Unit, Zero
from anascore.results.result import LayerResult
from anascore.settings import BREAKDOWNS, Settings
from support.documents import document_of
from support.metric_oracles import Side
from support.strategies import pairs_of_sides


def test_every_name_is_a_dimension() -> None:
    assert tuple(DIMENSIONS) == BREAKDOWNS


@given(pairs_of_sides())
def test_classes_add_up_to_the_score_of_all_mentions(pair: tuple[Side, Side]) -> None:
    settings = Settings(by=(*BREAKDOWNS, "genre=(d)"))
    documents = [document_of(side) for side in pair]
    documents_pair = pair_of(documents[0], documents[1], settings)
    key, response = documents_pair.key.identity, documents_pair.response.identity

    counted = count_identity(documents_pair, ["b3", "mentions"])

    matched = match_mentions(key, response, settings)
    ours, theirs = (
        replace(side, anaphors=frozenset(mention.place for mention in side.mentions))
        for side in (key, response)
    )
    anaphors = decomposable(ours, theirs, matched)
    assert tuple(counted.breakdown) == settings.by
    for classes in counted.breakdown.values():
        assert bool(classes) == bool(key.mentions or response.mentions)
        together = add_rows(classes.values())
        assert together.get("b3", counted.scores["b3"]) == counted.scores["b3"]
        assert together.get("mentions", counted.scores["mentions"]) == counted.scores["mentions"]
        assert together.get("anaphors", anaphors) == anaphors


KEY = """\
# newdoc id = GUM_{genre}_{name}
# global.Entity = eid-etype-head-other
# sent_id = 1
1\tAnn\tAnn\tPROPN\t_\t_\t0\t_\t_\tEntity=(e1-person-1)
2\tmet\tmeet\tVERB\t_\t_\t0\t_\t_\t_
3\ta\ta\tDET\t_\t_\t0\t_\t_\tEntity=(e2-animal-2
4\tdog\tdog\tNOUN\t_\t_\t0\t_\t_\tEntity=e2)
5\t.\t.\tPUNCT\t_\t_\t0\t_\t_\t_

# sent_id = 2
1\tShe\tshe\tPRON\t_\t_\t0\t_\t_\tEntity=(e1-person-1)
2\tfed\tfeed\tVERB\t_\t_\t0\t_\t_\t_
3\ther\ther\tPRON\t_\t_\t0\t_\t_\tEntity=(e1-person-1)
4\tdog\tdog\tNOUN\t_\t_\t0\t_\t_\tEntity=(e2-animal-1)
5\t.\t.\tPUNCT\t_\t_\t0\t_\t_\t_

# sent_id = 3
1\tThey\tthey\tPRON\t_\t_\t0\t_\t_\tEntity=(e3--1)|SplitAnte=e1<e3,e2<e3
2\tslept\tsleep\tVERB\t_\t_\t0\t_\t_\t_

"""
"""e1 = {Ann, She, her}, e2 = {a dog, dog}, e3 = {e1, e2} ⊕ {They}; dog without "her" on purpose."""


def result(tmp_path: Path, changes: dict[str, str], **settings: Any) -> LayerResult:
    """Score a key of two documents against a response that differs from the first."""
    first, second = (KEY.format(genre=g, name=n) for g, n in (("news", "a"), ("fiction", "b")))
    paths = tmp_path / "key.conllu", tmp_path / "response.conllu"
    changed = first
    for old, new in changes.items():
        assert old in changed
        changed = changed.replace(old, new)
    paths[0].write_text(first + second)
    paths[1].write_text(changed + second)
    return anascore.score(*paths, **settings).first


def test_classes_by_hand(tmp_path: Path) -> None:
    """In the first document "her" is in the dog's entity: e1 has 2 of 3, e2 all 2 within 3.

    B³ recall of Ann and She is 2/3, of "her" 1/3; of the dog's mentions 1. The set {e1, e2} has
    B³ recall (4/3 + 1/3 + 2) / 5 = 11/15 and precision (2 + 4/3 + 1/3) / 5, the same. So "They"
    and its set are credited (1 + 11/15) / 2 and 11/15 of that.
    """
    line = "3\ther\ther\tPRON\t_\t_\t0\t_\t_\tEntity=(e1-person-1)"
    found = result(
        tmp_path,
        {line: line.replace("e1-person", "e2-animal")},
        by=["length", "mention-type", "entity-type", "distance"],
    )

    def recall(by: str, name: str) -> Fraction:
        (row,) = found.total.breakdown[by][name]["b3"]
        return Fraction(row.recall.part) / row.recall.whole

    they = (1 + Fraction(11, 15)) / 2
    with_set = they * (1 + Fraction(11, 15))
    assert recall("mention-type", "proper") == (Fraction(2, 3) + 1) / 2
    assert recall("mention-type", "nominal") == 1
    assert recall("mention-type", "pronoun") == (
        Fraction(2, 3) + Fraction(1, 3) + with_set + 2 + 2
    ) / (2 * 3 + 2)
    assert recall("length", "2") == (2 + with_set + 2 + 2) / 8
    assert recall("length", "3 to 5") == (Fraction(5, 3) + 3) / 6
    assert recall("entity-type", "animal") == 1
    assert recall("entity-type", "unknown") == (with_set + 2) / 4
    assert recall("distance", "split antecedents") == (with_set + 2) / 4
    assert recall("distance", "same sentence") == (Fraction(1, 3) + 1) / 2
    assert recall("distance", "1") == (Fraction(2, 3) + 1 + 2) / 4

    her = found.breakdown["distance"]["same sentence"]
    assert (her.key, her.response) == (2, 2)
    assert (her.scores["anaphors"].recall, her.scores["anaphors"].precision) == (0.5, 1.0)


def test_classes_stand_in_their_order(tmp_path: Path) -> None:
    found = result(tmp_path, {}, by=["all", "genre=_([a-z]+)_", "letter=[bc]$"])

    assert {by: list(classes) for by, classes in found.breakdown.items()} == {
        "length": ["2", "3 to 5"],
        "mention-type": ["pronoun", "proper", "nominal"],
        "entity-type": ["animal", "person", "unknown"],
        "distance": ["first mention", "split antecedents", "same sentence", "1"],
        "range": ["one mention", "0 to 50"],
        "document-length": ["0 to 250"],
        "genre=_([a-z]+)_": ["fiction", "news"],
        "letter=[bc]$": ["b", "other"],
    }


def test_classes_of_documents_have_all_scores(tmp_path: Path) -> None:
    line = "4\tdog\tdog\tNOUN\t_\t_\t0\t_\t_\tEntity=(e2-animal-1)"
    found = result(tmp_path, {line: line[:-18] + "_"}, by=["genre=_([a-z]+)_"], metrics="muc,b3")
    news = found.breakdown["genre=_([a-z]+)_"]["news"]

    assert list(news.scores) == ["muc", "b3", "mentions", "anaphors"]
    assert {n: s for n, s in news.scores.items() if n in {"muc", "b3"}} == found.documents[
        "GUM_news_a"
    ].scores


def test_a_response_without_tags_takes_the_classes_of_the_key(tmp_path: Path) -> None:
    key = tmp_path / "key.conllu"
    key.write_text(KEY.format(genre="news", name="a"))
    anascore.write(anascore.read(key), tmp_path / "response.jsonl")
    by = ["mention-type", "entity-type", "distance"]

    found = anascore.score(key, tmp_path / "response.jsonl", by=by).first

    for classes in found.breakdown.values():
        assert all(c.key == c.response and c.scores["b3"].f1 == 1 for c in classes.values())


def test_words_are_counted_also_where_mentions_are_characters() -> None:
    text = "She slept. " * 200
    entity = Entity([Mention(((0, 3),)), Mention(((11, 14),))])
    corpus = Corpus({"d": Document("d", text, [entity])})

    (found,) = anascore.score(corpus, corpus, by="document-length").first.breakdown.values()

    assert list(found) == ["251 to 500"]


def test_a_zero_between_sentences_begins_the_second() -> None:
    entity = Entity([Mention(((2, 3),)), Mention((), ((3, 1),))])
    document = Document("d", list("abcdef"), [entity], zeros=[(3, 1)], sentences=[0, 3])
    corpus = Corpus({"d": document})

    found = anascore.score(corpus, corpus, by=["distance", "mention-type"]).first.breakdown

    assert list(found["distance"]) == ["first mention", "1"]
    assert list(found["mention-type"]) == ["zero", "unknown"]


@pytest.mark.parametrize("zero", [b"", b"1.1\tPRON\n"])
def test_a_word_behind_the_key_has_its_own_type_with_and_without_zeros(zero: bytes) -> None:
    entity = Entity([Mention(((0, 1),)), Mention(((1, 2),))])
    key = Document("d", ["a"], [entity], table=Table(("ID", "UPOS"), "\t", b"1\tNOUN\n"))
    table = Table(("ID", "UPOS"), "\t", b"1\tNOUN\n" + zero + b"2\tPRON\n")
    response = replace(key, words=["a", "b"], zeros=[(1, 1)] if zero else (), table=table)
    settings = Settings(by=("mention-type",), words="ignore")
    own, in_key = (EntityLayer(document, document.entities) for document in (response, key))

    found = classes_of(normalise(own.entities, settings), own, in_key, settings)

    assert found == {"mention-type": ("nominal", "pronoun")}


def test_a_response_anaphor_is_no_first_mention_where_there_are_no_sentences() -> None:
    a, b = Mention(((0, 1),)), Mention(((1, 2),))
    key = Document("d", list("ab"), [Entity([a]), Entity([b])])
    response = Document("d", list("ab"), [Entity([a, b])])
    corpora = [Corpus({"d": document}) for document in (key, response)]

    (found,) = anascore.score(*corpora, by="distance").first.breakdown.values()

    assert {name: (c.key, c.response) for name, c in found.items()} == {
        "first mention": (2, 1),
        "unknown": (0, 1),
    }


def test_equal_sets_have_the_type_of_each_other() -> None:
    mentions = [Mention(((n, n + 1),)) for n in range(4)]
    entities = [
        Entity(mentions[:1], name="a"),
        Entity(mentions[1:2], name="b"),
        Entity(mentions[2:3], [0, 1], "c", [{}]),
        Entity(mentions[3:], [0, 1], "d", [{"etype": "group"}]),
    ]
    corpus = Corpus({"d": Document("d", list("abcd"), entities)})

    (found,) = anascore.score(corpus, corpus, by="entity-type").first.breakdown.values()

    assert {name: found[name].key for name in found} == {"group": 2, "unknown": 2}


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ("size", "cannot be broken down by 'size'; choose from length, mention-type"),
        (["length", "length"], "--by length is given twice"),
        ("length=x", "needs a name of its own"),
        ("=x", "needs a name of its own"),
        ("genre=(", "--by genre=\\(: '\\(' is not a valid regular expression"),
        (3, "by must be a tuple of names, like \\('length',\\), not 3"),
        ([3], "by must be a tuple of names, .* not \\(3,\\)"),
    ],
)
def test_what_cannot_be_asked_for(by: Any, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        anascore.score_clusters([["a"]], [["a"]], by=by)


def test_other_layers_have_no_classes_of_mentions() -> None:
    with pytest.raises(SettingsError, match="--by needs a layer with entities; add"):
        anascore.score(Corpus({}), Corpus({}), by="length", layers="bridging")


def word(number: int) -> Mention:
    return Mention(((number, number + 1),))


def test_bins_end_before_the_next_starts() -> None:
    assert bins(0, 1, 2, 6) == (Bin(0, 0), Bin(1, 1), Bin(2, 5), Bin(6, None))
    assert [*map(str, bins(1, 2, 6))] == ["1", "2 to 5", "6 or more"]


def test_other_and_unknown_classes_come_last() -> None:
    dimension = Dimension("label", DIMENSIONS["length"].classify, ("b",))

    assert dimension.in_order(["unknown", "zoo", "other", "a", "b"]) == [
        *("b", "a", "zoo", "other", "unknown")
    ]


COLUMNS = """\
# newdoc id = d
# global.Entity = eid-etype-head-other
1\tAnn\tAnn\tPROPN\t_\t_\t0\t_\t_\tEntity=(e1-person-1)
2\truns\trun\tVERB\t_\tTense=Pres|Typo=a=b\t0\t_\t_\tEntity=(e2--1)

"""


def test_classes_of_single_mentions(tmp_path: Path) -> None:
    path = tmp_path / "key.conllu"
    path.write_text(COLUMNS)

    found = anascore.score(path, path, by="all").first.breakdown

    assert list(found["mention-type"]) == ["proper", "other"]
    assert list(found["length"]) == ["singleton"]
    assert list(found["entity-type"]) == ["person", "unknown"]


def classes(
    entities: list[Entity[Mention]], key: Document, by: str, **options: Any
) -> tuple[str, ...]:
    """Return the classes of all mentions in a document without sentences."""
    settings = Settings(by=(by,), **options)
    own = EntityLayer(Document("d", key.words, entities), entities)
    side = normalise(entities, settings)
    return classes_of(side, own, EntityLayer(key, key.entities), settings)[by]


def test_sentences_are_those_of_the_key_and_the_first_word_counts() -> None:
    entities = [Entity([word(0), Mention(((2, 4),)), word(4)])]
    key = Document("d", list("abcdef"), [], sentences=[0, 3])

    assert classes(entities, key, "distance") == ("first mention", "same sentence", "1")


@pytest.mark.parametrize(
    ("mentions", "expected"),
    [
        pytest.param([word(7)], "one mention", id="one mention"),
        pytest.param([word(0), word(50)], "0 to 50", id="fifty words"),
        pytest.param([word(0), word(51)], "51 to 200", id="one more"),
        pytest.param([word(0), word(9), word(200)], "51 to 200", id="the last of three"),
        pytest.param([word(0), Mention(((50, 53),))], "0 to 50", id="first word without a head"),
        pytest.param(
            [word(0), Mention(((50, 53),), (), ((51, 52),))], "51 to 200", id="the head otherwise"
        ),
        pytest.param(
            [word(51), Mention(((0, 60),), (), ((59, 60),)), word(60)], "0 to 50", id="heads"
        ),
        pytest.param(
            [Mention(((0, 60),), (), ((58, 59),)), word(7)], "51 to 200", id="heads in reverse"
        ),
        pytest.param([word(0), word(20001)], "20001 or more", id="a book"),
    ],
)
def test_the_range_of_an_entity(mentions: list[Mention], expected: str) -> None:
    key = Document("d", ["w"] * 30_000, [])

    assert classes([Entity(mentions)], key, "range") == (expected,) * len(mentions)


def test_zeros_count_in_the_range_of_an_entity() -> None:
    zeros = [(0, 1), (3, 1), (3, 2), (49, 1)]
    for mention, expected in (
        (word(47), "0 to 50"),
        (word(48), "51 to 200"),
        (Mention((), ((48, 1),)), "51 to 200"),
        (Mention((), ((49, 1),)), "51 to 200"),
        (Mention((), ((3, 2),)), "0 to 50"),
    ):
        entities = [Entity([Mention((), ((0, 1),)), mention])]
        document = Document("d", ["w"] * 60, entities, zeros=sorted({*zeros, *mention.zeros}))
        settings = Settings(by=("range",))
        layer = EntityLayer(document, entities)
        side = normalise(entities, settings)
        assert {*classes_of(side, layer, layer, settings)["range"]} == {expected}, mention


def test_the_range_of_an_entity_in_characters_is_in_words() -> None:
    text = "wort " * 52
    first, last, later = (Mention(((5 * n, 5 * n + 4),)) for n in (0, 50, 51))
    key = Document("d", text, [])

    assert classes([Entity([first, last])], key, "range") == ("0 to 50",) * 2
    assert classes([Entity([first, later])], key, "range") == ("51 to 200",) * 2
    zeros = [(3, 1), (5 * 51, 1)]
    entities = [Entity([Mention((), (zero,)) for zero in zeros])]
    document = Document("d", text, entities, zeros=zeros)
    layer, settings = EntityLayer(document, entities), Settings(by=("range",))
    side = normalise(entities, settings)
    assert classes_of(side, layer, layer, settings)["range"] == ("51 to 200",) * 2


def test_a_mention_has_the_type_that_its_entity_gives_it() -> None:
    entities: list[Entity[Mention]] = [
        Entity([word(0), word(1)], name="a", attributes=[{"etype": "person"}, {}]),
        Entity([word(0), word(2)], name="b", attributes=[{"EType": "group"}, {"semtype": "x"}]),
        Entity([word(3)], name="c"),
    ]
    key = Document("d", list("abcd"), [])

    types = classes(entities, key, "entity-type", repeated_mentions="all")

    assert types == ("person", "person", "group", "x", "")


def test_mentions_are_described_the_most_specific_last() -> None:
    whole, marked = Mention(((0, 2),)), Mention(((0, 2),), minimum=((0, 1),))
    attributes = [{"n": "1"}, {"n": "2"}, {"n": "3"}]
    entities: list[Entity[Mention]] = [
        Entity([marked, whole, whole], name="a", attributes=attributes),
        Entity([whole, word(5)], name="b", attributes=attributes[:2]),
    ]

    described = [
        (name, mention, values["n"])
        for (name, _), (mention, values) in described_mentions(entities, Settings())
    ]

    assert described == [
        ("b", word(5), "2"),
        ("b", whole, "1"),
        ("a", whole, "2"),
        ("a", whole, "3"),
        ("a", marked, "1"),
    ]


ANN, GROUP = {"etype": "person=f"}, {"ETYPE": "group"}


@pytest.mark.parametrize(
    ("name", "own", "in_key", "members"),
    [
        ("etype=person=f", [ANN, GROUP], [GROUP, GROUP], ([0], 0)),
        ("etype=group", [ANN, {}], [GROUP, GROUP], ([1], 0)),
        ("etype=group", [{}, {}], [{}, {}], ([], 2)),
        ("etype=group", [{}, ANN], [{}, GROUP], ([], 1)),
        ("pronoun", [{}, {}], [{}, {}], ([], 0)),
    ],
)
def test_members_of_a_class(
    name: str, own: list[dict[str, str]], in_key: list[dict[str, str]], members: Any
) -> None:
    layers = []
    for attributes in (own, in_key):
        entities = (Entity([word(0), word(1)], name="a", attributes=attributes),)
        layers.append(EntityLayer(Document("d", list("ab"), entities), entities))
    settings = Settings(anaphors=name)

    found = class_members(normalise(layers[0].entities, settings), layers[0], layers[1], settings)

    places, unknown = members
    assert found == ClassMembers(frozenset(word(n).place for n in places), unknown)


def test_mentions_of_merged_sets_are_members_of_classes() -> None:
    entities = (
        *(Entity([word(n)], name=str(n)) for n in range(2)),
        Entity([word(2)], [0, 1], "c", [{}]),
        Entity([word(3)], [0, 1], "d", [{"etype": "group"}]),
    )
    layer = EntityLayer(Document("d", list("abcd"), entities), entities)
    settings = Settings(anaphors="etype=group")

    found = class_members(normalise(entities, settings), layer, layer, settings)

    assert found == ClassMembers(frozenset({word(3).place}), 3)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Tense=Pres", True),
        ("typo=a=b", True),
        ("etype=a=b", True),
        ("Typo=a=b=c", True),
        ("Case=Nom", False),
        ("upos=PRON", True),
        ("xpos=NN", False),
    ],
)
def test_annotation_of_a_class(tmp_path: Path, name: str, expected: bool) -> None:  # noqa: FBT001
    path = tmp_path / "key.conllu"
    path.write_text(COLUMNS)
    (document,) = anascore.read(path).documents.values()

    assert has_annotation(document, name) == expected


def test_values_may_have_equals_signs(tmp_path: Path) -> None:
    path = tmp_path / "key.conllu"
    path.write_text(COLUMNS)
    (document,) = anascore.read(path).documents.values()
    layer = EntityLayer(document, document.entities)
    settings = Settings(anaphors="Typo=a=b")

    found = class_members(normalise(layer.entities, settings), layer, layer, settings)

    assert found == ClassMembers(frozenset({word(1).place}), 0)


TAGS = b"1\tNOUN\n2\tPRON\n"


@pytest.mark.parametrize(
    ("in_key", "own", "zeros", "values"),
    [
        (TAGS, b"1\tX\n2\tX\n", (), {(1, 0): "NOUN", (2, 0): "PRON"}),
        (b"1\tNOUN\n2\t_\n", b"1\tX\n2\tX\n", (), {(1, 0): "NOUN", (2, 0): "X"}),
        (TAGS, b"1\tX\n1.1\tX\n2\tX\n", [(1, 1)], {(1, 0): "NOUN", (1, 1): "X", (2, 0): "PRON"}),
        (b"1\tNOUN\n1.1\tNOUN\n2\t_\n", TAGS, (), {(1, 0): "NOUN", (2, 0): "PRON"}),
    ],
)
def test_columns_of_words_are_those_of_the_key(
    in_key: bytes, own: bytes, zeros: Sequence[Zero], values: dict[Unit, str]
) -> None:
    key = Document("d", ["a", "b"], [], table=Table(("ID", "UPOS"), "\t", in_key))
    key = replace(key, zeros=[(1, 1)] if b"." in in_key else ())
    response = replace(key, zeros=zeros, table=Table(("ID", "UPOS"), "\t", own))

    assert column_values(response, key, ["UPOS"]) == {"UPOS": values}
    words = {unit: value for unit, value in values.items() if not unit[1]}
    found = column_values(response, key, ["UPOS"], only_words=True)["UPOS"]
    assert {unit: value for unit, value in found.items() if not unit[1]} == words


def test_columns_of_a_response_are_not_read_if_the_key_has_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[str] = []

    def noted(document: Document, names: Sequence[str]) -> dict[str, Mapping[Unit, str]]:
        read.append(document.name)
        return columns(document, names)

    monkeypatch.setattr(anaphor_classes, "columns", noted)
    key = Document("key", ["a", "b"], [], table=Table(("ID", "UPOS"), "\t", TAGS))

    column_values(replace(key, name="response"), key, ["UPOS"])

    assert read == ["key"]
