"""Advice on Zarahemla: costs, yields and odds of a move, how a seat stands, and lessons for a first game.

Braces in the texts stand for values that depend on the options; `_values` returns these values.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from sfida.cython_ext.zarahemla.parameters import STATION_NAMES
from sfida.engines.language import N_, _, chance_text, counted, listed, names_codes, percentage, pgettext
from sfida.engines.narration import Lesson, Term
from sfida.engines.zarahemla.map import board, hexes_at, next_to, stations_at
from sfida.engines.zarahemla.options import Ruleset
from sfida.engines.zarahemla.position import Move, Position, decode, encode, position_of
from sfida.engines.zarahemla.style import (
    RESOURCES, card_names, cards_text, costs, pips, ratio, resource_letters, resource_noun
)
from sfida.engines.zarahemla.tables import CARD_IDS, corners_of_edge, load_data, ruleset_of

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState


# ---- The standing of a seat: points, income, places to build, cards

WORTH = {"settlement": 1, "city": 2}        # cards per harvest of a hex (ZAR-6)


class YieldingHex(NamedTuple):
    """A hex with a yield: its terrain and its token."""

    terrain: str
    token: int


def yields_at(position: Position, corner: int) -> list[YieldingHex]:
    """Return the hexes at a corner that yield something now; the robber's hex yields nothing (ZAR-7.12)."""
    return [YieldingHex(position.terrain[number], position.numbers[number]) for number in hexes_at()[corner]
            if position.numbers[number] and number != position.robber]


def open_sites(position: Position, corners: Collection[int]) -> set[int]:
    """Return the given corners that are free and keep the distance (ZAR-8.4)."""
    taken = {corner for corner, _owner, _kind in position.buildings}
    return {corner for corner in corners if corner not in taken and not next_to()[corner] & taken}


def reached(position: Position, seat: int) -> tuple[set[int], set[int]]:
    """Return corners for a settlement: those at a seat's roads, and those that one more road would reach."""
    ends = {corner for edge, owner in position.roads if owner == seat for corner in corners_of_edge()[edge]}
    blocked = {corner for corner, owner, _kind in position.buildings if owner != seat}
    laid = {edge for edge, _owner in position.roads}
    further = {corner for edge, two in enumerate(corners_of_edge()) if edge not in laid
               for corner, start in (two, two[::-1]) if start in ends - blocked}
    return open_sites(position, ends), open_sites(position, further - ends)


def standing(state: ZarahemlaState, seat: int, viewer: int, rules: Ruleset) -> tuple[Term, ...]:
    """Return the standing of a seat: public information, and every card of the viewer's own hand.

    Parameters
    ----------
    state : ZarahemlaState
        A world that is possible for the viewer.
    seat, viewer : int
    rules : Ruleset
    """
    position = position_of(state)
    one = position.seats[seat]
    yields = state.income(seat)
    now, further = reached(position, seat)
    known = state.dev_cards(seat)[0] if seat == viewer else None
    secret = 0 if known is None else known[CARD_IDS.index("victory_point")] * load_data()["scoring"]["vp_card"]
    risk = one.hand_size // 2 if one.hand_size > rules.discard_limit and position.phase != "discard" else 0
    terms = [Term(_("points"), one.points + secret, _("point")),
             Term(_("cards in 36 rolls"), sum(yields), _("card in 36 rolls"))]
    terms += [Term(_("{resource} supply").format(resource=resource_noun(name)), float(n > 0))
              for name, n in zip(RESOURCES, yields, strict=True)]
    owned = {stations_at()[corner] for corner, owner, _kind in position.buildings
             if owner == seat and corner in stations_at()}
    kinds = {position.stations[number][1] for number in owned}
    terms += [Term(_station(kind), float(kind in kinds)) for kind in STATION_NAMES]
    terms += [Term(_("places to settle"), len(now), _("place to settle")),
              Term(_("places to settle one road away"), len(further), _("place to settle one road away")),
              Term(_("roads in a row"), one.road_length, _("road in a row")),
              Term(_("Warriors played"), one.warriors, _("Warrior played")),
              Term(_("temple stones"), one.stones, _("temple stone")),
              Term(_("development cards"), one.card_count, _("development card"))]
    if seat == viewer:
        terms += [Term(resource_noun(name, 2), n, resource_noun(name))
                  for name, n in zip(RESOURCES, state.hand(seat), strict=True)]
    else:
        terms.append(Term(_("cards in hand"), one.hand_size, _("card in hand")))
    terms.append(Term(_("cards that a seven would cost"), risk, _("card that a seven would cost"), good=False))
    return tuple(terms)


