"""`python -m anascore` is `anascore`."""

import sys

from anascore.cli import main

sys.exit(main())
