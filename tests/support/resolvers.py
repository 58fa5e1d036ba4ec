"""One text, annotated twice, in CorefUD and in the layouts of resolvers and datasets.

The texts of files are made here from words and spans, by the rules of each layout.
"""

import json
from collections.abc import Callable
from typing import Any, TypeAlias

Spans: TypeAlias = list[list[tuple[int, int]]]
"""Spans of words of each entity, ends exclusive."""

SENTENCES = [
    ["Ann", "Smith", "'s", "dog", "barked", "."],
    ["She", "calmed", "it", ",", "and", "it", "slept", "."],
]
WORDS = [word for sentence in SENTENCES for word in sentence]

KEY: Spans = [[(0, 3), (6, 7)], [(0, 4), (8, 9), (11, 12)]]
RESPONSE: Spans = [[(0, 3), (6, 7), (8, 9)], [(0, 4), (11, 12)], [(13, 14)]]

HEADER = "# global.Entity = eid\n# newdoc id = d\n"
KEY_COREFUD = {0: "(e2(e1", 2: "e1)", 3: "e2)", 6: "(e1)", 8: "(e2)", 11: "(e2)"}
RESPONSE_COREFUD = {**KEY_COREFUD, 8: "(e1)", 13: "(e3)"}


def corefud(brackets: dict[int, str]) -> str:
    """Write the text with brackets at some words."""
    lines = [HEADER.rstrip()]
    position = 0
    for sentence in SENTENCES:
        for number, word in enumerate(sentence, 1):
            misc = f"Entity={brackets[position]}" if position in brackets else "_"
            lines.append("\t".join([str(number), word, *"_" * 7, misc]))
            position += 1
        lines.append("")
    return "\n".join(lines) + "\n"


def inclusive(clusters: Spans) -> list[list[list[int]]]:
    return [[[start, end - 1] for start, end in spans] for spans in clusters]


SUBTOKENS = {"Smith": ["Sm", "##ith"], "'s": ["'", "s"], "barked": ["bark", "##ed"]}
"""Parts of words; all other words are whole."""


def coref_hoi(clusters: Spans, **more: Any) -> str:
    """Write two segments, of which the second starts in the middle of a sentence."""
    segments: list[list[str]] = [["[CLS]"]]
    words: list[int] = [0]
    sentences: list[int] = [0]
    first: list[int] = []
    last: list[int] = []
    for position, word in enumerate(WORDS):
        sentence = int(position >= len(SENTENCES[0]))
        if position == 8:
            segments[-1].append("[SEP]")
            segments.append(["[CLS]"])
            words += [position - 1] * 2
            sentences += [sentence] * 2
        first.append(len(words))
        for part in SUBTOKENS.get(word, [word]):
            segments[-1].append(part)
            words.append(position)
            sentences.append(sentence)
        last.append(len(words) - 1)
    segments[-1].append("[SEP]")
    fields = {
        "doc_key": "d",
        "tokens": WORDS,
        "sentences": segments,
        "speakers": [["[SPL]", *"-" * (len(segment) - 2), "[SPL]"] for segment in segments],
        "constituents": [],
        "ner": [],
        "clusters": [[[first[a], last[b - 1]] for a, b in spans] for spans in clusters],
        "sentence_map": [*sentences, sentences[-1]],
        "subtoken_map": [*words, words[-1]],
        "pronouns": [],
        **more,
    }
    # predict.py writes no line end.
    return json.dumps(fields)


def wl_coref(clusters: Spans, **more: Any) -> str:
    """Write what predict.py adds to its input."""
    fields = {
        "document_id": "d",
        "cased_words": WORDS,
        "sent_id": [number for number, words in enumerate(SENTENCES) for _ in words],
        "part_id": 0,
        "speaker": ["_"] * len(WORDS),
        "word_clusters": [[end - 1 for _, end in spans] for spans in clusters],
        "span_clusters": clusters,
        **more,
    }
    return json.dumps(fields) + "\n"


