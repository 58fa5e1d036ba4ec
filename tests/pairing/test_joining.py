"""Documents joined for cross-document coreference."""

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import anascore
from anascore import (
    Bridge,
    Corpus,
    Document,
    Entity,
    EntityError,
    Mention,
    NonReferring,
    Result,
    Scorer,
    SettingsError,
)
from anascore.errors import Repair
from anascore.formats.columns import Columns, columns, zero_dependencies
from anascore.model.document import Candidates, Table
from anascore.model.transform import map_mentions
from anascore.pairing.joining import BORDER, NOT_JOINED, groups_of, join_key, join_response
from anascore.settings import Settings
from support.block_comparison import assert_same
from support.documents import document_of
from support.metric_oracles import Side
from support.reading import all_refusals, put
from support.strategies import pairs_of_sides


def word(*numbers: int) -> list[Mention]:
    return [Mention(((number, number + 1),)) for number in numbers]


def doc(name: str, entities: dict[str, Any], size: int = 4, **fields: Any) -> Document:
    """Make a document of entities by id: positions of words, or a pair with ids of elements."""
    ids = list(entities)
    pairs = {
        name: value if isinstance(value, tuple) else (value, []) for name, value in entities.items()
    }
    return Document(
        name,
        [f"{name}{n}" for n in range(size)],
        [
            Entity(word(*numbers), [ids.index(e) for e in elements], one)
            for one, (numbers, elements) in pairs.items()
        ],
        global_ids=True,
        **fields,
    )


def corpus(*documents: Document) -> Corpus:
    return Corpus({document.name: document for document in documents})


KEY = corpus(
    doc("1_a", {"x": [0, 1], "y": [2]}),
    doc("1_b", {"x": [0], "z": [1, 2]}),
    doc("2_a", {"x": [3], "y": [0, 1]}),
)
RESPONSE = corpus(
    doc("1_a", {"p": [0, 1], "q": [2]}),
    doc("1_b", {"q": [0], "r": [1, 2]}),
    doc("2_a", {"p": [3], "q": [0, 1]}),
)


def test_entities_of_the_same_id_are_one() -> None:
    """Joined, x = {a0, a1, b0, c3} and p = {a0, a1, c3}: MUC misses one of x's three links.

    Of y = {a2, c0, c1}, q has all and b0 besides: 2 of 2 links; z and r are the same. Recall is
    (2 + 2 + 1) / 6, precision 5 of 2 + 3 + 1. Within documents there are the links x: 1, z: 1,
    y: 1, all of which are found.
    """
    result = anascore.score(KEY, RESPONSE, across="all")

    (row,) = result.total.scores["muc"]
    assert (row.recall.part, row.recall.whole) == (5, 6)
    assert (row.precision.part, row.precision.whole) == (5, 6)
    assert result.total.key == {
        "documents": 1,
        "mentions": 9,
        "entities": 3,
        "accommodated_sets": 0,
    }
    assert list(result.documents) == ["all"]
    assert result.first.within_documents["muc"] == (1, 1, 1)
    expected = anascore.score(KEY, RESPONSE)
    assert result.first.within_documents == expected.scores
    assert result.within == expected.counted
    assert result.signature == f"{expected.signature}|across:all"


def test_documents_of_a_pattern_are_joined() -> None:
    result = anascore.score(KEY, RESPONSE, across="^([0-9])_")

    assert list(result.documents) == ["1", "2"]
    assert result.total.key["entities"] == 5
    (row,) = result.total.scores["muc"]
    assert (row.recall.part, row.recall.whole) == (1 + 1 + 1, 2 + 1 + 1)
    confident = anascore.score(KEY, RESPONSE, across="^([0-9])_", confidence=True, samples=20)
    assert confident.first.uncertainty.intervals["muc"].f1.low is not None
    alone = anascore.score(KEY, RESPONSE, across="all", confidence=True, samples=20)
    assert alone.first.uncertainty.intervals["muc"].f1 == (None, None)
    assert any("there is only one" in warning for warning in alone.warnings)


@pytest.mark.parametrize(
    ("names", "across", "groups"),
    [
        (["a", "b"], "all", {"all": ["a", "b"]}),
        (["1x", "2x", "1y"], "^([0-9])", {"1": ["1x", "1y"], "2": ["2x"]}),
        (["ab", "ba", "c"], "[ab]$", {"b": ["ab"], "a": ["ba"], "c": ["c"]}),
        (["1", "x1"], "x(.)", {"1": ["1"], "1 (joined)": ["x1"]}),
        ([], "all", {"all": []}),
        ([], "x", {}),
    ],
)
def test_groups(names: list[str], across: str, groups: dict[str, list[str]]) -> None:
    assert groups_of(names, across) == groups


