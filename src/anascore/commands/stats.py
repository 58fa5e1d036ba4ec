"""`anascore stats`: what there is in files."""

from __future__ import annotations

import argparse

from anascore.commands.options import add_files, check_standard_input
from anascore.commands.outcome import Outcome
from anascore.formats import read
from anascore.progress import each
from anascore.report.stats import STATS_OUTPUTS, Described
from anascore.stats import count

DESCRIPTION = (
    "Count documents, words, mentions, entities, accommodated sets and everything else that is "
    "annotated."
)


def describe(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    add_files(command, STATS_OUTPUTS)
    command.add_argument(
        "--per-document", action="store_true", help="count in each document for itself, too"
    )


def run(options: argparse.Namespace) -> Outcome:
    """Count in the files that were named."""
    check_standard_input(options.files)
    described = []
    for path in options.files:
        corpus = read(path, options.format, clusters_field=options.clusters_field)
        found = each(corpus.documents.items(), f"counting in {path}: document")
        documents = {name: count(document) for name, document in found}
        unit = (
            "characters"
            if all(document.in_characters for document in corpus.documents.values())
            else "words"
        )
        described.append(Described(path, corpus.format, unit, documents))
    return Outcome(STATS_OUTPUTS[options.output](described, per_document=options.per_document))
