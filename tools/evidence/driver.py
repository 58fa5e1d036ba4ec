"""Score files with a published scorer: `python driver.py NAME`, with its folder on the path.

Reads JSON from standard input, {"pairs": [[key, response], ...], "options": {...}}, and prints a
list of {metric: [recall, precision, F1]}, or null. It calls the functions that the command of the
scorer calls, since the command rounds to two digits. It runs in a process of its own: two of the
scorers have packages of the same name.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

Options = dict[str, Any]
Scores = dict[str, Any]


def score_with_coval(key: str, response: str, options: Options) -> Scores:
    """Score a pair of CoNLL-2012 files."""
    from coval.conll import reader
    from coval.eval import evaluator

    metrics = {
        "mentions": evaluator.mentions,
        "muc": evaluator.muc,
        "b3": evaluator.b_cubed,
        "ceafe": evaluator.ceafe,
        "lea": evaluator.lea,
    }
    infos = reader.get_coref_infos(key, response, keep_singletons=options.get("singletons", True))
    return {name: evaluator.evaluate_documents(infos, metrics[name], beta=1) for name in metrics}


def score_with_ua(key: str, response: str, options: Options) -> Scores:
    """Score a pair of CoNLL-UA files with the first version of the Universal Anaphora scorer."""
    from coval.eval import evaluator
    from coval.ua import reader

    infos, _, _ = reader.get_coref_infos(
        key,
        response,
        keep_singletons=True,
        keep_split_antecedent=options["split"],
        keep_bridging=False,
        keep_non_referring=False,
        evaluate_discourse_deixis=False,
        use_MIN=False,
    )
    return _all_metrics(evaluator, infos, options)


def score_with_corefud(key: str, response: str, options: Options) -> Scores:
    """Score a pair of CorefUD or CoNLL-UA files; the second version of the UA scorer does both."""
    from scorer.corefud.reader import CorefUDReader
    from scorer.eval import evaluator
    from scorer.ua.reader import UAReader

    reader = UAReader if options["format"] == "ua" else CorefUDReader
    arguments = {
        "keep_singletons": options.get("singletons", True),
        "keep_split_antecedents": options["split"],
        "keep_zeros": True,
        "zero_match_method": "linear",
        "keep_bridging": False,
        "keep_non_referring": False,
        "evaluate_discourse_deixis": False,
        "match": options.get("match", "exact"),
        "np_only": False,
        "remove_nested_mentions": False,
        "only_split_antecedent": options.get("only_split", False),
    }
    corpus = reader(**arguments, allow_boundary_crossing=False)
    try:
        corpus.get_coref_infos(key, response)
    except LookupError:
        # Closing brackets with ids of mentions need this option, and others cannot have it.
        corpus = reader(**arguments, allow_boundary_crossing=True)
        corpus.get_coref_infos(key, response)
    return _all_metrics(evaluator, corpus.doc_coref_infos, options)


def _all_metrics(evaluator: Any, infos: Any, options: Options) -> Scores:
    """Compute the six metrics with one of the two versions of the UA scorer's evaluator."""
    metrics = {
        "muc": evaluator.muc,
        "b3": evaluator.b_cubed,
        "ceafe": evaluator.ceafe,
        "ceafm": evaluator.ceafm,
        "lea": evaluator.lea,
        "blanc": [evaluator.blancc, evaluator.blancn],
    }
    only = options.get("only_split", False)
    return {
        name: evaluator.evaluate_documents(infos, metric, beta=1, only_split_antecedent=only)
        for name, metric in metrics.items()
    }


def score_with_scorch(key: str, response: str, options: Options) -> Scores:
    """Score the clusters of the first document of two files of JSON lines.

    By default, mentions of the response that the key lacks are singletons of the key, as in
    scorch's command.
    """
    from scorch import scores

    clusters, predicted = map(_read_clusters, (key, response))
    if options.get("add_mentions", True):
        extra = set().union(*predicted) - set().union(*clusters)
        clusters += [{mention} for mention in sorted(extra)]
    metrics = {
        "muc": scores.muc,
        "b3": scores.b_cubed,
        "ceafe": scores.ceaf_e,
        "ceafm": scores.ceaf_m,
        "blanc": scores.blanc,
    }
    return {name: metric(clusters, predicted) for name, metric in metrics.items()}


def _read_clusters(path: str) -> list[set[str]]:
    """Return the clusters of a document; a third number in a span marks a non-referring mention."""
    clusters = json.loads(Path(path).read_text(encoding="utf-8"))["clusters"]
    referring = ({str(span) for span in cluster if len(span) == 2} for cluster in clusters)
    return [cluster for cluster in referring if cluster]


SCORERS: dict[str, Callable[[str, str, Options], Scores]] = {
    "coval": score_with_coval,
    "ua": score_with_ua,
    "corefud": score_with_corefud,
    "scorch": score_with_scorch,
}


def main(name: str) -> None:
    """Score the pairs that standard input names; null stands for a pair that it cannot score."""
    task = json.load(sys.stdin)
    scores: list[Scores | None] = []
    # Some of the scorers print as they go.
    with contextlib.redirect_stdout(sys.stderr):
        for key, response in task["pairs"]:
            try:
                scores.append(SCORERS[name](key, response, task["options"]))
            except ImportError:
                raise
            except Exception:  # noqa: BLE001  whatever the scorer raises
                scores.append(None)
    json.dump(scores, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
