"""A particle filter over worlds: the belief of one seat, from what it has seen."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from sfida.ai.beliefs.forward import Forward
from sfida.ai.beliefs.lasting import LastingTypes
from sfida.ai.beliefs.options import BeliefOptions
from sfida.ai.beliefs.policy import HeuristicPolicy, PolicyModel
from sfida.ai.beliefs.weighing import Weights, effective_size, systematic
from sfida.ai.observation import Observation
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import GameState, View

_START, _EVENT, _MODEL = range(3)       # first key word of its random streams
_LEAST = 1 / 8                          # effective size, as a share of the particles, below which they are renewed
_CANDIDATES = 4                         # determinizations per new particle, chosen among by lasting secrets


class ParticleFilter:
    """Worlds that are possible for one seat, weighted by how well they explain what it saw.

    A particle is a complete state. At every observation it is advanced: unseen events are sampled (chance events by
    their true weights, other seats' moves by a model) until the event that was seen. Its weight is multiplied by the
    probability of what is consistent with the observation: at a chance event by the exact one, at a move of another
    seat by ``sum((1 - explore) * pi + explore / k) ** tau`` over the moves that look like the one seen. A world that
    cannot explain the observation, or in which the seat would see anything else, is dropped.

    The effective size is ``(sum w)**2 / sum w**2``. Below an eighth of the particles the belief is renewed: at q
    times an eighth, q from 0 to 1, the survivors keep q of all particles, by systematic resampling, and the rest are
    drawn from the game's determinizer; then all have the same weight. So a degenerate belief fades into the uniform
    one instead of resting on a few lucky guesses, at the price of forgetting some of what the moves have revealed.
    Beliefs about the seats' lasting secrets (`Game.private_type`) from before the event are kept: new worlds are
    chosen by them.

    In addition, `worlds` mixes in a share `fresh` of new determinizations. So no world that the rules allow is ever
    impossible, and no probability is wrong by more than that share because of it; the filter itself stays free of this
    mixture, so that it does not accumulate from event to event.

    If nothing is hidden, the filter keeps nothing and returns the position.

    Parameters
    ----------
    seat : int
        The seat that has the belief.
    options : BeliefOptions, optional
    seed : int
        Seed of every random choice: the same seed and observations give the same filter.
    policy : PolicyModel, optional
        Model of the other seats; the default is `HeuristicPolicy`.

    Attributes
    ----------
    ess : float
        Effective size right after the last event, before any renewal.
    alive : int
        Number of particles that explained the last event.
    renewed : int
        Number of particles that were drawn again after it.

    References
    ----------
    N. Gordon, D. Salmond, A. Smith, "Novel approach to nonlinear/non-Gaussian Bayesian state estimation" (1993).
    D. Rebstock, C. Solinas, M. Buro, N. Sturtevant, "Policy based inference in trick-taking card games" (2019).
    """

    def __init__(self, seat: int, options: BeliefOptions | None = None, seed: int = 0,
                 policy: PolicyModel | None = None) -> None:
        self.seat = seat
        self.options: BeliefOptions = options if options is not None else BeliefOptions()
        self.seed = seed
        self._policy: PolicyModel = policy if policy is not None else HeuristicPolicy(
            self.options.temperature, self.options.samples)
        self._worlds: list[GameState] | None = None
        self._weights: Weights = np.empty(0)
        self.ess: float = 0.0
        self.alive: int = 0
        self.renewed: int = 0

    def begin(self, view: View) -> None:
        """Start from a view, as if nothing were known of how it came about.

        Without this call the filter starts at the beginning of the game if it is told of the first event; if a later
        event comes first, it starts from the view after that.
        """
        self._check(view)
        count = self.options.particles if view.hidden else 0
        rng = Random(derive(self.seed, _START))
        self._start(_merged([view.sample(rng) for _ in range(count)]))

    def observe(self, event: Observation) -> None:
        """Update the belief by what the seat saw next.

        Raises
        ------
        ValueError
            If the event was observed by another seat.
        SfidaError
            If the model of the others gives no probabilities.
        """
        self._check(event.view)
        if self._worlds is None:
            if event.number > 0:
                self.begin(event.view)
                return
            origin = event.view.game.initial_state()
            self._start([origin] * (self.options.particles if event.view.hidden else 0))
        if not event.view.hidden:
            return
        assert self._worlds is not None
        rng = Random(derive(self.seed, _EVENT, event.number))
        worlds, weights = self._forward(event, event.view).lead(self._worlds, self._weights, rng)
        self.alive, self.ess, self.renewed = len(worlds), effective_size(weights), 0
        share = self.ess / (_LEAST * self.options.particles)
        if share < 1.0:
            self._renew(worlds, weights, share, event.view, rng)
        else:
            self._worlds, self._weights = _merged(worlds), weights / weights.sum()

    def worlds(self, view: View, n: int, rng: Random) -> list[GameState]:
        """Return n equally weighted worlds, in random order, in each of which the seat sees exactly this view.

        Parameters
        ----------
        view : View
            What the seat sees now, at any time after the last observed event and before the next.
        n : int
            Number of worlds, at least 1; equal worlds may repeat.
        rng : Random
            Source of the random choices; the filter itself does not change.

        Returns
        -------
        list of GameState
            Copies that the caller may change. If no particle fits the view, all come from the game's determinizer.
        """
        self._check(view)
        if n < 1:
            raise ValueError(f"at least one world must be asked for, not {n}")
        found: list[GameState] = []
        weights: Weights = np.empty(0)
        if view.hidden and self._worlds:
            found, weights = self._forward(None, view).lead(self._worlds, self._weights, rng)
        fresh = math.floor(self.options.fresh * n + rng.uniform()) if found else n
        chosen = systematic(weights, n - fresh, rng.uniform()) if fresh < n else ()
        drawn = [found[index].clone() for index in chosen] + [view.sample(rng) for _ in range(fresh)]
        rng.shuffle(drawn)
        return drawn

    def _forward(self, event: Observation | None, view: View) -> Forward:
        return Forward(self.seat, event, view, self._policy, self.options.explore, self.options.tau,
                       derive(self.seed, _MODEL))

    def _start(self, worlds: list[GameState]) -> None:
        self._worlds = worlds
        self._weights = np.full(len(worlds), 1.0 / max(1, len(worlds)))
        self.alive, self.ess, self.renewed = len(worlds), float(len(worlds)), 0

    def _renew(self, worlds: Sequence[GameState], weights: Weights, share: float, view: View, rng: Random) -> None:
        """Give the survivors a share of the particles and draw the rest again, all equally weighted."""
        count = self.options.particles
        kept = math.floor(share * count + rng.uniform())
        self.renewed = count - kept
        survivors = [worlds[index] for index in systematic(weights, kept, rng.uniform())] if kept else []
        self._worlds = _merged(survivors + self._fresh(count - kept, view, rng))
        self._weights = np.full(count, 1.0 / count)

    def _fresh(self, count: int, view: View, rng: Random) -> list[GameState]:
        """Draw worlds from the determinizer, with lasting secrets by the earlier beliefs."""
        assert self._worlds is not None
        types = LastingTypes(self._worlds, self._weights, self.seat, 1.0 - self.options.fresh)
        if not types.known:
            return [view.sample(rng) for _ in range(count)]
        candidates = [view.sample(rng) for _ in range(_CANDIDATES * count)]
        return [candidates[index] for index in systematic(types.weigh(candidates), count, rng.uniform())]

    def _check(self, view: View) -> None:
        if view.seat != self.seat:
            raise ValueError(f"this is the belief of seat {self.seat}, not of seat {view.seat}")


def _merged(worlds: list[GameState]) -> list[GameState]:
    """Replace equal worlds by one object, so that it is expanded once."""
    objects = {id(world): world for world in worlds}
    known: dict[bytes, GameState] = {}
    kept = {name: known.setdefault(world.to_bytes(), world) for name, world in objects.items()}
    return [kept[id(world)] for world in worlds]
