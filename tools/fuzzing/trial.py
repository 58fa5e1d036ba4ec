"""Trial of one input: read, validate, score, convert and analyse it; any defect raises."""

from __future__ import annotations

import io
import os
import random
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any

import anascore
from anascore import AnascoreError, Corpus, Entity, Mention, ReadError
from anascore.cli.main import main
from anascore.corpus.validate import validate_path
from anascore.errors import Problems
from anascore.formats.files import Source
from anascore.formats.format import DEFAULT_OPTIONS, ReadOptions
from anascore.formats.reading import read_source
from anascore.formats.registry import FORMATS, WRITABLE
from anascore.formats.writing import fit_to_format, to_text, writer_of
from anascore.metrics.scores import METRICS
from anascore.settings import BREAKDOWNS, CHOICES
from anascore.tasks import TASKS
from support.generated_corpora import noisy_document
from tools.fuzzing.damage import good_corpus
from tools.fuzzing.inputs import Input
from tools.fuzzing.samples import good


class DefectError(Exception):
    """Something that must not happen, though no exception was raised."""


def run_trial(trial: Input, folder: Path, rng: random.Random) -> None:
    """Do everything with an input that users do; raise whatever goes wrong."""
    path = trial.put(folder)
    results = [file for file, _ in validate_path(str(path), trial.format_name)]
    corpus = _read(path, trial.format_name)
    key = good_corpus(trial.source_format)
    is_bad = any(result.errors for result in results)
    if isinstance(corpus, ReadError):
        if not is_bad and not path.is_dir():
            message = f"validate finds nothing, but read says: {corpus}"
            raise DefectError(message)
        if rng.random() < 0.5:
            _try(_score_skipping, key, path, trial.format_name, rng)
    else:
        if is_bad:
            raise DefectError("read finds nothing, but validate has errors")
        for check, chance in CHECKS.items():
            if rng.random() < chance:
                _try(check, key, corpus, rng)
    if rng.random() < 0.03:
        _try(_read_with_options, path, trial.format_name, rng)
    if rng.random() < 0.04:
        _run_command(path, good(trial.source_format).put(folder / "key"), rng)


def _try(check: Callable[..., None], *arguments: Any) -> None:
    """Run a check; errors that users see are no defects."""
    try:
        check(*arguments)
    except AnascoreError as error:
        if not str(error).strip():
            raise DefectError("an error without a message") from error


def _read(path: Path, format_name: str | None) -> Corpus | ReadError:
    try:
        return anascore.read(path, format_name)
    except ReadError as error:
        return error


def _score_skipping(key: Corpus, path: Path, format_name: str | None, rng: random.Random) -> None:
    """Score the other documents of a file with errors."""
    corpus = anascore.read(path, format_name, bad_documents="skip")
    # A document that is not scored anyhow, or is repaired, is not skipped.
    settings = {**random_settings(rng), "docs": "all", "repair": False}
    settings |= {"bad_documents": "skip", "missing": "empty"}
    pair = rng.choice([(key, corpus), (corpus, key), (corpus, corpus)])
    if not anascore.score(*pair, **settings).skipped:
        raise DefectError("a document with errors is scored")


def _read_with_options(path: Path, format_name: str | None, rng: random.Random) -> None:
    """Read and validate a file with options of its format, whether it has them or not."""
    options: dict[str, Any] = rng.choice(
        [{"clusters_field": "predicted_clusters"}, {"word_column": rng.randrange(1, 15)}]
    )
    list(validate_path(str(path), format_name, ReadOptions(**options)))
    anascore.read(path, format_name, **options)


def _pair(key: Corpus, corpus: Corpus, rng: random.Random) -> tuple[Corpus, Corpus]:
    """Return a key and a response: one of them is the corpus, with random changes in the other."""
    other = rng.choice([key, noisy_corpus(corpus, rng), noisy_corpus(corpus, rng), corpus])
    return rng.choice([(other, corpus), (corpus, other)])


