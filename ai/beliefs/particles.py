"""Particle filters over worlds: the beliefs of an agent for its seats, from what the seats have seen."""

from __future__ import annotations

import hashlib
import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from sfida.ai.beliefs.marginals import BeliefOptions
from sfida.ai.beliefs.policy import HeuristicPolicy, PolicyModel, softened
from sfida.ai.seat import Observation
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import CHANCE, TERMINAL, GameState, View

# ---- Weighted samples: effective size and low-variance resampling

Weights = Sequence[float]


def effective_size(weights: Weights) -> float:
    """Return the effective number of equally weighted samples, ``(sum w)**2 / sum w**2``; 0 if there are none.

    Parameters
    ----------
    weights : sequence of float
        0 or more; they need not sum to 1.

    References
    ----------
    A. Kong, J. S. Liu, W. H. Wong, "Sequential imputations and Bayesian missing data problems" (1994).
    """
    largest = max(weights, default=0.0)
    if largest <= 0.0:
        return 0.0
    scaled = [weight / largest for weight in weights]
    return math.fsum(scaled) ** 2 / math.fsum(weight * weight for weight in scaled)


def systematic(weights: Weights, count: int, start: float) -> list[int]:
    """Draw indices in proportion to their weights, each ``floor`` or ``ceil`` of its expected number of times.

    Parameters
    ----------
    weights : sequence of float
        0 or more, at least one positive; may be empty if no index is drawn.
    count : int
        Number of indices to draw, 0 or more.
    start : float
        Uniform random number in [0, 1).

    Returns
    -------
    list of int
        `count` indices, ascending.

    References
    ----------
    Systematic resampling: G. Kitagawa, "Monte Carlo filter and smoother for non-Gaussian nonlinear state space
    models" (1996).
    """
    if count == 0:
        return []
    edges = list(accumulate(weights))
    width = edges[-1] / count
    last = max(index for index, weight in enumerate(weights) if weight)     # rounding may put a position at the end
    return [min(bisect_right(edges, (place + start) * width), last) for place in range(count)]


def pick(edges: Weights, place: float) -> int:
    """Return the index whose interval of the cumulative shares `edges` (the last is 1) contains `place` in [0, 1)."""
    return min(bisect_right(edges, place), len(edges) - 1)


# ---- One step: every world advances to what the seat saw next and is weighted by its probability

_MOST_UNSEEN = 1000             # most successive events that a seat does not see


@dataclass(frozen=True)
class Continuations:
    """The possible next events of a world that are consistent with what was seen.

    Attributes
    ----------
    worlds : tuple of GameState
        The world after each consistent event.
    arrived : tuple of bool
        Whether it is the event that was seen; after an unseen event another one must follow.
    edges : sequence of float
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

    Worlds are never changed, only copied, so one object may represent any number of equal particles; each object is
    expanded once.

    Parameters
    ----------
    seat : int
        The seat that has the belief.
    event : Observation or None
        The event seen; None: nothing more until `view`.
    view : View
        The seat's view after it.
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

        A world is advanced by one consistent event, drawn in proportion to its share; equal worlds use evenly spread
        values of one random number, so that they split as nearly in proportion as their number allows.
        """
        found: list[GameState] = []
        found_weights: list[float] = []
        pending = list(zip(worlds, weights, strict=True))
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
                    if weight == 0.0:       # the weight was too small for a float
                        continue
                    if options.arrived[choice]:
                        found.append(options.worlds[choice])
                        found_weights.append(weight)
                    else:
                        further.append((options.worlds[choice], weight))
            pending = further
        return found, found_weights

    def _open(self, world: GameState) -> Continuations | None:
        """Return the continuations of a world; None if it is inconsistent."""
        actor = world.to_move
        if self._event is None and world.view(self._seat).key() == self._key:
            return _certain(world)
        if actor == TERMINAL:
            return None
        if actor == self._seat:
            return self._own_move(world)
        if actor == CHANCE:
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
        edges = list(accumulate(shares))
        mass = edges[-1] / math.fsum(chances)
        return Continuations(tuple(after), tuple(arrived), [edge / edges[-1] for edge in edges],
                             mass if actor == CHANCE else mass**self._tau)

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
    return Continuations((world,), (True,), (1.0,), 1.0)


# ---- Beliefs about lasting secrets, which remain when the worlds that contained them are dropped


