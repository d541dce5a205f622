"""The games of a tournament as arrays, intervals by resampling whole blocks, and the effect of the seats.

A resample draws as many blocks as there are, with replacement (Efron, 1979). Every figure here is a ratio of two sums
over blocks, since an agent need not play in every block; both sums are resampled.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfida.ai.arena.outcome import Forfeit, ForfeitedGames, GameOutcome, forfeits_of
from sfida.ai.luck.control_variate import in_order, without_luck
from sfida.cython_ext.errors import InvalidOption

# ---- Intervals by resampling whole blocks, the only independent parts of a tournament

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

RESAMPLES = 5_000
TAIL = 0.025                    # probability beyond each end of an interval
_Z = 1.959964                   # the corresponding quantile of the normal distribution
MOST_UNITS = 5_000
_DRAWS = 10_000_000             # approximate number of units drawn in all resamples
_BOOTSTRAP_HELD = 1_000_000               # numbers of a chunk in one array: 8 MB


def units(block: Ints, blocks: int) -> tuple[Ints, int]:
    """Return the units of resampling: the unit of each entry of `block`, and the number of units.

    Up to 5,000 blocks these are the blocks. More blocks are grouped with their neighbours in the schedule, about
    equally many per unit: the units are as independent as blocks, and still numerous.
    """
    if blocks <= MOST_UNITS:
        return block, blocks
    return block * MOST_UNITS // blocks, MOST_UNITS


def resamples_for(count: int, wanted: int = RESAMPLES) -> int:
    """Return the number of resamples of `count` units: fewer from 2,000 units on, but never below 2,000."""
    return min(wanted, _DRAWS // max(count, 1))


def tail(count: int) -> float:
    """Return the share of the resamples beyond each end of a 95 % interval over `count` units.

    It is below 2.5 %, because resamples of few units vary too little: they lack a factor of
    `sqrt(count / (count - 1))`, and a normal quantile replaces one of Student's t (the expanded percentile interval of
    Hesterberg, 2015).
    """
    if count < 2:
        return TAIL
    free = count - 1
    student = (_Z + (_Z ** 3 + _Z) / (4 * free) + (5 * _Z ** 5 + 16 * _Z ** 3 + 3 * _Z) / (96 * free ** 2)
               + (3 * _Z ** 7 + 19 * _Z ** 5 + 17 * _Z ** 3 - 15 * _Z) / (384 * free ** 3))
    return 0.5 * math.erfc(math.sqrt(count / free) * student / math.sqrt(2))


def weights(count: int, seed: int, resamples: int, held: int = 0) -> Iterator[Floats]:
    """Draw resamples of `count` units, chunk by chunk.

    Parameters
    ----------
    count : int
        At least 1.
    seed : int
    resamples : int
        Total number of resamples.
    held : int
        Numbers that the caller keeps for each resample; chunks shrink accordingly.

    Yields
    ------
    array of shape (count, chunk)
        Number of times that each unit was drawn; every column sums to `count`.
    """
    rng = np.random.default_rng(seed)
    chunk = max(1, min(resamples, _BOOTSTRAP_HELD // max(count, held)))
    for start in range(0, resamples, chunk):
        size = min(chunk, resamples - start)
        drawn = rng.integers(count, size=(size, count))
        drawn *= size
        drawn += np.arange(size)[:, None]
        yield np.bincount(drawn.ravel(), minlength=count * size).reshape(count, size).astype(float)


@dataclass(frozen=True)
class Terms:
    """The terms that each unit adds to the numerator and denominator of each ratio.

    Attributes
    ----------
    count, units : int
        Number of ratios, and of units.
    ratio, unit : int arrays of shape (E,)
        Ratio and unit of each entry, sorted; each pair occurs at most once, and only if the unit adds to the ratio.
    above, below : float arrays of shape (E,)
    """

    count: int
    units: int
    ratio: Ints
    unit: Ints
    above: Floats
    below: Floats

    @classmethod
    def of(cls, count: int, blocks: int, ratio: Ints, block: Ints, above: Floats, below: Floats | None = None) -> Terms:
        """Sum entries given in any order, such as one per seat of each game.

        Parameters
        ----------
        count, blocks : int
        ratio, block : int arrays of shape (N,)
        above : float array of shape (N,)
        below : float array of shape (N,), optional
            Ones by default.
        """
        unit, number = units(block, blocks)
        seen, place = np.unique(ratio * max(number, 1) + unit, return_inverse=True)
        sums = [np.bincount(place, each, len(seen)).astype(float) for each in (above, below)]
        return cls(count, number, seen // max(number, 1), seen % max(number, 1), *sums)


@dataclass(frozen=True)
class Ratios:
    """Ratios with their resampling intervals; arrays of shape (count,).

    Attributes
    ----------
    value : float array
        Sum of numerators divided by sum of denominators; 0 where there are no blocks.
    low, high : float array
        Ends of the 95 % interval, within 0 and 1.
    error : float array
        Standard error, at least that of a single deviating block.
    agreed : bool array
        Whether all blocks agree, so that the interval does not come from resamples.
    """

    value: Floats
    low: Floats
    high: Floats
    error: Floats
    agreed: NDArray[np.bool_]


def ratios(terms: Terms, seed: int, resamples: int = RESAMPLES, bounds: tuple[float, float] = (0, 1)) -> Ratios:
    """Estimate shares with 95 % intervals: percentiles over resamples, see `tail`.

    If all blocks of a ratio agree, resampling is not informative. The interval then extends to both sides by
    `1 - 0.025 ** (1 / blocks)`, the largest share of deviating blocks that such a sample would miss in one case out
    of 40.

    Parameters
    ----------
    terms : Terms
    seed : int
    resamples : int
        Largest number of resamples; see `resamples_for`.
    bounds : (float, float)
        Limits of the intervals.
    """
    count = terms.count
    value, low, high, error = np.zeros(count), np.zeros(count), np.ones(count), np.full(count, 0.5)
    ends = np.searchsorted(terms.ratio, np.arange(count + 1)).tolist()
    rows = [slice(*each) for each in itertools.pairwise(ends)]
    drawn: dict[int, list[Floats]] = {}
    for i, row in enumerate(rows):
        above, below = terms.above[row], terms.below[row]
        seen = len(below)
        if not seen:
            continue
        value[i] = above.sum() / below.sum()
        margin = 1 - TAIL ** (1 / seen)
        low[i], high[i], error[i] = value[i] - margin, value[i] + margin, 0.5 / seen
        if np.ptp(above / below) > 1e-12:
            drawn[i] = []
    if drawn:
        for weight in weights(terms.units, seed, resamples_for(terms.units, resamples)):
            for i, found in drawn.items():
                taken = weight[terms.unit[rows[i]]]
                # einsum: no threads, and the same sums on every machine
                above, below = (np.einsum("u,ur->r", each[rows[i]], taken) for each in (terms.above, terms.below))
                kept = below > 0                # otherwise none of its blocks was drawn: no ratio
                found.append(above[kept] / below[kept])
    for i, found in drawn.items():
        sample = np.concatenate(found)
        beyond = tail(ends[i + 1] - ends[i])
        low[i], high[i] = np.quantile(sample, [beyond, 1 - beyond])
        error[i] = max(float(sample.std()), error[i])
    agreed = np.array([i not in drawn for i in range(count)])
    return Ratios(value, np.clip(low, *bounds), np.clip(high, *bounds), error, agreed)


def fair_shares(terms: Terms, won: Ratios, seed: int, resamples: int = RESAMPLES) -> Ratios:
    """Estimate luck-adjusted shares, which may lie beyond 0 and 1.

    If all blocks agree on the unadjusted shares, the adjusted ones vary by luck alone, and resamples know nothing of
    the other results that were possible: the interval then includes that of the unadjusted shares.

    Parameters
    ----------
    terms : Terms
        Terms of the luck-adjusted shares.
    won : Ratios
        The unadjusted shares.
    seed, resamples : int
        As for `ratios`.
    """
    fair = ratios(terms, seed, resamples, (-np.inf, np.inf))
    return replace(fair, low=np.where(won.agreed, np.minimum(fair.low, won.low), fair.low),
                   high=np.where(won.agreed, np.maximum(fair.high, won.high), fair.high))


# ---- The games of a tournament as arrays


@dataclass(frozen=True)
class Tally:
    """All games of the whole blocks of a tournament, in the order of the schedule.

    Attributes
    ----------
    blocks : int
        Number of whole blocks, B.
    loose : int
        Number of games of unfinished blocks, which are left out.
    block : int array of shape (G,)
        Row of each game's block, 0 to B - 1, ascending.
    number : int array of shape (B,)
        Index of each block in the schedule.
    agent : int array of shape (G, seats)
        Index of the agent on each seat.
    utility, rank, score : float arrays of shape (G, seats)
    decisions, seconds : float arrays of shape (G, seats)
    wall : float array of shape (G,)
        Wall-clock seconds of each game.
    plies : int array of shape (G,)
    forfeit : int array of shape (G,)
        Seat that forfeited; -1 for none.
    luck : float array of shape (G, seats) or None
        Luck in win shares, 0 in forfeited games; None if that of some game was not measured.
    faults : tuple of Forfeit or None
        The forfeit of each game.
    """

    blocks: int
    loose: int
    block: NDArray[np.int64]
    number: NDArray[np.int64]
    agent: NDArray[np.int64]
    utility: NDArray[np.float64]
    rank: NDArray[np.float64]
    score: NDArray[np.float64]
    decisions: NDArray[np.float64]
    seconds: NDArray[np.float64]
    wall: NDArray[np.float64]
    plies: NDArray[np.int64]
    forfeit: NDArray[np.int64]
    luck: NDArray[np.float64] | None = None
    faults: tuple[Forfeit | None, ...] = ()

    def forfeits(self, labels: Sequence[str]) -> tuple[ForfeitedGames, ...]:
        """Return the forfeits by agent and reason, with their numbers of games; `labels` name the agents."""
        return forfeits_of((game + 1, labels[self.agent[game, fault.seat]], fault)
                           for game, fault in enumerate(self.faults) if fault is not None)

    @property
    def forfeited(self) -> NDArray[np.bool_]:
        """Whether each block holds a forfeited game."""
        return np.bincount(self.block, self.forfeit >= 0, self.blocks) > 0

    def blocks_where(self, kept: NDArray[np.bool_]) -> Tally:
        """Return the games of some blocks."""
        games = kept[self.block]
        held = {name: getattr(self, name)[games] for name in (
            "agent", "utility", "rank", "score", "decisions", "seconds", "wall", "plies", "forfeit")}
        return replace(
            self, blocks=int(kept.sum()), block=(np.cumsum(kept) - 1)[self.block[games]], number=self.number[kept],
            luck=None if self.luck is None else self.luck[games],
            faults=tuple(fault for fault, own in zip(self.faults, games, strict=False) if own), **held)

    def adjusted(self) -> Tally:
        """Return the same games with luck-adjusted win shares; raises InvalidOption if luck was not measured."""
        if self.luck is None:
            raise InvalidOption("luck was not measured in all games: 'sfida ratings FILE --adjusted' does it")
        return replace(self, utility=without_luck(self.agent, self.utility, self.luck, self.block, self.blocks))

    def adjusted_in_order(self, agents: int) -> Tally:
        """Adjust for a sequential test: the adjustment of a block depends only on the blocks before it."""
        if self.luck is None:
            raise InvalidOption("luck was not measured in all games: 'sfida ratings FILE --adjusted' does it")
        return replace(self, utility=in_order(self.agent, self.utility, self.luck, self.block, agents))

    @property
    def games(self) -> int:
        """Number of games counted."""
        return len(self.block)

    @classmethod
    def of(cls, outcomes: Iterable[GameOutcome], players: int, until: int | None = None) -> Tally:
        """Collect outcomes given in any order.

        Parameters
        ----------
        outcomes : iterable of GameOutcome
        players : int
            Number of seats, and so of games of a whole block.
        until : int, optional
            Index of the first block to leave out, with all later ones.
        """
        held: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
        for game in outcomes:
            if until is None or game.block < until:
                held[game.block].append((
                    game.rotation, game.agents, game.utilities, game.ranks, game.scores, game.decisions, game.seconds,
                    game.wall, len(game.record.moves), -1 if game.forfeit is None else game.forfeit.seat,
                    game.luck_to_take_off, game.forfeit))
        whole = sorted(index for index, games in held.items() if len(games) == players)
        rows = [row for index in whole for row in sorted(held[index])]
        columns = list(zip(*rows, strict=True)) if rows else [()] * 12
        agents, utilities, ranks, scores, decisions, seconds, wall, plies, forfeit, luck, faults = columns[1:]

        def floats(column: Sequence[Any]) -> NDArray[np.float64]:
            return np.array(column, float).reshape(len(rows), players)

        return cls(
            blocks=len(whole), loose=sum(map(len, held.values())) - len(rows),
            block=np.repeat(np.arange(len(whole)), players), number=np.array(whole, np.int64),
            agent=np.array(agents, np.int64).reshape(len(rows), players), utility=floats(utilities),
            rank=floats(ranks), score=floats(scores), decisions=floats(decisions), seconds=floats(seconds),
            wall=np.array(wall, float), plies=np.array(plies, np.int64), forfeit=np.array(forfeit, np.int64),
            luck=None if None in luck else floats(luck), faults=tuple(faults))


# ---- The effect of the seats: the win share of each seat, and a randomisation test over blocks

SHIFTS = 10_000
_HELD = 2_000_000               # numbers of a chunk held at a time


@dataclass(frozen=True)
class SeatEffect:
    """The effect of the seats.

    Attributes
    ----------
    shares : Ratios
        Win share of each seat over all agents.
    p : float
        Probability of seats at least as uneven as these if seats did not matter.
    """

    shares: Ratios
    p: float


def seat_effect(utility: Floats, block: Ints, seed: int, *, shifts: int = SHIFTS,
                resamples: int = RESAMPLES) -> SeatEffect:
    """Compare the seats of games in blocks in which every agent played once on every seat.

    Luck common to a block favours one of its seats, so games are not an independent sample. But if seats do not
    matter, the seats of a block are exchangeable: its vector of win shares, rotated by any number of seats, is equally
    likely. The test rotates every block at random, `shifts` times, and counts how often the sum over the seats of
    `(mean share - 1 / seats) ** 2` is at least the observed one (Fisher's randomisation test).

    Parameters
    ----------
    utility : float array of shape (G, k)
        Win share of each seat.
    block : int array of shape (G,)
        0 to B - 1.
    seed : int
    shifts, resamples : int
    """
    seats = utility.shape[1]
    blocks = int(block.max(initial=-1)) + 1
    seat = np.broadcast_to(np.arange(seats), utility.shape)
    terms = Terms.of(seats, blocks, seat.ravel(), np.repeat(block, seats), utility.ravel())
    shares = ratios(terms, seed, resamples)
    if not blocks:
        return SeatEffect(shares, 1.0)
    sums = np.stack([np.bincount(block, utility[:, seat], blocks) for seat in range(seats)], axis=1)
    return SeatEffect(shares, _probability(sums / np.bincount(block)[:, None], seed, shifts))


def _probability(blocks: Floats, seed: int, shifts: int) -> float:
    """Return the p value for the vectors of the blocks, of shape (B, k)."""
    count, seats = blocks.shape
    kinds, number = _kinds(blocks)
    unevenness = ((blocks.mean(axis=0) - 1 / seats) ** 2).sum()
    turned = np.stack([np.roll(kinds, turn, axis=1) for turn in range(seats)], axis=1)     # (kind, turn, seat)
    rng = np.random.default_rng([seed, 2])
    chunk = max(1, _HELD // (len(kinds) * seats))
    reached = 0
    for start in range(0, shifts, chunk):
        size = min(chunk, shifts - start)
        times = rng.multinomial(number, np.full(seats, 1 / seats), size=(size, len(kinds)))
        means = times.reshape(size, -1) @ turned.reshape(-1, seats) / count
        reached += int((((means - 1 / seats) ** 2).sum(axis=1) >= unevenness - 1e-12).sum())
    return (reached + 1) / (shifts + 1)


def _kinds(blocks: Floats) -> tuple[Floats, Ints]:
    """Return the distinct vectors among the blocks, up to rotation, and how often each occurs."""
    seats = blocks.shape[1]
    rounded = np.round(blocks, 9)
    best = rounded
    for turn in range(1, seats):
        other = np.roll(rounded, turn, axis=1)
        differ = other != best
        first = differ.argmax(axis=1)
        rows = np.arange(len(best))
        less = differ.any(axis=1) & (other[rows, first] < best[rows, first])
        best = np.where(less[:, None], other, best)
    kinds, number = np.unique(best, axis=0, return_counts=True)
    return kinds, number
