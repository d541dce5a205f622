"""Checks whether a program that plays keeps to the protocol, by playing with it and by sending it unusual lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sfida.ai.agent import Agent, AgentFailure
from sfida.ai.chance import LARGEST_AGENT_SEED
from sfida.ai.external import protocol
from sfida.ai.external.agents import GivesUp, LineAgent
from sfida.ai.external.stream import LineStream
from sfida.ai.registry import agent as make_agent
from sfida.ai.registry import runs_program
from sfida.ai.table import Table, take_seats
from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.measure import awake
from sfida.engines.language import counted
from sfida.engines.registry import make, make_game
from sfida.engines.untrusted import json_text

SMALL = ("tic_tac_toe", "kuhn_poker", "leduc_poker", "goofspiel", "phantom_tic_tac_toe")
BOARDS = ("carcassonne", "settlers_of_zarahemla")
LONGEST = 40                    # most decisions of the program in a board game
LEAVING = 5.0                   # seconds in which a program must end when it is told to
_SEED = 2026
_SILENCE = 0.1                  # seconds without an answer
_PADDING = 1 << 20              # characters
# The value of a field that no program knows; the names in it have a meaning elsewhere.
_TRAP = {"type": "quit", "id": 0, "legal_moves": ["\\\"}]", None], "seed": -1.5e3}
_ANSWERS = ("ready", "move", "error")


class Violation(SfidaError):
    """The program does something that the protocol does not allow."""


@dataclass(frozen=True)
class ProgramCheck:
    """A check of one duty of a program.

    Attributes
    ----------
    name, doc : str
        Name in a word or two, and a description of one line.
    run : callable
        Runs the check with an agent that has not begun yet. Returns a note, or raises SfidaError.
    """

    name: str
    doc: str
    run: Callable[[LineAgent], str]


@dataclass(frozen=True)
class CheckOutcome:
    """The result of a check.

    Attributes
    ----------
    check : ProgramCheck
    passed : bool or None
        None: it was not run.
    note : str
        The fault, or a remark.
    seconds : float
    """

    check: ProgramCheck
    passed: bool | None
    note: str
    seconds: float = 0.0


def program_agent(text: str) -> LineAgent:
    """Return the agent that asks a program.

    Parameters
    ----------
    text : str
        A command, as after ``exec:``, or the spec of an agent that is a program, such as ``socket:4000``.

    Raises
    ------
    InvalidOption
        If there is no such program.
    """
    agent: Any = make_agent(text if runs_program(text) else f"exec:{text}")
    assert isinstance(agent, LineAgent)
    return agent


def check_program(text: str, limit: float) -> Iterator[CheckOutcome]:
    """Run all checks, each with a new start or connection of the program; if it does not say hello, skip the others.

    Parameters
    ----------
    text : str
        See `program_agent`.
    limit : float
        Seconds that a decision may take.

    Raises
    ------
    InvalidOption
        If there is no such program.
    """
    useless = False
    for check in CHECKS:
        agent = program_agent(text)
        agent.limit = limit
        outcome = CheckOutcome(check, None, "not run") if useless else _outcome(check, agent)
        useless = useless or (check is CHECKS[0] and not outcome.passed)
        yield outcome


def _outcome(check: ProgramCheck, agent: LineAgent) -> CheckOutcome:
    started = awake()
    try:
        passed, note = True, check.run(agent)
    except SfidaError as error:
        passed, note = False, str(error).replace(agent.called, "it", 1)
    finally:
        agent.close()
    return CheckOutcome(check, passed, note, awake() - started)


# ---- playing ------------------------------------------------------------------------------------


def _game(agent: LineAgent, spec: str, seed: int = _SEED, *, most: int = 10_000) -> list[str]:
    """Play a game up to some decisions of the program and return its moves; in a small game it has all seats."""
    game = make_game(spec)
    other: str | Agent = agent if spec in SMALL else "random"
    players: Sequence[str | Agent] = [agent, *[other] * (game.players - 1)]
    table = Table(game, take_seats(game, players), seed)
    table.begin()
    while not table.is_over and most > 0:
        seat = int(table.state.to_move)
        table.play(table.next_move())
        most -= seat >= 0 and players[seat] is agent
    return [event.move for event in table.events if not event.chance and players[event.seat] is agent]


def _whole(spec: str) -> Callable[[LineAgent], str]:
    def run(agent: LineAgent) -> str:
        return counted(len(_game(agent, spec, most=LONGEST if spec in BOARDS else 10_000)), "decision", "decisions")
    return run


def _opening(agent: LineAgent) -> None:
    """Let the program take the first decision of a game."""
    agent.choose(make("tic_tac_toe").view(0))


# ---- other ways to send a line ------------------------------------------------------------------


def _changed(line: bytes, **fields: Any) -> bytes:
    """Return a line with some fields in front of its own."""
    return json_text({**fields, **protocol.decode(line), **fields},
                     compact=True).encode() + b"\n"


def _with_unknown(stream: LineStream, line: bytes) -> None:
    stream.send(_changed(line, weather=_TRAP))
    stream.send(protocol.encode("weather", sky=_TRAP))


def _in_halves(stream: LineStream, line: bytes) -> None:
    stream.send(line[:len(line) // 2])
    _expect_silence(stream, "half a line")
    stream.send(line[len(line) // 2:])


def _padded(stream: LineStream, line: bytes) -> None:
    stream.send(_changed(line, padding="x" * _PADDING))


def _without_limit(stream: LineStream, line: bytes) -> None:
    stream.send(_changed(line, limit=None) if protocol.decode(line)["type"] == "choose" else line)


def _sent(send: Callable[[LineStream, bytes], None], spec: str) -> Callable[[LineAgent], str]:
    """Return a check that plays a game with lines sent in another way."""
    def run(agent: LineAgent) -> str:
        agent.deliver = send
        return counted(len(_game(agent, spec)), "decision", "decisions")
    return run


def _expect_silence(stream: LineStream, after: str) -> None:
    """Check that the program answers nothing for a moment; raises Violation."""
    end = awake() + _SILENCE
    while True:
        try:
            line = stream.receive(end, "line", _SILENCE)
        except AgentFailure as failure:
            if failure.kind == "overtime":
                return
            raise
        try:
            kind = protocol.decode(line)["type"]
        except protocol.BadLine as error:
            raise Violation(f"it broke the protocol: {error}") from None
        if kind in _ANSWERS:
            raise Violation(f"it answered {after} by '{kind}'")


# ---- the checks that need more than a game ------------------------------------------------------


def _hello(agent: LineAgent) -> str:
    agent.new_game()
    return "asks for observations" if agent.observe is not None else ""


def _observations(agent: LineAgent) -> str:
    told = 0

    def send(stream: LineStream, line: bytes) -> None:
        nonlocal told
        stream.send(line)
        if protocol.decode(line)["type"] == "observe":
            told += 1
            _expect_silence(stream, "'observe'")

    agent.new_game()
    if agent.observe is None:
        return "not asked for"
    agent.deliver = send
    for _ in range(2):                          # again from the start, as after a take-back
        _game(agent, "leduc_poker")
    return f"{counted(told, 'event', 'events')} told"


def _seeds(agent: LineAgent) -> str:
    games = ("tic_tac_toe", "leduc_poker")
    first = [_game(agent, game) for game in games]
    if [_game(agent, game) for game in games] != first:
        raise Violation("it played otherwise when the same positions came again with the same seeds")
    agent.close()
    if [_game(agent, game) for game in games] != first:
        raise Violation("started afresh it played otherwise with the same positions and the same seeds")
    return ""


def _large_numbers(agent: LineAgent) -> str:
    for agent.seed in (0, 2**53 + 1, LARGEST_AGENT_SEED):
        _opening(agent)
    return ""


def _more_games(agent: LineAgent) -> str:
    _game(agent, "leduc_poker", most=1)
    stream = agent.stream
    for game in ("goofspiel", "tic_tac_toe", "tic_tac_toe"):
        _game(agent, game)
        if agent.stream is not stream:
            raise Violation("it ended after a game instead of waiting for the next one")
    return "4 games, one of them left unfinished"


def _garbage(agent: LineAgent) -> str:
    agent.new_game()
    assert agent.stream is not None
    agent.stream.send(b"this is no message\n")
    try:
        _opening(agent)
    except GivesUp:
        return "it gives up"
    except AgentFailure as failure:
        if failure.kind != "died":
            raise
        return "it ends"
    return "it continues"


def _quit(agent: LineAgent) -> str:
    _opening(agent)
    return _went(agent, protocol.encode("quit"), "after 'quit'")


def _end_of_input(agent: LineAgent) -> str:
    _opening(agent)
    return _went(agent, b"", "when its input ended")


def _end_within_a_line(agent: LineAgent) -> str:
    _opening(agent)
    return _went(agent, b'{"type":"choose","id":2,"legal_moves":["a1"', "when its input ended within a line")


def _went(agent: LineAgent, farewell: bytes, when: str) -> str:
    """Check that the program ends by itself; raises Violation."""
    stream = agent.release()
    assert stream is not None
    if not stream.quit(farewell, LEAVING):
        raise Violation(f"it did not end within {LEAVING:g} s {when}")
    if stream.unfinished:
        raise Violation("the last that it sent was half a line")
    return ""


CHECKS = (
    ProgramCheck("hello", "answers hello by ready, and speaks a version that Sfida speaks", _hello),
    *(ProgramCheck(game, "plays a game in all seats", _whole(game)) for game in SMALL),
    *(ProgramCheck(game, f"plays up to {LONGEST} decisions of one seat", _whole(game)) for game in BOARDS),
    ProgramCheck("observations", "takes note of what its seats see, and answers nothing", _observations),
    ProgramCheck("seeds", "answers the same position with the same seed in the same way", _seeds),
    ProgramCheck("large numbers", "takes every whole number up to 2**64 - 1 as a seed", _large_numbers),
    ProgramCheck("no limit", "answers when the limit is null", _sent(_without_limit, "kuhn_poker")),
    ProgramCheck("unknown", "ignores fields and types that it does not know", _sent(_with_unknown, "leduc_poker")),
    ProgramCheck("half lines", "waits for the rest of a line", _sent(_in_halves, "kuhn_poker")),
    ProgramCheck("long lines", "reads lines of a million characters", _sent(_padded, "kuhn_poker")),
    ProgramCheck("more games", "plays several games, and forgets the one before", _more_games),
    ProgramCheck("garbage", "answers, gives up or ends after a line that is no message", _garbage),
    ProgramCheck("quit", "ends by itself after quit", _quit),
    ProgramCheck("end of input", "ends by itself when Sfida has gone", _end_of_input),
    ProgramCheck("broken line", "ends by itself when Sfida has gone in the middle of a line", _end_within_a_line),
)
