"""Agreement with the published scorers, from runs: `python -m evidence [--peers FOLDER]`."""
