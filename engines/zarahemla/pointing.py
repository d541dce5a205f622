"""Choosing a move of Zarahemla by pointing: corners, edges, hexes, seats, cards of the hand and of the bank."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfida.engines.faces.drawing import Part
from sfida.engines.language import _
from sfida.engines.zarahemla.looks import RESOURCES, card_names, resource_noun
from sfida.engines.zarahemla.moves import decode
from sfida.engines.zarahemla.notation import describe_move
from sfida.engines.zarahemla.places import DECK, DICE, TEMPLE, bank_key, card_key, hand_key, place_key

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState

_ON_LAND = {"settle": "corner", "city": "corner", "choose_start": "corner", "road": "edge", "move_robber": "hex"}
_OF_SEATS = ("steal_from", "trade_pick")
_FROM_HAND, _FROM_BANK = ("discard", "trade_give"), ("take", "trade_want")
_PLATES = {"roll": DICE, "buy_dev": DECK, "temple_stone": TEMPLE}
_CARDS = {"play_warrior": "stripling_warrior", "play_harvest": "bountiful_harvest",
          "play_road_building": "road_building", "play_temple_building": "temple_building"}


def parts_of(state: ZarahemlaState, code: int) -> tuple[Part, ...]:
    """Return what is pointed at to choose a move; nothing for answers, for what ends something, and for luck."""
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
    """Return the keys of the places on the land that an event is about."""
    move = decode(code)
    return (place_key(_ON_LAND[move.kind], move.arg),) if move.kind in _ON_LAND else ()


def _card(name: str) -> Part:
    return Part(card_key(name), card_names()[name])
