"""Games and reviews of tic-tac-toe with known mistakes."""

from __future__ import annotations

from dataclasses import replace

from sfida.ai.review.model import Decision, Review, Verdict
from sfida.engines.records import GameRecord, GameResult

# O answers the corner with an edge, which loses: only the middle draws.
MOVES = ("a1", "a2", "b2", "c3", "b1", "b3", "c1")
LOST = GameRecord("tic_tac_toe", 1, MOVES, ("ismcts", "human"), 1, (),
                  GameResult((1.0, 0.0), (1, 0), (1, 2)))
# O answers two opposite corners with a third, which loses: any edge draws.
FORKED = replace(LOST, moves=("a1", "b2", "c3", "a3", "c1", "b1", "c2"))


def decision(ply: int, loss: float | None, error: float = 0.01, *, kind: str = "", move: str = "",
             best: str = "b2") -> Decision:
    """Return a decision of tic-tac-toe with this loss; None: it was forced."""
    seat = ply % 2
    verdict = None if loss is None else Verdict(best, "", loss, error, (0.0, 0.0), 0.5, loss)
    return Decision(ply, seat, ply, move or MOVES[ply], move or MOVES[ply], 1 if loss is None else 5, kind,
                    f"about {kind}" if kind else "", (0.0, 0.0), (0.0, 0.0), verdict)


def review(*decisions: Decision, result: tuple[float, ...] = (1.0, 0.0), game: str = "tic_tac_toe") -> Review:
    """Return a review with these decisions."""
    return Review(game=game, agents=("ismcts", "human"), names=("X", "O"), result=result, plies=len(MOVES),
                  hidden=False, depth="fast", curve=((0.5, 0.5),) * len(MOVES) + (result,), luck=(),
                  decisions=decisions)
