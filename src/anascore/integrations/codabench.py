"""Competitions on Codabench: the bundle to upload, and the scoring of submissions.

CodaLab, the older platform, has the same layout of folders, and takes its scores from `scores.txt`.
"""

from __future__ import annotations

import re
import shutil
import struct
import zlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from html import escape
from os import PathLike, fspath
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from anascore.api import compare, report, suite
from anascore.corpus.sources import CorpusSource
from anascore.datasets import list_datasets
from anascore.errors import MismatchError, ReadError, SettingsError, WriteError
from anascore.formats.source import write_file
from anascore.metrics import LABELS, SCORES, values_of
from anascore.output.data import to_json, to_yaml
from anascore.output.html.markup import Markup, element
from anascore.results import Result
from anascore.results.suite import SuiteResult
from anascore.tasks import TASKS, TaskName, build_request
from anascore.version import __version__

IMAGE = f"anascore:{__version__}"
"""Image that the stage `codabench` of the Dockerfile is built into."""

SYSTEM = "submission"
"""Name of the system that is scored."""

STRAY_FILES = ("metadata", "__MACOSX", "README*", "Thumbs.db", "desktop.ini", ".*")
"""Names of files and folders that platforms and operating systems add."""

MAX_NAME = 36
"""Maximum length of the key and of the title of a column."""

DECIMALS = 6
"""Number of decimals of scores, which are in per cent."""


@dataclass(frozen=True, slots=True)
class SubmissionScores:
    """Scores of a submission."""

    values: Mapping[str, float]
    """Scores in per cent by column, the one that ranks submissions first. Undefined ones are left
    out, since the platform takes numbers only."""

    table: str
    """Scores as a table, for the log."""


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
    build_request(task=task)
    if not re.fullmatch(r"[a-z0-9]\S*", image):
        message = f"--image {image!r}: this is not the name of an image, like user/anascore:0.1"
        raise SettingsError(message)
    if not re.fullmatch(r"all|(?:worst:)?[0-9]{1,9}", documents):
        message = f"--documents {documents}: give a number, worst:N, or all"
        raise SettingsError(message)
    target = Path(fspath(folder))
    if not target.name:
        raise WriteError(repr(fspath(folder)), "name a new folder")
    archive = target.with_name(f"{target.name}.zip")
    for path in (target, archive):
        if path.exists():
            raise WriteError(str(path), "this already exists; choose another folder")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".anascore-", dir=target.parent) as temporary:
            bundle = Path(temporary, "bundle")
            datasets = _add_reference(reference, bundle / "reference_data", task)
            texts = _texts(task, datasets, documents)
            if reference is None:
                texts["reference_data/README.md"] = NO_REFERENCE
            texts["competition.yaml"] = to_yaml(
                _competition(task, datasets, image, start or datetime.now(UTC).date())
            )
            for name, text in texts.items():
                path = bundle / name
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8")
            (bundle / "logo.png").write_bytes(draw_logo())
            if reference is None:
                bundle.replace(target)
                return None
            zipped = Path(temporary, "bundle.zip")
            _zip(bundle, zipped)
            bundle.replace(target)
            return zipped.replace(archive)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise WriteError(str(target), f"the bundle cannot be written: {reason}") from error


def _add_reference(
    reference: str | PathLike[str] | None, target: Path, task: TaskName
) -> Collection[str]:
    """Copy the key into the bundle, and score it against itself; return the names of datasets."""
    if reference is None:
        target.mkdir(parents=True)
        return ()
    source = Path(fspath(reference))
    if source.is_dir():
        _copy_folder(source, target)
    elif source.is_file():
        target.mkdir(parents=True)
        shutil.copy(source, target)
    else:
        raise ReadError(str(source), None, "no such file or folder")
    copied = target.name if source.is_dir() else f"{target.name}(?:/{re.escape(source.name)})?"
    with chdir(target.parent), _rewriting(copied, str(source)):
        result = _score(target.name, target.name, task)
    _flat_scores(result, task)
    datasets = result.datasets if isinstance(result, SuiteResult) else ()
    for name in datasets:
        if len(_dataset_column(name)) > MAX_NAME:
            message = (
                f"the name of the dataset {name!r} is too long for a column of Codabench, which "
                f"has {MAX_NAME} characters; rename it to {MAX_NAME - len(_dataset_column(''))}"
            )
            raise SettingsError(message)
    return datasets


@contextmanager
def _rewriting(pattern: str, replacement: str) -> Iterator[None]:
    """Replace a pattern in the messages of errors. Lines that are empty then are left out."""

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
    """Write the files of a folder to a zip, which is the same for the same files."""
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                info = ZipInfo(path.relative_to(folder).as_posix())
                info.compress_type, info.external_attr = ZIP_DEFLATED, 0o644 << 16
                archive.writestr(info, path.read_bytes())


