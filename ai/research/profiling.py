"""The speed of an engine and of a search: signatures, profiles, and the gain in strength of a faster search."""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import joblib

from sfida.ai.chance import SeededChance, decision_seed
from sfida.ai.ismcts import PimcAgent, TreeAgent
from sfida.ai.registry import agent as make_agent
from sfida.ai.search import Crew, IsmctsOptions, TreeOptions, judged, run_search, search_for
from sfida.cython_ext.errors import InvalidOption, SfidaError
from sfida.cython_ext.measure import count_moves, count_playout_moves, time_calls, time_playouts
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.search.search import Search
from sfida.cython_ext.state import GameState, View
from sfida.engines.data_files import tables_beside, wrong_table
from sfida.engines.game import Game, Rules
from sfida.engines.spec import quoted

# ---- Uniformly random games, for measuring


def random_decisions(state: GameState, rng: Random, least: int = 1) -> list[GameState]:
    """Play a state to the end by random moves; return copies of the states with at least `least` moves."""
    found: list[GameState] = []
    while not state.is_over:
        if state.is_chance:
            state.apply(state.sample_chance(rng))
            continue
        moves = state.legal_moves()
        if len(moves) >= least:
            found.append(state.clone())
        state.apply(moves[rng.below(len(moves))])
    return found


# ---- The speed of an engine, and the signature that pins its rules and the search

_SAMPLE_STATES = 128
_SIGNATURE_GAMES = 2
_SIGNATURE_ITERATIONS = 64


def sample_decisions(game: Rules, count: int, seed: int) -> list[GameState]:
    """Return states at decisions, spread evenly over uniformly random games."""
    rng = Random(derive(seed, 0))
    states: list[GameState] = []
    while len(states) < count:
        keep = random_decisions(game.initial_state(), rng)
        states.extend(keep[rng.below(len(keep))] for _ in range(min(16, count - len(states))))
    return states


def bench(game: Rules, seconds: float = 1.0, seed: int = 0) -> dict[str, Any]:
    """Measure an engine under uniformly random play, one thread, CPU time.

    Parameters
    ----------
    game : Rules
        With its options, including the number of players.
    seconds : float
        CPU seconds for the playouts; timing the individual calls takes about as long again.
    seed : int

    Returns
    -------
    dict
        The object of ``sfida bench --json``; `memcpy_ns` is the time of a plain copy of the same number of bytes.
    """
    start = game.initial_state()
    rng = Random(derive(seed, 1))
    time_playouts(start, rng, min(0.1, seconds))
    games, spent = time_playouts(start, rng, seconds)
    rate = games / spent
    sample = 200
    _, chances, largest = count_moves(start, rng, sample)
    moves = count_playout_moves(start, rng, sample)
    states = sample_decisions(game, _SAMPLE_STATES, seed)
    calls = time_calls(states, rng, 2)
    total = sum(calls.values()) * len(states) * 1e-9
    calls = time_calls(states, rng, max(2, int(seconds / max(total, 1e-6))))
    return {
        "schema": 1, "type": "bench", "game": game.spec(), "players": game.players,
        "playouts_per_s": rate, "moves_per_playout": moves, "chance_per_playout": chances / sample,
        "ns_per_move": 1e9 / (rate * moves), "clone_ns": calls["copy"], "memcpy_ns": calls["memcpy"],
        "legal_moves_ns": calls["legal"], "apply_ns": calls["play"], "determinize_ns": calls["determinize"],
        "state_bytes": start.state_bytes, "max_legal": largest,
    }


def signature(game: Rules) -> str:
    """Return a hash of 16 hex digits of the moves and visit counts of fixed searches.

    Any change of the rules, the move codes, the random streams or the search changes it.
    """
    digest = hashlib.blake2b(digest_size=8)
    options = IsmctsOptions(iterations=_SIGNATURE_ITERATIONS)
    for number in range(_SIGNATURE_GAMES):
        state = game.initial_state()
        luck = SeededChance(number)
        ply = 0
        while not state.is_over:
            if state.is_chance:
                move = luck.draw(state)
            else:
                seat = state.to_move
                search = search_for(state.view(seat), options, decision_seed(number, seat, ply))
                search.run(iterations=_SIGNATURE_ITERATIONS)
                rows = search.root()
                for code, visits, _, _ in rows:
                    digest.update(f"{code}:{visits} ".encode())
                move = rows[0][0]
            digest.update(f"{move}\n".encode())
            state.apply(move)
            ply += 1
        digest.update(repr(state.scores()).encode())
    return digest.hexdigest()


