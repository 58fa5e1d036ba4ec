"""Score the development set after each epoch of training, and keep the best epoch.

A stand-in plays the part of the resolver: it gets better from epoch to epoch. Run it with

    python docs/examples/training_loop.py
"""

import random

import anascore

DOCUMENTS = 50
ENTITIES = 12
EPOCHS = 5

Clusters = list[list[tuple[int, int]]]


def make_document(rng: random.Random) -> Clusters:
    """Return the gold clusters of a document: spans of tokens (start, end)."""
    spans = [(3 * position, 3 * position + rng.randint(0, 2)) for position in range(6 * ENTITIES)]
    rng.shuffle(spans)
    clusters: Clusters = [[] for _ in range(ENTITIES)]
    for span in spans:
        rng.choice(clusters).append(span)
    return [cluster for cluster in clusters if len(cluster) > 1]


def predict(gold: Clusters, epoch: int, rng: random.Random) -> Clusters:
    """Return predicted clusters: the gold ones with errors, fewer in every epoch."""
    share = 0.5 / (epoch + 1)
    predicted: Clusters = [[] for _ in gold]
    for number, cluster in enumerate(gold):
        for span in cluster:
            wrong = rng.random() < share
            predicted[rng.randrange(len(gold)) if wrong else number].append(span)
    return [cluster for cluster in predicted if len(cluster) > 1]


def main() -> None:
    """Train, and score after each epoch."""
    rng = random.Random(0)
    development = {f"doc-{number}": make_document(rng) for number in range(DOCUMENTS)}
    scorer = anascore.Scorer(metrics="conll,lea")
    best = 0.0
    for epoch in range(EPOCHS):
        scorer.reset()
        for name, gold in development.items():
            scorer.update(gold, predict(gold, epoch, rng), name=name)
        result = scorer.result()
        conll, lea = result["conll"].f1 or 0.0, result["lea"].f1 or 0.0
        mark = " (best so far)" if conll > best else ""
        best = max(best, conll)
        print(f"epoch {epoch + 1}: CoNLL {100 * conll:.2f}, LEA {100 * lea:.2f}{mark}")
    print(result.signature)


if __name__ == "__main__":
    main()
