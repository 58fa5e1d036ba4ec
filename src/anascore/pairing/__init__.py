"""Which document of a response belongs to which of the key, and how their words correspond.

Takes the `Corpus` of key and response; gives pairs of documents over the same words.
"""
