"""Reading and writing corpora in every format.

Takes files, folders, text or Python objects; returns a `Corpus`, and writes a `Corpus` to files.
"""
