"""Damage to files with columns and brackets: CoNLL formats, standoff and LLM text."""

from __future__ import annotations

import re
from collections.abc import Callable

from tools.fuzzing.kinds import (
    COLUMNS,
    CONLL_U,
    NOTICED,
    REJECTED,
    SUSPECTED,
    TABLES,
    UNCHANGED,
    WARNED,
    Damage,
    Pick,
    each,
    kind,
    pattern,
    patterns,
    text,
)
from tools.fuzzing.samples import Sample

_MENTION_ROWS = {
    "ua": r"[0-9]+\t.*\(EntityID=e[0-9]+\|.*",
    "corefud": r"[0-9]+\t.*\tEntity=.*",
    "stanza": r"[0-9]+\t.*coref_chains=.*",
    "conll2012": r".*\t\([0-9]+\)",
    "booknlp": r"[0-9]+\t.*",
    "litbank": r"MENTION\t.*",
    "brat": r"T.*",
}
"""Patterns of lines with a mention."""


def _row(change: Callable[[str], str]) -> Damage:
    """Return a damage that changes a line with a mention."""

    def damage(sample: Sample, pick: Pick) -> Sample:
        lines = sample.main.decode().split("\n")
        row = re.compile(_MENTION_ROWS[sample.format])
        number = pick([number for number, line in enumerate(lines) if row.fullmatch(line)])
        lines[number] = change(lines[number])
        return sample._replace(main="\n".join(lines).encode())

    return damage


def _swap_rows(sample: Sample, pick: Pick) -> Sample:
    """Swap a line with a mention and the next line."""
    lines = sample.main.decode().split("\n")
    row = re.compile(_MENTION_ROWS[sample.format])
    numbers = [number for number, line in enumerate(lines) if row.fullmatch(line)]
    number = pick([number for number in numbers if "\t" in lines[number + 1]])
    lines[number : number + 2] = lines[number + 1], lines[number]
    return sample._replace(main="\n".join(lines).encode())


