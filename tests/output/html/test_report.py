"""The page: its numbers, its texts, and what strangers write into files."""

import json
import re
import shlex
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anascore
from anascore import Corpus, Document, Entity, Mention, ResponseErrors
from anascore.analysis.errors import ERROR_TYPES
from anascore.analysis.report import page_data
from anascore.cli.main import main
from anascore.entities.breakdowns import dimension
from anascore.metrics.scores import BY_CLASS, LABELS, values_of
from anascore.output.grid import p_value, percent
from anascore.output.html.charts import ChartValue, _round_step, level, mark
from anascore.output.html.markup import element, raw
from anascore.output.html.overview import shared_rank
from anascore.output.html.report import render_page
from anascore.output.html.tables import Standing, signed
from anascore.output.html.text import TextColumn, TextMark, lines
from anascore.output.html.viewer import text_data
from anascore.output.scores import TITLES
from anascore.results.result import LayerResult, Scores
from anascore.results.uncertainty import ResamplingOptions
from anascore.settings import BREAKDOWNS
from anascore.tasks import build_request
from support.generated_corpora import generated_file
from support.paper import KEY, SYSTEMS
from support.report_page import ALLOWED, HOSTILE, Page, Table, hostile_corpora, write_hostile
from support.samples import SAMPLES
from support.shared import CORPORA


def made(arguments: list[str], folder: Path) -> Page:
    assert main(["report", *arguments, "-o", str(folder / "page.html")]) == 0
    return Page(folder / "page.html")


def printed(command: str, capsys: pytest.CaptureFixture[str]) -> Any:
    capsys.readouterr()
    assert main(shlex.split(command)) == 0
    return json.loads(capsys.readouterr().out)


def triple(scores: Scores, name: str) -> list[str]:
    """Return recall, precision and F1 of a score; nothing for those that it does not have."""
    return [
        percent(getattr(scores[name], value) if name in scores else None)
        if value in values_of(name)
        else ""
        for value in ("recall", "precision", "f1")
    ]


def interval(layer: LayerResult, name: str) -> str:
    ends = layer.uncertainty.intervals[name].f1 if layer.uncertainty.intervals else (None, None)
    return "" if ends[0] is None else "–".join(map(percent, ends))


def cell_of_matrix(layer: LayerResult, name: str) -> str:
    recall, precision, f1 = triple(layer.scores, name)
    test = layer.uncertainty.differences.get(name)
    star = "*" if test is not None and test.significant else ""
    both = f"R {recall} P {precision} " if recall else ""
    return f"{f1}{star}{both}{interval(layer, name)}"


def check_layer(page: Page, heading: str, layers: dict[str, LayerResult]) -> None:
    """Compare the tables of a layer with its results; the first layer stands below no heading."""
    first = next(iter(layers.values()))
    title, sets_title = TITLES.get(first.layer, (first.label, ""))
    rows = page.table("F1 in per cent", heading).rows
    assert [row[: 1 + len(layers)] for row in rows] == [
        [LABELS[name], *(cell_of_matrix(layer, name) for layer in layers.values())]
        for name in first.scores
    ]
    for caption, others in (
        (sets_title, [layer.split_only for layer in layers.values()]),
        (f"{title}: within documents", [layer.within_documents for layer in layers.values()]),
    ):
        if any(others):
            assert page.table(caption, heading).rows == [
                [LABELS[name], *(text for scores in others for text in triple(scores, name))]
                for name in next(filter(None, others))
            ]
    for system, layer in layers.items():
        if layer.uncertainty.differences:
            caption = f"Differences in F1, {system} minus {next(iter(layers))}"
            assert page.table(caption, heading).rows == [
                [
                    *(LABELS[name], signed(d.difference) + "*" * bool(d.significant)),
                    *(p_value(d.p), p_value(d.corrected), f"{d.wins}", f"{d.losses}", f"{d.ties}"),
                ]
                for name, d in layer.uncertainty.differences.items()
            ]
    matching = {system: layer.total.matching for system, layer in layers.items()}
    sizes = {system: layer.total.response for system, layer in layers.items()}
    check_counts(page.table(f"{title}: sizes", heading), {"key": first.total.key, **sizes})
    check_counts(page.table(f"{title}: mentions that match", heading), matching)


