"""The process that plays the games of a tournament, so that nothing an agent does there can harm the tournament.

Both processes map one file. It holds which seat decides and since when, the moves so far, and the time taken. Writing
takes well under a microsecond and no system call. Each side subtracts from the time of a decision what it slept itself
meanwhile (`measure.slept`): both may have been stopped and continued, and not at the same moments.

A game in which only Sfida's own agents play, none of which needs Python to decide, is played in compiled code, with the
same notes and the same result. Other games have a table.

This protects the other agents and the tournament against accidents and simple tricks. It is not a sandbox: an agent
in Python shares the process with the table, and can find and change everything in it.

`playing.PlayingProcess`, the other side, starts `main` with the heartbeat's file as argument. The process reads
requests from standard input and writes replies to standard output, both pickled; agents' output goes to standard error.
"""

from __future__ import annotations

import contextlib
import functools
import mmap
import os
import pickle
import queue
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from sfida.ai.agent import AgentFailure, NamedAgent
from sfida.ai.analysis import Analysis
from sfida.ai.arena.outcome import KINDS, Forfeit
from sfida.ai.chance import SeededChance, opening_seed
from sfida.ai.registry import agent as make_agent
from sfida.ai.registry import foreign_agent
from sfida.ai.seat import Seat
from sfida.ai.table import Table
from sfida.cython_ext.errors import GameFault, IllegalMove, SfidaError, game_fault, unmarked_fault
from sfida.cython_ext.measure import slept
from sfida.cython_ext.players import Player, Seating
from sfida.cython_ext.python_state import PythonState
from sfida.cython_ext.seated import PAGE, SeatedGame
from sfida.cython_ext.state import GameState, View
from sfida.engines.game import INTERFACES, Game
from sfida.engines.records import GameRecord, GameResult
from sfida.engines.spec import contents_of, quoted

# ---- The notes of a playing process, which another process can read even after its death

_MOVES = PAGE["moves"]          # most moves that are noted
_PLIES, _SEAT, _SINCE, _DECISIONS = PAGE["plies"], PAGE["seat"], PAGE["since"], PAGE["decisions"]
_NANOSECONDS, _CODES = PAGE["nanoseconds"], PAGE["codes"]
SIZE = 8 * (_CODES + _MOVES)
NOBODY = -1


class Heartbeat:
    """The shared page of 64-bit words.

    Parameters
    ----------
    path : Path
        File of `SIZE` bytes.
    """

    def __init__(self, path: Path) -> None:
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), SIZE)
        self._words = memoryview(self._map).cast("q")
        self._since = 0                 # start of the decision read last; next: the time slept when it began
        self._slept = self._slept_before = slept()

    # ---- the playing process ------------------------------------------------------------------

    def begin(self) -> None:
        """Note that a game begins."""
        self._words[_PLIES] = 0
        self._words[_SEAT] = NOBODY
        for index in range(_DECISIONS, _CODES):
            self._words[index] = 0

    def deciding(self, seat: int, allowance: float = 0.0) -> None:
        """Note that a seat begins to decide; its time starts in `allowance` seconds."""
        self._slept_before = slept()
        self._since = self._words[_SINCE] = time.monotonic_ns() + int(allowance * 1e9)
        self._words[_SEAT] = seat

    def decided(self) -> float:
        """Note that the decision is made; return its seconds."""
        seat = self._words[_SEAT]
        self._words[_DECISIONS + seat] += 1
        return self.told()

    def told(self) -> float:
        """Note that the seat has processed an event; its time counts, but it is not a decision."""
        seat, took = self._words[_SEAT], self.deciding_for
        self._words[_SEAT] = NOBODY
        self._words[_NANOSECONDS + seat] += int(took * 1e9)
        return took

    def play(self, game: SeatedGame, seating: Seating, request: GameRequest, limit: float) -> tuple[
            list[int], list[float], int]:
        """Play a game without Python, and note all of it in the same way; see `SeatedGame.play`."""
        return game.play(seating, request.seed, request.luck, self._words, limit)

    def played(self, code: int) -> None:
        """Note a move."""
        plies = self._words[_PLIES]
        if plies < _MOVES:
            self._words[_CODES + plies] = code
            self._words[_PLIES] = plies + 1

    # ---- both processes -----------------------------------------------------------------------

    @property
    def seat(self) -> int:
        """The seat that decides, or NOBODY."""
        return self._words[_SEAT]

    @property
    def deciding_for(self) -> float:
        """Seconds since the current decision began, less those that this process has slept."""
        since = self._words[_SINCE]
        if since != self._since:            # it began after the last look
            self._since, self._slept_before = since, self._slept
        self._slept = slept()
        return (time.monotonic_ns() - since) * 1e-9 - (self._slept - self._slept_before)

    def moves(self) -> list[int]:
        """Return the moves of the game so far."""
        return self._words[_CODES:_CODES + self._words[_PLIES]].tolist()

    def decisions(self, players: int) -> tuple[int, ...]:
        """Return the number of decisions of each seat."""
        return tuple(self._words[_DECISIONS:_DECISIONS + players])

    def seconds(self, players: int) -> tuple[float, ...]:
        """Return the time taken by each seat, in seconds."""
        return tuple(value * 1e-9 for value in self._words[_NANOSECONDS:_NANOSECONDS + players])

    def close(self) -> None:
        """Close the page."""
        self._words.release()
        self._map.close()

    def __enter__(self) -> Heartbeat:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()


