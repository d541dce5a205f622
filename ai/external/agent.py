"""The `exec` agent: any program, which is asked for its moves line by line."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from sfida.ai.agent import AgentFailure, NamedAgent
from sfida.ai.external import protocol
from sfida.ai.external.command import command_line
from sfida.ai.external.program import Program
from sfida.ai.observation import Observation
from sfida.cython_ext.errors import IllegalMove, InvalidOption, SfidaError
from sfida.cython_ext.state import View
from sfida.engines.game import Game
from sfida.engines.spec import quoted, shown

DECISION_SECONDS = 60.0
START_SECONDS = 10.0
GRACE_SECONDS = 1.0


@dataclass(frozen=True)
class ExecOptions:
    """The only option of `exec`."""

    command: str = field(metadata={"doc": "the program and its arguments: everything after the first colon"})

    def __post_init__(self) -> None:
        if not isinstance(self.command, str):
            raise InvalidOption(f"the command of agent 'exec' must be text, not {quoted(self.command)}")
        object.__setattr__(self, "command", self.command.strip())
        self.words()

    def words(self) -> list[str]:
        """Return the program and its arguments; raises InvalidOption if it cannot be run here."""
        return command_line(self.command)


class ExecAgent(NamedAgent):
    """Plays what a program answers; `docs/protocol.md` describes the protocol.

    The program is started when it is first needed and may play several games. If it misbehaves it is killed,
    `choose` raises an error, and the next game starts it again.

    Attributes
    ----------
    limit : float or None
        Seconds that a decision may take; None: no limit.
    start_limit : float
        Seconds that a program may take to start and report that it is ready.
    """

    name = "exec"
    doc = "your own program, asked line by line (docs/protocol.md)"
    options_class = ExecOptions
    free_text = "command"
    runs_programs = True
    reusable: ClassVar[bool] = True

    def __init__(self, options: ExecOptions, seed: int = 0) -> None:
        super().__init__(options, seed)
        self.limit: float | None = DECISION_SECONDS
        self.start_limit = START_SECONDS
        self._program: Program | None = None
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
            raise SfidaError("agent 'exec' only takes views that hide what the seat cannot know")
        if self._program is None:
            self.new_game()
        assert self._program is not None
        program, moves = self._program, [view.format(code) for code in codes]
        self._number += 1
        try:
            self._tell_game(program, view.game)
            program.send(protocol.choose(self._number, view, moves, self.seed, self.limit))
            answer = self._wait_for("move", self.limit)
        except BaseException:                   # Ctrl-C, too: otherwise its answer would come when nothing waits for it
            self._kill()
            raise
        if answer not in moves:
            raise IllegalMove(f"{self._called} on seat {view.seat} answered {quoted(answer)}, which is none of the "
                              f"{len(moves)} legal moves")
        return int(codes[moves.index(answer)])

    def _observe(self, seen: Observation) -> None:
        """Tell the program what its seat saw."""
        if self._program is None:
            return                              # the next game starts it again
        try:
            self._tell_game(self._program, seen.view.game)
            self._program.send(protocol.observe(seen))
        except BaseException:
            self._kill()
            raise

    def _tell_game(self, program: Program, game: Game) -> None:
        if self._game != game:
            program.send(protocol.new_game(game, self._opening))
            self._game = game

    def close(self) -> None:
        """Ask the program to end, and end it if it does not."""
        if self._program is not None:
            program, self._program = self._program, None
            program.quit(protocol.encode("quit"), GRACE_SECONDS)

    # ---- the exchange -------------------------------------------------------------------------

    @property
    def _called(self) -> str:
        return f"agent 'exec:{shown(self.options.command)}'"

    def _start(self) -> None:
        self._kill()
        try:
            self._program = Program(self.options.words(), self._called)
            self._program.send(protocol.hello())
            self._wait_for("ready", self.start_limit)
        except BaseException:
            self._kill()
            raise

    def _wait_for(self, kind: str, limit: float | None) -> str:
        """Return what the program answers, such as its move; lines of types that mean nothing here are ignored."""
        assert self._program is not None
        deadline = time.monotonic() + (float("inf") if limit is None else limit)
        while True:
            line = self._program.receive(deadline, kind, limit)
            try:
                message = protocol.decode(line)
                if message["type"] == "error":
                    raise AgentFailure(f"{self._called} gives up: "
                                       f"{protocol.in_short(str(message.get('message', 'no reason given')))}")
                if message["type"] != kind:
                    continue
                if kind == "ready":
                    if protocol.whole(message, "protocol") != protocol.PROTOCOL:
                        raise AgentFailure(f"{self._called} speaks version {message['protocol']} of the protocol, "
                                           f"this Sfida version {protocol.PROTOCOL}")
                    self.observe = self._observe if message.get("observes") is True else None
                    return ""
                number = protocol.whole(message, "id")
                if number > self._number:
                    raise protocol.BadLine(f"it answers request {number}, but the last one is {self._number}")
                if number == self._number:
                    return protocol.text(message, "move")
            except protocol.BadLine as error:
                raise AgentFailure(f"{self._called} broke the protocol: {error}") from None

    def _kill(self) -> None:
        if self._program is not None:
            program, self._program = self._program, None
            program.kill()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_program": None, "_game": None, "observe": None}
