"""What is going on in RisiKo!, in sentences: what is decided and what counts there, how it ended, the last move."""

from __future__ import annotations

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
        "chance_start": "It is drawn who goes first.",
        "colors": f"{mover} chooses a colour.",
        "chance_objectives": "The objectives are dealt.",
        "chance_deal": "The territories are dealt.",
        "setup_place": f"Setup: {mover} places {armies} on territories of its own.",
        "trade": _trade(position, mover),
        "place": f"{mover} places {armies}, then attacks.",
        "attack": _attacks(position, mover),
        "defend": f"{_battle(position)}: {mover} chooses the dice of the defence.",
        "chance_roll": f"{_battle(position)}.",
        "chance_assault": f"{_battle(position)}, and goes on.",
        "occupy": _occupation(position, mover),
        "fortify": f"{mover} may move armies once between two neighbouring territories, which ends the turn.",
        "draw": f"{turn} draws a card.",
        "sdadata": f"{turn} throws two dice: a low throw ends the game.",
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
        return f"{there} was dealt" if kind == "deal" else f"armies placed on {there}"
    here = names.territory_name(origin)
    if kind not in ATTACKS:
        return f"armies moved from {here} to {there}"
    losses = f", the attacker lost {attacker}, the defender {defender}" if attacker or defender else ""
    return f"{here} attacked {there}{losses}"


# ---- decisions --------------------------------------------------------------------------------------


def _trade(position: Position, mover: str) -> str:
    """Say to who holds the cards whether there is a set among them; others are not told."""
    hand = position.seats[position.seat_to_move].cards
    if hand is not None and not sets_in(hand):
        return f"{mover} is asked for a set, holds none, and goes on with '='; the others are not told."
    return f"{mover} may trade three cards for armies, besides the {position.left} to place."


def _attacks(position: Position, mover: str) -> str:
    """Say that a seat may attack, and whether it has earned a card (RIS-6.1)."""
    card = (f"{counted(position.conquests, 'conquest', 'conquests')} so far, so a card is due" if position.conquests
            else "no conquest yet, so no card")
    return f"{mover} attacks, or ends the attacks with '='; {card}."


def _battle(position: Position) -> str:
    """Say who attacks whom with how many dice."""
    if position.attack is None:
        return "A battle"
    origin, target, dice, defence = position.attack
    said = (f"{seat_name(position, position.seat_on_turn)} attacks {names.territory_name(target)} from "
            f"{names.territory_name(origin)}")
    against = f", {defence} against it" if defence else ""
    return f"{said} with {counted(dice, 'die', 'dice')}{against}" if dice else said


def _occupation(position: Position, mover: str) -> str:
    """Say what was conquered from where, and what stands on both sides."""
    if position.last is None or position.last[1] < 0:
        return f"{mover} may move more armies into the conquered territory."
    origin, target = position.last[1:3]
    there, here = (counted(position.armies[place], "army", "armies") for place in (target, origin))
    return (f"{mover} has conquered {names.territory_name(target)}, now with {there}, and may move in more from "
            f"{names.territory_name(origin)}, which has {here}.")


# ---- the end ----------------------------------------------------------------------------------------


def _ending(position: Position) -> str:
    winners = [seat_name(position, seat) for seat in position.winners]
    if len(winners) == 1:
        return f"The game is over: {winners[0]} wins{_victory(position.seats[position.winners[0]])}."
    if winners:
        return f"The game is over: {listed(winners)} share the victory."
    return "The game is over."


def _victory(winner: SeatPosition) -> str:
    if winner.points is not None:
        return f" with {counted(winner.points, 'point', 'points')}"
    return f", with the objective: {winner.objective_name}" if winner.objective_name else ""
