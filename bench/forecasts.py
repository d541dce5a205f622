"""Games of equal agents and what was forecast in them: played, and kept in a file of JSON lines."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sfida.ai.table import MoveEvent, Table, take_seats
from sfida.cython_ext.errors import InvalidRecord
from sfida.cython_ext.rng import derive
from sfida.cython_ext.state import GameState
from sfida.engines.registry import make_game

SEARCH, EVALUATION = "search", "evaluation"
DIGITS = 5                              # of a share in a file


@dataclass(frozen=True)
class Forecast:
    """What was said at one position.

    Attributes
    ----------
    seat : int
        The seat to which it was said; -1: to all of them.
    root : tuple of float
        Win share of every seat: the mean over a search's iterations, or the evaluation.
    move : tuple of float
        The same if the chosen move is played.
    """

    seat: int
    root: tuple[float, ...]
    move: tuple[float, ...]


@dataclass(frozen=True)
class Plan:
    """What is played and asked: the first line of a file, which must stay the same when the file is continued.

    Attributes
    ----------
    game : str
        Complete spec.
    rules_version : str
    agent : str
        On every seat.
    asked : str
        "search": at every decision with a choice; "evaluation": after every turn.
    seed : int
    """

    game: str
    rules_version: str
    agent: str
    asked: str
    seed: int

    @classmethod
    def of(cls, game: str, agent: str, asked: str, seed: int) -> Plan:
        """Return the plan for a game spec."""
        made = make_game(game)
        return cls(made.spec(), str(made.rules_version), agent, asked, seed)


@dataclass(frozen=True)
class Game:
    """A game that was played.

    Attributes
    ----------
    number : int
    shares : tuple of float
        Shares of the win.
    said : tuple of Forecast
        In the order of play.
    """

    number: int
    shares: tuple[float, ...]
    said: tuple[Forecast, ...]


def play(plan: Plan, number: int) -> Game:
    """Play a game by itself; the same for the same plan and number."""
    game, said = make_game(plan.game), list[Forecast]()
    seats = take_seats(game, [plan.agent] * game.players)
    table = Table(game, seats, derive(plan.seed, number))
    table.watchers.append(listen_to_search(said) if plan.asked == SEARCH else
                          after_turns(lambda state: said.append(evaluated(state))))
    try:
        table.begin()
        while not table.is_over:
            table.play(table.next_move())
    finally:
        for seat in seats:
            seat.close()
    shares = table.state.utilities()
    assert shares is not None
    return Game(number, _rounded(shares), tuple(said))


def listen_to_search(said: list[Forecast]) -> Callable[[GameState, MoveEvent], None]:
    """Return a watcher that notes what searches say; a forced move was not searched."""

    def watch(before: GameState, event: MoveEvent) -> None:
        found = event.analysis
        if found is not None and found.stopped != "forced":
            said.append(Forecast(event.seat, _rounded(found.value), _rounded(found.best.values or found.value)))

    return watch


def after_turns(note: Callable[[GameState], None]) -> Callable[[GameState, MoveEvent], None]:
    """Return a watcher that calls `note` with the position after each turn, before the luck that follows it.

    As in searches, a turn is what the game counts as one, or else ends where another seat decides.
    """
    turn, last = None, None

    def watch(before: GameState, event: MoveEvent) -> None:
        nonlocal turn, last
        if event.chance:
            return
        now = before.turn_number if before.turn_number >= 0 else event.seat
        if last is not None and now != turn:
            note(last)
        assert event.state is not None
        turn, last = now, event.state.clone()

    return watch


def evaluated(state: GameState) -> Forecast:
    """Return the evaluation of a position."""
    wins = _rounded(state.evaluation()[0])
    return Forecast(-1, wins, wins)


def _rounded(shares: Sequence[float]) -> tuple[float, ...]:
    return tuple(round(float(share), DIGITS) for share in shares)


# ---- the file ------------------------------------------------------------------------------------------


class Store:
    """The games of a plan, in the order of their numbers, which begin at 0; without a path they are only in memory.

    Parameters
    ----------
    plan : Plan
    path : Path, optional
        Created if missing. A line that a crash has left incomplete is dropped.

    Raises
    ------
    InvalidRecord
        If the file is about other games.
    """

    def __init__(self, plan: Plan, path: Path | None = None) -> None:
        self.games: list[Game] = []
        self._path = path
        if path is None:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        whole = text[:text.rfind("\n") + 1]
        if whole != text:
            os.truncate(path, len(whole.encode()))
        lines = whole.splitlines()
        if not lines:
            self._write(asdict(plan))
        elif json.loads(lines[0]) != asdict(plan):
            raise InvalidRecord(f"{path} holds other games: {lines[0]}")
        self.games = [_read(json.loads(line)) for line in lines[1:]]

    def add(self, game: Game) -> None:
        """Add the next game."""
        self.games.append(game)
        if self._path is not None:
            self._write({"number": game.number, "shares": game.shares,
                         "said": [[one.seat, one.root, one.move] for one in game.said]})

    def _write(self, line: dict[str, Any]) -> None:
        assert self._path is not None
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, separators=(",", ":")) + "\n")


def _read(line: dict[str, Any]) -> Game:
    return Game(line["number"], tuple(line["shares"]),
                tuple(Forecast(seat, tuple(root), tuple(move)) for seat, root, move in line["said"]))
