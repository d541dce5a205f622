"""The process that plays the games of a tournament: nothing an agent does there can hurt the tournament.

`playing.PlayingProcess`, its other side, starts `main` with the heartbeat's file as argument. It reads requests from
standard input and writes replies to standard output, both pickled; what agents print goes to standard error.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from sfida.ai.arena.heartbeat import Heartbeat
from sfida.ai.arena.outcome import Forfeit
from sfida.ai.chance import SeededChance
from sfida.ai.registry import agent as make_agent
from sfida.ai.seat import Seat
from sfida.ai.table import Table
from sfida.cython_ext.errors import IllegalMove, SfidaError
from sfida.engines.game import Game
from sfida.engines.records import GameRecord

_ARRIVAL = 30.0                 # seconds an agent may take to get ready, besides the limit of a decision
MAX_REASON = 400                # characters of what an agent's error says


@dataclass(frozen=True)
class Cast:
    """Who plays what in all games of a tournament.

    Attributes
    ----------
    game : bytes
        The game, pickled.
    agents : tuple of str or bytes
        Specs, or pickled agents.
    specs : tuple of str
        What the agents are called.
    limit : float
        Seconds that a decision may take.
    analyses : bool
        Send back what the agents found out at every move.
    """

    game: bytes
    agents: tuple[str | bytes, ...]
    specs: tuple[str, ...]
    limit: float
    analyses: bool


@dataclass(frozen=True)
class GameRequest:
    """One game to play: the agent on each seat, and the seeds of the agents and of luck."""

    seating: tuple[int, ...]
    seed: int
    luck: int


@dataclass(frozen=True)
class GameReply:
    """A game that was played, or forfeited."""

    record: GameRecord
    scores: tuple[float, ...]
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]
    move_seconds: tuple[float, ...]
    analyses: tuple[Any, ...]
    forfeit: Forfeit | None


class Company:
    """The agents of a tournament. A game gets fresh ones, but those that say that they are reusable.

    Parameters
    ----------
    cast : Cast
    """

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        self._idle: dict[int, list[Seat]] = {}

    def hire(self, index: int) -> Seat:
        """Return an agent that nobody else uses, ready for a game."""
        idle = self._idle.get(index)
        if idle:
            idle[-1].begin()
            return idle.pop()
        given = self.cast.agents[index]
        made = Seat(make_agent(given) if isinstance(given, str) else pickle.loads(given))
        made.limit(self.cast.limit)
        made.begin()
        return made

    def release(self, index: int, seat: Seat) -> None:
        """Take an agent back after its game."""
        if seat.is_reusable:
            self._idle.setdefault(index, []).append(seat)
        else:
            seat.close()

    def close(self) -> None:
        """Dismiss everybody."""
        for seats in self._idle.values():
            for seat in seats:
                seat.close()
        self._idle.clear()


class _Fault(Exception):
    """An agent has lost its game by its own doing."""

    def __init__(self, forfeit: Forfeit) -> None:
        super().__init__(forfeit.reason)
        self.forfeit = forfeit


@contextlib.contextmanager
def _answerable(seat: int) -> Iterator[None]:
    """Whatever the block raises is the fault of the agent on `seat`."""
    try:
        yield
    except BaseException as error:          # sys.exit() of an agent, too
        kind = "illegal" if isinstance(error, IllegalMove) else getattr(error, "kind", "raised")
        text = " ".join(str(error).split())
        if not isinstance(error, SfidaError):
            text = f"{type(error).__name__}: {text}" if text else type(error).__name__
        raise _Fault(Forfeit(seat, kind, text[:MAX_REASON])) from error


def play_game(game: Game, company: Company, request: GameRequest, heartbeat: Heartbeat) -> GameReply:
    """Play one game; what an agent does wrong ends it as a forfeit.

    Raises
    ------
    Exception
        What the game itself raises.
    """
    cast, players = company.cast, len(request.seating)
    seats: list[Seat] = []
    times: list[float] = []
    analyses: list[Any] = []
    table = Table(game, seats, request.seed, SeededChance(request.luck))
    forfeit = None
    try:
        heartbeat.begin()
        for seat, index in enumerate(request.seating):
            heartbeat.deciding(seat, _ARRIVAL)
            with _answerable(seat):
                seats.append(company.hire(index))
        heartbeat.begin()
        table.seats = tuple(seats)
        while not table.is_over:
            seat, seconds = int(table.state.to_move), 0.0
            if seat < 0:
                code = table.next_move()
            else:
                heartbeat.deciding(seat)
                with _answerable(seat):
                    code = table.next_move()
                if heartbeat.deciding_for > cast.limit:
                    raise _Fault(overtime(seat, cast.limit))
                seconds = heartbeat.decided()
            event = table.play(code, seconds, tell=False)
            heartbeat.played(code)
            for listener in table.listeners():
                heartbeat.deciding(listener)
                with _answerable(listener):
                    table.tell(listener)
                heartbeat.told()
            times.append(seconds)
            if cast.analyses:
                analyses.append(_portable(event.analysis))
    except _Fault as fault:
        forfeit = fault.forfeit
        if table.seats:
            heartbeat.decided()         # what it failed counts as a decision
        else:
            heartbeat.begin()
    finally:
        for index, hired in zip(request.seating, seats, strict=False):
            company.release(index, hired)
    return GameReply(named(table.record(), cast, request), tuple(table.state.scores()),
                     heartbeat.decisions(players), heartbeat.seconds(players), tuple(times), tuple(analyses), forfeit)


def overtime(seat: int, limit: float) -> Forfeit:
    """Return the forfeit of a seat that decides for too long."""
    return Forfeit(seat, "overtime", f"no move within the limit of {limit:g} s a decision")


def named(record: GameRecord, cast: Cast, request: GameRequest) -> GameRecord:
    """Return a record with the seats named as the tournament calls them."""
    return replace(record, seats=tuple(cast.specs[index] for index in request.seating))


def _portable(analysis: Any) -> Any:
    """Return what can travel between processes, or None."""
    try:
        pickle.dumps(analysis)
    except Exception:
        return None
    return analysis


# ---- the process --------------------------------------------------------------------------------


def send(stream: BinaryIO, message: object) -> None:
    """Write one message."""
    data = pickle.dumps(message)
    stream.write(len(data).to_bytes(8, "little") + data)
    stream.flush()


def receive(stream: BinaryIO) -> Any:
    """Read one message; raises EOFError when the other side has gone."""
    size = stream.read(8)
    data = stream.read(int.from_bytes(size, "little")) if len(size) == 8 else b""
    if not data:
        raise EOFError
    return pickle.loads(data)


def _listen(stream: BinaryIO, requests: queue.SimpleQueue[Any]) -> None:
    """Hand on requests; without the tournament there is nothing left to do, not even in the middle of a game."""
    try:
        while True:
            requests.put(receive(stream))
    finally:
        if os.name == "posix":
            os.killpg(0, signal.SIGKILL)            # with the programs that agents started
        os._exit(1)


def main() -> None:
    """Play what is asked for until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)        # Ctrl-C is the tournament's business
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    sys.path[:] = receive(source)
    requests: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(source, requests), daemon=True).start()
    cast: Cast = requests.get()
    with Heartbeat(Path(sys.argv[1])) as heartbeat:
        try:
            game: Game = pickle.loads(cast.game)
            company = Company(cast)
            send(sink, None)
            while True:
                send(sink, play_game(game, company, requests.get(), heartbeat))
        except BaseException as error:
            send(sink, SfidaError(f"the game could not be played: {type(error).__name__}: {error}"))
            raise