PROGRAM = '''\
"""Scores a submission with anascore, which the container image has installed."""

import sys

try:
    from anascore.cli.codabench import score_main
except ImportError as error:
    sys.exit("anascore is not installed in this image: %s; docker_image names another" % error)

sys.exit(score_main(sys.argv[1:], task={task!r}, documents={documents!r}))
'''
"""Scoring program. It can also be read by the old Python of the default image."""

COMMAND = "python3 /app/program/scoring.py /app/input/ /app/output/"
OLD_COMMAND = "python3 $program/scoring.py $input $output"
"""Command on CodaLab, which replaces the variables."""


def _texts(task: str, datasets: Collection[str], documents: str) -> dict[str, str]:
    """Return the scoring program and the pages, by path."""
    label, form = TASKS[task].label, TASKS[task].format
    content, command = "a file, or several", "score"
    if datasets:
        listed = ", ".join(f"`{name}`" for name in datasets)
        content, command = f"one file or folder for each dataset: {listed}", "suite"
    scores = "".join(
        f"\n- **{column['title']}**: `{column['key']}`"
        for column in _columns(task, ())
        if not column["hidden"]
    )
    return {
        "scoring_program/metadata.yaml": to_yaml({"command": COMMAND}),
        "scoring_program/metadata": to_yaml({"command": OLD_COMMAND}),
        "scoring_program/scoring.py": PROGRAM.format(task=task, documents=documents),
        "pages/overview.md": f"# {label}\n\nSubmissions are scored with anascore {__version__}.\n",
        "pages/evaluation.md": (
            f"# Evaluation\n\nA submission is a zip with {content}. The format is `{form}`, or any "
            f"other that anascore reads.\n\nIt is scored like `anascore {command} --task {task}`. "
            f"Scores are in per cent:\n{scores}\n\nThe log names the file and the line of a "
            f"mistake.\n"
        ),
        "pages/terms.md": "# Terms\n\nBy taking part you agree to fair play.\n",
    }


NO_REFERENCE = """\
Copy the key to this folder: a file, or several; for the CRAC tasks on multilingual coreference one
file or folder per dataset. Then zip the contents of the folder above, and upload the zip.
"""


def _competition(task: str, datasets: Collection[str], image: str, start: date) -> dict[str, Any]:
    """Return the content of competition.yaml."""
    label = TASKS[task].label
    return {
        "version": 2,
        "title": label,
        "description": f"{label}, scored with anascore",
        "image": "logo.png",
        "terms": "pages/terms.md",
        "docker_image": image,
        "enable_detailed_results": True,
        "pages": [
            {"title": "Overview", "file": "pages/overview.md"},
            {"title": "Evaluation", "file": "pages/evaluation.md"},
        ],
        "tasks": [
            {
                "index": 0,
                "name": label,
                "description": f"anascore score --task {task}",
                "reference_data": "reference_data",
                "scoring_program": "scoring_program",
            }
        ],
        "phases": [
            {
                "index": 0,
                "name": "Test",
                "description": "Submit the output of your system",
                "start": f"{start} 00:00:00",
                "execution_time_limit": 3600,
                "tasks": [0],
            }
        ],
        "leaderboards": [
            {
                "title": "Results",
                "key": "main",
                "primary_index": 0,
                "submission_rule": "Add_And_Delete",
                "columns": _columns(task, datasets),
            }
        ],
    }


def _columns(task: str, datasets: Collection[str]) -> list[dict[str, Any]]:
    """Return the columns of the leaderboard; recall and precision are hidden at first."""
    main, *others = _ordered_metrics(task)
    titles = {_column(main, "f1"): _title(task, main, "f1")}
    titles |= {_dataset_column(name): name for name in datasets}
    for name in (main, *others):
        for value in ("f1", "recall", "precision"):
            if value in values_of(name):
                titles.setdefault(_column(name, value), _title(task, name, value))
    return [
        {
            "title": title,
            "key": key,
            "index": index,
            "sorting": "desc",
            "precision": 2,
            "hidden": key.endswith(("_recall", "_precision")),
        }
        for index, (key, title) in enumerate(titles.items())
    ]


def _ordered_metrics(task: str) -> list[str]:
    """Return the scores of a task, the one that ranks systems first."""
    metrics = list(TASKS[task].metrics)
    return sorted(metrics, key=lambda name: name != "conll")


def _title(task: str, name: str, value: str) -> str:
    """Return the title of a column, with the layer if it is not the first one of the task."""
    layers = TASKS[task].settings.layers
    layer = next(layer for layer in layers if layer in SCORES[name].layers)
    label = LABELS[name] if layer == layers[0] else f"{layer}: {LABELS[name]}"
    return label if values_of(name) == ("f1",) else f"{label} {value.capitalize()}"


