"""The tournament's side of a playing process, and the task of a worker: the missing games of one block."""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from sfida.ai.arena.outcome import Forfeit, GameOutcome, forfeited
from sfida.ai.arena.player import (
    CUT_OFF, NOBODY, SIZE, GameReply, GameRequest, Heartbeat, Lineup, overtime, receive, record_of, send
)
from sfida.ai.arena.schedule import Block
from sfida.ai.arena.store import Store
from sfida.ai.luck.value import Value, luck_of
from sfida.ai.seat import Seat
from sfida.ai.table import Table
from sfida.cython_ext.errors import SfidaError, faults_told
from sfida.cython_ext.measure import awake
from sfida.engines.records import GameRecord
from sfida.engines.spec import named_by, shown

# ---- The tournament's side: requests games, watches the time, and judges hung or dead processes

_PACKAGE = Path(__file__).absolute().parents[2]
# The folder from which `sfida` is imported, if there is one: the finder of an editable installation knows the package,
# and a source tree that happens to be called sfida would be mistaken for it.
_HOME = [str(_PACKAGE.parent)] if (_PACKAGE / "__init__.py").exists() else []
# With -m, its classes would belong to __main__. It imports nothing from the current folder (-P).
_PROGRAM = "import sys; sys.path += sys.argv[2:]; from sfida.ai.arena.player import main; main()"
_START = 120.0                  # seconds that a process may take to start on a busy machine
_GRACE = 1.0                    # seconds beyond the limit after which a decision is stopped by force
_POLL = 1.0                     # seconds between checks


class _Gone(SfidaError):
    """A playing process has ended, and no agent can be blamed."""


