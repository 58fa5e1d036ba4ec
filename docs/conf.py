"""Configuration of the site, which `make docs` builds with Sphinx."""

from typing import Any

from anascore import __version__

project = "anascore"
author = "The anascore developers"
project_copyright = "the anascore developers, Apache License 2.0"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
nitpicky = True
smartquotes = False  # they turn --match into a dash

myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "deflist"]
myst_heading_anchors = 4

# Docstrings have single backticks around code.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_numpy_docstring = False
napoleon_use_rtype = False

html_theme = "furo"
html_title = f"anascore {version}"
html_copy_source = False
html_static_path = ["static"]
html_css_files = ["site.css"]
html_theme_options = {
    "navigation_with_keys": True,
    "light_css_variables": {"color-brand-primary": "#0b5cad", "color-brand-content": "#0b5cad"},
    "dark_css_variables": {"color-brand-primary": "#8ab8e8", "color-brand-content": "#8ab8e8"},
}


def keep_colons(*arguments: Any) -> None:
    """Begin the docstring of an attribute with an empty comment.

    Napoleon would take text before a colon in its first line for a type.
    """
    _, what, *_, lines = arguments
    if what in {"attribute", "property"}:
        lines[:0] = ["..", ""]


def setup(app: Any) -> None:
    """Register the changes to docstrings, before those of Napoleon."""
    app.connect("autodoc-process-docstring", keep_colons, priority=400)