# ---- The gain in strength of a faster search: measured matches of twice the iterations against once

FILE = "doubling.toml"                  # in the game's package
_Z95 = 1.959964
_KINDS = {"iterations": int, "games": int, "share": float, "low": float, "high": float}


class InvalidDoublings(SfidaError):
    """A table of doublings is wrong; the message names the file and the error."""


@dataclass(frozen=True)
class Gain:
    """A gain in strength in Elo, with its 95 % interval."""

    elo: float
    low: float
    high: float


@dataclass(frozen=True)
class Doubling:
    """The gain from one doubling, over all its matches.

    Attributes
    ----------
    iterations : int
        The smaller budget; the larger one is twice that.
    games : int
    gain : Gain
    """

    iterations: int
    games: int
    gain: Gain


@dataclass(frozen=True)
class Doublings:
    """The measured doublings of an agent in a game.

    Attributes
    ----------
    steps : tuple of Doubling
        At least one, in ascending order of iterations.
    """

    steps: tuple[Doubling, ...]

    def gain(self, iterations: float, factor: float) -> Gain:
        """Return the gain from `factor` times the iterations.

        A doubling holds until the next measured one; those at the ends also hold beyond the table.

        Parameters
        ----------
        iterations : float
            Smaller budget, greater than 0.
        factor : float
            Greater than 0; below 1 the gain is a loss.
        """
        start = math.log2(iterations)
        first, last = sorted((start, start + math.log2(factor)))
        limits = [-math.inf, *(math.log2(step.iterations) for step in self.steps[1:]), math.inf]
        elo, variance = 0.0, 0.0
        for step, (low, high) in zip(self.steps, itertools.pairwise(limits), strict=True):
            part = max(0.0, min(last, high) - max(first, low))
            elo += part * step.gain.elo
            variance += (part * (step.gain.high - step.gain.low) / (2 * _Z95)) ** 2
        elo = elo if factor >= 1.0 else -elo
        spread = _Z95 * math.sqrt(variance)
        return Gain(elo, elo - spread, elo + spread)


def doublings(game: Rules, agent: str) -> Doublings | str:
    """Return the measured doublings of an agent in a game, or the reason why there are none.

    The file `doubling.toml` of the game's package holds them. A table is valid for one agent and one number of
    players; other options are assumed to matter little.

    Parameters
    ----------
    game : Rules
    agent : str
        Name of the agent.

    Raises
    ------
    InvalidDoublings
        If the file is wrong.
    """
    tables = [table for table in _tables(type(game)) if table["game"] == game.name]
    if not tables:
        return f"what a doubling is worth has not been measured in {game.name}"
    for table in tables:
        if (table["agent"], table["players"]) == (agent, game.players):
            return Doublings(_steps(table["matches"], game.players))
    known = " and ".join(f"{table['agent']} with {table['players']} players" for table in tables)
    return f"what a doubling is worth in {game.name} has been measured for {known} only"


def elo_lead(share: float, players: int) -> float:
    """Return the lead in Elo of a seat that wins `share` (above 0, below 1) against equal opponents."""
    return 400.0 * math.log10(share * (players - 1) / (1.0 - share))


