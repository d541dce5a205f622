"""Measure how far to trust a model of the opponent: its gain against the player that it describes, and its cost.

    python bench/beliefs.py                             (about two minutes)
    python bench/beliefs.py --iterations 5000 --seeds 4 --slope 1.5

In Leduc poker a player whose policy is known is modelled by exactly that policy. The search decides at every
information set, with worlds drawn from the game's determinizer (base) or from a belief that uses the model more or
less sharply. The printed figures of the resulting policies are exact, in chips per hand and as means over both
seats: the gain over base against the modelled player, and the exploitability by any player. The policy is the shares
of visits (mixed) or the most visited move (argmax).
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from sfida.ai.beliefs import BeliefOptions, ParticleFilter
from sfida.ai.seat import observations
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.search.search import Search
from sfida.cython_ext.state import GameState, View
from sfida.engines.registry import make_game
from support.exploitability import GameTree

FOLD, CALL, RAISE = 0, 1, 2
GAME = make_game("leduc_poker")
BELIEFS = {
    "base": None,
    "default (e=.5, tau=.7, fresh=.1)": BeliefOptions(),
    "soft (e=.5, tau=1)": BeliefOptions(explore=0.5, tau=1.0, fresh=0.0),
    "sharp (e=.05, tau=1)": BeliefOptions(explore=0.05, tau=1.0, fresh=0.0),
}


class ByStrength:
    """The modelled player: the better its hand, the more likely it raises and the less likely it folds.

    Parameters
    ----------
    slope : float
        Log odds of raising versus calling with the best hand, and of folding versus calling with the worst one.
    """

    def __init__(self, slope: float) -> None:
        self.slope = slope

    def __call__(self, view: View, rng: Random) -> dict[int, float]:
        """Return the probability of each legal move."""
        seen = view.observation()
        hand = 1.0 if seen["card"] == seen["shared"] else "JQK".index(seen["card"]) / (2 if not seen["shared"] else 3)
        lean = self.slope * (2 * hand - 1)
        weights = {FOLD: math.exp(-lean), CALL: 1.0, RAISE: math.exp(lean)}
        moves = view.legal_moves()
        whole = sum(weights[move] for move in moves)
        return {move: weights[move] / whole for move in moves}


def histories(state: GameState, played: tuple[int, ...] = ()) -> dict[bytes, tuple[int, ...]]:
    """Return for every information set the moves of one history that leads to it; all look alike to its seat."""
    if state.is_over:
        return {}
    found = {} if state.is_chance else {state.view(state.to_move).key(): played}
    for move in state.legal_moves():
        child = state.clone()
        child.apply(move)
        for key, moves in histories(child, (*played, move)).items():
            found.setdefault(key, moves)
    return found


def searched(tree: GameTree, ways: Mapping[bytes, tuple[int, ...]], options: BeliefOptions | None, model: ByStrength,
             iterations: int, c: float, seed: int) -> tuple[dict[bytes, list[float]], dict[bytes, list[float]]]:
    """Search at every information set; return the policy of visit shares and that of the best moves."""
    mixed, argmax = {}, {}
    for number, (key, info) in enumerate(tree.sets.items()):
        worlds = None
        if options is not None:
            belief = ParticleFilter(info.seat, options, derive(seed, 1, number), model)
            for event in observations(GAME, ways[key], info.seat):
                belief.observe(event)
            worlds = belief.worlds(info.view, options.particles, Random(derive(seed, 2, number)))
        search = Search(info.view, seed=derive(seed, number), c=c, worlds=worlds, decisive=False)
        search.run(iterations=iterations)
        visits = {move: n for move, n, *_ in search.root()}
        counts = [visits.get(move, 0) for move in info.moves]
        mixed[key] = [n / sum(counts) for n in counts]
        argmax[key] = [float(i == counts.index(max(counts))) for i in range(len(counts))]
    return mixed, argmax


def winnings(tree: GameTree, policy: Mapping[bytes, list[float]], other: Mapping[bytes, list[float]]) -> float:
    """Return what a policy wins per hand from another, as the mean over both seats."""
    total = 0.0
    for seat in (0, 1):
        both = {key: (policy if info.seat == seat else other)[key] for key, info in tree.sets.items()}
        total += tree.value(both) * (1 - 2 * seat)
    return total / 2


def main() -> None:
    """Print one row per belief."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--iterations", type=int, default=2000, help="per decision")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--particles", type=int, default=256)
    parser.add_argument("--slope", type=float, default=3.0, help="how much the modelled player's moves reveal")
    parser.add_argument("--c", type=float, default=0.4, help="exploration constant")
    args = parser.parse_args()
    tree, ways, model = GameTree(GAME.initial_state()), histories(GAME.initial_state()), ByStrength(args.slope)
    modelled = {}
    for key, info in tree.sets.items():
        chances = model(info.view, Random(0))
        modelled[key] = [chances[move] for move in info.moves]
    print(f"{args.iterations} iterations, {args.seeds} seeds; the modelled player's own exploitability is "
          f"{tree.exploitability(modelled):.3f}")
    print(f"{'belief':34} {'gain mixed':>10} {'argmax':>8}  {'exploitability mixed':>20} {'argmax':>8}   seconds")
    base: list[list[float]] = []
    for name, options in BELIEFS.items():
        started = time.perf_counter()
        chosen = None if options is None else replace(options, particles=args.particles)
        pairs = [searched(tree, ways, chosen, model, args.iterations, args.c, seed) for seed in range(args.seeds)]
        won = [[winnings(tree, policy, modelled) for policy in pair] for pair in pairs]
        lost = [[tree.exploitability(policy) for policy in pair] for pair in pairs]
        base = base or won
        gains = [statistics.mean(new[i] - old[i] for new, old in zip(won, base, strict=True)) for i in (0, 1)]
        risks = [statistics.mean(pair[i] for pair in lost) for i in (0, 1)]
        print(f"{name:34} {gains[0]:+10.3f} {gains[1]:+8.3f}  {risks[0]:20.3f} {risks[1]:8.3f}   "
              f"{time.perf_counter() - started:7.0f}", flush=True)


if __name__ == "__main__":
    main()
