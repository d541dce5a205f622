"""Map, components and options of Attila as the arrays and numbers that the rules core takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfida.engines.attila.land import Land
from sfida.engines.attila.options import AttilaOptions

CENTURIES = 4

Bytes = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Tables:
    """What a game of Attila is played with. Names are those of `Tables` in board.pxd, which explains them.

    Attributes
    ----------
    adjacent : uint32 array, shape (provinces,)
        Sets of provinces.
    start : int
        Set of provinces.
    cards, tokens : uint8 array, shape (6,)
        Of each tribe.
    gain, closes : uint8 array, shape (peace tiles + 1,)
    """

    adjacent: NDArray[np.uint32]
    start: int
    last_space: int
    cards: Bytes
    tokens: Bytes
    hand_size: int
    plays: int
    fight_at: int
    gain: Bytes
    closes: Bytes
    gap: int
    players: int
    random_start: bool
    box: bool
    check_late: bool
    score_late: bool
    merge_final: bool
    end_replaces: bool
    choose_order: bool
    skip_dead: bool
    open_commitments: bool
    difference: bool
    every_decision: bool


def build_tables(data: dict[str, Any], land: Land, options: AttilaOptions) -> Tables:
    """Return the tables of the data file, a map and options.

    Raises
    ------
    ValueError, OverflowError, KeyError
        If the data contradict themselves or do not fit the tables.
    """
    return Tables(**_land(land), **_components(data, options), **_options(options))


def _land(land: Land) -> dict[str, Any]:
    provinces = range(len(land.provinces))
    adjacent = [0 for _ in provinces]
    for link in land.links:
        if not (link.a in provinces and link.b in provinces and link.a != link.b):
            raise ValueError(f"there is no border between {link.a} and {link.b}")
        adjacent[link.a] |= 1 << link.b
        adjacent[link.b] |= 1 << link.a
    return {
        "adjacent": np.array(adjacent, dtype=np.uint32),
        "start": sum(1 << i for i, province in enumerate(land.provinces) if province.start),
        "last_space": land.last_space,
    }


def _components(data: dict[str, Any], options: AttilaOptions) -> dict[str, Any]:
    tribes, turn, centuries = data["tribes"], data["turn"], data["centuries"]
    if turn["max_tokens_in_province"] != turn["conflict_at"]:
        raise ValueError("a province is full when a conflict starts: max_tokens_in_province and conflict_at must agree")
    if len(centuries) != CENTURIES:
        raise ValueError(f"there are {CENTURIES} centuries")
    gain: list[int] = []
    closes = [0]
    for number, row in enumerate(centuries, start=1):
        gain += [row["influence_gain"]] * row["peace_tiles"]
        closes += [0] * row["peace_tiles"]
        closes[-1] = number
        if len(gain) != row["last_tile_number"]:
            raise ValueError("the peace tiles of the centuries do not add up")
    return {
        "cards": np.array([row["cards"] for row in tribes], dtype=np.uint8),
        "tokens": np.array([row["tokens"] for row in tribes], dtype=np.uint8),
        "hand_size": turn["hand_size"],
        "plays": turn["cards_per_turn_2_players" if options.players == 2 else "cards_per_turn_3_to_5_players"],
        "fight_at": turn["conflict_at"],
        "gain": np.array([*gain, centuries[-1]["influence_gain"]], dtype=np.uint8),
        "closes": np.array(closes, dtype=np.uint8),
        "gap": data["scoring"]["two_player_second_max_gap"],
    }


def _options(options: AttilaOptions) -> dict[str, Any]:
    return {
        "players": options.players,
        "random_start": options.start_player == "random",
        "box": options.removed_tokens == "box",
        "check_late": options.exhaustion_check == "after_conflicts",
        "score_late": options.scoring_timing == "after_all_conflicts",
        "merge_final": options.merge_final_scoring,
        "end_replaces": options.scoring_after_trigger == "replaced",
        "choose_order": options.conflict_order == "active_chooses",
        "skip_dead": options.no_live_card == "skip",
        "open_commitments": options.open_commitments,
        "difference": options.two_player_difference_scoring,
        "every_decision": options.tile_windows == "every_decision",
    }
