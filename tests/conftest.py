"""Settings for all tests: Hypothesis, and the width of tables.

Examples have no deadline: how long one takes depends on the load of the machine. Where the
variable CI is set, as `.ci/run` does, every run draws the same examples. Overlaps are as wide as on
a terminal of 80 columns, whatever terminal the tests run in.
"""

import os

from hypothesis import settings

settings.register_profile("anascore", deadline=None)
settings.register_profile("anascore-ci", deadline=None, derandomize=True, database=None)
settings.load_profile("anascore-ci" if os.environ.get("CI") else "anascore")
os.environ["COLUMNS"] = "80"