def _cut(row: str) -> str:
    """Cut a row before the last tab in its first half."""
    return row[: row.rindex("\t", 0, len(row) // 2)]


def _everywhere(old: str, new: str) -> Damage:
    return text(lambda main: main.replace(old, new))


def _without_column(row: str) -> str:
    columns = row.split("\t")
    return "\t".join(columns[:1] + columns[2:])


def _misc(change: str) -> dict[str, Damage]:
    """Return the damage of a multiword token line with annotation before the first word."""
    annotation = {
        "ua": "\t_" * 8 + "\t(EntityID=e5|MarkableID=markable_99)" + "\t_" * 4,
        "corefud": "\t_" * 7 + "\tEntity=(e5)",
        "stanza": "\t_" * 7 + "\tcoref_chains=unit-id0",
    }
    rows = {name: rf"{change}\tAnn{columns}\n1\tAnn" for name, columns in annotation.items()}
    return patterns({name: (r"^1\tAnn", row.replace("\\t", "\t")) for name, row in rows.items()})


_NUMBERED = tuple(name for name in COLUMNS if name != "booknlp")
"""Formats that have ids of lines or words; a line of others can be missed by nothing."""

_ROW_KINDS = (
    kind("last column lost", REJECTED, each(COLUMNS, _row(lambda row: row.rpartition("\t")[0]))),
    kind("second column lost", REJECTED, each(COLUMNS, _row(_without_column))),
    kind("column added at the end", REJECTED, each(COLUMNS, _row(lambda row: f"{row}\t_"))),
    kind(
        "tab added at the end",
        REJECTED,
        each(COLUMNS, _row(lambda row: f"{row}\t")),
        unchanged=("conll2012", "brat"),
    ),
    kind("tab doubled", REJECTED, each(COLUMNS, _row(lambda row: row.replace("\t", "\t\t", 1)))),
    kind(
        "tab replaced by a blank",
        REJECTED,
        each(COLUMNS, _row(lambda row: row.replace("\t", " ", 1))),
    ),
    kind("line cut", REJECTED, each(COLUMNS, _row(_cut))),
    kind(
        "line cut within the name of an attribute",
        SUSPECTED,
        patterns(
            {
                "corefud": (r"Entity=\(e9--1-\)$", "Enti"),
                "stanza": ("coref_chains=unit-id0$", "coref_cha"),
            }
        ),
    ),
    kind(
        "line cut within another attribute",
        SUSPECTED,
        patterns(
            {
                "corefud": (r"\tEntity=\(e9--1-\)$", "\tSpaceAf"),
                "stanza": (r"end_char=26\|coref_chains=unit-id0$", "end_char="),
            }
        ),
    ),
    kind(
        "line without its first character",
        REJECTED,
        each(_NUMBERED, _row(lambda row: row[1:])),
        unchanged=("conll2012",),
    ),
    kind(
        "blank before a line",
        REJECTED,
        each(COLUMNS, _row(lambda row: f" {row}")),
        unchanged=("conll2012",),
    ),
    kind(
        "blanks at the end of a line",
        UNCHANGED,
        each(COLUMNS, _row(lambda row: f"{row}  ")),
    ),
    kind(
        "line lost",
        NOTICED,
        {
            # T4 of brat has no link: nothing tells that it is lost.
            name: pattern(rf"^(?!T4){row}\n", "")
            for name, row in _MENTION_ROWS.items()
            if name in _NUMBERED
        },
        rejected=("ua", "litbank", "brat"),
        warned=("corefud", "stanza"),
    ),
    kind(
        "line twice",
        REJECTED,
        each(COLUMNS, _row(lambda row: f"{row}\n{row}")),
        warned=("conll2012", "booknlp"),
    ),
    kind(
        "line of a zero twice",
        REJECTED,
        each(("ua", "corefud"), pattern(r"^(4\.1\t.*\n)", r"\1\1")),
    ),
    kind(
        "lines swapped",
        REJECTED,
        each(COLUMNS, _swap_rows),
        warned=("conll2012",),
        unchanged=("booknlp", "litbank", "brat"),
    ),
    kind(
        "line divided at a tab", REJECTED, each(COLUMNS, _row(lambda r: r.replace("\t", "\n", 1)))
    ),
    kind(
        "lines joined",
        REJECTED,
        {name: pattern(rf"^({row})\n", r"\1") for name, row in _MENTION_ROWS.items()},
    ),
    kind("blank line added", UNCHANGED, each(COLUMNS, _row(lambda row: f"{row}\n"))),
    kind(
        "comment added",
        UNCHANGED,
        each(COLUMNS, _row(lambda row: f"# note\n{row}")),
        rejected=("booknlp", "litbank", "brat"),
    ),
    kind("columns empty instead of _", UNCHANGED, each(CONLL_U, pattern(r"\t_\t_", "\t\t"))),
)

_CELL_KINDS = (
    kind(
        "text in an empty cell of coreference",
        REJECTED,
        patterns(
            {
                "ua": (r"\t_\t_\t_\t_\t_$", "\tjunk\t_\t_\t_\t_"),
                "conll2012": (r"\t-$", "\tjunk"),
            }
        ),
    ),
    kind(
        "text in an empty cell of bridging",
        REJECTED,
        patterns({"ua": (r"\t_\t_\t_\t_$", "\tjunk\t_\t_\t_")}),
    ),
    kind(
        "text in an empty cell of discourse deixis",
        REJECTED,
        patterns({"ua": (r"\t_\t_\t_$", "\tjunk\t_\t_")}),
    ),
    kind(
        "separator of brackets alone in a cell",
        REJECTED,
        patterns({"ua": (r"\t_\t_\t_\t_\t_$", "\t@\t_\t_\t_\t_")}),
    ),
    kind(
        "sign of an empty cell changed to *",
        WARNED,
        patterns({"conll2012": (r"\t-$", "\t*")}),
    ),
    kind(
        "mention replaced by *",
        WARNED,
        patterns({"conll2012": (r"\t\([0-9]+\)$", "\t*")}),
    ),
    kind(
        "annotation moved to a column of grammar",
        REJECTED,
        patterns(
            {
                "ua": (r"\t_\t_\t(\(EntityID=e[^\t]*\))\t", r"\t\1\t_\t_\t"),
                "corefud": (r"\t_\t(Entity=\([^\t]*)$", r"\t\1\t_"),
                "stanza": (r"\t_\t(.*coref_chains=.*)$", r"\t\1\t_"),
                "conll2012": (r"\t-\t\*\t(\([0-9]+\))$", r"\t\1\t*\t-"),
            }
        ),
        suspected=("conll2012",),
    ),
    kind(
        "annotation moved to another column",
        WARNED,
        patterns(
            {
                "ua": (r"\t_\t(\(EntityID=e[^\t]*\))\t", r"\t\1\t_\t"),
                "corefud": (
                    r"^([0-9]+\t[^\t]*)\t_(\t.*)\t(Entity=\([^\t]*\))$",
                    r"\1\t\3\2\t_",
                ),
                "stanza": (
                    r"^([0-9]+\t[^\t]*)\t[^\t]*(\t.*)\t([^\t]*coref_chains=unit-id[0-9])$",
                    r"\1\t\3\2\t_",
                ),
            }
        ),
    ),
    kind(
        "annotation of entities moved to the column of bridging",
        REJECTED,
        patterns({"ua": (r"\t(\(EntityID=[^\t]*\))\t_\t", r"\t_\t\1\t")}),
    ),
    kind(
        "links of sets moved to a column of grammar",
        REJECTED,
        patterns(
            {
                "ua": (
                    r"\t_\t_\t(\(EntityID=e3\|MarkableID=markable_5)\|(ElementOf=e4)",
                    r"\t\2\t_\t\1",
                ),
                "corefud": (r"\t_\t(Entity=.*)\|(SplitAnte=.*)", r"\t\2\t\1"),
            }
        ),
    ),
    kind(
        "links of sets moved to another column",
        WARNED,
        patterns(
            {
                "ua": (
                    r"(\(EntityID=e3\|MarkableID=markable_5)\|(ElementOf=e4\))\t_\t_\t_",
                    r"\1)\t_\t_\t(\2",
                ),
                "corefud": (
                    r"^([0-9]+\t[^\t]*)\t_(\t.*\tEntity=.*)\|(SplitAnte=.*)",
                    r"\1\t\3\2",
                ),
            }
        ),
    ),
    kind(
        "links of sets moved to the column of bridging",
        REJECTED,
        patterns(
            {
                "ua": (
                    r"(\(EntityID=e3\|MarkableID=markable_5)\|(ElementOf=e4\))\t_\t",
                    r"\1)\t(MarkableID=markable_5|\2\t",
                )
            }
        ),
    ),
    kind(
        "bridging moved to another column",
        REJECTED,
        patterns(
            {
                "ua": (r"\t(\(MarkableID=markable_8\|Rel[^\t]*)\t_\t_\t_", r"\t_\t_\t\1\t_"),
                "corefud": (r"\t_\t(Entity=.*)\|(Bridge=.*)", r"\t\2\t\1"),
            }
        ),
        warned=("ua",),
    ),
)

_HEADER_KINDS = (
    kind(
        "header missing",
        UNCHANGED,
        patterns(
            {
                "ua": (r"^# global\.columns.*\n", ""),
                "corefud": (r"^# global\.Entity.*\n", ""),
                "booknlp": (r"^COREF.*\n", ""),
            }
        ),
        rejected=("corefud", "booknlp"),
    ),
    kind(
        "header twice",
        UNCHANGED,
        patterns(
            {
                "ua": (r"^(# global\.columns.*\n)", r"\1\1"),
                "corefud": (r"^(# global\.Entity.*\n)", r"\1\1"),
                "booknlp": (r"^(COREF.*\n)", r"\1\1"),
            }
        ),
        rejected=("booknlp",),
    ),
    kind(
        "header with another one after it",
        REJECTED,
        patterns(
            {
                "ua": (r"^(# global\.columns = ID FORM )(.*\n)", r"\1\2\1MISC IDENTITY\n"),
                "corefud": (r"^(# global\.Entity = eid)(.*\n)", r"\1\2\1-head\n"),
            }
        ),
    ),
    kind(
        "header with another order of fields after it",
        WARNED,
        patterns(
            {
                "corefud": (
                    r"^(# newdoc id = é)",
                    r"# global.Entity = eid-head-etype-other\n\1",
                )
            }
        ),
    ),
    kind(
        "hyphen of the header replaced by a blank",
        REJECTED,
        patterns({"corefud": ("(?<=eid|ype|ead)-(?=[a-z])", " ")}),
    ),
    kind(
        "header nearly named",
        WARNED,
        patterns(
            {
                "ua": (r"^# global\.columns", "# global.column"),
                "corefud": (r"^# global\.Entity", "# global.Entities"),
            }
        ),
        rejected=("corefud",),
    ),
    kind(
        "column nearly named in the header",
        REJECTED,
        patterns(
            {"ua": (" IDENTITY ", " IDENTITIES "), "booknlp": ("^COREF", "CORF")},
        ),
    ),
    kind(
        "column of a layer nearly named in the header",
        WARNED,
        patterns({"ua": (" DISCOURSE_DEIXIS ", " DISCOURSE_DEIXES ")}),
    ),
    kind(
        "column twice in the header",
        REJECTED,
        patterns({"ua": (" BRIDGING ", " IDENTITY "), "booknlp": ("\tprop\t", "\tCOREF\t")}),
    ),
    kind(
        "column missing in the header",
        REJECTED,
        patterns({"ua": (" IDENTITY ", " "), "booknlp": ("\tprop\t", "\t")}),
    ),
    kind(
        "field of mentions nearly named in the header",
        WARNED,
        patterns({"corefud": ("eid-etype-head", "eid-etype-heads")}),
    ),
    kind(
        "header cut within a field",
        SUSPECTED,
        patterns({"corefud": ("-head-other$", "-he")}),
    ),
    kind(
        "field of the entity nearly named in the header",
        REJECTED,
        patterns({"corefud": ("= eid-etype", "= eids-etype")}),
    ),
    kind(
        "start of a document missing",
        NOTICED,
        patterns(
            {
                **dict.fromkeys(("ua", "corefud"), (r"^# newdoc id = é\n", "")),
                "stanza": (r"^# newdoc.*\n", ""),
                "conll2012": (r"^#begin document \(é.*\n", ""),
            }
        ),
        rejected=("ua", "conll2012"),
    ),
    kind(
        "start of a document nearly named",
        WARNED,
        patterns(
            {
                **dict.fromkeys(("ua", "corefud"), (r"^# newdoc id = é", "# newdocs id = é")),
                "stanza": (r"^# newdoc", "# newdocs"),
                "conll2012": (r"^#begin document \(é", "#begin documents (é"),
            }
        ),
        rejected=("ua", "conll2012"),
    ),
    kind(
        "id of a document twice",
        REJECTED,
        patterns(
            {
                **dict.fromkeys(("ua", "corefud"), (r"^# newdoc id = é", "# newdoc id = d")),
                "conll2012": (r"^#begin document \(é", "#begin document (d"),
            }
        ),
    ),
    kind(
        "id of a document changed",
        NOTICED,
        patterns(
            {
                **dict.fromkeys(CONLL_U, (r"^# newdoc id = .*", "# newdoc id = other")),
                "conll2012": (r"^#begin document \(d", "#begin document (other"),
            }
        ),
    ),
    kind(
        "end of a document missing",
        UNCHANGED,
        patterns({"conll2012": (r"^#end document\n", "")}),
    ),
    kind(
        "number of a part with other digits",
        NOTICED,
        patterns({"conll2012": (r"part 000", "part ٠٠١")}),
    ),
)

_ID_KINDS = (
    kind("id of a word twice", REJECTED, each(CONLL_U, pattern(r"^2\t", "1\t"))),
    kind(
        "gap in the ids of words",
        WARNED,
        {
            **each(("ua", "corefud"), pattern(r"^6\t", "7\t")),
            "stanza": pattern(r"^7\t", "8\t"),
        },
    ),
    kind("id of a word in other digits", REJECTED, each(CONLL_U, pattern(r"^2\t", "٢\t"))),
    kind("id of a word not a number", REJECTED, each(CONLL_U, pattern(r"^2\t", "b\t"))),
    kind("id of a word negative", REJECTED, each(CONLL_U, pattern(r"^2\t", "-2\t"))),
    kind("id of a word missing", REJECTED, each(CONLL_U, pattern(r"^2\t", "_\t"))),
    kind("annotation on a multiword token", REJECTED, _misc("1-1")),
    kind("multiword token reversed", REJECTED, _misc("2-1")),
    kind(
        "zero moved to another word",
        WARNED,
        each(("ua", "corefud"), pattern(r"^(4\.1\t.*\n)(5\t.*\n)(6\t.*\n)", r"\2\3\1")),
    ),
    kind("gap in the ids of zeros", UNCHANGED, each(("ua", "corefud"), pattern(r"^4\.1", "4.3"))),
    kind(
        "id of a zero in other digits", REJECTED, each(("ua", "corefud"), pattern(r"^4\.1", "4.١"))
    ),
    kind("id of a zero of no word", WARNED, each(("ua", "corefud"), pattern(r"^4\.1", "99.1"))),
)

_BRACKET_KINDS = (
    kind(
        "opening bracket lost",
        REJECTED,
        patterns(
            {
                "ua": (r"\((?=EntityID=e2)", ""),
                "corefud": (r"\((?=e2)", ""),
                "stanza": ("start-repr-id2", "middle-repr-id2"),
                "conll2012": (r"\((?=2)", ""),
                "llm-text": (r"\[(?=e2)", ""),
            }
        ),
    ),
    kind(
        "closing bracket lost",
        REJECTED,
        patterns(
            {
                "ua": (r"\t\)\t", "\t_\t"),
                "corefud": (r"e2\)$", "_"),
                "stanza": ("end-repr-id2,", ""),
                "conll2012": (r"2\)$", "-"),
                "llm-text": (r"house\|e2\]", "house"),
            }
        ),
    ),
    kind(
        "bracket of a one-word mention lost",
        REJECTED,
        patterns(
            {
                "ua": (r"(ElementOf=e4)\)", r"\1"),
                "corefud": (r"(\(e3--1-)\)", r"\1"),
                "stanza": ("unit-id0", "start-id0"),
                "conll2012": (r"\(3\)", "(3"),
                "llm-text": (r"\[e3\]", "[e3"),
            }
        ),
    ),
    kind(
        "opening bracket twice",
        REJECTED,
        patterns(
            {
                "ua": (r"\((?=EntityID=e2)", "(("),
                "corefud": (r"\((?=e2)", "(("),
                "stanza": ("start-repr-id2", "start-repr-id2,start-repr-id2"),
                "conll2012": (r"\((?=2)", "(("),
                "llm-text": (r"\[(?=e2)", "[["),
            }
        ),
    ),
    kind(
        "closing bracket twice",
        REJECTED,
        patterns(
            {
                "ua": (r"\t\)\t", "\t))\t"),
                "corefud": (r"e2\)$", "e2)e2)"),
                "stanza": ("end-repr-id2", "end-repr-id2,end-repr-id2"),
                "conll2012": (r"2\)$", "2)|2)"),
                "llm-text": (r"e2\]", "e2],e2]"),
            }
        ),
    ),
    kind(
        "bracket of another shape",
        REJECTED,
        patterns(
            {
                "ua": (r"\((?=EntityID=e2)", "["),
                "corefud": (r"\((?=e2)", "["),
                "stanza": ("start-repr-id2", "[start-repr-id2"),
                "conll2012": (r"\((?=2)", "["),
                "llm-text": (r"\[(?=e2)", "("),
            }
        ),
    ),
    kind(
        "closing bracket of another entity",
        REJECTED,
        patterns(
            {
                "ua": (r"\t\)\t", "\tmarkable_9)\t"),
                "corefud": (r"(?<==)e2\)$", "e7)"),
                "stanza": ("end-repr-id2", "end-repr-id7"),
                "conll2012": (r"\t2\)$", "\t7)"),
                "llm-text": (r"house\|e2\]", "house|e7]"),
            }
        ),
    ),
    kind(
        "word of a mention left out",
        REJECTED,
        patterns({"stanza": (r"coref_chains=middle-repr-id2", "_")}),
    ),
    kind(
        "kind of bracket misspelt",
        REJECTED,
        patterns({"stanza": ("start-repr-id2", "begin-repr-id2")}),
    ),
    kind(
        "id of an entity in other digits",
        REJECTED,
        patterns({"stanza": ("unit-id0", "unit-id٠"), "booknlp": ("^61", "٦١")}),
    ),
    kind(
        "id of an entity missing",
        REJECTED,
        patterns(
            {
                "ua": (r"EntityID=e3\|", ""),
                "corefud": (r"\(e3--1-\)", "(--1-)"),
                "stanza": ("unit-id0", "unit-"),
                "conll2012": (r"\(3\)", "()"),
                "llm-text": (r"\[e3\]", "[]"),
                "booknlp": ("^61", ""),
                "litbank": ("Ann-0", ""),
            }
        ),
    ),
    kind(
        "separator of attributes lost",
        WARNED,
        patterns(
            {
                "ua": (r"\|MarkableID=markable_3\|", "MarkableID=markable_3|"),
                "stanza": (r"\|coref_chains=unit-id0", "coref_chains=unit-id0"),
                "corefud": (r"\|SplitAnte", "SplitAnte"),
                "conll2012": (r"\t\(2\)$", "\t(2)(3)"),
                "llm-text": (r"it\|\[e2\]", "it[e2]"),
            }
        ),
        rejected=("ua", "corefud", "stanza"),
    ),
    kind(
        "annotation joined to that of the entity",
        REJECTED,
        patterns({"corefud": (r"\|((?:Bridge|SplitAnte)=)", r"\1")}),
    ),
    kind(
        "annotation joined to another attribute",
        REJECTED,
        patterns(
            {
                "corefud": (r"\tEntity=\(e9", "\tSpaceAfter=NoEntity=(e9"),
                "stanza": (r"\|coref_chains=unit-repr", "coref_chains=unit-repr"),
            }
        ),
    ),
    kind(
        "mention twice",
        WARNED,
        patterns(
            {
                "ua": (
                    r"(\(EntityID=e3\|MarkableID=markable_)5(\|ElementOf=e4\))",
                    r"\g<1>5\2\g<1>55\2",
                ),
                "corefud": (r"(\(e3--1-\))", r"\1\1"),
                "stanza": ("(unit-id0)", r"\1,\1"),
                "conll2012": (r"(\(3\))", r"\1|\1"),
                "llm-text": (r"(\[e3\])", r"\1,\1"),
                "booknlp": (r"^(61\t.*\n)", r"\1\1"),
                "litbank": (
                    r"^(MENTION\t)T1(\t.*\n)((?:.*\n)*)COREF\tT1\t",
                    r"\1T1\2\1T9\2\3COREF\tT9\tAnn-0\nCOREF\tT1\t",
                ),
                "brat": (r"^T1(\t.*\n)", r"T1\1T9\1R9\tCoref Arg1:T1 Arg2:T9\n"),
            }
        ),
    ),
    kind(
        "mention in two entities",
        WARNED,
        patterns(
            {
                "ua": (
                    r"(\(EntityID=)e3(\|MarkableID=markable_)5(\|ElementOf=e4\))",
                    r"\1e3\g<2>5\3\1e5\g<2>55)",
                ),
                "corefud": (r"\(e3--1-\)", "(e3--1-)(e2--1-)"),
                "stanza": ("unit-id0", "unit-id0,unit-id1"),
                "conll2012": (r"\(3\)", "(3)|(2)"),
                "llm-text": (r"\[e3\]", "[e3],[e2]"),
                "booknlp": (r"^61(\t.*\n)", r"61\g<1>62\1"),
                "litbank": (
                    r"^(MENTION\t)T1(\t.*\n)",
                    r"\1T1\2\1T9\2COREF\tT9\tBob-1\n",
                ),
                "brat": (r"^T1(\t.*\n)", r"T1\1T9\1R9\tCoref Arg1:T2 Arg2:T9\n"),
            }
        ),
    ),
)

_ATTRIBUTE_KINDS = (
    kind(
        "attribute of the entity nearly named",
        WARNED,
        patterns(
            {
                "ua": ("EntityID=e3", "EntityIDs=e3"),
                "corefud": (r"Entity=\(e3", "Entities=(e3"),
                "stanza": ("coref_chains=unit-id0", "coref_chain=unit-id0"),
                "brat": (r"Coref Arg1:T5", "Corref Arg1:T5"),
                "litbank": ("^COREF\tT1", "CORREF\tT1"),
            }
        ),
        rejected=("ua", "corefud", "litbank"),
        suspected=("stanza",),
    ),
    kind(
        "all attributes of entities nearly named",
        WARNED,
        {
            "corefud": _everywhere("Entity=", "Entitty="),
            "stanza": _everywhere("coref_chains=", "coref_chain="),
        },
        rejected=("corefud",),
    ),
    kind(
        "attribute in lower case",
        WARNED,
        patterns(
            {
                "ua": ("EntityID=e3", "entityid=e3"),
                "corefud": (r"Entity=\(e3", "entity=(e3"),
                "stanza": ("coref_chains=unit-id0", "COREF_CHAINS=unit-id0"),
                "litbank": ("^COREF\tT1", "coref\tT1"),
            }
        ),
        unchanged=("ua",),
        suspected=("stanza",),
        rejected=("corefud", "litbank"),
    ),
    kind(
        "attribute twice",
        REJECTED,
        patterns(
            {
                "ua": ("EntityID=e3", "EntityID=e3|EntityID=e5"),
                "corefud": (r"(Entity=\(e3--1-\))", r"\1|\1"),
                "stanza": ("(coref_chains=unit-id0)", r"\1|\1"),
            }
        ),
        warned=("corefud", "stanza"),
    ),
    kind(
        "sign = doubled",
        REJECTED,
        patterns({"ua": (r"(EntityID|MarkableID|ElementOf)=", r"\1==")}),
    ),
    kind(
        "attribute empty",
        REJECTED,
        patterns(
            {
                "ua": ("EntityID=e3", "EntityID="),
                "corefud": (r"Entity=\(e3--1-\)", "Entity="),
                "stanza": ("coref_chains=unit-id0", "coref_chains="),
            }
        ),
    ),
    kind(
        "unknown attribute added",
        UNCHANGED,
        patterns(
            {
                "ua": (r"EntityID=e3\|", "EntityID=e3|Colour=blue|"),
                "corefud": (r"Entity=\(e3", "Colour=blue|Entity=(e3"),
                "stanza": ("coref_chains=unit-id0", "colour=blue|coref_chains=unit-id0"),
                "brat": (r"^T1\t", "A1\tColour T1 blue\nT1\t"),
            }
        ),
    ),
    kind(
        "order of attributes changed",
        UNCHANGED,
        patterns(
            {
                "ua": (r"EntityID=e2\|MarkableID=markable_4", "MarkableID=markable_4|EntityID=e2"),
                "corefud": (r"(Entity=.*)\|(Bridge=.*)", r"\2|\1"),
                "stanza": (r"(start_char=\d+\|end_char=\d+)\|(coref_chains=unit-id0)", r"\2|\1"),
            }
        ),
    ),
    kind(
        "minimum span outside of the mention",
        WARNED,
        patterns({"ua": ("Min=5", "Min=9"), "corefud": (r"\(e2--3-$", "(e2--9-")}),
        rejected=("corefud",),
    ),
    kind(
        "minimum span malformed",
        REJECTED,
        patterns({"ua": ("Min=5", "Min=5-5"), "corefud": (r"\(e2--3-$", "(e2--x-")}),
    ),
    kind(
        "minimum span with other digits",
        REJECTED,
        patterns({"ua": ("Min=5", "Min=٥"), "corefud": (r"\(e2--3-$", "(e2--٣-")}),
    ),
    kind(
        "minimum span with an underscore",
        REJECTED,
        patterns({"ua": ("Min=5", "Min=0_5"), "corefud": (r"\(e2--3-$", "(e2--0_3-")}),
    ),
    kind(
        "minimum span zero",
        REJECTED,
        patterns({"ua": ("Min=5", "Min=0"), "corefud": (r"\(e2--3-$", "(e2--0-")}),
    ),
    kind(
        "minimum span behind the text",
        WARNED,
        patterns({"ua": ("Min=5", "Min=5,9999")}),
    ),
    kind(
        "minimum span reversed",
        REJECTED,
        patterns({"ua": ("Min=5", "Min=5,3")}),
    ),
    kind("attribute Min nearly named", SUSPECTED, patterns({"ua": ("Min=5", "Mins=5")})),
    kind("attribute Min misspelt", SUSPECTED, patterns({"ua": ("Min=5", "Mim=5")})),
    kind("name of an entity cut", WARNED, patterns({"litbank": ("Ann-0$", "Ann")})),
    kind("MarkableID missing", UNCHANGED, patterns({"ua": (r"\|MarkableID=markable_4", "")})),
    kind(
        "MarkableID in two entities",
        REJECTED,
        patterns({"ua": ("MarkableID=markable_5", "MarkableID=markable_4")}),
    ),
    kind(
        "MarkableID twice in one entity",
        WARNED,
        patterns({"ua": (r"MarkableID=markable_7", "MarkableID=markable_6")}),
    ),
    kind(
        "MarkableID of a mention with attributes twice",
        WARNED,
        patterns({"ua": (r"\|MarkableID=markable_4", "|MarkableID=markable_3")}),
    ),
    kind(
        "part of a mention missing",
        REJECTED,
        patterns({"corefud": (r"\(e3--1-\)", "(e3[1/2]--1-)")}),
    ),
    kind(
        "number of a part too high",
        REJECTED,
        patterns({"corefud": (r"\(e3--1-\)", "(e3[3/2]--1-)")}),
    ),
    kind(
        "head of a mention lost",
        WARNED,
        patterns({"corefud": (r"(\(e[25]--)[23]-", r"\1-")}),
    ),
    kind(
        "field of a mention too few",
        WARNED,
        patterns({"corefud": (r"\(e2--3-$", "(e2-3")}),
    ),
    kind(
        "field of a mention too many",
        UNCHANGED,
        patterns({"corefud": (r"\(e3--1-\)", "(e3--1--x-y)")}),
    ),
)

_RELATION_KINDS = (
    kind(
        "element of an unknown set",
        REJECTED,
        patterns({"ua": ("ElementOf=e4", "ElementOf=e99"), "corefud": ("e1<e4", "e1<e99")}),
    ),
    kind(
        "element of itself",
        REJECTED,
        patterns(
            {
                "ua": (r"markable_1\|ElementOf=e4", "markable_1|ElementOf=e1"),
                "corefud": ("e1<e4", "e4<e4"),
            }
        ),
    ),
    kind(
        "sets in a cycle",
        REJECTED,
        patterns(
            {
                "ua": (
                    r"EntityID=e4\|MarkableID=markable_6",
                    "EntityID=e4|MarkableID=markable_6|ElementOf=e1",
                ),
                "corefud": ("e1<e4", "e1<e4,e4<e1"),
            }
        ),
    ),
    kind(
        "non-referring element",
        WARNED,
        patterns({"ua": (r"SemType=1\)", "SemType=1|ElementOf=e4)")}),
    ),
    kind(
        "element of a non-referring mention",
        WARNED,
        patterns({"ua": ("ElementOf=e4", "ElementOf=1-Pseudo")}),
    ),
    kind(
        "relation of sets nearly named",
        WARNED,
        patterns(
            {"ua": ("ElementOf=e4", "ElementsOf=e4"), "corefud": ("SplitAnte=", "SplitAnt=")},
        ),
        suspected=("ua",),
    ),
    kind(
        "relation of sets malformed",
        REJECTED,
        patterns({"ua": ("ElementOf=e4", "ElementOf=e4;e5"), "corefud": ("e1<e4", "e1>e4")}),
    ),
    kind(
        "relation of sets empty",
        REJECTED,
        patterns(
            {"ua": ("ElementOf=e4", "ElementOf="), "corefud": ("SplitAnte=.*", "SplitAnte=")},
        ),
    ),
    kind(
        "element of a set twice",
        UNCHANGED,
        patterns({"ua": ("ElementOf=e4", "ElementOf=e4,e4"), "corefud": ("e1<e4", "e1<e4,e1<e4")}),
    ),
    kind(
        "bridging from an unknown mention",
        WARNED,
        patterns(
            {
                "ua": (r"\(MarkableID=markable_8", "(MarkableID=markable_88"),
                "corefud": ("e2<e5", "e2<e55"),
            },
        ),
    ),
    kind(
        "bridging to an unknown anchor",
        WARNED,
        patterns(
            {
                "ua": ("MentionAnchor=markable_3", "MentionAnchor=markable_33"),
                "corefud": ("e2<e5", "e22<e5"),
            },
        ),
    ),
    kind(
        "bridging nearly named",
        WARNED,
        patterns(
            {
                "ua": (
                    r"MentionAnchor=markable_3\|EntityAnchor",
                    "MentionAncor=markable_3|EntityAncor",
                ),
                "corefud": ("Bridge=", "Bridges="),
            }
        ),
    ),
    kind(
        "bridging malformed",
        REJECTED,
        patterns({"ua": (r"(Rel=part.*)\)\t", r"\1\t"), "corefud": ("e2<e5:part", "e2>e5:part")}),
    ),
    kind(
        "deixis bracket lost",
        REJECTED,
        patterns(
            {
                "ua": (
                    r"\(EntityID=s1\|MarkableID=deixis_markable_2\)",
                    "(EntityID=s1|MarkableID=deixis_markable_2",
                )
            }
        ),
    ),
    kind(
        "mention unknown in a link",
        REJECTED,
        patterns({"litbank": ("^COREF\tT1", "COREF\tT99"), "brat": ("Arg1:T5", "Arg1:T55")}),
    ),
    kind(
        "link with one argument",
        REJECTED,
        patterns({"litbank": ("^COREF\tT1\t", "COREF\tT1"), "brat": (" Arg2:T1", "")}),
    ),
    kind(
        "link twice",
        UNCHANGED,
        patterns(
            {"brat": (r"^R1(.*\n)", r"R1\1R9\1"), "litbank": (r"^(COREF\tT1\t.*\n)", r"\1\1")}
        ),
        rejected=("litbank",),
    ),
    kind("link to itself", WARNED, patterns({"brat": ("Arg1:T5 Arg2:T1", "Arg1:T5 Arg2:T5")})),
)

_SPAN_KINDS = (
    kind(
        "span reversed",
        REJECTED,
        patterns(
            {
                "booknlp": ("\t2\t5\t", "\t5\t2\t"),
                "litbank": ("\t0\t2\t0\t5\t", "\t0\t5\t0\t2\t"),
                "brat": (" 8 21", " 21 8"),
            }
        ),
    ),
    kind(
        "span outside of the text",
        REJECTED,
        patterns(
            {
                "booknlp": ("\t2\t5\t", "\t2\t55\t"),
                "litbank": ("\t0\t2\t0\t5\t", "\t0\t2\t0\t55\t"),
                "brat": (" 8 21", " 8 2100"),
            }
        ),
    ),
    kind(
        "span negative",
        REJECTED,
        patterns(
            {
                "booknlp": ("\t2\t5\t", "\t-2\t5\t"),
                "litbank": ("\t0\t2\t0\t5\t", "\t0\t-2\t0\t5\t"),
                "brat": (" 8 21", " -8 21"),
            }
        ),
    ),
    kind(
        "span with a fraction",
        REJECTED,
        patterns(
            {
                "booknlp": ("\t2\t5\t", "\t2.0\t5\t"),
                "litbank": ("\t0\t2\t0\t5\t", "\t0\t2.0\t0\t5\t"),
                "brat": (" 8 21", " 8.0 21"),
            }
        ),
    ),
    kind(
        "span with other digits",
        REJECTED,
        patterns(
            {
                "booknlp": ("\t2\t5\t", "\t٢\t5\t"),
                "litbank": ("\t0\t2\t0\t5\t", "\t0\t٢\t0\t5\t"),
                "brat": (" 8 21", " ٨ 21"),
            }
        ),
    ),
    kind(
        "span of too many digits",
        REJECTED,
        patterns(
            {
                "booknlp": ("\t2\t5\t", f"\t2\t{'5' * 5000}\t"),
                "litbank": ("\t0\t2\t0\t5\t", f"\t0\t2\t0\t{'5' * 5000}\t"),
                "brat": (" 8 21", f" 8 {'2' * 5000}"),
            }
        ),
    ),
    kind(
        "span empty",
        REJECTED,
        patterns(
            {
                "booknlp": ("\t2\t5\t", "\t\t5\t"),
                "litbank": ("\t0\t2\t0\t5\t", "\t0\t\t0\t5\t"),
                "brat": (" 8 21", " 8 8"),
            }
        ),
    ),
    kind(
        "span one to the right",
        REJECTED,
        patterns(
            {
                "booknlp": ("\t2\t5\t", "\t3\t6\t"),
                "litbank": ("\t0\t2\t0\t5\t", "\t0\t3\t0\t6\t"),
                "brat": (" 8 21", " 9 22"),
            }
        ),
    ),
    kind(
        "text of a mention changed",
        REJECTED,
        patterns(dict.fromkeys(TABLES, ("old dog", "new dog"))),
    ),
    kind(
        "id of a mention twice",
        REJECTED,
        patterns({"litbank": ("^MENTION\tT2", "MENTION\tT1"), "brat": ("^T2", "T1")}),
    ),
    kind(
        "kind of line unknown",
        REJECTED,
        patterns(
            {
                "litbank": ("^MENTION\tT4", "MENTIONS\tT4"),
                "brat": ("^T4", "X4"),
                "conll2012": ("^#end document", "#end documents"),
            }
        ),
        unchanged=("conll2012",),
    ),
)

COLUMN_KINDS = (
    *_ROW_KINDS,
    *_CELL_KINDS,
    *_HEADER_KINDS,
    *_ID_KINDS,
    *_BRACKET_KINDS,
    *_ATTRIBUTE_KINDS,
    *_RELATION_KINDS,
    *_SPAN_KINDS,
    kind("blank doubled", UNCHANGED, patterns({"llm-text": (" saw ", "  saw ")})),
    kind("blank before the bar of a tag", REJECTED, patterns({"llm-text": (r"\|(?=\[e|e)", " |")})),
    kind("blank after the bar of a tag", REJECTED, patterns({"llm-text": (r"\|(?=\[e|e)", "| ")})),
    kind(
        "blank between two tags", REJECTED, patterns({"llm-text": (r"(\[e[0-9]+\])", r"\1, [e7]")})
    ),
    kind("blank before the id of a tag", REJECTED, patterns({"llm-text": (r"\[(?=e)", "[ ")})),
    kind(
        "blank behind the id of a tag", REJECTED, patterns({"llm-text": (r"(?<=e[0-9])\]", " ]")})
    ),
    kind("blank lost", REJECTED, patterns({"llm-text": (r"\] saw", "]saw")})),
    kind(
        "line of a document lost",
        NOTICED,
        patterns({"llm-text": (r"^Zoé.*\n", ""), "jsonl": (r'^.*"é".*\n', "")}),
    ),
    kind(
        "blank line between documents",
        UNCHANGED,
        patterns({"llm-text": (r"^Zoé", "\nZoé"), "jsonl": (r'^(.*"é".*\n)', r"\n\1")}),
        warned=("llm-text",),
    ),
    kind(
        "word changed",
        NOTICED,
        {
            **patterns(dict.fromkeys(("ua", "corefud", "conll2012"), (r"\told\t", "\tnew\t"))),
            "llm-text": pattern(" old ", " new "),
            "stanza": pattern(r"^5\told", "5\tnew"),
        },
    ),
    kind("bar of a tag lost", WARNED, patterns({"llm-text": (r"\|(\[e[0-9]+\])", r"\1")})),
    kind("brackets of a tag lost", WARNED, patterns({"llm-text": (r"\|\[(e[0-9]+)\]", r"|\1")})),
    kind(
        "tag in round brackets",
        WARNED,
        patterns({"llm-text": (r"\|\[(e[0-9]+)\]", r"|(\1)")}),
    ),
    kind(
        "bar of an opening tag lost",
        REJECTED,
        patterns({"llm-text": (r"\|(\[e[0-9]+) ", r"\1 ")}),
    ),
    kind(
        "bar of a closing tag lost",
        REJECTED,
        patterns({"llm-text": (r"(?<=house|.roof)\|(e[0-9]+\])", r"\1")}),
    ),
    kind(
        "bar without a bracket",
        UNCHANGED,
        patterns({"llm-text": (" saw ", " saw| ")}),
        noticed=("llm-text",),
    ),
)