def test_documents_that_the_pattern_does_not_match_stay_alone() -> None:
    result = anascore.score(KEY, KEY, across="^1_")

    assert list(result.documents) == ["1_", "2_a"]
    assert result.notes == (f"key: {NOT_JOINED}: 1",)
    with pytest.raises(
        SettingsError, match=r"^--across x: no name of a document matches, like '1_"
    ):
        anascore.score(KEY, KEY, across="x")


def test_sets_are_united() -> None:
    """The set s has a and b in one document, c in the other: {a, b, c}, with two mentions."""
    key = corpus(
        doc("1", {"a": [0], "b": [1], "s": ([2], ["a", "b"])}),
        doc("2", {"c": [0], "s": ([1], ["c"]), "b": [2]}),
    )
    joined = corpus(doc("all", {"a": [0], "b": [1, 7], "c": [5], "s": ([2, 6], "abc")}, size=9))

    result = anascore.score(key, key, across="all")

    assert result.counted["all"] == anascore.score(joined, joined).counted["all"]
    assert result.total.key["accommodated_sets"] == 1
    assert {*result.split_only["b3"]} == {1.0}


def test_what_joining_contradicts_is_an_error() -> None:
    cycle = corpus(doc("1", {"a": [0], "s": ([1], ["a"])}), doc("2", {"s": [0], "a": ([1], ["s"])}))
    with pytest.raises(
        EntityError, match="itself, but across the documents of 'all' is s in a in s"
    ):
        anascore.score(cycle, cycle, across="all")
    assert anascore.score(cycle, cycle)["b3"].f1 == 1
    deixis = [replace(d, entities=[], deixis=d.entities) for d in cycle.documents.values()]
    with pytest.raises(EntityError, match="across the documents of 'both' is s in a in s"):
        join_key("both", deixis, {})
    first = doc("1", {"a": [0], "s": ([1], ["a"])})
    second = doc("2", {"a": [0], "s": ([1], ["a"])})
    result = replace(second.entities[1], relation="result")
    both = corpus(first, replace(second, entities=[second.entities[0], result]))
    with pytest.raises(
        EntityError, match=r"^s is a set in some documents of 'all' and a result in"
    ):
        anascore.score(both, both, across="all")
    text = Document("t", "a b", [Entity(word(0), name="x")], global_ids=True)
    with pytest.raises(SettingsError, match="'all' would join documents in characters with"):
        anascore.score(corpus(first, text), corpus(first, text), across="all")


def test_results_stay_results() -> None:
    whole, result = doc("1", {"a": [0], "s": ([1], ["a"])}).entities
    first = Document("1", list("ab"), [whole, replace(result, relation="result")])
    second = doc("2", {"s": [0]})

    joined = join_key("all", [first, second], {})

    assert [entity.relation for entity in joined.entities] == ["set", "result"]


def test_names_that_name_nothing_are_not_joined() -> None:
    labels = {"Ross": [0], "#GENERAL#": [1], "": [2], "#ALL# + #OTHER#": [3]}
    key = corpus(*(doc(name, labels) for name in "ab"))

    assert anascore.score(key, key, across="all").total.key["entities"] == 1 + 2 * 3


# Ids


