"""What a move of RisiKo! costs and brings beyond its words: losses to expect, what a conquest brings, odds after it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from sfida.cython_ext.risiko.core import LARGEST_STACK
from sfida.engines.language import N_, _
from sfida.engines.risiko import names
from sfida.engines.risiko.goals import goal_of, objective_row
from sfida.engines.risiko.looks import continents, neighbours, set_worth
from sfida.engines.risiko.moves import Move
from sfida.engines.risiko.options import Ruleset
from sfida.engines.risiko.position import Position, position_of
from sfida.engines.risiko.rules import load_data
from sfida.engines.wording import counted, listed

if TYPE_CHECKING:
    from sfida.cython_ext.risiko.core import RisikoState

NO_CARD = N_("no card: the hand is full, or none is left")
_THROW_COST = N_("one throw costs {own:.1f} armies on average, {seat} {others:.1f}")
_DEFENCE_COST = N_("a throw costs {own:.1f} armies on average, {seat} {others:.1f}")     # must fit into 80 columns
_COST = N_("costs {own:.1f} armies on average, {seat} {others:.1f}")
_ABOUT = N_("costs about {own:.1f} armies on average, {seat} {others:.1f}")


def note_of(state: RisikoState, move: Move, rules: Ruleset) -> str:
    """Return what a legal move costs and brings, as far as its words do not say it; only what the mover knows."""
    told: dict[str, Callable[[RisikoState, Position, Move, Ruleset], str]] = {
        "place": _placed, "attack": _attack, "assault": _attack, "safe_assault": _attack, "defend": _defence,
        "occupy": _moved, "fortify": _moved, "trade": _trade, "end_attack": _card_due}
    tell = told.get(move.kind)
    return "" if tell is None else tell(state, position_of(state, int(state.to_move)), move, rules)


# ---- odds -------------------------------------------------------------------------------------------


def chance_text(state: RisikoState, position: Position, origin: int, target: int, *, reserve: bool = False,
                dice: int = 0, more: int = 0, against: int = 0, digits: int = 0) -> tuple[float, str]:
    """Return the chance that the owner of a territory conquers another when it attacks next, and the words for it.

    Parameters
    ----------
    state : RisikoState
    position : Position
        As anybody sees it.
    origin, target : int
    reserve : bool
        The assault keeps a reserve.
    dice : int
        Of the first throw; 0: the most.
    more, against : int
        Armies that come to the origin and to the target before.
    digits : int
        Decimals.
    """
    attackers, defenders = position.armies[origin] + more, position.armies[target] + against
    chance = state.rules.win_chance(attackers, defenders, reserve, dice=dice,
                                    protected=state.is_protected(target, position.owner[origin]))
    told = _("about {chance} %") if max(attackers, defenders) > LARGEST_STACK else "{chance} %"
    return chance, told.format(chance=f"{100 * chance:.{digits}f}")


# ---- battles ----------------------------------------------------------------------------------------


@cache
def throw_losses(attack: int, defence: int) -> tuple[float, float]:
    """Return the armies that one throw of so many dice costs attacker and defender on average (RIS-15.3)."""
    row = next(one for one in load_data()["battle_odds"]
               if one["attack_dice"] == attack and one["defense_dice"] == defence)
    mean = [sum(one["ways"] * one[f"{who}_loss"] for one in row["outcomes"]) / row["total"]
            for who in ("attacker", "defender")]
    return mean[0], mean[1]


def _attack(state: RisikoState, position: Position, move: Move, rules: Ruleset) -> str:
    """Tell what an attack costs on average, one throw or the whole of it, and what the conquest would bring."""
    here, there = position.armies[move.origin], position.armies[move.target]
    protected = state.is_protected(move.target, int(state.to_move))
    if move.kind == "attack":
        cost, losses = _THROW_COST, throw_losses(move.amount, min(3, there))
    else:
        cost = _ABOUT if max(here, there) > LARGEST_STACK else _COST
        losses = state.rules.expected_losses(here, there, move.kind == "safe_assault", protected)
    told = [_average(state, _(cost), losses, position.owner[move.target])]
    brings = "" if protected else listed(_conquest(state, position, move.target, rules))
    if protected:
        told.append(_("cannot conquer it: nobody is eliminated before round {round}").format(
            round=rules.early_elimination_rounds + 1))
    if brings:
        told.append(_("a conquest {brings}").format(brings=brings))
    return "; ".join(told)


def _average(state: RisikoState, cost: str, losses: tuple[float, float], other: int) -> str:
    return cost.format(own=losses[0], seat=state.game.seat_name(other), others=losses[1])


def _conquest(state: RisikoState, position: Position, target: int, rules: Ruleset) -> list[str]:
    """Return what the conquest of a territory does for the mover besides, the most important first."""
    seat, loser = int(state.to_move), position.owner[target]
    held = {place for place, owner in enumerate(position.owner) if owner == seat} | {target}
    last, inherited = position.seats[loser].territories == 1, 0
    found = _for_objective(state, position, target, held, rules)
    if last:
        inherited = position.seats[loser].card_count
        told = _("eliminates {seat} ({cards})") if inherited else _("eliminates {seat}")
        if not found and sum(one.alive for one in position.seats) == 2:
            found.append(_("wins the game"))
        found.append(told.format(seat=state.game.seat_name(loser), cards=counted(inherited, "card", "cards")))
    for number, land in enumerate(continents()):
        if target in land.territories:
            if held.issuperset(land.territories):
                found.append(_("completes {land} (+{bonus} armies per turn)").format(land=land.name, bonus=land.bonus))
            elif number in position.seats[loser].continents:
                found.append(_("breaks {land} (-{bonus} for {seat})").format(
                    land=land.name, bonus=land.bonus, seat=state.game.seat_name(loser)))
    if not position.conquests and state.conquest_earns_card(inherited):
        found.append(_("earns a card"))
    return found


def _for_objective(state: RisikoState, position: Position, target: int, held: set[int], rules: Ruleset) -> list[str]:
    """Say whether a conquest fulfils the mover's objective, or a part of it."""
    seat = int(state.to_move)
    which = position.seats[seat].effective
    if which is None:
        return []
    row, goal = objective_row(rules, which), goal_of(rules, which)
    whole = [one for one in continents() if held.issuperset(one.territories)]
    if goal:
        spare = sum(one.id not in row.get("continents", ()) for one in whole)
        done, counts = held.issuperset(goal) and spare >= row.get("extra", 0), target in goal
    elif row["type"] == "destroy":
        loser = position.seats[position.owner[target]]
        counts = loser.color == row["color"]
        done = counts and loser.territories == 1
    else:
        counts = row["min_armies"] == 1
        done = counts and len(held) >= row["count"]
    return [_("wins the game")] if done else [_("counts for the objective")] if counts else []


