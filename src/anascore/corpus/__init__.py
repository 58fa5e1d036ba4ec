"""Work on one corpus at a time: statistics, validation, baselines.

Takes a `Corpus` or a file; gives counts, problems, or a corpus with split antecedents added.
"""
