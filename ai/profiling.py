"""Where a search spends its time."""

from __future__ import annotations

import time
from typing import Any

import joblib  # type: ignore[import-untyped]

from sfida.ai.benching import sample_decisions
from sfida.ai.ismcts import IsmctsAgent, search_for
from sfida.ai.registry import agent as make_agent
from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.rng import derive
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game

_POSITIONS = 8


def profile(game: Game, agent: str = "ismcts", seconds: float = 4.0, threads: int = 1,
            seed: int = 0) -> dict[str, Any]:
    """Search positions of random games and report where the time goes.

    Parameters
    ----------
    game : Game
    agent : str
        An `ismcts` spec; its budget is replaced by a share of `seconds` a position.
    seconds : float
        Wall-clock seconds in all.
    threads : int
        Independent searches side by side, one a thread; `iterations_per_s` counts all of them.
    seed : int

    Returns
    -------
    dict
        The object of ``sfida profile --json``.

    Raises
    ------
    InvalidOption
        If the agent does not search a tree.
    """
    searcher = make_agent(agent, seed=seed)
    if not isinstance(searcher, IsmctsAgent):
        raise InvalidOption(f"only agents that search a tree can be profiled, such as 'ismcts', not '{agent}'")
    if threads < 1:
        raise InvalidOption(f"threads must be at least 1, not {threads}")
    states = sample_decisions(game, _POSITIONS, seed)
    each = seconds / (2 * len(states))

    def run(worker: int, state: GameState, profiling: bool) -> tuple[int, float, dict[str, Any]]:
        search = search_for(state.view(state.to_move), searcher.options, derive(seed, worker),
                            profiling=profiling)
        started = time.perf_counter()
        search.run(seconds=each)
        return search.iterations, time.perf_counter() - started, search.statistics()

    pool = joblib.Parallel(n_jobs=threads, backend="threading")
    iterations, spent = 0, 0.0
    rows: list[dict[str, Any]] = []
    for state in states:
        # Once without clocks inside for the rate, once with them for the shares.
        done = pool(joblib.delayed(run)(worker, state, False) for worker in range(threads))
        iterations += sum(count for count, _, _ in done)
        spent += max(duration for _, duration, _ in done)
        rows += [stats for _, _, stats in
                 pool(joblib.delayed(run)(worker, state, True) for worker in range(threads))]

    def mean(key: str) -> float:
        return float(sum(row[key] for row in rows) / len(rows))

    steps = ("determinize", "select", "expand", "playout", "backup")
    return {
        "schema": 1, "type": "profile", "game": game.spec(), "agent": searcher.spec, "threads": threads,
        "iterations_per_s": iterations / spent,
        "share": {step: sum(row["share"][step] for row in rows) / len(rows) for step in steps},
        "playout_us": mean("playout_us"), "depth_mean": mean("depth_mean"),
        "depth_max": max(row["depth_max"] for row in rows), "nodes": round(mean("nodes")),
        "decision_nodes": round(mean("decision_nodes")), "tree_bytes": round(mean("tree_bytes")),
        "bytes_per_node": mean("tree_bytes") / mean("nodes"), "map_load": mean("map_load"),
        "memory_full": any(row["arena_full"] for row in rows),
    }
