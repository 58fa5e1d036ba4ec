"""The action for GitHub, its steps run with the variables that the platform sets; and the hook."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import anascore
from anascore.example import KEY, SYSTEMS, copy_example
from anascore.formats.registry import FORMATS
from support.paths import ROOT
from support.samples import SAMPLES

SITE = Path(pytest.__file__).parents[1]
"""Folder of the packages of this environment."""

ACTION: Any = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))


class Job:
    """A job that runs the steps of the action that are commands."""

    def __init__(self, folder: Path) -> None:
        self.workspace, self.temporary = folder / "workspace", folder / "temporary"
        self.summary, self.output = folder / "summary.md", folder / "output.txt"
        for path in (self.workspace, self.temporary):
            path.mkdir()
        for path in (self.summary, self.output):
            path.touch()
        copy_example(str(self.workspace))

    def run(
        self, name: str, inputs: dict[str, str], programs: Path = Path(sys.executable).parent
    ) -> subprocess.CompletedProcess[str]:
        """Run the step of a name with inputs, or their defaults."""
        (step,) = (step for step in ACTION["runs"]["steps"] if step.get("name") == name)
        values = {key: described.get("default", "") for key, described in ACTION["inputs"].items()}
        values |= inputs

        def expand(text: str) -> str:
            return re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda match: values[match[1]], text)

        script = self.temporary / "step.sh"
        script.write_text(expand(step["run"]), encoding="utf-8")
        assert step["shell"] == "bash"
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script],
            cwd=self.workspace,
            env={
                **os.environ,
                **{key: expand(value) for key, value in step.get("env", {}).items()},
                "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
                "GITHUB_ACTION_PATH": str(ROOT),
                "GITHUB_STEP_SUMMARY": str(self.summary),
                "GITHUB_OUTPUT": str(self.output),
                "RUNNER_TEMP": str(self.temporary),
            },
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def outputs(self) -> dict[str, str]:
        """Return the outputs of the step."""
        lines = self.output.read_text(encoding="utf-8").splitlines()
        return dict(line.split("=", 1) for line in lines)


INPUTS = {"key": "key.conllua", "response": "neural.conllua"}


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return Job(tmp_path)


def test_the_action_is_complete() -> None:
    steps = ACTION["runs"]["steps"]
    text = (ROOT / "action.yml").read_text(encoding="utf-8")

    assert ACTION["runs"]["using"] == "composite"
    assert all(("uses" in step) != ("run" in step) for step in steps)
    assert {*re.findall(r"inputs\.([a-z-]+)", text)} == {*ACTION["inputs"]}
    assert all(described["description"] for described in ACTION["inputs"].values())
    page = (ROOT / "docs/howto/ci.md").read_text(encoding="utf-8")
    assert all(re.search(rf"^\| .*`{name}`.* \| ", page, re.MULTILINE) for name in ACTION["inputs"])
    script = (ROOT / "tools/github/score.sh").read_text(encoding="utf-8")
    (score,) = (step for step in steps if step.get("id") == "score")
    for variable in score["env"]:
        assert f"${{{variable}:-}}" in script
    for name, output in ACTION["outputs"].items():
        assert output["value"] == f"${{{{ steps.score.outputs.{name} }}}}"
        assert f"{name}=" in script
    assert steps[-1]["if"].startswith("${{ always() ")
    assert {step["uses"].split("@")[0] for step in steps if "uses" in step} == {
        *("actions/setup-python", "actions/upload-artifact")
    }


def test_scores_are_in_the_summary(job: Job) -> None:
    run = job.run("Score", {**INPUTS, "response": "neural.conllua\n ours=rules.conllua\n"})

    assert (run.returncode, run.stderr) == (0, "")
    table = anascore.compare(KEY, {"neural": SYSTEMS[0], "ours": SYSTEMS[1]}).render("markdown")
    assert job.summary.read_text(encoding="utf-8") == f"## anascore\n\n{table}"
    assert job.outputs == {"conll": "82.55", "json": f"{job.temporary}/anascore.json"}
    assert "<!DOCTYPE html>" in (job.workspace / "anascore-report.html").read_text(encoding="utf-8")
    assert len(anascore.merge(job.outputs["json"])) == 2


def test_a_score_below_the_limit_fails(job: Job) -> None:
    run = job.run("Score", {**INPUTS, "fail-under": "conll=90", "report": ""})

    assert run.returncode == 1
    assert run.stdout == (
        "::error title=anascore::neural: conll is 82.55, but must be at least 90\n"
    )
    assert "82.55" in job.summary.read_text(encoding="utf-8")
    assert "    anascore: failed: neural" in job.summary.read_text(encoding="utf-8")
    assert job.outputs["conll"] == "82.55"
    assert not (job.workspace / "anascore-report.html").exists()


@pytest.mark.parametrize(("drop", "status"), [("", 1), ("50", 0)])
def test_a_baseline(job: Job, drop: str, status: int) -> None:
    (job.workspace / "old.json").write_text(anascore.score(KEY, KEY).to_json())

    run = job.run("Score", {**INPUTS, "baseline": "old.json", "max-drop": drop})

    assert run.returncode == status
    assert (job.workspace / "anascore-report.html").exists()


def test_task_and_options(job: Job) -> None:
    inputs = {
        **INPUTS,
        "response": "A b=neural.conllua",
        "task": "codicrac-ar",
        "options": "--metrics 'muc,b3' --by \"first letter=^.\"",
        "report": "",
    }

    run = job.run("Score", inputs)

    assert run.returncode == 0, run.stderr
    summary = job.summary.read_text(encoding="utf-8")
    assert "task:codicrac-ar" in summary
    assert "A b" in summary
    assert job.outputs["conll"] == ""


MISTAKES = {
    "no key": ({"key": ""}, "::error title=anascore::name a key\n", ""),
    "no response": ({"response": " \n"}, "::error title=anascore::name a response\n", ""),
    "quote": (
        {"options": "--metrics 'muc"},
        "::error title=anascore::options have a quote that is never closed: --metrics 'muc\n",
        "",
    ),
    "no file": (
        {"response": "100%.conllua"},
        "::error title=anascore::100%25.conllua: no such file\n",
        "    anascore: error: 100%.conllua: no such file\n",
    ),
    "bad file": (
        {"response": "bad.conllua"},
        "::error title=anascore::bad.conllua:2: ",
        "    anascore: error: bad.conllua:2: ",
    ),
    "task": ({"task": "crac"}, "::error title=anascore::argument --task: ", "invalid choice"),
    "baseline": ({"baseline": "none.json"}, "::error title=anascore::none.json: ", "none.json"),
}


@pytest.mark.parametrize(("inputs", "annotation", "summary"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes(job: Job, inputs: dict[str, str], annotation: str, summary: str) -> None:
    columns = "# global.columns = ID FORM UPOS IDENTITY\n"
    (job.workspace / "bad.conllua").write_text(f"{columns}x\ta\t_\t_\n", encoding="utf-8")

    run = job.run("Score", {**INPUTS, **inputs})

    assert run.returncode == 2
    assert run.stdout.startswith(annotation)
    assert summary in job.summary.read_text(encoding="utf-8")
    assert job.outputs == {}


def test_the_action_installs_itself(job: Job, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    (site,) = (tmp_path / "env/lib").glob("python3*/site-packages")
    # The dependencies are those of this environment, and pip has not to install them again.
    (site / "dependencies.pth").write_text(str(SITE))

    install = job.run("Install anascore", INPUTS, tmp_path / "env/bin")
    if "No matching distribution found" in install.stderr:
        pytest.skip("nothing can be installed here")
    assert install.returncode == 0, install.stderr
    assert (tmp_path / "env/bin/anascore").exists()

    run = job.run("Score", INPUTS, tmp_path / "env/bin")
    assert (run.returncode, job.outputs["conll"]) == (0, "82.55")


(HOOK,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


def test_the_hook_looks_at_the_files_of_formats() -> None:
    names = {f"corpus/a{ending}" for target in FORMATS.values() for ending in target.endings}

    others = {"corpus/a.txt", "corpus/a_conll"}
    assert {name for name in names if re.search(HOOK["files"], name)} == names - others
    assert not re.search(HOOK["files"], "package.json")


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no clone with git")
def test_pre_commit_runs_the_hook(tmp_path: Path) -> None:
    pre_commit = Path(sys.executable).parent / "pre-commit"
    git = shutil.which("git")
    if git is None or not pre_commit.exists():
        pytest.skip("git and pre-commit are not both installed")
    repository, hooks = tmp_path / "corpus", tmp_path / "hooks"
    subprocess.run([git, "init", "--quiet", repository], check=True)
    # The working tree as it is, committed to a repository of its own.
    files = subprocess.run(
        [git, "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in filter(None, files.stdout.split("\0")):
        if name.startswith(("src/", "tools/hatch", "pyproject", "README", "LICENSE", ".pre-")):
            (hooks / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, hooks / name)
    author = ("-c", "user.name=anascore", "-c", "user.email=anascore@example.org")
    for words in (["init", "--quiet"], ["add", "."], [*author, "commit", "--quiet", "-m", "x"]):
        subprocess.run([git, *words], cwd=hooks, check=True)
    revision = subprocess.run(
        [git, "rev-parse", "HEAD"], cwd=hooks, capture_output=True, text=True, check=True
    )
    config = {"repo": str(hooks), "rev": revision.stdout.strip(), "hooks": [{"id": HOOK["id"]}]}
    text = SAMPLES["zeros-key.conllu"]
    for name, content in {
        ".pre-commit-config.yaml": yaml.safe_dump({"repos": [config]}),
        "good.conllu": text,
        "bad.conllu": text.replace("Entity=(", "Entity=((", 1),
        "notes.txt": "no corpus\n",
    }.items():
        (repository / name).write_text(content, encoding="utf-8")

    def run(*names: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [pre_commit, "run", "--files", *names],
            cwd=repository,
            env={**os.environ, "PRE_COMMIT_HOME": str(tmp_path / "home")},
            capture_output=True,
            text=True,
            check=False,
        )

    good = run("good.conllu", "notes.txt")
    if "No matching distribution found" in good.stdout:
        pytest.skip("nothing can be installed here")
    assert good.returncode == 0, good.stdout + good.stderr
    assert re.search(r"validate coreference annotation\.+Passed", good.stdout)
    bad = run("good.conllu", "bad.conllu")
    assert bad.returncode == 1
    assert re.search(r"^bad\.conllu:\d+: error: ", bad.stdout, re.MULTILINE), bad.stdout
