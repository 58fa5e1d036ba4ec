"""The documentation: pages in Markdown, the configuration of the site, and code for the pages.

`python -m docs` writes the tables that come from the code, the JSON Schemas, and the pictures.
"""
