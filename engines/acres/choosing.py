"""A turn of A Few Acres of Snow in two steps: the verb, then the card or site; with prices and effects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sfida.engines.acres.data import load_data
from sfida.engines.acres.looks import cards, money_text, sites
from sfida.engines.acres.moves import Move, decode
from sfida.engines.faces.notation import MoveGroup
from sfida.engines.language import N_, _

if TYPE_CHECKING:
    from sfida.cython_ext.acres.core import AcresState

# What a verb does and costs; one action each where nothing else is said.
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
    """Group actions by their verb; what has no card and no site stands alone."""
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
