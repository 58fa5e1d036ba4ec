"""Earlier proposals for split antecedents: cases worked out by hand, and an oracle."""

import json
import random
from collections.abc import Hashable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore import (
    Document,
    Entity,
    Mention,
    ReadError,
    Result,
    SettingsError,
    score_clusters,
)
from anascore.cli.main import main
from anascore.metrics.scores import GROUPS, LABELS, METRICS, scores_of
from anascore.model.document import Candidates
from anascore.model.ratio import Components, Ratio
from support.documents import document_of
from support.metric_oracles import Side
from support.notation import corpora, entities
from support.paper import KEY as PAPER_EXAMPLE
from support.paper import SYSTEMS
from support.proposal_oracles import Marks, lea_2021, lea_rucoco, links, zhou_choi
from support.strategies import random_pair

ALL = ",".join(GROUPS)


def score(key: Side, response: Side, key_marks: Marks, response_marks: Marks) -> Result:
    documents = document_of(key, marks=key_marks), document_of(response, marks=response_marks)
    corpora = [anascore.Corpus({"d": document}) for document in documents]
    return anascore.score(*corpora, metrics=ALL)


def random_marks(side: Side, rng: random.Random) -> Marks:
    """Mark mentions of the elements of some sets, not always of all elements."""
    marks = {}
    for position, (_, elements) in enumerate(side):
        mentions = sorted(frozenset().union(*(side[element][0] for element in elements)))
        if rng.random() < 0.7:
            marks[position] = frozenset(m for m in mentions if rng.random() < 0.6)
    return marks


def plain(rows: Components) -> list[tuple[Any, ...]]:
    """Return found and whole of recall and precision, row by row."""
    return [
        (row.recall.part, row.recall.whole, row.precision.part, row.precision.whole) for row in rows
    ]


def has_equal_sets(side: Side) -> bool:
    """Tell whether two entities have the same atomic elements, which the oracle does not take."""

    def atoms(position: int) -> frozenset[int]:
        elements = side[position][1]
        if not elements:
            return frozenset({position})
        return frozenset(atom for element in elements for atom in atoms(element))

    sets = [atoms(position) for position, (_, elements) in enumerate(side) if elements]
    return len(set(sets)) < len(sets)


@pytest.mark.parametrize("seed", range(8))
def test_oracle(seed: int) -> None:
    rng = random.Random(seed)
    compared = 0
    while compared < 60:
        key, response = random_pair(rng)
        recall, precision = lea_rucoco(key, response)
        of_rucoco = score_clusters(clusters(key), clusters(response), metrics="lea-rucoco")
        assert plain(of_rucoco.total.scores["lea-rucoco"]) == [(*recall, *precision)], (
            key,
            response,
        )
        if has_equal_sets(key) or has_equal_sets(response):
            continue
        compared += 1

        marks = random_marks(key, rng), random_marks(response, rng)
        total = score(key, response, *marks).total

        for name, (right, of_key, of_response) in links(key, response).items():
            assert plain(total.scores[name]) == [(right, of_key, right, of_response)]
        for name, counts in zhou_choi(key, response).items():
            rows: Any = counts if name == "zhou-choi-blanc" else (counts,)
            assert plain(total.scores[name]) == [(*r, *p) for r, p in rows], (name, key, response)
        scores, sets = lea_2021(key, response, *marks)
        assert plain(total.scores["lea-2021"]) == [(*scores[0], *scores[1])], (key, response)
        assert plain(total.split_only["lea-2021"]) == [(*sets[0], *sets[1])]


def clusters(side: Side) -> list[Entity[int]]:
    """Return a side as entities, their mentions in order."""
    return [Entity(sorted(mentions), sorted(elements)) for mentions, elements in side]


def with_repeated_mentions(side: Side, rng: random.Random) -> Side:
    """Put some mentions into further entities as well."""
    mentions = [set(own) for own, _ in side]
    for _ in range(rng.randint(1, 4) if side else 0):
        source, target = rng.choice(mentions), rng.choice(mentions)
        target |= set(rng.sample(sorted(source), rng.randint(1, len(source))))
    return [(frozenset(m), elements) for m, (_, elements) in zip(mentions, side, strict=True)]


