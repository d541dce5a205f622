"""Data that do not fit the rules core are refused with the reason; what the core is given, it goes by."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sfida.cython_ext.acres.core import AcresRules, AcresState
from sfida.engines.acres.coefficients import COEFFICIENTS
from sfida.engines.acres.data import load_data
from sfida.engines.acres.game import Acres
from sfida.engines.acres.options import AcresOptions, settle
from sfida.engines.acres.strategies import knowledge
from sfida.engines.acres.table_types import Knowledge, Tables
from sfida.engines.acres.tables import build_tables
from support.acres import setup


def tables_of(data: dict[str, Any]) -> Tables:
    return build_tables(data, settle(AcresOptions(), data))


def given() -> tuple[Tables, Knowledge]:
    tables = tables_of(load_data())
    return tables, knowledge(load_data(), tables.cards)


def set_cell(group: str, table: str, name: str, column: str, value: object) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        next(row for row in data[group][table] if row["id"] == name)[column] = value
    return change


def drop_row(group: str, table: str) -> Callable[[dict[str, Any]], None]:
    return lambda data: data[group][table].pop()


@pytest.mark.parametrize(("change", "message"), [
    (drop_row("board", "locations"), "the board has 36 sites, the data 35"),
    (set_cell("board", "locations", "boston", "index", 1), "the sites are not numbered 0 to 35"),
    (set_cell("board", "locations", "boston", "vp", 8), "the value of boston must be 0..7"),
    (set_cell("board", "locations", "boston", "defence", -1), "the defence of a site must be 0..255, not -1"),
    (drop_row("cards", "location_cards"), "there are 91 types of cards, 59 of them location cards"),
    (drop_row("cards", "empire_cards"), "there are 91 types of cards"),
    (set_cell("cards", "empire_cards", "b_rangers", "side", "neutral"), "at most 3 types of neutral cards"),
    (set_cell("cards", "empire_cards", "b_rangers", "cost", 32), "the price of b_rangers must be 0..31"),
    (set_cell("cards", "empire_cards", "f_militia", "count", 40), "the french cards do not fit into 64 slots"),
])
def test_data_that_do_not_fit(change: Callable[[dict[str, Any]], None], message: str) -> None:
    data = copy.deepcopy(load_data())
    change(data)
    with pytest.raises(ValueError, match=message):
        tables_of(data)


def test_tables_that_do_not_fit() -> None:
    tables, known = given()
    cards = tables.cards[0]
    beyond = cards.type_of.copy()
    beyond[0] = 91
    for changed, message in (
            (dataclasses.replace(tables, neutral_of=tables.neutral_of.astype(np.int64)), "neutral types has 91 bytes"),
            (dataclasses.replace(tables, neutral_of=tables.neutral_of + np.uint8(9)), "neutral types"),
            (dataclasses.replace(tables, start_forts=1 << 36), "forts at the start"),
            (dataclasses.replace(tables, map=dataclasses.replace(tables.map, raids=tables.map.raids << np.uint64(30))),
             "connections"),
            (dataclasses.replace(tables, numbers=dataclasses.replace(tables.numbers, first_player=2)), "first player"),
            (dataclasses.replace(tables, cards=(dataclasses.replace(cards, type_of=beyond), tables.cards[1])),
             "types by slot"),
            (dataclasses.replace(tables, cards=(dataclasses.replace(cards, sets=dataclasses.replace(
                cards.sets, fort=2**64 - 1)), tables.cards[1])), "fort names what there is not")):
        with pytest.raises(ValueError, match=message):
            AcresRules(changed, known)


def test_coefficients_go_by_name() -> None:
    tables, known = given()
    plain = dict(known.coefficients)
    assert plain == {name: one.value for name, one in COEFFICIENTS.items()}
    with pytest.raises(ValueError, match="home_last"):
        AcresRules(tables, dataclasses.replace(known, coefficients={**plain, "home_last": 1.0}))
    del plain["home_first"]
    with pytest.raises(ValueError, match="home_first"):
        AcresRules(tables, dataclasses.replace(known, coefficients=plain))


def test_a_coefficient_is_what_an_agent_goes_by() -> None:
    tables, known = given()
    state = setup("HS BOS", "QUE", decks=("NYK NHV", ""))
    home = state.parse("home")
    assert dict(state.move_worth())[home] == COEFFICIENTS["home_first"].value
    other = AcresState(Acres(), AcresRules(tables, dataclasses.replace(
        known, coefficients={**known.coefficients, "home_first": -7.5})))
    other.load(state.to_bytes())
    assert dict(other.move_worth())[home] == -7.5
