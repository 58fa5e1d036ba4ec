"""Competitions on Codabench: the bundle, and its scoring program run as the platforms run it."""

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from datetime import UTC, date, datetime
from html import unescape
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import yaml
from playwright.sync_api import sync_playwright

import anascore
from anascore.cli.codabench import score_main
from anascore.cli.main import main
from anascore.example import KEY, SYSTEMS
from anascore.integrations import codabench
from anascore.integrations.codabench import score_submission, write_competition
from anascore.tasks import TASKS
from support.samples import SAMPLES

KEY_TEXT, RESPONSE_TEXT = SAMPLES["zeros-key.conllu"], SAMPLES["zeros.conllu"]
DATASETS = ("cs_pdt", "en_gum")


def write_files(folder: Path, texts: dict[str, str]) -> Path:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    return write_files(tmp_path / "keys", {f"{name}.conllu": KEY_TEXT for name in DATASETS})


@pytest.fixture
def responses(tmp_path: Path) -> Path:
    texts = {"cs_pdt.conllu": KEY_TEXT, "en_gum.conllu": RESPONSE_TEXT}
    return write_files(tmp_path / "responses", texts)


def competition_of(bundle: Path) -> Any:
    return yaml.safe_load((bundle / "competition.yaml").read_text(encoding="utf-8"))


def lay_out(app: Path, bundle: Path, submission: Path) -> Path:
    """Unzip a bundle, and lay its parts out as a worker of Codabench does."""
    with ZipFile(bundle) as archive:
        archive.extractall(app / "bundle")
    (task,) = competition_of(app / "bundle")["tasks"]
    shutil.copytree(app / "bundle" / task["scoring_program"], app / "program")
    shutil.copytree(app / "bundle" / task["reference_data"], app / "input/ref")
    shutil.copytree(submission, app / "input/res")
    (app / "output").mkdir()
    return app


