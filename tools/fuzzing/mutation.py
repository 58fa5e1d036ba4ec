"""Random mutation of files: bytes, lines, columns, brackets, JSON values, encodings, splices."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from typing import Any, TypeAlias

Mutation: TypeAlias = Callable[[bytes, random.Random], bytes]


def without_line(content: bytes, rng: random.Random) -> bytes:
    """Remove a line."""
    lines = content.split(b"\n")
    del lines[rng.randrange(len(lines))]
    return b"\n".join(lines)


def doubled_line(content: bytes, rng: random.Random) -> bytes:
    """Copy a line to another place."""
    lines = content.split(b"\n")
    lines.insert(rng.randrange(len(lines)), rng.choice(lines))
    return b"\n".join(lines)


def swapped_lines(content: bytes, rng: random.Random) -> bytes:
    """Swap two lines."""
    lines = content.split(b"\n")
    first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    return b"\n".join(lines)


MARKS = re.compile(rb"[\[\](){}\"\t|,:=<@#\n-]")


def _replace(content: bytes, match: re.Match[bytes], piece: bytes) -> bytes:
    return content[: match.start()] + piece + content[match.end() :]


def without_mark(content: bytes, rng: random.Random) -> bytes:
    """Remove a character that means something in a format."""
    return _replace(content, rng.choice(list(MARKS.finditer(content))), b"")


def doubled_mark(content: bytes, rng: random.Random) -> bytes:
    """Double a character that means something in a format."""
    match = rng.choice(list(MARKS.finditer(content)))
    return _replace(content, match, match[0] * 2)


def another_mark(content: bytes, rng: random.Random) -> bytes:
    """Replace a character that means something in a format by another one."""
    match, other = rng.sample(list(MARKS.finditer(content)), 2)
    return _replace(content, match, other[0])


def flipped_bit(content: bytes, rng: random.Random) -> bytes:
    """Flip a bit."""
    changed = bytearray(content)
    changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def another_byte(content: bytes, rng: random.Random) -> bytes:
    """Replace a byte by any other."""
    changed = bytearray(content)
    changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


NUMBERS = [b"0", b"-1", b"99999999999999999999", b"1e999", b"1.5", b"9" * 5000, b"007"]
NUMBERS += ["\u0663".encode(), "²".encode(), b"1_0", b"NaN", b"true", b"null", b'"1"', b"+1", b""]


def another_number(content: bytes, rng: random.Random) -> bytes:
    """Replace a number by an odd one."""
    return _replace(content, rng.choice(list(re.finditer(rb"\d+", content))), rng.choice(NUMBERS))


PIECES = [b"{}", b"[]", b"[[]]", b'""', b"null", b"true", b"1.5", b"[0, 0]", b'"\\ud800"', b"-"]


def another_value(content: bytes, rng: random.Random) -> bytes:
    """Replace something that looks like a value by another value."""
    match = rng.choice(list(re.finditer(rb'"[^"\n]*"|\[[^\[\]]*\]|\([^()\n]*\)|[^\s\t]+', content)))
    return _replace(content, match, rng.choice(PIECES))


def moved_piece(content: bytes, rng: random.Random) -> bytes:
    """Move a piece to another place."""
    start, end = sorted(rng.randrange(len(content)) for _ in range(2))
    end = min(end, start + 40)
    rest = content[:start] + content[end:]
    place = rng.randrange(len(rest) + 1)
    return rest[:place] + content[start:end] + rest[place:]


SIMPLE_MUTATIONS: list[Mutation] = [
    *(without_line, doubled_line, swapped_lines, without_mark, doubled_mark, another_mark),
    *(flipped_bit, another_byte, another_number, another_value, moved_piece),
]


def cut(content: bytes, rng: random.Random) -> bytes:
    """Keep the beginning or the end."""
    place = rng.randrange(len(content))
    return content[:place] if rng.random() < 0.7 else content[place:]


ODD_PIECES = [
    piece.encode()
    for piece in (
        *("\0", "\r", "\r\n", "\ufeff", "\u2028", "\x85", "\xa0", "\x0b", "\x1b[31m", "\u202e"),
        *("e\u0301", "\U0001f600", "##", "[CLS]", "Entity=", "|", "@", ")(", "((", "_", "-Pseudo"),
        *("#GENERAL#", "# newdoc\n", "#end document\n", "\\", "\\ud800", "[1/2]", "<", "\n\n", " "),
    )
]


def odd_piece(content: bytes, rng: random.Random) -> bytes:
    """Insert a piece that is odd, or means something in a format."""
    place = rng.randrange(len(content) + 1)
    return content[:place] + rng.choice(ODD_PIECES) + content[place:]


def other_encoding(content: bytes, rng: random.Random) -> bytes:
    """Write the text in another encoding."""
    encoding = rng.choice(["utf-16", "latin-1", "utf-8-sig", "cp1252", "utf-32"])
    return content.decode(errors="replace").encode(encoding, errors="replace")


def repeated_piece(content: bytes, rng: random.Random) -> bytes:
    """Repeat a piece, rarely very often."""
    start, end = sorted(rng.randrange(len(content)) for _ in range(2))
    end = min(end, start + 40)
    times = rng.choice([2, 3, 10, 100]) if rng.random() < 0.98 else 1000
    return content[:start] + content[start:end] * times + content[end:]


TOKEN = re.compile(rb"[A-Za-z_]*\d+")


def another_id(content: bytes, rng: random.Random) -> bytes:
    """Replace a number or an id by another one of the file."""
    match, other = rng.sample(list(TOKEN.finditer(content)), 2)
    return _replace(content, match, other[0])


def next_number(content: bytes, rng: random.Random) -> bytes:
    """Increase or decrease a number by one."""
    match = rng.choice(list(re.finditer(rb"\d{1,6}", content)))
    return _replace(content, match, str(int(match[0]) + rng.choice([-1, 1])).encode())


def another_bracket(content: bytes, rng: random.Random) -> bytes:
    """Put the annotation of a place at another one, too."""
    matches = list(
        re.finditer(rb"\([^()\t\n ]*\)?|[\w]*\)|\|[^ \t\n]*\]|Entity=[^|\t\n]*", content)
    )
    match, other = rng.sample(matches, 2)
    joined = rng.choice([other[0], match[0] + other[0], match[0] + b"|" + other[0]])
    return _replace(content, match, joined)


def changed_columns(content: bytes, rng: random.Random) -> bytes:
    """Remove, double, swap or replace a cell."""
    lines = content.split(b"\n")
    rows = [number for number, line in enumerate(lines) if b"\t" in line]
    number = rng.choice(rows)
    cells = lines[number].split(b"\t")
    place = rng.randrange(len(cells))
    match rng.randrange(4):
        case 0:
            del cells[place]
        case 1:
            cells.insert(place, rng.choice(cells))
        case 2:
            other = rng.randrange(len(cells))
            cells[place], cells[other] = cells[other], cells[place]
        case _:
            cells[place] = rng.choice(lines[rng.choice(rows)].split(b"\t"))
    lines[number] = b"\t".join(cells)
    return b"\n".join(lines)


VALUES: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 10**20, 1.5, float("nan"), "", "a", "é", "d", [], {}, [[]]),
    *([0, 0], [0, 1], [[0, 0]], [[[0, 0]]], {"a": 1}, ["a"], [["a"]], [0, 0, 1], [1, 0], "\ud800"),
]


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Return all containers in a value, each with each of its keys or positions."""
    places = []
    stack = [value]
    while stack:
        container = stack.pop()
        if isinstance(container, dict | list):
            items = container.items() if isinstance(container, dict) else enumerate(container)
            for key, item in items:
                places.append((container, key))
                stack.append(item)
    return places


