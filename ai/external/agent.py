"""Agents that ask another program for their moves, line by line."""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any, ClassVar

from sfida.ai.agent import AgentFailure, NamedAgent
from sfida.ai.clock import usual_limit
from sfida.ai.external import protocol
from sfida.ai.external.stream import LineStream
from sfida.ai.observation import Observation
from sfida.cython_ext.errors import IllegalMove, SfidaError
from sfida.cython_ext.measure import awake
from sfida.cython_ext.state import View
from sfida.engines.game import Game
from sfida.engines.spec import quoted, shown

START_SECONDS = 10.0
GRACE_SECONDS = 1.0


class GivesUp(AgentFailure):
    """The program says that it cannot go on."""


def deliver(stream: LineStream, line: bytes) -> None:
    """Send a line as it is."""
    stream.send(line)


class LineAgent(NamedAgent):
    """Plays what another program answers; `docs/protocol.md` describes the protocol.

    The program is started or reached when it is first needed and may play several games. If it misbehaves it is killed
    or left, `choose` raises an error, and the next game begins with it afresh.

    Attributes
    ----------
    limit : float or None
        Seconds that a decision may take; None: no limit. By default 60, or five times `longest`.
    longest : float or None
        Seconds that a decision may take by the budget of the agent that the program serves, as far as it is known.
    start_limit : float
        Seconds that a program may take to start and report that it is ready.
    deliver : callable
        Sends a line over the stream.
    """

    runs_programs = True
    reusable: ClassVar[bool] = True

    def __init__(self, options: Any, seed: int = 0) -> None:
        super().__init__(options, seed)
        self.longest: float | None = self._served()
        self.limit: float | None = usual_limit([self.longest])
        self._usual = self.limit
        self.start_limit = START_SECONDS
        self.deliver: Callable[[LineStream, bytes], None] = deliver
        self._program: LineStream | None = None
        self._game: Game | None = None          # the game that the program was told of
        self._number = 0                        # number of the last request
        self._opening = seed                    # seed of what the program keeps during a game
        self.observe: Callable[[Observation], None] | None = None       # if the program wants to be told events

    def new_game(self) -> None:
        """Begin a game: make sure that the program is ready; it is told of the game with the first request.

        Raises
        ------
        AgentFailure
            If the program does not start or does not report in time that it is ready.
        """
        self._game = None
        self._opening = self.seed
        if self._program is None or not self._program.running:
            self._start()

    def choose(self, view: View) -> int:
        """Return the move that the program answers.

        Raises
        ------
        IllegalMove
            If the move is not legal.
        AgentFailure
            If the program does anything other than answer in time.
        """
        codes = view.legal_moves()
        if not codes:
            raise IllegalMove(f"seat {view.seat} is not to move")
        if not view.redacted:
            raise SfidaError(f"agent '{self.name}' only takes views that hide what the seat cannot know")
        if self._program is None:
            self.new_game()
        assert self._program is not None
        program, moves = self._program, [view.format(code) for code in codes]
        self._number += 1
        try:
            self._tell_game(program, view.game)
            self.deliver(program, protocol.choose(self._number, view, moves, self.seed, self.limit))
            answer = self._wait_for("move", self.limit)
        except BaseException:                   # Ctrl-C, too: otherwise its answer would come when nothing waits for it
            self._kill()
            raise
        if answer not in moves:
            raise IllegalMove(f"{self.called} on seat {view.seat} answered {quoted(answer)}, which is none of the "
                              f"{len(moves)} legal moves")
        return int(codes[moves.index(answer)])

    def _observe(self, seen: Observation) -> None:
        """Tell the program what its seat saw."""
        if self._program is None:
            return                              # the next game starts it again
        try:
            self._tell_game(self._program, seen.view.game)
            self.deliver(self._program, protocol.observe(seen))
        except BaseException:
            self._kill()
            raise

    def _tell_game(self, program: LineStream, game: Game) -> None:
        if self._game != game:
            self.deliver(program, protocol.new_game(game, self._opening))
            self._game = game

    def close(self) -> None:
        """Ask the program to end, and end it if it does not."""
        program = self.release()
        if program is not None:
            program.quit(protocol.encode("quit"), GRACE_SECONDS)

    @property
    def stream(self) -> LineStream | None:
        """The lines to and from the program, None if there is none."""
        return self._program

    def release(self) -> LineStream | None:
        """Hand over the lines to and from the program, which the caller ends; the next game begins with it afresh."""
        program, self._program = self._program, None
        return program

    @property
    def called(self) -> str:
        """First words of error messages."""
        return f"agent '{self.name}:{shown(getattr(self.options, self.free_text))}'"

    # ---- the exchange -------------------------------------------------------------------------

    def _served(self) -> float | None:
        """Return `longest` as the spec tells it."""
        return None

    def _may_take(self, longest: float) -> None:
        """Note how long a decision may take as the program says; raises AgentFailure if the limit is too short."""
        if self.limit is not None and longest >= self.limit:
            if self.limit != self._usual:
                raise AgentFailure(f"{self.called} says that a decision may take {longest:g} s, but the limit is "
                                   f"{self.limit:g} s: allow more, or give it a smaller budget")
            self.limit = self._usual = usual_limit([longest])
        self.longest = longest

    @abc.abstractmethod
    def _connect(self) -> LineStream:
        """Start or reach the program; raises AgentFailure."""

    def _start(self) -> None:
        self._kill()
        try:
            self._program = self._connect()
            self.deliver(self._program, protocol.hello())
            self._wait_for("ready", self.start_limit)
        except BaseException:
            self._kill()
            raise

    def _wait_for(self, kind: str, limit: float | None) -> str:
        """Return what the program answers, such as its move; lines of types that mean nothing here are ignored."""
        assert self._program is not None
        deadline = awake() + (float("inf") if limit is None else limit)
        while True:
            line = self._program.receive(deadline, kind, limit)
            try:
                message = protocol.decode(line)
                if message["type"] == "error":
                    raise GivesUp(f"{self.called} gives up: "
                                  f"{protocol.in_short(str(message.get('message', 'no reason given')))}")
                if message["type"] != kind:
                    continue
                if kind == "ready":
                    if protocol.agree(message) is None:
                        raise AgentFailure(f"{self.called} speaks {protocol.naming(protocol.spoken(message))} of the "
                                           f"protocol, this Sfida {protocol.naming(protocol.VERSIONS)}")
                    self.observe = self._observe if message.get("observes") is True else None
                    longest = protocol.seconds(message, "longest")
                    if longest is not None:
                        self._may_take(longest)
                    return ""
                number = protocol.whole(message, "id")
                if number > self._number:
                    raise protocol.BadLine(f"it answers request {number}, but the last one is {self._number}")
                if number == self._number:
                    return protocol.text(message, "move")
            except protocol.BadLine as error:
                raise AgentFailure(f"{self.called} broke the protocol: {error}") from None

    def _kill(self) -> None:
        program = self.release()
        if program is not None:
            program.kill()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_program": None, "_game": None, "observe": None}