FILES: dict[str, tuple[str, str]] = {
    "grp.conllu": (
        "# newdoc id = {}\n# global.Entity = GRP-etype-head\n"
        "1\ta\t_\t_\t_\t_\t_\t_\t_\tEntity=(1--1)\n\n",
        "no",
    ),
    "eid.conllu": (
        "# newdoc id = {}\n# global.Entity = eid-etype-head\n"
        "1\ta\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1--1)\n\n",
        "yes",
    ),
    "a.conll": ("#begin document ({}); part 000\nx 0 0 a (1)\n#end document\n", "yes"),
    "a.jsonl": ('{{"doc_key": "{}", "tokens": ["a"], "clusters": [[[0, 0]]]}}\n', "no"),
    "ids.jsonl": (
        '{{"doc_key": "{}", "tokens": ["a"], "clusters": [[[0, 0]]], "cluster_ids": [7]}}\n',
        "yes",
    ),
    "a.conllua": (
        "# global.columns = ID FORM IDENTITY\n# newdoc id = {}\n"
        "1\ta\t(EntityID=1|MarkableID=m1)\n\n",
        "yes",
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_ids_must_mean_something_in_all_documents(name: str, tmp_path: Path) -> None:
    text, works = FILES[name]
    path = tmp_path / name
    path.write_text("".join(map(text.format, "de")))

    if works == "yes":
        assert anascore.score(path, path, across="all").total.key["entities"] == 1
        return
    message = (
        f"{path}: --across joins entities by their ids, but those of document 'd' are valid only "
        f"within the document; ids are global in CoNLL-UA, CoNLL-2012, CorefUD with eid, Friends "
        f"JSON, uCDCR JSON, LLM text, and cluster_ids of JSON lines (in Python global_ids=True of "
        f"Document)"
    )
    with pytest.raises(SettingsError) as error:
        anascore.score(path, path, across="all")
    assert str(error.value) == message


def test_ids_of_a_response_matter_too(tmp_path: Path) -> None:
    response = corpus(*(replace(d, global_ids=False) for d in RESPONSE.documents.values()))

    with pytest.raises(SettingsError, match=r"^the response: --across joins entities by their ids"):
        anascore.score(KEY, response, across="all")
    text = tmp_path / "model.txt"
    lines = (" ".join(d.words) for d in KEY.documents.values())
    text.write_text("\n".join(line.replace("_a0", "_a0|[e1]") for line in lines))
    assert anascore.score(KEY, text, across="all").total.response["entities"] == 1


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ('["a"]', "cluster_ids: it has 1 ids, but there are 2 clusters; each needs one"),
        ('["a", "a"]', 'cluster_ids[1]: "a" is the id of two clusters'),
        ('["a", ""]', 'cluster_ids[1]: "" is not an id, in quotes or as a number'),
        ('["a", true]', "cluster_ids[1]: true is not an id, in quotes or as a number"),
        (r'["a", "\ud800"]', "cluster_ids[1]: "),
        ('"ab"', 'cluster_ids: "ab" is not a list with an id for each cluster'),
    ],
)
def test_wrong_ids_of_clusters(ids: str, message: str, tmp_path: Path) -> None:
    line = f'{{"tokens": ["a", "b"], "clusters": [[[0, 0]], [[1, 1]]], "cluster_ids": {ids}}}\n'

    refused = all_refusals(put(tmp_path, "test.jsonl", line))

    assert any(message in one for one in refused), refused


def test_ids_belong_to_their_field(tmp_path: Path) -> None:
    line = {
        "tokens": ["a", "b", "c"],
        "clusters": [[[0, 0], [1, 1]]],
        "predicted_clusters": [[[0, 0]], [[1, 1], [2, 2]]],
        "predicted_cluster_ids": ["x", 3],
        "split_antecedents": [],
    }
    path = put(tmp_path, "test.jsonl", json.dumps(line))

    (one,) = anascore.read(path).documents.values()
    (other,) = anascore.read(path, clusters_field="predicted_clusters").documents.values()

    assert ([e.name for e in one.entities], one.global_ids) == (["0"], False)
    assert ([e.name for e in other.entities], other.global_ids) == (["x", "3"], True)


# Joined documents are documents


