"""What is asked for: shared tasks, layers, metrics, and what goes together."""

import re
from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore import Corpus, Document, Entity, Mention, Settings, SettingsError, example
from anascore.entities.document import UNKNOWN_CLASS, WITHOUT_HEAD, WITHOUT_MINIMUM_SPAN
from anascore.entities.side import dependencies_for
from anascore.formats.columns import Dependencies, zero_dependencies
from anascore.metrics.scores import GROUPS, ON_REQUEST, scores_of
from anascore.model.document import Table
from anascore.settings import ALL_LAYERS
from anascore.tasks import TASKS, build_request
from support.samples import SAMPLES

CONLL = "muc b3 ceafe conll"
USUAL = [name for name in scores_of("identity") if name not in ON_REQUEST]
PRESETS = {
    # task: format, metrics, match, singletons, split, zeros, convention (- if it plays no part)
    "conll12": ("conll2012", CONLL, "exact", "no", "no", "no", "-"),
    "crac18": ("ua", f"{CONLL} non-referring", "exact", "yes", "no", "no", "-"),
    "craft19": ("ua", CONLL, "craft", "yes", "no", "no", "-"),
    "codicrac-ar": ("ua", CONLL, "exact", "yes", "yes", "no", "ua"),
    "codicrac-br": (
        "ua",
        "bridging-anaphors bridging-mentions bridging-entities",
        *("exact", "yes", "no", "no", "-"),
    ),
    "codicrac-dd": ("ua", CONLL, "exact", "yes", "yes", "no", "ua"),
    "crac22": ("corefud", f"{CONLL} mor anaphors", "partial", "no", "no", "linear", "-"),
    "crac23": ("corefud", f"{CONLL} mor anaphors", "head", "no", "no", "linear", "-"),
    **dict.fromkeys(
        ("crac24", "crac25", "crac26"),
        ("corefud", f"{CONLL} mor anaphors", "head", "no", "no", "dependent", "-"),
    ),
}


@pytest.mark.parametrize("name", TASKS)
def test_presets(name: str) -> None:
    task = TASKS[name]
    settings, reported, _ = build_request(task=name)

    yes = {True: "yes", False: "no"}
    assert settings == task.settings
    assert (
        task.format,
        " ".join(score for scores in reported.values() for score in scores),
        settings.match,
        yes[settings.singletons],
        yes[settings.split],
        "no" if settings.zeros == "drop" else settings.zero_match,
        settings.convention if settings.split else "-",
    ) == PRESETS[name]
    assert settings.anaphors == ("zero" if "anaphors" in task.metrics else "")
    assert f"|task:{name}|" in settings.signature(("ua",), ("ua",))


@pytest.mark.parametrize(
    ("choices", "layer"),
    [
        ({"task": "codicrac-dd"}, "discourse-deixis"),
        ({"task": "codicrac-br"}, "bridging"),
        ({"task": "codicrac-ar"}, "identity"),
    ],
)
def test_layers_of_presets(choices: Any, layer: str) -> None:
    assert list(build_request(**choices).reported) == [layer]


