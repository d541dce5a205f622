"""Turns the data file and the options into the rules object of the compiled core."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sfida.cython_ext.carcassonne.core import CarcassonneRules
from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.tables import build_tables
from sfida.engines.carcassonne.tiles import TileType, load_data, load_tiles
from sfida.engines.carcassonne.weights import WEIGHTS
from sfida.engines.weights import changed


@lru_cache(maxsize=64)
def build_rules(options: CarcassonneOptions,
                weights: tuple[tuple[str, float], ...] = ()) -> CarcassonneRules:
    """Return the immutable rules object for the options, shared by all states.

    `weights` changes some of `weights.WEIGHTS`, as (name, value) pairs.
    """
    return rules_from(load_data(), load_tiles(), options, dict(weights))


def rules_from(data: dict[str, Any], tiles: Sequence[TileType], options: CarcassonneOptions,
               weights: Mapping[str, float] | None = None) -> CarcassonneRules:
    """Return the rules object for given data and tiles; raises ValueError if they do not fit the tables."""
    return CarcassonneRules(build_tables(data, tiles, options), changed(WEIGHTS, weights or {}))
