"""Searches against known truths: exploitability, matches, bids (docs/measure/yardsticks.md); searches for parameters.

The expected figures come from small prototypes of the same algorithms, written independently of this search. If the
single runs of a row vary by more than a few per cent with the seed, the row states their standard deviation, which for
Goofspiel comes from 60 runs (12 at 10,000 iterations) of another independent program, for poker from this search.
"""

from __future__ import annotations

import itertools
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from joblib import Parallel, delayed

from bench import command, print_head, print_row, refused
from sfida.ai.agent import NamedAgent
from sfida.ai.research.tuning.model import Model, ask
from sfida.ai.research.tuning.space import Space
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.search.parameters import option
from sfida.engines.registry import make
from support.deciders import Decider
from support.equilibrium import equilibrium
from support.hidden_toys import Matrix, MatrixOptions
from support.measures import Table, interval, pair_score, policies, tree_of

# ---- a row of the table ---------------------------------------------------------------------------------


SHARE = 0.10                            # accepted relative difference from a figure,
DEVIATIONS = 2.0                        # or accepted difference in standard deviations of single runs
ENOUGH = 4                              # seeds that are enough to estimate a deviation
SURE = 1.5                              # half widths of 95 % intervals: about 3 standard errors


@dataclass(frozen=True)
class YardstickRow:
    """One row of the table.

    Attributes
    ----------
    section, name : str
    ours : float
    spread : str
        Spread of our figure.
    expected : str
    accepted : tuple of float
        Lowest and highest accepted value.
    """

    section: str
    name: str
    ours: float
    spread: str
    expected: str
    accepted: tuple[float, float]

    @property
    def ok(self) -> bool:
        """Whether our figure is accepted."""
        return self.accepted[0] <= self.ours <= self.accepted[1]

    def __str__(self) -> str:
        low, high = self.accepted
        return (f"| {self.section} | {self.name} | {self.ours:.4f} | {self.spread} | {self.expected} | "
                f"{low:.4f} to {high:.4f} | {'ok' if self.ok else 'NOT ok'} |")


def over_seeds(section: str, name: str, values: Sequence[float], figure: Figure) -> YardstickRow:
    """Compare the mean over seeds with a figure: by its band, or within 10 % or 2 deviations of single runs."""
    low, high = figure.band or (figure.value, figure.value)
    if figure.band is None:
        deviation = figure.deviation or (statistics.stdev(values) if len(values) >= ENOUGH else 0.0)
        margin = max(SHARE * figure.value, DEVIATIONS * deviation)
        low, high = figure.value - margin, figure.value + margin
    spread = f"{min(values):.4f} to {max(values):.4f}, {len(values)} seeds" if len(values) > 1 else "1 seed"
    return YardstickRow(section, name, statistics.mean(values), spread, f"{figure.value:.4g}", (low, high))


def of_match(section: str, name: str, score: tuple[float, float], figure: tuple[float, float]) -> YardstickRow:
    """Compare a score with an expected one, each with the half width of its 95 % interval."""
    margin = SURE * (score[1] ** 2 + figure[1] ** 2) ** 0.5
    return YardstickRow(section, name, score[0], f"+- {score[1]:.3f}", f"{figure[0]:.3f} +- {figure[1]:.3f}",
                        (figure[0] - margin, figure[0] + margin))


# ---- the rows to measure --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Figure:
    """An expected figure.

    Attributes
    ----------
    value : float
    band : tuple of float, optional
        Accepted range; None: the margin of `over_seeds`.
    deviation : float
        Standard deviation of single runs, if it is large.
    """

    value: float
    band: tuple[float, float] | None = None
    deviation: float = 0.0


@dataclass(frozen=True)
class Exploited:
    """A policy computed by deciding at every information set; `argmax` is None for learned bids."""

    game: str
    decider: Decider
    mixed: Figure
    argmax: Figure | None


@dataclass(frozen=True)
class YardstickMatch:
    """A match of phantom tic-tac-toe: the expected score of `first`, and half the width of its 95 % interval."""

    first: Decider
    second: Decider
    score: float
    half_width: float


