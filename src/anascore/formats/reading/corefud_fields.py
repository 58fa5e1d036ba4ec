"""The fields of an opening bracket in CorefUD."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import overload


class Attributes(Sequence[Mapping[str, str]]):
    """The fields of opening brackets, which are taken apart only when somebody asks for them."""

    __slots__ = ("_names", "_texts")

    def __init__(self, names: Sequence[str], texts: Sequence[str]) -> None:
        """Take the names of the fields, and their values joined by hyphens."""
        self._names = names
        self._texts = texts

    @overload
    def __getitem__(self, index: int) -> Mapping[str, str]: ...
    @overload
    def __getitem__(self, index: slice) -> Attributes: ...
    def __getitem__(self, index: int | slice) -> Mapping[str, str] | Attributes:
        if isinstance(index, slice):
            return Attributes(self._names, self._texts[index])
        values = self._texts[index].split("-", len(self._names) - 1)
        return dict(zip(self._names, values, strict=False))

    def __len__(self) -> int:
        return len(self._texts)


DIGITS = 9
"""How many digits a number can have that is to be read at all."""


def is_number(text: str) -> bool:
    """Tell whether a text is the number of a word."""
    return text.isdecimal() and text.isascii() and len(text) <= DIGITS


@lru_cache(maxsize=1000)
def usual_numbers(head: str, minimum: str) -> tuple[int, ...] | None:
    """Read the number of the head, or the numbers of the minimum span, if that is simple."""
    if head and minimum:
        return None
    if not (head or minimum):
        return ()
    texts = minimum.split(",") if minimum else [head]
    if not all(map(is_number, texts)):
        return None
    numbers = tuple(map(int, texts))
    if len(numbers) == 1:
        return numbers if numbers[0] else None
    return numbers if 0 not in numbers and list(numbers) == sorted(numbers) else None
