"""The page with all tables, and what they show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from itertools import combinations

from anascore import Corpus
from experiments.findings import COMPARED, Findings, findings, ordered_otherwise, percent
from experiments.noise import Noise
from experiments.systems import ADDED, KEPT, MISSED
from experiments.tables import CONLL, OTHERS, PROPOSALS, SETS, Rows, table

NAMES = {
    "moved": "boundaries moved",
    "lost": "mentions lost",
    "split": "entities split",
    "merged": "entities merged",
    "invented": "mentions invented",
}


def report(results: Mapping[str, tuple[Corpus, Rows]], noise: Noise, seed: int) -> str:
    """Write the whole page."""
    found = {name: findings(rows) for name, (_, rows) in results.items()}
    parts = [
        _beginning(results, noise, seed),
        _shown(found),
        _disagreements({name: rows for name, (_, rows) in results.items()}),
        *(_corpus(name, rows) for name, (_, rows) in results.items()),
    ]
    return "\n\n".join(parts) + "\n"


def _beginning(results: Mapping[str, tuple[Corpus, Rows]], noise: Noise, seed: int) -> str:
    rates = ", ".join(f"{NAMES[f.name]} {getattr(noise, f.name):.0%}" for f in fields(noise))
    lines = ["| | documents | mentions | entities | accommodated sets |", "| --- |" + " ---: |" * 4]
    for name, (_, rows) in results.items():
        size = rows["Oracle"].usual.total.key
        lines.append(f"| {name} | {' | '.join(str(number) for number in size.values())} |")
    return f"""\
# Experiments

Made by `make experiments`; do not edit. The experiments of the paper's section 7 on three corpora: what the metrics say of
baselines that add accommodated sets to a response with single antecedents. Only documents with at least one
split antecedent count, as in the paper.

{chr(10).join(lines)}

Trained resolvers cannot be run here, so the response with single antecedents (*Single Ant*) is made from the key by noise
(`experiments/noise.py`, seed {seed}): {rates}. The baselines (`anascore baseline`) see this response alone. *Partly right*
has the oracle's sets with damage: {MISSED:.0%} are missed, an element is kept with {KEPT:.0%}, and {ADDED:.0%} get a wrong one more.
It stands where the paper has its best model. *Oracle* has the key's sets, mapped to the response's entities. The
convention is `paper`; all numbers are per cent."""


def _listed(found: Mapping[str, Findings], of: Callable[[Findings], str]) -> str:
    return ", ".join(f"{name} {of(one)}" for name, one in found.items())


def _shown(found: Mapping[str, Findings]) -> str:
    exceptions = sum(len(one.above_oracle) for one in found.values())
    columns = sum(one.columns for one in found.values())
    return f"""\
## What the paper found, here

- **Baselines differ little over all mentions**: the CoNLL scores of the four *Recent*, *Random* and *Single Ant* lie within
  {_listed(found, lambda f: f"{100 * f.spread_all:.1f}")} points.
- **They differ clearly on split antecedents alone**: of those with sets, within
  {_listed(found, lambda f: f"{100 * f.spread_sets:.1f}")} points; in CoNLL the partly right response and the oracle are above them
  (CoNLL over sets: {_listed(found, lambda f: f"{100 * f.best_baseline:.1f} for the best baseline, {100 * f.partly:.1f} partly right, {100 * f.oracle:.1f} oracle")}).
- **The oracle is above all**: in {columns - exceptions} of {columns} columns of F1 nothing is better.
- **β = 10 spreads them further**: the F1 of LEA lies within {_listed(found, lambda f: f"{100 * f.spread_lea:.1f}")} points with β = 1, and
  within {_listed(found, lambda f: f"{100 * f.spread_heavy:.1f}")} with β = 10.
