"""The data file, and the rules object of the compiled core made of it and the options."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from sfida.cython_ext.zarahemla.core import ZarahemlaRules
from sfida.engines.weights import changed
from sfida.engines.zarahemla.options import Ruleset
from sfida.engines.zarahemla.tables import build_tables
from sfida.engines.zarahemla.weights import WEIGHTS

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState


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


def ruleset_of(state: ZarahemlaState) -> Ruleset:
    """Return the settled options of a state's game."""
    game: Any = state.game
    assert isinstance(game.ruleset, Ruleset)
    return game.ruleset


@lru_cache(maxsize=64)
def build_rules(rules: Ruleset, weights: tuple[tuple[str, float], ...] = ()) -> ZarahemlaRules:
    """Return the immutable rules object for settled options, shared by all states.

    `weights` changes some of `weights.WEIGHTS`, as (name, value) pairs.
    """
    return rules_from(load_data(), rules, dict(weights))


def rules_from(data: dict[str, Any], rules: Ruleset, weights: Mapping[str, float] | None = None) -> ZarahemlaRules:
    """Return the rules object for given data; raises ValueError if they do not fit the tables."""
    return ZarahemlaRules(build_tables(data, rules), changed(WEIGHTS, weights or {}))
