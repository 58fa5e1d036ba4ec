"""The column of words in files like CoNLL-2012, in the layouts of corpora and resolvers."""

from pathlib import Path

import pytest

import anascore
from anascore import ReadError, SettingsError
from anascore.corpus.validate import validate
from anascore.formats.conll2012 import FIRST_ROWS, MAX_ROWS
from anascore.formats.lossy import COLUMN
from support.reading import put, refusal

SEMEVAL = """\
#begin document 117_20020731.tbf
1\tEl\tel\tel\td\td\tnum=s\tnum=s\t2\t2\tspec\tspec\t_\t_\t_\t_\t(1
2\tpresident\tpresident\tpresident\tn\tn\tnum=s\tnum=s\t3\t3\tsuj\tsuj\t_\t_\targ0\targ0\t1)
3\tdijo\tdecir\tdecir\tv\tv\tnum=s\tnum=s\t0\t0\tsentence\tsentence\tdecir.a\t_\t_\t_\t_

1\tVino\tvenir\tvenir\tv\tv\tnum=s\tnum=s\t0\t0\tsentence\tsentence\tvenir.b\t_\t_\t_\t_
2\tél\tél\tél\tp\tp\tnum=s\tnum=s\t1\t1\tsuj\tsuj\t_\t_\targ1\targ1\t(1)
#end document 117_20020731.tbf
"""

DUTCH_SEMEVAL = """\
#begin document knack_7
1\tFrans\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_\t(44
2\tRombouts\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_\t44)
3\tgaat\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_
#end document knack_7
"""

DUTCHCOREF = """\
#begin document (ref);
ref\t1\tJan\t(7)
ref\t2\tziet\t-
ref\t3\tBens\t(8)|(10
ref\t4\tportret\t10
ref\t5\tvan\t10
ref\t6\tzichzelf\t10)|(8)
#end document
"""

HEBREW = """\
#begin document 153
עשרות\t0\t0\t_\t(0
אנשים\t0\t1\t_\t0)
מגיעים\t0\t2\t_\t_

הם\t1\t0\t_\t(0)
#end document
"""

CROSS_DOCUMENT = """\
#begin document test_events
36\t36_0\t36_1ecb\t0\t0\tA\tTrue\t-
36\t36_0\t36_1ecb\t0\t1\tgunman\tTrue\t-
36\t36_0\t36_1ecb\t0\t2\tshot\tTrue\t(7
36\t36_0\t36_1ecb\t0\t3\tand\tTrue\t7
36\t36_0\t36_1ecb\t0\t4\tkilled\tTrue\t7)
36\t36_0\t36_2ecb\t3\t19\tThe\tFalse\t-
36\t36_0\t36_2ecb\t3\t20\tshooting\tFalse\t(7)
#end document
"""

MASKED = """\
#begin document (huffpost);
7\t7_0\td41\t0\t0\tThe\tTrue\t(3
7\t7_0\td41\t0\t1\t___\tTrue\t3
7\t7_0\td41\t0\t2\t___\tTrue\t3)
7\t7_0\td42\t1\t3\tHe\tTrue\t-
7\t7_0\td42\t1\t4\t___\tTrue\t(3)
#end document
"""

FIFTH = """\
#begin document ECB
1ecbplus 1_1ecbplus 0 0 Lindsay (5
1ecbplus 1_1ecbplus 0 1 Lohan 5)
1ecbplus 1_2ecbplus 4 0 She (5)
1ecbplus 1_2ecbplus 4 1 left -
#end document
"""

THIRD = """\
#begin document (d1);
d1 0 Lindsay NNP PERSON (5
d1 1 Lohan NNP PERSON 5)
d1 2 left VBD O -
#end document
"""

GUN_VIOLENCE = """\
#begin document (40b69c);
40b69c.DCT\t2017-01-08\tDCT\t-
40b69c.t1.1\tTeen\tTITLE\t-
40b69c.t1.2\tfatally\tTITLE\t(12
40b69c.t1.3\tshot\tTITLE\t12)
40b69c.b1.1\tA\tBODY\t-
40b69c.b1.2\tshooting\tBODY\t(12)
#end document
"""

UNNUMBERED = """\
#begin document (d);
x\tD\t0.5\t_\tdas\tDAS\t-\t(1
x\tN\t0.5\t_\tHaus\tHAUS\t-\t1)
x\tD\t0.2\t_\tder\tDER\t-\t-
x\tN\t0.5\t_\tMann\tMANN\t-\t-
#end document
"""

