"""Check of the contents of the wheel and the sdist in a folder.

    python .ci/package.py dist

The exit status is 1 if a file is missing or does not belong there, and 2 if there is not one of
each.
"""

import re
import sys
import tarfile
from collections.abc import Iterable
from pathlib import Path
from zipfile import ZipFile

WHEEL = (
    r"anascore/(\w+/)*\w+\.py",
    r"anascore/py\.typed",
    r"anascore/example/README\.md",
    r"anascore/example/(key|neural|rules|baseline)\.(conll|conllu|conllua|jsonl)",
    r"anascore/formats/_scanner\.(c|[\w.-]+\.(so|pyd))",
    r"anascore/output/html/(page\.css|page\.js|viewer\.js)",
    r"anascore/integrations/competition/(competition\.yaml|logo\.png|(\w+/)*\w+\.md)",
    r"anascore/integrations/competition/scoring_program/metadata(\.yaml)?",
    r"anascore-[\w.]+\.dist-info/(METADATA|WHEEL|RECORD|entry_points\.txt|licenses/LICENSE)",
)
"""Patterns of the files of a wheel: no tests, and no data of others."""

NEEDED = {
    "wheel": (
        *("anascore/__init__.py", "anascore/py.typed", "anascore/example/key.conllua"),
        *(f"anascore/output/html/{name}" for name in ("page.css", "page.js", "viewer.js")),
        *(
            f"anascore/integrations/competition/{name}"
            for name in ("competition.yaml", "logo.png", "scoring_program/scoring.py")
        ),
    ),
    "sdist": (
        *("pyproject.toml", "tools/hatch_build.py", "README.md", "LICENSE", "CHANGELOG.md"),
        *("CITATION.cff", "Makefile", "action.yml", "Dockerfile", ".pre-commit-hooks.yaml"),
        *("src/anascore/py.typed", "src/anascore/formats/_scanner.c", "tests/cli/test_commands.py"),
        *("docs/howto/codabench.md", "tools/conda/meta.yaml", "tools/github/score.sh"),
    ),
}
"""Files that must be there."""

UNWANTED = re.compile(r"(^|/)(__pycache__|\.venv|\.git|shared|corpora)/|\.(pyc|so|pyd|whl)$")
"""Pattern of files that an sdist must not have."""


def problems_of(kind: str, names: Iterable[str]) -> list[str]:
    """Return what is wrong with the files of a wheel or an sdist."""
    listed = set(names)
    problems = [f"{kind}: {name} is missing" for name in NEEDED[kind] if name not in listed]
    for name in sorted(listed):
        allowed = any(re.fullmatch(pattern, name) for pattern in WHEEL)
        if not allowed if kind == "wheel" else UNWANTED.search(name):
            problems.append(f"{kind}: {name} does not belong there")
    return problems


def names_in_wheel(path: Path) -> list[str]:
    """Return the files of a wheel."""
    with ZipFile(path) as archive:
        return archive.namelist()


def names_in_sdist(path: Path) -> list[str]:
    """Return the files of an sdist, without the folder that they are in."""
    with tarfile.open(path) as archive:
        return [item.name.partition("/")[2] for item in archive if item.isfile()]


def main(folder: str) -> int:
    """Check the wheel and the sdist in a folder, and return the exit status."""
    wheels, sdists = (sorted(Path(folder).glob(pattern)) for pattern in ("*.whl", "*.tar.gz"))
    if len(wheels) != 1 or len(sdists) != 1:
        print(f"package: {folder} must have one wheel and one sdist")
        return 2
    problems = [
        *problems_of("wheel", names_in_wheel(wheels[0])),
        *problems_of("sdist", names_in_sdist(sdists[0])),
    ]
    for problem in problems:
        print(f"package: {problem}")
    if not problems:
        print(f"package: the contents of {wheels[0].name} and {sdists[0].name} are right")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
