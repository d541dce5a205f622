"""The ladder of strengths that a game's levels are taken from: rungs from nearly random to the largest budget."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sfida.ai.levels.strength import Strength, between

LEVELS = 10
ERRING = 7                             # steps of the ladder on which players overlook and misjudge
_FIRST = 8                              # iterations of the lowest rung
_MOSTERRING = 500                      # iterations of the lowest rung that does neither, at most,
_OF_TOP = 8                             # nor more than the largest budget divided by this
_MISJUDGE, _SLIGHT = 2.0, 0.1           # in log odds, on the lowest rung and where it stops to count
_HALVINGS = 40                          # that find a place
_FEWEST, _MANY = 6, 64                  # moves looked at on the lowest rung, and where it is all of them


def ladder(top: int, cutoff: int | None = None) -> tuple[Strength, ...]:
    """Return the rungs, weakest first.

    On the lower ones everything grows together: iterations, moves looked at, turns looked ahead and judgement. From
    there on only the iterations grow, doubling from rung to rung until `top`.

    Parameters
    ----------
    top : int
        Iterations of the highest rung, at least 1.
    cutoff : int, optional
        Turns that a playout of the game looks ahead by default; None, or below 1: playouts are not cut off.
    """
    clear = max(1, min(_MOSTERRING, top // _OF_TOP))
    first = min(_FIRST, clear)
    rungs = []
    for step in range(ERRING):
        share = step / ERRING
        rungs.append(Strength(
            iterations=round(first * (clear / first) ** share), sight=round(_FEWEST * (_MANY / _FEWEST) ** share),
            misjudge=round(_MISJUDGE * (_SLIGHT / _MISJUDGE) ** share, 3),
            depth=None if cutoff is None or cutoff < 1 else max(1, round(cutoff * share))))
    doublings = max(1, round(math.log2(top / clear)))
    rungs += [Strength(iterations=round(clear * (top / clear) ** (step / doublings))) for step in range(doublings + 1)]
    return tuple(rungs)


def at(rungs: Sequence[Strength], place: float) -> Strength:
    """Return the strength at a place on a ladder, 0 for its first rung; between two rungs one in between."""
    below = min(max(int(place), 0), len(rungs) - 2)
    return between(rungs[below], rungs[below + 1], place - below)


def place_of(rungs: Sequence[Strength], strength: Strength) -> float:
    """Return the place on a ladder of a strength that lies on it, as exactly as its rounded numbers say.

    Where players misjudge, by how much they do; where they do not, by the iterations.
    """
    low, high = 0.0, float(len(rungs) - 1)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        there = at(rungs, middle)
        weaker = (there.misjudge > strength.misjudge if strength.misjudge
                  else there.misjudge > 0.0 or there.iterations < strength.iterations)
        low, high = (middle, high) if weaker else (low, middle)
    return high
