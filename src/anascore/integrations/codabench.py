"""Competitions on Codabench: the bundle to upload, and the scoring of submissions.

CodaLab, the older platform, uses the same folder layout, and reads its scores from `scores.txt`.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Collection, Iterator, Mapping
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from html import escape
from os import PathLike, fspath
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from anascore.api import compare, report, suite
from anascore.arguments import check_arguments
from anascore.errors import MismatchError, ReadError, SettingsError, WriteError, shown
from anascore.formats.files import write_file
from anascore.formats.sources import CorpusSource
from anascore.metrics.scores import LABELS, SCORES, values_of
from anascore.output.html.markup import text
from anascore.output.hub import yaml_text
from anascore.output.json.text import to_json
from anascore.results.result import Result
from anascore.results.suite import SuiteResult
from anascore.suites import list_datasets
from anascore.tasks import TASKS, TaskName, check_task
from anascore.version import __version__

TEMPLATES = Path(__file__).with_name("competition")
"""A bundle's files; `$name` in a text is replaced by a value."""

IMAGE = f"anascore:{__version__}"
"""Image built from the stage `codabench` of the Dockerfile."""

SYSTEM = "submission"
"""Name of the scored system."""

STRAY_FILES = ("metadata", "__MACOSX", "README*", "Thumbs.db", "desktop.ini", ".*")
"""Names of files and folders that platforms and operating systems add."""

MAX_NAME = 36
"""Maximum length of a column's key and title."""

DATASET = "conll_"
"""Prefix of the key of a column with a dataset's scores."""

DECIMALS = 6
"""Number of decimals of scores, which are in per cent."""


@dataclass(frozen=True, slots=True)
class SubmissionScores:
    """Scores of a submission."""

    values: Mapping[str, float]
    """Scores in per cent by column, starting with the one that ranks submissions. Undefined
    scores are left out, because the platform accepts only numbers."""

    table: str
    """Scores as a table, for the log."""


@check_arguments
def write_competition(  # noqa: PLR0913  every choice is a keyword
    folder: str | PathLike[str],
    *,
    task: TaskName,
    reference: str | PathLike[str] | None = None,
    image: str = IMAGE,
    documents: str = "0",
    start: date | None = None,
) -> Path | None:
    """Write a competition for Codabench: a folder, and with a reference also a zip to upload.

    Args:
        folder: New folder to write; the zip is written beside it.
        task: Name of a shared task.
        reference: File or folder with the key. A folder has one file or folder per dataset in the
            CRAC tasks on multilingual coreference, whose scores are macro-averages. Without it,
            copy the key to `reference_data` in the new folder yourself.
        image: Container image with anascore, in a registry that Codabench can pull from.
        documents: Documents whose texts are shown in the detailed results, which participants can
            see: N for the first N, "worst:N", or "all". The default is none, since the
            texts show the key.
        start: First day of the competition (default: today).

    Returns:
        The path of the zip, or None without a reference.

    Raises:
        SettingsError: The task is unknown, or an option is invalid.
        ReadError: The reference cannot be read.
        WriteError: The folder or the zip exists, or cannot be written.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> from anascore.example import KEY
        >>> with TemporaryDirectory() as folder:
        ...     write_competition(f"{folder}/new", task="codicrac-ar", reference=KEY).name
        'new.zip'
    """
    check_task(task)
    _check_options(image, documents, start)
    target = Path(fspath(folder))
    if not target.name:
        raise WriteError(repr(fspath(folder)), "name a new folder")
    archive = target.with_name(f"{target.name}.zip")
    try:
        for existing in filter(Path.exists, (target, archive)):
            raise WriteError(str(existing), "this already exists; choose another folder")
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".anascore-", dir=target.parent) as temporary:
            bundle, zipped = Path(temporary, "bundle"), Path(temporary, "zip")
            day = f"{start or datetime.now(UTC):%Y-%m-%d}"
            choices = {"image": image, "documents": documents, "start": day}
            if reference is None:
                _fill_templates(bundle, **choices, **_values(task, ()))
                bundle.replace(target)
                return None
            datasets = _add_reference(reference, bundle / "reference_data", task)
            _fill_templates(bundle, **choices, **_values(task, datasets))
            _zip(bundle, zipped)
            bundle.replace(target)
            return zipped.replace(archive)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise WriteError(str(target), f"the bundle cannot be written: {reason}") from error


def _check_options(image: str, documents: str, start: object) -> None:
    if not re.fullmatch(r"[a-z0-9][\w.:/@-]*", image, re.ASCII):
        message = f"--image {shown(image)}: give the name of an image, like user/anascore:0.1"
        raise SettingsError(message)
    if not re.fullmatch(r"all|(?:worst:)?[0-9]{1,9}", documents):
        message = f"--documents {documents}: give a number, worst:N, or all"
        raise SettingsError(message)
    if start is not None and not isinstance(start, date):
        message = f"start must be a date, not {shown(start)}"
        raise SettingsError(message)


