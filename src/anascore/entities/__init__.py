"""Entities as metrics need them: normalised, with the classes of their mentions.

Takes a document of key or response; returns its `Side`.
"""
