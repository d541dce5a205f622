"""Exact weights for chances that OpenSpiel gives as floats."""

from __future__ import annotations

import functools
import math
from fractions import Fraction

_LARGEST = 2**32 - 1            # of the sum of all weights
_DENOMINATOR = 10**6            # of a probability that counts as a fraction
_TOLERANCE = 1e-9               # of a float against the fraction it stands for


@functools.lru_cache(maxsize=1024)
def integer_weights(probabilities: tuple[float, ...]) -> tuple[int, ...]:
    """Return integer weights in proportion to probabilities.

    A probability such as 1/52 arrives as the float next to it. Each is taken for the simplest fraction within
    1e-9 of it; when these fractions add up to exactly 1, the weights are their numerators over the least
    common denominator, which undoes the rounding. Other distributions are rounded to multiples of 2**-31, and
    nothing possible gets the weight 0.

    Parameters
    ----------
    probabilities : tuple of float
        Each above 0.

    Returns
    -------
    tuple of int
        At least 1 each; their sum is below 2**32.
    """
    fractions = [Fraction(p).limit_denominator(_DENOMINATOR) for p in probabilities]
    common = math.lcm(*(fraction.denominator for fraction in fractions))
    if (common <= _LARGEST and sum(fractions) == 1 and all(fractions)
            and all(abs(f - p) <= _TOLERANCE for f, p in zip(fractions, probabilities, strict=True))):
        return tuple(int(fraction * common) for fraction in fractions)
    total = math.fsum(probabilities)
    return tuple(max(1, round(p / total * 2**31)) for p in probabilities)
