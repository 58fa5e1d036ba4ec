"""Heads of response mentions by the dependency tree of the key; dependencies of zeros."""

import logging
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore import Corpus, Document, Entity, Mention, SettingsError
from anascore.entities.heads import Tree, tree_of, with_key_heads
from anascore.formats.writing import to_text
from anascore.model.document import Table
from anascore.model.mention import Unit, units_of
from anascore.tasks import TaskName
from support.reading import put
from support.samples import SAMPLES, tabbed
from support.shared import CORPORA

TREES: dict[str, tuple[str, str, str, str]] = {
    "one parent outside": ("1 2 _/2 0 _/3 2 _", "1 2", "", "2"),
    "the root is outside": ("1 2 _/2 0 _", "1 2", "1", "2"),
    "the marked head counts only between candidates": ("1 2 _/2 3 _/3 0 _", "1 2", "1", "2"),
    "one with an enhanced parent inside": ("1 2 _/2 3 1:x/3 0 _", "1 2", "", "2"),
    "two, one of them with an enhanced parent inside": (
        "1 3 2:x/2 3 3:x/3 0 0:root",
        "1 2",
        "",
        "2",
    ),
    "relations with a subtype": ("1 3 2:x:y/2 3 3:x:y/3 0 0:root", "1 2", "", "2"),
    "two, one of them with enhanced parents inside and outside": (
        "1 3 2:x|3:x/2 3 3:x/3 0 0:root",
        "1 2",
        "",
        "2",
    ),
    "two, each with an enhanced parent inside, one with another outside": (
        "1 3 2:x/2 3 1:x|3:x/3 0 0:root",
        "1 2",
        "",
        "2",
    ),
    "a cycle of enhanced parents: the marked head": ("1 3 2:x/2 3 1:x/3 0 _", "1 2", "2", "2"),
    "a cycle without a marked head: the first word": ("1 3 2:x/2 3 1:x/3 0 _", "1 2", "", "1"),
    "without DEPS the basic parent counts": ("1 3 _/2 3 _/3 0 _", "1 2", "", "1"),
    "two that the tree does not rank: the marked head": ("1 3 _/2 3 _/3 0 _", "1 2", "2", "2"),
    "a gap: the top of the common subtree": ("1 2 _/2 3 _/3 0 _", "1 3", "1", "3"),
    "a gap, and the top is in it": ("1 2 _/2 0 _/3 2 _", "1 3", "3", "3"),
    "the top is no candidate": ("1 4 4:x/2 4 3:x/3 4 4:x/4 0 _", "1 2 3", "", "1"),
    "an empty node is a candidate": ("1 3 _/1.1 _ 3:x/2 1 _/3 0 _", "1 1.1 2", "1.1", "1.1"),
    "an empty node below a word": ("1 3 _/1.1 _ 1:x/2 1 _/3 0 _", "1 1.1 2", "1.1", "1"),
    "an empty node whose parent is above": ("1 2 _/2 0 _/2.1 _ 2:x", "1 2.1", "", "1"),
    "an empty node alone outside": ("1 2 1.1:x/1.1 _ 2:x/2 0 _", "1 1.1", "", "1.1"),
    "an empty node without DEPS": ("1 2 _/1.1 _ _/2 0 _", "1 1.1", "", "1"),
    "an empty node without DEPS is marked": ("1 2 _/1.1 _ _/2 0 _", "1 1.1", "1.1", "1"),
    "an empty node with HEAD": ("1 2 _/1.1 1 2:x/2 0 _", "1 1.1", "1.1", "1.1"),
    "two empty nodes without DEPS": ("1 0 _/1.1 _ _/1.2 _ _", "1.1 1.2", "1.2", "1.2"),
    "an empty node whose parent is another": (
        "1 2 _/1.1 _ 1.2:x/1.2 _ 2:x/2 0 _",
        "1.1 1.2",
        "",
        "1.2",
    ),
    "an empty node with the root as its parent": ("1 2 _/1.1 _ 0:x/2 0 _", "1 1.1", "1.1", "1.1"),
    "an unknown parent is none": ("1 9 9:x/2 1 1:x", "1 2", "", "1"),
    "a parent of another sentence is none": (
        "1 2 _/2 3 _/3 0 _//1 3 _/2 1 _",
        "3 4",
        "4",
        "4",
    ),
    "a cycle of basic parents": ("1 2 _/2 1 _/3 1 _", "1 2 3", "3", "3"),
    "a cycle of basic parents above": ("1 3 _/2 3 _/3 4 _/4 3 _", "1 2", "2", "2"),
    "two sentences": ("1 2 _/2 0 _//1 0 _/2 1 _", "1 2 3 4", "", "2"),
    "words after the text": ("1 2 _/2 0 _", "2 3", "", "2"),
    "only words after the text": ("1 2 _/2 0 _", "3 4", "", "3"),
}
"""Rows of ID, HEAD and DEPS; a mention; its marked head; the head. Words are those of the text."""


