"""What is told of an event of Zarahemla: cards gained, paid, robbed and traded, special cards, and points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sfida.engines.language import N_, _, ngettext
from sfida.engines.narration import Effect
from sfida.engines.wording import listed
from sfida.engines.zarahemla.looks import RESOURCES, SPECIAL, cards_text, resource_cards, seat_names, terrain_name
from sfida.engines.zarahemla.moves import Move
from sfida.engines.zarahemla.options import Ruleset
from sfida.engines.zarahemla.position import Position
from sfida.engines.zarahemla.rules import load_data
from sfida.engines.zarahemla.seen import position_of

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState

DEALING = frozenset({"dice", "play_liahona", "settle", "choose_start", "take", "trade_pick", "play_prosperity",
                     "bank_trade", "discard"})                  # moves after which hands differ that all can see
SPECIAL_NAMES = {"longest_road": N_("the Longest Road"), "largest_army": N_("the Largest Army"),
                 "temple": N_("the Greatest Temple Contributor")}
SPECIAL_POINTS = {"longest_road": "longest_road", "largest_army": "largest_army",
                  "temple": "greatest_temple_contributor"}


def points_of(position: Position, seat: int) -> dict[str, int]:
    """Return a seat's points on show by what they are for; cards worth a point are shown at the end (ZAR-14.1)."""
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
    """Return what came of a move, as a seat may know it.

    Parameters
    ----------
    before, after : ZarahemlaState
        The whole states; of the hands only changes that everybody sees are told.
    move : Move
        What led from one to the other.
    rules : Ruleset
    seat : int or None
        The viewer; None: a spectator.
    """
    names = [name.capitalize() for name in seat_names(before.players)]
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
    """Tell which cards each seat gained and lost, all of which lay open."""
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
    """Tell who gained or lost points, and by what (ZAR-14.1)."""
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
    """Tell that a special card changed hands (ZAR-9, 10.13, 11)."""
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
