"""Narration of Zarahemla: the decision, and each event with its cards and points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sfida.engines.language import N_, _, counted, listed, names_codes, ngettext
from sfida.engines.narration import Effect
from sfida.engines.zarahemla.map import board
from sfida.engines.zarahemla.notation import cards_words
from sfida.engines.zarahemla.options import Ruleset
from sfida.engines.zarahemla.position import Five, Move, Position, position_of
from sfida.engines.zarahemla.style import (
    RESOURCES, SPECIAL, cards_text, resource_cards, seat_names, sentence, terrain_name
)
from sfida.engines.zarahemla.tables import load_data

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState


# ---- The current decision in Zarahemla, in one sentence, with the facts that matter


def question(state: ZarahemlaState, position: Position, rules: Ruleset) -> str:
    """Return the question to the seat to move; `position` is the state as that seat sees it."""
    seat = position.seat_to_move
    names = seat_names(position.players)
    mover = names[seat] if 0 <= seat < position.players else ""
    if position.phase == "init_settlement":
        number = 1 + sum(owner == seat for _corner, owner, _kind in position.buildings)
        return _("{mover} places starting settlement {number} of {count}.").format(
            mover=mover, number=number, count=rules.initial_settlements)
    if position.phase == "init_road":
        words = (_("{mover} places the road beside the settlement at {corner}.") if names_codes() else
                 _("{mover} places the road beside the settlement."))
        return words.format(mover=mover, corner=position.placed)
    if position.phase == "main":
        hand = position.seats[seat].hand
        if hand is None:
            return _("{mover} trades and builds.").format(mover=mover)
        return _("{mover} trades and builds, with {cards} in hand.").format(mover=mover, cards=cards_words(hand))
    if position.phase == "discard":
        return _("{mover} holds {cards} and gives up {left}.").format(
            mover=mover, cards=counted(position.seats[seat].hand_size, "card", "cards"), left=position.left)
    if position.phase == "steal":
        return _("{mover} chooses whom to rob: {victims}.").format(
            mover=mover, victims=listed(_victims(position, names)))
    if position.phase == "take":
        return _("{mover} takes {cards} from the bank.").format(
            mover=mover, cards=counted(min(position.left, sum(position.bank)), "card", "cards"))
    if position.phase == "free_roads":
        return _("{mover} places {roads}.").format(
            mover=mover, roads=counted(_free_roads(state, position.left), "free road", "free roads"))
    if position.phase == "trade_compose":
        return _composing(position, position.gives[position.seat_on_turn], position.wants[position.seat_on_turn], names)
    if position.phase == "trade_respond":
        hand = position.seats[seat].hand
        said = [_("{mover} answers the offer: {giver} gives {swap}.").format(
            mover=mover, giver=names[position.seat_on_turn],
            swap=_swap(position.gives[position.seat_on_turn], position.wants[position.seat_on_turn]))]
        if hand is not None:
            said.append(_("{mover} holds {cards}.").format(mover=mover, cards=cards_words(hand)))
        return " ".join(said)
    if position.phase == "trade_pick":
        return " ".join([_("{mover} picks a partner for the trade.").format(mover=mover),
                         *_answers(position, names)])
    return sentence(position)


def _free_roads(state: ZarahemlaState, left: int) -> int:
    """Return the number of free roads that can still be placed: pieces or paths may run out (ZAR-10.9)."""
    for code in state.legal_moves() if left > 1 else ():
        after = state.clone()
        after.apply(code)
        if after.phase == "free_roads":
            return left
    return 1


def _victims(position: Position, names: list[str]) -> list[str]:
    """Return the seats that can be robbed, with their hand sizes."""
    corners = board().hexes[position.robber].corners
    there = {owner for corner, owner, _kind in position.buildings if corner in corners}
    return [f"{name} ({counted(one.hand_size, 'card', 'cards')})"
            for seat, (name, one) in enumerate(zip(names, position.seats, strict=True))
            if seat in there and seat != position.seat_to_move and one.hand_size]


def _swap(give: Five, want: Five) -> str:
    return _("{give} for {want}").format(give=cards_words(give), want=cards_words(want))


def _composing(position: Position, give: Five, want: Five, names: list[str]) -> str:
    seat, giver = position.seat_to_move, position.seat_on_turn
    own = position.offer[1:] if position.offer is not None and position.offer[0] == seat else None
    said = [_("{mover} makes an offer.").format(mover=names[seat]) if seat == giver else
            _("{mover} makes a counter-offer; {giver} offered {swap}.").format(
                mover=names[seat], giver=names[giver], swap=_swap(give, want))]
    if own is not None:
        said.append(_("So far: gives {give}, wants {want}.").format(give=cards_words(own[0]), want=cards_words(own[1])))
    return " ".join(said)


def _answers(position: Position, names: list[str]) -> list[str]:
    """Describe the answers to the offer: acceptances and counter-offers."""
    giver = position.seat_on_turn
    yes = [name for name, answer in zip(names, position.answers, strict=True) if answer == "yes"]
    accepted = ngettext("{names} accepts {swap}.", "{names} accept {swap}.", len(yes)) if yes else \
        _("Nobody accepts {swap}.")
    said = [accepted.format(names=listed(yes), swap=_swap(position.gives[giver], position.wants[giver]))]
    return said + [_("{name} would give {swap}.").format(name=names[seat],
                                                         swap=_swap(position.gives[seat], position.wants[seat]))
                   for seat, answer in enumerate(position.answers) if answer == "counter"]


# ---- The effects of an event of Zarahemla: cards gained, paid, robbed and traded, special cards, and points

DEALING = frozenset({"dice", "play_liahona", "settle", "choose_start", "take", "trade_pick", "play_prosperity",
                     "bank_trade", "discard"})                  # moves with public changes of hands
SPECIAL_NAMES = {"longest_road": N_("the Longest Road"), "largest_army": N_("the Largest Army"),
                 "temple": N_("the Greatest Temple Contributor")}
SPECIAL_POINTS = {"longest_road": "longest_road", "largest_army": "largest_army",
                  "temple": "greatest_temple_contributor"}


def points_of(position: Position, seat: int) -> dict[str, int]:
    """Return a seat's displayed points by source; victory point cards appear at the end (ZAR-14.1)."""
    worth = load_data()["scoring"]
    kinds = [kind for _corner, owner, kind in position.buildings if owner == seat]
    shown = position.seats[seat].secret_points or 0 if position.phase == "game_over" else 0
    return {"settlements": kinds.count("settlement") * worth["settlement"],
            "cities": kinds.count("city") * worth["city"],
            "victory point cards": shown,
            **{name: (holder == seat) * worth[SPECIAL_POINTS[name]]
               for name, holder in zip(SPECIAL, position.holders, strict=True)}}