class LastingTypes:
    """Probabilities of the other seats' private types, seat by seat, in a weighted set of worlds.

    When a hidden card is shown, every world with that card elsewhere is dropped, whatever these worlds have learned
    about a hidden objective. New worlds are therefore weighted by the earlier beliefs about types: the product over the
    seats of ``(trust * belief + (1 - trust) * share) / share``, where `share` is the type's share of the new worlds.

    Parameters
    ----------
    worlds : sequence of GameState
    weights : sequence of float
        Weights of the worlds, 0 or more.
    seat : int
        The seat that has the belief; it knows its own type.
    trust : float
        0 to 1; with 1, a type that occurred in no world stays impossible.

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
        weights = [1.0] * len(worlds)
        for seat, belief in self._beliefs.items():
            shares = _shares(worlds, [1.0] * len(worlds), seat)
            for index, world in enumerate(worlds):
                name = world.game.private_type(world, seat)
                if name is not None:
                    weights[index] *= self._trust * belief.get(name, 0.0) / shares[name] + 1.0 - self._trust
        return weights if any(weights) else [1.0] * len(worlds)


def _shares(worlds: Sequence[GameState], weights: Weights, seat: int) -> dict[str, float]:
    """Return the probability of each type of a seat; empty if it has none."""
    found: dict[str, float] = {}
    for world, weight in zip(worlds, weights, strict=True):
        name = world.game.private_type(world, seat)
        if name is not None:
            found[name] = found.get(name, 0.0) + weight
    whole = sum(found.values())
    return {name: weight / whole for name, weight in found.items()} if whole > 0.0 else {}


# ---- A particle filter over worlds: the belief of one seat, from what it has seen

_START, _EVENT, _MODEL = range(3)       # first key word of its random streams
_LEAST = 1 / 8                          # least effective size, as a share of the particles; below it they are renewed
_CANDIDATES = 4                         # determinizations per new particle; lasting secrets choose among them


class ParticleFilter:
    """Worlds that are possible for one seat, weighted by how well they explain what it saw.

    A particle is a complete state. At every observation it is advanced: unseen events are sampled (chance events by
    their true weights, other seats' moves by a model) up to the event that was seen. Its weight is multiplied by the
    probability of the events consistent with the observation: for a chance event the exact one, for a move of another
    seat ``sum((1 - explore) * pi + explore / k) ** tau`` over the moves that look like the one seen. A world that
    cannot explain the observation, or in which the seat would see anything else, is dropped.

    The effective size is ``(sum w)**2 / sum w**2``. Below an eighth of the particles the belief is renewed: at q
    times an eighth, q from 0 to 1, systematic resampling of the survivors gives a share q of all particles, and the
    game's determinizer draws the rest; then all have the same weight. So a degenerate belief fades into the uniform
    one instead of resting on a few lucky guesses, at the price of forgetting some of what the moves have revealed.
    Earlier beliefs about the seats' lasting secrets (`Game.private_type`) are kept: they choose among the new worlds.

    In addition, `worlds` mixes in a share `fresh` of new determinizations. So no world that the rules allow is ever
    impossible, at the cost of an error of at most that share in every probability. The filter itself does not contain
    this mixture, so that it does not accumulate from event to event.

    If nothing is hidden, the filter stores nothing and returns the position.

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
        Number of particles that were drawn again after the last event.

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
        self._weights: Weights = []
        self.ess: float = 0.0
        self.alive: int = 0
        self.renewed: int = 0

    def begin(self, view: View) -> None:
        """Start from a view, as if nothing were known of the history before it.

        Without this call the filter starts at the beginning of the game if it is told of the first event; if a later
        event comes first, it starts from the view after that.
        """
        self._check(view)
        count = self.options.particles if view.hidden else 0
        rng = Random(derive(self.seed, _START))
        self._start(_merged([view.sample(rng) for _ in range(count)]))

    def observe(self, event: Observation) -> None:
        """Update the belief with what the seat saw next.

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
            whole = math.fsum(weights)
            self._worlds, self._weights = _merged(worlds), [weight / whole for weight in weights]

    def worlds(self, view: View, n: int, rng: Random) -> list[GameState]:
        """Return n equally weighted worlds, in random order, in each of which the seat sees exactly this view.

        Parameters
        ----------
        view : View
            The seat's present view, at any time after the last observed event and before the next.
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
        weights: Weights = []
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
        self._weights = [1.0 / max(1, len(worlds))] * len(worlds)
        self.alive, self.ess, self.renewed = len(worlds), float(len(worlds)), 0

    def _renew(self, worlds: Sequence[GameState], weights: Weights, share: float, view: View, rng: Random) -> None:
        """Give the survivors a share of the particles and draw the rest again, all with equal weights."""
        count = self.options.particles
        kept = math.floor(share * count + rng.uniform())
        self.renewed = count - kept
        survivors = [worlds[index] for index in systematic(weights, kept, rng.uniform())] if kept else []
        self._worlds = _merged(survivors + self._fresh(count - kept, view, rng))
        self._weights = [1.0 / count] * count

    def _fresh(self, count: int, view: View, rng: Random) -> list[GameState]:
        """Draw worlds from the determinizer, with lasting secrets chosen by the earlier beliefs."""
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
    """Replace equal worlds by one object, to expand it only once."""
    objects = {id(world): world for world in worlds}
    known: dict[bytes, GameState] = {}
    kept = {name: known.setdefault(world.to_bytes(), world) for name, world in objects.items()}
    return [kept[id(world)] for world in worlds]


# ---- The beliefs of one agent, for every seat that it plays

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
        """Forget everything; `seed` is that of the coming game's filters, by default that of their first decision."""
        self._filters.clear()
        self._waiting.clear()
        self._seed = seed

    def observe(self, event: Observation) -> None:
        """Note what a seat saw."""
        self._waiting.setdefault(event.seat, []).append(event)

    def filter(self, seat: int, seed: int) -> ParticleFilter:
        """Return the filter of a seat after all its observations.

        Parameters
        ----------
        seat : int
        seed : int
            Seed of the filter at the first call for the seat in a game, if `new_game` was given no seed.
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