def _station(kind: str) -> str:
    if kind == "any":
        return _("trading station ({ratio}:1)").format(ratio=ratio(kind))
    return _("trading station ({ratio}:1 for {resource})").format(ratio=ratio(kind), resource=resource_noun(kind))


# ---- Notes: yields, prices and odds, from the mover's information

BUILT = {"settle": "settlement", "city": "city", "road": "road", "buy_dev": "dev_card", "temple_stone": "temple_stone"}
PRICED = ("buy_dev", "temple_stone")    # moves whose price the groups of the list do not show
ROLLS = 36                              # equally likely rolls of two dice
_SEVEN = 7
_WANTED = ("stripling_warrior", "victory_point")      # development cards whose odds are shown
_SITES = 2                              # most corners in a note
_WARRIORS = (N_("your 1st Warrior"), N_("your 2nd Warrior"), N_("your 3rd Warrior"))


def move_note(state: ZarahemlaState, code: int) -> str:
    """Return costs and gains of a legal move; "" if its words say it all."""
    move = decode(code)
    position = position_of(state)
    parts = [_NOTES[move.kind](state, position, move)] if move.kind in _NOTES else []
    if move.kind in PRICED:
        parts.append(_("costs {cost}").format(cost=cost_text(move.kind)))
    return "; ".join(filter(None, parts))


def cost_text(kind: str) -> str:
    """Return the price of a kind of move, such as "1 wood and 1 brick"."""
    return cards_text(costs()[BUILT[kind]])


def _after(state: ZarahemlaState, *moves: Move) -> ZarahemlaState:
    """Return the position after some moves."""
    after = state.clone()
    for move in moves:
        after.apply(encode(move.kind, move.arg))
    return after


def _got(before: ZarahemlaState, after: ZarahemlaState, seat: int) -> list[int]:
    """Return the change in a seat's number of cards of each resource."""
    return [new - old for old, new in zip(before.hand(seat), after.hand(seat), strict=True)]


# ---- places -------------------------------------------------------------------------------------------


def _settle(state: ZarahemlaState, position: Position, move: Move) -> str:
    """Describe the yield of a settlement, and its immediate cards in the preset `catan` (ZAR-4.9)."""
    got = [max(0, n) for n in _got(state, _after(state, move), int(state.to_move))]
    at_once = _("{cards} at once").format(cards=cards_text(got)) if any(got) else ""
    return "; ".join(filter(None, (corner_text(position, move.arg), at_once)))


def _corner(state: ZarahemlaState, position: Position, move: Move) -> str:
    return corner_text(position, move.arg)


def corner_text(position: Position, corner: int) -> str:
    """Describe a corner: its yield with the number of rolls out of 36, the blocked yield, and its station's rate."""
    found = yields_at(position, corner)
    kept = yields_at(replace(position, robber=-1), corner)
    for field in found:
        kept.remove(field)              # two hexes may be equal
    parts = [_("{yields}: {chances} of {rolls}").format(yields=_fields_text(found), chances=_chances(position, corner),
                                                        rolls=ROLLS) if found else _("yields nothing")]
    if kept:
        parts.append(_("the robber stops {yields}").format(yields=_fields_text(kept)))
    if corner in stations_at():
        kind = position.stations[stations_at()[corner]][1]
        parts.append(_("station {ratio}:1").format(ratio=ratio(kind)) if kind == "any" else
                     _("station {ratio}:1 {resource}").format(ratio=ratio(kind), resource=resource_noun(kind)))
    return "; ".join(parts)


