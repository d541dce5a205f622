"""What is going on in RisiKo!, in sentences: what is decided and what counts there, how it ended, the last move."""

from __future__ import annotations

from sfida.engines.language import _
from sfida.engines.risiko import names
from sfida.engines.risiko.looks import ATTACKS, is_over, seat_name, sets_in
from sfida.engines.risiko.position import Position, SeatPosition
from sfida.engines.wording import counted, listed


def sentence(position: Position) -> str:
    """Say in one sentence what is going on."""
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
        "chance_assault": _("{battle}, and goes on.").format(battle=_battle(position)),
        "occupy": _occupation(position, mover),
        "fortify": _("{seat} may move armies once between two neighbouring territories, which ends the turn.").format(
            seat=mover),
        "draw": _("{seat} draws a card.").format(seat=turn),
        "sdadata": _("{seat} throws two dice: a low throw ends the game.").format(seat=turn),
    }
    return said.get(position.phase, position.phase.replace("_", " ").capitalize() + ".")


def last_text(position: Position) -> str:
    """Say what the last move did on the map, such as "armies placed on China"; "" when it did nothing there."""
    if position.last is None:
        return ""
    kind, origin, target, attacker, defender = position.last
    if not 0 <= target < len(position.owner):
        return ""
    there = names.territory_name(target)
    if not 0 <= origin < len(position.owner):
        return (_("{place} was dealt") if kind == "deal" else _("armies placed on {place}")).format(place=there)
    here = names.territory_name(origin)
    told = (_("armies moved from {origin} to {target}") if kind not in ATTACKS
            else _("{origin} attacked {target}, the attacker lost {attacker}, the defender {defender}")
            if attacker or defender else _("{origin} attacked {target}"))
    return told.format(origin=here, target=there, attacker=attacker, defender=defender)


def fate(position: Position, who: SeatPosition) -> str:
    """Say when an eliminated seat was eliminated, and by whom."""
    if who.eliminated_by < 0:
        return _("eliminated in round {round}").format(round=who.eliminated_round)
    return _("eliminated in round {round} by {seat}").format(
        round=who.eliminated_round, seat=seat_name(position, who.eliminated_by))


# ---- decisions --------------------------------------------------------------------------------------


def _trade(position: Position, mover: str) -> str:
    """Say to who holds the cards whether there is a set among them; others are not told."""
    hand = position.seats[position.seat_to_move].cards
    if hand is not None and not sets_in(hand):
        return _("{seat} is asked for a set, holds none, and goes on with '='; the others are not told.").format(
            seat=mover)
    return _("{seat} may trade three cards for armies, besides the {left} to place.").format(
        seat=mover, left=position.left)


def _attacks(position: Position, mover: str) -> str:
    """Say that a seat may attack, and whether it has earned a card (RIS-6.1)."""
    told = (_("{seat} attacks, or ends the attacks with '='; {conquests} so far, so a card is due.")
            if position.conquests and position.earns_card
            else _("{seat} attacks, or ends the attacks with '='; {conquests} so far, but no card is due.")
            if position.conquests else _("{seat} attacks, or ends the attacks with '='; no conquest yet, so no card."))
    return told.format(seat=mover, conquests=counted(position.conquests, "conquest", "conquests"))


def _battle(position: Position) -> str:
    """Say who attacks whom with how many dice."""
    if position.attack is None:
        return _("A battle")
    origin, target, dice, defence = position.attack
    said = (_("{seat} attacks {target} from {origin}") if not dice
            else _("{seat} attacks {target} from {origin} with {dice}, {defence} against it") if defence
            else _("{seat} attacks {target} from {origin} with {dice}"))
    return said.format(seat=seat_name(position, position.seat_on_turn), target=names.territory_name(target),
                       origin=names.territory_name(origin), dice=counted(dice, "die", "dice"), defence=defence)


def _occupation(position: Position, mover: str) -> str:
    """Say what was conquered from where, and what stands on both sides."""
    if position.last is None or position.last[1] < 0:
        return _("{seat} may move more armies into the conquered territory.").format(seat=mover)
    origin, target = position.last[1:3]
    there, here = (counted(position.armies[place], "army", "armies") for place in (target, origin))
    return _("{seat} has conquered {target}, now with {there}, and may move in more from {origin}, which has {here}."
             ).format(seat=mover, target=names.territory_name(target), there=there,
                      origin=names.territory_name(origin), here=here)


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
