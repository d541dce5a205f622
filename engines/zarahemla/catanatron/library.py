"""The package catanatron: its versions, its identifiers, and Sfida's game on its board (ZAR-24.1, 24.2)."""

from __future__ import annotations

import importlib
import inspect
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sfida.cython_ext.errors import SfidaError
from sfida.engines.registry import make_game
from sfida.engines.spec import quoted
from sfida.engines.zarahemla.game import Zarahemla
from sfida.engines.zarahemla.tables import load_data

# ---- The package catanatron, imported when it is first needed; all versions have the same interface here

HOMES = ("catanatron", "catanatron_core", ".")  # folders of the package in a checkout of its repository


class CatanatronError(SfidaError):
    """catanatron is missing, or one of its tables plays by rules without a counterpart in Sfida."""


class LostTrack(CatanatronError):
    """A game continued in a way that Sfida's rules do not allow, so it cannot be followed."""


def library() -> Any:
    """Return the module catanatron.

    Raises
    ------
    CatanatronError
        If the package is not installed.
    """
    return part("")


def part(name: str) -> Any:
    """Return a module of the package by its name below ``catanatron``; raises CatanatronError."""
    full = f"catanatron.{name}" if name else "catanatron"
    try:
        return importlib.import_module(full)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != "catanatron":
            raise CatanatronError(f"catanatron needs the package {error.name}: pip install {error.name}") from None
        if sys.modules.get("catanatron") is not None:
            raise CatanatronError(f"this version of catanatron has no module {full}") from None
        raise CatanatronError("this needs the package catanatron: pip install 'sfida[catanatron]'") from None


def use_checkout(path: Path) -> None:
    """Import catanatron from a checkout of its repository from now on.

    Raises
    ------
    CatanatronError
        If the checkout has no such package, or catanatron has already been imported from elsewhere.
    """
    home = next((path / name for name in HOMES if (path / name / "catanatron" / "__init__.py").is_file()), None)
    if home is None:
        raise CatanatronError(f"{quoted(str(path))} is no checkout of catanatron: it has no catanatron/__init__.py")
    loaded = sys.modules.get("catanatron")
    if loaded is not None and Path(loaded.__file__ or "").parent != (home / "catanatron").resolve():
        raise CatanatronError("catanatron is in use already; name the checkout before anything else")
    if str(home.resolve()) not in sys.path:
        sys.path.insert(0, str(home.resolve()))


def log_of(game: Any) -> list[Any]:
    """Return the log of a game: actions up to version 3.2, later records of an action and its result."""
    state = game.state
    return list(state.action_records if hasattr(state, "action_records") else state.actions)


def playable(game: Any) -> list[Any]:
    """Return the legal actions of the player to decide."""
    return list(game.playable_actions if hasattr(game, "playable_actions") else game.state.playable_actions)


def hand_of(game: Any, seat: int) -> tuple[int, ...]:
    """Return the resource cards of a seat in Sfida's order."""
    return tuple(game.state.player_state[f"P{seat}_{name}_IN_HAND"] for name in part("models.enums").RESOURCES)


def cards_of(game: Any, seat: int, played: bool = False) -> dict[str, int]:
    """Return the development cards of a seat, held or played, by catanatron's names."""
    key = "P{0}_PLAYED_{1}" if played else "P{0}_{1}_IN_HAND"
    return {name: game.state.player_state[key.format(seat, name)]
            for name in part("models.enums").DEVELOPMENT_CARDS}


# ---- catanatron's identifiers and Sfida's, from the tables of the data (ZAR-24.1)


@dataclass(frozen=True)
class Names:
    """Tables from catanatron's identifiers to Sfida's numbers.

    Attributes
    ----------
    corner : tuple of int
        By node.
    edge : dict
        By pair of nodes, in either order.
    hex : dict
        By coordinate.
    station_of_port : tuple of int
        By port id.
    resource, card : dict
        By name; the desert, None, is the hideout.
    """

    corner: tuple[int, ...]
    edge: dict[tuple[int, int], int]
    hex: dict[tuple[int, int, int], int]
    station_of_port: tuple[int, ...]
    resource: dict[str | None, int]
    card: dict[str, int]


@cache
def names() -> Names:
    """Return the tables, checked against Sfida's map.

    Raises
    ------
    ValueError
        If the tables of the data do not fit its map.
    """
    data = load_data()
    rows: dict[str, Any] = data["catanatron"]
    corner = tuple(rows["node_to_corner"])
    pairs = [tuple(pair) for pair in rows["edge_to_nodes"]]
    for edge, (a, b) in enumerate(pairs):
        if sorted((corner[a], corner[b])) != data["board"]["edge"][edge]["corners"]:
            raise ValueError(f"[catanatron] edge_to_nodes: edge {edge} has other corners")
    station = {row["edge"]: row["id"] for row in data["station"]}
    resource: dict[str | None, int] = {row["catanatron"]: row["index"] for row in data["resource"]}
    return Names(
        corner=corner,
        edge={pair: edge for edge, (a, b) in enumerate(pairs) for pair in ((a, b), (b, a))},
        hex={(x, y, z): number for number, (x, y, z) in enumerate(rows["hex_to_cube"])},
        station_of_port=tuple(station[edge] for edge in rows["port_id_to_edge"]),
        resource={**resource, None: len(resource)},
        card={row["catanatron"]: row["index"] for row in data["dev_card"] if "catanatron" in row},
    )


# ---- Sfida's game on the board of a game of catanatron (ZAR-24.2)

TERRAIN = "wbagsh"                      # letters of the options, in the order of the resources, then the hideout
STATION = "wbags3"


def board_options(game: Any) -> dict[str, str]:
    """Return land, numbers and stations of a game as options of Sfida.

    Raises
    ------
    CatanatronError
        If the map is not the map of 19 hexes.
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
    """Return whether catanatron allows a card in the turn of its purchase, as versions up to 3.2 do (ZAR-24.4 d)."""
    return "OWNED_AT_START" not in inspect.getsource(part("state_functions").player_can_play_dev)


def replay_game(game: Any) -> Zarahemla:
    """Return Sfida's game that follows a game of catanatron and has no end of its own (preset ``catan_replay``)."""
    return _made(make_game("settlers_of_zarahemla", preset="catan_replay", players=len(game.state.colors),
                           discard_limit=game.state.discard_limit, dev_same_turn=same_turn_cards(), max_turns=60000,
                           **board_options(game)))


def played_game(game: Any) -> Zarahemla:
    """Return Sfida's game for an agent at the table: like `replay_game`, but with the table's target.

    The states of both games have the same format, so a position can be transferred as bytes.
    """
    return _made(make_game("settlers_of_zarahemla", preset="catan_replay", players=len(game.state.colors),
                           victory_points=game.vps_to_win, discard_limit=game.state.discard_limit,
                           dev_same_turn=same_turn_cards(), harvest_partial=False, max_turns=1000,
                           **board_options(game)))


def _made(game: Any) -> Zarahemla:
    assert isinstance(game, Zarahemla)
    return game
