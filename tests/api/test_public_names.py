"""The list of public names equals the public names of the package."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sfida.engines.game import Game
from support.public_names import CLASSES, MODULES, PAGE, imported, listed

pytestmark = pytest.mark.release_only("no rules: names alone")

ROOT = Path(__file__).resolve().parents[2]


def names_of(owner: str) -> set[str]:
    """Return the public names that the package has."""
    if owner in MODULES:
        return set(MODULES[owner].__all__)
    names = {name for name in dir(CLASSES[owner]) if not name.startswith("_")}
    return names - set(dir(Game)) if owner == "PythonGame" else names


@pytest.mark.parametrize("owner", [*MODULES, *CLASSES])
def test_the_page_lists_every_public_name(owner: str) -> None:
    names, there = listed(owner), names_of(owner)
    assert names == sorted(set(names)), "in order, each once"
    assert sorted(there - set(names)) == [], "list new public names in docs/maintain/public_names.md"
    assert sorted(set(names) - there) == [], "public names that have gone: docs/maintain/development.md, Deprecations"


def test_no_owner_is_left_out() -> None:
    assert re.findall(r"^## `([\w.]+)`$", PAGE, re.MULTILINE) == [*MODULES, *CLASSES, "modules"]


def test_what_pages_import_is_listed_and_there() -> None:
    listed_imports = set(listed("modules"))
    for name in listed_imports:
        imported(name)
    shown = set()
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        for module, names in re.findall(r"^from (sfida\.[\w.]+) import ([\w, ]+)$", page.read_text(), re.MULTILINE):
            shown |= {f"{module}.{name.strip()}" for name in names.split(",")}
    assert shown
    assert sorted(shown - listed_imports - {"sfida.testing.check_game"}) == []
