"""Explanations of a score, and errors by type.

Takes the documents of key and response; gives the working behind scores, and errors with
corrections.
"""
