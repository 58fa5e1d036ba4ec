"""Small files with everything that can be scored: layers, zeros, heads, minimum spans, parses."""


def tabbed(text: str) -> str:
    """Write columns with tabs that are easier to read with blanks."""
    lines = text.splitlines()
    return "".join(
        (line if line.startswith("#") else "\t".join(line.split())) + "\n" for line in lines
    )


def edited(text: str, changes: dict[str, str]) -> str:
    """Put other lines in the place of some, each of which is given by its beginning."""
    for beginning, lines in changes.items():
        before, start, after = text.partition("\n" + "\t".join(beginning.split()) + "\t")
        assert start
        text = before + "\n" + tabbed(lines) + after.partition("\n")[2]
    return text


LAYERS_KEY = tabbed("""\
# global.columns = ID FORM UPOS IDENTITY BRIDGING DISCOURSE_DEIXIS
# newdoc id = house
1 The DET (EntityID=1|MarkableID=m1|Min=3 _ (EntityID=1|ElementOf=3
2 old ADJ _ _ _
3 house NOUN ) _ _
4 burned VERB _ _ )
5 . PUNCT _ _ _

6 The DET (EntityID=2|MarkableID=m2|Min=7 (MarkableID=m2|Rel=part|MentionAnchor=m1) (EntityID=2|ElementOf=3
7 door NOUN ) _ _
8 fell VERB _ _ )
9 . PUNCT _ _ _

10 It PRON (EntityID=3-Pseudo|MarkableID=m3|SemType=expletive) _ _
11 shows VERB _ _ _
12 that SCONJ _ _ _
13 the DET (EntityID=4|MarkableID=m4|Min=15 (MarkableID=m4|Rel=owner|EntityAnchor=1) _
14 rich ADJ _ _ _
15 owner NOUN ) _ _
16 saw VERB _ _ _
17 this PRON _ _ (EntityID=3)
18 , PUNCT _ _ _
19 and CCONJ _ _ _
20 she PRON (EntityID=4|MarkableID=m5) _ _
21 loved VERB _ _ _
22 it PRON (EntityID=1|MarkableID=m6) _ _
""")  # noqa: E501

LAYERS_RESPONSE = edited(
    LAYERS_KEY,
    {
        "6 The": "6 The DET (EntityID=2|MarkableID=m2 (MarkableID=m2|Rel=part|MentionAnchor=m4) "
        "(EntityID=2",
        "13 the": "13 the DET _ _ _",
        "14 rich": "14 rich ADJ (EntityID=4|MarkableID=m4|Min=15 _ _",
        "15 owner": "15 owner NOUN ) (MarkableID=m4|Rel=owner|EntityAnchor=1) _",
        "22 it": "22 it PRON (EntityID=9-Pseudo|SemType=idiom) _ _",
    },
)
"""Another anchor for the door, an owner without article, an element less, an idiom too many."""

RELEASED = """\
# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM
# newdoc id = house
# text = the old house and men : the old lot the red roof it burns this
1   the    _  _  _  _  _  _  _  _  (EntityID=1|MarkableID=m1|Min=9|SemType=dn|ElementOf=3      _                                                            _                                   _                 (MarkableID=m1|Entity_Type=space
2   old    _  _  _  _  _  _  _  _  _                                                           _                                                            _                                   _
3   house  _  _  _  _  _  _  _  _  )                                                           _                                                            _                                   _                 )
4   and    _  _  _  _  _  _  _  _  _                                                           _                                                            _                                   _
5   men    _  _  _  _  _  _  _  _  (EntityID=2|MarkableID=m2|Min=9|SemType=dn|ElementOf=3)     _                                                            _                                   _                 (MarkableID=m2)
6   :      _  _  _  _  _  _  _  _  _                                                           _                                                            _                                   _
7   the    _  _  _  _  _  _  _  _  (EntityID=3|MarkableID=m3|Min=1,2|SemType=dn                (MarkableID=m3|Rel=subset|MentionAnchor=m1|EntityAnchor=1    _                                   _                 _
8   old    _  _  _  _  _  _  _  _  _                                                           _                                                            _                                   _                 _
9   lot    _  _  _  _  _  _  _  _  )                                                           )                                                            _                                   _

10  the    _  _  _  _  _  _  _  _  (EntityID=4|MarkableID=m4|Min=12|SemType=dn                 (MarkableID=m4|Rel=part|EntityAnchor=1                       (EntityID=1|MarkableID=m6|Min=13    (MarkableID=m6
11  red    _  _  _  _  _  _  _  _  _                                                           _                                                            _                                   _
12  roof   _  _  _  _  _  _  _  _  )                                                           )                                                            _                                   _
13  it     _  _  _  _  _  _  _  _  (EntityID=5-Pseudo|MarkableID=m5|SemType=dn|ElementOf=3)    _                                                            _                                   _
14  burns  _  _  _  _  _  _  _  _  _                                                           _                                                            )                                   )
15  this   _  _  _  _  _  _  _  _  _                                                           _                                                            (EntityID=1|MarkableID=m7|Min=15)   _
"""  # noqa: E501
"""All layers, in the layout of the files that CODI-CRAC released."""

