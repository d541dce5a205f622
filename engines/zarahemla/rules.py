"""Turns the data file and the options into the tables of the compiled rules core."""

from __future__ import annotations

import tomllib
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from sfida.cython_ext.zarahemla.core import ZarahemlaRules
from sfida.engines.zarahemla.options import Ruleset


@cache
def load_data() -> dict[str, Any]:
    """Return the data file of the game as tables; not to be changed."""
    text = resources.files("sfida.engines.zarahemla").joinpath("data.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def edge_of_corners() -> dict[tuple[int, int], int]:
    """Return the edge between two neighbour corners, either order."""
    table = {}
    for row in load_data()["board"]["edge"]:
        a, b = row["corners"]
        table[a, b] = table[b, a] = row["id"]
    return table


@cache
def corners_of_edge() -> tuple[tuple[int, int], ...]:
    """Return the two corners of each edge, the smaller first."""
    return tuple((row["corners"][0], row["corners"][1]) for row in load_data()["board"]["edge"])


@lru_cache(maxsize=64)
def build_rules(rules: Ruleset) -> ZarahemlaRules:
    """Return the immutable rules object for settled options, shared by all states."""
    return ZarahemlaRules(load_data(), rules)
