"""Statistics, validation and baselines of one corpus.

Turns a `Corpus` or a file into counts, problems, or a corpus with added split antecedents.
"""
