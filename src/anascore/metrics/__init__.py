"""The table of scores.

Takes the `ComparedSides` of a document; returns the counts of each score, in integers and
fractions.
"""
