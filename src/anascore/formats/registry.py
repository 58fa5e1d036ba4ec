"""The formats by name, and detection of a file's format."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from importlib import import_module
from itertools import chain, islice
from typing import Any, NamedTuple

from anascore.formats.files import SIDECAR_FILES, File, Source, files_at, matching_lines
from anascore.formats.format import Format
from anascore.model.document import Corpus
from anascore.plugins import PlugIns

_PLACES = {
    "ua": ("ua", "CONLL_UA"),
    "corefud": ("corefud", "COREFUD"),
    "conll2012": ("conll2012", "CONLL_2012"),
    "jsonl": ("jsonl", "JSON_LINES"),
    "friends": ("friends", "FRIENDS"),
    "rucoco": ("rucoco", "RUCOCO"),
    "llm-text": ("llm_text", "LLM_TEXT"),
    "llm-json": ("llm_json", "LLM_JSON"),
    "coref-hoi": ("coref_hoi", "COREF_HOI"),
    "wl-coref": ("wl_coref", "WL_COREF"),
    "preco": ("preco", "PRECO"),
    "fastcoref": ("fastcoref", "FASTCOREF"),
    "maverick": ("llm_json", "MAVERICK"),
    "ucdcr": ("ucdcr", "UCDCR"),
    "stanza": ("stanza", "STANZA"),
    "booknlp": ("booknlp", "BOOKNLP"),
    "brat": ("brat", "BRAT"),
    "litbank": ("litbank", "LITBANK"),
}
"""Each format's module, and its name in the module."""

BUILT_IN = tuple(_PLACES)
"""Names of the formats of anascore."""


FORMAT_PLUG_INS = PlugIns("format")
"""The formats of other packages."""

REGISTERED: dict[str, Format] = {}
"""The registered formats of other packages, by name."""


class _Formats(Mapping[str, Format]):
    """All formats by name; a format's module is imported on first use."""

    def __getitem__(self, name: str) -> Format:
        if name not in _PLACES and FORMAT_PLUG_INS.load(name):
            return REGISTERED[name]
        module, attribute = _PLACES[name]
        source_format: Format = getattr(import_module(f"anascore.formats.{module}"), attribute)
        return source_format

    def __contains__(self, name: object) -> bool:
        return name in _PLACES or name in REGISTERED

    def __iter__(self) -> Iterator[str]:
        return chain(_PLACES, REGISTERED)

    def __len__(self) -> int:
        return len(_PLACES) + len(REGISTERED)


def format_names() -> list[str]:
    """List the names of all formats, with those that packages offer."""
    FORMAT_PLUG_INS.scan()
    return [*FormatNames(FORMATS)]


class FormatNames(Collection[str]):
    """Names of formats as choices; a package may have to register an unknown one first."""

    def __init__(self, formats: Mapping[str, Format]) -> None:
        """Choose among some formats, such as those that can be written."""
        self._formats = formats

    def __contains__(self, name: object) -> bool:
        if isinstance(name, str) and name not in FORMATS:
            FORMAT_PLUG_INS.load(name)
        return name in self._formats

    def __iter__(self) -> Iterator[str]:
        # Whether a format can be written is not known before it is registered.
        offered = FORMAT_PLUG_INS.names if self._formats is FORMATS else ()
        return iter(dict.fromkeys((*self._formats, *offered)))

    def __len__(self) -> int:
        return sum(1 for _ in self)


class _WritableFormats(Mapping[str, Format]):
    """Writable formats by name; only their modules tell which these are."""

    def __getitem__(self, name: str) -> Format:
        target = FORMATS[name]
        if target.write is None:
            raise KeyError(name)
        return target

    def __iter__(self) -> Iterator[str]:
        return (name for name, target in FORMATS.items() if target.write)

    def __len__(self) -> int:
        return sum(1 for _ in self)


FORMATS: Mapping[str, Format] = _Formats()
"""Formats by the names that `--format` accepts."""

WRITABLE: Mapping[str, Format] = _WritableFormats()
"""Writable formats by the names that `--to` accepts."""