def test_everything_is_moved() -> None:
    zero = Mention((), ((4, 1),))
    marked = Mention(((0, 2),), (), ((1, 2),), (4, 1))
    first = doc(
        "1",
        {"a": [0], "b": [1]},
        zeros=[(0, 1), (4, 1)],
        nonreferring=[NonReferring(word(3)[0], "it")],
        bridges=[Bridge(word(2)[0], word(1)[0], 1, "part")],
        deixis=[Entity(word(1), name="a")],
        candidates=[Candidates(word(1)[0], tuple(word(0)))],
        path="f",
        line=3,
        lines=(4, 5, 6, 7),
        sentences=(0, 2),
        notes={"n": 1},
        repairs=(Repair("preamble", "f", 2, "this line is empty"),),
    )
    entities = [
        Entity([*word(1), zero, marked], name="b", attributes=[{"etype": "x"}, {}, {}]),
        Entity(word(3), [0], "s", antecedents=word(1)),
    ]
    second = replace(
        first,
        name="2",
        entities=entities,
        line=9,
        bridges=[Bridge(word(2)[0], word(1)[0], 0), Bridge(word(2)[0], word(3)[0], None)],
    )

    joined = join_key("all", [first, second], {"m": 2})

    assert joined.words == (*first.words, BORDER, *second.words)
    a, b, s = joined.entities
    assert (a.mentions, a.attributes) == (tuple(word(0)), ())
    assert b.mentions == (
        *word(1, 6),
        Mention((), ((9, 1),)),
        Mention(((5, 7),), (), ((6, 7),), (9, 1)),
    )
    assert b.attributes == ({}, {"etype": "x"}, {}, {})
    assert (s.elements, s.antecedents) == ((1,), tuple(word(6)))
    assert joined.zeros == ((0, 1), (4, 1), (5, 1), (9, 1))
    assert list(joined.nonreferring) == [NonReferring(m, "it") for m in word(3, 8)]
    assert [b.entity for b in joined.bridges] == [1, 1, None]
    assert [b.anchor for b in joined.bridges] == word(1, 6, 8)
    assert [b.relation for b in joined.bridges] == ["part", "", ""]
    assert joined.deixis == (Entity(tuple(word(1, 6))),)
    ranked = zip(word(1, 6), word(0, 5), strict=True)
    assert list(joined.candidates) == [Candidates(m, (antecedent,)) for m, antecedent in ranked]
    assert (joined.path, joined.line, joined.lines) == ("f", 3, [4, 5, 6, 7, 7, 4, 5, 6, 7])
    assert joined.sentences == (0, 2, 5, 7)
    assert joined.notes == {"m": 2, "n": 2}
    assert joined.repairs == first.repairs * 2
    assert joined.global_ids is True
    elsewhere = join_key("all", [first, replace(second, path="g")], {})
    assert (elsewhere.path, elsewhere.line, elsewhere.lines) == ("", None, ())
    assert join_key("all", [first, replace(second, lines=())], {}).lines == ()
    assert join_key("all", [replace(first, sentences=())] * 2, {}).sentences == ()


def test_lines_of_short_documents() -> None:
    one = Document("1", ["a"], [], path="f", lines=(4,))
    two = Document("2", ["b"], [], path="f", lines=(9,))
    empty = Document("3", [], [], path="f")

    assert join_key("all", [one, two], {}).lines == [4, 4, 9]
    assert join_key("all", [empty, one], {}).lines == ()


def test_heads_of_words_are_moved() -> None:
    mention = Mention(((0, 3),), (), ((0, 1),), (2, 0))
    one, two = (Document(n, list("abc"), [Entity([mention], name="x")]) for n in "12")

    (entity,) = join_key("all", [one, two], {}).entities

    assert [m.head for m in entity.mentions] == [(2, 0), (6, 0)]


def test_words_behind_the_text_stay_behind_it() -> None:
    keys = [doc("1", {"a": [0]}), doc("2", {"a": [0]})]
    longer = Document("1", list("abcdef"), [Entity([*word(5), Mention(((2, 6),))], name="a")])
    aligned = replace(
        keys[1], response_words=["x", "y"], entities=[Entity(word(5, 0, 4), name="a")]
    )
    shorter = Document("2", ["p"], [Entity(word(0), name="a")])

    joined = join_response("all", keys, [longer, aligned])

    assert joined is not None
    assert joined.name == "all"
    assert [m.words for m in joined.entities[0].mentions] == [
        *(((10, 11),), ((2, 4), (9, 11)), ((12, 13),), ((5, 6),), ((11, 12),))
    ]
    assert list(joined.response_words) == ["e", "f", "x", "y"]
    assert joined.text_of([*joined.entities[0].mentions][2]) == "y"
    other = join_response("all", keys, [None, shorter])
    assert other is not None
    assert other.words == (*keys[0].words, BORDER, "p", *keys[1].words[1:])
    assert join_response("all", keys, [None, None]) is None


def test_heads_behind_the_text_stay_behind_it() -> None:
    keys = [doc("1", {}), doc("2", {})]
    mention = Mention(((4, 6),), (), ((4, 5),), (6, 0))
    longer = Document("1", list("abcdef"), [Entity([mention], name="a")])

    joined = join_response("all", keys, [longer, None])

    assert joined is not None
    assert joined.entities[0].mentions == (Mention(((9, 11),), (), ((9, 10),), (11, 0)),)


def test_documents_in_characters_are_joined() -> None:
    texts = [Document(n, "Ann ran", [Entity([Mention(((0, 3),))], name="x")]) for n in "12"]

    joined = join_key("all", texts, {})

    assert joined.words == "Ann ran\nAnn ran"
    assert [joined.text_of(m) for m in joined.entities[0].mentions] == ["Ann", "Ann"]
    assert joined.number_of_words == 4


