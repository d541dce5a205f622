"""Speed of games, batches, learning environments, the browser's server and the arena."""

from __future__ import annotations

import importlib
import json
import math
import random
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np

import sfida
from bench import FIVE, BenchFailure, command, print_head, print_row
from sfida.ai.arena.schedule import Schedule, Setup
from sfida.ai.arena.tournament import TournamentResult, tournament
from sfida.ai.chance import SeededChance
from sfida.ai.registry import agent as make_agent
from sfida.ai.research.profiling import sample_decisions
from sfida.ai.table import play
from sfida.cython_ext.measure import count_moves, count_playout_moves, time_calls, time_playouts
from sfida.cython_ext.observing import play_luck
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.search.search import Search
from sfida.cython_ext.state import GameState
from sfida.engines.registry import make_game

# ---- games against a program in C++ ---------------------------------------------------------------------


FLAGS = ["-O3", "-march=native", "-std=c++17"]
DECISIONS = 64                          # positions on which single calls and searches are measured


def build(source: Path, folder: Path, compiler: str) -> Path:
    """Compile the reference; raises BenchFailure on failure."""
    program = folder / "reference"
    if not source.is_file():
        raise BenchFailure(f"there is no file '{source}'; give the path of the C++ reference")
    try:
        done = subprocess.run([compiler, *FLAGS, str(source), "-o", str(program)], capture_output=True, text=True,
                              check=False)
    except FileNotFoundError:
        raise BenchFailure(f"no compiler '{compiler}'; --compiler names another") from None
    if done.returncode:
        raise BenchFailure(f"{compiler} cannot compile '{source}':\n{done.stderr.strip()}")
    return program


