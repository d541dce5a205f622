"""Beliefs about lasting secrets, which are kept when the worlds that held them are dropped."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sfida.ai.beliefs.weighing import Weights
from sfida.cython_ext.state import GameState


class LastingTypes:
    """Probabilities of the other seats' private types, seat by seat, in a weighted set of worlds.

    When a hidden card is shown, every world that has it elsewhere is dropped, whatever these worlds have learnt about
    a hidden objective. New worlds are therefore weighted by the earlier beliefs about types: by the product over the
    seats of ``(trust * belief + (1 - trust) * share) / share``, where `share` is the type's share of the new worlds.

    Parameters
    ----------
    worlds : sequence of GameState
    weights : ndarray, shape (n,)
        Weights of the worlds, 0 or more.
    seat : int
        The seat that has the belief; it knows its own type.
    trust : float
        0 to 1; with 1 a type that no world had stays impossible.

    Attributes
    ----------
    known : bool
        Whether the game has such types.
    """

    def __init__(self, worlds: Sequence[GameState], weights: Weights, seat: int, trust: float) -> None:
        self._trust = trust
        self._beliefs: dict[int, dict[str, float]] = {}
        if worlds:
            players = worlds[0].game.players
            self._beliefs = {i: found for i in range(players) if i != seat and (found := _shares(worlds, weights, i))}
        self.known: bool = bool(self._beliefs)

    def weigh(self, worlds: Sequence[GameState]) -> Weights:
        """Return a weight, 0 or more, for each of some worlds from the determinizer; 1 each if all would be 0."""
        weights = np.ones(len(worlds))
        for seat, belief in self._beliefs.items():
            shares = _shares(worlds, np.ones(len(worlds)), seat)
            for index, world in enumerate(worlds):
                name = world.game.private_type(world, seat)
                if name is not None:
                    weights[index] *= self._trust * belief.get(name, 0.0) / shares[name] + 1.0 - self._trust
        return weights if weights.any() else np.ones(len(worlds))


def _shares(worlds: Sequence[GameState], weights: Weights, seat: int) -> dict[str, float]:
    """Return the probability of each type of a seat; empty if it has none."""
    found: dict[str, float] = {}
    for world, weight in zip(worlds, weights.tolist(), strict=True):
        name = world.game.private_type(world, seat)
        if name is not None:
            found[name] = found.get(name, 0.0) + weight
    whole = sum(found.values())
    return {name: weight / whole for name, weight in found.items()} if whole > 0.0 else {}
