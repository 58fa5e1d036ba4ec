"""Explanations of a score, and errors by type.

Turns the documents of key and response into explanations of scores, and errors with corrections.
"""
