"""Measures of a decider: its policy for a whole game, and its score in matches."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from functools import cache

from sfida.cython_ext.rng import derive
from sfida.cython_ext.state import GameState
from sfida.engines.registry import make
from support.deciders import Decider
from support.exploitability import GameTree

Table = dict[bytes, list[float]]        # probability of each move by information set


def won_and_lost(end: GameState) -> list[float]:
    """Return payoffs that count a won game 1, a drawn one 0 and a lost one -1."""
    return [2 * share - 1 for share in end.utilities() or ()]


@cache
def tree_of(name: str) -> GameTree:
    """Return the whole tree of an example game; payoffs are chips in poker, games won minus games lost elsewhere."""
    return GameTree(make(name), None if name.endswith("poker") else won_and_lost)


def policies(name: str, decider: Decider, seed: int, part: int = 0, parts: int = 1) -> tuple[Table, Table]:
    """Decide independently at every information set.

    Parameters
    ----------
    name : str
        The game.
    decider : Decider
    seed : int
    part, parts : int
        Only every `parts`-th information set, beginning with number `part`.

    Returns
    -------
    tuple of dict
        The policy that plays the decider's shares ("mixed") and the policy of its most visited moves ("argmax").
    """
    mixed, argmax = {}, {}
    for number, (key, info) in enumerate(tree_of(name).sets.items()):
        if number % parts == part:
            decision = decider.decide(info.view, derive(seed, number))
            mixed[key] = [decision.shares.get(move, 0.0) for move in info.moves]
            argmax[key] = [float(move == decision.best) for move in info.moves]
    return mixed, argmax


def pair_score(name: str, first: Decider, second: Decider, seed: int, number: int) -> float:
    """Play two games with the same seeds and swapped seats; return the mean score of `first`, 0 to 1."""
    total = 0.0
    for swapped in (0, 1):
        state = make(name)
        ply = 0
        while not state.is_over:
            who = state.to_move ^ swapped
            state.apply((first, second)[who].move(state, derive(seed, number, who, ply)))
            ply += 1
        total += (state.utilities() or ())[swapped]
    return total / 2


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of independent values and the half width of its 95 % interval."""
    return statistics.mean(values), 1.96 * statistics.stdev(values) / math.sqrt(len(values))
