"""Interfaces to other libraries and platforms.

Takes the objects or folders with which another library or platform asks for scores, and returns
scores as it expects them.
"""