ZEROS_KEY = tabbed("""\
# global.Entity = eid-etype-head-other
# newdoc id = ana
1 Ana _ PROPN _ _ 2 nsubj 2:nsubj Entity=(e1-person-1-)
2 vino _ VERB _ _ 0 root 0:root _
2.1 _ _ PRON _ _ _ _ 4:nsubj Entity=(e1-person-1-)
3 y _ CCONJ _ _ 4 cc 4:cc _
4 vio _ VERB _ _ 2 conj 2:conj _
5 la _ DET _ _ 7 det 7:det Entity=(e2-place-3-
6 gran _ ADJ _ _ 7 amod 7:amod _
7 casa _ NOUN _ _ 4 obj 4:obj Entity=e2)
8 . _ PUNCT _ _ 2 punct 2:punct _

1 Ella _ PRON _ _ 2 nsubj 2:nsubj Entity=(e1-person-1-)
2 entra _ VERB _ _ 0 root 0:root _
2.1 _ _ PRON _ _ _ _ 2:obj Entity=(e2-place-1-)
3 . _ PUNCT _ _ 2 punct 2:punct _
""")

ZEROS_RESPONSE = edited(
    ZEROS_KEY,
    {
        "2.1 _ _ PRON _ _ _ _ 4:nsubj": "",
        "4 vio": "4 vio _ VERB _ _ 2 conj 2:conj _\n"
        "4.1 _ _ PRON _ _ _ _ 4:nsubj Entity=(e1-person-1-)",
        "5 la": "5 la _ DET _ _ 7 det 7:det _",
        "6 gran": "6 gran _ ADJ _ _ 7 amod 7:amod Entity=(e2-place-2-",
    },
)
"""The first zero stands elsewhere, and the house has no article."""

PARSED_KEY = tabbed("""\
#begin document (parsed); part 000
parsed 0 0 The DT (TOP(S(NP(NP* - - - - * (1
parsed 0 1 man NN *) - - - - * -
parsed 0 2 in IN (PP* - - - - * -
parsed 0 3 the DT (NP* - - - - * (2
parsed 0 4 hat NN *))) - - - - * 1)|2)
parsed 0 5 bought VBD (VP* - - - - * (3)
parsed 0 6 two CD (NP(NP* - - - - * (4
parsed 0 7 cars NNS *) - - - - * -
parsed 0 8 and CC * - - - - * -
parsed 0 9 a DT (NP* - - - - * -
parsed 0 10 bike NN *))) - - - - * 4)
parsed 0 11 . . *)) - - - - * -

parsed 0 0 This DT (TOP(S(NP*) - - - - * (3)
parsed 0 1 pleased VBD (VP* - - - - * -
parsed 0 2 the DT (NP(NP* - - - - * (1
parsed 0 3 man NN *) - - - - * -
parsed 0 4 himself PRP (NP*))) - - - - * (1)|1)
parsed 0 5 . . *)) - - - - * -

#end document
""")

PARSED_RESPONSE = edited(
    PARSED_KEY,
    {
        "parsed 0 1 man": "parsed 0 1 man NN *) - - - - * 1)",
        "parsed 0 4 hat": "parsed 0 4 hat NN *))) - - - - * 2)",
    },
)
"""The man without the hat."""

DOUGH = tabbed("""\
# global.columns = ID FORM IDENTITY
# newdoc id = dough
1 Add _
2 the (EntityID=water|MarkableID=m1|Min=3
3 water )
4 to _
5 the (EntityID=flour|MarkableID=m2|Min=6
6 flour )
7 . _

8 Work _
9 the (EntityID=dough|MarkableID=m3|Min=10|ResultOf=water,flour
10 dough )
11 until _
12 it (EntityID=dough|MarkableID=m4)
13 is _
14 smooth _
""")
"""The paper's example of context change, with an `it`."""

DOUGH_AS_SET = edited(
    DOUGH,
    {
        "2 the": "2 the (EntityID=water|MarkableID=m1|Min=3|ElementOf=dough",
        "5 the": "5 the (EntityID=flour|MarkableID=m2|Min=6|ElementOf=dough",
        "9 the": "9 the (EntityID=dough|MarkableID=m3|Min=10",
    },
)

SAMPLES: dict[str, str] = {
    "layers-key.conllua": LAYERS_KEY,
    "layers.conllua": LAYERS_RESPONSE,
    "zeros-key.conllu": ZEROS_KEY,
    "zeros.conllu": ZEROS_RESPONSE,
    "parsed-key.conll": PARSED_KEY,
    "parsed.conll": PARSED_RESPONSE,
    "dough.conllua": DOUGH,
    "dough-set.conllua": DOUGH_AS_SET,
}
