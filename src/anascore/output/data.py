"""Results as JSON, CSV and YAML."""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from anascore.errors import Problems, ReadError, SettingsError, read_error
from anascore.execution import escape_control_characters
from anascore.formats.json_values import CheckedJson
from anascore.metrics import LABELS, SCORES, values_of
from anascore.output import ReportOptions
from anascore.results import DocumentResult, LayerResult, Result, Scores, Uncertainty
from anascore.results.exact import SCHEMA, exact_to_dict, restore_result
from anascore.results.notes import count_repairs
from anascore.version import __version__


class OneLine:
    """A value that is on one line of JSON output, not indented."""

    def __init__(self, value: object) -> None:
        """Store the value."""
        self.value = value


def to_json(content: object) -> str:
    """Return plain values as JSON for people: indented, and only control characters escaped.

    JSON itself escapes control characters of ASCII only.
    """
    lines: list[str] = []
    mark = os.urandom(16).hex()

    def keep(line: OneLine) -> str:
        lines.append(json.dumps(line.value, ensure_ascii=False))
        return f"{mark} {len(lines) - 1}"

    text = json.dumps(content, ensure_ascii=False, indent=2, default=keep)
    text = re.sub(f'"{mark} ([0-9]+)"', lambda match: lines[int(match[1])], text)
    return "".join(f"{_escape_json(line)}\n" for line in text.split("\n"))


