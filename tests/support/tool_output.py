"""A short story in the formats of tools; it scores as the same story in CorefUD."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import anascore
from anascore.model.ratio import Score
from support.reading import put

SIX_METRICS = ("muc", "b3", "ceafe", "ceafm", "lea", "blanc")

COREFUD_KEY = """\
# global.Entity = eid-etype-head-other
# newdoc id = story
1	Ann	_	PROPN	_	_	2	nsubj	_	Entity=(e1)
2	saw	_	VERB	_	_	0	root	_	_
3	Bob	_	PROPN	_	_	6	nmod	_	Entity=(e3(e2)
4	's	_	PART	_	_	3	case	_	_
5	old	_	ADJ	_	_	6	amod	_	_
6	dog	_	NOUN	_	_	2	obj	_	Entity=(e4)e3)
7	.	_	PUNCT	_	_	2	punct	_	_

1	She	_	PRON	_	_	2	nsubj	_	Entity=(e1)
2	called	_	VERB	_	_	0	root	_	_
3	him	_	PRON	_	_	2	obj	_	Entity=(e2)
4	and	_	CCONJ	_	_	6	cc	_	_
5	it	_	PRON	_	_	6	nsubj	_	Entity=(e3)
6	came	_	VERB	_	_	2	conj	_	_
7	.	_	PUNCT	_	_	2	punct	_	_
"""

COREFUD_RESPONSE = (
    COREFUD_KEY.replace("Entity=(e3(e2)", "Entity=(e3(e5)")
    .replace("Entity=(e4)e3)", "Entity=e3)")
    .replace("obj\t_\tEntity=(e2)", "obj\t_\tEntity=(e1)")
)
"""The response takes him for Ann, and has no mention "dog"."""


class Files(NamedTuple):
    """A document: its file, and the file beside it if there is one."""

    main: str
    ending: str = ""
    """Ending of the file beside it."""

    companion: str = ""

    def put(self, folder: Path, name: str) -> Path:
        """Write the files; return the path of the first."""
        if self.companion:
            put(folder, Path(name).stem + self.ending, self.companion)
        return put(folder, name, self.main)


def six_scores(key: Path, response: Path) -> list[Score[float | None]]:
    """Return recall, precision and F1 of the six metrics."""
    scores = anascore.score(key, response).scores
    return [scores[metric] for metric in SIX_METRICS]


def check_same_scores(key: Files, response: Files, folder: Path, name: str) -> None:
    """Check that key and response, each or both in a format, score as in CorefUD."""
    own_key, own_response = key.put(folder / "key", name), response.put(folder / "response", name)
    corefud_key = put(folder, "key.conllu", COREFUD_KEY)
    corefud_response = put(folder, "response.conllu", COREFUD_RESPONSE)

    expected = six_scores(corefud_key, corefud_response)

    assert {0, 1, None}.isdisjoint(score.f1 for score in expected)
    assert six_scores(own_key, own_response) == expected
    assert six_scores(own_key, corefud_response) == expected
    assert six_scores(corefud_key, own_response) == expected


STANZA_KEY = """\
# newdoc id = story
# text = Ann saw Bob's old dog.
# sent_id = 0
1	Ann	Ann	PROPN	NNP	_	2	nsubj	_	start_char=0|end_char=3|ner=O|coref_chains=unit-repr-id0
2	saw	see	VERB	VBD	_	0	root	_	start_char=4|end_char=7
3-4	Bob's	_	_	_	_	_	_	_	start_char=8|end_char=13
3	Bob	Bob	PROPN	NNP	_	6	nmod	_	coref_chains=unit-repr-id1,start-repr-id2
4	's	's	PART	POS	_	3	case	_	coref_chains=middle-repr-id2
5	old	old	ADJ	JJ	_	6	amod	_	start_char=14|end_char=17|coref_chains=middle-repr-id2
6	dog	dog	NOUN	NN	_	2	obj	_	ner=O|coref_chains=end-repr-id2,unit-repr-id3
7	.	.	PUNCT	.	_	2	punct	_	start_char=21|end_char=22

# text = She called him and it came.
# sent_id = 1
1	She	she	PRON	PRP	_	2	nsubj	_	start_char=23|end_char=26|coref_chains=unit-id0
2	called	call	VERB	VBD	_	0	root	_	start_char=27|end_char=33
3	him	he	PRON	PRP	_	2	obj	_	start_char=34|end_char=37|coref_chains=unit-id1
4	and	and	CCONJ	CC	_	6	cc	_	start_char=38|end_char=41
5	it	it	PRON	PRP	_	6	nsubj	_	start_char=42|end_char=44|coref_chains=unit-id2
6	came	come	VERB	VBD	_	2	conj	_	start_char=45|end_char=49
7	.	.	PUNCT	.	_	2	punct	_	start_char=49|end_char=50

