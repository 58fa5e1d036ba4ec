"""The Python interface: one function per verb. The command line calls the same functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import chain
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, Unpack, cast, get_args, overload

from anascore.arguments import check_arguments, check_choice, is_path, items_of, list_of
from anascore.blocks import Corpora, CorpusOrFile, load, score_all
from anascore.comparison import Key, count
from anascore.errors import MismatchError, SettingsError, shown
from anascore.formats.files import files_at, write_file
from anascore.formats.objects import (
    ClusterCorpora,
    Documents,
    NamedDocuments,
    corpora_from_clusters,
)
from anascore.formats.reading import CorpusFile
from anascore.formats.sources import (
    CorpusPath,
    CorpusSource,
    are_documents,
    as_list,
    check_source,
    is_one_source,
    only_name,
    unique_names,
    words_by_document,
)
from anascore.keywords import (
    AgreementKeywords,
    AnalysisKeywords,
    ScoreKeywords,
    SettingKeywords,
    list_keywords,
    read_keywords,
    setting_keywords,
)
from anascore.layers.document import DocumentComparison
from anascore.layers.fast_path import FastPath, without_mor
from anascore.metrics.scores import MEANS, METRICS, choose
from anascore.model.document import IN_MEMORY, NAME, Corpus, Document
from anascore.pairing.documents import blank_bad_documents, pair_documents
from anascore.parallel import Jobs, check_executor, number_of_jobs
from anascore.results.comparison import Comparison
from anascore.results.result import Result, add_results
from anascore.results.several_keys import CombinationRule, KeyCombination, key_combination
from anascore.results.uncertainty import Paired, ResamplingOptions, resample
from anascore.settings import BREAKDOWNS, Settings
from anascore.several_keys import score_against_keys
from anascore.tasks import Request, build_request
from anascore.terminal import status, track

if TYPE_CHECKING:
    # Scoring does not need them: they are imported in the functions that do.
    from concurrent.futures import Executor

    from anascore.analysis.agreement import Agreement
    from anascore.analysis.alpha import DistanceName, ItemChoice
    from anascore.analysis.annotated_text import AnnotatedText
    from anascore.analysis.errors import ErrorComparison, ResponseErrors
    from anascore.analysis.explain import ResponseExplanation
    from anascore.results.suite import SuiteResult
    from anascore.suites import Datasets, SystemFolders, Variants

_Several: TypeAlias = Corpus | CorpusPath | NamedDocuments

Responses: TypeAlias = Mapping[str, CorpusSource] | Sequence[_Several]
"""Several responses: by name, or as a list; those of a list are named after their files."""

ResultSource: TypeAlias = Result | Comparison | str | PathLike[str]
"""Results, or the path of a file that `anascore score --output json` wrote."""

Metrics: TypeAlias = str | Iterable[str] | None
"""Names of scores, as a list or a comma-separated string; None for the usual ones."""


@list_keywords(ScoreKeywords)
def score(
    key: CorpusSource,
    response: CorpusSource,
    *,
    metrics: Metrics = None,
    settings: Settings | None = None,
    also_keys: Responses = (),
    combine_keys: CombinationRule = "mean",
    key_weights: Sequence[float | Fraction] | None = None,
    key_name: str = "",
    human: bool = False,
    confidence: bool = False,
    samples: int = 1000,
    seed: int = 0,
    jobs: Jobs = 1,
    executor: Executor | None = None,
    **keywords: Unpack[ScoreKeywords],
) -> Result:
    """Score a response against a key.

    Args:
        key: Path of a file or folder, or a corpus from `read`.
        response: Path or corpus of the response.
        metrics: Names of scores, as a list or a comma-separated string (default: the usual ones).
        settings: A `Settings` object, instead of keywords for single settings.
        also_keys: More keys of the same documents, by name or as a list.
        combine_keys: Rule for several keys: "mean" averages their counts, and "best" uses the best
            key of each document.
        key_weights: Weights of the keys in the mean, in the order of the keys (default: equal).
        key_name: Name of the first of several keys (default: the name of its file).
        human: If True, also compute the human ceiling: scores of each key against all others.
        confidence: If True, compute 95% confidence intervals by bootstrap over documents.
        samples: Number of samples to draw.
        seed: Random seed.
        jobs: Number of parallel processes; "auto" uses all cores. Results do not change.
        executor: Executor that does the work, instead of `jobs`: a `concurrent.futures.Executor`,
            or any object with its `submit`, like `Client.get_executor()` of Dask. Workers read the
            files themselves, from the same paths. Results do not change.
        keywords: ...

    Returns:
        The scores over all documents and for each document.

    Raises:
        SettingsError: Settings are unknown or contradict each other, or the files lack something
            that the settings need.
        ReadError: A file cannot be read.
        MismatchError: Key and response have different documents or words.

    Example:
        >>> from anascore.example import KEY, SYSTEMS
        >>> round(score(KEY, SYSTEMS[0], split=False).conll, 3)
        0.844
    """
    request = request_from(metrics, settings, keywords)
    options = ResamplingOptions(confidence=confidence, samples=samples, seed=seed)
    sources = _Sources(request.settings, keywords)
    opened = sources.open(sources.keys(key, key_name, also_keys), [sources.response(response)])
    combination = _combination_of(opened.keys, combine_keys, key_weights, human=human)
    (result,) = _score_responses(
        *(opened, request, options),
        combination=combination,
        human=human,
        jobs=jobs,
        executor=executor,
    )
    return result


@list_keywords(SettingKeywords)
def score_clusters(
    key: Documents,
    response: Documents,
    *,
    metrics: Metrics = None,
    settings: Settings | None = None,
    **keywords: Unpack[SettingKeywords],
) -> Result:
    """Score lists of entities against each other; mentions can be any hashable objects.

    Args:
        key: One document, as a list of clusters; or several, as a dictionary of such lists by name.
            A cluster is a list (or set, or tuple) of mentions, or an `Entity`, which can have
            elements.
        response: Likewise.
        metrics: Names of scores, as a list or a comma-separated string (default: the usual ones).
        settings: A `Settings` object, instead of keywords for single settings.
        keywords: ...

    Returns:
        The scores over all documents and for each document.

    Raises:
        EntityError: The clusters have the wrong nesting, or a mention is not hashable.
        SettingsError: Settings are unknown, contradict each other, or need words.

    Example:
        >>> score_clusters([["a", "b"], ["c"]], [["a", "b", "c"]])["muc"].recall
        1.0
    """
    request, plain = request_of_clusters(metrics, settings, keywords)
    check_plain(request)
    counted = plain.count_documents(key, response, NAME)
    if counted is not None:
        return Result("response", request, (IN_MEMORY, IN_MEMORY), counted)
    return evaluate_clusters(checked_clusters(key, response, NAME, plain), request)


def request_of_clusters(
    metrics: Metrics, settings: Settings | None, keywords: Mapping[str, Any]
) -> tuple[Request, FastPath]:
    """Return the request, and a counter that refuses mentions without a size if MOR is named."""
    names = None if metrics is None else tuple(choose(metrics))
    types = {*map(type, keywords.values()), type(settings)}
    is_hashable = types <= {bool, int, str, Settings, type(None)}
    build = _kept_request if is_hashable else _kept_request.__wrapped__
    request = build(names, settings, **keywords)
    return request, FastPath(request, needs_spans=names is not None and "mor" in names)


@lru_cache(maxsize=32, typed=True)
def _kept_request(
    names: tuple[str, ...] | None, settings: Settings | None, /, **keywords: Any
) -> Request:
    """Build a request, and keep it: a training loop scores small documents one by one.

    Without this, checking the settings takes as long as scoring such a document.
    """
    return request_from(names, settings, keywords)


def checked_clusters(
    key: Documents, response: Documents, name: str, plain: FastPath
) -> ClusterCorpora:
    """Return corpora of clusters; raise SettingsError if MOR is named and mentions have no size."""
    corpora = corpora_from_clusters({"key": key, "response": response}, name)
    if plain.needs_spans and corpora.without_spans:
        mention = next(iter(corpora.without_spans.values()))
        message = (
            f"{mention} is not a span (first, last) of words counted from 0, and the score mor "
            f"compares the words of mentions; pass spans, or leave mor out of metrics"
        )
        raise SettingsError(message)
    return corpora


def evaluate_clusters(corpora: ClusterCorpora, request: Request) -> Result:
    """Score clusters; documents whose mentions are no spans have no MOR."""
    (key, response), without_spans = corpora
    return _without_mor(count(Key.of(key, request).compare("response", response)), without_spans)


def _without_mor(result: Result, documents: Collection[str]) -> Result:
    """Return a result without the mention overlap ratio of some documents."""
    counted = {
        name: without_mor(counts) if name in documents else counts
        for name, counts in result.counted.items()
    }
    return replace(result, counted=counted)


def check_plain(request: Request) -> None:
    """Raise SettingsError if the settings need more than plain mentions."""
    settings = request.settings
    if settings.across:
        message = (
            "--across (in Python across) needs ids of entities, which plain clusters do not have; "
            "see Corpus.from_clusters and global_ids of Document"
        )
        raise SettingsError(message)
    if settings.window or settings.match != "exact" or settings.layers != ("identity",):
        message = (
            "plain mentions have no words: only exact matching, the layer identity and no windows "
            "are possible; see Corpus.from_clusters for spans of words"
        )
        raise SettingsError(message)


@list_keywords(ScoreKeywords)
def compare(
    key: CorpusSource,
    responses: Responses,
    *,
    metrics: Metrics = None,
    settings: Settings | None = None,
    also_keys: Responses = (),
    combine_keys: CombinationRule = "mean",
    key_weights: Sequence[float | Fraction] | None = None,
    key_name: str = "",
    human: bool = False,
    confidence: bool = False,
    paired: Paired | None = None,
    samples: int = 1000,
    seed: int = 0,
    jobs: Jobs = 1,
    executor: Executor | None = None,
    **keywords: Unpack[ScoreKeywords],
) -> Comparison:
    """Score several responses against one key.

    Args:
        key: Path of a file or folder, or a corpus from `read`.
        responses: Paths or corpora of the responses, by name or as a list.
        metrics: Names of scores, as a list or a comma-separated string (default: the usual ones).
        settings: A `Settings` object, instead of keywords for single settings.
        also_keys: More keys of the same documents, by name or as a list.
        combine_keys: Rule for several keys: "mean" averages their counts, and "best" uses the best
            key of each document.
        key_weights: Weights of the keys in the mean, in the order of the keys (default: equal).
        key_name: Name of the first of several keys (default: the name of its file).
        human: If True, also compute the human ceiling: scores of each key against all others.
        confidence: If True, compute 95% confidence intervals by bootstrap over documents.
        paired: Paired test of each response against the first: "bootstrap" or "randomisation".
        samples: Number of samples to draw.
        seed: Random seed.
        jobs: Number of parallel processes; "auto" uses all cores. Results do not change.
        executor: Executor that does the work, instead of `jobs`; see `score`.
        keywords: ...

    Returns:
        The result of each response, by name and in order.

    Raises:
        SettingsError: Settings are unknown or contradict each other, or the files lack something
            that the settings need.
        ReadError: A file cannot be read.
        MismatchError: Key and a response have different documents or words.

    Example:
        >>> from anascore.example import KEY, SYSTEMS
        >>> comparison = compare(KEY, {"A": SYSTEMS[0], "B": SYSTEMS[1]})
        >>> round(comparison["B"].conll, 3)
        0.578
    """
    request = request_from(metrics, settings, keywords)
    options = ResamplingOptions(confidence=confidence, paired=paired, samples=samples, seed=seed)
    sources = _Sources(request.settings, keywords)
    opened = sources.open(sources.keys(key, key_name, also_keys), sources.responses(responses, key))
    check_paired(options, len(opened.responses))
    combination = _combination_of(opened.keys, combine_keys, key_weights, human=human)
    results = _score_responses(
        *(opened, request, options),
        combination=combination,
        human=human,
        jobs=jobs,
        executor=executor,
    )
    return Comparison(results)


def _combination_of(
    keys: Mapping[str, object],
    rule: CombinationRule,
    weights: Sequence[float | Fraction] | None,
    *,
    human: bool,
) -> KeyCombination | None:
    """Return the combination of several keys; raise SettingsError if there is only one to combine.

    None if there is one key.
    """
    check_choice("--combine-keys (in Python combine_keys)", rule, get_args(CombinationRule))
    if len(keys) > 1:
        return key_combination(rule, len(keys), weights)
    options = {
        "--combine-keys (in Python combine_keys)": rule != "mean",
        "--key-weights (in Python key_weights)": weights is not None,
        "--human (in Python human)": human,
    }
    for option, is_used in options.items():
        if is_used:
            message = f"{option} needs two or more keys; add --also-key (in Python also_keys)"
            raise SettingsError(message)
    return None


def _score_responses(
    opened: _Opened,
    request: Request,
    resampling: ResamplingOptions,
    *,
    combination: KeyCombination | None,
    human: bool,
    jobs: Jobs,
    executor: Executor | None,
) -> list[Result]:
    """Score responses against a key, or against several keys, which are read as a whole."""
    processes = number_of_jobs(jobs)
    if executor is not None:
        check_executor(executor, processes)
    if combination is not None:
        if executor is not None:
            message = (
                "--dask (in Python executor) does not support several keys; use --jobs (in Python "
                "jobs) instead"
            )
            raise SettingsError(message)
        combined = score_against_keys(
            *(opened.keys, opened.responses, request, combination), human=human, jobs=processes
        )
        return resample(combined, resampling)
    corpora = Corpora(opened.key, opened.responses, request)
    results = score_all(corpora, jobs=processes, executor=executor)
    if opened.without_spans:
        results = [_without_mor(result, opened.without_spans) for result in results]
    return resample(results, resampling)


@list_keywords(ScoreKeywords)
def suite(
    keys: Datasets,
    systems: SystemFolders,
    *,
    variants: Variants = None,
    metrics: Metrics = None,
    confidence: bool = False,
    paired: Paired = "bootstrap",
    samples: int = 1000,
    seed: int = 0,
    jobs: Jobs = 1,
    report: str | PathLike[str] | None = None,
    **keywords: Unpack[ScoreKeywords],
) -> SuiteResult:
    """Score systems on several datasets, as shared tasks do, and rank them by macro-averages.

    Args:
        keys: A folder with one file or folder per dataset, or a dictionary of keys by dataset name.
        systems: A folder of responses with the same names as the keys; or several folders, by name
            or as a list.
        variants: Settings to score with, by name: dictionaries of settings, or texts like
            "strict:match=exact"; or names of the variants of CRAC: "head", "partial", "exact",
            "head-singletons" (default: all of these). The first variant ranks the systems.
        metrics: Names of scores, as a list or a comma-separated string (default: those of the
            CRAC shared tasks for their variants, and otherwise the usual ones).
        confidence: If True, compute 95% confidence intervals of the macro-averages.
        paired: Paired test of the differences between systems: "bootstrap" or "randomisation".
        samples: Number of samples to draw; raised if the number of systems requires more.
        seed: Random seed.
        jobs: Number of parallel processes for the datasets; "auto" uses all cores. Results do not
            change.
        report: Path of an HTML report to write.
        keywords: ...

    Returns:
        Macro-averages, ranks, comparisons of systems, and the result of each run.

    Raises:
        SettingsError: Settings are unknown or contradict each other, or the files lack something
            that the settings need.
        ReadError: A file or folder cannot be read.
        MismatchError: A system lacks a dataset or has one without a key; or key and response have
            different documents or words.

    Example:
        >>> from anascore.example import KEY, SYSTEMS
        >>> keys, systems = {"one": KEY}, {"A": {"one": SYSTEMS[0]}, "B": {"one": SYSTEMS[1]}}
        >>> suite(keys, systems, variants="paper:match=exact")
        <SuiteResult: macro CoNLL 'A' 82.55, 'B' 57.75; 1 dataset>
    """
    from anascore import suites  # noqa: PLC0415  only needed here
    from anascore.results.suite import compare_systems  # noqa: PLC0415  the same

    options = ResamplingOptions(confidence=confidence, paired=paired, samples=samples, seed=seed)
    requests = suites.build_requests(variants, metrics, setting_keywords(keywords))
    common = next(iter(requests.values())).settings
    folders = {
        name: suites.list_datasets(source, f"the system {name}")
        for name, source in suites.name_systems(systems).items()
    }
    sources = _Sources(common, keywords)
    key_sources = suites.list_datasets(keys, "KEYS")
    notes = suites.check_datasets(key_sources, folders, common)
    key_files: dict[str, CorpusOrFile] = {}
    response_files: dict[str, dict[str, CorpusOrFile]] = {name: {} for name in folders}
    for dataset, key in key_sources.items():
        given = {name: own[dataset] for name, own in folders.items() if dataset in own}
        named = [sources.response(response, name) for name, response in given.items()]
        opened = sources.open(sources.keys(key), named)
        key_files[dataset] = opened.key
        for name, response in opened.responses:
            response_files[name][dataset] = response
    cells = suites.score_datasets(key_files, response_files, requests, jobs)
    result = compare_systems(cells, options, notes)
    if report is not None:
        from anascore.output.html.suite import render_suite_page  # noqa: PLC0415  only for reports

        write_file(fspath(report), render_suite_page(result))
    return result


@check_arguments
def merge(
    parts: Iterable[ResultSource] | ResultSource,
    *,
    confidence: bool = False,
    paired: Paired | None = None,
    samples: int = 1000,
    seed: int = 0,
) -> Comparison:
    """Merge results for different documents, such as the shards of a corpus.

    The scores are bit-identical to those of scoring all documents at once.

    Args:
        parts: Results or comparisons, or the paths of files that `anascore score --output json`
            wrote. Several systems are merged by name.
        confidence: If True, compute 95% confidence intervals by bootstrap over documents.
        paired: Paired test of each system against the first: "bootstrap" or "randomisation".
        samples: Number of samples to draw.
        seed: Random seed.

    Returns:
        The result of each system.

    Raises:
        MismatchError: Parts have a document in common, or differ in settings or systems.
        ReadError: A file cannot be read, or is not output of `anascore score --output json`.

    Example:
        >>> parts = [score_clusters({name: [["a", "b"]]}, {name: [["a", "b"]]}) for name in "xy"]
        >>> len(merge(parts)[0].documents)
        2
    """
    options = ResamplingOptions(confidence=confidence, paired=paired, samples=samples, seed=seed)
    if isinstance(parts, Result | Comparison | str | PathLike):
        parts = [parts]
    elif not isinstance(parts, Iterable):
        raise _not_a_part(parts)
    expected = "results, or the paths of results in JSON"
    listed = [systems for part in list_of("parts", parts, expected) for systems in _systems(part)]
    if not listed:
        message = "there are no results to merge"
        raise MismatchError(message)
    if any(len(systems) > 1 for systems in listed):
        listed = [_in_order(systems, listed[0]) for systems in listed]
    results = [add_results(of_system) for of_system in zip(*listed, strict=True)]
    check_paired(options, len(results))
    return Comparison(resample(results, options))


def _systems(part: ResultSource) -> Iterator[list[Result]]:
    """Yield the results of all systems in one part; a folder has a part in each file."""
    if isinstance(part, Result):
        yield [part]
    elif isinstance(part, Comparison):
        yield list(part)
    elif not is_path(part):
        raise _not_a_part(part)
    else:
        from anascore.output.json.results import (  # noqa: PLC0415  only results on disk need it
            read_comparison,
        )

        for file in files_at(fspath(part)):
            source = file.open()
            yield list(read_comparison(source.text, source.path))


def _not_a_part(value: object) -> SettingsError:
    message = f"{shown(value)} is neither a result, nor a comparison, nor the path of one in JSON"
    return SettingsError(message)


def _in_order(systems: Sequence[Result], first: Sequence[Result]) -> list[Result]:
    """Return results in the order of the first part; raise if they are of other systems."""
    by_name = {result.name: result for result in systems}
    names = [result.name for result in first]
    if sorted(by_name) != sorted(names) or len(systems) != len(names):
        message = (
            f"parts have different systems: {', '.join(names)} and "
            f"{', '.join(result.name for result in systems)}; systems are merged by name, so all "
            f"parts must have the same systems"
        )
        raise MismatchError(message)
    return [by_name[name] for name in names]


def check_paired(options: ResamplingOptions, systems: int) -> None:
    """Raise SettingsError if a single system is to be compared with others."""
    if options.paired and systems < 2:
        message = "--paired compares responses with the first one; give two or more responses"
        raise SettingsError(message)


@list_keywords(AgreementKeywords)
def agreement(
    annotations: Responses,
    *,
    metrics: Metrics = None,
    distance: DistanceName = "masi",
    items: ItemChoice = "shared",
    settings: Settings | None = None,
    confidence: bool = False,
    samples: int = 1000,
    seed: int = 0,
    disagreements: bool = False,
    report: str | PathLike[str] | None = None,
    **keywords: Unpack[AgreementKeywords],
) -> Agreement:
    """Measure the agreement among annotators of the same texts.

    Args:
        annotations: Paths of files or folders, or corpora that `read` returned: by the name of the
            annotator, or as a list.
        metrics: Names of scores, as a list or a comma-separated string (default: the usual ones).
        distance: Distance function of alpha: "masi", "jaccard", "dice", "passonneau" or
            "nominal".
        items: Items of alpha: mentions marked by two or more annotators ("shared"), or by all of
            them ("common").
        settings: A `Settings` object, instead of keywords for single settings.
            Mentions match exactly.
        confidence: If True, compute 95% confidence intervals by bootstrap over documents.
        samples: Number of samples to draw.
        seed: Random seed.
        disagreements: If True, also list the places where annotators differ.
        report: Path of an HTML report to write, with the texts of annotators side by side.
        keywords: ...

    Returns:
        F1 of each pair of annotators, Krippendorff's alpha on chains and on split antecedents, and
        agreement on categories.

    Raises:
        SettingsError: Settings are unknown or contradict each other, or there is one
            annotator only.
        ReadError: A file cannot be read.
        MismatchError: Annotators have different documents or words.

    Example:
        >>> from anascore.example import KEY, SYSTEMS
        >>> agreement({"Anna": KEY, "Ben": SYSTEMS[0]})
        <Agreement: alpha 0.685, 2 annotators, 10 documents>
    """
    from anascore.analysis.agreement import (  # noqa: PLC0415  only needed here
        Agreement,
        check_symmetric,
        count_agreement,
        pairs_of,
        resample_agreement,
    )
    from anascore.analysis.alpha import AlphaOptions  # noqa: PLC0415  the same
    from anascore.analysis.disagreements import find_disagreements  # noqa: PLC0415  the same

    request = request_from(metrics, settings, keywords)
    options = AlphaOptions(distance=distance, items=items)
    resampling = ResamplingOptions(confidence=confidence, samples=samples, seed=seed)
    check_symmetric(request.settings)
    sources = _Sources(request.settings, keywords)
    named = sources.open({}, sources.responses(annotations)).responses
    if len(named) < 2:
        message = "agreement needs two or more annotators; add another file"
        raise SettingsError(message)
    corpora = _same_documents([(name, load(source)) for name, source in named], request.settings)
    prepared = [Key.of(corpus, request) for corpus in corpora]
    results: dict[tuple[int, int], Result] = {}
    compared: dict[tuple[int, int], list[DocumentComparison]] = {}
    for a, b in track(pairs_of(named), "comparing annotators: pair"):
        response = prepared[a].compare(named[b][0], corpora[b])
        compared[a, b] = list(response)
        results[a, b] = count(response, compared[a, b])
    names = tuple(name for name, _ in named)
    counted = {
        name: count_agreement([of.documents[name] for of in prepared], request.settings, options)
        for name in track(prepared[0].documents, "counting agreement: document")
    }
    agreed = Agreement(
        names,
        dict(zip(results, resample([*results.values()], resampling), strict=True)),
        counted,
        options,
        disagreements=tuple(find_disagreements(compared, names))
        if disagreements or report is not None
        else (),
    )
    agreed = resample_agreement(agreed, resampling)
    if report is not None:
        from anascore.output.html.agreement import (  # noqa: PLC0415  only for reports
            AgreementPage,
            render_agreement_page,
        )

        page = AgreementPage(agreed, [of.documents for of in prepared], compared)
        write_file(fspath(report), render_agreement_page(page))
    return agreed


def _same_documents(named: Sequence[tuple[str, Corpus]], settings: Settings) -> list[Corpus]:
    """Return the corpora of annotators with the documents and words of the first, in its order."""
    (reference, first), *others = named
    same = [first]
    for name, corpus in others:
        try:
            paired = pair_documents(first, blank_bad_documents(first, corpus, settings), settings)
        except MismatchError as error:
            message = (
                f"annotators must have the same documents and words, but {name} (the response "
                f"below) differs from {reference} (the key below): {error}"
            )
            raise MismatchError(message) from None
        documents = {
            document_name: document
            or Document(document_name, first.documents[document_name].words, ())
            for document_name, document in paired.items()
        }
        same.append(replace(corpus, documents=documents))
    return same


@list_keywords(AnalysisKeywords)
def explain(
    key: CorpusSource,
    response: CorpusSource,
    *,
    metrics: Metrics = None,
    document: str | None = None,
    entity: str | None = None,
    settings: Settings | None = None,
    **keywords: Unpack[AnalysisKeywords],
) -> ResponseExplanation:
    """Explain how the scores of a response are computed, with exact fractions.

    Args:
        key: Path of a file or folder, or a corpus from `read`.
        response: Path or corpus of the response.
        metrics: Names of metrics (default: all six).
        document: Name of the document to explain (default: all documents).
        entity: Label (like K3) or id of the entity to explain (default: all entities).
        settings: A `Settings` object, instead of keywords for single settings.
        keywords: ...

    Returns:
        The entities, aligned sets and shares of each document.

    Raises:
        SettingsError: Settings contradict each other, or there is no such document or entity.
        ReadError: A file cannot be read.
        MismatchError: Key and response have different documents or words.

    Example:
        >>> from anascore.example import KEY, SYSTEMS
        >>> (document,) = explain(KEY, SYSTEMS[0], metrics="muc", document="recipe_bread")
        >>> [entity.label for entity in document.response]
        ['R1', 'R2', 'R3', 'R4', 'R5', 'R6', 'R7', 'R8', 'R9', 'R10']
    """
    from anascore.analysis import explain as analysis  # noqa: PLC0415  only needed here
    from anascore.analysis.responses import analyse_responses  # noqa: PLC0415  the same

    chosen = [*METRICS] if metrics is None else choose(metrics)
    for name in chosen:
        if name not in METRICS:
            message = f"--metric {name}: only {', '.join(METRICS)} can be explained"
            raise SettingsError(message)
    request = request_from(None, settings, keywords)
    sources = _Sources(request.settings, keywords)
    names = [name for name in METRICS if name in chosen]
    opened = sources.open(sources.keys(key), [sources.response(response)])
    ((result, documents),) = analyse_responses(
        Corpora(opened.key, opened.responses, request),
        partial(analysis.explain_windows, metrics=names),
        lambda blocks: list(chain.from_iterable(blocks)),
        verb="explain",
        document=document,
    )
    if entity:
        documents = [analysis.about(explained, entity) for explained in documents]
        documents = [explained for explained in documents if explained.key or explained.response]
        if not documents:
            message = f"--entity {entity}: no entity has this label or id"
            raise SettingsError(message)
    return analysis.ResponseExplanation(
        result.signature, documents, result.notes, result.name, entity or ""
    )


@overload
def find_errors(  # type: ignore[overload-overlap]  # a path is no sequence of paths
    key: CorpusSource,
    response: Corpus | CorpusPath,
    *,
    document: str | None = None,
    settings: Settings | None = None,
    **keywords: Unpack[AnalysisKeywords],
) -> ResponseErrors: ...


@overload
def find_errors(
    key: CorpusSource,
    response: Mapping[str, _Several] | Sequence[_Several],
    *,
    document: str | None = None,
    settings: Settings | None = None,
    **keywords: Unpack[AnalysisKeywords],
) -> ErrorComparison: ...


@overload
def find_errors(
    key: CorpusSource,
    response: Documents,
    *,
    document: str | None = None,
    settings: Settings | None = None,
    **keywords: Unpack[AnalysisKeywords],
) -> ResponseErrors: ...


@list_keywords(AnalysisKeywords)
def find_errors(
    key: CorpusSource,
    response: CorpusSource | Responses,
    *,
    document: str | None = None,
    settings: Settings | None = None,
    **keywords: Unpack[AnalysisKeywords],
) -> ResponseErrors | ErrorComparison:
    """Find the errors of a response by type, and its scores with each type corrected.

    Args:
        key: Path of a file or folder, or a corpus from `read`.
        response: Path or corpus of the response; or several, by name or as a list.
        document: Name of the document to analyse (default: all documents).
        settings: A `Settings` object, instead of keywords for single settings.
        keywords: ...

    Returns:
        The errors of all types, and the scores with and without them; for several responses, a
        comparison of them.

    Raises:
        SettingsError: Settings contradict each other, or there is no such document.
        ReadError: A file cannot be read.
        MismatchError: Key and response have different documents or words.

    Example:
        >>> from anascore.example import KEY, SYSTEMS
        >>> find_errors(KEY, SYSTEMS[0])
        <ResponseErrors 'neural': 56 errors of 11 types>
        >>> find_errors(KEY, {"A": SYSTEMS[0], "B": SYSTEMS[1]})
        <ErrorComparison: 'A' 56, 'B' 115>
    """
    from anascore.analysis import errors  # noqa: PLC0415  only needed here
    from anascore.analysis.responses import analyse_responses  # noqa: PLC0415  the same

    reported = (*METRICS, *MEANS)
    request = request_from(None, settings, keywords)
    analysed = errors.analysed_settings(request.settings)
    check_whole(request.settings, "the analysis of errors")
    in_first = () if analysed is request.settings else (errors.IN_FIRST,)
    request = request._replace(settings=analysed)
    sources = _Sources(request.settings, keywords)
    several = _are_several(response, key)
    named = (
        sources.responses(cast("Responses", response))
        if several
        else [sources.response(cast("CorpusSource", response))]
    )
    opened = sources.open(sources.keys(key), named)
    analysed_responses = analyse_responses(
        Corpora(opened.key, opened.responses, request),
        partial(errors.analyse_documents, reported=reported),
        errors.combine_blocks,
        verb="errors",
        document=document,
    )
    found = []
    for result, together in analysed_responses:
        warnings = (*result.notes, *in_first, *together.notes)
        found.append(
            errors.ResponseErrors(result.name, result.signature, together, reported, warnings)
        )
    return errors.ErrorComparison(found) if several else found[0]


@list_keywords(AnalysisKeywords)
def show(
    key: CorpusSource,
    responses: CorpusSource | Responses | None = None,
    *,
    document: str | None = None,
    settings: Settings | None = None,
    **keywords: Unpack[AnalysisKeywords],
) -> AnnotatedText:
    """Show the text of one document with its entities, and what responses make of each mention.

    Args:
        key: Path of a file or folder, or a corpus from `read`.
        responses: Path or corpus of a response; or several, by name or as a list. Without
            responses, only the key is shown.
        document: Name of the document (default: the one with the lowest CoNLL of the first
            response, or the first document if there is no response).
        settings: A `Settings` object, instead of keywords for single settings.
        keywords: ...

    Returns:
        An object that notebooks draw, and that `print` writes as text.

    Raises:
        SettingsError: Settings contradict each other, or there is no such document.
        ReadError: A file cannot be read.
        MismatchError: Key and a response have different documents or words.

    Example:
        >>> text = show([[(0, 0), (3, 3)], [(5, 5)]], [[(0, 0), (5, 5)]])
        >>> print(str(text).splitlines()[3])
        1  [K1 0] 1 2 [K1 3] 4 [K2 5]
    """
    from anascore.analysis.annotated_text import annotate  # noqa: PLC0415  only needed here

    request = request_from(None, settings, keywords)
    check_whole(request.settings, "a shown text")
    sources = _Sources(request.settings, keywords)
    named: list[_Named] = []
    if responses is not None:
        several = _are_several(responses, key)
        named = (
            sources.responses(cast("Responses", responses))
            if several
            else [sources.response(cast("CorpusSource", responses))]
        )
    opened = sources.open(sources.keys(key), named)
    corpora = [(name, load(response)) for name, response in opened.responses]
    return annotate(load(opened.key), corpora, request, document)


@list_keywords(ScoreKeywords)
def report(
    key: CorpusSource,
    responses: Responses,
    path: str | PathLike[str],
    *,
    metrics: Metrics = None,
    documents: str = "all",
    paired: Paired = "bootstrap",
    samples: int = 1000,
    seed: int = 0,
    command: str = "",
    settings: Settings | None = None,
    **keywords: Unpack[ScoreKeywords],
) -> None:
    """Write an HTML report on one or more responses, in one file.

    Args:
        key: Path of a file or folder, or a corpus from `read`.
        responses: Paths or corpora of the responses, by name or as a list.
        path: HTML file to write.
        metrics: Names of scores, as a list or a comma-separated string (default: the usual ones).
        documents: Documents whose texts are shown: "all", N for the first N, "worst:N" for the N
            with the lowest scores, or names, comma-separated.
        paired: Paired test of each response against the first: "bootstrap" or "randomisation".
        samples: Number of samples to draw.
        seed: Random seed.
        command: Command line that writes the same report; the report shows it.
        settings: A `Settings` object, instead of keywords for single settings. If `by`
            is empty, the report has all breakdowns.
        keywords: ...

    Raises:
        SettingsError: Settings contradict each other, or the files lack something that they need.
        ReadError: A file cannot be read.
        MismatchError: Key and a response have different documents or words.
        WriteError: The file cannot be written.
    """
    from anascore.analysis.report import page_data  # noqa: PLC0415
    from anascore.output.html.report import render_page  # noqa: PLC0415  only reports need it

    request = request_from(metrics, settings, keywords)
    check_whole(request.settings, "a report")
    if next(iter(request.reported)) != "identity":
        task = request.settings.task
        instead = "put it first, like --layers identity,bridging"
        if request.settings.layers[0] == "identity":
            instead = f"the task {task} without scores of identity cannot have a report"
        elif task:
            instead = f"the task {task} cannot have a report"
        message = f"the first layer of a report must be identity; {instead}"
        raise SettingsError(message)
    if not request.settings.by:
        request = request._replace(settings=replace(request.settings, by=BREAKDOWNS))
    sources = _Sources(request.settings, keywords)
    opened = sources.open(sources.keys(key), sources.responses(responses, key))
    corpora = [(name, load(response)) for name, response in opened.responses]
    test = paired if len(corpora) > 1 else None
    resampling = ResamplingOptions(confidence=True, paired=test, samples=samples, seed=seed)
    page = page_data(load(opened.key), corpora, request, resampling, documents)
    status(f"writing {fspath(path)}")
    write_file(fspath(path), render_page(replace(page, command=command)))


def check_whole(settings: Settings, subject: str) -> None:
    """Raise SettingsError if documents are cut into windows."""
    if settings.window:
        message = f"{subject} needs whole documents, but --window splits them; remove --window"
        raise SettingsError(message)


def request_from(
    metrics: Metrics, settings: Settings | None, keywords: Mapping[str, Any]
) -> Request:
    """Return the request for settings or keywords; raise SettingsError if both are given.

    Settings that are left at their defaults are those of the task, if there is one.
    """
    choices = setting_keywords(keywords)
    if not isinstance(settings, Settings | None):
        message = f"settings must be a Settings, not {shown(settings)}"
        raise SettingsError(message)
    if settings is None:
        return build_request(metrics, **choices)
    if choices:
        message = f"{', '.join(choices)}: pass settings or keywords, not both"
        raise SettingsError(message)
    return build_request(metrics, **settings.changed())


_Named: TypeAlias = tuple[str | None, "CorpusOrFile | Documents"]
"""A source with its name, which is None if it is to be named after its file."""


class _Opened(NamedTuple):
    """Keys and responses, with clusters as corpora."""

    keys: dict[str, CorpusOrFile]
    responses: list[tuple[str, CorpusOrFile]]
    without_spans: Mapping[str, str]
    """Documents made of mentions that are no spans, as `ClusterCorpora` has them."""

    @property
    def key(self) -> CorpusOrFile:
        """The only key."""
        (key,) = self.keys.values()
        return key


class _Sources(NamedTuple):
    """Corpora to read, and the options to read them with."""

    settings: Settings
    keywords: Mapping[str, Any]

    def keys(
        self, first: CorpusSource, name: str = "", others: Responses = ()
    ) -> dict[str, CorpusOrFile | Documents]:
        """Return all keys by name; those without a name are called after their files."""
        named = _by_name(others, "also_keys", "a key", least=0)
        options = read_keywords(self.keywords, of_key=True)
        keys = [
            (own, self._opened(key, options, f"key {own!r}" if own else "key"))
            for own, key in [(name or None, first), *named]
        ]
        of_files = unique_names([_path_of(key) for _, key in keys])
        names = [
            own or (of_file if _path_of(key) else f"key-{number}")
            for number, ((own, key), of_file) in enumerate(zip(keys, of_files, strict=True), 1)
        ]
        for double in (own for own, number in Counter(names).items() if number > 1):
            message = f"two keys are named {double!r}; give each a different name"
            raise SettingsError(message)
        return dict(zip(names, (key for _, key in keys), strict=True))

    def response(self, source: CorpusSource, name: str | None = None) -> _Named:
        """Return a response, or its file."""
        options = read_keywords(self.keywords, of_key=False)
        options["repair"] = self.settings.repair
        return name, self._opened(
            source, options, "response" if name is None else f"response {name!r}"
        )

    def responses(self, responses: Responses, key: CorpusSource | None = None) -> list[_Named]:
        """Return several responses, with their names if they are given by name.

        If the key is a dictionary of documents, such a dictionary is a single response.
        """
        if isinstance(key, Mapping) and isinstance(responses, Mapping) and are_documents(responses):
            return [self.response(cast("Documents", responses))]
        named = _by_name(responses, "responses", "a response", least=1)
        return [self.response(source, name) for name, source in named]

    def open(
        self, keys: Mapping[str, CorpusOrFile | Documents], responses: Sequence[_Named]
    ) -> _Opened:
        """Make corpora of clusters; the words of their documents are those of other corpora.

        Responses without a name are called after their files; where files have the same name, it
        is the path.
        """
        names = unique_names([_path_of(source) for _, source in responses])
        for (own, source), name in zip(responses, names, strict=True):
            if own is None and not isinstance(source, CorpusFile) and names.count(name) > 1:
                message = (
                    f"two responses are named {name!r}; pass a dictionary with different names"
                )
                raise SettingsError(message)
        sources = [*keys.values(), *(source for _, source in responses)]
        labels = ["key" if len(keys) == 1 else f"key {name!r}" for name in keys]
        labels += [f"response {own!r}" if own else "response" for own, _ in responses]
        corpora, without_spans = _with_corpora(labels, sources)
        named = zip((own for own, _ in responses), names, corpora[len(keys) :], strict=True)
        return _Opened(
            dict(zip(keys, corpora, strict=False)),
            [(name if own is None else own, corpus) for own, name, corpus in named],
            without_spans,
        )

    def _opened(
        self, source: CorpusSource, options: dict[str, Any], side: str
    ) -> CorpusOrFile | Documents:
        check_source(source, side)
        if not isinstance(source, str | PathLike):
            return source
        return CorpusFile(fspath(source), **options, bad_documents=self.settings.bad_documents)


def _path_of(source: CorpusOrFile | Documents) -> str:
    return source.path if isinstance(source, Corpus | CorpusFile) else ""


def _with_corpora(
    labels: Sequence[str], sources: Sequence[CorpusOrFile | Documents]
) -> tuple[list[CorpusOrFile], Mapping[str, str]]:
    """Return sources with clusters as corpora, and the documents whose mentions are no spans."""
    others = [source for source in sources if isinstance(source, Corpus | CorpusFile)]
    if len(others) == len(sources):
        return others, {}
    loaded = iter([*map(load, others)])
    corpora: list[CorpusOrFile | Documents] = [
        next(loaded) if isinstance(source, Corpus | CorpusFile) else source for source in sources
    ]
    known = [corpus for corpus in corpora if isinstance(corpus, Corpus)]
    clusters = {
        label: source
        for label, source in zip(labels, corpora, strict=True)
        if not isinstance(source, Corpus | CorpusFile)
    }
    made, without_spans = corpora_from_clusters(
        clusters, only_name(known), words_by_document(known)
    )
    rest = iter(made)
    return [
        source if isinstance(source, Corpus | CorpusFile) else next(rest) for source in corpora
    ], without_spans


def _are_several(responses: CorpusSource | Responses, key: CorpusSource) -> bool:
    """Return True for a list or dictionary of responses, False for one response.

    A dictionary of clusters is one response, unless the key is a single document.
    """
    if isinstance(responses, Mapping):
        is_document = not isinstance(key, Corpus | Mapping | str | PathLike)
        return is_document or not are_documents(responses)
    return not is_one_source(responses)


def _by_name(
    sources: Responses, name: str, item: str, *, least: int
) -> list[tuple[str | None, CorpusSource]]:
    """Return sources with their names; those of a list have none."""
    if isinstance(sources, Mapping):
        expected = "a list or a dictionary of paths or corpora"
        if named := items_of(name, sources, expected, item):
            return [*named.items()]
        sources = []
    return [(None, source) for source in as_list(sources, least=least)]
