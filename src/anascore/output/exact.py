"""Exact numbers in JSON, and back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from anascore.layers.counts import CountsByScore
from anascore.model.ratio import Components, Number, Ratio, RatioPair
from anascore.output.grids import MAX_DIGITS

SCHEMA = 1
"""Version of the JSON of analyses and corpora. A change that readers must know of raises it."""

_LIMIT = 10**MAX_DIGITS
_WHOLE = r"-?[0-9]+|-?0x[0-9a-f]+"
_NUMBER = re.compile(rf"({_WHOLE})(?:/({_WHOLE}))?")


def counts_to_dict(counts: CountsByScore) -> dict[str, Any]:
    """Return counts as plain values: `13/2 of 10` is a part and its whole."""
    return {
        name: [
            {"recall": _ratio_to_text(pair.recall), "precision": _ratio_to_text(pair.precision)}
            for pair in components
        ]
        for name, components in counts.items()
    }


def counts_from_dict(content: Mapping[str, Any]) -> dict[str, Components]:
    """Return the counts that `counts_to_dict` wrote."""
    return {
        name: tuple(
            RatioPair(_ratio_from_text(pair["recall"]), _ratio_from_text(pair["precision"]))
            for pair in components
        )
        for name, components in content.items()
    }


def _ratio_to_text(ratio: Ratio) -> str:
    return f"{number_to_text(ratio.part)} of {number_to_text(ratio.whole)}"


def _ratio_from_text(text: str) -> Ratio:
    part, whole = text.split(" of ")
    return Ratio(number_from_text(part), number_from_text(whole))


def number_to_text(number: Number) -> str:
    """Return an exact number as text.

    >>> number_to_text(Fraction(13, 2))
    '13/2'
    """
    digits = (number.numerator, number.denominator)
    # Python refuses to print numbers of thousands of digits in decimal.
    texts = [f"{part:#x}" if abs(part) >= _LIMIT else str(part) for part in digits]
    return texts[0] if number.denominator == 1 else "/".join(texts)


def number_from_text(text: str) -> Number:
    """Return the number of a text; a rounded one, which ≈ marks, as it is.

    Raise ValueError or an ArithmeticError if it is no number.

    >>> number_from_text("13/2"), number_from_text("7"), number_from_text("≈0.25")
    (Fraction(13, 2), 7, Fraction(1, 4))
    """
    if text.startswith("≈"):
        return Fraction(float(text[1:]))
    match = _NUMBER.fullmatch(text)
    if match is None:
        message = f"{text!r} is not a number"
        raise ValueError(message)
    above, below = match.groups()
    return _whole(above) if below is None else Fraction(_whole(above), _whole(below))


def _whole(text: str) -> int:
    return int(text, 16 if "x" in text else 10)
