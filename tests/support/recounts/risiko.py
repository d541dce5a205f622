"""Checks of the debug build: a position and each step to it against a plain recount.

Nothing here shares code with the core: the map and all numbers come from the data.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from sfida.engines.position_game import same
from sfida.engines.risiko.options import Ruleset
from sfida.engines.risiko.position import Position, decode, position_of
from sfida.engines.risiko.tables import load_data

if TYPE_CHECKING:
    from sfida.cython_ext.risiko.core import RisikoState


@cache
def continents() -> tuple[tuple[frozenset[int], int], ...]:
    """Return the territories and the bonus of each continent."""
    number = {row["id"]: i for i, row in enumerate(load_data()["territory"])}
    return tuple((frozenset(number[name] for name in row["territories"]), row["bonus"])
                 for row in load_data()["continent"])


def income(own: frozenset[int], rules: Ruleset) -> int:
    """Return the armies of a reinforcement phase without sets (RIS-5.1, 5.2, 5.3, 13.6)."""
    third = max(len(own) // 3, rules.min_reinforcement)
    return third + sum(bonus for land, bonus in continents() if land <= own) + rules.extra_reinforcement


def _room(position: Position, seat: int, rules: Ruleset) -> int:
    """Return the number of further armies that a seat may have after placing those that it holds (RIS-12.2)."""
    armies = position.seats[seat].armies + (position.left if seat == position.seat_on_turn else 0)
    if not position.round:
        armies = next(row["initial_armies"] for row in load_data()["setup"] if row["players"] == rules.players)
    return max(0, rules.army_cap - armies)


def check_position(position: Position, rules: Ruleset) -> None:
    """Recount a position and compare all figures that follow from the position alone.

    Raises
    ------
    AssertionError
        If territories, armies or cards are not conserved, or incomes and continents differ from the recount.
    """
    dealt = -1 not in position.owner
    for seat, one in enumerate(position.seats):
        own = frozenset(i for i, owner in enumerate(position.owner) if owner == seat)
        same("territories", one.territories, len(own))
        if not dealt:
            continue
        same("armies", one.armies, sum(position.armies[i] for i in own))
        due = income(own, rules)
        same("income", one.income, min(due, _room(position, seat, rules)) if rules.army_cap else due)
        same("continents", one.continents, tuple(i for i, (land, _) in enumerate(continents()) if land <= own))
        same("alive", one.alive, bool(own))
        same("eliminated", one.eliminated_by >= 0, not own)
    cards = position.deck + len(position.discards) + sum(one.card_count for one in position.seats)
    same("cards", cards, load_data()["cards"]["count"])
    if dealt and min(position.armies) < 1:
        raise AssertionError("a territory is empty (RIS-7.12)")
    if position.round:
        return
    setup = next(row for row in load_data()["setup"] if row["players"] == position.players)
    if sum(one.armies for one in position.seats) > setup["armies_on_board_total"]:
        raise AssertionError("too many armies in the setup (RIS-3.9)")


def check_step(before: RisikoState, code: int, after: RisikoState, rules: Ruleset) -> None:
    """Check that a move turned one position into the other: armies, owners, cards, and the seat on turn.

    Raises
    ------
    AssertionError
        If anything differs from the effect of the move by the rules.
    """
    move = decode(code)
    old, new = position_of(before), position_of(after)
    armies, owner, hands = list(old.armies), list(old.owner), [one.card_count for one in old.seats]
    seat, origin, target = old.seat_on_turn, old.origin, old.target
    if move.kind == "place":
        armies[move.target] += move.amount
    elif move.kind == "roll" or move.kind == "assault_end":
        if move.kind == "roll":
            armies[origin] -= move.amount >> 2
            armies[target] -= move.amount & 3
        else:
            armies[origin], armies[target] = move.amount >> 8, move.amount & 255
        if armies[target] == 0:
            loser, owner[target] = owner[target], seat
            dice = old.attack_dice if move.kind == "roll" else min(3, armies[origin] - 1)
            armies[origin] -= dice
            armies[target] = dice
            if loser not in owner:
                if old.round <= rules.early_elimination_rounds and rules.early_elimination != "off":
                    raise AssertionError("a player was eliminated too early (RIS-9.4)")
                hands[seat] += hands[loser]
                hands[loser] = 0
    elif move.kind in ("occupy", "fortify"):
        here, there = (origin, target) if move.kind == "occupy" else (move.origin, move.target)
        armies[here] -= move.amount
        armies[there] += move.amount
    elif move.kind == "trade":
        hands[seat] -= 3
    elif move.kind == "draw":
        hands[seat] += 1
    if move.kind in ("deal", "objective", "start", "color"):
        return
    same("armies", new.armies, tuple(armies))
    same("owners", new.owner, tuple(owner))
    same("hands", [one.card_count for one in new.seats], hands)
    same("rounds", new.round - old.round in (0, 1), True)