def check_counts(table: Table, counts: Mapping[str, Mapping[str, int]]) -> None:
    """Compare a table of counts with the counts; columns of zeros can lack."""
    names = [label.replace(" ", "_") for label in table.heads[-1][1:]]
    assert table.rows == [
        [row, *(f"{own[name]:,}" for name in names)] for row, own in counts.items()
    ]
    for own in counts.values():
        assert {name for name, number in own.items() if number} <= {*names}


def check_classes(page: Page, layers: dict[str, LayerResult]) -> None:
    """Compare the tables of classes with the results."""
    tables = [table for table in page.tables if (table.name or "").startswith("classes-")]
    names = [name for name in LABELS if name in BY_CLASS]
    dimensions = {
        f"Scores by {dimension(by).label}, in per cent": by
        for by in next(iter(layers.values())).breakdown
    }
    assert tables
    for table in tables:
        by = dimensions[table.caption]
        assert sorted(table.rows) == sorted(
            [
                *(label, system, f"{of_class.key:,}", f"{of_class.response:,}"),
                *(text for name in names for text in triple(of_class.scores, name)),
            ]
            for system, layer in layers.items()
            for label, of_class in layer.breakdown[by].items()
        )


def check_corrections(page: Page, analysed: Iterable[ResponseErrors]) -> None:
    """Compare the tables of corrected scores with the analysis of errors."""
    for errors in analysed:
        table = page.table(f"Errors of {errors.system}, and F1 with all errors of one type")
        names = [name for name in LABELS if LABELS[name] in table.heads[0]]
        assert [LABELS[name] for name in names] == table.heads[0][2:]
        states = [
            ("unchanged", len(errors), errors.scores),
            *(
                (ERROR_TYPES[kind].label, number, errors.corrected[kind])
                for kind, number in errors.counts.items()
                if number
            ),
            ("all corrected", 0, errors.all_corrected),
        ]
        assert table.rows == [
            [label, f"{number:,}", *(percent(scores[name].f1) for name in names)]
            for label, number, scores in states
        ]


def check_numbers(page: Page, key: str, responses: Any, **choices: Any) -> None:
    """Compare what stands in the tables and on the cards with what other functions return."""
    paired: Any = "bootstrap" if responses[1:] else None
    named = dict(response.split("=") for response in responses if "=" in response) or responses
    asked = {"by": BREAKDOWNS, **choices}
    results = anascore.compare(key, named, confidence=True, paired=paired, **asked)
    for name, of_first in results[0].layers.items():
        is_first = of_first is results[0].first
        heading = "" if is_first else TITLES.get(name, (of_first.label, ""))[0]
        check_layer(page, heading, {result.name: result.layers[name] for result in results})
    first = {result.name: result.first for result in results}
    check_classes(page, first)
    settings = {name: value for name, value in choices.items() if name == "match"}
    check_corrections(page, anascore.find_errors(key, named, **settings))
    for row in page.table("F1 of CoNLL, and the number of errors").rows:
        f1s = [layer.documents[row[0]].scores["conll"].f1 for layer in first.values()]
        assert [cell.split()[0] for cell in row[3:]] == [*map(percent, f1s)]
    league = (table for table in page.tables if table.caption.startswith("CoNLL in per cent, best"))
    cards = page.cards or [" ".join(row[1:4]) for table in league for row in table.rows]
    for system, layer in first.items():
        f1, ends = percent(layer.scores["conll"].f1), interval(layer, "conll")
        (card,) = (card for card in cards if re.match(rf"{system} ?(CoNLL )?{f1}", card))
        assert ends in card


def test_every_number_is_that_of_the_results(tmp_path: Path) -> None:
    files = [str(path) for path in (KEY, *SYSTEMS)]
    page = made([*files, "--samples", "50"], tmp_path)

    assert len([cell for table in page.tables for row in table.rows for cell in row]) > 700
    check_numbers(page, files[0], files[1:], samples=50)


