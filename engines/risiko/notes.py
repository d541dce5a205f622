"""What a move of RisiKo! costs and brings beyond its words: losses to expect, what a conquest brings, odds after it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from sfida.engines.language import N_, _
from sfida.engines.risiko import names
from sfida.engines.risiko.goals import goal_of, objective_row
from sfida.engines.risiko.looks import continents, neighbours, set_worth
from sfida.engines.risiko.moves import Move
from sfida.engines.risiko.options import Ruleset
from sfida.engines.risiko.rules import load_data
from sfida.engines.wording import counted, listed

if TYPE_CHECKING:
    from sfida.cython_ext.risiko.core import RisikoState

Raw = dict[str, Any]
_THROW_COST = N_("one throw costs {own:.1f} armies on average, {seat} {others:.1f}")
_COST = N_("costs {own:.1f} armies on average, {seat} {others:.1f}")


def note_of(state: RisikoState, move: Move, rules: Ruleset) -> str:
    """Return what a legal move costs and brings, as far as its words do not say it; only what the mover knows."""
    told: dict[str, Callable[[RisikoState, Raw, Move, Ruleset], str]] = {
        "place": _placed, "attack": _attack, "assault": _attack, "safe_assault": _attack, "defend": _defence,
        "occupy": _moved, "fortify": _moved, "trade": _trade, "end_attack": _card_due}
    tell = told.get(move.kind)
    return "" if tell is None else tell(state, state.snapshot(), move, rules)


# ---- battles ----------------------------------------------------------------------------------------


@cache
def throw_losses(attack: int, defence: int) -> tuple[float, float]:
    """Return the armies that one throw of so many dice costs attacker and defender on average (RIS-15.3)."""
    row = next(one for one in load_data()["battle_odds"]
               if one["attack_dice"] == attack and one["defense_dice"] == defence)
    mean = [sum(one["ways"] * one[f"{who}_loss"] for one in row["outcomes"]) / row["total"]
            for who in ("attacker", "defender")]
    return mean[0], mean[1]


def _attack(state: RisikoState, raw: Raw, move: Move, rules: Ruleset) -> str:
    """Tell what an attack costs on average, one throw or the whole of it, and what the conquest would bring."""
    armies = raw["armies"]
    if move.kind == "attack":
        losses = throw_losses(move.amount, min(3, armies[move.target]))
    else:
        losses = state.rules.expected_losses(armies[move.origin], armies[move.target], move.kind == "safe_assault")
    cost = _THROW_COST if move.kind == "attack" else _COST
    told = [_average(state, _(cost), losses, raw["owner"][move.target])]
    brings = listed(_conquest(state, raw, move.target, rules))
    if brings:
        told.append(_("a conquest {brings}").format(brings=brings))
    return "; ".join(told)


def _average(state: RisikoState, cost: str, losses: tuple[float, float], other: int) -> str:
    return cost.format(own=losses[0], seat=state.game.seat_name(other), others=losses[1])


def _conquest(state: RisikoState, raw: Raw, target: int, rules: Ruleset) -> list[str]:
    """Return what the conquest of a territory does for the mover besides, the most important first."""
    seat, loser = int(state.to_move), raw["owner"][target]
    held = {place for place, owner in enumerate(raw["owner"]) if owner == seat} | {target}
    last = raw["seats"][loser]["territories"] == 1
    found = _for_objective(state, raw, target, held, rules)
    if last:
        cards = raw["seats"][loser]["cards"]
        told = _("eliminates {seat} ({cards})") if cards else _("eliminates {seat}")
        found.append(told.format(seat=state.game.seat_name(loser), cards=counted(cards, "card", "cards")))
    for number, land in enumerate(continents()):
        if target in land.territories:
            if held.issuperset(land.territories):
                found.append(_("completes {land} (+{bonus} armies per turn)").format(land=land.name, bonus=land.bonus))
            elif number in raw["seats"][loser]["continents"]:
                found.append(_("breaks {land} (-{bonus} for {seat})").format(
                    land=land.name, bonus=land.bonus, seat=state.game.seat_name(loser)))
    if not raw["conquests"]:
        found.append(_("earns a card"))
    return found


def _for_objective(state: RisikoState, raw: Raw, target: int, held: set[int], rules: Ruleset) -> list[str]:
    """Say whether a conquest fulfils the mover's objective, or a part of it."""
    seat = int(state.to_move)
    which = state.effective_objective(seat)
    if which is None:
        return []
    row, goal = objective_row(rules, which), goal_of(rules, which)
    whole = [one for one in continents() if held.issuperset(one.territories)]
    if goal:
        spare = sum(one.id not in row.get("continents", ()) for one in whole)
        done, counts = held.issuperset(goal) and spare >= row.get("extra", 0), target in goal
    elif row["type"] == "destroy":
        loser = raw["seats"][raw["owner"][target]]
        counts = names.color_row(loser["color"])["id"] == row["color"]
        done = counts and loser["territories"] == 1
    else:
        counts = row["min_armies"] == 1
        done = counts and len(held) >= row["count"]
    return [_("wins the game")] if done else [_("counts for the objective")] if counts else []


def _defence(state: RisikoState, raw: Raw, move: Move, rules: Ruleset) -> str:
    lost, slain = throw_losses(raw["attack_dice"], move.amount)
    return _average(state, _(_COST), (slain, lost), raw["on_turn"])


# ---- armies -----------------------------------------------------------------------------------------


def _placed(state: RisikoState, raw: Raw, move: Move, rules: Ruleset) -> str:
    """Tell the best attack from a territory after armies have come, and the greatest threat to it."""
    armies, owner = raw["armies"], raw["owner"]
    enemies = [other for other in neighbours()[move.target] if owner[other] != owner[move.target]]
    if not enemies:
        return _("no enemy borders it")
    here = armies[move.target] + move.amount
    best, prey = max((state.rules.win_chance(here, armies[other]), other) for other in enemies)
    worst = max(state.rules.win_chance(armies[other], here) for other in enemies)
    return _("then {prey} falls with {best:.0f} %, {place} with {worst:.0f} %").format(
        prey=names.territory_name(prey), best=100 * best, place=names.territory_name(move.target), worst=100 * worst)


def _moved(state: RisikoState, raw: Raw, move: Move, rules: Ruleset) -> str:
    """Tell what stays behind."""
    origin, target = (raw["origin"], raw["target"]) if move.kind == "occupy" else (move.origin, move.target)
    here, there = raw["armies"][origin] - move.amount, raw["armies"][target] + move.amount
    return _("{here} in {origin}, {there} in {target} then").format(
        here=here, origin=names.territory_name(origin), there=there, target=names.territory_name(target))


def _trade(state: RisikoState, raw: Raw, move: Move, rules: Ruleset) -> str:
    """Tell the armies that a set brings (RIS-6.3, 6.5)."""
    seat = int(state.to_move)
    own = [card for card in move.cards if card < len(raw["owner"]) and raw["owner"][card] == seat]
    extra = load_data()["cards"]["owned_territory_bonus"] * len(own)
    armies = counted(set_worth(move.cards, rules.trade_table) + extra, "army", "armies")
    told = _("brings {armies}, {extra} of them for cards of own territories") if extra else _("brings {armies}")
    return told.format(armies=armies, extra=extra)


def _card_due(state: RisikoState, raw: Raw, move: Move, rules: Ruleset) -> str:
    """Say whether a card comes at the end of the turn (RIS-6.1)."""
    return _("a card at the end of the turn") if raw["conquests"] else _("no conquest this turn, so no card")
