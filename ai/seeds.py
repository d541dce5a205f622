"""Which random stream belongs to what: seeds are named by key, never by the order of execution."""

from __future__ import annotations

import secrets

from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.rng import derive
from sfida.engines.spec import quoted

_LUCK, _DECISION, _GAME, _BLOCK, _BOOTSTRAP, _LINEUP = range(6)      # first key word: one domain each


LARGEST_SEED = 2**64 - 1


def check_seed(seed: object) -> int:
    """Return a seed given by a caller; raises InvalidOption unless it is a whole number from 0 to 2**64 - 1."""
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise InvalidOption(f"a seed must be a whole number of at least 0, not {quoted(seed)}")
    if seed > LARGEST_SEED:
        raise InvalidOption(f"a seed must be a whole number from 0 to {LARGEST_SEED}, not {quoted(seed)}")
    return seed


def fresh_seed() -> int:
    """Return a new seed from the operating system, for a caller who gave none; it is always recorded."""
    return secrets.randbits(32)


def luck_seed(root: int, source: int, number: int) -> int:
    """Seed of the `number`-th draw from a chance source of the game with seed `root`."""
    return int(derive(root, _LUCK, source, number))


def decision_seed(root: int, seat: int, ply: int) -> int:
    """Seed of the decision that `seat` takes as move `ply` of the game with seed `root`."""
    return int(derive(root, _DECISION, seat, ply))


def game_seed(root: int, block: int, rotation: int) -> int:
    """Seed of the agents in one game of a match."""
    return int(derive(root, _GAME, block, rotation))


def block_seed(root: int, block: int) -> int:
    """Seed of the luck in all games of a block of a match."""
    return int(derive(root, _BLOCK, block))


def bootstrap_seed(root: int) -> int:
    """Seed of the resampling behind the intervals of a match."""
    return int(derive(root, _BOOTSTRAP))


def lineup_seed(root: int, round_: int, place: int) -> int:
    """Seed of the order of seats in a block of a tournament."""
    return int(derive(root, _LINEUP, round_, place))
