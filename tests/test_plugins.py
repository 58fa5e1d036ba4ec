"""Plug-ins: formats and metrics of other packages, in Python and on the command line."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore import AnascoreError, Corpus, Overlap, Ratio, SettingsError
from anascore.cli.main import main
from anascore.example import KEY, SYSTEMS
from support.plug_ins import forget_plug_ins, install

KEY_TEXT = "!numbers Ann saw Bo and she waved\n0 4\n2\n"
RESPONSE_TEXT = "!numbers Ann saw Bo and she waved\n0 4 2\n"


def pairs(overlap: Overlap) -> Ratio:
    links = sum(n * (n - 1) // 2 for n in overlap.shared.values())
    return Ratio(links, sum(n * (n - 1) // 2 for n in overlap.own))


def register_pairs(count: Callable[[Overlap], Any] = pairs, **options: Any) -> None:
    anascore.register_metric(
        **{"name": "pairs", "count": count, "label": "Pairs", "version": "1.2", **options}
    )


def read(text: str, name: str) -> Corpus:
    return Corpus.from_clusters([[(0, 0)]], words=text.split(), name=name)


def register_words(**options: Any) -> None:
    chosen = {"name": "words", "read": read, "label": "Words", "version": "2", **options}
    anascore.register_format(**chosen)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install the package, and go to a folder with a key and a response in its format."""
    folder = install(tmp_path / "site")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "anascore_pairs", raising=False)
    forget_plug_ins()
    monkeypatch.chdir(tmp_path)
    Path("key.numbers").write_text(KEY_TEXT, encoding="utf-8")
    Path("response.numbers").write_text(RESPONSE_TEXT, encoding="utf-8")
    return folder


def run(*words: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "anascore", *words],
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


SIGNATURE = "plugin:pairs@1.2,numbers@0.3+dev"


def test_an_installed_package_is_used_on_the_command_line(package: Path) -> None:
    done = run("score", "key.numbers", "response.numbers", "--metrics", "pairs", folder=package)

    assert done.stderr == ""
    assert "Pairs" in done.stdout
    assert "response 100.00  33.33  50.00" in done.stdout
    assert done.stdout.rstrip().endswith(SIGNATURE)


def test_an_installed_package_is_listed(package: Path) -> None:
    assert "\nnumbers  " in run("formats", folder=package).stdout
    text = run("score", "--help", folder=package).stdout
    assert "plug-ins for --metrics: pairs; for --format: numbers" in text
    assert "for --format: numbers" in run("stats", "--help", folder=package).stdout
    script = run("completion", "bash", folder=package).stdout
    assert re.search(r"\bpairs\b", script)
    assert re.search(r"\bnumbers\b", script)
    for words in (["--metrics", "pears"], ["--format", "number"]):
        done = run("score", "key.numbers", "response.numbers", *words, folder=package)
        assert done.returncode == 2
        assert "did you mean" in done.stderr
    assert "plug-ins" not in run("tasks", "--help", folder=package).stdout


def test_without_plug_ins_the_help_names_none(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["score", "--help"])

    assert "plug-ins" not in capsys.readouterr().out


@pytest.mark.usefixtures("package")
def test_an_installed_package_is_used_in_python() -> None:
    result = anascore.score("key.numbers", "response.numbers", metrics="pairs")

    assert result["pairs"].f1 == 0.5
    assert result.signature.endswith(f"|{SIGNATURE}")
    assert anascore.list_formats()["numbers"]["label"] == "Numbers"
    assert anascore.read("key.numbers").formats == ("numbers",)
    forced = anascore.read("key.numbers", format="numbers")
    assert forced == anascore.read("key.numbers")


@pytest.mark.usefixtures("package")
def test_an_installed_format_is_written() -> None:
    forget_plug_ins()
    corpus = Corpus.from_clusters([[(0, 0), (1, 1)]], words=["Ann", "she"])

    anascore.write(corpus, "new.numbers")

    assert Path("new.numbers").read_text(encoding="utf-8") == "!numbers Ann she\n0 1\n"


@pytest.mark.usefixtures("package")
def test_results_are_restored_where_the_package_is_installed() -> None:
    result = anascore.score("key.numbers", "response.numbers", metrics="pairs")
    text = result.to_json()
    forget_plug_ins()

    restored = anascore.Result.from_json(text)

    assert restored.signature == result.signature
    assert anascore.merge([restored])[0].signature == result.signature


def test_results_are_not_restored_without_the_metric() -> None:
    register_pairs()
    text = anascore.score(KEY, SYSTEMS[0], metrics="pairs").to_json()
    forget_plug_ins()

    with pytest.raises(AnascoreError, match="the metric pairs is a plug-in that this process"):
        anascore.Result.from_json(text)


