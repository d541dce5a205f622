"""What a player who does not see everything looks at, and by how much each move is misjudged.

Everything is drawn by a keyed hash of (seed, position, move): a player who comes back to a position with the same seed
sees and thinks the same.
"""

from __future__ import annotations

import hashlib
import math

from sfida.ai.levels.strength import Strength
from sfida.cython_ext.state import View

_FLATTEN = 2.0                          # a move comes to mind with weight prior ** (1 / this)
_LEAST = 1e-6                           # prior of a move that the game gives none
_WIDTH = math.sqrt(6.0)                 # of the sum of two uniform numbers less 1, in standard deviations


def looked_at(view: View, strength: Strength, seed: int) -> dict[int, float]:
    """Return the moves that a player looks at, each with the error of judgement in log odds.

    The likeliest move by the game's priors comes first. Others come to mind without replacement, the likelier the
    sooner. Errors have a triangular distribution: none is larger than 2.45 standard deviations, so a clear gap between
    two moves is never jumped.

    Parameters
    ----------
    view : View
    strength : Strength
    seed : int
        Of the decision.
    """
    root = hashlib.blake2b(view.key(), digest_size=32, key=seed.to_bytes(8, "little"), person=b"sfida.levels").digest()
    priors = dict(view.move_priors())
    draws = {move: _draws(root, move) for move in priors}
    best = max(priors, key=lambda move: (priors[move], draws[move][0]))
    # the largest sums of log weight and Gumbel noise are a draw by weight without replacement
    order = sorted(priors, key=lambda move: (move != best, -(
        math.log(max(priors[move], _LEAST)) / _FLATTEN - math.log(-math.log(draws[move][0])))))
    return {move: strength.misjudge * _WIDTH * (draws[move][1] + draws[move][2] - 1.0)
            for move in order[:strength.sight]}


def _draws(root: bytes, move: int) -> tuple[float, float, float]:
    """Return three independent uniform numbers above 0 and below 1."""
    digest = hashlib.blake2b(move.to_bytes(8, "little"), digest_size=24, key=root).digest()
    first, second, third = ((int.from_bytes(digest[i:i + 8], "little") + 0.5) / 2**64 for i in (0, 8, 16))
    return first, second, third
