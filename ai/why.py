"""Why not another move: the best move beside the one asked about, and the reply that refutes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sfida.ai.agent import Agent
from sfida.ai.analysis import Analysis, MoveStats
from sfida.ai.ismcts import TreeAgent
from sfida.ai.lines import Line, follow
from sfida.cython_ext.errors import IllegalMove, InvalidOption
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import View
from sfida.engines.spec import quoted


@dataclass(frozen=True)
class Reply:
    """What another seat is expected to answer.

    Attributes
    ----------
    seat : int
        Who answers.
    move, words : str
        The answer, in notation and for people.
    after : tuple of str
        What comes before it, in notation: the move itself, further steps of the turn, luck.
    """

    seat: int
    move: str
    words: str
    after: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the reply as JSON-able data."""
        return {"seat": self.seat, "move": self.move, "words": self.words, "after": list(self.after)}


@dataclass(frozen=True)
class Comparison:
    """The best move of a search beside one that was asked about.

    Attributes
    ----------
    seat : int
        Who decides.
    best : MoveStats
        The move that the search chooses; of a hidden choice that is mixed, the one it plays most often.
    asked : MoveStats
        The move asked about: from a second search, held to it, so that it is as well searched. Where the others do
        not see which move it was it is from the free search: in a held one they would learn to answer it. In an
        endgame that is solved all values are exact.
    loss : float
        How much of the win the move asked about gives away, -1..1: the difference of the two values of `seat`.
        0 or less when the search found no fault in the move.
    reply : Reply or None
        First move of another seat in the line of the move asked about; None when the line has none.
    same : bool
        The move asked about is the best one.
    next_best : MoveStats or None
        What the search thought of most besides the best move; None when nothing else is legal or was looked at.
    best_line, asked_line : Line
        Both lines, with who plays what.
    iterations : tuple of int
        Of the free search (positions, when `stopped` is "solved"), and of the one held to the move; 0 when there
        was none.
    seconds : float
        Of both searches.
    stopped : str
        As of `Analysis`; "cancelled" when either search was.
    """

    seat: int
    best: MoveStats
    asked: MoveStats
    loss: float
    reply: Reply | None
    same: bool
    next_best: MoveStats | None
    best_line: Line
    asked_line: Line
    iterations: tuple[int, int]
    seconds: float
    stopped: str

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``sfida why --json``."""
        return {"schema": 1, "type": "comparison", "seat": self.seat, "same": self.same,
                "best": _with_line(self.best, self.best_line), "asked": _with_line(self.asked, self.asked_line),
                "loss": self.loss, "reply": None if self.reply is None else self.reply.to_json(),
                "next_best": None if self.next_best is None else self.next_best.to_json(),
                "iterations": list(self.iterations), "seconds": self.seconds, "stopped": self.stopped}


def holdable(agent: Agent) -> TreeAgent:
    """Return an agent whose search can be held to a move; raises InvalidOption for any other."""
    if not isinstance(agent, TreeAgent):
        raise InvalidOption(f"agent {quoted(agent.spec)} cannot be held to a move; take one that searches a tree: "
                            "ismcts, mo-ismcts or pimc")
    return agent


def compare(agent: Agent, view: View, move: int) -> Comparison:
    """Search a decision freely and held to one move, and set the results side by side.

    With an iteration budget the same view, seed and move give the same comparison, but for the seconds.

    Parameters
    ----------
    agent : Agent
        One that searches a tree; each search gets its whole budget. When the first one is cancelled, the second
        ends after its first report of progress.
    view : View
        Of the seat to move.
    move : int
        Code of the move asked about.

    Raises
    ------
    IllegalMove
        If the move is not legal for the seat now.
    InvalidOption
        If the agent does not search a tree.
    """
    searcher = holdable(agent)
    legal = view.legal_moves()
    if not legal:
        raise IllegalMove(f"seat {view.seat} is not to move")
    if move not in legal:
        raise IllegalMove(f"{quoted(move)} is not a legal move here; legal are for example: "
                          f"{', '.join(view.format(other) for other in legal[:3])}")
    free = searcher.analyze(view)
    best = _favourite(free)
    looked_at = [stats for stats in free.moves if stats.visits or free.stopped == "solved"]
    found = next((stats for stats in looked_at if stats.code == move), None)
    same = best.code == move
    held = None
    if found is None or not (same or free.stopped == "solved" or found.strategy is not None
                             or _unseen(view, move, searcher.seed)):
        held = _held(searcher, view, move, free.stopped == "cancelled")
        found = held.best
    asked_line = follow(view, found.pv, searcher.seed)
    return Comparison(
        seat=view.seat, best=best, asked=found, loss=best.value - found.value, reply=_reply(asked_line), same=same,
        next_best=next((stats for stats in looked_at if stats.code != best.code), None),
        best_line=asked_line if same else follow(view, best.pv, searcher.seed), asked_line=asked_line,
        iterations=(free.iterations, 0 if held is None else held.iterations),
        seconds=free.seconds + (0.0 if held is None else held.seconds),
        stopped=free.stopped if held is None or free.stopped == "cancelled" else held.stopped)


def _favourite(analysis: Analysis) -> MoveStats:
    """Return the move that is chosen, or chosen most often where chance decides between several."""
    if analysis.best.strategy is None:
        return analysis.best
    return max(analysis.moves, key=lambda stats: stats.strategy or 0.0)


def _held(agent: TreeAgent, view: View, move: int, hurry: bool) -> Analysis:
    """Search again, held to a move; in a hurry only until the first report of progress."""
    if not hurry:
        return agent.search(view, choosing=False, lines=1, only=move)
    listener = agent.on_progress
    agent.on_progress = lambda _progress: agent.cancel()
    try:
        return agent.search(view, choosing=False, lines=1, only=move)
    finally:
        agent.on_progress = listener


def _unseen(view: View, move: int, seed: int) -> bool:
    """Say whether some other seat cannot tell a move from another legal one."""
    if not view.hidden:
        return False
    world = view.sample(Random(seed))
    others = [seat for seat in range(view.players) if seat != view.seat]

    def seen(code: int) -> list[int]:
        after = world.clone()
        after.apply(code)
        return [after.label(seat) for seat in others]

    mine = seen(move)
    return 0 in mine or any(a == b for code in view.legal_moves() if code != move
                            for a, b in zip(mine, seen(code), strict=True))


def _reply(line: Line) -> Reply | None:
    if line.answer is None:
        return None
    answer = line.plies[line.answer]
    return Reply(answer.seat, answer.move, answer.words, tuple(ply.move for ply in line.plies[:line.answer]))


def _with_line(stats: MoveStats, line: Line) -> dict[str, Any]:
    return {**stats.to_json(), "line": [ply.to_json() for ply in line.plies]}
