"""Elements of HTML and SVG. All content is escaped unless it is Markup."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from functools import lru_cache
from html import escape
from typing import TypeAlias

from anascore.terminal import escape_control_characters

CACHED = 10_000
"""Number of words, and of attributes with their values, that are not escaped again."""

VOID = frozenset({"meta", "input"})
"""Elements without content that the page uses."""


class Markup(str):
    """Escaped text or elements, which are not escaped again."""

    __slots__ = ()


Content: TypeAlias = str | int | None
AttributeValue: TypeAlias = str | float | None


def text(content: Content) -> Markup:
    """Escape a value unless it is Markup; show control and format characters, too."""
    if isinstance(content, Markup):
        return content
    return Markup("" if content is None else escape(escape_control_characters(str(content))))


def visible_text(content: str) -> str:
    """Replace control characters and lone surrogates by visible characters of the same length.

    Format characters stay, since scripts need them.
    """
    return content if content.isprintable() else "".join(map(_visible, content))


def _visible(character: str) -> str:
    number = ord(character)
    if character in "\n\t" or character.isprintable():
        return character
    if number < 0x20:
        return chr(0x2400 + number)
    if number == 0x7F:
        return "\u2421"
    return "\ufffd" if 0x80 <= number < 0xA0 or 0xD800 <= number < 0xE000 else character


def joined(*content: Content) -> Markup:
    """Escape and concatenate content."""
    return Markup("".join(map(text, content)))


def element(tag: str, /, *content: Content, **attributes: AttributeValue) -> Markup:
    """Return an element; attributes that are None or False are omitted.

    >>> element("p", "a < b", class_="x", data_s=1)
    '<p class="x" data-s="1">a &lt; b</p>'
    """
    start = start_tag(tag, **attributes)
    return start if tag in VOID else Markup(f"{start}{''.join(map(text, content))}</{tag}>")


def start_tag(tag: str, /, **attributes: AttributeValue) -> Markup:
    """Return the start tag of an element."""
    return Markup(f"<{tag}{''.join([_attribute(*item) for item in attributes.items()])}>")


@lru_cache(CACHED, typed=True)
def _attribute(name: str, value: AttributeValue) -> str:
    if value is None or value is False:
        return ""
    hyphenated = name.rstrip("_").replace("_", "-")
    return f" {hyphenated}" if value is True else f' {hyphenated}="{text(str(value))}"'


def packed(name: str, value: object) -> Markup:
    """Return a block of data that the script unpacks: JSON, deflated, in base64.

    Browsers never execute it, and it has no character that could end it.
    """
    # A higher level takes twice the time and saves a few per cent.
    deflated = zlib.compress(json.dumps(value, separators=(",", ":")).encode(), level=4)
    return element("script", b64encode(deflated).decode(), id=name, type="application/octet-stream")


def raw(name: str, content: str) -> Markup:
    """Return an element with a style sheet or script of ours, which is not escaped.

    Raise ValueError if the content could close the element.
    """
    if "</" in content:
        message = f"{name}: the content must not contain </"
        raise ValueError(message)
    return Markup(f"<{name}>{content}</{name}>")
