"""Turns the data file and the options into the tables of the compiled rules core."""

from __future__ import annotations

from functools import lru_cache

from sfida.cython_ext.carcassonne.core import CarcassonneRules
from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.tiles import load_data, load_tiles


@lru_cache(maxsize=64)
def build_rules(options: CarcassonneOptions,
                weights: tuple[tuple[str, float], ...] = ()) -> CarcassonneRules:
    """Return the immutable rules object for the options, shared by all states.

    `weights` overrides parameters of the evaluation and priors, as (name, value) pairs.
    """
    data = load_data()
    farm_rules = data["variants"]["farm_scoring"]
    scoring = {**data["scoring"], "first_edition_points_per_city": farm_rules["first_edition_points_per_city"]}
    setup = dict(data["setup"])
    setup["supply"] = data["players"]["followers_usable_per_player"]
    return CarcassonneRules(load_tiles(), options, scoring, setup, dict(weights))