# ---- Protecting the process from its agents: detecting and undoing their changes

CUT_OFF = 90                    # exit code of a process whose agent has closed files that the process needs


class Tampered(SfidaError):
    """An agent has changed the game that its views show."""


class Mirror:
    """A copy of the game for one agent: its views are made from it, so changes to them affect nobody else.

    Parameters
    ----------
    game : bytes
        The pickled game.
    """

    def __init__(self, game: bytes) -> None:
        self._game: Game = pickle.loads(game)
        self._classes = [(each, dict(vars(each))) for each in type(self._game).__mro__ if issubclass(each, INTERFACES)]
        self._held = dict(vars(self._game))
        options = pickle.loads(game).options
        self._options = options if options == self._game.options else None      # None: they cannot be compared
        self._state: GameState = self._game.initial_state()

    def view(self, state: GameState, seat: int) -> View:
        """Return the view that a seat has of the true state."""
        self._state.load(state.to_bytes())
        return self._state.view(seat)

    def check(self) -> None:
        """Make sure that the game is unchanged, except for private attributes in which it keeps its own notes.

        Raises
        ------
        Tampered
        """
        kind, now = self._classes[0][0], vars(self._game)
        changed = [] if type(self._game) is kind else ["class"]
        for each, held in self._classes:
            if vars(each) != held:
                changed += _put_back(each, held)
        if now != self._held:
            changed += [name for name in _changed(self._held, now)
                        if not isinstance(getattr(kind, name, None), functools.cached_property)]
            changed += [name for name in now if name not in self._held and callable(getattr(kind, name, None))]
        if not changed and self._options is not None and self._game.options != self._options:
            changed = ["options"]
        if changed:
            raise Tampered(f"changed the game that its views show: its {quoted(changed[0])}")


def _changed(held: Mapping[str, object], now: Mapping[str, object]) -> list[str]:
    """Return the names whose values have changed; a private name may be new, or its value replace None."""
    def changed(name: str) -> bool:
        if name not in now:
            return True
        if name.startswith("_") and not name.startswith("__") and held.get(name) is None:
            return False
        return name not in held or now[name] is not held[name]

    return [name for name in {*held, *now} if changed(name)]


def _put_back(kind: type, held: Mapping[str, object]) -> list[str]:
    """Restore the attributes of a class; return the names of those that had changed."""
    changed = _changed(held, vars(kind))
    for name in changed:
        if name in held:
            setattr(kind, name, held[name])
        else:
            delattr(kind, name)
    return changed


