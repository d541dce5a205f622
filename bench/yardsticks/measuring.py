"""Rows of the table, measured on several processes."""

from __future__ import annotations

from collections.abc import Iterator

from joblib import Parallel, delayed

from bench.yardsticks.plan import Exploited, Match
from bench.yardsticks.row import SURE, Row, of_match, over_seeds
from sfida.cython_ext.rng import Random, derive
from sfida.engines.registry import make
from support.deciders import Decider
from support.equilibrium import equilibrium
from support.hidden_toys import Matrix, MatrixOptions
from support.measures import Table, interval, pair_score, policies, tree_of

PHANTOM = "phantom_tic_tac_toe"
PARTS = 8                               # portions per process into which a decider's information sets are split


def name_of(decider: Decider) -> str:
    """Return the name of a decider in the table."""
    if decider.kind == "mo" and decider.bids != "ucb":
        return decider.bids
    return {"so": "SO", "mo": "MO" if decider.keyed else "MO unkeyed", "pimc": f"PIMC({decider.worlds})"}.get(
        decider.kind, decider.kind)


def title_of(plan: Exploited | Match) -> str:
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


def exploited(parallel: Parallel, section: str, plan: Exploited, seeds: int) -> Iterator[Row]:
    """Measure the exploitability of both policies that a decider makes."""
    tree = tree_of(plan.game)
    pairs = [whole_policies(parallel, plan.game, plan.decider, seed) for seed in range(seeds)]
    row = title_of(plan)
    mixed = "average" if plan.decider.bids != "ucb" else "mixed"
    yield over_seeds(section, f"{row}, {mixed}", [tree.exploitability(pair[0]) for pair in pairs], plan.mixed)
    if plan.argmax is not None:
        yield over_seeds(section, f"{row}, argmax", [tree.exploitability(pair[1]) for pair in pairs], plan.argmax)


def played(parallel: Parallel, section: str, plan: Match, games: int) -> Row:
    """Measure the score of a match, over pairs of games."""
    scores = parallel(delayed(pair_score)(PHANTOM, plan.first, plan.second, 0, pair) for pair in range(games // 2))
    return of_match(section, title_of(plan), interval(scores), (plan.score, plan.half_width))


def uniform(section: str) -> Iterator[Row]:
    """Yield the exact figures of random play."""
    for name, value in (("kuhn_poker", 11 / 24), ("leduc_poker", 2.3736), ("goofspiel", 0.75)):
        tree = tree_of(name)
        exact = (value - 5e-5, value + 5e-5)
        yield Row(section, f"{name}, uniform", tree.exploitability(tree.uniform()), "exact", f"{value:.4g}", exact)


def game_values(section: str) -> Iterator[Row]:
    """Yield the values of the games, bounded by best responses to a policy close to equilibrium."""
    for name, rounds, figure, margin in (("kuhn_poker", 1000, -1 / 18, 5e-4), ("leduc_poker", 1000, -0.086, 1e-3)):
        tree = tree_of(name)
        policy = equilibrium(tree, rounds)
        low, high = -tree.best_response(policy, 1), tree.best_response(policy, 0)
        yield Row(section, f"{name}, value to the first player", (low + high) / 2, f"proven: {low:.4f} to {high:.4f}",
                  f"{figure:.4f}", (figure - margin, figure + margin))


def pennies(section: str, seeds: int) -> Iterator[Row]:
    """Measure EXP3 in matching pennies: how often each seat plays its first move, for every seed."""
    decider = Decider("mo", 20_000, bids="exp3", bid_explore=0.1)
    for seat in (0, 1):
        state = Matrix(MatrixOptions(matrix="pennies")).initial_state()
        if seat == 1:
            state.apply(0)
        shares = [decider.decide(state.view(seat), derive(406, seat, seed)).shares[0] for seed in range(seeds)]
        for word, share in (("lowest", min(shares)), ("highest", max(shares))):
            yield Row(section, f"matching pennies, seat {seat}, {word} share of the first move", share,
                      f"of {seeds} seeds", ".377 to .449", (0.34, 0.46))


def random_games(section: str, games: int) -> Row:
    """Measure random against random in phantom tic-tac-toe: the score of X."""
    rng = Random(derive(649))
    start = make(PHANTOM)
    score, half = interval([start.clone().random_playout(rng)[0][0] for _ in range(games)])
    margin = 0.0005 + SURE * half       # the expected figure has three digits
    return Row(section, "phantom tic-tac-toe, random play, X", score, f"+- {half:.4f}", "0.649",
               (0.649 - margin, 0.649 + margin))