LAYOUTS: dict[str, tuple[str, int, str]] = {
    "SemEval-2010": (SEMEVAL, 2, "El president dijo Vino él"),
    "SemEval-2010, Dutch": (DUTCH_SEMEVAL, 2, "Frans Rombouts gaat"),
    "Hebrew": (HEBREW, 1, "עשרות אנשים מגיעים הם"),
    "cross-document": (CROSS_DOCUMENT, 6, "A gunman shot and killed The shooting"),
    "HyperCoref, masked": (MASKED, 6, "The ___ ___ He ___"),
    "fifth": (FIFTH, 5, "Lindsay Lohan She left"),
    "third, with a tag in the fourth": (THIRD, 3, "Lindsay Lohan left"),
    "Gun Violence Corpus": (GUN_VIOLENCE, 2, "2017-01-08 Teen fatally shot A shooting"),
    "words without numbers": (UNNUMBERED, 5, "das Haus der Mann"),
}
"""Files with the column of the words, and the words."""


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_column_of_words_is_detected_and_noted(tmp_path: Path, layout: str) -> None:
    text, column, words = LAYOUTS[layout]
    path = put(tmp_path, "f.conll", text)

    (document,) = anascore.read(path).documents.values()

    assert " ".join(document.words) == words
    assert document.notes[f"documents whose words are taken from column {column}"] == 1
    (result,) = validate(str(path))
    assert f"the words are taken from column {column}; --word-column chooses another" in {
        problem.what for problem in result.problems
    }


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_layout_is_detected_without_begin_document(tmp_path: Path, layout: str) -> None:
    text, _, words = LAYOUTS[layout]
    rows = "".join(line for line in text.splitlines(keepends=True) if line[0] != "#")

    corpus = anascore.read(put(tmp_path, "f", rows))

    assert corpus.format == "conll2012"
    assert [" ".join(document.words) for document in corpus.documents.values()] == [words]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_column_that_is_named_gets_no_note(tmp_path: Path, layout: str) -> None:
    text, column, words = LAYOUTS[layout]
    path = put(tmp_path, "f.conll", text)

    (document,) = anascore.read(path, word_column=column).documents.values()

    assert " ".join(document.words) == words
    assert not any("column" in note for note in document.notes)
    assert (
        anascore.score(anascore.read(path), anascore.read(path, word_column=column))["b3"].f1 == 1
    )


@pytest.mark.parametrize("layout", LAYOUTS)
def test_other_layouts_are_written_as_conll2012(tmp_path: Path, layout: str) -> None:
    text, column, _ = LAYOUTS[layout]
    corpus = anascore.read(put(tmp_path, "f.conll", text))

    lost = anascore.write(corpus, tmp_path / "new.conll")

    written = anascore.read(tmp_path / "new.conll")
    assert written == corpus
    assert not any("column" in note for doc in written.documents.values() for note in doc.notes)
    assert all(kind.startswith(f"{COLUMN}COLUMN_") for kind in lost)
    assert f"{COLUMN}COLUMN_{column}" not in lost


USUAL: dict[str, str] = {
    "two columns": "w -\nw (1)\n",
    "three columns": "x 7 w -\nx 9 v (1)\n",
    "four columns": "d\t1\tw\t-\nd\t2\tv\t(1)\n",
    "tags behind the words": "d 0 0 w NN -\nd 0 1 v VB (1)\n",
    "no numbers": "d 0 0 w NN -\nd 0 0 v VB (1)\n",
    "words that are numbered": "d 0 0 w1 NN -\nd 0 0 w2 VB (1)\n",
    "all columns, words that are numbers": "d 0 0 1 CD * - - - - * -\nd 0 1 2 NN * - - - - * (1)\n",
    "all columns, the same word": "d 0 0 ja A * - - - - * -\nd 0 1 ja B * - - - - * (1)\n",
    "all columns, placeholders": "d 0 0 - A * - - - - * -\nd 0 1 - B * - - - - * (1)\n",
    "one word": "d 0 0 w NN (1)\n",
    "nothing that looks like words": "d 0 0 1 - -\nd 0 1 2 - (1)\n",
    "more predicates later": "d 0 0 w N (A*) -\nd 0 1 v V (V*) (1)\n\nd 0 0 x N -\n",
    "numbers first": "".join(f"d 0 {n} {n * n} CD -\n" for n in range(15)) + "d 0 15 men NN (1)\n",
}
"""Files with the words where CoNLL-2012 has them."""