class Surroundings:
    """The objects that agents share besides the game: the streams of their process and the interpreter's settings.

    Parameters
    ----------
    *lifelines : int
        File descriptors through which the process communicates with the tournament.
    """

    def __init__(self, *lifelines: int) -> None:
        self._lifelines = {number: _file(number) for number in lifelines}
        self._depth = sys.getrecursionlimit()
        self._process = os.getpid()

    def restore(self) -> None:
        """Undo an agent's changes. If its descriptors are closed, the process can only end."""
        sys.setrecursionlimit(self._depth)              # first, because the rest needs it
        if os.getpid() != self._process:                # a fork, which would otherwise play on as a second process
            os._exit(0)
        if (any(_file(number) != file for number, file in self._lifelines.items())
                or any(_file(number) is None for number in range(3))):
            os._exit(CUT_OFF)
        for name, number in (("stdout", 1), ("stderr", 2)):
            stream = getattr(sys, f"__{name}__")
            if stream is None or stream.closed:
                stream = os.fdopen(number, "w", buffering=1, errors="backslashreplace", closefd=False)
                setattr(sys, f"__{name}__", stream)
            setattr(sys, name, stream)
        sys.settrace(None)
        sys.setprofile(None)
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0.0)


def _file(number: int) -> tuple[int, int] | None:
    """Return the identity of an open file; None if the descriptor is closed."""
    try:
        found = os.fstat(number)
    except OSError:
        return None
    return found.st_dev, found.st_ino


# ---- The process: reads requests, plays games, writes outcomes

_ARRIVAL = 30.0                 # seconds that an agent may take to start, besides the limit of a decision
MAX_REASON = 400                # most characters of an agent's error message
VALUES = "values"               # extra field of a record: win shares that the search expects at every move, or null
SHARES = "shares"               # field of records: shares of visits of the moves worth searching, by code, in 1/1000
_DIGITS = 3                     # digits of values: a search of some hundred iterations is no more precise


@dataclass(frozen=True)
class Lineup:
    """The game and the agents of a tournament.

    Attributes
    ----------
    game : bytes
        The pickled game.
    agents : tuple of str or bytes
        Specs, or pickled agents.
    specs : tuple of str
        Names of the agents.
    limit : float
        Seconds that a decision may take.
    analyses : bool
        Whether the reply includes the agents' analysis of every move.
    values : bool
        Whether the records include what the agents' searches expected and visited (see `VALUES` and `SHARES`).
    contents : tuple of (str, str)
        Path and digest of every file that the game and the agents name.
    """

    game: bytes
    agents: tuple[str | bytes, ...]
    specs: tuple[str, ...]
    limit: float
    analyses: bool
    values: bool = False
    contents: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class GameRequest:
    """One game to play: the agent on each seat, and the seeds of the agents and of the chance events."""

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
    analyses: tuple[bytes | None, ...]
    forfeit: Forfeit | None