"""
STANZA_RESPONSE = (
    STANZA_KEY.replace("unit-repr-id1,", "unit-repr-id4,")
    .replace(",unit-repr-id3", "")
    .replace("unit-id1", "unit-id0")
)

SENTENCES = ["Ann saw Bob 's old dog .", "She called him and it came ."]
TOKEN_NAMES = (
    *("paragraph_ID", "sentence_ID", "token_ID_within_sentence", "token_ID_within_document"),
    *("word", "lemma", "byte_onset", "byte_offset", "POS_tag", "fine_POS_tag"),
    *("dependency_relation", "syntactic_head_ID", "event"),
)


def booknlp_tokens(words: Sequence[str], second_sentence: int) -> str:
    """Return a file of tokens."""
    rows = [TOKEN_NAMES]
    for number, word in enumerate(words):
        sentence = int(number >= second_sentence)
        within = number - sentence * second_sentence
        ids = ("0", str(sentence), str(within), str(number))
        rows.append((*ids, word, word.lower(), "0", "0", "X", "X", "dep", "0", "O"))
    return "".join("\t".join(row) + "\n" for row in rows)


BOOKNLP_TOKENS = booknlp_tokens(" ".join(SENTENCES).split(), 7)
BOOKNLP_KEY = """\
COREF	start_token	end_token	prop	cat	text
61	0	0	PROP	PER	Ann
62	2	2	PROP	PER	Bob
63	2	5	NOM	PER	Bob 's old dog
64	5	5	NOM	PER	dog
61	7	7	PRON	PER	She
62	9	9	PRON	PER	him
63	11	11	PRON	PER	it
"""
BOOKNLP_RESPONSE = BOOKNLP_KEY.replace("64\t5\t5\tNOM\tPER\tdog\n", "").replace("62\t9", "61\t9")

LITBANK_TEXT = "\n".join(SENTENCES) + "\n"
LITBANK_KEY = """\
MENTION	T1	0	0	0	0	Ann	PER	PROP
MENTION	T2	0	2	0	2	Bob	PER	PROP
MENTION	T3	0	2	0	5	Bob 's old dog	PER	NOM
MENTION	T4	0	5	0	5	dog	PER	NOM
MENTION	T5	1	0	1	0	She	PER	PRON
MENTION	T6	1	2	1	2	him	PER	PRON
MENTION	T7	1	4	1	4	it	PER	PRON
COREF	T1	Ann-0
COREF	T2	Bob-1
COREF	T3	dog-2
COREF	T5	Ann-0
COREF	T6	Bob-1
COREF	T7	dog-2
APPOS	T4	T3
"""
LITBANK_RESPONSE = (
    LITBANK_KEY.replace("MENTION\tT4\t0\t5\t0\t5\tdog\tPER\tNOM\n", "")
    .replace("APPOS\tT4\tT3\n", "")
    .replace("T6\tBob-1", "T6\tAnn-0")
)

BRAT_TEXT = "Ann saw Bob's old dog.\nShe called him and it came.\n"
BRAT_MENTIONS = """\
T1	Person 0 3	Ann
T2	Person 8 11	Bob
T3	Animal 8 21	Bob's old dog
T4	Animal 18 21	dog
T5	Person 23 26	She
T6	Person 34 37	him
T7	Animal 42 44	it
"""
BRAT_LINKS = {
    "relations": """\
R1	Coref Arg1:T5 Arg2:T1
R2	Coref Arg1:T6 Arg2:T2
R3	Coref Arg1:T7 Arg2:T3
""",
    "roles": """\
R1	Coreference Anaphor:T5 Antecedent:T1
R2	IDENT Anaphor:T6 Antecedent:T2
R3	sameAs Anaphor:T7 Antecedent:T3
""",
    "equivalences": "*	Equiv T1 T5\n*	Coreference T2 T6\n*	Equiv T3 T7\n",
    "notes": "".join(
        f"#{number}	AnnotatorNotes T{mention}	{entity}\n"
        for number, (mention, entity) in enumerate(zip("152637", "aabbcc", strict=True), 1)
    ),
    "attributes": "".join(
        f"A{number}	EntityID T{mention} {entity}\n"
        for number, (mention, entity) in enumerate(zip("152637", "aabbcc", strict=True), 1)
    ),
    "types": """\
T11	Ann-0 0 3	Ann
T12	Bob-1 8 11	Bob
T13	Bob_s_dog-2 8 21	Bob's old dog
T15	Ann-0 23 26	She
T16	Bob-1 34 37	him
T17	Bob_s_dog-2 42 44	it
R1	appos Arg1:T4 Arg2:T3
""",
}
"""The same entities, in all ways in which files of brat have them."""

BRAT_KEY = BRAT_MENTIONS + BRAT_LINKS["relations"]
BRAT_RESPONSE = BRAT_KEY.replace("T4\tAnimal 18 21\tdog\n", "").replace("Arg2:T2", "Arg2:T1")

SAMPLES = {
    "stanza": Files(STANZA_KEY),
    "booknlp": Files(BOOKNLP_KEY, ".tokens", BOOKNLP_TOKENS),
    "brat": Files(BRAT_KEY, ".txt", BRAT_TEXT),
    "litbank": Files(LITBANK_KEY, ".txt", LITBANK_TEXT),
}
"""The key by the names of formats that can only be read."""
