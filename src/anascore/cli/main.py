"""The command line: parses arguments, runs a command, prints its output or the error.

Takes arguments; prints text to standard output and warnings to standard error; returns an exit
status.
"""

from __future__ import annotations

import argparse
import atexit
import gc
import io
import os
import signal
import sys
from collections.abc import Callable, Collection, Sequence
from importlib import import_module
from typing import IO, Any, NamedTuple, NoReturn

from anascore.errors import AnascoreError, SettingsError, did_you_mean
from anascore.parallel import TerminationSignal, gc_paused, raise_on_termination
from anascore.terminal import allow_styles, escape_control_characters, show_progress, text_for_file
from anascore.version import __version__


class CommandResult(NamedTuple):
    """Text for standard output, messages for standard error, and the exit status."""

    text: str
    warnings: tuple[str, ...] = ()
    status: int = 0
    failures: tuple[str, ...] = ()
    """Messages about limits that were not met; they are printed below the text."""


class Command(NamedTuple):
    """A command of the command line."""

    module: str
    """Module in this folder, imported when the command is used."""

    purpose: str
    writes_files: bool = False
    """True if the command writes its own files; others print a result, or write it with -o."""


COMMANDS = {
    "score": Command("score", "score responses against a key"),
    "suite": Command("suite", "score systems on several datasets, and rank them by macro-averages"),
    "merge": Command("score", "merge results for different documents, such as shards of a corpus"),
    "explain": Command("analysis", "show how the scores of a document are computed"),
    "errors": Command(
        "analysis", "count and list errors by type, with the scores after correction"
    ),
    "agreement": Command(
        "agreement", "measure the agreement among annotators, and list their disagreements"
    ),
    "report": Command(
        "analysis", "write an HTML page with scores, errors and texts", writes_files=True
    ),
    "convert": Command("corpus", "convert a file to another format", writes_files=True),
    "validate": Command("corpus", "find all errors and suspicious annotation in files"),
    "stats": Command("corpus", "count mentions, entities and other annotation in files"),
    "baseline": Command(
        "corpus",
        "add split antecedents to a response with a baseline of the paper",
        writes_files=True,
    ),
    "codabench": Command(
        "codabench",
        "write a competition for Codabench that scores with anascore",
        writes_files=True,
    ),
    "tasks": Command("score", "list the shared tasks for --task, with all their settings"),
    "formats": Command("corpus", "list the file formats, with the annotation that each can hold"),
    "schema": Command("schema", "print the JSON Schema of the JSON output of a command"),
    "demo": Command("demo", "show what anascore does, on its example corpus"),
    "completion": Command("shell", "print a completion script for bash, zsh or tcsh"),
}

STANDARD_OUTPUT = "-"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status: 0 for success, 2 for an error.

    `validate` returns 1 if a file has errors, and `score` if a score is below a limit.
    A signal n that ends the command returns 128 + n.
    """
    words = sys.argv[1:] if arguments is None else arguments
    return execute(lambda: run_command(words))


def execute(command: Callable[[], CommandResult]) -> int:
    """Run a command, print its output and messages, and return its exit status; see `main`."""
    # Else the collector would search all objects for cycles once more when Python exits.
    atexit.register(gc.freeze)
    for stream in sys.stdout, sys.stderr:
        # Tables, messages and file names can have characters that the locale lacks.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        with raise_on_termination():
            return run(command)
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except TerminationSignal as error:
        return 128 + error.number


def run(command: Callable[[], CommandResult]) -> int:
    """Run a command that no signal interrupts, print its output, and return its exit status."""
    try:
        with gc_paused(), show_progress(sys.stderr), allow_styles(sys.stdout):
            result = command()
    except AnascoreError as error:
        # A reader that goes away is no error.
        return 0 if isinstance(error.__cause__, BrokenPipeError) else fail(*error.lines)
    except SystemExit as error:
        # The text of --help or --version may still have to be written.
        raise SystemExit(print_output("") or error.code) from None
    except OSError as error:
        place = "" if error.filename is None else f"{error.filename}: "
        message = f"{place}{error.strerror or error}"
    except MemoryError:
        message = "not enough memory; use smaller files, or fewer --jobs"
    except RecursionError:
        message = "the input is nested too deeply"
    else:
        for warning in result.warnings:
            print_message(f"warning: {warning}")
        failed = print_output(result.text) if result.text else 0
        for failure in result.failures:
            print_message(f"failed: {failure}")
        return failed or result.status
    # The error is gone, and with it the memory that it held.
    return fail(message)


def run_command(words: Sequence[str]) -> CommandResult:
    """Parse the words of a command line, and run the command."""
    given = argparse.Namespace(given=list(words))
    options, unknown = parser(words).parse_known_args(words, given)
    if unknown:
        options.parser.refuse(unknown)
    run: Callable[[argparse.Namespace], CommandResult] = options.run
    if getattr(options, "out", STANDARD_OUTPUT) == STANDARD_OUTPUT:
        return run(options)
    from anascore.cli.options import check_out  # noqa: PLC0415  seldom needed
    from anascore.formats.files import write_file  # noqa: PLC0415  the same

    check_out(options)
    with text_for_file():
        result = run(options)
    write_file(options.out, result.text)
    return result._replace(text="")


def print_output(output: str) -> int:
    """Print a command's output, and return the exit status."""
    if sys.stdout is None:
        return fail("no output: standard output is closed")
    try:
        sys.stdout.write(output)
        sys.stdout.flush()
    except OSError as error:
        # The pipe is closed or the disk is full.
        _discard(sys.stdout)
        return 0 if isinstance(error, BrokenPipeError) else fail(f"no output: {error.strerror}")
    except BaseException:
        _discard(sys.stdout)
        raise
    return 0


