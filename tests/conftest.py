"""Settings for all tests: Hypothesis, the width of tables, and messages of assertions.

Examples have no deadline: how long one takes depends on the load of the machine. Where the
variable CI is set, as `.ci/run` does, every run draws the same examples. Tables are as wide as on
a terminal of 80 columns, whatever terminal the tests run in. Assertions in helpers show values, as
those in tests do.
"""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("anascore", deadline=None)
settings.register_profile("anascore-ci", deadline=None, derandomize=True, database=None)
settings.load_profile("anascore-ci" if os.environ.get("CI") else "anascore")
os.environ["COLUMNS"] = "80"
pytest.register_assert_rewrite("support.block_comparison", "support.reading")


@pytest.fixture(autouse=True)
def without_plug_ins() -> Iterator[None]:
    """Remove the plug-ins that a test registers."""
    yield
    from support.plug_ins import forget_plug_ins

    forget_plug_ins()