@pytest.mark.parametrize(
    "agreeing",
    [
        {"match": "head", "singletons": False},
        {"metrics": "conll,ceafe,b3,muc,mor,anaphors"},
        {"layers": "identity"},
        {"missing": "empty", "words": "ignore"},
        {"lea_importance": 1, "anaphors": "zero"},
    ],
)
def test_what_agrees_with_a_task_is_no_contradiction(agreeing: Any) -> None:
    found = build_request(task="crac23", **agreeing)

    expected = build_request(
        task="crac23", **{k: agreeing[k] for k in ("missing", "words") if k in agreeing}
    )
    assert found == expected


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"task": "crac23", "match": "exact"}, "match exact contradicts the task crac23, which se"),
        ({"task": "crac23", "singletons": True}, "singletons yes contradicts the task crac23, whi"),
        ({"task": "crac23", "lea_importance": 2}, "lea-importance 2 contradicts the task crac23,"),
        ({"task": "conll12", "anaphors": "pronoun"}, "which sets anaphors none; remove one of th"),
        ({"task": "crac18", "layers": "all"}, "contradicts the task crac18, which sets layers id"),
        (
            {"task": "conll12", "metrics": "muc,lea"},
            "metrics lea contradict the task conll12, whose scores are muc,b3,ceafe,conll; choose "
            "among these, or remove the task",
        ),
        (
            {"task": "conll13"},
            "no such task: 'conll13' (did you mean 'conll12'?); choose from conll12",
        ),
        ({"task": 3}, "no such task: 3; choose from conll12"),
        ({"task": ["crac23"]}, "no such task: ['crac23']; choose from conll12"),
        ({"task": 0}, "no such task: 0; choose from conll12"),
        ({"layers": ()}, "no layer is given; choose from identity"),
        ({"layers": 3}, "layers must be a tuple of names, like ('identity',), not 3"),
        ({"layers": "bridging,bridging"}, "--layers has bridging twice"),
        ({"layers": ["identity", "x"]}, "no such layer: 'x'; choose from identity, discourse"),
        ({"anaphors": "pronouns"}, "--anaphors must be zero, pronoun, or NAME=VALUE with"),
        ({"anaphors": 3}, "like UPOS=PRON, not 3"),
        ({"anaphors": []}, "like UPOS=PRON, not []"),
        ({"anaphors": "UPOS="}, "like UPOS=PRON, not 'UPOS='"),
        ({"anaphors": "zero", "zeros": "drop"}, "zeros cannot be scored as anaphors when they a"),
        ({"anaphors": "zero", "layers": "bridging"}, "--anaphors needs a layer with entities; a"),
        ({"zero_match": "dependent", "zeros": "drop"}, "zeros cannot be matched by their depen"),
        ({"metrics": "anaphors"}, "the score anaphors needs a class of anaphors"),
        ({"metrics": "bridging-anaphors"}, "is a score of the layer bridging, which is not sco"),
        ({"metrics": ""}, "no metric is given; choose from muc"),
        ({"metrics": 3}, "metrics must be a string or a list of names, not 3"),
        ({"layers": [["identity"]]}, "no such layer: ['identity']; choose from"),
        ({"match": "fuzzy"}, "match must be exact, partial, head or craft, not 'fuzzy'"),
    ],
)
def test_what_cannot_be(choices: Any, message: str) -> None:
    with pytest.raises(SettingsError) as error:
        build_request(**choices)

    assert message in str(error.value)


@pytest.mark.parametrize(
    ("choices", "reported"),
    [
        ({}, {"identity": USUAL}),
        ({"anaphors": "zero"}, {"identity": [*USUAL, "anaphors"]}),
        (
            {"metrics": "zhou-choi,links"},
            {"identity": [*GROUPS["links"], *GROUPS["zhou-choi"]]},
        ),
        ({"anaphors": "zero", "metrics": "muc"}, {"identity": ["muc", "anaphors"]}),
        ({"anaphors": "zero", "metrics": "anaphors"}, {"identity": ["anaphors"]}),
        ({"metrics": ["LEA ", "muc"]}, {"identity": ["muc", "lea"]}),
        (
            {"layers": "bridging, identity", "metrics": "muc"},
            {"bridging": scores_of("bridging"), "identity": ["muc"]},
        ),
        ({"layers": ["non-referring"]}, {"non-referring": ["non-referring"]}),
    ],
)
def test_what_is_reported(choices: Any, reported: dict[str, list[str]]) -> None:
    found = build_request(**choices).reported

    assert {layer: list(names) for layer, names in found.items()} == reported


@pytest.mark.parametrize(
    ("task", "metrics", "reported"),
    [
        ("crac24", "conll", {"identity": ("conll",)}),
        ("crac26", ["mor", "MUC"], {"identity": ("muc", "mor")}),
        ("crac24", "anaphors", {"identity": ("anaphors",)}),
        ("crac18", "conll", {"identity": ("conll",)}),
        ("crac18", "non-referring", {"non-referring": ("non-referring",)}),
        ("crac18", "b3,non-referring", {"identity": ("b3",), "non-referring": ("non-referring",)}),
    ],
)
def test_a_choice_among_the_scores_of_a_task(task: Any, metrics: Any, reported: Any) -> None:
    request = build_request(metrics, task=task)

    assert request.reported == reported
    assert request.settings == TASKS[task].settings


def test_settings_of_a_task_are_completed_by_the_task(folder: Path) -> None:
    sides = folder / "zeros-key.conllu", folder / "zeros.conllu"
    expected = anascore.score(*sides, task="crac24")

    assert anascore.score(*sides, settings=Settings(task="crac24")) == expected
    assert anascore.score(*sides, settings=expected.request.settings) == expected
    with pytest.raises(SettingsError, match="match craft contradicts the task crac24, which sets"):
        anascore.score(*sides, settings=Settings(task="crac24", match="craft"))


