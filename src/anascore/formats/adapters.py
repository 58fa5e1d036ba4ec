"""Adapters that turn the output of spaCy, fastcoref, maverick, Stanza and BookNLP into corpora."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from anascore.errors import EntityError, Problems, shown
from anascore.formats.booknlp import HEADER, TOKENS_HEADER, Rows, read_mentions, read_tokens
from anascore.formats.building import typed_entities
from anascore.formats.fastcoref import LOST_MENTIONS
from anascore.formats.files import Source
from anascore.formats.format import ReadOptions
from anascore.formats.objects import expect, from_clusters
from anascore.formats.stanza import read_stanza
from anascore.model.document import IN_MEMORY, NAME, Corpus, Document, Offsets


def _merge(corpora: Iterable[Corpus]) -> Corpus:
    documents: dict[str, Document] = {}
    formats = IN_MEMORY
    for corpus in corpora:
        formats = corpus.formats
        for name, document in corpus.documents.items():
            if documents.setdefault(name, document) is not document:
                message = (
                    f"two documents are named {name!r}; pass a dictionary of documents by name"
                )
                raise EntityError(message)
    return Corpus(documents, formats)


def _with_names(documents: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(documents, Mapping):
        yield from documents.items()
        return
    for number, document in enumerate(documents, 1):
        yield NAME if number == 1 else f"{NAME}-{number}", document


@expect("spaCy Docs")
def from_spacy(docs: Any, *, prefix: str = "coref_clusters_", offsets: Offsets = "token") -> Corpus:
    """Make a corpus from spaCy Docs; see `Corpus.from_spacy`."""
    single = hasattr(docs, "spans")
    return _merge(
        _from_spacy(doc, name, prefix, offsets)
        for name, doc in _with_names([docs] if single else docs)
    )


def _from_spacy(doc: Any, name: str, prefix: str, offsets: Offsets) -> Corpus:
    groups = sorted(doc.spans.items(), key=lambda group: _natural_order(group[0]))
    clusters = [spans for key, spans in groups if key.startswith(prefix)]
    if offsets == "character":
        return from_clusters(
            [[(span.start_char, span.end_char) for span in spans] for spans in clusters],
            offsets=offsets,
            end="exclusive",
            text=doc.text,
            name=name,
        )
    return from_clusters(
        [[(span.start, span.end) for span in spans] for spans in clusters],
        offsets=offsets,
        end="exclusive",
        words=[token.text for token in doc],
        name=name,
    )


def _natural_order(key: str) -> tuple[int, str]:
    """Sort coref_clusters_10 after coref_clusters_9."""
    return len(key), key


@expect("output of fastcoref")
def from_fastcoref(results: Any) -> Corpus:
    """Make a corpus from the output of fastcoref's predict; see `Corpus.from_fastcoref`."""
    single = hasattr(results, "get_clusters")
    return _merge(
        _from_fastcoref(result, name)
        for name, result in _with_names([results] if single else results)
    )


def _from_fastcoref(result: Any, name: str) -> Corpus:
    clusters = result.get_clusters(as_strings=False)
    texts = result.get_clusters(as_strings=True)
    # fastcoref has None for a mention that begins or ends at a special token.
    spans = [[span for span in cluster if span is not None] for cluster in clusters]
    if isinstance(result.text, str):
        corpus = from_clusters(
            spans, offsets="character", end="exclusive", text=result.text, texts=texts, name=name
        )
    else:
        # With is_split_into_words, spans count words, and the texts of mentions are lists of words.
        joined = [[" ".join(words) for words in cluster] for cluster in texts]
        corpus = from_clusters(
            spans, offsets="token", end="exclusive", words=result.text, texts=joined, name=name
        )
    lost = sum(map(len, clusters)) - sum(map(len, spans))
    document = corpus.documents[name]
    if lost:
        document = replace(document, notes={LOST_MENTIONS: lost})
    # A cluster of which no mention has a place is left out.
    entities = tuple(entity for entity in document.entities if entity.mentions)
    return replace(corpus, documents={name: replace(document, entities=entities)})


@expect("output of maverick")
def from_maverick(outputs: Any) -> Corpus:
    """Make a corpus from the output of maverick's predict; see `Corpus.from_maverick`."""
    single = isinstance(outputs, Mapping) and "clusters_token_offsets" in outputs
    return _merge(
        from_clusters(
            output["clusters_token_offsets"],
            offsets="token",
            end="inclusive",
            words=output["tokens"],
            texts=output.get("clusters_token_text"),
            name=name,
        )
        for name, output in _with_names([outputs] if single else outputs)
    )


@expect("a Document that Stanza's pipeline made (anascore.read reads its files)")
def from_stanza(docs: Any) -> Corpus:
    """Make a corpus from Stanza Documents; see `Corpus.from_stanza`."""
    single = hasattr(docs, "sentences")
    named = isinstance(docs, Mapping)
    return _merge(
        _from_stanza(doc, name, keep_names=not named)
        for name, doc in _with_names([docs] if single else docs)
    )


_NEW_DOCUMENT = re.compile(r"^# *newdoc\b.*\n", re.MULTILINE)


def _from_stanza(doc: Any, name: str, *, keep_names: bool) -> Corpus:
    """Read the Document's CoNLL-U text, which contains everything that Stanza writes to files."""
    if not doc.sentences:
        return Corpus({name: Document(name, (), ())}, ("stanza",))
    text = f"{doc:C}\n\n"
    if not keep_names:
        text = _NEW_DOCUMENT.sub("", text)
    problems = Problems("")
    corpus = read_stanza(Source("", text.encode(), name, in_folder=True), problems, ReadOptions())
    _raise_first(problems, "line", f"the CoNLL-U of document {name!r}")
    return corpus


def _raise_first(problems: Problems, unit: str, name: str) -> None:
    """Raise the first error as an EntityError that names the line or row."""
    errors = [problem for problem in problems.found if problem.severity == "error"]
    if errors:
        message = f"{unit} {errors[0].line} of {name}: {errors[0].what}"
        raise EntityError(message)


@expect("a table of BookNLP")
def from_booknlp(entities: Any, tokens: Any, *, name: str = NAME) -> Corpus:
    """Make a corpus from BookNLP's tables; see `Corpus.from_booknlp`."""
    problems = Problems("")
    words, sentences = read_tokens(_rows(tokens, "tokens", TOKENS_HEADER), problems)
    _raise_first(problems, "row", "tokens")
    mentions = list(
        read_mentions(_rows(entities, "entities", HEADER), words, "the table of tokens", problems)
    )
    _raise_first(problems, "row", "entities")
    document = Document(name, tuple(words), typed_entities(mentions), sentences=tuple(sentences))
    return Corpus({name: document}, ("booknlp",))


def _rows(table: Any, table_name: str, columns: Sequence[str]) -> Rows:
    """Accept a DataFrame or a list of dictionaries; number the rows from 0."""
    rows = table.to_dict("records") if hasattr(table, "to_dict") else table
    for number, row in enumerate(rows):
        for column in columns:
            if column not in row:
                message = f"row {number} of {table_name} has no {column}; it needs"
                raise EntityError(f"{message} {', '.join(columns)}")
            # pandas reads words like null as missing values, which are floats.
            if row[column] is None or isinstance(row[column], float):
                message = f"row {number} of {table_name}: {column} is {shown(row[column])}"
                raise EntityError(f"{message}; read the table with {READ_TABLE}")
        yield number, [str(row[column]) for column in columns]


READ_TABLE = 'pandas.read_csv(path, sep="\\t", quoting=csv.QUOTE_NONE, keep_default_na=False)'
