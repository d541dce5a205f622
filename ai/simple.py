"""Agents that do not search: uniformly random moves, and a person."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from sfida.ai.agent import NamedAgent
from sfida.cython_ext.errors import IllegalMove, SfidaError
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import View


class RandomAgent(NamedAgent):
    """Chooses uniformly among the legal moves."""

    name = "random"
    doc = "uniformly random legal moves"
    reusable = True

    def choose(self, view: View) -> int:
        """Return a legal move; the same for the same seed and the same legal moves."""
        moves = view.legal_moves()
        if not moves:
            raise IllegalMove(f"seat {view.seat} is not to move")
        # Keyed by the legal moves, too, so that one seed does not always take, say, the middle move.
        digest = hashlib.blake2b(repr(moves).encode(), digest_size=8).digest()
        stream = Random(derive(self.seed, int.from_bytes(digest, "little")))
        return int(moves[stream.below(len(moves))])


class HumanAgent(NamedAgent):
    """A person who is asked for each move.

    Attributes
    ----------
    ask : callable or None
        Takes the view and returns the move, in the game's notation or as a code.
    """

    name = "human"
    doc = "a person: moves are typed in"

    def __init__(self, options: Any = None, seed: int = 0) -> None:
        super().__init__(options, seed)
        self.ask: Callable[[View], int | str] | None = None

    def choose(self, view: View) -> int:
        """Return the move that the person enters."""
        if self.ask is None:
            raise SfidaError("agent 'human' has nobody to ask: set its 'ask' to a function that takes the "
                             "view and returns the move, or play with 'sfida play'")
        answer = self.ask(view)
        return int(view.parse(answer)) if isinstance(answer, str) else answer
