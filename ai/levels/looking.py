"""What a player who does not see everything looks at, and by how much each move is misjudged.

Everything is drawn by a keyed hash of (seed, position, move): a player who comes back to a position with the same seed
sees and thinks the same.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence

from sfida.ai.levels.strength import Strength
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState, View

_FLATTEN = 2.0                          # a move comes to mind with weight prior ** (1 / this)
_LEAST = 1e-6                           # prior of a move that the game gives none
_WIDTH = math.sqrt(6.0)                 # of the sum of two uniform numbers less 1, in standard deviations


def winning_move(view: View, moves: Sequence[int]) -> int | None:
    """Return a move that wins at once, as everybody at the table would see, or None.

    Parameters
    ----------
    view : View
    moves : sequence of int
        Legal moves to try in a game that hides nothing and has no test of its own (`GameState.winning_move`).
    """
    world = view.sample(Random(0))
    if world.has_sure_win or view.hidden:
        return world.winning_move()
    return next((move for move in moves if _wins(world, move, view.seat)), None)


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


def _wins(world: GameState, move: int, seat: int) -> bool:
    twin = world.clone()
    twin.apply(move)
    shares = twin.utilities() if twin.is_over else None
    return shares is not None and shares[seat] > 0.999