def _add_reference(reference: str | PathLike[str], target: Path, task: TaskName) -> Collection[str]:
    """Copy the key into the bundle, and score it against itself; return the dataset names."""
    source = Path(fspath(reference))
    if not fspath(reference):
        raise ReadError(repr(fspath(reference)), None, "this is not a file name")
    _copy(source, target)
    copied = target.name if source.is_dir() else f"{target.name}(?:/{re.escape(source.name)})?"
    with chdir(target.parent), _rewriting(copied, str(source)):
        result = _score(target.name, target.name, task)
    _flat_scores(result, task)
    datasets = result.datasets if isinstance(result, SuiteResult) else ()
    for name in datasets:
        if len(name) > (longest := MAX_NAME - len(DATASET)):
            message = (
                f"the name of the dataset {name!r} is too long for a column of Codabench, which "
                f"has {MAX_NAME} characters; rename it to {longest}"
            )
            raise SettingsError(message)
    return datasets


@contextmanager
def _rewriting(pattern: str, replacement: str) -> Iterator[None]:
    """Replace a pattern in error messages, and drop lines that become empty."""

    def rewrite(text: str) -> str:
        return re.sub(pattern, lambda _: replacement, text)

    try:
        yield
    except ReadError as error:
        lines = filter(None, map(rewrite, error.further_lines))
        path, message = rewrite(error.path), rewrite(error.what)
        raise ReadError(path, error.line, message, [*lines]) from None
    except (MismatchError, SettingsError) as error:
        raise type(error)(rewrite(str(error))) from None


def _zip(folder: Path, target: Path) -> None:
    """Zip a folder's files, reproducibly: the same files give the same bytes."""
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for path in filter(Path.is_file, sorted(folder.rglob("*"))):
            info = ZipInfo(path.relative_to(folder).as_posix())
            info.compress_type, info.external_attr = ZIP_DEFLATED, 0o644 << 16
            archive.writestr(info, path.read_bytes())


def _fill_templates(bundle: Path, **values: str) -> None:
    """Write a bundle's files; if there is a reference, its folder exists and stays unchanged."""
    # Installers compile the scoring program.
    unwanted = {"__pycache__", *(path.name for path in bundle.glob("*"))}
    for source in filter(Path.is_file, TEMPLATES.rglob("*")):
        if source.parent.name in unwanted:
            continue
        target = bundle / source.relative_to(TEMPLATES)
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix == ".png":
            target.write_bytes(source.read_bytes())
        else:
            template = Template(source.read_text(encoding="utf-8"))
            target.write_text(template.substitute(values), encoding="utf-8")


def _values(task: TaskName, datasets: Collection[str]) -> dict[str, str]:
    """Collect the template values that depend on the task and its datasets."""
    content, command = "a file, or several", "score"
    if _has_datasets(task):
        content, command = "one file or folder for each dataset", "suite"
    if datasets:
        content += f": {', '.join(f'`{name}`' for name in datasets)}"
    return {
        "task": task,
        "label": TASKS[task].label,
        "format": TASKS[task].format,
        "version": __version__,
        "content": content,
        "command": command,
        "columns": "\n".join(
            f"      - {{title: {yaml_text(title)}, key: {yaml_text(key)}, index: {index}, "
            f"sorting: desc, precision: 2, hidden: {'false' if _is_visible(key) else 'true'}}}"
            for index, (key, title) in enumerate(_columns(task, datasets).items())
        ),
        "scores": "\n".join(
            f"- **{title}**: `{key}`"
            for key, title in _columns(task, ()).items()
            if _is_visible(key)
        ),
    }


def _columns(task: TaskName, datasets: Collection[str]) -> dict[str, str]:
    """Title the leaderboard's columns, by key; the first one ranks."""
    metrics, layers = TASKS[task].metrics, TASKS[task].settings.layers
    titles = {}
    for name in metrics:
        layer = next(layer for layer in layers if layer in SCORES[name].layers)
        label = LABELS[name] if layer == layers[0] else f"{layer}: {LABELS[name]}"
        for value in values_of(name):
            key = _column(name, value)
            titles[key] = label if key == name else f"{label} {value.capitalize()}"
    main = _column("conll" if "conll" in metrics else metrics[0], "f1")
    return {main: titles.pop(main)} | {DATASET + name: name for name in datasets} | titles


def _column(name: str, value: str) -> str:
    """Name a column's key, like `muc_recall`, or `conll` for a mean of F1."""
    return name if values_of(name) == ("f1",) else f"{name}_{value}"


def _is_visible(key: str) -> bool:
    """Show F1; hide recall and precision at first."""
    return key.startswith(DATASET) or not key.endswith(("_recall", "_precision"))


ADVICE = r"^--[a-z-]+ [^;]*|; [^;]*(?<!\S)--[a-z-]+[^;]*"
"""Pattern of advice on options, which participants cannot set."""


