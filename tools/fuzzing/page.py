"""Page of the documentation: the table of kinds of damage and formats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from anascore.formats.registry import FORMATS
from tools.fuzzing.damage import GROUPS, KINDS, KNOWN
from tools.fuzzing.kinds import NOTICED, REJECTED, SUSPECTED, UNCHANGED, WARNED, Kind

PAGE = Path(__file__).parents[2] / "docs" / "robustness.md"

SIGNS = {REJECTED: "R", WARNED: "W", SUSPECTED: "V", NOTICED: "N", UNCHANGED: "="}

INTRODUCTION = """\
# Damaged files

Nothing is lost silently: a damaged file is rejected, or a message reports the damage. This page shows the outcome for each kind of damage
and each format. `make fuzz` checks these tables, and then tries random mutations of files for a minute
(`make fuzz FUZZ=3600` for an hour). No input may cause a traceback, take more than 10 seconds, or need more than
1 GiB. `make robustness` writes this page.

| sign | meaning |
| --- | --- |
| R | Rejected. Commands end with exit status 2 and a message that names the place; `validate` lists all errors. With `--bad-documents skip`, the other documents of the file are scored, and the output names those skipped. |
| W | Warned of. `validate` warns. If mentions, entities or other annotation differ from the good file, scores have a note. |
| V | Suspected. `validate` warns. Scores have no note: the document has the right name elsewhere, or searching every cell for the damage would take long. |
| N | Noticed. The file is valid by itself. Scoring it against a file with the original text raises an error or adds a note: words or documents differ, or annotation was left out. |
| = | Unchanged. The same annotation is read as from the good file. |
|  | The kind does not apply to the format. |

Some damage leaves a valid file with different annotation. It cannot be detected from the file, so the tables do not include these cases:

- A lost line in a format without line numbers, or where good files have gaps in the numbers: a row of BookNLP's `.entities`; an annotation of
  brat that no other line names (brat does not use the id of a deleted annotation again, and all 100 brat files of LitBank have gaps); a
  document of JSON lines. If the words are in the same file, scoring reports the missing words.
- An id or a name that becomes another valid one: an entity of BookNLP whose number loses a digit, `unit-id12` of Stanza cut to `unit-id1`,
  `Ann-12` of LitBank cut to `Ann-1` if no mention of `Ann-12` is left (else `validate` warns).
- A line of CoNLL-U that is truncated to valid annotation: `Entity=(e5)` of `Entity=(e5)(e6)`, `Entity=(e5` of `Entity=(e5-person-1-`
  where the mention closes on another line, `Bridge=e1<e5:pa` of `Bridge=e1<e5:part`, `# global.Entity = eid-etype` of a longer list. The same
  holds for the last column of CoNLL-2012, as in `(5)` of `(5)|(6)`.
- A lost attribute, such as `Min` or `ElementOf` of CoNLL-UA, or the head of CorefUD if few mentions of the document have one.
- Annotation of IDENTITY that moves to DISCOURSE_DEIXIS, or back: both columns have the same form.
- A MarkableID of CoNLL-UA that is repeated on another mention of the same entity and sentence, if only the first has attributes: this is the
  notation of discontinuous mentions.
- A number, a span or a word that becomes another valid one, in formats that do not repeat the text of mentions. Changed words are reported
  when the file is scored against another file of the same text.
"""


def page() -> str:
    """Return the page as Markdown."""
    return "\n".join([INTRODUCTION, *_totals(), *_known(), *_tables()])


def _totals() -> Iterator[str]:
    cells = sum(len(kind.labels) for kind in KINDS.values())
    yield f"There are {len(KINDS)} kinds of damage, and {cells:,} pairs of kind and format.\n"


def _known() -> Iterator[str]:
    if KNOWN:
        yield "An asterisk marks what does not hold yet:\n"
        for reason in dict.fromkeys(KNOWN.values()):
            number = sum(other == reason for other in KNOWN.values())
            yield f"- {reason} ({number} pairs)"
        yield ""


def _tables() -> Iterator[str]:
    for heading, kinds in GROUPS.items():
        names = [name for name in FORMATS if any(name in kind.labels for kind in kinds)]
        yield f"## {heading}\n"
        yield from _table(kinds, names)
        yield ""


def _table(kinds: Sequence[Kind], formats: Sequence[str]) -> Iterator[str]:
    yield f"| damage | {' | '.join(formats)} |"
    yield f"| --- |{' :-: |' * len(formats)}"
    for kind in kinds:
        yield f"| {kind.name} | {' | '.join(_sign(kind, name) for name in formats)} |"


def _sign(kind: Kind, format_name: str) -> str:
    if format_name not in kind.labels:
        return ""
    known = "\\*" if (kind.name, format_name) in KNOWN else ""
    return SIGNS[kind.labels[format_name]] + known