def list_formats() -> dict[str, dict[str, Any]]:
    """Return the formats of files, with the annotation that each can hold.

    Returns:
        For each format by its name: its label, whether it can be written, the endings of file names
        that choose it, the unit of its positions (words or characters), and for each kind of
        annotation whether it can hold it: True, False, or a word that says which part.

    Example:
        >>> list_formats()["corefud"]["sets"], list_formats()["conll2012"]["zeros"]
        ('nested', False)
    """
    FORMAT_PLUG_INS.load_all()
    return {
        name: {
            "label": listed.label,
            "write": listed.write is not None,
            "endings": listed.endings,
            "unit": "characters" if listed.holds.characters else "words",
            **{kind: _held(getattr(listed.holds, kind)) for kind in ANNOTATION},
        }
        for name, listed in FORMATS.items()
    }


ANNOTATION = (
    *("sets", "results", "antecedents", "zeros", "gaps", "crossing", "nonreferring", "bridging"),
    *("deixis", "candidates", "minimum", "attributes", "sentences", "names"),
)
"""Kinds of annotation to list; they are fields of `Capacity`."""


def _held(value: Any) -> Any:
    """Turn a capacity into a plain value."""
    if isinstance(value, frozenset):
        return ", ".join(sorted(value)) or False
    return False if value == "no" else value


def corpus_files(path: str) -> list[File]:
    """Return a file, or a folder's files without those that merely accompany others."""
    return files_at(path, SIDECAR_FILES)


_JSON_START = re.compile(rb'\s*(?:\{\s*["}]|\[\s*[{\]])')
_JSON_FORMATS = (
    "coref-hoi",
    "wl-coref",
    "preco",
    "fastcoref",
    "maverick",
    "ucdcr",
    "llm-json",
    "friends",
    "jsonl",
    "rucoco",
)
"""JSON formats in order of detection; earlier ones may also contain the key of a later one."""

_COLUMN_FORMATS = {
    "stanza": b"coref_chains=",
    "booknlp": b"start_token",
    "litbank": b"\tT",
    "conll2012": b"document",
    "ua": b"global.columns",
    "corefud": b"global.Entity",
}
"""Column formats in order of detection, since files of earlier ones can also fit later ones. Each
comes with a word that occurs in every line that identifies it."""

_ID = re.compile(r"\d+(?:[.-]\d+)?")
_ENTITY_ID = re.compile(rb"\(EntityID=", re.IGNORECASE)
_TEXT_BOUND = re.compile(rb"^T[^\s]*\t\S+ \d+ \d+[;\t]", re.MULTILINE)
"""Span annotation in brat."""

FIRST_BYTES = 10_000
"""Number of bytes to search for comments first."""

MAX_ROWS = 1000
"""Maximum number of rows to examine in a file without such comments."""


class ForeignFormat(NamedTuple):
    """Another tool's format that cannot be read, and must not be mistaken for a known one."""

    label: str
    """Name in messages."""

    start: re.Pattern[bytes]
    """Pattern at the beginning of a file that identifies the format."""

    remedy: str


_PROLOG = rb"\A\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*(?:<!DOCTYPE[^>]*>\s*)?"
"""What precedes the root element in XML."""


def _starts_with_element(names: bytes) -> re.Pattern[bytes]:
    return re.compile(_PROLOG + rb"<(?:" + names + rb")[\s>/]", re.DOTALL)


_CONVERT = "convert it to one of the formats that anascore formats lists"

FOREIGN_FORMATS = (
    ForeignFormat(
        "a WebAnno TSV file",
        re.compile(
            rb"\A\s*#FORMAT=WebAnno TSV|^#[Tt]ext=[^\n]*\n(?:#[Tt]ext=[^\n]*\n)*\d+-1\t",
            re.MULTILINE,
        ),
        "export the document from INCEpTION or WebAnno as CoNLL 2012, which keeps the chains of "
        "the layer Coreference",
    ),
    ForeignFormat(
        "an XMI file of UIMA",
        _starts_with_element(rb"(?:\w+:)?XMI"),
        "export the document as CoNLL 2012 from the tool that wrote it, such as INCEpTION or "
        "CorefAnnotator",
    ),
    ForeignFormat(
        "a file of MMAX2",
        _starts_with_element(rb"mmax_project|words|markables|common_paths|annotationscheme"),
        _CONVERT,
    ),
    ForeignFormat("an XML file of GATE", _starts_with_element(rb"GateDocument"), _CONVERT),
    ForeignFormat("an XML file", re.compile(rb"\A\s*<\?xml\s"), _CONVERT),
    ForeignFormat("a GAP file", re.compile(rb"\AID\tText\tPronoun\t"), _CONVERT),
    ForeignFormat(
        "a file of the CRAC 2018 task", re.compile(rb"\ATOKEN[ \t]+MARKABLE\b"), _CONVERT
    ),
)
"""Other tools' formats, more specific ones first."""


