"""The Python interface: one function per verb. The command line calls the same functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from anascore.errors import SettingsError
from anascore.execution import check_jobs, for_each, status, track
from anascore.formats import SKIP_HINT, read_corpus
from anascore.formats.objects import Clusters, corpora_from_clusters
from anascore.formats.source import write_file
from anascore.layers.counts import ZeroCounts, add_notes, add_zeros
from anascore.layers.pair import DocumentPair
from anascore.metrics import MEANS, METRICS, choose
from anascore.model.document import Corpus
from anascore.pipeline import (
    compare_documents,
    count_zeros,
    evaluate,
    evaluate_one,
    prepare,
    prepare_response,
    side_notes,
)
from anascore.prepare.pairing import listing, skipped_documents
from anascore.results import Result
from anascore.results.notes import notes_on_zeros
from anascore.results.uncertainty import Paired, ResamplingOptions, resample
from anascore.settings import BREAKDOWNS, Settings
from anascore.tasks import Request, build_request

if TYPE_CHECKING:
    # Scoring does not need them: they are imported in the functions that do.
    from anascore.analysis.errors import ResponseErrors
    from anascore.analysis.explain import ResponseExplanation

CorpusSource: TypeAlias = Corpus | str | PathLike[str] | Callable[[], Corpus]
"""A corpus, the path of one, or a function that reads one when it is needed."""


def score(
    key: CorpusSource,
    response: CorpusSource,
    *,
    metrics: str | Iterable[str] | None = None,
    **settings: Any,
) -> Result:
    """Score a response against a key.

    Args:
        key: A path, or a corpus that `read` returned.
        response: Likewise.
        metrics: Names of scores, as a list or a comma-separated string; the usual ones if omitted.
        settings: Fields of `Settings`, like `match="head"` or `layers="identity,bridging"`.

    Returns:
        The scores over all documents, and of each document.

    Raises:
        SettingsError: Settings are unknown or contradict each other, or the files lack something
            that the settings need.
        ReadError: A file cannot be read.
        MismatchError: Key and response have different documents or words.
    """
    scored = build_request(metrics, **settings)
    corpora = [_corpus(source, scored.settings) for source in (key, response)]
    (result,) = evaluate(corpora[0], [(corpora[1].name, corpora[1])], scored)
    return result


def score_clusters(
    key: Clusters,
    response: Clusters,
    *,
    metrics: str | Iterable[str] | None = None,
    **settings: Any,
) -> Result:
    """Score a list of entities against another; mentions can be anything that can be hashed.

    An entity is a list (or set, or tuple) of mentions, or an `Entity`, which can have elements.

    >>> score_clusters([["a", "b"], ["c"]], [["a", "b", "c"]])["muc"].recall
    1.0
    """
    scored = build_request(metrics, **settings)
    if scored.settings.match != "exact" or scored.settings.layers != ("identity",):
        message = (
            "plain mentions have no words: they match exactly or not, and are of the layer "
            "identity; see Corpus.from_clusters for spans of words"
        )
        raise SettingsError(message)
    of_key, of_response = corpora_from_clusters(key, response)
    (result,) = evaluate(of_key, [(of_response.name, of_response)], scored)
    return result


def compare(
    key: CorpusSource,
    responses: Mapping[str, CorpusSource] | Sequence[CorpusSource],
    *,
    metrics: str | Iterable[str] | None = None,
    confidence: bool = False,
    paired: Paired | None = None,
    samples: int = 1000,
    seed: int = 0,
    jobs: int = 1,
    **settings: Any,
) -> list[Result]:
    """Score several responses against one key.

    Args:
        key: A path, or a corpus that `read` returned.
        responses: Likewise, as a list or by name.
        metrics: Names of scores; the usual ones if omitted.
        confidence: Add 95% confidence intervals, by bootstrap over documents.
        paired: Test the difference of each response to the first: "bootstrap" or "randomisation".
        samples: Number of samples to draw.
        seed: Random seed.
        jobs: Number of parallel processes; results do not change.
        settings: Fields of `Settings`.

    Returns:
        A result for each response, in order.

    Example:
        >>> from anascore.example import KEY, SYSTEMS
        >>> [round(result.conll, 3) for result in compare(KEY, SYSTEMS[:2])]
        [0.777, 0.785]
    """
    scored = build_request(metrics, **settings)
    named = (
        responses.items() if isinstance(responses, Mapping) else _named(responses, scored.settings)
    )
    return score_responses(
        key,
        list(named),
        scored,
        ResamplingOptions(confidence=confidence, paired=paired, samples=samples, seed=seed),
        jobs,
    )


def score_responses(
    key: CorpusSource,
    responses: Sequence[tuple[str, CorpusSource]],
    scored: Request,
    resampling: ResamplingOptions,
    jobs: int = 1,
) -> list[Result]:
    """Read and score responses, given with their names; several of them in parallel."""
    check_jobs(jobs)
    prepared = prepare(_corpus(key, scored.settings), scored)

    def result(response: tuple[str, CorpusSource]) -> Result:
        name, source = response
        return evaluate_one(prepared, name, _corpus(source, scored.settings), scored)

    return resample(list(for_each(result, responses, jobs)), resampling)


def explain(
    key: CorpusSource,
    response: CorpusSource,
    *,
    metrics: str | Iterable[str] | None = None,
    document: str | None = None,
    entity: str | None = None,
    **settings: Any,
) -> ResponseExplanation:
    """Return the working behind the scores of a response, with exact fractions.

    Args:
        key: A path, or a corpus that `read` returned.
        response: Likewise.
        metrics: Names of metrics, all six if omitted.
        document: The name of a document, if only one is explained.
        entity: The label (like K3) or id of an entity, if only one is explained.
        settings: Fields of `Settings`.

    Returns:
        The entities, aligned sets and shares of each document.
    """
    from anascore.analysis import explain as analysis  # noqa: PLC0415  only needed here

    chosen = [*METRICS] if metrics is None else choose(metrics)
    for name in chosen:
        if name not in METRICS:
            message = f"--metric {name}: only {', '.join(METRICS)} can be explained"
            raise SettingsError(message)
    compared = _compare_identity(key, response, "explain", document, build_request(**settings))
    documents = [
        analysis.explain_document(pair, [name for name in METRICS if name in chosen])
        for pair in track(compared.pairs, "explaining document")
    ]
    if entity:
        documents = [analysis.about(explained, entity) for explained in documents]
        documents = [explained for explained in documents if explained.key or explained.response]
        if not documents:
            message = f"--entity {entity}: no entity has this label or id"
            raise SettingsError(message)
    return analysis.ResponseExplanation(compared.signature, documents, compared.warnings)


def find_errors(
    key: CorpusSource, response: CorpusSource, *, document: str | None = None, **settings: Any
) -> ResponseErrors:
    """Find the errors of a response by type, and count scores as if each type were corrected.

    Args:
        key: A path, or a corpus that `read` returned.
        response: Likewise.
        document: The name of a document, if only one is analysed.
        settings: Fields of `Settings`.

    Returns:
        The errors of all types, and the counts with and without them.
    """
    from anascore.analysis import errors  # noqa: PLC0415  only needed here

    reported = (*METRICS, *MEANS)
    request = build_request(**settings)
    analysed = errors.analysed_settings(request.settings)
    in_first = () if analysed is request.settings else (errors.IN_FIRST,)
    request = request._replace(settings=analysed)
    compared = _compare_identity(key, response, "errors", document, request)
    pairs = track(compared.pairs, "looking for errors: document")
    analysis = errors.together([errors.analyse(pair, reported) for pair in pairs])
    return errors.ResponseErrors(
        compared.system, compared.signature, analysis, reported, (*compared.warnings, *in_first)
    )


def report(
    key: CorpusSource,
    responses: Mapping[str, CorpusSource] | Sequence[CorpusSource],
    path: str | PathLike[str],
    *,
    metrics: str | Iterable[str] | None = None,
    documents: str = "all",
    paired: Paired = "bootstrap",
    samples: int = 1000,
    seed: int = 0,
    **settings: Any,
) -> None:
    """Write a report of one or more responses: one HTML file.

    Args:
        key: A path, or a corpus that `read` returned.
        responses: Likewise, as a list or by name.
        path: The file to write.
        metrics: Names of scores; the usual ones if omitted.
        documents: The documents whose texts are shown: "all", the number of the first ones,
            "worst:N", or names with commas between them.
        paired: The test of differences to the first response.
        samples: Number of samples to draw.
        seed: Random seed.
        settings: Fields of `Settings`; scores are broken down by everything unless `by` is given.
    """
    scored = build_request(metrics, **settings)
    write_report(
        key,
        _named(responses, scored.settings),
        fspath(path),
        scored,
        ResamplingOptions(confidence=True, paired=paired, samples=samples, seed=seed),
        documents=documents,
    )


def write_report(
    key: CorpusSource,
    responses: Sequence[tuple[str, CorpusSource]],
    path: str,
    scored: Request,
    resampling: ResamplingOptions,
    *,
    documents: str = "all",
    command: str = "",
) -> None:
    """Score responses, analyse their errors, and write the report; `command` makes it again."""
    from anascore.output.html import render_page  # noqa: PLC0415  only reports need it
    from anascore.output.html.data import page_data  # noqa: PLC0415

    if scored.settings.layers[0] != "identity":
        task = scored.settings.task
        instead = "name it first with --layers, like --layers identity,bridging"
        message = f"a page is about identity first; {f'{task} is not' if task else instead}"
        raise SettingsError(message)
    if not scored.settings.by:
        scored = scored._replace(settings=replace(scored.settings, by=BREAKDOWNS))
    if len(responses) == 1:
        resampling = replace(resampling, paired=None)
    corpora = [(name, _corpus(response, scored.settings)) for name, response in responses]
    page = page_data(_corpus(key, scored.settings), corpora, scored, resampling, documents)
    status(f"writing {path}")
    write_file(path, render_page(replace(page, command=command)))


class _IdentityComparison(NamedTuple):
    """The documents of one response, paired with the key's."""

    system: str
    signature: str
    pairs: list[DocumentPair]
    warnings: tuple[str, ...]