def _escape_json(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(
        character
        if escape_control_characters(character) == character
        # A lone surrogate gets an escape, too, and reads back as it was.
        else json.dumps(character)[1:-1]
        for character in line
    )


FORMULA = re.compile("[' ]*[=+@＝＋－＠-]")
"""Beginning of a text that a spreadsheet takes for a formula, with apostrophes or without.

Text with apostrophes gets one more, so that removing one always restores the text.
"""


def to_yaml(content: object) -> str:
    """Return plain values as YAML for people; what could be read as something else is quoted.

    >>> print(to_yaml([{"value": 77.69, "notes": "no: 1", "more": ["a", None]}]), end="")
    - value: 77.69
      notes: "no: 1"
      more:
        - a
        - null
    """
    return "".join(f"{line}\n" for line in _yaml_lines(content))


def _yaml_lines(content: object) -> Iterator[str]:
    """Yield the lines of a value: of a dictionary, a list, or a scalar."""
    if isinstance(content, dict) and content:
        for key, value in content.items():
            if isinstance(value, dict | list) and value:
                yield f"{key}:"
                yield from (f"  {line}" for line in _yaml_lines(value))
            else:
                yield f"{key}: {_yaml_scalar(value)}"
    elif isinstance(content, list) and content:
        for item in content:
            first, *others = _yaml_lines(item)
            yield f"- {first}"
            yield from (f"  {line}" for line in others)
    else:
        yield _yaml_scalar(content)


_PLAIN_YAML = re.compile(r"[A-Za-z][A-Za-z0-9_./()-]*(?: [A-Za-z0-9_./()-]+)*")
_YAML_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
"""Words that YAML takes for something else than text."""


def _yaml_scalar(value: object) -> str:
    """Return a scalar as YAML, which has the numbers and the quoted strings of JSON."""
    text = json.dumps(value, ensure_ascii=False)
    if isinstance(value, float) and "." not in text:
        return text.replace("e", ".0e")  # YAML takes 1e-06 for text
    if not isinstance(value, str):
        return text
    if _PLAIN_YAML.fullmatch(value) and value.lower() not in _YAML_WORDS:
        return value
    return "".join(
        character if character.isprintable() else f"\\U{ord(character):08x}" for character in text
    )


def to_csv(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV.

    Texts are safe in terminals and spreadsheets: control characters are escaped, and an apostrophe
    stands before a text that begins like a formula. Numbers are as they are.
    """
    import csv  # noqa: PLC0415  seldom needed

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(map(_csv_cell, row) for row in rows)
    return text.getvalue()


def _csv_cell(value: object) -> object:
    if not isinstance(value, str):
        return value
    text = escape_control_characters(value)
    return f"'{text}" if FORMULA.match(text) else text


def render_json(results: Sequence[Result], options: ReportOptions) -> str:
    """Render the scores of all systems as JSON: fractions of 1 at full precision."""
    content = comparison_to_dict(results, options)
    for system in content["systems"]:
        exact = system["exact"]
        for counts in (exact, *exact.get("by_key", {}).values(), *exact.get("human", {}).values()):
            _put_on_lines(counts)
    return to_json(content)


def _put_on_lines(exact: dict[str, Any]) -> None:
    """Put the counts of each document on one line, and other values."""
    for part in ("formats", "settings", "reported", "combination", "skipped"):
        if part in exact:
            exact[part] = OneLine(exact[part])
    for part in ("documents", "within"):
        if part in exact:
            exact[part] = {name: OneLine(counts) for name, counts in exact[part].items()}


def comparison_to_dict(results: Sequence[Result], options: ReportOptions) -> dict[str, Any]:
    """Return the scores of all systems as plain values."""
    return {
        "anascore": __version__,
        "schema": SCHEMA,
        "signature": results[0].signature,
        "systems": [system_to_dict(result, options) for result in results],
    }


def read_json(text: str, path: str = "JSON") -> list[Result]:
    """Restore the results of all systems from the JSON output; errors name the path."""
    problems = Problems(path)
    content = CheckedJson(text, 1, problems).value
    if problems.has_errors:
        raise read_error(problems.found, "errors")
    try:
        if content["schema"] > SCHEMA:
            newer = content["anascore"]
            message = f"it was written by anascore {newer}, which is newer; update anascore"
            raise ReadError(path, None, message)
        systems = content["systems"]
        return [restore_result(system, systems[0]["name"]) for system in systems]
    except (AttributeError, KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        message = "this is not the output of anascore score --output json, or lacks exact counts"
        raise ReadError(path, None, message) from error


def system_to_dict(result: Result, options: ReportOptions) -> dict[str, Any]:
    """Return the scores of one system as plain values: the first layer, then the others."""
    first, *others = result.layers.values()
    system = {
        "name": result.name,
        "signature": result.signature,
        "layer": first.layer,
        **_layer(first, options),
    }
    if others:
        system["layers"] = {layer.layer: _layer(layer, options) for layer in others}
    if result.skipped:
        system["skipped"] = [document._asdict() for document in result.skipped]
    if result.repairs:
        system["repairs"] = _repairs(result)
    return {**system, "warnings": options.warnings(result), "exact": exact_to_dict(result)}


def _repairs(result: Result) -> dict[str, Any]:
    """Return the number of repairs by kind and of documents, and all repairs."""
    repairs = [(name, repair) for name, own in result.repairs.items() for repair in own]
    return {
        "documents": len(result.repairs),
        "kinds": count_repairs(result.repairs.values()),
        "list": [{"document": name, **repair._asdict()} for name, repair in repairs],
    }


def _total(layer: LayerResult, options: ReportOptions) -> dict[str, Any]:
    """Return the sizes and scores over all documents as plain values."""
    return {
        "counts": {"key": layer.total.key, "response": layer.total.response},
        "matching": layer.total.matching,
        **_scores(layer, options),
    }


def _several_keys(layer: LayerResult, options: ReportOptions) -> dict[str, Any]:
    """Return the scores against each of several keys, and the human ceiling, as plain values."""
    content: dict[str, Any] = {}
    if layer.by_key:
        content["by_key"] = {name: _total(own, options) for name, own in layer.by_key.items()}
    if layer.human:
        content["human"] = plain(layer.human)
        content["leave_one_out"] = plain(layer.leave_one_out)
    return content


def _layer(layer: LayerResult, options: ReportOptions) -> dict[str, Any]:
    """Return the scores of a layer as plain values."""
    content = {**_total(layer, options), **_several_keys(layer, options)}
    if layer.within_documents:
        content["within_documents"] = plain(layer.within_documents)
    if options.macro:
        content["macro"] = plain(layer.macro)
    if layer.uncertainty.intervals:
        content["confidence"] = {
            name: {column: list(getattr(interval, column)) for column in values_of(name)}
            for name, interval in layer.uncertainty.intervals.items()
        }
    if layer.uncertainty.differences:
        content["difference_to_first"] = {
            name: difference._asdict() for name, difference in layer.uncertainty.differences.items()
        }
    if layer.by_relation:
        by_relation = {name: plain(scores) for name, scores in layer.by_relation.items()}
        content["split_only_by_relation"] = by_relation
    if layer.classes:
        by_class = {name: plain(scores) for name, scores in layer.classes.items()}
        content[f"by_{layer.class_name}"] = by_class
    if layer.breakdown:
        content["breakdown"] = {
            by: {
                name: {
                    "mentions": {"key": result.key, "response": result.response},
                    "scores": plain(result.scores),
                }
                for name, result in classes.items()
            }
            for by, classes in layer.breakdown.items()
        }
    if options.per_document:
        content["documents"] = {
            name: _document(layer.documents[name], options)
            for name in options.documents_in_order(layer)
        }
    return content


def _document(document: DocumentResult, options: ReportOptions) -> dict[str, Any]:
    return {**_scores(document, options), "warnings": list(document.notes)}


def _scores(scored: LayerResult | DocumentResult, options: ReportOptions) -> dict[str, Any]:
    return {
        "scores": {} if options.split_only else plain(scored.scores),
        "split_only": plain(scored.split_only),
    }


def plain(scores: Scores) -> dict[str, dict[str, float | None]]:
    """Return scores as plain values."""
    return {
        name: {column: getattr(value, column) for column in values_of(name)}
        for name, value in scores.items()
    }


CSV_COLUMNS = (
    *("system", "document", "layer", "scope", "metric"),
    *("recall", "precision", "f1", "signature"),
)


def render_csv(results: Sequence[Result], options: ReportOptions) -> str:
    """Render the scores of all systems as CSV: fractions of 1 at full precision.

    Undefined values are empty. The document is empty in lines for the whole corpus. The scope is a
    key of the JSON output, such as `scores` or `split_only`, or a class, such as `relation=part`.
    """
    return to_csv([CSV_COLUMNS, *_csv_rows(results, options)])


def _csv_rows(results: Sequence[Result], options: ReportOptions) -> Iterator[Iterable[object]]:
    for result in options.systems_in_order(results):
        for layer in result.layers.values():
            scored: list[tuple[str, LayerResult | DocumentResult]] = [("", layer)]
            if options.per_document:
                names = options.documents_in_order(layer)
                scored += [(name, layer.documents[name]) for name in names]
            for name, scores in scored:
                for row in score_rows(scores, options):
                    yield result.name, name, layer.layer, *row, result.signature
            for row in _uncertainty_rows(layer.uncertainty):
                yield result.name, "", layer.layer, *row, result.signature


def _uncertainty_rows(uncertainty: Uncertainty) -> Iterator[tuple[object, ...]]:
    """Yield the ends of confidence intervals, then the differences in F1 from the first system."""
    for metric, intervals in uncertainty.intervals.items():
        yield "confidence low", metric, *(interval.low for interval in intervals)
        yield "confidence high", metric, *(interval.high for interval in intervals)
    for metric, comparison in uncertainty.differences.items():
        yield "difference to first", metric, None, None, comparison.difference
        yield "p", metric, None, None, comparison.p
        yield "p corrected", metric, None, None, comparison.corrected


def score_rows(
    scored: LayerResult | DocumentResult, options: ReportOptions
) -> Iterator[tuple[object, ...]]:
    """Yield the scope, the metric, recall, precision and F1 of each line."""
    scopes = {"split_only": scored.split_only}
    if not options.split_only:
        scopes = {"scores": scored.scores, **scopes}
    if isinstance(scored, LayerResult):
        relations = scored.by_relation.items()
        scopes |= {f"split_only relation={value}": scores for value, scores in relations}
    if isinstance(scored, LayerResult):
        scopes |= _scopes_of_keys(scored, options)
    if isinstance(scored, LayerResult) and scored.within_documents:
        scopes["within_documents"] = scored.within_documents
    if isinstance(scored, LayerResult) and options.macro:
        scopes["macro"] = scored.macro
    if isinstance(scored, LayerResult) and not options.split_only:
        name = scored.class_name
        scopes |= {f"{name}={value}": scores for value, scores in scored.classes.items()}
        for by, classes in scored.breakdown.items():
            name = by.partition("=")[0]
            scopes |= {f"{name}={value}": result.scores for value, result in classes.items()}
    for scope, scores in scopes.items():
        for metric, values in scores.items():
            yield scope, metric, *values


def _scopes_of_keys(layer: LayerResult, options: ReportOptions) -> dict[str, Scores]:
    """Return the scores against each of several keys, and the human ceiling, by scope."""
    scopes = (
        {} if options.split_only else {"human": layer.human, "leave_one_out": layer.leave_one_out}
    )
    for name, own in layer.by_key.items():
        if not options.split_only:
            scopes[f"key={name}"] = own.scores
        scopes[f"split_only key={name}"] = own.split_only
    return scopes


def render_eval_results(results: Sequence[Result], options: ReportOptions) -> str:
    """Render the result of a model as a file in `.eval_results` of its repository on the Hub."""
    if len(results) > 1:
        message = f"eval-results describe one model; give one response, not {len(results)}"
        raise SettingsError(message)
    (result,) = results
    name = options.score or ("conll" if "conll" in result else next(iter(result)))
    if (f1 := result[name].f1) is None:
        message = f"eval-results need a number, but {name} is undefined; choose another --score"
        raise SettingsError(message)
    dataset = {"id": options.dataset_id, "task_id": options.task_id}
    notes = f"{_full_label(name)} F1, {result.signature}"
    entry = {"dataset": dataset, "value": round(100 * f1, 2), "notes": notes}
    return to_yaml([entry])


def _full_label(name: str) -> str:
    """Return the label of a score, with its layer if no other layer has the score."""
    layers = SCORES[name].layers
    return f"{layers[0]}: {LABELS[name]}" if len(layers) == 1 else LABELS[name]
