"""Conversion of a corpus to another format."""

from __future__ import annotations

from collections import Counter
from os import PathLike, fspath
from typing import TextIO, cast

from anascore.arguments import check_arguments, has_method, is_path
from anascore.errors import (
    SettingsError,
    shown,
)
from anascore.formats.files import STANDARD_INPUT
from anascore.formats.format import DEFAULT_OPTIONS, FormatName
from anascore.formats.reading import read
from anascore.formats.sources import CorpusPath, CorpusSource, check_source, corpus_in_memory
from anascore.formats.writing import format_for, to_text, write


@check_arguments
def convert(  # noqa: PLR0913  every choice is a keyword
    source: CorpusSource,
    target: CorpusPath | TextIO,
    *,
    to: FormatName | None = None,
    format: FormatName | None = None,  # noqa: A002  what users call it
    clusters_field: str = DEFAULT_OPTIONS.clusters_field,
    word_column: int | None = DEFAULT_OPTIONS.word_column,
) -> Counter[str]:
    """Convert a corpus to another format.

    Args:
        source: A file, a folder, - for standard input, or a corpus.
        target: File or folder to write, compressed if its name ends in .gz; or an open text file,
            such as `sys.stdout`.
        to: Format to write (default: chosen by the ending of the file name).
        format: Format of the source (default: auto-detect).
        clusters_field: Field of JSON lines that holds the entities of the source.
        word_column: Column of CoNLL-2012 that holds the words of the source, counted from 1
            (default: auto-detect).

    Returns:
        The number of losses by kind. Annotation that the new format cannot hold is left out.

    Raises:
        ReadError: The source cannot be read.
        WriteError: The target cannot be written.
        SettingsError: The format is unknown or does not follow from the file name, or an option
            does not apply to the format.

    Example:
        >>> from anascore.example import KEY
        >>> convert(KEY, "/dev/null", to="conll2012")["accommodated sets"]
        16
    """
    if is_path(target):
        path = fspath(target)
    elif has_method(target, "write"):
        path = STANDARD_INPUT
    else:
        message = f"the target must be a path or an open text file, not {shown(target)}"
        raise SettingsError(message)
    name = format_for(path, to)
    check_source(source)
    corpus = (
        read(source, format, clusters_field=clusters_field, word_column=word_column)
        if isinstance(source, str | PathLike)
        else corpus_in_memory(source)
    )
    if is_path(target):
        return write(corpus, path, name)
    text, lost = to_text(corpus, name)
    cast("TextIO", target).write(text)
    return lost
