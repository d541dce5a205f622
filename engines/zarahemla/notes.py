"""What a move of Zarahemla costs and brings, in a few words: yields, prices and odds, as its mover knows them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from sfida.engines.language import N_, _, pgettext
from sfida.engines.wording import counted, listed
from sfida.engines.zarahemla.geometry import board, hexes_at, stations_at
from sfida.engines.zarahemla.looks import RESOURCES, card_names, cards_text, costs, pips, ratio, resource_noun
from sfida.engines.zarahemla.moves import Move, decode
from sfida.engines.zarahemla.rules import corners_of_edge, load_data, ruleset_of
from sfida.engines.zarahemla.seen import STATION_KINDS
from sfida.engines.zarahemla.standing import WORTH, income, reached
from sfida.engines.zarahemla.tables import CARD_IDS

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState

Raw = Mapping[str, Any]

BUILT = {"settle": "settlement", "city": "city", "road": "road", "buy_dev": "dev_card", "temple_stone": "temple_stone"}
PRICED = ("buy_dev", "temple_stone")    # moves whose price no group of the list tells
ROLLS = 36                              # ways in which two dice fall
_SEVEN = 7
_WANTED = ("stripling_warrior", "victory_point")      # development cards whose odds are told
_SITES = 2                              # most corners that are named
_WARRIORS = (N_("your 1st Warrior: move the robber and steal a card"),
             N_("your 2nd Warrior: move the robber and steal a card"),
             N_("your 3rd Warrior: move the robber and steal a card"))


def move_note(state: ZarahemlaState, code: int) -> str:
    """Return what a legal move costs and brings; "" where its words say it all."""
    move = decode(code)
    raw = state.snapshot()
    parts = [_NOTES[move.kind](state, raw, move)] if move.kind in _NOTES else []
    if move.kind in PRICED:
        parts.append(_("costs {cost}").format(cost=cost_text(move.kind)))
    return "; ".join(filter(None, parts))


def cost_text(kind: str) -> str:
    """Return what a kind of move costs, such as "1 wood and 1 brick"."""
    return cards_text(costs()[BUILT[kind]])


# ---- places -------------------------------------------------------------------------------------------


def _corner(state: ZarahemlaState, raw: Raw, move: Move) -> str:
    return _corner_text(raw, move.arg)


def _corner_text(raw: Raw, corner: int) -> str:
    """Say what a corner yields, and what its trading station takes."""
    fields = [(raw["terrain"][number], raw["numbers"][number]) for number in hexes_at()[corner]]
    yields = [_("{resource} on {token}").format(resource=resource_noun(RESOURCES[terrain]), token=token)
              for terrain, token in fields if token]
    chances = sum(pips(token) for _terrain, token in fields)
    parts = [_("{yields}: {chances} of {rolls}").format(yields=", ".join(yields), chances=chances, rolls=ROLLS)
             if chances else _("yields nothing")]
    if corner in stations_at():
        kind = STATION_KINDS[raw["stations"][stations_at()[corner]]]
        parts.append(_("station {ratio}:1").format(ratio=ratio(kind)) if kind == "any" else
                     _("station {ratio}:1 {resource}").format(ratio=ratio(kind), resource=resource_noun(kind)))
    return "; ".join(parts)


def _road(state: ZarahemlaState, raw: Raw, move: Move) -> str:
    """Say which corners for a settlement a road reaches, or brings one road away."""
    seat = int(state.to_move)
    now, further = reached(raw, seat)
    longer = {**raw, "roads": [*raw["roads"], (move.arg, seat)]}
    then, beyond = reached(longer, seat)
    if then - now:
        corner = min(then - now)
        return _("reaches {corner}: {yields}").format(corner=corner, yields=_corner_text(raw, corner))
    ends = set(corners_of_edge()[move.arg])
    fresh = sorted((corner for corner in beyond - further - now if _touches(corner, ends)),
                   key=lambda corner: (-_chances(raw, corner), corner))
    if not fresh:
        return _("towards no place for a settlement")
    named = [_("{corner} ({chances} of {rolls})").format(corner=corner, chances=_chances(raw, corner), rolls=ROLLS)
             for corner in fresh[:_SITES]]
    return _("towards {corners}").format(corners=listed(named))


def _touches(corner: int, ends: set[int]) -> bool:
    return any(corner in edge.corners and ends & set(edge.corners) for edge in board().edges)


def _chances(raw: Raw, corner: int) -> int:
    return sum(pips(raw["numbers"][number]) for number in hexes_at()[corner])


# ---- luck ---------------------------------------------------------------------------------------------


def _roll(state: ZarahemlaState, raw: Raw, move: Move) -> str:
    """Say what a roll brings on average, and what a seven would cost."""
    seat = int(state.to_move)
    text = _("brings {cards:.1f} cards on average").format(cards=sum(income(raw, seat)) / ROLLS)
    size = raw["seats"][seat]["size"]
    if size > ruleset_of(state).discard_limit:
        text += "; " + _("a seven (1 in 6) takes {cards}").format(cards=size // 2)
    return text


def _draw(state: ZarahemlaState, raw: Raw, move: Move) -> str:
    """Say how the cards are spread that the mover has not seen."""
    unseen = list(load_data()["dev_decks"][ruleset_of(state).dev_deck])
    own = state.dev_cards(int(state.to_move))[0]
    for seen in (own, *(row["played"] for row in raw["seats"])):
        unseen = [left - n for left, n in zip(unseen, seen, strict=True)]
    whole = sum(unseen)
    if not whole:
        return ""
    shares = {card_names()[name]: round(100 * unseen[CARD_IDS.index(name)] / whole) for name in _WANTED}
    shares[pgettext("zarahemla", "others")] = 100 - sum(shares.values())
    return ", ".join(f"{name} {share} %" for name, share in shares.items())


def _steal(state: ZarahemlaState, raw: Raw, move: Move) -> str:
    """Give the odds of the card, by what the mover knows of the victim's hand (ZAR-7.9)."""
    size = raw["seats"][move.arg]["size"]
    worlds = state.hand_worlds(int(state.to_move))
    if worlds is None:
        return counted(size, "card", "cards")
    odds = [sum(weight * hands[move.arg][kind] / size for weight, hands in worlds) for kind in range(len(RESOURCES))]
    parts = [f"{resource_noun(RESOURCES[kind])} {100 * odds[kind]:.0f} %"
             for kind in sorted(range(len(odds)), key=lambda k: -odds[k]) if odds[kind] > 0]
    return ", ".join(parts)


