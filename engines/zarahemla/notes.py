"""What a move of Zarahemla costs and brings, in a few words: yields, prices and odds, as its mover knows them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sfida.engines.language import N_, _, pgettext
from sfida.engines.wording import chance_text, counted, listed, percentage
from sfida.engines.zarahemla.geometry import board, stations_at
from sfida.engines.zarahemla.looks import (
    RESOURCES,
    card_names,
    cards_text,
    costs,
    pips,
    ratio,
    resource_noun,
)
from sfida.engines.zarahemla.moves import Move, decode, encode
from sfida.engines.zarahemla.position import Position
from sfida.engines.zarahemla.rules import corners_of_edge, ruleset_of
from sfida.engines.zarahemla.seen import position_of
from sfida.engines.zarahemla.standing import WORTH, Field, reached, yields_at
from sfida.engines.zarahemla.tables import CARD_IDS

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState

BUILT = {"settle": "settlement", "city": "city", "road": "road", "buy_dev": "dev_card", "temple_stone": "temple_stone"}
PRICED = ("buy_dev", "temple_stone")    # moves whose price no group of the list tells
ROLLS = 36                              # ways in which two dice fall
_SEVEN = 7
_WANTED = ("stripling_warrior", "victory_point")      # development cards whose odds are told
_SITES = 2                              # most corners that are named
_WARRIORS = (N_("your 1st Warrior"), N_("your 2nd Warrior"), N_("your 3rd Warrior"))


def move_note(state: ZarahemlaState, code: int) -> str:
    """Return what a legal move costs and brings; "" where its words say it all."""
    move = decode(code)
    position = position_of(state)
    parts = [_NOTES[move.kind](state, position, move)] if move.kind in _NOTES else []
    if move.kind in PRICED:
        parts.append(_("costs {cost}").format(cost=cost_text(move.kind)))
    return "; ".join(filter(None, parts))


def cost_text(kind: str) -> str:
    """Return what a kind of move costs, such as "1 wood and 1 brick"."""
    return cards_text(costs()[BUILT[kind]])


def _after(state: ZarahemlaState, *moves: Move) -> ZarahemlaState:
    """Return the position after some moves."""
    after = state.clone()
    for move in moves:
        after.apply(encode(move.kind, move.arg))
    return after


def _got(before: ZarahemlaState, after: ZarahemlaState, seat: int) -> list[int]:
    """Return how many cards of each resource a seat has more, or less."""
    return [new - old for old, new in zip(before.hand(seat), after.hand(seat), strict=True)]


# ---- places -------------------------------------------------------------------------------------------


def _settle(state: ZarahemlaState, position: Position, move: Move) -> str:
    """Say what a settlement yields, and what it brings at once in the preset `catan` (ZAR-4.9)."""
    got = [max(0, n) for n in _got(state, _after(state, move), int(state.to_move))]
    at_once = _("{cards} at once").format(cards=cards_text(got)) if any(got) else ""
    return "; ".join(filter(None, (_corner_text(position, move.arg), at_once)))


def _corner(state: ZarahemlaState, position: Position, move: Move) -> str:
    return _corner_text(position, move.arg)


def _corner_text(position: Position, corner: int) -> str:
    """Say what a corner yields, in how many of 36 rolls, what the robber keeps back, and what its station takes."""
    found = yields_at(position, corner)
    kept = yields_at(replace(position, robber=-1), corner)
    for field in found:
        kept.remove(field)              # two hexes may be alike
    parts = [_("{yields}: {chances} of {rolls}").format(yields=_fields_text(found), chances=_chances(position, corner),
                                                        rolls=ROLLS) if found else _("yields nothing")]
    if kept:
        parts.append(_("the robber stops {yields}").format(yields=_fields_text(kept)))
    if corner in stations_at():
        kind = position.stations[stations_at()[corner]][1]
        parts.append(_("station {ratio}:1").format(ratio=ratio(kind)) if kind == "any" else
                     _("station {ratio}:1 {resource}").format(ratio=ratio(kind), resource=resource_noun(kind)))
    return "; ".join(parts)


def _fields_text(fields: Sequence[Field]) -> str:
    return ", ".join(_("{resource} on {token}").format(resource=resource_noun(field.terrain),
                                                       token=field.token) for field in fields)


def _road(state: ZarahemlaState, position: Position, move: Move) -> str:
    """Say which corners for a settlement a road reaches, or brings one road away."""
    seat = int(state.to_move)
    now, further = reached(position, seat)
    longer = replace(position, roads=(*position.roads, (move.arg, seat)))
    then, beyond = reached(longer, seat)
    if then - now:
        corner = min(then - now)
        return _("reaches {corner}: {yields}").format(corner=corner, yields=_corner_text(position, corner))
    ends = set(corners_of_edge()[move.arg])
    fresh = sorted((corner for corner in beyond - further - now if _touches(corner, ends)),
                   key=lambda corner: (-_chances(position, corner), corner))
    if not fresh:
        return _("towards no place for a settlement")
    named = [_("{corner} ({chances} of {rolls})").format(corner=corner, chances=_chances(position, corner), rolls=ROLLS)
             for corner in fresh[:_SITES]]
    return _("towards {corners}").format(corners=listed(named))


def _touches(corner: int, ends: set[int]) -> bool:
    return any(corner in edge.corners and ends & set(edge.corners) for edge in board().edges)


def _chances(position: Position, corner: int) -> int:
    """Return in how many of 36 rolls a corner yields something; hexes with one number are one chance (ZAR-6.3)."""
    return sum(map(pips, {field.token for field in yields_at(position, corner)}))


# ---- luck ---------------------------------------------------------------------------------------------


def _roll(state: ZarahemlaState, position: Position, move: Move) -> str:
    """Say what a roll brings on average, of what the bank still holds, and what a seven would cost."""
    seat, rolled, brings = int(state.to_move), _after(state, move), 0
    for outcome, weight in rolled.chance_outcomes():
        brings += weight * max(0, sum(_got(state, _after(rolled, decode(outcome)), seat)))
    text = _("brings {cards:.1f} cards on average").format(cards=brings / ROLLS)
    size = position.seats[seat].hand_size
    if size > ruleset_of(state).discard_limit:
        text += "; " + _("a seven (1 in 6) takes {cards}").format(cards=size // 2)
    return text


def _draw(state: ZarahemlaState, position: Position, move: Move) -> str:
    """Give the odds of the card to be drawn (ZAR-17.7, 17.8), in percentages that add up to 100."""
    odds = state.draw_odds(int(state.to_move))
    wanted = [percentage(odds[CARD_IDS.index(name)]) for name in _WANTED]
    rest = sum(chance for name, chance in zip(CARD_IDS, odds, strict=True) if name not in _WANTED)
    others = max(1, 100 - sum(wanted)) if rest else 0
    names = [*(card_names()[name] for name in _WANTED), pgettext("zarahemla", "others")]
    return ", ".join(f"{name} {share} %" for name, share in zip(names, [*wanted, others], strict=True))


def _steal(state: ZarahemlaState, position: Position, move: Move) -> str:
    """Give the odds of the card, by what the mover knows of the victim's hand (ZAR-7.9)."""
    size = position.seats[move.arg].hand_size
    worlds = state.hand_worlds(int(state.to_move))
    if worlds is None:
        return counted(size, "card", "cards")
    odds = [sum(weight * hands[move.arg][kind] / size for weight, hands in worlds) for kind in range(len(RESOURCES))]
    parts = [f"{resource_noun(RESOURCES[kind])} {chance_text(odds[kind])}"
             for kind in sorted(range(len(odds)), key=lambda k: -odds[k]) if odds[kind] > 0]
    return ", ".join(parts)