def test_a_report_is_about_identity(folder: Path) -> None:
    layers = folder / "layers.conllua"

    with pytest.raises(SettingsError, match="report must be identity; the task crac18 without sco"):
        anascore.report(layers, [layers], folder / "x", task="crac18", metrics="non-referring")


def test_all_layers() -> None:
    assert tuple(build_request(layers="all").reported) == ALL_LAYERS


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in SAMPLES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("key", "response", "choices", "message"),
    [
        ("zeros-key.conllu", "bare.conllua", {"match": "head"}, "bare.conllua: --match head needs"),
        ("zeros.jsonl", "zeros.conllu", {"match": "head"}, "zeros.jsonl: --match head needs heads"),
        ("zeros.jsonl", "zeros.conllu", {"match": "partial"}, "zeros.jsonl: --match partial needs"),
        (
            *("zeros.jsonl", "zeros.conllu", {"task": "crac24"}),
            "zeros.jsonl: --task crac24 (--match head) needs heads",
        ),
        ("bare.conllu", "zeros.conllu", {"zero_match": "dependent"}, "bare.conllu: --zero-match d"),
        ("zeros.conllu", "bare.conllu", {"task": "crac24"}, "--task crac24 (--zero-match depende"),
        ("layers.conllua", "layers.jsonl", {"layers": "bridging"}, "JSON lines cannot hold the la"),
        ("layers.jsonl", "layers.conllua", {"task": "codicrac-dd"}, "cannot hold the layer disco"),
        ("parsed.conll", "parsed.conll", {"task": "crac18"}, "CoNLL-2012 cannot hold the layer n"),
        ("zeros.jsonl", "zeros.jsonl", {"anaphors": "pronoun"}, "needs part-of-speech tags in t"),
        ("zeros.conllu", "zeros.conllu", {"anaphors": "Case=Nom"}, "attribute Case in the key"),
    ],
)
def test_files_that_lack_what_is_needed(
    folder: Path, key: str, response: str, choices: Any, message: str
) -> None:
    anascore.write(anascore.read(folder / "zeros.conllu"), folder / "zeros.jsonl")
    anascore.write(anascore.read(folder / "layers.conllua"), folder / "layers.jsonl")
    anascore.write(anascore.read(folder / "zeros.jsonl"), folder / "bare.conllua")
    text = SAMPLES["zeros.conllu"].replace("4:nsubj", "_").replace("2:obj", "_")
    (folder / "bare.conllu").write_text(text)

    with pytest.raises(SettingsError) as error:
        anascore.score(folder / key, folder / response, **choices)

    assert message in str(error.value)
    assert str(folder) in str(error.value)


def test_files_need_only_what_there_is_to_match(folder: Path) -> None:
    """Where no mention is long or a zero, there is nothing that could lack heads or DEPS."""
    text = '{"doc_key": "d", "tokens": ["a", "b"], "clusters": [[[0, 0], [1, 1]]]}\n'
    (folder / "short.jsonl").write_text(text)

    cases: list[dict[str, Any]] = [{"match": "head"}, {"match": "partial"}, {"task": "crac24"}]
    for choices in cases:
        result = anascore.score(folder / "short.jsonl", folder / "short.jsonl", **choices)
        assert result["muc"].f1 == 1


def test_mentions_without_a_head_are_counted(folder: Path) -> None:
    text = SAMPLES["layers-key.conllua"].replace("|Min=7", "")
    (folder / "some.conllua").write_text(text)

    result = anascore.score(folder / "some.conllua", folder / "some.conllua", match="head")

    assert result["mentions"].f1 == 1
    assert result.notes == tuple(f"{side}: {WITHOUT_HEAD}: 1" for side in ("key", "response"))


def test_mentions_without_a_minimum_span_are_counted_in_the_key(folder: Path) -> None:
    text = SAMPLES["layers-key.conllua"].replace("|Min=7", "")
    (folder / "some.conllua").write_text(text)

    result = anascore.score(folder / "some.conllua", folder / "some.conllua", match="partial")

    assert result.notes == (f"key: {WITHOUT_MINIMUM_SPAN}: 1",)


CLASSES = {
    # of the key's mentions Ana, zero, la gran casa, Ella, zero: those that are not first
    "zero": 2,
    "pronoun": 1,
    "UPOS=PRON": 3,
    "upos=PRON": 3,
    "DEPREL=nsubj": 1,
    "FORM=Ella": 1,
    "etype=person": 2,
    "Number=Sing": 1,
    "UPOS=NOUN": 0,
}


