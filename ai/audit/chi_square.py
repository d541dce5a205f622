"""Chi-square tests of counts: against probabilities, and of two samples against each other."""

from __future__ import annotations

import math
import zlib
from collections.abc import Hashable, Mapping

_LEAST = 8.0            # smallest expected count of a cell; smaller ones are put together
_STEPS = 10_000
_TINY = 1e-300


def tail(value: float, freedom: int) -> float:
    """Return the probability that a chi-square variable of so many degrees of freedom is at least `value`.

    The upper incomplete gamma function, by its series or its continued fraction (Abramowitz and Stegun 6.5.29, 6.5.31).
    """
    if value <= 0 or freedom < 1:
        return 1.0
    a, x = freedom / 2, value / 2
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        for n in range(1, _STEPS):
            term *= x / (a + n)
            total += term
            if term < total * 1e-16:
                break
        return max(0.0, 1.0 - front * total)
    b = x + 1 - a
    c, d = 1 / _TINY, 1 / b
    fraction = d
    for n in range(1, _STEPS):
        step = -n * (n - a)
        b += 2
        d = 1 / (step * d + b or _TINY)
        c = b + step / c or _TINY
        fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * fraction


def fit(counts: Mapping[Hashable, int], shares: Mapping[Hashable, float]) -> float:
    """Return the p-value of counts that should follow probabilities; 0 if something of probability 0 was counted.

    Parameters
    ----------
    counts : mapping
    shares : mapping
        Weights of the cells, not necessarily adding up to 1.
    """
    number, total = sum(counts.values()), sum(shares.values())
    if any(count and not shares.get(cell) for cell, count in counts.items()):
        return 0.0
    cells = sorted(((number * share / total, _order(cell), cell) for cell, share in shares.items()),
                   key=lambda each: each[:2])
    value, used, rest = 0.0, 0, (0.0, 0)
    for mean, _, cell in cells:
        rest = (rest[0] + mean, rest[1] + counts.get(cell, 0))
        if rest[0] >= _LEAST:
            value, used, rest = value + (rest[1] - rest[0]) ** 2 / rest[0], used + 1, (0.0, 0)
    return tail(value, used - 1)


def same(one: Mapping[Hashable, int], other: Mapping[Hashable, int]) -> float:
    """Return the p-value of two samples that should come from one distribution."""
    n, m = sum(one.values()), sum(other.values())
    if not n or not m:
        return 1.0
    cells = sorted(((one.get(cell, 0) + other.get(cell, 0), _order(cell), cell) for cell in {*one, *other}),
                   key=lambda each: each[:2])
    value, used, rest = 0.0, 0, (0, 0)
    for both, _, cell in cells:
        rest = (rest[0] + both, rest[1] + one.get(cell, 0))
        if rest[0] * min(n, m) / (n + m) >= _LEAST:
            mean_one, mean_other = rest[0] * n / (n + m), rest[0] * m / (n + m)
            value += (rest[1] - mean_one) ** 2 / mean_one + (rest[0] - rest[1] - mean_other) ** 2 / mean_other
            used, rest = used + 1, (0, 0)
    return tail(value, used - 1)


def _order(cell: Hashable) -> int:
    """Return a number by which cells of equal size are put together: it must not look at what was counted there."""
    return zlib.crc32(repr(cell).encode())
