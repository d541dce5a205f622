"""Narration of RisiKo!: the decision, each event, conquests, eliminations, and the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfida.engines.language import _, counted, listed, pgettext
from sfida.engines.narration import Effect
from sfida.engines.risiko import style
from sfida.engines.risiko.objectives import score_line
from sfida.engines.risiko.options import Ruleset
from sfida.engines.risiko.position import Move, Position, SeatPosition
from sfida.engines.risiko.style import ATTACKS, continents, is_over, seat_name, sets_in

if TYPE_CHECKING:
    from sfida.cython_ext.risiko.core import RisikoState


# ---- Sentences: the current decision, the end of the game, the last move


def sentence(position: Position) -> str:
    """Return one sentence on the current decision or the result."""
    if is_over(position):
        return _ending(position)
    turn = seat_name(position, position.seat_on_turn) if 0 <= position.seat_on_turn < position.players else ""
    mover = seat_name(position, position.seat_to_move) if 0 <= position.seat_to_move < position.players else turn
    armies = counted(position.left, "army", "armies")
    said = {
        "chance_start": _("It is drawn who goes first."),
        "colors": _("{seat} chooses a colour.").format(seat=mover),
        "chance_objectives": _("The objectives are dealt."),
        "chance_deal": _("The territories are dealt."),
        "setup_place": _("Setup: {seat} places {armies} on territories of its own.").format(seat=mover, armies=armies),
        "trade": _trade(position, mover),
        "place": _("{seat} places {armies}, then attacks.").format(seat=mover, armies=armies),
        "attack": _attacks(position, mover),
        "defend": _("{battle}: {seat} chooses the dice of the defence.").format(battle=_battle(position), seat=mover),
        "chance_roll": f"{_battle(position)}.",
        "chance_assault": _("{battle}, and continues.").format(battle=_battle(position)),
        "occupy": _occupation(position, mover),
        "fortify": _("{seat} may move armies once between two neighbouring territories, which ends the turn.").format(
            seat=mover),
        "draw": _("{seat} draws a card.").format(seat=turn),
        "sdadata": _("{seat} throws two dice: a low throw ends the game.").format(seat=turn),
    }
    return said.get(position.phase, position.phase.replace("_", " ").capitalize() + ".")


def last_text(position: Position) -> str:
    """Describe the last move on the map, such as "armies placed on China"; "" if it changed nothing there."""
    if position.last is None:
        return ""
    kind, origin, target, attacker, defender = position.last
    if not 0 <= target < len(position.owner):
        return ""
    there = style.territory_name(target)
    if not 0 <= origin < len(position.owner):
        return (_("{place} was dealt") if kind == "deal" else _("armies placed on {place}")).format(place=there)
    here = style.territory_name(origin)
    told = (_("armies moved from {origin} to {target}") if kind not in ATTACKS
            else _("{origin} attacked {target}, the attacker lost {attacker}, the defender {defender}")
            if attacker or defender else _("{origin} attacked {target}"))
    return told.format(origin=here, target=there, attacker=attacker, defender=defender)


def fate(position: Position, who: SeatPosition) -> str:
    """Describe the elimination of a seat: its round, and the eliminating seat."""
    if who.eliminated_by < 0:
        return _("eliminated in round {round}").format(round=who.eliminated_round)
    return _("eliminated in round {round} by {seat}").format(
        round=who.eliminated_round, seat=seat_name(position, who.eliminated_by))


# ---- decisions --------------------------------------------------------------------------------------


def _trade(position: Position, mover: str) -> str:
    """Describe the decision about a set; only a viewer who sees the cards learns that they contain none."""
    hand = position.seats[position.seat_to_move].cards
    if hand is not None and not sets_in(hand):
        return _("{seat} is asked for a set, holds none, and continues with '='; the others are not told.").format(
            seat=mover)
    return _("{seat} may trade three cards for armies, besides the {left} to place.").format(
        seat=mover, left=position.left)


def _attacks(position: Position, mover: str) -> str:
    """Describe the choice of an attack, and whether the seat has earned a card (RIS-6.1)."""
    told = (_("{seat} attacks, or ends the attacks with '='; {conquests} so far, so a card is due.")
            if position.conquests and position.earns_card
            else _("{seat} attacks, or ends the attacks with '='; {conquests} so far, but no card is due.")
            if position.conquests else _("{seat} attacks, or ends the attacks with '='; no conquest yet, so no card."))
    return told.format(seat=mover, conquests=counted(position.conquests, "conquest", "conquests"))


def _battle(position: Position) -> str:
    """Describe the current attack with its numbers of dice."""
    if position.attack is None:
        return _("A battle")
    origin, target, dice, defence = position.attack
    said = (_("{seat} attacks {target} from {origin}") if not dice
            else _("{seat} attacks {target} from {origin} with {dice}, {defence} against it") if defence
            else _("{seat} attacks {target} from {origin} with {dice}"))
    return said.format(seat=seat_name(position, position.seat_on_turn), target=style.territory_name(target),
                       origin=style.territory_name(origin), dice=counted(dice, "die", "dice"), defence=defence)


def _occupation(position: Position, mover: str) -> str:
    """Describe the conquest, and the armies on both territories."""
    if position.last is None or position.last[1] < 0:
        return _("{seat} may move more armies into the conquered territory.").format(seat=mover)
    origin, target = position.last[1:3]
    there, here = (counted(position.armies[place], "army", "armies") for place in (target, origin))
    return _("{seat} has conquered {target}, now with {there}, and may move in more from {origin}, which has {here}."
             ).format(seat=mover, target=style.territory_name(target), there=there,
                      origin=style.territory_name(origin), here=here)


# ---- the end ----------------------------------------------------------------------------------------


def _ending(position: Position) -> str:
    winners = [seat_name(position, seat) for seat in position.winners]
    if len(winners) == 1:
        return _victory(winners[0], position.seats[position.winners[0]])
    if winners:
        return _("The game is over: {seats} share the victory.").format(seats=listed(winners))
    return _("The game is over.")


def _victory(name: str, winner: SeatPosition) -> str:
    if winner.points is not None:
        return _("The game is over: {seat} wins with {points}.").format(
            seat=name, points=counted(winner.points, "point", "points"))
    if winner.objective_name:
        return _("The game is over: {seat} wins, with the objective: {objective}.").format(
            seat=name, objective=winner.objective_name)
    return _("The game is over: {seat} wins.").format(seat=name)


# ---- The effects of an event of RisiKo!: losses, conquests, continents, cards, eliminations, and the end

_TELLING = frozenset({"deal", "roll", "assault_end", "trade"})


def changes_nothing(before: RisikoState, move: Move, after: RisikoState) -> bool:
    """Return whether a move has no effects to report: owners, turn and end of the game did not change."""
    return move.kind not in _TELLING and before.seat_on_turn == after.seat_on_turn and not after.is_over


def effects_of(before: Position, move: Move, after: Position, rules: Ruleset) -> tuple[Effect, ...]:
    """Return the effects of a move; all of them are public.

    Parameters
    ----------
    before, after : Position
        The public positions; at the end of the game nothing is hidden.
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
    """Return the losses of both sides in a throw or a whole assault (RIS-7)."""
    origin, target = before.origin, before.target
    sides = []
    for place, seat in ((origin, before.owner[origin]), (target, before.owner[target])):
        lost = before.seats[seat].armies - after.seats[seat].armies
        left = before.armies[place] - lost
        told = (_("{seat} loses no army in {place} ({left} left)") if not lost
                else _("{seat} loses {armies} in {place} ({left} left)") if left
                else _("{seat} loses {armies} in {place} (none left)"))
        sides.append(told.format(seat=seat_name(before, seat), armies=counted(lost, "army", "armies"),
                                 place=style.territory_name(place), left=left))
    return Effect("; ".join(sides))


def _territories(before: Position, move: Move, after: Position, points: bool) -> list[Effect]:
    effects = []
    for place, (old, new) in enumerate(zip(before.owner, after.owner, strict=True)):
        if old == new:
            continue
        changed = () if points else tuple((seat, n) for seat, n in ((new, 1.0), (old, -1.0)) if seat >= 0)
        name = style.territory_name(place)
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
    """Return the effects at the start of a turn: its armies (RIS-5, 12.2)."""
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
