"""Formats of other packages: a function that reads, and perhaps others that write and detect."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import fields, replace
from typing import Any, get_args, get_type_hints

from anascore.arguments import is_string, items_of, list_of
from anascore.errors import AnascoreError, Problems, SettingsError, did_you_mean, shown
from anascore.formats.files import Source
from anascore.formats.format import Capacity, Format, ReadOptions
from anascore.formats.objects import check_corpus
from anascore.formats.registry import ANNOTATION, BUILT_IN, FORMAT_PLUG_INS, FORMATS, REGISTERED
from anascore.model.document import IN_MEMORY, Corpus
from anascore.plugins import check_function, check_label

RESERVED = frozenset((*BUILT_IN, *IN_MEMORY, "unknown"))
"""Names that plug-ins cannot have: those of formats, and of corpora without a format."""


def register_format(  # noqa: PLR0913  all but two are seldom needed
    name: str,
    read: Callable[[str, str], Corpus],
    *,
    label: str,
    version: str,
    write: Callable[[Corpus], str] | None = None,
    detect: Callable[[str], bool] | None = None,
    endings: Collection[str] = (),
    holds: Mapping[str, Any] | None = None,
) -> None:
    """Register a file format, so that its name can be used like those of anascore.

    `format="NAME"` and `--format NAME` read the format, and signatures name its version.
    Registering a name again replaces the format. A package registers its formats with entry points
    of the group `anascore.formats`.

    Args:
        name: Name of the format: lower-case letters and digits, which . and - can separate.
        read: Function that takes the text of a file, and the name of the file without its ending,
            for a document that has no name. It returns a corpus, such as `Corpus.from_clusters`
            makes. If the text is wrong, it raises ValueError with a message for users.
        label: Label in tables and messages.
        version: Version of the format. Change it when the reader changes.
        write: Function that takes a corpus and returns its text, if the format can be written.
        detect: Function that takes the text of a file and tells whether it is in this format. It
            is asked about files in which anascore detects no format of its own.
        endings: Endings of file names that choose the format for writing, like `.mine`.
        holds: Annotation that the format can hold besides words, sentences and entities, with the
            values of `list_formats`: `{"zeros": True, "sets": "nested"}`.

    Raises:
        SettingsError: The name or the label belongs to a format of anascore, or an argument is
            invalid.

    Example:
        >>> from anascore import Corpus
        >>> def read_spans(text: str, name: str) -> Corpus:
        ...     words, *entities = text.splitlines()
        ...     spans = [[(int(n), int(n)) for n in entity.split()] for entity in entities]
        ...     return Corpus.from_clusters(spans, words=words.split(), name=name)
        >>> register_format("words-and-numbers", read_spans, label="Words and numbers", version="1")
    """
    FORMAT_PLUG_INS.check(name, version, RESERVED)
    functions = {"read": read, "write": write, "detect": detect}
    for what, function in functions.items():
        if function is not None or what == "read":
            check_function(function, "format", name, what)
    check_label(label, "format", name, {FORMATS[one].label for one in FORMATS if one != name})
    example = f"a list like ['.{name}']"
    listed = [] if is_string(endings) else list_of("endings", endings, example)
    if is_string(endings) or not all(is_string(one) and one.startswith(".") for one in listed):
        message = f"the endings of the format {name} must be {example}, not {shown(endings)}"
        raise SettingsError(message)
    held = {} if holds is None else items_of("holds", holds, "a dictionary", "annotation")
    REGISTERED[name] = Format(
        label=label,
        read=_reader(name, read),
        write=_writer(name, write) if write is not None else None,
        detect=_detector(name, detect) if detect is not None else None,
        endings=tuple(listed),
        holds=_capacity(name, held),
    )
    FORMAT_PLUG_INS.versions[name] = version


def _capacity(name: str, holds: Mapping[str, Any]) -> Capacity:
    """Make the description of what a format can store; raise SettingsError if it is wrong."""
    hints = get_type_hints(Capacity)
    usual = {one.name: one.default for one in fields(Capacity) if one.name in ANNOTATION}
    for kind, value in holds.items():
        if kind not in usual:
            message = (
                f"no such annotation for the format {name}: {shown(kind)}"
                f"{did_you_mean(kind, usual)}; choose from {', '.join(usual)}"
            )
            raise SettingsError(message)
        valid = get_args(hints[kind]) or (True, False)
        if kind != "antecedents" and not any(value is one or value == one for one in valid):
            choices = " or ".join(map(repr, valid))
            message = f"{kind} of the format {name} must be {choices}, not {shown(value)}"
            raise SettingsError(message)
    return Capacity(**holds)


def _reader(
    name: str, read: Callable[[str, str], Corpus]
) -> Callable[[Source, Problems, ReadOptions], Corpus]:
    """Adapt a plug-in's reader: what it raises is an error of the file."""

    def read_source(source: Source, problems: Problems, _: ReadOptions) -> Corpus:
        try:
            corpus = read(source.text, source.stem)
            check_corpus(corpus)
        except MemoryError:
            raise
        except (AnascoreError, ValueError) as error:
            problems.error(None, f"read as {name}, a plug-in: {error}")
        except Exception as error:  # noqa: BLE001  the function is not ours
            problems.error(None, _failure(name, "read", error))
        else:
            documents = {
                own: replace(document, path=source.path)
                for own, document in corpus.documents.items()
            }
            unnamed = corpus.unnamed or (not source.in_folder and [*documents] == [source.stem])
            return replace(
                corpus, documents=documents, formats=(name,), path=source.path, unnamed=unnamed
            )
        return Corpus({}, (name,), source.path)

    return read_source


def _writer(name: str, write: Callable[[Corpus], str]) -> Callable[[Corpus], str]:
    """Adapt a plug-in's writer."""

    def write_text(corpus: Corpus) -> str:
        try:
            text = write(corpus)
        except Exception as error:
            raise AnascoreError(_failure(name, "write", error)) from error
        if not is_string(text):
            message = f"write of the format {name}, a plug-in, returned {shown(text)}, not a string"
            raise AnascoreError(message)
        return text

    return write_text


def _detector(name: str, detect: Callable[[str], bool]) -> Callable[[Source], bool]:
    """Adapt a plug-in's detector."""

    def is_format(source: Source) -> bool:
        try:
            return bool(detect(source.text))
        except Exception as error:
            raise AnascoreError(_failure(name, "detect", error)) from error

    return is_format


def _failure(name: str, what: str, error: Exception) -> str:
    reason = f"{type(error).__name__}: {error}".rstrip(": ")
    return f"{what} of the format {name}, a plug-in, failed: {reason}"
