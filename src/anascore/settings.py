"""Settings: every option that can change a score, with its help text; the signature."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import Field, dataclass, field, fields
from typing import (
    Any,
    Literal,
    NamedTuple,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from anascore.arguments import is_string, list_of
from anascore.errors import MAX_NUMBER, SettingsError, check_whole_number, did_you_mean, shown
from anascore.version import __version__

Match: TypeAlias = Literal["exact", "partial", "head", "craft"]
Heads: TypeAlias = Literal["file", "key"]
Convention: TypeAlias = Literal["paper", "ua"]
RepeatedMentions: TypeAlias = Literal["first", "all"]
Zeros: TypeAlias = Literal["keep", "drop"]
ZeroMatch: TypeAlias = Literal["linear", "dependent"]
MissingDocuments: TypeAlias = Literal["error", "empty"]
BadDocuments: TypeAlias = Literal["error", "skip"]
Words: TypeAlias = Literal["check", "ignore", "align"]
DocumentChoice: TypeAlias = Literal["all", "split"]
LayerName: TypeAlias = Literal["identity", "discourse-deixis", "bridging", "non-referring", "zeros"]
LAYER_NAMES: tuple[LayerName, ...] = get_args(LayerName)
ALL_LAYERS = tuple(name for name in LAYER_NAMES if name != "zeros")
"""Layers that `all` stands for: everything that concerns mentions. Zeros are a part of the text."""

ENTITY_LAYERS: tuple[LayerName, ...] = ("identity", "discourse-deixis")
"""Layers whose mentions form entities."""

BREAKDOWNS = ("length", "mention-type", "entity-type", "distance", "range", "document-length")
"""Breakdowns of scores by mention class; in addition, NAME=PATTERN breaks down by document name."""

T = TypeVar("T")


def _setting(default: T, text: str, *, metavar: str | None = None, repeatable: bool = False) -> T:
    """Declare a field with its help text, from which the command line makes an option.

    The help text of a True or False setting describes the value that is not the default.
    """
    metadata = {"help": text, "metavar": metavar, "repeatable": repeatable}
    specified: T = field(default=default, metadata=metadata)
    return specified


class DocumentNumbers(NamedTuple):
    """Document counts that a signature reports."""

    scored: int = 0
    skipped: int = 0
    repaired: int = 0


NO_DOCUMENTS = DocumentNumbers()


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings for reading, matching and comparing key and response."""

    task: str = _setting("", "use the settings of this shared task; anascore tasks lists them")
    layers: tuple[LayerName, ...] = _setting(
        ("identity",),
        f"annotation layers to score, comma-separated: {', '.join(LAYER_NAMES)}; or all (every "
        f"layer but zeros)",
        metavar="NAMES",
    )
    match: Match = _setting(
        "exact",
        "matching rule for mentions that are not identical: no match (exact); match if the "
        "response mention lies within the key mention and contains its minimum span (partial); "
        "match if the heads are equal (head); or the greedy rule of CRAFT 2019 (craft)",
    )
    heads: Heads = _setting(
        "file",
        "take the heads of response mentions from the response file (file) or from the dependency "
        "tree of the key (key); --match head uses the key if the response format cannot hold heads",
    )
    singletons: bool = _setting(
        default=True,
        text="exclude singletons (entities with one mention); split antecedents must be excluded "
        "too",
    )
    split: bool = _setting(
        default=True, text="exclude split antecedents; entities then consist of their mentions only"
    )
    convention: Convention = _setting(
        "paper",
        "credit for aligned accommodated sets: as in the paper (paper), or as in the published "
        "Universal Anaphora scorer (ua: F1 in both directions for CEAF and BLANC), for comparison "
        "with the CODI-CRAC shared tasks",
    )
    repeated_mentions: RepeatedMentions = _setting(
        "first",
        "count a mention of several entities in the first entity only (first), or in all of them "
        "(all) like the published Universal Anaphora scorer; with all, scores depend on the order "
        "of the file",
    )
    zeros: Zeros = _setting("keep", "keep zeros as mentions, or drop them")
    zero_match: ZeroMatch = _setting(
        "linear",
        "match zeros by position (linear), or first by their enhanced dependencies (dependent)",
    )
    np_only: bool = _setting(
        default=False, text="exclude mentions that are verb phrases in the CoNLL-2012 parse"
    )
    remove_nested: bool = _setting(
        default=False, text="exclude mentions nested in another mention of the same entity"
    )
    anaphors: str = _setting(
        "",
        "also score one class of anaphors: zero, pronoun, or NAME=VALUE with a column, a feature "
        "or an attribute of mentions, like UPOS=PRON",
        metavar="CLASS",
    )
    lea_importance: int = _setting(
        1,
        "weight of entities with an accommodated set in LEA; other entities have weight 1",
        metavar="N",
    )
    missing: MissingDocuments = _setting(
        "error", "treat documents missing from the response as an error, or score them as empty"
    )
    bad_documents: BadDocuments = _setting(
        "error",
        "treat documents that cannot be read as an error, or skip them: a skipped document of the "
        "key is excluded on both sides, and one of a response counts as empty",
    )
    repair: bool = _setting(
        default=False,
        text="repair broken responses in llm-text or llm-json as far as possible, and list every "
        "repair; other formats are never repaired",
    )
    words: Words = _setting(
        "check",
        "check that key and response have the same words (check), ignore the words and compare "
        "positions (ignore), or align words that differ and move response mentions to the words "
        "of the key (align)",
    )
    docs: DocumentChoice = _setting(
        "all",
        "score all documents, or only those with split antecedents in the key (split)",
    )
    across: str = _setting(
        "",
        "score coreference across documents: join all documents (all), or those whose names share "
        "the first group of a regular expression, like ^([0-9]+)_; entities with the same id are "
        "merged",
        metavar="PATTERN",
    )
    window: int = _setting(
        0,
        "split documents and their entities into windows of N words, and add up the counts of the "
        "windows; 0 means no windows",
        metavar="N",
    )
    by: tuple[str, ...] = _setting(
        (),
        "also report scores by class of mentions (repeatable): length of the entity, mention-type, "
        "entity-type, distance to the antecedent, range of the entity in words, document-length, "
        "all of these, or NAME=PATTERN with a regular expression for document names, like "
        "genre=^([a-z]+)_",
        metavar="BREAKDOWN",
        repeatable=True,
    )

    def __repr__(self) -> str:
        """Return the call that makes these settings, without the defaults."""
        changed = (f"{name}={value!r}" for name, value in self.changed().items())
        return f"Settings({', '.join(changed)})"

    def changed(self) -> dict[str, Any]:
        """Return the settings that differ from their defaults, by name."""
        return {
            setting.name: value
            for setting in fields(self)
            if (value := getattr(self, setting.name)) != setting.default
        }

    def __post_init__(self) -> None:
        """Raise SettingsError for invalid values and for settings that contradict each other."""
        if not is_string(self.task):
            message = f"task must be the name of a shared task, not {shown(self.task)}"
            raise SettingsError(message)
        if self.task:
            from anascore.tasks import check_task  # noqa: PLC0415  tasks are made of settings

            check_task(self.task)
        for name, choices in CHOICES.items():
            value = getattr(self, name)
            if type(value) is not type(choices[0]) or value not in choices:
                *others, last = map(str, choices)
                hint = did_you_mean(value, map(str, choices))
                message = f"{name} must be {', '.join(others)} or {last}, not {shown(value)}{hint}"
                raise SettingsError(message)
        name = "--lea-importance (in Python lea_importance)"
        check_whole_number(name, self.lea_importance, 1, MAX_NUMBER)
        check_whole_number("--window (in Python window)", self.window, 0, MAX_NUMBER)
        _check_layers(self.layers)
        if not (is_string(self.anaphors) and ANAPHORS.fullmatch(self.anaphors)):
            message = (
                f"--anaphors must be zero, pronoun, or NAME=VALUE with the name of a column, a "
                f"feature or an attribute of mentions, like UPOS=PRON, not {shown(self.anaphors)}"
            )
            raise SettingsError(message)
        _check_across(self.across)
        _check_breakdowns(self.by)
        for message in self._contradictions():
            raise SettingsError(message)

    def _layers_in_order(self) -> str:
        """Join the layer names in a fixed order, because their order does not change a number."""
        return "+".join(layer for layer in LAYER_NAMES if layer in self.layers)

    def _contradictions(self) -> Iterator[str]:
        """Yield a message for each conflict between settings."""
        if self.split and not self.singletons:
            yield (
                "singletons cannot be excluded while split antecedents are scored, because the "
                "elements of accommodated sets are often singletons; exclude both "
                "(--no-singletons --no-split, in Python singletons=False, split=False) or neither"
            )
        if self.zeros == "drop" and self.zero_match == "dependent":
            yield (
                "zeros cannot be matched by their dependencies when they are dropped; remove "
                '--zeros drop or --zero-match dependent (in Python zeros="drop" or '
                'zero_match="dependent")'
            )
        if self.zeros == "drop" and self.anaphors == "zero":
            yield (
                "zeros cannot be scored as anaphors when they are dropped; remove "
                '--zeros drop or --anaphors zero (in Python zeros="drop" or anaphors="zero")'
            )
        if self.zeros == "drop" and "zeros" in self.layers:
            yield (
                "zeros cannot be scored as a layer when they are dropped; remove --zeros drop "
                '(in Python zeros="drop"), or zeros from --layers'
            )
        if {*self.layers} & {*ENTITY_LAYERS}:
            return
        needs_entities = {"--anaphors": self.anaphors, "--by": self.by, "--window": self.window}
        for option, value in needs_entities.items():
            if value:
                yield (
                    f"{option} needs a layer with entities; add {' or '.join(ENTITY_LAYERS)} to "
                    f"--layers, or remove {option}"
                )

    def signature(
        self,
        key: tuple[str, ...],
        response: tuple[str, ...],
        documents: DocumentNumbers = NO_DOCUMENTS,
        version: str = __version__,
        plug_ins: Iterable[str] = (),
    ) -> str:
        """Return the version and every setting that can change a number, in one line.

        Rarely used settings appear only if they differ from their defaults, the numbers of skipped
        and repaired documents only if there are any, and the number of scored documents only if the
        settings select them. `plug_ins` are those used, each with its version.
        """
        formats = dict.fromkeys("+".join(side) for side in (key, response))
        repeated = self.repeated_mentions
        parts = {
            "anascore": version,
            "task": self.task,
            "format": "/".join(formats),
            "layers": "" if self.layers == ("identity",) else self._layers_in_order(),
            "match": self.match,
            "heads": self.heads if self.heads != "file" else "",
            "singletons": "yes" if self.singletons else "no",
            "split": self.convention if self.split else "no",
            "repeated-mentions": repeated if repeated != "first" else "",
            "zeros": ZEROS[self.zeros, self.zero_match],
            "np-only": "yes" if self.np_only else "",
            "remove-nested": "yes" if self.remove_nested else "",
            "anaphors": self.anaphors,
            "lea": self.lea_importance,
            "missing": self.missing if self.missing != "error" else "",
            "words": self.words if self.words != "check" else "",
            "across": self.across.replace("|", "¦"),
            "window": self.window,
            "docs": f"{self.docs}-{documents.scored}" if self.docs != "all" else "",
            "skipped": documents.skipped,
            "repaired": documents.repaired,
            "plugin": ",".join(plug_ins),
        }
        return "|".join(f"{name}:{value}" for name, value in parts.items() if value)


