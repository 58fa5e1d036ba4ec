"""JSON: each output is a msgspec structure, from which text, schema and reading are derived.

Takes results and analyses; returns JSON for them, and results for JSON.
"""