def table(columns: Sequence[str], *rows: str, separator: str = "\t") -> Table:
    lines = [row.replace(" ", separator) for row in rows]
    return Table(tuple(columns), separator, "\n".join([*lines, ""]).encode())


def test_tables_are_joined() -> None:
    ids = ("ID", "FORM", "DEPS")
    one = table(ids, "1 a _", "1.1 _ 1:x", "2 b _")
    two = table(ids, "0.1 _ 1:y", "1 c _", "", "1 d _", "1.1 _ 0:z")
    parsed = table(("FORM", "XPOS"), "a X", "", "b Y")
    documents = [
        Document("1", ["a", "b"], [], zeros=[(1, 1)], table=one),
        Document("2", ["c", "d"], [], zeros=[(0, 1), (2, 1)], table=two),
        Document("3", ["a", "b"], [], table=parsed),
        Document("4", ["a"], [], zeros=[(0, 1), (1, 1)]),
    ]

    def dependencies(*chosen: Document) -> dict[Any, set[str]]:
        joined = join_key("all", chosen, {})
        found = zero_dependencies(joined)
        assert {*found} <= {*joined.zeros}
        return {zero: {relation for _, relation in own.links} for zero, own in found.items()}

    expected = {(1, 1): {"x"}, (3, 1): {"y"}, (5, 1): {"z"}}
    assert dependencies(*documents[:2]) == expected
    assert dependencies(*documents) == expected
    joined = join_key("all", documents, {})
    assert joined.table is not None
    assert joined.table.columns == ("ID", "FORM", "DEPS", "XPOS")
    assert columns(joined, ["XPOS"])["XPOS"] == {(7, 0): "X", (8, 0): "Y"}
    assert joined.zeros[-2:] == ((9, 1), (10, 1))
    assert join_key("all", documents[3:], {}).table is None
    assert join_key("all", [documents[0]], {}).table is one


def test_documents_without_columns_have_empty_cells() -> None:
    parsed = table(("FORM", "XPOS"), "a X", "", "b Y", "", "c Z")
    documents = [
        Document("1", ["a", "b", "c"], [], table=parsed),
        Document("2", ["d", "e"], [], zeros=[(0, 1), (1, 1), (1, 2)]),
    ]

    joined = join_key("all", documents, {}).table

    assert joined is not None
    joined_columns = joined.cached(Columns)
    assert joined_columns.column("XPOS") == [*"XYZ", *"______"]
    assert joined_columns.sentences == [0, 1, 2, 3, 4]
    assert joined_columns.zeros == {4: (4, 1), 6: (5, 1), 7: (5, 2)}


def shifted(side: Side, name: str, entities: int) -> Document:
    """Make a document whose entities are called by numbers modulo so many, each once."""
    document = document_of(side)
    named = [replace(e, name=str(n % entities)) for n, e in enumerate(document.entities)]
    return replace(document, name=name, entities=named[:entities], global_ids=True)


@settings(max_examples=60)
@given(pairs_of_sides(sets=False), pairs_of_sides(sets=False))
def test_joined_documents_score_like_one_document(
    first: tuple[Side, Side], second: tuple[Side, Side]
) -> None:
    pairs = [[shifted(side, str(n), 6) for side in pair] for n, pair in enumerate((first, second))]
    key, response = (corpus(pairs[0][side], pairs[1][side]) for side in (0, 1))

    def written_as_one(side: int) -> Corpus:
        one, other = pairs[0][side], pairs[1][side]
        moved = map_mentions(
            other, lambda m: Mention(tuple((a + 100, b + 100) for a, b in m.words))
        )
        names = dict.fromkeys(e.name for e in (*one.entities, *moved.entities))
        entities = [
            Entity(
                [m for d in (one, moved) for e in d.entities if e.name == name for m in e.mentions],
                name=name,
            )
            for name in names
        ]
        return corpus(Document("all", ["w"] * 200, entities))

    result = anascore.score(key, response, across="all", by=["length"])
    expected = anascore.score(written_as_one(0), written_as_one(1), by=["length"])
    assert result.counted["all"].layers == expected.counted["all"].layers
    itself = anascore.score(key, key, across="all")
    assert all({*values} <= {1.0, None} for values in itself.scores.values())


