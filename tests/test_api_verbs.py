"""Every command of the command line has its function; the functions about corpora."""

import argparse
import inspect
import io
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore import Corpus, ReadError, SettingsError, WriteError
from anascore.cli.main import COMMANDS, main, parser
from anascore.example import copy_example
from anascore.formats.registry import ANNOTATION, FORMATS
from anascore.output.renderers import Layout
from anascore.output.view import ReportOptions
from anascore.tasks import TASKS
from support.paper import KEY, SYSTEMS

FUNCTIONS: dict[str, tuple[Callable[..., Any], Callable[..., Any] | None]] = {
    # the function of a command, and the one that renders what it returns
    "score": (anascore.compare, anascore.Comparison.render),
    "suite": (anascore.suite, anascore.SuiteResult.render),
    "merge": (anascore.merge, anascore.Comparison.render),
    "agreement": (anascore.agreement, anascore.Agreement.render),
    "explain": (anascore.explain, anascore.ResponseExplanation.render),
    "errors": (anascore.find_errors, anascore.ResponseErrors.render),
    "report": (anascore.report, None),
    "convert": (anascore.convert, None),
    "validate": (anascore.validate, anascore.Validation.render),
    "stats": (anascore.stats, anascore.Statistics.render),
    "baseline": (anascore.add_sets, anascore.convert),
    "tasks": (anascore.list_tasks, None),
    "formats": (anascore.list_formats, None),
    "schema": (anascore.json_schema, None),
    "demo": (copy_example, None),
    "codabench": (anascore.write_competition, None),
}

OF_THE_COMMAND_LINE = {"completion"}
"""Commands about the command line itself, which is nothing that Python needs."""

RENAMED = {
    "score": {"dask": "executor"},
    "merge": {"results": "parts"},
    "explain": {"doc": "document", "all": "full"},
    "errors": {"type": "types", "doc": "document", "responses": "response"},
    "report": {"target": "path"},
    "convert": {"input": "source"},
    "validate": {"files": "corpora"},
    "stats": {"files": "corpora"},
    "baseline": {"single": "corpus", "key_format": "format"},
    "schema": {"name": "command"},
    "demo": {"files": "folder"},
}
"""Arguments whose parameters have other names."""

CHECKS = {"score": anascore.Comparison.failures}
"""Functions that check what a command's function returns."""

PLAIN = {
    "score": {"score_only"},
    "merge": {"score_only"},
    "tasks": {"output"},
    "formats": {"output"},
    "demo": {"report"},
}
"""Arguments without a parameter: functions return plain values, like `result.conll`, or `report`
does the work."""


def arguments_of(command: str) -> set[str]:
    (commands,) = (
        action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)
    )
    arguments = {action.dest for action in commands.choices[command]._actions}
    # In Python, users write the text themselves.
    return arguments - {"help", *(() if COMMANDS[command].writes_files else ("out",))}


KEYWORDS = {"view": (ReportOptions, Layout), "layout": (Layout,)}
"""Options that functions take as further keywords, by the name of these."""


def parameters_of(function: Callable[..., Any]) -> set[str]:
    parameters = {*inspect.signature(function).parameters}
    options = (options for name in parameters & KEYWORDS.keys() for options in KEYWORDS[name])
    return parameters | {field.name for one in options for field in fields(one)}


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - OF_THE_COMMAND_LINE))
def test_every_command_has_its_function(command: str) -> None:
    function, render = FUNCTIONS[command]
    parameters = parameters_of(function) | (parameters_of(render) if render else set())
    if command in CHECKS:
        parameters |= parameters_of(CHECKS[command])
    renamed = RENAMED.get(command, {})

    for argument in arguments_of(command) - PLAIN.get(command, set()):
        assert renamed.get(argument, argument) in parameters, argument
    if function is not copy_example:
        assert getattr(anascore, function.__name__) is function
        assert function.__name__ in anascore.__all__


def test_every_function_is_that_of_a_command_or_named_here() -> None:
    of_commands = {function.__name__ for function, _ in FUNCTIONS.values()}
    public = {name for name in anascore.__all__ if inspect.isfunction(getattr(anascore, name))}

    assert public - of_commands == {
        *("read", "write", "score", "score_clusters", "show"),
        *("register_format", "register_metric"),
    }
    assert {*FUNCTIONS} == COMMANDS.keys() - OF_THE_COMMAND_LINE


# formats


def test_list_formats() -> None:
    formats = anascore.list_formats()

    assert list(formats) == list(FORMATS)
    assert formats["conll2012"] == {
        "label": "CoNLL-2012",
        "write": True,
        "endings": (".conll", "_conll"),
        "unit": "words",
        **dict.fromkeys(ANNOTATION, False),
        "sentences": True,
        "names": True,
    }
    assert formats["jsonl"]["antecedents"] == "result, set"
    assert (formats["brat"]["unit"], formats["brat"]["write"]) == ("characters", False)


# convert


def test_convert_is_the_command(tmp_path: Path) -> None:
    by_command, by_function = tmp_path / "a.conll", tmp_path / "b.conll"

    assert main(["convert", str(KEY), str(by_command)]) == 0
    lost = anascore.convert(KEY, by_function)

    assert by_function.read_bytes() == by_command.read_bytes()
    assert lost == anascore.write(anascore.read(KEY), tmp_path / "c.conll")
    assert lost["accommodated sets"] == 3