def permuted(side: Side, rng: random.Random) -> Side:
    """Return the same entities in another order."""
    order = rng.sample(range(len(side)), len(side))
    rank = {position: number for number, position in enumerate(order)}
    return [
        (mentions, frozenset(rank[element] for element in elements))
        for mentions, elements in (side[position] for position in order)
    ]


@pytest.mark.parametrize("seed", range(8))
def test_lea_of_rucoco_counts_a_mention_in_each_of_its_entities(seed: int) -> None:
    """The order of entities changes nothing, and a key has everything that is in itself."""
    rng = random.Random(seed)
    for _ in range(100):
        key, response = (with_repeated_mentions(side, rng) for side in random_pair(rng))
        other = permuted(key, rng)

        for own, compared in ((key, response), (other, permuted(response, rng)), (key, other)):
            recall, precision = lea_rucoco(own, compared)
            result = score_clusters(clusters(own), clusters(compared), metrics="lea-rucoco")
            rows = plain(result.total.scores["lea-rucoco"])
            assert rows == [(*recall, *precision)], (own, compared)
        assert result["lea-rucoco"].f1 in {None, 1.0}


def test_lea_of_rucoco_without_zeros_has_no_children_of_elements_that_are_zeros_alone() -> None:
    key, response = corpora("1,2 2.1 4 (1,2.1,4)5", "1,2 2.1 4 (1,2.1)5")

    result = anascore.score(key, response, metrics="lea-rucoco", zeros="drop")

    assert result["lea-rucoco"][:2] == (4 / 5, 1)


KEY = "ab cd (ac)e"
CASES = [
    # response, score, recall, precision, and how they come about
    ("ab c d (ad)e", "links", "2/2", "2/2", "ab is ab, cd is d, which shares a mention with it"),
    ("ab c d (ad)e", "links-complete", "1/1", "1/1", "so the only anaphor has all its elements"),
    ("ab cd e", "links", "0/2", "-", "no set, no link"),
    ("ab cd e", "links-complete", "0/1", "-", "the anaphor is not resolved"),
    ("ab cd f (acf)e", "links", "2/2", "2/3", "f is no element in the key"),
    ("ab cd f (acf)e", "links-complete", "0/1", "0/1", "f is too much"),
    ("ab cd (a)e", "links", "1/2", "1/1", "cd is missing"),
    ("abcd (a)e", "links", "1/2", "1/1", "abcd can be matched with one element only"),
    ("ab cd (ac)f", "links", "0/2", "-", "there is nothing that e could be resolved to"),
    # Clusters abe and cde, against ab, cd and e.
    ("ab cd e", "zhou-choi-b3", "43/75", "5/5", "(4 · 2/3 + 1/5) / 5; all that is there is right"),
    (
        "ab cd e",
        "zhou-choi-ceafe",
        "8/10",
        "8/15",
        "abe with ab and cde with cd: 2 · 4/5, of 2, of 3",
    ),
    ("ab cd (ac)e", "zhou-choi-b3", "5/5", "5/5", "the same clusters"),
    # Clusters abe and cde, against abe and cd; the cluster of e is abcde in the key.
    ("ab cd (a)e", "zhou-choi-b3", "59/75", "5/5", "(1 + 1 + 2/3 + 2/3 + 3/5) / 5"),
    # Three entities of weight 2: ab and cd are found, of e and its set one link, with δ.
    ("ab cd (ac)e", "lea-2021", "6/6", "6/6", "δ is 2/2"),
    ("ab cd (a)e", "lea-2021", "5/6", "6/6", "δ is 1/2 for recall and 1/1 for precision"),
    (
        "ab cd e",
        "lea-2021",
        "4/6",
        "4/5",
        "no δ; e alone has a link to itself, which is not in the key",
    ),
    # Entities ab and cd, importance 2 each; the set of e has the 4 children a, b, c, d.
    ("ab cd (ac)e", "lea-rucoco", "8/8", "8/8", "all pairs of e with a child"),
    ("ab cd (a)e", "lea-rucoco", "6/8", "6/6", "2 of 4 pairs; the response has 2 children"),
    ("ab cd e", "lea-rucoco", "4/8", "4/4", "no pair"),
    (
        "abcd (a)e",
        "lea-rucoco",
        "8/8",
        "16/24",
        "both ab and cd have their link: 4 of 8, with 4 "
        "pairs; of 6 links 2 are right, which is 4/3 of 4, and 4 of 4 pairs",
    ),
]


