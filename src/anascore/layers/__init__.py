"""Layers of annotation: identity, discourse deixis, bridging, non-referring mentions; zeros.

Takes a document of key and response; returns the counts of each layer.
"""
