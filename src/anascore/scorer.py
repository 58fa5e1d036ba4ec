"""Scorer: scores documents as they come, as in a training loop, and adds up the counts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from concurrent.futures import Executor, Future
from dataclasses import replace
from typing import Any, TypeAlias, Unpack

from anascore.api import (
    Metrics,
    check_plain,
    checked_clusters,
    evaluate_clusters,
    request_of_clusters,
)
from anascore.arguments import check_arguments, is_string
from anascore.errors import MismatchError, SettingsError, shown
from anascore.formats.objects import ClusterCorpora, Documents, check_corpus
from anascore.keywords import SettingKeywords, list_keywords
from anascore.layers.counts import DocumentCounts
from anascore.model.document import IN_MEMORY, Corpus, Document
from anascore.results.result import Result, add_results
from anascore.settings import Settings

Scored: TypeAlias = Documents | Document | Corpus
"""One document, as a list of clusters or a `Document`; or several, by name or as a `Corpus`."""


_Part: TypeAlias = Result | Future[Result] | dict[str, DocumentCounts]
"""Documents that were scored: their result, now or in the future, or the counts of clusters."""


class Scorer:
    """Accumulator of scores, for documents that come one by one or in batches."""

    @list_keywords(SettingKeywords)
    def __init__(
        self,
        *,
        metrics: Metrics = None,
        settings: Settings | None = None,
        executor: Executor | None = None,
        **keywords: Unpack[SettingKeywords],
    ) -> None:
        """Create a scorer without documents.

        Args:
            metrics: Names of scores, as a list or a comma-separated string (default: the usual
                ones).
            settings: A `Settings` object, instead of keywords for single settings.
            executor: Executor in which documents are scored (default: this process).
            keywords: ...

        Raises:
            SettingsError: Settings are unknown or contradict each other.

        Example:
            >>> scorer = Scorer(metrics="conll")
            >>> scorer.update([["a", "b"], ["c"]], [["a", "b", "c"]])
            >>> scorer.update([["a", "b"]], [["a", "b"]])
            >>> round(scorer.result().conll, 3)
            0.789
        """
        self.request, self._plain = request_of_clusters(metrics, settings, keywords)
        check_document_by_document(self.request.settings)
        self._executor = executor
        self._parts: list[_Part] = []
        self._names: set[str] = set()

    def update(self, key: Scored, response: Scored, name: str | None = None) -> None:
        """Score one or more documents, and add up the counts.

        Args:
            key: One document: a list of clusters, or a `Document`. Several documents: a dictionary
                of lists of clusters by name, or a `Corpus`.
            response: Likewise.
            name: Name of the document, if it is a list of clusters. The default is a
                unique name, even across processes.

        Raises:
            EntityError: Clusters have the wrong nesting, or a mention is not hashable.
            MismatchError: Key and response have different documents or words, or a document has
                already been scored.
            SettingsError: The documents lack something that the settings need.
        """
        if name is not None and isinstance(key, Document | Corpus | Mapping):
            message = f"name={shown(name)}: these documents already have names; remove it"
            raise SettingsError(message)
        if name is None:
            name = self._unused_name()
        elif not is_string(name):
            message = f"name={shown(name)}: the name of a document must be a string"
            raise SettingsError(message)
        if self._executor is None:
            counted = self._plain.count_documents(key, response, name)
            if counted is not None:
                self._check_names(counted)
                self._add_plain(counted)
                return
        corpora = self._corpora(key, response, name)
        names = corpora.corpora[0].documents
        self._check_names(names)
        self._add(
            names,
            evaluate_clusters(corpora, self.request)
            if self._executor is None
            else self._executor.submit(evaluate_clusters, corpora, self.request),
        )

    @check_arguments
    def result(self, name: str = "response") -> Result:
        """Return the scores of all documents so far.

        Args:
            name: Name of the system.

        Raises:
            MismatchError: No document has been scored yet.
        """
        if not self._parts:
            message = "no document has been scored yet; call update first"
            raise MismatchError(message)
        total = add_results([*map(self._result_of, self._parts)])
        self._parts = [total]
        return replace(total, name=name)

    def compute(self, prefix: str = "", *, percent: bool = False) -> dict[str, float]:
        """Return the scores of all documents so far in one dictionary, for logging.

        It is `result().flat(...)`, under the name that torchmetrics and `evaluate` use.

        Args:
            prefix: Beginning of all names, such as "dev/".
            percent: If True, values are between 0 and 100.

        Raises:
            MismatchError: No document has been scored yet.

        Example:
            >>> scorer = Scorer(metrics="muc")
            >>> scorer.update([["a", "b"]], [["a", "b"]])
            >>> scorer.compute("dev/")
            {'dev/muc_recall': 1.0, 'dev/muc_precision': 1.0, 'dev/muc_f1': 1.0}
        """
        return self.result().flat(prefix, percent=percent)

    def reset(self) -> None:
        """Forget all documents."""
        self._parts = []
        self._names = set()

    def merge(self, other: Scorer) -> None:
        """Add the documents of another scorer with the same settings, such as from another process.

        Raises:
            SettingsError: The other one is not a scorer.
            MismatchError: A document was scored by both, or the settings differ.
        """
        if not isinstance(other, Scorer):
            message = f"only a Scorer can be merged, not {shown(other)}"
            raise SettingsError(message)
        if other.request != self.request:
            message = "scorers with different settings cannot be merged"
            raise MismatchError(message)
        if other._parts:
            added = other.result()
            self._check_names(added.counted)
            self._add(added.counted, added)

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self._names)

    def __repr__(self) -> str:
        return f"<Scorer: {len(self)} documents>"

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle: counts, and no executor."""
        if self._parts:
            self.result()
        return {**vars(self), "_executor": None}

    def _corpora(self, key: Scored, response: Scored, name: str) -> ClusterCorpora:
        """Return key and response as corpora."""
        if isinstance(key, Document | Corpus) and isinstance(response, Document | Corpus):
            corpora = [_corpus(key), _corpus(response)]
            for corpus in corpora:
                check_corpus(corpus)
            return ClusterCorpora(corpora)
        if isinstance(key, Document | Corpus) or isinstance(response, Document | Corpus):
            message = "key and response must both be clusters, or both documents with words"
            raise MismatchError(message)
        check_plain(self.request)
        return checked_clusters(key, response, name, self._plain)

    def _unused_name(self) -> str:
        """Return a name that no other document has, also after a fork."""
        return f"document {len(self) + 1} {os.urandom(6).hex()}"

    def _result_of(self, part: _Part) -> Result:
        if isinstance(part, dict):
            return Result("response", self.request, (IN_MEMORY, IN_MEMORY), part)
        return part.result() if isinstance(part, Future) else part

    def _check_names(self, names: Iterable[str]) -> None:
        for document in names:
            if document in self._names:
                message = f"the document {document!r} has already been scored"
                raise MismatchError(message)

    def _add_plain(self, counted: dict[str, DocumentCounts]) -> None:
        """Add the counts of plain clusters; those that follow each other are one part."""
        last = self._parts[-1] if self._parts else None
        if isinstance(last, dict):
            last.update(counted)
            self._names.update(counted)
        else:
            self._add(counted, counted)

    def _add(self, names: Iterable[str], part: _Part) -> None:
        self._names.update(names)
        self._parts.append(part)


def check_document_by_document(settings: Settings) -> None:
    """Raise SettingsError for settings that are about a corpus as a whole."""
    if settings.across:
        message = (
            "--across (in Python across) joins the documents of a corpus, but a Scorer scores "
            "each document by itself; use anascore.score"
        )
        raise SettingsError(message)
    if settings.docs != "all":
        message = (
            f'--docs {settings.docs} (in Python docs="{settings.docs}") selects documents of a '
            f"corpus, but a Scorer scores every document that it gets; select them before `update`"
        )
        raise SettingsError(message)


def _corpus(side: Document | Corpus) -> Corpus:
    return side if isinstance(side, Corpus) else Corpus({side.name: side})
