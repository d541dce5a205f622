"""Our game on the board of a game of catanatron (ZAR-24.2)."""

from __future__ import annotations

import inspect
from typing import Any

from sfida.engines.registry import make_game
from sfida.engines.zarahemla.catanatron.library import CatanatronError, part
from sfida.engines.zarahemla.catanatron.names import names
from sfida.engines.zarahemla.game import Zarahemla

TERRAIN = "wbagsh"                      # letters of the options, in the order of the resources, then the hideout
STATION = "wbags3"
ENDLESS = 99                            # points nobody reaches: the table, not our rules, ends the game


def board_options(game: Any) -> dict[str, str]:
    """Return land, numbers and stations of a game as options of ours.

    Raises
    ------
    CatanatronError
        If the map is not the one of 19 hexes.
    """
    table, board = names(), game.state.board.map
    if set(board.land_tiles) != set(table.hex) or len(board.ports_by_id) != len(table.station_of_port):
        raise CatanatronError("only catanatron's base map of 19 hexes can be played here")
    terrain, numbers = [""] * len(table.hex), [0] * len(table.hex)
    for place, tile in board.land_tiles.items():
        terrain[table.hex[place]] = TERRAIN[table.resource[tile.resource]]
        numbers[table.hex[place]] = tile.number or 0
    stations = [""] * len(table.station_of_port)
    for port, tile in board.ports_by_id.items():
        stations[table.station_of_port[port]] = STATION[table.resource[tile.resource]]
    return {"terrain": "".join(terrain), "numbers": ".".join(map(str, numbers)), "stations": "".join(stations)}


def same_turn_cards() -> bool:
    """Say whether catanatron lets a card be played in the turn it was bought: up to 3.2 it does (ZAR-24.4 d)."""
    return "OWNED_AT_START" not in inspect.getsource(part("state_functions").player_can_play_dev)


def replay_game(game: Any) -> Zarahemla:
    """Return our game that follows a game of catanatron and never ends by itself (preset ``catan_replay``)."""
    return _made(make_game("settlers_of_zarahemla", preset="catan_replay", players=len(game.state.colors),
                           discard_limit=game.state.discard_limit, dev_same_turn=same_turn_cards(), max_turns=60000,
                           **board_options(game)))


def played_game(game: Any) -> Zarahemla:
    """Return our game as an agent at the table is told it: as `replay_game`, but with the table's target.

    Its states have the same form, so that a position moves from one to the other by its bytes.
    """
    return _made(make_game("settlers_of_zarahemla", preset="catan_replay", players=len(game.state.colors),
                           victory_points=game.vps_to_win, discard_limit=game.state.discard_limit,
                           dev_same_turn=same_turn_cards(), harvest_partial=False, max_turns=1000,
                           **board_options(game)))


def _made(game: Any) -> Zarahemla:
    assert isinstance(game, Zarahemla)
    return game