def changed_json(content: bytes, rng: random.Random) -> bytes:
    """Change a value of a JSON text, or of one of its lines."""
    lines = content.split(b"\n")
    try:
        values, single = [json.loads(content)], True
    except ValueError:
        values, single = [json.loads(line) for line in lines if line.strip()], False
    places = _places(values)
    container, key = rng.choice(places)
    other, other_key = rng.choice(places)
    match rng.randrange(7):
        case 0:
            container[key] = rng.choice(VALUES)
        case 1:
            del container[key]
        case 2 if isinstance(container, list):
            container.insert(key, container[key])
        case 3:
            # A copy: a value must not hold itself.
            container[key] = json.loads(json.dumps(other[other_key]))
        case 4:
            container[key] = [container[key]]
        case 5 if isinstance(container, dict):
            container[rng.choice([f"{key}s", key[:-1], key.upper(), "clusters"])] = container[key]
        case _ if type(container[key]) is int:
            container[key] += rng.choice([-1, 1])
        case _:
            container[key] = rng.choice(VALUES)
    ascii_only, indent = rng.random() < 0.5, rng.choice([None, None, 1]) if single else None
    texts = (json.dumps(value, ensure_ascii=ascii_only, indent=indent) for value in values)
    return "\n".join(texts).encode(errors="replace")


MUTATIONS: list[Mutation] = [
    *SIMPLE_MUTATIONS,
    *(cut, odd_piece, other_encoding, repeated_piece, another_id, next_number),
]
COLUMN_MUTATIONS: list[Mutation] = [changed_columns, another_bracket, another_id, next_number]
JSON_MUTATIONS: list[Mutation] = [changed_json]


def mutate(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """Mutate a file some times; others are files for splices."""
    own = JSON_MUTATIONS if content[:1] in {b"{", b"["} else COLUMN_MUTATIONS
    for _ in range(rng.choice([1, 1, 1, 2, 2, 3, 5])):
        if rng.random() < 0.05:
            content = splice(content, rng.choice(others), rng)
            continue
        mutation = rng.choice(own if rng.random() < 0.6 else MUTATIONS)
        try:
            content = mutation(content, rng)
        except (ValueError, IndexError, RecursionError):
            # The file no longer has what this mutation changes.
            content = odd_piece(content, rng)
    return content


def splice(content: bytes, other: bytes, rng: random.Random) -> bytes:
    """Join the beginning of a file and the end of another one, at lines or anywhere."""
    if rng.random() < 0.5:
        lines, other_lines = content.split(b"\n"), other.split(b"\n")
        start, end = rng.randrange(len(lines) + 1), rng.randrange(len(other_lines) + 1)
        return b"\n".join(lines[:start] + other_lines[end:])
    return content[: rng.randrange(len(content) + 1)] + other[rng.randrange(len(other) + 1) :]
