"""Why a move of A Few Acres of Snow is not legal now, in the words of the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfida.engines.acres.data import load_data
from sfida.engines.acres.looks import cards, money_text, offered, sites
from sfida.engines.acres.moves import Move, decode
from sfida.engines.language import N_, _
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
OFFERS = {"settler": ("settler", N_("{card} gives no settlers")), "merchant": ("ship", N_("{card} gives no ship")),
          "piracy": ("ship", N_("{card} gives no ship"))}


def why_not(state: AcresState, code: int) -> str:
    """Return why the seat to move cannot play a move, "" where there is no more to say than that it cannot."""
    seat = int(state.to_move)
    if seat < 0:
        return ""
    move, raw = decode(code), state.snapshot()
    if move.kind == "block" and not state.phase.endswith("response"):
        return _("there is nothing to block")
    if state.phase == "main":
        if not raw["actions"] and move.kind not in FREE and move.kind not in STEPS and move.kind != "block":
            return _("you have no actions left in this turn")
        if move.kind == "end":
            return _("you have {actions} left: 'pass' gives one away").format(
                actions=counted(raw["actions"], "action", "actions"))
    return _of_site(move, raw, seat) or _of_card(state, move, raw["seats"][seat]) or _of_piles(move, raw, seat)


def _of_site(move: Move, raw: dict[str, Any], seat: int) -> str:
    """Say what is wrong with the site of an action."""
    if move.kind not in (*LINKED, "raid", *OWN):
        return ""
    held = [(*side["sites"], *side["towns"]) for side in raw["seats"]]
    owner = next((side for side, places in enumerate(held) if move.place in places), -1)
    name = sites()[move.place].name
    if move.kind == "settle" and owner >= 0:
        return (_("{site} is French already") if owner else _("{site} is British already")).format(site=name)
    if move.kind in OWN and owner != seat:
        return _("{site} is not yours").format(site=name)
    if move.kind in ("besiege", "raid") and owner != 1 - seat:
        return _("{site} is not the enemy's").format(site=name)
    if move.kind == "besiege" and raw["targets"][seat] >= 0:
        return _("you besiege {site} already, and one siege at a time is all you may begin").format(
            site=sites()[raw["targets"][seat]].name)
    if move.kind in ("raid", "fortify") and move.place in raw["forts"]:
        return _("{site} is fortified").format(site=name)
    if move.kind == "develop" and move.place in raw["seats"][seat]["towns"]:
        return _("{site} is a town already").format(site=name)
    if move.kind == "develop" and not sites()[move.place].value:
        return _("{site} has no value, so it cannot become a town").format(site=name)
    return ""


def _of_card(state: AcresState, move: Move, mine: dict[str, Any]) -> str:
    """Say what is wrong with the card of an action."""
    if move.kind not in ON_CARDS:
        return ""
    game: Any = state.game
    card = cards(game.ruleset.fort_st_john_cards == "by_board")[move.card]
    if move.card not in mine["hand"]:
        return _("{card} is not in your hand").format(card=card.name)
    if move.kind in USING and card.site >= 0 and card.site not in mine["usable"]:
        return _("the card {card} cannot be used: its site is not yours, cut off or besieged").format(card=card.name)
    if move.kind in LINKED and not any(move.place in places for _, places in card.links):
        return _("the card {card} does not reach {site}").format(card=card.name, site=sites()[move.place].name)
    if move.kind == "money" and not card.coins:
        return _("{card} has no money").format(card=card.name)
    if move.kind in OFFERS and OFFERS[move.kind][0] not in card.symbols:
        return _(OFFERS[move.kind][1]).format(card=card.name)
    if move.kind == "block":
        return (_("{card} blocks no raid") if state.phase == "raid_response" else
                _("{card} blocks no ambush")).format(card=card.name)
    if move.kind == "transport":
        raw = state.snapshot()
        first = cards(game.ruleset.fort_st_john_cards == "by_board")[raw["trail"][0]] if raw["trail"] else card
        way = next((name for name, places in first.links if raw["site"] in places), "")
        if way and way not in card.symbols:
            return _("{card} gives no {way}").format(card=card.name, way=offered(way))
    return ""


def _of_piles(move: Move, raw: dict[str, Any], seat: int) -> str:
    """Say what is wrong with a draft, a card put aside, or one taken back."""
    data, mine = load_data(), raw["seats"][seat]
    money, card = mine["money"], cards()[move.card] if move.card < len(cards()) else None
    if move.kind == "draft" and card is not None:
        if move.card not in (*mine["empire"], *raw["neutral"]):
            return _("no {card} is left to draft").format(card=card.name)
        if card.cost > money:
            return _("{card} costs {price}, and you have {coins}").format(
                card=card.name, price=card.cost, coins=counted(money, "coin", "coins"))
    if move.kind == "reserve" and len(mine["reserve"]) >= data["setup"]["max_reserve"]:
        return _("the reserve is full: it holds {most} cards").format(most=data["setup"]["max_reserve"])
    price = {"fortify": data["cost"]["fortify"], "intendant": data["cost"]["intendant"],
             "retrieve": len(mine["reserve"]) * data["cost"]["retrieve_reserve_per_card"]}.get(move.kind, 0)
    if price > money:
        return _("that costs {price}, and you have {money}").format(price=money_text(price), money=money)
    if move.kind == "retrieve" and not mine["reserve"]:
        return _("the reserve is empty")
    if move.kind == "intendant" and card is not None and move.card not in mine["discard"]:
        return _("{card} is not among your discards").format(card=card.name)
    return ""