@pytest.mark.parametrize(("response", "name", "recall", "precision", "working"), CASES)
def test_case(response: str, name: str, recall: str, precision: str, working: str) -> None:
    result = score_clusters(entities(KEY), entities(response), metrics=ALL)

    expected = [None if value == "-" else float(Fraction(value)) for value in (recall, precision)]
    assert expected == pytest.approx(list(result[name][:2])), working


def test_blanc_over_clusters_that_overlap() -> None:
    """Of 10 links 6 are in abe and cde; the response has 2 of them, and 8 others."""
    result = score_clusters(entities(KEY), entities("ab cd e"), metrics=ALL)

    assert plain(result.total.scores["zhou-choi-blanc"]) == [(2, 6, 2, 2), (4, 4, 4, 8)]


def test_nested_sets_have_children_between() -> None:
    """The set of f has e as a child, besides a, b, c and d: 5 pairs with f, of importance 5."""
    key, flat = entities("ab cd (ac)e (e)f gh (eg)i"), entities("ab cd (ac)e f gh (acg)i")

    result = score_clusters(key, flat, metrics="lea-rucoco")

    # ab, cd, gh: 2 each; e: 4 children; f: these and e; i: a, b, c, d, g, h and e.
    # Other scores take e and f as one entity.
    (row,) = result.total.scores["lea-rucoco"]
    assert row.recall == Ratio(2 + 2 + 2 + 4 + 0 + 6, 2 + 2 + 2 + 4 + 5 + 7)
    assert result.total.key["entities"] == 5


def test_lea_of_rucoco_does_not_merge_equal_sets() -> None:
    """Merged, e and f would be two mentions with a link of their own, which the response lacks."""
    key, response = entities("ab cd (ac)e (ac)f"), entities("ab cd (ac)e f")

    result = score_clusters(key, response, metrics="lea-rucoco")

    assert plain(result.total.scores["lea-rucoco"]) == [(8, 12, 8, 8)]
    assert result.total.key["entities"] == 3


def test_lea_of_rucoco_of_what_settings_leave_out() -> None:
    """Neither nested mentions nor singletons nor sets count if the settings drop them."""
    key = [Entity([(0, 4), (0, 1), (8, 9)]), Entity([(0, 1), (5, 6)]), Entity([(7, 8)], [0])]
    cases: list[tuple[dict[str, Any], int]] = [
        ({}, 3 + 2 + 3),
        ({"remove_nested": True}, 2 + 2 + 2),
        ({"split": False}, 3 + 2),
        ({"split": False, "singletons": False}, 3),
    ]
    for settings, whole in cases:
        document = Document(
            "d", ["w"] * 9, [Entity([*map(span, e.mentions)], e.elements) for e in key]
        )
        corpus = anascore.Corpus({"d": document})

        result = anascore.score(corpus, corpus, metrics="lea-rucoco", **settings)

        assert plain(result.total.scores["lea-rucoco"]) == [(whole,) * 4], settings


def span(ends: tuple[int, int]) -> Mention:
    return Mention((ends,))


RUCOCO = {
    "key": {
        "entities": [[[3, 5]], [[5, 6]], [[9, 10]], [[5, 6], [0, 3]], [[6, 8]], [[4, 5]], [[0, 3]]],
        "includes": [[], [], [], [], [0, 1], [0], [2, 5]],
    },
    "permuted": {
        "entities": [[[5, 6], [0, 3]], [[0, 3]], [[4, 5]], [[9, 10]], [[3, 5]], [[6, 8]], [[5, 6]]],
        "includes": [[], [3, 2], [4], [], [], [4, 6], []],
    },
}


