"""Builds the compiled rules from the data file and the options, and names sites and cards."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from sfida.cython_ext.acres.core import SIDES, AcresRules
from sfida.cython_ext.acres.parameters import LOCATIONS
from sfida.engines.acres.data import load_data
from sfida.engines.acres.options import Ruleset
from sfida.engines.acres.tables import build_tables
from sfida.engines.acres.weights import WEIGHTS

LOCATION_CARDS = LOCATIONS              # card types 0..58; then the rows of empire cards


@lru_cache(maxsize=64)
def build_rules(rules: Ruleset) -> AcresRules:
    """Return the immutable rules object for settled options, shared by all states.

    Raises
    ------
    ValueError
        If the data contradict themselves or do not fit the tables.
    """
    data = load_data()
    check_doubles(data)
    return AcresRules(build_tables(data, rules), WEIGHTS)


def check_doubles(data: dict[str, Any]) -> None:
    """Compare what the data tell twice: in a table, and in the card's row, which is read; raises ValueError."""
    for row in data["cards"]["empire_cards"]:
        for concerned, column, table, key in (
                (row["defender_only"], "strength", "siege", "fortification_card_strength"),
                (row["kind"] == "siege_artillery", "siege_pay", "cost", "siege_artillery_when_played_in_a_siege"),
                (row["kind"] == "natives", "use_pay", "cost", "native_americans_per_card_in_raid_or_ambush")):
            if concerned and row[column] != data[table][key]:
                raise ValueError(f"{column} of {row['id']} is {row[column]}, but {key} in [{table}] is "
                                 f"{data[table][key]}: they must agree")


@cache
def site_codes() -> tuple[str, ...]:
    """Return the three letters of each site."""
    return tuple(row["code"] for row in load_data()["board"]["locations"])


@cache
def card_codes() -> tuple[str, ...]:
    """Return the short name of each card type: the site's code for location cards."""
    data = load_data()
    code_of = {row["id"]: row["code"] for row in data["board"]["locations"]}
    return (*(code_of[row["location"]] for row in data["cards"]["location_cards"]),
            *(row["code"] for row in data["cards"]["empire_cards"]))


@cache
def card_of(seat: int) -> dict[str, int]:
    """Return the card types that a side can own, by short name."""
    data = load_data()
    rows = [*data["cards"]["location_cards"], *data["cards"]["empire_cards"]]
    return {code: card for card, (code, row) in enumerate(zip(card_codes(), rows, strict=True))
            if row["side"] in (SIDES[seat], "neutral")}