def run_program(app: Path, metadata: str = "metadata.yaml") -> subprocess.CompletedProcess[str]:
    """Run the scoring program by its command, in its folder."""
    command = yaml.safe_load((app / "program" / metadata).read_text())["command"]
    for variable, folder in {"$program": "program", "$input": "input", "$output": "output"}.items():
        command = command.replace(variable, f"/app/{folder}")
    python, *words = shlex.split(command.replace("/app/", f"{app}/"))
    assert python == "python3"
    return subprocess.run(
        [sys.executable, *words],
        cwd=app / "program",
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


FILES = {
    *("competition.yaml", "logo.png", "pages/overview.md", "pages/evaluation.md", "pages/terms.md"),
    *(f"scoring_program/{name}" for name in ("metadata", "metadata.yaml", "scoring.py")),
}


def files_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("task", TASKS)
def test_a_bundle_has_what_the_platform_asks_for(task: str, tmp_path: Path) -> None:
    bundle = tmp_path / "new" / "bundle"

    start = datetime(2026, 1, 2, 18, 30, tzinfo=UTC)
    assert write_competition(bundle, task=task, start=start) is None  # type: ignore[arg-type]

    content = competition_of(bundle)
    assert (content["version"], content["enable_detailed_results"]) == (2, True)
    assert content["title"] == TASKS[task].label
    assert content["docker_image"] == f"anascore:{anascore.__version__}"
    assert (bundle / content["image"]).read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    for page in [content["terms"], *(page["file"] for page in content["pages"])]:
        assert (bundle / page).read_text(encoding="utf-8").startswith("# ")
    (phase,) = content["phases"]
    (described,) = content["tasks"]
    assert (phase["start"], phase["tasks"]) == ("2026-01-02 00:00:00", [described["index"]])
    assert files_in(bundle) == {*FILES, f"{described['reference_data']}/README.md"}
    (board,) = content["leaderboards"]
    columns = board["columns"]
    assert board["primary_index"] == 0
    assert columns[0]["key"] in {"conll", "bridging-anaphors_f1"}
    assert [column["index"] for column in columns] == list(range(len(columns)))
    for part in ("key", "title"):
        names = [column[part] for column in columns]
        assert len({*names}) == len(names)
        assert max(map(len, names)) <= 36
    assert not columns[0]["hidden"]
    program = (bundle / "scoring_program/scoring.py").read_text(encoding="utf-8")
    assert ast.parse(program, feature_version=(3, 7))


def test_the_program_runs_as_on_the_platform(keys: Path, responses: Path, tmp_path: Path) -> None:
    archive = write_competition(tmp_path / "bundle", task="crac26", reference=keys)
    assert archive == tmp_path / "bundle.zip"
    strays = {"metadata": "exitCode: 0\n", ".DS_Store": "\0", "__MACOSX/cs_pdt.conllu": "?"}
    app = lay_out(tmp_path / "app", archive, write_files(responses, strays))

    run = run_program(app)

    assert (run.returncode, run.stderr) == (0, "")
    scores = json.loads((app / "output/scores.json").read_text())
    board = competition_of(app / "bundle")["leaderboards"][0]
    assert [*scores] == [column["key"] for column in board["columns"]]
    visible = [column["title"] for column in board["columns"] if not column["hidden"]]
    assert visible[:4] == ["CoNLL", *DATASETS, "MUC F1"]
    suite = anascore.suite(keys, {"a": {name: responses / f"{name}.conllu" for name in DATASETS}},
                           task="crac26")  # fmt: skip
    assert next(iter(scores)) == "conll"
    assert scores["conll"] == pytest.approx(100 * suite.macro("a")["conll"].f1)  # type: ignore[operator]
    assert scores["conll_cs_pdt"] == 100
    assert scores["conll_en_gum"] == pytest.approx(100 * suite.value("a", "en_gum"))  # type: ignore[operator]
    assert "Macro-averages over datasets" in run.stdout
    page = (app / "output/detailed_results.html").read_text(encoding="utf-8")
    frames = re.findall('<iframe srcdoc="([^"]*)" title="(.*?)"', page)
    assert [name for _, name in frames] == [*DATASETS]
    anascore.report(
        keys / "cs_pdt.conllu",
        {"submission": responses / "cs_pdt.conllu"},
        tmp_path / "report.html",
        task="crac26",
        documents="0",
    )
    alone = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert unescape(frames[0][0]) == alone.replace(f"{keys}/", "ref/")
    assert {path.name for path in (app / "output").iterdir()} == {
        *("scores.json", "scores.txt", "detailed_results.html")
    }


CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: make browser")
def test_reports_of_datasets_work_in_a_browser(keys: Path, responses: Path, tmp_path: Path) -> None:
    shutil.copytree(keys, tmp_path / "ref")
    shutil.copytree(responses, tmp_path / "res")
    score_submission(tmp_path, tmp_path, task="crac26", documents="all")
    problems: list[str] = []

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto((tmp_path / "detailed_results.html").as_uri())
        for name in DATASETS:
            page.get_by_text(name, exact=True).last.click()
            frame = page.frame_locator(f"iframe[title={name}]")
            frame.get_by_role("heading", name="Documents").first.wait_for()
        browser.close()

    assert problems == []


def test_the_older_layout(keys: Path, responses: Path, tmp_path: Path) -> None:
    archive = write_competition(tmp_path / "bundle", task="crac24", reference=keys)
    assert archive
    app = lay_out(tmp_path / "app", archive, responses)
    (app / "program/metadata.yaml").unlink()

    run = run_program(app, "metadata")

    assert (run.returncode, run.stderr) == (0, "")
    lines = (app / "output/scores.txt").read_text().splitlines()
    scores = {name: float(value) for name, value in (line.split(": ") for line in lines)}
    assert scores == json.loads((app / "output/scores.json").read_text())


def without(folder: Path, name: str) -> None:
    (folder / name).unlink()


MISTAKES = {
    "broken": (
        {"en_gum.conllu": RESPONSE_TEXT.replace("Entity=(", "Entity=((", 1)},
        r"res/en_gum\.conllu:\d+: ",
    ),
    "not a corpus": ({"en_gum.conllu": "%PDF-1.4\n"}, r"res/en_gum\.conllu: cannot detect"),
    "no dataset": (
        {"en_gum.conllu": ""},
        r"system 'submission' lacks the dataset 'en_gum'\n$",
    ),
    "other dataset": (
        {"de.conllu": KEY_TEXT},
        r"system 'submission': no key has the dataset 'de'; the keys are cs_pdt, en_gum\n$",
    ),
    "other document": (
        {"en_gum.conllu": RESPONSE_TEXT.replace("newdoc id = ", "newdoc id = x")},
        "document",
    ),
}


@pytest.mark.parametrize(("texts", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_of_a_participant_is_in_the_log(
    texts: dict[str, str], message: str, keys: Path, responses: Path, tmp_path: Path
) -> None:
    archive = write_competition(tmp_path / "bundle", task="crac26", reference=keys)
    assert archive
    for name, text in texts.items():
        if text:
            write_files(responses, {name: text})
        else:
            without(responses, name)
    app = lay_out(tmp_path / "app", archive, responses)

    run = run_program(app)

    assert (run.returncode, run.stdout) == (2, "")
    assert re.match(f"anascore: error: .*{message}", run.stderr), run.stderr
    assert "Traceback" not in run.stderr
    assert [*(app / "output").iterdir()] == []


def json_line(name: str, words: str, last: int = 1) -> str:
    document = {"doc_key": name, "tokens": [*words], "clusters": [[[0, 0], [last, last]]]}
    return f"{json.dumps(document)}\n"


@pytest.mark.parametrize(
    ("response", "messages"),
    [
        (
            json_line("a", "xy"),
            ["res/r.jsonl: document 'b' is missing, which the key has (ref/k.jsonl:2)"],
        ),
        (
            json_line("a", "xy", 5) + json_line("b", "xy"),
            ["res/r.jsonl:1: ", "1 of 2 documents have errors"],
        ),
        (
            json_line("a", "xz") + json_line("b", "xy"),
            ["res/r.jsonl:1: ", "key and response must have the same words"],
        ),
        ("?", ["res/r.jsonl: cannot detect the format of this file"]),
    ],
    ids=["missing", "span", "words", "format"],
)
def test_participants_get_no_advice_on_options(
    response: str, messages: list[str], tmp_path: Path
) -> None:
    key = json_line("a", "xy") + json_line("b", "xy")
    write_files(tmp_path, {"ref/k.jsonl": key, "res/r.jsonl": response})

    with pytest.raises(anascore.AnascoreError) as caught:
        score_submission(tmp_path, tmp_path / "out", task="conll12")

    text = str(caught.value)
    assert text.startswith(messages[0])
    assert text.endswith(messages[-1])
    assert "--" not in text


def test_the_system_has_the_same_name_in_the_log_and_on_the_page(tmp_path: Path) -> None:
    key = json_line("a", "xy")
    write_files(tmp_path, {"ref/k.jsonl": key, "res/mine/r.jsonl": key})

    scores = score_submission(tmp_path, tmp_path / "out", task="conll12")

    page = (tmp_path / "out/detailed_results.html").read_text(encoding="utf-8")
    assert "\nsubmission 100.00" in scores.table
    assert "anascore: submission" in page


def test_an_image_without_anascore_is_named(tmp_path: Path) -> None:
    write_competition(tmp_path / "bundle", task="conll12")
    program = tmp_path / "bundle/scoring_program/scoring.py"

    run = subprocess.run(
        [sys.executable, "-I", "-S", program], capture_output=True, text=True, check=False
    )

    assert run.returncode == 1
    assert "anascore is not installed in this image: No module named 'anascore'" in run.stderr


def test_a_corpus_of_several_files_is_scored_as_one(tmp_path: Path) -> None:
    reference = write_files(tmp_path / "keys", {"a/key.conllua": KEY.read_text(encoding="utf-8")})
    write_competition(tmp_path / "bundle", task="codicrac-ar", reference=reference)
    app = tmp_path / "app"
    shutil.copytree(tmp_path / "bundle/reference_data", app / "input/ref")
    text = SYSTEMS[0].read_text(encoding="utf-8")
    write_files(app / "input/res", {"my system/out/b.conllua": text, "README.md": "Hello\n"})

    scores = score_submission(app / "input", app / "output", task="codicrac-ar")

    result = anascore.score(KEY, SYSTEMS[0], task="codicrac-ar")
    assert scores.values["conll"] == pytest.approx(100 * result.conll)  # type: ignore[operator]
    assert [*scores.values][:3] == ["conll", "muc_recall", "muc_precision"]
    assert scores.table.startswith("All entities")
    page = (app / "output/detailed_results.html").read_text(encoding="utf-8")
    assert "anascore: submission" in page
    assert "cinema" not in page


def test_texts_are_shown_on_request(tmp_path: Path) -> None:
    write_files(tmp_path / "ref", {"k.conllua": KEY.read_text(encoding="utf-8")})
    shutil.copytree(tmp_path / "ref", tmp_path / "res")

    score_submission(tmp_path, tmp_path / "out", task="conll12", documents="worst:1")

    first = next(iter(anascore.read(KEY).documents.values()))
    page = (tmp_path / "out/detailed_results.html").read_text(encoding="utf-8")
    assert all(str(word) in page for word in [*first.words][:5])


def test_tasks_about_other_layers_have_tables(tmp_path: Path) -> None:
    key, response = SAMPLES["layers-key.conllua"], SAMPLES["layers.conllua"]
    write_files(tmp_path, {"ref/a.conllua": key, "res/a.conllua": response})

    scores = score_submission(tmp_path, tmp_path / "out", task="codicrac-br")

    assert next(iter(scores.values)) == "bridging-anaphors_f1"
    page = (tmp_path / "out/detailed_results.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>\n<html")
    assert "<table" in page
    assert "<iframe" not in page


def test_undefined_scores_are_left_out(tmp_path: Path) -> None:
    text = KEY_TEXT.replace("\n3.1\t", "\n3.1\t")
    plain = "\n".join(line for line in text.splitlines() if not re.match(r"\d+\.\d+\t", line))
    write_files(tmp_path, {"ref/a.conllu": f"{plain}\n\n", "res/a.conllu": f"{plain}\n\n"})

    scores = score_submission(tmp_path, tmp_path / "out", task="crac26")

    assert not [name for name in scores.values if name.startswith("anaphors")]
    assert scores.values["conll_a"] == 100


def test_the_same_bundle_is_the_same_zip(keys: Path, tmp_path: Path) -> None:
    day = date(2026, 1, 2)
    zips = [
        write_competition(tmp_path / name, task="crac26", reference=keys, start=day)
        for name in "ab"
    ]

    assert zips[0]
    assert zips[1]
    assert zips[0].read_bytes() == zips[1].read_bytes()


LONG = "a-name-of-a-dataset-that-is-too-long"
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "task": ({"task": "crac62"}, "no such task: 'crac62' (did you mean 'crac26'?); choose from "),
    "image": ({"image": "My image"}, "--image 'My image': give the name of an image, like "),
    "documents": ({"documents": "a,b"}, "--documents a,b: give a number, worst:N, or all"),
    "reference": ({"reference": "nowhere"}, "nowhere: no such file or folder"),
    "broken reference": (
        {"reference": "broken.conllu"},
        "broken.conllu:3: ",
    ),
    "broken file in a folder": (
        {"reference": "./folder", "task": "conll12"},
        "folder/broken.conllu:3: ",
    ),
    "nothing in a folder": (
        {"reference": "there"},
        "there/a: ",
    ),
    "nothing to score": (
        {"reference": "nothing.conllu"},
        "the key has nothing to score by conll, the first score of the task crac26",
    ),
    "long name": (
        {"reference": f"{LONG}.conllu"},
        f"the name of the dataset '{LONG}' is too long for a column of Codabench, which has 36 "
        "characters; rename it to 30",
    ),
    "link": (
        {"reference": "links"},
        "links/a.conllu: this cannot be copied: [Errno 2] No such file or directory: ",
    ),
    "no name": ({"folder": ""}, "'': name a new folder"),
    "here": ({"folder": "."}, "'.': name a new folder"),
    "null": ({"folder": "a\0/b"}, "a\0/b: the bundle cannot be written: "),
    "folder": ({"folder": "there"}, "there: this already exists; choose another folder"),
    "zip": ({"folder": "zipped"}, "zipped.zip: this already exists; choose another folder"),
    "file": (
        {"folder": "broken.conllu/a"},
        "broken.conllu/a: the bundle cannot be written: ",
    ),
}


@pytest.mark.parametrize(("options", "message"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_written(
    options: dict[str, Any], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    start, *_ = KEY_TEXT.splitlines()
    nothing = f"{start}\n# newdoc id = a\n1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n"
    write_files(
        tmp_path,
        {
            "broken.conllu": nothing.replace("root\t_\t_", "root\t_\tEntity=(e1-x-1-"),
            "folder/broken.conllu": nothing.replace("root\t_\t_", "root\t_\tEntity=(e1-x-1-"),
            "nothing.conllu": nothing,
            f"{LONG}.conllu": KEY_TEXT,
            "there/a": "",
            "zipped.zip": "",
        },
    )
    (tmp_path / "links").mkdir()
    (tmp_path / "links/a.conllu").symlink_to("nowhere")
    before = sorted(tmp_path.rglob("*"))

    with pytest.raises(anascore.AnascoreError) as caught:
        write_competition(**{"folder": "new", "task": "crac26", **options})

    assert str(caught.value).startswith(message)
    assert sorted(tmp_path.rglob("*")) == before


def test_nothing_is_left_half_done(
    keys: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(codabench, "_zip", fail)

    with pytest.raises(anascore.WriteError, match="cannot be written: No space left on device"):
        write_competition(tmp_path / "bundle", task="crac26", reference=keys)

    assert [path.name for path in tmp_path.iterdir()] == ["keys"]


def test_the_program_needs_two_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert score_main([], task="crac26") == 2
    assert capsys.readouterr().err == (
        "anascore: error: give two folders: the one with ref and res, and the one to write to\n"
    )
    assert score_main([str(tmp_path), str(tmp_path / "out")], task="crac26") == 2
    assert capsys.readouterr().err == f"anascore: error: {tmp_path}/ref: no such file or folder\n"
    assert not (tmp_path / "out").exists()


def test_the_command_says_what_comes_next(
    keys: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle = tmp_path / "b"

    assert main(["codabench", str(bundle), "--task", "crac26", "--reference", str(keys)]) == 0

    image = f"anascore:{anascore.__version__}"
    assert capsys.readouterr().out.splitlines() == [
        f"The name of the image, {image}, has no registry, so Codabench cannot pull it. Use "
        f"--image NAME, with a name like USER/{image}.",
        "Build the image in the source folder of anascore, and push it:",
        f"    docker build --target codabench --tag USER/{image} .",
        f"    docker push USER/{image}",
        f"Upload {bundle}.zip to Codabench.",
    ]
