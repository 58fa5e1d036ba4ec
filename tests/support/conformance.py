"""The options and the scores of the published scorers, in the words of anascore."""

from typing import Any

from anascore.results.result import Scores

ENDINGS = {"ua": "conllua", "corefud": "conllu", "conll2012": "conll"}
KEYS = {"gerdracor": "A"}

SIDES = ("key", "response")


def settings_of(options: dict[str, Any]) -> dict[str, Any]:
    """Translate the options of a case."""
    return {
        "match": options["match"],
        "zero_match": options.get("zero_match", "linear"),
        "singletons": options["singletons"],
        "split": options["split"],
        "convention": options["convention"],
        "zeros": "keep" if options.get("zeros", True) else "drop",
    }


def percent(scores: Scores, metric: str) -> Any:
    """Return a score as the published scorers print it."""
    values = [round(100 * value, 2) for value in scores[metric] if value is not None]
    return values[0] if metric == "conll" else values
