"""Data that do not fit the rules core are refused with the reason; the core follows the data that it gets."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from sfida.cython_ext.acres.core import AcresRules, AcresState
from sfida.engines.acres.game import Acres
from sfida.engines.acres.options import AcresOptions, settle
from sfida.engines.acres.tables import WEIGHTS, build_tables, load_data
from support.acres import setup


def tables_of(data: dict[str, Any]) -> dict[str, Any]:
    return build_tables(data, settle(AcresOptions(), data))


def given() -> tuple[dict[str, Any], Mapping[str, float]]:
    return tables_of(load_data()), WEIGHTS


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
    tables, weights = given()
    hold = tables["hold"][0]
    no_slot = [0, *hold["of_type"][1:]]

    def with_card_table(name: str, value: object) -> dict[str, Any]:
        return {"hold": [{**hold, name: value}, tables["hold"][1]]}

    for changed, message in (
            ({"neutral_of": tables["neutral_of"][:-1]}, "the table of neutral types has 91 rows, not 90"),
            ({"neutral_of": [9] * 91}, "neutral types: the numbers are 0..3, not 9"),
            ({"start_forts": 1 << 36}, "forts at the start: the number is"),
            ({"forts": 0, "start_forts": 1}, "there are 1 forts at the start, but 0 in all"),
            ({"raids": [sites << 30 for sites in tables["raids"]]}, "connections for raids: the numbers are"),
            ({"defence": [-1, *tables["defence"][1:]]}, "defence of sites: the numbers are 0..100, not -1"),
            ({"first_player": 2}, "the first player: the number is 0..1, not 2"),
            ({"start": [{**tables["start"][0], "towns": 1 << 35}, tables["start"][1]]}, "towns at the start"),
            (with_card_table("type_of", [91, *hold["type_of"][1:]]), "types by slot: the numbers are 0..90, not 91"),
            (with_card_table("of_type", no_slot), "types by slot names what there is not"),
            (with_card_table("symbol", [2**64 - 1, 0, 0]), "symbol names what there is not"),
            (with_card_table("fort", 2**64 - 1), "fort names what there is not")):
        with pytest.raises(ValueError, match=message):
            AcresRules({**tables, **changed}, weights)


def test_a_weight_is_what_an_agent_goes_by() -> None:
    tables, weights = given()
    state = setup("HS BOS", "QUE", decks=("NYK NHV", ""))
    home = state.parse("home")
    assert dict(state.move_worth())[home] == weights["home_first"]
    other = AcresState(Acres(), AcresRules(tables, {**weights, "home_first": -7.5}))
    other.load(state.to_bytes())
    assert dict(other.move_worth())[home] == -7.5
