"""Misspelt names are answered with the name that was meant, and metrics have aliases."""

from typing import Any

import pytest

import anascore
from anascore import SettingsError
from anascore.errors import did_you_mean
from anascore.metrics.scores import ALIASES, SCORES, choose
from support.paper import KEY, SYSTEMS


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        ("conl", ["muc", "conll"], " (did you mean 'conll'?)"),
        ("CoNLL", ["muc", "conll"], " (did you mean 'conll'?)"),
        ("upos=pro", ["UPOS=PRON"], " (did you mean 'UPOS=PRON'?)"),
        ("bleu", ["muc", "conll"], ""),
        ("", ["muc"], ""),
        (5, ["muc"], ""),
        ("x", [], ""),
    ],
)
def test_the_nearest_name_is_asked_for(name: object, known: list[str], expected: str) -> None:
    assert did_you_mean(name, known) == expected


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"task": "crac2"}, "no such task: 'crac2' (did you mean 'crac26'?); choose from conll12,"),
        ({"layers": "identitty"}, "no such layer: 'identitty' (did you mean 'identity'?); choose"),
        ({"match": "heads"}, "match must be exact, partial, head or craft, not 'heads' (did you "),
        ({"metrics": "mcu,b3"}, "no such metric: mcu (did you mean 'muc'?); choose from muc, b3"),
        ({"metrics": "bcubd"}, "no such metric: bcubd (did you mean 'bcubed'?); choose from muc"),
        ({"zero": "keep"}, "no such setting: zero (did you mean 'zeros'?); choose from task, "),
        ({"doubled": "all"}, "no such setting: doubled (did you mean 'repeated_mentions'?); choo"),
        ({"format": "conll-2012"}, "unknown format: conll-2012 (did you mean 'conll2012'?); ch"),
    ],
)
def test_misspelt_keywords_of_python(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError) as raised:
        anascore.score(KEY, SYSTEMS[0], **keywords)

    assert str(raised.value).startswith(message)


def test_misspelt_names_of_results() -> None:
    comparison = anascore.compare(KEY, SYSTEMS[:1], metrics="muc,b3")

    with pytest.raises(SettingsError, match=r"no system 'system-B' .did you mean 'system-A'.."):
        comparison["system-B"]
    with pytest.raises(SettingsError, match=r"'mucc' was not requested .did you mean 'muc'..; "):
        comparison[0]["mucc"]
    with pytest.raises(SettingsError, match=r"no such output: 'jsn' .did you mean 'json'..; "):
        comparison.render("jsn")


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("bcub,b-cubed,bcubed,B_cubed,B³", ["b3"] * 5),
        ("ceaf,ceaf-e,CEAF_E,ceafe", ["ceafe"] * 4),
        (["ceaf-m", "ceaf_m"], ["ceafm"] * 2),
        ("lea_2021", ["lea-2021"]),
        ("Links", ["links", "links-complete"]),
    ],
)
def test_metrics_have_aliases(names: str | list[str], expected: list[str]) -> None:
    assert choose(names) == expected


def test_an_alias_stands_for_one_score_and_is_none_itself() -> None:
    aliases = [alias for measure in SCORES.values() for alias in measure.aliases]

    assert len(aliases) == len(ALIASES)
    assert not {*ALIASES} & {*SCORES}


def test_responses_can_be_named_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    from anascore.cli.main import main

    arguments = [f"first={SYSTEMS[0]}", str(SYSTEMS[1]), "--output", "json"]

    assert main(["score", str(KEY), *arguments]) == 0
    by_name = anascore.compare(KEY, {"first": SYSTEMS[0], "system-B": SYSTEMS[1]})
    assert capsys.readouterr().out == by_name.render("json")
