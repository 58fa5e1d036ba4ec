"""Explanations of a score, and errors by type.

Takes the documents of key and response; returns explanations of scores, and errors with
corrections.
"""
