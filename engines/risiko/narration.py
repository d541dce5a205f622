"""What is told of an event of RisiKo!: losses, conquests, continents, cards, eliminations, and the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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


def effects_of(state: RisikoState, before: Position, move: Move, after: Position,
               rules: Ruleset) -> tuple[Effect, ...]:
    """Return what came of a move; everything in it is public.

    Parameters
    ----------
    state : RisikoState
        The whole state before the move.
    before, after : Position
        As everybody sees them; at the end of the game all is open.
    move : Move
    rules : Ruleset
    """
    raw = state.snapshot()
    effects: list[Effect] = []
    if move.kind in ("roll", "assault_end"):
        effects.append(_losses(raw, before, after))
    effects += _territories(before, move, after, rules.points)
    effects += _continents(before, after)
    effects += _eliminated(before, after)
    if move.kind == "trade":
        armies = after.left - before.left
        effects.append(Effect(f"{seat_name(after, before.seat_on_turn)} gets {counted(armies, 'army', 'armies')} "
                              "for the set"))
    if before.phase in ("trade", "draw", "fortify", "sdadata") or before.round != after.round:
        effects += _reinforced(before, after)
    if is_over(after) and not is_over(before):
        effects += [Effect(f"{seat_name(after, i)}: {score_line(rules, after, i)}",
                           ((i, float(after.seats[i].points or 0)),) if rules.points and after.seats[i].points else ())
                    for i in range(after.players)]
    return tuple(effects)


def _losses(raw: dict[str, Any], before: Position, after: Position) -> Effect:
    """Tell what a throw, or a whole assault, cost both sides (RIS-7)."""
    origin, target = raw["origin"], raw["target"]
    sides = []
    for place, seat in ((origin, before.owner[origin]), (target, before.owner[target])):
        lost = before.seats[seat].armies - after.seats[seat].armies
        left = before.armies[place] - lost
        cost = counted(lost, "army", "armies") if lost else "no army"
        sides.append(f"{seat_name(before, seat)} loses {cost} in {names.territory_name(place)} ({left or 'none'} left)")
    return Effect("; ".join(sides))


def _territories(before: Position, move: Move, after: Position, points: bool) -> list[Effect]:
    effects = []
    for place, (old, new) in enumerate(zip(before.owner, after.owner, strict=True)):
        if old == new:
            continue
        changed = () if points else tuple((seat, n) for seat, n in ((new, 1.0), (old, -1.0)) if seat >= 0)
        name = names.territory_name(place)
        if old < 0:
            effects.append(Effect(f"{seat_name(after, new)} gets {name}", changed))
        else:
            moved = counted(after.armies[place], "army", "armies")
            effects.append(Effect(f"{seat_name(after, new)} conquers {name} from {seat_name(after, old)} "
                                  f"and moves {moved} in", changed))
    return effects


def _continents(before: Position, after: Position) -> list[Effect]:
    changed = [(number, seat, number in new.continents)
               for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True))
               for number in set(old.continents) ^ set(new.continents)]
    effects = []
    for number, seat, holds in sorted(changed):
        land = continents()[number]
        verb, sign = ("holds all of", "+") if holds else ("no longer holds all of", "-")
        effects.append(Effect(f"{seat_name(after, seat)} {verb} {land.name}: {sign}{land.bonus} armies per turn"))
    return effects


def _eliminated(before: Position, after: Position) -> list[Effect]:
    effects = []
    for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
        if new.eliminated_by >= 0 and old.eliminated_by < 0:
            cards = counted(old.card_count, "card", "cards")
            taken = f" and hands over {cards}" if old.card_count else ""
            effects.append(Effect(f"{seat_name(after, seat)} is eliminated by "
                                  f"{seat_name(after, new.eliminated_by)}{taken}"))
            if new.objective_name:
                effects.append(Effect(f"the objective of {seat_name(after, seat)} was: {new.objective_name}"))
    return effects


def _reinforced(before: Position, after: Position) -> list[Effect]:
    """Tell what a new turn begins with (RIS-5)."""
    if after.seat_on_turn == before.seat_on_turn or is_over(after) or not after.round:
        return []
    one = after.seats[after.seat_on_turn]
    lands = listed([f"{land.bonus} for {land.name}" for number, land in enumerate(continents())
                    if number in one.continents])
    return [Effect(f"{seat_name(after, after.seat_on_turn)} is next, with {counted(one.income, 'army', 'armies')} to "
                   f"place{f', {lands} among them' if lands else ''}")]
