"""Ratings: Plackett-Luce on whole rankings, from win shares alone, and a running ladder by OpenSkill.

A game is a sequence of stages: among the seats still without a place, one takes the next place with a probability
proportional to agent strength times seat strength (Luce, 1959; Plackett, 1975). The strengths maximise the likelihood.

The first place of the Plackett-Luce model, which for two players is Elo's: a seat of an agent with strength s wins with
probability s / sum of the strengths of all seats. At the fitted strengths the expected wins of every agent equal its
actual wins, which is also where the likelihood is largest. As in `plackett_luce`, one virtual block against the average
of the field, half of it won, keeps them finite; resamples draw the weights of its halves.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
from openskill.models import PlackettLuce

from sfida.ai.arena.bootstrap import RESAMPLES, TAIL, Floats, Ints, Tally, resamples_for, tail, units, weights
from sfida.ai.arena.outcome import GameOutcome

# ---- Elo for any number of players: the Plackett-Luce model on whole rankings, with the strength of seats

ELO = 400 / math.log(10)        # Elo points per unit of log strength
_TOLERANCE = 1e-6               # Newton's step in log strength below which the fit ends
_COARSE = 1e-4                  # the same in resamples
_KEPT = 4                       # rounds that use the same curvature
_ROUNDS = 200                   # most rounds, for strengths that diverge because nothing bounds them (prior 0)
_LONGEST_STEP = 2.0             # longest step in log strength
_PLACKETT_LUCE_FARTHEST = 23.0                # largest log strength: 10,000 Elo to either side
_LEAST_WEIGHT = 1e-4            # least weight of a virtual block: a fifth of the 2.5 % quantile of its distribution
_WORK = 400_000_000             # approximate number of stage entries summed in all resamples
_FEWEST = 400                   # fewest resamples, however much work they take
_PIECE = 100_000                # numbers summed at a time, few enough for the cache


@dataclass(frozen=True)
class Ratings:
    """Fitted strengths.

    Attributes
    ----------
    agents : float array of shape (n,)
        Elo; the mean is 0.
    intervals : float array of shape (n, 2)
        95 % intervals by bootstrap over blocks; the points themselves if none were requested.
    seats : float array of shape (k,)
        Elo of the seats; the mean is 0.
    converged : bool
        False if strengths diverged to the limit, as happens to a constant winner without a prior.
    """

    agents: Floats
    intervals: Floats
    seats: Floats
    converged: bool


def rate(agent: Ints, rank: Floats, block: Ints, agents: int, *, prior: float = 1.0, seed: int = 0,
         resamples: int = RESAMPLES, seat_strengths: bool = True) -> Ratings:
    """Rate agents and seats from the rankings of games.

    A tie counts as the mean log likelihood over all orders of the tied seats. Each agent, and each seat, also has
    `prior` virtual blocks against an average opponent, half of them won and half lost. In a resample the weights of
    the two halves are drawn from Gamma(prior / 2), as in a Bayesian bootstrap (Rubin, 1981), so that an agent that
    wins everything has a finite rating, and an interval similar to that of a share with Jeffreys' prior.

    The likelihood has a single maximum, which the MM algorithm (Hunter, 2004) also finds. Newton's method is faster;
    a step that does not raise the likelihood is halved. The fit ends when no log strength changes by more than 1e-6
    (0.0002 Elo), or 1e-4 in resamples.

    Parameters
    ----------
    agent : int array of shape (G, k)
        Agent on each seat, 0 to `agents` - 1; an agent may have several seats.
    rank : float array of shape (G, k)
        Smaller is better; equal ranks are ties.
    block : int array of shape (G,)
        Block of each game, 0 to B - 1; each has at least one.
    agents : int
    prior : float
        0 is plain maximum likelihood, which requires that every agent has won against and lost to another agent.
    seed : int
    resamples : int
        Largest number of resamples; fewer for very large tournaments, 0 for no intervals.
    seat_strengths : bool
        If False, all seats are assumed to be equal.
    """
    games = _Games.of(agent, rank, block, agents, seat_strengths)
    model = games.model
    half = prior * games.size / 2
    params = agents + model.seats
    theta, converged = model.fit(games.stages(np.ones((games.units, 1))), games.wins.sum(axis=0)[:, None],
                                 np.full((2, params, 1), half), np.zeros((params, 1)))
    elo = ELO * _centred(theta, agents)
    intervals = np.repeat(elo[:agents], 2, axis=1)
    count = min(resamples_for(games.units, resamples), max(_FEWEST, _WORK // max(games.work, 1)))
    if resamples and games.units:
        rng = np.random.default_rng([seed, 1])
        drawn = []
        for weight in weights(games.units, seed, count, (games.patterns + 4 * model.stages + params ** 2) // 4):
            virtual = np.zeros((2, params, weight.shape[1]))
            if prior > 0:
                virtual = np.maximum(rng.gamma(prior / 2, size=virtual.shape), _LEAST_WEIGHT) * games.size
            fitted, _ = model.fit(games.stages(weight), np.einsum("up,ur->pr", games.wins, weight), virtual,
                                  np.repeat(theta, weight.shape[1], axis=1), _COARSE)
            drawn.append(ELO * _centred(fitted, agents)[:agents])
        beyond = tail(games.units)
        intervals = np.quantile(np.concatenate(drawn, axis=1), [beyond, 1 - beyond], axis=1).T
    elif resamples:                 # only the prior: won / (won + lost) has an arcsine distribution
        intervals[:] = ELO * 2 * math.log(math.tan(math.pi / 2 * (1 - TAIL))) * np.array([-1, 1])
    return Ratings(elo[:agents, 0], intervals, np.broadcast_to(elo[agents:, 0], agent.shape[1:]), converged)


def expected_scores(agent: Ints, ratings: Ratings) -> Callable[[int, int], float]:
    """Return a function of two agents: the probability, by the ratings, that the first finishes ahead of the second,
    averaged over the seats that they had when they met; 0.5 if they never met."""
    agents = len(ratings.agents)
    seats = agent.shape[1]
    above, below = np.zeros((2, agents * agents))
    for s, t in itertools.permutations(range(seats), 2):
        lead = ratings.agents[agent[:, s]] + ratings.seats[s] - ratings.agents[agent[:, t]] - ratings.seats[t]
        pair = agent[:, s] * agents + agent[:, t]
        above += np.bincount(pair, 1 / (1 + 10 ** (-lead / 400)), agents * agents)
        below += np.bincount(pair, minlength=agents * agents)
    return lambda a, b: float(above[a * agents + b] / below[a * agents + b]) if below[a * agents + b] else 0.5


# ---- stages -------------------------------------------------------------------------------------------


@cache
def stages_of(ranking: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], float], ...]:
    """Return the stages of a ranking: the seats still without a place, and the weight of the stage.

    Of m tied seats, any s are equally likely to remain for the last s of their places, so each such set has the
    weight 1 / C(m, s). A stage of one seat carries no information and is left out.

    Parameters
    ----------
    ranking : tuple of int
        Place of each seat; smaller is better.
    """
    stages = []
    for place in sorted(set(ranking)):
        tied = [seat for seat, own in enumerate(ranking) if own == place]
        worse = [seat for seat, own in enumerate(ranking) if own > place]
        for size in range(len(tied), 0, -1):
            for left in itertools.combinations(tied, size):
                if len(left) + len(worse) > 1:
                    stages.append((tuple(sorted((*left, *worse))), 1 / math.comb(len(tied), size)))
    return tuple(stages)


@cache
def wins_of(ranking: tuple[int, ...]) -> tuple[float, ...]:
    """Return the mean number of stages that each seat wins: one, except that the last place needs no win."""
    last = [seat for seat, own in enumerate(ranking) if own == max(ranking)]
    return tuple(1 - 1 / len(last) if seat in last else 1.0 for seat in range(len(ranking)))


@dataclass(frozen=True)
class _Groups:
    """A sum over groups of rows: entry e adds row `index[e]` times `weight[e]` to its group.

    The entries of a group follow each other from `start[g]` to `start[g + 1]`.
    """

    index: Ints
    start: Ints
    weight: Floats | None = None

    @classmethod
    def of(cls, group: Ints, index: Ints, groups: int, weight: Floats | None = None) -> _Groups:
        order = np.argsort(group, kind="stable")
        start = np.searchsorted(group[order], np.arange(groups + 1))
        plain = weight is None or bool(np.all(weight == 1))
        return cls(index[order], start, None if plain or weight is None else weight[order])

    def sum(self, rows: Floats) -> Floats:
        """Return the sums, of shape (groups, columns), of `rows`, of shape (rows, columns)."""
        sizes = np.diff(self.start)
        result = np.zeros((len(sizes), rows.shape[1]))
        longest = int(sizes.max(initial=0))
        if longest > len(sizes):                                # few long groups: one group at a time
            piece = max(1, _PIECE // rows.shape[1])
            for group, (first, end) in enumerate(itertools.pairwise(self.start.tolist())):
                for at in range(first, end, piece):
                    part = slice(at, min(at + piece, end))
                    taken = rows[self.index[part]]
                    result[group] += taken.sum(axis=0) if self.weight is None else self.weight[part] @ taken
            return result
        for nth in range(longest):                              # many short groups: the n-th entry of each
            groups = slice(None) if nth < sizes.min() else np.flatnonzero(sizes > nth)
            entries = self.start[:-1][groups] + nth
            taken = rows[self.index[entries]]
            if self.weight is not None:
                taken *= self.weight[entries][:, None]
            result[groups] += taken
        return result


@dataclass(frozen=True)
class _Model:
    """The distinct stages of a tournament. A cell is an agent on a seat; a stage is a set of cells.

    The P parameters of the model are, in this order, the log strengths of the agents and of the seats.
    """

    agents: int
    seats: int                  # number of seat strengths
    stages: int
    cell: Ints                  # (C, 2): the parameters of each cell
    pair: Ints                  # (Q, 2): cells that meet in a stage
    of_stage: _Groups           # cells of each stage
    of_cell: _Groups            # stages of each cell
    of_pair: _Groups            # stages of each pair
    of_param: _Groups           # cells of each parameter
    of_params: _Groups          # cells, then pairs of cells, of each pair of parameters

    @property
    def work(self) -> int:
        """Approximate number of entries summed for one resample."""
        once = sum(len(groups.index) for groups in (self.of_cell, self.of_pair, self.of_params))
        return once + 4 * (len(self.of_stage.index) + len(self.of_cell.index))

    @classmethod
    def of(cls, stages: Ints, agents: int, seat_strengths: bool) -> _Model:
        """Build the model from the agent on each seat of each stage, -1 on seats that are not in it.

        Without seat strengths all seats share one, which cancels out.
        """
        count, seats = stages.shape
        stage, seat = np.nonzero(stages >= 0)
        known, cell = np.unique(stages[stage, seat] * seats + seat, return_inverse=True)
        cells, strengths = len(known), seats if seat_strengths else 1
        params = agents + strengths
        table = np.full((count, seats), -1)
        table[stage, seat] = cell
        met, where = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for s, t in itertools.combinations(range(seats), 2):
            both = np.flatnonzero((table[:, s] >= 0) & (table[:, t] >= 0))
            met.append(table[both, s] * cells + table[both, t])
            where.append(both)
        pairs, place = np.unique(np.concatenate(met), return_inverse=True)
        own = np.stack([known // seats, agents + known % seats % strengths], axis=1)
        pair = np.stack(np.divmod(pairs, max(cells, 1)), axis=1)
        target, source, sign = [], [], []               # the negative Hessian's upper half, entry by entry
        for i, j in itertools.product((0, 1), repeat=2):
            one, other = own[pair[:, 0], i], own[pair[:, 1], j]
            for row, column, first, factor in ((own[:, i], own[:, j], 0, 1.0), (one, other, cells, -1.0),
                                               (other, one, cells, -1.0)):
                upper = np.flatnonzero(row <= column)
                target.append(row[upper] * params + column[upper])
                source.append(first + upper)
                sign.append(np.full(len(upper), factor))
        return cls(agents, strengths, count, own, pair, _Groups.of(stage, cell, count),
                   _Groups.of(cell, stage, cells),
                   _Groups.of(place, np.concatenate(where), len(pair)),
                   _Groups.of(own.ravel(), np.repeat(np.arange(cells), 2), params),
                   _Groups.of(np.concatenate(target), np.concatenate(source), params * params,
                              np.concatenate(sign)))

    def fit(self, counts: Floats, wins: Floats, virtual: Floats, start: Floats,
            tolerance: float = _TOLERANCE) -> tuple[Floats, bool]:
        """Maximise the likelihood for several resamples at once.

        Parameters
        ----------
        counts : array of shape (stages, R)
            Number of occurrences of each stage.
        wins : array of shape (P, R)
            Stages won by each parameter.
        virtual : array of shape (2, P, R)
            Games won, and lost, against the average agent or seat.
        start : array of shape (P, R)
        tolerance : float
            A resample is done when its next step is smaller than this.

        Returns
        -------
        theta : array of shape (P, R)
        converged : bool
        """
        result = start.copy()
        todo = np.arange(start.shape[1])                # resamples that have not converged; the arrays below hold these
        theta, step = start, np.zeros_like(start)
        before = np.full(len(todo), -np.inf)
        inverse: Floats = np.zeros(0)
        for turn in range(_ROUNDS):
            point = _Point.at(self, theta, counts, wins, virtual)
            if turn % _KEPT == 0:
                inverse = np.asarray(np.linalg.inv(self._curvature(point, virtual)), float)
            newton = (inverse @ point.gradient.T[:, :, None])[:, :, 0].T
            worse = point.likelihood < before - 1e-10 * np.abs(before)
            done = ~worse & (np.abs(newton).max(axis=0) < tolerance)
            moved = np.clip(theta + np.clip(newton, -_LONGEST_STEP, _LONGEST_STEP),
                            -_PLACKETT_LUCE_FARTHEST, _PLACKETT_LUCE_FARTHEST)
            step = np.where(worse, step / 2, moved - theta)
            theta = np.where(worse, theta - step, moved)            # too far: halve the step
            before = np.where(worse, before, point.likelihood)
            result[:, todo] = theta
            if done.all():
                return result, bool(np.abs(result).max(initial=0) < _PLACKETT_LUCE_FARTHEST)
            if 2 * done.sum() > len(todo):
                left = ~done
                todo, before, inverse = todo[left], before[left], inverse[left]
                counts, wins, theta, step = (each[:, left] for each in (counts, wins, theta, step))
                virtual = virtual[:, :, left]
        return result, False

    def _curvature(self, point: _Point, virtual: Floats) -> Floats:
        """Return the negative Hessian of each resample, of shape (R, P, P), made invertible."""
        params = self.agents + self.seats
        first, second = self.pair.T
        each = point.each / point.total
        alone = point.strength * self.of_cell.sum(point.each) - point.strength ** 2 * self.of_cell.sum(each)
        together = point.strength[first] * point.strength[second] * self.of_pair.sum(each)
        upper = self.of_params.sum(np.concatenate([alone, together])).reshape(params, params, -1).transpose(2, 0, 1)
        result: Floats = upper + np.triu(upper, 1).transpose(0, 2, 1)
        centring = _centred(np.eye(params), self.agents)
        held = virtual.sum(axis=0) * point.share * (1 - point.share)
        result += centring @ (held.T[:, :, None] * centring)
        scale = np.trace(result, axis1=1, axis2=2) / params + 1e-9
        result[:, np.arange(params), np.arange(params)] += (1e-10 if virtual.any() else 1e-8) * scale[:, None]
        for part in (slice(None, self.agents), slice(self.agents, None)):
            result[:, part, part] += scale[:, None, None]       # only differences matter: this fixes the means
        return result


@dataclass(frozen=True)
class _Point:
    """The likelihood and its gradient at given strengths; the last axis is the resamples."""

    strength: Floats            # (C, R): strengths of the cells
    total: Floats               # (stages, R): strength of all cells of a stage
    each: Floats                # (stages, R): number of occurrences divided by that strength
    share: Floats               # (P, R): probability to beat the average
    likelihood: Floats          # (R,): logarithm
    gradient: Floats            # (P, R)

    @classmethod
    def at(cls, model: _Model, theta: Floats, counts: Floats, wins: Floats, virtual: Floats) -> _Point:
        strength = np.exp(theta[model.cell[:, 0]] + theta[model.cell[:, 1]])
        total = model.of_stage.sum(strength)
        each = counts / total
        lead = _centred(theta, model.agents)
        share = 1 / (1 + np.exp(-lead))
        games = virtual.sum(axis=0)
        likelihood = ((wins * theta + virtual[0] * lead - games * np.logaddexp(0, lead)).sum(axis=0)
                      - np.einsum("sr,sr->r", counts, np.log(total)))
        gradient = (wins - model.of_param.sum(strength * model.of_cell.sum(each))
                    + _centred(virtual[0] - games * share, model.agents))
        return cls(strength, total, each, share, likelihood, gradient)


# ---- games --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Games:
    """The games of a tournament by pattern: the agent and the place of each seat."""

    units: int                  # units of resampling
    size: int                   # games of a block: one per seat
    patterns: int
    wins: Floats                # (units, P): stages won by each parameter
    of_pattern: _Groups         # units of each pattern
    of_stage: _Groups           # patterns of each stage
    model: _Model

    @property
    def work(self) -> int:
        """Approximate number of entries summed for one resample."""
        return self.model.work + len(self.of_pattern.index) + len(self.of_stage.index)

    @classmethod
    def of(cls, agent: Ints, rank: Floats, block: Ints, agents: int, seat_strengths: bool) -> _Games:
        seats = agent.shape[1]
        unit, count = units(block, int(block.max(initial=-1)) + 1)
        place = (rank[:, :, None] > rank[:, None, :]).sum(axis=2)      # seats that finished before: the same for ties
        rankings, ranking = np.unique(place, axis=0, return_inverse=True)
        seatings, seating = np.unique(agent, axis=0, return_inverse=True)
        known = [tuple(map(int, row)) for row in rankings]
        won = np.array([wins_of(row) for row in known]).reshape(len(known), seats)[ranking.ravel()]
        strengths = seats if seat_strengths else 1
        wins = np.zeros((count, agents + strengths))
        np.add.at(wins, (unit[:, None], agent), won)
        np.add.at(wins, (unit[:, None], agents + np.arange(seats) % strengths), won)
        patterns, pattern = np.unique(seating.ravel() * max(len(known), 1) + ranking.ravel(), return_inverse=True)
        seating, ranking = np.divmod(patterns, max(len(known), 1))
        # One entry per stage of each pattern.
        rows = [stages_of(row) for row in known]
        first = np.cumsum([0, *map(len, rows)])
        flat = [stage for row in rows for stage in row]
        inside = np.zeros((len(flat), seats), bool)
        for i, (left, _) in enumerate(flat):
            inside[i, list(left)] = True
        weight = np.array([stage[1] for stage in flat])
        many = np.diff(first)[ranking] if len(known) else np.zeros(0, np.int64)
        owner = np.repeat(np.arange(len(patterns)), many)
        entry = np.arange(len(owner)) - np.repeat(np.cumsum(many) - many, many) + first[ranking][owner]
        seated = np.where(inside[entry], seatings[seating][owner], -1) if len(owner) else np.zeros((0, seats), int)
        stages, stage = np.unique(seated, axis=0, return_inverse=True)
        return cls(count, seats, len(patterns), wins, _Groups.of(pattern, unit, len(patterns)),
                   _Groups.of(stage.ravel(), owner, len(stages), weight[entry] if len(owner) else None),
                   _Model.of(stages, agents, seat_strengths))

    def stages(self, weight: Floats) -> Floats:
        """Return the number of occurrences of each stage, (stages, R), for the weights of the units, (units, R)."""
        return self.of_stage.sum(self.of_pattern.sum(weight))


def _centred(theta: Floats, agents: int) -> Floats:
    """Return log strengths with mean 0 over the agents and over the seats, of shape (P, R)."""
    return np.concatenate([part - part.mean(axis=0) for part in (theta[:agents], theta[agents:])])


# ---- Ratings from win shares alone, which need not be whole wins; for example luck-adjusted shares

_ELO = 400 / math.log(10)
_STEPS = 60                     # most steps of Newton's method
_CLOSE = 1e-5                   # change of a log strength below which it ends
_FARTHEST = 8.0                 # largest log strength: 1,390 Elo
_MOST = 1000                    # most resamples
_LEAST = 1e-4                   # least weight of half a virtual block in a resample


@dataclass(frozen=True)
class WinRatings:
    """Ratings in Elo; the mean of all agents is 0.

    Attributes
    ----------
    agents : float array of shape (agents,)
    intervals : float array of shape (agents, 2)
        95 % by bootstrap over blocks.
    """

    agents: Floats
    intervals: Floats


def rate_wins(tally: Tally, agents: int, *, seed: int, resamples: int = RESAMPLES) -> WinRatings:
    """Return ratings from the win shares in a tally.

    Parameters
    ----------
    tally : Tally
    agents : int
    seed : int
        Seed of the resamples.
    resamples : int
        Largest number of resamples.
    """
    if not tally.games:
        return WinRatings(np.zeros(agents), np.tile([-np.inf, np.inf], (agents, 1)))
    seats = np.zeros((tally.games, agents))
    wins = np.zeros((tally.games, agents))
    rows = np.repeat(np.arange(tally.games), tally.agent.shape[1])
    np.add.at(seats, (rows, tally.agent.ravel()), 1)
    np.add.at(wins, (rows, tally.agent.ravel()), tally.utility.ravel())
    unit, count = units(tally.block, tally.blocks)
    lineups, which = np.unique(seats, axis=0, return_inverse=True)
    met = _by_unit(unit, count, np.eye(len(lineups))[which.ravel()])
    won = _by_unit(unit, count, wins)
    games = tally.agent.shape[1]            # games of a block
    best = _fit(lineups, met.sum(axis=0)[None], won.sum(axis=0)[None], np.full((2, 1, agents), games / 2))[0]
    rng = np.random.default_rng([seed, 1])
    found = []
    for drawn in weights(count, seed, min(_MOST, resamples_for(count, resamples)), len(lineups)):
        virtual = np.maximum(rng.gamma(0.5, size=(2, drawn.shape[1], agents)), _LEAST) * games
        found.append(_fit(lineups, drawn.T @ met, drawn.T @ won, virtual))
    beyond = tail(count)
    ends = np.quantile(np.concatenate(found), [beyond, 1 - beyond], axis=0)
    intervals = np.column_stack([np.minimum(ends[0], best), np.maximum(ends[1], best)])
    return WinRatings(_ELO * best, _ELO * intervals)


def _by_unit(unit: Ints, count: int, values: Floats) -> Floats:
    total = np.zeros((count, values.shape[1]))
    np.add.at(total, unit, values)
    return total


def _fit(lineups: Floats, met: Floats, won: Floats, virtual: Floats) -> Floats:
    """Return log strengths with mean 0 of shape (resamples, agents).

    Parameters
    ----------
    lineups : float array of shape (L, agents)
        Seats of each agent.
    met : float array of shape (resamples, L)
        Games of each line-up.
    won : float array of shape (resamples, agents)
        Win shares.
    virtual : float array of shape (2, resamples, agents)
        Games won and lost against the average of the field.
    """
    played = met @ (lineups > 0)
    possible = np.clip(won, 0.0, played)
    # The agents together win as many games as were played; with more, all strengths would grow without end.
    excess = possible.sum(axis=1, keepdims=True) - met.sum(axis=1, keepdims=True)
    room = np.where(excess > 0, possible, played - possible)
    possible -= excess * room / np.maximum(room.sum(axis=1, keepdims=True), 1e-9)
    target = possible + virtual[0]
    more = virtual.sum(axis=0)
    strength = np.zeros_like(target)
    for _ in range(_STEPS):
        power = lineups[None] * np.exp(strength)[:, None]
        share = power / power.sum(axis=2, keepdims=True)            # (resamples, L, agents)
        even = 1 / (1 + np.exp(-strength))
        slope = target - np.einsum("rl,rla->ra", met, share) - more * even
        bend = -np.einsum("rl,rla,rlb->rab", met, share, share)
        diagonal = np.einsum("rl,rla->ra", met, share) + more * even * (1 - even)
        bend[:, range(bend.shape[1]), range(bend.shape[1])] += diagonal
        step = np.clip(np.linalg.solve(bend, slope[..., None])[..., 0], -1.0, 1.0)
        strength = np.clip(strength + step, -_FARTHEST, _FARTHEST)
        if np.abs(step).max() < _CLOSE:
            break
    return np.asarray(strength - strength.mean(axis=1, keepdims=True), float)


# ---- A running ladder: ratings that are updated after every game, by OpenSkill


@dataclass(frozen=True)
class LadderPlace:
    """The place of one agent on the ladder.

    Attributes
    ----------
    mu, sigma : float
        Belief about its skill: mean and standard deviation; 25 and 25 / 3 before the first game. `sigma` shows how
        settled the ladder is, not how large the error may be: it assumes that the games of a block are independent.
    ordinal : float
        mu - 3 sigma, a cautious estimate of its skill.
    games : int
    """

    mu: float
    sigma: float
    ordinal: float
    games: int


def ladder(outcomes: Iterable[GameOutcome], agents: int) -> tuple[LadderPlace, ...]:
    """Run all games through a ladder, in the order of the schedule.

    The model is OpenSkill's Plackett-Luce model (Weng and Lin, 2011). The weight of a game depends on the uncertainty
    at that time, so the result depends on the order of the games: a ladder suits a changing field; for a finished
    tournament the ratings of the table are the better estimate.

    Parameters
    ----------
    outcomes : iterable of GameOutcome
        In any order; they are sorted by block and rotation.
    agents : int

    Returns
    -------
    tuple of LadderPlace
        One per agent.

    Notes
    -----
    An agent with several seats in a game counts as that many players with the same belief, each of which is updated;
    its new belief has the mean of their means and the mean of their variances. A game among copies of one agent is
    ignored.
    """
    model = PlackettLuce()
    beliefs = [(rating.mu, rating.sigma) for rating in (model.rating() for _ in range(agents))]
    played = [0] * agents
    for outcome in sorted(outcomes, key=lambda game: (game.block, game.rotation)):
        if len(set(outcome.agents)) == 1:
            continue
        teams = [[model.rating(*beliefs[agent])] for agent in outcome.agents]
        rated = model.rate(teams, ranks=[float(rank) for rank in outcome.ranks])
        for agent in set(outcome.agents):
            own = [rated[seat][0] for seat, sitting in enumerate(outcome.agents) if sitting == agent]
            beliefs[agent] = (sum(each.mu for each in own) / len(own),
                              (sum(each.sigma ** 2 for each in own) / len(own)) ** 0.5)
            played[agent] += 1
    return tuple(LadderPlace(mu, sigma, mu - 3 * sigma, games)
                 for (mu, sigma), games in zip(beliefs, played, strict=True))
