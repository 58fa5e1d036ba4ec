"""The commands `score`, `merge` and `tasks`."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import asdict, fields
from typing import Any, get_args

from anascore.api import compare, merge
from anascore.cli.main import CommandResult
from anascore.cli.options import (
    add_key_and_responses,
    add_metrics,
    add_output,
    add_reading,
    add_result_output,
    add_settings,
    check_standard_input,
    jobs,
    keywords_of,
    layout_of,
    named_corpora,
    named_responses,
    paths_of,
    per_cent,
    settings_of,
    weights,
    whole_number,
)
from anascore.errors import SettingsError
from anascore.metrics.scores import GROUPS, LABELS, ON_REQUEST, SPLIT_ONLY
from anascore.output.grid import percent
from anascore.output.kinds import SCORES, load
from anascore.output.text import paragraphs_to_text
from anascore.output.view import (
    ReportOptions,
    check_hub_ids,
    joint_warnings,
    report_options,
    reported_score,
)
from anascore.parallel import dask_executor
from anascore.results.comparison import Comparison, check_lowest
from anascore.results.several_keys import CombinationRule
from anascore.results.uncertainty import Paired, ResamplingOptions
from anascore.tasks import Request, build_request, list_tasks

SCORE_DESCRIPTION = (
    "Score responses (system outputs) against a key (gold standard). Key and responses can be in "
    "different formats, which are auto-detected."
)

USUAL = ", ".join(name for name in LABELS if name not in ON_REQUEST)


def describe_score(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    add_key_and_responses(command)
    add_metrics(
        command,
        f"scores to report, comma-separated: {USUAL} (default: all of these that apply to the "
        f"layers); anaphors; earlier proposals for split antecedents: {', '.join(GROUPS)}; and "
        f"success@1 to success@10 for ranked antecedents of discourse deixis",
    )
    reading = add_reading(command)
    reading.add_argument(
        "--jobs",
        type=jobs,
        metavar="N",
        default=1,
        help="number of parallel processes for the responses, or for the documents if there is one "
        "response; auto uses all cores; results do not change (default: %(default)s)",
    )
    reading.add_argument(
        "--dask",
        metavar="ADDRESS",
        help="run on the Dask cluster at this address, or on a new one on this machine (local); "
        "workers read the files themselves; results do not change",
    )
    add_settings(command.add_argument_group("settings (these can change scores)"))
    add_keys(command.add_argument_group("several keys"))
    add_view(command.add_argument_group("output"))
    add_resampling(command.add_argument_group("uncertainty (resampling of documents)"))
    add_limits(command.add_argument_group("limits for continuous integration"))


def add_keys(group: argparse._ArgumentGroup) -> None:
    """Describe the options for several keys."""
    group.add_argument(
        "--also-key",
        metavar="KEY",
        dest="also_keys",
        action="append",
        default=[],
        help="another key of the same documents (repeatable); NAME=KEY names a key, also the "
        "first one",
    )
    group.add_argument(
        "--combine-keys",
        choices=get_args(CombinationRule),
        default="mean",
        help="average the counts over all keys (mean), or use the best key of each document "
        "(best) (default: %(default)s)",
    )
    group.add_argument(
        "--key-weights",
        metavar="N,N",
        type=weights,
        help="weights of the keys in the mean, like 2,1,1 (default: equal)",
    )
    group.add_argument(
        "--human",
        action="store_true",
        help="also report the human ceiling (each key scored against all others), and the "
        "responses scored against all keys but one",
    )


def keys_from(options: argparse.Namespace) -> dict[str, Any]:
    """Collect the options for several keys, and the first key, as keywords."""
    if options.human and options.split_only:
        message = "--human reports scores that --split-only leaves out; remove one of the two"
        raise SettingsError(message)
    chosen = {
        "combine_keys": options.combine_keys,
        "key_weights": options.key_weights,
        "human": options.human,
    }
    if not options.also_keys:
        return {"key": options.key, **chosen}
    keys = named_corpora([options.key, *options.also_keys], "keys")
    if isinstance(keys, list):
        return {"key": keys[0], "also_keys": keys[1:], **chosen}
    (name, key), *others = keys.items()
    return {"key": key, "key_name": name, "also_keys": dict(others), **chosen}


def add_limits(group: argparse._ArgumentGroup) -> None:
    """Add the limits that scores must meet."""
    group.add_argument(
        "--fail-under",
        metavar="SCORE=N",
        action="append",
        default=[],
        help="exit with status 1 if the F1 of a score is below N per cent, like conll=70 "
        "(repeatable, or comma-separated)",
    )
    group.add_argument(
        "--baseline",
        metavar="FILE",
        help="exit with status 1 if an F1 is lower than in this earlier output of anascore score "
        "--output json; systems are compared by name, unless there is only one on each side",
    )
    group.add_argument(
        "--max-drop",
        metavar="N",
        type=per_cent,
        default=argparse.SUPPRESS,
        help="largest drop of an F1 below the baseline that is accepted, in percentage points "
        "(default: 0)",
    )


def limits_from(options: argparse.Namespace, reported: Iterable[str]) -> dict[str, Any]:
    """Collect the limits as keywords of `Comparison.failures`; raise if they cannot be checked."""
    fail_under: dict[str, float] = {}
    for limit in (limit for limits in options.fail_under for limit in limits.split(",")):
        text, equals, number = limit.partition("=")
        if not equals:
            message = f"--fail-under {limit}: give a score and its lowest value, like conll=70"
            raise SettingsError(message)
        name = reported_score(text, reported, "--fail-under")
        if name in fail_under:
            message = f"--fail-under: {name} is given twice"
            raise SettingsError(message)
        try:
            fail_under[name] = per_cent(number)
        except argparse.ArgumentTypeError as error:
            message = f"--fail-under {limit}: {error}"
            raise SettingsError(message) from None
    check_lowest(fail_under)
    if "max_drop" in options and options.baseline is None:
        message = "--max-drop needs --baseline; add --baseline FILE"
        raise SettingsError(message)
    baseline = None if options.baseline is None else merge(options.baseline)
    return {
        "fail_under": fail_under,
        "baseline": baseline,
        **({"max_drop": options.max_drop} if "max_drop" in options else {}),
    }


def add_view(view: argparse._ArgumentGroup) -> None:
    """Describe the output of results."""
    add_result_output(view, SCORES.outputs)
    view.add_argument(
        "--score-only",
        action="store_true",
        help="print nothing but the F1 of --score in per cent, one line per response, for scripts",
    )
    for option in fields(ReportOptions):
        text, metavar = option.metadata["help"], option.metadata["metavar"]
        name = f"--{option.name.replace('_', '-')}"
        if isinstance(option.default, bool):
            view.add_argument(name, action="store_true", help=text)
        else:
            view.add_argument(name, metavar=metavar, default=option.default, help=text)


def add_resampling(group: argparse._ArgumentGroup) -> None:
    """Describe the options for confidence intervals and comparisons."""
    group.add_argument(
        "--confidence",
        action="store_true",
        help="report 95%% confidence intervals (bootstrap over documents)",
    )
    group.add_argument(
        "--paired",
        choices=get_args(Paired),
        help="paired test of each response against the first, the baseline; reports p-values "
        "without and with Holm correction, and the number of documents in which the response is "
        "better or worse",
    )
    add_samples(group)


def add_samples(group: argparse._ArgumentGroup) -> None:
    """Describe how samples are drawn."""
    group.add_argument(
        "--samples",
        type=whole_number,
        metavar="N",
        default=argparse.SUPPRESS,
        help=f"number of samples to draw (default: {ResamplingOptions().samples})",
    )
    group.add_argument(
        "--seed",
        type=whole_number,
        metavar="S",
        default=argparse.SUPPRESS,
        help=f"random seed (default: {ResamplingOptions().seed})",
    )


def samples_of(options: argparse.Namespace) -> dict[str, Any]:
    """Collect the sampling options that the user gave."""
    return {name: vars(options)[name] for name in ("samples", "seed") if name in options}


def resampling_from(options: argparse.Namespace) -> dict[str, Any]:
    """Collect the resampling options as keywords; raise if they contradict each other."""
    given = samples_of(options)
    if given and not (options.confidence or options.paired):
        message = f"--{next(iter(given))} needs --confidence or --paired; add one of them"
        raise SettingsError(message)
    if options.split_only and (options.confidence or options.paired):
        message = (
            "--confidence and --paired test scores that --split-only leaves out; remove "
            "--split-only"
        )
        raise SettingsError(message)
    return {"confidence": options.confidence, "paired": options.paired, **given}


def run_score(options: argparse.Namespace) -> CommandResult:
    """Score the given responses."""
    request = build_request(options.metrics, **settings_of(options))
    if options.split_only:
        check_split_only(request)
    responses = named_responses(options.responses)
    keys = keys_from(options)
    baseline = [] if options.baseline is None else [options.baseline]
    paths = [keys["key"], *paths_of(keys.get("also_keys", ())), *paths_of(responses), *baseline]
    check_standard_input(paths)
    resampling = resampling_from(options)
    view = view_from(options, request)
    if options.dask is not None and options.jobs != 1:
        message = (
            "--dask and --jobs cannot be combined: a cluster has its own processes; remove one of "
            "them"
        )
        raise SettingsError(message)
    limits = limits_from(options, names_of_scores(request))
    with nullcontext() if options.dask is None else dask_executor(options.dask) as executor:
        results = compare(
            responses=responses,
            metrics=options.metrics,
            jobs=options.jobs,
            executor=executor,
            **keys,
            **resampling,
            **keywords_of(options),
        )
    failures = tuple(results.failures(**limits))
    return show(results, options, view)._replace(status=int(bool(failures)), failures=failures)


def show(results: Comparison, options: argparse.Namespace, view: ReportOptions) -> CommandResult:
    """Render results as the options say."""
    if options.score_only:
        return CommandResult(
            _score_lines(results, options, view), tuple(joint_warnings(results, view))
        )
    warnings = joint_warnings(results, view) if options.output in {"csv", "eval-results"} else ()
    text = results.render(options.output, **asdict(view), **layout_of(options))
    return CommandResult(text, tuple(warnings))


def _score_lines(results: Comparison, options: argparse.Namespace, view: ReportOptions) -> str:
    """Print each response's F1 on a line."""
    lines = []
    for result in view.systems_in_order(results):
        name = view.score_of(result)
        score = result.split_only.get(name) if view.split_only else result[name]
        lines.append(percent(score.f1 if score else None, options.decimals))
    return paragraphs_to_text([lines])


