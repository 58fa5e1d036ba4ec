"""Frozen values: mentions, entities, documents, corpora and exact ratios.

Takes nothing from other folders; every stage takes and returns these.
"""
