"""Layers of annotation: identity, discourse deixis, bridging, non-referring mentions; zeros.

Takes a document of key and response; gives the counts of each layer.
"""
