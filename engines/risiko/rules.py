"""The data file, and the rules object of the compiled core made of it and the options."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.risiko.core import RisikoRules
from sfida.engines.risiko.options import Ruleset
from sfida.engines.risiko.tables import build_tables
from sfida.engines.risiko.weights import WEIGHTS
from sfida.engines.weights import changed


@cache
def load_data() -> dict[str, Any]:
    """Return the data file of the game as tables; not to be changed."""
    text = resources.files("sfida.engines.risiko").joinpath("risiko.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def codes() -> tuple[str, ...]:
    """Return the three-letter codes of the territories by number."""
    return tuple(row["code"] for row in load_data()["territory"])


@cache
def joker_names() -> dict[int, str]:
    """Return the names of the jokers, J1 and J2, by card."""
    return {card: f"J{i + 1}" for i, card in enumerate(load_data()["cards"]["joker_indices"])}


def card_name(card: int) -> str:
    """Return the name of a card: the code of its territory, or J1 or J2."""
    return joker_names()[card] if card in joker_names() else codes()[card]


@lru_cache(maxsize=64)
def build_rules(rules: Ruleset, weights: tuple[tuple[str, float], ...] = ()) -> RisikoRules:
    """Return the immutable rules object for settled options, shared by all states.

    `weights` changes some of `weights.WEIGHTS`, as (name, value) pairs.
    """
    return rules_from(load_data(), rules, dict(weights))


def rules_from(data: dict[str, Any], rules: Ruleset, weights: Mapping[str, float] | None = None) -> RisikoRules:
    """Return the rules object for given data.

    Raises
    ------
    InvalidOption
        If the data file does not make sense.
    ValueError
        If a weight is unknown.
    """
    numbers = changed(WEIGHTS, weights or {})
    try:
        return RisikoRules(build_tables(data, rules), numbers)
    except (KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
        raise InvalidOption(f"the data file of RisiKo! does not make sense: {error}") from error
