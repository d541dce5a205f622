"""The rules object of the compiled core, made of the data file, a map and the options."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from sfida.cython_ext.attila.rules import AttilaRules
from sfida.cython_ext.errors import InvalidOption
from sfida.engines.attila.data import load_data
from sfida.engines.attila.land import Land
from sfida.engines.attila.options import AttilaOptions
from sfida.engines.attila.tables import build_tables
from sfida.engines.attila.weights import WEIGHTS
from sfida.engines.weights import changed


@lru_cache(maxsize=64)
def build_rules(land: Land, options: AttilaOptions, weights: tuple[tuple[str, float], ...] = ()) -> AttilaRules:
    """Return the immutable rules object of a map and options, shared by all states.

    `weights` changes some of `weights.WEIGHTS`, as (name, value) pairs.
    """
    return rules_from(load_data(), land, options, dict(weights))


def rules_from(data: dict[str, Any], land: Land, options: AttilaOptions,
               weights: Mapping[str, float] | None = None) -> AttilaRules:
    """Return the rules object for given data.

    Raises
    ------
    InvalidOption
        If the data do not make sense.
    ValueError
        If a weight is unknown.
    """
    numbers = changed(WEIGHTS, weights or {})
    try:
        return AttilaRules(build_tables(data, land, options), numbers)
    except (KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
        raise InvalidOption(f"the data file of Attila does not make sense: {error}") from error
