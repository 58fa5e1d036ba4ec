"""The experiments of the paper's section 7, on corpora at hand: `python -m tools.experiments`."""
