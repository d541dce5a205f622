"""Approximate equilibria of small two-player zero-sum games, by counterfactual regret minimization (CFR+).

References
----------
O. Tammelin, "Solving large imperfect information games using CFR+", arXiv 1407.5042 (2014).
"""

from __future__ import annotations

from support.exploitability import CHANCE, TERMINAL, GameTree, Node


def equilibrium(tree: GameTree, rounds: int) -> dict[bytes, list[float]]:
    """Return the average policy of CFR+.

    Parameters
    ----------
    tree : GameTree
    rounds : int
        Passes over the tree for each seat; later policies weigh more, in proportion to their number.
    """
    regrets = {key: [0.0] * len(info.moves) for key, info in tree.sets.items()}
    sums = {key: [0.0] * len(info.moves) for key, info in tree.sets.items()}
    for weight in range(1, rounds + 1):
        for seat in (0, 1):
            policy = {key: _normal([max(0.0, regret) for regret in row]) for key, row in regrets.items()}
            gains = {key: [0.0] * len(row) for key, row in regrets.items() if tree.sets[key].seat == seat}
            _walk(tree.root, seat, 1.0, weight, policy, gains, sums)
            for key, row in gains.items():
                regrets[key] = [max(0.0, old + new) for old, new in zip(regrets[key], row, strict=True)]
    return {key: _normal(row) for key, row in sums.items()}


def _walk(node: Node, seat: int, others: float, own: float, policy: dict[bytes, list[float]],
          gains: dict[bytes, list[float]], sums: dict[bytes, list[float]]) -> float:
    """Return the payoff of `seat`; add its regrets, weighted by the reach probability of luck and the other seat."""
    if node.actor == TERMINAL:
        return node.payoff[seat]
    if node.actor != seat:
        chances = node.chances if node.actor == CHANCE else policy[node.key]
        return sum(chance * _walk(child, seat, others * chance, own, policy, gains, sums)
                   for chance, child in zip(chances, node.children, strict=True))
    chances, total = policy[node.key], sums[node.key]
    values = [_walk(child, seat, others, own * chance, policy, gains, sums)
              for chance, child in zip(chances, node.children, strict=True)]
    value = sum(chance * worth for chance, worth in zip(chances, values, strict=True))
    row = gains[node.key]
    for i, chance in enumerate(chances):
        row[i] += others * (values[i] - value)
        total[i] += own * chance
    return value


def _normal(row: list[float]) -> list[float]:
    total = sum(row)
    return [x / total for x in row] if total else [1 / len(row)] * len(row)
