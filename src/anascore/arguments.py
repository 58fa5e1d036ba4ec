"""Checks of public functions' arguments against their annotations."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache, wraps
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, ParamSpec, TypeGuard, TypeVar

from anascore.errors import SettingsError, did_you_mean, shown

if TYPE_CHECKING:
    from inspect import Signature

P = ParamSpec("P")
R = TypeVar("R")


def is_string(value: object) -> TypeGuard[str]:
    """Accept strings that can be printed, as not all objects of derived classes can."""
    try:
        return isinstance(value, str) and bool(f"{value}{value!r}")
    except Exception:  # noqa: BLE001  the object is not ours
        return False


def is_path(value: object) -> TypeGuard[str | PathLike[str]]:
    """Accept a string, or an object that represents a file path as a string."""
    if not isinstance(value, PathLike):
        return is_string(value)
    try:
        return is_string(fspath(value))
    except Exception:  # noqa: BLE001  the object is not ours
        return False


def has_method(value: object, name: str) -> bool:
    """Test whether an object has a method of this name."""
    try:
        return callable(getattr(value, name, None))
    except Exception:  # noqa: BLE001  the object is not ours
        return False


KINDS: dict[str, tuple[Callable[[object], bool], str]] = {
    "bool": (lambda value: isinstance(value, bool), "True or False"),
    "str": (is_string, "a string"),
    "str | PathLike[str]": (is_path, "a path"),
}
"""Tests of arguments by annotation, with a description of valid values. Functions themselves
check all other arguments."""


def check_argument(name: str, value: object, annotation: object) -> None:
    """Raise SettingsError if a value violates an annotation of `KINDS`; allow any other."""
    kind = str(annotation).removesuffix(" | None")
    if kind not in KINDS or (value is None and kind != annotation):
        return
    is_valid, expected = KINDS[kind]
    if not is_valid(value):
        message = f"{name} must be {expected}, not {shown(value)}"
        raise SettingsError(message)


def check_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """Make a function raise SettingsError for arguments that its annotations do not allow."""

    @cache
    def signature_of_function() -> Signature:
        # Loading it takes 4 ms, which commands that call no such function do not need.
        import inspect  # noqa: PLC0415

        return inspect.signature(function)

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        signature = signature_of_function()
        try:
            bound = signature.bind_partial(*args, **kwargs)
        except TypeError as error:
            unknown = next((name for name in kwargs if f"argument {name!r}" in str(error)), "")
            hint = did_you_mean(unknown, signature.parameters) if unknown else ""
            message = f"{function.__name__}() {error}{hint}"
            raise TypeError(message) from None
        for name, value in bound.arguments.items():
            check_argument(name, value, signature.parameters[name].annotation)
        return function(*args, **kwargs)

    return checked


def check_choice(name: str, value: object, choices: Collection[str]) -> None:
    """Raise SettingsError unless a value is one of some names."""
    if is_string(value) and value in choices:
        return
    *others, last = choices
    hint = did_you_mean(value, choices)
    message = f"{name} must be {', '.join(others)} or {last}, not {shown(value)}{hint}"
    raise SettingsError(message)


def items_of(name: str, values: Mapping[Any, Any], expected: str, item: str) -> dict[str, Any]:
    """Require a dictionary; raise SettingsError if a name in it is not a string."""
    try:
        items = dict(values)
    except Exception as error:
        message = f"{name} must be {expected}, not {shown(values)}"
        raise SettingsError(message) from error
    for key in items:
        if not is_string(key):
            message = f"the name of {item} must be a string, not {shown(key)}"
            raise SettingsError(message)
    return items


def list_of(name: str, values: Any, expected: str) -> list[Any]:
    """Convert values to a list, or raise SettingsError."""
    try:
        return list(values)
    except Exception as error:
        message = f"{name} must be {expected}, not {shown(values)}"
        raise SettingsError(message) from error