class PlayingProcess:
    """A process that plays games one after the other; after a forced end it is started again.

    Parameters
    ----------
    lineup : Lineup
    """

    def __init__(self, lineup: Lineup) -> None:
        self._lineup = lineup
        self._process: subprocess.Popen[bytes] | None = None
        self._replies: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._heartbeat: Heartbeat | None = None
        self._end: weakref.finalize[Any, Any] | None = None        # also runs at the end of the program

    def play(self, request: GameRequest) -> GameReply:
        """Play one game and return the reply; an agent that hangs or dies forfeits the game.

        Raises
        ------
        SfidaError
            If the process cannot be started, or ended twice while no agent was deciding.
        GameFault
            If the game itself fails.
        """
        try:
            return self._play(request)
        except _Gone:                   # an earlier agent may have damaged the process: try again with a fresh one
            return self._play(request)

    def _play(self, request: GameRequest) -> GameReply:
        if self._process is None or self._process.poll() is not None:
            self._start()
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._heartbeat is not None
        heartbeat = self._heartbeat
        try:
            send(self._process.stdin, request)      # type: ignore[arg-type]
        except OSError:
            self._fail("ended between two games")
        while True:
            seat = heartbeat.seat
            wait = _POLL if seat == NOBODY else self._lineup.limit + _GRACE - heartbeat.deciding_for
            try:
                reply = self._replies.get(timeout=min(max(wait, 0.001), _POLL))
            except queue.Empty:
                if seat != NOBODY and seat == heartbeat.seat and (
                        heartbeat.deciding_for > self._lineup.limit + _GRACE):
                    return self._judge(request, overtime(seat, self._lineup.limit))
                continue
            if isinstance(reply, GameReply):
                return reply
            if isinstance(reply, SfidaError):
                self.close()
                raise reply
            seat = heartbeat.seat                   # the process is gone
            if seat == NOBODY:
                self._fail("ended while no agent was deciding")
            return self._judge(request, Forfeit(seat, "died", f"its process ended: {self._how()}"))

    def close(self) -> None:
        """End the process and everything that its agents started."""
        self._process = None
        if self._end is not None:
            self._end()
        if self._heartbeat is not None:
            self._heartbeat.close()
            self._heartbeat = None

    # ---- inside -------------------------------------------------------------------------------

    def _start(self) -> None:
        self.close()
        handle, name = tempfile.mkstemp(prefix="sfida-")
        page = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.truncate(SIZE)
            self._heartbeat = Heartbeat(page)
            self._heartbeat.begin()
            group: dict[str, Any] = {"process_group": 0} if os.name == "posix" else {}
            process = subprocess.Popen([sys.executable, "-P", "-c", _PROGRAM, name, *_HOME],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, **group)
            self._process = process
            self._replies = queue.SimpleQueue()
            reader = threading.Thread(target=_read, args=(process.stdout, self._replies), daemon=True)
            reader.start()
            self._end = weakref.finalize(self, _end, process, reader)
            try:
                assert process.stdin is not None
                for message in (sys.path, self._lineup):
                    send(process.stdin, message)    # type: ignore[arg-type]
                ready = self._ready()
            except OSError:
                ready = EOFError()
            if isinstance(ready, SfidaError):
                self.close()
                raise ready
            if ready is not None:
                self._fail("did not start", SfidaError)
        finally:
            page.unlink(missing_ok=True)

    def _ready(self) -> Any:
        """Return the first reply of a process, or an error if it takes too long."""
        end = awake() + _START
        while awake() < end:
            with contextlib.suppress(queue.Empty):
                return self._replies.get(timeout=_POLL)
        return EOFError()

    def _how(self) -> str:
        """Return the way in which the process ended, in words."""
        assert self._process is not None
        try:
            code = self._process.wait(timeout=_GRACE)
        except subprocess.TimeoutExpired:
            return "it closed its output"
        if code == CUT_OFF:
            return "an agent had closed files that it needs"
        if code >= 0:
            return f"exit code {code}"
        try:
            return f"signal {signal.Signals(-code).name}"
        except ValueError:
            return f"signal {-code}"

    def _fail(self, what: str, kind: type[SfidaError] | None = None) -> NoReturn:
        how = self._how()
        self.close()
        raise (kind or _Gone)(f"the process that plays the games {what} ({how}); what it wrote to standard error says "
                              "more")

    def _judge(self, request: GameRequest, forfeit: Forfeit) -> GameReply:
        """Return the game that the process was playing when it ended or is ended now."""
        assert self._heartbeat is not None
        players = len(request.seating)
        table = Table(pickle.loads(self._lineup.game), [Seat(_Absent())] * players, request.seed)
        for code in self._heartbeat.moves():
            table.play(code)
        decisions = list(self._heartbeat.decisions(players))
        seconds = list(self._heartbeat.seconds(players))
        decisions[forfeit.seat] += 1
        seconds[forfeit.seat] += max(0.0, self._heartbeat.deciding_for)
        self.close()
        return GameReply(record_of(table, self._lineup, request, forfeit), tuple(table.state.scores()),
                         tuple(decisions), tuple(seconds), (), (), forfeit)


class _Absent:
    """Replaces an agent whose moves are known."""

    spec = "absent"

    def choose(self, view: object) -> int:
        raise NotImplementedError


def _read(stream: BinaryIO, replies: queue.SimpleQueue[Any]) -> None:
    """Pass on replies; the last one is an error."""
    try:
        while True:
            replies.put(receive(stream))
    except Exception as error:          # from pipes, from pickle, or from code of a pickled object
        replies.put(error)


