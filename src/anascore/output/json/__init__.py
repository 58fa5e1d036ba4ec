"""JSON: each output is a msgspec structure, from which text, schema and reading are derived.

Turns results and analyses into JSON, and JSON into results.
"""
