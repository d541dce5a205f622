"""The outcome of one game of a tournament, and hooks for your own statistics.

The hooks run in the process that called the tournament, game by game in schedule order, whatever the number of jobs; a
resumed tournament starts with the games of its store. So their sums are the same every time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from sfida.ai.luck.value import GameLuck
from sfida.ai.table import MoveEvent
from sfida.cython_ext.errors import InvalidOption
from sfida.engines.game import Game
from sfida.engines.language import counted
from sfida.engines.records import Forfeit, GameRecord

__all__ = ["KINDS", "Forfeit", "ForfeitedGames", "GameOutcome", "forfeited", "forfeits_of", "joined", "told"]


# ---- The outcome of one game of a tournament

_FIRST = 5                      # games whose numbers are listed
KINDS = ("raised", "illegal", "overtime", "died")       # kinds of forfeits


@dataclass(frozen=True)
class GameOutcome:
    """One finished game; tuples have one entry per seat.

    Attributes
    ----------
    block, rotation : int
        Place of the game in the schedule.
    agents : tuple of int
        Index of the agent on each seat.
    record : GameRecord
        A valid record; it has no result if the game was forfeited.
    utilities : tuple of float
        Win shares; the forfeiter has 0 and the others share equally.
    ranks : tuple of int
        Ranks from 1; tied seats share a rank; the forfeiter is last and the others are tied.
    scores : tuple of float
        Points when the game ended.
    decisions : tuple of int
        Number of decisions.
    seconds : tuple of float
        Wall-clock time of all decisions; not compared.
    wall : float
        Wall-clock time of the game in seconds; not compared.
    forfeit : Forfeit or None
    move_seconds : tuple of float
        Wall-clock time of every move; empty for a game that comes from a store.
    analyses : tuple
        The agent's analysis of every move, or None; empty unless an observer wants them.
    luck : GameLuck or None
        None if luck was not measured.
    """

    block: int
    rotation: int
    agents: tuple[int, ...]
    record: GameRecord
    utilities: tuple[float, ...]
    ranks: tuple[int, ...]
    scores: tuple[float, ...]
    decisions: tuple[int, ...]
    seconds: tuple[float, ...] = field(compare=False)
    wall: float = field(compare=False)
    forfeit: Forfeit | None = None
    move_seconds: tuple[float, ...] = field(default=(), compare=False, repr=False)
    analyses: tuple[Any, ...] = field(default=(), compare=False, repr=False)
    luck: GameLuck | None = field(default=None, compare=False, repr=False)

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    @property
    def luck_to_take_off(self) -> tuple[float, ...] | None:
        """The luck to subtract from the result, by seat; None if it was not measured, zeros for a forfeit."""
        if self.luck is None:
            return None
        return self.luck.seats if self.forfeit is None else (0.0,) * len(self.luck.seats)


@dataclass(frozen=True)
class ForfeitedGames:
    """The games that an agent has forfeited for the same reason.

    Attributes
    ----------
    agent : str
        Label of the agent.
    kind, reason : str
        As in `Forfeit`.
    games : int
    first : tuple of int
        Numbers of the first few games, from 1.
    """

    agent: str
    kind: str
    reason: str
    games: int
    first: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.agent} forfeited {counted(self.games, 'game', 'games')}{self.details}"

    @property
    def details(self) -> str:
        """The games and the reason."""
        more = " ..." if self.games > len(self.first) else ""
        return (f" (game {', '.join(map(str, self.first))}{more})" if self.first else "") + f": {self.reason}"


def forfeits_of(faults: Iterable[tuple[int, str, Forfeit]]) -> tuple[ForfeitedGames, ...]:
    """Collect forfeits, given as (number of the game, label of the agent, forfeit), by agent and reason."""
    found: dict[tuple[str, str, str], list[int]] = {}
    for number, agent, forfeit in faults:
        found.setdefault((agent, forfeit.kind, forfeit.reason), []).append(number)
    return tuple(ForfeitedGames(*key, len(numbers), tuple(numbers[:_FIRST])) for key, numbers in found.items())


def told(forfeits: Sequence[ForfeitedGames]) -> str:
    """Return forfeits as the end of a sentence: "" if there are none."""
    return f"; {'; '.join(map(str, forfeits[:_FIRST]))}" if forfeits else ""


def joined(parts: Iterable[Sequence[ForfeitedGames]]) -> tuple[ForfeitedGames, ...]:
    """Add up the forfeits of several tournaments, whose games have no common numbers."""
    found: dict[tuple[str, str, str], int] = {}
    for part in parts:
        for one in part:
            key = (one.agent, one.kind, one.reason)
            found[key] = found.get(key, 0) + one.games
    return tuple(ForfeitedGames(*key, games) for key, games in found.items())


def forfeited(players: int, seat: int) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Return the (utilities, ranks) of a game that `seat` forfeits."""
    share = 1.0 / (players - 1) if players > 1 else 0.0
    return (tuple(0.0 if each == seat else share for each in range(players)),
            tuple(players if each == seat else 1 for each in range(players)))


# ---- Hooks for your own statistics


class Observer:
    """Base class of observers; override one method or both. An object with either of them is also accepted."""

    def on_move(self, outcome: GameOutcome, event: MoveEvent) -> None:
        """Process a move.

        Parameters
        ----------
        outcome : GameOutcome
            The finished game of the move.
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
        If an observer has neither.
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
