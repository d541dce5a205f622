"""Reasons why a move or a draw of A Few Acres of Snow is not legal now, in the words of the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from sfida.engines.acres.position import NO_CARD, Cards, Move, Position, SeatPosition, decode, encode, position_of
from sfida.engines.acres.style import Card, Site, cards, money_text, offered, sites, strength_at
from sfida.engines.acres.tables import SIEGE_WAITS_POINTS, load_data
from sfida.engines.language import N_, _, counted
from sfida.engines.moves import Reason

if TYPE_CHECKING:
    from sfida.cython_ext.acres.core import AcresState
    from sfida.engines.acres.game import Acres
    from sfida.engines.acres.options import Ruleset

STEPS = ("raiders", "coins", "furs", "discards", "govern")      # phases that take cards one by one
FREE = ("leader", "retrieve", "home", "withdraw", "end")
MAIN = ("pass", "settle", "develop", "fortify", "besiege", "reinforce", "raid", "ambush", "convert", "money",
        "merchant", "trader", "piracy", "draft", "discard", "reserve", "govern", "intendant", *FREE)
PHASES: dict[str, tuple[str, ...]] = {      # phases of each kind of move
    **dict.fromkeys(MAIN, ("main",)), "transport": ("transport",), "settler": ("settler",),
    "strength": ("strength",), "also": STEPS, "stop": STEPS, "block": ("raid_response", "ambush_response"),
    "allow": ("raid_response", "ambush_response"), "lose": ("ambush_loss",), "give": ("give_zone",),
    "show": ("ambush_loss", "give_zone"), "return": ("siege_loss",), "place": ("siege_settle",),
    "leave": ("siege_settle",), "resolve": ("order",), "pick": ("pick",), "draw": ("deal", "draw", "home")}
_FINISH = N_("the action that was begun is finished first"), "FAS-5.4"
# The decision of each phase, which comes before anything else.
FIRST = {
    **dict.fromkeys(("transport", "settler", "strength", *STEPS), _FINISH),
    "raid_response": (N_("say first whether the raid is blocked"), "FAS-13.8"),
    "ambush_response": (N_("say first whether the ambush is blocked"), "FAS-14.2"),
    "ambush_loss": (N_("a card is lost to the ambush first"), "FAS-14.3"),
    "give_zone": (N_("the conversion is answered first"), "FAS-14.7"),
    "order": (N_("say first which siege is resolved first"), "FAS-11.1"),
    "siege_loss": (N_("the loser of the siege returns a card first"), "FAS-11.12"),
    "siege_settle": (N_("say first whether the site is settled"), "FAS-11.6"),
    "pick": (N_("one more card for the starting deck is chosen first"), "FAS-4.5"),
    "deal": (N_("the cards are dealt first"), "FAS-4.6"), "draw": (N_("the hand is filled first"), "FAS-5.7"),
    "home": (N_("the cards of Home Support are drawn first"), "FAS-15.12"),
}
_NONE_BEGUN = N_("no action has been begun that takes more cards"), "FAS-5.4"
# Reasons against a kind of move at the start of an action.
LATER = {
    **dict.fromkeys(("transport", "settler", "strength", "also", "stop"), _NONE_BEGUN),
    **dict.fromkeys(("block", "allow"), (N_("there is nothing to block"), "FAS-13.8")),
    "lose": (N_("no ambush takes a card now"), "FAS-14.3"), "give": (N_("nothing is converted now"), "FAS-14.7"),
    "show": (N_("no ambush and no conversion asks for the hand"), "FAS-14.5"),
    "return": (N_("no siege has been lost"), "FAS-11.12"), "place": (N_("no siege has been won"), "FAS-11.6"),
    "leave": (N_("no siege has been won"), "FAS-11.6"),
    "resolve": (N_("no two sieges are to be resolved"), "FAS-11.1"),
    "pick": (N_("no card is chosen for the starting deck now"), "FAS-4.5"),
    "draw": (N_("cards are drawn when the turn ends"), "FAS-5.7"),
}
OF_VERB = {"settle": "FAS-7.2", "besiege": "FAS-10.2", "develop": "FAS-8.1"}       # clauses of the cards of an action
OF_STEP = {"raiders": "FAS-13.1", "coins": "FAS-15.2", "furs": "FAS-15.3", "discards": "FAS-15.6",
           "govern": "FAS-15.9"}


def why_not(state: AcresState, code: int) -> Reason | None:
    """Return the reason why a move or a draw is illegal; None for no reason."""
    move = decode(code)
    if state.phase not in PHASES[move.kind]:
        return not_now(state, move.kind)
    case = Case(state, move)
    if state.phase == "main":
        return _no_action(case) or _IN_MAIN[move.kind](case)
    return _AFTER[move.kind](case)


def not_now(state: AcresState, kind: str) -> Reason | None:
    """Return the reason why it is not the time for a kind of move; None: it is the time."""
    if state.phase in PHASES[kind]:
        return None
    told = FIRST.get(state.phase) or LATER.get(kind)
    return None if told is None else Reason(_(told[0]), told[1])


# The kind of move for a card typed alone, by phase.
ANSWERS = {"raid_response": "block", "ambush_response": "block", "ambush_loss": "lose", "siege_loss": "return",
           "siege_settle": "place", "pick": "pick", "main": "discard"}


def why_not_with(state: AcresState, card: int) -> Reason | None:
    """Return the reason why there is no move with a card typed alone; None for no specific reason."""
    kind = ANSWERS.get(state.phase)
    return None if kind is None else why_not(state, encode(kind, card))


@dataclass
class Case:
    """A refused move and its position."""

    state: AcresState
    move: Move

    def __post_init__(self) -> None:
        self.rules: Ruleset = cast("Acres", self.state.game).ruleset
        self.seat: int = self.state.mover
        self.position: Position = position_of(self.state, self.seat)
        self.mine: SeatPosition = self.position.seats[self.seat]
        self.hand: Cards = self.mine.hand or ()

    @cached_property
    def types(self) -> tuple[Card, ...]:
        """Every card type, with the options of this game."""
        return cards(self.position.by_board)

    @property
    def card(self) -> Card:
        """The card of the move."""
        return self.types[self.move.card]

    @property
    def aim(self) -> Site:
        """The site of the move."""
        return self.place(self.move.place)

    def place(self, number: int) -> Site:
        """Return a site, with the options of this game."""
        return sites(self.position.every_ship)[number]

    def holds(self, site: int) -> bool:
        """Return whether the mover controls a site."""
        return self.position.owner[site] == self.seat

    def held(self, clause: str) -> Reason | None:
        """Return the reason if the card is not in hand."""
        if self.move.card in self.hand:
            return None
        return Reason(_("{card} is not in your hand").format(card=self.card.name), clause)

    def useless(self, card: Card) -> Reason | None:
        """Return the reason why a location card cannot be used (FAS-6)."""
        if card.site < 0 or card.site in self.mine.usable:
            return None
        clause = ("FAS-6.1" if not self.holds(card.site) else
                  "FAS-6.3" if card.site in self.position.besieged else "FAS-6.2")
        return Reason(_("the card {card} cannot be used: its site is not yours, cut off or besieged").format(
            card=card.name), clause)

    def usable(self, clause: str) -> Reason | None:
        """Return the reason if the card is not in hand, or cannot be used."""
        return self.held(clause) or self.useless(self.card)

    def others(self, *without: int) -> list[Card]:
        """Return the usable cards in hand, without one copy of each given card."""
        left = list(self.hand)
        for card in without:
            if card in left:
                left.remove(card)
        return [self.types[card] for card in left if self.useless(self.types[card]) is None]

    def fights(self, card: Card, site: Site, *, defends: bool) -> Reason | None:
        """Return the reason why a card has no strength in a siege (FAS-10.3 to 10.5, 12)."""
        opens = not defends and site.number not in self.position.besieged
        if card.kind == "fortification" and not defends:
            return Reason(_("{card} serves the defender only").format(card=card.name),
                          "FAS-10.4" if opens else "FAS-12.4")
        if not strength_at(card, site):
            if "ship" in card.symbols:
                return Reason(_("a ship has no strength at {site}").format(site=site.name),
                              "FAS-10.3" if opens else "FAS-12.5")
            return Reason(_("{card} has no strength in a siege").format(card=card.name),
                          "FAS-10.3" if opens else "FAS-12.1")
        price = int(card.row.get("siege_pay", 0))
        return self.too_dear(price, "FAS-10.5")

    def too_dear(self, price: int, clause: str) -> Reason | None:
        """Return the reason if something costs more money than the side has."""
        if price <= self.mine.money:
            return None
        return Reason(_("that costs {price}, and you have {money}").format(
            price=money_text(price), money=self.mine.money), clause)


def _no_action(case: Case) -> Reason | None:
    """Return the reason that no action is left, or that some are left."""
    kind, actions = case.move.kind, case.position.actions_left
    if not actions and kind not in FREE:
        return Reason(_("you have no actions left in this turn"), "FAS-5.2")
    if kind == "end" and actions:
        return Reason(_("you have {actions} left: 'pass' gives one away").format(
            actions=counted(actions, "action", "actions")), "FAS-15.16")
    return None


# ---- actions on sites -------------------------------------------------------------------------------


def _linked(case: Case, clause: str) -> Reason | None:
    """Return the error in a location card for a move to a site."""
    card = case.card
    if card.site < 0:
        return case.held(clause) or Reason(_("{card} is no location card").format(card=card.name), clause)
    if (wrong := case.usable(clause)) is not None:
        return wrong
    if not any(case.move.place in places for _way, places in card.links):
        return Reason(_("the card {card} does not reach {site}").format(card=card.name, site=case.aim.name), clause)
    return None


def _lacks(case: Case, clause: str, need: Callable[[Card], bool] | None, what: str, part: str) -> Reason | None:
    """Return the reason if the hand lacks the other cards: one for the transport, and another one that meets `need`.

    Parameters
    ----------
    need : callable or None
        Condition on the third card; None: only the transport is needed.
    what, part : str
        Use of the third card, for the refusal, and the clause that requires it.
    """
    way = next(name for name, places in case.card.links if case.move.place in places)
    rest = case.others(case.move.card)
    movers = [at for at, card in enumerate(rest) if way in card.symbols]
    if not movers:
        return Reason(_("no other card in your hand gives the {way}").format(way=offered(way)), clause)
    third = range(len(rest)) if need is None else [at for at, card in enumerate(rest) if need(card)]
    if need is None or any(at != mover for at in third for mover in movers):
        return None
    return Reason(_("no third card in your hand gives {what}").format(what=what), part)


def _settle(case: Case) -> Reason | None:
    place, mine, aim = case.move.place, case.mine, case.aim
    if case.position.owner[place] == 1 - case.seat:
        said = _("{site} is British already") if case.seat else _("{site} is French already")
        return Reason(said.format(site=aim.name), "FAS-7.1")
    regained = any(case.types[card].site == place for card in mine.locations)
    if case.holds(place) and not regained:
        said = _("{site} is French already") if case.seat else _("{site} is British already")
        return Reason(said.format(site=aim.name), "FAS-7.7")
    if not case.holds(place) and not mine.villages:
        return Reason(_("you have no village left to place"), "FAS-7.5")
    return _linked(case, "FAS-7.1") or (_lacks(
        case, "FAS-7.2", lambda card: "settler" in card.symbols, _("settlers"), "FAS-2.7") if aim.settler else
        _lacks(case, "FAS-7.2", None, "", "FAS-7.2"))


def _besiege(case: Case) -> Reason | None:
    aim = case.aim
    if case.position.owner[case.move.place] != 1 - case.seat:
        return Reason(_("{site} is not the enemy's").format(site=aim.name), "FAS-10.1")
    going_on = case.position.siege_by(case.seat)
    if going_on is not None:
        return Reason(_("you besiege {site} already, and one siege at a time is all you may begin").format(
            site=sites()[going_on.site].name), "FAS-10.6")
    if not case.mine.may_besiege:
        return Reason(_("in this game the British besiege only after a French siege, or with {points} points").format(
            points=SIEGE_WAITS_POINTS), "FAS-10.6")
    wrong = _linked(case, "FAS-10.1")
    if wrong is not None:
        return wrong
    lacks = _lacks(case, "FAS-10.2", lambda card: case.fights(card, aim, defends=False) is None,
                   _("strength in the siege"), "FAS-10.3")
    dear = next((card for card in case.others(case.move.card) if card.row.get("siege_pay", 0) > case.mine.money), None)
    if lacks is not None and lacks.clause == "FAS-10.3" and dear is not None:
        return case.too_dear(dear.row["siege_pay"], "FAS-10.5")
    return lacks


def _own_card(case: Case, clause: str) -> Reason | None:
    """Return the error in the location card of an action's site."""
    card = next((card for card in case.types if card.site == case.move.place and card.side == case.seat), None)
    if card is None or card.number not in case.hand:
        return Reason(_("the card {card} is not in your hand").format(card=case.aim.name), clause)
    return case.useless(card)


