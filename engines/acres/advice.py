"""Advice on A Few Acres of Snow: costs and odds of a move, the standing of a side, and lessons for a first game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from functools import cache
from math import comb
from typing import TYPE_CHECKING, Any

from sfida.cython_ext.acres.parameters import QUIET_TURNS
from sfida.engines.acres.narration import siege_stands
from sfida.engines.acres.options import Ruleset
from sfida.engines.acres.position import Move, Position, SeatPosition, Siege, decode, position_of
from sfida.engines.acres.style import (
    Card, cards, codes_text, home_sites, money_text, offer_text, offered, sites, strength_at, the_side
)
from sfida.engines.acres.tables import HOME_DRAWS, card_rows, load_data
from sfida.engines.language import N_, _, chance_text, counted, listed, ngettext
from sfida.engines.narration import Lesson, Term

if TYPE_CHECKING:
    from sfida.cython_ext.acres.core import AcresState


# ---- The chance that the other side holds a card, by public information about its hand (17.5)

NATIVES = "natives"


@cache
def able(what: str) -> frozenset[int]:
    """Return the empire card types with an ability of the data, such as "block_raid"."""
    return frozenset(card for card, row in enumerate(card_rows(load_data())) if row.get(what))


def raid_blockers(victim: SeatPosition, site: int) -> frozenset[int]:
    """Return the types that block a raid on a site; its own card only if the victim may use it (FAS-13.8, R-9)."""
    own = {card.number for card in cards() if card.site == site} if site in victim.usable else set()
    return able("block_raid") | own


def no_card_of(side: SeatPosition, types: Collection[int]) -> float:
    """Return the chance that a side's hand holds no card of the given types.

    Parameters
    ----------
    side : SeatPosition
        The side; only public information is read.
    types : collection of int
    """
    if any(card in types for card in side.known):
        return 0.0
    hidden = Counter(side.unseen) - Counter(side.known)
    total, drawn = hidden.total(), side.hand_size - len(side.known)
    wanted = sum(hidden[card] for card in types)
    return comb(total - wanted, drawn) / comb(total, drawn)


def raid_succeeds(victim: SeatPosition, site: int) -> float:
    """Return the chance that nothing blocks a raid."""
    return no_card_of(victim, raid_blockers(victim, site))


def ambush_hits(victim: SeatPosition) -> float:
    """Return the chance that an ambush is not blocked and there is a card to lose (FAS-14.2, 14.3)."""
    blocks, prey = able("block_ambush"), able("vulnerable")
    open_ = no_card_of(victim, blocks)
    return open_ if prey.intersection(victim.reserve) else open_ - no_card_of(victim, blocks | prey)


def conversion_finds(victim: SeatPosition) -> float:
    """Return the chance that there are neutral Native Americans to hand over (FAS-14.7)."""
    wanted = {card.number for card in cards() if card.kind == NATIVES and card.side < 0}
    return 1.0 if wanted.intersection(victim.reserve) else 1.0 - no_card_of(victim, wanted)


# ---- Costs, gains and odds of a move of A Few Acres of Snow, computed from the mover's information only

FREE = N_("free action")


def move_note(state: AcresState, code: int, rules: Ruleset) -> str:
    """Return costs and gains of a legal move; "" if its words say it all."""
    return "; ".join(filter(None, _Noted(state, code, rules).parts()))


class _Noted:
    """A move with the data for its note."""

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
        """Return the transport that the move to a site needs in addition to the linked card; "" for none."""
        return next((name for name, places in self._card.links if self.move.place in places), "")

    def _value(self, site: int, town: bool) -> int:
        """Return the points of a site."""
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
        """Describe the other uses of a location card that gives a transport or settlers."""
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
        """Describe the state of a siege after the card has joined it, and the price of the card."""
        force = strength_at(self._card, self.sites[siege.site])
        lead = siege.lead + (force if siege.attacker == self.seat else -force)
        pay = self.data["cost"]["siege_artillery_when_played_in_a_siege"] if self.move.card in able("siege_pay") else 0
        return (_costs(pay) if pay else "", _("strength {force}").format(force=force),
                _("then {stand}").format(stand=siege_stands(replace(siege, lead=lead))))

    @property
    def _siege(self) -> Siege:
        """The siege of the move."""
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
        """Name the cards of the given types that a side has in hand, deck or reserve."""
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
        """Give the gain or cost of the next card of an action, by the kind of action."""
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
        """Give the number of cards drawn after the move, at most the number available (FAS-5.9, 15.12)."""
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


# ---- The standing of a side in A Few Acres of Snow, in the terms in which its moves are explained

_LAST_PIECES = 3                # a supply of fewer pieces counts in the standing: the game ends when one is empty
_ENDING = ("order", "siege_settle", "siege_loss")       # sieges are decided, and their cards return


def standing(position: Position, seat: int, viewer: int) -> tuple[Term, ...]:
    """Return the standing of a side; it counts the cards that a side owns, which is public, not where they are.

    Parameters
    ----------
    position : Position
        The public position.
    seat, viewer : int
        The cards still to draw are a term only if both are the same seat.
    """
    mine, other, pile = position.seats[seat], position.seats[1 - seat], position.owned(seat)
    falling, home = _falling(position, seat)
    points, hand = mine.points, load_data()["setup"]["hand_size"]
    terms = [
        Term(_("points"), points, _("point")),
        Term(_("home sites about to fall"), falling * home, _("home site about to fall"), good=False),
        Term(_("sites about to fall"), falling * (not home), _("site about to fall"), good=False),
        *_strengths(position, seat),
        Term(ngettext("money", "money", 2), mine.money, ngettext("money", "money", 1)),
        Term(_("siege strength owned"), sum(cards()[card].strength for card in pile)),
        Term(_("cards owned"), len(pile), _("card owned")),
        Term(_("unusable cards"), sum(cards()[card].site >= 0 and cards()[card].site not in mine.usable
                                      for card in pile), _("unusable card"), good=False),
        Term(_("cards in reserve"), len(mine.reserve), _("card in reserve")),
        Term(_("pieces to place until the game ends"), min(mine.villages, mine.towns, _LAST_PIECES),
             _("piece to place until the game ends"), good=points < other.points),
    ]
    if seat == viewer:
        left = mine.deck_size + len(mine.discards)         # both may run out (FAS-5.9)
        terms.append(Term(_("cards to draw"), min(max(0, hand - mine.hand_size), left), _("card to draw")))
    return tuple(terms)


def _falling(position: Position, seat: int) -> tuple[bool, bool]:
    """Return whether the enemy wins a siege of the seat's site unless the seat acts, and whether that ends the game."""
    siege = position.siege_by(1 - seat)
    falls = (siege is not None and position.phase not in _ENDING
             and siege.lead >= load_data()["siege"]["attacker_wins_at"])
    return falls, siege is not None and falls and siege.site in home_sites(1 - seat)