class Company:
    """The agents of a tournament. Every game gets new ones, except those that are reusable.

    Parameters
    ----------
    lineup : Lineup
    """

    def __init__(self, lineup: Lineup) -> None:
        self.lineup = lineup
        self._idle: dict[int, list[Seat]] = {}
        self._players: dict[tuple[int, int], Player | None] = {}
        self._options: dict[int, object] = {}
        self._seated: SeatedGame | None = None

    # ---- games without Python -----------------------------------------------------------------

    def seating(self, game: Game, seats: Sequence[int]) -> Seating | None:
        """Return the players of a game that needs no Python, by the agents' numbers; None if it needs Python."""
        if self.lineup.analyses or self.lineup.values:
            return None
        players = []
        for place, index in enumerate(seats):
            key = index, seats[:place].count(index)
            if key not in self._players:
                self._players[key] = self._player(game, index)
            player = self._players[key]
            if player is None:
                return None
            players.append(player)
        start = game.initial_state()
        self._seated = self._seated or SeatedGame(start)
        return Seating(start, players)

    @property
    def seated(self) -> SeatedGame:
        """What plays the games without Python, once there is a seating."""
        assert self._seated is not None
        return self._seated

    def options(self, seats: Sequence[int]) -> list[object]:
        """Return the options of the agents of a game without Python."""
        return [self._options[index] for index in seats]

    def _player(self, game: Game, index: int) -> Player | None:
        """Return a player that decides as one of Sfida's own agents does; None if there is none."""
        given = self.lineup.agents[index]
        if isinstance(game.initial_state(), PythonState) or not isinstance(given, str) or foreign_agent(given):
            return None
        made = make_agent(given)
        if not isinstance(made, NamedAgent):
            return None
        self._options[index] = made.options
        return made.player(game)

    # ---- games at a table ---------------------------------------------------------------------

    def hire(self, index: int, seed: int) -> Seat:
        """Return an idle or new agent, ready for a game; `seed` is that of its memory in this game."""
        idle = self._idle.get(index)
        if idle:
            idle[-1].begin(seed)
            return idle.pop()
        given = self.lineup.agents[index]
        made = Seat(make_agent(given) if isinstance(given, str) else pickle.loads(given))
        made.limit(self.lineup.limit)
        made.begin(seed)
        return made

    def release(self, index: int, seat: Seat) -> None:
        """Take an agent back after its game."""
        if seat.is_reusable:
            self._idle.setdefault(index, []).append(seat)
        else:
            seat.close()

    def close(self) -> None:
        """Close all agents."""
        for seats in self._idle.values():
            for seat in seats:
                seat.close()
        self._idle.clear()


class _Fault(Exception):
    """An agent has forfeited its game."""

    def __init__(self, forfeit: Forfeit) -> None:
        super().__init__(forfeit.reason)
        self.forfeit = forfeit


@contextlib.contextmanager
def _answerable(seat: int, surroundings: Surroundings, mirror: Mirror) -> Iterator[None]:
    """Blame the agent on `seat` for an error in the block, or for changes to what it shares with others."""
    try:
        yield
        surroundings.restore()
        mirror.check()
    except BaseException as error:          # includes an agent's sys.exit()
        surroundings.restore()
        with contextlib.suppress(Exception):
            mirror.check()
        fault = game_fault(error)
        if fault is not None:
            raise fault from error
        raise _Fault(Forfeit(seat, _kind(error), _reason(error))) from None


def _kind(error: BaseException) -> str:
    if isinstance(error, IllegalMove):
        return "illegal"
    kind = error.kind if isinstance(error, AgentFailure) else None
    return kind if type(kind) is str and kind in KINDS else "raised"


def _reason(error: BaseException) -> str:
    """Return one printable line for an agent's error, whatever its text contains."""
    try:
        words = str.split(str(error))
    except BaseException:
        words = []
    name = [] if isinstance(error, SfidaError) else [f"{type(error).__name__}:" if words else type(error).__name__]
    line = " ".join([*name, *words])[:MAX_REASON]
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in line)


class _GuardedTable(Table):
    """A table whose agents look at copies of the game."""

    def __init__(self, game: Game, request: GameRequest, copied: bytes) -> None:
        super().__init__(game, (), request.seed, SeededChance(request.luck))
        self.mirrors = [Mirror(copied) for _ in request.seating]

    def view(self, seat: int) -> View:
        """Return the view that the agent of a seat is given."""
        return self.mirrors[seat].view(self.state, seat)

    def analysis(self, seat: int) -> None:
        """Return nothing: the agent's analysis is read during its decision."""


def play_game(game: Game, company: Company, request: GameRequest, heartbeat: Heartbeat,
              surroundings: Surroundings) -> GameReply:
    """Play one game; an error of an agent ends it as a forfeit.

    Raises
    ------
    GameFault
        If the game itself fails, at the table or in an agent's legitimate use of it.
    """
    reply = _play_seated(game, company, request, heartbeat)
    if reply is not None:
        return reply
    table = _GuardedTable(game, request, company.lineup.game)
    try:
        return _play_game(table, company, request, heartbeat, surroundings)
    except Exception as error:
        where = "" if isinstance(error, GameFault) else f" after move {len(table.events)}"
        agents = " : ".join(company.lineup.specs[index] for index in request.seating)
        raise GameFault(f"{game_fault(error) or unmarked_fault(error)}{where}, in the game of {agents} with seed "
                        f"{request.seed} and luck {request.luck}") from error