def preco(clusters: Spans) -> str:
    """Write spans of sentences."""
    size = len(SENTENCES[0])
    mentions = [
        [[0, *span] if span[0] < size else [1, span[0] - size, span[1] - size] for span in spans]
        for spans in clusters
    ]
    fields = {"id": "d", "sentences": SENTENCES, "mention_clusters": mentions}
    return json.dumps(fields) + "\n"


TEXT = "Ann Smith's dog barked. She calmed it, and it slept."


def fastcoref(clusters: Spans) -> str:
    """Write spans of characters of a text."""
    starts: list[int] = []
    for word in WORDS:
        starts.append(TEXT.index(word, starts[-1] + len(WORDS[len(starts) - 1]) if starts else 0))
    spans = [
        [[starts[first], starts[end - 1] + len(WORDS[end - 1])] for first, end in cluster]
        for cluster in clusters
    ]
    strings = [[TEXT[start:end] for start, end in cluster] for cluster in spans]
    # No line end stands after the last document.
    return json.dumps({"text": TEXT, "clusters": spans, "clusters_strings": strings})


def fastcoref_words(clusters: Spans) -> str:
    """Write what fastcoref makes of words: `is_split_into_words`."""
    strings = [[WORDS[start:end] for start, end in cluster] for cluster in clusters]
    return json.dumps({"text": WORDS, "clusters": clusters, "clusters_strings": strings})


def maverick(clusters: Spans, **more: Any) -> str:
    """Write what predict returns for words."""
    fields = {
        "tokens": WORDS,
        "clusters_token_offsets": inclusive(clusters),
        "clusters_char_offsets": None,
        "clusters_token_text": [[" ".join(WORDS[a:b]) for a, b in spans] for spans in clusters],
        "clusters_char_text": None,
        **more,
    }
    return json.dumps(fields)


def ucdcr_mention(chain: str, start: int, end: int) -> dict[str, Any]:
    """Make a mention whose context is the whole text."""
    size = len(SENTENCES[0])
    sentence = int(start >= size)
    first = sentence * size
    words = WORDS[start:end]
    return {
        "coref_chain": chain,
        "mention_id": f"d_{chain}_{start}",
        "tokens_str": " ".join(words),
        "description": f"chain {chain}",
        "coref_type": "IDENTITY",
        "mention_type": "HUM",
        "mention_full_type": "HUMAN_PART_PER",
        "tokens_text": words,
        "tokens_number": [position - first for position in range(start, end)],
        "mention_head": words[-1],
        "mention_head_id": end - 1 - first,
        "mention_head_pos": "NOUN",
        "mention_head_lemma": words[-1].lower(),
        "mention_ner": "O",
        "sent_id": sentence,
        "topic": "1",
        "topic_id": "1",
        "subtopic_id": "1a",
        "subtopic": "dogs",
        "doc_id": "d",
        "doc": "d_dogs",
        "mention_context": WORDS,
        "context_start_end_global_id": [0, len(WORDS) - 1],
        "mention_sentence_start_end": [first, first + len(SENTENCES[sentence]) - 1],
        "tokens_number_context": list(range(start, end)),
        "mention_head_id_context": end - 1,
        "is_singleton": False,
        "conll_doc_key": "1/1a/d",
        "split": "test",
    }


def ucdcr(clusters: Spans) -> str:
    """Write a list of mentions."""
    return json.dumps(
        [
            ucdcr_mention(f"C{number}", start, end)
            for number, cluster in enumerate(clusters)
            for start, end in cluster
        ]
    )


LAYOUTS: dict[str, Callable[[Spans], str]] = {
    "coref-hoi": coref_hoi,
    "wl-coref": wl_coref,
    "preco": preco,
    "fastcoref": fastcoref,
    "maverick": maverick,
    "ucdcr": ucdcr,
}
