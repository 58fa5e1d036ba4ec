"""Layers of annotation: identity, discourse deixis, bridging, non-referring mentions; zeros.

Turns a document of key and response into the counts of each layer.
"""
