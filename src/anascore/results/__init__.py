"""Results: counts are added up exactly, and divided last.

Turns the counts of each document into scores, averages and warnings.
"""
