"""What a belief says of secrets that last: it outlives the worlds that said so."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sfida.ai.beliefs.weighing import Weights
from sfida.cython_ext.state import GameState


class LastingTypes:
    """Probabilities of the other seats' private types, seat by seat, in a weighted set of worlds.

    A hidden card that is shown kills every world that has it elsewhere, whatever these worlds have learnt of a hidden
    objective. New worlds are therefore weighed by the types that were believed before: by the product over the seats
    of ``(trust * belief + (1 - trust) * share) / share`` with `share` the type's share of the new worlds.

    Parameters
    ----------
    worlds : sequence of GameState
    weights : ndarray, shape (n,)
        Of the worlds, 0 or more.
    seat : int
        Whose belief it is; its own type is no secret to it.
    trust : float
        0 to 1; 1 leaves a type that no world had impossible.

    Attributes
    ----------
    known : bool
        Whether the game has such types at all.
    """

    def __init__(self, worlds: Sequence[GameState], weights: Weights, seat: int, trust: float) -> None:
        self._trust = trust
        self._beliefs: dict[int, dict[str, float]] = {}
        if worlds:
            players = worlds[0].game.players
            self._beliefs = {i: found for i in range(players) if i != seat and (found := _shares(worlds, weights, i))}
        self.known = bool(self._beliefs)

    def weigh(self, worlds: Sequence[GameState]) -> Weights:
        """Return a weight, 0 or more, for each of some worlds drawn from the determinizer; 1 each if none has any."""
        weights = np.ones(len(worlds))
        for seat, belief in self._beliefs.items():
            shares = _shares(worlds, np.ones(len(worlds)), seat)
            for index, world in enumerate(worlds):
                name = world.game.private_type(world, seat)
                if name is not None:
                    weights[index] *= self._trust * belief.get(name, 0.0) / shares[name] + 1.0 - self._trust
        return weights if weights.any() else np.ones(len(worlds))


def _shares(worlds: Sequence[GameState], weights: Weights, seat: int) -> dict[str, float]:
    """Return the probability of each type of a seat; empty where it has none."""
    found: dict[str, float] = {}
    for world, weight in zip(worlds, weights.tolist(), strict=True):
        name = world.game.private_type(world, seat)
        if name is not None:
            found[name] = found.get(name, 0.0) + weight
    whole = sum(found.values())
    return {name: weight / whole for name, weight in found.items()} if whole > 0.0 else {}
