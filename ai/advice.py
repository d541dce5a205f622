"""Advice to a person at a table: the adviser, and why not another move, with the reply that refutes it."""

from __future__ import annotations

import string
from dataclasses import dataclass
from enum import Enum
from typing import Any

from sfida.ai.agent import Agent
from sfida.ai.analysis import Analysis, Line, MoveStats, follow, reasons_of
from sfida.ai.ismcts import TreeAgent
from sfida.ai.registry import agent as make_agent
from sfida.ai.search import judged
from sfida.ai.seat import Seat
from sfida.cython_ext.errors import IllegalMove, InvalidOption
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import View
from sfida.engines.game import Notation
from sfida.engines.language import _
from sfida.engines.spec import quoted
from sfida.engines.untrusted import JsonData

# ---- Why not another move: a comparison with the best move, and the reply that refutes it


@dataclass(frozen=True)
class Reply(JsonData):
    """The answer expected from another seat.

    Attributes
    ----------
    seat : int
        The seat that answers.
    move, words : str
        The answer, in notation and in words.
    after : tuple of str
        The events before it, in notation: the move itself, further steps of the turn, chance events.
    """

    seat: int
    move: str
    words: str
    after: tuple[str, ...]


@dataclass(frozen=True)
class Comparison:
    """The comparison of a search's best move with the move in question.

    Attributes
    ----------
    seat : int
        The seat that decides.
    best : MoveStats
        The move that the search chooses; if a hidden choice is mixed, the move with the highest probability.
    asked : MoveStats
        The move in question, from a second search restricted to it, so that it is searched equally well. If the others
        do not see which move it was, it is from the free search: in a restricted one they would learn to answer it. In
        a solved endgame all values are exact.
    loss : float
        Win share that the move in question gives away, -1 to 1: the difference of the two values of `seat`.
        0 or less if the search found no fault in the move.
    reply : Reply or None
        First move of another seat in the line of the move in question; None if the line has none.
    same : bool
        Whether the move in question is the best one.
    next_best : MoveStats or None
        The second choice of the search; None if nothing else is legal or was searched.
    best_line, asked_line : Line
        The expected lines of both moves.
    iterations : tuple of int
        Iterations of the free search (positions if `stopped` is "solved") and of the restricted one; 0 if there
        was none.
    seconds : float
        Time of both searches.
    stopped : str
        See `Analysis`; "cancelled" if either search was.
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

    def to_json(self, game: Notation) -> dict[str, Any]:
        """Return the object of ``sfida why --json``."""
        return {"schema": 1, "type": "comparison", "seat": self.seat, "same": self.same,
                "best": _with_line(game, self.best, self.best_line),
                "asked": _with_line(game, self.asked, self.asked_line),
                "loss": self.loss, "reply": None if self.reply is None else self.reply.to_json(),
                "next_best": None if self.next_best is None else self.next_best.to_json(),
                "iterations": list(self.iterations), "seconds": self.seconds, "stopped": self.stopped}


def holdable(agent: Agent) -> TreeAgent:
    """Return the agent if its search can be restricted to a move; raises InvalidOption otherwise."""
    if not isinstance(agent, TreeAgent):
        raise InvalidOption(f"agent {quoted(agent.spec)} cannot be held to a move; take one that searches a tree: "
                            "ismcts, mo-ismcts or pimc")
    return agent


def compare(agent: Agent, view: View, move: int) -> Comparison:
    """Search a decision freely and restricted to one move, and compare the results.

    With an iteration budget the same view, seed and move give the same comparison, except for the seconds.

    Parameters
    ----------
    agent : Agent
        An agent that searches a tree; each search gets its whole budget. If the first one is cancelled, the second
        ends after its first progress report.
    view : View
        View of the seat to move.
    move : int
        Code of the move in question.

    Raises
    ------
    IllegalMove
        If the move is not legal in this position.
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
    best = favourite(free)
    looked_at = [stats for stats in free.moves if stats.value is not None]
    found = next((stats for stats in looked_at if stats.code == move), None)
    same = best.code == move
    held = None
    if found is None or not (same or free.stopped == "solved" or found.strategy is not None
                             or unseen(view, move, searcher.seed)):
        held = _held(searcher, judged(view, searcher.options), move, free.stopped == "cancelled")
        found = held.best
    asked_line = follow(view, found.pv, searcher.seed)
    return Comparison(
        seat=view.seat, best=best, asked=found, loss=best.known - found.known, reply=_reply(asked_line), same=same,
        next_best=next((stats for stats in looked_at if stats.code != best.code), None),
        best_line=asked_line if same else follow(view, best.pv, searcher.seed), asked_line=asked_line,
        iterations=(free.iterations, 0 if held is None else held.iterations),
        seconds=free.seconds + (0.0 if held is None else held.seconds),
        stopped=free.stopped if held is None or free.stopped == "cancelled" else held.stopped)