def test_a_response_can_be_given_twice(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    anascore.report(KEY, [SYSTEMS[0], SYSTEMS[0]], path=path)
    row = path.read_text(encoding="utf-8").partition('class="main"')[2].partition("</tr>")[0]
    assert [number for number in "012" if f'data-s="{number}"' in row] == ["0", "1"]


def test_numbers_of_many_systems(tmp_path: Path) -> None:
    systems = [f"{name}={SYSTEMS[n % 3]}" for n, name in enumerate("abcdef")]
    files = [str(KEY), *systems]
    page = made([*files, "--samples", "20"], tmp_path)

    classes = [attributes.get("class") for _, attributes in page.tags]
    assert "cards" not in classes
    assert {"league", "matrix levels", "costs", "plots"} <= set(classes)
    check_numbers(page, files[0], systems, samples=20)


@pytest.mark.parametrize(
    ("key", "response", "settings"),
    [
        (
            *("layers-key.conllua", "layers.conllua"),
            {"layers": "identity,bridging,discourse-deixis"},
        ),
        ("zeros-key.conllu", "zeros.conllu", {"match": "head"}),
        ("dough.conllua", "dough-set.conllua", {}),
    ],
)
def test_numbers_of_other_layers_and_settings(
    key: str, response: str, settings: dict[str, str], tmp_path: Path
) -> None:
    files = []
    for name in (key, response):
        (tmp_path / name).write_text(SAMPLES[name], encoding="utf-8")
        files.append(str(tmp_path / name))
    page = made([*files, *(f"--{name}={value}" for name, value in settings.items())], tmp_path)

    check_numbers(page, files[0], files[1:], **settings)


def test_a_result_does_not_look_like_a_set(tmp_path: Path) -> None:
    files = []
    for name in ("dough.conllua", "dough-set.conllua"):
        (tmp_path / name).write_text(SAMPLES[name], encoding="utf-8")
        files.append(str(tmp_path / name))

    page = made(files, tmp_path)

    labels = {attributes.get("data-e") for tag, attributes in page.tags if tag == "mark"}
    assert "K3=result{K1,K2}" in labels
    key, response = page.data("d0-data")["columns"]
    assert key["sets"] == {"2": ["result", [0, 1]]}
    assert response["sets"] == {"2": ["", [0, 1]]}
    for text in (
        "K3 (result) “the dough”: not aligned with any result of the response",
        "R3 “the dough”: not aligned with any set of the key",
    ):
        assert text in page.visible


GENRE = "genre=G[A-Z]+_([a-z]+)_"
BY_GENRE = ["--by", "all", "--by", GENRE, "--documents", "worst:2"]


def test_numbers_of_a_generated_corpus(tmp_path: Path) -> None:
    files = [str(generated_file(tmp_path, "corefud", response)) for response in (0, 1, 2)]
    page = made([*files, *BY_GENRE, "--samples", "30"], tmp_path)

    assert "The report has the texts of 2 of 9 documents" in page.visible
    check_numbers(page, files[0], files[1:], by=["all", GENRE], samples=30)


@pytest.mark.corpora
def test_numbers_of_gum(tmp_path: Path) -> None:
    files = [str(CORPORA / f"gum/{name}.conllu") for name in ("key", "noisy-a", "xrenner")]
    page = made([*files, *BY_GENRE, "--samples", "100"], tmp_path)

    assert "The report has the texts of 2 of 52 documents" in page.visible
    check_numbers(page, files[0], files[1:], by=["all", GENRE], samples=100)


def test_the_working_is_that_of_explain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(KEY), str(SYSTEMS[0])]
    page = made(files, tmp_path)
    (system,) = printed(f"explain {shlex.join(files)} --output json", capsys)["systems"]
    explained = system["documents"]

    for number, document in enumerate(explained.values()):
        working = page.data(f"d{number}-data")["columns"][1]["working"]
        rows = [row for metric in document["metrics"].values() for row in metric["rows"]]
        assert len(working["columns"]) == len(rows)
        for figure, side in (("recall", "key"), ("precision", "response")):
            shown = working[side]
            for column, row in enumerate(rows):
                shares = row[figure]["shares"]
                for entity, own in zip(shown["entities"], shown["shares"], strict=True):
                    share = shares[entity]
                    part = share["part"]
                    assert own[column] == ("" if part is None else f"{part} {share['whole']}")
                total = f"{row[figure]['part']} {row[figure]['whole']}"
                assert shown["totals"][column] == total
            small = [e for e in document[side] if len(e["mentions"]) + bool(e["elements"]) < 2]
            assert len(shown["entities"]) == len(document[side]) - len(small)


