"""The Dockerfile: built by Docker where it runs; its steps run in virtual environments."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import anascore
from anascore.integrations.codabench import IMAGE, write_competition
from support.paths import ROOT
from support.samples import SAMPLES

NOT_INSTALLABLE = ("No matching distribution found", "ConnectionError", "Could not find a version")
"""Words in the messages of pip where packages cannot be had."""


@dataclass
class Stage:
    """A stage of the Dockerfile."""

    base: str
    name: str
    steps: list[tuple[str, str]] = field(default_factory=list)

    def value(self, instruction: str) -> str:
        """Return the last value of an instruction; empty if there is none."""
        return next((text for name, text in reversed(self.steps) if name == instruction), "")


def stages() -> list[Stage]:
    """Parse the Dockerfile."""
    parsed: list[Stage] = []
    for line in (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        instruction, rest = line.split(" ", 1)
        if instruction == "FROM":
            base, _, name = rest.partition(" AS ")
            parsed.append(Stage(base, name))
        else:
            parsed[-1].steps.append((instruction, rest))
    return parsed


def test_the_last_stage_is_a_command_without_rights() -> None:
    build, codabench, last = stages()

    assert [build.name, codabench.name, last.name] == ["build", "codabench", ""]
    assert last.base == codabench.name
    assert last.value("USER") == "anascore"
    assert "useradd --create-home anascore" in last.value("RUN")
    assert json.loads(last.value("ENTRYPOINT")) == ["anascore"]
    # Codabench adds its command to the entry point, and its folders belong to root.
    assert not codabench.value("ENTRYPOINT")
    assert not codabench.value("USER")
    assert codabench.base == "python:3.12-slim"


def test_the_version_is_that_of_the_image() -> None:
    assert f"--tag {IMAGE} " in (ROOT / "Dockerfile").read_text(encoding="utf-8")


def context() -> set[str]:
    """Return the files that .dockerignore leaves, as far as the Dockerfile can copy them."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    kept = {line.removeprefix("!") for line in lines if line.startswith("!")}
    assert lines[0] == "*"
    return kept


class Machine:
    """Runs the steps of stages in folders and virtual environments."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, stage: Stage, path: str) -> Path:
        """Return the folder that stands for one in the file system of a stage."""
        name = stage.name or "last"
        return self.folder / name / path.lstrip("/")

    def run(self, stage: Stage) -> None:
        """Run all steps of a stage in an environment of its own, or in that of its base."""
        environment = self.folder / f"{stage.name}-env"
        if stage.name:
            subprocess.run([sys.executable, "-m", "venv", environment], check=True)
        place = self.path(stage, "/")
        place.mkdir(parents=True)
        for instruction, text in stage.steps:
            if instruction == "WORKDIR":
                place = self.path(stage, text)
                place.mkdir(parents=True)
            elif instruction == "COPY":
                self.copy(stage, place, text)
            elif instruction == "RUN" and "useradd" not in text:
                self.shell(stage, environment, place, text)

    def copy(self, stage: Stage, place: Path, text: str) -> None:
        """Copy files from the repository or from another stage."""
        source = re.match("--from=(\\S+) ", text)
        *names, target = text.removeprefix(source[0] if source else "").split()
        for name in names:
            start = self.folder / source[1] if source else ROOT
            assert source or name in context(), f".dockerignore leaves out {name}"
            path = start / name.lstrip("/")
            to = self.path(stage, target) if target.startswith("/") else place / target
            if path.is_dir():
                ignore = shutil.ignore_patterns("__pycache__", "*.so")
                shutil.copytree(path, to, ignore=ignore, dirs_exist_ok=True)
            else:
                to.parent.mkdir(exist_ok=True)
                shutil.copy(path, to)

    def shell(self, stage: Stage, environment: Path, place: Path, command: str) -> None:
        """Run a command with the Python of the environment, and paths of the stage."""
        command = re.sub(r"(?<= )/(?=\w)", f"{self.path(stage, '/')}/", command)
        path = f"{environment}/bin{os.pathsep}{os.environ['PATH']}"
        run = subprocess.run(
            ["sh", "-ec", command],
            cwd=place,
            env={**os.environ, "PATH": path, "VIRTUAL_ENV": str(environment)},
            capture_output=True,
            text=True,
            check=False,
        )
        if any(words in run.stderr for words in NOT_INSTALLABLE):
            pytest.skip(f"nothing can be installed here: {run.stderr.splitlines()[-1]}")
        assert run.returncode == 0, run.stderr


def test_the_steps_install_the_command(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    for stage in stages():
        machine.run(stage)
    programs = tmp_path / "codabench-env/bin"
    last = stages()[-1]
    entry, command = json.loads(last.value("ENTRYPOINT")), json.loads(last.value("CMD"))

    def run(*words: str | Path) -> str:
        return subprocess.run(
            [programs / words[0], *words[1:]],
            cwd=machine.path(last, last.value("WORKDIR")),
            env={"PATH": str(programs)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    assert run(*entry, *command).startswith("usage: anascore ")
    assert run(*entry, "--version") == f"anascore {anascore.__version__}\n"
    assert "CoNLL" in run(*entry, "demo")
    where = run("python3", "-c", "import anascore.formats.scanner as s; print(s.__file__)")
    assert where.startswith(str(programs.parent))
    assert not any((tmp_path / "codabench/wheels").glob("*"))


def is_docker_running() -> bool:
    return (
        bool(shutil.which("docker"))
        and not subprocess.run(["docker", "info"], capture_output=True, check=False).returncode
    )


@pytest.mark.skipif(not is_docker_running(), reason="no Docker engine is running")
def test_docker_builds_both_images(tmp_path: Path) -> None:  # pragma: no cover
    def docker(*words: str | Path) -> str:
        return subprocess.run(
            ["docker", *words], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout

    docker("build", "--target", "codabench", "--tag", "anascore-test:codabench", ".")
    docker("build", "--tag", "anascore-test:latest", ".")
    assert "CoNLL" in docker("run", "--rm", "anascore-test:latest", "demo")
    user = docker("run", "--rm", "--entrypoint", "id", "anascore-test:latest", "-un")
    assert user == "anascore\n"
    key = tmp_path / "key.conllu"
    key.write_text(SAMPLES["zeros-key.conllu"], encoding="utf-8")
    write_competition(tmp_path / "bundle", task="crac26", reference=key)
    for source, target in (
        ("bundle/scoring_program", "program"),
        ("bundle/reference_data", "input/ref"),
        ("bundle/reference_data", "input/res"),
    ):
        shutil.copytree(tmp_path / source, tmp_path / "app" / target)
    command = ["python3", "/app/program/scoring.py", "/app/input/", "/app/output/"]
    volume = f"{tmp_path}/app:/app"
    docker("run", "--rm", "--volume", volume, "anascore-test:codabench", *command)
    assert json.loads((tmp_path / "app/output/scores.json").read_text())["conll"] == 100
