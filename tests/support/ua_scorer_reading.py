"""CoNLL-UA read as the published Universal Anaphora scorers read it, and written as CODI-CRAC did.

The scorers split lines at white space, take columns by their numbers, and count closing brackets;
or they take the names in all of them, if they are told that mentions cross.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

COLUMNS = 15
IDENTITY, BRIDGING, DEIXIS = 10, 11, 12


@dataclass
class Reading:
    """Annotation of one document. Rows count from 0, those of zeros and multiword tokens too."""

    entity_of: dict[str, str] = field(default_factory=dict)
    """EntityIDs by MarkableID."""

    runs: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """First and last rows of the parts of mentions, by MarkableID."""

    elements: dict[str, set[str]] = field(default_factory=dict)
    """EntityIDs of the elements of sets, by EntityID."""

    anchors: dict[str, str] = field(default_factory=dict)
    """MarkableIDs of anchors by those of anaphors; of several anchors, the last."""


def rows_by_document(text: str) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield the names of the documents and their rows, split at white space."""
    name, rows = "", list[list[str]]()
    for line in text.split("\n"):
        if line.startswith("# newdoc id = "):
            if name:
                yield name, rows
            name, rows = line.removeprefix("# newdoc id = ").strip(), []
        elif line.strip() and not line.startswith("#"):
            rows.append(line.split())
    yield name, rows


def attributes_of(text: str) -> dict[str, str]:
    """Return the attributes of a bracket."""
    return dict(attribute.split("=", 1) for attribute in text.removesuffix(")").split("|"))


def reading_of(rows: list[list[str]], column: int, *, named: bool) -> Reading:
    """Read a layer of a document; fail where a scorer would, or would misread."""
    reading = Reading()
    starts: dict[str, int] = {}
    opened: list[str] = []
    for number, row in enumerate(rows):
        assert len(row) == COLUMNS
        closing, *opening = ("" if row[column] == "_" else row[column]).split("(")
        if named:
            names = closing.split(")")
            assert names.pop() == ""
            assert all(names)
        else:
            assert set(closing) <= {")"}
            names = [opened.pop() for _ in closing]
        for name in names:
            reading.runs[name].append((starts.pop(name), number))
        for bracket in opening:
            attributes = attributes_of(bracket)
            name, entity = attributes["MarkableID"], attributes["EntityID"]
            assert reading.entity_of.setdefault(name, entity) == entity
            reading.runs.setdefault(name, [])
            for owner in attributes.get("ElementOf", "").split(","):
                reading.elements.setdefault(owner, set()).add(entity)
            if bracket.endswith(")"):
                reading.runs[name].append((number, number))
            else:
                opened.append(name)
                starts[name] = number
        for bracket in row[BRIDGING].split("(")[1:]:
            attributes = attributes_of(bracket)
            reading.anchors[attributes["MarkableID"]] = attributes["MentionAnchor"]
    assert not starts
    reading.elements.pop("", None)
    return reading


def names_closings(text: str, column: int) -> bool:
    """Return True if a closing bracket of a column has a name."""
    rows = (row for _, document in rows_by_document(text) for row in document)
    return any(set(row[column].split("(")[0]) - {")", "_"} for row in rows)


def as_released(text: str) -> str:
    """Write a file of ours as CODI-CRAC files are.

    Columns are separated by blanks, an empty last column is absent, and the bracket of a bridging
    anaphor closes on its last word.
    """
    named = names_closings(text, IDENTITY)
    cells = iter(
        cell
        for _, rows in rows_by_document(text)
        for cell in _bridging_cells(rows, reading_of(rows, IDENTITY, named=named))
    )
    lines = []
    for line in text.split("\n"):
        if line.startswith("#") or not line:
            lines.append(line)
            continue
        row = line.split("\t")
        row[BRIDGING] = next(cells)
        last = "" if row[-1] == "_" else row[-1]
        lines.append("  ".join([*row[:-1], last]))
    return "\n".join(lines)


def _bridging_cells(rows: list[list[str]], reading: Reading) -> list[str]:
    """Return the cells of the bridging column, closed where the anaphors end."""
    closing, opening = [""] * len(rows), [""] * len(rows)
    for number, row in enumerate(rows):
        for bracket in row[BRIDGING].split("(")[1:]:
            last = reading.runs[attributes_of(bracket)["MarkableID"]][-1][1]
            opening[number] += f"({bracket}" if last == number else f"({bracket.removesuffix(')')}"
            closing[last] += ")" * (last != number)
    return [a + b or "_" for a, b in zip(closing, opening, strict=True)]
