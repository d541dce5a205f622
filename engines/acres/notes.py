"""What a move of A Few Acres of Snow costs and brings, with its odds: all of it from what the mover knows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sfida.engines.acres.chances import able, ambush_hits, conversion_finds, raid_succeeds
from sfida.engines.acres.data import load_data
from sfida.engines.acres.looks import (
    Card,
    cards,
    codes_text,
    home_sites,
    money_text,
    offer_text,
    offered,
    sites,
    strength_at,
    the_side,
)
from sfida.engines.acres.moves import Move, decode
from sfida.engines.acres.options import Ruleset
from sfida.engines.acres.position import SeatPosition, Siege, position_of
from sfida.engines.acres.sentences import siege_stands
from sfida.engines.language import N_, _
from sfida.engines.wording import chance_text, counted, listed

if TYPE_CHECKING:
    from sfida.cython_ext.acres.core import AcresState

FREE = N_("free action")


def move_note(state: AcresState, code: int, rules: Ruleset) -> str:
    """Return what a legal move costs and brings; "" where its words say it."""
    return "; ".join(filter(None, _Noted(state, code, rules).parts()))


class _Noted:
    """A move with what its note is made of."""

    def __init__(self, state: AcresState, code: int, rules: Ruleset) -> None:
        self.state, self.code, self.move = state, code, decode(code)
        self.data, self.seat = load_data(), state.mover
        self.position = position_of(state, self.seat)
        self.mine, self.other = self.position.seats[self.seat], self.position.seats[1 - self.seat]
        self.wins = rules.settling_victory_target_wins
        self.sites, self.cards = sites(self.position.every_ship), cards(self.position.by_board)

    def parts(self) -> tuple[str, ...]:
        """Return the parts of the note."""
        tell = getattr(self, f"_{self.move.kind}", None)
        return tell() if tell is not None else ()

    def _after(self) -> AcresState:
        """Return the position after the move."""
        after = self.state.clone()
        after.apply(self.code)
        return after

    @property
    def _card(self) -> Card:
        return self.cards[self.move.card]

    # ---- the map --------------------------------------------------------------------------------

    def _way(self) -> str:
        """Return the transport that a site takes besides the card that is linked with it."""
        return next((name for name, places in self._card.links if self.move.place in places), "")

    def _value(self, site: int, town: bool) -> int:
        """Return the points that a site brings."""
        return int(self.sites[site].value * (self.data["scoring"]["town_multiplier"] if town else 1))

    def _settle(self) -> tuple[str, ...]:
        site = self.move.place
        needed = [offered(way) for way in (self._way(),) if way] + [_("settlers")] * self.sites[site].settler
        brings = (_("its card again") if self.position.owner[site] == self.seat else
                  _("wins the game") if self.wins and site in home_sites(self.seat) else
                  _worth(self.sites[site].value))
        return brings, ", ".join(needed)

    def _develop(self) -> tuple[str, ...]:
        site = self.move.place
        more = self.sites[site].value * (self.data["scoring"]["town_multiplier"] - 1)
        return f"+{counted(more, 'point', 'points')}", _("takes settlers")

    def _fortify(self) -> tuple[str, ...]:
        more = self.data["siege"]["fortification_defence"]
        return _costs(self.data["cost"]["fortify"]), _("no raids there, +{defence} defence").format(defence=more)

    def _other_uses(self, used: str) -> tuple[str, ...]:
        """Say what else a location card that gives a transport or settlers could have done."""
        others = [offered(symbol) for symbol in self._card.symbols if symbol != used]
        others += [money_text(self._card.coins)] if self._card.coins else []
        return (_("also {offers}").format(offers=listed(others)),) if len(self._card.offers) > 1 else ()

    def _transport(self) -> tuple[str, ...]:
        first = self.cards[self.position.chosen[0]]
        return self._other_uses(next((way for way, places in first.links if self.position.site in places), ""))

    def _settler(self) -> tuple[str, ...]:
        return self._other_uses("settler")

    # ---- sieges ---------------------------------------------------------------------------------

    def _besiege(self) -> tuple[str, ...]:
        site = self.move.place
        defence, needed = self.state.defence(site), self.data["siege"]["attacker_wins_at"]
        prize = (_("wins the game") if site in home_sites(self.seat) else
                 _("worth {points} to them").format(points=self._value(site, self.position.town[site])))
        return _("defence {defence}: strength {force} takes it").format(defence=defence, force=defence + needed), prize

    def _joined(self, siege: Siege) -> tuple[str, ...]:
        """Say how a siege stands once the card has joined it, and what the card costs."""
        force = strength_at(self._card, self.sites[siege.site])
        lead = siege.lead + (force if siege.attacker == self.seat else -force)
        pay = self.data["cost"]["siege_artillery_when_played_in_a_siege"] if self.move.card in able("siege_pay") else 0
        return (_costs(pay) if pay else "", _("strength {force}").format(force=force),
                _("then {stand}").format(stand=siege_stands(replace(siege, lead=lead))))

    @property
    def _siege(self) -> Siege:
        """The siege that the move is about."""
        siege = self.position.siege_by(self.move.place)
        assert siege is not None
        return siege

    def _reinforce(self) -> tuple[str, ...]:
        return self._joined(self._siege)

    def _strength(self) -> tuple[str, ...]:
        site = self.position.site
        return self._joined(Siege(self.seat, site, -self.state.defence(site)))

    def _leader(self) -> tuple[str, ...]:
        leader = next(card for card in self.mine.hand or () if self.cards[card].kind == "military_leader")
        self.move = Move("leader", leader, self.move.place)
        return (_(FREE), *self._joined(self._siege))

    def _withdraw(self) -> tuple[str, ...]:
        which, site = self._siege.attacker, self._siege.site
        given = any(self.cards[card].site < 0 for card in self._siege.cards[self.seat])
        loss = _("one empire card of the siege is lost") if given else ""
        if which == self.seat:
            return _(FREE), loss
        if site in home_sites(which):
            return _(FREE), _("loses the game")
        return _(FREE), _("{site} is lost").format(site=self.sites[site].name), loss

    def _place(self) -> tuple[str, ...]:
        return (_worth(self._value(self.position.ending, False)),)

    def _leave(self) -> tuple[str, ...]:
        return (_("nobody holds the site then"),)

    # ---- raids, ambushes, conversions -----------------------------------------------------------

    def _raid(self) -> tuple[str, ...]:
        site = self.move.place
        got = self.data["scoring"]["captured_disc" if self.position.town[site] else "captured_cube"]
        return (counted(position_of(self._after()).need, "card", "cards"), f"+{counted(got, 'point', 'points')}",
                _("{chance} unblocked").format(chance=chance_text(raid_succeeds(self.other, site))))

    def _ambush(self) -> tuple[str, ...]:
        cost = self.data["cost"]["native_americans_per_card_in_raid_or_ambush"]
        prey = self._named(able("vulnerable"), self.other)
        return (_costs(cost) if self.move.card in able("use_pay") else "",
                _("{chance} that it costs them {cards}").format(chance=chance_text(ambush_hits(self.other)), cards=prey)
                if prey else _("they have no card to lose"))

    def _named(self, types: frozenset[int], side: SeatPosition) -> str:
        """Name the cards of some types that a side has in hand, deck or reserve."""
        names = dict.fromkeys(self.cards[card].name for card in sorted({*side.unseen, *side.reserve} & types))
        return _(" or ").join(names)

    def _convert(self) -> tuple[str, ...]:
        return (_("{chance} that they hold Native Americans to give").format(
            chance=chance_text(conversion_finds(self.other))),)

    def _block(self) -> tuple[str, ...]:
        return (_("the card is discarded"),
                _("the raid fails") if self.state.phase == "raid_response" else _("the ambush fails"))

    def _allow(self) -> tuple[str, ...]:
        if self.state.phase == "raid_response":
            site = self.position.site
            town = self.position.town[site]
            got = self.data["scoring"]["captured_disc" if town else "captured_cube"]
            lost = _("the town in {site} is captured") if town else _("the village in {site} is captured")
            return (lost.format(site=self.sites[site].name),
                    (_("{points} for the British") if self.seat else _("{points} for the French")).format(
                        points=counted(got, "point", "points")))
        prey = able("vulnerable").intersection((*(self.mine.hand or ()), *self.mine.reserve))
        return (_("a card is lost") if prey else _("the hand is shown, nothing is lost"),)

    def _lose(self) -> tuple[str, ...]:
        return (_("drafting it again costs {price}").format(price=self._card.cost),)

    _return = _lose

    # ---- money and cards ------------------------------------------------------------------------

    def _coins(self) -> list[int]:
        """Return the money of each card of the hand that the action may use, the most first."""
        hand = list(self.mine.hand or ())
        if self.move.card in hand:
            hand.remove(self.move.card)
        return sorted((self.cards[card].coins for card in hand if self._usable(card)), reverse=True)

    def _usable(self, card: int) -> bool:
        return self.cards[card].site < 0 or self.cards[card].site in self.mine.usable

    def _money(self) -> tuple[str, ...]:
        return (f"+{money_text(self._card.coins)}",)

    def _merchant(self) -> tuple[str, ...]:
        most = sum(self._coins()[:self.data["income"]["merchant_max_coin_cards"]])
        return (_("up to +{amount}").format(amount=money_text(most)),)

    def _trader(self) -> tuple[str, ...]:
        furs = sum(self._usable(card) and "fur" in self.cards[card].symbols for card in self.mine.hand or ())
        return (_("up to +{amount} for {furs}").format(
            amount=money_text(furs * self.data["income"]["trader_per_fur_card"]),
            furs=counted(furs, "fur card", "fur cards")),)

    def _piracy(self) -> tuple[str, ...]:
        most = self.data["income"]["piracy"]
        lost = _("{side} lose {amount}").format(side=the_side(1 - self.seat), amount=min(most, self.other.money))
        return f"+{money_text(most)}", lost

    def _draft(self) -> tuple[str, ...]:
        return _("price {price}").format(price=self._card.cost), offer_text(self._card)

    def _pick(self) -> tuple[str, ...]:
        return (offer_text(self._card),)

    def _discard(self) -> tuple[str, ...]:
        return (_("each further card costs {price}").format(
            price=money_text(self.data["cost"]["discard_each_further_card"])),)

    def _reserve(self) -> tuple[str, ...]:
        return (_("{price} to take it back").format(
            price=money_text(self.data["cost"]["retrieve_reserve_per_card"])),)

    def _govern(self) -> tuple[str, ...]:
        after = self._after()
        return _("leaves your deck for good"), _("a second card may follow") if after.phase == "govern" else ""

    def _intendant(self) -> tuple[str, ...]:
        return (_costs(self.data["cost"]["intendant"]),)

    def _retrieve(self) -> tuple[str, ...]:
        reserve = self.mine.reserve
        price = len(reserve) * self.data["cost"]["retrieve_reserve_per_card"]
        return _(FREE), _costs(price), _("brings {cards}").format(cards=codes_text(reserve))

    def _home(self) -> tuple[str, ...]:
        return _(FREE), self._drawn()

    def _also(self) -> tuple[str, ...]:
        """The next card of an action: what it brings or costs by the kind of action."""
        phase, cost = self.state.phase, self.data["cost"]
        if phase == "coins":
            return (f"+{money_text(self._card.coins)}",)
        if phase == "furs":
            return (f"+{money_text(self.data['income']['trader_per_fur_card'])}",)
        price = (cost["discard_each_further_card"] if phase == "discards" else
                 cost["native_americans_per_card_in_raid_or_ambush"]
                 if phase == "raiders" and self.move.card in able("use_pay") else 0)
        return (_costs(price),) if price else ()

    def _end(self) -> tuple[str, ...]:
        return (self._drawn(),)

    def _drawn(self) -> str:
        """Say how many cards are drawn once the move is played: as many as there are, at most (FAS-5.9, 15.12)."""
        after, drawn = self._after(), 0
        while after.phase in ("draw", "home") and after.mover == self.seat:
            after.apply(after.chance_outcomes()[0][0])
            drawn += 1
        return _("draws {cards}").format(cards=counted(drawn, "card", "cards")) if drawn else ""

    def _pass(self) -> tuple[str, ...]:
        return (_("one action is given away"),)


def _costs(price: int) -> str:
    return _("costs {price}").format(price=money_text(price))


def _worth(value: int) -> str:
    return _("worth {points}").format(points=value)
