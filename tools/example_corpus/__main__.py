"""Write the files of the example corpus: `python -m tools.example_corpus [FOLDER]`."""

from __future__ import annotations

import sys
from collections import Counter
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import anascore
from anascore.example import ENDINGS, FOLDER, NAMES, README
from anascore.formats.files import write_file
from anascore.formats.registry import FORMATS
from anascore.formats.writing import to_text
from tools.example_corpus.notation import add_errors, make_document, read_text
from tools.example_corpus.systems import link_by_last_word

TEXTS = sorted((Path(__file__).parent / "texts").glob("*.txt"))


def build() -> dict[str, anascore.Corpus]:
    """Return the key and the systems by name."""
    corpora: dict[str, dict[str, anascore.Document]] = {name: {} for name in NAMES}
    for path in TEXTS:
        key, errors = read_text(path.stem, path.read_text(encoding="utf-8"))
        for name, documents in corpora.items():
            text = deepcopy(key)
            if name in errors:
                add_errors(text, errors[name])
            elif name == "baseline":
                link_by_last_word(text)
            documents[text.name] = make_document(text)
    return {name: anascore.Corpus(documents) for name, documents in corpora.items()}


def files() -> dict[str, str]:
    """Return the contents of all files by name."""
    corpora = build()
    contents = {}
    losses = {}
    for name, corpus in corpora.items():
        for format_name, ending in ENDINGS.items():
            named = _number_entities(corpus) if format_name == "conll2012" else corpus
            contents[f"{name}{ending}"], lost = to_text(named, format_name)
            if name == "key":
                losses[format_name] = lost
    contents[README.name] = _readme(corpora["key"], losses)
    return contents


def _number_entities(corpus: anascore.Corpus) -> anascore.Corpus:
    """Name entities by numbers, since other scorers read no other ids in CoNLL-2012."""
    documents = {
        name: replace(
            document,
            entities=[
                replace(entity, name=str(number))
                for number, entity in enumerate(document.entities, 1)
            ],
        )
        for name, document in corpus.documents.items()
    }
    return replace(corpus, documents=documents)


INTRODUCTION = """\
# The example corpus of anascore

The corpus has {documents} short texts in English, Spanish and Czech, written for anascore, with
{mentions} mentions of {entities} entities. {sets} entities have split antecedents, like *They* in
"Ann met Ben. They ...".

| name | annotation |
| --- | --- |
| `key` | the gold standard |
| `neural` | finds most mentions and most split antecedents, some of them incomplete |
| `rules` | splits entities, misses zeros and most split antecedents |
| `baseline` | links mentions with the same last word, which merges entities; has no singletons |

Score the three systems:

    anascore score key.conllua neural.conllua rules.conllua baseline.conllua

Not all formats can hold all annotation of the key:

| file | missing annotation |
| --- | --- |
"""

_HARMLESS = ("values in column", "comments", "attributes of mentions")
"""Losses that no score depends on."""


def _readme(key: anascore.Corpus, losses: dict[str, Counter[str]]) -> str:
    """Return the page that goes with the files."""
    sizes = key.sizes | {"documents": len(key.documents)}
    sizes["sets"] = sizes["split antecedents"]
    rows = []
    for name, lost in losses.items():
        kept = {kind: n for kind, n in lost.items() if not kind.startswith(_HARMLESS)}
        cells = ", ".join(f"{kind} ({number})" for kind, number in kept.items())
        rows.append(f"| `key{ENDINGS[name]}` ({FORMATS[name].label}) | {cells or 'nothing'} |\n")
    return INTRODUCTION.format_map(sizes) + "".join(rows)


def main(arguments: list[str]) -> int:
    """Write the files."""
    folder = Path(arguments[0]) if arguments else FOLDER
    for name, content in files().items():
        write_file(str(folder / name), content)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