def document_of(rows: str) -> Document:
    sentences = [sentence.split("/") for sentence in rows.split("//")]
    lines = [*(line for sentence in sentences for line in (*sentence, "")), ""]
    text = "\n".join("\t".join(line.split()) for line in lines)
    table = Table(("ID", "HEAD", "DEPS"), "\t", text.encode())
    words = [line for line in lines if line and "." not in line.split()[0]]
    return Document("d", words, (), table=table)


def unit(word_id: str) -> tuple[int, int]:
    word, _, rank = word_id.partition(".")
    return int(word), int(rank or 0)


@pytest.mark.parametrize("case", TREES)
def test_head(case: str) -> None:
    rows, mention, marked, expected = TREES[case]
    tree = tree_of(document_of(rows))

    assert tree is not None
    head = tree.head([*map(unit, mention.split())], unit(marked) if marked else None)
    assert head == unit(expected)


def literal_head(tree: Tree, units: list[Unit]) -> Unit:
    """Return the head by lists of all ancestors."""
    inside = {*units}
    candidates = [u for u in units if tree.parents[u] not in inside]
    if len(candidates) > 1:
        outside = [u for u in candidates if not {*tree.enhanced[u]} & inside]
        some = [u for u in candidates if not {*tree.enhanced[u]} <= inside]
        candidates = outside or some
    common: list[Unit] | None = None
    for candidate in candidates:
        words = [u for u in tree.enhanced[candidate] if u is None or not u[1]]
        ancestor = candidate if not candidate[1] else words[0] if words else candidate
        path: list[Unit] = []
        while ancestor is not None and ancestor not in path:
            path.append(ancestor)
            ancestor = tree.parents[ancestor]
        if candidate[1] == 0 or words:
            common = path if common is None else [u for u in common if u in path]
    if len(candidates) == 1:
        return candidates[0]
    if common and common[0] in candidates:
        return common[0]
    return units[0] if units[0] in candidates or not candidates else candidates[0]


@pytest.mark.parametrize("seed", range(100))
@pytest.mark.parametrize("kind", ["trees", "cycles", "words below zeros"])
def test_heads_are_those_by_lists_of_ancestors(kind: str, seed: int) -> None:
    rng = random.Random(seed)
    size = rng.randint(2, 9)
    zeros = [f"{n}.1" for n in range(1, size) if rng.random() < 0.3]
    ids = sorted([*map(str, range(1, size + 1)), *zeros], key=float)
    rows = []
    for position, own in enumerate(ids):
        others = ids[:position] if kind == "trees" else ids
        words = others if kind == "words below zeros" else [w for w in others if w not in zeros]
        head = "_" if own in zeros else rng.choice(["0", *words])
        links = [f"{rng.choice(['0', *ids])}:x" for _ in range(rng.randint(0, 2))]
        rows.append(f"{own} {head} {'|'.join(links) or '_'}")
    tree = tree_of(document_of("/".join(rows)))
    assert tree is not None

    for _ in range(40):
        units = sorted(map(unit, rng.sample(ids, rng.randint(2, len(ids)))))
        assert tree.head(units) == literal_head(tree, units)


@pytest.mark.parametrize(
    ("columns", "content"),
    [(("ID", "FORM"), b"1\ta\n"), (("ID", "HEAD"), b"1\t_\n1.1\t_\n"), (("HEAD",), b"1\n")],
)
def test_documents_without_tree(columns: tuple[str, ...], content: bytes) -> None:
    assert tree_of(Document("d", ["a"], (), table=Table(columns, "\t", content))) is None
    assert tree_of(Document("d", ["a"], ())) is None


def test_deps_are_not_needed() -> None:
    table = Table(("ID", "HEAD"), "\t", b"1\t2\n2\t0\n")
    tree = tree_of(Document("d", ["a", "b"], (), table=table))

    assert tree is not None
    assert tree.head([(1, 0), (2, 0)]) == (2, 0)


def test_enhanced_parents_are_those_in_deps_or_else_the_basic_one() -> None:
    tree = tree_of(document_of("1 2 _/1.1 _ _/2 0 1:x|0:root/3 2 _"))

    assert tree is not None
    assert tree.enhanced == {
        (1, 0): [(2, 0)],
        (1, 1): [],
        (2, 0): [(1, 0), None],
        (3, 0): [(2, 0)],
    }


def span(start: int, end: int, head: int | None = None) -> Mention:
    return Mention(((start, end),), (), () if head is None else ((head - 1, head),))