def can_repair(corpus: Corpus) -> bool:
    """Test whether any file of a corpus is in a format that can be repaired."""
    return any(name in FORMATS and FORMATS[name].repairs for name in corpus.formats)


def foreign_format(content: bytes) -> ForeignFormat | None:
    """Return the unsupported format that a file is in, or None."""
    beginning = content[:FIRST_BYTES]
    return next((other for other in FOREIGN_FORMATS if other.start.search(beginning)), None)


def detect_format(source: Source) -> str | None:
    """Detect the format from the whole content, plug-ins last; None if none fits."""
    return _detect_built_in(source) or _detect_plug_in(source)


def _detect_plug_in(source: Source) -> str | None:
    FORMAT_PLUG_INS.load_all()
    fitting = (name for name, one in REGISTERED.items() if one.detect and one.detect(source))
    return next(fitting, None)


def _detect_built_in(source: Source) -> str | None:
    if foreign_format(source.content):
        return None
    if not source.content or source.content.isspace():
        # Files of other formats are not opened if they are empty.
        return "brat"
    identified = (
        _identified_by_key(source.content)
        or _identified_by_line(source.content[:FIRST_BYTES])
        or _identified_by_line(source.content)
    )
    if identified:
        return identified
    if _TEXT_BOUND.search(source.content[:FIRST_BYTES]):
        return "brat"
    return _detect_by_columns(source)


def detect_large(beginning: bytes) -> str | None:
    """Detect the format from the beginning of a file; None if that is not enough."""
    if foreign_format(beginning):
        return None
    return _identified_by_key(beginning) or _identified_by_line(beginning[:FIRST_BYTES])


def _identified_by_key(content: bytes) -> str | None:
    if _JSON_START.match(content):
        for name in _JSON_FORMATS:
            key = FORMATS[name].json_key
            if key and key.search(content):
                return name
    return None


def _identified_by_line(content: bytes) -> str | None:
    for name, word in _COLUMN_FORMATS.items():
        if word in content:
            pattern = FORMATS[name].comment
            if pattern and next(matching_lines(content, pattern, word), None):
                return name
    return None


def _detect_by_columns(source: Source) -> str | None:
    """Detect a format from the columns of the first rows."""
    from anascore.formats import conllu  # noqa: PLC0415  seldom needed
    from anascore.formats.conll2012 import (  # noqa: PLC0415  the same
        FORM,
        are_brackets,
        without_blanks_at_bars,
    )
    from anascore.formats.llm_text import find_notation  # noqa: PLC0415  the same

    separator = conllu.separator_of(source)
    tokens = filter(conllu.is_token, source.lines)
    rows = [conllu.split_columns(line.rstrip(), separator) for line in islice(tokens, MAX_ROWS)]
    if _ENTITY_ID.search(source.content):
        return "ua"
    if separator == " " and find_notation(source.content):
        return "llm-text"
    if not rows:
        return None
    bars = without_blanks_at_bars("".join(f"{separator.join(row)}\n" for row in rows).encode())
    last = [row.rpartition(separator)[2] for row in bars.decode().split("\n")[:-1]]
    in_brackets = are_brackets(last)
    if in_brackets and any(")" in cell for cell in last):
        return "conll2012"
    width = max(map(len, rows))
    if width >= len(conllu.COLUMNS) and all(_ID.fullmatch(row[0]) for row in rows):
        return "corefud" if width == len(conllu.COLUMNS) else "ua"
    has_columns = separator == "\t" or width > FORM + 1
    return "conll2012" if in_brackets and width > 1 and has_columns else None