def _compare_identity(
    key: CorpusSource,
    response: CorpusSource,
    verb: str,
    document: str | None,
    scored: Request,
) -> _IdentityComparison:
    """Pair the documents of a key and a response, or only one of them."""
    if scored.settings.layers != ("identity",):
        task = scored.settings.task
        message = f"{verb} works on the layer identity, and the task {task} scores others"
        raise SettingsError(message)
    corpora = [_corpus(source, scored.settings) for source in (key, response)]
    prepared = prepare(corpora[0], scored)
    compared = prepare_response(prepared, corpora[1], scored)
    skipped = skipped_documents(prepared.original, compared)
    for left_out in skipped:
        if left_out.side == "key" and left_out.document == document:
            message = f"--doc {document}: {left_out.note}"
            raise SettingsError(message)
    if document is not None and document not in prepared.documents:
        names = listing([*prepared.documents])
        message = f"--doc {document}: the key has no such document; it has {names}"
        raise SettingsError(message)
    pairs = [
        pair
        for name, pair in zip(
            prepared.documents, compare_documents(prepared, compared, scored), strict=True
        )
        if document in {None, name}
    ]
    return _IdentityComparison(
        compared.name,
        scored.settings.signature(corpora[0].format, compared.format, len(skipped)),
        pairs,
        (
            *add_notes(side_notes("identity", pair) for pair in pairs).texts,
            *notes_on_zeros(_zeros(prepared.corpus), _zeros(compared), scored.settings),
            *(left_out.note for left_out in skipped),
        ),
    )


def _zeros(corpus: Corpus) -> ZeroCounts:
    """Count the zeros of a corpus."""
    return add_zeros(count_zeros(document) for document in corpus.documents.values())


def _corpus(source: CorpusSource, settings: Settings) -> Corpus:
    """Return a corpus, which may have to be read first."""
    if isinstance(source, Corpus):
        return source
    if callable(source):
        return source()
    return read_corpus(source, bad_documents=settings.bad_documents, hint=SKIP_HINT)


def _named(
    responses: Mapping[str, CorpusSource] | Sequence[CorpusSource], settings: Settings
) -> list[tuple[str, Corpus]]:
    """Read responses, and name those that have no name after their files."""
    if isinstance(responses, Mapping):
        return [(name, _corpus(response, settings)) for name, response in responses.items()]
    corpora = [_corpus(response, settings) for response in responses]
    if len({corpus.name for corpus in corpora}) < len(corpora):
        message = "responses have the same name; give them as a dictionary, by name"
        raise SettingsError(message)
    return [(corpus.name, corpus) for corpus in corpora]
