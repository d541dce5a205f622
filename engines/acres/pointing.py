"""Choosing a move of A Few Acres of Snow by pointing: a site or a card, then what is done there or with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfida.engines.acres.looks import cards, sites
from sfida.engines.acres.moves import NO_CARD, decode
from sfida.engines.acres.notation import target
from sfida.engines.acres.places import DISCARDS, HAND, RESERVE, SUPPLY, card_key, siege_pile, site_key
from sfida.engines.acres.position import position_of
from sfida.engines.acres.rules import card_of
from sfida.engines.faces.drawing import Part
from sfida.engines.language import N_, _

if TYPE_CHECKING:
    from sfida.cython_ext.acres.core import AcresState

_AT_SITE = ("settle", "develop", "fortify", "besiege", "raid")
_BY_CARD = ("settle", "fortify", "besiege", "reinforce")        # of those at sites
_AT_SIEGE = ("reinforce", "leader", "withdraw")
_DO = {"settle": N_("settle"), "develop": N_("develop"), "fortify": N_("fortify"), "besiege": N_("besiege"),
       "raid": N_("raid"), "reinforce": N_("reinforce"), "leader": N_("leader"), "withdraw": N_("give the siege up")}
_WITH_CARD = {"ambush": N_("ambush"), "convert": N_("convert"), "money": N_("take its money"),
              "merchant": N_("trade by ship"), "trader": N_("send the Trader"), "piracy": N_("send pirates"),
              "discard": N_("discard it"), "reserve": N_("put it in the reserve"),
              "govern": N_("return it through the Governor")}
_CARD = "{card}"
_FROM = {"transport": (HAND, _CARD), "settler": (HAND, _CARD), "strength": (HAND, _CARD), "also": (HAND, _CARD),
         "block": (HAND, N_("block with {card}")), "draft": (SUPPLY, N_("draft {card}")),
         "pick": (SUPPLY, N_("start with {card}")), "place": (HAND, N_("settle with {card}")),
         "intendant": (DISCARDS, N_("take {card} back"))}
_LOST = (HAND, N_("{card} of the hand")), (RESERVE, N_("{card} of the reserve"))      # in the order of the zones


def parts_of(state: AcresState, code: int) -> tuple[Part, ...]:
    """Return what is pointed at to choose a move; nothing where there is neither site nor card, and for luck."""
    move = decode(code)
    kind, card, place = move.kind, move.card, move.place
    if kind in (*_AT_SITE, *_AT_SIEGE):
        site = target(state, place) if kind in _AT_SIEGE else place
        done = Part(f"do:{kind}", _(_DO[kind]))
        return (_site(site), done, *((_card(HAND, card),) if kind in _BY_CARD else ()))
    if kind == "resolve":
        return (_site(target(state, place)),)
    if kind in _WITH_CARD:
        return _card(HAND, card), Part(f"do:{kind}", _(_WITH_CARD[kind]))
    if kind == "home":
        return _card(HAND, card_of(state.mover)["HS"]), Part("do:home", _("play Home Support"))
    if kind in _FROM and card != NO_CARD:
        pile, words = _FROM[kind]
        return (_card(pile, card, words),)
    if kind in ("lose", "give"):
        lost = card if kind == "lose" else card_of(state.mover)["NAn"]
        pile, words = _LOST[place]
        return (_card(pile, lost, words),)
    if kind == "return":
        return (_card(siege_pile(position_of(state).ending), card),)
    return ()


def touched(state: AcresState, code: int) -> tuple[str, ...]:
    """Return the key of the site that an event is about."""
    move = decode(code)
    if move.kind in _AT_SITE:
        return (site_key(move.place),)
    if move.kind in (*_AT_SIEGE, "resolve"):
        return (site_key(target(state, move.place)),)
    return ()


def _site(site: int) -> Part:
    return Part(site_key(site), sites()[site].name)


def _card(pile: str, card: int, words: str = _CARD) -> Part:
    return Part(card_key(pile, card), _(words).format(card=f"{cards()[card].name} ({cards()[card].code})"))