def _column(name: str, value: str) -> str:
    """Return the key of a column, like `muc_recall`, or `conll` for a mean of F1."""
    return name if values_of(name) == ("f1",) else f"{name}_{value}"


def _dataset_column(name: str) -> str:
    """Return the key of the column of a dataset."""
    return f"conll_{name}"


LOGO = (
    "................",
    ".####......####.",
    ".####......####.",
    ".####......####.",
    "...##......##...",
    "....##....##....",
    ".....##..##.....",
    "......####......",
    ".....######.....",
    ".....######.....",
    ".....######.....",
    "................",
)
"""Two entities and the anaphor that refers to both, as pixels."""

SCALE = 16


def draw_logo() -> bytes:
    """Draw the logo, which a competition must have, as PNG."""
    rows = [
        b"\0" + b"".join((b"\x1f" if pixel == "#" else b"\xff") * SCALE for pixel in line)
        for line in LOGO
        for _ in range(SCALE)
    ]
    size = struct.pack(">IIBBBBB", len(LOGO[0]) * SCALE, len(rows), 8, 0, 0, 0, 0)
    chunks = ((b"IHDR", size), (b"IDAT", zlib.compress(b"".join(rows), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


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
            _copy_folder(source / side, Path(side))
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


def _copy_folder(source: Path, target: Path) -> None:
    """Copy a folder without stray files; raise ReadError if a file cannot be copied."""
    if not source.is_dir():
        raise ReadError(str(source), None, "no such folder")
    try:
        shutil.copytree(source, target, ignore=shutil.ignore_patterns(*STRAY_FILES))
    except shutil.Error as error:
        path, _, reason = error.args[0][0]
        raise ReadError(path, None, f"this cannot be copied: {reason}") from None


def _top_folder(folder: Path, names: Collection[str]) -> Path:
    """Return the folder of the files, if a submission was zipped with the folder that they are in.

    A folder with a name that the key has, too, is a dataset.
    """
    items = list(folder.iterdir())
    if len(items) == 1 and items[0].is_dir() and items[0].name not in names:
        return _top_folder(items[0], names)
    return folder


def _score(key: str, response: str, task: TaskName) -> Result | SuiteResult:
    """Score a response: by dataset in the CRAC tasks on multilingual coreference."""
    if TASKS[task].format == "corefud":
        _check_datasets(key, response)
        return suite(key, {SYSTEM: response}, task=task)
    return compare(key, {SYSTEM: response}, task=task)[0]


def _check_datasets(key: str, response: str) -> None:
    """Raise MismatchError if a submission has a dataset that the key lacks, or lacks one."""
    keys, responses = list_datasets(key, "ref"), list_datasets(response, "res")
    problem = ""
    if extra := [Path(str(path)).name for name, path in responses.items() if name not in keys]:
        problem = f"has {', '.join(extra)}"
    elif missing := [name for name in keys if name not in responses]:
        problem = f"lacks {', '.join(missing)}"
    if problem:
        message = f"the submission {problem}; expected {', '.join(keys)}"
        raise MismatchError(message)


def _flat_scores(result: Result | SuiteResult, task: str) -> dict[str, float]:
    """Return the defined scores by column; raise SettingsError if the first one is undefined."""
    metrics = _ordered_metrics(task)
    scores = result.macro(SYSTEM) if isinstance(result, SuiteResult) else result
    main = _column(metrics[0], "f1")
    values = {main: scores[metrics[0]].f1}
    if values[main] is None:
        message = f"the key has nothing to score by {main}, the first score of the task {task}"
        raise SettingsError(message)
    for name in metrics:
        values |= {_column(name, value): getattr(scores[name], value) for value in values_of(name)}
    if isinstance(result, SuiteResult):
        values |= {_dataset_column(name): result.value(SYSTEM, name) for name in result.datasets}
    return {
        name: round(100 * value, DECIMALS) for name, value in values.items() if value is not None
    }


def _detailed_results(
    result: Result | SuiteResult, key: str, response: str, task: TaskName, documents: str
) -> str:
    """Return the page of detailed results: the report; of several datasets below the tables.

    Reports are about identity; of tasks about other layers there are tables only.
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
    frames = (
        element("details", element("summary", name), _frame(name, page))
        for name, page in reports.items()
    )
    title = element("title", f"anascore: {SYSTEM}")
    head = element("head", element("meta", charset="utf-8"), title)
    body = element("body", Markup(result._repr_html_()), *frames, style="font-family:sans-serif")
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def _frame(name: str, page: str) -> Markup:
    """Return a frame with a page in it, as it is: `element` would escape its line ends, too."""
    style = "width:100%;height:90vh;border:0"
    frame = element("iframe", title=name, loading="lazy", style=style)
    return Markup(frame.replace("<iframe", f'<iframe srcdoc="{escape(page)}"', 1))