def _steps(matches: Sequence[Mapping[str, Any]], players: int) -> tuple[Doubling, ...]:
    """Pool the matches of each budget, weighted by their number of games."""
    steps = []
    for iterations in sorted({match["iterations"] for match in matches}):
        pool = [match for match in matches if match["iterations"] == iterations]
        games = sum(match["games"] for match in pool)
        weights = [match["games"] / games for match in pool]
        share = sum(w * match["share"] for w, match in zip(weights, pool, strict=True))
        below = math.hypot(*(w * (match["share"] - match["low"]) for w, match in zip(weights, pool, strict=True)))
        above = math.hypot(*(w * (match["high"] - match["share"]) for w, match in zip(weights, pool, strict=True)))
        steps.append(Doubling(iterations, games, Gain(
            elo_lead(share, players), elo_lead(share - below, players), elo_lead(share + above, players))))
    return tuple(steps)


def _tables(cls: type[Rules]) -> list[dict[str, Any]]:
    """Read the file of the game's package; without a file there are no tables."""
    try:
        tables: list[dict[str, Any]] = tables_beside(cls, FILE)
        for table in tables:
            _check(table)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise InvalidDoublings(f"{FILE} of {cls.__module__}: {wrong_table(error)}") from None
    return tables


def _check(table: Mapping[str, Any]) -> None:
    """Raise ValueError, or KeyError for a missing field, unless the table makes sense."""
    if not (isinstance(table["game"], str) and isinstance(table["agent"], str)):
        raise ValueError("'game' and 'agent' must be names")
    if type(table["players"]) is not int or table["players"] < 2:
        raise ValueError("'players' must be a whole number of at least 2")
    if not table["matches"]:
        raise ValueError("'matches' is empty")
    for match in table["matches"]:
        if any(type(match[key]) is not kind for key, kind in _KINDS.items()):
            raise ValueError("a match needs whole numbers 'iterations', 'games' and fractions 'share', 'low', 'high'")
        if match["iterations"] < 1 or match["games"] < 1:
            raise ValueError("'iterations' and 'games' must be at least 1")
        if not 0.0 < match["low"] <= match["share"] <= match["high"] < 1.0:
            raise ValueError("it must hold that 0 < low <= share <= high < 1")


# ---- How fast a search is, where its time goes and how its tree grows, on one thread and on several

STEPS = ("determinize", "select", "expand", "playout", "backup")
MOST_THREADS = 64
SECONDS_A_MOVE = 1.0                    # assumed for an agent without a budget when strength is estimated
_POSITIONS = 4
_ROUNDS = 5                             # rounds; the fastest counts
_SEARCHES = 64                          # most searches, beyond one round over the positions
_GAMES = 100                            # most random games to take positions from
_CALL_STATES = 128
_CALL_SHARE = 0.1                       # share of the seconds for timing single calls
_ENOUGH = 0.95                          # share of the best speed from which fewer threads are recommended
_LAST_DEPTH = 63                        # the last bin of depths; it includes greater depths
_CALLS = {"copy": "clone", "legal": "legal", "candidates": "candidates", "play": "apply", "determinize": "determinize",
          "label": "label", "evaluate": "evaluate", "priors": "priors"}


@dataclass(frozen=True)
class _Task:
    """One search to run.

    Attributes
    ----------
    world : GameState or None
        The world that `pimc` searches.
    iterations : int or None
        None: as many as the time allows.
    """

    view: View
    world: GameState | None
    seed: int
    iterations: int | None


@dataclass(frozen=True)
class _Pass:
    """The result of running the tasks one after the other; `rows` are the statistics of the trees."""

    iterations: int
    seconds: float
    rows: tuple[dict[str, Any], ...] = ()

    @property
    def rate(self) -> float:
        """Iterations per second."""
        return self.iterations / max(1e-9, self.seconds)


