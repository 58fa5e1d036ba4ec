"""Code blocks of pages in Markdown: found, executed in order, and compared with what they show."""

import contextlib
import doctest
import io
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from anascore.cli.main import main, parser
from support.paths import ROOT

FENCE = re.compile(
    r"^(?P<fence>```+)(?P<language>[^\n`]*)\n(?P<code>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL
)

DATA = {"json", "yaml", "toml", "ini", "text", "dockerfile", "bibtex", "xml", "html", ""}
"""Languages of blocks that are shown and not executed."""

OTHER_PROGRAMS = {
    *("apptainer", "cat", "cd", "codabench", "curl", "docker", "eval", "git", "jupyter", "ls"),
    *("mkdir", "module", "mypy", "open", "perl", "pip", "pipx", "printf", "python", "python3"),
    *("sbatch", "srun", "uv", "uvx", "zip"),
}
"""Programs that pages name and tests do not run."""


class Block(NamedTuple):
    """A code block of a page."""

    language: str
    code: str
    start: int
    """Position of the code in the page."""


def blocks_of(page: str) -> Iterator[Block]:
    """Yield the code blocks of a page; directives of the site are no code."""
    for match in FENCE.finditer(page):
        language = match["language"].strip()
        if not language.startswith("{"):
            yield Block(language, match["code"], match.start("code"))


class Command(NamedTuple):
    """A command of a console block, with the output that is shown."""

    line: str
    output: str
    start: int
    """Position of the output in the block."""


def commands_of(code: str) -> Iterator[Command]:
    """Yield the commands of a console block; a backslash continues a line."""
    for match in re.finditer(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", code, re.MULTILINE):
        yield Command(match[1].replace("\\\n", " "), match[2], match.start(2))


def is_shown(output: str, shown: str) -> bool:
    """Return True if a page shows an output, in which a line of three dots stands for any lines."""
    parts = re.split(r"^\.\.\.\n", shown, flags=re.MULTILINE)
    return bool(re.fullmatch(r"(?:.*\n)*?".join(map(re.escape, parts)), output))


def run(line: str) -> str:
    """Run an `anascore` command line and return the text that a terminal would show."""
    terminal, file = io.StringIO(), io.StringIO()
    words, _, target = line.partition(" > ")
    output = file if target else terminal
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(terminal):
        main(shlex.split(words)[1:])
    if target:
        Path(target.strip()).write_text(file.getvalue(), encoding="utf-8")
    return terminal.getvalue()


def check_command(line: str) -> None:
    """Raise if a command line is not one of ours that can be parsed, or of a program we name."""
    line = line.split(" #", maxsplit=1)[0].strip()
    words = shlex.split(line)
    while words and re.fullmatch(r"\w+=\S*", words[0]):
        del words[0]
    if not words:
        return
    program = Path(words[0]).name
    if program == "anascore":
        tokens = [word for word in words[1:] if word not in {"[options]", "..."}]
        for stop in (">", "|", ">>", "||", "&&", ";"):
            tokens = tokens[: tokens.index(stop)] if stop in tokens else tokens
        if "--help" not in tokens and "--version" not in tokens:
            parser(tokens).parse_args(tokens)
    elif program == "make":
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
        named = [word for word in words[1:] if "=" not in word]
        assert {*named} <= {*targets}, line
    else:
        assert program in OTHER_PROGRAMS, line
        for extra in re.findall(r"anascore\[([\w,]+)\]", line):
            project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
            assert {*extra.split(",")} <= project["optional-dependencies"].keys(), line


class Page:
    """A page whose code blocks are executed one after the other, in the folder of the process."""

    def __init__(self, text: str, name: str) -> None:
        """Store the text; names that Python blocks define are shared by all of them."""
        self.text = text
        self.name = name
        self.names: dict[str, Any] = {}
        self.not_run: list[str] = []
        """Python blocks without prompts, which are compiled only."""

        self.outputs: list[tuple[Command, int, str]] = []
        """Commands with the position of their output in the page, and the output."""

    def execute(self) -> None:
        """Execute all blocks; raise AssertionError at the first that is not as it is shown."""
        for block in blocks_of(self.text):
            if block.language == "python" and ">>>" in block.code:
                self._run_examples(block)
            elif block.language == "python":
                compile(block.code, self.name, "exec")
                self.not_run.append(block.code)
            elif block.language == "console":
                self._run_commands(block)
            elif block.language in {"sh", "bash"}:
                for line in block.code.replace("\\\n", " ").splitlines():
                    check_command(line)
            else:
                assert block.language in DATA, f"{self.name}: language {block.language}"

    def _run_examples(self, block: Block) -> None:
        line = self.text.count("\n", 0, block.start)
        test = doctest.DocTestParser().get_doctest(block.code, {}, self.name, self.name, line)
        test.globs = self.names
        runner = doctest.DocTestRunner(verbose=False)
        report = io.StringIO()
        runner.run(test, out=report.write, clear_globs=False)
        assert not runner.failures, report.getvalue()

    def _run_commands(self, block: Block) -> None:
        for command in commands_of(block.code):
            if command.line.startswith("anascore "):
                output = run(command.line)
                self.outputs.append((command, block.start + command.start, output))
            else:
                check_command(command.line)

    def wrong(self) -> Iterator[str]:
        """Yield a message for each command whose output is not as it is shown."""
        for command, _, output in self.outputs:
            if not is_shown(output, command.output):
                yield f"{self.name}: $ {command.line}\n{output}"

    def updated(self) -> str:
        """Return the page with the outputs of commands as they are."""
        text = self.text
        for command, start, output in reversed(self.outputs):
            if not is_shown(output, command.output):
                text = text[:start] + output + text[start + len(command.output) :]
        return text
