"""The beliefs of one agent, for every seat that it plays."""

from __future__ import annotations

from sfida.ai.beliefs.options import BeliefOptions
from sfida.ai.beliefs.particles import ParticleFilter
from sfida.ai.beliefs.policy import PolicyModel
from sfida.ai.observation import Observation
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import GameState, View

_FILTER, _BAG = range(2)                # first key word of its random streams


class Beliefs:
    """One filter per seat, brought up to date when a decision needs it.

    Observations wait until then, so that they cost nothing between decisions, their time counts as the deciding
    agent's, and all random choices come from the seeds of decisions.

    Parameters
    ----------
    options : BeliefOptions, optional
    policy : PolicyModel, optional
        Model of the other seats; the default is `HeuristicPolicy`.
    """

    def __init__(self, options: BeliefOptions | None = None, policy: PolicyModel | None = None) -> None:
        self.options: BeliefOptions = options if options is not None else BeliefOptions()
        self._policy = policy
        self._filters: dict[int, ParticleFilter] = {}
        self._waiting: dict[int, list[Observation]] = {}
        self._seed: int | None = None

    def new_game(self, seed: int | None = None) -> None:
        """Forget everything; `seed` is for the filters in the coming game, by default that of their first decision."""
        self._filters.clear()
        self._waiting.clear()
        self._seed = seed

    def observe(self, event: Observation) -> None:
        """Note what a seat saw."""
        self._waiting.setdefault(event.seat, []).append(event)

    def filter(self, seat: int, seed: int) -> ParticleFilter:
        """Return the filter of a seat, up to date.

        Parameters
        ----------
        seat : int
        seed : int
            Seed of the filter if it is asked for the first time in a game and `new_game` was given no seed.
        """
        if seat not in self._filters:
            own = seed if self._seed is None else self._seed
            self._filters[seat] = ParticleFilter(seat, self.options, derive(own, _FILTER), self._policy)
        found = self._filters[seat]
        for event in self._waiting.pop(seat, ()):
            found.observe(event)
        return found

    def worlds(self, view: View, n: int, seed: int) -> list[GameState]:
        """Return n equally weighted worlds that agree with a view; see `ParticleFilter.worlds`.

        Parameters
        ----------
        view : View
        n : int
        seed : int
            Seed of this decision.
        """
        return self.filter(view.seat, seed).worlds(view, n, Random(derive(seed, _BAG)))
