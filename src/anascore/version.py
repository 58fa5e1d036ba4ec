"""The version, which every score carries in its signature."""

VERSION = "0.1.0"
