"""Decisions with one answer, which the program gives in a person's place."""

from __future__ import annotations

import time
from dataclasses import dataclass

from sfida.cython_ext.state import GameState

PAUSE = 1.0             # seconds before an answer whose speed could tell something


@dataclass(frozen=True)
class Forced:
    """The one legal move of a person.

    Attributes
    ----------
    move : int
    secret : bool
        The others must not notice that there was no choice (`Telling.forced_tells`).
    """

    move: int
    secret: bool

    def wait(self) -> None:
        """Take as long as for every such answer, so that its speed tells nothing."""
        if self.secret:
            time.sleep(PAUSE)


def forced(state: GameState) -> Forced | None:
    """Return the one legal move of the seat to move; None where there is a choice, or luck decides."""
    moves = state.legal_moves() if int(state.to_move) >= 0 else []
    return Forced(moves[0], state.game.forced_tells(state)) if len(moves) == 1 else None