PLATEAU = (Figure(0.165, (0.160, 0.168)), Figure(0.1667, (0.1567, 0.1767)))


def poker() -> list[Exploited]:
    """Return the rows of Kuhn (10,000 iterations) and Leduc poker (1,000 and 10,000): mixed and argmax."""
    kuhn = {
        "flat": (Figure(0.3285, (0.325, 0.334)), Figure(0.3333, (0.325, 0.334))),
        "pimc": (Figure(0.083), Figure(0.188, deviation=0.034)),
        "so": PLATEAU, "unkeyed": PLATEAU, "mo": PLATEAU,
    }
    short = {
        "flat": (Figure(2.26), Figure(3.07, deviation=0.2)),
        "pimc": (Figure(1.39), Figure(1.32, deviation=0.08)),
        "so": (Figure(0.81), Figure(0.87, deviation=0.12)),
        "unkeyed": (Figure(0.81), Figure(0.87, deviation=0.12)),        # equal to SO if every move is seen
        "mo": (Figure(0.64, deviation=0.04), Figure(0.61, deviation=0.04)),
    }
    long = {
        "flat": (Figure(2.66), Figure(2.90)),
        "pimc": (Figure(0.92), Figure(1.13)),
        "so": (Figure(0.80, (0.75, 0.85)), Figure(0.97)),
        "mo": (Figure(0.476, (0.45, 0.52)), Figure(0.450)),
    }
    return [Exploited(game, Decider("mo" if name == "unkeyed" else name, iterations, c, keyed=name == "mo"), *figures)
            for game, iterations, c, rows in (("kuhn_poker", 10_000, 0.7, kuhn), ("leduc_poker", 1_000, 0.4, short),
                                              ("leduc_poker", 10_000, 0.4, long))
            for name, figures in rows.items()]


def goofspiel() -> list[Exploited]:
    """Return the rows of hidden bids by UCB1 and EXP3, in games won minus games lost."""
    rows = []
    for iterations, ucb, exp3 in (
        (100, 0.53, Figure(0.66, deviation=0.042)),
        (1_000, 0.51, Figure(0.14, deviation=0.027)),
        (10_000, 0.51, Figure(0.013, (0.0, 0.03))),
        (50_000, 0.57, Figure(0.002, (0.0, 0.03))),
    ):
        # UCB1 must stay far from an equilibrium; the distance depends on the order in which edges are tried
        rows.append(Exploited("goofspiel", Decider("mo", iterations), Figure(ucb, (0.15, 0.75)),
                              Figure(1.0, (0.9999, 1.0001))))
        rows.append(Exploited("goofspiel", Decider("mo", iterations, bids="exp3", bid_explore=0.2), exp3, None))
    return rows


