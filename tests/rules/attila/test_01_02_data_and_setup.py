"""Components and set-up: chapters 1 and 2."""

from __future__ import annotations

import pytest

from sfida.cython_ext.rng import Random
from sfida.engines.attila.map import built_in
from sfida.engines.attila.tables import load_data
from support.attila import STARTS, letters, play, position, setup, sizes, start
from support.playing import deal, legal

DATA = load_data()


@pytest.mark.rule("ATT-1.1", "ATT-1.2", "ATT-1.3", "ATT-1.4", "ATT-1.5", "ATT-1.6", "ATT-1.7", "ATT-1.8", "ATT-1.16")
def test_components() -> None:
    parts, tribes = DATA["components"], DATA["tribes"]
    assert [row["name_en"] for row in tribes] == ["Franks", "Huns", "Goths", "Saxons", "Teutons", "Vandals"]
    assert {(row["cards"], row["tokens"]) for row in tribes} == {(9, 20)}
    assert sum(row["cards"] for row in tribes) == parts["cards"] == 54
    assert sum(row["tokens"] for row in tribes) == parts["tribe_tokens"] == 120
    assert parts["markers"] == len(DATA["player_colors"]) * parts["markers_per_player"] == 35
    assert parts["action_tiles"] == len(DATA["player_colors"]) * len(DATA["action_tiles"]) == 15
    assert sum(row["peace_tiles"] for row in DATA["centuries"]) == parts["peace_tiles"] == 10
    assert [row["last_tile_number"] for row in DATA["centuries"]] == DATA["scoring"]["after_peace_tiles"]
    assert (parts["player_tiles"], parts["boards"], parts["influence_charts"]) == (5, 1, 1)
    for name, option in DATA["options"].items():
        assert option["default"] in option["allowed"], name
        assert getattr(start().game.options, name, option["default"]) == option["default"]


@pytest.mark.rule("ATT-1.11", "ATT-1.12", "ATT-1.13", "ATT-1.14", "ATT-1.15")
def test_the_map() -> None:
    land = built_in()
    assert {one.code for one in land.provinces if one.start} == STARTS
    assert (len(land.provinces), len(land.links), sum(link.water for link in land.links)) == (25, 38, 8)
    assert {one.name for one in land.islands} == {"Sardinia", "Corsica"}
    assert [one.code for one in land.provinces].count("GRA") == 1
    assert not {"SAR", "COR"} & {one.code for one in land.provinces}
    assert (land.last_space, land.reconstructed) == (22, True)


@pytest.mark.rule("ATT-1.9", "ATT-1.10")
def test_players_are_not_tribes() -> None:
    game = start(players=5).game
    assert [game.seat_name(i) for i in range(5)] == ["white", "red", "green", "yellow", "blue"]
    state = setup(hands=["FFGGHH", "SSTTVV"], active=1)
    assert (state.active, state.to_move, position(state).seat_on_turn) == (1, 1, 1)
    assert legal(state) == {"S", "T", "V", "*X"}


@pytest.mark.rule("ATT-2.1", "ATT-2.2", "ATT-2.3", "ATT-2.4", "ATT-2.5", "ATT-2.6", "ATT-2.7")
@pytest.mark.parametrize(("players", "pile"), [(2, 42), (3, 36), (4, 30), (5, 24)])
def test_set_up(players: int, pile: int) -> None:
    state = start(players=players)
    assert [weight for _, weight in state.chance_outcomes()] == [9] * 6
    for seat in range(players):
        for _ in range(6):
            assert state.drawer() == seat
            state.apply(state.sample_chance(Random(seat)))
    seen = position(state)
    assert (seen.supply, seen.tokens) == ((20,) * 6, ((0,) * 6,) * 25)
    assert seen.peace == (1, 2, 3, 4)
    assert (seen.century, seen.gain) == (4, 1)
    assert (seen.pile, seen.discards, sizes(state)) == (pile, (0,) * 6, [6] * players)
    for one in seen.seats:
        assert (one.score, one.influence, one.tiles) == (0, (0,) * 6, ("double_turn", "exchange", "influence_2"))
    assert (state.active, state.phase, seen.plays_left) == (0, "play", 1 if players == 2 else 0)


@pytest.mark.rule("ATT-2.5", "ATT-4.9")
def test_discards_are_open() -> None:
    state = play(deal(start(), Random(1)), "luck")
    card = sorted(legal(state) - {"*X"})[0]
    play(state, card, "@GER")
    assert letters(position(state).discards) == card
