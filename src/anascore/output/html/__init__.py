"""Report: one self-contained HTML file. Scores, errors, sets and the key work without scripts."""