def _develop(case: Case) -> Reason | None:
    place, name = case.move.place, case.aim.name
    if not case.holds(place):
        return Reason(_("{site} is not yours").format(site=name), "FAS-8.2")
    if case.position.town[place]:
        return Reason(_("{site} is a town already").format(site=name), "FAS-8.2")
    if not case.aim.value:
        return Reason(_("{site} has no value, so it cannot become a town").format(site=name), "FAS-8.2")
    if not case.mine.towns:
        return Reason(_("you have no town left to place"), "FAS-8.3")
    wrong = _own_card(case, "FAS-8.1")
    if wrong is not None:
        return wrong
    return Reason(_("no other card in your hand gives settlers"), "FAS-8.1")


def _fortify(case: Case) -> Reason | None:
    place, name = case.move.place, case.aim.name
    if not case.holds(place):
        return Reason(_("{site} is not yours").format(site=name), "FAS-9.1")
    if case.position.fort[place]:
        return Reason(_("{site} is fortified").format(site=name), "FAS-9.2")
    if place in case.position.besieged:
        return Reason(_("{site} is under siege, so it cannot be fortified").format(site=name), "FAS-9.4")
    wrong = case.held("FAS-9.1")
    if wrong is None and case.card.kind != "fortification":
        wrong = Reason(_("{card} is no Fortification").format(card=case.card.name), "FAS-9.1")
    if wrong is None and not case.position.forts_left:
        wrong = Reason(_("no fort is left"), "FAS-9.2")
    return wrong or case.too_dear(load_data()["cost"]["fortify"], "FAS-9.1") or _own_card(case, "FAS-9.1")


