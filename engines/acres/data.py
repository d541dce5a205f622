"""The facts of A Few Acres of Snow: sites, connections, cards, prices and options, read from the data file."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any


@cache
def load_data() -> dict[str, Any]:
    """Return the data file of the game as tables; not to be changed."""
    text = resources.files("sfida.engines.acres").joinpath("data.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
