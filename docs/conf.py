"""Sphinx settings of the reference: `make docs` builds these pages, the front page and `docs/api` into build/docs.

The source folder is that of the repository, so that links between pages are the same here and where the files are read.
"""

from __future__ import annotations

import ast
import functools
import re
import sys
from importlib.metadata import version as version_of
from pathlib import Path
from types import ModuleType
from typing import Any

from sphinx.application import Sphinx

import sfida
import sfida.cython_ext.rng         # the modules themselves, before autodoc would load their stubs in their place
import sfida.cython_ext.state

ROOT = Path(__file__).resolve().parents[1]

project = "Sfida"
copyright = "the contributors to Sfida"
version = release = version_of("sfida")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "README"
include_patterns = ["*.md", "docs/**.md"]
exclude_patterns = [path.name for path in ROOT.iterdir() if path.is_dir() and path.name != "docs"]

myst_heading_anchors = 4
default_role = "py:obj"
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_mock_imports = ["catanatron"]
maximum_signature_line_length = 80
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = f"Sfida {version}"
html_copy_source = False


# ---- the pages, in the order of the tables of docs/README.md -------------------------------------------------------


def add_pages(app: Sphinx, name: str, source: list[str]) -> None:
    """Put the pages that docs/README.md lists into the sidebar, table by table."""
    if name != root_doc:
        return
    for caption, rows in re.findall(r"^\| ([^|]+) \|[^\n]*\n\|[-|]+\n((?:\|.*\n)+)",
                                    (ROOT / "docs" / "README.md").read_text(), re.MULTILINE):
        pages = re.findall(r"^\| \[[^]]*\]\(([^)]+)\.md\)", rows, re.MULTILINE)
        listed = [f"docs/{page}" if not page.startswith("../") else page[3:] for page in pages if page != "../README"]
        source[0] += "\n".join(["", "```{toctree}", ":hidden:", f":caption: {caption}", "", *listed, "```", ""])


# ---- compiled modules: their types stand in the stubs --------------------------------------------------------------


def setup(app: Sphinx) -> None:
    app.connect("source-read", add_pages)
