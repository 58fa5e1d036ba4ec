"""Results that are added, restored from JSON and merged; scorers that add up documents."""

import json
import pickle
import random
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore import (
    Comparison,
    Corpus,
    Document,
    EntityError,
    MismatchError,
    ReadError,
    Result,
    Scorer,
    Settings,
    SettingsError,
)
from anascore.cli.main import main
from anascore.layers.counts import DocumentCounts, LayerCounts, ZeroCounts
from anascore.model.ratio import Number, Ratio, RatioPair
from support.paper import KEY, SYSTEMS
from support.strategies import random_rich_entities


def random_corpora(seed: int, number: int = 12) -> tuple[Corpus, Corpus]:
    """Return a key and a response with sets, results, repeated mentions and zeros."""
    rng = random.Random(seed)
    key, response = (
        Corpus(
            {
                name: Document(name, ["w"] * 60, random_rich_entities(rng))
                for name in (f"d{i}" for i in range(number))
            },
            ("test",),
        )
        for _ in range(2)
    )
    return key, response


def shards(corpus: Corpus, number: int) -> list[Corpus]:
    """Cut a corpus into pieces."""
    names = list(corpus.documents)
    return [
        replace(corpus, documents={name: corpus.documents[name] for name in names[i::number]})
        for i in range(number)
    ]


@pytest.mark.parametrize("seed", range(8))
def test_a_sum_equals_the_whole_to_the_last_bit(seed: int) -> None:
    key, response = random_corpora(seed)
    choices: dict[str, Any] = {"by": "all"} if seed % 2 else {"layers": "all"}
    whole = anascore.score(key, response, **choices)

    parts = [
        anascore.score(*pair, **choices)
        for pair in zip(shards(key, 3), shards(response, 3), strict=True)
    ]

    merged = anascore.merge([*parts[:2], Comparison(parts[2:])])[0]
    for total in sum(parts), parts[2] + (parts[0] + parts[1]), merged:
        assert isinstance(total, Result)
        assert {*total.documents} == {*whole.documents}
        assert total.signature == whole.signature
        assert {*total.notes} == {*whole.notes}
        for name, layer in whole.layers.items():
            assert total.layers[name].total == layer.total
            assert total.layers[name].scores == layer.scores
            assert total.layers[name].split_only == layer.split_only
            assert total.layers[name].breakdown == layer.breakdown


def test_notes_and_formats_of_a_sum(tmp_path: Path) -> None:
    part = anascore.score(KEY, SYSTEMS[0])
    other = tmp_path / "other.jsonl"
    anascore.write(anascore.read(KEY), other)
    text = other.read_text().replace('"example"', '"other"')
    other.write_text(text)

    total = part + anascore.score(other, other)

    assert total.formats == (("ua", "jsonl"), ("ua", "jsonl"))
    assert total.name == "system-A"
    assert list(total.documents) == ["example", "other"]


def test_zeros_of_a_sum_are_noted_once() -> None:
    def result(name: str, key_zeros: ZeroCounts, response_zeros: ZeroCounts) -> Result:
        counts = anascore.score(KEY, KEY).counted["example"]
        counted = DocumentCounts(counts.layers, key_zeros, response_zeros)
        return replace(anascore.score(KEY, KEY), counted={name: counted})

    none = ZeroCounts(0, 0)
    noted = result("a", ZeroCounts(3, 2), none) + result("b", ZeroCounts(1, 1), none)
    silent = noted + result("c", none, ZeroCounts(1, 0))

    assert noted.notes == (
        "key: mentions with zeros, but the response has none: 3; --zeros drop leaves zeros out",
    )
    assert silent.notes == ()


def test_skipped_documents_are_added(tmp_path: Path) -> None:
    lines = [
        '{"doc_key": "a", "tokens": ["x", "y"], "clusters": [[[0, 0], [1, 1]]]}',
        '{"doc_key": "b", "tokens": ["x", "y"], "clusters": [[[0, 0], [9, 9]]]}',
    ]
    both, good = tmp_path / "both.jsonl", tmp_path / "good.jsonl"
    both.write_text("\n".join(lines))
    good.write_text(lines[0].replace('"a"', '"c"'))

    first = anascore.score(both, both, bad_documents="skip")
    total = first + anascore.score(good, good, bad_documents="skip")

    assert [document.document for document in total.skipped] == ["b"]
    assert "skipped:1" in total.signature
    with pytest.raises(MismatchError, match="a document in common cannot be added: 'b'"):
        first + replace(first, counted={"d": first.counted["a"]})


