"""A turn of A Few Acres of Snow in two steps: the verb, then the card or site; with prices and effects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sfida.engines.acres.data import load_data
from sfida.engines.acres.looks import cards, offer_text, sites
from sfida.engines.acres.moves import Move, decode
from sfida.engines.faces.notation import MoveGroup

if TYPE_CHECKING:
    from sfida.cython_ext.acres.core import AcresState

VERBS = {
    "settle": "take a site that nobody holds: worth points and a card", "develop": "make a village a town: worth twice",
    "fortify": "build a fort", "besiege": "begin a siege", "reinforce": "send a card into a siege",
    "leader": "send the Military Leader into a siege", "raid": "raid a site from afar",
    "ambush": "ambush an enemy card", "convert": "win Native Americans over", "money": "take the money of a card",
    "merchant": "trade by ship",
    "trader": "sell furs", "piracy": "take money at sea", "draft": "gain an empire card for its price",
    "discard": "discard cards from the hand", "reserve": "put a card aside for later",
    "govern": "return cards for good", "intendant": "take a card back from the discards",
    "withdraw": "give a siege up",
}


def move_groups(state: AcresState, moves: Sequence[int]) -> list[MoveGroup]:
    """Group actions by their verb; what has no card and no site stands alone."""
    if state.phase != "main":
        return []
    found: dict[str, list[int]] = {}
    for code in moves:
        found.setdefault(decode(code).kind, []).append(code)
    groups = []
    for kind, members in found.items():
        if kind in VERBS and len(members) > 1:
            groups.append(MoveGroup(kind, f"{VERBS[kind]}: {_objects(state, members)}", tuple(members)))
        else:
            groups += [MoveGroup("", "", (code,)) for code in members]
    return groups


def _objects(state: AcresState, moves: Sequence[int]) -> str:
    """Name what a verb is about, cards with their price or money."""
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
    """Return the figure that counts: the price of a card to draft, the money of one to take."""
    card = cards()[move.card]
    if move.kind == "draft":
        return str(card.cost)
    return f"+{card.coins}" if move.kind == "money" else ""


def move_note(state: AcresState, code: int) -> str:
    """Say what a move costs and brings."""
    move = decode(code)
    if move.kind == "draft":
        card = cards()[move.card]
        return f"price {card.cost}; {offer_text(card)}" if offer_text(card) else f"price {card.cost}"
    if move.kind == "money":
        return f"+{cards()[move.card].coins} money"
    if move.kind in ("settle", "develop"):
        factor = load_data()["scoring"]["town_multiplier"] if move.kind == "develop" else 1
        return f"worth {factor * sites()[move.place].value}"
    if move.kind == "fortify":
        return f"costs {load_data()['cost']['fortify']} money"
    if move.kind == "besiege":
        return f"its defence is {sites()[move.place].defence}"
    return ""
