"""Corpus to text: one module for each format, and what they share."""