def test_credits_of_sets_are_those_of_explain(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(KEY), str(SYSTEMS[0])]
    page = made(files, tmp_path)
    (system,) = printed(f"explain {shlex.join(files)} --output json", capsys)["systems"]
    explained = system["documents"]

    fractions = {text for tag, text in page.texts if tag == "small"}
    sets = [
        s for d in explained.values() for metric in d["metrics"].values() for s in metric["sets"]
    ]
    assert sets
    for aligned in sets:
        recalls = " and ".join(delta["recall"] for delta in aligned["delta"])
        assert recalls in fractions
        percents = " and ".join(percent(float(Fraction(d["recall"]))) for d in aligned["delta"])
        assert percents in {text for tag, text in page.texts if tag == "td"}


def check_text(page: Page) -> None:
    """See that nothing of what is hostile has become markup."""
    scripts = [attributes for tag, attributes in page.tags if tag == "script"]
    assert [attributes for attributes in scripts if "type" not in attributes] == [{}]
    assert {a.get("type") for a in scripts} == {None, "application/octet-stream"}
    assert [tag for tag, _ in page.tags].count("style") == 1
    assert {tag for tag, _ in page.tags} <= ALLOWED
    for _, attributes in page.tags:
        assert not any(name.startswith("on") or name == "style" for name in attributes)
        assert str(attributes.get("href", "#")).startswith("#")
        assert "src" not in attributes
    everything = page.all_text()
    for text in HOSTILE:
        assert text in everything


def test_what_strangers_write_stays_text(tmp_path: Path) -> None:
    by = "--by=<b>=(<script>|.)"
    page = made([*write_hostile(tmp_path), "--layers", "all", by, "--samples", "10"], tmp_path)

    check_text(page)


def test_what_no_file_can_hold_stays_text_too(tmp_path: Path) -> None:
    key, response = hostile_corpora()
    asked = build_request(layers="all", by=["entity-type"])
    responses = [(text, response) for text in HOSTILE]
    page = page_data(key, responses, asked, ResamplingOptions(), "all")
    page = replace(page, command=" ".join(HOSTILE))
    (tmp_path / "page.html").write_text(render_page(page))
    read = Page(tmp_path / "page.html")

    check_text(read)
    assert f"→ “{HOSTILE[0]}” ({HOSTILE[0]})" in read.all_text()


def test_characters_that_control_something_are_seen() -> None:
    words = ["a\x00b", "\x1b[31m", "\x7f", "\x85", "\ud800"]
    (line,) = lines(TextColumn(Document("d", words, []), [0]), [])

    assert line == "a␀b ␛[31m ␡ � �"