def test_the_words_of_a_key_mention_have_its_head() -> None:
    key = document_of("1 2 _/2 0 _/3 2 _")
    key = Document("d", key.words, [Entity([span(0, 2, 1), span(0, 3, 3)])], table=key.table)
    mentions = [span(0, 2), span(0, 3), span(1, 3), span(2, 3)]
    response = Document("d", key.words, [Entity(mentions), Entity(mentions[2:])])

    first, second = with_key_heads(response, key).entities

    assert first.mentions == (span(0, 2, 1), span(0, 3, 3), span(1, 3, 2), span(2, 3))
    assert second.mentions == (span(1, 3, 2), span(2, 3))


def test_the_tree_decides_where_the_key_marks_no_head() -> None:
    key = document_of("1 2 _/2 0 _/3 2 _")
    key = Document("d", key.words, [Entity([span(0, 2)])], table=key.table)
    response = Document("d", key.words, [Entity([span(0, 2)])])

    (entity,) = with_key_heads(response, key).entities

    assert entity.mentions == (span(0, 2, 2),)


def test_the_own_head_decides_where_the_tree_does_not() -> None:
    key = document_of("1 3 _/2 3 _/3 0 _")
    response = Document("d", key.words, [Entity([span(0, 2, 2)])])

    (entity,) = with_key_heads(response, key).entities

    assert entity.mentions == (span(0, 2, 2),)


def test_the_head_may_be_a_zero() -> None:
    key = document_of("1 2 1.1:x/1.1 _ 2:x/2 0 _")
    mention = Mention(((0, 1),), ((1, 1),))
    response = Document("d", key.words, [Entity([mention])], zeros=[(1, 1)])

    (entity,) = with_key_heads(response, key).entities

    assert entity.mentions == (mention._replace(marked_head=(1, 1)),)


@pytest.mark.parametrize("step", [1, -1])
def test_of_two_key_mentions_with_the_same_words_the_first_head_counts(step: int) -> None:
    entities = [Entity([span(0, 2, 2)]), Entity([span(0, 2, 1)])]
    key = Document("d", ["a", "b"], entities[::step])
    response = Document("d", key.words, [Entity([span(0, 2)])])

    (entity,) = with_key_heads(response, key).entities

    assert entity.mentions == (span(0, 2, 1),)


def test_without_tree_other_mentions_stay_as_they_are() -> None:
    key = Document("d", list("abc"), [Entity([span(0, 2, 1)])])
    response = Document("d", key.words, [Entity([span(0, 2), span(0, 3), span(1, 3, 2)])])

    (entity,) = with_key_heads(response, key).entities

    assert entity.mentions == (span(0, 2, 1), span(0, 3), span(1, 3, 2))


def converted(folder: Path, source: Corpus | Path, form: str) -> Path:
    corpus = source if isinstance(source, Corpus) else anascore.read(source)
    return Path(put(folder, f"response-{form}", to_text(corpus, form)[0]))


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return Path(put(tmp_path, "key.conllu", SAMPLES["zeros-key.conllu"]))


NOTE = "cannot hold heads; those of mentions of several words come from the key's dependency tree"


@pytest.mark.parametrize(
    ("form", "label"), [("llm-text", "LLM text"), ("llm-json", "LLM JSON"), ("jsonl", "JSON lines")]
)
def test_formats_without_heads_take_those_of_the_key(
    tmp_path: Path, key: Path, form: str, label: str
) -> None:
    response = put(tmp_path, "response.conllu", SAMPLES["zeros.conllu"])
    choices: dict[str, Any] = {"match": "head", "zeros": "drop"}

    result = anascore.score(key, converted(tmp_path, Path(response), form), **choices)

    assert result.scores == anascore.score(key, response, **choices).scores
    assert f"response: {label} {NOTE}" in result.notes
    assert "|match:head|heads:key|" in result.signature
    assert "heads" not in anascore.score(key, response, **choices).signature


def test_single_words_need_no_heads_of_the_key(tmp_path: Path) -> None:
    line = '{"doc_key": "d", "tokens": ["a", "b"], "clusters": [[[0, 0], [1, 1]]]}\n'
    path = put(tmp_path, "key.jsonl", line)

    result = anascore.score(path, path, match="head")

    assert (result.conll, result.notes) == (1.0, ())


def test_analyses_take_heads_of_the_key_too(tmp_path: Path, key: Path) -> None:
    response = converted(tmp_path, key, "llm-text")

    errors = anascore.find_errors(key, response, task="crac24")
    explained = anascore.explain(key, response, task="crac24")

    assert sum(errors.counts.values()) == 0
    for analysis in (errors, explained):
        assert f"response: LLM text {NOTE}" in analysis.warnings
        assert "|match:head|heads:key|" in analysis.signature


