"""Texts in YAML files: what is written is what others read."""

import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from anascore.output.hub import yaml_text


@given(st.text(st.characters(exclude_categories=())))
@example("no: 1")
@example("\x1b\u202e\ud800\U0001f600 \\ \"'\n")
def test_a_text_reads_back(text: str) -> None:
    written = yaml_text(text)

    assert yaml.safe_load(f"- {{key: {written}}}") == [{"key": text}]
    assert written.isprintable()


def test_scripts_are_for_people() -> None:
    assert yaml_text("B³ Übung: 中文") == '"B³ Übung: 中文"'