def noisy_corpus(corpus: Corpus, rng: random.Random) -> Corpus:
    """Move, remove and shorten mentions at random."""
    documents = {
        name: noisy_document(document, rng) if document.entities else document
        for name, document in corpus.documents.items()
    }
    return replace(corpus, documents=documents)


def _score_itself(_: Corpus, corpus: Corpus, __: random.Random) -> None:
    """Score a corpus against itself: all scores are 1, or there is nothing to score."""
    scores = anascore.score(corpus, corpus).scores
    if any(not set(values) <= {1.0, None} for values in scores.values()):
        raise DefectError("a corpus scored against itself does not score 1")


def _swap(key: Corpus, corpus: Corpus, rng: random.Random) -> None:
    """Score a pair in both directions: recall and precision change places."""
    first, second = _pair(key, corpus, rng)
    if any(document.rewritten for side in (first, second) for document in side.documents.values()):
        # The words of the response are aligned with those of the key, which are others.
        return
    units = [{d.in_characters for d in side.documents.values()} for side in (first, second)]
    if units[0] != units[1]:
        # Mentions in characters are extended to whole words of the key.
        return
    scores = anascore.score(first, second).scores
    for name, swapped in anascore.score(second, first).scores.items():
        if (scores[name].recall, scores[name].precision) != (swapped.precision, swapped.recall):
            message = f"{name} is not the same if key and response are swapped"
            raise DefectError(message)


def _reorder(key: Corpus, corpus: Corpus, rng: random.Random) -> None:
    """Score a pair after a change of the order of mentions in the file: nothing changes."""
    pair = _pair(key, corpus, rng)
    settings = random_settings(rng)
    scores = anascore.score(*pair, **settings).scores
    reordered = (_reordered(side, rng) for side in pair)
    for name, other in anascore.score(*reordered, **settings).scores.items():
        if scores[name] != other:
            message = f"{name} changes with the order of mentions in entities"
            raise DefectError(message)


def _reordered(corpus: Corpus, rng: random.Random) -> Corpus:
    def entity_in_order(entity: Entity[Mention]) -> Entity[Mention]:
        mentions = rng.sample([*entity.mentions], len(entity.mentions))
        return replace(entity, mentions=mentions, attributes=())

    documents = {
        name: replace(document, entities=[*map(entity_in_order, document.entities)])
        for name, document in corpus.documents.items()
    }
    return replace(corpus, documents=documents)


def _score(key: Corpus, corpus: Corpus, rng: random.Random) -> None:
    """Score a corpus against the good one, or against a changed one."""
    result = anascore.score(*_pair(key, corpus, rng), **random_settings(rng))
    # As the published scorer counts mentions in several entities, BLANC can be more than 1.
    scores = {} if "repeated-mentions:all" in result.signature else result.scores
    for values in scores.values():
        if any(value is not None and not 0 <= value <= 1 for value in values):
            message = f"a score is {values}"
            raise DefectError(message)


def _convert(_: Corpus, corpus: Corpus, rng: random.Random) -> None:
    """Convert a corpus to one format, rarely to all of them, and read it again."""
    names = [*WRITABLE] if rng.random() < 0.05 else [rng.choice([*WRITABLE])]
    for name in names:
        fitted, _lost = fit_to_format(corpus, name)
        if FORMATS[name].one_document and len(fitted.documents) > 1:
            continue
        content = writer_of(name)(fitted).encode()
        if not content.strip() or not any(d.words for d in fitted.documents.values()):
            continue
        problems = Problems("written")
        source = Source("written", content, next(iter(fitted.documents)))
        again = read_source(source, name, DEFAULT_OPTIONS, problems)
        if problems.has_errors:
            message = f"what is written as {name} cannot be read: {problems.found[0]}"
            raise DefectError(message)
        if not fitted.unnamed and again != fitted:
            message = f"what is written as {name} is read differently"
            raise DefectError(message)


