"""Settings of Hypothesis for all tests.

Examples have no deadline: how long one takes depends on the load of the machine. Where the
variable CI is set, as `.ci/run` does, every run draws the same examples.
"""

import os

from hypothesis import settings

settings.register_profile("anascore", deadline=None)
settings.register_profile("anascore-ci", deadline=None, derandomize=True, database=None)
settings.load_profile("anascore-ci" if os.environ.get("CI") else "anascore")
