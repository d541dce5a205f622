"""The searches that a profile measures, in this process or as a program: under a profiler, or in another revision.

As a program this file measures whichever Sfida is on the path, so that two revisions search the same positions. It
therefore imports only what has been there for long.
"""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import json
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sfida.ai.ismcts import PimcAgent, TreeAgent
from sfida.ai.registry import agent as make_agent
from sfida.ai.search import Crew, TreeOptions, judged, run_search, search_for
from sfida.cython_ext.errors import InvalidOption, SfidaError
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.search.search import Search
from sfida.cython_ext.state import GameState, View
from sfida.engines.game import Rules
from sfida.engines.registry import make_game
from sfida.engines.spec import quoted

STEPS = ("determinize", "select", "expand", "playout", "backup")
POSITIONS = 4
_SEARCHES = 64                          # most searches, beyond one round over the positions
_GAMES = 100                            # most random games to take positions from

# ---- Positions of uniformly random games


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


def positions(game: Rules, count: int, seed: int) -> list[GameState]:
    """Return states with a choice, each from a different random game, spread evenly from start to end."""
    found: list[GameState] = []
    for number in range(_GAMES):
        seen = random_decisions(game.initial_state(), Random(derive(seed, 2, number)), least=2)
        if seen:
            found.append(seen[len(seen) * (2 * len(found) + 1) // (2 * count)])
        if len(found) == count:
            return found
    raise InvalidOption(f"there is nothing to search in {quoted(game.spec())}: its random games leave no choice")


# ---- The searches


@dataclass(frozen=True)
class SearchTask:
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
class SearchPass:
    """The result of running tasks one after the other.

    Attributes
    ----------
    iterations : int
    seconds, cpu : float
        Wall-clock and processor time.
    rows : tuple of dict
        The statistics of the trees.
    """

    iterations: int
    seconds: float
    cpu: float = 0.0
    rows: tuple[dict[str, Any], ...] = ()

    @property
    def rate(self) -> float:
        """Iterations per second of wall-clock time."""
        return self.iterations / max(1e-9, self.seconds)


def searcher_of(agent: str, seed: int = 0) -> TreeAgent:
    """Return the agent of a spec; raises InvalidOption if it does not search a tree."""
    made = make_agent(agent, seed=seed)
    if not isinstance(made, TreeAgent):
        raise InvalidOption(f"only agents that search a tree can be profiled, such as 'ismcts', not {quoted(agent)}")
    return made


def tasks_of(searcher: TreeAgent, states: Sequence[GameState], seed: int) -> list[SearchTask]:
    """Return the searches of one round over positions; `pimc` has several per position, which share its budget."""
    tasks = []
    budget: int | None = searcher.options.iterations
    for number, state in enumerate(states):
        view = judged(state.view(state.to_move), searcher.options)
        key = derive(seed, 3, number)
        if not isinstance(searcher, PimcAgent):
            tasks.append(SearchTask(view, None, key, budget))
            continue
        rng = Random(derive(key, 0))
        worlds = min(searcher.options.worlds if view.hidden else 1, budget or searcher.options.worlds)
        tasks += [SearchTask(view, view.sample(rng), derive(key, 1, world), budget and budget // worlds)
                  for world in range(worlds)]
    return tasks


def settled(options: TreeOptions, tasks: Sequence[SearchTask], seconds: float) -> list[SearchTask]:
    """Search on one thread for about `seconds` and return the completed tasks with their iterations.

    Tasks with a budget are repeated until the time is up; the others share the time.
    """
    done: list[SearchTask] = []
    spent = 0.0
    for task, result, _ in run_searches(options, itertools.cycle(tasks), 1, seconds / len(tasks)):
        done.append(dataclasses.replace(task, iterations=result.iterations))
        spent += result.seconds
        rounds_over = spent >= seconds or len(done) == max(_SEARCHES, len(tasks))
        if len(done) == len(tasks) if task.iterations is None else rounds_over:
            break
    return done


def run_searches(options: TreeOptions, tasks: Iterable[SearchTask], threads: int, seconds: float | None = None, *,
                 in_order: bool = True, profiling: bool = False, memory: dict[bool, Search] | None = None,
                 ) -> Iterator[tuple[SearchTask, SearchPass, Search]]:
    """Run searches one after the other, reusing the memory of one; yield each task with its result and its tree.

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
            started, cpu = time.perf_counter(), time.process_time()
            run_search(search, crew, iterations=budget, seconds=seconds if budget is None else None)
            yield task, SearchPass(search.iterations, time.perf_counter() - started, time.process_time() - cpu,
                                   (search.statistics(),)), search
    finally:
        crew.close()


def run_tasks(options: TreeOptions, tasks: Sequence[SearchTask], threads: int, seconds: float | None = None, *,
              in_order: bool = True, profiling: bool = False, memory: dict[bool, Search] | None = None) -> SearchPass:
    """Run the tasks and sum up their results."""
    return summed([done for _, done, _ in run_searches(options, tasks, threads, seconds, in_order=in_order,
                                                       profiling=profiling, memory=memory)])


def summed(parts: Sequence[SearchPass]) -> SearchPass:
    """Return several passes as one."""
    return SearchPass(sum(one.iterations for one in parts), sum(one.seconds for one in parts),
                      sum(one.cpu for one in parts), tuple(row for one in parts for row in one.rows))


def step_times(rows: Sequence[Mapping[str, Any]], weights: Sequence[float]) -> dict[str, float]:
    """Return microseconds per iteration of each step, from the time and share of the playouts.

    Parameters
    ----------
    rows : sequence of mapping
        Statistics of searches with internal clocks.
    weights : sequence of float
        Their iterations.
    """
    total = sum(weights)
    return {step: sum(weight * row["playout_us"] * row["share"][step] / row["share"]["playout"]
                      for row, weight in zip(rows, weights, strict=True)) / total for step in STEPS}


# ---- The program: one line of JSON as its argument, one line of JSON as its answer


def answer(game: str, agent: str, seconds: float, iterations: Sequence[int] | None = None,
           once: bool = False) -> dict[str, Any]:
    """Search on one thread and return what a comparison needs.

    Parameters
    ----------
    game, agent : str
        Specs.
    seconds : float
        Approximate time of all.
    iterations : sequence of int, optional
        Iterations of each search, from an earlier answer; the time does not matter then.
    once : bool
        Run each search only once, without measuring.

    Returns
    -------
    dict
        `iterations` of each search, and if they were given `digest`, which is the same for the same results. Unless
        once: `cpu`, seconds of processor time of all, and `steps`, microseconds of it per iteration by step.
    """
    searcher = searcher_of(agent)
    rules = make_game(game)
    searcher.check_game(rules)
    tasks = tasks_of(searcher, positions(rules, POSITIONS, 0), 0)
    if iterations is None:
        return {"iterations": [task.iterations for task in settled(searcher.options, tasks, seconds)]}
    tasks = [dataclasses.replace(task, iterations=count)
             for task, count in zip(itertools.cycle(tasks), iterations, strict=False)]
    digest, memory = hashlib.blake2b(digest_size=8), dict[bool, Search]()
    for _, _, search in run_searches(searcher.options, tasks, 1, memory=memory):
        digest.update(repr([(code, visits) for code, visits, *_ in search.root()]).encode())
    found: dict[str, Any] = {"iterations": list(iterations), "digest": digest.hexdigest()}
    if once:
        return found
    plain = run_tasks(searcher.options, tasks, 1, memory=memory)        # again, now that the memory has been touched
    timed = [run_tasks(searcher.options, tasks, 1, profiling=True, memory=memory) for _ in range(2)][1]
    work = step_times(timed.rows, iterations)                           # in wall-clock time, unlike the rest
    scale = 1e6 * timed.cpu / timed.iterations / sum(work.values())
    return {**found, "cpu": plain.cpu, "steps": {step: scale * spent for step, spent in work.items()}}


def strangers(package: str) -> list[str]:
    """Return the loaded modules of Sfida that are not from a folder: an editable installation adds what it lacks."""
    return sorted(name for name, module in sys.modules.items() if name.startswith("sfida.")
                  and not str(getattr(module, "__file__", None) or package).startswith(package))


if __name__ == "__main__":
    asked = json.loads(sys.argv[1])
    lacking = strangers(asked.pop("package", ""))
    if lacking:
        sys.exit(f"error: it has no {lacking[0]}")
    try:
        print(json.dumps(answer(**asked)))
    except SfidaError as error:
        sys.exit(f"error: {error}")
