"""Doors for programs in Python: calls with wrong arguments, positions from bytes, and games between all agents."""

from __future__ import annotations

import contextlib
import functools
import pickle
import random
import warnings
from collections.abc import Callable, Iterator
from dataclasses import Field, fields
from typing import Any

import pytest

import sfida
from sfida.ai.arena.tournament import Tournament
from sfida.ai.registry import agent_class
from sfida.ai.seat import LEAST, Clock, Seat
from sfida.cython_ext.errors import InvalidOption, SfidaError
from sfida.cython_ext.rng import Random
from sfida.engines.registry import game_class, game_names, make_game
from support.fuzzing import garbage, samples
from support.fuzzing.case import Case, Door, check_message
from support.fuzzing.command_doors import TARGETS
from support.fuzzing.file_doors import record_bytes
from support.short_games import short

REFUSALS = (SfidaError, TypeError, ValueError, OverflowError)       # exceptions that a caller's error may raise


def argument(rng: random.Random) -> Any:
    """Return an unsuitable argument."""
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
    """Return a call of the public interface: its description, and the call itself."""
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
    """Replace valid numbers of jobs, which would start processes, by 0."""
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
    """Check that bytes of a wrong length are refused; other bytes, and bytes of games in plain Python, are trusted."""
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


# Options that would make a case long get small values; a limit of 65,536 MB needs a machine with as much memory.
COSTLY: dict[str, tuple[object, ...]] = {
    "iterations": (1, 2, 7), "seconds": (0.001,), "clock": ("0.001", "0.5+0.001"), "endgame": (0, 1, 200),
    "endgame_pace": (0, 40), "memory": (1, 64), "beliefs": (1, 16), "worlds": (1, 30), "knowledge": ("hand", "learned")}
LEVELS = ("1", "4.5", "iterations=3,sight=1", "iterations=3,misjudge=20", "iterations=2,depth=10000",
          "iterations=1,sight=2,misjudge=1,depth=0")


def option_values(option: Field[Any]) -> tuple[object, ...]:
    """Return the values of an option that are tried: the extremes, typical values, or all words."""
    if option.name in COSTLY:
        return COSTLY[option.name]
    if "values" in option.metadata:
        return tuple(option.metadata["values"])
    if "low" not in option.metadata:
        return ()
    low, high = option.metadata["low"], option.metadata["high"]
    return tuple(dict.fromkeys((low, option.metadata.get("generic", option.default), (low + high) // 2, high)))


@functools.cache
def agent_specs() -> tuple[str, ...]:
    """Return a spec for each value of each option of every playing agent, in a mixed order."""
    def listed() -> Iterator[str]:
        yield from ("random", *(f"level:{level}" for level in LEVELS))
        for name in ("greedy", "flat", "pimc", "ismcts", "mo-ismcts"):
            for option in fields(agent_class(name).options_class):
                for value in option_values(option):
                    given = {} if name == "greedy" else {"iterations": 3}
                    given[option.name] = str(value).lower() if isinstance(value, bool) else value
                    if option.name.startswith("belief"):
                        given.setdefault("beliefs", 8)
                    yield f"{name}:{','.join(f'{key}={each}' for key, each in given.items())}"
        yield from (strategy for game in map(game_class, game_names()) for strategy in game.strategies)

    found = list(listed())
    random.Random(1).shuffle(found)
    return tuple(found)


@functools.cache
def played_games() -> tuple[str, ...]:
    """Return every game with every number of players; long games are cut short."""
    found = []
    for name in game_names():
        players = next(option for option in fields(game_class(name).options_class) if option.name == "players")
        for count in range(players.metadata["low"], players.metadata["high"] + 1):
            given = short(name).partition(":")[2].split(",")
            words = [word for word in given if word and not word.startswith("players")]
            found.append(f"{name}:{','.join((f'players={count}', *words))}")
    return tuple(found)


def agents(case: Case) -> None:
    """Check that every agent with every option plays every game to its end, or reports in one line why it cannot."""
    specs, games = agent_specs(), played_games()
    game = games[case.number % len(games)]
    seated = []
    for seat in range(make_game(game).players):
        spec = specs[(5 * case.number + seat) % len(specs)]
        if "beliefs" in spec and case.rng.random() < 0.5:
            spec += ",threads=2"
        try:
            Seat(sfida.agent(spec)).check(make_game(game))
        except InvalidOption as error:
            check_message(error)
            spec = "random"
        seated.append(spec)
    case.note(f"{game} {seated}")
    record = sfida.play(game, seated, seed=case.number)
    if record.result is None:
        raise AssertionError("the game has no result")


def budgets(case: Case) -> None:
    """Check that no limit is shorter than an agent's longest decision, and that no decision exceeds its clock."""
    rng = case.rng
    name = rng.choice(("ismcts", "mo-ismcts", "pimc", "flat"))
    seconds = round(10 ** rng.uniform(-3, 4.9), 3) if rng.random() < 0.6 else None
    extend = round(rng.uniform(0, 10), 2) if name.endswith("mcts") and rng.random() < 0.5 else None
    clock = None
    if name != "flat" and rng.random() < 0.6:
        clock = (round(10 ** rng.uniform(-2, 7), 2) or 1.0, rng.choice((0, round(10 ** rng.uniform(-2, 4), 2))))
    given = {"seconds": seconds, "extend": extend, "iterations": rng.choice((None, rng.randint(1, 10**9))),
             "clock": None if clock is None else f"{clock[0]:.2f}+{clock[1]:.2f}"}
    spec = f"{name}:" + ",".join(f"{key}={value}" for key, value in given.items() if value is not None)
    served = rng.random() < 0.2
    case.note(seated := f"exec:sfida engine --agent {spec.rstrip(':')}" if served else spec.rstrip(":"))
    most = [] if seconds is None else [seconds * (1 + (0.5 if extend is None else extend) * name.endswith("mcts"))]
    most += [] if clock is None else [sum(clock)]
    longest = Seat(sfida.agent(seated)).longest
    if longest != (pytest.approx(min(most)) if most else None):
        raise AssertionError(f"a decision may take {min(most, default=None)} s, not {longest}")
    planned = Tournament("tic_tac_toe", [seated, "random"], 2)
    if planned.limit <= (longest or 0.0) or bool(planned.cautions(10**6)) != bool(most):
        raise AssertionError(f"the limit is {planned.limit} s, the cautions {planned.cautions(10**6)}")
    limit = 10 ** rng.uniform(-3, 8)
    try:
        accepted = Tournament("tic_tac_toe", ["random", seated], 2, limit=limit).limit == limit
    except InvalidOption as error:
        check_message(error)
        accepted = False
    if accepted != (longest is None or limit > longest):
        raise AssertionError(f"a limit of {limit} s was {'accepted' if accepted else 'refused'}")
    if clock is not None:
        kept = Clock(*clock)
        for _ in range(100):
            share = kept.allot(rng.uniform(0, 60), 10 ** rng.uniform(-2, 1))
            spent = share * rng.choice((0.0, 1.0, rng.random()))
            if max(share, spent + kept.spare(spent)) > max(LEAST, sum(clock)) + 1e-9:
                raise AssertionError(f"a decision gets {share} s and then {kept.spare(spent)}")
            kept.spend(spent)


DOORS = (
    Door("budgets", "agents that think by the clock, and the limits of tournaments", budgets, share=1.0, short=150),
    Door("python", "calls of the public face with wrong arguments", python, share=0.5, short=150),
    Door("agents", "whole games between agents with every value of every option", agents, share=0.02, short=60),
    Door("states", "bytes that are no position", states, share=0.5, short=150),
)
