"""Which response document belongs to which key document, and how their words correspond.

Takes the `Corpus` of key and response; returns pairs of documents over the same words.
"""
