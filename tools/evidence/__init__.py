"""Agreement with the published scorers, from runs: `python -m tools.evidence [--peers FOLDER]`."""