def test_order_of_documents_and_batches_change_no_score(tmp_path: Path) -> None:
    expected = anascore.score(KEY, RESPONSE, across="all")
    names = list(KEY.documents)
    random.Random(1).shuffle(names)
    shuffled = replace(RESPONSE, documents={name: RESPONSE.documents[name] for name in names})

    assert anascore.score(KEY, shuffled, across="all").counted == expected.counted
    for name, side in (("key", KEY), ("response", RESPONSE)):
        anascore.write(side, tmp_path / f"{name}.conllua")
    paths = tmp_path / "key.conllua", tmp_path / "response.conllua"
    for jobs in (1, 2):
        result = anascore.score(*paths, across="all", jobs=jobs)
        assert result.scores == expected.scores
    assert_same(*paths)


def test_missing_and_bad_documents() -> None:
    some = corpus(RESPONSE.documents["1_a"])

    result = anascore.score(KEY, some, across="all", missing="empty")

    assert result.total.response["mentions"] == 3
    assert "response: documents that are missing, scored as empty: 2" in result.notes
    none = anascore.score(KEY, Corpus({}), across="all", missing="empty")
    assert none.total.response["documents"] == 0


def test_other_settings_apply_to_joined_documents() -> None:
    one = doc("1", {"a": [0], "b": [1], "s": ([2], ["a", "b"])})
    key = corpus(one, doc("2", {"a": [0, 1]}), replace(one, name="3"))

    chosen = anascore.score(key, key, across="all", docs="split")
    assert chosen.total.key["mentions"] == 6
    assert "docs:split-2" in chosen.signature
    windows = anascore.score(key, key, across="all", window=5)
    assert windows.total.key == {
        "documents": 1,
        "mentions": 8,
        "entities": 7,
        "accommodated_sets": 2,
    }
    assert {*windows.scores["b3"]} == {1.0}


def test_outputs_have_both_scores() -> None:
    comparison = anascore.compare(KEY, {"A": RESPONSE, "B": KEY}, across="all", metrics="muc")

    text = comparison.render()
    assert "All entities: within documents" in text
    layer = comparison.to_dict()["systems"][0]["layers"]["identity"]
    assert layer["scores"]["muc"]["recall"] == pytest.approx(5 / 6)
    assert layer["within_documents"]["muc"]["recall"] == 1
    assert "A,,identity,within_documents,muc,1.0,1.0,1.0," in comparison.render("csv")
    restored = Result.from_json(comparison["A"].to_json())
    assert restored.first.within_documents == comparison["A"].first.within_documents
    assert restored.signature == comparison["A"].signature
    frame = comparison.to_frame()
    assert "within_documents" in set(frame["scope"])
    plain = anascore.score(KEY, RESPONSE).to_dict()["systems"][0]
    assert "within_documents" not in plain["layers"]["identity"]
    assert "within" not in plain["exact"]


def test_results_of_topics_are_added() -> None:
    topics = [
        anascore.score(
            *(corpus(*(s.documents[n] for n in names)) for s in (KEY, RESPONSE)), across="^([0-9])_"
        )
        for names in (("1_a", "1_b"), ("2_a",))
    ]
    whole = anascore.score(KEY, RESPONSE, across="^([0-9])_")

    total = topics[0] + topics[1]
    assert (total.counted, total.within) == (whole.counted, whole.within)
    assert total.signature == whole.signature


def test_analyses_are_of_joined_documents(tmp_path: Path) -> None:
    explained = anascore.explain(KEY, RESPONSE, metrics="muc", across="all")
    assert [one.name for one in explained] == ["all"]
    assert len(explained.documents[0].key) == 3
    errors = anascore.find_errors(KEY, RESPONSE, across="all")
    assert {error.document for error in errors} == {"all"}
    anascore.report(KEY, [RESPONSE], tmp_path / "page.html", across="all", samples=5)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "across:all" in page
    assert "All entities: within documents" in page
    one = anascore.explain(KEY, RESPONSE, metrics="muc", across="^([0-9])_", document="2")
    assert [document.name for document in one] == ["2"]


def test_bars_of_a_pattern_do_not_break_the_signature() -> None:
    assert anascore.score(KEY, KEY, across="^(1|2)_").signature.endswith("|across:^(1¦2)_")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Scorer(across="all"), r"joins the documents of a corpus, but a Scorer scores"),
        (
            lambda: anascore.score_clusters([[1]], [[1]], across="all"),
            "needs ids of entities, which",
        ),
        (lambda: Settings(across="("), r"^--across \( is not a valid regular expression: "),
        (lambda: Settings(across=1), "^across must be all or a regular expression, not 1$"),  # type: ignore[arg-type]
        (lambda: anascore.score(KEY, KEY, across="all", task="conll12"), "across all contradicts"),
    ],
)
def test_what_is_refused(call: Any, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        call()