def test_lea_of_rucoco_does_not_depend_on_order(tmp_path: Path) -> None:
    for name, content in RUCOCO.items():
        (tmp_path / name).mkdir()
        text = json.dumps({"text": "abcdefghij", **content})
        (tmp_path / name / "d.json").write_text(text, encoding="utf-8")

    key, response = (anascore.read(tmp_path / name) for name in RUCOCO)
    result = anascore.score(key, response, metrics="lea-rucoco")

    # The mention 5-6 is in two entities, one of two mentions and one that is an element.
    assert plain(result.total.scores["lea-rucoco"]) == [(8, 8, 8, 8)]


PAPER_KEY = "abcd efg (ae)h"
READINGS = {"R4": "ac bd efg (ae)h", "R4'": "ac bd efg (be)h"}


def test_two_readings_of_the_paper() -> None:
    """Half of the first element and all of the second, in both readings."""
    first, second = (
        score_clusters(
            entities(PAPER_KEY), entities(reading), metrics=[*METRICS, "conll", "lea-2021"]
        )
        for reading in READINGS.values()
    )

    assert first.split_only["lea-2021"] == (1, 1, 1)
    assert second.split_only["lea-2021"] == (1 / 2, 1 / 2, 1 / 2)
    for name in METRICS:
        assert first[name] == second[name]
        assert first.split_only[name] == second.split_only[name]


def marked(text: str) -> list[Entity[Hashable]]:
    """Read set notation in which every mention in brackets is marked: (abc)e marks a, b and c."""
    found = []
    for entity, word in zip(entities(text), text.split(), strict=True):
        letters = word[1 : word.index(")")] if ")" in word else ""
        elements = tuple(dict.fromkeys(entity.elements))
        found.append(replace(entity, elements=elements, antecedents=tuple(letters)))
    return found


MARKED_KEY = "ab cd (abc)e"
MARKED_CASES = [
    # response, recall and precision of the sets alone, and how they come about
    ("ab cd (abc)e", "3/3", "3/3", "the same mentions are marked"),
    ("ab cd (a)e", "1/3", "1/1", "one of three marked mentions is found"),
    ("ab cd (c)e", "1/3", "1/1", "as if it is the one of the other element"),
    ("ab cd (ac)e", "2/3", "2/2", "b is not marked"),
    ("ab cd (bd)e", "2/3", "2/2", "d stands for c, since their elements are aligned"),
    ("ab cd (abcd)e", "3/3", "3/4", "d is too much"),
    ("ab c d (ad)e", "1/3", "1/2", "cd is aligned with c, and d with nothing"),
    ("ab cd ef (e)g", "0/3", "0/1", "nothing in common"),
]


@pytest.mark.parametrize(("response", "recall", "precision", "working"), MARKED_CASES)
def test_marked_antecedents(response: str, recall: str, precision: str, working: str) -> None:
    result = score_clusters(marked(MARKED_KEY), marked(response), metrics="lea-2021")

    ((found, of_key, right, of_response),) = plain(result.total.split_only["lea-2021"])
    assert [f"{found}/{of_key}", f"{right}/{of_response}"] == [recall, precision], working


def test_credit_of_marked_antecedents_in_lea() -> None:
    """Of three entities of weight 2, ab and cd are found, and 1/3 of the link of e to its set."""
    result = score_clusters(marked(MARKED_KEY), marked("ab cd (a)e"), metrics="lea-2021")

    assert plain(result.total.scores["lea-2021"]) == [(Fraction(14, 3), 6, 6, 6)]


@pytest.mark.parametrize(
    ("key", "response", "counts"),
    [
        (marked(MARKED_KEY), entities("ab cd (ac)e"), (3, 3, 2, 2)),
        (marked(MARKED_KEY), entities("ab cd (a)e"), (2, 3, 1, 1)),
        (entities("ab cd (ac)e"), marked(MARKED_KEY), (2, 2, 3, 3)),
        (entities("ab cd (ac)e"), marked("ab cd (a)e"), (1, 2, 1, 1)),
    ],
)
def test_an_element_without_a_marked_mention_counts_as_one(
    key: Any, response: Any, counts: tuple[int, ...]
) -> None:
    """A format that marks no mentions loses nothing: an element is found with all antecedents."""
    result = score_clusters(key, response, metrics="lea-2021")

    assert plain(result.total.split_only["lea-2021"]) == [counts]