def _robber(state: ZarahemlaState, raw: Raw, move: Move) -> str:
    """Say whose harvest the robber would stop, and who could be robbed."""
    corners = board().hexes[move.arg].corners
    chances = pips(raw["numbers"][move.arg])
    lost = [0] * state.players
    for corner, owner, kind in raw["buildings"]:
        if corner in corners:
            lost[owner] += WORTH[kind] * chances
    seat = int(state.to_move)
    parts = []
    for other, cards in enumerate(lost):
        if cards and other == seat:
            parts.append(_("you get {cards} in {rolls} there").format(cards=cards, rolls=ROLLS))
        elif cards:
            size = raw["seats"][other]["size"]
            parts.append(_("{name} gets {cards} in {rolls} there, holds {hand}").format(
                name=_name(state, other), cards=cards, rolls=ROLLS, hand=counted(size, "card", "cards")))
    return "; ".join(parts) or _("nobody has built there")


# ---- development cards --------------------------------------------------------------------------------


def _warrior(state: ZarahemlaState, raw: Raw, move: Move) -> str:
    number = raw["seats"][int(state.to_move)]["played"][0]
    if number < len(_WARRIORS):
        return _(_WARRIORS[number])
    return _("your {number}th Warrior: move the robber and steal a card").format(number=number + 1)


def _prosperity(state: ZarahemlaState, raw: Raw, move: Move) -> str:
    """Say how many cards of a resource the others hold, which follows from the bank and the own hand (ZAR-17.4)."""
    whole = ruleset_of(state).resource_cards_per_type
    taken = whole - raw["bank"][move.arg] - state.hand(int(state.to_move))[move.arg]
    return _("the others hold {cards}").format(cards=taken)


def _liahona(state: ZarahemlaState, raw: Raw, move: Move) -> str:
    total = move.arg + 2
    if total == _SEVEN:
        return _("the robber moves, and hands that are too big lose half")
    gains = []
    for seat in range(state.players):
        cards = [0] * len(RESOURCES)
        for corner, owner, kind in raw["buildings"]:
            for number in hexes_at()[corner]:
                if owner == seat and raw["numbers"][number] == total and number != raw["robber"]:
                    cards[raw["terrain"][number]] += WORTH[kind]
        if any(cards):
            own = seat == state.to_move
            text = _("you get {got}") if own else _("{name} gets {got}")
            gains.append((not own, text.format(name=_name(state, seat), got=cards_text(cards))))
    return ", ".join(text for _other, text in sorted(gains)) or _("nobody gets anything")


# ---- trade --------------------------------------------------------------------------------------------


def _offer(state: ZarahemlaState, raw: Raw, move: Move) -> str:
    return _("offer {number} of {most} in a turn").format(number=raw["offers"] + 1,
                                                          most=ruleset_of(state).trade_max_offers_per_turn)


def _name(state: ZarahemlaState, seat: int) -> str:
    return str(state.game.seat_name(seat))


_NOTES: Mapping[str, Callable[[ZarahemlaState, Raw, Move], str]] = {
    "settle": _corner, "city": _corner, "choose_start": _corner, "road": _road, "roll": _roll, "buy_dev": _draw,
    "steal_from": _steal, "move_robber": _robber, "play_warrior": _warrior, "play_prosperity": _prosperity,
    "play_liahona": _liahona, "trade_open": _offer,
}
