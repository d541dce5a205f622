"""Variants (chapter 13 of the rules)."""

from __future__ import annotations

import dataclasses
import random
from typing import Any

import pytest

import sfida
from sfida.cython_ext.errors import IllegalMove, InvalidOption
from sfida.engines.carcassonne.game import Carcassonne
from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.tables import load_data
from sfida.engines.registry import make_game
from support.carcassonne import Table, golden, random_moves, vector


@pytest.mark.rule("CAR-13.1", "CAR-13.2", "CAR-13.3", "CAR-13.4", "CAR-13.5", "CAR-13.6", "CAR-13.7")
@pytest.mark.parametrize("name", [name for name, entry in load_data()["variants"].items()])
def test_the_defaults_are_the_rulebooks(name: str) -> None:
    entry = load_data()["variants"][name]
    field = next(f for f in dataclasses.fields(CarcassonneOptions) if f.name == name)
    assert list(field.metadata["values"]) == entry["values"]
    assert getattr(CarcassonneOptions(), name) == entry["default"]
    for value in entry["values"]:
        text = str(value).lower()
        game = Carcassonne.from_params({"players": 5, name: text})
        assert getattr(game.options, name) == value
        assert (f"{name}={text}" in game.spec()) == (value != entry["default"])
    with pytest.raises(InvalidOption, match=name):
        Carcassonne.from_params({name: "sometimes"})


@pytest.mark.rule("CAR-13.1")
def test_river() -> None:
    table = Table(river=True)
    random_moves(table, 8)
    codes = [tile.code for tile in table.position.tiles] + list(table.position.discarded)
    assert len(codes) == 83
    assert sum(code in ("RA", "RL") for code in codes) == 2
    table = Table()
    random_moves(table, 8)
    codes = [tile.code for tile in table.position.tiles]
    assert not any(code.startswith("R") and len(code) == 2 for code in codes)


@pytest.mark.rule("CAR-13.2")
@pytest.mark.parametrize(("rule", "key"), [
    ("rulebook", "farms"), ("per_farm", "farms_per_farm"), ("first_edition", "farms_first_edition")])
@pytest.mark.parametrize("name", ["g1_two_players", "g2_three_players", "g3_five_players"])
def test_farm_scoring(rule: str, key: str, name: str) -> None:
    game = golden(name)
    table = Table(players=game["players"], farm_scoring=rule)
    table.run(*game["moves"])
    sums = [a + b + c for a, b, c in zip(game["before_final"], game["incomplete"], game[key], strict=True)]
    assert table.state.scores() == sums
    assert table.game.explain_scores(table.state)[0] == f"Red: {sums[0]} points"


@pytest.mark.rule("CAR-13.3")
def test_city2_scoring() -> None:
    assert Table(city2_scoring="half").run("0:E@0,-1/2+c0").gains == [2, 0]
    assert Table(city2_scoring="full").run("0:E@0,-1/2+c0").gains == [4, 0]
    wanted = vector("ex_city_8")                    # three tiles: the same under both
    assert Table(city2_scoring="full").run(*wanted["moves"]).gains == [8, 0]


@pytest.mark.rule("CAR-13.4")
@pytest.mark.release_only("1,500 rivers with every move recounted")
@pytest.mark.parametrize(("rule", "share", "lake"), [
    ("immediate", 0.031, 0.017), ("monotone", 0.0, 0.0), ("none", 0.375, 0.184)])
def test_how_often_the_river_blocks_itself(rule: str, share: float, lake: float) -> None:
    """Shares measured over 20,000 random rivers; here 1,500, tolerance 4.5 standard errors."""
    games = 1500
    blocked = lost = 0
    first = Table(river=True, river_uturn=rule)
    for seed in range(games):
        state: Any = first.state.clone()
        rng = random.Random(seed)
        for _ in range(40):
            if state.is_chance:
                outcomes = state.chance_outcomes()
                if len(outcomes) > 10:
                    break                           # the land stack: the river is done
                state.apply(rng.choices([code for code, _ in outcomes], [n for _, n in outcomes])[0])
            elif state.legal_moves()[0] >> 56 == 3:
                state.apply(state.legal_moves()[0])
            else:
                state.apply(rng.choice(state.legal_moves()))
        gone = first.game.position(state).discarded
        blocked += any(code != "RL" for code in gone)
        lost += "RL" in gone
    for seen, wanted in ((blocked, share), (lost, lake)):
        error = (wanted * (1 - wanted) * (1 / games + 1 / 20000)) ** 0.5
        assert abs(seen / games - wanted) <= 4.5 * error