def _reinforce(case: Case) -> Reason | None:
    siege = case.position.siege_by(case.move.place)
    assert siege is not None            # the move was read in this position
    site = case.place(siege.site)
    if case.move.kind == "leader":
        if not any(case.types[card].kind == "military_leader" for card in case.hand):
            return Reason(_("you do not hold the Military Leader"), "FAS-12.6")
    elif (wrong := case.held("FAS-12.1")) is not None:
        return wrong
    elif case.card.kind == "military_leader":
        return Reason(_("the Military Leader is sent by a free action: leader {site}").format(site=site.code),
                      "FAS-12.6")
    elif case.card.site == site.number:
        return Reason(_("{site} is under siege, so its card cannot be used").format(site=site.name), "FAS-12.8")
    elif (wrong := case.useless(case.card) or case.fights(
            case.card, site, defends=case.move.place != case.seat)) is not None:
        return wrong
    return Reason(_("no chain of your sites reaches {site}").format(site=site.name), "FAS-12.3")


def _withdraw(case: Case) -> Reason | None:
    return Reason(_("in this game a defender does not surrender"), "FAS-15.15")


# ---- raids, ambushes, conversions -------------------------------------------------------------------


def _raid(case: Case) -> Reason | None:
    place, name, position = case.move.place, case.aim.name, case.position
    if position.owner[place] != 1 - case.seat:
        return Reason(_("{site} is not the enemy's").format(site=name), "FAS-13.9")
    if position.fort[place]:
        return Reason(_("{site} is fortified").format(site=name), "FAS-13.7")
    if place in position.besieged and not case.rules.raid_may_target_besieged_site:
        return Reason(_("{site} is under siege, so it cannot be raided").format(site=name), "FAS-13.13")
    hand = [case.types[card].row for card in case.hand if case.types[card].site < 0]
    if not any(row["raid"] for row in hand):
        if any(row["raid_extra"] for row in hand):
            return Reason(_("a Priest or an Indian Leader raids only beside a card with the raid ability"), "FAS-13.3")
        return Reason(_("no card in your hand raids"), "FAS-13.1")
    price = min(row["use_pay"] for row in hand if row["raid"])
    return case.too_dear(price, "FAS-13.4") or Reason(
        _("{site} is too far for the raid cards that you can play").format(site=name), "FAS-13.2")