@pytest.mark.parametrize("task", ["crac22", "crac23", "crac24"])
@pytest.mark.parametrize("form", ["llm-text", "llm-json"])
def test_a_task_scores_the_key_in_formats_of_language_models(
    tmp_path: Path, key: Path, form: str, task: TaskName
) -> None:
    result = anascore.score(key, converted(tmp_path, key, form), task=task)

    assert {score.f1 for score in result.scores.values()} == {1.0}


def test_heads_of_the_key_replace_those_of_the_file(tmp_path: Path, key: Path) -> None:
    wrong = SAMPLES["zeros-key.conllu"].replace("(e2-place-3-", "(e2-place-1-")
    response = put(tmp_path, "response.conllu", wrong)

    by_file = anascore.score(key, response, match="head", metrics="mentions")
    by_key = anascore.score(key, response, match="head", heads="key", metrics="mentions")

    assert (by_file["mentions"].f1, by_key["mentions"].f1) == (4 / 5, 1.0)
    assert not any(NOTE in note for note in by_key.notes)


def test_a_key_without_tree_is_refused(tmp_path: Path) -> None:
    without = "".join(
        "\t".join((*cells[:6], "_", *cells[7:])) + "\n" if len(cells) > 1 else f"{cells[0]}\n"
        for cells in (line.split("\t") for line in SAMPLES["zeros-key.conllu"].splitlines())
    )
    key = Path(put(tmp_path, "key.conllu", without))
    response = converted(tmp_path, key, "llm-text")

    with pytest.raises(SettingsError) as error:
        anascore.score(key, response, match="head")

    assert str(error.value) == (
        f"{response}: its mentions need heads by the dependency tree of the key (--heads key), "
        f"but the key has none (columns ID and HEAD in CorefUD and CoNLL-UA)"
    )


def test_no_tree_is_needed_for_mentions_of_one_word(tmp_path: Path) -> None:
    key = put(
        tmp_path, "key.jsonl", '{"sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]]}\n'
    )

    assert anascore.score(key, key, match="head").conll == 1.0


ZERO_KEY = tabbed("""\
# global.Entity = eid-etype-head-other
# newdoc id = d
1 vino _ VERB _ _ 0 root 0:root _
1.1 _ _ PRON _ _ _ _ 1:nsubj Entity=(e1-x-1-)
1.2 _ _ PRON _ _ _ _ 2:obj Entity=(e2-x-1-)
2 vio _ VERB _ _ 1 conj 1:conj _
2.1 _ _ PRON _ _ _ _ 2:nsubj Entity=(e1-x-1-)
""")


@pytest.mark.parametrize(
    ("text", "matched"),
    [
        pytest.param("vino ##|[e1] ##|[e2] vio ##|[e1]", 3, id="all"),
        pytest.param("vino ##|[e1] vio ##|[e1]", 2, id="the first of two"),
        pytest.param("ha vino ##|[e1] ##|[e2] vio ##|[e1]", 3, id="after another word"),
        pytest.param("##|[e1] vino vio", 0, id="where the key has none"),
    ],
)
def test_zeros_have_the_dependencies_of_the_zeros_of_the_key(
    tmp_path: Path, text: str, matched: int
) -> None:
    key = put(tmp_path, "key.conllu", ZERO_KEY)
    response = put(tmp_path, "response.txt", f"{text}\n")

    result = anascore.score(key, response, response_format="llm-text", zero_match="dependent")

    assert result.total.matching["as_zeros"] == matched


@pytest.mark.corpora
@pytest.mark.parametrize(("name", "mentions"), [("gum/key", 13461), ("ancora/dev", 7161)])
def test_heads_equal_those_of_udapi(name: str, mentions: int) -> None:
    from udapi.block.corefud.movehead import MoveHead
    from udapi.core.document import Document as UdapiDocument

    path = CORPORA / f"{name}.conllu"
    theirs: Counter[tuple[str, str, int]] = Counter()
    logging.disable(logging.WARNING)
    try:
        document = UdapiDocument()
        document.from_conllu_string(path.read_text(encoding="utf-8"))
        block = MoveHead()
        for entity in document.coref_entities:
            for mention in entity.mentions:
                block.process_coref_mention(mention)
                text = " ".join(word.form for word in mention.words if not word.is_empty())
                theirs[entity.eid, text, mention.words.index(mention.head)] += 1
    finally:
        logging.disable(logging.NOTSET)

    ours: Counter[tuple[str, str, int]] = Counter()
    for own in anascore.read(path).documents.values():
        tree = tree_of(own)
        assert tree is not None
        for own_entity in own.entities:
            for own_mention in own_entity.mentions:
                units = units_of(own_mention)
                words = [own.words[word - 1] for word, rank in units if rank == 0]
                head = units.index(tree.head(units, own_mention.head))
                ours[own_entity.name, " ".join(words), head] += 1

    assert sum(ours.values()) == mentions
    assert ours == theirs
