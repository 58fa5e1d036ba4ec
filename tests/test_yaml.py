"""YAML that others read: what is written is what they find."""

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from anascore.output.data import to_yaml

TEXTS = st.text(st.characters(exclude_categories=())) | st.sampled_from(
    ["yes", "No", "null", "~", "1e-06", "1:20", "2026-01-02", "- a", "a: b", "a #b", "", " a", "a "]
)
VALUES = st.recursive(
    TEXTS
    | st.integers()
    | st.booleans()
    | st.none()
    | st.floats(allow_nan=False).filter(lambda number: abs(number) != float("inf")),
    lambda values: (
        st.lists(values, max_size=3)
        | st.dictionaries(st.from_regex("k[a-z_]{0,5}", fullmatch=True), values, max_size=3)
    ),
    max_leaves=12,
)


@given(VALUES)
def test_yaml_reads_back(value: Any) -> None:
    assert yaml.safe_load(to_yaml(value)) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (
            {"a": {"b": [1, {"c": "x y", "d": "no"}]}},
            'a:\n  b:\n    - 1\n    - c: x y\n      d: "no"\n',
        ),
        ([[1, 2], []], "- - 1\n  - 2\n- []\n"),
        ({"a": 1e-06, "b": {}}, "a: 1.0e-06\nb: {}\n"),
        ("a\x1b\u202e\ud800", '"a\\u001b\\U0000202e\\U0000d800"\n'),
    ],
)
def test_yaml_is_for_people(value: object, text: str) -> None:
    assert to_yaml(value) == text