def _strengths(position: Position, seat: int) -> list[Term]:
    """Return the strength of the seat's cards in each undecided siege."""
    if position.phase in _ENDING:
        return []
    table = sites(position.every_ship)
    return [Term(_("strength at {site}").format(site=table[siege.site].name),
                 sum(strength_at(cards()[card], table[siege.site]) for card in siege.cards[seat]))
            for siege in position.sieges]


# ---- A first game of A Few Acres of Snow: an introduction, and advice on each kind of decision

# Title, clause and text by kind of decision; `_numbers` inserts the numbers of the data and the options.
LESSONS = {
    "pick": (N_("The card that the French choose"), "FAS-4.5", N_("""\
The French start with one more empire card of their choice, free of charge; it goes into the deck before the hands
are dealt. Coureurs de Bois (CB) raid, ambush and block both; Home Support (HS) draws {home_draws} cards as a free
action; Regular Infantry (RI) has strength 2 in sieges. Type the number of the line, or the card's code.""")),
    "main": (N_("Your actions"), "FAS-5", N_("""\
Play {actions} ({first} in your first turn); free actions come on top. Look for money (money, merchant, trader), free
sites of good value (settle), and villages to make towns (develop): these bring most points. Then draft settlers,
strength for sieges, cards that block raids.

After a site's code stand its owner (B, F), 1 for a village or 2 for a town, its value, and * if it takes settlers.
Type a number, a move (money BOS) or a verb alone to see its moves; most actions then ask for more cards.""")),
    "end": (N_("The end of a turn"), "FAS-5.7", N_("""\
Your actions are spent. 'end' ends the turn, and you draw until you hold {hand} cards. Before that you may still
play free actions: Home Support (home), a Military Leader into a siege (leader), taking your reserve back
(retrieve), or giving up a siege (withdraw). Cards that you keep are held for the enemy's turn: one that blocks
raids or ambushes is worth keeping.""")),
    "attacking": (N_("A siege of yours"), "FAS-11", N_("""\
You besiege a site. It is yours if you lead by {attacker} or more when your turn begins, and lost if the enemy leads
by {defender} or more when theirs begins. 'reinforce' adds one card for an action; a Military Leader is a free
action. The status line says who leads and what is missing. The enemy has one turn to answer each of yours, so keep
strength in hand or in the reserve. Whoever loses a siege returns an empire card from it.""")),
    "defending": (N_("A site of yours is besieged"), "FAS-12", N_("""\
The enemy wins if they lead by {attacker} or more when their turn begins; you win if you lead by {defender} or more
when yours begins. So before you do anything else, see whether they lead by {attacker} now: if they do, 'reinforce'
until they do not, or lose the site with its points. Fortification cards help the defender only; ships count at
sites marked ~. The card of the besieged site cannot be used.{surrender}""")),
    "transport": (N_("Which card travels"), "FAS-7.2", N_("""\
The site is reached by boat, wagon or ship, and the question says which. Play one more card that offers it; the list
holds all that do, with what else each of them offers. Every card has one use at a time, so keep the cards with
settlers or money if another one can travel. It goes to your discard pile and comes back with the next shuffle. Type
its number or its code, such as BOS.""")),
    "settler": (N_("Which card brings the settlers"), "FAS-7.2", N_("""\
Sites marked * take settlers, and so does every town. Play one more card that offers them: {settlers_british} for
the British, {settlers_french} for the French, or a Settlers card (SE, SEn) that was drafted. With it the action is
complete, and all its cards go to the discard pile. Type its number or its code.""")),
    "strength": (N_("The card that begins the siege"), "FAS-10", N_("""\
The card goes into the siege and stays there until it ends. The site begins with a defence of {intrinsic}, more in
strong places, and {fort} more with a fort. You need a lead of {attacker} when your next turn begins, and the enemy
can add cards before. So begin with your strongest card if it wins, and do not begin with one that cannot be
followed up. The list says how the siege stands with each card.""")),
    "raiders": (N_("Which cards raid"), "FAS-13", N_("""\
A raid goes one site for each card{bonus}, along rivers, lakes, roads and Indian trails, not by sea. At least one
card must be a raider: Native Americans, Rangers or Coureurs de Bois; Priests and the Indian Leader only make it
longer. Native Americans cost {natives} each. The cards are spent even if the raid is blocked. Type the number or
the code of each.""")),
    "coins": (N_("The merchant's cards"), "FAS-15.2", N_("""\
You trade by ship: choose the cards whose money you take, up to {coins} of them. The ship card's own money does not
count. So travel with a ship card of little use, and then play your richest cards. Type the number or the code of a
card; 'done' stops.""")),
    "furs": (N_("The trader's furs"), "FAS-15.3", N_("""\
Each location card with furs that you play now brings {fur}. Play as many as you do not need for something
else this turn; you draw up to {hand} cards at its end, so a big sale also brings new cards. 'done' stops.""")),
    "discards": (N_("More cards to discard?"), "FAS-15.6", N_("""\
The first card was free; each further one costs {further}. Discarding makes room for new cards at the end of
the turn, when you draw up to {hand}. Let go what you cannot use now; cards of lost sites are marked 'not usable' in
your hand. 'done' stops.""")),
    "govern": (N_("The Governor's second card"), "FAS-15.9", N_("""\
The Governor returns one or two cards from your hand to where they came from: they leave your deck, and you draw
your good cards more often. You keep the village or town of a location card that goes. Weak cards, and those of lost
sites, should go. Choose a second card, or 'done'.""")),
    "order": (N_("Two sieges won"), "FAS-11", N_("""\
You have won both sieges, the attack and the defence, and choose which one is resolved first. If the defence comes
first, the card of the site that you kept can be used again, for instance as settler for the site that you took.""")),
    "siege_settle": (N_("A site taken"), "FAS-11.6", N_("""\
The enemy's piece is captured and scores for you ({cube} points for a village, {disc} for a town). Now you may place
a village of your own there, and get the card of the site. Where the site is marked * that takes a card with
settlers from your hand, but no action. If you leave the site, nobody holds it and anybody may settle it.""")),
    "siege_loss": (N_("The price of a lost siege"), "FAS-11.12", N_("""\
You lost a siege, and one of your empire cards in it leaves your deck: it can be drafted again for its price. All
others go to your discard pile. So give up the card that is cheapest to get back or that you need least. Type its
number, or such as 'lost MI'.""")),
    "raid_response": (N_("A raid on you"), "FAS-13.8", N_("""\
If you do not block, the enemy captures the piece: a village scores {cube} points for them and the site becomes
neutral; a town scores {disc} and becomes a village, or neutral if you have no village left to place. You block by
discarding a card that blocks raids, or the card of the raided site; it costs no money, and the raiders' cards are
spent. 'x FO' blocks with FO, 'allow' does not. You are asked even if you hold no such card, so that the enemy
cannot tell.""")),
    "ambush_response": (N_("An ambush"), "FAS-14", N_("""\
If you do not block, you lose a card with the ambush sign from your hand or reserve (Regular Infantry, Siege
Artillery, British Militia); without one you only show your hand. Native Americans, Rangers, Coureurs de Bois and
French Militia block, free of charge. 'x RG' blocks with RG, 'allow' does not. You are asked even if you hold no
such card.""")),
    "ambush_loss": (N_("A card lost to the ambush"), "FAS-14.3", N_("""\
One of your cards that may be ambushed leaves your deck, from your hand or your reserve; it can be drafted again for
its price. Choose the one that you miss least: cheap Militia before Infantry, and Artillery last. Without such a
card you show your hand, and lose nothing. Type the number, or such as 'hit MI hand'.""")),
    "give_zone": (N_("Native Americans change sides"), "FAS-14.7", N_("""\
A Priest or the Indian Leader makes you hand over one neutral Native Americans card (NAn). If you hold one in your
hand and one in your reserve, you choose which; a card in the hand could have blocked a raid or an ambush this turn.
Without one you show your hand. It cannot be blocked.""")),
}