@pytest.mark.parametrize("case", USUAL)
def test_the_usual_column_gets_no_note(tmp_path: Path, case: str) -> None:
    path = put(tmp_path, "f.conll", "#begin document (d); part 000\n" + USUAL[case])

    (document,) = anascore.read(path, "conll2012").documents.values()

    rows = [line.split() for line in USUAL[case].splitlines() if line]
    assert document.notes == {}
    assert list(document.words) == [row[3 if len(row) > 4 else -2] for row in rows]
    assert document.table is not None
    assert not any(name.startswith("COLUMN_") for name in document.table.columns)


def test_only_the_first_rows_decide(tmp_path: Path) -> None:
    rows = "".join(f"d 0 {n} _ _ -\n" for n in range(MAX_ROWS)) + "d 0 0 men NN (1)\n"

    (document,) = anascore.read(put(tmp_path, "f.conll", rows)).documents.values()

    assert (document.words[-1], document.notes) == ("men", {})


def test_parses_and_tags_of_the_usual_layout_are_known(tmp_path: Path) -> None:
    text = "d 0 0 it PRP (S(NP*) - - - - * (1)\nd 0 1 works VBZ (VP*)) - - - - * -\n"
    path = put(tmp_path, "f.conll", text)

    for column in (None, 4):
        (document,) = anascore.read(path, word_column=column).documents.values()
        assert document.table is not None
        assert document.table.columns[3:6] == ("FORM", "XPOS", "PARSE")
    (document,) = anascore.read(path, word_column=5).documents.values()
    assert document.words == ("PRP", "VBZ")
    assert document.table is not None
    assert "PARSE" not in document.table.columns


def test_the_named_column_counts_in_narrow_sentences_too(tmp_path: Path) -> None:
    text = "#begin document (d); part 000\na b c d -\na b c d (1)\n\nx y z (1)\n"
    path = put(tmp_path, "f.conll", text)

    corpus = anascore.read(path, word_column=3)
    anascore.write(corpus, tmp_path / "new.conll")

    assert corpus.documents["d"].words == ("c", "c", "z")
    assert anascore.read(tmp_path / "new.conll") == corpus


def missing(path: Path, column: int) -> str:
    with pytest.raises(ReadError) as error:
        anascore.read(path, "conll2012", word_column=column)
    return str(error.value).removeprefix(str(path))


def test_a_column_that_does_not_exist(tmp_path: Path) -> None:
    path = put(tmp_path, "f.conll", "#begin document (d)\nd 0 0 John (1)\n\nd 0 left -\n")

    assert missing(path, 5) == (
        ":2: the word should be in column 5, but this line has 5 columns, the last for the "
        "entities; --word-column must be at most 4 here"
    )
    assert missing(path, 4) == (
        ":4: the word should be in column 4, but this line has 4 columns, the last for the "
        "entities; --word-column must be at most 3 here"
    )
    assert missing(put(tmp_path, "f", "#begin document (d)\n(1)\n"), 1) == (
        ":2: this line has only one column, that of the entities; there is no column of words"
    )


def test_a_column_that_does_not_exist_is_named_once_per_document(tmp_path: Path) -> None:
    text = "#begin document (d)\na b (1)\n\na b -\n#begin document (e)\na b (1)\n"
    path = str(put(tmp_path, "f.conll", text))

    (result,) = validate(path, word_column=3)

    assert [problem.line for problem in result.problems] == [2, 6]
    assert len(result.errors) == 2


def test_a_detected_column_that_does_not_exist(tmp_path: Path) -> None:
    rows = "".join(f"t d 0 {n} w{n} -\n" for n in range(FIRST_ROWS))
    text = f"#begin document (d)\n{rows}\nd 0 {FIRST_ROWS} w -\n"

    assert refusal(put(tmp_path, "f.conll", text)) == (
        ":13: the word should be in column 5, but this line has 5 columns, the last for the "
        "entities; --word-column must be at most 4 here"
    )


@pytest.mark.parametrize("column", [0, -1, True, "2", 1.0])
def test_a_column_is_a_number_from_1(tmp_path: Path, column: int) -> None:
    with pytest.raises(SettingsError) as error:
        anascore.read(put(tmp_path, "f.conll", FIFTH), word_column=column)

    message = "--word-column must be a whole number, at least 1, not"
    assert str(error.value) == f"{message} {column!r}"


def test_other_formats_have_no_word_column(tmp_path: Path) -> None:
    path = put(tmp_path, "f", '{"tokens": ["a"], "clusters": []}')

    with pytest.raises(SettingsError, match="is JSON lines; --word-column is only for CoNLL-2012"):
        anascore.read(path, word_column=2)