def _discard(stream: IO[str]) -> None:
    """Discard the text that could not be written, which Python would try to write again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def fail(*lines: str) -> int:
    """Print the lines of an error message, and return its exit status."""
    for line in lines:
        print_message(f"error: {line}")
    return 2


def print_message(message: str) -> None:
    """Print one line to standard error, if it is open."""
    if sys.stderr is not None:
        try:
            print(f"anascore: {escape_control_characters(message)}", file=sys.stderr, flush=True)
        except OSError:
            _discard(sys.stderr)


class Parser(argparse.ArgumentParser):
    """Parser that raises SettingsError, which `main` prints like any other error."""

    def error(self, message: str) -> NoReturn:
        """Raise SettingsError with a pointer to --help."""
        raise SettingsError(f"{message}; see {self.prog} --help")

    def refuse(self, arguments: Sequence[str]) -> NoReturn:
        """Raise SettingsError about arguments that the command does not accept."""
        option = next((word for word in arguments if word.startswith("-")), "").partition("=")[0]
        if not option and any(action.dest == "response" for action in self._actions):
            self.error(f"{self.prog.split()[-1]} takes one response, not {1 + len(arguments)}")
        known = self._option_string_actions
        starts = [name for name in known if name.startswith("--") and option.startswith(name)]
        hint = did_you_mean(max(starts, key=len, default=option), known)
        self.error(f"unrecognized arguments: {' '.join(arguments)}{hint}")

    def format_help(self) -> str:
        """Add the plug-ins of the command, for which the packages' entry points are read."""
        options = self._option_string_actions
        if "--metrics" in options or "--format" in options:
            from anascore.formats.registry import FORMAT_PLUG_INS  # noqa: PLC0415  seldom needed
            from anascore.metrics.scores import METRIC_PLUG_INS  # noqa: PLC0415  the same

            listed = [("--metrics", METRIC_PLUG_INS), ("--format", FORMAT_PLUG_INS)]
            lines = []
            for option, plug_ins in listed:
                plug_ins.scan()
                if option in options and plug_ins.names:
                    lines.append(f"{option}: {', '.join(plug_ins.names)}")
            self.epilog = f"plug-ins for {'; for '.join(lines)}" if lines else None
        return super().format_help()

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Raise ArgumentError if a value is not one of an option's choices."""
        if action.choices is not None and value not in action.choices:
            names = [str(choice) for choice in action.choices]
            hint = did_you_mean(value, names)
            message = f"invalid choice: {value!r}{hint}; choose from {', '.join(names)}"
            raise argparse.ArgumentError(action, message)


def parser(words: Collection[str] = COMMANDS) -> Parser:
    """Build the parser; only commands among `words` get their options, which take time to add."""
    top = Parser(
        prog="anascore",
        description="Score anaphora and coreference resolution, split antecedents included.",
    )
    top.add_argument("--version", action="version", version=f"anascore {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, (module_name, purpose, writes_files) in COMMANDS.items():
        command = commands.add_parser(name, help=purpose, allow_abbrev=False)
        if name in words:
            module = import_module(f"anascore.cli.{module_name}")
            command.description = getattr(module, f"{name.upper()}_DESCRIPTION")
            command.set_defaults(run=getattr(module, f"run_{name}"), parser=command)
            getattr(module, f"describe_{name}")(command)
            if not writes_files:
                groups = (group for group in command._action_groups if group.title == "output")
                next(groups, command).add_argument(
                    *("-o", "--out"),
                    metavar="OUT",
                    default=STANDARD_OUTPUT,
                    help="write the result to this file, compressed if its name ends in .gz; - for "
                    "standard output (default: %(default)s)",
                )
    return top
