"""JSON: each output is a structure of msgspec, from which text, schema and reading are derived.

Takes results and analyses; gives JSON for them, and results for JSON.
"""
