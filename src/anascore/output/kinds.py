"""The kinds of results: how each is shown, written and read.

A kind names functions of modules in this folder, which are imported on first use. All of them take
the result, and the options of its view as keywords.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from anascore.errors import SettingsError, check_output, did_you_mean
from anascore.output.grid import DECIMALS
from anascore.output.renderers import RENDERERS, Layout, render_tables
from anascore.output.view import ReportOptions

if TYPE_CHECKING:
    from pandas import DataFrame


class Kind(NamedTuple):
    """A kind of result: the functions that show it, under names like `scores.tables`."""

    tables: str
    """Yields the tables for text, Markdown, LaTeX and notebooks."""

    signatures: str = ""
    """Returns the lines below the tables."""

    text: str = ""
    """Returns the text for a terminal, if it differs from the tables."""

    html: str = ""
    """Returns the HTML for notebooks, if it is not that of the tables."""

    json: str = ""
    rows: str = ""
    """Returns a grid with one value or text per cell, for CSV and data frames."""

    frame: str = ""
    """Returns the grid for data frames, if its columns differ from those of CSV."""

    read: str = ""
    """Restores the result from its JSON."""

    others: Mapping[str, str] = {}
    """Functions for outputs that only this kind has."""

    options: Sequence[str] = ()
    """Names of the options of its view."""

    complete: Mapping[str, Any] = {}
    """Options that show everything, for JSON and data frames."""

    check: str = ""
    """Raises SettingsError if an output cannot show a view."""

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the outputs."""
        optional = {"json": self.json, "csv": self.rows, **self.others}
        return (*RENDERERS, *(name for name, function in optional.items() if function))


PER_DOCUMENT = {"per_document": True}

SCORES = Kind(
    "scores.tables",
    "scores.signatures",
    json="json.results.render_json",
    rows="scores.rows",
    read="json.results.read_comparison",
    others={"eval-results": "hub.render"},
    options=[option.name for option in fields(ReportOptions)],
    complete=PER_DOCUMENT,
    check="view.check_view",
)

ERRORS = Kind(
    "errors.tables",
    "errors.signatures",
    text="errors.text",
    json="json.errors.render_json",
    rows="errors.rows",
    options=["types", "examples"],
)

KINDS = {
    "Comparison": SCORES,
    "Result": SCORES._replace(read="json.results.read_result"),
    "SuiteResult": Kind(
        "suite.tables",
        "suite.signatures",
        json="json.suite.render_json",
        rows="suite.rows",
        read="json.suite.read_suite",
    ),
    "Agreement": Kind(
        "agreement.tables",
        "agreement.signatures",
        json="json.agreement.render_json",
        rows="agreement.rows",
        read="json.agreement.read_agreement",
        options=["per_document"],
        complete=PER_DOCUMENT,
    ),
    "Disagreements": Kind(
        "disagreements.tables",
        "agreement.signatures",
        text="disagreements.text",
        json="json.agreement.render_disagreement_json",
        rows="disagreements.rows",
    ),
    "ErrorComparison": ERRORS,
    "ResponseErrors": ERRORS,
    "ResponseExplanation": Kind(
        "explanation.tables",
        "explanation.signatures",
        text="explanation.text",
        json="json.explanation.render_json",
        rows="explanation.rows",
        options=["full"],
    ),
    "Statistics": Kind(
        "corpus.statistics_tables",
        json="json.corpus.render_stats_json",
        rows="corpus.statistics_rows",
        frame="corpus.document_rows",
        options=["per_document"],
        complete=PER_DOCUMENT,
    ),
    "Validation": Kind(
        "corpus.problem_tables",
        text="corpus.problem_text",
        json="json.corpus.render_validation_json",
        rows="corpus.problem_rows",
    ),
    "Corpus": Kind("corpus.size_tables"),
    "Document": Kind("", html="annotated_text.document_html"),
    "AnnotatedText": Kind("", html="annotated_text.html"),
}
"""Kinds of results by class name."""


def kind_of(shown: type) -> Kind:
    """Look up the kind of a class or of its base class."""
    return next(KINDS[one.__name__] for one in shown.__mro__ if one.__name__ in KINDS)


def load(name: str) -> Any:
    """Import a function of this folder by a name like `scores.tables`."""
    module, _, function = name.rpartition(".")
    return getattr(import_module(f"anascore.output.{module}"), function)


def render(
    shown: object,
    output: str = "table",
    name: str = "",
    /,
    *,
    decimals: int = DECIMALS,
    tables: str | Sequence[str] = (),
    **view: Any,
) -> str:
    """Render a result as text in the named output.

    `name` selects the kind (default: the one for the result's class).
    """
    kind = KINDS[name] if name else kind_of(type(shown))
    check_output(output, kind.outputs)
    _check_options(view, kind)
    layout = Layout(decimals, tables)
    layout.check(output)
    if kind.check:
        load(kind.check)(shown, output, **view)
    if output == "table" and kind.text and not layout.tables:
        text: str = load(kind.text)(shown, decimals=decimals, **view)
    elif output in RENDERERS:
        grids = load(kind.tables)(shown, **view)
        text = render_tables(output, grids, _signatures(shown, kind), layout)
    elif output == "csv":
        text = load("csv.render")(load(kind.rows)(shown, **view))
    else:
        text = load(kind.json if output == "json" else kind.others[output])(shown, **view)
    return text


def _check_options(view: Mapping[str, Any], kind: Kind) -> None:
    """Raise SettingsError for an option that the kind lacks."""
    valid = [*kind.options, *(option.name for option in fields(Layout))]
    for name in view:
        if name not in valid:
            hint = did_you_mean(name, valid)
            message = f"no such option of output: {name}{hint}; choose from {', '.join(valid)}"
            raise SettingsError(message)


def notebook_html(shown: object) -> str:
    """Render a result for a notebook."""
    kind = kind_of(type(shown))
    html: str
    if kind.html:
        html = load(kind.html)(shown)
        return html
    html = load("notebook.render")(load(kind.tables)(shown), _signatures(shown, kind))
    return html


def data_frame(shown: object) -> DataFrame:
    """Convert a result to a pandas data frame: the rows of its CSV with everything."""
    kind = kind_of(type(shown))
    frame: DataFrame = load("frames.render")(load(kind.frame or kind.rows)(shown, **kind.complete))
    return frame


def _signatures(shown: object, kind: Kind) -> list[str]:
    return list(load(kind.signatures)(shown)) if kind.signatures else []
