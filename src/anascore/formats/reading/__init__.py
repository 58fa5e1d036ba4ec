"""Text to Corpus: one module for each format, and what they share."""
