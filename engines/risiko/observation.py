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
    ids = state.rules.objectives
    return {
        "phase": position.phase, "round": position.round, "seat_on_turn": position.seat_on_turn,
        "first": position.first_seat, "left": position.left, "conquests": position.conquests,
        "owner": list(position.owner), "armies": list(position.armies),
        "attack": None if position.attack is None else list(position.attack), "assault": position.assault,
        "deck": position.deck, "discards": list(position.discards),
        "draw_cycle": position.draw_cycle, "card_cycles": list(position.card_cycles),
        "seats": [{
            "color": one.color, "alive": one.alive, "territories": one.territories, "armies": one.armies,
            "stock": one.stock,
            "continents": [load_data()["continent"][c]["code"] for c in one.continents], "income": one.income,
            "card_count": one.card_count, "cards": None if one.cards is None else list(map(card_name, one.cards)),
            "cards_by_cycle": {str(cycle): one.drawn_in.count(cycle) for cycle in one.drawn_in},
            "objective": None if one.objective is None else ids[one.objective], "progress": one.progress,
            "possible_objectives": [ids[k] for k in one.possible],
            "points": one.points, "eliminated_round": one.eliminated_round, "eliminated_by": one.eliminated_by,
        } for one in position.seats],
    }


def secrets(state: RisikoState, seat: int, rules: Ruleset, seat_name: Callable[[int], str]) -> dict[str, str]:
    """Return cards and objectives of others that the seat does not see."""
    if state.is_over:
        return {}
    found = {}
    for i in range(state.players):      # no whole position: beliefs ask a thousand worlds
        which, cards = state.objective(i), state.hand(i)
        if which is not None and not state.knows_objective(seat, i):
            found[_("objective of {seat}").format(seat=seat_name(i))] = brief_objective(rules, which)
        if cards and i != seat:
            found[_("cards of {seat}").format(seat=seat_name(i))] = " ".join(map(card_name, cards))
    return found
