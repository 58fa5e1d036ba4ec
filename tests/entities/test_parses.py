"""Parses of CoNLL-2012: verb phrases and minimum spans."""

from pathlib import Path

import pytest

import anascore
from anascore import Document, Mention, SettingsError
from anascore.entities.parses import apply_parse_settings, parse_of
from anascore.tasks import build_request
from support.samples import PARSED_KEY


def parsed(text: str, folder: Path) -> Document:
    """Read a document from words with tag and parse, a sentence a line: the/DT/(NP* man/NN/*)."""
    lines = ["#begin document (d); part 000"]
    for sentence in text.split("\n"):
        for number, token in enumerate(sentence.split()):
            word, tag, parse = token.split("/")
            lines.append(f"d\t0\t{number}\t{word}\t{tag}\t{parse}\t-\t-\t-\t-\t*\t-")
        lines.append("")
    (folder / "d.conll").write_text("\n".join([*lines, "#end document", ""]))
    (document,) = anascore.read(folder / "d.conll").documents.values()
    return document


GIVE_UP = "She/PRP/(S(NP*) has/VBZ/(VP* given/VBN/(VP* up/RP/(PRT*) it/PRP/(NP*))) ././*)"
MEN = "three/CD/(S(NP(NP*) of/IN/(PP* the/DT/(NP* men/NNS/*))) left/VBD/(VP*))"
SHOP = "the/DT/(NP(NP* man/NN/* 's/POS/*) new/JJ/* book/NN/* shop/NN/*)"


@pytest.mark.parametrize(
    ("text", "span", "label"),
    [
        (GIVE_UP, (0, 1), "NP"),
        (GIVE_UP, (1, 2), "VP"),
        (GIVE_UP, (1, 5), "VP"),
        (GIVE_UP, (2, 3), "VP"),
        (GIVE_UP, (4, 5), "NP"),
        (GIVE_UP, (0, 6), "S"),
        (GIVE_UP, (5, 6), ""),
        (MEN, (0, 1), "NP"),
        (MEN, (0, 2), "NP"),
        (MEN, (0, 4), "NP"),
        (MEN, (4, 5), "VP"),
        ("it/PRP/(S(NP-SBJ*) works/VBZ/(VP-1*))", (1, 2), "VP"),
        ("a/DT/(NP* b/NN/*) c/NN/(NP*))) d/NN/(NP*)", (3, 4), "NP"),
    ],
)
def test_label(text: str, span: tuple[int, int], label: str, tmp_path: Path) -> None:
    parse = parse_of(parsed(text, tmp_path))

    assert parse is not None
    assert parse.label_of(Mention((span,))) == label


@pytest.mark.parametrize(
    ("text", "span", "minimum"),
    [
        ("the/DT/(NP* old/JJ/* man/NN/*)", (0, 3), "man"),
        ("the/DT/(NP(NP* man/NN/*) in/IN/(PP* the/DT/(NP* hat/NN/*)))", (0, 5), "man"),
        ("Ann/NNP/(NP(NP*) and/CC/* the/DT/(NP* boy/NN/*))", (0, 4), "Ann boy"),
        (SHOP, (0, 6), "book shop"),
        (MEN, (0, 4), "three"),
        ("two/CD/(NP* cars/NNS/*)", (0, 2), "cars"),
        (GIVE_UP, (1, 5), "has"),
        ("the/DT/(NP* rich/JJ/*)", (0, 2), "rich"),
        ("all/DT/(NP* of/IN/* a/DT/*)", (0, 3), ""),
        ("his/PRP$/(NP* old/JJ/* mother/NN/*)", (0, 3), "mother"),
        ("he/PRP/(NP(NP*) who/WP/(SBAR(WHNP*) came/VBD/(S(VP*))))", (0, 3), "he"),
        ("the/DT/(NP* man/NN/*)", (1, 2), ""),
        ("men/NNS/(S* saw/VBD/(VP* a/DT/(NP* dog/NN/*)))", (2, 4), "dog"),
    ],
)
def test_minimum_span(text: str, span: tuple[int, int], minimum: str, tmp_path: Path) -> None:
    document = parsed(text, tmp_path)
    entity = anascore.Entity([Mention((span,))])
    document = anascore.Document(
        "d", document.words, [entity], sentences=document.sentences, table=document.table
    )

    adapted = apply_parse_settings(document, document, build_request(match="partial").settings)

    (found,) = adapted.entities[0].mentions
    words = [document.words[word] for start, end in found.minimum for word in range(start, end)]
    assert " ".join(words) == minimum


def test_a_bracket_that_is_never_closed_ends_with_its_sentence(tmp_path: Path) -> None:
    document = parsed("a/DT/(S(NP* b/NN/*\nc/DT/(NP* d/NN/*)", tmp_path)
    parse = parse_of(document)

    assert parse is not None
    assert parse.depths == [2, 2, 1, 1]
    assert parse.label_of(Mention(((2, 4),))) == "NP"


def test_constituents_that_start_together_stand_longest_first(tmp_path: Path) -> None:
    parse = parse_of(parsed("a/DT/(S(NP(QP*) b/NN/*) c/VB/(VP*))\nd/NN/(NP)", tmp_path))

    assert parse is not None
    assert parse.starting == {0: [(3, "S"), (2, "NP"), (1, "QP")], 2: [(3, "VP")], 3: [(4, "NP")]}
    assert parse.depths == [3, 2, 2, 0]


def test_no_parse(tmp_path: Path) -> None:
    assert parse_of(parsed("a/DT/* b/NN/*", tmp_path)) is None
    assert parse_of(Document("d", ["a"], [])) is None


def test_verb_phrases_are_left_out_also_where_only_the_key_has_a_parse(tmp_path: Path) -> None:
    (tmp_path / "key.conll").write_text(PARSED_KEY)
    key = anascore.read(tmp_path / "key.conll")
    anascore.write(key, tmp_path / "response.jsonl")

    result = anascore.score(key, tmp_path / "response.jsonl", np_only=True)

    assert result.total.key["mentions"] == result.total.response["mentions"] == 6
    assert result["muc"].f1 == 1
    with pytest.raises(SettingsError, match="--np-only needs the parses of CoNLL-2012"):
        anascore.score(tmp_path / "response.jsonl", key, np_only=True)


def test_minimum_spans_from_parses_serve_partial_matching(tmp_path: Path) -> None:
    (tmp_path / "key.conll").write_text(PARSED_KEY)
    bare = PARSED_KEY.replace("\tNN\t", "\t-\t").replace("\tPRP\t", "\t-\t")
    bare = bare.replace("\tNNS\t", "\t-\t").replace("\tCD\t", "\t-\t").replace("\tVBD\t", "\t-\t")
    (tmp_path / "bare.conll").write_text(bare)

    assert anascore.score(tmp_path / "key.conll", tmp_path / "bare.conll", match="partial")
    with pytest.raises(SettingsError, match=r"bare\.conll: --match partial needs minimum spans"):
        anascore.score(tmp_path / "bare.conll", tmp_path / "key.conll", match="partial")
