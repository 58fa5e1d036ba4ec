"""The commands `completion` and `man`: scripts for shells and a manual page, from the parser."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from anascore.analysis.errors import ERROR_TYPES
from anascore.cli import COMMANDS, CommandResult, parser
from anascore.metrics import LABELS
from anascore.prepare.breakdown import DIMENSIONS
from anascore.settings import LAYER_NAMES
from anascore.version import __version__

FOLDERS = frozenset({"DIR", "KEYS", "SYSTEM"})
"""Arguments that are folders."""

FILES = frozenset({"KEY", "RESPONSE", "RESULT", "FILE", "FOLDER", "IN", "OUT", "SINGLE"})
"""Arguments that are files, or files or folders."""


SUGGESTED = {
    **dict.fromkeys(("--metrics", "--score", "--sort-by"), tuple(LABELS)),
    "--layers": (*LAYER_NAMES, "all"),
    "--by": (*DIMENSIONS, "all"),
    "--anaphors": ("zero", "pronoun"),
    "--type": tuple(ERROR_TYPES),
}
"""Values of options that have others besides, such as lists of these."""


@dataclass(frozen=True, slots=True)
class Argument:
    """An option, or an argument without a name."""

    names: tuple[str, ...]
    help: str
    metavar: str = ""
    """Word for the value, in capitals unless its choices are shown; empty if there is none."""

    choices: tuple[str, ...] = ()
    """Values that are completed."""

    is_repeatable: bool = False

    @property
    def is_path(self) -> bool:
        """True if the value is a file or a folder."""
        return self.metavar in FILES | FOLDERS


@dataclass(frozen=True, slots=True)
class Command:
    """A command with all its arguments."""

    name: str
    help: str
    description: str
    options: tuple[Argument, ...]
    positional: tuple[Argument, ...]


def list_commands() -> list[Command]:
    """Return all commands of the parser."""
    (subparsers,) = (
        action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)
    )
    commands = []
    for name, command in subparsers.choices.items():
        arguments = [_argument(command, action) for action in command._actions]
        commands.append(
            Command(
                name,
                COMMANDS[name],
                command.description or "",
                tuple(argument for argument in arguments if argument.names),
                tuple(argument for argument in arguments if not argument.names),
            )
        )
    return commands


def _argument(command: argparse.ArgumentParser, action: argparse.Action) -> Argument:
    """Return the description of an argument; its help text has the default in it."""
    formatter = command._get_formatter()
    suggested = (SUGGESTED[name] for name in action.option_strings if name in SUGGESTED)
    return Argument(
        tuple(action.option_strings),
        formatter._expand_help(action),
        "" if action.nargs == 0 else str(action.metavar or action.dest),
        tuple(map(str, action.choices or next(suggested, ()))),
        is_repeatable=isinstance(action, argparse._AppendAction) or action.nargs == "+",
    )


COMPLETION_DESCRIPTION = (
    "Print a script that completes commands, options and their values in a shell. "
    "In bash: source <(anascore completion bash). In zsh: source <(anascore completion zsh), after "
    "compinit. In fish: anascore completion fish | source."
)


def describe_completion(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    command.add_argument("shell", choices=tuple(SCRIPTS), help="the shell: %(choices)s")


def run_completion(options: argparse.Namespace) -> CommandResult:
    """Print the script for a shell."""
    return CommandResult("".join(f"{line}\n" for line in SCRIPTS[options.shell]()))


def _bash() -> Iterator[str]:
    """Yield the lines of the script for bash; files are completed where nothing else is."""
    commands = list_commands()
    yield "# Completion of anascore in bash: source <(anascore completion bash)"
    yield "_anascore() {"
    yield "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words="
    yield "    if ((COMP_CWORD == 1)); then"
    yield f"        words='{' '.join(command.name for command in commands)} --help --version'"
    yield '        COMPREPLY=($(compgen -W "$words" -- "$current"))'
    yield "        return"
    yield "    fi"
    # Bash takes the equals sign of --option=value for a word of its own.
    yield "    if [[ $current == = ]]; then"
    yield "        current="
    yield "    elif [[ $previous == = ]] && ((COMP_CWORD > 2)); then"
    yield "        previous=${COMP_WORDS[COMP_CWORD-2]}"
    yield "    fi"
    yield '    case "${COMP_WORDS[1]} $previous" in'
    for command in commands:
        for option in command.options:
            if option.choices:
                pattern = "|".join(f"'{command.name} {name}'" for name in option.names)
                yield f"        {pattern}) words='{' '.join(option.choices)}' ;;"
    yield "    esac"
    yield "    if [[ ! $words ]]; then"
    yield "        case ${COMP_WORDS[1]} in"
    for command in commands:
        names = [name for option in command.options for name in option.names]
        names += [choice for argument in command.positional for choice in argument.choices]
        yield f"            {command.name}) words='{' '.join(names)}' ;;"
    yield "        esac"
    yield "    fi"
    yield '    COMPREPLY=($(compgen -W "$words" -- "$current"))'
    yield "}"
    yield "complete -o default -F _anascore anascore"


def _zsh() -> Iterator[str]:
    """Yield the lines of the script for zsh."""
    yield "#compdef anascore"
    yield "# Completion of anascore in zsh: source <(anascore completion zsh)"
    yield "_anascore() {"
    yield "    local context state state_descr line"
    yield "    typeset -A opt_args"
    yield "    _arguments -C '(- *)--help[show the help]' '(- *)--version[show the version]' \\"
    yield "        '1:command:->command' '*::argument:->argument'"
    yield "    case $state in"
    yield "    command)"
    yield "        local -a commands=("
    commands = list_commands()
    for command in commands:
        yield f"            {_quoted(f'{command.name}:{command.help}')}"
    yield "        )"
    yield "        _describe command commands"
    yield "        ;;"
    yield "    argument)"
    yield "        case $words[1] in"
    for command in commands:
        specs = [_quoted(spec) for option in command.options for spec in _zsh_option(option)]
        specs += [_quoted(_zsh_positional(argument)) for argument in command.positional]
        yield f"        {command.name})"
        yield "            _arguments \\"
        yield from (f"                {spec} \\" for spec in specs[:-1])
        yield f"                {specs[-1]}"
        yield "            ;;"
    yield "        esac"
    yield "        ;;"
    yield "    esac"
    yield "}"
    # The file can be sourced, or lie in a folder of completion functions.
    yield "if [[ $funcstack[1] == _anascore ]]"
    yield 'then _anascore "$@"'
    yield "else compdef _anascore anascore"
    yield "fi"


def _quoted(text: str) -> str:
    """Quote a word for a shell."""
    return "'" + text.replace("'", "'\\''") + "'"


def _zsh_option(option: Argument) -> Iterator[str]:
    """Yield a specification of `_arguments` for each name of an option."""
    text = option.help.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    for name in option.names:
        start = "*" if option.is_repeatable else ""
        sign = "=" if option.metavar and name.startswith("--") else ""
        yield f"{start}{name}{sign}[{text}]{_zsh_value(option) if option.metavar else ''}"


def _zsh_positional(argument: Argument) -> str:
    """Return the specification of `_arguments` for an argument without a name."""
    return f"{'*' if argument.is_repeatable else ''}{_zsh_value(argument)}"


def _zsh_value(argument: Argument) -> str:
    """Return the part of a specification that describes a value."""
    action = " "
    if argument.choices:
        action = f"({' '.join(argument.choices)})"
    elif argument.metavar in FOLDERS:
        action = "_files -/"
    elif argument.is_path:
        action = "_files"
    return f":{argument.metavar.replace(':', chr(92) + ':')}:{action}"


def _fish() -> Iterator[str]:
    """Yield the lines of the script for fish."""
    yield "# Completion of anascore in fish: anascore completion fish | source"
    yield "complete -c anascore -e"
    start = "complete -c anascore -n __fish_use_subcommand"
    yield f"{start} -f -l help -d 'show the help'"
    yield f"{start} -f -l version -d 'show the version'"
    for command in list_commands():
        yield f"{start} -f -a {command.name} -d {_quoted(command.help)}"
        condition = f"complete -c anascore -n '__fish_seen_subcommand_from {command.name}'"
        for option in command.options:
            names = " ".join(
                f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
                for name in option.names
            )
            yield f"{condition} {names}{_fish_value(option)} -d {_fish_quoted(option.help)}"
        for argument in command.positional:
            if argument.choices:
                yield f"{condition} -f -a '{' '.join(argument.choices)}'"


def _fish_value(option: Argument) -> str:
    """Return the options of `complete` that describe the value of an option."""
    if not option.metavar:
        return " -f"
    if option.choices:
        return f" -x -a '{' '.join(option.choices)}'"
    return " -r" if option.is_path else " -x"


def _fish_quoted(text: str) -> str:
    r"""Quote a word for fish, in which \' stands for a quote."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SCRIPTS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
