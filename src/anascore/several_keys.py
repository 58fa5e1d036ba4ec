"""Scoring against several keys, and of the keys against each other.

Each response is scored against each key as usual, then the counts of documents are combined.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from anascore.blocks import CorpusOrFile, can_be_parallel, load
from anascore.comparison import Key, count
from anascore.model.document import Corpus
from anascore.pairing.documents import check_names, leave_out_bad_documents, pair_keys
from anascore.parallel import for_each
from anascore.results.result import Result
from anascore.results.several_keys import (
    KeyCombination,
    combine_keys,
    combine_others,
    human_ceiling,
)
from anascore.tasks import Request


def score_against_keys(  # noqa: PLR0913  as for one key, and the combination of keys
    keys: Mapping[str, CorpusOrFile],
    responses: Sequence[tuple[str, CorpusOrFile]],
    request: Request,
    combination: KeyCombination,
    *,
    human: bool = False,
    jobs: int = 1,
) -> list[Result]:
    """Score responses against several named keys.

    Several responses are scored in parallel; a single one is scored against several keys in
    parallel. If `human` is True, the results include the human ceiling.
    """
    in_parallel = can_be_parallel(responses)
    corpora = pair_keys([load(key, jobs) for key in keys.values()], request.settings)
    prepared = _prepare_keys(corpora, request)

    def combined(response: tuple[str, CorpusOrFile]) -> Result:
        name, source = response
        corpus = load(source, 1 if in_parallel else jobs)
        corpus = prepared[0].select(corpus)
        check_names(prepared[0].corpus, corpus, request.settings)

        def result(key: Key) -> Result:
            own = replace(key, request=request)
            return count(own.compare(name, _restrict(corpus, key.original.documents)))

        results = for_each(result, prepared, 1 if in_parallel else jobs)
        return combine_keys(dict(zip(keys, results, strict=True)), combination)

    results = list(for_each(combined, responses, jobs if in_parallel else 1))
    if not human:
        return results
    against_others = _score_keys([*keys], prepared, request, combination, jobs)
    return [
        replace(result, ceiling=human_ceiling(against_others, result.by_key, combination))
        for result in results
    ]


def _prepare_keys(corpora: Sequence[Corpus], request: Request) -> list[Key]:
    """Prepare paired keys; the first key selects the documents to score."""
    first = Key.of(corpora[0], request)
    every = request._replace(settings=replace(request.settings, docs="all"))
    return [
        first,
        *(Key.of(_restrict(corpus, first.corpus.documents), every) for corpus in corpora[1:]),
    ]


def _restrict(corpus: Corpus, names: Collection[str]) -> Corpus:
    documents = {name: document for name, document in corpus.documents.items() if name in names}
    return replace(corpus, documents=documents)


def _score_keys(
    names: Sequence[str],
    prepared: Sequence[Key],
    request: Request,
    combination: KeyCombination,
    jobs: int,
) -> dict[str, Result]:
    """Score each key against all others, over its own documents."""
    lenient = request._replace(settings=replace(request.settings, missing="empty"))
    numbers = range(len(names))

    def result(pair: tuple[int, int]) -> Result:
        number, other = pair
        key = replace(prepared[other], request=lenient)
        response = _restrict(prepared[number].original, key.corpus.documents)
        own = count(key.compare(names[number], leave_out_bad_documents(response)))
        return replace(own, request=request)

    pairs = [(number, other) for number in numbers for other in numbers if other != number]
    results = dict(zip(pairs, for_each(result, pairs, jobs), strict=True))
    return {
        name: combine_others(
            {names[other]: results[number, other] for other in numbers if other != number},
            combination.without(number),
            prepared[number].documents,
        )
        for number, name in enumerate(names)
    }
