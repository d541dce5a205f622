"""The tournament's side of a playing process: requests games, watches the time, and judges its silence or death."""

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
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from sfida.ai.arena.guard import CUT_OFF
from sfida.ai.arena.heartbeat import NOBODY, SIZE, Heartbeat
from sfida.ai.arena.outcome import Forfeit
from sfida.ai.arena.player import Cast, GameReply, GameRequest, overtime, receive, record_of, send
from sfida.ai.seat import Seat
from sfida.ai.table import Table
from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.measure import awake

_PACKAGE = Path(__file__).absolute().parents[2]
# Where `sfida` is imported from, if that is a folder: an editable installation is known to its finder, and a source
# tree that happens to be called sfida would be mistaken for the package.
_HOME = [str(_PACKAGE.parent)] if (_PACKAGE / "__init__.py").exists() else []
# With -m, its classes would belong to __main__. Nothing is imported from the current folder (-P).
_PROGRAM = "import sys; sys.path += sys.argv[2:]; from sfida.ai.arena.player import main; main()"
_START = 120.0                  # seconds that a process may take to start on a busy machine
_GRACE = 1.0                    # seconds beyond the limit after which a decision is ended by force
_POLL = 1.0                     # seconds between checks


class _Gone(SfidaError):
    """A playing process has ended, and no agent can be blamed."""


class PlayingProcess:
    """A process that plays games one after the other; it is started again whenever it had to be ended.

    Parameters
    ----------
    cast : Cast
    """

    def __init__(self, cast: Cast) -> None:
        self._cast = cast
        self._process: subprocess.Popen[bytes] | None = None
        self._replies: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._heartbeat: Heartbeat | None = None
        self._end: weakref.finalize[Any, Any] | None = None        # at the end of the program, too

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
        except _Gone:                   # an agent may have left something behind in it: try again with a fresh one
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
            wait = _POLL if seat == NOBODY else self._cast.limit + _GRACE - heartbeat.deciding_for
            try:
                reply = self._replies.get(timeout=min(max(wait, 0.001), _POLL))
            except queue.Empty:
                if seat != NOBODY and seat == heartbeat.seat and (
                        heartbeat.deciding_for > self._cast.limit + _GRACE):
                    return self._judge(request, overtime(seat, self._cast.limit))
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
                for message in (sys.path, self._cast):
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
        """Return in words how the process ended."""
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
        table = Table(pickle.loads(self._cast.game), [Seat(_Absent())] * players, request.seed)
        for code in self._heartbeat.moves():
            table.play(code)
        decisions = list(self._heartbeat.decisions(players))
        seconds = list(self._heartbeat.seconds(players))
        decisions[forfeit.seat] += 1
        seconds[forfeit.seat] += max(0.0, self._heartbeat.deciding_for)
        self.close()
        return GameReply(record_of(table, self._cast, request, forfeit), tuple(table.state.scores()), tuple(decisions),
                         tuple(seconds), (), (), forfeit)


class _Absent:
    """Takes the place of an agent whose moves are known."""

    spec = "absent"

    def choose(self, view: object) -> int:
        raise NotImplementedError


def _read(stream: BinaryIO, replies: queue.SimpleQueue[Any]) -> None:
    """Pass on replies; the last one is an error."""
    try:
        while True:
            replies.put(receive(stream))
    except Exception as error:          # from pipes, from pickle, or from what a pickled object does
        replies.put(error)


def _end(process: subprocess.Popen[bytes], reader: threading.Thread) -> None:
    """Kill a process and all that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
    reader.join(_GRACE)
    if not reader.is_alive():               # otherwise a process that is not ours to kill holds the pipe open
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