"""Functions that yield the lines of a script, by shell."""


MAN_DESCRIPTION = (
    "Print the manual page: anascore man > anascore.1. Show it with man ./anascore.1, or copy it "
    "to a man1 folder on the search path of man."
)


def describe_man(command: argparse.ArgumentParser) -> None:
    """Describe the arguments: there are none."""
    del command


def run_man(options: argparse.Namespace) -> CommandResult:
    """Print the manual page."""
    del options
    return CommandResult("".join(f"{line}\n" for line in _manual()))


STATUSES = {
    "0": "Success.",
    "1": "validate: a file has errors; score: a score is below a limit.",
    "2": "Error, such as an invalid option or file; a message on standard error explains it.",
    "128+n": "Signal n ended the command.",
}


def _manual() -> Iterator[str]:
    """Yield the lines of the manual page, in the macros of man."""
    yield f'.TH ANASCORE 1 "" "anascore {__version__}" "User Commands"'
    yield ".SH NAME"
    yield r"anascore \- score anaphora and coreference resolution"
    yield ".SH SYNOPSIS"
    yield r".B anascore \fICOMMAND\fR [\fIOPTION\fR ...] [\fIARGUMENT\fR ...]"
    yield ".SH DESCRIPTION"
    yield _troff(parser(()).description or "")
    yield ".SH COMMANDS"
    for command in list_commands():
        words = "".join(f" {_placeholder(argument)}" for argument in command.positional)
        yield f".SS anascore {command.name}{words}"
        yield _troff(command.description)
        for argument in (*command.positional, *command.options):
            names = ", ".join(rf"\fB{_troff(name)}\fR" for name in argument.names)
            value = _placeholder(argument) if argument.metavar else ""
            yield ".TP"
            yield " ".join(filter(None, (names, value)))
            yield _troff(argument.help)
    yield ".SH EXIT STATUS"
    for number, text in STATUSES.items():
        yield ".TP"
        yield rf"\fB{number}\fR"
        yield _troff(text)


def _placeholder(argument: Argument) -> str:
    """Return the word for a value in italics, or the choices."""
    word = rf"\fI{_troff(argument.metavar)}\fR"
    if argument.choices and not argument.metavar.isupper():
        word = "|".join(rf"\fI{_troff(choice)}\fR" for choice in argument.choices)
    return f"{word} ..." if argument.is_repeatable and not argument.names else word


def _troff(text: str) -> str:
    r"""Escape text for troff: a hyphen as a minus sign, and other characters by their numbers."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    escaped = "".join(
        character if character.isascii() else f"\\[u{ord(character):04X}]" for character in escaped
    )
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