def _fields_text(fields: Sequence[YieldingHex]) -> str:
    return ", ".join(_("{resource} on {token}").format(resource=resource_noun(field.terrain),
                                                       token=field.token) for field in fields)


def _road(state: ZarahemlaState, position: Position, move: Move) -> str:
    """Name the corners for a settlement that a road reaches, or else those that are then one road away."""
    seat = int(state.to_move)
    now, further = reached(position, seat)
    longer = replace(position, roads=(*position.roads, (move.arg, seat)))
    then, beyond = reached(longer, seat)
    if then - now:
        corner = min(then - now)
        said = _("reaches {corner}: {yields}") if names_codes() else _("reaches a place with {yields}")
        return said.format(corner=corner, yields=corner_text(position, corner))
    ends = set(corners_of_edge()[move.arg])
    fresh = sorted((corner for corner in beyond - further - now if _touches(corner, ends)),
                   key=lambda corner: (-_chances(position, corner), corner))
    if not fresh:
        return _("towards no place for a settlement")
    said = _("{corner} ({chances} of {rolls})") if names_codes() else _("a place with {chances} of {rolls}")
    named = [said.format(corner=corner, chances=_chances(position, corner), rolls=ROLLS)
             for corner in fresh[:_SITES]]
    return _("towards {corners}").format(corners=listed(named))


def _touches(corner: int, ends: set[int]) -> bool:
    return any(corner in edge.corners and ends & set(edge.corners) for edge in board().edges)


def _chances(position: Position, corner: int) -> int:
    """Return the number of rolls, out of 36, in which a corner yields something (ZAR-6.3)."""
    return sum(map(pips, {field.token for field in yields_at(position, corner)}))


# ---- chance -------------------------------------------------------------------------------------------


