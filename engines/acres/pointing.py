"""Choosing a move of A Few Acres of Snow by pointing, or in two steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sfida.engines.acres.notation import target
from sfida.engines.acres.position import NO_CARD, Move, decode, position_of
from sfida.engines.acres.style import (
    DISCARDS, HAND, RESERVE, SUPPLY, card_key, card_name, cards, money_text, siege_pile, site_key, sites
)
from sfida.engines.acres.tables import card_of, load_data
from sfida.engines.game import Part
from sfida.engines.language import N_, _
from sfida.engines.moves import MoveGroup

if TYPE_CHECKING:
    from sfida.cython_ext.acres.core import AcresState


# ---- A turn of A Few Acres of Snow in two steps: the verb, then the card or site; with prices and effects

# Effect and cost of each verb; the cost is one action unless the text gives another.
VERBS = {
    "settle": N_("place a village on a free site, for points and its card"),
    "develop": N_("make a village a town, worth twice as much"),
    "fortify": N_("build a fort: no raids, harder to besiege"),
    "besiege": N_("begin a siege of an enemy site"),
    "reinforce": N_("add a card to a siege"),
    "leader": N_("free: add the Military Leader to a siege"),
    "raid": N_("capture an enemy piece unless they block"),
    "ambush": N_("make them lose a military card unless they block"),
    "convert": N_("take Native Americans from their hand or reserve"),
    "money": N_("take the money of one card"),
    "merchant": N_("a ship card, then the money of up to {merchant_max_coin_cards} cards"),
    "trader": N_("a Trader, then {trader_per_fur_card} for each fur card"),
    "piracy": N_("Louisbourg and a ship card: {piracy}, which the British lose as far as they have it"),
    "draft": N_("buy an empire card, price in brackets"),
    "discard": N_("the first card is free, each further one costs {discard_each_further_card}"),
    "reserve": N_("keep a card for later; it comes back for {retrieve_reserve_per_card}"),
    "govern": N_("the Governor: return 1 or 2 cards for good"),
    "intendant": N_("take a card back from your discards for {intendant}"),
    "withdraw": N_("free: give up a siege, and lose an empire card of it if there is one"),
}


def move_groups(state: AcresState, moves: Sequence[int]) -> list[MoveGroup]:
    """Group actions by their verb; moves without card and site are separate groups."""
    if state.phase != "main":
        return []
    found: dict[str, list[int]] = {}
    for code in moves:
        found.setdefault(decode(code).kind, []).append(code)
    prices, income = load_data()["cost"], load_data()["income"]
    amounts = {name: money_text(value) for name, value in (prices | income).items()}
    amounts["merchant_max_coin_cards"] = income["merchant_max_coin_cards"]
    groups = []
    for kind, members in found.items():
        if kind in VERBS and len(members) > 1:
            said = _(VERBS[kind]).format(**amounts)
            groups.append(MoveGroup(kind, f"{said}: {_objects(members)}", tuple(members)))
        else:
            groups += [MoveGroup("", "", (code,)) for code in members]
    return groups


def _objects(moves: Sequence[int]) -> str:
    """Name the cards or sites of a verb's moves, cards with their price or money."""
    said = []
    for move in map(decode, moves):
        if move.kind in ("settle", "develop", "fortify", "besiege", "raid"):
            said.append(sites()[move.place].code)
        else:
            code = cards()[move.card].code
            brief = _brief(move)
            said.append(f"{code} ({brief})" if brief else code)
    return ", ".join(dict.fromkeys(said))


def _brief(move: Move) -> str:
    """Return the relevant figure of a move: the price of a card to draft, the money of a card to use."""
    card = cards()[move.card]
    if move.kind == "draft":
        return str(card.cost)
    return f"+{card.coins}" if move.kind == "money" else ""


# ---- Choosing a move of A Few Acres of Snow by pointing: a site or a card, then the action with it

_AT_SITE = ("settle", "develop", "fortify", "besiege", "raid")
_BY_CARD = ("settle", "fortify", "besiege", "reinforce")        # actions at sites that begin with a card
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
    """Return the parts to point at to choose a move; empty for moves without site and card, and for chance."""
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
    """Return the key of the site that an event touched."""
    move = decode(code)
    if move.kind in _AT_SITE:
        return (site_key(move.place),)
    if move.kind in (*_AT_SIEGE, "resolve"):
        return (site_key(target(state, move.place)),)
    return ()


def _site(site: int) -> Part:
    return Part(site_key(site), sites()[site].name)


def _card(pile: str, card: int, words: str = _CARD) -> Part:
    return Part(card_key(pile, card), _(words).format(card=card_name(card)))