def effects_of(before: ZarahemlaState, after: ZarahemlaState, move: Move, rules: Ruleset,
               seat: int | None) -> tuple[Effect, ...]:
    """Return the effects of a move, as far as a seat may know them.

    Parameters
    ----------
    before, after : ZarahemlaState
        The whole states; only public changes of the hands are reported.
    move : Move
        The move from `before` to `after`.
    rules : Ruleset
    seat : int or None
        The viewer; None: a spectator.
    """
    names = seat_names(before.players)
    effects: list[Effect] = []
    if move.kind == "stolen_card":
        effects.append(_stolen(before, move, names, seat))
    elif move.kind in DEALING:
        effects += _cards(before, after, move, names)
    elif move.kind == "move_robber" and not after.is_over:
        effects.append(Effect(_barren(after, move.arg)))
    if move.kind in ("dice", "play_liahona") and after.phase == "discard":
        over = [names[i] for i in range(before.players) if sum(before.hand(i)) > rules.discard_limit]
        effects.append(Effect(ngettext("{names} has too many cards and must give up half of them",
                                       "{names} have too many cards and must give up half of them",
                                       len(over)).format(names=listed(over))))
    if before.scores() != after.scores():
        effects += _points(before, after, names)
    return tuple(effects)


def _stolen(state: ZarahemlaState, move: Move, names: Sequence[str], seat: int | None) -> Effect:
    thief, victim = state.seat_on_turn, state.victim
    if seat not in (thief, victim):
        return Effect(_("{thief} steals a card from {victim}").format(thief=names[thief], victim=names[victim]))
    return Effect(_("{thief} steals {cards} from {victim}").format(
        thief=names[thief], cards=resource_cards(RESOURCES[move.arg], 1), victim=names[victim]))


