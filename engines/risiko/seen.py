"""The position of a state as plain data, as one viewer sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfida.engines.risiko import names
from sfida.engines.risiko.goals import goal_of, hunted_colors, objective_name, progress_of
from sfida.engines.risiko.looks import income
from sfida.engines.risiko.moves import decode
from sfida.engines.risiko.options import Ruleset
from sfida.engines.risiko.position import Position, SeatPosition

if TYPE_CHECKING:
    from sfida.cython_ext.risiko.core import RisikoState


def position_of(state: RisikoState, seat: int | None, rules: Ruleset) -> Position:
    """Return the position as `seat` sees it; None: what everybody sees."""
    raw = state.snapshot()
    over = raw["phase"] == "game_over"
    fighting = raw["phase"] in ("defend", "chance_roll", "chance_assault")
    ranks = state.standings() if over else ()
    return Position(
        players=state.players,
        tournament=rules.points,
        hunted=None if rules.objective_deck == "base" else hunted_colors(rules),
        phase=raw["phase"],
        round=raw["round"],
        seat_on_turn=raw["on_turn"],
        seat_to_move=raw["to_move"],
        owner=tuple(raw["owner"]),
        armies=tuple(raw["armies"]),
        left=raw["left"],
        attack=(raw["origin"], raw["target"], raw["attack_dice"],
                0 if raw["phase"] == "defend" else raw["defence_dice"]) if fighting else None,
        conquests=raw["conquests"],
        earns_card=state.conquest_earns_card(),
        deck=raw["deck"],
        discards=tuple(raw["discards"]),
        seats=tuple(_seat(rules, state, raw, i, over, i == seat) for i in range(state.players)),
        last=_last(raw),
        winners=tuple(i for i, rank in enumerate(ranks) if rank == 1),
    )


def _seat(rules: Ruleset, state: RisikoState, raw: dict[str, Any], seat: int, over: bool, own: bool) -> SeatPosition:
    row = raw["seats"][seat]
    revealed = rules.reveal_objective_on_elimination and row["eliminated_by"] >= 0
    objective = state.objective(seat) if over or own or revealed else None
    points = None
    if rules.points and objective is not None:
        points = state.points(seat)
    return SeatPosition(
        color=str(names.color_row(row["color"])["id"]) if row["color"] >= 0 else "",
        alive=row["alive"], territories=row["territories"], armies=row["armies"],
        continents=tuple(row["continents"]), income=income(raw, seat, rules.army_cap), card_count=row["cards"],
        cards=tuple(state.hand(seat)) if over or own or row["cards"] == 0 else None,
        objective=objective,
        objective_name="" if objective is None else objective_name(rules, objective),
        goal=() if objective is None else goal_of(rules, objective),
        progress="" if objective is None or (raw["round"] == 0 and not raw["turns"])
        else progress_of(rules, state, raw, seat),
        points=points, eliminated_round=row["eliminated_round"], eliminated_by=row["eliminated_by"])


def _last(raw: dict[str, Any]) -> tuple[str, int, int, int, int] | None:
    """Return the last move for the arrow: kind, origin, target, losses of both sides."""
    if not raw["last"]:
        return None
    move = decode(raw["last"])
    if move.kind in ("roll", "assault_end"):
        if raw["origin"] < 0:           # the turn is over by now
            return None
        losses = (move.amount >> 2, move.amount & 3) if move.kind == "roll" else (0, 0)
        return "roll", raw["origin"], raw["target"], *losses
    if move.kind in ("place", "deal"):
        return move.kind, -1, move.target, 0, 0
    if move.kind in ("attack", "assault", "safe_assault", "fortify"):
        return move.kind, move.origin, move.target, 0, 0
    if move.kind == "occupy" and raw["origin"] >= 0:
        return "occupy", raw["origin"], raw["target"], 0, 0
    return None
