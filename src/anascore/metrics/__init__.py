"""The table of scores.

Turns the `ComparedSides` of a document into the counts of each score, in integers and fractions.
"""
