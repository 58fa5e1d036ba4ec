"""Datasets of a suite: folders with one file or folder per dataset, variants, scoring."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike, fspath, path
from typing import Any, TypeAlias

from anascore.arguments import is_path, is_string, items_of, list_of
from anascore.blocks import CorpusOrFile, load
from anascore.comparison import Key, count
from anascore.errors import MismatchError, ReadError, SettingsError, shown
from anascore.formats.files import is_file
from anascore.formats.registry import corpus_files
from anascore.formats.sources import CorpusPath, CorpusSource, as_list
from anascore.metrics.scores import choose
from anascore.model.document import Corpus
from anascore.parallel import Jobs, for_each, number_of_jobs
from anascore.results.result import Result
from anascore.settings import CHOICES, Settings, layers_from
from anascore.tasks import FREE, TASKS, Request, build_request, setting_in_words

Datasets: TypeAlias = CorpusPath | Mapping[str, CorpusSource]
"""A folder with one file or folder per dataset, or corpora by dataset name."""

SystemFolders: TypeAlias = Mapping[str, Datasets] | Sequence[CorpusPath] | CorpusPath
"""Systems by name; or their folders, which name them."""

Variants: TypeAlias = Mapping[str, Settings | Mapping[str, Any]] | Sequence[str] | str | None
"""Settings by variant name, or variants in words as on the command line."""

_CRAC = TASKS["crac24"].settings.changed()
del _CRAC["task"]

CRAC_VARIANTS: dict[str, dict[str, Any]] = {
    "head": _CRAC,
    "partial": {**_CRAC, "match": "partial"},
    "exact": {**_CRAC, "match": "exact"},
    "head-singletons": {**_CRAC, "singletons": True},
}
"""Variants of the CRAC shared tasks on multilingual coreference; the first one ranks systems."""

EXAMPLE = "like strict:match=exact,singletons=no,split=no"
"""Hint at the notation of variants."""


def build_requests(
    variants: Variants, metrics: str | Iterable[str] | None, common: Mapping[str, Any]
) -> dict[str, Request]:
    """Build each variant's request from its own settings, and those that all variants share.

    Without variants, use those of CRAC, or the task if the common settings name one. Raise
    SettingsError if variants are malformed, or contradict the common settings.
    """
    chosen = None if metrics is None else choose(metrics)
    task: Any = common.get("task", "")
    if variants is None:
        variants = [*CRAC_VARIANTS]
        if not (is_string(task) and task == ""):
            build_request(task=task)
            variants = {task: {}}
    requests = {}
    for name, own in _by_name(variants).items():
        for setting, value in own.items():
            _check_setting(name, setting, value, common)
        choices = {**common, **own}
        scores: Sequence[str] | None = chosen
        if name in CRAC_VARIANTS:
            scores = chosen or TASKS["crac24"].metrics
            if "anaphors" not in scores and "anaphors" not in common:
                del choices["anaphors"]
        requests[name] = build_request(scores, **choices)
    return requests


def _by_name(variants: Variants) -> dict[str, dict[str, Any]]:
    """Collect each variant's settings; raise SettingsError if they are malformed."""
    expected = f"a dictionary or a list of strings, {EXAMPLE}"
    if isinstance(variants, Mapping):
        own = items_of("variants", variants, expected, "a variant")
        named = [(name, _choices(name, settings)) for name, settings in own.items()]
    else:
        listed = [variants] if is_string(variants) else list_of("variants", variants, expected)
        named = [variant for text in listed for variant in _parse(text)]
    if not named:
        message = (
            f"no variant is given; choose from {', '.join(CRAC_VARIANTS)}, or write your own, "
            f"{EXAMPLE}"
        )
        raise SettingsError(message)
    by_name: dict[str, dict[str, Any]] = {}
    for name, settings in named:
        if name in by_name:
            message = f"two variants are named {name!r}; give each a different name"
            raise SettingsError(message)
        by_name[name] = settings
    return by_name


