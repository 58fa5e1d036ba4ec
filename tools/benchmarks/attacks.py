"""Growth of time and memory on inputs made to be slow.

    python -m tools.benchmarks.attacks [NAME...]

Each attack is an entry in `ATTACKS`: a generator of files, and the command that reads them. It is
run in several sizes, each in a process of its own. Printed are the size of the files, the processor
time, the peak memory of the process and, from the second size on, the exponents of time and memory
in the size of the files: 1 is linear, 2 quadratic. Start-up, measured on a tiny input, is
subtracted.
"""

from __future__ import annotations

import json
import math
import os
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, TypeAlias

from tools.benchmarks.measured import ANASCORE, MIB, Command, Failed, Measured, run

LIMIT = 120.0
"""Seconds after which a run is ended."""

SEED = 18

Sets: TypeAlias = Mapping[str, Sequence[str]]
"""Names of the elements of each accommodated set, by the name of its entity."""


class Attack(NamedTuple):
    """An input of any size, and the command that it attacks."""

    title: str
    write: Callable[[Path, int], list[Path]]
    """Writes the files of a size into a folder, and returns their paths."""

    command: Command
    sizes: tuple[int, ...]
    status: int = 0
    """The exit status of the command."""

    def run(self, folder: Path, size: int) -> tuple[int, Measured]:
        """Write the files of a size and run the command; return the bytes written, too."""
        # A process starts with the memory of its parent, which must stay small.
        with ProcessPoolExecutor(1) as writer:
            paths = writer.submit(self.write, folder, size).result()
        measured = run((*ANASCORE, *self.command, *map(str, paths)), LIMIT, self.status)
        return sum(path.stat().st_size for path in paths), measured


def write_corefud(path: Path, entities: Sequence[str | None], sets: Sets | None = None) -> Path:
    """Write a document in which each word is a mention of an entity, or of none, as CorefUD."""
    waiting = dict(sets or {})
    with path.open("w", encoding="utf-8") as file:
        file.write("# global.Entity = eid\n# newdoc id = attack\n")
        for number, entity in enumerate(entities, start=1):
            misc = "_"
            if entity is not None:
                links = ",".join(f"{element}<{entity}" for element in waiting.pop(entity, ()))
                misc = f"Entity=({entity})" + (f"|SplitAnte={links}" if links else "")
            file.write(f"{number}\tw\t_\t_\t_\t_\t_\t_\t_\t{misc}\n")
        file.write("\n")
    return path


def _in_one_pair(
    folder: Path,
    key: tuple[Sequence[str | None], Sets],
    response: tuple[Sequence[str | None], Sets],
) -> list[Path]:
    return [
        write_corefud(folder / "key.conllu", *key),
        write_corefud(folder / "response.conllu", *response),
    ]


def share_one_element(folder: Path, size: int) -> list[Path]:
    """Write sets {a, b1}, {a, b2}, ...; the response has the same."""
    side = _sets_with(size, "b")
    return _in_one_pair(folder, side, side)


def share_one_element_only(folder: Path, size: int) -> list[Path]:
    """Write the same; the response has {a, c1}, {a, c2}, ..., so that all pairs of sets tie."""
    return _in_one_pair(folder, _sets_with(size, "b"), _sets_with(size, "c"))


def _sets_with(size: int, own: str) -> tuple[list[str | None], Sets]:
    names: list[str | None] = ["a"]
    for number in range(size):
        names += [f"b{number}" if own == "b" else None, f"c{number}" if own == "c" else None]
        names.append(f"s{number}")
    return names, {f"s{number}": ["a", f"{own}{number}"] for number in range(size)}


def chain_of_sets(folder: Path, size: int) -> list[Path]:
    """Write the sets s1 = {a, b1}, s2 = {s1, b2}, ...; the response lacks the last element."""
    names = ["a", *(name for n in range(1, size + 1) for name in (f"b{n}", f"s{n}"))]
    sets = {f"s{n}": [f"s{n - 1}" if n > 1 else "a", f"b{n}"] for n in range(1, size + 1)}
    return _in_one_pair(folder, (names, sets), (names, {**sets, f"s{size}": [f"s{size - 1}"]}))


def cycles(folder: Path, size: int) -> list[Path]:
    """Write entities that are all elements of one another."""
    names = [f"e{number}" for number in range(size)]
    sets = {name: [element for element in names if element != name] for name in names}
    return [write_corefud(folder / "cycles.conllu", names, sets)]


def entities_at_random(folder: Path, size: int) -> list[Path]:
    """Write mentions whose entities are drawn at random, on both sides, five to each."""
    rng = random.Random(SEED)  # noqa: S311  nothing to keep secret
    sides = ([f"e{rng.randrange(size // 5)}" for _ in range(size)] for _ in range(2))
    key, response = sides
    return _in_one_pair(folder, (key, {}), (response, {}))