def _defence(state: RisikoState, position: Position, move: Move, rules: Ruleset) -> str:
    lost, slain = throw_losses(position.attack_dice, move.amount)
    return _average(state, _(_DEFENCE_COST if position.assault else _COST), (slain, lost), position.seat_on_turn)


# ---- armies -----------------------------------------------------------------------------------------


def _placed(state: RisikoState, position: Position, move: Move, rules: Ruleset) -> str:
    """Tell the best attack from a territory after armies have come, and the greatest threat to it."""
    owner = position.owner
    enemies = [other for other in neighbours()[move.target] if owner[other] != owner[move.target]]
    if not enemies:
        return _("no enemy borders it")
    here, more = move.target, move.amount
    (_chance, best), prey = max((chance_text(state, position, here, other, more=more), other) for other in enemies)
    _chance, worst = max(chance_text(state, position, other, here, against=more) for other in enemies)
    return _("then {prey} falls with {best}, {place} with {worst}").format(
        prey=names.territory_name(prey), best=best, place=names.territory_name(here), worst=worst)


def _moved(state: RisikoState, position: Position, move: Move, rules: Ruleset) -> str:
    """Tell what stays behind."""
    origin, target = (position.origin, position.target) if move.kind == "occupy" else (move.origin, move.target)
    here, there = position.armies[origin] - move.amount, position.armies[target] + move.amount
    return _("{here} in {origin}, {there} in {target} then").format(
        here=here, origin=names.territory_name(origin), there=there, target=names.territory_name(target))


def _trade(state: RisikoState, position: Position, move: Move, rules: Ruleset) -> str:
    """Tell the armies that a set brings (RIS-6.3, 6.5)."""
    seat = int(state.to_move)
    own = [card for card in move.cards if card < len(position.owner) and position.owner[card] == seat]
    extra = load_data()["cards"]["owned_territory_bonus"] * len(own)
    worth = set_worth(move.cards, rules.trade_table) + extra
    brings = worth
    if rules.army_cap:
        brings = min(worth, max(0, rules.army_cap - position.seats[seat].armies - position.left))
    told = (_("brings {armies} of {worth}: nobody has more than {cap}") if brings < worth
            else _("brings {armies}, {extra} of them for cards of own territories") if extra else _("brings {armies}"))
    return told.format(armies=counted(brings, "army", "armies"), extra=extra, worth=worth, cap=rules.army_cap)


def _card_due(state: RisikoState, position: Position, move: Move, rules: Ruleset) -> str:
    """Say whether a card comes at the end of the turn (RIS-6.1)."""
    if not position.conquests:
        return _("no conquest this turn, so no card")
    return _("a card at the end of the turn") if state.conquest_earns_card() else _(NO_CARD)