- **Partial credit matters**: of the anaphors in the key, the partly right response resolves
  {_listed(found, lambda f: f"{100 * f.complete:.1f}")} per cent completely (the paper's best model: 16); a score that counts only these
  would say little of it.
- As in the paper, the baselines gain nothing over *Single Ant* when all mentions count: in CoNLL the best of them is at
  {_listed(found, lambda f: f"{100 * f.gain:+.2f}")} points. What they gain in recall of MUC and B³, they lose in precision.

The last three rows are made by damage, so that their order is no discovery; that it shows so little over all mentions, and so
clearly over sets and with β = 10, is what the metrics are asked about."""


def _disagreements(results: Mapping[str, Rows]) -> str:
    """Write where the earlier proposals disagree with the generalised metrics, and why."""
    lines = [f"| | {' | '.join(f'{p}, {against}' for p, against, _ in COMPARED.values())} |"]
    lines.append("| --- |" + " ---: |" * len(COMPARED))
    for name, rows in results.items():
        cells = (str(ordered_otherwise(rows, proposal)) for proposal in COMPARED)
        lines.append(f"| {name} | {' | '.join(cells)} |")
    pairs = len(list(combinations(next(iter(results.values())), 2)))

    def proposed(corpus: str, label: str, system: str) -> str:
        return percent(results[corpus], PROPOSALS, label, system)

    def over_sets(corpus: str, label: str, system: str) -> str:
        return percent(results[corpus], SETS, label, system)

    return f"""\
## Where earlier proposals disagree

Of {pairs} pairs of systems, so many are put into the opposite order by a proposal and by the generalised metric:

{chr(10).join(lines)}

- **Zhou and Choi** put a plural mention into the clusters of all its elements. A wrong set of five damages five clusters, so
  long sets cost more than they bring: on GUM B³ falls from {proposed("GUM", "Z&C B³", "Recent 2")} for *Recent 2* to {proposed("GUM", "Z&C B³", "Recent 5")} for
  *Recent 5*, while over the sets CoNLL has {over_sets("GUM", "CoNLL", "Recent 2")} and {over_sets("GUM", "CoNLL", "Recent 5")}. On Friends, with many plural mentions, it is the other way round: leaving out all sets
  costs so many links that *Single Ant* is last ({proposed("Friends", "Z&C B³", "Single Ant")}), though it is ahead of all baselines by the
  generalised B³, since one mention that points at a set is not as many mentions as the set has elements.
- **LEA 2021** gives an element full credit once it is aligned, however bad the entity is. The oracle has
  {proposed("Friends", "LEA 2021 (sets)", "Oracle")} over the sets of Friends, where the generalised LEA says {proposed("Friends", "LEA (sets)", "Oracle")}: the sets are right,
  their elements are not. So over the sets alone it hardly sees how good the entities are that they are made of.
- **Links** puts the systems into the same order as CoNLL over sets does, or nearly so, but looks at the key's anaphors only.
  What a response has at other mentions is not seen, neither as a mistake nor as a merit: on GUM *Random* has
  {proposed("GUM", "links", "Random")}, and {over_sets("GUM", "CoNLL", "Random")} CoNLL over sets, which are aligned whatever mentions point at them.
- **LEA RuCoCo** weighs a set by the mentions of its elements, often dozens, and an entity by its own. So a few sets outweigh
  the rest: on Friends *Single Ant* falls to {proposed("Friends", "LEA RuCoCo", "Single Ant")}, below every baseline, while its LEA is {proposed("Friends", "LEA", "Single Ant")}. Where
  sets are rare it is the other way round: wrong sets cost so much that *Single Ant* is above every baseline on GUM and RuCoCo."""


def _corpus(name: str, rows: Rows) -> str:
    return "\n\n".join(
        [
            f"## {name}",
            "All entities: MUC, B³, CEAF-E and CoNLL",
            table(rows, CONLL),
            "All entities: CEAF-M, BLANC, and LEA with β = 1 and β = 10",
            table(rows, OTHERS),
            "Accommodated sets only, F1",
            table(rows, SETS),
            "Earlier proposals beside generalised metrics, F1; *complete* is the share of anaphors resolved completely",
            table(rows, PROPOSALS),
        ]
    )
