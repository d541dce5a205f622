"""Map, cards, objectives and options of RisiKo! as tables, weights and the rules object of the core.

Names, shapes and meanings of the tables are defined in cython_ext/risiko/parameters.py.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.risiko.core import RisikoRules
from sfida.cython_ext.risiko.parameters import OBJECTIVE, SIZES, VALUES
from sfida.engines.learned import changed
from sfida.engines.risiko.options import MOST_ROUNDS, TERRITORIES, Ruleset, deck_rows

# ---- The weights of the knowledge of RisiKo!

WEIGHTS: dict[str, float] = VALUES


# ---- Map, cards, objectives and options of RisiKo! as the tables for the rules core

CONTINENTS, CARDS, CLASSES, MAX_DICE = (SIZES[name] for name in ("CONTINENTS", "CARDS", "CLASSES", "MAX_DICE"))
# Numbers of cython_ext/risiko/board.pxd, also as positions in lists of the data file's words.
SYMBOL_IDS = ("infantry", "cavalry", "cannon", "joker")
JOKER = 3
ONE_OF_EACH = 3                         # a class of sets; lower classes are three of a symbol
WITH_JOKER = 4                          # plus the symbol of the pair
EARLY = ("bounded", "no_attack", "off")
OBJECTIVE_FIELDS = tuple(one.name for one in OBJECTIVE if one.given)
OBJECTIVE_TYPES = {"territories": 0, "continents": 1, "continents_plus": 2, "destroy": 3}


def build_tables(data: dict[str, Any], rules: Ruleset) -> dict[str, Any]:
    """Return the tables for the data file and settled options, by name, and the ids of colours and objectives.

    Raises
    ------
    ValueError, OverflowError, KeyError
        If the data are inconsistent or do not fit the tables.
    """
    return {**_map(data, rules), **_cards(data, rules), **_objectives(data, rules), **_options(data, rules)}


def _set(numbers: Iterable[int]) -> int:
    """Return the word with the given bits set; each bit may be given only once."""
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
        "adjacent": adjacent,
        "continent": [_set(number[name] for name in row["territories"]) for row in land],
        "value": [row["value"] for row in rows],
        "bonus": [row["bonus"] for row in land],
        "half": [row["deal_cap_half"] if rules.deal_half_continent_cap else 0 for row in land],
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
        "symbol_of": [*(SYMBOL_IDS.index(row["card_symbol"]) for row in data["territory"]),
                      *[JOKER] * (CARDS - TERRITORIES)],
        "class_value": worth,
        "card_bonus": cards["owned_territory_bonus"],
        "ways": _ways(data["battle_odds"]),
    }


def _ways(rows: Iterable[dict[str, Any]]) -> list[list[list[int]]]:
    """Return the number of throws by dice of the attack, dice of the defence and losses of the defence."""
    sides = range(MAX_DICE + 1)
    ways = [[[0 for _ in sides] for _ in sides] for _ in sides]
    for row in rows:
        attack, defence = row["attack_dice"], row["defense_dice"]
        for outcome in row["outcomes"]:
            lost = outcome["defender_loss"]
            if outcome["attacker_loss"] != min(attack, defence) - lost:
                raise ValueError(f"{attack} against {defence} dice: losses do not add up")
            ways[attack][defence][lost] = outcome["ways"]
        if sum(ways[attack][defence]) != row["total"]:
            raise ValueError(f"{attack} against {defence} dice: ways do not add up")
    return ways


def _objectives(data: dict[str, Any], rules: Ruleset) -> dict[str, Any]:
    deck = deck_rows(rules.objective_deck, data, rules.own_objectives)
    names = [row["id"] for row in deck]
    if len(set(names)) != len(names):
        raise ValueError("two objectives have the same id")
    return {
        "objectives": tuple(names),
        "n_objectives": len(deck),
        "objective": [_objective(row, data, names) for row in deck],
    }


def _objective(row: Mapping[str, Any], data: dict[str, Any], names: list[str]) -> dict[str, int]:
    """Return the numbers of one objective of a deck with the given ids; fields that its type does not use are 0."""
    number = _territories(data)
    found = dict.fromkeys(OBJECTIVE_FIELDS, 0) | {"copies": row.get("copies", 1)}
    if "territories" in row:
        return {**found, "type": OBJECTIVE_TYPES["continents"], "need": _set(number[one] for one in row["territories"])}
    found["type"] = OBJECTIVE_TYPES[row["type"]]
    if row["type"] == "territories":
        return {**found, "count": row["count"], "min_armies": row["min_armies"]}
    if row["type"] == "destroy":
        colors = [one["id"] for one in data["color"]]
        return {**found, "color": colors.index(row["color"]), "fallback": names.index(row["fallback"])}
    land = {one["id"]: one["territories"] for one in data["continent"]}
    return {**found, "extra": row.get("extra", 0),
            "need": _set({number[one] for name in row["continents"] for one in land[name]}),
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


# ---- The data file, and the rules object of the compiled core, built from it and the options


@cache
def load_data() -> dict[str, Any]:
    """Return the data file of the game as tables; do not change them."""
    text = resources.files("sfida.engines.risiko").joinpath("risiko.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def codes() -> tuple[str, ...]:
    """Return the three-letter codes of the territories by number."""
    return tuple(row["code"] for row in load_data()["territory"])


@cache
def joker_names() -> dict[int, str]:
    """Return the names of the jokers, J1 and J2, by card."""
    return {card: f"J{i + 1}" for i, card in enumerate(load_data()["cards"]["joker_indices"])}


def card_name(card: int) -> str:
    """Return the name of a card: the code of its territory, or J1 or J2."""
    return joker_names()[card] if card in joker_names() else codes()[card]


@lru_cache(maxsize=64)
def build_rules(rules: Ruleset, weights: tuple[tuple[str, float], ...] = ()) -> RisikoRules:
    """Return the immutable rules object for settled options, shared by all states.

    `weights` changes some of `WEIGHTS`, as (name, value) pairs.
    """
    return rules_from(load_data(), rules, dict(weights))


def rules_from(data: dict[str, Any], rules: Ruleset, weights: Mapping[str, float] | None = None) -> RisikoRules:
    """Return the rules object for given data.

    Raises
    ------
    InvalidOption
        If the data file does not make sense.
    ValueError
        If a weight is unknown.
    """
    numbers = changed(WEIGHTS, weights or {})
    try:
        return RisikoRules(build_tables(data, rules), numbers)
    except (KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
        raise InvalidOption(f"the data file of RisiKo! does not make sense: {error}") from error
