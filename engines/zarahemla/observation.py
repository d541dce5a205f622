"""What a seat may see of a state as plain data for programs, and what it cannot see."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sfida.engines.language import _, pgettext
from sfida.engines.zarahemla.looks import card_names, resource_cards
from sfida.engines.zarahemla.position import Five, Position
from sfida.engines.zarahemla.seen import named
from sfida.engines.zarahemla.tables import RESOURCE_IDS

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState


def observation(state: ZarahemlaState, position: Position) -> dict[str, Any]:
    """Return what a seat may see, JSON-able; `position` is the state as it sees it."""
    raw = state.snapshot()
    return {
        "phase": position.phase,
        "seat_on_turn": position.seat_on_turn,
        "turns": raw["turns"],
        "dice": position.dice,
        "card_played": raw["card_played"],
        "cards_bought": raw["bought"],
        "terrain": list(position.terrain),
        "numbers": list(position.numbers),
        "stations": [{"edge": edge, "kind": kind} for edge, kind in position.stations],
        "robber": position.robber,
        "buildings": [{"corner": corner, "seat": owner, "kind": kind}
                      for corner, owner, kind in position.buildings],
        "roads": [{"edge": edge, "seat": owner} for edge, owner in position.roads],
        "bank": dict(zip(RESOURCE_IDS, position.bank, strict=True)),
        "deck": position.deck,
        "offers": [{"seat": i, "give": raw["give"][i], "want": raw["want"][i],
                    "answer": ("none", "no", "yes", "counter")[raw["answers"][i]]}
                   for i in range(position.players) if any(raw["give"][i] + raw["want"][i]) or raw["answers"][i]],
        "seats": [{
            "hand": None if one.hand is None else dict(zip(RESOURCE_IDS, one.hand, strict=True)),
            "hand_size": one.hand_size,
            "cards": None if one.cards is None else dict(one.cards), "card_count": one.card_count,
            "played": dict(one.played), "stones": one.stones, "road_length": one.road_length,
            "roads_left": one.roads_left, "settlements_left": one.settlements_left,
            "cities_left": one.cities_left, "stones_left": one.stones_left, "points": one.points,
            "longest_road": one.longest_road, "largest_army": one.largest_army, "temple": one.temple,
        } for one in position.seats],
    }


def secrets(state: ZarahemlaState, seat: int, seat_name: Callable[[int], str]) -> dict[str, str]:
    """Return the hands that the seat cannot tell, and the development cards of others."""
    found = {}
    known = state.known_hands(seat)
    raw = state.snapshot()
    for i in range(state.players):
        if known[i] is None:
            found[_("hand of {name}").format(name=seat_name(i))] = _cards_text(state.hand(i))
        if i != seat and raw["seats"][i]["cards"] and raw["phase"] != "game_over":
            found[_("development cards of {name}").format(name=seat_name(i))] = _count_text(
                named(state.dev_cards(i)[0]))
    return found


def _cards_text(hand: Five) -> str:
    return " ".join(resource_cards(name, n) for n, name in zip(hand, RESOURCE_IDS, strict=True) if n) or _("no cards")


def _count_text(cards: tuple[tuple[str, int], ...]) -> str:
    return ", ".join(f"{n} {card_names()[name].lower()}" for name, n in cards) or pgettext("zarahemla", "none")
