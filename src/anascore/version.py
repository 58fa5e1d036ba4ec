"""The version, which every score carries in its signature."""

__version__ = "0.1.0"