def favourite(analysis: Analysis) -> MoveStats:
    """Return the chosen move, or the most probable one if the choice is mixed."""
    if analysis.best.strategy is None:
        return analysis.best
    return max(analysis.moves, key=lambda stats: stats.strategy or 0.0)


def _held(agent: TreeAgent, view: View, move: int, hurry: bool) -> Analysis:
    """Search again, restricted to a move; with `hurry` only until the first progress report."""
    if not hurry:
        return agent.search(view, choosing=False, lines=1, only=move)
    listener = agent.on_progress
    agent.on_progress = lambda _progress: agent.cancel()
    try:
        return agent.search(view, choosing=False, lines=1, only=move)
    finally:
        agent.on_progress = listener


def unseen(view: View, move: int, seed: int) -> bool:
    """Return whether another seat cannot tell a move apart from another legal one; `seed` draws the world."""
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


def _with_line(game: Notation, stats: MoveStats, line: Line) -> dict[str, Any]:
    return {**stats.to_json(), "line": [ply.to_json() for ply in line.plies],
            "reasons": reasons_of(game, line).to_json()}


# ---- The result of a comparison in sentences, for the screen and for the page

_NOTHING = 0.005        # difference of the win share below which moves count as equal


class Kind(Enum):
    """The kind of a piece of a sentence, so that a screen can highlight it."""

    TEXT = 0
    MOVE = 1
    SEAT = 2


@dataclass(frozen=True)
class Piece:
    """A piece of a sentence.

    Attributes
    ----------
    text : str
    kind : Kind
    seat : int
        Seat that the text names.
    """

    text: str
    kind: Kind = Kind.TEXT
    seat: int = -1


def verdict(found: Comparison) -> list[Piece]:
    """Return the difference between both moves in a sentence."""
    best, other = _move(found.best.move), found.next_best if found.same else found.asked
    if other is None:
        return _pieces(_("{move} is the only move that was searched"), move=best)
    cost = found.best.known - other.known
    if found.same:
        said = (_("{move} is the best move; {other} would cost {cost:.1f} % of win probability")
                if cost >= _NOTHING else _("{move} is the best move; {other} is as good"))
        return _pieces(said, move=best, other=other.move, cost=100 * cost)
    said = (_("no fault was found in {other}: it wins no less than {move}") if cost < _NOTHING else
            _("{other} costs {cost:.1f} % of win probability"))
    return _pieces(said, other=_move(other.move), move=best.text, cost=100 * cost)


def answer(game: Notation, found: Comparison) -> list[Piece]:
    """Return the others' answer to the move in question, in a sentence."""
    reply, line = found.reply, found.asked_line
    if reply is not None:
        told = _pieces(_("after {moves}, {seat} answers {reply}"), moves=" ".join(reply.after),
                       seat=Piece(game.seat_name(reply.seat), Kind.SEAT, reply.seat), reply=_move(reply.move))
        return [*told, Piece(f": {reply.words}")] if reply.words != reply.move else told
    if line.over:
        return _pieces(_("after {moves} the game is over"), moves=" ".join(ply.move for ply in line.plies))
    return _pieces(_("the search did not reach an answer to {move}"), move=found.asked.move)


def sentence(pieces: list[Piece]) -> str:
    """Return the pieces as one text."""
    return "".join(piece.text for piece in pieces)


def _move(text: str) -> Piece:
    return Piece(text, Kind.MOVE)


def _pieces(message: str, **values: object) -> list[Piece]:
    """Return a message with values, some of them pieces, inserted for their names in braces."""
    found = []
    for literal, name, form, _conversion in string.Formatter().parse(message):
        if literal:
            found.append(Piece(literal))
        if name is not None:
            value = values[name]
            found.append(value if isinstance(value, Piece) else Piece(format(value, form or "")))
    return found


# ---- The adviser

HINT_AGENT = "ismcts:seconds=1"


def adviser(seed: int) -> Seat:
    """Return the agent that gives advice."""
    return Seat(make_agent(HINT_AGENT, seed))
