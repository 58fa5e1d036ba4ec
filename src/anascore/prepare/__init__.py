"""Preparation: pair the documents of two corpora and normalise their entities.

Takes the `Corpus` of key and response; returns a `Side` for each document of each.
"""
