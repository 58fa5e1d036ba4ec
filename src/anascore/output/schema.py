"""JSON Schemas (draft 2020-12) of the JSON output of every command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeAlias, get_args

from anascore.analysis.alpha import ALPHA_CHOICES
from anascore.analysis.categories import CATEGORIES
from anascore.analysis.errors import ERROR_TYPES
from anascore.corpus.scorable import Status
from anascore.errors import REPAIRS, SettingsError, did_you_mean
from anascore.formats.registry import ANNOTATION
from anascore.metrics import LABELS
from anascore.output.corpus import COUNTS, SHARES
from anascore.results.combination import CombinationRule
from anascore.results.exact import SCHEMA
from anascore.settings import CHOICES, LAYER_NAMES, Settings
from anascore.tasks import fixed_settings

DIALECT = "https://json-schema.org/draft/2020-12/schema"

JsonSchema: TypeAlias = dict[str, Any]


def json_schema(command: str) -> JsonSchema:
    """Return the JSON Schema of the JSON output of a command.

    The schema is complete: every key that the command can print is described. It allows further
    keys, which later versions may add.

    Args:
        command: Name of the command, like "score"; "disagreements" for `anascore agreement
            --disagreements`.

    Returns:
        A schema of draft 2020-12, as plain values.

    Raises:
        SettingsError: The command has no JSON output.

    Example:
        >>> json_schema("score")["required"]
        ['anascore', 'schema', 'signature', 'systems']
    """
    if command not in SCHEMAS:
        hint = did_you_mean(command, SCHEMAS)
        message = f"no JSON Schema for {command!r}{hint}; choose from {', '.join(SCHEMAS)}"
        raise SettingsError(message)
    content = SCHEMAS[command]
    return {
        "$schema": DIALECT,
        "title": f"Output of anascore {COMMAND_LINES.get(command, command)} --output json",
        **content,
        "$defs": {name: DEFINITIONS[name] for name in sorted(_used(content))},
    }


def _used(schema: Any) -> set[str]:
    """Return the names of all definitions that a schema refers to, directly or not."""
    names: set[str] = set()
    stack = [schema]
    while stack:
        part = stack.pop()
        if isinstance(part, Mapping):
            name = part.get("$ref", "").removeprefix("#/$defs/")
            if name and name not in names:
                names.add(name)
                stack.append(DEFINITIONS[name])
            stack.extend(part.values())
        elif isinstance(part, list):
            stack.extend(part)
    return names


def _value(kind: str, text: str = "", **limits: Any) -> JsonSchema:
    return {"type": kind, **limits, **({"description": text} if text else {})}


def _text(text: str = "") -> JsonSchema:
    return _value("string", text)


def _count(text: str = "") -> JsonSchema:
    return _value("integer", text, minimum=0)


def _or_null(schema: JsonSchema) -> JsonSchema:
    """Allow null besides the values of a schema with one type."""
    return {**schema, "type": [schema["type"], "null"]}


def _choice(values: Any, text: str = "") -> JsonSchema:
    return {"enum": list(values), **({"description": text} if text else {})}


def _list(items: JsonSchema, text: str = "", **limits: Any) -> JsonSchema:
    return {**_value("array", text, **limits), "items": items}


def _map(values: JsonSchema, text: str = "") -> JsonSchema:
    return {**_value("object", text), "additionalProperties": values}


def _object(
    required: Mapping[str, JsonSchema],
    optional: Mapping[str, JsonSchema] | None = None,
    text: str = "",
) -> JsonSchema:
    return {
        **_value("object", text),
        "properties": {**required, **(optional or {})},
        "required": list(required),
    }


def _ref(name: str, text: str = "") -> JsonSchema:
    return {"$ref": f"#/$defs/{name}", **({"description": text} if text else {})}


def _document(
    content: Mapping[str, JsonSchema], optional: Mapping[str, JsonSchema] | None = None
) -> JsonSchema:
    """Return the schema of a whole output, which begins with the versions."""
    versions = {
        "anascore": _text("version of anascore"),
        "schema": {"const": SCHEMA, "description": "version of this description"},
    }
    return _object({**versions, **content}, optional)


_SIGNATURE = _text("version and every setting that can change a number, in one line")
_WARNINGS = _list(_text(), "warnings about the scores")
_NUMBER = {"type": "number"}
_SETTING_TYPES = {bool: "boolean", int: "integer", str: "string", tuple: "array"}

_SETTINGS = _object(
    {
        setting.name: (
            _choice(CHOICES[setting.name])
            if setting.name in CHOICES
            else _value(_SETTING_TYPES[type(setting.default)])
        )
        for setting in fields(Settings)
    },
    text="all settings by their names in Python",
)

_TOTAL = {
    "counts": _object(
        {"key": _ref("sizes"), "response": _ref("sizes")}, text="sizes of both sides"
    ),
    "matching": _map(_count(), "numbers of mentions that match, are missing and are spurious"),
    "scores": _ref("scores", "scores over all entities; empty with --split-only"),
    "split_only": _ref("scores", "scores of the accommodated sets alone"),
}

_LAYER_OPTIONS = {
    "by_key": _map(_ref("total"), "scores against each of several keys, by name"),
    "human": _ref("scores", "human ceiling: mean scores of a key against all others"),
    "leave_one_out": _ref("scores", "mean scores of the response against all keys but one"),
    "within_documents": _ref("scores", "with --across: scores within single documents"),
    "macro": _ref("scores", "macro-averages over documents"),
    "confidence": _map(_ref("intervals"), "95% confidence intervals by score"),
    "difference_to_first": _map(_ref("difference"), "differences in F1 from the first system"),
    "split_only_by_relation": _map(_ref("scores"), "scores of accommodated objects by relation"),
    "by_relation": _map(_ref("scores"), "bridging: scores by relation"),
    "by_type": _map(_ref("scores"), "non-referring mentions: scores by type"),
    "breakdown": _map(_map(_ref("class")), "scores by class of mentions, for each --by"),
    "documents": _map(
        _object({"scores": _ref("scores"), "split_only": _ref("scores"), "warnings": _WARNINGS}),
        "with --per-document: scores of each document",
    ),
}

_RUN = {
    "signature": _SIGNATURE,
    "layer": _choice(LAYER_NAMES, "layer of the scores at this level"),
    **_TOTAL,
    "warnings": _WARNINGS,
    "exact": _ref("exact"),
}
"""Keys of a system of `anascore score`, and of a run of `anascore suite`."""

_RUN_OPTIONS = {
    **_LAYER_OPTIONS,
    "layers": _map(_ref("layer"), "layers besides the first, by name"),
    "skipped": _list(_ref("skipped"), "documents with errors that were skipped"),
    "repairs": _object(
        {
            "documents": _count("number of documents with repairs"),
            "kinds": {
                **_map(_count(), "number of repairs by kind"),
                "propertyNames": {"enum": [*REPAIRS]},
            },
            "list": _list(
                _object(
                    {
                        "document": _text(),
                        "kind": _choice(REPAIRS),
                        "path": _text(),
                        "line": _or_null(_count()),
                        "what": _text(),
                    }
                )
            ),
        },
        text="with --repair: repairs of the output of a language model",
    ),
}

_ERRORS: dict[str, JsonSchema] = {
    "signature": _SIGNATURE,
    "system": _text("name of the response"),
    "scores": _ref("scores", "scores of the uncorrected response"),
    "types": {
        **_map(
            _object({"errors": _count(), "corrected": _ref("scores")}),
            "number of errors of each type, and scores with these corrected",
        ),
        "propertyNames": {"enum": [*ERROR_TYPES]},
    },
    "all_corrected": _ref("scores", "scores with all errors corrected"),
    "errors": _list(
        _object(
            {
                "type": _choice(ERROR_TYPES),
                "document": _text(),
                "at": _ref("mention", "place of the error"),
                "key_entity": _or_null(_text("label of the entity, as in anascore explain")),
                "response_entity": _or_null(_text()),
                "key": _list(_ref("mention"), "mentions of the key"),
                "response": _list(_ref("mention"), "mentions of the response"),
                "beside": {"anyOf": [_ref("mention"), {"type": "null"}]},
                "anaphor": {"anyOf": [_ref("mention"), {"type": "null"}]},
            }
        ),
        "errors of the types that --type names",
    ),
    "warnings": _WARNINGS,
    "metrics": _list(_choice(LABELS), "names of the scores"),
    "exact": _object(
        {
            "scores": _ref("counts"),
            "types": _map(_ref("counts")),
            "all_corrected": _ref("counts"),
        },
        text="exact counts behind the scores",
    ),
}

_ALPHA = {
    "items": _count("number of items"),
    "values": _count("number of values"),
    "alpha": _or_null(_NUMBER),
    "observed": _or_null(_text("observed disagreement, a fraction")),
    "expected": _or_null(_text("expected disagreement, a fraction")),
}

_DIFFERENCE = {
    "difference": _or_null(_NUMBER),
    "p": _or_null(_value("number", minimum=0, maximum=1)),
    "corrected": _or_null(_value("number", "p after Holm", minimum=0, maximum=1)),
    "wins": _count("documents in which it is better; datasets in a suite"),
    "losses": _count(),
    "ties": _count(),
}

_F1_BY_LAYER = _map(_map(_or_null(_NUMBER)), "F1 by layer and score")

DEFINITIONS: dict[str, JsonSchema] = {
    "alphas": _object(
        {
            "chains": _object({**_ALPHA, "missing": _count("mentions of a single annotator")}),
            "split": _object(_ALPHA),
        },
        text="Krippendorff's alpha on chains and on split antecedents",
    ),
    "class": _object(
        {
            "mentions": _object({"key": _count(), "response": _count()}),
            "scores": _ref("scores"),
        },
        text="one class of mentions",
    ),
    "counts": _map(
        _list(_list(_ref("exact_number"), minItems=4, maxItems=4)),
        "for each score and component: part and whole of recall, part and whole of precision",
    ),
    "counts_against": _object(
        {
            "formats": _list(_text()),
            "skipped": _list(_ref("skipped")),
            "documents": _map(_ref("document_counts")),
        },
        {"within": _map(_ref("document_counts"))},
    ),
    "difference": _object(_DIFFERENCE, text="difference in F1 between two systems"),
    "document_counts": _object(
        {
            "layers": _map(
                _object(
                    {},
                    {
                        "key": _ref("sizes"),
                        "response": _ref("sizes"),
                        "matching": _map(_count()),
                        "scores": _ref("counts"),
                        "split_only": _ref("counts"),
                        "by_relation": _map(_ref("counts")),
                        "classes": _map(_ref("counts")),
                        "breakdown": _map(_map(_ref("counts"))),
                        "notes": _list(_map(_count())),
                    },
                )
            ),
            "zeros": _list(_list(_count()), "zeros and mentions with zeros of key and response"),
        },
        {"repairs": _list(_list({"type": ["string", "integer", "null"]}))},
        text="exact counts of a document; empty values are omitted",
    ),
    "exact": _object(
        {
            "version": _text("version of anascore that computed the counts"),
            "formats": _list(_text(), "formats of key and response"),
            "settings": _ref("settings"),
            "reported": _map(_list(_choice(LABELS)), "scores that are reported, by layer"),
            "all_layers": _value("boolean"),
            "resampling": _text("part of the signature about intervals and tests; may be empty"),
            "documents": _map(_ref("document_counts")),
        },
        {
            "within": _map(_ref("document_counts")),
            "combination": _object(
                {
                    "rule": _choice(get_args(CombinationRule)),
                    "weights": _list(_ref("exact_number")),
                }
            ),
            "by_key": _map(_ref("counts_against")),
            "human": _map(_ref("counts_against")),
        },
        "everything that is needed to restore the result",
    ),
    "exact_number": {
        "type": ["integer", "string"],
        "pattern": "^-?(0x[0-9a-f]+|[0-9]+)(/(0x[0-9a-f]+|[0-9]+))?$",
        "description": 'an integer, a fraction like "43/6", or "0x..." above 2 to the 53',
    },
    "explained_entity": _object(
        {
            "label": _text("K1, K2 in the key, R1, R2 in the response"),
            "name": _text("id in the file"),
            "elements": _list(_text(), "labels of the elements of its accommodated set"),
            "mentions": _list(_text()),
            "relation": _or_null(_text("set or result; null without elements")),
        }
    ),
    "explained_ratio": _object(
        {
            "part": _ref("fraction"),
            "whole": _ref("fraction"),
            "value": _or_null(_text()),
            "shares": _list(
                _object(
                    {
                        "entity": _text(),
                        "partners": _list(
                            _text(), "labels of the entities that share something with it"
                        ),
                        "part": _or_null(_text()),
                        "whole": _or_null(_text()),
                    }
                ),
                "share of each entity",
            ),
        }
    ),
    "explained_set": _object(
        {
            "key": _text("label of the entity of the key"),
            "response": _or_null(_text("label of its partner; null without one")),
            "delta": _list(
                _object({"recall": _ref("fraction"), "precision": _or_null(_text())}),
                "δ of the paper: a penalty in MUC, the credit in other metrics",
            ),
            "score": _list(
                _object({name: _ref("fraction") for name in ("recall", "precision", "f1")}),
                "the metric on the elements of the two sets",
            ),
            "f1": _ref("fraction", "value by which the sets were aligned"),
            "next_best": {
                "anyOf": [
                    _object({"response": _text(), "f1": _ref("fraction")}),
                    {"type": "null"},
                ]
            },
        },
        text="alignment of an accommodated set of the key",
    ),
    "format": _object(
        {
            "label": _text(),
            "write": _value("boolean", "the format can be written"),
            "endings": _list(_text(), "endings of file names that choose the format"),
            "unit": _choice(["words", "characters"]),
            **{kind: {"type": ["boolean", "string"]} for kind in ANNOTATION},
        },
        text="annotation that the format can hold",
    ),
    "fraction": _text('a number or a fraction like "43/66"; "≈0.65" if it is too long'),
    "interval": _list(_or_null(_NUMBER), "lower and upper end", minItems=2, maxItems=2),
    "intervals": _object(
        {"f1": _ref("interval")},
        {"recall": _ref("interval"), "precision": _ref("interval")},
    ),
    "layer": _object(_TOTAL, _LAYER_OPTIONS, "scores of one layer"),
    "mention": _object(
        {
            "side": _choice(["key", "response"]),
            "text": _text(),
            "words": _list(_list(_count()), "spans of positions from 0, end exclusive"),
            "zeros": _list(_list(_count()), "zeros: words before, rank"),
            "line": _or_null(_count("line of the file")),
        },
        text="a mention with its place",
    ),
    "score": _object({"f1": _ref("value")}, {"recall": _ref("value"), "precision": _ref("value")}),
    "scores": {
        **_map(_ref("score"), "scores by name, as fractions of 1"),
        "propertyNames": {"enum": [*LABELS]},
    },
    "settings": _SETTINGS,
    "sizes": _map(_count(), "numbers of documents, mentions, entities and so on"),
    "skipped": _object(
        {
            "side": _choice(["key", "response"]),
            "document": _text(),
            "path": _text(),
            "line": _or_null(_count()),
            "reason": _text("the first error"),
        },
        text="a document with errors that was skipped",
    ),
    "statistics": _object(
        {
            **{name: _count() for name in COUNTS},
            **{name: _or_null(_NUMBER) for name in SHARES},
            "chain_lengths": _map(_count(), "number of entities by number of mentions"),
            "set_sizes": _map(_count(), "number of sets by number of elements"),
            "left_out": _map(_count(), "number of items left out, by kind"),
        }
    ),
    "system": _object({"name": _text(), **_RUN}, _RUN_OPTIONS, "one response"),
    "system_errors": _document(_ERRORS),
    "task": _object(
        {
            "label": _text(),
            "format": _text("format of the official data"),
            "metrics": _list(_choice(LABELS)),
            **{name: _SETTINGS["properties"][name] for name in fixed_settings()},
        },
        text="metrics and settings of a shared task",
    ),
    "total": _object(_TOTAL, text="sizes and scores over all documents"),
    "value": _or_null(_value("number", "fraction of 1; null if undefined", minimum=0)),
}
"""Parts of schemas that several places share."""

SCHEMAS: dict[str, JsonSchema] = {
    "score": _document(
        {"signature": _SIGNATURE, "systems": _list(_ref("system"), "responses in the given order")}
    ),
    "merge": _document(
        {"signature": _SIGNATURE, "systems": _list(_ref("system"), "responses in the given order")}
    ),
    "suite": _document(
        {
            "datasets": _list(_text()),
            "systems": _list(_text()),
            "variants": _map(
                _object(
                    {
                        "signatures": _list(_text()),
                        "settings": _ref("settings"),
                        "reported": _map(_list(_choice(LABELS))),
                    }
                )
            ),
            "primary": _text("variant that ranks the systems"),
            "score": _choice(LABELS, "score that ranks the systems"),
            "resampling": _text("test, samples and seed; empty if nothing was resampled"),
            "ranks": _list(
                _object({"system": _text(), "rank": _count(), "cluster": _count()}),
                "systems, best first",
            ),
            "macro": _map(_map(_ref("scores")), "macro-averages by variant and system"),
            "undefined": _map(
                _map(_list(_text())), "datasets that macro-averages leave out, by variant and score"
            ),
            "confidence": _map(
                _map(_map(_ref("intervals"))), "intervals by variant, system and score"
            ),
            "comparisons": _list(
                _object(
                    {
                        "system": _text(),
                        "to": _text(),
                        **_DIFFERENCE,
                        "datasets": _map(_ref("difference")),
                    }
                ),
                "all pairs of systems",
            ),
            "runs": _list(
                _object(
                    {"variant": _text(), "system": _text(), "dataset": _text(), **_RUN},
                    _RUN_OPTIONS,
                )
            ),
            "notes": _list(_text()),
            "warnings": _WARNINGS,
        }
    ),
    "explain": _document(
        {
            "signature": _SIGNATURE,
            "system": _text("name of the response"),
            "entity": _or_null(_text("entity that --entity names")),
            "documents": _list(
                _object(
                    {
                        "name": _text(),
                        "key": _list(_ref("explained_entity")),
                        "response": _list(_ref("explained_entity")),
                        "shared": _list(
                            _object({"key": _text(), "response": _text(), "mentions": _count()}),
                            "numbers of mentions that two entities have in common",
                        ),
                        "metrics": _map(
                            _object(
                                {
                                    "sets": _list(_ref("explained_set")),
                                    "rows": _list(
                                        _object(
                                            {
                                                "links": _text(),
                                                "recall": _ref("explained_ratio"),
                                                "precision": _ref("explained_ratio"),
                                            }
                                        ),
                                        "components: two for BLANC, one for other metrics",
                                    ),
                                }
                            )
                        ),
                    }
                )
            ),
            "warnings": _WARNINGS,
        }
    ),
    "errors": {
        "description": "one response, or several with a list of systems",
        "oneOf": [
            _document(_ERRORS),
            _document({"systems": _list(_ref("system_errors"), "responses in the given order")}),
        ],
    },
    "agreement": _document(
        {
            "signature": _SIGNATURE,
            "summary": _text(),
            "warnings": _WARNINGS,
            "annotators": _list(_text()),
            "documents": _count("number of documents"),
            "options": _object(
                {name: _choice(choices) for name, choices in ALPHA_CHOICES.items()},
                text="options of alpha",
            ),
            "pairs": _list(
                _object(
                    {
                        "annotators": _list(_text(), minItems=2, maxItems=2),
                        "f1": _F1_BY_LAYER,
                        "split_only": _map(_or_null(_NUMBER)),
                        "categories": _object(
                            {
                                "items": _count(),
                                "agreement": _or_null(_NUMBER),
                                "cohen": _or_null(_NUMBER),
                                "confusion": _object(
                                    {
                                        name: _object({other: _count() for other in CATEGORIES})
                                        for name in CATEGORIES
                                    }
                                ),
                            }
                        ),
                    }
                )
            ),
            "mean": _object({"f1": _F1_BY_LAYER, "split_only": _map(_or_null(_NUMBER))}),
            "alpha": _ref("alphas"),
            "categories": _object(
                {
                    "items": _count(),
                    "agreement": _or_null(_NUMBER),
                    "fleiss": _or_null(_NUMBER),
                    "alpha": _or_null(_NUMBER),
                }
            ),
        },
        {
            "intervals": _object(
                {
                    "f1": _map(_map(_ref("interval"))),
                    "alpha": _object({"chains": _ref("interval"), "split": _ref("interval")}),
                },
                text="with --confidence",
            ),
            "by_document": _map(
                _object({"alpha": _ref("alphas"), "f1": _map(_or_null(_NUMBER))}),
                "with --per-document",
            ),
        },
    ),
    "disagreements": _document(
        {
            "signature": _SIGNATURE,
            "summary": _text(),
            "annotators": _list(_text()),
            "types": _map(_text(), "types of disagreements, with their descriptions"),
            "disagreements": _list(
                _object(
                    {
                        "document": _text(),
                        "type": _text(),
                        "words": _text("words and zeros of the mention, counted from 1"),
                        "mention": _text("text of the mention"),
                        "claims": _list(
                            _object({"annotators": _list(_text()), "statement": _text()}),
                            minItems=2,
                            maxItems=2,
                        ),
                    }
                )
            ),
        }
    ),
    "validate": _document(
        {
            "errors": _count("number of errors in all files"),
            "warnings": _count("number of warnings in all files"),
            "files": _list(
                _object(
                    {
                        "path": _text(),
                        "format": _text("unknown if the format was not detected"),
                        "errors": _count(),
                        "warnings": _count(),
                        "problems": _list(
                            _object(
                                {
                                    "line": _or_null(_count()),
                                    "severity": _choice(["error", "warning"]),
                                    "what": _text("message"),
                                    "path": _text(),
                                }
                            )
                        ),
                    }
                )
            ),
            "scoring": _object(
                {
                    "paths": _list(_text()),
                    "obstacle": _or_null(_text("reason why nothing can be scored")),
                    "options": _list(
                        _object(
                            {
                                "option": _text("option of anascore score"),
                                "status": _choice(get_args(Status)),
                                "missing": _list(
                                    _object({"annotation": _text(), "paths": _list(_text())})
                                ),
                            }
                        )
                    ),
                },
                text="layers, options and tasks that can be scored from the files",
            ),
        }
    ),
    "stats": _document(
        {
            "files": _list(
                _object(
                    {
                        "path": _text(),
                        "format": _text(),
                        "unit": _choice(["words", "characters"]),
                        "total": _ref("statistics"),
                    },
                    {"documents": _map(_ref("statistics"), "with --per-document")},
                )
            )
        }
    ),
    "tasks": _object({"tasks": _map(_ref("task"), "shared tasks by name")}),
    "formats": _object({"formats": _map(_ref("format"), "formats by name")}),
}
"""Schemas by command, without their definitions."""

COMMAND_LINES = {"disagreements": "agreement --disagreements"}
"""Command lines of the schemas that are not named after a command."""