def _choices(name: str, settings: object) -> dict[str, Any]:
    """Look up the settings of a variant that is given by its name."""
    if not name:
        message = "the name of a variant must not be empty"
        raise SettingsError(message)
    if name in CRAC_VARIANTS:
        message = f"{name} is a CRAC variant; choose another name for your own settings"
        raise SettingsError(message)
    if isinstance(settings, Settings):
        return settings.changed()
    expected = "a dictionary"
    if not isinstance(settings, Mapping):
        message = f"the settings of the variant {name} must be {expected}, not {shown(settings)}"
        raise SettingsError(message)
    return items_of(f"the settings of the variant {name}", settings, expected, "a setting")


def _parse(text: object) -> list[tuple[str, dict[str, Any]]]:
    """Parse names of CRAC variants, comma-separated, or `name:key=value,key=value`."""
    if not (isinstance(text, str) and is_string(text)):
        message = f"a variant must be a string, {EXAMPLE}, not {shown(text)}"
        raise SettingsError(message)
    name, colon, settings = text.partition(":")
    if colon:
        choices: dict[str, str] = {}
        last = ""
        for part in settings.split(","):
            key, equals, value = part.partition("=")
            setting = key.strip().replace("-", "_")
            if not equals and last == "layers":
                choices[last] += f",{part}"
                continue
            if not (name.strip() and setting and equals) or setting in choices:
                message = f"--variants {text}: a variant is a name and its settings, {EXAMPLE}"
                raise SettingsError(message)
            choices[setting], last = value.strip(), setting
        typed = {setting: _typed(setting, value) for setting, value in choices.items()}
        return [(name.strip(), _choices(name.strip(), typed))]
    names = [part.strip() for part in text.split(",")]
    for unknown in (part for part in names if part not in CRAC_VARIANTS):
        message = (
            f"no such variant: {shown(unknown)}; choose from {', '.join(CRAC_VARIANTS)}, or write "
            f"your own, {EXAMPLE}"
        )
        raise SettingsError(message)
    return [(part, CRAC_VARIANTS[part]) for part in names]


def _typed(setting: str, value: str) -> Any:
    """Convert a setting given in words: yes, no, numbers, and names."""
    if CHOICES.get(setting) == (True, False):
        return {"yes": True, "true": True, "no": False, "false": False}.get(value.lower(), value)
    return int(value) if value.isdecimal() and len(value) < MAX_DIGITS else value


MAX_DIGITS = 20
"""A number with this many digits is too large for any setting."""


def _check_setting(variant: str, setting: str, value: object, common: Mapping[str, Any]) -> None:
    """Raise SettingsError if a variant's setting must be common, or contradicts a common one."""
    option = f"--{setting.replace('_', '-')}"
    if setting in FREE:
        message = (
            f"the variant {variant} sets {setting}, which is the same for all variants; use "
            f"{option} (in Python {setting}=...)"
        )
        raise SettingsError(message)
    if setting in common and not _are_same(layers_from(common[setting]), layers_from(value)):
        message = (
            f"{setting_in_words(setting, common[setting])} contradicts the variant {variant}, "
            f"which sets {setting_in_words(setting, value)}; remove one of them, or name variants"
        )
        raise SettingsError(message)


def _are_same(first: Any, second: Any) -> bool:
    """Compare two values of a setting; arrays and the like are never equal."""
    try:
        return bool(first == second)
    except Exception:  # noqa: BLE001  the objects are not ours
        return False


def list_datasets(source: Datasets, side: str) -> dict[str, CorpusSource]:
    """Collect a folder's or a dictionary's datasets by name; `side` names it in messages.

    A dataset is named after its file without endings, or after its folder.
    """
    expected = "a folder or a dictionary of datasets"
    if isinstance(source, Mapping):
        datasets = items_of(side, source, expected, "a dataset")
        if not datasets:
            message = f"{side}: there are no datasets"
            raise SettingsError(message)
        return datasets
    if not is_path(source):
        message = f"{side} must be {expected}, not {shown(source)}"
        raise SettingsError(message)
    folder = fspath(source)
    paths: dict[str, str] = {}
    for file in corpus_files(folder):
        if not file.in_folder:
            problem = "this is a file" if is_file(folder) else "no such folder"
            message = f"{problem}; {side} must be a folder with one file or folder per dataset"
            raise ReadError(folder, None, message)
        name, *below = file.stem.split("/")
        place = file.path
        for _ in below:
            place = path.dirname(place)  # noqa: PTH120  addresses are no paths
        if paths.setdefault(name, place) != place:
            message = f"there are two datasets named {name!r}; the other is {place}"
            raise ReadError(paths[name], None, message)
    return dict(paths)