def test_results_that_cannot_be_added() -> None:
    result = anascore.score(KEY, SYSTEMS[0])
    other: Any = replace(result, counted={"other": result.counted["example"]})

    with pytest.raises(MismatchError, match="a document in common cannot be added: 'example'"):
        result + anascore.score(KEY, SYSTEMS[1])
    with pytest.raises(MismatchError, match="different settings cannot be added: anascore:0"):
        anascore.score(KEY, KEY, split=False) + other
    with pytest.raises(MismatchError, match="different settings"):
        replace(other, version="0.0.1") + result
    with pytest.raises(TypeError):
        result + 5
    with pytest.raises(TypeError):
        5 + other
    with pytest.raises(MismatchError, match="there are no results to merge"):
        anascore.merge([])
    for wrong in (5, [5]):
        with pytest.raises(SettingsError, match="5 is neither a result, nor a comparison, nor"):
            anascore.merge(wrong)  # type: ignore[arg-type]
    assert anascore.merge(result)[0] == result


@pytest.mark.parametrize(
    "choices",
    [
        {},
        {"by": "all", "confidence": True, "samples": 20},
        {"layers": "all"},
        {"metrics": "conll"},
        {"paired": "randomisation", "samples": 20, "repeated_mentions": "all"},
    ],
)
def test_a_comparison_is_restored_from_json(choices: dict[str, Any], tmp_path: Path) -> None:
    key = anascore.read(KEY)
    comparison = anascore.compare(key, {"a": SYSTEMS[0], "b": SYSTEMS[1]}, **choices)

    text = comparison.to_json()
    restored = Comparison.from_json(text)

    assert restored == comparison
    assert restored.to_json() == text
    assert str(restored) == str(comparison)
    assert json.loads(text) == comparison.to_dict()
    assert json.loads(text)["schema"] == 2
    single = comparison[0]
    assert Result.from_json(single.to_json()) == single
    path = tmp_path / "both.json"
    path.write_text(text)
    if "confidence" not in choices and "paired" not in choices:
        assert anascore.merge([path]) == comparison


@pytest.mark.parametrize("seed", range(4))
def test_random_results_are_restored_from_json(seed: int) -> None:
    result = anascore.score(*random_corpora(seed, 3), layers="all", by="all")

    assert Result.from_json(result.to_json()) == result


def test_large_numbers_are_restored_from_json() -> None:
    result = anascore.score(KEY, KEY, metrics="muc")
    numbers: list[Number] = [2**60, Fraction(7, 3**200), Fraction(10**9000, 7), 10**9000]
    a, b, c, d = numbers
    row = RatioPair(Ratio(a, b), Ratio(c, d))
    layer = LayerCounts({"documents": 1}, {"documents": 1}, {}, {"muc": (row,), "mentions": (row,)})
    large = replace(
        result,
        counted={
            "d": DocumentCounts({"identity": layer}, ZeroCounts(0, 0), ZeroCounts(0, 0)),
        },
    )

    assert Result.from_json(large.to_json()).counted == large.counted


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "JSON:1: this is not JSON: Expecting property name"),
        ("[]", "JSON: this is not the output of anascore score --output json"),
        ('{"systems": []}', "JSON: this is not the output of anascore score --output json"),
        (
            '{"schema": 2, "anascore": "0.1.0", "signature": "", "systems": [{}]}',
            "score --output json: Object missing required field `name` - at `$.systems[0]`",
        ),
        (
            '{"schema": 1, "anascore": "0.0.9", "systems": []}',
            "the JSON has schema 1, written by anascore '0.0.9', but anascore "
            f"{anascore.__version__} reads schema 2; run the command again with this version",
        ),
        (
            '{"schema": 99, "anascore": "9.0"}',
            "the JSON has schema 99, written by anascore '9.0', but anascore "
            f"{anascore.__version__} reads schema 2; update anascore",
        ),
    ],
)
def test_json_that_is_no_result(text: str, message: str) -> None:
    with pytest.raises(ReadError) as error:
        Comparison.from_json(text)

    assert message in str(error.value)


def test_json_of_several_systems_is_no_single_result() -> None:
    comparison = anascore.compare(KEY, SYSTEMS[:2])

    with pytest.raises(SettingsError, match=r"has 2 systems; Comparison\.from_json reads several"):
        Result.from_json(comparison.to_json())


