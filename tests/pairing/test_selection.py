"""Scoring only the documents that have split antecedents in the key."""

from dataclasses import replace
from pathlib import Path

import pytest

import anascore
from anascore import Corpus, Entity, Mention, MismatchError, Scorer, SettingsError
from anascore.pairing.selection import has_split_antecedent
from anascore.settings import Settings
from support.block_comparison import assert_same, error_of
from support.notation import document
from support.samples import SAMPLES

KEYS = {"plain": "ab cd", "set": "ab cd (ac)ef", "single": "ac", "other": "ab cd (ac)e"}
RESPONSES = {"plain": "ac bd", "set": "ab cd (a)ef", "single": "ab", "other": "abcde"}
NOTE = "only documents with split antecedents in the key are scored: {}"


def corpus(texts: dict[str, str]) -> Corpus:
    documents = {name: document(text, name=name, words=6) for name, text in texts.items()}
    return Corpus(documents)


def chosen(texts: dict[str, str], *names: str) -> Corpus:
    return corpus({name: texts[name] for name in names})


def test_documents_without_sets_are_left_out_on_both_sides() -> None:
    result = anascore.score(corpus(KEYS), corpus(RESPONSES), docs="split")

    expected = anascore.score(chosen(KEYS, "set", "other"), chosen(RESPONSES, "set", "other"))
    assert result.counted == expected.counted
    assert result.scores == expected.scores
    assert result.notes == (NOTE.format(2),)
    assert result.signature == f"{expected.signature}|docs:split-2"


def test_a_response_may_lack_or_miss_what_is_left_out() -> None:
    key, response = corpus(KEYS), chosen(RESPONSES, "set", "other", "plain")

    assert_same(key, response, docs="split")
    assert error_of(key, chosen(RESPONSES, "set", "plain"), docs="split") == (
        "MismatchError: the response 'system': document 'other' is missing, which the key has; "
        '--missing empty (in Python missing="empty") scores missing documents as empty'
    )
    extra = corpus({**RESPONSES, "more": "ab"})
    assert error_of(key, extra, docs="split") == (
        "MismatchError: the response 'system': the key has no document 'more'; key and response "
        "must have the same documents, and the key has documents 'set', 'other'"
    )
    assert_same(key, chosen(RESPONSES, "set"), docs="split", missing="empty")


def test_documents_in_files_are_selected_part_by_part(tmp_path: Path) -> None:
    for name, texts in (("key", KEYS), ("response", RESPONSES)):
        anascore.write(corpus(texts), tmp_path / f"{name}.conllua")

    assert_same(tmp_path / "key.conllua", tmp_path / "response.conllua", docs="split")
    assert_same(tmp_path / "key.conllua", tmp_path / "key.conllua", docs="split", match="head")


def test_documents_that_order_identifies_keep_their_partners() -> None:
    response = replace(corpus({name * 2: RESPONSES[name] for name in RESPONSES}), unnamed=True)

    result = anascore.score(corpus(KEYS), response, docs="split")

    expected = anascore.score(corpus(KEYS), corpus(RESPONSES), docs="split")
    assert result.counted == expected.counted


def test_there_must_be_such_a_document(tmp_path: Path) -> None:
    message = "--docs split needs a document with split antecedents, but the key has none"
    with pytest.raises(SettingsError, match=f"^the key: {message}$"):
        anascore.score(chosen(KEYS, "plain", "single"), corpus(RESPONSES), docs="split")
    key = tmp_path / "key.conllua"
    anascore.write(chosen(KEYS, "plain", "single"), key)
    assert error_of(key, key, docs="split") == f"SettingsError: {key}: {message}"


def test_the_layer_that_is_scored_decides() -> None:
    mention, entities = Mention(((0, 1),)), document("ab cd (ac)e").entities
    both = replace(document("ab", words=6), deixis=entities)
    result = replace(entities[2], relation="result")

    assert not has_split_antecedent(both, Settings())
    assert has_split_antecedent(both, Settings(layers=("identity", "discourse-deixis")))
    assert has_split_antecedent(both, Settings(layers=("discourse-deixis",)))
    assert not has_split_antecedent(both, Settings(layers=("bridging",)))
    bridging = replace(both, entities=entities)
    assert has_split_antecedent(bridging, Settings(layers=("bridging",)))
    identity = replace(both, entities=entities, deixis=())
    assert not has_split_antecedent(identity, Settings(layers=("discourse-deixis",)))
    assert not has_split_antecedent(
        replace(both, entities=[Entity([mention]), entities[0], entities[1], result]), Settings()
    )


def test_selected_documents_without_sets_scored() -> None:
    result = anascore.score(corpus(KEYS), corpus(RESPONSES), docs="split", split=False)

    assert list(result.documents) == ["set", "other"]


def test_clusters_in_memory_are_selected() -> None:
    sets = {"clusters": [[1, 2], [3], [4]], "split_antecedents": [[4, 1], [4, 3]]}
    plain = [[1, 2], [3]]

    result = anascore.score_clusters({"a": sets, "b": plain}, {"a": sets, "b": []}, docs="split")

    assert list(result.documents) == ["a"]
    assert result["b3"].f1 == 1


def test_explain_errors_and_report_select_too(tmp_path: Path) -> None:
    key, response = corpus(KEYS), corpus(RESPONSES)

    explained = anascore.explain(key, response, docs="split")
    assert [one.name for one in explained.documents] == ["set", "other"]
    errors = anascore.find_errors(key, response, docs="split")
    assert {error.document for error in errors} == {"set", "other"}
    for found in (explained, errors):
        assert found.signature.endswith("|docs:split-2")
        assert NOTE.format(2) in found.warnings
    anascore.report(key, [response], tmp_path / "page.html", docs="split", samples=10)
    assert "docs:split-2" in (tmp_path / "page.html").read_text(encoding="utf-8")
    with pytest.raises(SettingsError, match="--doc plain: the key has no such document"):
        anascore.explain(key, response, docs="split", document="plain")


def test_sums_of_results_count_their_documents() -> None:
    parts = [
        anascore.score(chosen(KEYS, *names), chosen(RESPONSES, *names), docs="split")
        for names in (("plain", "set"), ("other",))
    ]

    whole = anascore.score(corpus(KEYS), corpus(RESPONSES), docs="split")
    assert (parts[0] + parts[1]).signature == whole.signature
    assert anascore.Result.from_json(whole.to_json()).signature == whole.signature


def test_a_task_and_a_scorer_refuse() -> None:
    with pytest.raises(SettingsError, match="docs split contradicts the task crac23"):
        anascore.score(corpus(KEYS), corpus(RESPONSES), docs="split", task="crac23")
    with pytest.raises(SettingsError, match="select them before `update`"):
        Scorer(docs="split")
    with pytest.raises(MismatchError):
        anascore.score(corpus(KEYS), chosen(RESPONSES, "set"), docs="split")
    with pytest.raises(SettingsError, match="docs must be all or split, not 'some'"):
        Settings(docs="some")  # type: ignore[arg-type]


def test_validation_lists_the_option(tmp_path: Path) -> None:
    path = tmp_path / "key.conllua"
    path.write_text(SAMPLES["dough.conllua"])
    scoring = anascore.validate(path).scoring

    (option,) = (one for one in scoring.options if one.option == "--docs split")
    assert option.status == "no"
    assert list(option.missing) == ["split antecedents"]
