"""The table of scores.

Takes the `ComparedSides` of a document; gives the counts of each score, in integers and fractions.
"""
