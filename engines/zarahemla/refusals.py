"""Why a move of Zarahemla is not legal now, in the words of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sfida.engines.language import N_, _, ngettext
from sfida.engines.wording import counted
from sfida.engines.zarahemla.geometry import board, hexes_at
from sfida.engines.zarahemla.looks import RESOURCES, card_names, cards_text, costs, resource_cards, resource_noun
from sfida.engines.zarahemla.moves import Move
from sfida.engines.zarahemla.rules import corners_of_edge, ruleset_of
from sfida.engines.zarahemla.tables import CARD_IDS

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState

PRICED = {                              # what is bought, what it costs, that none is left
    "settle": ("settlement", N_("a settlement costs {cost}"), N_("there is no settlement left to you")),
    "city": ("city", N_("a city costs {cost}"), N_("there is no city left to you")),
    "road": ("road", N_("a road costs {cost}"), N_("there is no road left to you")),
    "buy_dev": ("dev_card", N_("a development card costs {cost}"), N_("there is no development card left to you")),
    "temple_stone": ("temple_stone", N_("a temple stone costs {cost}"), N_("there is no temple stone left to you")),
}
PHASES: dict[str, tuple[str, ...]] = {
    "settle": ("init_settlement", "main"), "road": ("init_road", "free_roads", "main"), "city": ("main",),
    "buy_dev": ("main",), "temple_stone": ("main", "pre_roll"), "bank_trade": ("main",),
    "move_robber": ("robber",), "choose_start": ("init_choose",), "roll": ("pre_roll",), "end_turn": ("main",),
    "discard": ("discard",), "steal_from": ("steal",), "steal_nothing": ("steal",), "take": ("take",),
    "take_stop": ("take",), "trade_open": ("main",), "trade_give": ("trade_compose",),
    "trade_want": ("trade_compose",), "trade_submit": ("trade_compose",), "trade_accept": ("trade_respond",),
    "trade_reject": ("trade_respond",), "trade_counter": ("trade_respond",), "trade_pick": ("trade_pick",),
    "trade_no_deal": ("trade_pick",)}
CARDS = {"play_warrior": "stripling_warrior", "play_prosperity": "prosperity", "play_harvest": "bountiful_harvest",
         "play_road_building": "road_building", "play_temple_building": "temple_building", "play_liahona": "liahona"}
FIRST = {                               # what comes before anything else in a phase
    "init_settlement": N_("place a starting settlement first"),
    "init_road": N_("place the road at corner {placed} first"),
    "init_choose": N_("choose the settlement that gives your first cards"), "pre_roll": N_("roll the dice first"),
    "discard": N_("give up cards first"), "robber": N_("move the robber first"),
    "steal": N_("choose whom to rob first"), "take": N_("take your cards first"),
    "free_roads": N_("place your free roads first"), "trade_compose": N_("finish the offer first"),
    "trade_respond": N_("answer the offer first"), "trade_pick": N_("pick a partner for the trade first, or none"),
}
LATER = {                               # when a phase comes whose moves are typed in the main phase
    "init_choose": N_("the first cards have been taken"), "pre_roll": N_("the dice have been rolled"),
    "discard": N_("cards are given up after a seven"), "robber": N_("the robber moves after a seven or by a Warrior"),
    "steal": N_("whoever moves the robber steals"), "take": N_("cards are taken with Bountiful Harvest"),
    "trade_compose": N_("no offer is being made"), "trade_respond": N_("no offer is on the table"),
    "trade_pick": N_("no offer is on the table"),
}


def why_not(state: ZarahemlaState, move: Move) -> str:
    """Return why the seat to move cannot play a move, "" where there is no more to say than that it cannot."""
    seat, arg = int(state.to_move), move.arg
    if seat < 0:
        return ""
    raw = state.snapshot()
    if move.kind in CARDS and state.phase in ("main", "pre_roll"):
        return _card(state, raw, seat, move.kind)
    rules = ruleset_of(state)
    if move.kind == "temple_stone" and not rules.temple_enabled:
        return _("this game is played without the temple")
    early = move.kind == "temple_stone" and state.phase == "pre_roll" and not rules.temple_before_roll
    if early or move.kind in CARDS or state.phase not in PHASES.get(move.kind, (state.phase,)):
        if state.phase == "main":
            return _(LATER.get(PHASES[move.kind][0], "")) if move.kind in PHASES else ""
        return _(FIRST.get(state.phase, "")).format(placed=raw["placed"])
    if move.kind in ("settle", "city", "road"):
        reason = {"settle": _settlement, "city": _city, "road": _road}[move.kind](state, raw, seat, arg)
        if reason:
            return reason
    if move.kind == "move_robber":
        return _("the robber must go to another hex") if raw["robber"] == arg else \
            _("the robber goes only to a hex with a number, and {hex} has none").format(hex=f"h{arg}")
    if move.kind == "choose_start":
        return _("corner {corner} holds none of your settlements").format(corner=arg)
    if move.kind in PRICED and state.phase in ("main", "pre_roll"):
        return _price(state, seat, *PRICED[move.kind])
    if move.kind == "bank_trade":
        give, get = divmod(arg, 5)
        rate, held = state.rates(seat)[give], state.hand(seat)[give]
        if held < rate:
            return _("the bank takes {cards} for one card, and you hold {held}").format(
                cards=resource_cards(RESOURCES[give], rate), held=held)
        return "" if raw["bank"][get] else _("the bank has no {resource} left").format(
            resource=resource_noun(RESOURCES[get]))
    if move.kind == "discard" and state.hand(seat)[arg] == 0:
        return _("you hold no {resource}").format(resource=resource_noun(RESOURCES[arg]))
    if move.kind in ("trade_give", "trade_want"):
        return _side(state, raw, seat, move)
    if move.kind == "trade_open":
        most = rules.trade_max_offers_per_turn
        if rules.trade_mode == "none":
            return _("this game is played without trade between players")
        return "" if raw["offers"] < most else _("you have made the {offers} of your turn").format(
            offers=counted(most, "offer", "offers"))
    if move.kind == "trade_submit":
        return _("an offer is done when both sides have cards; gifts are an option") if not any(
            raw["give"][seat]) or not any(raw["want"][seat]) else ""
    return ""


def _card(state: ZarahemlaState, raw: dict[str, Any], seat: int, kind: str) -> str:
    """Say why a development card cannot be played (ZAR-10.2, 10.3)."""
    number = CARD_IDS.index(CARDS[kind])
    held, fresh = (counts[number] for counts in state.dev_cards(seat))
    name = card_names()[CARDS[kind]]
    if not held:
        return _("you hold no {card}").format(card=name)
    if raw["card_played"]:
        return _("one development card is played in a turn, and you have played one")
    if held == fresh and not ruleset_of(state).dev_same_turn:
        return _("a card cannot be played in the turn in which it was bought, and this {card} is new").format(card=name)
    return _("the Liahona is played before the dice") if kind == "play_liahona" else ""


def _side(state: ZarahemlaState, raw: dict[str, Any], seat: int, move: Move) -> str:
    """Say why a card cannot be put on a side of the offer being made (ZAR-13.5 to 13.9)."""
    side, other = ("give", "want") if move.kind == "trade_give" else ("want", "give")
    most, resource = ruleset_of(state).trade_max_cards_per_side, RESOURCES[move.arg]
    if sum(raw[side][seat]) >= most:
        return _("an offer has at most {cards} on each side").format(cards=counted(most, "card", "cards"))
    if raw[other][seat][move.arg]:
        return _("{resource} cannot stand on both sides of an offer").format(resource=resource_noun(resource))
    if side == "give":
        held = state.hand(seat)[move.arg]
        if held <= raw["give"][seat][move.arg]:
            return _("you hold {cards}").format(cards=resource_cards(resource, held)) if held else \
                _("you hold no {resource}").format(resource=resource_noun(resource))
        return _("what you give is said before what you want") if any(raw["want"][seat]) else ""
    return "" if any(raw["give"][seat]) else _("say first what you give")


def _buildings(raw: dict[str, list[Sequence[int]]]) -> dict[int, int]:
    return {int(corner): int(owner) for corner, owner, _kind in raw["buildings"]}


def _settlement(state: ZarahemlaState, raw: dict[str, list[Sequence[int]]], seat: int, corner: int) -> str:
    owners = _buildings(raw)
    if corner in owners:
        return _("corner {corner} is taken: {name} has built there").format(
            corner=corner, name=state.game.seat_name(owners[corner]))
    for edge in board().edges:
        if corner in edge.corners:
            other = sum(edge.corners) - corner
            if other in owners:
                return _("corner {corner} is too near: {name} has built at {other}, one path away, and the distance "
                         "rule keeps two paths between settlements").format(
                             corner=corner, name=state.game.seat_name(owners[other]), other=other)
    roads = (corners_of_edge()[edge] for edge, owner in raw["roads"] if owner == seat)
    if state.phase == "main" and not any(corner in ends for ends in roads):
        return _("none of your roads leads to corner {corner}").format(corner=corner)
    if state.phase == "init_settlement" and not any(raw["numbers"][number] for number in hexes_at()[corner]):
        return _("corner {corner} touches no hex with a number").format(corner=corner)
    return ""


def _city(state: ZarahemlaState, raw: dict[str, list[Sequence[int]]], seat: int, corner: int) -> str:
    kinds = {int(place): str(kind) for place, owner, kind in raw["buildings"] if owner == seat}
    if corner not in kinds:
        return _("a city takes the place of a settlement of yours, and corner {corner} holds none").format(
            corner=corner)
    return _("corner {corner} is a city already").format(corner=corner) if kinds[corner] == "city" else ""


def _road(state: ZarahemlaState, raw: dict[str, list[Sequence[int]]], seat: int, edge: int) -> str:
    taken = {int(place): int(owner) for place, owner in raw["roads"]}
    a, b = corners_of_edge()[edge]
    if edge in taken:
        return _("the path from {a} to {b} is taken: {name} has a road there").format(
            a=a, b=b, name=state.game.seat_name(taken[edge]))
    if state.phase == "init_road":
        return _("the road must start at the settlement just placed, at {placed}").format(placed=raw["placed"])
    own = [corners_of_edge()[place] for place, owner in taken.items() if owner == seat]
    if not any(end in ends for ends in own for end in (a, b)):
        return _("the path from {a} to {b} does not join your roads").format(a=a, b=b)
    owners = _buildings(raw)
    joined = [end for end in (a, b) if any(end in ends for ends in own)]
    if all(owners.get(end, seat) != seat for end in joined):
        return _("a road does not go on past another player's settlement, at {corner}").format(corner=joined[0])
    return ""


def _price(state: ZarahemlaState, seat: int, key: str, priced: str, none_left: str) -> str:
    """Say what something costs and what of it is missing."""
    cost, hand = costs()[key], state.hand(seat)
    missing = [max(0, n - held) for n, held in zip(cost, hand, strict=True)]
    if not any(missing):
        return _(none_left)
    lack = ngettext("you lack {cards}", "you lack {cards}", sum(missing)).format(cards=cards_text(missing))
    return f"{_(priced).format(cost=cards_text(cost))}; {lack}"