def _write_text(_: Corpus, corpus: Corpus, rng: random.Random) -> None:
    """Write a corpus as text, as `convert` to standard output does."""
    to_text(corpus, rng.choice([*FORMATS]))


def _explain(key: Corpus, corpus: Corpus, rng: random.Random) -> None:
    anascore.explain(*_pair(key, corpus, rng))


def _find_errors(key: Corpus, corpus: Corpus, rng: random.Random) -> None:
    anascore.find_errors(*_pair(key, corpus, rng))


CHECKS: dict[Callable[[Corpus, Corpus, random.Random], None], float] = {
    _score_itself: 0.2,
    _score: 0.5,
    _swap: 0.1,
    _reorder: 0.1,
    _convert: 0.4,
    _write_text: 0.05,
    _explain: 0.05,
    _find_errors: 0.05,
}
"""Checks of a corpus that can be read, and their probabilities."""


def random_settings(rng: random.Random) -> dict[str, Any]:
    """Draw settings; some of them contradict each other, which is an error that users see."""
    settings: dict[str, Any] = {}
    for name, choices in CHOICES.items():
        if rng.random() < 0.12:
            settings[name] = rng.choice(choices)
    if not settings.get("singletons", True):
        settings["split"] = False
    if rng.random() < 0.4:
        settings["layers"] = rng.choice(["all", "identity", "discourse-deixis", "bridging"])
    if rng.random() < 0.15:
        settings["anaphors"] = rng.choice(["zero", "pronoun", "UPOS=PRON", "SemType=dn"])
    if rng.random() < 0.15:
        settings["by"] = rng.choice([*BREAKDOWNS, "all", "name=^(.)"])
    if rng.random() < 0.1:
        settings["lea_importance"] = rng.choice([1, 2, 10])
    if rng.random() < 0.1:
        settings = {"task": rng.choice([*TASKS])}
    elif rng.random() < 0.3:
        settings["metrics"] = ",".join(rng.sample([*METRICS], rng.choice([1, 3])))
    return settings


def _commands(path: str, key: str, rng: random.Random) -> Iterator[list[str]]:
    """Yield the arguments of the command line."""
    pair = rng.choice([[key, path], [path, key], [path, path]])
    yield ["score", *pair, "--bad-documents", "skip", "--missing", "empty"]
    yield ["score", *pair, "--layers", "all", "--by", "all", "--macro"]
    yield ["score", *pair, "--output", rng.choice(["json", "csv", "markdown", "latex"])]
    yield [
        "score",
        *pair,
        "--match",
        rng.choice(["partial", "head", "craft"]),
        "--repeated-mentions",
        "all",
    ]
    yield ["explain", *pair]
    yield ["errors", *pair]
    yield ["stats", path]
    yield ["validate", path]
    yield ["convert", path, "-", "--to", rng.choice([*WRITABLE])]
    yield ["report", *pair, "-o", os.devnull, "--samples", "5"]


def _run_command(path: Path, key: Path, rng: random.Random) -> None:
    """Run a command on the input; its exit status is 0, or 1 or 2 with a message."""
    arguments = rng.choice(list(_commands(str(path), str(key), rng)))
    output, messages = io.StringIO(), io.StringIO()
    with redirect_stdout(output), redirect_stderr(messages):
        status = main(arguments)
    if status not in {0, 1, 2} or (status == 2 and "error: " not in messages.getvalue()):
        message = f"{' '.join(arguments)}: exit status {status}: {messages.getvalue()!r}"
        raise DefectError(message)
    if "not enough memory" in messages.getvalue() or "nested too deeply" in messages.getvalue():
        message = f"{' '.join(arguments)}: {messages.getvalue()}"
        raise DefectError(message)
    if status == 2 and output.getvalue():
        message = f"{' '.join(arguments)}: output in spite of an error"
        raise DefectError(message)
