"""No search for reference cycles where there are none."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Switch off the search for cycles: corpora have none, and it takes a quarter of the time.

    This is for the command line only. A program that uses the library keeps its own choice.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
