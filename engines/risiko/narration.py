"""What is told of an event of RisiKo!: losses, conquests, continents, cards, eliminations, and the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfida.engines.language import _, pgettext
from sfida.engines.narration import Effect
from sfida.engines.risiko import names
from sfida.engines.risiko.goals import score_line
from sfida.engines.risiko.looks import continents, is_over, seat_name
from sfida.engines.risiko.moves import Move
from sfida.engines.risiko.options import Ruleset
from sfida.engines.risiko.position import Position
from sfida.engines.wording import counted, listed

if TYPE_CHECKING:
    from sfida.cython_ext.risiko.core import RisikoState


_TELLING = frozenset({"deal", "roll", "assault_end", "trade"})


def changes_nothing(before: RisikoState, move: Move, after: RisikoState) -> bool:
    """Say whether nothing is to be told of a move but the move itself: neither owners nor turns nor the end changed."""
    return move.kind not in _TELLING and before.seat_on_turn == after.seat_on_turn and not after.is_over


def effects_of(before: Position, move: Move, after: Position, rules: Ruleset) -> tuple[Effect, ...]:
    """Return what came of a move; everything in it is public.

    Parameters
    ----------
    before, after : Position
        As everybody sees them; at the end of the game all is open.
    move : Move
    rules : Ruleset
    """
    effects: list[Effect] = []
    if move.kind in ("roll", "assault_end"):
        effects.append(_losses(before, after))
    effects += _territories(before, move, after, rules.points)
    effects += _continents(before, after)
    effects += _eliminated(before, after)
    if move.kind == "trade":
        armies = counted(after.left - before.left, "army", "armies")
        effects.append(Effect(_("{seat} gets {armies} for the set").format(
            seat=seat_name(after, before.seat_on_turn), armies=armies)))
    if before.phase in ("trade", "draw", "fortify", "sdadata") or before.round != after.round:
        effects += _reinforced(before, after, rules.army_cap)
    if is_over(after) and not is_over(before):
        effects += [Effect(f"{seat_name(after, i)}: {score_line(rules, after, i)}",
                           ((i, float(after.seats[i].points or 0)),) if rules.points and after.seats[i].points else ())
                    for i in range(after.players)]
    return tuple(effects)


def _losses(before: Position, after: Position) -> Effect:
    """Tell what a throw, or a whole assault, cost both sides (RIS-7)."""
    origin, target = before.origin, before.target
    sides = []
    for place, seat in ((origin, before.owner[origin]), (target, before.owner[target])):
        lost = before.seats[seat].armies - after.seats[seat].armies
        left = before.armies[place] - lost
        told = (_("{seat} loses no army in {place} ({left} left)") if not lost
                else _("{seat} loses {armies} in {place} ({left} left)") if left
                else _("{seat} loses {armies} in {place} (none left)"))
        sides.append(told.format(seat=seat_name(before, seat), armies=counted(lost, "army", "armies"),
                                 place=names.territory_name(place), left=left))
    return Effect("; ".join(sides))


def _territories(before: Position, move: Move, after: Position, points: bool) -> list[Effect]:
    effects = []
    for place, (old, new) in enumerate(zip(before.owner, after.owner, strict=True)):
        if old == new:
            continue
        changed = () if points else tuple((seat, n) for seat, n in ((new, 1.0), (old, -1.0)) if seat >= 0)
        name = names.territory_name(place)
        if old < 0:
            told = pgettext("risiko", "{seat} gets {place}").format(seat=seat_name(after, new), place=name)
        else:
            told = _("{seat} conquers {place} from {loser} and moves {armies} in").format(
                seat=seat_name(after, new), place=name, loser=seat_name(after, old),
                armies=counted(after.armies[place], "army", "armies"))
        effects.append(Effect(told, changed))
    return effects


def _continents(before: Position, after: Position) -> list[Effect]:
    changed = [(number, seat, number in new.continents)
               for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True))
               for number in set(old.continents) ^ set(new.continents)]
    effects = []
    for number, seat, holds in sorted(changed):
        land = continents()[number]
        told = (_("{seat} holds all of {land}: +{bonus} armies per turn") if holds
                else _("{seat} no longer holds all of {land}: -{bonus} armies per turn"))
        effects.append(Effect(told.format(seat=seat_name(after, seat), land=land.name, bonus=land.bonus)))
    return effects


def _eliminated(before: Position, after: Position) -> list[Effect]:
    effects = []
    for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
        if new.eliminated_by >= 0 and old.eliminated_by < 0:
            told = (_("{seat} is eliminated by {other} and hands over {cards}") if old.card_count
                    else _("{seat} is eliminated by {other}"))
            effects.append(Effect(told.format(seat=seat_name(after, seat), other=seat_name(after, new.eliminated_by),
                                              cards=counted(old.card_count, "card", "cards"))))
            if new.objective_name:
                effects.append(Effect(_("the objective of {seat} was: {objective}").format(
                    seat=seat_name(after, seat), objective=new.objective_name)))
    return effects


def _reinforced(before: Position, after: Position, cap: int) -> list[Effect]:
    """Tell what a new turn begins with (RIS-5, 12.2)."""
    if after.seat_on_turn == before.seat_on_turn or is_over(after) or not after.round:
        return []
    one = after.seats[after.seat_on_turn]
    lands = listed([_("{bonus} for {land}").format(bonus=land.bonus, land=land.name)
                    for number, land in enumerate(continents()) if number in one.continents])
    full = cap > 0 and one.armies + after.left >= cap
    told = (_("{seat} is next, with {armies} to place, up to the most that are allowed, {cap}") if full
            else _("{seat} is next, with {armies} to place, {lands} among them") if lands
            else _("{seat} is next, with {armies} to place"))
    return [Effect(told.format(seat=seat_name(after, after.seat_on_turn), cap=cap,
                               armies=counted(after.left, "army", "armies"), lands=lands))]
