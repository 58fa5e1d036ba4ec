"""Keywords of the Python functions: every setting and option for reading, with its type.

A function that takes `**keywords: Unpack[ScoreKeywords]` is checked by type checkers, and
`list_keywords` gives it the signature and the documentation that `help` and editors show.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import Field, fields
from functools import wraps
from typing import Any, Literal, TypedDict, TypeVar, cast, get_type_hints

from anascore.arguments import check_arguments
from anascore.errors import SettingsError, did_you_mean
from anascore.formats.format import FormatName, ReadOptions
from anascore.settings import (
    BadDocuments,
    Convention,
    DocumentChoice,
    Heads,
    LayerName,
    Match,
    MissingDocuments,
    RepeatedMentions,
    Settings,
    Words,
    ZeroMatch,
    Zeros,
    setting_text,
)
from anascore.tasks import TaskName


class _CommonSettings(TypedDict, total=False):
    """Settings that all functions have."""

    task: TaskName | Literal[""]
    match: Match
    heads: Heads
    singletons: bool
    split: bool
    convention: Convention
    repeated_mentions: RepeatedMentions
    zeros: Zeros
    zero_match: ZeroMatch
    np_only: bool
    remove_nested: bool
    lea_importance: int
    missing: MissingDocuments
    bad_documents: BadDocuments
    repair: bool
    words: Words
    docs: DocumentChoice
    across: str
    window: int


class _FileKeywords(TypedDict, total=False):
    """Options for reading files that are all alike."""

    format: FormatName | None
    clusters_field: str
    word_column: int | None


class _ReadKeywords(_FileKeywords, total=False):
    """Options for reading key and responses."""

    key_format: FormatName | None
    response_format: FormatName | None


class SettingKeywords(_CommonSettings, total=False):
    """All settings, for functions that read no files."""

    layers: str | Sequence[LayerName]
    anaphors: str
    by: str | Sequence[str]


class AnalysisKeywords(_CommonSettings, _ReadKeywords, total=False):
    """Settings of `explain` and `find_errors`, and options for reading."""


class AgreementKeywords(_FileKeywords, total=False):
    """Settings of `agreement`, and options for reading."""

    layers: str | Sequence[LayerName]
    singletons: bool
    split: bool
    zeros: Zeros
    remove_nested: bool
    lea_importance: int
    missing: MissingDocuments
    bad_documents: BadDocuments
    words: Words


class ScoreKeywords(SettingKeywords, _ReadKeywords, total=False):
    """All settings and options for reading."""


FORMATS_OF_SIDES = {
    "format": "input format (default: auto-detect)",
    "key_format": "input format of the key, instead of `format`",
    "response_format": "input format of the response, instead of `format`",
}
"""Keywords that name formats, with their documentation."""

F = TypeVar("F", bound=Callable[..., Any])


def _refuse(name: str, parameters: Sequence[str]) -> None:
    """Raise SettingsError if a keyword that is no setting looks like a parameter."""
    if hint := did_you_mean(name, parameters):
        message = f"no such argument: {name}{hint}"
        raise SettingsError(message)


class _Signature(inspect.Signature):
    """A signature whose text names the settings together: there are too many to read."""

    def __str__(self) -> str:
        settings = {name for name, _ in _entries()}
        shown = [p for p in self.parameters.values() if p.name not in settings]
        rest = inspect.Parameter("keywords", inspect.Parameter.VAR_KEYWORD)
        plain = [p.replace(annotation=p.empty) for p in shown]
        return str(inspect.Signature([*plain, rest]))


def list_keywords(keywords: type[Mapping[str, Any]]) -> Callable[[F], F]:
    """List the keywords of a function in its signature and documentation; check its arguments.

    The function takes them as `**keywords: Unpack[...]`.
    """
    hints = get_type_hints(keywords)
    entries = {name: entry for name, entry in _entries() if name in hints}

    def decorate(unchecked: F) -> F:
        signature = inspect.signature(unchecked)
        own = [name for name in signature.parameters if name != "keywords"]

        @wraps(unchecked)
        def refusing(*args: Any, **given: Any) -> Any:
            for name in given:
                if name not in own and name not in entries and not did_you_mean(name, entries):
                    _refuse(name, own)
            return unchecked(*args, **given)

        function = cast("F", check_arguments(refusing))
        *parameters, last = signature.parameters.values()
        parameters += [
            inspect.Parameter(name, last.KEYWORD_ONLY, default=default, annotation=hints[name])
            for name, (default, _) in entries.items()
        ]
        listed = _Signature(parameters, return_annotation=signature.return_annotation)
        function.__signature__ = listed  # type: ignore[attr-defined]
        # The entry of all keywords is replaced by entries of their own, with its indentation.
        before, _, after = str(function.__doc__).partition("keywords: ...")
        indentation = before.rpartition("\n")[2]
        lines = (f"{name}: {text}" for name, (_, text) in entries.items())
        function.__doc__ = before + f"\n{indentation}".join(lines) + after
        return function

    return decorate


def _entries() -> Iterator[tuple[str, tuple[Any, str]]]:
    """Yield the keywords with their defaults and documentation, settings first."""
    for setting in fields(Settings):
        yield setting.name, (setting.default, _sentence(setting_text(setting)))
    for name, text in FORMATS_OF_SIDES.items():
        yield name, (None, _sentence(text))
    for option in fields(ReadOptions):
        text = option.metadata["help"].format(whose="of the response")
        yield option.name, (option.default, _sentence(text))


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def setting_keywords(keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords that are not options for reading: settings, and unknown ones."""
    names = {*FORMATS_OF_SIDES, *_names(fields(ReadOptions))}
    return {name: value for name, value in keywords.items() if name not in names}


def read_keywords(keywords: Mapping[str, Any], *, of_key: bool) -> dict[str, Any]:
    """Return the options for reading the key or a response, as keywords of `CorpusFile`."""
    options = [option for option in fields(ReadOptions) if option.metadata["key"] or not of_key]
    given = {name: keywords[name] for name in _names(options) if name in keywords}
    own = keywords.get("key_format" if of_key else "response_format")
    return {
        "format_name": keywords.get("format") if own is None else own,
        "options": ReadOptions(**given),
    }


def _names(listed: Sequence[Field[Any]]) -> list[str]:
    return [field.name for field in listed]
