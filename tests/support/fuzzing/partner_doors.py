"""Doors for programs at the other end of the line protocol, as client and as server."""

from __future__ import annotations

import functools
import io
import json
import random
from typing import Any

from sfida.ai.external import protocol
from sfida.ai.external.agents import ExecAgent, ExecOptions
from sfida.ai.external.server import EngineServer, serve
from sfida.cython_ext.errors import SfidaError
from sfida.engines.registry import make_game
from support.fuzzing import garbage, samples
from support.fuzzing.case import Broken, Case, Door, check_message, check_words
from support.fuzzing.program import QUICK, run
from support.fuzzing.text_doors import game_spec

GAMES = ("tic_tac_toe", "kuhn_poker", "carcassonne", "risiko", "attila", "zarahemla", "acres")


@functools.cache
def _dialogue(spec: str) -> tuple[dict[str, Any], ...]:
    """Return the messages by which a partner requests one decision."""
    game = make_game(spec)
    state = samples.position(random.Random(spec), spec)
    while state.is_chance or state.is_over:
        state = samples.position(random.Random(state.to_bytes()[:64].hex()), spec) if state.is_over else state
        if state.is_chance:
            state.apply(state.legal_moves()[0])
    view = state.view(state.to_move)
    moves = [view.format(move) for move in view.legal_moves()]
    lines = (protocol.hello(), protocol.new_game(game), protocol.choose(1, view, moves, 5, 60.0),
             protocol.encode("quit"))
    return tuple(json.loads(line) for line in lines)


def _spoken(rng: random.Random) -> bytes:
    """Return the lines of a partner; the position itself is never spoilt, because it is trusted."""
    talk = [dict(line) for line in _dialogue(rng.choice(GAMES))]
    lines = []
    for message in talk[:-1] if rng.random() < 0.5 else talk:
        roll = rng.random()
        position = message.pop("state", None)
        if roll < 0.15:
            message["game"] = game_spec(rng)
        if roll < 0.6:
            message = garbage.spoil(rng, message)
        if position is not None and isinstance(message, dict):
            message.setdefault("state", position)
        line = garbage.line(rng, message)
        lines.append(garbage.text(rng, line) if 0.6 < roll < 0.7 and position is None else line)
    if rng.random() < 0.3:
        rng.shuffle(lines)
    if rng.random() < 0.2:
        lines.insert(rng.randrange(len(lines)), garbage.word(rng))
    data = "\n".join(lines).encode("utf-8", "surrogatepass") + b"\n"
    return data if rng.random() < 0.9 else rng.choice((b"\xff\xfe", b"\0", b"\xed\xa0\x80", b"")) + data


def engine(case: Case) -> None:
    lines = _spoken(case.rng)
    case.note(repr(lines[:3000]))
    if case.rng.random() < 0.1:
        answers = run(case, "engine", "--agent", case.rng.choice(("random", QUICK)), typed=lines).out.encode()
    else:
        sink = io.BytesIO()
        serve(case.rng.choice(("random", "random", "greedy")), io.BytesIO(lines), sink)
        answers = sink.getvalue()
    for answer in answers.splitlines():
        said = json.loads(answer)
        if said["type"] not in ("ready", "move", "error"):
            raise Broken(f"an answer of type {said['type']}")
        if said["type"] == "error":
            check_words(said["message"], "an error line")
            if not 0 < len(said["message"]) <= 400:
                raise Broken(f"an error line of {len(said['message'])} characters")


def requests(case: Case) -> None:
    """Send single lines to an engine in the middle of a game."""
    server = EngineServer("random")
    spec = case.rng.choice(GAMES[:3])
    for message in _dialogue(spec)[:2]:
        server.answer(json.dumps(message).encode())
    for _ in range(3):
        line = case.rng.choice(_spoken(case.rng).splitlines() or [b""])
        case.note(repr(line[:2000]))
        answer = server.answer(line)
        if answer is not None:
            json.loads(answer)
    good = server.answer(json.dumps(_dialogue(spec)[1]).encode())
    move = server.answer(json.dumps(_dialogue(spec)[2]).encode())
    if good is not None or move is None or json.loads(move)["type"] != "move":
        raise Broken(f"after bad lines a good one is not answered: {good!r} {move!r}")


def bots(case: Case) -> None:
    """Check that an agent reports a program's nonsense in one line, and leaves no program behind."""
    rng = case.rng
    spec = rng.choice(GAMES[:2])
    state = samples.position(rng, spec)
    while state.is_chance or state.is_over:
        state = samples.position(rng, spec)
    legal = [state.format(move) for move in state.legal_moves()]
    answers: list[Any] = [{"type": "ready", "protocol": 1}, {"type": "move", "id": 1, "move": rng.choice(legal)}]
    for index in range(2):
        if rng.random() < 0.5:
            answers[index] = garbage.spoil(rng, answers[index])
    lines = [garbage.line(rng, answer) for answer in answers]
    if rng.random() < 0.3:
        lines.insert(rng.randrange(3), garbage.word(rng))
    if rng.random() < 0.1:
        lines.insert(rng.randrange(3), "x" * (protocol.MAX_ANSWER + 10))
    said = "\n".join(lines).encode("utf-8", "surrogatepass") + b"\n"
    if rng.random() < 0.2:
        said = garbage.data(rng, said)
    case.file("answers", said)
    command = rng.choice(("cat answers", "sh -c 'cat answers; sleep 5'", "sh -c 'cat answers >&2'",
                          "cat answers missing",
                          "sh -c 'cat answers; kill -9 $$'", "sh -c 'cat answers; exec >&-; sleep 5'"))
    if rng.random() < 0.15:
        run(case, "play", spec, "--seat", f"exec:{command.replace('sleep 5', 'exit 3')}", "--seat", "random")
        return
    agent = ExecAgent(ExecOptions(command))
    agent.limit, agent.start_limit = 0.15, 0.3
    case.note(command)
    try:
        agent.new_game()
        move = agent.choose(state.view(state.to_move))
        if move not in state.legal_moves():
            raise Broken(f"the agent returns {move}, which is not legal")
    except SfidaError as error:
        check_message(error)
    finally:
        agent.close()


DOORS = (
    Door("engine", "whole talks with 'sfida engine'", engine, short=150),
    Door("requests", "single requests to an engine in a game", requests, short=150),
    Door("bots", "programs that answer nonsense", bots, share=0.1, short=12),
)
