"""Statistics, validation and baselines of one corpus.

Takes a `Corpus` or a file; returns counts, problems, or a corpus with added split antecedents.
"""