def _play_seated(game: Game, company: Company, request: GameRequest, heartbeat: Heartbeat) -> GameReply | None:
    """Play one game without Python; None if it needs Python, or if something fails, which the table finds again."""
    lineup, forfeit = company.lineup, None
    try:
        seating = company.seating(game, request.seating)
        if seating is None:
            return None
        heartbeat.begin()
        codes, seconds, late = heartbeat.play(company.seated, seating, request, lineup.limit)
        state, chance, moves = game.initial_state(), [], []
        for ply, code in enumerate(codes):
            if state.is_chance:
                chance.append(ply)
            moves.append(state.format(code))
            state.apply(code)
    except Exception:
        heartbeat.begin()
        return None
    if late >= 0:
        forfeit = overtime(late, lineup.limit)
        heartbeat.decided()
    elif not state.is_over:             # a longer game than the page holds
        return None
    record = GameRecord(
        game=game.spec(), rules_version=game.rules_version, moves=tuple(moves),
        seats=tuple(lineup.specs[index] for index in request.seating), seed=request.seed, chance=tuple(chance),
        result=None if forfeit else GameResult.of(state),
        contents=contents_of(game.options, *company.options(request.seating)))
    players = len(request.seating)
    return GameReply(record, tuple(state.scores()), heartbeat.decisions(players), heartbeat.seconds(players),
                     tuple(seconds), (), forfeit)


def _play_game(table: _GuardedTable, company: Company, request: GameRequest, heartbeat: Heartbeat,
               surroundings: Surroundings) -> GameReply:
    lineup, players = company.lineup, len(request.seating)
    seats: list[Seat] = []
    listening: list[int] = []
    times: list[float] = []
    analyses: list[bytes | None] = []
    values: list[list[float] | None] = []
    shares: list[list[int] | None] = []
    forfeit = None
    try:
        heartbeat.begin()
        for seat, index in enumerate(request.seating):
            heartbeat.deciding(seat, _ARRIVAL)
            with _answerable(seat, surroundings, table.mirrors[seat]):
                seats.append(company.hire(index, opening_seed(request.seed, seat)))
                if seats[seat].listens:
                    listening.append(seat)
        heartbeat.begin()
        table.seats = tuple(seats)
        while not table.is_over:
            seat, seconds, found, value, share = int(table.state.to_move), 0.0, None, None, None
            if seat < 0:
                code = table.next_move()
            else:
                heartbeat.deciding(seat)
                with _answerable(seat, surroundings, table.mirrors[seat]):
                    code = table.next_move()
                    found = _portable(seats[seat]) if lineup.analyses else None
                    value = _expected(seats[seat]) if lineup.values else None
                    share = _visited(seats[seat], table.state) if lineup.values else None
                if heartbeat.deciding_for > lineup.limit:
                    raise _Fault(overtime(seat, lineup.limit))
                seconds = heartbeat.decided()
            table.play(code, seconds, tell=False)
            heartbeat.played(code)
            for listener in listening:
                heartbeat.deciding(listener)
                with _answerable(listener, surroundings, table.mirrors[listener]):
                    table.tell(listener)
                heartbeat.told()
            times.append(seconds)
            analyses.append(found)
            values.append(value)
            shares.append(share)
    except _Fault as fault:
        forfeit = fault.forfeit
        if table.seats:
            heartbeat.decided()         # a failed decision counts, too
        else:
            heartbeat.begin()
    for seat, (index, hired) in enumerate(zip(request.seating, seats, strict=False)):
        heartbeat.deciding(seat)
        try:
            with _answerable(seat, surroundings, table.mirrors[seat]):
                company.release(index, hired)
        except _Fault as fault:
            forfeit = forfeit or fault.forfeit
        heartbeat.told()
    record = record_of(table, lineup, request, forfeit)
    return GameReply(record.with_extra(**{VALUES: values, SHARES: shares}) if lineup.values else record,
                     tuple(table.state.scores()),
                     heartbeat.decisions(players), heartbeat.seconds(players), tuple(times),
                     tuple(analyses) if lineup.analyses else (), forfeit)