def _end(process: subprocess.Popen[bytes], reader: threading.Thread) -> None:
    """Kill a process and all processes that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
    reader.join(_GRACE)
    if not reader.is_alive():               # otherwise a process that we must not kill holds the pipe open
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


# ---- The task of a worker: the missing games of one block

_worker = threading.local()         # the worker's playing process, kept for all its blocks


class Stopped(SfidaError):
    """A strict tournament ends at the first forfeit."""


@dataclass(frozen=True)
class BlockTask:
    """The input of a worker that plays games of one block.

    Attributes
    ----------
    tournament : str
        Id of the tournament; a worker keeps its playing process within one tournament.
    lineup : Lineup
    block : Block
    games : tuple of (int, int, int)
        Rotation, seed of the agents and seed of chance events for every game to play.
    store : Path or None
        Store that receives finished games at once; None if the worker cannot reach it.
    strict : bool
    measured : bool
        Whether to measure the luck of the games, too.
    """

    tournament: str
    lineup: Lineup
    block: Block
    games: tuple[tuple[int, int, int], ...]
    store: Path | None
    strict: bool
    measured: bool = False


def play_block(task: BlockTask) -> list[GameOutcome]:
    """Play the games of a task in turn and return them.

    Raises
    ------
    Stopped
        At a forfeit, if the task is strict.
    SfidaError
        If the game cannot be played or the store cannot be written.
    """
    process = _process(task)
    outcomes = []
    for rotation, seed, luck in task.games:
        request = GameRequest(task.block.seating(rotation), seed, luck)
        started = awake()
        reply = process.play(request)
        outcome = _outcome(task, rotation, request, reply, awake() - started)
        if task.strict and outcome.forfeit is not None:
            who = task.lineup.specs[request.seating[outcome.forfeit.seat]]
            raise Stopped(f"stopped at the first forfeit: '{who}' on seat {outcome.forfeit.seat} in block "
                          f"{task.block.index}, game {rotation}: {outcome.forfeit.reason}")
        if task.measured:
            with faults_told():
                outcome = replace(outcome, luck=luck_of(outcome.record, _value(task)))
        if task.store is not None:
            with Store.open(task.store) as store:
                store.add(outcome)
        outcomes.append(outcome)
    return outcomes


def dismiss() -> None:
    """End the playing process of this thread, if it has one."""
    process: PlayingProcess | None = getattr(_worker, "process", None)
    if process is not None:
        process.close()
    _worker.__dict__.clear()


def _process(task: BlockTask) -> PlayingProcess:
    if getattr(_worker, "tournament", None) != task.tournament:
        dismiss()
        _worker.process, _worker.tournament = PlayingProcess(task.lineup), task.tournament
    process: PlayingProcess = _worker.process
    return process


def _value(task: BlockTask) -> Value:
    """Return the value function of the game, kept like the playing process."""
    if not hasattr(_worker, "value"):
        _worker.value = Value(pickle.loads(task.lineup.game))
    value: Value = _worker.value
    return value


def _outcome(task: BlockTask, rotation: int, request: GameRequest, reply: GameReply, wall: float) -> GameOutcome:
    extra: dict[str, Any] = {"block": task.block.index, "rotation": rotation, "chance_seed": request.luck}
    if reply.forfeit is None:
        result = reply.record.result
        assert result is not None           # the playing process ends only with the game
        utilities, ranks = result.utilities, result.ranks
    else:
        utilities, ranks = forfeited(len(request.seating), reply.forfeit.seat)
        extra["forfeit"] = reply.forfeit.to_json()
    record = replace(reply.record, contents=_contents(task.lineup, reply.record)).with_extra(**extra)
    return GameOutcome(
        block=task.block.index, rotation=rotation, agents=request.seating, record=record,
        utilities=utilities, ranks=ranks, scores=reply.scores, decisions=reply.decisions, seconds=reply.seconds,
        wall=wall, forfeit=reply.forfeit, move_seconds=reply.move_seconds,
        analyses=tuple(map(_analysis, reply.analyses)))


def _contents(lineup: Lineup, record: GameRecord) -> dict[str, str]:
    """Return the digests of the files that a record names; raises SfidaError if one has changed since the beginning."""
    for path, digest in lineup.contents:
        if record.contents.get(path, digest) != digest:
            raise SfidaError(f"{shown(path)} has changed since the tournament began, so this game was not added: "
                             "restore the file and continue with --resume, or begin another tournament")
    return named_by((record.game, *record.seats), dict(lineup.contents))


def _analysis(data: bytes | None) -> Any:
    """Return an agent's analysis; None if it cannot be loaded here."""
    try:
        return None if data is None else pickle.loads(data)
    except Exception:
        return None
