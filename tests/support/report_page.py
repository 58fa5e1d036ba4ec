"""Reports taken apart, and reports of hostile corpora."""

import json
import zlib
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import anascore
from anascore import Bridge, Corpus, Document, Entity, Mention
from anascore.output.html.markup import VOID


@dataclass
class Table:
    """A table as it is read: what stands in its cells, without drawings."""

    heading: str
    """Heading above it."""

    name: str | None
    caption: str = ""
    heads: list[list[str]] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)


class Page(HTMLParser):
    """A page taken apart: tags, attributes, texts, cards and tables."""

    def __init__(self, path: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[tuple[str, dict[str, str | None]]] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.heading = ""
        self.cards: list[str] = []
        self.tables: list[Table] = []
        self.texts: list[tuple[str, str]] = []
        self.source = path.read_text(encoding="utf-8")
        self.feed(self.source)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(self.tags[-1])
        if tag in {"h2", "h3"}:
            self.heading = ""
        elif tag == "li" and dict(attrs).get("class") == "card":
            self.cards.append("")
        elif tag == "table":
            self.tables.append(Table(self.heading, dict(attrs).get("id")))
        elif tag == "tr":
            self.rows.append([])
        elif tag in {"th", "td"}:
            self.rows[-1].append("")

    @property
    def rows(self) -> list[list[str]]:
        """Rows of the part of a table that is open."""
        table = self.tables[-1]
        return table.heads if any(tag == "thead" for tag, _ in self.open) else table.rows

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.append((self.open[-1][0], data))
        inside = {tag for tag, _ in self.open}
        if inside & {"h2", "h3"}:
            self.heading += data
        elif "svg" in inside:
            return
        elif inside & {"th", "td"}:
            self.rows[-1][-1] += data
        elif "caption" in inside:
            self.tables[-1].caption += data
        elif ("li", "card") in {(tag, attributes.get("class")) for tag, attributes in self.open}:
            self.cards[-1] += data

    @property
    def visible(self) -> str:
        return "".join(text for tag, text in self.texts if tag not in {"style", "script"})

    def table(self, caption: str, heading: str | None = None) -> Table:
        """Return the table whose caption begins so; `heading` stands above it."""
        (table,) = (
            table
            for table in self.tables
            if table.caption.startswith(caption) and heading in {None, table.heading}
        )
        return table

    def data(self, name: str) -> Any:
        """Unpack a block of data."""
        blocks = [text for tag, text in self.texts if tag == "script"]
        names = [attributes.get("id") for tag, attributes in self.tags if tag == "script"]
        return json.loads(zlib.decompress(b64decode(blocks[names.index(name)])))

    def all_text(self) -> str:
        """Return the visible text and all strings of the data."""
        names = [str(a["id"]) for tag, a in self.tags if tag == "script" and "id" in a]
        return " ".join([self.visible, *(s for name in names for s in strings(self.data(name)))])


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from strings(one)


HOSTILE = [
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "</style><script>alert(1)</script>",
    "</title></mark></table>",
    "<!-- &lt; &#60;",
    "a\u202eb\u200f",
    "x" * 3000,
    "javascript:alert(1)",
]


def hostile_corpora() -> list[Corpus]:
    """Make a key and a response in which every field is hostile."""
    words = [word for text in HOSTILE for word in (text, "they")]
    mentions = [Mention(((n, n + 1),)) for n in range(len(words))]
    names = [f"{text}{n}" for n, text in enumerate(HOSTILE)]
    entities = [
        Entity(
            [mentions[2 * n], mentions[2 * n + 1]],
            [n - 1] if n else [],
            name,
            [{"etype": name}] * 2,
        )
        for n, name in enumerate(names)
    ]
    bridges = [Bridge(mentions[1], mentions[0], 0, text) for text in HOSTILE]
    return [
        Corpus(
            {
                text: Document(text, words, found, bridges=bridges, deixis=found[:1], path=text)
                for text in names
            },
            ("jsonl",),
            names[0],
        )
        for found in (entities, entities[:3])
    ]


def write_hostile(folder: Path) -> list[str]:
    """Write them to files with hostile names, as far as these can hold them."""
    paths = []
    for number, corpus in enumerate(hostile_corpora()):
        path = folder / f"{number}<script>alert(1)<!--\"'&.jsonl"
        anascore.write(corpus, path)
        paths.append(str(path))
    return paths


ALLOWED = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "style",
        "noscript",
        "body",
        "script",
        "header",
        "nav",
        "main",
    ),
    *("footer", "section", "h1", "h2", "h3", "h4", "p", "ul", "li", "a", "bdi", "form"),
    *("fieldset", "legend", "label", "input", "select", "option", "mark", "span", "div"),
    *("table", "caption", "thead", "tbody", "tr", "th", "td", "strong", "small", "abbr"),
    *("details", "summary", "code", "figure", "figcaption", "svg", "g", "circle", "rect"),
    *("path", "line", "text", "ol", "button", "datalist"),
}
