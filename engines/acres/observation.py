"""What a seat may see of a state as plain data for programs, and what it cannot see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfida.engines.acres.position import Position
from sfida.engines.acres.rules import card_codes, site_codes
from sfida.engines.language import _

if TYPE_CHECKING:
    from sfida.cython_ext.acres.core import AcresState


def observation(position: Position) -> dict[str, Any]:
    """Return what a seat may see, JSON-able."""
    codes, sites = card_codes(), site_codes()

    def named(cards: tuple[int, ...] | None) -> list[str] | None:
        return None if cards is None else [codes[card] for card in cards]

    return {
        "phase": position.stage, "step": position.phase, "verb": position.verb,
        "site": sites[position.site] if position.site >= 0 else None, "chosen": named(position.chosen),
        "actions_left": position.actions_left, "turn": position.turn, "quiet": position.quiet,
        "seat_on_turn": position.seat_on_turn,
        "sites": [{"site": sites[i], "seat": owner, "town": position.town[i], "fort": position.fort[i]}
                  for i, owner in enumerate(position.owner) if owner >= 0],
        "forts_left": position.forts_left, "neutral": named(position.neutral),
        "sieges": [{"attacker": siege.attacker, "site": sites[siege.site], "lead": siege.lead,
                    "cards": [named(cards) for cards in siege.cards]} for siege in position.sieges],
        "seats": [{
            "hand": named(one.hand), "hand_size": one.hand_size, "known": named(one.known),
            "deck": named(one.deck), "deck_size": one.deck_size, "unseen": named(one.unseen),
            "discards": named(one.discards), "reserve": named(one.reserve), "locations": named(one.locations),
            "empire": named(one.empire), "money": one.money, "points": one.points,
            "villages": one.villages, "towns": one.towns, "captured_villages": one.captured_villages,
            "captured_towns": one.captured_towns, "usable": [sites[i] for i in one.usable],
        } for one in position.seats],
        "winner": position.winner, "reason": position.reason,
    }


def secrets(state: AcresState, seat: int) -> dict[str, str]:
    """Return the hand of the other side, while the seat cannot tell it."""
    hand = state.hidden_hand(1 - seat)      # no whole position: beliefs ask a thousand worlds
    if hand is None:
        return {}
    whose = _("hand of {seat}").format(seat=state.game.seat_name(1 - seat))
    return {whose: " ".join(card_codes()[card] for card in hand)}