FORMER_NAMES = {"doubled": "repeated_mentions"}
"""Settings by their former names: options still have these, too, and errors name the new ones."""

ANAPHORS = re.compile(r"(?:zero|pronoun|[^=|\s]+=[^|\s]+)?")
"""Pattern of a class of anaphors, or none. It excludes |, which separates parts of a signature."""

ZEROS = {
    ("keep", "linear"): "yes",
    ("keep", "dependent"): "dependent",
    ("drop", "linear"): "no",
}
"""How the signature writes zeros, by the settings zeros and zero_match."""

CHOICES: dict[str, tuple[Any, ...]] = {
    name: (True, False) if hint is bool else get_args(hint)
    for name, hint in get_type_hints(Settings).items()
    if hint is bool or get_origin(hint) is Literal
}
"""Valid values of each setting with a fixed set of them."""


def setting_text(setting: Field[Any]) -> str:
    """Document a setting; for a switch, describe the value that is not the default."""
    text: str = setting.metadata["help"]
    default = setting.default
    return f"if {not default}, {text}" if isinstance(default, bool) else text


def _attributes() -> Iterator[str]:
    """Document each setting on a line."""
    for setting in fields(Settings):
        yield f"    {setting.name} (default: {setting.default!r}): {setting_text(setting)}"


