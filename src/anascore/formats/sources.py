"""Sources of corpora: objects and paths, one or several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from os import PathLike
from typing import Any, TypeAlias, TypeVar

from anascore.arguments import is_path, list_of
from anascore.errors import (
    SettingsError,
    shown,
)
from anascore.formats.objects import check_corpus
from anascore.model.document import Corpus

CorpusPath: TypeAlias = str | PathLike[str]
"""The path of a file or folder, or - for standard input."""

CorpusSource: TypeAlias = Corpus | CorpusPath
"""A corpus, or the path of one."""

S = TypeVar("S", bound=CorpusSource)


def as_list(sources: S | Iterable[S], *, least: int = 1) -> list[S]:
    """Return one or several sources as a list; raise SettingsError if they are none or too few.

    >>> as_list("key.conllua"), as_list(("a.conllua", "b.conllua"))
    (['key.conllua'], ['a.conllua', 'b.conllua'])
    """
    if isinstance(sources, Corpus | str | PathLike) or not isinstance(sources, Iterable):
        given: list[Any] = [sources]
    else:
        given = list_of("sources", sources, "paths or corpora")
    if len(given) < least:
        message = "no file or corpus is given; give one or more"
        raise SettingsError(message)
    for source in given:
        check_source(source)
    return given


def check_source(source: object) -> None:
    """Raise SettingsError unless a source is a path or a corpus."""
    if not (isinstance(source, Corpus) or is_path(source)):
        clusters = "; anascore.score_clusters scores clusters in memory"
        hint = clusters if isinstance(source, Iterable) else ""
        message = (
            f"{shown(source)} is neither a path nor a corpus, such as anascore.read returns{hint}"
        )
        raise SettingsError(message)
    if isinstance(source, Corpus):
        check_corpus(source)


def unique_names(paths: Sequence[str]) -> list[str]:
    """Return the names of corpora after their files; the paths where files have the same name.

    >>> unique_names(["runs/a.conllu", "runs/b.conllu", "old/b.conllu"])
    ['a', 'runs/b.conllu', 'old/b.conllu']
    """
    stems = [Corpus({}, path=path).name for path in paths]
    numbers = Counter(stems)
    return [
        path if numbers[stem] > 1 and path else stem
        for stem, path in zip(stems, paths, strict=True)
    ]
