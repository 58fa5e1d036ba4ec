"""Set notation for test cases: `ab cd (ac)fg` is three entities, the last with a set of the others.

Letters are mentions. In brackets stand the elements of an accommodated set, each called by one of
its mentions.
"""

import re
from collections.abc import Hashable

from anascore import Entity

_ENTITY = re.compile(r"(?:\((\w+)\))?(\w*)")


def entities(text: str) -> list[Entity[Hashable]]:
    """Read entities in set notation."""
    parsed = [_parts(word) for word in text.split()]
    owner = {letter: i for i, (_, mentions) in enumerate(parsed) for letter in mentions}
    return [
        Entity(tuple(mentions), tuple(owner[letter] for letter in elements), mentions)
        for elements, mentions in parsed
    ]


def _parts(word: str) -> tuple[str, str]:
    found = _ENTITY.fullmatch(word)
    assert found, f"{word!r} is not in set notation"
    return found[1] or "", found[2]