Settings.__doc__ = "\n".join([f"{Settings.__doc__}\n", "Attributes:", *_attributes()])


def _check_layers(layers: Any) -> None:
    """Raise SettingsError unless layers are one or more valid names, each given once."""
    valid = f"{', '.join(LAYER_NAMES)}, and all"
    if not isinstance(layers, tuple):
        message = f"layers must be a tuple of names, like ('identity',), not {shown(layers)}"
        raise SettingsError(message)
    if not layers:
        message = f"no layer is given; choose from {valid}"
        raise SettingsError(message)
    for layer in layers:
        if not (is_string(layer) and layer in LAYER_NAMES):
            hint = did_you_mean(layer, (*LAYER_NAMES, "all"))
            message = f"no such layer: {shown(layer)}{hint}; choose from {valid}"
            raise SettingsError(message)
    for layer in _duplicates(layers):
        message = f"--layers has {layer} twice"
        raise SettingsError(message)


def _check_across(across: Any) -> None:
    """Raise SettingsError unless it is empty, all, or a regular expression."""
    if not is_string(across):
        message = f"across must be all or a regular expression, not {shown(across)}"
        raise SettingsError(message)
    _check_pattern(across, f"--across {across}")


def _check_breakdowns(breakdowns: Any) -> None:
    """Raise SettingsError unless all breakdowns are valid and each is given once."""
    if not isinstance(breakdowns, tuple) or not all(map(is_string, breakdowns)):
        message = f"by must be a tuple of names, like ('{BREAKDOWNS[0]}',), not {shown(breakdowns)}"
        raise SettingsError(message)
    for breakdown in breakdowns:
        name, _, pattern = breakdown.partition("=")
        if not pattern and breakdown not in BREAKDOWNS:
            message = (
                f"scores cannot be broken down by "
                f"{shown(breakdown)}{did_you_mean(breakdown, (*BREAKDOWNS, 'all'))}; choose from "
                f"{', '.join(BREAKDOWNS)}, all, and NAME=PATTERN with a regular expression for "
                f"document names, like genre=^([a-z]+)_"
            )
            raise SettingsError(message)
        if pattern and (not name or name in BREAKDOWNS):
            message = f"--by {breakdown} needs a name of its own before =, like genre={pattern}"
            raise SettingsError(message)
        _check_pattern(pattern, f"--by {breakdown}: {shown(pattern)}")
    for name in _duplicates(breakdown.partition("=")[0] for breakdown in breakdowns):
        message = f"--by {name} is given twice"
        raise SettingsError(message)


