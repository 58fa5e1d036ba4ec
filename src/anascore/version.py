"""The version, which every score reports in its signature."""

__version__ = "0.1.0"
