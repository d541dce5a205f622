"""Positions of Zarahemla for the tests of its pictures: the board of the worked examples with pieces on it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from sfida.engines.zarahemla.map import board, drawing_data
from sfida.engines.zarahemla.position import Five, Position, SeatPosition

EDGE = {edge.corners: number for number, edge in enumerate(board().edges)}
NOBODY = SeatPosition(hand=(0, 0, 0, 0, 0), hand_size=0, cards=(), card_count=0, played=(), warriors=0, stones=0,
                      road_length=0, roads_left=15, settlements_left=5, cities_left=4, stones_left=10, points=0,
                      secret_points=0, longest_road=False, largest_army=False, temple=False)


def roads(seat: int, *corners: int) -> list[tuple[int, int]]:
    """Return the roads of a seat along a chain of corners."""
    return [(EDGE[min(pair), max(pair)], seat) for pair in pairwise(corners)]


def hidden(seat: SeatPosition) -> SeatPosition:
    """Return a seat as others see it."""
    return replace(seat, hand=None, cards=None, secret_points=None)


def stations() -> tuple[tuple[int, str], ...]:
    return tuple((entry["edge"], "any" if entry["kind"] == "generic" else entry["kind"])
                 for entry in drawing_data()["station"])


def game(viewer: int | None = None, players: int = 4) -> Position:
    """Return a middle game as one seat sees it; None: all cards are open."""
    seats = [
        replace(NOBODY, hand=(2, 1, 0, 3, 1), hand_size=7, card_count=4, warriors=3, stones=2, road_length=7,
                cards=(("stripling_warrior", 2), ("liahona", 1), ("victory_point", 1)), points=7, secret_points=1,
                played=(("stripling_warrior", 3),), roads_left=8, settlements_left=4, cities_left=3, stones_left=8,
                longest_road=True, largest_army=True),
        replace(NOBODY, hand=(2, 1, 3, 1, 2), hand_size=9, cards=(("temple_building", 2),), card_count=2, warriors=1,
                played=(("stripling_warrior", 1), ("prosperity", 1)), stones=1, road_length=3, roads_left=9,
                settlements_left=3, cities_left=3, stones_left=9, points=4),
        replace(NOBODY, hand=(0, 0, 4, 0, 0), hand_size=4, stones=4, road_length=2, roads_left=10, settlements_left=4,
                cities_left=3, stones_left=6, points=5, temple=True),
        replace(NOBODY, hand=(5, 0, 0, 2, 5), hand_size=12, cards=(("road_building", 1), ("victory_point", 2)),
                card_count=3, warriors=2, played=(("stripling_warrior", 2), ("bountiful_harvest", 1)), road_length=5,
                roads_left=7, settlements_left=3, cities_left=3, points=4, secret_points=2),
    ]
    if viewer is not None:
        seats = [seat if number == viewer else hidden(seat) for number, seat in enumerate(seats)]
    buildings = [(8, 0, "settlement"), (44, 0, "city"), (24, 1, "settlement"), (37, 1, "settlement"), (53, 1, "city"),
                 (26, 2, "city"), (38, 2, "settlement"), (11, 3, "settlement"), (14, 3, "settlement"), (41, 3, "city")]
    ways = [*roads(0, 8, 12, 17, 22, 28, 34, 39, 44), *roads(1, 24, 30, 35), *roads(1, 53, 50, 46), *roads(1, 37, 31),
            *roads(2, 26, 20), *roads(2, 38, 43), *roads(3, 11, 16, 21), *roads(3, 14, 9, 5, 1), *roads(3, 41, 45)]
    figures = drawing_data()["test_board"][0]
    bank: Five = (9, 16, 11, 12, 10)
    return Position(players=players, phase="main", seat_on_turn=0, seat_to_move=0, terrain=tuple(figures["terrain"]),
                    numbers=tuple(figures["numbers"]), stations=stations(), robber=13,
                    buildings=tuple(sorted(item for item in buildings if item[1] < players)),
                    roads=tuple(sorted(item for item in ways if item[1] < players)), bank=bank, deck=12,
                    seats=tuple(seats[:players]), dice=8, offer=(0, (0, 0, 0, 2, 0), (0, 1, 0, 0, 0)),
                    last=("road", EDGE[39, 44]))


def unlaid(players: int = 4) -> Position:
    """Return the position before the land is laid out."""
    return replace(game(players=players), phase="setup_layout", seat_to_move=-1, terrain=("",) * 19,
                   numbers=(0,) * 19, robber=-1, buildings=(), roads=(), bank=(18,) * 5, deck=29, dice=0, offer=None,
                   last=None, seats=(NOBODY,) * players)


POSITIONS = {"open": game(), "seat 1": game(1), "three": game(0, 3), "two": game(1, 2), "unlaid": unlaid(),
             "over": replace(game(), phase="game_over", seat_to_move=-4, offer=None,
                             winner=0)}
