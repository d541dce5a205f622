"""One step of a belief: advance every world to what the seat saw next, and weight it by the probability of that."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfida.ai.beliefs.policy import PolicyModel, softened
from sfida.ai.beliefs.weighing import Weights, pick
from sfida.ai.observation import Observation
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import GameState, View

_CHANCE, _TERMINAL = -1, -4
_MOST_UNSEEN = 1000             # most successive events of which a seat sees nothing


@dataclass(frozen=True)
class Continuations:
    """The possible next events of a world that are consistent with what was seen.

    Attributes
    ----------
    worlds : tuple of GameState
        The world after each consistent event.
    arrived : tuple of bool
        Whether it is the event that was seen; after an unseen one more must follow.
    edges : ndarray, shape (n,)
        Cumulative shares of the events; the last is 1.
    factor : float
        Factor for the weight of the world.
    """

    worlds: tuple[GameState, ...]
    arrived: tuple[bool, ...]
    edges: Weights
    factor: float


class Forward:
    """Advances worlds to one observation, or to the position that the seat sees now.

    Worlds are never changed, only copied, so one object may stand for any number of equal particles; each is
    expanded once.

    Parameters
    ----------
    seat : int
        The seat that has the belief.
    event : Observation or None
        What was seen; None: nothing more until `view`.
    view : View
        What the seat sees after it.
    policy : PolicyModel
        Model of the other seats.
    explore, tau : float
        As in `BeliefOptions`.
    seed : int
        Seed of the model's random choices, which depend only on it and on the modelled seat's view.
    """

    def __init__(self, seat: int, event: Observation | None, view: View, policy: PolicyModel, explore: float,
                 tau: float, seed: int) -> None:
        self._seat = seat
        self._event = event
        self._key = view.key()
        self._policy = policy
        self._explore = explore
        self._tau = tau
        self._seed = seed
        self._models: dict[bytes, list[float]] = {}

    def lead(self, worlds: Sequence[GameState], weights: Weights, rng: Random) -> tuple[list[GameState], Weights]:
        """Return the consistent worlds, advanced, and their new weights (not normalized).

        A world is advanced by one consistent event, drawn in proportion; equal worlds share one random number, spread
        evenly, so that they split as nearly in proportion as their number allows.
        """
        found: list[GameState] = []
        found_weights: list[float] = []
        pending = list(zip(worlds, weights.tolist(), strict=True))
        for _ in range(_MOST_UNSEEN):
            if not pending:
                break
            equal: dict[int, list[int]] = {}
            for index, (world, _weight) in enumerate(pending):
                equal.setdefault(id(world), []).append(index)
            further: list[tuple[GameState, float]] = []
            for members in equal.values():
                options = self._open(pending[members[0]][0])
                if options is None:
                    continue
                start = rng.uniform()
                for place, index in enumerate(members):
                    choice = pick(options.edges, (start + place / len(members)) % 1.0)
                    weight = pending[index][1] * options.factor
                    if weight == 0.0:       # too small for a float
                        continue
                    if options.arrived[choice]:
                        found.append(options.worlds[choice])
                        found_weights.append(weight)
                    else:
                        further.append((options.worlds[choice], weight))
            pending = further
        return found, np.asarray(found_weights, dtype=np.float64)

    def _open(self, world: GameState) -> Continuations | None:
        """Return the continuations of a world, or None if it is inconsistent."""
        actor = world.to_move
        if self._event is None and world.view(self._seat).key() == self._key:
            return _certain(world)
        if actor == _TERMINAL:
            return None
        if actor == self._seat:
            return self._own_move(world)
        if actor == _CHANCE:
            outcomes = world.chance_outcomes()
            moves = [code for code, _ in outcomes]
            chances = [float(weight) for _, weight in outcomes]
        else:
            moves = world.legal_moves()
            chances = self._model(world, actor, moves)
        after, arrived, shares = [], [], []
        for move, chance in zip(moves, chances, strict=True):
            if chance <= 0.0:
                continue
            child = world.clone()
            child.apply(move)
            label = child.label(self._seat)
            if label == 0 or self._is_seen(child, actor, label):
                after.append(child)
                arrived.append(label != 0)
                shares.append(chance)
        if not after:
            return None
        edges = np.cumsum(shares)
        mass = float(edges[-1]) / sum(chances)
        return Continuations(tuple(after), tuple(arrived), edges / edges[-1],
                             mass if actor == _CHANCE else mass**self._tau)

    def _own_move(self, world: GameState) -> Continuations | None:
        """Play the seat's own move: it gives the seat no new information."""
        event = self._event
        if event is None or event.move is None or event.move not in world.legal_moves():
            return None
        child = world.clone()
        child.apply(event.move)
        return _certain(child) if self._is_seen(child, self._seat, child.label(self._seat)) else None

    def _is_seen(self, child: GameState, actor: int, label: int) -> bool:
        """Return whether the world after an event shows the seat exactly what it saw."""
        return (self._event is not None and self._event.actor == actor and self._event.label == label
                and child.view(self._seat).key() == self._key)

    def _model(self, world: GameState, actor: int, moves: list[int]) -> list[float]:
        """Return the probability that the actor plays each move, given what it sees in that world."""
        view = world.view(actor)
        key = view.key()
        if key not in self._models:
            stream = int.from_bytes(hashlib.blake2b(key, digest_size=8).digest(), "little")
            model = self._policy(view, Random(derive(self._seed, stream)))
            self._models[key] = softened(model, moves, self._explore)
        return self._models[key]


def _certain(world: GameState) -> Continuations:
    return Continuations((world,), (True,), np.ones(1), 1.0)
