"""Output of resolvers and datasets: the same content gives the same scores in every format."""

from pathlib import Path

import pytest

import anascore
from anascore import SettingsError
from anascore.formats.registry import FORMATS, WRITABLE
from anascore.results.result import Scores
from support.reading import put, spans
from support.resolvers import (
    KEY,
    KEY_COREFUD,
    LAYOUTS,
    RESPONSE,
    RESPONSE_COREFUD,
    TEXT,
    WORDS,
    corefud,
)

each_layout = pytest.mark.parametrize("name", LAYOUTS)

SIX = ("muc", "b3", "ceafe", "ceafm", "lea", "blanc")


def scores(key: Path, response: Path) -> Scores:
    result = anascore.score(key, response)
    return {name: result.scores[name] for name in (*SIX, "conll", "mentions")}


@each_layout
@pytest.mark.parametrize(
    ("key_format", "response_format"), [(True, True), (True, False), (False, True)]
)
def test_scores_are_those_of_the_same_content_in_corefud(
    tmp_path: Path,
    name: str,
    key_format: bool,  # noqa: FBT001  whether this side is in the format
    response_format: bool,  # noqa: FBT001  the same
) -> None:
    key = put(tmp_path, "key.conllu", corefud(KEY_COREFUD))
    response = put(tmp_path, "response.conllu", corefud(RESPONSE_COREFUD))
    expected = scores(key, response)
    if key_format:
        key = put(tmp_path, "key.json", LAYOUTS[name](KEY))
    if response_format:
        response = put(tmp_path, "response.json", LAYOUTS[name](RESPONSE))

    assert scores(key, response) == expected
    assert [expected[metric].f1 for metric in SIX] == [
        pytest.approx(value, abs=0.00005)
        for value in (0.6667, 0.6667, 0.6400, 0.7273, 0.5455, 0.4853)
    ]


@each_layout
def test_content(tmp_path: Path, name: str) -> None:
    corpus = anascore.read(put(tmp_path, "file.json", LAYOUTS[name](RESPONSE)))
    (document,) = corpus.documents.values()

    assert corpus.format == name
    if document.in_characters:
        assert document.words == TEXT
    else:
        assert tuple(document.words) == tuple(WORDS)
        assert spans(document) == RESPONSE


@each_layout
def test_such_formats_are_only_read(tmp_path: Path, name: str) -> None:
    corpus = anascore.read(put(tmp_path, "file.json", LAYOUTS[name](KEY)))

    assert name not in WRITABLE
    with pytest.raises(SettingsError, match=f"^{FORMATS[name].label} can only be read; choose"):
        anascore.write(corpus, tmp_path / "x", name)
