"""How well a search for parameters finds the best with noisy results, on functions whose best point is known.

Compares values drawn evenly, the tree-structured Parzen estimator that `sfida tune` asks, and the N-tuple bandit
evolutionary algorithm (Lucas, Liu and Perez-Liebana, 2018), at the same number of trials; and two ways to choose from
what was tried: the luckiest trial, and the estimates that all trials make together.

    python bench/tuning.py [--searches 100] [--seed 1] [tpe even ntbea]
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sfida.ai.agent import NamedAgent
from sfida.ai.research.tuning.model import Model, ask
from sfida.ai.research.tuning.space import Space
from sfida.cython_ext.search.parameters import option

SETTINGS = ((20, 0.11), (60, 0.11), (60, 0.06))     # trials, standard error of a trial: about 10, 10 and 30 games
FINALISTS = 4
_GRID = 9               # values of a range for NTBEA, which knows no ranges
_NEIGHBOURS, _EXPLORE, _SMALL = 50, 0.7, 0.5

Values = dict[str, Any]


@dataclass(frozen=True)
class Options:
    x: float = option(0.5, "", low=0.0, high=1.0)
    y: float = option(0.5, "", low=0.0, high=1.0)
    z: float = option(0.5, "", low=0.0, high=1.0)
    kind: str = option("a", "", values=("a", "b", "c", "d"))
    on: bool = option(False, "", values=(True, False))


class Nobody(NamedAgent):
    name = "nobody"
    options_class = Options

    def choose(self, view: Any) -> int:
        raise NotImplementedError


def two(at: Values) -> float:
    return 0.5 - 0.15 * ((at["x"] - 0.7) / 0.5) ** 2 - 0.1 * ((at["y"] - 0.2) / 0.6) ** 2


def five(at: Values) -> float:
    return (0.5 - 0.1 * ((at["x"] - 0.7) / 0.5) ** 2 - 0.06 * ((at["y"] - 0.2) / 0.6) ** 2 - 0.08 * abs(at["z"] - 0.5)
            - {"a": 0.0, "b": 0.05, "c": 0.12, "d": 0.03}[at["kind"]] - 0.04 * at["on"]
            - 0.08 * (at["x"] - 0.7) * (at["y"] - 0.2))


FUNCTIONS = ((two, "x=0..1,y=0..1"), (five, "x=0..1,y=0..1,z=0..1,kind,on"))
Search = Callable[[Space, Callable[[Values], float], int, np.random.Generator], list[tuple[Values, float]]]


def tpe(space: Space, play: Callable[[Values], float], trials: int, rng: np.random.Generator
        ) -> list[tuple[Values, float]]:
    told: list[tuple[Values, float]] = []
    for _ in range(trials):
        values = ask(space, told, int(rng.integers(2**32)))
        told.append((values, play(values)))
    return told


def even(space: Space, play: Callable[[Values], float], trials: int, rng: np.random.Generator
         ) -> list[tuple[Values, float]]:
    drawn = [space.draw(rng) for _ in range(trials)]
    return [(values, play(values)) for values in drawn]


def ntbea(space: Space, play: Callable[[Values], float], trials: int, rng: np.random.Generator
          ) -> list[tuple[Values, float]]:
    grids = [list(np.linspace(*each.values, _GRID)) if each.ranges else list(each.values)
             for each in space.parameters]
    many = len(grids)
    tuples = [*((i,) for i in range(many)), *itertools.combinations(range(many), 2)]
    tuples += [tuple(range(many))] if many > 2 else []
    sums: dict[tuple[tuple[int, ...], tuple[int, ...]], list[float]] = {}

    def bound(point: list[int], played: int) -> float:
        total = 0.0
        for which in tuples:
            count, wins = sums.get((which, tuple(point[i] for i in which)), (0, 0.0))
            total += (wins / count if count else 0.0) + _EXPLORE * np.sqrt(np.log(1 + played) / (count + _SMALL))
        return float(total + 1e-6 * rng.random())

    def mutated(point: list[int]) -> list[int]:
        sure = int(rng.integers(many))
        return [int(rng.integers(len(grid))) if i == sure or rng.random() < 0.5 / many else point[i]
                for i, grid in enumerate(grids)]

    point, told = [int(rng.integers(len(grid))) for grid in grids], []
    for number in range(1, trials + 1):
        values = {each.name: grid[i] for each, grid, i in zip(space.parameters, grids, point, strict=True)}
        told.append((values, play(values)))
        for which in tuples:
            entry = sums.setdefault((which, tuple(point[i] for i in which)), [0, 0.0])
            entry[0] += 1
            entry[1] += told[-1][1]
        point = max((mutated(point) for _ in range(_NEIGHBOURS)), key=lambda near: bound(near, number))
    return told


SEARCHES: dict[str, Search] = {"even": even, "tpe": tpe, "ntbea": ntbea}


def measure(name: str, truth: Callable[[Values], float], over: str, trials: int, error: float, seed: int
            ) -> tuple[float, float, float, float]:
    """Return what is lost by choosing the luckiest, the best by estimate, and the best of four; and the coverage."""
    rng = np.random.default_rng(seed)
    space = Space.parse(Nobody(), over)
    told = SEARCHES[name](space, lambda at: truth(at) + error * rng.standard_normal(), trials, rng)
    points = [values for values, _ in told]
    shares = np.array([share for _, share in told])
    model = Model(space.places(points), shares, np.full(trials, error), 0.5)
    found, true = model.at(space.places(points)), np.array([truth(values) for values in points])
    order = list(dict.fromkeys(space.text(points[i]) for i in np.argsort(-found.mean)))[:FINALISTS]
    finals = max(true[i] for i in range(trials) if space.text(points[i]) in order)
    inside = np.mean((found.low <= true) & (true <= found.high))
    return 0.5 - true[shares.argmax()], 0.5 - true[found.mean.argmax()], 0.5 - finals, float(inside)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*SEARCHES, []])
    parser.add_argument("--searches", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print("| parameters | trials | error | search | luckiest | by estimates | best of four | held |")
    print("|---|---|---|---|---|---|---|---|")
    for truth, over in FUNCTIONS:
        for trials, error in SETTINGS:
            for name in given.names or SEARCHES:
                rows = np.array([measure(name, truth, over, trials, error, given.seed + number)
                                 for number in range(given.searches)])
                mean, half = 100 * rows.mean(axis=0), 196 * rows.std(axis=0) / np.sqrt(len(rows))
                cells = " | ".join(f"{mean[i]:.1f} ±{half[i]:.1f}" for i in range(3))
                head = f"| {over.count(',') + 1} | {trials} | {100 * error:.0f} % | {name}"
                print(f"{head} | {cells} | {mean[3]:.0f} % |", flush=True)


if __name__ == "__main__":
    main()
