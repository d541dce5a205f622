"""Reasons why a move or a chance outcome of Zarahemla is not legal now, in the words of the rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sfida.engines.language import N_, _, counted, ngettext
from sfida.engines.moves import Reason
from sfida.engines.zarahemla.map import board, hexes_at
from sfida.engines.zarahemla.position import Move, Position, decode, position_of
from sfida.engines.zarahemla.style import RESOURCES, card_names, cards_text, costs, resource_cards, resource_noun
from sfida.engines.zarahemla.tables import CARD_IDS, corners_of_edge, ruleset_of

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState

PRICED = {                              # by purchase: its price, and the refusal if none is left
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
# The decision of each phase, which comes before anything else.
FIRST = {
    "setup_layout": (N_("the land is laid first"), "ZAR-3.2"),
    "setup_tokens": (N_("the number tokens are laid first"), "ZAR-3.4"),
    "setup_stations": (N_("the stations are laid first"), "ZAR-3.8"),
    "setup_first": (N_("it is thrown first who starts"), "ZAR-3.7"),
    "init_settlement": (N_("place a starting settlement first"), "ZAR-4.1"),
    "init_road": (N_("place the road at corner {placed} first"), "ZAR-4.3"),
    "init_choose": (N_("choose the settlement that gives your first cards"), "ZAR-4.7"),
    "pre_roll": (N_("roll the dice first"), "ZAR-5.2"),
    "dice": (N_("the dice are thrown first"), "ZAR-5.1"), "discard": (N_("give up cards first"), "ZAR-7.2"),
    "robber": (N_("move the robber first"), "ZAR-7.5"), "steal": (N_("choose whom to rob first"), "ZAR-7.7"),
    "stolen": (N_("the stolen card is drawn first"), "ZAR-7.9"), "take": (N_("take your cards first"), "ZAR-10.8"),
    "free_roads": (N_("place your free roads first"), "ZAR-10.9"),
    "draw": (N_("the card that was bought is drawn first"), "ZAR-10.1"),
    "trade_compose": (N_("finish the offer first"), "ZAR-13.9"),
    "trade_respond": (N_("answer the offer first"), "ZAR-13.10"),
    "trade_pick": (N_("pick a partner for the trade first, or none"), "ZAR-13.11"),
}
_TAKEN, _NO_OFFER = N_("the first cards have been taken"), N_("no offer is on the table")
# The time of a phase whose moves are typed in the main phase.
LATER = {
    "init_choose": (_TAKEN, "ZAR-4.7"), "pre_roll": (N_("the dice have been rolled"), "ZAR-5.1"),
    "discard": (N_("cards are given up after a seven"), "ZAR-7.2"),
    "robber": (N_("the robber moves after a seven or by a Warrior"), "ZAR-7.6"),
    "steal": (N_("whoever moves the robber steals"), "ZAR-7.7"),
    "take": (N_("cards are taken with Bountiful Harvest"), "ZAR-10.8"),
    "trade_compose": (N_("no offer is being made"), "ZAR-13.8"), "trade_respond": (_NO_OFFER, "ZAR-13.10"),
    "trade_pick": (_NO_OFFER, "ZAR-13.11"),
}
_LAID = N_("the board has been laid"), "ZAR-3.8"
LUCK: dict[str, tuple[tuple[str, ...], tuple[str, str]]] = {   # by kind of outcome: phases, and refusal later
    "layout": (("setup_layout",), (N_("the board has been laid"), "ZAR-3.2")),
    "token_start": (("setup_tokens",), (N_("the board has been laid"), "ZAR-3.4")),
    "terrain": (("setup_layout",), _LAID), "number": (("setup_tokens",), _LAID),
    "station": (("setup_stations",), _LAID),
    "first_player": (("setup_first",), (N_("it is settled who starts"), "ZAR-3.7")),
    "dice": (("dice",), (N_("the dice are thrown once 'roll' is said"), "ZAR-5.1")),
    "draw_dev": (("draw",), (N_("a card is drawn when one is bought"), "ZAR-10.1")),
    "stolen_card": (("stolen",), (N_("a card is stolen when the robber has moved"), "ZAR-7.7")),
}


def why_not(state: ZarahemlaState, move: Move) -> Reason | None:
    """Return the reason why a move or a chance outcome is illegal; None for no reason."""
    seat, kind, position = int(state.to_move), move.kind, position_of(state)
    if kind in LUCK:
        return _luck(state, position, move)
    if kind in CARDS and state.phase in ("main", "pre_roll"):
        return _card(state, position, seat, kind)
    rules = ruleset_of(state)
    if kind == "temple_stone" and not rules.temple_enabled:
        return Reason(_("this game is played without the temple"), "ZAR-11.5")
    early = kind == "temple_stone" and state.phase == "pre_roll" and not rules.temple_before_roll
    if early or kind in CARDS or state.phase not in PHASES[kind]:
        return _first(state.phase, position) or _later(state, kind)
    if kind == "move_robber":
        return Reason(_("the robber must go to another hex"), "ZAR-7.5") if position.robber == move.arg else Reason(
            _("the robber goes only to a hex with a number, and {hex} has none").format(hex=f"h{move.arg}"), "ZAR-7.5")
    if kind == "choose_start":
        return Reason(_("corner {corner} holds none of your settlements").format(corner=move.arg), "ZAR-4.7")
    if kind in ("settle", "city", "road"):
        reason = {"settle": _settlement, "city": _city, "road": _road}[kind](state, position, seat, move.arg)
        if reason is not None or state.phase not in ("main", "pre_roll"):
            return reason
    if kind in PRICED:
        return _price(state, seat, *PRICED[kind])
    return _OTHERS[kind](state, position, seat, move)


def _first(phase: str, position: Position) -> Reason | None:
    """Return the reason that another decision comes first; None in the main phase."""
    if phase not in FIRST:
        return None
    said, clause = FIRST[phase]
    return Reason(_(said).format(placed=position.placed), clause)


def _later(state: ZarahemlaState, kind: str) -> Reason | None:
    """Return the reason for moves that are too early, or too late, in the main phase."""
    if ruleset_of(state).trade_mode == "none" and kind.startswith("trade"):
        return Reason(_("this game is played without trade between players"), "ZAR-13.15")
    told = LATER.get(PHASES[kind][0])
    return None if told is None else Reason(_(told[0]), told[1])


def _luck(state: ZarahemlaState, position: Position, move: Move) -> Reason | None:
    """Return the reason why a chance outcome is impossible."""
    phases, later = LUCK[move.kind]
    if state.phase not in phases:
        return _first(state.phase, position) if state.is_chance else Reason(_(later[0]), later[1])
    if move.kind == "first_player":
        return Reason(_("the seats are 0 to {last}").format(last=state.players - 1), "ZAR-3.7")
    if move.kind == "draw_dev":
        return Reason(_("no {card} is left in the deck").format(card=card_names()[CARD_IDS[move.arg]]), "ZAR-10.1")
    if move.kind == "stolen_card":
        return Reason(_("who is robbed holds no {resource}").format(
            resource=resource_noun(RESOURCES[move.arg])), "ZAR-7.9")
    due = decode(state.legal_moves()[0]).kind
    if move.kind == due:
        return Reason(_("none of these is left to lay"), "ZAR-3.8")
    return Reason(_("in this game the board is laid as a whole") if due in ("layout", "token_start") else
                  _("in this game the board is laid hex by hex"), "ZAR-3.8")


def _card(state: ZarahemlaState, position: Position, seat: int, kind: str) -> Reason | None:
    """Return the reason why a development card cannot be played (ZAR-10.2, 10.3)."""
    number = CARD_IDS.index(CARDS[kind])
    held, fresh = (counts[number] for counts in state.dev_cards(seat))
    name = card_names()[CARDS[kind]]
    if not held:
        return Reason(_("you hold no {card}").format(card=name), "ZAR-10.2")
    if position.card_played:
        return Reason(_("one development card is played in a turn, and you have played one"), "ZAR-5.7")
    if held == fresh and not ruleset_of(state).dev_same_turn:
        return Reason(_("a card cannot be played in the turn in which it was bought, and this {card} is new").format(
            card=name), "ZAR-10.2")
    return {
        "play_liahona": Reason(_("the Liahona is played before the dice"), "ZAR-10.11"),
        "play_harvest": Reason(_("the bank has no cards to take"), "ZAR-10.8"),
        "play_road_building": Reason(_("you can place no road"), "ZAR-10.9"),
        "play_temple_building": Reason(_("there is no temple stone left to you"), "ZAR-10.10"),
    }.get(kind)


# ---- giving, taking and trading cards ---------------------------------------------------------------


def _ordered(clause: str) -> Reason:
    return Reason(_("cards named one by one go in the order {letters}").format(letters="w b a g s"), clause)


def _bank_trade(state: ZarahemlaState, position: Position, seat: int, move: Move) -> Reason | None:
    give, get = divmod(move.arg, len(RESOURCES))
    rate, held = state.rates(seat)[give], state.hand(seat)[give]
    if held < rate:
        return Reason(_("the bank takes {cards} for one card, and you hold {held}").format(
            cards=resource_cards(RESOURCES[give], rate), held=held), _rate_clause(rate))
    return Reason(_("the bank has no {resource} left").format(resource=resource_noun(RESOURCES[get])), "ZAR-12.5")


def _rate_clause(rate: int) -> str:
    return {4: "ZAR-12.1", 3: "ZAR-12.2"}.get(rate, "ZAR-12.3")


def wrong_lot(state: ZarahemlaState, give: int, lot: int) -> Reason | None:
    """Return the error in the number of cards given in a trade with the bank."""
    rate = state.rates(state.seat_on_turn)[give]
    return None if lot == rate or state.phase != "main" else Reason(_("the bank takes {cards} for one card").format(
        cards=resource_cards(RESOURCES[give], rate)), _rate_clause(rate))


def _discard(state: ZarahemlaState, position: Position, seat: int, move: Move) -> Reason | None:
    hand = state.hand(seat)
    if not hand[move.arg]:
        return Reason(_("you hold no {resource}").format(resource=resource_noun(RESOURCES[move.arg])), "ZAR-7.2")
    if move.arg < position.floor:
        return _ordered("ZAR-7.4")
    return Reason(_("{number} must be given up in the order {letters}, and from {resource} on you hold too few").format(
        number=counted(position.left, "card", "cards"), letters="w b a g s",
        resource=resource_noun(RESOURCES[move.arg])), "ZAR-7.4")


def _take(state: ZarahemlaState, position: Position, seat: int, move: Move) -> Reason | None:
    if not position.bank[move.arg]:
        return Reason(_("the bank has no {resource} left").format(resource=resource_noun(RESOURCES[move.arg])),
                      "ZAR-6.5")
    if move.arg < position.floor:
        return _ordered("ZAR-10.8")
    return Reason(_("two cards are taken in the order {letters}, and from {resource} on the bank has no second").format(
        letters="w b a g s", resource=resource_noun(RESOURCES[move.arg])), "ZAR-10.8")


def _steal(state: ZarahemlaState, position: Position, seat: int, move: Move) -> Reason | None:
    victim = move.arg
    if victim >= state.players:
        return Reason(_("the seats are 0 to {last}").format(last=state.players - 1), "ZAR-7.7")
    name = state.game.seat_name(victim)
    if victim == seat:
        return Reason(_("nobody robs themselves"), "ZAR-7.7")
    if not any(owner == victim and position.robber in hexes_at()[corner]
               for corner, owner, _kind in position.buildings):
        return Reason(_("{name} has built nothing at the robber's hex").format(name=name), "ZAR-7.7")
    return Reason(_("{name} holds no card").format(name=name), "ZAR-7.7")


def _side(state: ZarahemlaState, position: Position, seat: int, move: Move) -> Reason | None:
    """Return the reason why a card cannot be added to a side of the current offer (ZAR-13.5 to 13.9)."""
    giving = move.kind == "trade_give"
    rules, resource = ruleset_of(state), RESOURCES[move.arg]
    most = rules.trade_max_cards_per_side
    mine, theirs = position.gives[seat], position.wants[seat]
    if not giving:
        mine, theirs = theirs, mine
    if sum(mine) >= most:
        return Reason(_("an offer has at most {cards} on each side").format(cards=counted(most, "card", "cards")),
                      "ZAR-13.6")
    if theirs[move.arg]:
        return Reason(_("{resource} cannot stand on both sides of an offer").format(
            resource=resource_noun(resource)), "ZAR-13.5")
    if giving:
        held = state.hand(seat)[move.arg]
        if held <= mine[move.arg]:
            return Reason(_("you hold {cards}").format(cards=resource_cards(resource, held)) if held else
                          _("you hold no {resource}").format(resource=resource_noun(resource)), "ZAR-13.7")
        if any(theirs):
            return Reason(_("what you give is said before what you want"), "ZAR-13.9")
        if move.arg < position.floor and any(mine):
            return _ordered("ZAR-13.9")
        return Reason(_("with {resource} given there is nothing left that the others could give").format(
            resource=resource_noun(resource)), "ZAR-13.9")
    if not any(theirs) and not rules.trade_gifts:
        return Reason(_("say first what you give"), "ZAR-13.9")
    if move.arg < position.floor and any(mine):
        return _ordered("ZAR-13.9")
    left = state.others_hold(seat)[move.arg]
    if mine[move.arg] >= left:
        return Reason(_("the others hold {cards}").format(cards=resource_cards(resource, left)) if left else
                      _("the others hold no {resource}").format(resource=resource_noun(resource)), "ZAR-13.9")
    return Reason(_("nobody you offer to holds more than {cards}").format(
        cards=counted(sum(mine), "card", "cards")), "ZAR-13.9")


def _open(state: ZarahemlaState, position: Position, seat: int, move: Move) -> Reason | None:
    rules = ruleset_of(state)
    if rules.trade_mode == "none":
        return Reason(_("this game is played without trade between players"), "ZAR-13.15")
    if position.offers_made >= rules.trade_max_offers_per_turn:
        return Reason(_("you have made the {offers} of your turn").format(
            offers=counted(rules.trade_max_offers_per_turn, "offer", "offers")), "ZAR-13.8")
    return _no_offer(state, position, seat)


def _no_offer(state: ZarahemlaState, position: Position, seat: int) -> Reason:
    """Return the reason why an offer could not be completed."""
    if not sum(state.hand(seat)):
        return Reason(_("you hold no card to offer"), "ZAR-13.8")
    return Reason(_("the others hold nothing that you could ask for in exchange"), "ZAR-13.8")


def _submit(state: ZarahemlaState, position: Position, seat: int, move: Move) -> Reason | None:
    return Reason(_("an offer is done when both sides have cards; gifts are an option"), "ZAR-13.5")


def _accept(state: ZarahemlaState, position: Position, seat: int, move: Move) -> Reason | None:
    wanted = position.wants[position.seat_on_turn]
    lack = [max(0, asked - held) for asked, held in zip(wanted, state.hand(seat), strict=True)]
    return Reason(ngettext("you lack {cards}", "you lack {cards}", sum(lack)).format(cards=cards_text(lack)),
                  "ZAR-13.7")


def _counter(state: ZarahemlaState, position: Position, seat: int, move: Move) -> Reason | None:
    if ruleset_of(state).trade_mode != "full":
        return Reason(_("this game is played without counter-offers"), "ZAR-13.15")
    return _no_offer(state, position, seat)


def _pick(state: ZarahemlaState, position: Position, seat: int, move: Move) -> Reason | None:
    partner = move.arg
    if partner >= state.players:
        return Reason(_("the seats are 0 to {last}").format(last=state.players - 1), "ZAR-13.11")
    name = state.game.seat_name(partner)
    if partner == seat:
        return Reason(_("a deal needs another player"), "ZAR-13.1")
    lack = [max(0, asked - held) for asked, held in zip(position.wants[partner], state.hand(seat), strict=True)]
    if position.answers[partner] == "counter" and any(lack):
        return Reason(ngettext("you lack {cards}", "you lack {cards}", sum(lack)).format(cards=cards_text(lack)),
                      "ZAR-13.11")
    return Reason(_("{name} has not agreed").format(name=name), "ZAR-13.11")


_OTHERS: dict[str, Callable[[ZarahemlaState, Position, int, Move], Reason | None]] = {
    "bank_trade": _bank_trade, "discard": _discard, "take": _take, "steal_from": _steal, "trade_give": _side,
    "trade_want": _side, "trade_open": _open, "trade_submit": _submit, "trade_accept": _accept,
    "trade_counter": _counter, "trade_pick": _pick,
    "steal_nothing": lambda *case: Reason(_("a card must be stolen where there is one"), "ZAR-7.8"),
    "take_stop": lambda *case: Reason(_("two cards are taken"), "ZAR-10.8"),
    **dict.fromkeys(("roll", "end_turn", "trade_reject", "trade_no_deal"), lambda *case: None)}


# ---- building ---------------------------------------------------------------------------------------


def _buildings(position: Position) -> dict[int, int]:
    return {corner: owner for corner, owner, _kind in position.buildings}


def _settlement(state: ZarahemlaState, position: Position, seat: int, corner: int) -> Reason | None:
    owners, clause = _buildings(position), "ZAR-8.4" if state.phase == "main" else "ZAR-4.4"
    if corner in owners:
        return Reason(_("corner {corner} is taken: {name} has built there").format(
            corner=corner, name=state.game.seat_name(owners[corner])), clause)
    for edge in board().edges:
        if corner in edge.corners:
            other = sum(edge.corners) - corner
            if other in owners:
                return Reason(_("corner {corner} is too near: {name} has built at {other}, one path away, and the "
                                "distance rule keeps two paths between settlements").format(
                                    corner=corner, name=state.game.seat_name(owners[other]), other=other), clause)
    roads = (corners_of_edge()[edge] for edge, owner in position.roads if owner == seat)
    if state.phase == "main" and not any(corner in ends for ends in roads):
        return Reason(_("none of your roads leads to corner {corner}").format(corner=corner), clause)
    if state.phase == "init_settlement" and not any(position.numbers[number] for number in hexes_at()[corner]):
        return Reason(_("corner {corner} touches no hex with a number").format(corner=corner), clause)
    return None


def _city(state: ZarahemlaState, position: Position, seat: int, corner: int) -> Reason | None:
    kinds = {place: kind for place, owner, kind in position.buildings if owner == seat}
    if corner not in kinds:
        return Reason(_("a city takes the place of a settlement of yours, and corner {corner} holds none").format(
            corner=corner), "ZAR-8.5")
    return Reason(_("corner {corner} is a city already").format(corner=corner), "ZAR-8.5") if (
        kinds[corner] == "city") else None


def _road(state: ZarahemlaState, position: Position, seat: int, edge: int) -> Reason | None:
    taken = dict(position.roads)
    a, b = corners_of_edge()[edge]
    if edge in taken:
        return Reason(_("the path from {a} to {b} is taken: {name} has a road there").format(
            a=a, b=b, name=state.game.seat_name(taken[edge])), "ZAR-8.3")
    if state.phase == "init_road":
        return Reason(_("the road must start at the settlement just placed, at {placed}").format(
            placed=position.placed), "ZAR-4.5")
    own = [corners_of_edge()[place] for place, owner in taken.items() if owner == seat]
    owners = _buildings(position)
    joined = [end for end in (a, b) if owners.get(end) == seat or any(end in ends for ends in own)]
    if not joined:
        return Reason(_("the path from {a} to {b} does not join your roads").format(a=a, b=b), "ZAR-8.3")
    if all(owners.get(end, seat) != seat for end in joined):
        return Reason(_("a road does not continue past another player's settlement, at {corner}").format(
            corner=joined[0]), "ZAR-8.3")
    return None


def _price(state: ZarahemlaState, seat: int, key: str, priced: str, none_left: str) -> Reason | None:
    """Return the reason that pieces or resources are missing, with the price."""
    cost, hand = costs()[key], state.hand(seat)
    missing = [max(0, n - held) for n, held in zip(cost, hand, strict=True)]
    if not any(missing):
        return Reason(_(none_left), "ZAR-8.6" if key == "settlement" else "ZAR-10.1" if key == "dev_card" else
                      "ZAR-11.3" if key == "temple_stone" else "ZAR-8.2")
    lack = ngettext("you lack {cards}", "you lack {cards}", sum(missing)).format(cards=cards_text(missing))
    return Reason(f"{_(priced).format(cost=cards_text(cost))}; {lack}", "ZAR-8.1")
