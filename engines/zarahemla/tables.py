"""Map, costs and options of The Settlers of Zarahemla as the arrays and numbers that the rules core takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfida.engines.zarahemla.options import Ruleset

# Codes of cython_ext/zarahemla/board.pxd: positions in these lists of the data file's words.
RESOURCE_IDS = ("wood", "brick", "water", "wheat", "stone")
TERRAIN_IDS = (*RESOURCE_IDS, "hideout")
STATION_IDS = (*RESOURCE_IDS, "generic")
CARD_IDS = ("stripling_warrior", "prosperity", "bountiful_harvest", "road_building", "temple_building", "liahona",
            "victory_point")
TERRAIN_MODES = ("strips", "shuffle", "explicit")
TOKEN_MODES = ("spiral", "shuffle", "explicit")
STATION_MODES = ("printed", "shuffle_types", "explicit")
SHORTAGES = ("single_rest", "nobody", "turn_order")
TRADE_MODES = ("none", "simple", "full")
PURCHASES = ("road", "settlement", "city", "dev_card", "temple_stone")
BLANK = 7                               # terrain that is not laid yet
NOWHERE = 255                           # no station

STRIPS = ("s5", "s4a", "s4b", "s3a", "s3b")
# What the bits of a layout code say, lowest first (`lay_out` in cython_ext/zarahemla/turn.pxd).
LAYOUT_BITS = ("s5_side", "s5_reverse", "s4_swap", "s4a_side", "s4a_reverse", "s4b_side", "s4b_reverse", "s3_swap",
               "s3a_side", "s3a_reverse", "s3b_side", "s3b_reverse")

Bytes = NDArray[np.uint8]
Sets = NDArray[np.uint64]               # a bit per corner or edge


@dataclass(frozen=True, eq=False)
class Tables:
    """What a game of Zarahemla is played with. Names are those of `Tables` in board.pxd, which explains them.

    Attributes
    ----------
    resources, cards : tuple of str
        Names of the resources and of the types of development cards.
    hex_corners, only_hex : uint64 array, shape (hexes,)
        Sets of corners.
    next_to, edges_at : uint64 array, shape (corners,)
        Sets of corners, and of the edges 0 to 63; the others are in `edges_at_high`.
    edges_at_high, degree, n_hexes_at, station_at : uint8 array, shape (corners,)
    edge_at, far_end, hex_at : uint8 array, shape (corners, 3)
    end_a, end_b : uint8 array, shape (edges,)
    station_kind : uint8 array, shape (stations,)
    station_bag, terrain_bag : uint8 array, shape (6,)
    strip_line : uint8 array, shape (3, 5, 5)
        Hexes by orientation and line.
    strip_length : uint8 array, shape (5,)
    strip_side : uint8 array, shape (5, 2, 5)
        Terrains by strip and side.
    number_bag, roll_slot : uint8 array, shape (16,)
    token, outer, inner : uint8 array
    given : uint8 array, shape (hexes,)
    costs : uint8 array, shape (5, 5)
        Resource cards by purchase, in the order of PURCHASES.
    deck : uint8 array, shape (7,)
        Development cards by type.
    dice36 : uint8 array, shape (36,)
    move_bases, chance_bases : int64 array
        First code of every kind of move or chance event, and the first code after all of them.
    order : uint8 array
    first_player : int
        A seat, or -1: drawn.
    terrain_mode, token_mode, station_mode, shortage, trade_mode : int
        Positions in the lists above.
    """

    resources: tuple[str, ...]
    cards: tuple[str, ...]
    hex_corners: Sets
    only_hex: Sets
    next_to: Sets
    edges_at: Sets
    edges_at_high: Bytes
    degree: Bytes
    edge_at: Bytes
    far_end: Bytes
    n_hexes_at: Bytes
    hex_at: Bytes
    station_at: Bytes
    end_a: Bytes
    end_b: Bytes
    station_kind: Bytes
    station_bag: Bytes
    strip_line: Bytes
    strip_length: Bytes
    strip_side: Bytes
    n_layouts: int
    terrain_bag: Bytes
    number_bag: Bytes
    token: Bytes
    outer: Bytes
    inner: Bytes
    center: int
    given: Bytes
    costs: Bytes
    bank_ratio: int
    generic_ratio: int
    special_ratio: int
    deck: Bytes
    cards_each: int
    n_settlements: int
    n_cities: int
    n_roads: int
    n_stones: int
    settlement_points: int
    city_points: int
    card_points: int
    road_points: int
    army_points: int
    temple_points: int
    road_minimum: int
    army_minimum: int
    temple_minimum: int
    roll_slot: Bytes
    dice36: Bytes
    move_bases: NDArray[np.int64]
    chance_bases: NDArray[np.int64]
    players: int
    target: int
    discard_limit: int
    max_turns: int
    terrain_mode: int
    token_mode: int
    station_mode: int
    first_player: int
    shortage: int
    trade_mode: int
    max_offers: int
    max_side: int
    gifts: bool
    choose_start: bool
    numbered_site: bool
    robber_home: bool
    may_steal: bool
    set_aside: bool
    dev_same_turn: bool
    harvest_partial: bool
    temple_before_roll: bool
    order: Bytes


def build_tables(data: dict[str, Any], rules: Ruleset) -> Tables:
    """Return the tables of the data file and of settled options.

    Raises
    ------
    ValueError, OverflowError, KeyError
        If the data contradict themselves or do not fit the tables.
    """
    return Tables(RESOURCE_IDS, CARD_IDS, **_map(data, rules), **_layouts(data, rules), **_costs(data, rules),
                  **_codes(data), **_options(rules))


def _bytes(numbers: Sequence[Any]) -> Bytes:
    return np.array(numbers, dtype=np.uint8)


def _sets(members: Sequence[Sequence[int]]) -> Sets:
    """Return words with the bits of these numbers."""
    return np.array([sum(1 << i for i in set(one)) for one in members], dtype=np.uint64)


def _padded(rows: Sequence[Sequence[int]], width: int) -> Bytes:
    """Return rows of different lengths as one array, zeros after their ends."""
    return _bytes([[*row, *[0] * (width - len(row))] for row in rows])


def _bag(numbers: Sequence[int], size: int) -> Bytes:
    """Return how often each number is among them."""
    return _bytes(np.bincount(numbers, minlength=size).tolist())


def _map(data: dict[str, Any], rules: Ruleset) -> dict[str, Any]:
    hexes, corners, edges, stations = (*(data["board"][key] for key in ("hex", "corner", "edge")), data["station"])
    for rows in (hexes, corners, edges, stations):
        if [row["id"] for row in rows] != list(range(len(rows))):
            raise ValueError("the rows of the map are not in the order of their ids")
    station_at = [NOWHERE] * len(corners)
    for row in stations:
        for corner in row["corners"]:
            station_at[corner] = row["id"]
    kinds = rules.stations or [row["kind"] for row in stations]
    return {
        "hex_corners": _sets([row["corners"] for row in hexes]),
        "only_hex": _sets([[row["id"] for row in corners if row["hexes"] == [i]] for i in range(len(hexes))]),
        "next_to": _sets([row["corners"] for row in corners]),
        "edges_at": _sets([[edge for edge in row["edges"] if edge < 64] for row in corners]),
        "edges_at_high": _bytes([sum(1 << (edge - 64) for edge in row["edges"] if edge >= 64) for row in corners]),
        "degree": _bytes([len(row["edges"]) for row in corners]),
        "edge_at": _padded([row["edges"] for row in corners], 3),
        "far_end": _padded([[sum(edges[edge]["corners"]) - row["id"] for edge in row["edges"]] for row in corners], 3),
        "n_hexes_at": _bytes([len(row["hexes"]) for row in corners]),
        "hex_at": _padded([row["hexes"] for row in corners], 3),
        "station_at": _bytes(station_at),
        "end_a": _bytes([row["corners"][0] for row in edges]),
        "end_b": _bytes([row["corners"][1] for row in edges]),
        "station_kind": _bytes([STATION_IDS.index(kind) for kind in kinds]),
        "station_bag": _bag([STATION_IDS.index(kind) for kind in data["station_types"]["kinds"]], len(STATION_IDS)),
    }


def _layouts(data: dict[str, Any], rules: Ruleset) -> dict[str, Any]:
    if tuple(data["layout_code"]["bits"]) != LAYOUT_BITS:
        raise ValueError("[layout_code] of the data differs from the compiled decoding")
    strips = {strip["id"]: strip for strip in data["strip"]}
    sides = [[[TERRAIN_IDS.index(name) for name in strips[strip][side]] for side in ("side_a", "side_b")]
             for strip in STRIPS]
    lines = [data["strip_lines"][f"orientation_{i}"] for i in range(3)]
    bag = [0] * len(TERRAIN_IDS)
    for row in data["resource"]:
        bag[row["index"]] = row["hexes"]
    bag[TERRAIN_IDS.index("hideout")] = data["terrain"]["hideout"]["hexes"]
    hexes, numbers = len(data["board"]["hex"]), data["tokens"]["numbers"]
    terrain = [TERRAIN_IDS.index(name) for name in rules.terrain] or [BLANK] * hexes
    return {
        "strip_line": np.stack([_padded(one, 5) for one in lines]),
        "strip_length": _bytes([len(line) for line in lines[-1]]),
        "strip_side": np.stack([_padded(one, 5) for one in sides]),
        "n_layouts": data["layout_code"]["count"],
        "terrain_bag": _bytes(bag),
        "number_bag": _bag(numbers, 16),
        "token": _bytes(numbers),
        "outer": _bytes(data["spiral"]["outer_ccw"]),
        "inner": _bytes(data["spiral"]["inner_ccw"]),
        "center": data["spiral"]["center"],
        "given": _bytes([kind | number << 3 for kind, number in
                         zip(terrain, rules.numbers or [0] * hexes, strict=True)]),
    }


def _costs(data: dict[str, Any], rules: Ruleset) -> dict[str, Any]:
    pieces, points, ratios = data["pieces_per_player"], data["scoring"], data["station_types"]
    least = {row["id"]: row["minimum"] for row in data["special_card"]}
    dice = data["dice"]
    slots = [0] * 16
    for slot, total in enumerate(total for total in dice["totals"] if total != 7):
        slots[total] = slot
    return {
        "costs": _bytes([data["costs"][name] for name in PURCHASES]),
        "bank_ratio": ratios["bank_ratio"],
        "generic_ratio": ratios["generic_ratio"],
        "special_ratio": ratios["special_ratio"],
        "deck": _bytes(data["dev_decks"][rules.dev_deck]),
        "cards_each": rules.resource_cards_per_type,
        "n_settlements": pieces["settlements"],
        "n_cities": pieces["cities"],
        "n_roads": pieces["roads"],
        "n_stones": pieces["temple_stones"] if rules.temple_enabled else 0,
        "settlement_points": points["settlement"],
        "city_points": points["city"],
        "card_points": points["vp_card"],
        "road_points": points["longest_road"],
        "army_points": points["largest_army"],
        "temple_points": points["greatest_temple_contributor"],
        "road_minimum": least["longest_road"],
        "army_minimum": least["largest_army"],
        "temple_minimum": least["greatest_temple_contributor"],
        "roll_slot": _bytes(slots),
        "dice36": np.repeat(np.arange(len(dice["totals"]), dtype=np.uint8), dice["weights_of_36"]),
    }


def _codes(data: dict[str, Any]) -> dict[str, Any]:
    """Return the first codes of the kinds, which follow each other without gaps."""
    found = {}
    for key, table in (("move_bases", "move_codes"), ("chance_bases", "chance_codes")):
        bases = [row["base"] for row in data[table].values()]
        ends = [row["base"] + row["count"] for row in data[table].values()]
        if ends[:-1] != bases[1:]:
            raise ValueError(f"[{table}] of the data has gaps between the codes of its kinds, or shares codes")
        found[key] = np.array([*bases, ends[-1]], dtype=np.int64)
    return found


def _options(rules: Ruleset) -> dict[str, Any]:
    return {
        "players": rules.players,
        "target": rules.victory_points,
        "discard_limit": rules.discard_limit,
        "max_turns": rules.max_turns,
        "terrain_mode": TERRAIN_MODES.index(rules.terrain_mode),
        "token_mode": TOKEN_MODES.index(rules.token_mode),
        "station_mode": STATION_MODES.index(rules.station_mode),
        "first_player": -1 if rules.first_player == "random" else int(rules.first_player),
        "shortage": SHORTAGES.index(rules.bank_shortage),
        "trade_mode": TRADE_MODES.index(rules.trade_mode),
        "max_offers": rules.trade_max_offers_per_turn,
        "max_side": rules.trade_max_cards_per_side,
        "gifts": rules.trade_gifts,
        "choose_start": rules.initial_resources == "choose",
        "numbered_site": rules.initial_site == "numbered",
        "robber_home": rules.robber_home_allowed,
        "may_steal": rules.steal == "may",
        "set_aside": rules.longest_road_tie == "set_aside",
        "dev_same_turn": rules.dev_same_turn,
        "harvest_partial": rules.harvest_partial,
        "temple_before_roll": rules.temple_before_roll,
        "order": _bytes(rules.order),
    }
