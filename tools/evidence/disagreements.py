"""Known disagreements with the published scorers, each with tiny files that show it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import anascore
from tools.evidence.peers import PEERS, Pair, is_at_hand, perl_output, printed_f1, run_peer

FILES = Path(__file__).parents[2] / "docs" / "examples" / "disagreements"

Printed: TypeAlias = dict[str, dict[str, dict[str, str]]]
"""F1 in per cent by pair of files, scorer and metric."""


class Disagreement(NamedTuple):
    """A difference between scorers, and its cause."""

    title: str
    pairs: tuple[tuple[str, str], ...]
    """Files of the key and the response, without the folder."""

    peers: tuple[str, ...]
    metrics: tuple[str, ...]
    settings: Mapping[str, Any]
    options: str
    """Options of the command that mean the same as the settings."""

    text: str
    peer_options: Mapping[str, Any] = {}
    split_only: bool = False
    moves_heads: bool = False
    """True if udapi computes the heads of the response for the published scorer."""


_UA: Mapping[str, Any] = {"split": True, "format": "ua"}

DISAGREEMENTS = {
    "order": Disagreement(
        "LEA and BLANC of the UA scorer depend on word numbers",
        (
            ("key.conllua", "response.conllua"),
            ("later-key.conllua", "later-response.conllua"),
        ),
        ("ua", "corefud"),
        ("lea", "blanc"),
        {"convention": "ua"},
        "--convention ua",
        "The two pairs have the same annotation; the second has three more words at the beginning. The UA scorer keeps mentions in the order of their "
        "hash values, which are computed from word numbers, and gives an accommodated set its credit only if it comes before the other mentions "
        "(BLANC), or multiplies the credits of later links by it (LEA, version 1.0). Version 2.0 corrects LEA. The UA scorer is wrong: a score must not "
        "depend on the position of a text. anascore gives the same score if the set comes first.",
        _UA,
    ),
    "ties": Disagreement(
        "Ties between accommodated sets",
        (("key.conllua", "response-x.conllua"), ("key.conllua", "response-y.conllua")),
        ("ua", "corefud"),
        ("muc", "b3", "ceafe"),
        {"convention": "ua"},
        "--convention ua",
        "The two responses are mirror images: each finds one of two sets of the key, with the same elements right. The set of the response could be "
        "aligned with either set of the "
        "key. The UA scorer takes the alignment that its solver returns, which is the better one for only one of the responses. The paper does not say what to "
        "do. anascore prefers entities that share mentions, then the order of the text ([ties](../understand/reading-the-paper.md#ties)), "
        "so that mirror images score the same. In GUM, this affects one document, and CEAF-E by 0.01 points.",
        _UA,
    ),
    "mention-ties": Disagreement(
        "Ties between mentions that match by heads or minimum spans",
        (("key.conllu", "response.conllu"),),
        ("corefud",),
        ("b3", "ceafe"),
        {"match": "head", "split": False},
        "--match head --no-split",
        "Three mentions of the key share the head *house* with two mentions of the response, and two assignments share the most words. The CorefUD scorer states "
        "that the mention that starts earlier wins, but takes the assignment that SciPy returns, which matches *old house next door* instead of *our old "
        "house next*. anascore follows the stated rule. The same happens with `--match partial`, where the minimum spans are the heads. With singletons, such ties "
        "change 1 of 229 documents that were compared.",
        {"split": False, "format": "corefud", "match": "head"},
    ),
    "heads": Disagreement(
        "Heads of mentions that cover several subtrees",
        (("key.conllu", "response.conllu"),),
        ("corefud",),
        ("muc", "b3"),
        {"match": "head", "heads": "key", "split": False},
        "--match head --heads key --no-split",
        "The key annotates *old practices*, and the response *old practices .*, as language models do. The CRAC tasks let udapi (`corefud.MoveHead`) compute the heads "
        "of such responses. The word and the full stop have different parents, and neither dominates the other, so by udapi's stated rule the first of them is the head. "
        "udapi 0.5.2 stops as soon as its search from the full stop reaches the root, and takes the full stop. anascore follows the rule "
        "([heads](../understand/matching.md#heads-by-the-tree-of-the-key)). In the output of language models, the two differ in 11 of 6,172 mentions.",
        {"split": False, "format": "corefud", "match": "head"},
        moves_heads=True,
    ),
    "sentences": Disagreement(
        "coval and mentions across sentences",
        (("key.conll", "response.conll"),),
        ("coval", "conll"),
        ("muc", "b3"),
        {"split": False},
        "--no-split",
        "A mention of the key starts in the first sentence, one of the response in the second; both end in the third. coval identifies a mention by "
        "the number of its last "
        "sentence and by word numbers within sentences, so it takes them for the same mention. coval is wrong. In GerDraCor, this affects 4 of 28,149 "
        "mentions, and scores by up to 0.06 points. With mentions placed as coval does, scores agree within 0.02 points "
        "(`tests/published/test_conformance.py`).",
    ),
    "no-links": Disagreement(
        "BLANC if only the response has coreference links",
        (("key.conll", "response.conll"),),
        ("conll", "scorch"),
        ("blanc",),
        {"split": False},
        "--no-split",
        "The key has three singletons; the response joins two of them. BLANC is the mean of two halves, for coreference and non-coreference links. "
        "The CoNLL reference "
        "scorer and scorch exclude a half without links in the key, as Recasens and Hovy (2011) do. The UA scorer, the CorefUD scorer and anascore "
        "exclude it only if neither side has such links, as Luo et al. (2014) do, since the response is wrong there. Both are published definitions. "
        "The same holds if the key has no non-coreference links. This affects documents of singletons, or of one entity.",
    ),
    "singletons": Disagreement(
        "Undefined scores are not 0",
        (("key.conll", "key.conll"),),
        ("coval", "conll", "scorch"),
        ("muc",),
        {"split": False},
        "--no-split",
        "The key consists of singletons and is scored against itself. MUC counts links, and there are none. The published scorers print 0 and let it "
        "lower the CoNLL score; anascore prints a dash, excludes MUC from the CoNLL score, and warns. This is a choice "
        "([undefined values](../understand/undefined.md)).",
    ),
    "doubled": Disagreement(
        "Mentions in several entities",
        (("key.conllua", "key.conllua"),),
        ("ua", "corefud"),
        ("muc", "b3", "lea"),
        {"convention": "ua"},
        "--convention ua",
        "One mention is in two entities, and the key is scored against itself. The UA scorer looks a mention up in one of its entities only, so that "
        "even the key does "
        "not score 100, and the order of the file matters. anascore counts the mention in its first entity, and says so. `--repeated-mentions all` gives the scores of the "
        "UA scorer ([metrics](../understand/metrics.md#mentions-in-several-entities)).",
        _UA,
    ),
    "nonreferring-elements": Disagreement(
        "Non-referring elements of accommodated sets",
        (("key.conllua", "response.conllua"),),
        ("ua", "corefud"),
        ("b3", "ceafe"),
        {},
        "",
        "The key marks *nobody* as non-referring, and as an element of *They*; the response does not. The UA scorer adds such a mention to the set, without "
        "counting it as an entity or as a mention anywhere else. In the paper, elements are entities, so by default anascore leaves the mention out of the set and "
        "warns you. With `--convention ua` and the `codicrac` tasks, anascore scores the element as the UA scorer does. Five released files contain such elements.",
        _UA,
    ),
    "sets-of-one-mention": Disagreement(
        "BLANC over accommodated sets alone, in a single document",
        (("key.conllua", "key.conllua"),),
        ("ua", "corefud"),
        ("blanc",),
        {"convention": "ua"},
        "--convention ua --split-only",
        "The elements of the only set have one mention each, so the set has no coreference links. The UA scorer counts this half of BLANC as 0 if other entities "
        "have such links, and a perfect response gets 50. anascore excludes the half, as always. The UA scorer is wrong: a response equal to the key "
        "must score 100. "
        "Over a whole corpus both halves have links, and scores are the same.",
        {**_UA, "only_split": True},
        split_only=True,
    ),
    "gaps": Disagreement(
        "UA scorer 1.0 and discontinuous mentions",
        (("key.conllua", "response.conllua"),),
        ("ua", "corefud"),
        ("muc", "b3"),
        {"convention": "ua"},
        "--convention ua",
        "A mention of the key has two parts, and the response has only the second. UA scorer 1.0 reads the last part of a discontinuous mention, and "
        "treats both as the same mention. Version 2.0 reads all parts. UA scorer 1.0 is wrong.",
        _UA,
    ),
    "extra-mentions": Disagreement(
        "scorch adds mentions of the response to the key",
        (("key.conll", "response.conll"),),
        ("scorch", "coval", "conll"),
        ("b3", "ceafe"),
        {"split": False},
        "--no-split",
        "The response has a mention that the key lacks. The command of scorch adds such mentions to the key as singletons before it scores; its "
        "functions, which the "
        "table of agreement uses, do not. This is a choice of scorch. It changes all metrics except MUC.",
    ),
    "rounding": Disagreement(
        "The CoNLL reference scorer truncates percentages",
        (("key.conll", "response.conll"),),
        ("conll", "coval"),
        ("muc",),
        {"split": False},
        "--no-split",
        "MUC F1 is 2/3 here. The CoNLL reference scorer truncates numbers after two digits instead of rounding them, so its scores are up to 0.01 "
        "points lower. Fractions in its output are exact, and "
        "the table of agreement compares these.",
    ),
}


def our_scores(name: str) -> Printed:
    """Return what anascore prints for the tiny files."""
    case = DISAGREEMENTS[name]
    printed: Printed = {}
    for key, response in case.pairs:
        paths = (FILES / name / file for file in (key, response))
        result = anascore.score(*paths, **case.settings)
        scores = result.split_only if case.split_only else result.scores
        printed[response] = {"anascore": {m: _per_cent(scores[m].f1) for m in case.metrics}}
    return printed


def peer_scores(name: str, peers: Path, folder: Path) -> Printed:
    """Return what the peers at hand print for the tiny files."""
    case = DISAGREEMENTS[name]
    printed: Printed = {}
    for key, response in case.pairs:
        pair = FILES / name / key, FILES / name / response
        for peer in case.peers:
            home = peers / PEERS[peer].folder
            if is_at_hand(peer, peers):
                scores = _printed_by(peer, home, pair, case, folder)
                printed.setdefault(response, {})[peer] = {m: scores[m] for m in case.metrics}
    return printed


def _printed_by(
    peer: str, home: Path, pair: Pair, case: Disagreement, folder: Path
) -> dict[str, str]:
    if peer == "conll":
        return printed_f1(perl_output(home, pair))
    if peer == "scorch":
        pair = _in_json_lines(pair[0], folder), _in_json_lines(pair[1], folder)
    if case.moves_heads:
        pair = pair[0], with_moved_heads(pair[1], folder)
    (scores,) = run_peer(peer, home, [pair], case.peer_options)
    return {metric: _per_cent(values[2]) for metric, values in (scores or {}).items()}


def _in_json_lines(path: Path, folder: Path) -> Path:
    target = folder / f"{path.parent.name}-{path.stem}.jsonl"
    anascore.convert(path, target)
    return target


def with_moved_heads(path: Path, folder: Path) -> Path:
    """Return a copy of a CorefUD file in a folder, with the heads that udapi computes."""
    from udapi.block.corefud.movehead import MoveHead  # noqa: PLC0415  only where it is installed
    from udapi.core.document import Document  # noqa: PLC0415  the same

    document = Document()
    document.from_conllu_string(path.read_text(encoding="utf-8"))
    MoveHead(bugs="ignore").apply_on_document(document)
    target = folder / f"{path.parent.name}-{path.name}"
    target.write_text(document.to_conllu_string(), encoding="utf-8")
    return target


def _per_cent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.2f}"