def name_systems(systems: SystemFolders) -> dict[str, Datasets]:
    """Collect systems' folders by name; those in a list are named after their folders."""
    if isinstance(systems, Mapping):
        named = items_of("systems", systems, "a dictionary of systems", "a system")
        return by_unique_name(named.items())
    return by_unique_name(("", source) for source in as_list(systems))


def by_unique_name(systems: Iterable[tuple[str, Datasets]]) -> dict[str, Datasets]:
    """Name systems; one without a name is named after its folder.

    Raise SettingsError if two systems have the same name, or one has none.
    """
    by_name: dict[str, Datasets] = {}
    for name, source in systems:
        label = name
        if not name and isinstance(source, str | PathLike):
            label = path.basename(path.abspath(fspath(source)))  # noqa: PTH100, PTH119  as above
        if not (is_string(label) and label):
            message = f"the name of a system must be a string, not {shown(label)}"
            raise SettingsError(message)
        if label in by_name:
            message = (
                f"two systems are named {label!r}; give them different names, like a={source} b=..."
            )
            raise SettingsError(message)
        by_name[label] = source
    if not by_name:
        message = "no system is given; give one or more"
        raise SettingsError(message)
    return by_name


def check_datasets(
    keys: Mapping[str, object],
    systems: Mapping[str, Mapping[str, object]],
    settings: Settings,
) -> list[str]:
    """Raise MismatchError if a system has a dataset that no key has, or lacks one.

    If the settings allow systems to lack datasets, return notes that name these.
    """
    notes = []
    for system, datasets in systems.items():
        extra = [name for name in datasets if name not in keys]
        if extra:
            message = (
                f"system {system!r}: no key has the dataset {extra[0]!r}; the keys are "
                f"{', '.join(keys)}"
            )
            raise MismatchError(message)
        missing = [name for name in keys if name not in datasets]
        if missing and settings.missing == "error":
            message = (
                f"system {system!r} lacks the dataset {', '.join(map(repr, missing))}; "
                f'--missing empty (in Python missing="empty") scores missing datasets as empty'
            )
            raise MismatchError(message)
        if missing:
            notes.append(f"{system}: missing datasets, scored as empty: {', '.join(missing)}")
    return notes


@contextmanager
def _naming(variant: str) -> Iterator[None]:
    """Add the variant's name to errors about settings that the files do not allow."""
    try:
        yield
    except SettingsError as error:
        message = f"variant {variant}: {error}"
        raise SettingsError(message) from None


def score_datasets(
    keys: Mapping[str, CorpusOrFile],
    systems: Mapping[str, Mapping[str, CorpusOrFile]],
    requests: Mapping[str, Request],
    jobs: Jobs,
) -> dict[str, dict[str, dict[str, Result]]]:
    """Score all systems on all datasets in all variants; each file is read once.

    Returns the results by variant, system and dataset.
    """
    processes = number_of_jobs(jobs)

    def score_dataset(dataset: str) -> dict[str, dict[str, Result]]:
        corpus = load(keys[dataset])
        prepared = {}
        for variant, request in requests.items():
            with _naming(variant):
                prepared[variant] = Key.of(corpus, request)
        results: dict[str, dict[str, Result]] = {variant: {} for variant in requests}
        for system, datasets in systems.items():
            empty = Corpus({}, corpus.formats)
            response = load(datasets[dataset]) if dataset in datasets else empty
            for variant, key in prepared.items():
                with _naming(variant):
                    results[variant][system] = count(key.compare(system, response))
        return results

    scored = dict(zip(keys, for_each(score_dataset, list(keys), processes), strict=True))
    return {
        variant: {
            system: {dataset: scored[dataset][variant][system] for dataset in keys}
            for system in systems
        }
        for variant in requests
    }
