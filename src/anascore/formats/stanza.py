"""Stanza's CoNLL-U: `coref_chains=` in MISC lists the mentions that contain each word."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from anascore.errors import Problems
from anascore.formats import conllu
from anascore.formats.building import ReadingNotes, build_corpus
from anascore.formats.conllu import Layout, RowChecker, Section, Tokens
from anascore.formats.files import Source
from anascore.formats.format import Capacity, Format, ReadOptions
from anascore.model.document import Corpus, Document, Entity, Table
from anascore.model.mention import Mention, Position

MISC = conllu.COLUMNS.index("MISC")
ATTRIBUTE = "coref_chains="
_MISPLACED = re.compile(rf"(?<![^|]){ATTRIBUTE}[^|]*-[^|]*")
_ENTRY = re.compile(r"(unit|start|middle|end)-(?:repr-)?(id[0-9]+)")


def read_stanza(source: Source, problems: Problems, _: ReadOptions) -> Corpus:
    """Read a file written by Stanza."""
    separator = conllu.separator_of(source)
    layout = Layout(conllu.COLUMNS, separator, (ATTRIBUTE,) * 3, (MISC,), _MISPLACED)
    notes = ReadingNotes()
    sections = list(conllu.sections_of(source))
    documents = (_Reader(section, problems).read(layout, notes) for section in sections)
    corpus = build_corpus("stanza", source, documents, problems)
    notes.report(problems)
    return corpus


class _Opening(NamedTuple):
    """A mention that has started and not ended."""

    start: int
    line: int
    end: int
    """Number of words up to the mention's last word so far."""


class _Reader:
    def __init__(self, section: Section, problems: Problems) -> None:
        self._section = section
        self._problems = problems
        self._tokens = Tokens()
        self._open: dict[str, list[_Opening]] = {}
        self._chains: dict[str, list[Mention]] = {}

    def read(self, layout: Layout, notes: ReadingNotes) -> Document:
        section, tokens = self._section, self._tokens
        checker = RowChecker(layout, self._problems, notes)
        conllu.read_tokens(section, tokens, self._read_row, checker)
        for chain, openings in self._open.items():
            for opening in openings:
                message = f"a mention of {chain} starts here and never ends"
                self._problems.error(opening.line, f"{message}; end-{chain} is missing")
        return Document(
            section.name,
            tuple(tokens.words),
            tuple(
                Entity(tuple(mentions), name=name)
                for name, mentions in self._chains.items()
                if mentions
            ),
            zeros=tuple(tokens.zeros),
            path=self._problems.path,
            line=section.line,
            lines=tokens.lines,
            sentences=tuple(tokens.sentences),
            table=Table(layout.columns, layout.separator, section.content),
            notes=notes.end_document(),
        )

    def _read_row(self, cells: list[str], line: int, before: Position, after: Position) -> None:
        kinds: dict[str, list[str]] = {}
        for attribute in cells[0].rstrip().split("|"):
            if attribute.startswith(ATTRIBUTE):
                for text in attribute.removeprefix(ATTRIBUTE).split(","):
                    if entry := _ENTRY.fullmatch(text):
                        kinds.setdefault(entry[2], []).append(entry[1])
                    else:
                        forms = "unit-id3, start-id3, middle-id3 or end-id3 (or unit-repr-id3 ...)"
                        message = f"{text!r} in {attribute} is not of the form {forms}"
                        self._problems.error(line, message)
            elif ATTRIBUTE in attribute:
                message = f"{attribute!r} has {ATTRIBUTE} in the middle; a | is missing before it"
                self._problems.error(line, message)
        for chain, entries in kinds.items():
            mentions = self._chains.setdefault(chain, [])
            if before[0] < after[0]:
                self._read_word(chain, entries, line, after[0])
            elif {*entries} == {"unit"}:
                mentions.append(Mention((), (self._tokens.zeros[-1],)))
            else:
                message = f"the empty node is a part of a longer mention of {chain}"
                self._problems.error(line, f"{message}; it can only be unit-{chain}")

    def _read_word(self, chain: str, entries: list[str], line: int, position: int) -> None:
        """Read one chain's entries.

        Stanza lists a chain's mentions in the same order at each word. This tells which of several
        open mentions an entry continues, even if they cross.
        """
        open_before = iter(self._open.pop(chain, ()))
        still_open = []
        for kind in entries:
            if kind == "unit":
                self._chains[chain].append(Mention(((position - 1, position),)))
                continue
            opening = (
                _Opening(position - 1, line, position - 1)
                if kind == "start"
                else next(open_before, None)
            )
            if opening is None:
                message = f"{kind}-{chain}, but no mention of {chain} is open; start-{chain} comes"
                self._problems.error(line, f"{message} first")
                continue
            if opening.end != position - 1:
                message = f"{kind}-{chain} continues the mention that starts on line {opening.line}"
                self._problems.error(line, f"{message}, but words between do not have {chain}")
            if kind == "end":
                self._chains[chain].append(Mention(((opening.start, position),)))
            else:
                still_open.append(opening._replace(end=position))
        for opening in open_before:
            message = f"the mention of {chain} from line {opening.line} does not go on here"
            self._problems.error(line, f"{message}; middle-{chain} or end-{chain} is missing")
        if still_open:
            self._open[chain] = still_open


def _attribute_names(source: Source, thorough: bool) -> Iterable[str]:  # noqa: FBT001  see NameKind
    """Collect MISC attributes; unless thorough, only if coref_chains is absent."""
    if not thorough and source.has(ATTRIBUTE.encode()):
        return ()
    return conllu.attribute_names(source.content.split(b"\n"), conllu.separator_of(source))


STANZA = Format(
    label="Stanza's CoNLL-U",
    read=read_stanza,
    holds=Capacity(
        zeros=True,
        crossing=True,
        columns=frozenset(conllu.COLUMNS),
        comments=True,
    ),
    names=(
        conllu.attributes_in_misc(ATTRIBUTE, collect=_attribute_names),
        conllu.comments("newdoc", "newdoc id"),
    ),
    comment=re.compile(rb"(?!#)[^\n]*[\t |]coref_chains="),
    starts=conllu.document_starts,
)
