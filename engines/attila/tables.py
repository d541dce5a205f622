"""Map, components and options of Attila as the tables that the rules core takes (cython_ext/attila/parameters.py)."""

from __future__ import annotations

from typing import Any

from sfida.engines.attila.land import Land
from sfida.engines.attila.options import AttilaOptions

CENTURIES = 4


def build_tables(data: dict[str, Any], land: Land, options: AttilaOptions) -> dict[str, Any]:
    """Return the tables of the data file, a map and options by name.

    Raises
    ------
    ValueError, KeyError
        If the data contradict themselves.
    """
    return {**_land(land), **_components(data, options), **_options(options)}


def _land(land: Land) -> dict[str, Any]:
    provinces = range(len(land.provinces))
    adjacent = [0 for _ in provinces]
    for link in land.links:
        if not (link.a in provinces and link.b in provinces and link.a != link.b):
            raise ValueError(f"there is no border between {link.a} and {link.b}")
        adjacent[link.a] |= 1 << link.b
        adjacent[link.b] |= 1 << link.a
    return {
        "provinces": len(land.provinces),
        "adjacent": adjacent,
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
        "cards": [row["cards"] for row in tribes],
        "tokens": [row["tokens"] for row in tribes],
        "hand_size": turn["hand_size"],
        "plays": turn["cards_per_turn_2_players" if options.players == 2 else "cards_per_turn_3_to_5_players"],
        "fight_at": turn["conflict_at"],
        "peace_tiles": len(gain),
        "gain": [*gain, centuries[-1]["influence_gain"]],
        "closes": closes,
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
