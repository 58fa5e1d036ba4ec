"""Elements of HTML and SVG: whatever is no markup becomes text, in every place."""

from __future__ import annotations

from html import escape
from typing import TypeAlias

VOID = frozenset({"meta", "input"})
"""The elements that we use and that have no content."""


class Markup(str):
    """Text that is markup already; only `element` and `joined` make it."""

    __slots__ = ()


Content: TypeAlias = str | int | None
AttributeValue: TypeAlias = str | float | None


def text(content: Content) -> Markup:
    """Make anything text; what is markup stays so, and characters that are none are shown."""
    if isinstance(content, Markup):
        return content
    return Markup("" if content is None else escape(visible(str(content))))


def visible(content: str) -> str:
    """Write characters that control something, and halves of pairs, as signs that are seen."""
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
    """Put text and markup one behind the other."""
    return Markup("".join(map(text, content)))


def element(tag: str, /, *content: Content, **attributes: AttributeValue) -> Markup:
    """Make an element; attributes that are None or False are left out.

    >>> element("p", "a < b", class_="x", data_k=1)
    '<p class="x" data-k="1">a &lt; b</p>'
    """
    opened = f"<{tag}{''.join(_attribute(*found) for found in attributes.items())}>"
    if tag in VOID:
        return Markup(opened)
    return Markup(f"{opened}{''.join(map(text, content))}</{tag}>")


def _attribute(name: str, value: AttributeValue) -> str:
    if value is None or value is False:
        return ""
    written = name.rstrip("_").replace("_", "-")
    return f" {written}" if value is True else f' {written}="{text(str(value))}"'


def raw(name: str, content: str) -> Markup:
    """Make an element of our own style or script, which is written as it is."""
    if "</" in content:
        message = f"our {name} must not have </ in it"
        raise ValueError(message)
    return Markup(f"<{name}>{content}</{name}>")
