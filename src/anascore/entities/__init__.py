"""Entities as metrics need them: normalised, with the classes of their mentions.

Turns a document of key or response into its `Side`.
"""
