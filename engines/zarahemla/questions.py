"""What a seat of Zarahemla is to decide, in one sentence, with what counts there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfida.engines.language import _, ngettext
from sfida.engines.wording import counted, listed
from sfida.engines.zarahemla.geometry import board
from sfida.engines.zarahemla.looks import seat_names, sentence
from sfida.engines.zarahemla.notation import cards_words
from sfida.engines.zarahemla.options import Ruleset
from sfida.engines.zarahemla.position import Five, Position

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState



def question(state: ZarahemlaState, position: Position, rules: Ruleset) -> str:
    """Return the question to the seat to move; `position` is the state as that seat sees it."""
    seat = position.seat_to_move
    names = [name.capitalize() for name in seat_names(position.players)]
    mover = names[seat] if 0 <= seat < position.players else ""
    if position.phase == "init_settlement":
        number = 1 + sum(owner == seat for _corner, owner, _kind in position.buildings)
        return _("{mover} places starting settlement {number} of {count}.").format(
            mover=mover, number=number, count=rules.initial_settlements)
    if position.phase == "init_road":
        return _("{mover} places the road beside the settlement at {corner}.").format(
            mover=mover, corner=position.placed)
    if position.phase == "main":
        hand = position.seats[seat].hand
        if hand is None:
            return _("{mover} trades and builds.").format(mover=mover)
        return _("{mover} trades and builds, with {cards} in hand.").format(mover=mover, cards=cards_words(hand))
    if position.phase == "discard":
        return _("{mover} holds {cards} and gives up {left}.").format(
            mover=mover, cards=counted(position.seats[seat].hand_size, "card", "cards"), left=position.left)
    if position.phase == "steal":
        return _("{mover} chooses whom to rob: {victims}.").format(
            mover=mover, victims=listed(_victims(position, names)))
    if position.phase == "take":
        return _("{mover} takes {cards} from the bank.").format(
            mover=mover, cards=counted(min(position.left, sum(position.bank)), "card", "cards"))
    if position.phase == "free_roads":
        return _("{mover} places {roads}.").format(
            mover=mover, roads=counted(_free_roads(state, position.left), "free road", "free roads"))
    if position.phase == "trade_compose":
        return _composing(position, position.gives[position.seat_on_turn], position.wants[position.seat_on_turn], names)
    if position.phase == "trade_respond":
        hand = position.seats[seat].hand
        said = [_("{mover} answers the offer: {giver} gives {swap}.").format(
            mover=mover, giver=names[position.seat_on_turn],
            swap=_swap(position.gives[position.seat_on_turn], position.wants[position.seat_on_turn]))]
        if hand is not None:
            said.append(_("{mover} holds {cards}.").format(mover=mover, cards=cards_words(hand)))
        return " ".join(said)
    if position.phase == "trade_pick":
        return " ".join([_("{mover} picks a partner for the trade.").format(mover=mover),
                         *_answers(position, names)])
    return sentence(position)


def _free_roads(state: ZarahemlaState, left: int) -> int:
    """Return how many free roads can still be placed: pieces or paths may run out (ZAR-10.9)."""
    for code in state.legal_moves() if left > 1 else ():
        after = state.clone()
        after.apply(code)
        if after.phase == "free_roads":
            return left
    return 1


def _victims(position: Position, names: list[str]) -> list[str]:
    """Return who can be robbed, with the cards in hand."""
    corners = board().hexes[position.robber].corners
    there = {owner for corner, owner, _kind in position.buildings if corner in corners}
    return [f"{name} ({counted(one.hand_size, 'card', 'cards')})"
            for seat, (name, one) in enumerate(zip(names, position.seats, strict=True))
            if seat in there and seat != position.seat_to_move and one.hand_size]


def _swap(give: Five, want: Five) -> str:
    return _("{give} for {want}").format(give=cards_words(give), want=cards_words(want))


def _composing(position: Position, give: Five, want: Five, names: list[str]) -> str:
    seat, giver = position.seat_to_move, position.seat_on_turn
    own = position.offer[1:] if position.offer is not None and position.offer[0] == seat else None
    said = [_("{mover} makes an offer.").format(mover=names[seat]) if seat == giver else
            _("{mover} makes a counter-offer; {giver} offered {swap}.").format(
                mover=names[seat], giver=names[giver], swap=_swap(give, want))]
    if own is not None:
        said.append(_("So far: gives {give}, wants {want}.").format(give=cards_words(own[0]), want=cards_words(own[1])))
    return " ".join(said)


def _answers(position: Position, names: list[str]) -> list[str]:
    """Say who accepts the offer, and who would trade what instead."""
    giver = position.seat_on_turn
    yes = [name for name, answer in zip(names, position.answers, strict=True) if answer == "yes"]
    accepted = ngettext("{names} accepts {swap}.", "{names} accept {swap}.", len(yes)) if yes else \
        _("Nobody accepts {swap}.")
    said = [accepted.format(names=listed(yes), swap=_swap(position.gives[giver], position.wants[giver]))]
    return said + [_("{name} would give {swap}.").format(name=names[seat],
                                                         swap=_swap(position.gives[seat], position.wants[seat]))
                   for seat, answer in enumerate(position.answers) if answer == "counter"]
