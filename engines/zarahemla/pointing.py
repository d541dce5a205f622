"""Choosing a move of Zarahemla by pointing, or in two steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sfida.engines.game import Part
from sfida.engines.language import N_, _, counted
from sfida.engines.moves import MoveGroup
from sfida.engines.zarahemla.advice import cost_text
from sfida.engines.zarahemla.notation import describe_move
from sfida.engines.zarahemla.position import decode
from sfida.engines.zarahemla.style import (
    DECK, DICE, RESOURCES, TEMPLE, bank_key, card_key, card_names, hand_key, place_key, resource_cards,
    resource_letters, resource_noun
)

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState


# ---- A turn of Zarahemla in two steps: the kind of move, then the move

GROUPS = (("build", ("settle", "city", "road")), ("trades", ("bank_trade",)),
          ("plays", ("play_warrior", "play_harvest", "play_road_building", "play_temple_building", "play_prosperity",
                     "play_liahona")))
_BUILDING = {"settle": N_("settlement at {places} ({cost})"), "city": N_("city at {places} ({cost})"),
             "road": N_("road at {places} ({cost})")}


def move_groups(state: ZarahemlaState, moves: Sequence[int]) -> list[MoveGroup]:
    """Group the moves of a turn: building, trades with the bank, cards to play; other moves are separate groups."""
    if state.phase not in ("main", "pre_roll"):
        return []
    kinds = {code: decode(code).kind for code in moves}
    groups = []
    for name, members in GROUPS:
        inside = tuple(code for code in moves if kinds[code] in members)
        if inside:
            groups.append(MoveGroup(name, _words(state, name, inside), inside))
    grouped = {code for group in groups for code in group.moves}
    return groups + [MoveGroup("", "", (code,)) for code in moves if code not in grouped]


def _words(state: ZarahemlaState, name: str, moves: Sequence[int]) -> str:
    decoded = [decode(code) for code in moves]
    if name == "build":
        parts = []
        for kind, said in _BUILDING.items():
            count = sum(move.kind == kind for move in decoded)
            if count:
                parts.append(_(said).format(places=counted(count, "place", "places"), cost=cost_text(kind)))
        return ", ".join(parts)
    if name == "trades":
        letters = list(resource_letters().values())
        rates = state.rates(state.seat_on_turn)
        gives = dict.fromkeys(move.arg // 5 for move in decoded)
        trades = [_("{cards} ({letter}) for 1 card").format(cards=resource_cards(RESOURCES[give], rates[give]),
                                                            letter=letters[give]) for give in gives]
        return _("with the bank: {trades}").format(trades=", ".join(trades))
    return _("play a card: {ways}").format(ways=counted(len(moves), "way", "ways"))


# ---- Choosing a move of Zarahemla by pointing: corners, edges, hexes, seats, cards of the hand and of the bank

_ON_LAND = {"settle": "corner", "city": "corner", "choose_start": "corner", "road": "edge", "move_robber": "hex"}
_OF_SEATS = ("steal_from", "trade_pick")
_FROM_HAND, _FROM_BANK = ("discard", "trade_give"), ("take", "trade_want")
_PLATES = {"roll": DICE, "buy_dev": DECK, "temple_stone": TEMPLE}
_CARDS = {"play_warrior": "stripling_warrior", "play_harvest": "bountiful_harvest",
          "play_road_building": "road_building", "play_temple_building": "temple_building"}


def parts_of(state: ZarahemlaState, code: int) -> tuple[Part, ...]:
    """Return the parts to point at to choose a move; empty for answers, moves that end something, and chance."""
    move = decode(code)
    kind, arg = move.kind, move.arg
    if kind == "bank_trade":
        give, get = divmod(arg, 5)
        return (Part(hand_key(give), _("{resource} to the bank").format(resource=resource_noun(RESOURCES[give]))),
                Part(bank_key(get), resource_noun(RESOURCES[get])))
    if kind == "play_prosperity":
        return _card("prosperity"), Part(bank_key(arg), resource_noun(RESOURCES[arg]))
    if kind == "play_liahona":
        return _card("liahona"), Part(f"total:{arg + 2}", _("total {total}").format(total=arg + 2))
    if kind in _CARDS:
        return (_card(_CARDS[kind]),)
    key = ""
    if kind in _ON_LAND:
        key = place_key(_ON_LAND[kind], arg)
    elif kind in _OF_SEATS:
        key = place_key("seat", arg)
    elif kind in _FROM_HAND:
        key = hand_key(arg)
    elif kind in _FROM_BANK:
        key = bank_key(arg)
    elif kind in _PLATES:
        key = _PLATES[kind]
    return (Part(key, describe_move(state, code)),) if key else ()


def touched(state: ZarahemlaState, code: int) -> tuple[str, ...]:
    """Return the keys of the places on the land that an event touched."""
    move = decode(code)
    return (place_key(_ON_LAND[move.kind], move.arg),) if move.kind in _ON_LAND else ()


def _card(name: str) -> Part:
    return Part(card_key(name), card_names()[name])