@pytest.mark.rule("CAR-13.5")
@pytest.mark.parametrize(("rule", "copies"), [("removed", 3), ("shuffled", 4), ("after_lake", 4)])
def test_river_start_tile(rule: str, copies: int) -> None:
    table = Table(river=True, river_start_tile=rule)
    while table.position.river_remaining or not table.state.is_chance:
        table.state.apply(table.state.legal_moves()[0])
    seat = table.position.seat_on_turn
    outcomes = {table.state.format(move): n for move, n in table.state.chance_outcomes()}
    if rule == "after_lake":
        assert outcomes == {"D": 1}                 # the turn after the lake lays the start tile
        table.draw("D")
        assert table.state.to_move == seat
        table.state.apply(table.state.legal_moves()[0])
        if table.position.phase == "deploy":
            table.state.apply(table.state.parse("-"))
        assert table.position.seat_on_turn == 1 - seat
        assert sum(n for _, n in table.state.chance_outcomes()) == 71
    else:
        assert sum(outcomes.values()) == 68 + copies
        assert outcomes["D"] == copies
    random_moves(table, 0)
    codes = [tile.code for tile in table.position.tiles] + list(table.position.discarded)
    assert codes.count("D") == copies
    assert len(codes) == 80 + copies


@pytest.mark.rule("CAR-13.6")
def test_without_farmers() -> None:
    table = Table(farmers=False)
    table.hand(0, "E")
    table.state.apply(table.state.parse("E@0,-1/2"))
    assert [table.state.format(move) for move in table.state.legal_moves()] == ["-", "+c0"]
    with pytest.raises(IllegalMove, match="without farmers"):
        table.state.parse("farmer")
    table = Table(players=4, farmers=False)
    random_moves(table, 6)
    assert table.if_over()["farms"] == [0, 0, 0, 0]
    table = Table(farmers=False, river=True)
    table.hand(0, "RD")
    table.state.apply(table.state.parse("RD@0,1/1"))
    assert table.position.seat_on_turn == 1         # only fields are free: no seat is asked


@pytest.mark.rule("CAR-13.7")
@pytest.mark.parametrize("players", [2, 5])
def test_first_player(players: int) -> None:
    table = Table(players=players, first_player="random")
    moves = table.state.chance_outcomes()
    assert [table.state.format(move) for move, _ in moves] == [f"first:{seat}" for seat in range(players)]
    assert len({weight for _, weight in moves}) == 1
    for move, _ in moves:
        twin = table.state.clone()
        twin.apply(move)
        assert table.game.position(twin).seat_on_turn == move & 7
        assert twin.is_chance


@pytest.mark.rule("CAR-13.7", "CAR-3.6")
@pytest.mark.parametrize(("players", "first"), [(2, "0"), (2, "1"), (3, "2"), (5, "4"), (5, "seat0")])
def test_any_seat_may_start(players: int, first: str) -> None:
    table = Table(players=players, first_player=first, river=players == 3)
    seat = int(first.removeprefix("seat"))
    assert table.position.seat_on_turn == seat
    rng = random.Random(8)
    turns = []
    while len(turns) < players + 1:
        if table.position.phase == "draw":
            turns.append(table.position.seat_on_turn)
        table.state.apply(rng.choice(table.state.legal_moves() or [m for m, _ in table.state.chance_outcomes()]))
    assert turns == [(seat + i) % players for i in range(players + 1)]      # the others follow in seat order


@pytest.mark.rule("CAR-13.7")
@pytest.mark.parametrize(("players", "first"), [(2, "2"), (4, "4")])
def test_the_first_player_has_a_seat(players: int, first: str) -> None:
    with pytest.raises(InvalidOption, match=f"first_player={first}: .* seats are 0 to {players - 1}"):
        Carcassonne.from_params({"players": players, "first_player": first})


@pytest.mark.rule("CAR-13.7")
def test_a_record_keeps_who_starts() -> None:
    record = sfida.play("carcassonne:first_player=1", ["random", "random"], seed=3)
    assert record.game == "carcassonne:first_player=1"
    assert record.result is not None
    assert list(record.replay().scores()) == list(record.result.scores)


@pytest.mark.rule("CAR-13.2", "CAR-13.6")
def test_farm_scoring_without_farmers_is_refused() -> None:
    with pytest.raises(InvalidOption, match="farm_scoring=per_farm means nothing with farmers=false: give"):
        make_game("carcassonne:farmers=false,farm_scoring=per_farm")
    assert make_game("carcassonne:farmers=false,farm_scoring=rulebook") == make_game("carcassonne:farmers=false")
