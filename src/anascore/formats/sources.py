"""What users give as a corpus: paths, corpora, and clusters in memory; one or several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, TypeAlias

from anascore.arguments import is_path, items_of, list_of
from anascore.errors import SettingsError, shown
from anascore.formats.objects import FIELDS, NESTING, Documents, check_corpus, corpora_from_clusters
from anascore.model.document import NAME, Corpus, Entity

CorpusPath: TypeAlias = str | PathLike[str]
"""The path of a file or folder, or - for standard input."""

CorpusSource: TypeAlias = Corpus | CorpusPath | Documents
"""A corpus, the path of one, or clusters: of one document, or of several by name."""


def is_one_source(value: object) -> bool:
    """Return True unless a value can be a list of several sources.

    A list whose items are lists is one document: a list of clusters.
    """
    if is_path(value) or isinstance(value, Corpus | Mapping) or not isinstance(value, Iterable):
        return True
    return any(map(_is_cluster, _items(value)))


def _items(value: Iterable[object]) -> list[object]:
    """Return the items of a list; those of a generator cannot be read twice."""
    try:
        return list(value) if isinstance(value, list | tuple) else []
    except Exception:  # noqa: BLE001  the object is not ours
        return []


def _is_cluster(value: object) -> bool:
    try:
        is_other = is_path(value) or isinstance(value, Corpus | Mapping)
        return isinstance(value, Iterable | Entity) and not is_other
    except Exception:  # noqa: BLE001  the object is not ours
        return False


def documents_of(source: Mapping[Any, Any]) -> dict[str, Any]:
    """Return a dictionary by name; raise SettingsError if a name is not a string."""
    return items_of("sources", source, "a dictionary of documents by name", "a document")


def are_documents(source: Mapping[Any, Any]) -> bool:
    """Return True if a dictionary holds the documents of one source, not several sources by name.

    >>> are_documents({"a": [[(0, 0), (3, 3)]]}), are_documents({"system": {"a": [[(0, 0)]]}})
    (True, False)
    """
    values = documents_of(source).values()
    mappings = [value for value in values if isinstance(value, Mapping)]
    return all(map(_has_fields, mappings)) and (bool(mappings) or any(map(_is_cluster, values)))


def _has_fields(document: Mapping[Any, Any]) -> bool:
    return not {*FIELDS}.isdisjoint(document)


def as_list(sources: object, *, least: int = 1) -> list[Any]:
    """Return one or several sources as a list; raise SettingsError if they are none or too few.

    >>> as_list("key.conllua"), as_list(("a.conllua", "b.conllua"))
    (['key.conllua'], ['a.conllua', 'b.conllua'])
    """
    if isinstance(sources, Mapping):
        given: list[Any] = [sources] if documents_of(sources) else []
    elif is_one_source(sources):
        given = [sources]
    else:
        given = list_of("sources", sources, "paths, corpora or dictionaries of documents")
    if len(given) < least:
        message = "no file or corpus is given; give one or more"
        raise SettingsError(message)
    for source in given:
        check_source(source)
    return given


def check_source(source: object, side: str = "") -> None:
    """Raise SettingsError unless a source is a path, a corpus, or clusters."""
    if isinstance(source, Corpus):
        check_corpus(source)
    elif not is_path(source) and (
        isinstance(source, PathLike) or not (isinstance(source, Mapping) or _is_cluster(source))
    ):
        message = (
            f"{side and f'{side}: '}{shown(source)} is neither a path nor a corpus, such as "
            f"anascore.read returns, nor clusters; {NESTING}"
        )
        raise SettingsError(message)


def corpus_in_memory(source: Corpus | Documents) -> Corpus:
    """Return a corpus that is in memory, also as clusters that stand alone."""
    if isinstance(source, Corpus):
        return source
    (corpus,) = corpora_from_clusters({"corpus": source}).corpora
    return corpus


def words_by_document(corpora: Iterable[Corpus]) -> dict[str, Sequence[str]]:
    """Return the words of documents; those of the first corpus that has a document."""
    words: dict[str, Sequence[str]] = {}
    for corpus in corpora:
        for name, document in corpus.documents.items():
            if document.in_characters:
                message = (
                    f"document {name!r} counts characters, but clusters count words; pass "
                    f'Corpus.from_clusters(..., offsets="character") for them'
                )
                raise SettingsError(message)
            words.setdefault(name, document.words)
    return words


def only_name(corpora: Iterable[Corpus]) -> str:
    """Return the name of the only document that corpora have; the default name if it is not one."""
    names = {name for corpus in corpora for name in corpus.documents}
    return names.pop() if len(names) == 1 else NAME


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
