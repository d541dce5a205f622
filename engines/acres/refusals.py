"""Why a move of A Few Acres of Snow is not legal now, in the words of the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfida.cython_ext.acres.core import SIDES
from sfida.engines.acres.data import load_data
from sfida.engines.acres.looks import cards, sites
from sfida.engines.acres.moves import Move, decode
from sfida.engines.wording import counted

if TYPE_CHECKING:
    from sfida.cython_ext.acres.core import AcresState

OWN = ("develop", "fortify")            # what is done to a site of one's own
LINKED = ("settle", "besiege")          # what begins with a card that reaches the site
FREE = ("leader", "retrieve", "home", "withdraw", "end")
STEPS = ("transport", "settler", "strength", "also")
ON_CARDS = (*LINKED, "fortify", *STEPS, "reinforce", "ambush", "convert", "money", "merchant", "trader", "piracy",
            "discard", "reserve", "govern", "block")
USING = (*LINKED, "transport", "settler", "strength", "reinforce", "money", "merchant", "piracy", "block")
OFFERS = {"settler": ("settler", "settlers"), "merchant": ("ship", "ship"), "piracy": ("ship", "ship")}


def why_not(state: AcresState, code: int) -> str:
    """Return why the seat to move cannot play a move, "" where there is no more to say than that it cannot."""
    seat = int(state.to_move)
    if seat < 0:
        return ""
    move, raw = decode(code), state.snapshot()
    if move.kind == "block" and not state.phase.endswith("response"):
        return "there is nothing to block"
    if state.phase == "main":
        if not raw["actions"] and move.kind not in FREE and move.kind not in STEPS and move.kind != "block":
            return "you have no actions left in this turn"
        if move.kind == "end":
            return f"you have {counted(raw['actions'], 'action', 'actions')} left: 'pass' gives one away"
    return _of_site(move, raw, seat) or _of_card(state, move, raw["seats"][seat]) or _of_piles(move, raw, seat)


def _of_site(move: Move, raw: dict[str, Any], seat: int) -> str:
    """Say what is wrong with the site of an action."""
    if move.kind not in (*LINKED, "raid", *OWN):
        return ""
    held = [(*side["sites"], *side["towns"]) for side in raw["seats"]]
    owner = next((side for side, places in enumerate(held) if move.place in places), -1)
    name = sites()[move.place].name
    if move.kind == "settle" and owner >= 0:
        return f"{name} is {SIDES[owner].capitalize()} already"
    if move.kind in OWN and owner != seat:
        return f"{name} is not yours"
    if move.kind in ("besiege", "raid") and owner != 1 - seat:
        return f"{name} is not the enemy's"
    if move.kind == "besiege" and raw["targets"][seat] >= 0:
        return f"you besiege {sites()[raw['targets'][seat]].name} already, and one siege at a time is all you may begin"
    if move.kind in ("raid", "fortify") and move.place in raw["forts"]:
        return f"{name} is fortified"
    if move.kind == "develop" and move.place in raw["seats"][seat]["towns"]:
        return f"{name} is a town already"
    if move.kind == "develop" and not sites()[move.place].value:
        return f"{name} has no value, so it cannot become a town"
    return ""


def _of_card(state: AcresState, move: Move, mine: dict[str, Any]) -> str:
    """Say what is wrong with the card of an action."""
    if move.kind not in ON_CARDS:
        return ""
    game: Any = state.game
    card = cards(game.ruleset.fort_st_john_cards == "by_board")[move.card]
    if move.card not in mine["hand"]:
        return f"{card.name} is not in your hand"
    if move.kind in USING and card.site >= 0 and card.site not in mine["usable"]:
        return f"the card {card.name} cannot be used: its site is not yours, cut off or besieged"
    if move.kind in LINKED and not any(move.place in places for _, places in card.links):
        return f"the card {card.name} does not reach {sites()[move.place].name}"
    if move.kind == "money" and not card.coins:
        return f"{card.name} has no money"
    if move.kind in OFFERS and OFFERS[move.kind][0] not in card.symbols:
        return f"{card.name} gives no {OFFERS[move.kind][1]}"
    if move.kind == "block":
        return f"{card.name} blocks no {'raid' if state.phase == 'raid_response' else 'ambush'}"
    if move.kind == "transport":
        raw = state.snapshot()
        first = cards(game.ruleset.fort_st_john_cards == "by_board")[raw["trail"][0]] if raw["trail"] else card
        way = next((name for name, places in first.links if raw["site"] in places), "")
        if way and way not in card.symbols:
            return f"{card.name} gives no {way}"
    return ""


def _of_piles(move: Move, raw: dict[str, Any], seat: int) -> str:
    """Say what is wrong with a draft, a card put aside, or one taken back."""
    data, mine = load_data(), raw["seats"][seat]
    money, card = mine["money"], cards()[move.card] if move.card < len(cards()) else None
    if move.kind == "draft" and card is not None:
        if move.card not in (*mine["empire"], *raw["neutral"]):
            return f"no {card.name} is left to draft"
        if card.cost > money:
            return f"{card.name} costs {card.cost}, and you have {counted(money, 'coin', 'coins')}"
    if move.kind == "reserve" and len(mine["reserve"]) >= data["setup"]["max_reserve"]:
        return f"the reserve is full: it holds {data['setup']['max_reserve']} cards"
    price = {"fortify": data["cost"]["fortify"], "intendant": data["cost"]["intendant"],
             "retrieve": len(mine["reserve"]) * data["cost"]["retrieve_reserve_per_card"]}.get(move.kind, 0)
    if price > money:
        return f"that costs {price} money, and you have {money}"
    if move.kind == "retrieve" and not mine["reserve"]:
        return "the reserve is empty"
    if move.kind == "intendant" and card is not None and move.card not in mine["discard"]:
        return f"{card.name} is not among your discards"
    return ""
