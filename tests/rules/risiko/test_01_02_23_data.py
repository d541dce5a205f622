"""Aim, components and the data file: chapters 1, 2 and 23."""

from __future__ import annotations

import copy
import dataclasses

import networkx
import pytest

from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.risiko.core import RisikoState
from sfida.engines.risiko.game import Risiko
from sfida.engines.risiko.options import RisikoOptions, settle
from sfida.engines.risiko.tables import load_data, rules_from
from support.risiko import BASE, TOURNAMENT, lands, setup, start, winner

DATA = load_data()
NUMBER = {row["id"]: i for i, row in enumerate(DATA["territory"])}


def graph() -> networkx.Graph:
    return networkx.Graph([(NUMBER[edge["a"]], NUMBER[edge["b"]]) for edge in DATA["board"]["edges"]])


@pytest.mark.rule("RIS-1.1")
def test_three_to_six_players() -> None:
    for players in (3, 4, 5, 6):
        assert start(players=players).players == players
    for players in (2, 7):
        with pytest.raises(InvalidOption):
            start(players=players)


@pytest.mark.rule("RIS-1.2", "RIS-10.1", "RIS-17.1")
def test_the_first_to_reach_his_objective_wins() -> None:
    state = setup("b NA AF | g EU | n *", objectives=["na_af"], phase="turn_start")
    assert state.is_over
    assert winner(state) == 0
    assert state.utilities() == [1.0, 0.0, 0.0]
    assert state.ranks() == [1, 2, 2]


@pytest.mark.rule("RIS-2.1", "RIS-11.13", "RIS-19.4", "RIS-20.1", "RIS-23.1")
def test_the_map() -> None:
    board = graph()
    assert (len(board), board.number_of_edges(), len(DATA["board"]["edges"])) == (42, 82, 82)
    assert networkx.is_connected(board)
    values = [row["value"] for row in DATA["territory"]]
    assert values == [board.degree[i] for i in range(42)]
    assert (sum(values), max(values)) == (164, 7)
    assert [len(one) for one in lands().values()] == [9, 4, 7, 6, 12, 4]
    assert [sum(values[i] for i in one) for one in lands().values()] == [35, 12, 32, 23, 51, 11]
    by_code = {row["code"]: row["value"] for row in DATA["territory"]}
    assert [by_code[code] for code in ("MAD", "CIN", "GIA", "MOR", "ONT")] == [2, 7, 2, 6, 6]
    rules = start().rules
    assert all(rules.neighbours(i) == sorted(board[i]) for i in range(42))
    assert len(by_code) == len(NUMBER) == 42


@pytest.mark.rule("RIS-2.2", "RIS-2.3", "RIS-12.1")
def test_pieces_have_no_effect() -> None:
    assert DATA["components"]["army_piece_values"] == [1, 5, 10]
    assert DATA["components"]["dice_total"] == 6 * DATA["components"]["dice_per_colour"] == 18
    state = setup("b CIN 5000 | g NA | n *", phase="place", left=3000)
    state.apply(state.parse("+CIN 3000"))
    assert state.snapshot()["seats"][0]["armies"] == 8000


@pytest.mark.rule("RIS-2.4", "RIS-19.17")
def test_the_territory_cards() -> None:
    symbols = [row["card_symbol"] for row in DATA["territory"]]
    assert [symbols.count(one) for one in ("infantry", "cavalry", "cannon")] == [14, 14, 14]
    assert len(start().deck_cards()) == 44
    assert DATA["cards"]["joker_indices"] == [42, 43]


@pytest.mark.rule("RIS-2.5", "RIS-10.4")
def test_the_base_objectives() -> None:
    assert start().rules.objectives == tuple(BASE)
    types = [row["type"] for row in DATA["objective"]]
    assert [types.count(one) for one in ("territories", "continents", "continents_plus", "destroy")] == [2, 4, 2, 6]
    assert all(row["copies"] == 1 for row in DATA["objective"])


