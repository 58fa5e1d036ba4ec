"""Plug-ins: formats and metrics of other packages, by registration or by their entry points."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Literal, TypeAlias

from anascore.arguments import is_string
from anascore.errors import SettingsError, shown

if TYPE_CHECKING:
    # Importing it takes 20 ms.
    from importlib.metadata import EntryPoint

Kind: TypeAlias = Literal["format", "metric"]

_NAME = re.compile(r"[a-z0-9]+(?:[.-][a-z0-9]+)*")
_VERSION = re.compile(r"[^\s|,@¦]+")


class PlugIns:
    """The plug-ins of one kind: those that are registered, and those that packages offer.

    The entry points of packages are read when a name is unknown, or when names are listed. A
    package is imported when its plug-in is used, or when all plug-ins have to be known.
    """

    def __init__(self, kind: Kind) -> None:
        """Start without plug-ins."""
        self.kind = kind
        self.versions: dict[str, str] = {}
        """Versions of the registered plug-ins, by name."""

        self._offered: dict[str, EntryPoint] | None = None

    @property
    def names(self) -> list[str]:
        """Names of the plug-ins; those that packages offer are included after `scan`."""
        return [*dict.fromkeys((*self.versions, *(self._offered or ())))]

    def used(self, names: Iterable[str]) -> list[str]:
        """List the plug-ins among some names with their versions, like `pairs@1.2`."""
        return [
            f"{name}@{self.versions[name]}"
            for name in dict.fromkeys(names)
            if name in self.versions
        ]

    def scan(self) -> dict[str, EntryPoint]:
        """Find the plug-ins that installed packages offer, without importing them."""
        if self._offered is None:
            from importlib.metadata import entry_points  # noqa: PLC0415  takes 20 ms

            self._offered = {}
            for entry in entry_points(group=f"anascore.{self.kind}s"):
                other = self._offered.setdefault(entry.name, entry)
                if other.value != entry.value:
                    message = (
                        f"two packages offer the {self.kind} {entry.name}: {_package(other)} and "
                        f"{_package(entry)}; uninstall one of them"
                    )
                    self._offered = None
                    raise SettingsError(message)
        return self._offered

    def load(self, name: str) -> bool:
        """Let a package register the plug-in of this name; return whether there is one now."""
        if name not in self.versions and (entry := self.scan().get(name)):
            self._register(name, entry)
        return name in self.versions

    def load_all(self) -> None:
        """Let packages register all plug-ins that they offer."""
        for name in self.scan():
            self.load(name)

    def _register(self, name: str, entry: EntryPoint) -> None:
        try:
            entry.load()()
        except Exception as error:
            reason = f"{type(error).__name__}: {error}".rstrip(": ")
            message = (
                f"the {self.kind} {name} of {_package(entry)} cannot be loaded: {reason}; update "
                f"or uninstall the package"
            )
            raise SettingsError(message) from error
        if name not in self.versions:
            message = (
                f"{entry.value} of {_package(entry)} does not register the {self.kind} {name}; "
                f"update or uninstall the package"
            )
            raise SettingsError(message)

    def check(self, name: object, version: object, built_in: Collection[str]) -> None:
        """Raise SettingsError unless a plug-in can be registered with this name and version."""
        if not (is_string(name) and _NAME.fullmatch(name)):
            message = (
                f"the name of a {self.kind} must be lower-case letters and digits, which . and - "
                f"can separate, like my-{self.kind}, not {shown(name)}"
            )
            raise SettingsError(message)
        if not (is_string(version) and _VERSION.fullmatch(version)):
            message = (
                f'the version of the {self.kind} {name} must be a string like "1.2", without '
                f"spaces, commas, | and @, not {shown(version)}"
            )
            raise SettingsError(message)
        if name in built_in:
            message = f"anascore has its own {self.kind} {name}; choose another name"
            raise SettingsError(message)


def check_label(label: object, kind: Kind, name: str, others: Collection[str]) -> None:
    """Raise SettingsError unless a label is text on one line that no other plug-in has."""
    if not is_string(label) or not label.strip() or not label.isprintable():
        message = f"the label of the {kind} {name} must be text on one line, not {shown(label)}"
        raise SettingsError(message)
    if label in others:
        message = f"another {kind} has the label {label!r}; choose another label for {name}"
        raise SettingsError(message)


def check_function(function: object, kind: Kind, name: str, what: str) -> None:
    """Raise SettingsError unless a function can be called."""
    if not callable(function):
        message = f"{what} of the {kind} {name} must be a function, not {shown(function)}"
        raise SettingsError(message)


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value