def profile(game: Game, agent: str = "ismcts", seconds: float = 2.0, threads: Sequence[int] | None = None,
            seed: int = 0) -> list[dict[str, Any]]:
    """Search positions of random games on different numbers of threads and report where the time goes.

    Every number of threads runs the same searches, so that their trees are the same and only the time differs. Each
    has the iterations of the agent's budget, or as many as one thread completes in the time.

    Parameters
    ----------
    game : Game
    agent : str
        Spec of an agent that searches a tree.
    seconds : float
        Approximate wall-clock seconds for each number of threads.
    threads : sequence of int, optional
        Numbers of threads that share a tree, each 1 to 64; by default 1 and the number of the agent's spec.
    seed : int

    Returns
    -------
    list of dict
        The object of ``sfida profile --json`` for each number of threads (docs/measure/profiling.md).

    Raises
    ------
    InvalidOption
        If the agent does not search a tree, or a number of threads is out of range.
    """
    searcher = make_agent(agent, seed=seed)
    if not isinstance(searcher, TreeAgent):
        raise InvalidOption(f"only agents that search a tree can be profiled, such as 'ismcts', not {quoted(agent)}")
    counts = list(dict.fromkeys((1, searcher.options.threads) if threads is None else threads))
    if not counts or not all(1 <= count <= MOST_THREADS for count in counts):
        raise InvalidOption(f"threads must be numbers from 1 to {MOST_THREADS}, not {counts}")
    searcher.check_game(game)
    tasks = _tasks(searcher, _positions(game, _POSITIONS, seed), seed)
    tasks = _settled(searcher.options, tasks, seconds / (2 * _ROUNDS))
    tables = doublings(game, searcher.name)
    calls = _calls(game, seconds * _CALL_SHARE, seed)
    plain, at_will, beside = _race(searcher.options, tasks, counts)
    single = plain[1]
    found = [{
        "schema": 1, "type": "profile", "game": game.spec(), "agent": searcher.spec, "threads": count,
        "iterations_per_s": plain[count].rate, "speedup": plain[count].rate / single.rate,
        "at_will_per_s": None if count == 1 else at_will[count].rate,
        "at_will_speedup": None if count == 1 else at_will[count].rate / single.rate,
        "side_by_side_speedup": None if count == 1 else beside[count].rate / single.rate,
        **_measure(searcher.options, tasks, count), "calls_ns": calls,
    } for count in counts]
    for row in found:
        row["calls_ns"] = {**calls, "playout": 1000.0 * row["playout_us"]}
        row.update(_strength(tables, searcher.options, single.rate, row["speedup"]))
    best = max(row["iterations_per_s"] for row in found)
    chosen = min(row["threads"] for row in found if row["iterations_per_s"] >= _ENOUGH * best)
    return [{**row, "recommended": row["threads"] == chosen} for row in found]


# ---- the searches ---------------------------------------------------------------------------------------


