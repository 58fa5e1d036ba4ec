"""Documents and their mentions."""

from collections.abc import Iterator, Sequence
from typing import overload

import pytest

from anascore import Document, Mention


class Unsliceable(Sequence[int]):
    """Line numbers that can be read one at a time, but neither copied nor passed through."""

    def __init__(self, *numbers: int) -> None:
        """Keep the numbers."""
        self._numbers = numbers

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[int]: ...
    def __getitem__(self, index: int | slice) -> int | Sequence[int]:
        assert isinstance(index, int)
        return self._numbers[index]

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[int]:
        raise AssertionError


@pytest.mark.parametrize(
    ("mention", "expected"),
    [
        pytest.param(Mention(((0, 1),)), 11, id="first word"),
        pytest.param(Mention(((2, 3),)), 14, id="last word"),
        pytest.param(Mention(((1, 3),)), 12, id="several words"),
        pytest.param(Mention(((3, 4),)), 14, id="after the last word"),
        pytest.param(Mention(((9, 12),)), 14, id="far after the last word"),
        pytest.param(Mention((), ((0, 1),)), 9, id="zero at the beginning"),
        pytest.param(Mention(((0, 1),), ((0, 1),)), 9, id="word after a zero at the beginning"),
        pytest.param(Mention((), ((2, 1),)), 12, id="zero after a word"),
        pytest.param(Mention((), ((3, 2),)), 14, id="zero at the end"),
    ],
)
def test_the_line_of_a_mention_is_looked_up_in_constant_time(
    mention: Mention, expected: int
) -> None:
    document = Document("d", list("abc"), [], line=9, lines=Unsliceable(11, 12, 14))

    assert document.line_of(mention) == expected


@pytest.mark.parametrize("line", [None, 9])
def test_a_mention_without_a_line_has_the_line_of_the_document(line: int | None) -> None:
    document = Document("d", list("abc"), [], line=line)

    for mention in (Mention(((0, 1),)), Mention(((5, 6),)), Mention((), ((0, 1),))):
        assert document.line_of(mention) == line
