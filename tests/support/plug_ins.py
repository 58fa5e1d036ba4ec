"""A package with plug-ins, installed in a folder, and what is needed to forget plug-ins."""

from pathlib import Path

from anascore.formats.registry import FORMAT_PLUG_INS, REGISTERED
from anascore.metrics.scores import LABELS, METRIC_PLUG_INS, ON_REQUEST, SCORES, SPLIT_ONLY

MODULE = """
from anascore import Corpus, Overlap, Ratio, register_format, register_metric


def pairs(overlap: Overlap) -> Ratio:
    links = sum(n * (n - 1) // 2 for n in overlap.shared.values())
    return Ratio(links, sum(n * (n - 1) // 2 for n in overlap.own))


def register_pairs() -> None:
    register_metric("pairs", pairs, label="Pairs", version="1.2")


def read(text: str, name: str) -> Corpus:
    first, *rest = text.splitlines()
    mark, *words = first.split()
    if mark != "!numbers":
        raise ValueError("line 1 must begin with !numbers")
    clusters = [[(int(n), int(n)) for n in line.split()] for line in rest]
    return Corpus.from_clusters(clusters, words=words, name=name)


def write(corpus: Corpus) -> str:
    (document,) = corpus.documents.values()
    lines = [" ".join(["!numbers", *document.words])]
    for entity in document.entities:
        lines.append(" ".join(str(mention.words[0][0]) for mention in entity.mentions))
    return "\\n".join([*lines, ""])


def register_numbers() -> None:
    register_format(
        "numbers",
        read,
        label="Numbers",
        version="0.3+dev",
        write=write,
        detect=lambda text: text.startswith("!numbers"),
        endings=[".numbers"],
    )
"""

ENTRY_POINTS = """
[anascore.metrics]
pairs = anascore_pairs:register_pairs

[anascore.formats]
numbers = anascore_pairs:register_numbers
"""


def install(
    folder: Path,
    name: str = "anascore-pairs",
    module: str = MODULE,
    entry_points: str = ENTRY_POINTS,
) -> Path:
    """Install a package as pip does: its module, and the folder that describes it."""
    about = folder / f"{name.replace('-', '_')}-1.2.dist-info"
    about.mkdir(parents=True)
    (folder / f"{name.replace('-', '_')}.py").write_text(module, encoding="utf-8")
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n", "utf-8")
    (about / "entry_points.txt").write_text(entry_points, encoding="utf-8")
    return folder


def forget_plug_ins() -> None:
    """Remove all plug-ins, so that a test leaves none behind."""
    for name in METRIC_PLUG_INS.versions:
        del SCORES[name], LABELS[name]
        ON_REQUEST.discard(name)
        SPLIT_ONLY.discard(name)
    REGISTERED.clear()
    for plug_ins in METRIC_PLUG_INS, FORMAT_PLUG_INS:
        plug_ins.versions.clear()
        plug_ins._offered = None