@pytest.mark.parametrize("name", CLASSES)
def test_classes_of_anaphors(name: str, folder: Path) -> None:
    text = SAMPLES["zeros-key.conllu"].replace(
        "Ella\t_\tPRON\t_\t_", "Ella\t_\tPRON\t_\tCase=Nom|Number=Sing"
    )
    (folder / "key.conllu").write_text(text)
    key = folder / "key.conllu"

    result = anascore.score(key, key, anaphors=name)

    (row,) = result.total.scores["anaphors"]
    assert row.recall.whole == row.precision.whole == row.recall.part == CLASSES[name]


def test_words_of_a_response_are_what_they_are_in_the_key(folder: Path) -> None:
    key = folder / "zeros-key.conllu"
    anascore.write(anascore.read(key), folder / "response.jsonl")

    result = anascore.score(key, folder / "response.jsonl", anaphors="pronoun", zeros="drop")

    assert result["anaphors"].f1 == 1
    (row,) = result.total.scores["anaphors"]
    assert row.precision.whole == 1


def test_pronouns_by_the_tags_of_conll2012(folder: Path) -> None:
    result = anascore.score(
        folder / "parsed-key.conll", folder / "parsed.conll", anaphors="pronoun"
    )

    (row,) = result.total.scores["anaphors"]
    assert (row.recall.part, row.recall.whole) == (1, 1)


def corefud(*lines: str) -> str:
    """Write a document of words with tag and Entity, one a line."""
    rows = []
    for number, line in enumerate(lines, 1):
        word, tag, entity = line.split()
        misc = "_" if entity == "_" else f"Entity={entity}"
        rows.append("\t".join([str(number), word, "_", tag, *"_" * 5, misc]))
    return "\n".join(["# global.Entity = eid-etype-head-other", "# newdoc id = d", *rows, "", ""])


def test_the_class_of_a_mention_is_that_of_the_copy_that_is_scored(folder: Path) -> None:
    """The mention of two words is in two entities, with another head in the second."""
    once = corefud("a NOUN (e1--1-)", "b PRON (e1--2-", "c NOUN e1)")
    twice = corefud("a NOUN (e1--1-)", "b PRON (e1--2-(e2--1-", "c NOUN e2)e1)")
    (folder / "once.conllu").write_text(once)
    (folder / "twice.conllu").write_text(twice)

    for name in "once", "twice":
        path = folder / f"{name}.conllu"
        result = anascore.score(path, path, anaphors="UPOS=PRON")
        assert result["anaphors"] == (None, None, None)
        assert "identity: neither key nor response has an anaphor with UPOS=PRON" in result.warnings


def test_what_a_response_does_not_say_does_not_help_it(folder: Path) -> None:
    key = corefud("a NOUN (e1-x-1-)", "b PRON (e1-x-1-", "c NOUN e1)", "d PRON _", "e NOUN _")
    entities = [Entity([Mention(((0, 1),)), Mention(((1, 3),)), Mention(((3, 5),))])]
    (folder / "key.conllu").write_text(key)
    response = Corpus({"d": Document("d", list("abcde"), entities)})

    for name in "UPOS=PRON", "etype=x":
        result = anascore.score(folder / "key.conllu", response, anaphors=name)
        (row,) = result.total.scores["anaphors"]
        assert (row.recall.part, row.recall.whole, row.precision.whole) == (1, 1, 1)
        assert f"response: {UNKNOWN_CLASS}: 1" in result.warnings


@pytest.mark.parametrize("name", ["SemType=that", "semtype=that"])
def test_attributes_in_another_layer(name: str, folder: Path) -> None:
    text = SAMPLES["layers-key.conllua"].replace("(EntityID=3)", "(EntityID=3|SemType=that)")
    (folder / "key.conllua").write_text(text + "23\tthis\tPRON\t_\t_\t(EntityID=3|SemType=that)\n")
    key = folder / "key.conllua"

    result = anascore.score(key, key, layers="discourse-deixis", anaphors=name)

    (row,) = result.total.scores["anaphors"]
    assert row.recall.whole == 1


def test_a_name_is_not_part_of_another(folder: Path) -> None:
    text = SAMPLES["zeros-key.conllu"].replace("PRON\t_\t_", "PRON\t_\tPronType=Prs")
    (folder / "key.conllu").write_text(text)

    assert anascore.score(folder / "key.conllu", folder / "key.conllu", anaphors="prontype=Prs")
    with pytest.raises(SettingsError, match="needs a column, feature or attribute Type in the key"):
        anascore.score(folder / "key.conllu", folder / "key.conllu", anaphors="Type=Prs")


