"""What is loaded when: what takes long to load is loaded when it is needed."""

import subprocess
import sys
from pathlib import Path

import pytest

import anascore
from support.paper import KEY, SYSTEMS

SLOW = {"msgspec", "numpy", "scipy", "rapidfuzz", "shtab", "multiprocessing", "unittest"}


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
    code = f"from anascore.cli.main import main\ntry: main({arguments})\nexcept SystemExit: pass"

    modules = loaded(code)

    assert not {name for name in modules if name.startswith("anascore.cli.main.")}
    assert not modules & {*SLOW, "anascore.model.document", "anascore.formats"}


def test_a_command_loads_itself_only() -> None:
    code = f"from anascore.cli.main import main; main(['score', {str(KEY)!r}, {str(SYSTEMS[0])!r}])"

    modules = loaded(code)

    assert "anascore.cli.score" in modules
    assert not modules & {
        *SLOW,
        "anascore.cli.analysis",
        "anascore.cli.corpus",
        "anascore.cli.demo",
    }


COREFUD = """# global.Entity = eid-etype-head-other
# newdoc id = d
1\tMary\tMary\tPROPN\t_\t_\t0\troot\t_\tEntity=(e1-person-1-)

"""


def test_scoring_loads_the_formats_of_its_files_only(tmp_path: Path) -> None:
    path = tmp_path / "key.conllu"
    path.write_text(COREFUD, encoding="utf-8")

    modules = loaded(f"from anascore.cli.main import main; main(['score', '{path}', '{path}'])")

    assert "anascore.formats.corefud" in modules
    others = {"conll2012", "ua", "jsonl", "brat", "booknlp", "stanza", "llm_json", "json_values"}
    assert not modules & {f"anascore.formats.{name}" for name in others}
    assert not {name for name in modules if name.startswith("anascore.integrations")}
    assert not modules & {*SLOW, "json", "csv", "difflib", "statistics", "gzip"}


def test_the_collector_does_not_search_all_objects_at_the_exit() -> None:
    show = "import atexit, gc; atexit.register(lambda: print(gc.get_freeze_count() > 0))"
    code = f"{show}\nfrom anascore.cli.main import main\nmain(['tasks'])"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "True"


def test_everything_public_is_there() -> None:
    assert all(hasattr(anascore, name) for name in anascore.__all__)
    assert {*anascore.__all__} <= {*dir(anascore)}
    with pytest.raises(AttributeError, match="module 'anascore' has no attribute 'gold'"):
        _ = anascore.gold  # type: ignore[attr-defined]