def _cards(before: ZarahemlaState, after: ZarahemlaState, move: Move, names: Sequence[str]) -> list[Effect]:
    """Return the effects on hands: cards that each seat gained and lost, all of them public."""
    effects = []
    for seat, name in enumerate(names):
        change = [new - old for old, new in zip(before.hand(seat), after.hand(seat), strict=True)]
        got, gave = cards_text([max(n, 0) for n in change]), cards_text([max(-n, 0) for n in change])
        if got and gave:
            effects.append(Effect(_("{name} gets {got} for {gave}").format(name=name, got=got, gave=gave)))
        elif got:
            effects.append(Effect(_("{name} gets {got}").format(name=name, got=got)))
        elif gave and move.kind not in ("settle", "discard"):
            effects.append(Effect(_("{name} loses {gave}").format(name=name, gave=gave)))
    if move.kind == "dice" and move.arg + 2 != 7 and not effects:
        effects.append(Effect(_("nobody gets anything")))
    return effects


def _barren(state: ZarahemlaState, number: int) -> str:
    position = position_of(state)
    terrain, token = position.terrain[number], position.numbers[number]
    if not token:
        return _("the hideout yields nothing while the robber is there")
    return _("the {terrain} on {token} yields nothing while the robber is there").format(
        terrain=terrain_name(terrain), token=token)


def _points(before: ZarahemlaState, after: ZarahemlaState, names: Sequence[str]) -> list[Effect]:
    """Return the changes of points with their sources (ZAR-14.1)."""
    effects: list[Effect] = []
    old, new = position_of(before), position_of(after)
    changes = []
    for seat in range(before.players):
        was = points_of(old, seat)
        changes.append({what: now - was[what] for what, now in points_of(new, seat).items()})
    for what, last, holder in zip(SPECIAL, old.holders, new.holders, strict=True):
        if last != holder:
            effects.append(_handed(what, last, holder, changes, names))
    for seat, change in enumerate(changes):
        built = change["settlements"] + change["cities"]
        if built:
            text = _("{name} {points:+d}: a settlement becomes a city") if change["cities"] else \
                _("{name} {points:+d} for the settlement")
            effects.append(Effect(text.format(name=names[seat], points=built), ((seat, built),)))
        shown = change["victory point cards"]
        if shown:
            effects.append(Effect(_("{name} shows victory point cards, {points:+d}").format(
                name=names[seat], points=shown), ((seat, shown),)))
    return effects


def _handed(what: str, last: int, holder: int, changes: Sequence[dict[str, int]],
            names: Sequence[str]) -> Effect:
    """Return the effect of a special card that changed hands (ZAR-9, 10.13, 11)."""
    points = tuple((seat, change[what]) for seat, change in enumerate(changes) if change[what])
    card = _(SPECIAL_NAMES[what])
    if holder < 0:
        return Effect(_("{name} loses {card}, {points:+d}; nobody holds it").format(
            name=names[last], card=card, points=changes[last][what]), points)
    if last < 0:
        return Effect(_("{name} takes {card}, {points:+d}").format(
            name=names[holder], card=card, points=changes[holder][what]), points)
    return Effect(_("{name} takes {card}, {points:+d}, from {loser}, {lost:+d}").format(
        name=names[holder], card=card, points=changes[holder][what], loser=names[last], lost=changes[last][what]),
        points)
