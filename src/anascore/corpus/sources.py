"""Sources of corpora: objects and paths, one or several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from os import PathLike
from typing import TypeAlias, TypeVar

from anascore.errors import SettingsError
from anascore.model.document import Corpus
from anascore.model.short import listed

CorpusPath: TypeAlias = str | PathLike[str]
"""The path of a file or folder, or - for standard input."""

CorpusSource: TypeAlias = Corpus | CorpusPath
"""A corpus, or the path of one."""

S = TypeVar("S", bound=CorpusSource)


def several(sources: S | Iterable[S]) -> list[S]:
    """Return one or several sources as a list; raise SettingsError if they are none.

    >>> several("key.conllua"), several(("a.conllua", "b.conllua"))
    (['key.conllua'], ['a.conllua', 'b.conllua'])
    """
    if isinstance(sources, Corpus | str | PathLike):
        return [sources]
    given = list(sources) if isinstance(sources, Iterable) else [sources]
    if not given:
        message = "no file or corpus is given; give one or more"
        raise SettingsError(message)
    for source in given:
        check_source(source)
    return given


def check_source(source: object) -> None:
    """Raise SettingsError unless a source is a path or a corpus."""
    if not isinstance(source, Corpus | str | PathLike):
        clusters = "; anascore.score_clusters scores clusters in memory"
        hint = clusters if isinstance(source, Iterable) else ""
        message = (
            f"{listed(source)} is neither a path nor a corpus, such as anascore.read returns{hint}"
        )
        raise SettingsError(message)


def names_of(paths: Sequence[str]) -> list[str]:
    """Return the names of corpora after their files; the paths where files have the same name.

    >>> names_of(["runs/a.conllu", "runs/b.conllu", "old/b.conllu"])
    ['a', 'runs/b.conllu', 'old/b.conllu']
    """
    stems = [Corpus({}, "", path).name for path in paths]
    numbers = Counter(stems)
    return [
        path if numbers[stem] > 1 and path else stem
        for stem, path in zip(stems, paths, strict=True)
    ]