def score_submission(
    source: str | PathLike[str],
    target: str | PathLike[str],
    *,
    task: TaskName,
    documents: str = "0",
) -> SubmissionScores:
    """Score a submission as the platform lays it out, and write scores and detailed results.

    Args:
        source: Folder with the key in `ref` and the submission in `res`.
        target: Folder for `scores.json`, `scores.txt` and `detailed_results.html`. All are
            written at the end, and none if there is an error.
        task: Name of a shared task.
        documents: Documents whose texts are shown in the detailed results; see `write_competition`.

    Returns:
        The scores by column of the leaderboard.

    Raises:
        SettingsError: The task is unknown, or the key has nothing to score.
        ReadError: A file cannot be read; the message names the file and the line.
        MismatchError: The submission lacks a dataset or a document, or has other words.
        WriteError: The scores cannot be written.
    """
    source, output = Path(fspath(source)).resolve(), Path(fspath(target)).resolve()
    # Messages and reports then have short paths, and stray files need not be removed.
    with (
        TemporaryDirectory(prefix="anascore-") as temporary,
        chdir(temporary),
        _rewriting(ADVICE, ""),
    ):
        for side in ("ref", "res"):
            _copy(source / side, Path(side))
        names = {item.name for item in Path("ref").iterdir()}
        response = fspath(_top_folder(Path("res"), names))
        result = _score("ref", response, task)
        scores = _flat_scores(result, task)
        page = _detailed_results(result, "ref", response, task, documents)
    output.mkdir(parents=True, exist_ok=True)
    write_file(str(output / "detailed_results.html"), page)
    lines = (f"{name}: {value:.{DECIMALS}f}\n" for name, value in scores.items())
    write_file(str(output / "scores.txt"), "".join(lines))
    write_file(str(output / "scores.json"), to_json(scores))
    return SubmissionScores(scores, result.table())


def _copy(source: Path, target: Path) -> None:
    """Copy a folder without stray files, or a file into a new folder."""
    try:
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns(*STRAY_FILES))
        elif source.is_file():
            target.mkdir(parents=True)
            shutil.copy(source, target)
        else:
            raise ReadError(str(source), None, "no such file or folder")
    except shutil.Error as error:
        path, _, reason = error.args[0][0]
        raise ReadError(path, None, f"this cannot be copied: {reason}") from None


def _top_folder(folder: Path, names: Collection[str]) -> Path:
    """Find the submission's files if they were zipped together with their folder.

    A folder whose name also exists in the key is a dataset.
    """
    items = list(folder.iterdir())
    if len(items) == 1 and items[0].is_dir() and items[0].name not in names:
        return _top_folder(items[0], names)
    return folder


def _has_datasets(task: TaskName) -> bool:
    """Test for the CRAC tasks on multilingual coreference, which average over datasets."""
    return TASKS[task].format == "corefud"


def _score(key: str, response: str, task: TaskName) -> Result | SuiteResult:
    if _has_datasets(task):
        return suite(key, {SYSTEM: response}, task=task)
    return compare(key, {SYSTEM: response}, task=task)[0]


def _flat_scores(result: Result | SuiteResult, task: TaskName) -> dict[str, float]:
    """Return the defined scores by column; raise SettingsError if the first one is undefined."""
    scores = result.macro(SYSTEM) if isinstance(result, SuiteResult) else result
    values = {
        _column(name, value): getattr(scores[name], value)
        for name in TASKS[task].metrics
        for value in values_of(name)
    }
    datasets: Collection[str] = ()
    if isinstance(result, SuiteResult):
        datasets = result.datasets
        values |= {DATASET + name: result.value(SYSTEM, name) for name in datasets}
    main, *others = _columns(task, datasets)
    if values[main] is None:
        message = f"the key has nothing to score by {main}, the first score of the task {task}"
        raise SettingsError(message)
    defined = (key for key in (main, *others) if values[key] is not None)
    return {key: round(100 * values[key], DECIMALS) for key in defined}


def _detailed_results(
    result: Result | SuiteResult, key: str, response: str, task: TaskName, documents: str
) -> str:
    """Build the page of detailed results: the report; for several datasets, below the tables.

    Reports cover identity, so tasks about other layers get only tables.
    """
    pairs: dict[str, tuple[CorpusSource, CorpusSource]] = {"": (key, response)}
    if isinstance(result, SuiteResult):
        responses = list_datasets(response, "res")
        pairs = {name: (path, responses[name]) for name, path in list_datasets(key, "ref").items()}
    reports = {}
    if TASKS[task].settings.layers[0] == "identity":
        for name, (of_key, of_response) in pairs.items():
            report(of_key, {SYSTEM: of_response}, "page.html", documents=documents, task=task)
            reports[name] = Path("page.html").read_text(encoding="utf-8")
        if len(reports) == 1:
            return reports.popitem()[1]
    frames = "".join(
        f"<details><summary>{text(name)}</summary>"
        f'<iframe srcdoc="{escape(page)}" title="{text(name)}" loading="lazy" '
        'style="width:100%;height:90vh;border:0"></iframe></details>'
        for name, page in reports.items()
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>anascore: {SYSTEM}</title></head>"
        f'<body style="font-family:sans-serif">{result._repr_html_()}{frames}</body></html>\n'
    )
