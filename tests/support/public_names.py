"""The public names: the lists of docs/maintain/public_names.md, and the objects that they name."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sfida
import sfida.envs
from sfida.ai.agent import NamedAgent
from sfida.engines.game import Game
from sfida.engines.python_game import PythonGame, PythonPosition

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "maintain" / "public_names.md").read_text()
MODULES = {"sfida": sfida, "sfida.testing": sfida.testing, "sfida.envs": sfida.envs}
CLASSES: dict[str, type] = {"GameState": sfida.GameState, "View": sfida.View, "Game": Game,
                            "PythonPosition": PythonPosition, "PythonGame": PythonGame, "NamedAgent": NamedAgent}


def listed(title: str) -> list[str]:
    """Return the names under a title of the page."""
    block = re.search(rf"^#+ `{re.escape(title)}`\n.*?^```text\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert block, title
    return block[1].split()


def imported(name: str) -> Any:
    """Return the object of a full name such as ``sfida.ai.advice.compare``."""
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module), attribute)


def full_names() -> Iterator[str]:
    """Yield the full name of everything public that is not an attribute of a class."""
    yield from (f"{module}.{name}" for module in MODULES for name in listed(module))
    yield from listed("modules")