def introduction(rules: Ruleset) -> str:
    """Return the introduction to the game for a new player."""
    data = load_data()
    setup, scoring = data["setup"], data["scoring"]
    homes = {side: _(" or ").join(site.name for site in sites() if site.id in names)
             for side, names in setup["victory_siege_targets"].items()}
    if rules.settling_victory_target_wins:
        aim = _("Win the siege of {quebec} (British) or of {boston} (French), or settle it, and you win at once; else "
                "points decide, and a tie is French.")
    else:
        aim = _("Win the siege of {quebec} (British) or of {boston} (French) and you win at once; else points decide, "
                "and a tie is French.")
    ends = [_("no villages or no towns left to place while there is no siege") if rules.supply_end_needs_no_siege else
            _("no villages or no towns left to place"),
            (_("{points} captured points while there is no siege") if rules.capture_end_needs_no_siege else
             _("{points} captured points")).format(points=scoring["capture_points_to_end"])]
    end = (_("The game ends when a side begins its turn with {pieces}, or with {captured}, or after {turns} turns in "
             "which no village or town was placed or lost.")
           if rules.max_turns is None else
           _("The game ends when a side begins its turn with {pieces}, or with {captured}, or after {turns} turns."))
    return "\n\n".join((
        aim.format(quebec=homes["british"], boston=homes["french"]),
        _("A turn is {actions} actions ({first} in your first), then you draw up to {hand} cards. Actions take cards: "
          "those of your sites, to settle, besiege and get money, or empire cards, which you draft. What you use or "
          "gain goes to your discards, which become the next deck: you build the deck that you draw from.").format(
              actions=setup["turn_actions"], first=setup["first_turn_actions"], hand=setup["hand_size"]),
        _("Points: the value of each site with a village of yours, {times} that with a town; {cube} for a captured "
          "village, {disc} for a town.").format(times=_times(scoring["town_multiplier"]), cube=scoring["captured_cube"],
                                                disc=scoring["captured_disc"])
        + " " + end.format(pieces=ends[0], captured=ends[1], turns=rules.max_turns or QUIET_TURNS),
        _("BOS is Boston, the site and its card: 'cards' has all codes, '?' the signs.")))