def _able(case: Case, ability: bool, said: str, clause: str) -> Reason | None:
    return case.held(clause) or (None if ability else Reason(said.format(card=case.card.name), clause))


def _row(case: Case) -> Any:
    """Return the data of an empire card; empty for location cards, which have no abilities."""
    return case.card.row if case.card.site < 0 else {}


def _ambush(case: Case) -> Reason | None:
    row = _row(case)
    return _able(case, bool(row.get("ambush")), _("{card} makes no ambush"), "FAS-14.1") or case.too_dear(
        row.get("use_pay", 0), "FAS-14.1")


def _convert(case: Case) -> Reason | None:
    return _able(case, case.card.kind == "convert", _("{card} converts nobody"), "FAS-14.7")


# ---- money and cards --------------------------------------------------------------------------------


def _money(case: Case) -> Reason | None:
    wrong = case.usable("FAS-15.1")
    return wrong or Reason(_("{card} has no money").format(card=case.card.name), "FAS-15.1")


def _merchant(case: Case) -> Reason | None:
    wrong = case.usable("FAS-15.2")
    if wrong is None and "ship" not in case.card.symbols:
        wrong = Reason(_("{card} gives no ship").format(card=case.card.name), "FAS-15.2")
    return wrong or Reason(_("no other card in your hand has money to trade for"), "FAS-15.2")