def one_response_entity(folder: Path, size: int) -> list[Path]:
    """Write entities of three mentions; the first of each is in one large response entity."""
    key = [f"e{number // 3}" for number in range(3 * size)]
    response = [f"e{number // 3}" if number % 3 else "all" for number in range(3 * size)]
    return _in_one_pair(folder, (key, {}), (response, {}))


def write_spans(path: Path, spans: Sequence[tuple[int, int]], head: int | None = None) -> Path:
    """Write entities of one mention each, as CorefUD; the word `head` is the head of all."""
    words = max(end for _, end in spans)
    brackets: list[list[tuple[int, str]]] = [[] for _ in range(words)]
    for number, (start, end) in enumerate(spans):
        rank = 1 if head is None else head - start + 1
        closed = end == start + 1
        brackets[start].append((start - end, f"(e{number}--{rank}{')' * closed}"))
        if not closed:
            brackets[end - 1].append((-words - start, f"e{number})"))
    with path.open("w", encoding="utf-8") as file:
        file.write("# global.Entity = eid-etype-head\n# newdoc id = attack\n")
        for number, at_word in enumerate(brackets, start=1):
            cell = "".join(text for _, text in sorted(at_word))
            file.write(f"{number}\tw\t_\t_\t_\t_\t_\t_\t_\t{f'Entity={cell}' if cell else '_'}\n")
        file.write("\n")
    return path


def nested_mentions(folder: Path, size: int) -> list[Path]:
    """Write nested mentions of one head; those of the response are shorter by one word."""
    words = 2 * size + 2
    spans = ([(i, words - i - cut) for i in range(size)] for cut in (0, 1))
    key, response = spans
    return [
        write_spans(folder / "key.conllu", [*key, (0, words)], size),
        write_spans(folder / "response.conllu", [*response, (0, words)], size),
    ]


def crossing_mentions(folder: Path, size: int) -> list[Path]:
    """Write crossing mentions; those of the response are longer by one word."""
    end = (2 * size + 1, 2 * size + 2)
    return [
        write_spans(folder / name, [*((i, i + size + more) for i in range(size)), end])
        for more, name in enumerate(("key.conllu", "response.conllu"))
    ]


def crossing_with_one_head(folder: Path, size: int) -> list[Path]:
    """Write crossing mentions of one head; any way to match them all shares as many words."""
    whole = (0, 4 * size)
    return [
        write_spans(
            folder / name,
            [*((start + i, start + i + 2 * size) for i in range(size)), whole],
            2 * size - 1,
        )
        for start, name in ((0, "key.conllu"), (size, "response.conllu"))
    ]


def mentions_with_gaps(folder: Path, size: int) -> list[Path]:
    """Write discontinuous mentions of one entity."""
    path = folder / "gaps.conllu"
    cells = ["Entity=(e1[1/2])", "_", "Entity=(e1[2/2])"] * size
    rows = (f"{n}\tw\t_\t_\t_\t_\t_\t_\t_\t{cell}\n" for n, cell in enumerate(cells, start=1))
    text = f"# global.Entity = eid\n# newdoc id = attack\n{''.join(rows)}\n"
    path.write_text(text, encoding="utf-8")
    return [path, path]


def empty_documents(folder: Path, size: int) -> list[Path]:
    """Write comments that each begin a document, with one word behind them."""
    path = folder / "comments.conllu"
    comments = "".join(f"# newdoc id = d{number}\n" for number in range(size))
    word = "1\tw\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1)\n\n"
    path.write_text(f"# global.Entity = eid\n{comments}{word}", encoding="utf-8")
    return [path, path]


def share_one_element_twice(folder: Path, size: int) -> list[Path]:
    """Write sets {a, b1}, {a, b2}, ...; the first mention of a is a mention of another entity."""
    names, sets = _sets_with(size, "b")
    paths = _in_one_pair(folder, (names, sets), (names, sets))
    for path in paths:
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("Entity=(a)\n", "Entity=(a)(also)\n", 1), encoding="utf-8")
    return paths