def _times(factor: int) -> str:
    return _("twice") if factor == 2 else _("{factor} times").format(factor=factor)


def lesson(position: Position, seat: int, rules: Ruleset) -> Lesson | None:
    """Return the lesson for a new player on the decision of a seat."""
    key = _key(position, seat)
    if key not in LESSONS:
        return None
    title, rule, text = LESSONS[key]
    return Lesson(key, _(title), " ".join(_(text).replace("\n\n", "\0").split()).replace("\0", "\n\n")
                  .format(**_numbers(rules)), rule)


def _key(position: Position, seat: int) -> str:
    """Return the kind of decision: the phase, except that the actions of a turn differ by sieges and actions left."""
    if position.phase != "main":
        return position.phase
    if position.siege_by(1 - seat):
        return "defending"
    if position.siege_by(seat):
        return "attacking"
    return "main" if position.actions_left else "end"


def _settlers(seat: int) -> list[str]:
    """Return the codes of the location cards of a first deck that offer settlers."""
    rows = load_data()["cards"]["location_cards"]
    return [card.code for card, row in zip(cards(), rows, strict=False)
            if card.side == seat and row["deck"] == "initial" and "settler" in card.symbols]


def _numbers(rules: Ruleset) -> dict[str, Any]:
    data = load_data()
    setup, siege, cost = data["setup"], data["siege"], data["cost"]
    return {
        "actions": counted(setup["turn_actions"], "action", "actions"), "first": setup["first_turn_actions"],
        "hand": setup["hand_size"], "home_draws": HOME_DRAWS,
        "bonus": _(" and one more") if rules.raid_range_bonus else "",
        **{f"settlers_{side}": listed(_settlers(seat)) for seat, side in enumerate(("british", "french"))},
        "attacker": siege["attacker_wins_at"], "defender": siege["defender_wins_at"],
        "intrinsic": siege["intrinsic_defence"], "fort": siege["fortification_defence"],
        "surrender": _(" You may also surrender the site.") if rules.defender_may_surrender else "",
        "natives": money_text(cost["native_americans_per_card_in_raid_or_ambush"]),
        "further": money_text(cost["discard_each_further_card"]),
        "coins": data["income"]["merchant_max_coin_cards"],
        "fur": money_text(data["income"]["trader_per_fur_card"]),
        "cube": data["scoring"]["captured_cube"], "disc": data["scoring"]["captured_disc"],
    }
