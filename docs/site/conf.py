"""How Sphinx builds the documentation; `make site` calls it by scripts/site.py."""

import os
import sys

sys.path.insert(0, os.environ["SINTRA_ROOT"])
os.environ["SINTRA_PURE"] = "1"  # the source has signatures and types

from sintra.version import VERSION

project = "sintra"
author = "the authors of sintra"
copyright = author
release = version = VERSION
extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_block"]
suppress_warnings = ["myst.xref_missing"]  # anchors of GitHub; the browser test follows every link
exclude_patterns = ["site"]
default_role = "code"
highlight_language = "none"
pygments_style, pygments_dark_style = "friendly", "github-dark"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_mock_imports = ["gymnasium", "pettingzoo"]
add_module_names = False
python_maximum_signature_line_length = 88

html_theme = "furo"
html_title = f"sintra {VERSION}"
html_static_path = ["_static"]
html_css_files = ["sintra.css"]
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
html_show_search_summary = False  # a page opened as a file can't load the others
html_favicon = "_static/sintra.svg"
html_theme_options = {
    "light_logo": "sintra.svg",
    "dark_logo": "sintra.svg",
    "light_css_variables": {
        "color-brand-primary": "#8a4b08",
        "color-brand-content": "#8a4b08",
        "color-brand-visited": "#6d4a7d",
        "color-background-primary": "#fffdf9",
        "color-background-secondary": "#f4f1ea",
        "color-background-border": "#ddd5c7",
    },
    "dark_css_variables": {
        "color-brand-primary": "#f0b35a",
        "color-brand-content": "#f0b35a",
        "color-brand-visited": "#c9a2dc",
        "color-background-primary": "#14161b",
        "color-background-secondary": "#1d2027",
        "color-background-border": "#343944",
    },
}


def with_language(_, doctree):
    """Give indented blocks the language that they are in."""
    from docutils import nodes

    from scripts.pages import guessed

    for block in doctree.findall(nodes.literal_block):
        if block.get("language", "none") in ("none", "default"):
            block["language"] = guessed(block.astext()) or "none"


def setup(app):
    """Connect the event."""
    app.connect("doctree-read", with_language)
