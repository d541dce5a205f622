"""Turns the data file, a map and the options into the tables of the compiled rules core."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sfida.cython_ext.attila.core import AttilaRules
from sfida.cython_ext.errors import InvalidOption
from sfida.engines.attila.data import load_data
from sfida.engines.attila.land import Land
from sfida.engines.attila.options import AttilaOptions


@lru_cache(maxsize=64)
def build_rules(land: Land, options: AttilaOptions) -> AttilaRules:
    """Return the immutable rules object of a map and options, shared by all states."""
    return rules_from(load_data(), land, options)


def rules_from(data: dict[str, Any], land: Land, options: AttilaOptions) -> AttilaRules:
    """Return the rules object for given data.

    Raises
    ------
    InvalidOption
        If the data do not make sense.
    """
    try:
        return AttilaRules(data, land, options)
    except (KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
        raise InvalidOption(f"the data file of Attila does not make sense: {error}") from error