def test_heads_of_another_layer_are_not_enough(folder: Path) -> None:
    text = SAMPLES["layers-key.conllua"]
    text = text.replace("|Min=3", "").replace("|Min=7", "").replace("|Min=15", "")
    text = text.replace(
        "10\tIt\tPRON\t(EntityID=3-Pseudo|", "10\tIt\tPRON\t(EntityID=3-Pseudo|Min=10|"
    )
    text = text.replace("|SemType=expletive)\t", "|SemType=expletive\t").replace(
        "11\tshows\tVERB\t_", "11\tshows\tVERB\t)"
    )
    (folder / "key.conllua").write_text(text)
    key = folder / "key.conllua"

    for way in "head", "partial":
        with pytest.raises(SettingsError, match=f"--match {way} needs"):
            anascore.score(key, key, match=way)
        assert anascore.score(key, key, match=way, layers="identity,non-referring")
        with pytest.raises(SettingsError, match=f"--match {way} needs"):
            anascore.score(key, key, match=way, layers="discourse-deixis")


def test_what_a_zero_depends_on_must_be_there(folder: Path) -> None:
    text = SAMPLES["zeros.conllu"].replace("4:nsubj", "40:x|4:nsubj|0:root")
    (folder / "response.conllu").write_text(text)
    (document,) = anascore.read(folder / "response.conllu").documents.values()

    found = zero_dependencies(document)

    assert found == {
        (4, 1): Dependencies(0, frozenset({((4, 0), "nsubj"), (None, "root")})),
        (10, 1): Dependencies(8, frozenset({((10, 0), "obj")})),
    }


def test_dependencies_of_zeros_are_those_of_their_sentences() -> None:
    content = b"1\tnew\n1.1\t1:nsubj:pass\n1.2\t_\n\n1\t_\n1.1\t1:obj\n\n1\t_\n1.1\t1:obj\n"
    table = Table(("ID", "DEPS"), "\t", content)
    zeros = ((1, 1), (1, 2), (2, 1), (3, 1))
    document = anascore.Document("d", list("abc"), (), zeros=zeros, table=table)

    assert zero_dependencies(document) == {
        (1, 1): Dependencies(0, frozenset({((1, 0), "nsubj:pass")})),
        (2, 1): Dependencies(1, frozenset({((2, 0), "obj")})),
        (3, 1): Dependencies(2, frozenset({((3, 0), "obj")})),
    }
    assert dependencies_for(document, document, Settings()) == {}


def test_an_empty_parse_column_is_none(folder: Path) -> None:
    (folder / "key.conll").write_text(
        re.sub(r"\t[(]?[(A-Z]*\*[)]*\t-", "\t*\t-", SAMPLES["parsed-key.conll"])
    )

    with pytest.raises(SettingsError, match="--np-only needs the parses"):
        anascore.score(folder / "key.conll", folder / "parsed.conll", np_only=True)


def test_a_layer_that_only_one_side_can_hold_is_named(folder: Path) -> None:
    key = folder / "layers-key.conllua"
    anascore.write(anascore.read(key), folder / "response.jsonl")

    warnings = anascore.score(key, folder / "response.jsonl", layers="all").warnings

    assert (
        "response: its format cannot hold the layer bridging, so the layer is empty there"
        in warnings
    )
    assert not any("non-referring, so the layer is empty" in warning for warning in warnings)


UA_KEY, UA_RESPONSE = example.KEY, example.SYSTEMS[0]
NO_SPLIT = "; --no-split (in Python split=False) leaves them out"


@pytest.mark.parametrize(
    ("key", "response", "note"),
    [
        (
            UA_KEY.with_suffix(".conll"),
            UA_RESPONSE,
            "the key's format, CoNLL-2012, cannot store split antecedents, but the response has "
            "16, which lowers precision",
        ),
        (
            UA_KEY,
            UA_RESPONSE.with_suffix(".conll"),
            "the response's format, CoNLL-2012, cannot store split antecedents, but the key has "
            "17, which lowers recall",
        ),
    ],
)
def test_split_antecedents_that_one_side_cannot_hold_are_noted(
    key: Path, response: Path, note: str
) -> None:
    result = anascore.score(key, response, zeros="drop")

    assert f"{note}{NO_SPLIT}" in result.notes
    assert f"{note}{NO_SPLIT}" in anascore.find_errors(key, response, zeros="drop").warnings
    assert f"{note}{NO_SPLIT}" in anascore.Result.from_json(result.to_json()).notes
    without = anascore.score(key, response, zeros="drop", split=False)
    assert not any("split antecedents" in warning for warning in without.notes)
    of_task = anascore.score(key, response, task="codicrac-ar").notes
    assert not any("--no-split" in warning for warning in of_task)
    assert any(warning.endswith(note.rpartition(",")[2]) for warning in of_task)


