"""The list of public names holds what the package has, no more and no less."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import sfida
import sfida.envs
from sfida.ai.agent import NamedAgent
from sfida.engines.game import Game
from sfida.engines.python_game import PythonGame, PythonPosition

pytestmark = pytest.mark.release_only("no rules: names alone")

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "public_names.md").read_text()


def listed(title: str) -> list[str]:
    """Return the names under a title of the page."""
    block = re.search(rf"^#+ `{re.escape(title)}`\n.*?^```text\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert block, title
    return block[1].split()


def of_class(kind: type) -> Callable[[], set[str]]:
    return lambda: {name for name in dir(kind) if not name.startswith("_")}


OWNERS: dict[str, Callable[[], set[str]]] = {
    "sfida": lambda: set(sfida.__all__),
    "sfida.testing": lambda: set(sfida.testing.__all__),
    "sfida.envs": lambda: set(sfida.envs.__all__),
    "GameState": of_class(sfida.GameState),
    "View": of_class(sfida.View),
    "Game": of_class(Game),
    "PythonPosition": of_class(PythonPosition),
    "PythonGame": lambda: of_class(PythonGame)() - of_class(Game)(),
    "NamedAgent": of_class(NamedAgent),
}


@pytest.mark.parametrize("owner", OWNERS)
def test_the_page_lists_every_public_name(owner: str) -> None:
    names, there = listed(owner), OWNERS[owner]()
    assert names == sorted(set(names)), "in order, each once"
    assert sorted(there - set(names)) == [], "new public names: list them in docs/public_names.md, or hide them"
    assert sorted(set(names) - there) == [], "public names that have gone: docs/development.md, Deprecations"


def test_no_owner_is_left_out() -> None:
    assert re.findall(r"^## `([\w.]+)`$", PAGE, re.MULTILINE) == [*OWNERS, "modules"]


def test_what_pages_import_is_listed_and_there() -> None:
    listed_imports = set(listed("modules"))
    for name in listed_imports:
        module, _, attribute = name.rpartition(".")
        assert hasattr(importlib.import_module(module), attribute), name
    shown = set()
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for module, names in re.findall(r"^from (sfida\.[\w.]+) import ([\w, ]+)$", page.read_text(), re.MULTILINE):
            shown |= {f"{module}.{name.strip()}" for name in names.split(",")}
    assert shown
    assert sorted(shown - listed_imports - {"sfida.testing.check_game"}) == []