def _trader(case: Case) -> Reason | None:
    wrong = _able(case, case.card.kind == "trader", _("{card} is no Trader"), "FAS-15.3")
    return wrong or Reason(_("no card in your hand has furs that you can use"), "FAS-15.3")


def _piracy(case: Case) -> Reason | None:
    harbour = next(card for card in case.types if card.site >= 0 and card.code == "LOU" and card.side == 1)
    if case.seat == 0:
        return Reason(_("only the French send pirates"), "FAS-15.4")
    if harbour.number not in case.hand:
        return Reason(_("piracy takes the card {card}, which is not in your hand").format(card=harbour.name),
                      "FAS-15.4")
    if case.move.card == harbour.number and case.hand.count(harbour.number) < 2:
        return Reason(_("piracy takes {card} and another card with a ship").format(card=harbour.name), "FAS-15.4")
    wrong = case.useless(harbour) or case.usable("FAS-15.4")
    return wrong or Reason(_("{card} gives no ship").format(card=case.card.name), "FAS-15.4")


def _draft(case: Case) -> Reason | None:
    card = case.card
    if card.site >= 0:
        return Reason(_("location cards are never drafted: {card} comes with its site").format(card=card.name),
                      "FAS-15.5")
    if case.move.card not in (*case.mine.empire, *case.position.neutral):
        return Reason(_("no {card} is left to draft").format(card=card.name), "FAS-15.5")
    return Reason(_("{card} costs {price}, and you have {coins}").format(
        card=card.name, price=card.cost, coins=counted(case.mine.money, "coin", "coins")), "FAS-15.5")


def _discard(case: Case) -> Reason | None:
    return case.held("FAS-15.6")


def _reserve(case: Case) -> Reason | None:
    most = load_data()["setup"]["max_reserve"]
    if len(case.mine.reserve) >= most:
        return Reason(_("the reserve is full: it holds {most} cards").format(most=most), "FAS-15.7")
    wrong = case.held("FAS-15.7")
    if wrong is None and case.rules.lost_location_cards_in_reserve:
        wrong = Reason(_("in this game only location cards of lost sites go to the reserve"), "FAS-15.7")
    return wrong or Reason(_("in this game no location cards go to the reserve"), "FAS-15.7")


def _holds(case: Case, kind: str) -> bool:
    return any(case.types[card].kind == kind for card in case.hand)


def _govern(case: Case) -> Reason | None:
    if case.rules.no_governor:
        return Reason(_("this game is played without the Governor"), "FAS-15.9")
    if case.state.phase == "main" and not _holds(case, "governor"):
        return Reason(_("you do not hold the Governor"), "FAS-15.9")
    wrong = case.held("FAS-15.9")
    if wrong is None and case.card.kind == "governor":
        wrong = Reason(_("the Governor does not return itself"), "FAS-15.9")
    return wrong or Reason(_("in this game the cards of starting sites that you hold stay"), "FAS-15.9")