def test_results_of_different_versions_are_not_added() -> None:
    clusters = [[(0, 0), (1, 1)]]
    results = []
    for version in ("1", "2"):
        register_pairs(version=version)
        result = anascore.score_clusters({version: clusters}, {version: clusters}, metrics="pairs")
        results.append(anascore.Result.from_json(result.to_json()))

    with pytest.raises(AnascoreError, match="different settings"):
        anascore.merge(results)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_registered_metric_is_a_metric(jobs: int, tmp_path: Path) -> None:
    register_pairs()

    comparison = anascore.compare(KEY, SYSTEMS, metrics="pairs,muc", paired="bootstrap", jobs=jobs)
    anascore.report(KEY, SYSTEMS, tmp_path / "report.html", metrics="pairs,conll")

    assert comparison[0]["pairs"].f1 == pytest.approx(2 * 92 / (134 + 126))
    assert "Pairs" in str(comparison)
    assert comparison[0].split_only["pairs"].f1 is not None
    assert "|plugin:pairs@1.2|" in comparison[0].signature
    assert "Pairs" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "pairs" not in anascore.score(KEY, SYSTEMS[0])
    with pytest.raises(SettingsError, match="can be explained"):
        anascore.explain(KEY, SYSTEMS[0], metrics="pairs")


def test_a_metric_can_be_replaced() -> None:
    register_pairs()
    register_pairs(lambda o: Ratio(Fraction(1, 2), len(o.own)), version="1.3")

    result = anascore.score_clusters([[1, 2]], [[1, 2]], metrics="pairs")

    assert result["pairs"].f1 == 0.5
    assert result.signature.endswith("|plugin:pairs@1.3")


def executor() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"))


@pytest.mark.usefixtures("package")
def test_workers_of_an_executor_find_installed_packages() -> None:
    with executor() as pool:
        result = anascore.score("key.numbers", "response.numbers", metrics="pairs", executor=pool)
        other = anascore.score(KEY, SYSTEMS[0], metrics="pairs", executor=pool)

    assert result["pairs"].f1 == 0.5
    assert other == anascore.score(KEY, SYSTEMS[0], metrics="pairs")


def test_workers_of_an_executor_must_know_a_metric() -> None:
    register_pairs()

    with executor() as pool, pytest.raises(AnascoreError, match="the metric pairs is a plug-in"):
        anascore.score(KEY, SYSTEMS[0], metrics="pairs", executor=pool)


BAD_METRICS: list[tuple[dict[str, Any], str]] = [
    ({"name": "muc"}, "anascore has its own metric muc; choose another name"),
    ({"name": "bcub"}, "anascore has its own metric bcub"),
    ({"name": "zhou-choi"}, "anascore has its own metric zhou-choi"),
    ({"name": "My Pairs"}, "the name of a metric must be lower-case letters and digits"),
    ({"name": 3}, "the name of a metric must be"),
    ({"label": "MUC"}, "another metric has the label 'MUC'"),
    ({"label": "a\nb"}, "the label of the metric pairs must be text on one line"),
    ({"label": " "}, "the label of the metric pairs must be text on one line"),
    ({"version": "1|2"}, "the version of the metric pairs must be a string"),
    ({"version": 1.2}, 'must be a string like "1.2".*not 1.2'),
    ({"count": 3}, "count of the metric pairs must be a function, not 3"),
]


@pytest.mark.parametrize(("options", "message"), BAD_METRICS)
def test_a_bad_metric_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        register_pairs(**options)


BAD_FORMATS: list[tuple[dict[str, Any], str]] = [
    ({"name": "corefud"}, "anascore has its own format corefud"),
    ({"name": "clusters"}, "anascore has its own format clusters"),
    ({"label": "CoNLL-UA"}, "another format has the label"),
    ({"read": None}, "read of the format words must be a function"),
    ({"detect": "x"}, "detect of the format words must be a function"),
    ({"endings": ".words"}, r"the endings of the format words must be a list like \['.words'\]"),
    ({"endings": ["words"]}, "the endings of the format words"),
    ({"holds": {"zeroes": True}}, r"words: 'zeroes' \(did you mean 'zeros'\?\); choose from zeros"),
    ({"holds": {"zeros": "yes"}}, "zeros of the format words must be True or False, not 'yes'"),
    ({"holds": {"sets": True}}, "sets of the format words must be 'no' or 'of-entities' or"),
]


@pytest.mark.parametrize(("options", "message"), BAD_FORMATS)
def test_a_bad_format_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        register_words(**options)


def test_what_a_format_holds_is_listed() -> None:
    register_words(holds={"sets": "nested", "antecedents": frozenset({"set"}), "zeros": True})

    listed = anascore.list_formats()["words"]

    assert (listed["sets"], listed["antecedents"], listed["zeros"]) == ("nested", "set", True)
    assert not listed["write"]


