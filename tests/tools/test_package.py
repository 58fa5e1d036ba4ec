"""The package: its metadata, the check of its contents, and the recipe for conda."""

import io
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import yaml

import anascore
from support.paths import ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CHECK = ROOT / ".ci" / "package.py"

COMPETITION = "anascore/integrations/competition"
WHEEL = (
    *("anascore/__init__.py", "anascore/py.typed", "anascore/example/key.conllua"),
    *("anascore/example/rules.jsonl", "anascore/example/README.md"),
    *(f"anascore/output/html/{name}" for name in ("page.css", "page.js", "viewer.js")),
    *(f"{COMPETITION}/{name}" for name in ("competition.yaml", "logo.png", "pages/terms.md")),
    *(f"{COMPETITION}/scoring_program/{name}" for name in ("metadata", "scoring.py")),
    *("anascore/formats/_scanner.abi3.so", "anascore-0.1.dist-info/METADATA"),
)
SDIST = (
    *("pyproject.toml", "tools/hatch_build.py", "README.md", "LICENSE", "CHANGELOG.md"),
    *("CITATION.cff", "Makefile", "action.yml", "Dockerfile", ".pre-commit-hooks.yaml"),
    *("src/anascore/py.typed", "src/anascore/formats/_scanner.c", "tests/cli/test_commands.py"),
    *("docs/howto/codabench.md", "tools/conda/meta.yaml", "tools/github/score.sh"),
)


def write_package(folder: Path, wheel: tuple[str, ...], sdist: tuple[str, ...]) -> None:
    with ZipFile(folder / "a.whl", "w") as zipped:
        for name in wheel:
            zipped.writestr(name, "")
    with tarfile.open(folder / "a.tar.gz", "w:gz") as archive:
        for name in sdist:
            archive.addfile(tarfile.TarInfo(f"a/{name}"), io.BytesIO())


def check(folder: Path) -> tuple[int, str]:
    run = subprocess.run(
        [sys.executable, CHECK, folder], capture_output=True, text=True, check=False
    )
    assert run.stderr == ""
    return run.returncode, run.stdout


CONTENTS = {
    "right": (WHEEL, SDIST, "package: the contents of a.whl and a.tar.gz are right\n"),
    "no types": (
        tuple(name for name in WHEEL if name != "anascore/py.typed"),
        SDIST,
        "package: wheel: anascore/py.typed is missing\n",
    ),
    "tests": (
        (*WHEEL, "tests/cli/test_commands.py"),
        SDIST,
        "package: wheel: tests/cli/test_commands.py does not belong there\n",
    ),
    "data of others": (
        (*WHEEL, "anascore/example/gum.conllu"),
        SDIST,
        "package: wheel: anascore/example/gum.conllu does not belong there\n",
    ),
    "sdist": (
        WHEEL,
        (*SDIST[1:], "shared/corpora/gum/key.conllu", "src/anascore/x.so"),
        "package: sdist: pyproject.toml is missing\n"
        "package: sdist: shared/corpora/gum/key.conllu does not belong there\n"
        "package: sdist: src/anascore/x.so does not belong there\n",
    ),
}


@pytest.mark.parametrize(("wheel", "sdist", "message"), CONTENTS.values(), ids=CONTENTS)
def test_contents(
    wheel: tuple[str, ...], sdist: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    write_package(tmp_path, wheel, sdist)

    assert check(tmp_path) == (int("right" not in message), message)


def test_there_must_be_a_wheel_and_an_sdist(tmp_path: Path) -> None:
    message = f"package: {tmp_path} must have one wheel and one sdist\n"
    assert check(tmp_path) == (2, message)


def test_what_the_wheel_needs_is_in_the_source() -> None:
    for name in SDIST:
        assert (ROOT / name).exists(), name
    for name in WHEEL[:-2]:
        assert (ROOT / "src" / name).exists(), name


def test_the_sdist_has_what_the_tests_read() -> None:
    included = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]

    for name in ("action.yml", "Dockerfile", ".dockerignore", ".pre-commit-hooks.yaml", "tools"):
        assert name in included
    assert all((ROOT / name).exists() for name in included)


def test_classifiers_and_addresses() -> None:
    project = PROJECT["project"]
    versions = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))

    assert versions == ["3.11", "3.12", "3.13", "3.14"]
    assert project["requires-python"] == f">={versions[0]}"
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert f"for version in {' '.join(versions)};" in makefile
    assert "Development Status :: 4 - Beta" in project["classifiers"]
    assert all(address.startswith("https://") for address in project["urls"].values())


def bounds(requirements: list[str]) -> list[str]:
    """Return requirements of pip as those of conda, which have a blank before the version."""
    return [re.sub(r"(?=[<>=])", " ", requirement, count=1) for requirement in requirements]


def test_the_conda_recipe_is_that_of_the_package() -> None:
    recipe = yaml.safe_load((ROOT / "tools/conda/meta.yaml").read_text(encoding="utf-8"))
    project = PROJECT["project"]
    python = f"python {project['requires-python']}"

    assert recipe["package"] == {"name": "anascore", "version": anascore.__version__}
    assert recipe["requirements"]["run"] == [python, *bounds(project["dependencies"])]
    build = bounds(PROJECT["build-system"]["requires"])
    assert recipe["requirements"]["host"] == [python, "pip", *build]
    assert recipe["about"]["license"] == project["license"]
    assert recipe["about"]["summary"] == project["description"]
    source = ROOT / "tools/conda" / recipe["source"]["path"]
    assert (source / recipe["about"]["license_file"]).exists()


def test_the_tests_of_the_conda_recipe_pass() -> None:
    recipe = yaml.safe_load((ROOT / "tools/conda/meta.yaml").read_text(encoding="utf-8"))

    for module in recipe["test"]["imports"]:
        __import__(module)
    for command in recipe["test"]["commands"]:
        program, *words = command.split()
        run = subprocess.run(
            [sys.executable, "-m", program, *words], capture_output=True, text=True, check=True
        )
        assert run.stdout