def _intendant(case: Case) -> Reason | None:
    if case.seat == 0:
        return Reason(_("only the French have an Intendant"), "FAS-15.11")
    if not _holds(case, "intendant"):
        return Reason(_("you do not hold the Intendant"), "FAS-15.11")
    return case.too_dear(load_data()["cost"]["intendant"], "FAS-15.11") or Reason(
        _("{card} is not among your discards").format(card=case.card.name), "FAS-15.11")


def _retrieve(case: Case) -> Reason | None:
    if not case.mine.reserve:
        return Reason(_("the reserve is empty"), "FAS-15.8")
    return case.too_dear(len(case.mine.reserve) * load_data()["cost"]["retrieve_reserve_per_card"], "FAS-15.8")


def _home(case: Case) -> Reason | None:
    if not _holds(case, "home_support"):
        return Reason(_("you do not hold Home Support"), "FAS-15.12")
    return Reason(_("no card is left to draw"), "FAS-5.9" if case.rules.home_support_reshuffles else "FAS-15.12")


def _end(case: Case) -> Reason | None:
    return Reason(_("a turn ends with the hand filled: 'end'"), "FAS-5.7")


_IN_MAIN: dict[str, Callable[[Case], Reason | None]] = {
    "pass": lambda case: None, "settle": _settle, "develop": _develop, "fortify": _fortify, "besiege": _besiege,
    "reinforce": _reinforce, "leader": _reinforce, "withdraw": _withdraw, "raid": _raid, "ambush": _ambush,
    "convert": _convert, "money": _money, "merchant": _merchant, "trader": _trader, "piracy": _piracy,
    "draft": _draft, "discard": _discard, "reserve": _reserve, "govern": _govern, "intendant": _intendant,
    "retrieve": _retrieve, "home": _home, "end": _end}


# ---- more cards of an action ------------------------------------------------------------------------


def _step(case: Case) -> Reason | None:
    """Return the reason why a card does not continue the action in progress."""
    phase, verb = case.state.phase, case.position.verb
    clause = OF_STEP.get(phase) or OF_VERB[verb]
    wrong = case.held(clause)
    if wrong is None and phase not in ("raiders", "discards", "govern"):
        wrong = case.useless(case.card)
    return wrong or _OF_PHASE[phase](case, clause)


def _transport(case: Case, clause: str) -> Reason | None:
    first = case.types[case.position.chosen[0]]
    way = next(name for name, places in first.links if case.position.site in places)
    if way not in case.card.symbols:
        return Reason(_("{card} gives no {way}").format(card=case.card.name, way=offered(way)), clause)
    return Reason(_("with {card} gone no card would be left for the rest of the action").format(
        card=case.card.name), clause)


def _settler(case: Case, clause: str) -> Reason | None:
    return Reason(_("{card} gives no settlers").format(card=case.card.name), clause)


def _strength(case: Case, clause: str) -> Reason | None:
    return case.fights(case.card, case.place(case.position.site), defends=False)


def _late(case: Case, clause: str) -> Reason | None:
    """Return the reason that a card comes too late: the cards of an action are named in order (17.3)."""
    trail = case.position.chosen
    if not trail or case.move.card >= trail[-1]:
        return None
    return Reason(_("cards of one action are named in the order of the list of cards: {card} before {last}").format(
        card=case.card.code, last=case.types[trail[-1]].code), clause)


def _raiders(case: Case, clause: str) -> Reason | None:
    row = _row(case)
    if not (row.get("raid") or row.get("raid_extra")):
        return Reason(_("{card} raids nobody").format(card=case.card.name), clause)
    late = _late(case, clause)
    return late or case.too_dear(row["use_pay"], "FAS-13.4") or Reason(
        _("with {card} the raid would not come out: no cards are left for its other steps").format(
            card=case.card.name) if case.position.need > 1 or row.get("raid_extra") else
        _("the raid needs no more cards"), "FAS-13.2" if not row.get("raid_extra") else "FAS-13.3")


