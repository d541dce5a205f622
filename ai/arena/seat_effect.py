"""The effect of the seats: the win share of each seat, and a randomisation test over blocks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sfida.ai.arena.bootstrap import RESAMPLES, Floats, Ints, Ratios, Terms, ratios

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
    """Compare the seats of games in blocks, in each of which every agent sat on every seat once.

    Luck common to a block favours one of its seats, so games are not an independent sample. But if seats do not
    matter, the seats of a block are exchangeable: its vector of win shares, rotated by any number of seats, is equally
    likely. The test rotates every block at random, `shifts` times, and counts how often the sum over the seats of
    `(mean share - 1 / seats) ** 2` is at least the observed one (Fisher's randomisation test).

    Parameters
    ----------
    utility : float array of shape (G, k)
        Share of the win of each seat.
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