def overtime(seat: int, limit: float) -> Forfeit:
    """Return the forfeit of a seat that decides for too long."""
    return Forfeit(seat, "overtime", f"no move within the limit of {limit:g} s a decision")


def record_of(table: Table, lineup: Lineup, request: GameRequest, forfeit: Forfeit | None) -> GameRecord:
    """Return the record of a game with the tournament's names of the seats."""
    record = table.record(tuple(lineup.specs[index] for index in request.seating))
    return record if forfeit is None else replace(record, result=None)


def _portable(seat: Seat) -> bytes | None:
    """Return an agent's pickled analysis, or None if it cannot be pickled."""
    found = seat.last_analysis
    try:
        return pickle.dumps(found)
    except Exception:
        return None


def _expected(seat: Seat) -> list[float] | None:
    """Return the win shares that the search behind an agent's last choice expects; None if it did not search."""
    found = seat.last_analysis
    if type(found) is not Analysis or found.stopped == "forced":
        return None
    return [round(float(share), _DIGITS) for share in found.value]


def _visited(seat: Seat, state: GameState) -> list[int] | None:
    """Return the visit shares of the search behind an agent's last choice; None if there was no choice."""
    found = seat.last_analysis
    if type(found) is not Analysis or found.stopped == "forced":
        return None
    share = {row.code: row.share if row.strategy is None else row.strategy for row in found.moves}
    listed = [round(1000 * float(share.get(code, 0.0))) for code in state.candidate_moves()]
    return listed if len(listed) > 1 and any(listed) else None


# ---- the process --------------------------------------------------------------------------------


def send(stream: BinaryIO, message: object) -> None:
    """Write one message."""
    data = pickle.dumps(message)
    stream.write(len(data).to_bytes(8, "little") + data)
    stream.flush()


def receive(stream: BinaryIO) -> Any:
    """Read one message; raises EOFError if the other side is gone."""
    size = stream.read(8)
    data = stream.read(int.from_bytes(size, "little")) if len(size) == 8 else b""
    if not data:
        raise EOFError
    return pickle.loads(data)


def _listen(stream: BinaryIO, requests: queue.SimpleQueue[Any]) -> None:
    """Pass on requests; end at once when the tournament is gone, even in the middle of a game."""
    try:
        while True:
            requests.put(receive(stream))
    finally:
        if os.name == "posix":
            os.killpg(0, signal.SIGKILL)            # including programs started by agents
        os._exit(1)


def _stay() -> None:
    """Ignore Ctrl-C and SIGTERM, which may reach all processes of a tournament: the tournament handles them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: None)   # not SIG_IGN, which agents' programs would inherit
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})


def main() -> None:
    """Play the requested games until standard input ends."""
    _stay()
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    try:
        sys.path[:] = receive(source)
    except EOFError:                                    # the tournament has ended already
        return
    surroundings = Surroundings(source.fileno(), sink.fileno())
    requests: queue.SimpleQueue[Any] = queue.SimpleQueue()
    try:
        threading.Thread(target=_listen, args=(source, requests), daemon=True).start()
    except RuntimeError as error:
        send(sink, SfidaError(f"the process that plays the games cannot work: {error}"))
        return
    lineup: Lineup = requests.get()
    with Heartbeat(Path(sys.argv[1])) as heartbeat:
        try:
            game: Game = pickle.loads(lineup.game)
            company = Company(lineup)
            send(sink, None)
            while True:
                send(sink, play_game(game, company, requests.get(), heartbeat, surroundings))
        except GameFault as fault:
            send(sink, fault)
        except BaseException as error:
            send(sink, SfidaError(f"the game could not be played: {type(error).__name__}: {error}"))
            raise
