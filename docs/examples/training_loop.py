"""Score the development set after each epoch, stop early, and find out what the last step changed.

Nothing is trained: a stand-in plays the resolver, improves for some epochs, and then gets
worse. All clusters are dictionaries in memory. Run the program with

    python docs/examples/training_loop.py

It writes the report checkpoints.html into the current folder.
"""

import random
from pathlib import Path

import anascore
from anascore import Corpus

DOCUMENTS = 50
ENTITIES = 12
ERRORS = (0.4, 0.3, 0.2, 0.12, 0.1, 0.13, 0.16, 0.2)
"""Share of mentions that the stand-in resolves wrongly, by epoch."""

PATIENCE = 2
"""Number of epochs without improvement after which training stops."""

Clusters = list[list[tuple[int, int]]]
Checkpoint = dict[str, Clusters]
"""Predicted clusters by document name."""


def make_document(rng: random.Random) -> Clusters:
    """Return the gold clusters of a document: spans (first, last) of words."""
    spans = [(3 * position, 3 * position + rng.randint(0, 2)) for position in range(6 * ENTITIES)]
    clusters: Clusters = [[] for _ in range(ENTITIES)]
    for span in spans:
        rng.choice(clusters).append(span)
    return [cluster for cluster in clusters if len(cluster) > 1]


def predict(gold: Clusters, errors: float, rng: random.Random) -> Clusters:
    """Return the gold clusters with a share of errors."""
    predicted: Clusters = [[] for _ in gold]
    for number, cluster in enumerate(gold):
        for first, last in cluster:
            if rng.random() > errors:
                predicted[number].append((first, last))
            elif rng.random() < 0.5:
                predicted[rng.randrange(len(gold))].append((first, last))
    return [cluster for cluster in predicted if len(cluster) > 1]


def train(gold: Checkpoint, rng: random.Random) -> list[Checkpoint]:
    """Score each epoch until the score stops improving; return the checkpoints up to the best."""
    checkpoints: list[Checkpoint] = []
    best = (0.0, 0)
    for epoch, errors in enumerate(ERRORS, 1):
        predicted = {name: predict(clusters, errors, rng) for name, clusters in gold.items()}
        checkpoints.append(predicted)
        result = anascore.score(gold, predicted, metrics="muc,b3,ceafe,conll,lea")
        scores = result.flat("dev/", percent=True)  # for the logger of your choice
        print(f"epoch {epoch}: CoNLL {scores['dev/conll_f1']:.2f}, LEA {scores['dev/lea_f1']:.2f}")
        best = max(best, (result.conll or 0.0, epoch))
        if epoch - best[1] == PATIENCE:
            break
    print(f"best epoch: {best[1]}")
    return checkpoints[: best[1]]


def main() -> None:
    """Train, compare the last two checkpoints, and write a report."""
    rng = random.Random(2)
    gold = {f"doc-{number}": make_document(rng) for number in range(DOCUMENTS)}
    words = {name: [f"w{position}" for position in range(18 * ENTITIES)] for name in gold}
    *_, before, best = train(gold, rng)
    systems = {"before": before, "best": best}

    comparison = anascore.compare(gold, systems, paired="randomisation", confidence=True)
    uncertainty = comparison["best"].uncertainty["identity"]
    low, high = uncertainty.intervals["conll"].f1
    difference = uncertainty.differences["conll"]
    print(f"CoNLL of the best epoch: {low:.3f} to {high:.3f} (95% interval)")
    print(f"gain over the epoch before: {difference.difference:.3f}, p = {difference.p:.3f}")

    changes = {}
    for name in gold:
        old, new = (comparison[system].documents[name].scores["conll"].f1 for system in systems)
        changes[name] = (new or 0.0) - (old or 0.0)
    worse = [name for name in sorted(changes, key=changes.__getitem__) if changes[name] < 0]
    print("\ndocuments that got worse:")
    for name in worse[:10]:
        print(f"  {name} {100 * changes[name]:+.2f}")

    errors = anascore.find_errors(gold, systems)
    print("\nerrors before, and in the best epoch:")
    for kind, number in errors["before"].counts.items():
        if number:
            print(f"  {kind}: {number}, {errors['best'].counts[kind]}")

    report = Path("checkpoints.html")
    key = Corpus.from_clusters(gold, words=words)  # with words, the report shows the texts
    anascore.report(key, systems, report, documents=",".join(worse[:3]), samples=200)
    print(f"\nwrote {report}; {comparison['best'].signature}")


if __name__ == "__main__":
    main()