@pytest.mark.rule("RIS-2.6", "RIS-11.7", "RIS-19.47", "RIS-23.2")
def test_the_tournament_objectives() -> None:
    assert start("risiko:preset=tournament").rules.objectives == tuple(TOURNAMENT)
    values = [row["value"] for row in DATA["territory"]]
    thrice = []
    for row in DATA["tournament_objective"]:
        held = {NUMBER[name] for name in row["territories"]}
        assert len(held) == row["count"]
        assert sum(values[i] for i in held) == 86 == row["total_value"]
        whole = [code for code, one in lands().items() if held >= set(one)]
        assert len(whole) >= 2
        assert networkx.is_connected(graph().subgraph(held))
        if len(whole) == 3:
            thrice.append(row["number"])
    assert thrice == [3, 6, 7, 8, 11, 14, 16]
    assert 86 - min(values) == DATA["scoring"]["max_without_completion"] == 84


def edited(change, **options) -> RisikoState:
    """Return a game with a changed copy of the data."""
    data = copy.deepcopy(DATA)
    change(data)
    game = Risiko(RisikoOptions(players=3))
    rules = settle(dataclasses.replace(game.options, **options), data)
    return RisikoState(game, rules_from(data, rules))


@pytest.mark.rule("RIS-11.8", "RIS-23.3")
def test_custom_objectives() -> None:
    def add(data):
        data["custom_objective"] = [
            {"id": f"mine_{k}", "name_it": "mio", "territories": ["cina", "siam"], "copies": 2} for k in range(2)]

    assert edited(add, objective_deck="tournament").rules.objectives == (*TOURNAMENT, "mine_0", "mine_1")
    state = edited(add, objective_deck="custom")
    assert state.rules.objectives == ("mine_0", "mine_1")
    state.apply(state.legal_moves()[0])
    assert [weight for _, weight in state.chance_outcomes()] == [2, 2]
    state.apply(state.legal_moves()[0])
    assert [weight for _, weight in state.chance_outcomes()] == [1, 2]
    with pytest.raises(InvalidOption, match="custom has 0 cards"):
        start("risiko:objective_deck=custom")


@pytest.mark.rule("RIS-23.3")
def test_edited_data_count() -> None:
    def change(data):
        data["objective"][0]["copies"] = 5
        del data["objective"][2]
        data["territory"][0]["card_symbol"] = "cannon"
        data["trade"][0]["base"] = 40

    state = edited(change)
    assert "na_af" not in state.rules.objectives
    state.apply(state.legal_moves()[0])
    assert dict(state.chance_outcomes())[state.legal_moves()[0]] == 5
    owners = [1 if i in lands()["OC"] else 0 if i < 20 else 2 for i in range(42)]
    state.arrange(owners, [1] * 42, phase="turn_start", on_turn=1, hands=[[], [0, 1, 5]], objectives=[4, 5, 6])
    assert state.snapshot()["left"] == 1 + 2
    trade = next(code for code in state.legal_moves() if state.format(code).startswith("T "))
    state.apply(trade)
    assert state.snapshot()["left"] == 3 + 40
    richer = edited(lambda data: data["continent"][5].update(bonus=9))
    richer.arrange(owners, [1] * 42, phase="turn_start", on_turn=1)
    assert richer.snapshot()["left"] == 1 + 9


@pytest.mark.rule("RIS-23.3")
@pytest.mark.parametrize("change", [
    lambda data: data["territory"].pop(), lambda data: data["color"].pop(),
    lambda data: data["continent"][0]["territories"].append("cina"),
    lambda data: data["objective"][8].update(fallback="kill_verde"),
    lambda data: data["objective"][0].update(copies=40), lambda data: data["battle_odds"][0].update(total=35),
    lambda data: data["objective"][2].update(continents=["atlantis"]),
    lambda data: data["territory"][3].update(card_symbol="tank"),
    lambda data: data["territory"][3].update(code="ALK"), lambda data: data["objective"][1].update(id="o24"),
    lambda data: data["cards"].update(joker_indices=[40, 41]),
    lambda data: data["board"]["edges"].append({"a": "cina", "b": "cina"}),
])
def test_data_that_make_no_sense_are_refused(change) -> None:
    with pytest.raises(InvalidOption, match="does not make sense") as error:
        edited(change)
    assert len(str(error.value).splitlines()) == 1
