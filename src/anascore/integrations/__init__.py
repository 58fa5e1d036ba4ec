"""Interfaces of other libraries.

Takes the objects with which another library asks for scores; returns scores as it expects them.
"""