def searcher(kind: str, iterations: int) -> Decider:
    """Return a decider with the settings of the matches."""
    return Decider(kind, iterations, c=0.7, worlds=max(1, min(40, iterations // 25)))


def matches() -> list[YardstickMatch]:
    """Return the matches of phantom tic-tac-toe: equal iterations, then MO against MO with half the iterations."""
    rows = [YardstickMatch(searcher(first, n), searcher(second, n), score, half) for first, second, n, score, half in (
        ("flat", "so", 200, 0.471, 0.021), ("flat", "so", 1000, 0.363, 0.021),
        ("pimc", "so", 200, 0.468, 0.022), ("pimc", "so", 1000, 0.425, 0.022), ("pimc", "so", 5000, 0.246, 0.037),
        ("mo", "so", 200, 0.504, 0.021), ("mo", "so", 1000, 0.501, 0.020), ("mo", "so", 5000, 0.512, 0.017),
        ("cheat", "so", 200, 0.739, 0.014), ("cheat", "so", 1000, 0.774, 0.008), ("cheat", "so", 5000, 0.750, 0.005),
        ("so", "random", 200, 0.861, 0.017), ("so", "random", 1000, 0.897, 0.018),
    )]
    doubled = (0.523, 0.529, 0.504, 0.539, 0.522)       # their intervals are not known and assumed to be .021
    return rows + [YardstickMatch(searcher("mo", 200 << i), searcher("mo", 100 << i), score, 0.021)
                   for i, score in enumerate(doubled)]


# ---- measuring ------------------------------------------------------------------------------------------


PHANTOM = "phantom_tic_tac_toe"
PARTS = 8                               # portions per process into which a decider's information sets are split


def name_of(decider: Decider) -> str:
    """Return the name of a decider in the table."""
    if decider.kind == "mo" and decider.bids != "ucb":
        return decider.bids
    return {"so": "SO", "mo": "MO" if decider.keyed else "MO unkeyed", "pimc": f"PIMC({decider.worlds})"}.get(
        decider.kind, decider.kind)


def title_of(plan: Exploited | YardstickMatch) -> str:
    """Return the common part of the names of a plan's rows."""
    if isinstance(plan, Exploited):
        return f"{plan.game} {plan.decider.iterations:,}, {name_of(plan.decider)}"
    title = f"{name_of(plan.first)} - {name_of(plan.second)}, {plan.first.iterations:,}"
    if plan.first.iterations != plan.second.iterations and plan.second.kind != "random":
        title += f" against {plan.second.iterations:,}"
    return title


def whole_policies(parallel: Parallel, name: str, decider: Decider, seed: int) -> tuple[Table, Table]:
    """Return the mixed and the argmax policy of a whole game, computed in portions."""
    parts = PARTS * max(1, parallel.n_jobs)
    mixed: Table = {}
    argmax: Table = {}
    for some_mixed, some_argmax in parallel(delayed(policies)(name, decider, seed, part, parts)
                                            for part in range(parts)):
        mixed |= some_mixed
        argmax |= some_argmax
    return mixed, argmax


def exploited(parallel: Parallel, section: str, plan: Exploited, seeds: int) -> Iterator[YardstickRow]:
    """Measure the exploitability of both policies of a decider."""
    tree = tree_of(plan.game)
    pairs = [whole_policies(parallel, plan.game, plan.decider, seed) for seed in range(seeds)]
    row = title_of(plan)
    mixed = "average" if plan.decider.bids != "ucb" else "mixed"
    yield over_seeds(section, f"{row}, {mixed}", [tree.exploitability(pair[0]) for pair in pairs], plan.mixed)
    if plan.argmax is not None:
        yield over_seeds(section, f"{row}, argmax", [tree.exploitability(pair[1]) for pair in pairs], plan.argmax)


def played(parallel: Parallel, section: str, plan: YardstickMatch, games: int) -> YardstickRow:
    """Measure the score of a match, over pairs of games."""
    scores = parallel(delayed(pair_score)(PHANTOM, plan.first, plan.second, 0, pair) for pair in range(games // 2))
    return of_match(section, title_of(plan), interval(scores), (plan.score, plan.half_width))


def uniform(section: str) -> Iterator[YardstickRow]:
    """Yield the exact figures of random play."""
    for name, value in (("kuhn_poker", 11 / 24), ("leduc_poker", 2.3736), ("goofspiel", 0.75)):
        tree = tree_of(name)
        exact = (value - 5e-5, value + 5e-5)
        yield YardstickRow(section, f"{name}, uniform", tree.exploitability(tree.uniform()), "exact",
                           f"{value:.4g}", exact)


def game_values(section: str) -> Iterator[YardstickRow]:
    """Yield the values of the games, bounded by best responses to a policy close to equilibrium."""
    for name, rounds, figure, margin in (("kuhn_poker", 1000, -1 / 18, 5e-4), ("leduc_poker", 1000, -0.086, 1e-3)):
        tree = tree_of(name)
        policy = equilibrium(tree, rounds)
        low, high = -tree.best_response(policy, 1), tree.best_response(policy, 0)
        yield YardstickRow(section, f"{name}, value to the first player", (low + high) / 2,
                           f"proven: {low:.4f} to {high:.4f}", f"{figure:.4f}", (figure - margin, figure + margin))


def pennies(section: str, seeds: int) -> Iterator[YardstickRow]:
    """Measure EXP3 in matching pennies: each seat's share of the first move, for every seed."""
    decider = Decider("mo", 20_000, bids="exp3", bid_explore=0.1)
    for seat in (0, 1):
        state = Matrix(MatrixOptions(matrix="pennies")).initial_state()
        if seat == 1:
            state.apply(0)
        shares = [decider.decide(state.view(seat), derive(406, seat, seed)).shares[0] for seed in range(seeds)]
        for word, share in (("lowest", min(shares)), ("highest", max(shares))):
            yield YardstickRow(section, f"matching pennies, seat {seat}, {word} share of the first move", share,
                               f"of {seeds} seeds", ".377 to .449", (0.34, 0.46))


def random_games(section: str, games: int) -> YardstickRow:
    """Measure random against random in phantom tic-tac-toe: the score of X."""
    rng = Random(derive(649))
    start = make(PHANTOM)
    score, half = interval([start.clone().random_playout(rng)[0][0] for _ in range(games)])
    margin = 0.0005 + SURE * half       # the expected figure has three digits
    return YardstickRow(section, "phantom tic-tac-toe, random play, X", score, f"+- {half:.4f}", "0.649",
                        (0.649 - margin, 0.649 + margin))


DECISIONS = 8                           # approximate number of decisions in a game of phantom tic-tac-toe
LONG = 5_000                            # iterations from which a match has only a quarter of the games


@dataclass(frozen=True)
class YardstickEffort:
    """The effort of a run."""

    seeds: int
    games: int
    most: int                           # iterations of the longest searches

    def seeds_of(self, plan: Exploited) -> int:
        """Return the number of seeds of a row: fewer for long searches in a game with many information sets."""
        if plan.game == "kuhn_poker" or plan.decider.iterations <= 1_000:
            return self.seeds
        return max(1, self.seeds // 2) if plan.decider.iterations <= 10_000 else 1

    def games_of(self, plan: YardstickMatch) -> int:
        """Return the number of games of a match."""
        return self.games // 4 if plan.first.iterations >= LONG else self.games

    def iterations(self, plan: Exploited | YardstickMatch) -> int:
        """Return the approximate number of iterations of a row."""
        if isinstance(plan, Exploited):
            searched = sum(len(info.moves) > 1 for info in tree_of(plan.game).sets.values())
            return searched * plan.decider.iterations * self.seeds_of(plan)
        return self.games_of(plan) * DECISIONS // 2 * (plan.first.iterations + plan.second.iterations)


def truths(parallel: Parallel, effort: YardstickEffort) -> Iterator[YardstickRow]:
    """Yield the rows of section 4.6 that are not policies of a search."""
    yield from uniform("4.6")
    yield from game_values("4.6")
    yield from pennies("4.6", 4 * effort.seeds)
    yield random_games("4.6", 100 * effort.games)


SECTIONS = ("truths", "exploitability", "goofspiel", "phantom")


def plans(section: str, effort: YardstickEffort, part: str = "") -> list[Exploited | YardstickMatch]:
    """Return the plans of a section within the effort, for the rows whose names contain `part`."""
    made: dict[str, list[Exploited] | list[YardstickMatch]] = {
        "exploitability": poker(), "goofspiel": goofspiel(), "phantom": matches()}
    return [plan for plan in made.get(section, [])
            if part in title_of(plan)
            and ((plan.decider if isinstance(plan, Exploited) else plan.first).iterations <= effort.most
                 or (isinstance(plan, Exploited) and plan.game == "kuhn_poker"))]


def rows(section: str, parallel: Parallel, effort: YardstickEffort, part: str = "") -> Iterator[YardstickRow]:
    """Measure a section, or its rows whose names contain `part`."""
    if section == "truths" and not part:
        yield from truths(parallel, effort)
    number = {"goofspiel": "1.18"}.get(section, "1.9")
    for plan in plans(section, effort, part):
        if isinstance(plan, Exploited):
            yield from exploited(parallel, number, plan, effort.seeds_of(plan))
        else:
            yield played(parallel, number, plan, effort.games_of(plan))


def speed() -> float:
    """Return the iterations per second of one process, measured over three pairs of games."""
    decider = Decider("so", 200)
    started = time.perf_counter()
    for number in range(3):
        pair_score(PHANTOM, decider, decider, 1, number)
    return 3 * 2 * DECISIONS * decider.iterations / (time.perf_counter() - started)


@command
def yardsticks(*, only: Annotated[Sequence[Literal["truths", "exploitability", "goofspiel", "phantom"]],
                                  "measure this section (may be repeated)"] = (),
               row: Annotated[str, "only rows whose names contain this: 'MO - SO'"] = "",
               seeds: Annotated[int, "seeds of policies; half if searches are long"] = 4,
               games: Annotated[int, "games of a match; a quarter if searches are long"] = 1000, jobs: int = 2,
               quick: Annotated[bool, "2 seeds, 100 games, searches up to 1,000 iterations (Kuhn poker excepted)"
                                ] = False) -> int:
    """Measure the search against expected figures: exploitability in chips, scores of matches. Takes an hour or two.

    yardsticks --quick                  takes about three minutes
    yardsticks
    yardsticks --only phantom --games 2000 --jobs 4
    yardsticks --only phantom --row "MO - SO"

    Every row shows our figure, its spread, the expected figure, and whether they agree; see docs/measure/yardsticks.md.
    The exit code is 1 if any row disagrees. Budgets are iterations and seeds are fixed, so the same arguments give
    the same table.
    """
    if games < 8:
        raise refused("at least 8 games are needed")
    effort = YardstickEffort(2, 100, 1_000) if quick else YardstickEffort(seeds, games, 50_000)
    chosen = [section for section in SECTIONS if not only or section in only]
    work = sum(effort.iterations(plan) for section in chosen for plan in plans(section, effort, row))
    print(f"about {work / 1e6:.0f} million iterations: {work / speed() / jobs / 60:.0f} minutes", file=sys.stderr)
    print_head("section", "row", "ours", "spread", "expected", "accepted", "verdict")
    started, measured, missed = time.perf_counter(), 0, 0
    with Parallel(n_jobs=jobs) as parallel:
        for section in chosen:
            for found in rows(section, parallel, effort, row):
                print(found, flush=True)
                measured += 1
                missed += not found.ok
    print(f"\n{measured} rows, {missed} not ok; {(time.perf_counter() - started) / 60:.0f} minutes", flush=True)
    return 1 if missed else 0


# ---- searches for parameters ----------------------------------------------------------------------------


SETTINGS = ((20, 0.11), (60, 0.11), (60, 0.06))     # trials, standard error of a trial: about 10, 10 and 30 games
FINALISTS = 4
_GRID = 9               # number of values that replace a range for NTBEA, which does not support ranges
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
    """Return the loss of choosing the luckiest trial, the best by estimate and the best of four, and the coverage."""
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


@command
def tuning(*names: Literal["even", "tpe", "ntbea"], searches: int = 100, seed: int = 1) -> None:
    """Measure what searches for parameters lose against the best point of known functions, in % of wins. An hour.

    tuning
    tuning --searches 60 tpe even ntbea

    Compares values drawn evenly, the tree-structured Parzen estimator that `sfida tune` asks, and the N-tuple bandit
    evolutionary algorithm (Lucas, Liu and Perez-Liebana, 2018), at the same number of trials with noisy results; and
    two ways to choose from what was tried: the luckiest trial, and the estimates that all trials make together.
    """
    print_head("parameters", "trials", "error", "search", "luckiest", "by estimates", "best of four", "held")
    for truth, over in FUNCTIONS:
        for trials, error in SETTINGS:
            for name in names or SEARCHES:
                found = np.array([measure(name, truth, over, trials, error, seed + number)
                                  for number in range(searches)])
                mean, half = 100 * found.mean(axis=0), 196 * found.std(axis=0) / np.sqrt(len(found))
                print_row(over.count(",") + 1, trials, f"{100 * error:.0f} %", name,
                          *(f"{mean[i]:.1f} ±{half[i]:.1f}" for i in range(3)), f"{mean[3]:.0f} %")
