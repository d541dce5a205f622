"""What a seat of Zarahemla is to decide, in one sentence, with what counts there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sfida.engines.wording import counted, listed
from sfida.engines.zarahemla.geometry import board
from sfida.engines.zarahemla.looks import seat_names, sentence
from sfida.engines.zarahemla.notation import COUNTERED, cards_words
from sfida.engines.zarahemla.options import Ruleset
from sfida.engines.zarahemla.position import Position

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState

_ACCEPTED = 2                           # an answer of `snapshot`


def question(state: ZarahemlaState, position: Position, rules: Ruleset) -> str:
    """Return the question to the seat to move; `position` is the state as that seat sees it."""
    raw, seat = state.snapshot(), position.seat_to_move
    names = [name.capitalize() for name in seat_names(position.players)]
    if position.phase == "init_settlement":
        number = 1 + sum(owner == seat for _, owner, _ in position.buildings)
        return f"{names[seat]} places starting settlement {number} of {rules.initial_settlements}."
    if position.phase == "init_road":
        return f"{names[seat]} places the road beside the settlement at {raw['placed']}."
    if position.phase == "main":
        hand = position.seats[seat].hand
        return f"{names[seat]} trades and builds" + ("." if hand is None else f", with {cards_words(hand)} in hand.")
    if position.phase == "discard":
        return (f"{names[seat]} holds {counted(position.seats[seat].hand_size, 'card', 'cards')} and gives up "
                f"{raw['left']}.")
    if position.phase == "steal":
        return f"{names[seat]} chooses whom to rob: {listed(_victims(position, names))}."
    if position.phase == "take":
        return f"{names[seat]} takes {counted(raw['left'], 'card', 'cards')} from the bank."
    if position.phase == "free_roads":
        return f"{names[seat]} places {counted(raw['left'], 'free road', 'free roads')}."
    if position.phase == "trade_compose":
        return _composing(position, raw["give"][position.seat_on_turn], raw["want"][position.seat_on_turn], names)
    if position.phase == "trade_respond":
        hand = position.seats[seat].hand
        holds = "" if hand is None else f" {names[seat]} holds {cards_words(hand)}."
        return (f"{names[seat]} answers the offer: {names[position.seat_on_turn]} gives "
                f"{_swap(raw['give'][position.seat_on_turn], raw['want'][position.seat_on_turn])}.{holds}")
    if position.phase == "trade_pick":
        return f"{names[seat]} picks a partner for the trade. {_answers(position, raw, names)}"
    return sentence(position)


def _victims(position: Position, names: list[str]) -> list[str]:
    """Return who can be robbed, with the cards in hand."""
    corners = board().hexes[position.robber].corners
    there = {owner for corner, owner, _ in position.buildings if corner in corners}
    return [f"{name} ({counted(one.hand_size, 'card', 'cards')})"
            for seat, (name, one) in enumerate(zip(names, position.seats, strict=True))
            if seat in there and seat != position.seat_to_move and one.hand_size]


def _swap(give: list[int], want: list[int]) -> str:
    return f"{cards_words(give)} for {cards_words(want)}"


def _composing(position: Position, give: list[int], want: list[int], names: list[str]) -> str:
    seat, giver = position.seat_to_move, position.seat_on_turn
    own = position.offer[1:] if position.offer is not None and position.offer[0] == seat else None
    so_far = f" So far: gives {cards_words(own[0])}, wants {cards_words(own[1])}." if own is not None else ""
    if seat == giver:
        return f"{names[seat]} makes an offer.{so_far}"
    return f"{names[seat]} makes a counter-offer; {names[giver]} offered {_swap(give, want)}.{so_far}"


def _answers(position: Position, raw: Mapping[str, Any], names: list[str]) -> str:
    """Say who accepts the offer, and who would trade what instead."""
    giver = position.seat_on_turn
    yes = [name for name, answer in zip(names, raw["answers"], strict=True) if answer == _ACCEPTED]
    verb = "accepts" if len(yes) < 2 else "accept"
    said = [f"{listed(yes) or 'Nobody'} {verb} {_swap(raw['give'][giver], raw['want'][giver])}."]
    said += [f"{names[seat]} would give {_swap(raw['give'][seat], raw['want'][seat])}."
             for seat, answer in enumerate(raw["answers"]) if answer == COUNTERED]
    return " ".join(said)
