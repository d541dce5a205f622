"""What a seat may see of a state as plain data for programs, and what it cannot see."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sfida.engines.language import _
from sfida.engines.risiko.goals import brief_objective
from sfida.engines.risiko.options import Ruleset
from sfida.engines.risiko.position import Position
from sfida.engines.risiko.rules import card_name, load_data

if TYPE_CHECKING:
    from sfida.cython_ext.risiko.core import RisikoState


def observation(state: RisikoState, position: Position) -> dict[str, Any]:
    """Return what a seat may see, JSON-able; `position` is the state as it sees it, told in English."""
    raw = state.snapshot()
    ids = state.rules.objectives
    return {
        "phase": position.phase, "round": position.round, "seat_on_turn": position.seat_on_turn,
        "first": raw["first"], "left": position.left, "conquests": position.conquests,
        "owner": list(position.owner), "armies": list(position.armies),
        "attack": None if position.attack is None else list(position.attack), "assault": raw["assault"],
        "deck": position.deck, "discards": list(position.discards),
        "draw_cycle": raw["cycles"], "card_cycles": raw["cycle"],
        "seats": [{
            "color": one.color, "alive": one.alive, "territories": one.territories, "armies": one.armies,
            "stock": raw["seats"][i]["stock"],
            "continents": [load_data()["continent"][c]["code"] for c in one.continents], "income": one.income,
            "card_count": one.card_count, "cards": None if one.cards is None else list(map(card_name, one.cards)),
            "cards_by_cycle": _by_cycle(state, raw, i),
            "objective": None if one.objective is None else ids[one.objective], "progress": one.progress,
            "possible_objectives": [ids[k] for k in raw["seats"][i]["possible"]],
            "points": one.points, "eliminated_round": one.eliminated_round, "eliminated_by": one.eliminated_by,
        } for i, one in enumerate(position.seats)],
    }


def secrets(state: RisikoState, position: Position, rules: Ruleset, seat_name: Callable[[int], str]) -> dict[str, str]:
    """Return cards and objectives of others; `position` is the state as the seat sees it."""
    if state.is_over:
        return {}
    found = {}
    for i, one in enumerate(position.seats):
        which = state.objective(i)
        if one.objective is None and which is not None:
            found[_("objective of {seat}").format(seat=seat_name(i))] = brief_objective(rules, which)
        if one.cards is None:
            found[_("cards of {seat}").format(seat=seat_name(i))] = " ".join(map(card_name, state.hand(i)))
    return found


def _by_cycle(state: RisikoState, raw: dict[str, Any], seat: int) -> dict[str, int]:
    """Return how many of a seat's cards were drawn in each cycle, which everybody can tell (RIS-16.2)."""
    counts: dict[str, int] = {}
    for cycle in sorted(raw["cycle"][card] for card in state.hand(seat)):
        counts[str(cycle)] = counts.get(str(cycle), 0) + 1
    return counts
