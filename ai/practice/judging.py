"""Judges an answer to a position as a review judges the moves of a game: by its loss."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sfida.ai.lines import follow
from sfida.ai.practice.schedule import Outcome
from sfida.ai.reasons import Reasons, reasons_of
from sfida.ai.review.depths import DEEP, FAST, NORMAL, Effort
from sfida.ai.review.judge import Judge
from sfida.ai.review.model import TurningPoint, Verdict
from sfida.cython_ext.state import View

NEGLIGIBLE = 0.005              # loss that does not make an answer wrong, in shares of the win
EFFORTS = {FAST: Effort(2_000, 4), NORMAL: Effort(10_000, 4), DEEP: Effort(100_000, 4)}


@dataclass(frozen=True)
class Judged:
    """A move in a position, judged.

    Attributes
    ----------
    move : int
    verdict : Verdict
    point : TurningPoint
        The same as a turn, with the expected lines and what speaks for and against the moves.
    """

    move: int
    verdict: Verdict
    point: TurningPoint

    @property
    def good(self) -> bool:
        """Whether the move is not clearly worse than the best one."""
        return not (self.verdict.mistake and self.verdict.loss > NEGLIGIBLE)

    def outcome(self, *, again: bool, helped: bool) -> Outcome:
        """Return how a position was answered by this move.

        Parameters
        ----------
        again : bool
            It is the mistake of the game: whatever this search finds, a review has judged it already.
        helped : bool
            The person had asked for advice.
        """
        if again or not self.good:
            return Outcome.WRONG
        return Outcome.HELPED if helped else Outcome.RIGHT


def judge_move(judge: Judge, view: View, move: int, ply: int, effort: Effort, seed: int) -> Judged:
    """Judge a move by what its seat knows.

    Parameters
    ----------
    judge : Judge
    view : View
        Of the seat to move.
    move : int
        A legal move.
    ply : int
        Number of events before it.
    effort : Effort
    seed : int
        Of the searches.
    """
    verdict = judge.judge(view, move, effort, seed)
    line = follow(view, verdict.line, verdict.seed)
    better = follow(view, verdict.best_line, verdict.seed) if verdict.loss else None
    verdict = replace(verdict, best_words=(line if better is None else better).plies[0].words)
    point = TurningPoint(
        view.seat, ply, (ply,), verdict.loss, verdict.error, -verdict.loss, line.plies,
        () if better is None else better.plies, line.answer if line.plies else None, reasons_of(view.game, line),
        Reasons() if better is None else reasons_of(view.game, better))
    return Judged(move, verdict, point)
