"""The notation of test cases."""

import pytest

from anascore import Entity, Mention
from support.notation import corpora, document, entities


def test_letters_are_words() -> None:
    made = document("ab (a)d")

    assert made.words == ["w1", "w2", "w3", "w4"]
    assert made.entities == [
        Entity([Mention(((0, 1),)), Mention(((1, 2),))]),
        Entity([Mention(((3, 4),))], (0,)),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4", Mention(((3, 4),))),
        ("4-7", Mention(((3, 7),))),
        ("2-4+7", Mention(((1, 4), (6, 7)))),
        ("15.1", Mention((), ((15, 1),))),
        ("14-15+15.2", Mention(((13, 15),), ((15, 2),))),
        ("4-7:5", Mention(((3, 7),), (), ((4, 5),))),
        ("4-7:5-6", Mention(((3, 7),), (), ((4, 6),))),
        ("14+14.1:14.1", Mention(((13, 14),), ((14, 1),), (), (14, 1))),
    ],
)
def test_mentions(text: str, expected: Mention) -> None:
    (entity,) = document(text).entities

    assert entity.mentions == [expected]


def test_zeros_before_those_that_are_mentions_are_there() -> None:
    assert document("3.2 1-2").zeros == [(3, 1), (3, 2)]


def test_elements_are_called_by_their_mentions() -> None:
    *_, last = document("1-3:2,5 7 (1-3,7)9").entities

    assert last.elements == (0, 1)
    assert entities("1-3:2,5 7 (5)9")[2] == Entity(("9",), (0,))


def test_key_and_response_have_the_same_words() -> None:
    key, response = corpora("1-2", "1 9", sentences=[1, 5])

    assert [len(side.documents["case"].words) for side in (key, response)] == [9, 9]
    assert key.documents["case"].sentences == [0, 4]


@pytest.mark.parametrize("text", ["A", "a-b", "1-", "1:", "1-2:a", "(1", "1)", "4.1.1", "1,,2"])
def test_what_is_not_in_the_notation_is_refused(text: str) -> None:
    with pytest.raises(AssertionError, match="is not in set notation"):
        document(text)
