"""HTML and SVG elements. All content is escaped unless it is Markup."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from functools import lru_cache
from html import escape
from typing import TypeAlias

from anascore.terminal import escape_control_characters

CACHED = 10_000
"""Size of the caches for escaped words and for attributes with their values."""

VOID = frozenset({"meta", "input"})
"""Elements without content that pages use."""


class Markup(str):
    """Text or elements that are safe in HTML and are not escaped again."""

    __slots__ = ()


Content: TypeAlias = str | int | None
AttributeValue: TypeAlias = str | float | None


def text(content: Content) -> Markup:
    """Escape a value unless it is Markup; make control and format characters visible, too."""
    if isinstance(content, Markup):
        return content
    return Markup("" if content is None else escape(escape_control_characters(str(content))))


def visible_text(content: str) -> str:
    """Replace control characters and lone surrogates with visible characters of the same length.

    Format characters stay, because scripts need them.
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
    """Build an element; attributes that are None or False are omitted.

    >>> element("p", "a < b", class_="x", data_s=1)
    '<p class="x" data-s="1">a &lt; b</p>'
    """
    start = start_tag(tag, **attributes)
    return start if tag in VOID else Markup(f"{start}{''.join(map(text, content))}</{tag}>")


def start_tag(tag: str, /, **attributes: AttributeValue) -> Markup:
    """Build an element's start tag."""
    return Markup(f"<{tag}{''.join([_attribute(*item) for item in attributes.items()])}>")


@lru_cache(CACHED, typed=True)
def _attribute(name: str, value: AttributeValue) -> str:
    if value is None or value is False:
        return ""
    hyphenated = name.rstrip("_").replace("_", "-")
    return f" {hyphenated}" if value is True else f' {hyphenated}="{text(str(value))}"'


def packed(name: str, value: object) -> Markup:
    """Pack data for the script: JSON, deflated, in base64.

    Browsers never execute the block, and no character in it could end it.
    """
    # A higher level takes twice the time and saves a few per cent.
    deflated = zlib.compress(json.dumps(value, separators=(",", ":")).encode(), level=4)
    return element("script", b64encode(deflated).decode(), id=name, type="application/octet-stream")


def raw(name: str, content: str) -> Markup:
    """Embed our own style sheet or script, without escaping.

    Raise ValueError if the content could close the element.
    """
    if "</" in content:
        message = f"{name}: the content must not contain </"
        raise ValueError(message)
    return Markup(f"<{name}>{content}</{name}>")
