"""What is loaded when: what takes long to load is loaded when it is needed."""

import subprocess
import sys

import pytest

import anascore

SLOW = {"numpy", "scipy", "rapidfuzz", "multiprocessing", "unittest"}


def loaded(code: str) -> set[str]:
    """Run code in a process of its own, and return the names of the modules that it loads."""
    before = "import sys; before = {*sys.modules}"
    show = "sys.stderr.write(' '.join({*sys.modules} - before))"
    done = subprocess.run(
        [sys.executable, "-c", f"{before}\n{code}\n{show}"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.split())


def test_importing_loads_nothing_else() -> None:
    modules = loaded("import anascore")

    assert {name for name in modules if name.startswith("anascore.")} == {"anascore.version"}
    assert not modules & {*SLOW, "argparse", "dataclasses"}


@pytest.mark.parametrize("arguments", [["--version"], ["--help"]])
def test_no_command_is_loaded_before_it_is_named(arguments: list[str]) -> None:
    code = f"from anascore.cli import main\ntry: main({arguments})\nexcept SystemExit: pass"

    modules = loaded(code)

    assert not {name for name in modules if name.startswith("anascore.cli.")}
    assert not modules & {*SLOW, "anascore.model.document", "anascore.formats"}


def test_a_command_loads_itself_only() -> None:
    modules = loaded("from anascore.cli import main; main(['demo'])")

    assert "anascore.cli.score" in modules
    assert not modules & {*SLOW, "anascore.cli.analysis", "anascore.cli.corpus"}


def test_everything_public_is_there() -> None:
    assert all(hasattr(anascore, name) for name in anascore.__all__)
    assert {*anascore.__all__} <= {*dir(anascore)}
    with pytest.raises(AttributeError, match="module 'anascore' has no attribute 'gold'"):
        _ = anascore.gold  # type: ignore[attr-defined]