def write_shards(folder: Path, systems: int) -> tuple[list[str], Comparison]:
    """Score the shards of a corpus on the command line's own files; return them and the whole."""
    key, response = random_corpora(5)
    responses = {f"s{i}": shards(corpus, 2) for i, corpus in enumerate([response, key][:systems])}
    paths = []
    for number, part in enumerate(shards(key, 2)):
        own = {name: pieces[number] for name, pieces in responses.items()}
        # The order of systems may differ.
        named = dict(reversed(own.items())) if number else own
        path = folder / f"part-{number}.json"
        path.write_text(anascore.compare(part, named).to_json())
        paths.append(str(path))
    whole = anascore.compare(key, dict(zip(responses, [response, key], strict=False)))
    return paths, whole


@pytest.mark.parametrize("systems", [1, 2])
def test_files_are_merged(systems: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths, whole = write_shards(tmp_path, systems)

    merged = anascore.merge(paths)
    assert [result.scores for result in merged] == [result.scores for result in whole]
    assert merged == anascore.merge([tmp_path])

    assert main(["merge", *paths, "--per-document", "--macro", "--sort-by", "muc"]) == 0
    text = capsys.readouterr().out
    assert text == merged.render(per_document=True, macro=True, sort_by="muc")
    assert main(["merge", *paths, "--confidence", "--samples", "10", "--output", "json"]) == 0
    restored = Comparison.from_json(capsys.readouterr().out)
    assert restored == anascore.merge(paths, confidence=True, samples=10)


@pytest.mark.parametrize("option", ["--split-only", "--score-only"])
def test_scores_by_class_can_be_left_out(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "with-classes.json"
    path.write_text(anascore.compare(KEY, SYSTEMS[:1], by="length").to_json(), encoding="utf-8")

    assert main(["merge", str(path), option]) == 0
    assert "by size of entity" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["part-0.json", "part-0.json"], "a document in common cannot be added: 'd0'"),
        (["part-0.json", "--paired", "bootstrap"], "--paired compares responses with the first"),
        (["part-0.json", "--sort-by", "mucc"], "--sort-by mucc: it is not reported (did you mean"),
        (["part-0.json", "--samples", "5"], "--samples needs --confidence or --paired"),
        (["absent.json"], "absent.json: no such file"),
        (["part-0.json", "two.json"], "parts have different systems: s0 and s0, s1; systems are"),
        (["muc.json", "--split-only"], "--split-only shows none of these metrics"),
    ],
)
def test_bad_merges(
    options: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_shards(tmp_path, 1)
    key, response = random_corpora(9, 1)
    two = anascore.compare(key, {"s0": response, "s1": key})
    (tmp_path / "two.json").write_text(two.to_json())
    mentions = anascore.score(key, response, metrics="mentions")
    (tmp_path / "muc.json").write_text(mentions.to_json())
    monkeypatch.chdir(tmp_path)

    assert main(["merge", *options]) == 2
    assert message in capsys.readouterr().err


CLUSTERS = [["a", "b"], ["c"]]
PREDICTED = [["a", "b", "c"]]


def test_a_scorer_adds_up_documents() -> None:
    scorer = Scorer(metrics="muc,conll")
    scorer.update(CLUSTERS, PREDICTED, name="one")
    scorer.update({"two": CLUSTERS, "three": CLUSTERS}, {"two": CLUSTERS, "three": PREDICTED})

    expected = anascore.score_clusters(
        {"one": CLUSTERS, "two": CLUSTERS, "three": CLUSTERS},
        {"one": PREDICTED, "two": CLUSTERS, "three": PREDICTED},
        metrics="muc,conll",
    )
    assert scorer.result() == replace(expected, name="response")
    assert scorer.result("mine").name == "mine"
    assert len(scorer) == 3
    assert repr(scorer) == "<Scorer: 3 documents>"

    scorer.reset()
    assert len(scorer) == 0
    scorer.update(CLUSTERS, CLUSTERS)
    assert scorer.result().conll == 1


def test_a_scorer_takes_documents_and_corpora() -> None:
    key, response = anascore.read(KEY), anascore.read(SYSTEMS[0])
    scorer = Scorer(settings=Settings(split=False), metrics="lea")
    scorer.update(key, response)
    (name,) = key.documents
    own, other = (replace(side.documents[name], name="again") for side in (key, response))
    scorer.update(own, other)

    result = scorer.result()

    assert result.scores == anascore.score(key, response, split=False, metrics="lea").scores
    assert list(result.documents) == [name, "again"]


def test_documents_without_names_get_different_ones() -> None:
    first, second = Scorer(), Scorer()
    for scorer in (first, first, second):
        scorer.update(CLUSTERS, PREDICTED)

    first.merge(second)
    first.merge(Scorer())

    assert len(first) == len(first.result().documents) == 3
    assert first.result().scores == anascore.score_clusters(CLUSTERS, PREDICTED).scores


def test_a_scorer_can_be_pickled() -> None:
    scorer = Scorer(metrics="b3")
    assert len(pickle.loads(pickle.dumps(scorer))) == 0
    scorer.update(CLUSTERS, PREDICTED)

    copy = pickle.loads(pickle.dumps(scorer))

    assert copy.result() == scorer.result()


@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_a_scorer_uses_an_executor(pool: type[ThreadPoolExecutor | ProcessPoolExecutor]) -> None:
    expected = Scorer()
    with pool(2) as executor:
        scorer = Scorer(executor=executor)
        for number in range(5):
            for own in (scorer, expected):
                own.update(CLUSTERS, PREDICTED[: number % 2], name=str(number))
        copy = pickle.loads(pickle.dumps(scorer))

        assert scorer.result() == expected.result()
        assert copy.result() == expected.result()


def bad_updates() -> dict[str, tuple[Any, Any, Any, type[Exception], str]]:
    document = Document("d", ["a"], [])
    return {
        "same name": (CLUSTERS, CLUSTERS, "one", MismatchError, "'one' has already been scored"),
        "named": ({"d": CLUSTERS}, {"d": CLUSTERS}, "x", SettingsError, "have names; remove it"),
        "one side": (document, CLUSTERS, None, MismatchError, "must both be clusters, or both"),
        "a number as name": (
            CLUSTERS,
            CLUSTERS,
            5,
            SettingsError,
            "name=5: the name of a document",
        ),
        "nesting": ("John", CLUSTERS, None, EntityError, "'John'"),
        "other documents": ({"d": []}, {"e": []}, None, MismatchError, "same documents"),
    }


@pytest.mark.parametrize("case", bad_updates())
def test_bad_updates_change_nothing(case: str) -> None:
    key, response, name, error, message = bad_updates()[case]
    scorer = Scorer()
    scorer.update(CLUSTERS, PREDICTED, name="one")
    before = scorer.result()

    with pytest.raises(error) as raised:
        scorer.update(key, response, name=name)

    assert message in str(raised.value)
    assert scorer.result() == before
    assert len(scorer) == 1


def test_bad_scorers() -> None:
    unknown: Any = {"mach": "head"}
    both: Any = {"settings": Settings(), "match": "head"}
    with pytest.raises(SettingsError, match="no such setting: mach"):
        Scorer(**unknown)
    with pytest.raises(SettingsError, match="match: pass settings or keywords"):
        Scorer(**both)
    with pytest.raises(MismatchError, match="no document has been scored yet; call update first"):
        Scorer().result()
    with pytest.raises(SettingsError, match="plain mentions have no words"):
        Scorer(match="head").update(CLUSTERS, PREDICTED)
    scorer = Scorer()
    scorer.update(CLUSTERS, PREDICTED, name="one")
    with pytest.raises(MismatchError, match="'one' has already been scored"):
        scorer.merge(scorer)
    with pytest.raises(MismatchError, match="scorers with different settings cannot be merged"):
        scorer.merge(Scorer(metrics="muc"))


def test_systems_of_a_comparison() -> None:
    comparison = anascore.compare(KEY, {"a": SYSTEMS[0], "b": SYSTEMS[1]}, metrics="muc")

    assert comparison.names == ["a", "b"]
    assert comparison["b"] is comparison[1] is comparison[-1]
    assert comparison[:1].names == ["a"]
    assert len(comparison) == 2
    assert comparison == anascore.compare(
        KEY, dict(zip("ab", SYSTEMS, strict=False)), metrics="muc"
    )
    assert hash(comparison) == hash(pickle.loads(pickle.dumps(comparison)))
    assert comparison.table() == f"{comparison}\n"
    with pytest.raises(SettingsError, match="there are no results to show"):
        str(comparison[2:])
    with pytest.raises(SettingsError, match="there is no system 'c'; choose from a, b"):
        comparison["c"]
    with pytest.raises(SettingsError, match="no such output: 'word'; choose from table, markdown"):
        comparison.render("word")
