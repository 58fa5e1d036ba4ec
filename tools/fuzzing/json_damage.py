"""Damage to JSON: fields, values, spans, links of sets, and the syntax itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from tools.fuzzing.kinds import (
    JSON,
    JSON_LINES,
    NOTICED,
    REJECTED,
    UNCHANGED,
    WARNED,
    Damage,
    Pick,
    each,
    kind,
    pattern,
    patterns,
    text,
)
from tools.fuzzing.samples import Sample

Fields: TypeAlias = dict[str, Any]


class Layout(NamedTuple):
    """Fields of a JSON format."""

    words: str
    """Field with the words or the text."""

    entities: str
    """Field with the mentions."""

    name: str = ""
    """Field with the name of a document; empty if there is none."""

    start: int = 0
    """Position of the first number of a span: in PreCo, a sentence stands before it."""


LAYOUTS = {
    "jsonl": Layout("sentences", "clusters", "doc_key"),
    "coref-hoi": Layout("sentences", "clusters", "doc_key"),
    "wl-coref": Layout("cased_words", "span_clusters", "document_id"),
    "preco": Layout("sentences", "mention_clusters", "id", start=1),
    "fastcoref": Layout("text", "clusters"),
    "friends": Layout("tokens", "character_entities"),
    "rucoco": Layout("text", "entities"),
    "llm-json": Layout("tokens", "clusters_token_offsets", "doc_id"),
    "maverick": Layout("tokens", "clusters_token_offsets"),
    "ucdcr": Layout("mention_context", "tokens_number_context", "conll_doc_key"),
}
CLUSTERED = tuple(name for name in JSON if name not in {"friends", "ucdcr"})
"""Formats with lists of spans in lists of entities."""

SPANS = tuple(name for name in JSON if name != "ucdcr")
"""Formats in which a mention has a first and a last position."""

NAMED = ("jsonl", "coref-hoi", "wl-coref", "preco", "llm-json")


def load(sample: Sample) -> list[Any]:
    """Return the values of a file: one for each line, or a single one."""
    lines = sample.main.decode().splitlines() if sample.format in JSON_LINES else [sample.main]
    return [json.loads(line) for line in lines]


def dump(sample: Sample, values: list[Any], **options: Any) -> Sample:
    """Return a file with other values."""
    lines = (json.dumps(value, ensure_ascii=False, **options) for value in values)
    return sample._replace(main="".join(f"{line}\n" for line in lines).encode())


def holders(format_name: str, values: list[Any]) -> list[Fields]:
    """Return the objects that hold the words and the mentions."""
    if format_name == "friends":
        return [
            utterance
            for value in values
            for episode in value["episodes"]
            for scene in episode["scenes"]
            for utterance in scene["utterances"]
        ]
    return [item for value in values for item in (value if isinstance(value, list) else [value])]


def _spans(format_name: str, holder: Fields) -> list[list[Any]]:
    """Return the spans of an object that holds mentions."""
    entities = holder[LAYOUTS[format_name].entities]
    return [entities] if format_name == "ucdcr" else [span for spans in entities for span in spans]


def _fields(change: Callable[[Fields, Layout], object]) -> Damage:
    """Return a damage that changes the fields of an object with words and mentions."""

    def damage(sample: Sample, pick: Pick) -> Sample:
        values = load(sample)
        change(pick(holders(sample.format, values)), LAYOUTS[sample.format])
        return dump(sample, values)

    return damage


def _entities(value: Any) -> Damage:
    """Return a damage that replaces all mentions by another value."""
    return _fields(lambda fields, layout: fields.update({layout.entities: value}))


def _words(change: Callable[[Any], Any]) -> Damage:
    """Return a damage that changes the words."""
    return _fields(
        lambda fields, layout: fields.update({layout.words: change(fields[layout.words])})
    )


def _word(value: Any) -> Damage:
    """Return a damage that replaces the last word by another value."""

    def change(fields: Fields, layout: Layout) -> None:
        words = fields[layout.words]
        if isinstance(words, str):
            fields[layout.words] = [value]
        elif isinstance(words[0], str):
            words[-1] = value
        else:
            words[-1][-1] = value

    return _fields(change)


def _half_a_character(sample: Sample, pick: Pick) -> Sample:
    """Put half of a character into a word or a text, as JSON can escape it."""
    if sample.format in {"fastcoref", "rucoco"}:
        return pattern('(?<="text": ")', r"\\ud800")(sample, pick)
    damaged = _word("HALF")(sample, pick)
    return damaged._replace(main=damaged.main.replace(b"HALF", b"\\ud800"))


def _span(change: Callable[[list[Any], int], object]) -> Damage:
    """Return a damage that changes a span; change gets it and the position of its first number."""

    def damage(sample: Sample, pick: Pick) -> Sample:
        values, layout = load(sample), LAYOUTS[sample.format]
        objects = holders(sample.format, values)
        spans = [span for holder in objects for span in _spans(sample.format, holder)]
        longer = [span for span in spans if span[layout.start] != span[layout.start + 1 :][:1]]
        change(pick(longer), layout.start)
        return dump(sample, values)

    return damage


def _number(value: Any) -> Damage:
    """Return a damage that replaces the first number of a span."""
    return _span(lambda span, start: span.__setitem__(start, value))


def _whole_span(value: Any) -> Damage:
    """Return a damage that replaces a span."""

    def change(fields: Fields, layout: Layout) -> None:
        fields[layout.entities][0][0] = value

    return _fields(change)


def _reverse(span: list[Any], start: int) -> None:
    # In all formats, this is too far for an end that is exclusive, too.
    span[start], span[start + 1] = span[start + 1] + 1, span[start]


def _rename(field: str, new: Callable[[str], str]) -> Damage:
    """Return a damage that renames a field of the layout; its place stays the same."""

    def change(fields: Fields, layout: Layout) -> None:
        old = getattr(layout, field)
        renamed = {new(name) if name == old else name: value for name, value in fields.items()}
        fields.clear()
        fields.update(renamed)

    return _fields(change)


def _near(name: str) -> str:
    """Return a name that is nearly the same: without one letter."""
    return name[:3] + name[4:]


def _drop(field: str) -> Damage:
    return _fields(lambda fields, layout: fields.pop(getattr(layout, field)))


def _twice(field: str, value: str) -> Damage:
    """Return a damage that gives a field again, with another value, at the end of an object."""

    def damage(sample: Sample, pick: Pick) -> Sample:
        values = load(sample)
        holder = pick(holders(sample.format, values))
        holder["\0"] = 0
        name = getattr(LAYOUTS[sample.format], field)
        changed = dump(sample, values)
        main = changed.main.replace(b'"\\u0000": 0', f'"{name}": {value}'.encode())
        return changed._replace(main=main)

    return damage


def _cluster(change: Callable[[list[Any]], object]) -> Damage:
    """Return a damage that changes the list of entities."""
    return _fields(lambda fields, layout: change(fields[layout.entities]))


def _mention_twice(sample: Sample, pick: Pick) -> Sample:
    values = load(sample)
    if sample.format == "ucdcr":
        values[0].append(pick(values[0]))
    else:
        holder = pick(holders(sample.format, values))
        spans = holder[LAYOUTS[sample.format].entities][0]
        spans.append(spans[0])
    return dump(sample, values)


def _mention_in_two_entities(sample: Sample, pick: Pick) -> Sample:
    values = load(sample)
    if sample.format == "ucdcr":
        values[0].append({**pick(values[0]), "coref_chain": "C9"})
    elif sample.format == "friends":
        spans = pick(holders(sample.format, values))["character_entities"][0]
        spans.append([*spans[0][:2], "Other"])
    else:
        entities = holders(sample.format, values)[0][LAYOUTS[sample.format].entities]
        entities[-1].append(entities[0][0])
    return dump(sample, values)


def _document_twice(sample: Sample, _: Pick) -> Sample:
    values = load(sample)
    if sample.format == "friends":
        values[0]["episodes"] *= 2
    elif isinstance(values[0], list):
        values[0].append(values[0][0])
    else:
        values.append(values[0])
    return dump(sample, values)


def _reorder(value: Any) -> Any:
    """Return a value with the fields of all objects in the reverse order."""
    if isinstance(value, dict):
        return {name: _reorder(item) for name, item in reversed(value.items())}
    return [_reorder(item) for item in value] if isinstance(value, list) else value


def _links(value: Any) -> Damage:
    """Return a damage that replaces the links of sets."""

    def damage(sample: Sample, _: Pick) -> Sample:
        values = load(sample)
        values[0]["includes" if sample.format == "rucoco" else "split_antecedents"] = value
        return dump(sample, values)

    return damage


def _deep(fields: Fields, _: Layout) -> None:
    for _depth in range(50):
        fields["note"] = [fields.get("note")]


def _very_deep(main: str) -> str:
    """Put many brackets around the last value, which is a list in every format."""
    end = main.rindex("]")
    return f"{main[:end]}{'[' * 100_000}{']' * 100_000}{main[end:]}"


_SYNTAX_KINDS = (
    kind("JSON bracket lost", REJECTED, each(JSON, pattern(r"\[", ""))),
    kind("JSON bracket doubled", REJECTED, each(JSON, pattern(r"\]", "]]"))),
    kind("JSON bracket of another shape", REJECTED, each(JSON, pattern(r"\]", "}"))),
    kind("JSON comma lost", REJECTED, each(JSON, pattern(r'(?<=["\]\d]),(?=\s)', ""))),
    kind("JSON comma doubled", REJECTED, each(JSON, pattern(r'(?<=["\]\d]),(?=\s)', ",,"))),
    kind("JSON comma at the end of a list", REJECTED, each(JSON, pattern(r"\]", ",]"))),
    kind("JSON quote lost", REJECTED, each(JSON, pattern('"', ""))),
    kind(
        "JSON with single quotes", REJECTED, each(JSON, text(lambda main: main.replace('"', "'")))
    ),
    kind("JSON colon lost", REJECTED, each(JSON, pattern('": ', '" '))),
    kind("JSON with a comment", REJECTED, each(JSON, text(lambda main: f"// note\n{main}"))),
    kind("JSON with NaN", REJECTED, each(JSON, _number(float("nan")))),
    kind("JSON with Infinity", REJECTED, each(JSON, _number(float("inf")))),
    kind("JSON number with a leading zero", REJECTED, each(JSON, pattern(r"\[\s*(\d)", r"[0\1"))),
    kind("JSON number in other digits", REJECTED, each(JSON, pattern(r"\[\s*\d", "[٣"))),
    kind("JSON object instead of a list", REJECTED, each(JSON, _entities({"0": []}))),
    kind("JSON escapes", UNCHANGED, each(JSON, text(lambda main: main.replace("A", "\\u0041")))),
    kind("JSON key twice, the second time empty", REJECTED, each(JSON, _twice("entities", "[]"))),
    kind(
        "JSON key of the words twice",
        REJECTED,
        each(JSON, _twice("words", '["other"]')),
    ),
    kind("JSON key of the name twice", REJECTED, each(NAMED, _twice("name", '"other"'))),
    kind(
        "order of JSON keys changed",
        UNCHANGED,
        each(JSON, lambda sample, _: dump(sample, [_reorder(value) for value in load(sample)])),
    ),
    kind(
        "white space in JSON",
        UNCHANGED,
        each(JSON, lambda s, _: dump(s, load(s), separators=(" ,  ", "  : "))),
    ),
    kind(
        "no white space in JSON",
        UNCHANGED,
        each(JSON, lambda s, _: dump(s, load(s), separators=(",", ":"))),
    ),
    kind(
        "JSON on several lines",
        UNCHANGED,
        each(
            (name for name in JSON if name not in {"jsonl", "friends"}),
            lambda sample, _: dump(sample, load(sample), indent=1),
        ),
    ),
    kind("nesting in an unknown field", UNCHANGED, each(JSON, _fields(_deep))),
    kind("deep nesting in a value", REJECTED, each(JSON, text(_very_deep))),
)

_FIELD_KINDS = (
    kind(
        "unknown field added",
        UNCHANGED,
        each(JSON, _fields(lambda fields, _: fields.update(colour="blue"))),
    ),
    kind(
        "field of the mentions nearly named",
        REJECTED,
        each(JSON, _rename("entities", _near)),
        warned=("friends",),
    ),
    kind(
        "field of the mentions wholly renamed",
        REJECTED,
        each(JSON, _rename("entities", lambda _: "annotation")),
        warned=("friends",),
    ),
    kind(
        "field of the mentions missing",
        REJECTED,
        each(JSON, _drop("entities")),
        warned=("friends",),
    ),
    kind("field of the words nearly named", REJECTED, each(JSON, _rename("words", _near))),
    kind("field of the words missing", REJECTED, each(JSON, _drop("words"))),
    kind(
        "field of the name nearly named",
        WARNED,
        each((name for name in NAMED if name != "preco"), _rename("name", _near)),
    ),
    kind("field of the name missing", NOTICED, each(NAMED, _drop("name"))),
    kind(
        "name of a document a number",
        REJECTED,
        each(NAMED, _fields(lambda fields, layout: fields.update({layout.name: 7}))),
    ),
    kind(
        "name of a document changed",
        NOTICED,
        each(NAMED, _fields(lambda fields, layout: fields.update({layout.name: "other"}))),
    ),
    kind("mentions null", REJECTED, each(JSON, _entities(None))),
    kind("mentions a number", REJECTED, each(JSON, _entities(7))),
    kind("mentions a text", REJECTED, each(JSON, _entities("[[0, 0]]"))),
    kind("mentions true", REJECTED, each(JSON, _entities(value=True))),
    kind("words null", REJECTED, each(JSON, _words(lambda _: None))),
    kind("words an object", REJECTED, each(JSON, _words(lambda words: {"0": words}))),
    kind("word a number", REJECTED, each(JSON, _word(7))),
    kind("word null", REJECTED, each(JSON, _word(None))),
    kind("word with half a character", REJECTED, each(JSON, _half_a_character)),
    kind(
        "word too few",
        REJECTED,
        each(JSON, _words(lambda words: words[:-1])),
        noticed=("fastcoref", "rucoco", "llm-json", "maverick"),
    ),
    kind(
        "document twice",
        REJECTED,
        each((n for n in JSON if n not in {"rucoco", "ucdcr"}), _document_twice),
        noticed=("fastcoref", "maverick"),
    ),
)

_SPAN_KINDS = (
    kind("JSON span reversed", REJECTED, each(SPANS, _span(_reverse))),
    kind("JSON span outside of the text", REJECTED, each(JSON, _number(10_000))),
    kind("JSON span negative", REJECTED, each(JSON, _number(-1))),
    kind("JSON span with a fraction", REJECTED, each(JSON, _number(0.0))),
    kind("JSON span with true", REJECTED, each(JSON, _number(value=True))),
    kind("JSON span with a text", REJECTED, each(JSON, _number("0"))),
    kind("JSON span with null", REJECTED, each(JSON, _number(None))),
    kind("JSON span with a list", REJECTED, each(JSON, _number([0]))),
    kind("JSON span of 4,000 digits", REJECTED, each(JSON, _number(10**4000))),
    kind("JSON span too short", REJECTED, each(SPANS, _span(lambda span, _: span.pop(1)))),
    kind("JSON span too long", REJECTED, each(JSON, _span(lambda span, _: span.append(None)))),
    kind(
        "JSON span with a third number 0",
        REJECTED,
        each(SPANS, _span(lambda span, _: span.append(0))),
        warned=("jsonl", "coref-hoi"),
    ),
    kind(
        "type of a non-referring mention changed to 0",
        WARNED,
        {"jsonl": pattern(r"(\[\[14, 14, )1(?=\])", r"\g<1>0")},
    ),
    kind("JSON span empty", REJECTED, each(JSON, _span(lambda span, _: span.clear()))),
    kind(
        "JSON span null",
        REJECTED,
        each((*CLUSTERED, "friends"), _whole_span(None)),
        noticed=("fastcoref",),
    ),
    kind("JSON span a number", REJECTED, each((*CLUSTERED, "friends"), _whole_span(0))),
    kind(
        "JSON span one list too deep",
        REJECTED,
        each((*CLUSTERED, "friends"), _whole_span([[0, 1]])),
    ),
    kind("JSON mention twice", WARNED, each(JSON, _mention_twice)),
    kind("JSON mention in two entities", WARNED, each(JSON, _mention_in_two_entities)),
    kind(
        "empty entity added",
        UNCHANGED,
        each(CLUSTERED, _cluster(lambda entities: entities.append([]))),
        rejected=("rucoco",),
    ),
    kind(
        "entity null",
        REJECTED,
        each((*CLUSTERED, "friends"), _cluster(lambda entities: entities.append(None))),
    ),
    kind(
        "entity a span",
        REJECTED,
        each(CLUSTERED, _cluster(lambda entities: entities.append([0, 1]))),
    ),
)

_LINKED = ("jsonl", "rucoco")
_LINK_KINDS = (
    kind("links of sets null", REJECTED, each(_LINKED, _links(None))),
    kind("links of sets a number", REJECTED, each(_LINKED, _links(7))),
    kind("link of sets not a list", REJECTED, each(_LINKED, _links([7]))),
    kind("links of sets too few", REJECTED, {"rucoco": _links([[], [], []])}),
    kind("links of sets too many", REJECTED, {"rucoco": _links([[]] * 9)}),
    kind(
        "field of the links of sets nearly named",
        WARNED,
        patterns(
            {"jsonl": ("split_antecedents", "split_antecedent"), "rucoco": ("includes", "include")}
        ),
    ),
    kind(
        "link of sets to something unknown",
        REJECTED,
        {"jsonl": _links([[[11, 11], [99, 99]]]), "rucoco": _links([[], [], [], [0, 9], []])},
    ),
    kind(
        "link of sets to a span in no cluster",
        WARNED,
        {"jsonl": _links([[[11, 11], [1, 1]], [[11, 11], [6, 6]]])},
    ),
    kind(
        "link of sets with a negative number",
        REJECTED,
        {"jsonl": _links([[[11, 11], [-1, 0]]]), "rucoco": _links([[], [], [], [0, -3], []])},
    ),
    kind(
        "link of sets with true",
        REJECTED,
        {"jsonl": _links([[[11, 11], [0, False]]]), "rucoco": _links([[], [], [], [False, 2], []])},
    ),
    kind(
        "link of sets with a fraction",
        REJECTED,
        {"jsonl": _links([[[11, 11], [0, 0.0]]]), "rucoco": _links([[], [], [], [0.0, 2], []])},
    ),
    kind(
        "link of sets to itself",
        REJECTED,
        {"jsonl": _links([[[11, 11], [22, 22]]]), "rucoco": _links([[], [], [], [0, 2, 3], []])},
    ),
    kind(
        "links of sets in a cycle",
        REJECTED,
        {
            "jsonl": _links([[[11, 11], [0, 0]], [[0, 0], [11, 11]]]),
            "rucoco": _links([[3], [], [], [0, 2], []]),
        },
    ),
    kind(
        "link of sets twice",
        UNCHANGED,
        {
            "jsonl": _links([[[11, 11], [0, 0]], [[11, 11], [6, 6]], [[11, 11], [6, 6]]]),
            "rucoco": _links([[], [], [], [0, 2, 2], []]),
        },
    ),
    kind(
        "link of sets with three spans",
        REJECTED,
        {"jsonl": _links([[[11, 11], [0, 0], [6, 6]]])},
    ),
    kind(
        "link of sets to a non-referring span",
        REJECTED,
        {"jsonl": _links([[[11, 11], [0, 0]], [[11, 11], [6, 6]], [[11, 11], [14, 14]]])},
    ),
)

_OWN_KINDS = (
    kind(
        "subtoken map nearly named",
        REJECTED,
        patterns({"coref-hoi": ('"subtoken_map"', '"subtokens_map"')}),
    ),
    kind("subtoken map too short", REJECTED, {"coref-hoi": pattern(r"13, 13\]", "13]")}),
    kind(
        "subtoken map that falls", REJECTED, {"coref-hoi": pattern(r"12, 13, 13\]", "13, 12, 13]")}
    ),
    kind("span of special tokens", REJECTED, {"coref-hoi": pattern(r"\[1, 5\]", "[0, 0]")}),
    kind(
        "numbers of sentences too few",
        REJECTED,
        {"wl-coref": pattern(r'"sent_id": \[0, ', '"sent_id": [')},
    ),
    kind(
        "number of a part a text", REJECTED, {"wl-coref": pattern('"part_id": 0', '"part_id": "0"')}
    ),
    kind("sentence of a mention outside", REJECTED, {"preco": pattern(r"\[\[\[0,", "[[[7,")}),
    kind("character empty", REJECTED, {"friends": pattern('"e1"', '""')}),
    kind("character a number", REJECTED, {"friends": pattern('"e1"', "1")}),
    kind("character missing", REJECTED, {"friends": pattern(r',\s*"e1"\s*\]', "]")}),
    kind(
        "list of a sentence missing",
        REJECTED,
        {"friends": pattern(r'"character_entities": \[\s*(?=\[)', '"character_entities": [[], ')},
    ),
    kind("scenes nearly named", REJECTED, {"friends": pattern('"scenes"', '"scense"')}),
    kind("chain missing", REJECTED, {"ucdcr": pattern('"coref_chain": "C0", ', "")}),
    kind("chain a number", REJECTED, {"ucdcr": pattern('"coref_chain": "C0"', '"coref_chain": 0')}),
    kind(
        "words of a context changed",
        REJECTED,
        {"ucdcr": pattern(r'"mention_context": \["Ann"', '"mention_context": ["Eve"')},
    ),
    kind(
        "place of a context wrong",
        REJECTED,
        {"ucdcr": pattern(r"_global_id\": \[0, 13\]", '_global_id": [0, 14]')},
    ),
    kind(
        "place of a context moved",
        NOTICED,
        {"ucdcr": pattern(r"_global_id\": \[0, 13\]", '_global_id": [14, 27]')},
    ),
    kind(
        "positions of a mention reversed",
        UNCHANGED,
        {"ucdcr": pattern(r"_context\": \[0, 1, 2\]", '_context": [2, 1, 0]')},
    ),
    kind(
        "position of a mention twice",
        REJECTED,
        {"ucdcr": pattern(r"_context\": \[0, 1, 2\]", '_context": [0, 1, 1]')},
    ),
)

JSON_KINDS = (*_SYNTAX_KINDS, *_FIELD_KINDS, *_SPAN_KINDS, *_LINK_KINDS, *_OWN_KINDS)
