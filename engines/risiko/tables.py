"""Map, cards, objectives and options of RisiKo! as the arrays and numbers that the rules core takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfida.engines.risiko.options import MOST_ROUNDS, Ruleset, deck_rows
from sfida.engines.risiko.own_objectives import TERRITORIES

# Numbers of cython_ext/risiko/board.pxd and cards.pxd, also as positions in lists of the data file's words.
CONTINENTS = 6
CARDS = 44
SYMBOL_IDS = ("infantry", "cavalry", "cannon", "joker")
JOKER = 3
ONE_OF_EACH = 3                         # classes of sets; those below it are three of a symbol
WITH_JOKER = 4                          # + symbol of the pair
CLASSES = 7
MAX_DICE = 3
EARLY = ("bounded", "no_attack", "off")
OBJECTIVE_TYPES = {"territories": 0, "continents": 1, "continents_plus": 2, "destroy": 3}

Bytes = NDArray[np.uint8]
Sets = NDArray[np.uint64]               # a bit per territory or continent


@dataclass(frozen=True, eq=False)
class Tables:
    """What a game of RisiKo! is played with. Names are those of `Tables` in board.pxd, which explains them.

    Attributes
    ----------
    colors, objectives : tuple of str
        Ids of the colours, and of the n objectives of the deck.
    adjacent : uint64 array, shape (42,)
        Set of the neighbours of each territory.
    continent : uint64 array, shape (6,)
        Sets of territories.
    value : uint8 array, shape (42,)
    bonus, half : uint8 array, shape (6,)
    symbol_of : uint8 array, shape (44,)
        Positions in SYMBOL_IDS.
    class_value : uint8 array, shape (7,)
    ways : uint32 array, shape (4, 4, 4)
    copies : uint8 array, shape (n,)
        Cards of each objective.
    types, counts, min_armies, extra, targets, fallbacks : uint8 array, shape (n,)
        Of each objective its number in OBJECTIVE_TYPES, and what that type needs: territories, armies on each,
        further continents, the colour, the objective that it turns into.
    needs, others : uint64 array, shape (n,)
        Territories, and continents that are not named.
    early : int
        Position in EARLY.
    """

    colors: tuple[str, ...]
    objectives: tuple[str, ...]
    adjacent: Sets
    continent: Sets
    value: Bytes
    bonus: Bytes
    half: Bytes
    symbol_of: Bytes
    class_value: Bytes
    card_bonus: int
    ways: NDArray[np.uint32]
    copies: Bytes
    types: Bytes
    counts: Bytes
    min_armies: Bytes
    extra: Bytes
    targets: Bytes
    fallbacks: Bytes
    needs: Sets
    others: Sets
    initial: int
    batch: int
    players: int
    forced_defence: bool
    no_inferior_attack: bool
    garrison: int
    points: bool
    completed: int
    round_limit: int
    last_round: int
    rank_by_points: bool
    rtu_ties: bool
    sdadata: bool
    first_threshold: int
    step: int
    max_threshold: int
    skip_above: int
    army_cap: int
    early: int
    early_rounds: int
    min_reinforcement: int
    extra_reinforcement: int
    hand_limit: int
    lazy: bool
    reveal: bool
    choose_colors: bool
    full_candidates: bool


def build_tables(data: dict[str, Any], rules: Ruleset) -> Tables:
    """Return the tables of the data file and of settled options.

    Raises
    ------
    ValueError, OverflowError, KeyError
        If the data contradict themselves or do not fit the tables.
    """
    return Tables(**_map(data, rules), **_cards(data, rules), **_objectives(data, rules), **_options(data, rules))


def _bytes(numbers: Sequence[int]) -> Bytes:
    return np.array(numbers, dtype=np.uint8)


def _set(numbers: Iterable[int]) -> int:
    """Return the word with these bits, each named once."""
    word = 0
    for number in numbers:
        if word >> number & 1:
            raise ValueError(f"{number} is listed twice")
        word |= 1 << number
    return word


def _territories(data: dict[str, Any]) -> dict[str, int]:
    """Return the numbers of the territories by id."""
    return {row["id"]: i for i, row in enumerate(data["territory"])}


def _map(data: dict[str, Any], rules: Ruleset) -> dict[str, Any]:
    rows, land, number = data["territory"], data["continent"], _territories(data)
    if len(rows) != TERRITORIES or len(land) != CONTINENTS:
        raise ValueError(f"the map has {TERRITORIES} territories in {CONTINENTS} continents")
    if len(number) != TERRITORIES or len({row["code"] for row in rows}) != TERRITORIES:
        raise ValueError("ids and codes of territories must differ")
    adjacent = [0] * TERRITORIES
    for edge in data["board"]["edges"]:
        i, k = number[edge["a"]], number[edge["b"]]
        if i == k:
            raise ValueError(f"{edge['a']} borders itself")
        adjacent[i] |= 1 << k
        adjacent[k] |= 1 << i
    return {
        "colors": tuple(row["id"] for row in data["color"]),
        "adjacent": np.array(adjacent, dtype=np.uint64),
        "continent": np.array([_set(number[name] for name in row["territories"]) for row in land], dtype=np.uint64),
        "value": _bytes([row["value"] for row in rows]),
        "bonus": _bytes([row["bonus"] for row in land]),
        "half": _bytes([row["deal_cap_half"] if rules.deal_half_continent_cap else 0 for row in land]),
    }


def _cards(data: dict[str, Any], rules: Ruleset) -> dict[str, Any]:
    cards = data["cards"]
    if sorted(cards["joker_indices"]) != list(range(TERRITORIES, CARDS)):
        raise ValueError(f"the jokers are the cards {TERRITORIES} to {CARDS - 1}")
    worth = [0] * CLASSES
    for row in data["trade"]:
        symbols = row["pattern"]
        if "joker" in symbols:
            classes = range(WITH_JOKER, WITH_JOKER + JOKER)
        elif len(set(symbols)) == 1:
            classes = range(SYMBOL_IDS.index(symbols[0]), SYMBOL_IDS.index(symbols[0]) + 1)
        else:
            classes = range(ONE_OF_EACH, ONE_OF_EACH + 1)
        for one in classes:
            worth[one] = row[rules.trade_table]
    return {
        "symbol_of": _bytes([*(SYMBOL_IDS.index(row["card_symbol"]) for row in data["territory"]),
                             *[JOKER] * (CARDS - TERRITORIES)]),
        "class_value": _bytes(worth),
        "card_bonus": cards["owned_territory_bonus"],
        "ways": _ways(data["battle_odds"]),
    }


def _ways(rows: Iterable[dict[str, Any]]) -> NDArray[np.uint32]:
    """Return how many throws there are by dice of the attack and the defence and by losses of the defence."""
    ways = np.zeros((MAX_DICE + 1,) * 3, dtype=np.uint32)
    for row in rows:
        attack, defence = row["attack_dice"], row["defense_dice"]
        for outcome in row["outcomes"]:
            lost = outcome["defender_loss"]
            if outcome["attacker_loss"] != min(attack, defence) - lost:
                raise ValueError(f"{attack} against {defence} dice: losses do not add up")
            ways[attack, defence, lost] = outcome["ways"]
        if ways[attack, defence].sum() != row["total"]:
            raise ValueError(f"{attack} against {defence} dice: ways do not add up")
    return ways


def _objectives(data: dict[str, Any], rules: Ruleset) -> dict[str, Any]:
    deck = deck_rows(rules.objective_deck, data, rules.own_objectives)
    names = [row["id"] for row in deck]
    if len(set(names)) != len(names):
        raise ValueError("two objectives have the same id")
    facts = [_objective(row, data, names) for row in deck]
    small = ("types", "counts", "min_armies", "extra", "targets", "fallbacks")
    return {
        "objectives": tuple(names),
        "copies": _bytes([row.get("copies", 1) for row in deck]),
        **{key: _bytes([one.get(key, 0) for one in facts]) for key in small},
        **{key: np.array([one.get(key, 0) for one in facts], dtype=np.uint64) for key in ("needs", "others")},
    }


def _objective(row: Mapping[str, Any], data: dict[str, Any], names: list[str]) -> dict[str, int]:
    """Return the numbers of one objective of a deck with these ids; what its type does not need is left out."""
    number = _territories(data)
    if "territories" in row:
        return {"types": OBJECTIVE_TYPES["continents"], "needs": _set(number[one] for one in row["territories"])}
    found = {"types": OBJECTIVE_TYPES[row["type"]]}
    if row["type"] == "territories":
        return {**found, "counts": row["count"], "min_armies": row["min_armies"]}
    if row["type"] == "destroy":
        colors = [one["id"] for one in data["color"]]
        return {**found, "targets": colors.index(row["color"]), "fallbacks": names.index(row["fallback"])}
    land = {one["id"]: one["territories"] for one in data["continent"]}
    return {**found, "extra": row.get("extra", 0),
            "needs": _set({number[one] for name in row["continents"] for one in land[name]}),
            "others": _set(i for i, name in enumerate(land) if name not in row["continents"])}


def _options(data: dict[str, Any], rules: Ruleset) -> dict[str, Any]:
    setup = next(row for row in data["setup"] if row["players"] == rules.players)
    close = data["sdadata"]
    last_round = rules.round_limit or MOST_ROUNDS
    if rules.sdadata:
        last_round = min(MOST_ROUNDS, last_round + close["hard_cap_rounds_after_limit"])
    return {
        "players": rules.players,
        "initial": setup["initial_armies"],
        "batch": setup["placement_batch"],
        "forced_defence": rules.forced_max_defense,
        "no_inferior_attack": rules.no_inferior_attack,
        "garrison": rules.min_garrison,
        "points": rules.points,
        "completed": data["scoring"]["objective_completed"],
        "round_limit": rules.round_limit,
        "last_round": last_round,
        "rank_by_points": rules.limit_result == "points",
        "rtu_ties": rules.tie_break == "rtu",
        "sdadata": rules.sdadata,
        "first_threshold": close["first_threshold"],
        "step": close["step_per_cycle"],
        "max_threshold": close["max_threshold"],
        "skip_above": close["skip_if_conquests_more_than"],
        "army_cap": rules.army_cap,
        "early": EARLY.index(rules.early_elimination),
        "early_rounds": rules.early_elimination_rounds,
        "min_reinforcement": rules.min_reinforcement,
        "extra_reinforcement": rules.extra_reinforcement,
        "hand_limit": rules.hand_limit,
        "lazy": rules.reshuffle == "lazy",
        "reveal": rules.reveal_objective_on_elimination,
        "choose_colors": rules.choose_colors,
        "full_candidates": rules.move_granularity == "full",
    }
