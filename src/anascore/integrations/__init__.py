"""Interfaces of other libraries and platforms.

Takes the objects or folders with which another library or platform asks for scores; gives scores as
it expects them.
"""
