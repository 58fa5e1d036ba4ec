"""Inputs of the campaign: each is made from the seed and its number alone."""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from typing import NamedTuple

from anascore.formats.registry import FORMATS
from tools.fuzzing.damage import KINDS
from tools.fuzzing.mutation import cut, flipped_bit, mutate
from tools.fuzzing.random_corpora import random_sample
from tools.fuzzing.samples import Sample, good, varied

GZIP_MUTATIONS = (cut, flipped_bit)


class Input(NamedTuple):
    """Files, and the path of the one that is read."""

    files: dict[str, bytes]
    """Contents by names; a name can have folders."""

    path: str
    """Name of the file or folder to read."""

    source_format: str
    """Format of the good file that was mutated."""

    format_name: str | None
    """Format that is named when reading; None if it is detected."""

    def put(self, folder: Path) -> Path:
        """Write the files to a folder; return the path to read."""
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return folder / self.path


def make_input(seed: int, number: int) -> Input:
    """Make an input from a seed and its number."""
    rng = random.Random(f"{seed} {number}")  # noqa: S311  nothing to keep secret
    name = rng.choice(list(FORMATS))
    chance = rng.random()
    format_name = name if chance < 0.5 else None if chance < 0.9 else rng.choice(list(FORMATS))
    sample = _mutated(name, rng)
    files = _files(sample, "d")
    (path, *_) = files
    chance = rng.random()
    if chance < 0.08:
        path = f"{path}.gz"
        content = gzip.compress(sample.main, 1, mtime=0)
        if rng.random() < 0.3:
            content = rng.choice(GZIP_MUTATIONS)(content, rng)
        files = {path: content, **dict(list(files.items())[1:])}
    elif chance < 0.18:
        files = {f"folder/{file}": content for file, content in files.items()}
        path = "folder"
        others = [good(name), _mutated(name, rng), good(rng.choice(list(FORMATS)))]
        for position, other in enumerate(rng.sample(others, rng.choice([1, 2]))):
            inner = rng.choice(["folder/", "folder/inner/", "folder/.hidden/"])
            stem = rng.choice(["e", "é", "d", "x y"])
            more = _files(other, f"{stem}{position}")
            files |= {f"{inner}{file}": content for file, content in more.items()}
    return Input(files, path, name, format_name)


def _mutated(name: str, rng: random.Random) -> Sample:
    """Return a mutated file of a format, sometimes with labelled damage before."""
    sample = rng.choice(varied(name))
    chance = rng.random()
    if chance < 0.35 and (drawn := random_sample(name, rng)):
        sample = drawn
        if rng.random() < 0.7:
            return sample
    elif chance < 0.5:
        kinds = [kind for kind in KINDS.values() if name in kind.damages]
        sample = rng.choice(kinds).damages[name](good(name), rng.choice)
        if rng.random() < 0.3:
            return sample
    if sample.companion and rng.random() < 0.3:
        return sample._replace(companion=_mutate(sample.companion, name, rng))
    return sample._replace(main=_mutate(sample.main, name, rng))


def _mutate(content: bytes, name: str, rng: random.Random) -> bytes:
    others = [sample.main for sample in varied(name if rng.random() < 0.7 else rng.choice(_NAMES))]
    return mutate(content, others, rng)


_NAMES = list(FORMATS)


def _files(sample: Sample, stem: str) -> dict[str, bytes]:
    """Return the files of a sample by name, the one to read first."""
    files = {f"{stem}{sample.main_ending}": sample.main}
    if sample.companion is not None:
        files[f"{stem}{sample.ending}"] = sample.companion
    return files