def test_the_policy_allows_our_style_and_script_and_nothing_else(tmp_path: Path) -> None:
    page = made([str(KEY), str(SYSTEMS[0])], tmp_path)
    (policy,) = (
        str(attributes["content"])
        for tag, attributes in page.tags
        if attributes.get("http-equiv") == "Content-Security-Policy"
    )
    # The only script that is not a block of data comes last.
    contents = {tag: text for tag, text in page.texts if tag in {"style", "script"}}
    hashes = {
        tag: f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
        for tag, text in contents.items()
    }

    assert policy.split("; ") == [
        "default-src 'none'",
        f"style-src {hashes['style']}",
        f"script-src {hashes['script']}",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    assert not re.search(r"https?://|url\(|@import", page.source)


def test_the_same_page_every_time(tmp_path: Path) -> None:
    files = [str(KEY), *map(str, SYSTEMS)]

    assert made(files, tmp_path).source == made(files, tmp_path).source


def test_the_command_is_on_the_page(tmp_path: Path) -> None:
    page = made([str(KEY), str(SYSTEMS[0]), "--samples", "7"], tmp_path)

    assert shlex.join(["anascore", "report", str(KEY), str(SYSTEMS[0]), "--samples", "7"]) in (
        page.visible
    )
    assert "samples:7" in page.visible


@pytest.mark.parametrize(
    ("documents", "shown"),
    [
        ("all", ["a", "b", "c"]),
        ("2", ["a", "b"]),
        ("worst:1", ["c"]),
        ("worst:9", ["c", "b", "a"]),
        ("c, a", ["a", "c"]),
        ("0", []),
    ],
)
def test_documents_are_chosen(documents: str, shown: list[str], tmp_path: Path) -> None:
    mentions = [Mention(((n, n + 1),)) for n in range(4)]
    whole, part, nothing = ([mentions], [mentions[:3]], [mentions[:1]])
    for name, found in (("key", [whole] * 3), ("response", [whole, part, nothing])):
        corpus = {
            letter: Document(letter, list("wxyz"), [Entity(e) for e in entities])
            for letter, entities in zip("abc", found, strict=True)
        }
        anascore.write(Corpus(corpus), tmp_path / f"{name}.jsonl")
    files = [str(tmp_path / f"{name}.jsonl") for name in ("key", "response")]
    page = made([*files, "--documents", documents], tmp_path)

    places = [a.get("id") for tag, a in page.tags if a.get("class") == "document"]
    assert places == [f"d{'abc'.index(letter)}" for letter in shown]
    note = f"The report has the texts of {len(shown)} of 3 documents" if shown else "has no texts"
    assert (note in page.visible) == (len(shown) < 3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--documents z", "the key has no document 'z'; give a number, worst:N"),
        ("--documents best:3", "the key has no document 'best:3'"),
        ("--layers bridging", "the first layer of a report must be identity"),
        ("--samples 0", "samples"),
        ("-o -", "a report cannot be written to standard output"),
        (f"-o {KEY}", "this is one of the input files"),
        ("--task codicrac-br", "must be identity; the task codicrac-br cannot have a report"),
    ],
)
def test_what_cannot_be_asked_for(
    options: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "page.html"
    given = ["report", str(KEY), str(SYSTEMS[0]), "-o", str(target), *options.split()]

    assert main(given) == 2
    assert message in capsys.readouterr().err
    assert not target.exists()


def m(*words: int, zeros: tuple[tuple[int, int], ...] = ()) -> Mention:
    """Make a mention of words that need not follow each other."""
    starts = [word for word in words if word - 1 not in words]
    ends = [word + 1 for word in words if word + 1 not in words]
    return Mention(tuple(zip(sorted(starts), sorted(ends), strict=True)), zeros)


@pytest.mark.parametrize(
    ("mentions", "expected"),
    [
        ([m(0, 1)], "[A:a b] c | d"),
        ([m(0, 1), m(0, 1, 2)], "[B:[A:a b] c] | d"),
        ([m(0, 1), m(1, 2)], "[A:a [B:b]] [...B:c] | d"),
        ([m(0, 2)], "[A:a] b [...A:c] | d"),
        ([m(1, 2, 3)], "a [A:b c] | [...A:d]"),
        ([m(1, zeros=((2, 1),))], "a [A:b ∅] c | d"),
        ([m(zeros=((3, 1),))], "a b c | [A:∅] d"),
    ],
)
def test_mentions_in_a_text(mentions: list[Mention], expected: str) -> None:
    zeros = sorted({zero for mention in mentions for zero in mention.zeros})
    document = Document("d", list("abcd"), [], zeros=zeros)
    named = zip(mentions, "AB", strict=False)
    marked = [TextMark(mention, letter) for mention, letter in named]

    found = " | ".join(lines(TextColumn(document, [0, 3]), marked))

    found = re.sub(r'<mark data-e="(…?.)">', r"[\1:", found)
    assert found.replace("…", "...").replace("</mark>", "]") == expected


@given(st.lists(st.frozensets(st.integers(0, 8), min_size=1), max_size=6))
def test_marks_leave_the_words_alone(found: list[frozenset[int]]) -> None:
    document = Document("d", list("abcdefghi"), [])
    marked = [TextMark(m(*words), f"K{n}") for n, words in enumerate(found)]

    written_lines = list(lines(TextColumn(document, [0, 4]), marked))

    assert [re.sub("<.*?>", "", line) for line in written_lines] == ["a b c d", "e f g h i"]
    covered: dict[str, set[str]] = {}
    for line in written_lines:
        stack: list[str] = []
        for opened, word in re.findall(r'<mark data-e="…?(K\d)">|(</mark>|\w)', line):
            if opened:
                stack.append(opened)
            elif word == "</mark>":
                stack.pop()
            else:
                for entity in stack:
                    covered.setdefault(entity, set()).add(word)
    assert covered == {f"K{n}": {"abcdefghi"[w] for w in words} for n, words in enumerate(found)}


WORDS = ["Ann", "met", "Bob", ".", "They", "left", "."]
ANN, BOB, THEY = (Mention(((n, n + 1),)) for n in (0, 2, 4))
APART = [Entity([ANN]), Entity([BOB]), Entity([THEY])]
WITH_SET = [*APART[:2], Entity([THEY], [0, 1])]


def columns_of(key: list[Any], response: list[Any], **choices: Any) -> tuple[Any, Any]:
    """Return the columns of key and response in the viewer."""
    corpora = [
        Corpus({"d": Document("d", WORDS, entities, sentences=[0, 4])}, ("clusters",), f"{n}.jsonl")
        for n, entities in enumerate((key, response))
    ]
    named = [("s", corpora[1])]
    page = page_data(corpora[0], named, build_request(**choices), ResamplingOptions(), "all")
    own, other = text_data(page, "d")["columns"]
    return own, other


def marks_of(key: list[Any], response: list[Any], **choices: Any) -> list[tuple[str, str]]:
    """Return entity and status of each mention in the text of the response."""
    _, column = columns_of(key, response, **choices)
    entities = [mention[0] for mention in column["mentions"]]
    labels = [f"R{e + 1}" if e >= 0 else f"K{-e}" for e in entities]
    return list(zip(labels, column["status"], strict=True))


@pytest.mark.parametrize(
    ("key", "response", "status"),
    [
        (APART, APART, {"R3": "m"}),
        (APART, WITH_SET, {"R3": "w"}),
        (WITH_SET, APART, {"R3": "w"}),
        (WITH_SET, WITH_SET, {"R3": "m"}),
        (WITH_SET, [*APART[:2], Entity([THEY], [0])], {"R3": "w"}),
        (APART, [Entity([ANN, BOB]), APART[2]], {"R1": "w", "R2": "m"}),
        (APART[1:], APART, {"R1": "x", "R2": "m"}),
        (APART, APART[1:], {"K1": "g", "R1": "m"}),
        ([Entity([Mention(((0, 3),))])], [Entity([ANN])], {"R1": "s"}),
    ],
)
def test_marks_in_the_text_of_a_response(
    key: list[Any], response: list[Any], status: dict[str, str]
) -> None:
    found = dict(marks_of(key, response))

    assert {entity: found.get(entity) for entity in status} == status


def test_marks_of_what_matches_partly() -> None:
    whole = Mention(((0, 3),), minimum=((2, 3),))
    found = marks_of([Entity([whole, THEY])], [Entity([BOB, THEY])], match="partial")
    wrong = marks_of([Entity([whole, THEY])], [Entity([THEY]), Entity([BOB])], match="partial")

    assert [how for _, how in found] == ["p", "m"]
    assert [how for _, how in wrong] == ["p", "w"]


def test_a_missing_zero_is_shown_in_the_text_of_the_response() -> None:
    zero = Mention((), ((4, 1),))
    documents = [
        Document("d", WORDS, [Entity([ANN, zero])], zeros=[(4, 1)], sentences=[0, 4]),
        Document("d", WORDS, [Entity([ANN])], sentences=[0, 4]),
    ]
    key, response = (Corpus({"d": document}) for document in documents)
    page = page_data(key, [("s", response)], build_request(), ResamplingOptions(), "all")

    own, other = text_data(page, "d")["columns"]

    assert own["units"] == "Ann met Bob . ∅ They left ."
    assert own["lines"] == [0, 4]
    assert "units" not in other  # they are the same as in the key
    assert other["mentions"] == [[0, 0, 1], [-1, 4, 5]]
    assert other["status"] == "mg"


def test_a_text_with_other_words_has_words_of_its_own() -> None:
    documents = [
        Document("d", words, [Entity([ANN, THEY])], sentences=[0, 4])
        for words in (WORDS, ["An n", *WORDS[1:]])
    ]
    key, response = (Corpus({"d": document}) for document in documents)
    request = build_request(words="ignore")
    page = page_data(key, [("s", response)], request, ResamplingOptions(), "all")

    _, other = text_data(page, "d")["columns"]

    assert other["units"] == ["An n", *WORDS[1:]]


def test_lines_of_a_longer_text_are_all_there(tmp_path: Path) -> None:
    line = '{{"doc_key": "d", "sentences": {}, "clusters": {}}}'
    long = line.format('[["a", "b"], ["c"], ["last", "d"]]', "[[[0, 0], [3, 3]]]")
    short = line.format('[["a", "b"], ["c"]]', "[[[0, 0], [2, 2]]]")
    for name, text in (("long", long), ("short", short)):
        (tmp_path / f"{name}.jsonl").write_text(text)
    files = [str(tmp_path / f"{name}.jsonl") for name in ("long", "short")]

    page = made([*files, "--words", "ignore"], tmp_path)

    places = {attributes.get("id") for _, attributes in page.tags}
    links = {str(a["href"])[1:] for tag, a in page.tags if tag == "a"}
    assert "last" in page.visible
    assert links <= places


def test_a_page_without_errors_and_classes(tmp_path: Path) -> None:
    corpus = Corpus({"d": Document("d", WORDS, WITH_SET), "e": Document("e", WORDS, [])})
    page = page_data(corpus, [("same", corpus)], build_request(), ResamplingOptions(), "all")
    (tmp_path / "page.html").write_text(render_page(page))
    read = Page(tmp_path / "page.html")

    assert "No errors." in read.visible
    assert "Scores by class" not in read.visible


def test_sets_that_only_one_response_has(tmp_path: Path) -> None:
    corpora = [
        Corpus({"d": Document("d", WORDS, entities)}) for entities in (APART, APART, WITH_SET)
    ]
    named = [(f"s{n}", corpus) for n, corpus in enumerate(corpora[1:])]
    page = page_data(corpora[0], named, build_request(by="length"), ResamplingOptions(), "all")
    (tmp_path / "page.html").write_text(render_page(page))

    read = Page(tmp_path / "page.html")
    sets = {row[0]: row[1:] for row in read.table("Accommodated sets only").rows}
    assert sets["B³"][:3] == ["-", "-", "-"]
    assert sets["B³"][3:] == ["-", "0.00", "0.00"]
    classes = read.table("Scores by size of entity").rows
    assert [row[:2] for row in classes if row[0] == "2"] == [["2", "s1"]]


def test_many_systems_without_errors(tmp_path: Path) -> None:
    corpus = Corpus({"d": Document("d", WORDS, WITH_SET), "e": Document("e", WORDS, [])})
    named = [(letter, corpus) for letter in "abcde"]
    page = page_data(corpus, named, build_request(), ResamplingOptions(), "all")
    (tmp_path / "page.html").write_text(render_page(page))
    read = Page(tmp_path / "page.html")

    assert "a and 4 others share the first rank: CoNLL up to 100.00" in read.visible
    assert "The errors that cost most" not in read.visible


@pytest.mark.parametrize(
    ("values", "title"),
    [
        ({"x": 0.5, "y": 0.4}, "x and y share the first rank: CoNLL 50.00 and 40.00"),
        (
            {"x": 0.5, "y": 0.4, "z": 0.3},
            "x, y and z share the first rank: CoNLL 50.00, 40.00 and 30.00",
        ),
        (dict.fromkeys("wxyz", 0.5), "w and 3 others share the first rank: CoNLL up to 50.00"),
    ],
)
def test_titles_of_systems_that_share_a_rank(values: dict[str, float], title: str) -> None:
    assert re.sub("<.*?>", "", shared_rank(values, "CoNLL")) == title


def test_names_in_titles_are_escaped() -> None:
    assert "<bdi>&lt;b&gt;</bdi> and <bdi>y</bdi> share" in shared_rank({"<b>": 1, "y": 1}, "B³")


def test_differences_have_a_minus_sign() -> None:
    assert signed(-0.125) == "−12.50"
    assert signed(0.0) == "+0.00"
    assert signed(None) == "-"
    assert str(Standing(1)) == "rank 1"


def test_bars_begin_at_zero_and_undefined_values_have_none() -> None:
    assert level(ChartValue(None, 0.1, 0.9)) is None
    assert '<rect width="25.0%" height="100%">' in str(level(ChartValue(0.25)))
    assert '<rect width="50.0%" height="100%">' in str(level(ChartValue(0.25), most=0.5))
    assert '<rect width="0.0%" height="100%">' in str(level(ChartValue(-0.1)))
    assert '<line x1="20.0%" x2="30.0%">' in str(level(ChartValue(0.25, 0.2, 0.3)))


@pytest.mark.parametrize("number", [1, 5])
def test_a_class_that_the_key_lacks_is_not_drawn(number: int, tmp_path: Path) -> None:
    entities = (APART, [Entity([ANN, BOB, THEY])])
    key, response = (Corpus({"d": Document("d", WORDS, found)}) for found in entities)
    named = [(f"s{n}", response) for n in range(number)]
    request = build_request(by=["length", "entity-type"])
    page = page_data(key, named, request, ResamplingOptions(), "all")
    (tmp_path / "page.html").write_text(render_page(page))
    read = Page(tmp_path / "page.html")

    assert "By size of entity" in read.visible
    assert "The files have no annotation for: type of entity." in read.visible
    rows = read.table("Scores by size of entity").rows
    assert ["3 to 5", "s0", "0"] in [row[:3] for row in rows]
    labels = [text for tag, text in read.texts if tag in {"text", "bdi"}]
    assert labels.count("singleton") == number + 1  # in the chart, too
    assert labels.count("3 to 5") == number  # only in the table of numbers


def test_systems_beyond_the_fifth_are_hollow() -> None:
    assert 'class="mark c0"' in mark(0, 0, 0)
    assert 'class="mark c0 hollow"' in mark(5, 0, 0)


def test_our_own_style_and_script_cannot_end_early() -> None:
    with pytest.raises(ValueError, match="must not contain </"):
        raw("style", "</style>")


def test_elements() -> None:
    assert element("input", checked=True, hidden=False, id=None) == "<input checked>"
    assert element("p", element("b", "<"), None, 3) == "<p><b>&lt;</b>3</p>"
    assert element("a", href="\"'&") == '<a href="&quot;&#x27;&amp;"></a>'


@pytest.mark.parametrize(
    ("most", "step"), [(1, 1), (9, 2), (30, 5), (68, 20), (1266, 250), (9e4, 20000)]
)
def test_round_steps(most: float, step: int) -> None:
    assert _round_step(most) == step


def test_a_text_of_characters_has_a_line_for_each_of_its_own(tmp_path: Path) -> None:
    text = {"text": "Ann left.\nShe slept.", "entities": [[[0, 3], [10, 13]]], "includes": [[]]}
    path = tmp_path / "key.json"
    path.write_text(json.dumps(text), encoding="utf-8")

    page = made([str(path), str(path)], tmp_path)

    places = {attributes.get("id") for _, attributes in page.tags}
    assert {"d0l0", "d0l1"} <= places
    assert "d0l2" not in places
