"""Doors for programs in Python: calls with wrong arguments, and positions from bytes."""

from __future__ import annotations

import contextlib
import pickle
import random
import warnings
from collections.abc import Callable
from typing import Any

import sfida
from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.rng import Random
from support.fuzzing import garbage, samples
from support.fuzzing.case import Case, Door, check_message
from support.fuzzing.command_doors import TARGETS
from support.fuzzing.file_doors import record_bytes

REFUSALS = (SfidaError, TypeError, ValueError, OverflowError)       # what a caller's mistake may raise


def argument(rng: random.Random) -> Any:
    """Return what nobody should hand over."""
    match rng.randrange(6):
        case 0 | 1:
            return garbage.value(rng)
        case 2:
            return garbage.word(rng)
        case 3:
            return rng.choice((b"bytes", object(), int, print, ..., range(3), {1, 2}, iter(()), 1j, memoryview(b"x")))
        case 4:
            return [argument(rng) for _ in range(rng.randrange(4))]
    return sfida.make("tic_tac_toe")


def call(rng: random.Random) -> tuple[str, Callable[[], Any]]:
    """Return a call of the public face: what it is, and the call itself."""
    bad = argument(rng)
    two = ["random", "random"]
    state = sfida.make("kuhn_poker")
    record = sfida.play("kuhn_poker", two, seed=rng.randrange(99))
    target = rng.choice(TARGETS[:8])
    calls: tuple[tuple[str, Callable[[], Any]], ...] = (
        ("make", lambda: sfida.make(bad)), ("make, players", lambda: sfida.make("carcassonne", players=bad)),
        ("make, river", lambda: sfida.make("carcassonne", river=bad)), ("agent", lambda: sfida.agent(bad)),
        ("agent, seed", lambda: sfida.agent("random", seed=bad)), ("agent, c", lambda: sfida.agent("ismcts", c=bad)),
        ("agent, iterations", lambda: sfida.agent("ismcts", iterations=bad)), ("play", lambda: sfida.play(bad, two,
                                                                                                          seed=1)),
        ("play, agents", lambda: sfida.play("tic_tac_toe", bad, seed=1)),
        ("play, agent", lambda: sfida.play("tic_tac_toe", ["random", bad], seed=1)),
        ("play, seed", lambda: sfida.play("tic_tac_toe", two, seed=bad)),
        ("tournament", lambda: sfida.tournament(bad, two, 1, 1, backend="threading")),
        ("tournament, agents", lambda: sfida.tournament("tic_tac_toe", bad, 1, 1, backend="threading")),
        ("tournament, seed", lambda: sfida.tournament("tic_tac_toe", two, 2, bad, backend="threading")),
        ("tournament, jobs", lambda: sfida.tournament("tic_tac_toe", two, 2, 1, _nonzero(bad), backend="threading")),
        ("tournament, sprt", lambda: sfida.tournament("tic_tac_toe", two, 2, 1, sprt=bad, backend="threading")),
        ("tournament, limit", lambda: sfida.tournament("tic_tac_toe", two, 2, 1, limit=bad, backend="threading")),
        ("apply", lambda: state.apply(bad)), ("view", lambda: state.view(bad)),
        ("determinize", lambda: state.determinize(bad, Random(1))), ("sample", lambda: state.view(0).sample(bad)),
        ("replay", lambda: record.replay(bad)),
        ("write_records, path", lambda: sfida.write_records(target, [record])),
        ("append_record, path", lambda: sfida.append_record(target, record)),
        ("read_record", lambda: sfida.read_record(bad)), ("read_record, number",
                                                          lambda: sfida.read_record("game.jsonl", bad)),
        ("read_records", lambda: list(sfida.read_records(bad))),
    )
    what, made = rng.choice(calls)
    return f"{what}: {bad!r:.300} {target!r:.80}", made


def _nonzero(value: Any) -> Any:
    """Leave out numbers of jobs that would be right, and start that many processes."""
    return 0 if isinstance(value, int) and value > 1 else value


def python(case: Case) -> None:
    what, made = call(case.rng)
    case.note(what)
    if "read_record" in what:
        case.file(*record_bytes(case.rng))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with contextlib.suppress(*REFUSALS):
            made()


def states(case: Case) -> None:
    """Bytes of another length are no position; others are trusted, and so are those of games in plain Python."""
    rng = case.rng
    specs = [spec for spec in samples.specs() if spec not in samples.EXAMPLES]
    state, other = (samples.position(rng, rng.choice(specs)) for _ in range(2))
    packed = pickle.dumps(state)
    if pickle.loads(packed).to_bytes() != state.to_bytes():
        raise AssertionError("a position that was pickled is another one")
    data = rng.choice((other.to_bytes(), state.to_bytes()[:rng.randrange(state.state_bytes)],
                       state.to_bytes() + rng.randbytes(rng.randrange(1, 9)), b"", rng.randbytes(rng.randrange(3000))))
    case.note(f"{state.game.spec()}: {data[:200]!r}")
    before = state.to_bytes()
    if len(data) == state.state_bytes:
        return
    try:
        state.load(data)
    except SfidaError as error:
        check_message(error)
    if state.to_bytes() != before:
        raise AssertionError("bytes that were refused have changed the position")


DOORS = (
    Door("python", "calls of the public face with wrong arguments", python, share=0.5, short=150),
    Door("states", "bytes that are no position", states, share=0.5, short=150),
)
