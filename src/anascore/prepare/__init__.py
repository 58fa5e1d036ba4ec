"""Two corpora to pairs of documents, and their entities to normalised sides.

Takes the `Corpus` of key and response; gives a `Side` for each document of each.
"""
