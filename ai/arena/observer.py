"""Hooks for your own statistics: they are called for every move and every game, without changes to the arena.

They run in the process that called the tournament, game after game in the order of the schedule, whatever the number
of jobs; a resumed tournament starts with the games of its store. So their sums are the same every time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sfida.ai.arena.outcome import GameOutcome
from sfida.ai.table import MoveEvent
from sfida.cython_ext.errors import InvalidOption
from sfida.engines.game import Game


class Observer:
    """Base class of observers; override one method or both. Any object that has one of them is accepted."""

    def on_move(self, outcome: GameOutcome, event: MoveEvent) -> None:
        """Process a move.

        Parameters
        ----------
        outcome : GameOutcome
            The finished game that it belongs to.
        event : MoveEvent
            The move; its `state` is the state after it. `seconds` and `analysis` are known only for games
            played in this run.
        """

    def on_game_end(self, outcome: GameOutcome) -> None:
        """Process the end of a game."""


class Audience:
    """Calls the observers for each game.

    Parameters
    ----------
    game : Game
    observers : sequence of object
        Each has `on_move`, `on_game_end` or both.

    Raises
    ------
    InvalidOption
        If one has neither.
    """

    def __init__(self, game: Game, observers: Sequence[Any]) -> None:
        self._game = game
        for observer in observers:
            if not (callable(getattr(observer, "on_move", None)) or callable(getattr(observer, "on_game_end", None))):
                raise InvalidOption(f"an observer needs a method on_move or on_game_end; "
                                    f"{type(observer).__name__} has neither")
        self._of_moves = [each.on_move for each in observers if _overrides(each, "on_move")]
        self._of_games = [each.on_game_end for each in observers if _overrides(each, "on_game_end")]

    @property
    def wants_moves(self) -> bool:
        """Whether any observer wants to see moves."""
        return bool(self._of_moves)

    def tell(self, outcome: GameOutcome) -> None:
        """Report one game: its moves in order, then its end."""
        if self._of_moves:
            self._tell_moves(outcome)
        for hear in self._of_games:
            hear(outcome)

    def _tell_moves(self, outcome: GameOutcome) -> None:
        state = self._game.initial_state()
        for ply, text in enumerate(outcome.record.moves):
            seat, code = int(state.to_move), state.parse(text)
            state.apply(code)
            event = MoveEvent(ply, seat, code, text, seat < 0,
                              outcome.move_seconds[ply] if ply < len(outcome.move_seconds) else 0.0,
                              outcome.analyses[ply] if ply < len(outcome.analyses) else None, state.clone())
            for hear in self._of_moves:
                hear(outcome, event)


def _overrides(observer: Any, name: str) -> bool:
    method = getattr(observer, name, None)
    return callable(method) and getattr(type(observer), name, None) is not getattr(Observer, name)