def test_the_order_of_layers_changes_nothing_but_which_is_first() -> None:
    usual = build_request(task="crac18").settings
    settings = build_request(task="crac18", layers="non-referring,identity").settings

    assert settings.layers == ("non-referring", "identity")
    assert settings.signature(("ua",), ("ua",)) == usual.signature(("ua",), ("ua",))


FOUR_LAYERS = ",".join(ALL_LAYERS)


def test_all_four_layers_by_name_must_be_held_like_three(folder: Path) -> None:
    key = folder / "layers-key.conllua"
    anascore.write(anascore.read(key), folder / "response.jsonl")

    for layers in (FOUR_LAYERS, list(ALL_LAYERS), ALL_LAYERS, "identity,bridging,non-referring"):
        with pytest.raises(SettingsError, match="JSON lines cannot hold the layer"):
            anascore.score(key, folder / "response.jsonl", layers=layers)
    assert anascore.score(key, folder / "response.jsonl", layers="all")["muc"].f1 == 1


def test_all_layers_have_one_signature_however_they_are_named() -> None:
    by_name, together = build_request(layers=FOUR_LAYERS), build_request(layers="all")

    assert by_name.settings == together.settings
    assert by_name.settings.signature(("ua",), ("ua",)) == together.settings.signature(
        ("ua",), ("ua",)
    )


SECOND = '{"doc_key": "second", "tokens": ["a", "b"], "clusters": [[[0, 0], [1, 1]]]}\n'


@pytest.fixture
def mixed(folder: Path) -> Path:
    """A folder with a document in CoNLL-UA and another in JSON lines."""
    (folder / "mixed").mkdir()
    (folder / "mixed" / "house.conllua").write_text(SAMPLES["layers-key.conllua"])
    (folder / "mixed" / "second.jsonl").write_text(SECOND)
    return folder / "mixed"


def test_a_folder_of_formats_none_of_which_can_hold_a_layer(folder: Path) -> None:
    (folder / "poor").mkdir()
    (folder / "poor" / "first.conll").write_text(SAMPLES["parsed-key.conll"])
    (folder / "poor" / "second.jsonl").write_text(SECOND)

    with pytest.raises(SettingsError) as error:
        anascore.score(folder / "poor", folder / "poor", layers="bridging")

    assert str(error.value) == (
        f"{folder / 'poor'}: CoNLL-2012 and JSON lines cannot hold the layer bridging"
    )


def test_a_folder_of_formats_some_of_which_can_hold_a_layer(mixed: Path) -> None:
    result = anascore.score(mixed, mixed, layers="identity,bridging")

    assert result.notes == tuple(
        f"{side}: its format JSON lines cannot hold the layer bridging, so the layer is empty there"
        for side in ("key", "response")
    )
    assert result["bridging-anaphors"].f1 == 1


def test_a_folder_of_formats_some_of_which_can_hold_ranked_antecedents(mixed: Path) -> None:
    result = anascore.score(mixed, mixed, layers="discourse-deixis", metrics="success@1")

    assert result.notes == (
        "response: its format CoNLL-UA cannot hold ranked antecedents, so they are missing",
    )


def test_a_folder_of_formats_none_of_which_can_hold_ranked_antecedents(mixed: Path) -> None:
    (mixed / "second.jsonl").unlink()
    text = SAMPLES["zeros.conllu"]
    (mixed / "zeros.conllu").write_text(text)

    with pytest.raises(SettingsError, match="UA and CorefUD cannot hold ranked antecedents, which"):
        anascore.score(mixed, mixed, layers="discourse-deixis", metrics="success@1")


def test_all_layers_may_be_empty_where_ranked_antecedents_are_scored(folder: Path) -> None:
    key = folder / "layers-key.conllua"
    anascore.write(anascore.read(key), folder / "response.jsonl")

    result = anascore.score(key, folder / "response.jsonl", layers="all", metrics="success@1")

    assert result["success@1"].recall == 0