def _coins(case: Case, clause: str) -> Reason | None:
    if not case.card.coins:
        return Reason(_("{card} has no money").format(card=case.card.name), clause)
    return _late(case, clause)


def _furs(case: Case, clause: str) -> Reason | None:
    if "fur" not in case.card.symbols:
        return Reason(_("{card} has no furs").format(card=case.card.name), clause)
    return _late(case, clause)


def _discards(case: Case, clause: str) -> Reason | None:
    return _late(case, clause) or case.too_dear(1, clause)


def _governed(case: Case, clause: str) -> Reason | None:
    return _late(case, clause) or _govern(case)


_OF_PHASE: dict[str, Callable[[Case, str], Reason | None]] = {
    "transport": _transport, "settler": _settler, "strength": _strength, "raiders": _raiders, "coins": _coins,
    "furs": _furs, "discards": _discards, "govern": _governed}


def _stop(case: Case) -> Reason | None:
    if case.state.phase == "raiders":
        return Reason(_("the raid needs more cards to reach {site}").format(site=case.place(case.position.site).name),
                      "FAS-13.2")
    return Reason(_("the action takes at least one card"), OF_STEP[case.state.phase])


# ---- answers ----------------------------------------------------------------------------------------


def _block(case: Case) -> Reason | None:
    raid = case.state.phase == "raid_response"
    clause = "FAS-13.8" if raid else "FAS-14.2"
    wrong = case.held(clause)
    if wrong is None and raid and case.card.site == case.position.site:
        wrong = case.useless(case.card)
    said = _("{card} blocks no raid") if raid else _("{card} blocks no ambush")
    return wrong or Reason(said.format(card=case.card.name), clause)


def _lose(case: Case) -> Reason | None:
    zone = case.mine.reserve if case.move.place % 2 else case.hand
    if not _row(case).get("vulnerable"):
        return Reason(_("{card} has no ambush symbol, so it is not lost to an ambush").format(card=case.card.name),
                      "FAS-14.3")
    if case.move.card in zone:
        return None
    said = _("{card} is not in your reserve") if case.move.place % 2 else _("{card} is not in your hand")
    return Reason(said.format(card=case.card.name), "FAS-14.3")


def _give(case: Case) -> Reason | None:
    said = (_("no Native Americans card is in your reserve") if case.move.place % 2 else
            _("no Native Americans card is in your hand"))
    return Reason(said, "FAS-14.7")


def _show(case: Case) -> Reason | None:
    if case.state.phase == "ambush_loss":
        return Reason(_("you hold a card with the ambush symbol, and it must be given up"), "FAS-14.3")
    return Reason(_("you hold neutral Native Americans, and they must be given"), "FAS-14.7")


def _return(case: Case) -> Reason | None:
    if case.card.site >= 0:
        return Reason(_("location cards are never returned from a siege"), "FAS-11.13")
    return Reason(_("{card} is not among your cards in this siege").format(card=case.card.name), "FAS-11.12")


def _village(case: Case) -> Reason | None:
    if case.move.card == NO_CARD:
        return Reason(_("the site has a settler symbol: name the card that gives settlers"), "FAS-11.6")
    if not case.place(case.position.ending).settler:
        return Reason(_("the site has no settler symbol, so no card is played: 'settle' alone"), "FAS-11.7")
    wrong = case.usable("FAS-11.6")
    return wrong or Reason(_("{card} gives no settlers").format(card=case.card.name), "FAS-11.6")


def _pick(case: Case) -> Reason | None:
    return Reason(_("{card} is not among your available empire cards").format(card=case.card.name), "FAS-4.5")


def _draw(case: Case) -> Reason | None:
    name = case.card.name if case.move.card != NO_CARD else _("a card")
    return Reason(_("{card} is not in the deck").format(card=name), "FAS-4.6" if case.state.phase == "deal" else
                  "FAS-5.7")


_AFTER: dict[str, Callable[[Case], Reason | None]] = {
    "transport": _step, "settler": _step, "strength": _step, "also": _step, "stop": _stop, "block": _block,
    "allow": lambda case: None, "lose": _lose, "give": _give, "show": _show, "return": _return, "place": _village,
    "leave": lambda case: None, "resolve": lambda case: None, "pick": _pick, "draw": _draw}
