"""Positions of The Settlers of Zarahemla for tests, in the set-up notation of chapter 20 of the rules."""

from __future__ import annotations

import itertools
from typing import Any

from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.zarahemla.core import ZarahemlaState
from sfida.engines.registry import make
from sfida.engines.zarahemla.game import Zarahemla
from sfida.engines.zarahemla.position import Position
from sfida.engines.zarahemla.tables import edge_of_corners
from support.playing import legal, step

WARRIOR, PROSPERITY, HARVEST, ROADS, TEMPLE, LIAHONA, POINT = range(7)
NOTHING = (0, 0, 0, 0, 0)


def start(spec: str = "zarahemla", **options: Any) -> ZarahemlaState:
    """Return a game at its start."""
    state = make(spec, **options)
    assert isinstance(state, ZarahemlaState)
    return state


def cards(**counts: int) -> tuple[int, ...]:
    """Return the counts of development cards by type."""
    names = ("warrior", "prosperity", "harvest", "roads", "temple", "liahona", "point")
    assert set(counts) <= set(names)
    return tuple(counts.get(name, 0) for name in names)


def read_setup(text: str, players: int) -> dict[str, Any]:
    """Return the pieces and hands of a setup such as ``S 0 8; C 0 29; R 1 8-13-9; H 0 1 1 0 0 0``."""
    buildings: list[tuple[int, int, str]] = []
    roads: list[tuple[int, int]] = []
    hands = [NOTHING] * players
    for part in filter(None, (one.strip() for one in text.split(";"))):
        kind, seat, *rest = part.split()
        if kind in "SC":
            buildings.append((int(seat), int(rest[0]), "settlement" if kind == "S" else "city"))
        elif kind == "R":
            corners = [int(c) for c in rest[0].split("-")]
            roads += [(int(seat), edge_of_corners()[pair]) for pair in itertools.pairwise(corners)]
        else:
            assert kind == "H"
            hands[int(seat)] = tuple(map(int, rest))
    return {"buildings": buildings, "roads": roads, "hands": hands}


def setup(text: str = "", *, players: int = 3, options: str = "", **arranged: Any) -> ZarahemlaState:
    """Return a position on the board of the worked examples.

    Parameters
    ----------
    text : str
        Pieces and hands.
    players : int
    options : str
        More options of the game, as in a spec.
    **arranged
        Further arguments of `ZarahemlaState.arrange`.
    """
    spec = "zarahemla:board=figures,first_player=0" + (f",{options}" if options else "")
    state = start(spec, players=players)
    state.arrange(**read_setup(text, players), **arranged)
    state.verify()
    return state


def roads_of(state: ZarahemlaState) -> set[tuple[int, int]]:
    """Return the legal roads as pairs of corners."""
    found = (text[1:].split("-") for text in legal(state, "R") if text != "RB")
    return {(int(a), int(b)) for a, b in found}


def sites_of(state: ZarahemlaState) -> set[int]:
    """Return the corners where a settlement is legal."""
    return {int(text[1:]) for text in legal(state, "S")}


def position(state: ZarahemlaState, seat: int | None = None) -> Position:
    """Return the position as a seat sees it."""
    game = state.game
    assert isinstance(game, Zarahemla)
    return game.position(state, seat)


def hands(state: ZarahemlaState) -> list[tuple[int, ...]]:
    """Return the true hands."""
    return [state.hand(i) for i in range(state.players)]


def points(state: ZarahemlaState) -> list[int]:
    """Return the public points."""
    return [seat.points for seat in position(state).seats]


def lengths(state: ZarahemlaState) -> list[int]:
    """Return the length of each seat's road."""
    return [seat.road_length for seat in position(state).seats]


def holders(state: ZarahemlaState) -> list[int]:
    """Return the holders of Longest Road, Largest Army and Greatest Temple Contributor; -1 for nobody."""
    return list(position(state).holders)


def random_game(spec: str, seed: int, stop: int = 10**9) -> ZarahemlaState:
    """Return the end of a uniformly random game, or its position after `stop` moves, luck included."""
    state = start(spec)
    rng = Random(derive(seed, 77))
    for _ in range(stop):
        if state.is_over:
            break
        step(state, rng)
    return state