def test_marked_antecedents_of_nested_and_equal_sets() -> None:
    """e and i are one entity and mark a, b, c and d; h marks what e alone marks, and f."""
    key, response = marked("ab cd (ac)e fg (ef)h (bd)i"), marked("ab cd (abd)e fg (af)h i")

    result = score_clusters(key, response, metrics="lea-2021")

    assert plain(result.total.split_only["lea-2021"]) == [(3 + 2, 4 + 3, 3 + 2, 3 + 2)]


FILES = {
    "conllua": """\
# global.columns = ID FORM IDENTITY
# newdoc id = d
1\tJohn\t(EntityID=1|ElementOf=3)
2\tMary\t(EntityID=2|ElementOf=3)
3\the\t(EntityID=1|ElementOf=3)
4\tshe\t(EntityID=2)
5\tthey\t(EntityID=3)
""",
    "jsonl": '{"doc_key": "d", "tokens": ["John", "Mary", "he", "she", "they"], "clusters": '
    "[[[0, 0], [2, 2]], [[1, 1], [3, 3]], [[4, 4]]], "
    '"split_antecedents": [[[4, 4], [0, 0]], [[4, 4], [1, 1]], [[4, 4], [2, 2]]]}\n',
}


@pytest.mark.parametrize("response", FILES)
@pytest.mark.parametrize("key", FILES)
def test_marked_antecedents_of_files(key: str, response: str, tmp_path: Path) -> None:
    fewer = FILES[response].replace("=2|ElementOf=3", "=2").replace("=1|ElementOf=3)\n4", "=1)\n4")
    fewer = fewer.replace(", [[4, 4], [1, 1]], [[4, 4], [2, 2]]", "")
    (tmp_path / f"key.{key}").write_text(FILES[key])
    (tmp_path / f"response.{response}").write_text(fewer)

    result = anascore.score(
        tmp_path / f"key.{key}", tmp_path / f"response.{response}", metrics="lea-2021"
    )

    assert plain(result.total.split_only["lea-2021"]) == [(1, 3, 1, 1)]


@pytest.mark.parametrize("output", ["table", "markdown", "latex", "json", "csv"])
@pytest.mark.parametrize("name", [*scores_of("identity"), *GROUPS])
def test_split_only_shows_every_score_that_sets_alone_have(
    name: str, output: str, capsys: pytest.CaptureFixture[str]
) -> None:
    anaphors: dict[str, Any] = {"anaphors": "zero"} if name == "anaphors" else {}
    expected = anascore.score(PAPER_EXAMPLE, SYSTEMS[0], metrics=name, **anaphors).split_only
    options = [text for option in anaphors.items() for text in (f"--{option[0]}", option[1])]
    files = [str(PAPER_EXAMPLE), str(SYSTEMS[0])]
    command = ["score", *files, "--metrics", name, *options, "--split-only", "--per-document"]

    assert main([*command, "--output", output]) == (0 if expected else 2)

    out, err = capsys.readouterr()
    if expected:
        assert {*expected} == {*GROUPS.get(name, (name,))}
        assert out.count(name if output in {"json", "csv"} else LABELS[name].rstrip("³")) >= 2
    else:
        assert "--split-only shows none of these metrics" in err
        assert "muc, b3, ceafe, conll, ceafm, lea, blanc, lea-2021" in err


DEIXIS = """\
# global.columns = ID FORM IDENTITY DISCOURSE_DEIXIS
# newdoc id = d
1\ta\t_\t(EntityID=1|ElementOf=3
2\tb\t_\t)
3\tc\t_\t(EntityID=2|ElementOf=3
4\td\t_\t)
5\tthis\t_\t(EntityID=1)
6\tthese\t_\t(EntityID=3)
7\tthem\t_\t(EntityID=3)
"""
RANKED = """\
{"doc_key": "d", "tokens": ["a", "b", "c", "d", "this", "these", "them"], "clusters": [],
 "deixis_candidates": [{"anaphor": [4, 4], "ranked": [[2, 3], [0, 1]]},
                       {"anaphor": [5, 5], "ranked": [[2, 3]]},
                       {"anaphor": [0, 0], "ranked": []}]}
"""