def names_of_scores(request: Request) -> list[str]:
    """List the reported scores of all layers."""
    return list(dict.fromkeys(name for names in request.reported.values() for name in names))


def view_from(options: argparse.Namespace, request: Request) -> ReportOptions:
    """Build the view of the results; raise if output options contradict each other."""
    is_one_score = options.output == "eval-results" or options.score_only
    by = vars(options).get("by")
    for option, given in (
        ("--output", options.output != "table"),
        ("--tables", options.tables),
        ("--per-document", options.per_document),
        ("--macro", options.macro),
        ("--by", by),
    ):
        if given and options.score_only:
            message = f"--score-only prints one number for each response; remove {option}"
            raise SettingsError(message)
    if options.score and not (options.per_document or request.settings.by or is_one_score):
        message = "--score chooses the score of tables by class and by document; add --by, "
        raise SettingsError(f"{message}--per-document or --score-only")
    for option, given in (("--macro", options.macro), ("--by", by)):
        if given and options.split_only:
            message = f"{option} reports scores that --split-only leaves out; remove one of the two"
            raise SettingsError(message)
    chosen = {option.name: vars(options)[option.name] for option in fields(ReportOptions)}
    view = report_options(names_of_scores(request), **chosen)
    check_hub_ids(options.output, view)
    layout_of(options)
    return view


