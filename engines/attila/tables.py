"""Map, components and options of Attila as tables, weights and the rules object of the core."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sfida.cython_ext.attila.core import AttilaRules
from sfida.cython_ext.attila.parameters import VALUES
from sfida.cython_ext.errors import InvalidOption
from sfida.engines.attila.options import AttilaOptions
from sfida.engines.data_files import packaged
from sfida.engines.learned import changed

if TYPE_CHECKING:
    from sfida.engines.attila.map import Land

# ---- The facts that are the same on all maps, from the data file


def load_data() -> dict[str, Any]:
    """Return the data file of the game as tables; do not change them."""
    return packaged("sfida.engines.attila")


# ---- The weights of the knowledge of Attila

WEIGHTS: dict[str, float] = VALUES


# ---- The tables for the core (cython_ext/attila/parameters.py)

CENTURIES = 4


def build_tables(data: dict[str, Any], land: Land, options: AttilaOptions) -> dict[str, Any]:
    """Return the tables for the data file, a map and options, by name.

    Raises
    ------
    ValueError, KeyError
        If the data are inconsistent.
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


# ---- The rules object of the compiled core, built from the data file, a map and the options


@lru_cache(maxsize=64)
def build_rules(land: Land, options: AttilaOptions, weights: tuple[tuple[str, float], ...] = ()) -> AttilaRules:
    """Return the immutable rules object of a map and options, shared by all states.

    `weights` changes some of `WEIGHTS`, as (name, value) pairs.
    """
    return rules_from(load_data(), land, options, dict(weights))


def rules_from(data: dict[str, Any], land: Land, options: AttilaOptions,
               weights: Mapping[str, float] | None = None) -> AttilaRules:
    """Return the rules object for given data.

    Raises
    ------
    InvalidOption
        If the data do not make sense.
    ValueError
        If a weight is unknown.
    """
    numbers = changed(WEIGHTS, weights or {})
    try:
        return AttilaRules(build_tables(data, land, options), numbers)
    except (KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
        raise InvalidOption(f"the data file of Attila does not make sense: {error}") from error