def test_success(tmp_path: Path) -> None:
    """`this` has its antecedent in the second place, `these` one of two in the first."""
    (tmp_path / "key.conllua").write_text(DEIXIS)
    (tmp_path / "ranked.jsonl").write_text(RANKED.replace("\n ", " "))

    result = anascore.score(
        tmp_path / "key.conllua",
        tmp_path / "ranked.jsonl",
        layers="discourse-deixis",
        metrics="success@1,success@2,success@10",
    )

    assert list(result.scores) == ["success@1", "success@2", "success@10"]
    assert result["success@1"][:2] == (1 / 3, 1 / 3)
    assert result["success@2"] == result["success@10"] == (2 / 3, 2 / 3, 2 / 3)
    assert result.warnings == ()
    with pytest.raises(SettingsError, match="CoNLL-UA cannot hold ranked antecedents, which succ"):
        anascore.score(
            tmp_path / "key.conllua",
            tmp_path / "key.conllua",
            layers="discourse-deixis",
            metrics="success@2",
        )
    with pytest.raises(SettingsError, match="JSON lines cannot hold the layer discourse-deixis"):
        anascore.score(
            tmp_path / "key.conllua", tmp_path / "ranked.jsonl", layers="discourse-deixis"
        )


@pytest.mark.parametrize(
    ("candidates", "message"),
    [
        ("3", "deixis_candidates: 3 is not a list of"),
        ('[{"anaphor": [0, 0]}]', "needs anaphor and ranked"),
        (
            '[{"anaphor": [0, 0], "ranked": []}, {"anaphor": [0, 0], "ranked": []}]',
            "this anaphor already has ranked antecedents above",
        ),
        ('[{"anaphor": [0, 9], "ranked": []}]', "[0, 9]"),
        ('[{"anaphor": [0, 0], "ranked": [[1]]}]', "[1]"),
    ],
)
def test_wrong_candidates(candidates: str, message: str, tmp_path: Path) -> None:
    line = f'{{"tokens": ["a"], "clusters": [], "deixis_candidates": {candidates}}}'
    (tmp_path / "f.jsonl").write_text(line)

    with pytest.raises(ReadError) as error:
        anascore.read(tmp_path / "f.jsonl")

    assert message in str(error.value)


def test_split_only_is_silent_on_a_layer_without_such_scores(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ranked antecedents have no score of sets alone; that does not mean there are no sets."""
    (tmp_path / "key.conllua").write_text(DEIXIS)
    (tmp_path / "ranked.jsonl").write_text(RANKED.replace("\n ", " "))
    files = [str(tmp_path / name) for name in ("key.conllua", "ranked.jsonl")]
    layers = ["--layers", "identity,discourse-deixis", "--metrics", "success@1"]

    assert main(["score", *files, *layers, "--split-only"]) == 0

    assert "Discourse deixis" not in capsys.readouterr().out


def test_an_anaphor_is_written_with_its_first_candidates(tmp_path: Path) -> None:
    one, two = (anascore.Mention(((n, n + 1),)) for n in (0, 1))
    candidates = [Candidates(two, (one,)), Candidates(two, ()), Candidates(one, ())]
    document = anascore.Document("d", ["a", "b"], [], candidates=candidates)

    lost = anascore.write(anascore.Corpus({"d": document}), tmp_path / "d.jsonl")

    assert lost["ranked antecedents of discourse deixis"] == 1
    (read,) = anascore.read(tmp_path / "d.jsonl").documents.values()
    assert read.candidates == (candidates[0], candidates[2])


def test_validate_finds_all_wrong_candidates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = '[{"anaphor": [0, 0]}, {"anaphor": [0, 9], "ranked": []}]'
    line = f'{{"tokens": ["a"], "clusters": [], "deixis_candidates": {wrong}}}'
    (tmp_path / "f.jsonl").write_text(line)

    assert main(["validate", str(tmp_path / "f.jsonl")]) == 1
    output = capsys.readouterr().out
    assert "needs anaphor and ranked" in output
    assert "[0, 9]" in output