def run_reference(program: Path, games: int, players: int) -> dict[str, float]:
    """Run the reference once; return games per second (median of repeats), decisions per game, bytes, time of a clone.

    The time of a clone is NaN if the reference does not measure it.
    """
    done = subprocess.run([str(program), str(games)], capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    lines = [line for line in lines if line.get("players", players) == players]
    playouts = next((line for line in lines if line["what"].endswith("random playout")
                     and line.get("mode", "legal list") == "legal list"), None)
    if playouts is None:
        raise BenchFailure(f"the reference has no random playouts with {players} players; --game names another game")
    clone = next((line.get("clone_ns", line.get("ns")) for line in lines
                  if "clone_ns" in line or line["what"].endswith("clone")), None)
    what = "decision" if "ns_decision" in playouts else "move"
    return {"games_per_s": playouts["games_s"][1], "decisions": playouts[f"{what}s_per_game"],
            "ns_per_decision": playouts[f"ns_{what}"], "state_bytes": playouts["state_bytes"],
            "clone_ns": clone[1] if clone else math.nan}


def run_playouts(start: GameState, rng: Random, seconds: float) -> float:
    """Return games per second of our random playouts."""
    games, spent = time_playouts(start, rng, seconds)
    return games / spent


def run_search(states: list[GameState], rng: Random, seconds: float) -> tuple[float, float, float]:
    """Return iterations per second of the search with full playouts, bare playouts per second, and bytes per node."""
    each = seconds / len(states)
    iterations, games = 0, 0
    search_s, playout_s = 0.0, 0.0
    sizes = []
    search: Search | None = None
    for number, state in enumerate(states):
        view = state.view(state.to_move)
        if search is None:
            search = Search(view, number, decisive=False)
        else:
            search.restart(view, number)
        started = time.thread_time()
        search.run(seconds=each)
        search_s += time.thread_time() - started
        iterations += search.visits
        sizes.append(search.statistics()["bytes_per_node"])
        count, spent = time_playouts(state, rng, each)
        # Late positions are faster: weight each position equally on both sides.
        games += search.visits
        playout_s += spent / count * search.visits
    return iterations / search_s, games / playout_s, statistics.mean(sizes)


def measure(program: Path, spec: str, rounds: int, seconds: float, games: int) -> dict[str, Any]:
    """Measure the reference and Sfida in turn; return all figures."""
    game = make_game(spec)
    start = game.initial_state()
    rng = Random(derive(1, 1))
    states = sample_decisions(game, DECISIONS, 1)
    run_playouts(start, rng, 0.2)       # warm up
    time_calls(states, rng, 20)
    rows = []
    for number in range(rounds):
        reference = run_reference(program, games, game.players)
        ours = run_playouts(start, rng, seconds)
        calls = time_calls(states, rng, max(20, int(2000 * seconds)))
        iterations, playouts, node = run_search(states, rng, seconds)
        rows.append({"reference": reference, "games_per_s": ours, "ratio": ours / reference["games_per_s"],
                     "clone_ns": calls["copy"], "memcpy_ns": calls["memcpy"],
                     "clone_ratio": calls["copy"] / calls["memcpy"], "iterations_per_s": iterations,
                     "playouts_per_s": playouts, "search_ratio": iterations / playouts, "bytes_per_node": node})
        print(f"round {number + 1} of {rounds}: reference {reference['games_per_s']:,.0f}, ours {ours:,.0f} games/s "
              f"({ours / reference['games_per_s']:.3f})", file=sys.stderr, flush=True)

    def median(key: str) -> float:
        return statistics.median(float(row[key]) for row in rows)

    def reference_median(key: str) -> float:
        return statistics.median(row["reference"][key] for row in rows)

    sample = 500
    decisions, chances, _ = (count / sample for count in count_moves(start, rng, sample))
    return {
        "schema": 1, "type": "against_reference", "game": game.spec(), "rounds": rounds,
        "reference": {key: reference_median(key) for key in rows[0]["reference"]},
        "games_per_s": median("games_per_s"), "decisions": decisions, "chance_events": chances,
        "ns_per_decision": 1e9 / (median("games_per_s") * decisions),
        "ratio": median("ratio"), "ratio_range": [min(r["ratio"] for r in rows), max(r["ratio"] for r in rows)],
        "state_bytes": start.state_bytes, "clone_ns": median("clone_ns"), "memcpy_ns": median("memcpy_ns"),
        "clone_ratio": median("clone_ratio"), "iterations_per_s": median("iterations_per_s"),
        "playouts_per_s": median("playouts_per_s"), "search_ratio": median("search_ratio"),
        "bytes_per_node": median("bytes_per_node"),
    }


def table(found: dict[str, Any]) -> str:
    """Format the figures as a table."""
    reference = found["reference"]
    low, high = found["ratio_range"]
    rows = [
        ("", "reference", "sfida", "sfida / reference"),
        ("random games a second", f"{reference['games_per_s']:,.0f}", f"{found['games_per_s']:,.0f}",
         f"{found['ratio']:.3f} ({low:.3f} to {high:.3f})"),
        ("decisions a game", f"{reference['decisions']:.1f}", f"{found['decisions']:.1f}",
         f"(and {found['chance_events']:.1f} chance events)"),
        ("a decision", f"{reference['ns_per_decision']:.1f} ns", f"{found['ns_per_decision']:.1f} ns", ""),
        ("a state", f"{reference['state_bytes']:,.0f} bytes", f"{found['state_bytes']:,d} bytes", ""),
        ("a copy of a state", f"{reference['clone_ns']:.1f} ns", f"{found['clone_ns']:.1f} ns", ""),
        ("", "", "", ""),
        ("", "bare", "sfida", "ratio"),
        ("copy against memcpy", f"{found['memcpy_ns']:.1f} ns", f"{found['clone_ns']:.1f} ns",
         f"{found['clone_ratio']:.2f}"),
        ("iterations against playouts, a second", f"{found['playouts_per_s']:,.0f}",
         f"{found['iterations_per_s']:,.0f}", f"{found['search_ratio']:.3f}"),
        ("tree, a node and edge pair", "", f"{found['bytes_per_node']:.1f} bytes", ""),
    ]
    return "\n".join(f"{a:38} {b:>14} {c:>14}   {d}".rstrip() for a, b, c, d in rows)


@command
def against_reference(source: Path, *, game: Annotated[str, "the reference needs a line for its players"
                                                       ] = "carcassonne", rounds: int = 5,
                      seconds: Annotated[float, "of each of our measurements"] = 1.0,
                      games: Annotated[int, "of the reference in each of its repeats"] = 5000,
                      compiler: str = "g++", json_: Annotated[bool, "--json", "print one JSON object"] = False) -> None:
    """Compare the games a second with those of a C++ reference of the same workload. Takes half a minute.

    against-reference PATH/carcassonne.cpp --rounds 5 --seconds 1 --json
    against-reference PATH/catan.cpp --game zarahemla:preset=catan,trade_mode=none,players=4

    The reference plays uniformly random games with legal lists at every decision. It is compiled with
    `g++ -O3 -march=native -std=c++17` and prints JSON lines; the line that is used is that of random playouts by legal
    lists with the same number of players as the game. Rounds of the two alternate, so that a change of the machine's
    speed affects both; figures are medians over the rounds, ratios are medians of the rounds' ratios. Everything runs
    on one thread and counts its processor time.
    """
    with tempfile.TemporaryDirectory() as folder:
        program = build(source, Path(folder), compiler)
        found = measure(program, game, rounds, seconds, games)
    print(json.dumps(found) if json_ else table(found))


SAMPLE = 2000                           # games for the mean number of decisions per game


def reference_ns(program: Path, games: int, wanted: dict[str, str]) -> float:
    """Return nanoseconds per decision of the reference, from its line with the wanted values and without copies."""
    done = subprocess.run([str(program), str(games)], capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    found = [line for line in lines if str(line.get("what", "")).endswith("random playout")
             and all(str(line.get(key)) == value for key, value in wanted.items())]
    if len(found) != 1:
        raise BenchFailure(f"{len(found)} lines of the reference are random playouts with "
                           f"{', '.join(f'{key}={value}' for key, value in wanted.items())}; --line must name one")
    return float(found[0]["ns_decision"] if "ns_decision" in found[0] else found[0]["ns_move"])


@command
def against_decisions(source: Path, *, game: str,
                      line: Annotated[Sequence[str], "values of the line, as KEY=VALUE"] = (), rounds: int = 5,
                      seconds: Annotated[float, "of our playouts per round"] = 1.0,
                      games: Annotated[int, "of the reference per repeat"] = 100, compiler: str = "g++") -> None:
    """Compare the ns per decision with those of a C++ reference of a similar game. Takes half a minute.

    against-decisions PATH/risk.cpp --game risiko:players=4 --line turn_cap=200
    against-decisions PATH/deckbuilder.cpp --game a_few_acres_of_snow

    The reference plays uniformly random games with legal lists and prints JSON lines. The line that is used is that of
    plain random playouts with the same number of players as the game and with the values that `--line` names. The games
    differ, so the time per decision is compared, chance events included; `against-reference` compares games with the
    same rules. Rounds of the two alternate; figures are medians over the rounds, ratios are medians of the rounds'
    ratios. Everything runs on one thread and counts its processor time.
    """
    start, rng = sfida.make(game), Random(derive(1, 4))
    wanted = {"players": str(start.players), **dict(item.split("=", 1) for item in line if "=" in item)}
    moves = count_playout_moves(start, Random(derive(2, 4)), SAMPLE)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        program = build(source, Path(folder), compiler)
        time_playouts(start, rng, 0.2)  # warm up
        for _ in range(rounds):
            theirs = reference_ns(program, games, wanted)
            played, spent = time_playouts(start, rng, seconds)
            rows.append((theirs, 1e9 * spent / played / moves))
    ratios = [ours / theirs for theirs, ours in rows]
    print(f"reference {statistics.median(theirs for theirs, _ in rows):.1f} ns a decision")
    print(f"ours      {statistics.median(ours for _, ours in rows):.1f} ns a decision, {moves:.0f} decisions a game, "
          f"{start.state_bytes} bytes")
    print(f"ratio     {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


# ---- batches --------------------------------------------------------------------------------------------


SECONDS, REPEATS = 1.0, 3
FIRST = 4               # games of the first batch, which estimates the games per second


def rate(play: Callable[[int], object]) -> float:
    """Return the games per second of a function that plays a given number of games."""
    games, best = FIRST, 0.0
    for _ in range(REPEATS + 1):
        started = time.perf_counter()
        play(games)
        found = games / (time.perf_counter() - started)
        best = max(best, found)
        games = max(FIRST, int(found * SECONDS))
    return best


@command
def batch(*, games: Sequence[str] = FIVE, agents: Sequence[str] = ("random", "greedy", "ismcts:iterations=100"),
          threads: Sequence[int] = (1, 2)) -> None:
    """Measure the games a second of `sfida.batch`, and of games played one by one in Python. Takes five minutes.

    batch                               the five games
    batch --games tic_tac_toe --threads 1 2 4

    Figures are by agents and threads, each the best of three batches that take about a second each; "one by one" is
    `sfida.play`.
    """
    print_head("game", "agents", "one by one", *(f"{many} thread{'s' if many > 1 else ''}" for many in threads),
               "with features and observations")
    for spec in games:
        game = make_game(spec)
        for agent in agents:
            seated = [agent] * game.players

            def alone(games: int, spec: str = spec, agents: list[str] = seated) -> None:
                for seed in range(games):
                    sfida.play(spec, agents, seed=seed)

            def many(games: int, threads: int = 1, all_kept: bool = False, spec: str = spec,
                     agents: list[str] = seated) -> None:
                sfida.batch(spec, agents, games, seed=1, threads=threads, features=all_kept, observations=all_kept)

            speeds = [rate(alone), *(rate(lambda games, n=n: many(games, n)) for n in threads),
                      rate(lambda games: many(games, threads[-1], True))]
            print_row(f"{game.title}, {game.players}", f"`{agent}`", *(f"{speed:,.0f}" for speed in speeds))


# ---- learning environments ------------------------------------------------------------------------------


BOARD_GAMES = ("carcassonne", "attila", "settlers_of_zarahemla", "risiko", "a_few_acres_of_snow")
TINY = ("tic_tac_toe", "leduc_poker")
CLASSIC = ("tictactoe_v3", "connect_four_v3", "leduc_holdem_v4", "texas_holdem_v4", "chess_v6")
SPIEL = ("tic_tac_toe", "connect_four", "leduc_poker", "gin_rummy", "backgammon", "chess")


def per_second(steps: Iterator[None], seconds: float) -> float:
    """Return the number of steps per second of CPU time, after some steps of warm-up."""
    for _ in range(20):
        next(steps)
    begun, count = time.process_time(), 0
    while (passed := time.process_time() - begun) < seconds:
        for _ in range(10):
            next(steps)
        count += 10
    return count / passed


def engine_steps(game: str) -> Iterator[None]:
    """Play random games with the core from Python."""
    luck, start = Random(1), sfida.make(game)
    while True:
        state = start.clone()
        play_luck(state, luck)
        while not state.is_over:
            state.apply(random.choice(state.legal_moves()))
            play_luck(state, luck)
            yield


def playout_speed(game: str, seconds: float) -> float:
    """Return the decisions per second of playouts in C."""
    start, rng = sfida.make(game), Random(2)
    games, spent = time_playouts(start, rng, seconds)
    return games * count_playout_moves(start, rng, 50) / spent


def drawn(mask: Any) -> int:
    """Return a random legal action of a mask."""
    return int(random.choice(np.flatnonzero(mask.astype(np.bool_))))      # far faster than on the bytes


def aec(env: Any) -> Iterator[None]:
    """Play random games in a PettingZoo environment."""
    seed = 0
    while True:
        seed += 1
        env.reset(seed=seed)
        for _ in env.agent_iter():
            seen, _, ended, cut, info = env.last()
            if ended or cut:
                env.step(None)
                continue
            env.step(drawn(seen["action_mask"] if "action_mask" in seen else info["action_mask"]))
            yield


def one_seat(env: Any) -> Iterator[None]:
    """Play random games in a Gymnasium environment; only the learner's decisions count."""
    seed = 0
    while True:
        seed += 1
        seen, _ = env.reset(seed=seed)
        ended = False
        while not ended:
            seen, _, ended, _, _ = env.step(drawn(seen["action_mask"]))
            yield


def spiel(name: str) -> Iterator[None]:
    """Play random games in OpenSpiel: read tensor or string and legal actions of the mover; draw outcomes, actions."""
    pyspiel = importlib.import_module("pyspiel")
    game = pyspiel.load_game(name)
    tensor = game.get_type().provides_observation_tensor
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, weights)[0])
                continue
            if tensor:
                state.observation_tensor(state.current_player())
            else:
                state.observation_string(state.current_player())
            state.apply_action(random.choice(state.legal_actions()))
            yield


def table_of_sfida(games: list[str], seconds: float) -> None:
    """Print the steps per second of Sfida's games in every environment."""
    from sfida.envs import aec_env, one_seat_env

    ways: dict[str, Callable[[str], Iterator[None]]] = {
        "engine": engine_steps,
        "AEC, fixed": lambda game: aec(aec_env(game)),
        "AEC, candidates": lambda game: aec(aec_env(game, actions="candidates", width=64)),
        "AEC, dict": lambda game: aec(aec_env(game, actions="candidates", width=64, observe="dict")),
        "one seat, random": lambda game: one_seat(one_seat_env(game, "random")),
        "OpenSpiel": lambda game: spiel(f"sfida_{game}"),
    }
    print_head("game", "playout", *ways)
    for game in games:
        print_row(game, *(f"{speed:,.0f}" for speed in
                          (playout_speed(game, seconds), *(per_second(way(game), seconds) for way in ways.values()))))


def table_of_others(seconds: float) -> None:
    """Print the steps per second of PettingZoo's classic games and OpenSpiel's games."""
    print_head("game", "steps a second")
    for name in CLASSIC:
        try:
            module = importlib.import_module(f"pettingzoo.classic.{name}")
        except ImportError as error:
            print_row(f"PettingZoo {name}", f"not here: {error.name}")
            continue
        print_row(f"PettingZoo {name}", f"{per_second(aec(module.env()), seconds):,.0f}")
    for name in SPIEL:
        print_row(f"OpenSpiel {name}", f"{per_second(spiel(name), seconds):,.0f}")


@command
def envs(*, seconds: Annotated[float, "for each figure"] = 2.0,
         only: Annotated[Sequence[str], "a game of Sfida alone; may be repeated"] = ()) -> None:
    """Measure the steps a second of learning environments: Sfida's, PettingZoo's and OpenSpiel's. Takes five minutes.

    envs
    envs --seconds 0.2 --only carcassonne

    A step is one decision of a random game: the observation and the mask are read, a legal action is drawn and played,
    and luck is played through; new games included. `engine` is the core alone, called from Python: legal moves, a move,
    luck. `playout` is the same in C, without observations. Seconds are CPU time of one process. Environments that are
    not installed are left out.
    """
    warnings.simplefilter("ignore")
    random.seed(1)
    importlib.import_module("sfida.envs").register_in_openspiel()
    print()
    table_of_sfida(only or [*BOARD_GAMES, *TINY], seconds)
    if not only:
        print()
        table_of_others(seconds)


# ---- the arena ------------------------------------------------------------------------------------------


Moves = dict[tuple[int, int], tuple[str, ...]]


def bare(setup: Setup, blocks: Sequence[int]) -> tuple[float, Moves]:
    """Play blocks of a tournament in a plain loop; return the seconds and the moves of every game."""
    schedule = Schedule(setup)
    engine = make_game(setup.game)
    agents = [make_agent(spec) for spec in setup.agents]
    moves: Moves = {}
    started = time.perf_counter()
    for index in blocks:
        block = schedule.block(index)
        for rotation in range(setup.players):
            record = play(engine, [agents[agent] for agent in block.seating(rotation)],
                          schedule.game_seed(index, rotation), chance=SeededChance(schedule.luck_seed(index, rotation)))
            moves[index, rotation] = record.moves
    return time.perf_counter() - started, moves


def arena(setup: Setup, jobs: int) -> tuple[float, Moves]:
    """Play a tournament; return the seconds and the moves of every game."""
    started = time.perf_counter()
    result: TournamentResult = tournament(setup.game, setup.agents, setup.games, setup.seed, jobs)
    seconds = time.perf_counter() - started
    assert result.setup == setup
    return seconds, {(game.block, game.rotation): game.record.moves for game in result.outcomes}


def startup(game: str, seed: int, times: int = 3) -> float:
    """Return the median start-up time of a tournament: its seconds minus the seconds of its games."""
    engine = make_game(game)
    setup = Setup(engine.spec(), engine.rules_version, engine.players, ("random",) * 2, engine.players, seed)
    bare(setup, [0])                                    # the first run imports modules
    return statistics.median(arena(setup, 1)[0] - bare(setup, [0])[0] for _ in range(times))


def _overhead(rows: Sequence[tuple[float, float, float]]) -> float:
    return statistics.median(one / loop - 1 for loop, one, _ in rows)


def _ratio(rows: Sequence[tuple[float, float, float]]) -> float:
    return statistics.median(one / two for _, one, two in rows)


@command
def arena_overhead(*, game: str = "carcassonne",
                   agent: Annotated[str, "plays against itself"] = "ismcts:iterations=500",
                   games: Annotated[int, "per round"] = 20, rounds: int = 16,
                   seconds: Annotated[float, "start no round that would end later"] = 600.0, seed: int = 20263,
                   most: Annotated[float, "overhead in per cent that still passes"] = 100.0) -> int:
    """Measure what a tournament costs besides playing, in %, and what a second job gains. Takes eight minutes.

    arena-overhead                         16 rounds of 20 games
    arena-overhead --games 10 --rounds 2   a quick look

    A round plays the same games three times, from the same seeds with the same luck:

    - bare: a loop around `sfida.ai.table.play` with agents that are built once, half of the games before the other two
      and half after them, so that a machine that slows down or speeds up favours none of them;
    - tournament(jobs=1) and tournament(jobs=2), including start-up, store and table.

    Start-up is the time of a tournament of one block of random agents minus that of its games in a bare loop; it is
    paid once per tournament. The overhead of a round is (seconds with jobs=1, minus start-up) / (bare seconds) - 1. The
    figure is its median over the rounds, with an interval by bootstrap, since the speed of a machine drifts by more
    than that from minute to minute; the share that start-up adds to a tournament of 200 games is printed next to it.
    The moves of all three must be the same; if they are not, or if the figure is above --most, the exit code is 1.
    Needs two idle cores.
    """
    engine, spec = make_game(game), make_agent(agent).spec
    started = time.perf_counter()
    begin = startup(game, seed)
    print(f"{engine.spec()}, {spec} against itself; start-up {begin:.2f} s", flush=True)
    print("round   bare s  jobs=1 s  jobs=2 s  overhead  ratio of 2 jobs to 1", flush=True)
    rows: list[tuple[float, float, float]] = []
    same = True
    for number in range(rounds):
        elapsed = time.perf_counter() - started
        if number and elapsed * (number + 1) / number > seconds:
            print(f"round {number + 1} left out: it would end after {seconds:.0f} s")
            break
        setup = Setup(engine.spec(), engine.rules_version, engine.players, (spec, spec), games, seed + number)
        schedule = Schedule(setup)
        half = schedule.blocks // 2
        before, expected = bare(setup, range(half))
        one, one_moves = arena(setup, 1)
        two, two_moves = arena(setup, 2)
        after, rest = bare(setup, range(half, schedule.blocks))
        same = same and expected | rest == one_moves == two_moves
        rows.append((before + after, one - begin, two - begin))
        print(f"{number + 1:>5}  {before + after:7.2f}  {one:8.2f}  {two:8.2f}  {100 * _overhead(rows[-1:]):6.1f} %  "
              f"{_ratio(rows[-1:]):5.2f}", flush=True)
    overhead = 100 * _overhead(rows)
    spread = np.random.default_rng(seed)
    draws = [[rows[i] for i in spread.integers(len(rows), size=len(rows))] for _ in range(2000)]
    low, high = np.percentile([100 * _overhead(draw) for draw in draws], [2.5, 97.5])
    slow, fast = np.percentile([_ratio(draw) for draw in draws], [2.5, 97.5])
    long = statistics.mean(row[0] for row in rows) / games * 200
    print(f"overhead {overhead:.1f} % [{low:.1f}, {high:.1f}]; start-up adds {100 * begin / long:.1f} % to 200 games; "
          f"2 jobs {_ratio(rows):.2f} [{slow:.2f}, {fast:.2f}] times 1; "
          + ("the moves of all games were the same in all three" if same else "the moves were NOT the same"))
    return 0 if same and overhead <= most else 1
