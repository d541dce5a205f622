"""The six complete reference games of the data file, move by move with every scoring event."""

from __future__ import annotations

from typing import Any

import pytest

from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.tables import load_data
from support.carcassonne import CODES, Table, golden
from support.carcassonne_reference import ReferenceGame
from support.recounts.carcassonne import recount

GAMES = [game["id"] for game in load_data()["golden_game"]]


def play(game: dict[str, Any]) -> tuple[Table, list[Any]]:
    table = Table(players=game["players"], river=game["river"])
    events = []
    number = 0
    for text in game["moves"]:
        seat = table.position.seat_on_turn
        assert table.state.is_chance
        if text.startswith("!"):
            assert not table.state.can_place(CODES.index(text[1:]))
            table.state.apply(table.state.parse(text))
            if not table.state.is_over:
                assert table.position.seat_on_turn == seat
            continue
        assert seat == number % game["players"]
        turn = table.play(text)
        if any(turn.gains):
            events.append([number, turn.gains])
        number += 1
    return table, events


@pytest.mark.rule("CAR-4.1", "CAR-4.5", "CAR-7.1", "CAR-7.5", "CAR-8.1", "CAR-10.1", "CAR-10.3", "CAR-12.17")
@pytest.mark.parametrize("name", GAMES)
def test_reference_game(name: str) -> None:
    game = golden(name)
    table, events = play(game)
    result = table.if_over()
    assert events == game["gains"]
    assert result["scores"] == game["before_final"]
    for key in ("incomplete", "farms", "farms_per_farm", "farms_first_edition", "final"):
        assert result[key] == game[key], key
    assert table.state.is_over
    assert table.state.scores() == game["final"]
    assert table.state.legal_moves() == []


@pytest.mark.parametrize("name", GAMES)
def test_reference_game_recounted(name: str) -> None:
    """The slow recount replays the same games and agrees with the core after every turn."""
    wanted = golden(name)
    options = CarcassonneOptions(players=wanted["players"], river=wanted["river"])
    slow = ReferenceGame(options)
    table = Table(players=wanted["players"], river=wanted["river"])
    for text in wanted["moves"]:
        slow.play(text)
        if text.startswith("!"):
            table.state.apply(table.state.parse(text))
        else:
            table.play(text)
        assert table.if_over()["scores"] == slow.scores, text
        assert table.supply() == slow.supply, text
        assert sorted((f.tile, f.segment, f.seat) for f in table.position.followers) == \
            sorted((f.tile, f.segment, f.seat) for f in slow.followers), text
    recounted = recount(slow.position(), options)
    assert slow.drawable() == []
    assert list(slow.final()) == wanted["final"]
    assert list(recounted.incomplete) == wanted["incomplete"]
    for rule in ("farms", "farms_per_farm", "farms_first_edition"):
        assert list(getattr(recounted, rule)) == wanted[rule]


@pytest.mark.rule("CAR-10.14", "CAR-13.2")
@pytest.mark.parametrize("rule", ["rulebook", "per_farm", "first_edition"])
def test_farm_rules_differ_in_the_first_game(rule: str) -> None:
    """T12: before the final count 58 : 94, then three farm rules give three results."""
    game = golden("g1_two_players")
    table = Table(players=2, farm_scoring=rule)
    table.run(*game["moves"])
    farms = {"rulebook": [21, 27], "per_farm": [21, 33], "first_edition": [20, 36]}[rule]
    assert table.if_over()["scores"] == [58, 94]
    assert table.if_over()["incomplete"] == [28, 15]
    assert table.state.scores() == [58 + 28 + farms[0], 94 + 15 + farms[1]]


@pytest.mark.rule("CAR-11.12", "CAR-11.7", "CAR-10.17", "CAR-12.18")
def test_blocked_river() -> None:
    """T13: the river curls up; four tiles are discarded in one turn and the same player lays the lake."""
    game = golden("g5_river_blocked")
    at = game["moves"].index("!RB")
    table = Table(players=4, river=True)
    table.run(*game["moves"][:at])
    seat = table.position.seat_on_turn
    gone = [text for text in game["moves"] if text.startswith("!R")]
    assert sorted(gone) == ["!RB", "!RD", "!RE", "!RK"]
    for text in gone:
        table.state.apply(table.state.parse(text))
        assert table.position.seat_on_turn == seat
        assert table.state.is_chance
    assert sorted(table.position.discarded) == ["RB", "RD", "RE", "RK"]
    assert set(table.position.river_remaining) == {"RL"}
    assert [table.state.format(move) for move, _ in table.state.chance_outcomes()] == ["RL"]
    table.draw("RL")
    assert table.state.to_move == seat
    assert (-1, 0) in [place[:2] for place in table.position.placements]
    table, _ = play(game)
    assert table.state.scores() == [18, 12, 18, 13]
    assert table.state.utilities() == [0.5, 0, 0.5, 0]
    assert table.state.ranks() == [1, 4, 1, 3]


@pytest.mark.rule("CAR-5.9", "CAR-12.16", "CAR-12.18")
def test_discard_in_the_fourth_game() -> None:
    """T14: tile C is discarded, is public, and is gone from the counts."""
    game = golden("g4_river_two_players")
    table, _ = play(game)
    assert "C" in table.position.discarded
    assert "!C" in game["moves"]
    assert "C" not in [tile.code for tile in table.position.tiles]
    result = table.if_over()
    assert (result["farms"][0], result["farms_per_farm"][0], result["farms_first_edition"][0]) == (27, 30, 36)
