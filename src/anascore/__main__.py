"""`python -m anascore` is `anascore`."""

import sys

from anascore.cli.main import main

sys.exit(main())