def friends_with_sets(folder: Path, size: int) -> list[Path]:
    """Write a scene of Friends; each of its later mentions names half of the characters."""
    rng = random.Random(SEED)  # noqa: S311  nothing to keep secret
    characters = [f"c{number}" for number in range(size)]
    labels = [[c] for c in characters] + [rng.sample(characters, size // 2) for _ in characters]
    utterance = {
        "utterance_id": "u1",
        "speakers": [],
        "tokens": [["w"] * len(labels)],
        "character_entities": [[[n, n + 1, *names] for n, names in enumerate(labels)]],
    }
    scene = {"scene_id": "s1", "utterances": [utterance]}
    path = folder / "friends.json"
    episode = {"episode_id": "e1", "scenes": [scene]}
    path.write_text(json.dumps({"season_id": "s", "episodes": [episode]}), encoding="utf-8")
    return [path, path]


def deep_json(folder: Path, size: int) -> list[Path]:
    """Write lists within lists."""
    path = folder / "deep.json"
    path.write_text("[" * size + "]" * size, encoding="utf-8")
    return [path]


def rewritten_text(folder: Path, size: int) -> list[Path]:
    """Write a text, and the same with words left out and replaced, as a language model does."""
    rng = random.Random(SEED)  # noqa: S311  nothing to keep secret
    key, response = folder / "key.txt", folder / "response.txt"
    words = [f"w{rng.randrange(5_000)}|[e{n % 1_000}]" for n in range(size)]
    changed = ("other" if rng.random() < 0.02 else word for word in words if rng.random() > 0.02)
    key.write_text(f"{' '.join(words)}\n", encoding="utf-8")
    response.write_text(f"{' '.join(changed)}\n", encoding="utf-8")
    return [key, response]


def words_that_differ(folder: Path, size: int) -> list[Path]:
    """Write a text, and the same with words cut in two, left out and replaced."""
    rng = random.Random(SEED)  # noqa: S311  nothing to keep secret
    words = [f"w{rng.randrange(5_000)}" for _ in range(size)]
    mentions = [[n, n] for n in range(size)]
    changed: list[str] = []
    moved: list[list[int]] = []
    for word in words:
        chance = rng.random()
        parts = [word[:1], word[1:]] if chance < 0.1 else ["other"] if chance < 0.12 else [word]
        if chance < 0.98:
            moved.append([len(changed), len(changed) + len(parts) - 1])
            changed += parts
    paths = [folder / "key.jsonl", folder / "response.jsonl"]
    for path, tokens, spans in zip(paths, (words, changed), (mentions, moved), strict=True):
        clusters = [spans[n::1_000] for n in range(min(size, 1_000))]
        document = {"doc_key": "attack", "tokens": tokens, "clusters": clusters}
        path.write_text(f"{json.dumps(document)}\n", encoding="utf-8")
    return paths


SCORE = ("score",)


def three_annotators(folder: Path, size: int, in_document: int = 0) -> list[Path]:
    """Write three annotations of so many mentions, in one document or in several of a size.

    Chains grow from what was mentioned shortly before or anywhere; annotators miss 5% of the
    mentions and put 10% elsewhere.
    """
    rng = random.Random(SEED)  # noqa: S311  nothing to keep secret
    length = in_document or size
    paths = [folder / f"{name}.jsonl" for name in "abc"]
    files = [path.open("w", encoding="utf-8") for path in paths]
    for start in range(0, size, length):
        chains: list[int] = []
        for n in range(length):
            before = (
                rng.randrange(n) if n and rng.random() < 0.3 else max(0, n - rng.randint(1, 20))
            )
            chains.append(chains[before] if n and rng.random() < 0.7 else n)
        for file in files:
            clusters: dict[int, list[list[int]]] = {}
            for word, chain in enumerate(chains):
                if rng.random() < 0.95:
                    chosen = chain if rng.random() < 0.9 else chains[rng.randrange(length)]
                    clusters.setdefault(chosen, []).append([word, word])
            words = [["w"] * length]
            line = {"doc_key": f"d{start}", "sentences": words, "clusters": [*clusters.values()]}
            file.write(f"{json.dumps(line)}\n")
    for file in files:
        file.close()
    return paths


def annotated_documents(folder: Path, size: int) -> list[Path]:
    """Write three annotations of documents of 1,000 mentions."""
    return three_annotators(folder, size, 1_000)


AGREEMENT = ("agreement", "--metrics", "conll")

ATTACKS: dict[str, Attack] = {
    "share": Attack("sets that share one element", share_one_element, SCORE, (100, 200, 400)),
    "ties": Attack("the same, all pairs tied", share_one_element_only, SCORE, (100, 200, 400)),
    "explain": Attack(
        "sets that share one, explain", share_one_element, ("explain",), (100, 200, 400)
    ),
    "repeated": Attack(
        "the same, --repeated-mentions all",
        share_one_element_twice,
        (*SCORE, "--repeated-mentions", "all"),
        (100, 200, 400),
    ),
    "friends": Attack("Friends, large sets", friends_with_sets, SCORE, (60, 125, 250)),
    "chain": Attack("chain of nested sets", chain_of_sets, SCORE, (50, 100, 200)),
    "cycles": Attack("cycles, validate", cycles, ("validate",), (200, 400, 800), status=1),
    "random-score": Attack(
        "entities at random", entities_at_random, SCORE, (20_000, 50_000, 100_000)
    ),
    "random": Attack(
        "entities at random, errors", entities_at_random, ("errors",), (20_000, 40_000, 80_000)
    ),
    "one": Attack(
        "one response entity, errors", one_response_entity, ("errors",), (8_000, 16_000, 32_000)
    ),
    "nested": Attack("nested mentions", nested_mentions, SCORE, (500, 1_000, 2_000)),
    "head": Attack(
        "nested mentions, --match head",
        nested_mentions,
        (*SCORE, "--match", "head"),
        (100, 200, 400),
    ),
    "partial": Attack(
        "nested mentions, --match partial",
        nested_mentions,
        (*SCORE, "--match", "partial"),
        (100, 200, 400),
    ),
    "crossing-head": Attack(
        "crossing, one head, --match head",
        crossing_with_one_head,
        (*SCORE, "--match", "head"),
        (100, 200, 400),
    ),
    "craft": Attack(
        "nested mentions, --match craft",
        nested_mentions,
        (*SCORE, "--match", "craft"),
        (500, 1_000, 2_000),
    ),
    "crossing": Attack("crossing mentions", crossing_mentions, SCORE, (500, 1_000, 2_000)),
    "report": Attack(
        "nested mentions, report",
        nested_mentions,
        ("report", "-o", os.devnull),
        (200, 400, 800),
    ),
    "report-crossing": Attack(
        "crossing, one head, report",
        crossing_with_one_head,
        ("report", "-o", os.devnull),
        (200, 400, 800),
    ),
    "gaps": Attack(
        "mentions with gaps, --remove-nested",
        mentions_with_gaps,
        (*SCORE, "--remove-nested"),
        (500, 1_000, 2_000),
    ),
    "agreement-documents": Attack(
        "agreement, documents of 1,000", annotated_documents, AGREEMENT, (10_000, 100_000)
    ),
    "agreement": Attack(
        "agreement, one document", three_annotators, AGREEMENT, (10_000, 30_000, 100_000)
    ),
    "json": Attack(
        "lists nested in JSON, validate",
        deep_json,
        ("validate",),
        (20_000, 40_000, 80_000),
        status=1,
    ),
    "rewritten": Attack("text written again", rewritten_text, SCORE, (50_000, 100_000, 200_000)),
    "words": Attack(
        "words that differ, --words align",
        words_that_differ,
        (*SCORE, "--words", "align"),
        (15_000, 30_000, 60_000),
    ),
    "comments": Attack("empty documents", empty_documents, SCORE, (4_000, 8_000, 16_000)),
}
"""The attacks by name; a new one is an entry here."""


def table_of_attacks(attacks: Mapping[str, Attack]) -> Iterator[str]:
    """Run attacks; yield the lines of a table."""
    heads = ("size", "files", "time", "memory", "exponents")
    yield f"{'attack':<32}" + "".join(f"{head:>11}" for head in heads)
    with TemporaryDirectory() as name:
        folder = Path(name)
        for attack in attacks.values():
            _, start = attack.run(folder, 10)
            before: tuple[int, Measured] | None = None
            for size in attack.sizes:
                try:
                    written, measured = attack.run(folder, size)
                except Failed:
                    yield f"{attack.title:<32}{size:>11,}   not finished in {LIMIT:.0f} s"
                    break
                grown = "" if before is None else _exponents(start, before, (written, measured))
                before = written, measured
                yield (
                    f"{attack.title:<32}{size:>11,}{written / 1000:>8,.0f} kB"
                    f"{measured.processor:>9.2f} s{measured.memory / MIB:>7.0f} MiB{grown:>11}"
                )


def _exponents(start: Measured, small: tuple[int, Measured], large: tuple[int, Measured]) -> str:
    """Return the exponents of time and memory from one size to the next."""
    factor = math.log(large[0] / small[0])
    pairs = (
        (one.processor for one in (start, small[1], large[1])),
        (one.memory for one in (start, small[1], large[1])),
    )
    grown = (math.log(max(b - s, 1e-3) / max(a - s, 1e-3)) / factor for s, a, b in pairs)
    return "{:.1f} {:.1f}".format(*grown)


if __name__ == "__main__":
    names = sys.argv[1:] or list(ATTACKS)
    unknown = [name for name in names if name not in ATTACKS]
    if unknown:
        sys.exit(
            f"tools.benchmarks.attacks: no attack {unknown[0]!r}; there are {', '.join(ATTACKS)}"
        )
    for line in table_of_attacks({name: ATTACKS[name] for name in names}):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
