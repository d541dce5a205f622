"""What the decisions of a level give away, judged by a deep search: a histogram for `bench/levels.py --losses`."""

from __future__ import annotations

import itertools

import numpy as np

from sfida.ai.advice import compare
from sfida.ai.chance import decision_seed
from sfida.ai.ismcts import IsmctsAgent
from sfida.ai.search import IsmctsOptions
from sfida.ai.table import Table, take_seats
from sfida.engines.game import Game

EDGES = (0.0, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12, 0.2, 0.35, 1.0)
WIDE = 50                               # characters of the longest bar


def losses_of(game: Game, level: str, iterations: int, decisions: int, seed: int) -> list[float]:
    """Return the loss in win share of so many decisions with a choice, in games of a level against itself."""
    judge = IsmctsAgent(IsmctsOptions(iterations=iterations), seed)
    found: list[float] = []
    number = 0
    while len(found) < decisions:
        table = Table(game, take_seats(game, [f"level:{level}"] * game.players), seed + number)
        table.begin()
        number += 1
        while not table.is_over and len(found) < decisions:
            state, seat = table.state, int(table.state.to_move)
            code = table.next_move()
            if seat >= 0 and len(state.legal_moves()) > 1:
                judge.new_game()
                judge.seed = decision_seed(seed + number, seat, len(table.events))
                found.append(max(0.0, compare(judge, state.view(seat), code).loss))
            table.play(code)
    return found


def show_losses(game: Game, level: str, iterations: int, decisions: int, seed: int) -> None:
    """Print the histogram."""
    found = np.array(losses_of(game, level, iterations, decisions, seed))
    print(f"{game.spec()}, level {level}: loss in win share of {len(found)} decisions, judged by {iterations} "
          f"iterations\nmean {found.mean():.4f}, median {np.median(found):.4f}, 90 % below "
          f"{np.quantile(found, 0.9):.4f}, largest {found.max():.3f}")
    counts = [int(((found > low) & (found <= high)).sum()) for low, high in itertools.pairwise(EDGES)]
    rows = [("none", int((found == 0).sum()))]
    rows += [(f"{low:g} to {high:g}", count) for low, high, count in zip(EDGES, EDGES[1:], counts, strict=False)]
    most = max(count for _, count in rows)
    for name, count in rows:
        print(f"{name:>14} {count:5}  {'#' * round(WIDE * count / most)}".rstrip())
