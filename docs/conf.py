"""Sphinx settings of the reference: `make docs` builds these pages, the front page and `docs/api` into build/docs.

The source folder is that of the repository, so that links between pages are the same here and where the files are read.
"""

from __future__ import annotations

import ast
import functools
import os
import re
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner
from sphinx.application import Sphinx

import sfida
from sfida.cli.main import main as program

ROOT = Path(__file__).resolve().parents[1]
os.environ["SPHINX_AUTODOC_IGNORE_NATIVE_MODULE_TYPE_STUBS"] = "1"      # document the modules: they have the docstrings

project = "Sfida"
copyright = "the contributors to Sfida"
version = release = version_of("sfida")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "README"
include_patterns = ["*.md", "docs/**.md"]
exclude_patterns = [path.name for path in ROOT.iterdir() if path.is_dir() and path.name != "docs"]

myst_heading_anchors = 4
default_role = "py:obj"
smartquotes_action = "D"              # dashes alone: quotation marks stand in code
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_mock_imports = ["catanatron"]
maximum_signature_line_length = 80
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = f"Sfida {version}"
html_copy_source = False
html_static_path = ["api/style.css"]
html_css_files = ["style.css"]


# ---- the pages, in the order of the tables of docs/README.md -------------------------------------------------------


def add_pages(app: Sphinx, name: str, source: list[str]) -> None:
    """Put the pages that docs/README.md lists into the sidebar, table by table."""
    if name != root_doc:
        return
    for caption, rows in re.findall(r"^\| ([^|]+) \|[^\n]*\n\|[-|]+\n((?:\|.*\n)+)",
                                    (ROOT / "docs" / "README.md").read_text(), re.MULTILINE):
        pages = re.findall(r"^\| \[[^]]*\]\(([^)]+)\.md\)", rows, re.MULTILINE)
        listed = [os.path.normpath(f"docs/{page if page != '../README' else 'README'}") for page in pages]
        source[0] += "\n".join(["", "```{toctree}", ":hidden:", f":caption: {caption}", "", *listed, "```", ""])


# ---- commands and agents, as the program describes them ---------------------------------------------------------


def add_commands(app: Sphinx, name: str, source: list[str]) -> None:
    """Put the help of every command, and the agents with their options, on the page docs/api/commands.md."""
    if name != "docs/api/commands":
        return
    with click.Context(program, info_name="sfida", max_content_width=100) as context:
        texts = {"sfida": program.get_help(context)}
        for command in program.list_commands(context):
            found = program.get_command(context, command)
            assert found is not None
            texts[f"sfida {command}"] = found.get_help(click.Context(found, context, command, max_content_width=100))
    texts["Agents"] = CliRunner().invoke(program, ["agents", "--all"]).output
    source[0] += "\n".join(f"\n## {title}\n\n```text\n{text.strip()}\n```\n" for title, text in texts.items())


# ---- compiled modules: their types stand in the stubs --------------------------------------------------------------


@functools.cache
def stub_of(module: str) -> dict[str, ast.FunctionDef]:
    """Return the methods and properties of a module's stub by ``Class.name``; none for a module in plain Python."""
    path = ROOT.joinpath(*module.split(".")[1:]).with_suffix(".pyi")
    kinds = ast.parse(path.read_text()).body if path.exists() else []
    return {f"{kind.name}.{node.name}": node for kind in kinds if isinstance(kind, ast.ClassDef)
            for node in kind.body if isinstance(node, ast.FunctionDef)}


def stubbed(name: str) -> ast.FunctionDef | None:
    """Return what a stub declares for a documented name such as ``sfida.GameState.apply``."""
    *owners, last = name.split(".")[1:]
    owner = functools.reduce(getattr, owners, sfida)
    return stub_of(owner.__module__).get(f"{owner.__name__}.{last}") if isinstance(owner, type) else None


def add_signature(app: Sphinx, what: str, name: str, *rest: object) -> tuple[str, str] | None:
    """Give a compiled method the arguments and types of its stub."""
    node = stubbed(name) if what == "method" else None
    if node is None or node.returns is None:
        return None
    taken = ast.unparse(node.args).removeprefix("self").removeprefix(", ")
    return f"({taken})", ast.unparse(node.returns)


def add_type(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Put the type of a compiled property before its description, where napoleon reads it."""
    node = stubbed(name) if what in ("attribute", "property") else None
    if node and node.returns and lines:
        lines[0] = f"{ast.unparse(node.returns)}: {lines[0]}"


def setup(app: Sphinx) -> None:
    app.connect("source-read", add_pages)
    app.connect("source-read", add_commands)
    app.connect("autodoc-process-signature", add_signature)
    app.connect("autodoc-process-docstring", add_type, priority=100)       # before napoleon