def _check_pattern(pattern: str, description: str) -> None:
    """Raise SettingsError unless a string is a regular expression."""
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        message = f"{description} is not a valid regular expression: {error}"
        raise SettingsError(message) from None


def _duplicates(names: Iterable[str]) -> list[str]:
    return [name for name, number in Counter(names).items() if number > 1]


def settings_from(choices: dict[str, Any]) -> Settings:
    """Make Settings from these values; raise SettingsError if a name is invalid.

    Layers and breakdowns can also be strings or lists.
    """
    valid = [setting.name for setting in fields(Settings)]
    unknown = [name for name in choices if name not in valid]
    if unknown:
        names = ", ".join(
            f"{name}{did_you_mean(FORMER_NAMES.get(name, name), valid)}" for name in unknown
        )
        message = f"no such setting: {names}; choose from {', '.join(valid)}"
        raise SettingsError(message)
    if "layers" in choices:
        choices = {**choices, "layers": layers_from(choices["layers"])}
    if "by" in choices:
        choices = {**choices, "by": breakdowns_from(choices["by"])}
    return Settings(**choices)


def breakdowns_from(value: Any) -> Any:
    """Convert breakdowns, a list or one name, to a tuple; 'all' expands to every breakdown."""
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list | tuple):
        return value
    expanded = (
        BREAKDOWNS if isinstance(name, str) and name == "all" else (name,)
        for name in list_of("by", listed, "a list of names")
    )
    return tuple(name for names in expanded for name in names)


def layers_from(value: Any) -> Any:
    """Convert layer names, a list or a comma-separated string, to a tuple; 'all' expands."""
    if is_all_layers(value):
        return ALL_LAYERS
    if isinstance(value, str):
        return tuple(name.strip() for name in value.split(","))
    is_list = isinstance(value, list)
    return tuple(list_of("layers", value, "a list of names")) if is_list else value


def is_all_layers(layers: Any) -> bool:
    """Test whether layers are given as 'all' instead of by name."""
    return isinstance(layers, str) and layers.strip() == "all"