def check_split_only(request: Request) -> None:
    """Refuse to show scores over accommodated sets if there cannot be any."""
    if not request.settings.split:
        task = request.settings.task
        cause = f"the task {task}" if task else "--no-split"
        message = f"--split-only contradicts {cause}, which leaves out split antecedents"
        raise SettingsError(message)
    if not any(SPLIT_ONLY & {*names} for names in request.reported.values()):
        scores = ", ".join(name for name in LABELS if name in SPLIT_ONLY)
        message = f"--split-only shows none of these metrics; add one of {scores}"
        raise SettingsError(message)


MERGE_DESCRIPTION = (
    "Merge results for different documents, such as shards of a corpus that were scored "
    "separately. The scores are bit-identical to those of scoring all documents at once."
)


def describe_merge(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    command.add_argument(
        "results",
        metavar="RESULT",
        nargs="+",
        help="an output file of anascore score --output json, or - for standard input; several "
        "systems are merged by name",
    )
    add_view(command.add_argument_group("output"))
    add_resampling(command.add_argument_group("uncertainty (resampling of documents)"))


def run_merge(options: argparse.Namespace) -> CommandResult:
    """Merge the given results."""
    check_standard_input(options.results)
    results = merge(options.results, **resampling_from(options))
    view = view_from(options, results[0].request)
    if options.split_only:
        check_split_only(results[0].request)
    return show(results, options, view)


TASKS_DESCRIPTION = (
    "List the shared tasks that `anascore score --task` supports, with all their settings."
)


def describe_tasks(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    add_output(command, ("table", "json"))


def run_tasks(options: argparse.Namespace) -> CommandResult:
    """List the tasks."""
    if options.output == "json":
        return CommandResult(load("json.corpus.render_tasks_json")())
    blocks = []
    for name, task in list_tasks().items():
        lines = [f"{name}: {task['label']}"]
        lines += [
            f"  {setting:19}{_shown(value)}"
            for setting, value in task.items()
            if setting != "label"
        ]
        blocks.append(lines)
    return CommandResult(paragraphs_to_text(blocks))


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) if isinstance(value, tuple) else str(value) or "-"
