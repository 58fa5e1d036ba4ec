"""The track for language models from end to end: converted corpora, altered and broken."""

import random
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore import Corpus, Result
from anascore.formats.writing import to_text
from support.generated_corpora import generated_file
from support.paper import KEY, SYSTEMS
from support.reading import put
from support.samples import SAMPLES
from support.shared import CORPORA

FORMATS = {"llm-text": "response.txt", "llm-json": "response.json"}


def converted(folder: Path, corpus: Corpus, form: str) -> Path:
    return Path(put(folder, FORMATS[form], to_text(corpus, form)[0]))


def altered_words(text: str, rng: random.Random, lines: Iterable[int]) -> str:
    """Replace, drop and add words without tags in some lines of a text."""
    documents = text.splitlines()
    for number in lines:
        words = []
        for word in documents[number].split(" "):
            is_plain = "|" not in word and not word.startswith("##")
            change = rng.random() if is_plain else 1
            if change < 0.02:
                continue
            words += [word] if change > 0.06 else ["other"] if change > 0.04 else [word, "more"]
        documents[number] = " ".join(words)
    return "".join(f"{line}\n" for line in documents)


def broken_tags(text: str, lines: Iterable[int]) -> str:
    """Break the brackets of some lines of a text: never closed, never opened, and no tag."""
    documents = text.splitlines()
    breaks: list[Callable[[str], str]] = [
        lambda line: re.sub(r"\|(e?\w+)\](?= )", "", line, count=1),
        lambda line: re.sub(r"\|\[(\w+)(?= )", "", line, count=1),
        lambda line: re.sub(r"\|\[(\w+)\](?= )", "|[]", line, count=1),
    ]
    for number, change in zip(lines, breaks, strict=True):
        documents[number] = change(documents[number])
    return "".join(f"{line}\n" for line in documents)


def f1s(result: Result) -> dict[str, float | None]:
    return {name: score.f1 for name, score in result.scores.items()}


EVERYTHING: dict[str, dict[str, Any]] = {
    "crac24": {"task": "crac24"},
    "crac23": {"task": "crac23"},
    "crac22": {"task": "crac22"},
    "repair": {"task": "crac24", "repair": True},
    "heads": {"task": "crac24", "heads": "key"},
    "heads and partial": {"task": "crac22", "heads": "key"},
    "all options": {"match": "head", "heads": "key", "repair": True, "missing": "empty"},
}


@pytest.mark.parametrize("choices", EVERYTHING.values(), ids=EVERYTHING)
@pytest.mark.parametrize("form", ["corefud", *FORMATS])
def test_a_key_against_itself(tmp_path: Path, form: str, choices: dict[str, Any]) -> None:
    key = put(tmp_path, "key.conllu", SAMPLES["zeros-key.conllu"])
    response = key if form == "corefud" else converted(tmp_path, anascore.read(key), form)

    assert {*f1s(anascore.score(key, response, **choices)).values()} <= {1.0, None}


@pytest.mark.parametrize("choices", EVERYTHING.values(), ids=EVERYTHING)
def test_order_and_format_change_nothing(tmp_path: Path, choices: dict[str, Any]) -> None:
    key = put(tmp_path, "key.conllu", SAMPLES["zeros-key.conllu"])
    (document,) = anascore.read(put(tmp_path, "r", SAMPLES["zeros.conllu"])).documents.values()
    backwards = [
        replace(entity, mentions=tuple(reversed(tuple(entity.mentions))))
        for entity in reversed(document.entities)
    ]
    results = [
        anascore.score(key, converted(tmp_path / name, Corpus({"ana": changed}), form), **choices)
        for form in FORMATS
        for name, changed in (
            ("forwards", document),
            ("backwards", replace(document, entities=backwards)),
        )
    ]

    assert [f1s(result) for result in results] == [f1s(results[0])] * 4


@pytest.mark.parametrize("form", FORMATS)
def test_the_example_of_the_paper(tmp_path: Path, form: str) -> None:
    for system in SYSTEMS:
        response = converted(tmp_path, anascore.read(system), form)

        assert anascore.score(KEY, response).scores == anascore.score(KEY, system).scores


def test_broken_and_altered_text_of_generated_documents(tmp_path: Path) -> None:
    key = generated_file(tmp_path, "corefud", 0)
    names = list(anascore.read(key).documents)
    whole = converted(tmp_path, anascore.read(generated_file(tmp_path, "corefud", 1)), "llm-text")
    expected = anascore.score(key, whole)
    lines = range(3)
    text = broken_tags(altered_words(whole.read_text(), random.Random(1), lines), lines)

    result = anascore.score(key, put(tmp_path, "broken.txt", text), repair=True)

    assert {*result.repairs} <= set(names[:3])
    assert result.repairs
    for name in names[3:]:
        assert result.documents[name].scores == expected.documents[name].scores


@pytest.mark.corpora
@pytest.mark.parametrize("name", ["gum/key.conllu", "ancora/dev.conllu"])
@pytest.mark.parametrize("form", FORMATS)
def test_corpora_in_formats_of_language_models(tmp_path: Path, name: str, form: str) -> None:
    key = CORPORA / name

    result = anascore.score(key, converted(tmp_path, anascore.read(key), form), task="crac24")

    assert {*f1s(result).values()} <= {1.0, None}


@pytest.mark.corpora
@pytest.mark.parametrize("name", ["gum/key.conllu", "ancora/dev.conllu"])
def test_corpora_that_are_altered_and_broken(tmp_path: Path, name: str) -> None:
    """Some mentions are left out, so that scores say something."""
    key = CORPORA / name
    corpus = anascore.read(key)
    documents = {
        document.name: replace(
            document,
            entities=[
                replace(entity, mentions=tuple(entity.mentions)[: 1 + position % 4], attributes=())
                for position, entity in enumerate(document.entities)
            ],
        )
        for document in corpus.documents.values()
    }
    response = replace(corpus, documents=documents)
    anascore.write(response, tmp_path / "response.conllu")
    expected = anascore.score(key, tmp_path / "response.conllu", task="crac24")
    text = to_text(response, "llm-text")[0]
    lines = range(3)
    text = broken_tags(altered_words(text, random.Random(1), range(1, 6)), lines)

    with pytest.raises(anascore.ReadError):
        anascore.score(key, put(tmp_path, "broken.txt", text), task="crac24")
    result = anascore.score(key, tmp_path / "broken.txt", task="crac24", repair=True)

    names = list(corpus.documents)
    assert [*result.repairs] == names[:3]
    assert result.signature.endswith("|repaired:3")
    for document in names[6:]:
        assert result.documents[document].scores == expected.documents[document].scores
    assert result.conll == pytest.approx(expected.conll, abs=0.03)
