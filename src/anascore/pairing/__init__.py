"""Which response document belongs to which key document, and how their words correspond.

Turns the `Corpus` of key and response into pairs of documents over the same words.
"""
