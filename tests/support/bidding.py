"""Learning of simultaneous bids, written plainly: a second implementation for comparison with the search.

References
----------
M. Lanctot, V. Lisy, M. Winands, "Monte Carlo tree search in simultaneous move games with applications to
Goofspiel", CCIS 408 (2014); P. Auer et al., "The nonstochastic multiarmed bandit problem" (2002), for EXP3.
"""

from __future__ import annotations

import math
import random

from support.exploitability import TERMINAL, Node


class Bidder:
    """One seat's choice between k bids, learned by EXP3.

    Parameters
    ----------
    k : int
    explore : float
        Share of uniform exploration.
    """

    def __init__(self, k: int, explore: float) -> None:
        self.explore = explore
        self.sums = [0.0] * k           # estimated rewards
        self.average = [0.0] * k
        self.chosen, self.chance = 0, 1.0

    def strategy(self) -> list[float]:
        """Return the current strategy, without exploration."""
        k = len(self.sums)
        weights = [math.exp(self.explore / k * (x - max(self.sums))) for x in self.sums]
        total = sum(weights)
        return [weight / total for weight in weights]

    def choose(self, rng: random.Random) -> int:
        """Draw a bid from the strategy mixed with exploration, and add the strategy to the average."""
        k, strategy = len(self.sums), self.strategy()
        self.average = [a + b for a, b in zip(self.average, strategy, strict=True)]
        mixed = [(1 - self.explore) * x + self.explore / k for x in strategy]
        self.chosen = rng.choices(range(k), mixed)[0]
        self.chance = mixed[self.chosen]
        return self.chosen

    def learn(self, reward: float) -> None:
        """Add the reward of the drawn bid, divided by its probability."""
        self.sums[self.chosen] += reward / self.chance


def learned_bids(root: Node, iterations: int, explore: float, seed: int) -> list[list[float]]:
    """Search a game of simultaneous bids, each written as seat 0's move and then seat 1's.

    Parameters
    ----------
    root : Node
        Node at which seat 0 chooses; payoffs are -1 to 1.
    iterations : int
    explore : float
        See `Bidder`.
    seed : int

    Returns
    -------
    list of list of float
        Average strategy of each seat at the root.
    """
    rng = random.Random(seed)
    known: dict[int, tuple[Bidder, Bidder]] = {}
    for _ in range(iterations):
        node, fresh = root, False
        path: list[tuple[Bidder, Bidder]] = []
        while node.actor != TERMINAL and not fresh:
            fresh = id(node) not in known and node is not root
            if id(node) not in known:
                known[id(node)] = (Bidder(len(node.children), explore),
                                   Bidder(len(node.children[0].children), explore))
            if not fresh:
                bidders = known[id(node)]
                path.append(bidders)
                node = node.children[bidders[0].choose(rng)].children[bidders[1].choose(rng)]
        while node.actor != TERMINAL:
            node = rng.choice(node.children)
        for bidders in path:
            for seat, bidder in enumerate(bidders):
                bidder.learn((1 + node.payoff[seat]) / 2)
    return [[x / sum(bidder.average) for x in bidder.average] for bidder in known[id(root)]]