def _robber(state: ZarahemlaState, position: Position, move: Move) -> str:
    """Say whose harvest the robber would stop, and who could be robbed."""
    corners = board().hexes[move.arg].corners
    chances = pips(position.numbers[move.arg])
    lost: dict[int, int] = {}
    for corner, owner, kind in position.buildings:
        if corner in corners:
            lost[owner] = lost.get(owner, 0) + WORTH[kind] * chances
    seat = int(state.to_move)
    parts = []
    for other, cards in sorted(lost.items()):
        if other == seat:
            said = _("you get {cards} in {rolls} there") if cards else _("you have built there")
        else:
            said = (_("{name} gets {cards} in {rolls} there, holds {hand}") if cards else
                    _("{name} has built there, holds {hand}"))
        parts.append(said.format(
            name=_name(state, other), cards=cards, rolls=ROLLS,
            hand=counted(position.seats[other].hand_size, "card", "cards")))
    return "; ".join(parts) or _("nobody has built there")


# ---- development cards --------------------------------------------------------------------------------


def _warrior(state: ZarahemlaState, position: Position, move: Move) -> str:
    """Say whether the card wins the Largest Army or the game, and whether anybody can be robbed (ZAR-7.7, 10.6)."""
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
    """Say how many cards of a resource the others hold, which follows from the bank and the own hand (ZAR-17.4)."""
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
