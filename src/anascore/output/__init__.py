"""Drawing results: text, Markdown, LaTeX, JSON, CSV, YAML, data frames, and the HTML report.

Takes results and analyses; returns text. Nothing here changes a number.
"""
