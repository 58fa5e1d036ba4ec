"""Make `python -m anascore` work like `anascore`."""

import sys

from anascore.cli.main import main

sys.exit(main())