def fails(*_: Any) -> Any:
    raise KeyError("lemma")


@pytest.mark.parametrize(
    ("count", "message"),
    [
        (fails, "the metric pairs, a plug-in, failed: KeyError: 'lemma'"),
        (lambda _: 0.5, "returned 0.5; it must return a Ratio of integers or fractions"),
        (lambda _: Ratio(0.5, 1), "must return a Ratio of integers"),  # type: ignore[arg-type]
    ],
)
def test_a_metric_that_fails_is_named(count: Callable[[Overlap], Any], message: str) -> None:
    register_pairs(count)

    with pytest.raises(AnascoreError, match=message):
        anascore.score_clusters([[1, 2]], [[1, 2]], metrics="pairs")


def no_memory(*_: Any) -> Any:
    raise MemoryError


@pytest.mark.parametrize(
    ("reader", "message"),
    [
        (fails, "read of the format words, a plug-in, failed: KeyError: 'lemma'"),
        (lambda *_: int("x"), "read as words, a plug-in: invalid literal"),
        (lambda *_: [[(0, 0)]], "read as words, a plug-in: .* is not a corpus"),
        (no_memory, "not enough memory"),
    ],
)
def test_a_reader_that_fails_is_named(
    reader: Callable[..., Any], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.words"
    path.write_text("Ann left", encoding="utf-8")
    register_words(read=reader)

    with pytest.raises(AnascoreError, match=f"a.words: {message}"):
        anascore.read(path, "words")


@pytest.mark.parametrize(
    ("writer", "message"),
    [
        (fails, "write of the format words, a plug-in, failed: KeyError: 'lemma'"),
        (lambda _: b"", "write of the format words, a plug-in, returned b'', not a string"),
    ],
)
def test_a_writer_that_fails_is_named(
    writer: Callable[..., Any], message: str, tmp_path: Path
) -> None:
    register_words(write=writer)

    with pytest.raises(AnascoreError, match=message):
        anascore.write(anascore.read(KEY), tmp_path / "a.words", "words")


def test_a_detector_that_fails_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.words"
    path.write_text("Ann left", encoding="utf-8")
    register_words(detect=fails)

    with pytest.raises(AnascoreError, match="detect of the format words, a plug-in, failed"):
        anascore.read(path)


def test_formats_of_anascore_are_detected_first() -> None:
    register_words(detect=lambda _: True)

    assert anascore.read(KEY).format == "ua"


def test_a_format_can_be_one_that_anascore_names_only(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text("<?xml version='1.0'?><text/>", encoding="utf-8")
    register_words(read=lambda _, name: Corpus.from_clusters([], words=["a"], name=name))

    with pytest.raises(AnascoreError, match="this is an XML file"):
        anascore.read(path)
    register_words(
        read=lambda _, name: Corpus.from_clusters([], words=["a"], name=name),
        detect=lambda text: text.startswith("<?xml"),
    )
    assert anascore.read(path, "words") == anascore.read(path)


BAD_PACKAGES = [
    ("broken:register", "import nothing_like_it", "cannot be loaded: ModuleNotFoundError"),
    ("broken:register", "def register(): pass", "does not register the metric pairs"),
    ("broken:register", "register = 3", "cannot be loaded: TypeError"),
]


@pytest.mark.parametrize(("entry", "module", "message"), BAD_PACKAGES)
def test_a_package_that_cannot_be_loaded_is_named(
    entry: str, module: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "broken", module, f"[anascore.metrics]\npairs = {entry}\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "broken", raising=False)

    with pytest.raises(SettingsError, match=f"broken.* {message}"):
        anascore.score(KEY, SYSTEMS[0], metrics="pairs")
    assert anascore.score(KEY, SYSTEMS[0], metrics="muc")["muc"].f1


def test_two_packages_with_one_name_are_named(package: Path, tmp_path: Path) -> None:
    install(package, "other", "", "[anascore.metrics]\npairs = other:register\n")

    with pytest.raises(SettingsError, match="two packages offer the metric pairs: "):
        anascore.score(KEY, SYSTEMS[0], metrics="pairs")
    done = run("score", str(KEY), str(SYSTEMS[0]), "--metrics", "pairs", folder=package)
    assert "uninstall one of them" in done.stderr
    assert tmp_path.exists()


def test_entry_points_are_not_read_without_need(package: Path) -> None:
    code = (
        "import sys; from anascore.cli.main import main\n"
        f"main(['score', {str(KEY)!r}, {str(SYSTEMS[0])!r}, '--metrics', 'muc'])\n"
        "print({'importlib.metadata', 'anascore_pairs'} & {*sys.modules})"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(package)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.splitlines()[-1] == "set()"
