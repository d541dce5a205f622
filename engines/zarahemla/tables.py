"""Map, costs and options of The Settlers of Zarahemla as tables, weights and the rules object of the core.

Names, shapes and meanings of the tables are defined in cython_ext/zarahemla/parameters.py.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from sfida.cython_ext.zarahemla.core import ZarahemlaRules
from sfida.cython_ext.zarahemla.parameters import CARD_NAMES, RESOURCE_NAMES, VALUES
from sfida.engines.learned import changed
from sfida.engines.zarahemla.options import Ruleset

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState


# ---- The weights of the knowledge of The Settlers of Zarahemla

WEIGHTS: dict[str, float] = VALUES


# ---- Map, costs and options of The Settlers of Zarahemla as the tables for the rules core

# Codes of cython_ext/zarahemla/board.pxd: positions in these lists of the data file's words.
RESOURCE_IDS, CARD_IDS = RESOURCE_NAMES, CARD_NAMES
TERRAIN_IDS = (*RESOURCE_IDS, "hideout")
STATION_IDS = (*RESOURCE_IDS, "generic")
TERRAIN_MODES = ("strips", "shuffle", "explicit")
TOKEN_MODES = ("spiral", "shuffle", "explicit")
STATION_MODES = ("printed", "shuffle_types", "explicit")
SHORTAGES = ("single_rest", "nobody", "turn_order")
TRADE_MODES = ("none", "simple", "full")
PURCHASES = ("road", "settlement", "city", "dev_card", "temple_stone")
BLANK = 7                               # terrain that is not laid yet
NOWHERE = 255                           # no station

STRIPS = ("s5", "s4a", "s4b", "s3a", "s3b")
# Meaning of the bits of a layout code, lowest first (`lay_out` in cython_ext/zarahemla/turn.pxd).
LAYOUT_BITS = ("s5_side", "s5_reverse", "s4_swap", "s4a_side", "s4a_reverse", "s4b_side", "s4b_reverse", "s3_swap",
               "s3a_side", "s3a_reverse", "s3b_side", "s3b_reverse")


def build_tables(data: dict[str, Any], rules: Ruleset) -> dict[str, Any]:
    """Return the tables for the data file and settled options, by name.

    Raises
    ------
    ValueError, OverflowError, KeyError
        If the data are inconsistent or do not fit the tables.
    """
    return {**_map(data, rules), **_layouts(data, rules), **_costs(data, rules), **_codes(data), **_options(rules)}


def _sets(members: Sequence[Sequence[int]]) -> list[int]:
    """Return, for each list of numbers, the word with these bits set."""
    return [sum(1 << i for i in set(one)) for one in members]


def _padded(rows: Sequence[Sequence[int]], width: int) -> list[list[int]]:
    """Return rows padded with zeros to a width."""
    return [[*row, *[0] * (width - len(row))] for row in rows]


def _bag(numbers: Sequence[int], size: int) -> list[int]:
    """Return the count of each number."""
    return [numbers.count(number) for number in range(size)]


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
        "n_hexes": len(hexes),
        "n_corners": len(corners),
        "n_edges": len(edges),
        "n_stations": len(stations),
        "hex_corners": _sets([row["corners"] for row in hexes]),
        "only_hex": _sets([[row["id"] for row in corners if row["hexes"] == [i]] for i in range(len(hexes))]),
        "next_to": _sets([row["corners"] for row in corners]),
        "edges_at": _sets([[edge for edge in row["edges"] if edge < 64] for row in corners]),
        "edges_at_high": [sum(1 << (edge - 64) for edge in row["edges"] if edge >= 64) for row in corners],
        "degree": [len(row["edges"]) for row in corners],
        "edge_at": _padded([row["edges"] for row in corners], 3),
        "far_end": _padded([[sum(edges[edge]["corners"]) - row["id"] for edge in row["edges"]] for row in corners], 3),
        "n_hexes_at": [len(row["hexes"]) for row in corners],
        "hex_at": _padded([row["hexes"] for row in corners], 3),
        "station_at": station_at,
        "end_a": [row["corners"][0] for row in edges],
        "end_b": [row["corners"][1] for row in edges],
        "station_kind": [STATION_IDS.index(kind) for kind in kinds],
        "station_edge": [row["edge"] for row in stations],
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
        "strip_line": [_padded(one, 5) for one in lines],
        "strip_length": [len(line) for line in lines[-1]],
        "strip_side": [_padded(one, 5) for one in sides],
        "n_layouts": data["layout_code"]["count"],
        "terrain_bag": bag,
        "number_bag": _bag(numbers, 16),
        "n_tokens": len(numbers),
        "token": numbers,
        "n_outer": len(data["spiral"]["outer_ccw"]),
        "n_inner": len(data["spiral"]["inner_ccw"]),
        "outer": data["spiral"]["outer_ccw"],
        "inner": data["spiral"]["inner_ccw"],
        "center": data["spiral"]["center"],
        "given": [kind | number << 3 for kind, number in zip(terrain, rules.numbers or [0] * hexes, strict=True)],
    }


def _costs(data: dict[str, Any], rules: Ruleset) -> dict[str, Any]:
    pieces, points, ratios = data["pieces_per_player"], data["scoring"], data["station_types"]
    least = {row["id"]: row["minimum"] for row in data["special_card"]}
    dice = data["dice"]
    slots = [0] * 16
    for slot, total in enumerate(total for total in dice["totals"] if total != 7):
        slots[total] = slot
    return {
        "costs": [data["costs"][name] for name in PURCHASES],
        "bank_ratio": ratios["bank_ratio"],
        "generic_ratio": ratios["generic_ratio"],
        "special_ratio": ratios["special_ratio"],
        "dev_cards": data["dev_decks"][rules.dev_deck],
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
        "roll_slot": slots,
        "dice36": [throw for throw, weight in enumerate(dice["weights_of_36"]) for _ in range(weight)],
    }


def _codes(data: dict[str, Any]) -> dict[str, Any]:
    """Return the first codes of the kinds; the codes have no gaps."""
    found = {}
    for key, table in (("move_bases", "move_codes"), ("chance_bases", "chance_codes")):
        bases = [row["base"] for row in data[table].values()]
        ends = [row["base"] + row["count"] for row in data[table].values()]
        if ends[:-1] != bases[1:]:
            raise ValueError(f"[{table}] of the data has gaps between the codes of its kinds, or shares codes")
        found[key] = [*bases, ends[-1]]
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
        "n_order": len(rules.order),
        "order": rules.order,
    }


# ---- The data file, and the rules object of the compiled core, built from it and the options


@cache
def load_data() -> dict[str, Any]:
    """Return the data file of the game as tables; do not change them."""
    text = resources.files("sfida.engines.zarahemla").joinpath("data.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def edge_of_corners() -> dict[tuple[int, int], int]:
    """Return the edge between two neighbouring corners, in either order."""
    table = {}
    for row in load_data()["board"]["edge"]:
        a, b = row["corners"]
        table[a, b] = table[b, a] = row["id"]
    return table


@cache
def corners_of_edge() -> tuple[tuple[int, int], ...]:
    """Return the two corners of each edge, the smaller first."""
    return tuple((row["corners"][0], row["corners"][1]) for row in load_data()["board"]["edge"])


def ruleset_of(state: ZarahemlaState) -> Ruleset:
    """Return the settled options of a state's game."""
    game: Any = state.game
    assert isinstance(game.ruleset, Ruleset)
    return game.ruleset


@lru_cache(maxsize=64)
def build_rules(rules: Ruleset, weights: tuple[tuple[str, float], ...] = ()) -> ZarahemlaRules:
    """Return the immutable rules object for settled options, shared by all states.

    `weights` changes some of `WEIGHTS`, as (name, value) pairs.
    """
    return rules_from(load_data(), rules, dict(weights))


def rules_from(data: dict[str, Any], rules: Ruleset, weights: Mapping[str, float] | None = None) -> ZarahemlaRules:
    """Return the rules object for given data; raises ValueError if they do not fit the tables."""
    return ZarahemlaRules(build_tables(data, rules), changed(WEIGHTS, weights or {}))
