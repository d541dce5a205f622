"""What a seat may see of a state as plain data for programs, and what it cannot see."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sfida.cython_ext.zarahemla.parameters import CARD_NAMES
from sfida.engines.language import _, pgettext
from sfida.engines.zarahemla.looks import card_names, resource_cards
from sfida.engines.zarahemla.position import Five, Position
from sfida.engines.zarahemla.tables import RESOURCE_IDS

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState


def observation(position: Position) -> dict[str, Any]:
    """Return what a seat may see, JSON-able; `position` is the state as it sees it."""
    return {
        "phase": position.phase,
        "seat_on_turn": position.seat_on_turn,
        "turns": position.turns,
        "dice": position.dice,
        "card_played": position.card_played,
        "cards_bought": position.cards_bought,
        "terrain": list(position.terrain),
        "numbers": list(position.numbers),
        "stations": [{"edge": edge, "kind": kind} for edge, kind in position.stations],
        "robber": position.robber,
        "buildings": [{"corner": corner, "seat": owner, "kind": kind}
                      for corner, owner, kind in position.buildings],
        "roads": [{"edge": edge, "seat": owner} for edge, owner in position.roads],
        "bank": dict(zip(RESOURCE_IDS, position.bank, strict=True)),
        "deck": position.deck,
        "offers": [{"seat": seat, "give": list(give), "want": list(want), "answer": answer}
                   for seat, (give, want, answer) in enumerate(
                       zip(position.gives, position.wants, position.answers, strict=True))
                   if any(give + want) or answer != "none"],
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
    for i, known in enumerate(state.known_hands(seat)):     # no whole position: beliefs ask a thousand worlds
        if known is None:
            found[_("hand of {name}").format(name=seat_name(i))] = _cards_text(state.hand(i))
        held = state.dev_cards(i)[0]
        if i != seat and any(held) and not state.is_over:
            found[_("development cards of {name}").format(name=seat_name(i))] = _count_text(
                tuple((name, n) for name, n in zip(CARD_NAMES, held, strict=True) if n))
    return found


def _cards_text(hand: Five) -> str:
    return " ".join(resource_cards(name, n) for n, name in zip(hand, RESOURCE_IDS, strict=True) if n) or _("no cards")


def _count_text(cards: tuple[tuple[str, int], ...]) -> str:
    return ", ".join(f"{n} {card_names()[name].lower()}" for name, n in cards) or pgettext("zarahemla", "none")
