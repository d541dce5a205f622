"""The speed of an engine and of a search: signatures, profiles, and the gain in strength of a faster search."""

from __future__ import annotations

import hashlib
import itertools
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import joblib

from sfida.ai.chance import SeededChance, decision_seed
from sfida.ai.research.searches import (
    POSITIONS, STEPS, SearchPass, SearchTask, positions, random_decisions, run_tasks, searcher_of, settled, step_times,
    tasks_of
)
from sfida.ai.search import IsmctsOptions, TreeOptions, search_for
from sfida.cython_ext.errors import InvalidOption, SfidaError
from sfida.cython_ext.measure import count_moves, count_playout_moves, time_calls, time_playouts
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.search.search import Search
from sfida.cython_ext.state import GameState
from sfida.engines.data_files import tables_beside, wrong_table
from sfida.engines.game import Game, Rules
from sfida.engines.registry import make_game

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
_SOURCE = ("signature", "commit", "date")       # fields that describe the search of the matches


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
    agent : str
    players : int
        Number of players in the matches.
    commit, date : str or None
        The version that played them.
    current : bool or None
        Whether the search is still the same, by its signature; None if that is not known.
    """

    steps: tuple[Doubling, ...]
    agent: str = "ismcts"
    players: int = 2
    commit: str | None = None
    date: str | None = None
    current: bool | None = None

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

    The file `doubling.toml` of the game's package holds them. A table is valid for one agent. If there is none for the
    number of players, the one with the nearest number is taken: the gain is a lead over equal opponents, in Elo.
    Other options are assumed to matter little.

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
    fitting = [table for table in tables if table["agent"] == agent]
    if not fitting:
        known = " and ".join(dict.fromkeys(table["agent"] for table in tables))
        return f"what a doubling is worth in {game.name} has been measured for {known} only"
    table = min(fitting, key=lambda table: (abs(table["players"] - game.players), table["players"]))
    players = table["players"]
    played_by = table.get("signature")
    return Doublings(
        _steps(table["matches"], players), agent, players, table.get("commit"), table.get("date"),
        None if played_by is None else played_by == signature(make_game(f"{game.name}:players={players}")))


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
    if not all(isinstance(table.get(key, ""), str) for key in _SOURCE):
        raise ValueError("'signature', 'commit' and 'date' must be texts")
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

MOST_THREADS = 64
SECONDS_A_MOVE = 1.0                    # assumed for an agent without a budget when strength is estimated
_ROUNDS = 5                             # rounds; the fastest counts
_CALL_STATES = 128
_CALL_SHARE = 0.1                       # share of the seconds for timing single calls
_ENOUGH = 0.95                          # share of the best speed from which fewer threads are recommended
_LAST_DEPTH = 63                        # the last bin of depths; it includes greater depths
_CALLS = {"copy": "clone", "legal": "legal", "candidates": "candidates", "play": "apply", "determinize": "determinize",
          "label": "label", "evaluate": "evaluate", "priors": "priors"}


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
    searcher = searcher_of(agent, seed)
    counts = list(dict.fromkeys((1, searcher.options.threads) if threads is None else threads))
    if not counts or not all(1 <= count <= MOST_THREADS for count in counts):
        raise InvalidOption(f"threads must be numbers from 1 to {MOST_THREADS}, not {counts}")
    searcher.check_game(game)
    tasks = tasks_of(searcher, positions(game, POSITIONS, seed), seed)
    tasks = settled(searcher.options, tasks, seconds / (2 * _ROUNDS))
    tables = doublings(game, searcher.name)
    calls = _calls(game, seconds * _CALL_SHARE, seed)
    plain, at_will, beside = _race(searcher.options, tasks, counts)
    single = plain[1]
    found = [{
        "schema": 1, "type": "profile", "game": game.spec(), "players": game.players, "agent": searcher.spec,
        "threads": count,
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


# ---- running the searches -----------------------------------------------------------------------------------


def _race(options: TreeOptions, tasks: Sequence[SearchTask], counts: Sequence[int],
          ) -> tuple[dict[int, SearchPass], ...]:
    """Return the fastest round for each number of threads: in order, in any order, and with one tree per thread.

    The rounds alternate, so that other load on the machine, which can only slow them down, affects all of them. The
    third kind shows the best that this number of threads can reach here.
    """
    memories: list[dict[bool, Search]] = [{} for _ in range(max(counts))]
    plain: dict[int, SearchPass] = {}
    at_will: dict[int, SearchPass] = {}
    beside: dict[int, SearchPass] = {}

    def note(best: dict[int, SearchPass], count: int, done: SearchPass) -> None:
        if count not in best or done.rate > best[count].rate:
            best[count] = done

    for _ in range(_ROUNDS):
        for count in dict.fromkeys((1, *counts)):
            done = run_tasks(options, tasks, count, memory=memories[0])
            note(plain, count, done)
            if count > 1:
                note(at_will, count, run_tasks(options, tasks, count, done.seconds / len(tasks), in_order=False,
                                          memory=memories[0]))
                note(beside, count, _side_by_side(options, tasks, memories[:count]))
    return plain, at_will, beside


def _side_by_side(options: TreeOptions, tasks: Sequence[SearchTask],
                  memories: Sequence[dict[bool, Search]]) -> SearchPass:
    """Run the tasks at the same time once per memory, each on one thread."""
    started = time.perf_counter()
    done = joblib.Parallel(n_jobs=len(memories), backend="threading")(
        joblib.delayed(run_tasks)(options, tasks, 1, memory=memory) for memory in memories)
    return SearchPass(sum(one.iterations for one in done), time.perf_counter() - started)


# ---- results ------------------------------------------------------------------------------------------


def _measure(options: TreeOptions, tasks: Sequence[SearchTask], threads: int) -> dict[str, Any]:
    """Run the tasks with time measurement; return the shares of the steps and the trees' statistics."""
    timed = run_tasks(options, tasks, threads, profiling=True)
    rows, weights = timed.rows, [task.iterations or 0 for task in tasks]

    def mean(key: str) -> float:
        return float(sum(row[key] for row in rows) / len(rows))

    def by_iteration(values: Sequence[float]) -> float:
        return sum(w * value for w, value in zip(weights, values, strict=True)) / sum(weights)

    def merged(key: str) -> list[int]:
        return [sum(column) for column in zip(*(row[key] for row in rows), strict=True)]

    work = step_times(rows, weights)
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
        return {"elo": None, "elo_ci95": None, "elo_from": None, "elo_per_doubling": None, "elo_measured": None,
                "elo_missing": tables}
    iterations, seconds = options.iterations, options.seconds
    start = float(iterations) if iterations is not None else max(1.0, rate * (seconds or SECONDS_A_MOVE))
    gain = tables.gain(start, speedup)
    return {
        "elo": gain.elo, "elo_ci95": [gain.low, gain.high], "elo_from": round(start),
        "elo_per_doubling": [{"iterations": step.iterations, "games": step.games, "elo": step.gain.elo,
                              "elo_ci95": [step.gain.low, step.gain.high]} for step in tables.steps],
        "elo_measured": {"agent": tables.agent, "players": tables.players, "commit": tables.commit,
                         "date": tables.date, "current": tables.current},
        "elo_missing": None,
    }
