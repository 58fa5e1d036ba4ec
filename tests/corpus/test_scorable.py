"""Layers, options and tasks that files can be scored with, as `anascore validate` lists them."""

import json
from pathlib import Path

import pytest

import anascore
from anascore import SettingsError
from anascore.cli.main import main
from anascore.corpus.scorable import OPTIONS, OptionStatus, ScoringSummary
from anascore.corpus.validate import Validation, validate
from anascore.formats.registry import WRITABLE
from anascore.settings import CHOICES, LAYER_NAMES
from anascore.tasks import TASKS
from support.generated_corpora import FORMATS, generated_file
from support.paper import KEY
from support.samples import SAMPLES


def put(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def summary_of(*paths: Path) -> ScoringSummary:
    return validate(paths).scoring


def options_of(*paths: Path) -> dict[str, OptionStatus]:
    summary = summary_of(*paths)
    assert summary.obstacle == ""
    return {scorable.option: scorable for scorable in summary.options}


def sample_files(folder: Path) -> list[Path]:
    """Write all samples, in their own formats and in all others."""
    paths = [put(folder / name, text) for name, text in SAMPLES.items()]
    for path in [Path(KEY), *(path for path in paths if path.stem.endswith("-key"))]:
        for name in WRITABLE:
            target = folder / f"{path.stem}-{path.suffix[1:]}-as-{name}"
            anascore.write(anascore.read(path), target, name)
            paths.append(target)
    paths.append(put(folder / "empty.jsonl", '{"sentences": [["a"]], "clusters": []}'))
    return paths


def test_what_is_listed_is_what_can_be_scored(tmp_path: Path) -> None:
    """A choice is refused if and only if annotation is missing, and empty if all scores are."""
    statuses = set()
    for path in sample_files(tmp_path):
        corpus = anascore.read(path)
        for option, status, missing in summary_of(path).options:
            statuses.add(status)
            assert bool(missing) == (status != "yes")
            if status == "no":
                with pytest.raises(SettingsError):
                    anascore.score(corpus, corpus, **OPTIONS[option])
                continue
            result = anascore.score(corpus, corpus, **OPTIONS[option])
            annotated = any(layer.annotated for layer in result.layers.values())
            assert annotated or status == "empty", (path.name, option)
    assert statuses == {"yes", "empty", "no"}


@pytest.mark.parametrize("name", SAMPLES)
def test_tasks_on_the_command_line(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(put(tmp_path / name, SAMPLES[name]))
    assert main(["validate", path, "--output", "json"]) == 0
    scorable = json.loads(capsys.readouterr().out)["scoring"]["options"]

    for option in scorable:
        status = main(["score", path, path, *option["option"].split()])
        assert (option["status"] == "no") == (status == 2), option


@pytest.mark.parametrize("name", FORMATS)
def test_a_folder_is_one_corpus(name: str, tmp_path: Path) -> None:
    generated_file(tmp_path, name)

    for scorable in summary_of(tmp_path).options:
        status = main(["score", str(tmp_path), str(tmp_path), *scorable.option.split()])
        assert (scorable.status == "no") == (status == 2), scorable


def test_all_layers_methods_and_tasks_are_listed() -> None:
    for option, names in {
        "--layers": LAYER_NAMES,
        "--match": CHOICES["match"],
        "--task": TASKS,
    }.items():
        assert {f"{option} {name}" for name in names} <= OPTIONS.keys()


CASES = {
    # file, option, status, missing annotation
    "a layer that the format cannot hold": (
        "parsed.conll",
        "--layers bridging",
        "no",
        ["bridging (CoNLL-2012 cannot hold any)"],
    ),
    "its task": (
        "parsed.conll",
        "--task codicrac-br",
        "no",
        ["bridging (CoNLL-2012 cannot hold any)"],
    ),
    "a layer that the file has": ("layers.conllua", "--layers bridging", "yes", []),
    "a layer that the file does not have": (
        "dough.conllua",
        "--layers bridging",
        "empty",
        ["bridging"],
    ),
    "heads": (
        "parsed.conll",
        "--match head",
        "no",
        ["heads (head in CorefUD, Min in CoNLL-UA)"],
    ),
    "minimum spans of parses": ("parsed.conll", "--match partial", "yes", []),
    "parses": ("parsed.conll", "--np-only", "yes", []),
    "no parses": ("zeros.conllu", "--np-only", "no", ["parses (a column of CoNLL-2012)"]),
    "zeros": ("zeros.conllu", "--zero-match dependent", "yes", []),
    "no zeros": ("parsed.conll", "--zero-match dependent", "empty", ["zeros"]),
    "no anaphors that are zeros": ("parsed.conll", "--anaphors zero", "empty", ["zeros"]),
    "tags": ("zeros.conllu", "--anaphors pronoun", "yes", []),
}


@pytest.mark.parametrize(("name", "option", "status", "missing"), CASES.values(), ids=CASES)
def test_what_is_missing(
    name: str, option: str, status: str, missing: list[str], tmp_path: Path
) -> None:
    path = put(tmp_path / name, SAMPLES[name])

    scorable = options_of(path)[option]

    assert scorable[1:] == (status, {annotation: [str(path)] for annotation in missing})


def test_several_files_must_all_have_the_annotation(tmp_path: Path) -> None:
    paths = [put(tmp_path / name, SAMPLES[name]) for name in ("zeros.conllu", "parsed.conll")]
    first, second = map(str, paths)

    options = options_of(*paths)

    heads = "heads (head in CorefUD, Min in CoNLL-UA)"
    assert options["--match head"][1:] == ("no", {heads: [second]})
    assert options["--np-only"][1:] == ("no", {"parses (a column of CoNLL-2012)": [first]})
    assert options["--anaphors zero"][1:] == ("empty", {"zeros": [second]})
    assert options["--match partial"][1:] == ("yes", {})


def test_text_names_files_that_lack_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    put(tmp_path / "a.conllu", SAMPLES["zeros.conllu"])
    for name in ("b.conll", "c.conll"):
        put(tmp_path / name, SAMPLES["parsed.conll"])

    assert main(["validate", "a.conllu", "b.conll", "c.conll"]) == 0

    assert capsys.readouterr().out == TEXT


TEXT = """\
0 errors, 0 warnings in 3 files

anascore score can use these options
  --layers identity
  --match exact, partial, craft
  --anaphors pronoun
  --task conll12, craft19, codicrac-ar, crac22

These options have nothing to score
  --zero-match dependent; --anaphors zero: no zeros in b.conll and 1 more

These options cannot be used
  --layers discourse-deixis; --task codicrac-dd: no discourse deixis (CorefUD
      cannot hold any) in a.conllu
  --layers discourse-deixis; --task codicrac-dd: no discourse deixis (CoNLL-2012
      cannot hold any) in b.conll and 1 more
  --layers bridging; --task codicrac-br: no bridging (CoNLL-2012 cannot hold
      any) in b.conll and 1 more
  --layers non-referring; --task crac18: no non-referring mentions (CorefUD
      cannot hold any) in a.conllu
  --layers non-referring; --task crac18: no non-referring mentions (CoNLL-2012
      cannot hold any) in b.conll and 1 more
  --layers zeros: no zeros (CoNLL-2012 cannot hold any) in b.conll and 1 more
  --match head; --task crac23, crac24, crac25, crac26: no heads (head in
      CorefUD, Min in CoNLL-UA) in b.conll and 1 more
  --np-only: no parses (a column of CoNLL-2012) in a.conllu
  --docs split: no split antecedents
"""


def test_text_has_no_heading_without_options() -> None:
    scoring = ScoringSummary(["f"], "", [OptionStatus("--match exact", "yes", {})])

    assert f"{Validation((), scoring)}\n" == (
        "0 errors, 0 warnings in 0 files\n\nanascore score can use these options\n  --match exact\n"
    )


OBSTACLES = {
    # texts of files, and why nothing can be scored
    "an error": ({"f.conll": "w 1)\n"}, "Nothing can be scored until the error is corrected."),
    "errors": (
        {"f.conll": "w 1)\nw 1)\n"},
        "Nothing can be scored until the errors are corrected.",
    ),
    "a document twice": (
        dict.fromkeys(
            ("a.jsonl", "b.jsonl"), '{"doc_key": "d", "sentences": [["a"]], "clusters": []}'
        ),
        "Nothing can be scored: {folder}/b.jsonl:1: duplicate document id 'd'; "
        "{folder}/a.jsonl has it too",
    ),
}


@pytest.mark.parametrize(("texts", "obstacle"), OBSTACLES.values(), ids=OBSTACLES)
def test_what_stands_in_the_way(
    texts: dict[str, str], obstacle: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in texts.items():
        put(tmp_path / name, text)
    obstacle = obstacle.format(folder=tmp_path)

    assert summary_of(tmp_path) == ScoringSummary((str(tmp_path),), obstacle)
    main(["validate", str(tmp_path)])
    assert capsys.readouterr().out.splitlines()[-1] == obstacle
    main(["validate", str(tmp_path), "--output", "json"])
    assert json.loads(capsys.readouterr().out)["scoring"] == {
        "paths": [str(tmp_path)],
        "obstacle": obstacle,
        "options": [],
    }
    assert main(["score", str(tmp_path), str(tmp_path)]) == 2