def test_convert_writes_to_an_open_file(capsys: pytest.CaptureFixture[str]) -> None:
    text = io.StringIO()

    lost = anascore.convert(anascore.read(KEY), text, to="jsonl")
    main(["convert", str(KEY), "-", "--to", "jsonl"])

    assert text.getvalue() == capsys.readouterr().out
    assert not lost["accommodated sets"]


def test_convert_reads_with_options(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text('{"doc_key": "d", "tokens": ["a", "b"], "other": [[[0, 0], [1, 1]]]}')

    anascore.convert(source, tmp_path / "out.conllua", format="jsonl", clusters_field="other")

    (document,) = anascore.read(tmp_path / "out.conllua").documents.values()
    assert [len(entity.mentions) for entity in document.entities] == [2]


@pytest.mark.parametrize(
    ("target", "to", "error", "message"),
    [
        (
            "out",
            None,
            SettingsError,
            "out: cannot tell the output format from this name; choose one",
        ),
        ("out", "x", SettingsError, "unknown format: x; choose from ua,"),
        ("out", "brat", SettingsError, "brat can only be read; choose from ua,"),
        ("-", "ua", WriteError, "-: a corpus cannot be written to -; give a file"),
        (5, "ua", SettingsError, "the target must be a path or an open text file, not 5"),
        (io.StringIO(), None, SettingsError, "-: cannot tell the output format from this name;"),
    ],
)
def test_convert_refuses(target: Any, to: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as raised:
        anascore.convert(KEY, target, to=to)

    assert str(raised.value).startswith(message)


# validate


def test_validate_is_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.conll").write_text("w 1)\n")
    line = '{{"doc_key": "{}", "sentences": [[{}]], "clusters": []}}\n'
    (tmp_path / "b.jsonl").write_text(line.format("c", '"w"') + line.format("d", ""))
    paths = [str(tmp_path / "a.conll"), str(tmp_path / "b.jsonl")]

    status = main(["validate", *paths])
    validation = anascore.validate(paths)

    assert capsys.readouterr().out == f"{validation}\n"
    assert (status, validation.ok) == (1, False)
    assert [file.path for file in validation] == paths
    assert len(validation) == 2
    assert [problem.line for problem in validation.errors] == [1]
    assert [problem.what for problem in validation.warnings] == ["document 'd' has no words"]
    assert validation.files[0].errors == validation.errors
    assert validation.files[1].warnings == validation.warnings


def test_validate_takes_one_path_and_each_path_once() -> None:
    assert anascore.validate(KEY).ok
    assert anascore.validate(str(KEY)) == anascore.validate([KEY, str(KEY)])


def test_a_path_of_nothing_is_an_error_of_validation() -> None:
    validation = anascore.validate("nowhere")

    assert [str(problem) for problem in validation.errors] == ["nowhere: error: no such file"]
    assert "nowhere" in validation._repr_html_()


@pytest.mark.parametrize(
    ("paths", "options", "message"),
    [
        (5, {}, "5 is neither a path nor a corpus, such as anascore.read returns"),
        ([KEY, None], {}, "None is neither a path nor a corpus, such as anascore.read returns"),
        (KEY, {"format": "x"}, "unknown format: x; choose from ua,"),
        (KEY, {"word_column": 0}, "--word-column must be a whole number, at least 1, not 0"),
        (KEY, {"word_column": 3}, f"{KEY} is CoNLL-UA; --word-column is only for CoNLL-2012"),
    ],
)
def test_validate_refuses(paths: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError) as raised:
        anascore.validate(paths, **options)

    assert str(raised.value).startswith(message)


# stats


def test_stats_is_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    main(["stats", str(KEY), str(SYSTEMS[0]), "--per-document"])

    statistics = anascore.stats([KEY, SYSTEMS[0]])

    assert capsys.readouterr().out == statistics.table(per_document=True)
    assert f"{statistics}\n" == statistics.render("table")
    assert [file.path for file in statistics] == [str(KEY), str(SYSTEMS[0])]
    assert len(statistics) == 2
    assert statistics.total.mentions == 28
    assert statistics.total == statistics.files[0].total + statistics.files[1].total


def test_stats_takes_corpora() -> None:
    corpus = anascore.read(KEY)

    assert anascore.stats(corpus) == anascore.stats(KEY)
    (file,) = anascore.stats(Corpus(corpus.documents))
    assert file.path == "in Python"


def test_stats_refuses() -> None:
    with pytest.raises(SettingsError, match="5 is neither a path nor a corpus"):
        anascore.stats(5)  # type: ignore[arg-type]
    with pytest.raises(ReadError, match="nowhere: no such file"):
        anascore.stats("nowhere")


# tasks


def test_list_tasks() -> None:
    tasks = anascore.list_tasks()

    assert list(tasks) == list(TASKS)
    assert list(tasks["crac18"])[:3] == ["label", "format", "metrics"]
    assert tasks["crac18"]["layers"] == ("identity", "non-referring")
    assert "words" not in tasks["crac18"]