def _roll(state: ZarahemlaState, position: Position, move: Move) -> str:
    """Describe the average gain of a roll, given the cards in the bank, and the cost of a seven."""
    seat, rolled, brings = int(state.to_move), _after(state, move), 0
    for outcome, weight in rolled.chance_outcomes():
        brings += weight * max(0, sum(_got(state, _after(rolled, decode(outcome)), seat)))
    text = _("brings {cards:.1f} cards on average").format(cards=brings / ROLLS)
    size = position.seats[seat].hand_size
    if size > ruleset_of(state).discard_limit:
        text += "; " + _("a seven (1 in 6) takes {cards}").format(cards=size // 2)
    return text


def _draw(state: ZarahemlaState, position: Position, move: Move) -> str:
    return card_odds(state, int(state.to_move))


def card_odds(state: ZarahemlaState, seat: int) -> str:
    """Give a seat's odds of the next card (ZAR-17.7, 17.8), in percentages that add up to 100."""
    odds = state.draw_odds(seat)
    wanted = [percentage(odds[CARD_IDS.index(name)]) for name in _WANTED]
    rest = sum(chance for name, chance in zip(CARD_IDS, odds, strict=True) if name not in _WANTED)
    others = max(1, 100 - sum(wanted)) if rest else 0
    names = [*(card_names()[name] for name in _WANTED), pgettext("zarahemla", "others")]
    return ", ".join(f"{name} {share} %" for name, share in zip(names, [*wanted, others], strict=True))


def _steal(state: ZarahemlaState, position: Position, move: Move) -> str:
    """Give the odds of the stolen card, by the mover's information on the victim's hand (ZAR-7.9)."""
    size = position.seats[move.arg].hand_size
    worlds = state.hand_worlds(int(state.to_move))
    if worlds is None:
        return counted(size, "card", "cards")
    odds = [sum(weight * hands[move.arg][kind] / size for weight, hands in worlds) for kind in range(len(RESOURCES))]
    parts = [f"{resource_noun(RESOURCES[kind])} {chance_text(odds[kind])}"
             for kind in sorted(range(len(odds)), key=lambda k: -odds[k]) if odds[kind] > 0]
    return ", ".join(parts)


def _robber(state: ZarahemlaState, position: Position, move: Move) -> str:
    """Name the seats whose harvest the robber would stop, with their harvests and hand sizes."""
    seat = int(state.to_move)
    parts = []
    for other, cards in sorted(harvest(position, move.arg).items()):
        if other == seat:
            said = _("you get {cards} in {rolls} there") if cards else _("you have built there")
        else:
            said = (_("{name} gets {cards} in {rolls} there, holds {hand}") if cards else
                    _("{name} has built there, holds {hand}"))
        parts.append(said.format(
            name=_name(state, other), cards=cards, rolls=ROLLS,
            hand=counted(position.seats[other].hand_size, "card", "cards")))
    return "; ".join(parts) or _("nobody has built there")


def harvest(position: Position, number: int) -> dict[int, int]:
    """Return the cards in 36 rolls that a hex brings to each seat that has built there, without a robber."""
    found: dict[int, int] = {}
    for corner, owner, kind in position.buildings:
        if corner in board().hexes[number].corners:
            found[owner] = found.get(owner, 0) + WORTH[kind] * pips(position.numbers[number])
    return found


# ---- development cards --------------------------------------------------------------------------------


def _warrior(state: ZarahemlaState, position: Position, move: Move) -> str:
    """Describe the card's effect: the Largest Army, the end of the game, or a robbery (ZAR-7.7, 10.6)."""
    seat, after = int(state.to_move), _after(state, move)
    number = position.seats[seat].warriors
    parts = [_(_WARRIORS[number]) if number < len(_WARRIORS) else
             _("your {number}th Warrior").format(number=number + 1)]
    if position_of(after).seats[seat].largest_army and not position.seats[seat].largest_army:
        parts.append(_("takes the Largest Army"))
    if after.is_over:
        parts.append(_("wins the game"))
    else:
        robs = any(_after(after, decode(code)).phase == "steal" for code in after.legal_moves())
        parts.append(_("move the robber and steal a card") if robs else
                     _("move the robber; nobody can be robbed"))
    return ": ".join((parts[0], ", ".join(parts[1:])))


def _prosperity(state: ZarahemlaState, position: Position, move: Move) -> str:
    """Give the number of cards of a resource in the other hands, known from the bank and the own hand (ZAR-17.4)."""
    taken = state.others_hold(int(state.to_move))[move.arg]
    return _("the others hold {cards}").format(cards=taken)


def _liahona(state: ZarahemlaState, position: Position, move: Move) -> str:
    after = _after(state, move)
    if move.arg + 2 == _SEVEN:
        return (_("the robber moves, and hands that are too big lose half") if after.phase == "discard" else
                _("the robber moves"))
    gains = []
    for seat in range(state.players):
        cards = _got(state, after, seat)
        if any(cards):
            own = seat == state.to_move
            text = _("you get {got}") if own else _("{name} gets {got}")
            gains.append((not own, text.format(name=_name(state, seat), got=cards_text(cards))))
    return ", ".join(text for _other, text in sorted(gains)) or _("nobody gets anything")


# ---- trade --------------------------------------------------------------------------------------------


def _offer(state: ZarahemlaState, position: Position, move: Move) -> str:
    return _("offer {number} of {most} in a turn").format(number=position.offers_made + 1,
                                                          most=ruleset_of(state).trade_max_offers_per_turn)


def _name(state: ZarahemlaState, seat: int) -> str:
    return str(state.game.seat_name(seat))


_NOTES: Mapping[str, Callable[[ZarahemlaState, Position, Move], str]] = {
    "settle": _settle, "city": _corner, "choose_start": _corner, "road": _road, "roll": _roll, "buy_dev": _draw,
    "steal_from": _steal, "move_robber": _robber, "play_warrior": _warrior, "play_prosperity": _prosperity,
    "play_liahona": _liahona, "trade_open": _offer,
}


# ---- A first game of Zarahemla: an introduction, and a lesson for each kind of decision

_PLAYS = ("play_warrior", "play_prosperity", "play_harvest", "play_road_building", "play_temple_building")
_TURN = (("liahona", ("play_liahona",)), ("card", _PLAYS), ("stone", ("temple_stone",)), ("city", ("city",)),
         ("settlement", ("settle",)), ("buying", ("buy_dev",)), ("bank", ("bank_trade",)))

INTRODUCTION = N_("""\
You settle a new land, and win with {target} points in your own turn. A settlement is worth {settlement}, a city
{city}, some development cards {point_card} each. {longest_road} points go to whoever leads in {races}.

In a turn you roll two dice. Every hex with that number gives a card to each settlement at its corners, and two to
each city. You trade these cards and build {things}. The dots beside a number are its chances out of 36.

On a seven nobody gets anything: hands of more than {limit} cards lose half, and whoever rolled moves the robber, who
stops the harvest of one hex, and steals a card.""")

LESSONS = {                             # by kind of decision: title, clause, text
    "init_settlement": (N_("A starting settlement"), "ZAR-4.4", N_("""\
You start with {starting} settlements. Each goes to a corner {site}, with no settlement one path away. A corner gives
cards of the hexes around it. Count the dots: ten or more is good, and so are different resources and numbers. Wood
and brick make roads and settlements, wheat and stone cities.

Type the number of a corner as the board shows it, such as 23 (or S23).""")),
    "init_road": (N_("The road beside it"), "ZAR-4.5", N_("""\
Each settlement comes with a road, along one of the paths at its corner. Lead it to where you want to settle next:
that is at least two paths away, so look at the corners beyond the next one.

Type the number of the corner where the road ends, or both corners, such as R23-29.""")),
    "init_choose": (N_("The first cards"), "ZAR-4.7", N_("""\
One of your settlements gives you your first cards: one for each hex around it. Wood and brick bring a road at once;
with water and wheat as well you can soon build a settlement.

Type the number of the corner where that settlement stands, such as 23 (or G23).""")),
    "pre_roll": (N_("A turn begins"), "ZAR-5.1", N_("""\
A turn begins with the dice. Before them you may play a development card{stones_before}; everything else waits until
they have fallen. A Warrior before the dice drives the robber off a hex of yours in time for the harvest.

Type roll.""")),
    "main": (N_("Trading and building"), "ZAR-5.3", N_("""\
After the dice you trade and build in any order, as often as your cards allow. A road costs {road_cost}; cards shows
you what everything costs. If you lack a card, swap with the bank, {bank_ratio} equal ones for one{trade}.

build, trades and plays list what you can do. R23-29 builds a road{offer_line}, end passes the dice on.""")),
    "settlement": (N_("A new settlement"), "ZAR-8.4", N_("""\
You can build a settlement for {settlement_cost}. It is worth {settlement} point, gives cards of up to three hexes,
and at a station on the shore it makes trades with the bank cheaper. It needs a road of yours and no neighbour one
path away, so good places are soon taken. Prefer resources that you do not get yet.

Type the number of the corner, such as 23 (or S23); build lists the places with what they yield.""")),
    "city": (N_("A city"), "ZAR-8.5", N_("""\
A settlement of yours can become a city for {city_cost}. It is worth {city} points instead of {settlement}, and each
hex gives it two cards instead of one. Choose the settlement with the most dots, above all on wheat and stone, which
pay for the next city. The settlement goes back to you and can be built elsewhere.

Type the number of its corner, such as 23 (or C23).""")),
    "buying": (N_("Buying a development card"), "ZAR-10.1", N_("""\
You can buy a development card for {card_cost}. Of the {deck} cards {warriors} are Warriors, who move the robber, and
{point_cards} are worth {point_card} point each. {playable} The others do not see what you draw; points stay secret
until they win.

Type D; cards shows you what each card does.""")),
    "card": (N_("Playing a development card"), "ZAR-10.3", N_("""\
You hold a development card that can be played: one in a turn, before or after the dice. A Warrior pays most when the
robber stands on a hex of yours, or when a leader has a hex to lose. Whoever is first to play {army} has the Largest
Army. Prosperity pays when the others hold much of one resource.

plays lists what you can do: W is a Warrior, P:g Prosperity for wheat, H:wb Bountiful Harvest with wood and brick, RB
Road Building{temple_building}.""")),
    "liahona": (N_("The Liahona"), "ZAR-10.11", N_("""\
You hold a Liahona: instead of rolling, name the total of the dice. It is the one card of your turn. Name the number
that gives you the most, or seven to move the robber; or keep it until a number brings just what you lack.

Type L8 for a total of eight; plays shows what each number brings. Or type roll.""")),
    "stone": (N_("A stone for the temple"), "ZAR-11.2", N_("""\
You can place a temple stone for {stone_cost}. A stone alone is worth nothing, but the first player with {temple},
and later whoever has more than the holder, gets {temple_points} points. It pays as a race that you can win, so look
at the stones of the others.

Type T.""")),
    "bank": (N_("Trading with the bank"), "ZAR-12.1", N_("""\
You have enough equal cards to trade with the bank: {bank_ratio} for one of your choice, {generic_ratio} with a
building at a station for everything, {special_ratio} at the station of that resource. It is dear, so do it for the
card that completes a building, or when you hold more than {limit} cards and a seven would take half of them.

trades lists what you can do; B{bank_ratio}w>s is {bank_ratio} wood for a stone. Letters: {letters}.""")),
    "discard": (N_("Too many cards"), "ZAR-7.2", N_("""\
After a seven whoever has more than {limit} cards gives half of them to the bank. Keep what completes your next
building, and give what you have most of.

Type all of them at once, such as -wwa for two wood and a water, or one at a time. Letters: {letters}.""")),
    "robber": (N_("Moving the robber"), "ZAR-7.5", N_("""\
You move the robber to another hex with a number{hideout}. While it is there the hex yields nothing, and you steal a
card from a player who has built at it. Choose a hex with many dots where the leader has built and you have not; the
list says what each player gets there.

Type the number of the hex as the board shows it: 12 or h12.""")),
    "steal": (N_("Whom to rob"), "ZAR-7.7", N_("""\
You steal a card at random from a player who has built at the robber's hex. Take from whoever is closest to winning,
or from the hand that probably holds what you lack; the list gives the odds as far as you can know them.

Type the colour, such as blue, or the number in the list.{decline}""")),
    "take": (N_("Bountiful Harvest"), "ZAR-10.8", N_("""\
Bountiful Harvest: take two cards of your choice from the bank, equal or different, and use them at once if you like.
Take what completes a building in this turn.

Type one resource after the other, in full or by its letter: {letters}.""")),
    "free_roads": (N_("Two free roads"), "ZAR-10.9", N_("""\
Road Building: place two roads free of charge, one after the other. Each joins your roads or buildings. They reach a
new place for a settlement, close a gap between your roads, or win the Longest Road, which takes {road} in a row.

Type a road by its two corners, such as R23-29, or its number in the list.""")),
    "offer": (N_("Making an offer"), "ZAR-13.9", N_("""\
You make an offer: first the cards that you give, then those that you want, {side} on each side.{gifts} The others
accept or refuse{counter}, and you pick a partner or none. You may make {offers} in a turn. Offer what others lack,
and do not help whoever is ahead.

Type the number of each card in the list, then done. In one line, ?2w/1s offers two wood for a stone. Letters:
{letters}.""")),
    "trade_respond": (N_("Answering an offer"), "ZAR-13.10", N_("""\
Another player offers you a trade: what they give would come to you, what they want would leave your hand. They pick
among the answers. Accept if the cards bring you a building sooner than they bring them one; be careful with a player
who is close to winning.

Type yes or no.{counter_line}""")),
    "counter": (N_("A counter-offer"), "ZAR-13.10", N_("""\
You answer with an offer of your own: first the cards that you would give, then those that you want, {side} on each
side. The player on turn may take it instead of their own.

Type the number of each card in the list, then done. In one line, !2b/3s gives two brick for three stone. Letters:
{letters}.""")),
    "trade_pick": (N_("Picking a partner"), "ZAR-13.11", N_("""\
The others have answered your offer: choose with whom to trade, if at all.{countered} A partner who is far from
winning is best.

Type the colour, such as blue, or nodeal.""")),
}


def introduction(rules: Ruleset) -> str:
    """Return the introduction to the game with its options."""
    return _filled(_(INTRODUCTION), rules)


def lesson(state: ZarahemlaState, rules: Ruleset) -> Lesson:
    """Return the lesson of the decision of the seat to move."""
    key = _key(state)
    title, rule, text = LESSONS[key]
    return Lesson(key, _(title), _filled(_(text), rules), rule)


def _key(state: ZarahemlaState) -> str:
    phase = str(state.phase)
    if phase == "trade_compose":
        return "offer" if state.to_move == state.seat_on_turn else "counter"
    # The first turn of each seat is explained as a whole, later turns by their legal moves.
    if phase not in ("main", "pre_roll") or position_of(state).turns < state.players:
        return phase
    kinds = {decode(code).kind for code in state.legal_moves()}
    return next((key for key, members in _TURN if kinds & set(members)), phase)


def _filled(text: str, rules: Ruleset) -> str:
    """Return a text with its values, one line for each paragraph."""
    paragraphs = text.format_map(_values(rules)).split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _values(rules: Ruleset) -> dict[str, object]:
    """Return the values for the braces of the texts."""
    data = load_data()
    worth, ratios = data["scoring"], data["station_types"]
    least = {row["id"]: row["minimum"] for row in data["special_card"]}
    deck = dict(zip(CARD_IDS, data["dev_decks"][rules.dev_deck], strict=True))
    full, temple = rules.trade_mode == "full", rules.temple_enabled
    races = [_("the longest road (from {least})").format(least=least["longest_road"]),
             _("the largest army (from {least} Warriors)").format(least=least["largest_army"])]
    things = [_("roads"), _("settlements"), _("cities"), _("development cards")]
    if temple:
        races.append(_("stones of the temple (from {least})").format(least=least["greatest_temple_contributor"]))
        things.append(_("temple stones"))
    return {
        **ratios, "target": rules.victory_points, "settlement": worth["settlement"], "city": worth["city"],
        "point_card": worth["vp_card"], "longest_road": worth["longest_road"], "races": listed(races),
        "temple_points": worth["greatest_temple_contributor"], "temple": least["greatest_temple_contributor"],
        "army": least["largest_army"], "road": least["longest_road"],
        "things": listed(things),
        "limit": rules.discard_limit, "starting": rules.initial_settlements,
        "site": _("at a hex with a number") if rules.initial_site == "numbered" else _("of the land"),
        "road_cost": cost_text("road"), "settlement_cost": cost_text("settle"), "city_cost": cost_text("city"),
        "card_cost": cost_text("buy_dev"), "stone_cost": cost_text("temple_stone"),
        "deck": sum(deck.values()), "warriors": deck["stripling_warrior"], "point_cards": deck["victory_point"],
        "playable": _("You may play it at once.") if rules.dev_same_turn else
        _("You may play it from your next turn on."),
        "stones_before": _(" or place temple stones") if temple and rules.temple_before_roll else "",
        "temple_building": _(", TB Temple Building") if deck["temple_building"] else "",
        "letters": listed([f"{resource_letters()[name]} {resource_noun(name)}" for name in RESOURCES]),
        "hideout": _(" or to the hideout") if rules.robber_home_allowed else "",
        "decline": _(" x- steals nothing.") if rules.steal == "may" else "",
        "trade": "" if rules.trade_mode == "none" else _(", or offer the others a trade"),
        "offer_line": "" if rules.trade_mode == "none" else _(", ?1s/1b offers a stone for a brick"),
        "side": _("up to {cards}").format(cards=counted(rules.trade_max_cards_per_side, "card", "cards")),
        "gifts": _(" One side may stay empty.") if rules.trade_gifts else "",
        "offers": counted(rules.trade_max_offers_per_turn, "offer", "offers"),
        "counter": _(" or make an offer of their own") if full else "",
        "counter_line": _(" Or make an offer of your own: !2b/3s gives two brick for three stone.") if full else "",
        "countered": _(" A counter-offer is listed with its own cards, so read what you would give.") if full else "",
    }
