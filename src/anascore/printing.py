"""What all result classes share: text, JSON, data frames and display in notebooks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias, TypedDict

from anascore.arguments import check_arguments

if TYPE_CHECKING:
    from pandas import DataFrame


OutputName: TypeAlias = Literal["table", "markdown", "latex", "json", "csv"]
"""Names of the outputs of all results."""


class LayoutKeywords(TypedDict, total=False):
    """A user's choices about tables, as keywords of `render`."""

    decimals: int
    tables: str | Sequence[str]


class InNotebook:
    """An object that notebooks show as tables, or as a text."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Render the object for a notebook."""
        from anascore.output.kinds import notebook_html  # noqa: PLC0415  outputs need results

        return notebook_html(self)


class Printable(InNotebook):
    """A result that can be printed, and written as JSON or as a data frame."""

    __slots__ = ()

    if TYPE_CHECKING:
        render: Callable[..., str]
        """Returns the result as text in an output format."""

    def _render(self, output: str, kind: str = "", /, **view: Any) -> str:
        """Render the result as text; `view` also takes the keywords of the layout."""
        from anascore.output.kinds import render  # noqa: PLC0415  outputs need results

        return render(self, output, kind, **view)

    def table(self, **view: Any) -> str:
        """Return the result as text tables; `view` takes the options of `render`."""
        return self.render(**view)

    def to_json(self) -> str:
        """Return everything as JSON, which docs/reference/json.md describes."""
        from anascore.output.kinds import kind_of  # noqa: PLC0415  outputs need results

        return self.render("json", **kind_of(type(self)).complete)

    def to_dict(self) -> dict[str, Any]:
        """Return the values of `to_json`."""
        import json  # noqa: PLC0415  seldom needed

        content: dict[str, Any] = json.loads(self.to_json())
        return content

    def to_frame(self) -> DataFrame:
        """Return a tidy pandas DataFrame; docs/reference/output.md describes its columns.

        Raises:
            SettingsError: pandas is not installed.
        """
        from anascore.output.kinds import data_frame  # noqa: PLC0415  outputs need results

        return data_frame(self)

    def __str__(self) -> str:
        return self.table().removesuffix("\n")


class Restorable(Printable):
    """A result that can be restored from its JSON."""

    __slots__ = ()

    @classmethod
    @check_arguments
    def from_json(cls, text: str) -> Self:
        """Return the object that `to_json` wrote.

        Raises:
            ReadError: The text is not the output of `to_json`, or of another version of it.
        """
        from anascore.output.kinds import kind_of, load  # noqa: PLC0415  outputs need results

        restored: Self = load(kind_of(cls).read)(text)
        return restored