def _positions(game: Rules, count: int, seed: int) -> list[GameState]:
    """Return states with a choice, each from a different random game, spread evenly from start to end."""
    found: list[GameState] = []
    for number in range(_GAMES):
        seen = random_decisions(game.initial_state(), Random(derive(seed, 2, number)), least=2)
        if seen:
            found.append(seen[len(seen) * (2 * len(found) + 1) // (2 * count)])
        if len(found) == count:
            return found
    raise InvalidOption(f"there is nothing to search in {quoted(game.spec())}: its random games leave no choice")


def _tasks(searcher: TreeAgent, positions: Sequence[GameState], seed: int) -> list[_Task]:
    """Return the searches of one round over the positions; `pimc` has several per position, which share its budget."""
    tasks = []
    budget: int | None = searcher.options.iterations
    for number, state in enumerate(positions):
        view = judged(state.view(state.to_move), searcher.options)
        key = derive(seed, 3, number)
        if not isinstance(searcher, PimcAgent):
            tasks.append(_Task(view, None, key, budget))
            continue
        rng = Random(derive(key, 0))
        worlds = min(searcher.options.worlds if view.hidden else 1, budget or searcher.options.worlds)
        tasks += [_Task(view, view.sample(rng), derive(key, 1, world), budget and budget // worlds)
                  for world in range(worlds)]
    return tasks


# ---- running the searches -------------------------------------------------------------------------------


def _settled(options: TreeOptions, tasks: Sequence[_Task], seconds: float) -> list[_Task]:
    """Search on one thread for about `seconds` and return the completed tasks with their iterations.

    Tasks with a budget are repeated until the time is up; the others share the time.
    """
    done: list[_Task] = []
    spent = 0.0
    for task, result in _searches(options, itertools.cycle(tasks), 1, seconds / len(tasks)):
        done.append(dataclasses.replace(task, iterations=result.iterations))
        spent += result.seconds
        rounds_over = spent >= seconds or len(done) == max(_SEARCHES, len(tasks))
        if len(done) == len(tasks) if task.iterations is None else rounds_over:
            break
    return done


def _race(options: TreeOptions, tasks: Sequence[_Task], counts: Sequence[int]) -> tuple[dict[int, _Pass], ...]:
    """Return the fastest round for each number of threads: in order, in any order, and with one tree per thread.

    The rounds alternate, so that other load on the machine, which can only slow them down, affects all of them. The
    third kind shows the best that this number of threads can reach here.
    """
    memories: list[dict[bool, Search]] = [{} for _ in range(max(counts))]
    plain: dict[int, _Pass] = {}
    at_will: dict[int, _Pass] = {}
    beside: dict[int, _Pass] = {}

    def note(best: dict[int, _Pass], count: int, done: _Pass) -> None:
        if count not in best or done.rate > best[count].rate:
            best[count] = done

    for _ in range(_ROUNDS):
        for count in dict.fromkeys((1, *counts)):
            done = _run(options, tasks, count, memory=memories[0])
            note(plain, count, done)
            if count > 1:
                note(at_will, count, _run(options, tasks, count, done.seconds / len(tasks), in_order=False,
                                          memory=memories[0]))
                note(beside, count, _side_by_side(options, tasks, memories[:count]))
    return plain, at_will, beside


def _side_by_side(options: TreeOptions, tasks: Sequence[_Task], memories: Sequence[dict[bool, Search]]) -> _Pass:
    """Run the tasks at the same time once per memory, each on one thread."""
    started = time.perf_counter()
    done = joblib.Parallel(n_jobs=len(memories), backend="threading")(
        joblib.delayed(_run)(options, tasks, 1, memory=memory) for memory in memories)
    return _Pass(sum(one.iterations for one in done), time.perf_counter() - started)


def _searches(options: TreeOptions, tasks: Iterable[_Task], threads: int, seconds: float | None = None, *,
              in_order: bool = True, profiling: bool = False,
              memory: dict[bool, Search] | None = None) -> Iterator[tuple[_Task, _Pass]]:
    """Run searches one after the other, reusing the memory of one; yield each task with its result.

    Parameters
    ----------
    seconds : float, optional
        Time of a task without iterations, or of any task if not in order.
    in_order : bool
        Whether the iterations of the tasks run in an order that makes the result independent of the threads;
        otherwise they run in any order.
    memory : dict, optional
        Keeps the searches for further calls.
    """
    search = None if memory is None else memory.get(profiling)
    crew = Crew(threads)
    try:
        for task in tasks:
            if search is None:
                search = search_for(task.view, options, task.seed, profiling=profiling, world=task.world)
                if memory is not None:
                    memory[profiling] = search
            search.restart(task.view, task.seed, world=task.world)
            budget = task.iterations if in_order else None
            started = time.perf_counter()
            run_search(search, crew, iterations=budget, seconds=seconds if budget is None else None)
            yield task, _Pass(search.iterations, time.perf_counter() - started, (search.statistics(),))
    finally:
        crew.close()


def _run(options: TreeOptions, tasks: Sequence[_Task], threads: int, seconds: float | None = None, *,
         in_order: bool = True, profiling: bool = False, memory: dict[bool, Search] | None = None) -> _Pass:
    """Run the tasks and sum up their results."""
    done = [one for _, one in _searches(options, tasks, threads, seconds, in_order=in_order, profiling=profiling,
                                        memory=memory)]
    return _Pass(sum(one.iterations for one in done), sum(one.seconds for one in done),
                 tuple(row for one in done for row in one.rows))


# ---- results ------------------------------------------------------------------------------------------


def _measure(options: TreeOptions, tasks: Sequence[_Task], threads: int) -> dict[str, Any]:
    """Run the tasks with time measurement; return the shares of the steps and the trees' statistics."""
    timed = _run(options, tasks, threads, profiling=True)
    rows, weights = timed.rows, [task.iterations or 0 for task in tasks]

    def mean(key: str) -> float:
        return float(sum(row[key] for row in rows) / len(rows))

    def by_iteration(values: Sequence[float]) -> float:
        return sum(w * value for w, value in zip(weights, values, strict=True)) / sum(weights)

    def merged(key: str) -> list[int]:
        return [sum(column) for column in zip(*(row[key] for row in rows), strict=True)]

    # Microseconds per iteration of each step, from the time and share of the playouts.
    work = {step: by_iteration([row["playout_us"] * row["share"][step] / row["share"]["playout"] for row in rows])
            for step in STEPS}
    total = sum(work.values())
    return {
        "searches": len(tasks), "iterations": timed.iterations,
        "share": {step: work[step] / total for step in STEPS},
        "busy": total * 1e-6 * timed.iterations / (threads * timed.seconds),
        "playout_us": work["playout"], "playout_moves": by_iteration([row["playout_moves"] for row in rows]),
        "depth_mean": by_iteration([row["depth_mean"] for row in rows]),
        "depth_max": max(row["depth_max"] for row in rows),
        "depths": _depths(merged("depths")), "branchings": _branchings(merged("branchings")),
        "nodes": round(mean("nodes")), "decision_nodes": round(mean("decision_nodes")),
        "tree_bytes": round(mean("tree_bytes")), "bytes_per_node": mean("tree_bytes") / mean("nodes"),
        "arena_load": mean("arena_load"), "map_load": mean("map_load"),
        "memory_full": any(row["arena_full"] for row in rows),
    }


def _depths(counts: Sequence[int]) -> dict[str, int]:
    """Return the bins of depths by name, from the first to the last that is not empty."""
    used = [depth for depth, count in enumerate(counts) if count]
    return {f"{depth}+" if depth == _LAST_DEPTH else str(depth): counts[depth]
            for depth in range(used[0], used[-1] + 1)}


def _branchings(counts: Sequence[int]) -> dict[str, int]:
    """Return the bins of numbers of moves by name (1, 2, 3-4, 5-8, ...), up to the last that is not empty."""
    last = max((bin_ for bin_, count in enumerate(counts) if count), default=0)

    def label(bin_: int) -> str:
        if bin_ < 2:
            return str(bin_ + 1)
        low = 2 ** (bin_ - 1) + 1
        return f"{low}+" if bin_ == len(counts) - 1 else f"{low}-{2 ** bin_}"

    return {label(bin_): counts[bin_] for bin_ in range(last + 1)}


def _calls(game: Rules, seconds: float, seed: int) -> dict[str, float]:
    """Return the cost of the game's functions at decisions of random games, in nanoseconds per call."""
    states, rng = sample_decisions(game, _CALL_STATES, seed), Random(derive(seed, 4))
    started = time.perf_counter()
    time_calls(states, rng, 1)
    rounds = max(1, int(seconds / max(1e-6, time.perf_counter() - started)))
    costs = time_calls(states, rng, rounds)
    return {name: costs[key] for key, name in _CALLS.items() if key in costs}


def _strength(tables: Doublings | str, options: TreeOptions, rate: float, speedup: float) -> dict[str, Any]:
    """Return what the speed gains in play, or the reason why that is not known.

    Iterations in order are worth the same on any number of threads, so shared trees lose nothing.
    """
    if isinstance(tables, str):
        return {"elo": None, "elo_ci95": None, "elo_from": None, "elo_per_doubling": None, "elo_missing": tables}
    iterations, seconds = options.iterations, options.seconds
    start = float(iterations) if iterations is not None else max(1.0, rate * (seconds or SECONDS_A_MOVE))
    gain = tables.gain(start, speedup)
    return {
        "elo": gain.elo, "elo_ci95": [gain.low, gain.high], "elo_from": round(start),
        "elo_per_doubling": [{"iterations": step.iterations, "games": step.games, "elo": step.gain.elo,
                              "elo_ci95": [step.gain.low, step.gain.high]} for step in tables.steps],
        "elo_missing": None,
    }
