"""Results: counts are added up exactly, and divided last.

Takes the counts of each document; returns scores, averages and warnings.
"""
