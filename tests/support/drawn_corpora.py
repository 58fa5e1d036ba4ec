"""Random corpora with everything that a format can hold or not."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Generic, TypeVar

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from anascore import Bridge, Corpus, Document, Entity, Mention, NonReferring
from anascore.formats.registry import FORMATS
from anascore.model.document import Candidates
from anascore.model.mention import Span, Unit, Zero, joined, make_mention

T = TypeVar("T")

# Whatever means something in one of the formats.
ODD_WORDS = [
    *("", " ", "_", "-", "*", "#", "##", "##x", "###", "a b", " a", "a ", "a\tb", "a\nb", "a\rb"),
    *("(", ")", "[", "]", "|", "@", "=", ",", "<", "(1)", "1)", "(e1-x)", "a|[e1]", "|[e1", "|e1]"),
    *("a|b|[e1],e2]", "a|", "|[]", "|]", '"', "\\", '{"', "[{", "[]", "{}", "1", "1.1", "1-2"),
    *("#begin", "document", "#end document", "# newdoc id = x", "# global.columns = ID", "\0"),
    *("\ufeff", "\u2028", "\x85", "\xa0", "\x1c", "\x0b", "\u200b", "e\u0301", "\U0001f600", "²"),
]
ODD_NAMES = [
    *ODD_WORDS,
    *("unnamed", "unnamed-2", "a-2", "a; part 000", "a; part 001", "a; part 1", "a; part x", "a;"),
    *("a); part 1 (b", "a/b", "../a", ".a", "a.b", "a.json", "e1", "e2", "2", "1-Pseudo"),
    *("x_Pseudo", "#OTHER#", "#GENERAL#", "#ALL#", "Character 1", "markable_1", "e1[1/2]"),
]
KEYS = ["etype", "semtype", "other", "infstat", "markableid", "head", "minspan", "a b", "x-y"]

plain = st.sampled_from(["a", "b", "c"])
texts = st.one_of(plain, st.sampled_from(ODD_NAMES), st.text(max_size=3))
words_of_text = st.one_of(plain, st.sampled_from(ODD_WORDS), st.text(max_size=3))


def mentions(units: Sequence[Unit]) -> st.SearchStrategy[Mention]:
    """Draw a mention of one stretch of words and zeros, or of any of them."""
    place = st.integers(0, len(units) - 1)
    stretch = st.tuples(place, st.integers(1, 4)).map(
        lambda pair: set(range(pair[0], min(sum(pair), len(units))))
    )
    chosen = st.one_of(stretch, stretch, st.lists(place, min_size=1, max_size=4).map(set))
    return chosen.flatmap(lambda indices: _mentions_of([units[i] for i in sorted(indices)]))


def _mentions_of(units: Sequence[Unit]) -> st.SearchStrategy[Mention]:
    """Draw a minimum span and a head for a mention."""
    words = [word for word, rank in units if not rank]
    zeros = tuple(unit for unit in units if unit[1])
    minima = st.lists(st.sampled_from(words), max_size=3) if words else st.builds(list)
    heads = st.one_of(st.none(), st.none(), st.sampled_from(units))
    return st.tuples(st.one_of(st.builds(list), minima), heads).map(
        lambda marks: make_mention(_spans(words), zeros, _spans(marks[0]), marks[1])
    )


def _spans(words: Sequence[int]) -> tuple[Span, ...]:
    return joined([(word - 1, word) for word in sorted(set(words))])


@st.composite
def entities_over(draw: st.DrawFn, units: Sequence[Unit]) -> tuple[Entity[Mention], ...]:
    """Draw entities whose mentions may be shared, repeated and crossing, with nested sets."""
    some = draw(st.lists(mentions(units), min_size=1, max_size=5))
    mention = st.one_of(st.sampled_from(some), mentions(units))
    clusters = draw(st.lists(st.lists(mention, min_size=1, max_size=4), max_size=4))
    order = draw(st.permutations(range(len(clusters))))
    entities = []
    for position, cluster in enumerate(clusters):
        before = [other for other in range(len(clusters)) if order[other] < order[position]]
        elements = st.lists(st.sampled_from(before or [0]), max_size=3, unique=True)
        own = st.dictionaries(st.sampled_from(KEYS), texts, max_size=2)
        attributes = st.lists(own, min_size=len(cluster), max_size=len(cluster)).map(tuple)
        entities.append(
            Entity(
                tuple(cluster),
                tuple(draw(elements)) if before else (),
                draw(texts),
                draw(st.one_of(st.just(()), attributes)),
                draw(st.sampled_from(["set", "set", "result"])),
            )
        )
    return tuple(entities)


@st.composite
def annotated(draw: st.DrawFn, document: Document) -> Document:
    """Draw the annotation of a document, with all layers."""
    words = [(position + 1, 0) for position in range(len(document.words))]
    units = sorted([*words, *document.zeros])
    if not units:
        return document
    entities = draw(entities_over(units))
    types = st.one_of(st.sampled_from(["", "1", "2", "0", "expletive"]), texts)
    empty = st.builds(NonReferring, mentions(units), types)
    nonreferring = draw(st.lists(empty, max_size=2))
    anchors: list[tuple[Mention, int | None]] = [
        (mention, position)
        for position, entity in enumerate(entities)
        for mention in entity.mentions
    ]
    anchors += [(entry.mention, None) for entry in nonreferring]
    bridges = []
    if anchors:
        ends = st.tuples(st.sampled_from(anchors), st.sampled_from(anchors), texts)
        links = draw(st.lists(ends, max_size=3))
        bridges = [Bridge(a[0], b[0], b[1], relation) for a, b, relation in links]
    candidates = st.builds(Candidates, mentions(units), st.lists(mentions(units)).map(tuple))
    return replace(
        document,
        candidates=tuple(draw(st.one_of(st.just([]), st.lists(candidates, max_size=2)))),
        entities=entities,
        nonreferring=tuple(nonreferring),
        bridges=tuple(bridges),
        deixis=draw(st.one_of(st.just(()), entities_over(units))),
    )


@st.composite
def bare_documents(draw: st.DrawFn, *, characters: bool, least: int) -> Document:
    """Draw words or characters, sentences and zeros, without annotation."""
    if characters:
        return Document(draw(texts), draw(st.text(min_size=least, max_size=8)), ())
    words = draw(st.lists(words_of_text, min_size=least, max_size=7))
    numbers = st.sampled_from([0, 0, 0, 1, 2])
    ranks = draw(st.lists(numbers, min_size=len(words) + 1, max_size=len(words) + 1))
    zeros: list[Zero] = [(at, rank + 1) for at, last in enumerate(ranks) for rank in range(last)]
    starts = draw(st.sets(st.sampled_from(range(len(words))))) if words else set()
    sentences = sorted({0, *starts}) if starts else []
    return Document(draw(texts), tuple(words), (), zeros=tuple(zeros), sentences=tuple(sentences))


@st.composite
def corpora(draw: st.DrawFn, *, characters: bool | None = None) -> Corpus:
    """Draw a document, or several, the first of which has words."""
    kind = st.booleans() if characters is None else st.just(characters)
    documents: dict[str, Document] = {}
    for number in range(draw(st.sampled_from([1, 1, 2, 3]))):
        bare = draw(bare_documents(characters=draw(kind), least=1 if number == 0 else 0))
        documents.setdefault(bare.name, draw(annotated(bare)))
    return Corpus(documents)


def has_words(corpus: Corpus, name: str) -> bool:
    """Return True if each file has words; otherwise it cannot be read."""
    some = [bool(document.words) for document in corpus.documents.values()]
    return all(some) if FORMATS[name].one_document else any(some)


class SetDrawing(Generic[T]):
    """Examples of a strategy, drawn once for all formats, the smallest first."""

    def __init__(self, strategy: st.SearchStrategy[T], number: int) -> None:
        self._strategy = strategy
        self._number = number

    @cached_property
    def examples(self) -> list[T]:
        examples: list[T] = []

        @settings(
            max_examples=self._number,
            database=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(example=self._strategy)
        def collect(example: T) -> None:
            examples.append(example)

        collect()
        return sorted(examples, key=lambda example: len(repr(example)))

    def check(self, test: Callable[[T], None]) -> None:
        """Run a test on all examples; add the smallest one that fails to the error."""
        for example in self.examples:
            try:
                test(example)
            except Exception as error:
                error.add_note(f"with {example!r}")
                raise


CORPORA_DRAWN = SetDrawing(corpora(), 110)
