"""Why a move of Zarahemla is not legal now, in the words of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sfida.engines.wording import counted
from sfida.engines.zarahemla.geometry import board, hexes_at
from sfida.engines.zarahemla.looks import RESOURCES, card_names, cards_text, costs
from sfida.engines.zarahemla.moves import Move
from sfida.engines.zarahemla.rules import corners_of_edge, ruleset_of
from sfida.engines.zarahemla.tables import CARD_IDS

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState

PRICED = {"settle": ("settlement", "a settlement"), "city": ("city", "a city"), "road": ("road", "a road"),
          "buy_dev": ("dev_card", "a development card"), "temple_stone": ("temple_stone", "a temple stone")}
PHASES = {"settle": ("init_settlement", "main"), "road": ("init_road", "free_roads", "main"), "city": ("main",),
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
    "init_settlement": "place a starting settlement first", "init_road": "place the road at corner {placed} first",
    "init_choose": "choose the settlement that gives your first cards", "pre_roll": "roll the dice first",
    "discard": "give up cards first", "robber": "move the robber first", "steal": "choose whom to rob first",
    "take": "take your cards first", "free_roads": "place your free roads first",
    "trade_compose": "finish the offer first", "trade_respond": "answer the offer first",
    "trade_pick": "pick a partner for the trade first, or none",
}
LATER = {                               # when a phase comes whose moves are typed in the main phase
    "init_choose": "the first cards have been taken", "pre_roll": "the dice have been rolled",
    "discard": "cards are given up after a seven", "robber": "the robber moves after a seven or by a Warrior",
    "steal": "whoever moves the robber steals", "take": "cards are taken with Bountiful Harvest",
    "trade_compose": "no offer is being made", "trade_respond": "no offer is on the table",
    "trade_pick": "no offer is on the table",
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
        return "this game is played without the temple"
    early = move.kind == "temple_stone" and state.phase == "pre_roll" and not rules.temple_before_roll
    if early or move.kind in CARDS or state.phase not in PHASES.get(move.kind, (state.phase,)):
        if state.phase == "main":
            return LATER.get(PHASES[move.kind][0], "") if move.kind in PHASES else ""
        return FIRST.get(state.phase, "").format(placed=raw["placed"])
    if move.kind in ("settle", "city", "road"):
        reason = {"settle": _settlement, "city": _city, "road": _road}[move.kind](state, raw, seat, arg)
        if reason:
            return reason
    if move.kind == "move_robber":
        return "the robber must go to another hex" if raw["robber"] == arg else \
            f"the robber goes only to a hex with a number, and h{arg} has none"
    if move.kind == "choose_start":
        return f"corner {arg} holds none of your settlements"
    if move.kind in PRICED and state.phase in ("main", "pre_roll"):
        return _price(state, seat, *PRICED[move.kind])
    if move.kind == "bank_trade":
        give, get = divmod(arg, 5)
        rate, held = state.rates(seat)[give], state.hand(seat)[give]
        if held < rate:
            return f"the bank takes {rate} {RESOURCES[give]} for one card, and you hold {held}"
        return f"the bank has no {RESOURCES[get]} left" if not raw["bank"][get] else ""
    if move.kind == "discard" and state.hand(seat)[arg] == 0:
        return f"you hold no {RESOURCES[arg]}"
    if move.kind in ("trade_give", "trade_want"):
        return _side(state, raw, seat, move)
    if move.kind == "trade_open":
        most = rules.trade_max_offers_per_turn
        if rules.trade_mode == "none":
            return "this game is played without trade between players"
        return f"you have made the {counted(most, 'offer', 'offers')} of your turn" if raw["offers"] >= most else ""
    if move.kind == "trade_submit":
        return "an offer is done when both sides have cards; gifts are an option" if not any(
            raw["give"][seat]) or not any(raw["want"][seat]) else ""
    return ""


def _card(state: ZarahemlaState, raw: dict[str, Any], seat: int, kind: str) -> str:
    """Say why a development card cannot be played (ZAR-10.2, 10.3)."""
    number = CARD_IDS.index(CARDS[kind])
    held, fresh = (counts[number] for counts in state.dev_cards(seat))
    name = card_names()[CARDS[kind]]
    if not held:
        return f"you hold no {name}"
    if raw["card_played"]:
        return "one development card is played in a turn, and you have played one"
    if held == fresh and not ruleset_of(state).dev_same_turn:
        return f"a card cannot be played in the turn in which it was bought, and this {name} is new"
    return "the Liahona is played before the dice" if kind == "play_liahona" else ""


def _side(state: ZarahemlaState, raw: dict[str, Any], seat: int, move: Move) -> str:
    """Say why a card cannot be put on a side of the offer being made (ZAR-13.5 to 13.9)."""
    side, other = ("give", "want") if move.kind == "trade_give" else ("want", "give")
    most, name = ruleset_of(state).trade_max_cards_per_side, RESOURCES[move.arg]
    if sum(raw[side][seat]) >= most:
        return f"an offer has at most {counted(most, 'card', 'cards')} on each side"
    if raw[other][seat][move.arg]:
        return f"{name} cannot stand on both sides of an offer"
    if side == "give":
        held = state.hand(seat)[move.arg]
        if held <= raw["give"][seat][move.arg]:
            return f"you hold {held or 'no'} {name}"
        return "what you give is said before what you want" if any(raw["want"][seat]) else ""
    return "" if any(raw["give"][seat]) else "say first what you give"


def _buildings(raw: dict[str, list[Sequence[int]]]) -> dict[int, int]:
    return {int(corner): int(owner) for corner, owner, _ in raw["buildings"]}


def _settlement(state: ZarahemlaState, raw: dict[str, list[Sequence[int]]], seat: int, corner: int) -> str:
    owners = _buildings(raw)
    if corner in owners:
        return f"corner {corner} is taken: {state.game.seat_name(owners[corner])} has built there"
    for edge in board().edges:
        if corner in edge.corners:
            other = sum(edge.corners) - corner
            if other in owners:
                return (f"corner {corner} is too near: {state.game.seat_name(owners[other])} has built at {other}, one "
                        "path away, and the distance rule keeps two paths between settlements")
    roads = (corners_of_edge()[edge] for edge, owner in raw["roads"] if owner == seat)
    if state.phase == "main" and not any(corner in ends for ends in roads):
        return f"none of your roads leads to corner {corner}"
    if state.phase == "init_settlement" and not any(raw["numbers"][number] for number in hexes_at()[corner]):
        return f"corner {corner} touches no hex with a number"
    return ""


def _city(state: ZarahemlaState, raw: dict[str, list[Sequence[int]]], seat: int, corner: int) -> str:
    kinds = {int(place): str(kind) for place, owner, kind in raw["buildings"] if owner == seat}
    if corner not in kinds:
        return f"a city takes the place of a settlement of yours, and corner {corner} holds none"
    return f"corner {corner} is a city already" if kinds[corner] == "city" else ""


def _road(state: ZarahemlaState, raw: dict[str, list[Sequence[int]]], seat: int, edge: int) -> str:
    taken = {int(place): int(owner) for place, owner in raw["roads"]}
    a, b = corners_of_edge()[edge]
    if edge in taken:
        return f"the path from {a} to {b} is taken: {state.game.seat_name(taken[edge])} has a road there"
    if state.phase == "init_road":
        return f"the road must start at the settlement just placed, at {raw['placed']}"
    own = [corners_of_edge()[place] for place, owner in taken.items() if owner == seat]
    if not any(end in ends for ends in own for end in (a, b)):
        return f"the path from {a} to {b} does not join your roads"
    owners = _buildings(raw)
    joined = [end for end in (a, b) if any(end in ends for ends in own)]
    if all(owners.get(end, seat) != seat for end in joined):
        return f"a road does not go on past another player's settlement, at {joined[0]}"
    return ""


def _price(state: ZarahemlaState, seat: int, key: str, name: str) -> str:
    """Say what something costs and what of it is missing."""
    cost, hand = costs()[key], state.hand(seat)
    missing = cards_text([max(0, n - held) for n, held in zip(cost, hand, strict=True)])
    if missing:
        return f"{name} costs {cards_text(cost)}; you lack {missing}"
    return f"there is no {name.split(' ', 1)[1]} left to you"
