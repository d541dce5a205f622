"""The move to play after a search, and the analysis of its result."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from sfida.ai.analysis import Analysis, MoveStats
from sfida.ai.beliefs import Marginal
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.search.solve import Solution, SolvedMove
from sfida.cython_ext.state import View

_CONFIDENCE = 1.7                       # standard errors between the mean and the lower bound
_WELL_VISITED = 0.15                    # share of the most visits that a move needs to be chosen for its bound
_FLOOR = 0.05                           # share of the best share below which a move is left out of a draw
_DRAW = 0x0D1CE                         # separates the draw from the iterations' random streams

Row = dict[str, Any]                    # a root edge, as `Search.root_edges` returns it


def certain_win(view: View, *, own_test: bool = False) -> int | None:
    """Return a move that wins for certain as far as the seat knows, or None.

    Parameters
    ----------
    view : View
        Of the seat to move.
    own_test : bool
        Only what the game's own test finds: not what a look at the next position shows as well.
    """
    world = view.sample(Random(0))      # the same in every world
    return world.winning_move() if world.has_sure_win or not own_test else None


def lower_bound(row: Row) -> float:
    """Return the lower confidence bound of a root move's mean reward; -inf without visits."""
    n = row["visits"]
    if n == 0:
        return -math.inf
    return float(row["reward"] - _CONFIDENCE * math.sqrt((row["deviation"] ** 2 + 1.0 / n) / n))


def final_order(rows: list[Row], final: str, temperature: float = 1.0, seed: int = 0) -> list[Row]:
    """Order root moves; the first is the one to play.

    Parameters
    ----------
    rows : list of dict
        Root edges. If the move is a hidden choice they hold a `strategy`, the average one: it is what
        must be played, so the move is drawn from it whatever `final` says.
    final : str
        "visits": the most visited; "lcb": the best lower bound among the well visited; "sample": drawn
        from visits ** (1 / temperature), without shares below 5 % of the best.
    temperature : float
    seed : int
        Seed of the draw.
    """
    rows = sorted(rows, key=lambda row: (-row["visits"], -row["reward"], row["move"]))
    if not rows or not rows[0]["visits"]:
        return rows
    best = rows[0]
    if best.get("strategy") is not None:
        rows.sort(key=lambda row: (-row["strategy"], row["move"]))
        best = _draw(rows, [row["strategy"] for row in rows], seed)
    elif final == "sample":
        most = rows[0]["visits"]
        best = _draw(rows, [(row["visits"] / most) ** (1.0 / temperature) for row in rows], seed)
    elif final == "lcb":
        enough = _WELL_VISITED * rows[0]["visits"]
        best = max((row for row in rows if row["visits"] >= enough), key=lower_bound)
    rows.remove(best)
    rows.insert(0, best)
    return rows


def calibrated(shares: Sequence[float], power: float) -> tuple[float, ...]:
    """Return shares of the win, each raised to a power, divided by their sum; they keep their order."""
    if power == 1.0:
        return tuple(shares)
    raised = [share ** power for share in shares]
    total = sum(raised)
    return tuple(share / total for share in raised) if total else tuple(shares)


def analysis_of(view: View, rows: list[Row], lines: Mapping[int, tuple[str, ...]], *, iterations: int,
                seconds: float, stopped: str, full: bool, beliefs: tuple[Marginal, ...] = (),
                effective: float | None = None, calibration: float = 1.0) -> Analysis:
    """Return the result of a search as plain data.

    Parameters
    ----------
    view : View
    rows : list of dict
        Root edges in their final order.
    lines : mapping
        The line expected after a root move, if it is known.
    iterations, seconds, stopped, full, beliefs, effective
        As in `Analysis`.
    calibration : float
        Power that makes what searches of the game expect agree with what happens.
    """
    total = max(1, sum(row["visits"] for row in rows))
    mean = [sum(row["visits"] * row["value"][seat] for row in rows) / total for seat in range(view.players)]
    values = [calibrated(row["value"], calibration) if row["visits"] else () for row in rows]
    moves = tuple(
        MoveStats(move=view.format(row["move"]), code=row["move"], visits=row["visits"], share=row["visits"] / total,
                  value=told[view.seat] if told else None, lcb=max(0.0, lower_bound(row)) if told else None,
                  prior=row["prior"],
                  pv=lines.get(row["move"]) or (view.format(row["move"]),), values=told, strategy=row["strategy"])
        for row, told in zip(rows, values, strict=True))
    value = calibrated(mean, calibration)
    return Analysis(view.seat, iterations, value, moves, seconds, stopped, full, beliefs, effective)


def solution_of(view: View, solution: Solution, seconds: float) -> Analysis:
    """Return an exact solution as plain data; of moves other than the best no more may be known than that."""
    best = solution.best
    rows = sorted(solution.moves, key=lambda row: (row is not best, -row.reward, row.code))
    moves = tuple(
        MoveStats(move=view.format(row.code), code=row.code, visits=0, share=float(row is best),
                  value=row.value[view.seat] if row.exact else None, lcb=row.reward if row.exact else None,
                  prior=0.0, pv=_notation(view, row), values=tuple(row.value))
        for row in rows)
    return Analysis(view.seat, solution.positions, tuple(best.value), moves, seconds, "solved")


def _notation(view: View, row: SolvedMove) -> tuple[str, ...]:
    if not row.line:
        return (view.format(row.code),)
    state, line = view.sample(Random(0)), []            # nothing is hidden: there is one world
    for code in row.line:
        line.append(state.format(code))
        state.apply(code)
    return tuple(line)


def disagree(rows: list[Row]) -> bool:
    """Return whether, of the two most visited moves, the less visited one has the better mean."""
    rows = sorted(rows, key=lambda row: -row["visits"])
    return len(rows) > 1 and rows[1]["visits"] > 0 and rows[1]["reward"] > rows[0]["reward"]


def _draw(rows: list[Row], weights: list[float], seed: int) -> Row:
    floor = _FLOOR * max(weights)
    kept = [weight if weight >= floor else 0.0 for weight in weights]
    x = Random(derive(seed, _DRAW)).uniform() * sum(kept)
    for row, weight in zip(rows, kept, strict=True):
        x -= weight
        if x < 0.0 and weight:
            return row
    return rows[kept.index(max(kept))]
