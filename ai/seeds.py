"""Seeds of all random streams: they are derived by key, never from the order of execution.

Every seed of a game or a tournament is a keyed BLAKE2b hash of its place, with the root as the key and the domain
(luck, decisions, ...) as personalization: from some of them neither another one nor the root can be computed,
except by guessing the root.

References
----------
M.-J. Saarinen, J.-P. Aumasson, "The BLAKE2 Cryptographic Hash and MAC", RFC 7693 (2015).
C. Percival, S. Josefsson, "The scrypt Password-Based Key Derivation Function", RFC 7914 (2016).
"""

from __future__ import annotations

import functools
import hashlib
import secrets

from sfida.cython_ext.errors import InvalidOption
from sfida.engines.spec import quoted, whole

LARGEST_SEED = 2**128 - 1           # largest seed of a game or a tournament: a root
LARGEST_AGENT_SEED = 2**64 - 1      # largest seed of an agent, and of one decision
_GUESSABLE = 2**64                  # a root below this is assumed to have been typed
_COST = 2**15                       # cost of scrypt: 32 MiB and about 60 ms per guess


def check_seed(seed: object, largest: int = LARGEST_SEED) -> int:
    """Return a seed given by a caller; raises InvalidOption unless it is a whole number from 0 to `largest`."""
    number = whole(seed)
    if number is None or number < 0:
        raise InvalidOption(f"a seed must be a whole number of at least 0, not {quoted(seed)}")
    if number > largest:
        raise InvalidOption(f"a seed must be a whole number from 0 to {largest}, not {quoted(seed)}")
    return number


def fresh_seed() -> int:
    """Return a new 128-bit seed from the operating system, for a caller who gave none; it is always recorded."""
    return secrets.randbits(128)


# ---- of a game: 64 bits ---------------------------------------------------------------------------------


def luck_seed(root: int, source: int, number: int) -> int:
    """Seed of the `number`-th draw from a chance source of the game with seed `root`."""
    return _hash(_key(root), b"luck", 8, source, number)


def decision_seed(root: int, seat: int, ply: int) -> int:
    """Seed of the decision that `seat` takes as move `ply` of the game with seed `root`."""
    return _hash(_key(root), b"decision", 8, seat, ply)


def opening_seed(root: int, seat: int) -> int:
    """Seed of what the agent on `seat` keeps during the game with seed `root`, set before the game begins."""
    return _hash(_key(root), b"opening", 8, seat)


def advice_seed(root: int, seat: int, ply: int) -> int:
    """Seed of advice on the decision that `seat` takes as move `ply` of the game with seed `root`."""
    return _hash(_key(root), b"advice", 8, seat, ply)


def stream_seed(root: int) -> int:
    """Seed of the one stream that draws all luck of the game with seed `root`, where speed counts most."""
    return _hash(_key(root), b"stream", 8)


def episode_seed(root: int, number: int) -> int:
    """Seed of game `number` of those that a learner plays one after the other; the first has the seed given."""
    return root if number == 0 else _hash(_key(root), b"episode", 16, number)


# ---- of a tournament: 128 bits --------------------------------------------------------------------------


def game_seed(root: int, block: int, rotation: int) -> int:
    """Seed of the agents in one game of a tournament."""
    return _hash(_slow_key(root), b"game", 16, block, rotation)


def block_seed(root: int, block: int) -> int:
    """Seed of the luck in all games of a block of a tournament."""
    return _hash(_slow_key(root), b"block", 16, block)


def lineup_seed(root: int, round_: int, place: int) -> int:
    """Seed of the order of seats in a block of a tournament."""
    return _hash(_slow_key(root), b"lineup", 16, round_, place)


def bootstrap_seed(root: int) -> int:
    """Seed of the bootstrap samples behind the intervals of a tournament."""
    return _hash(_slow_key(root), b"bootstrap", 16)


def training_seed(root: int, round_: int, part: int) -> int:
    """Seed of one part of a round of training: its games, its fit or its match."""
    return _hash(_slow_key(root), b"training", 16, round_, part)


def tuning_seed(root: int, stage: int, number: int) -> int:
    """Seed of a tournament that a tuning with seed `root` plays, and of the choice of what plays in it."""
    return _hash(_slow_key(root), b"tuning", 16, stage, number)


def forecast_seed(root: int) -> int:
    """Seed of the games that are played to forecast a tournament, and of the agents in them."""
    return _hash(_slow_key(root), b"forecast", 16)


# ---- the keyed hash -------------------------------------------------------------------------------------


def _hash(key: bytes, domain: bytes, size: int, *place: int) -> int:
    """Return `size` hash bytes of a domain and a place in it, as a number."""
    words = b"".join([number.to_bytes(8, "little") for number in place])
    digest = hashlib.blake2b(words, digest_size=size, key=key, person=b"sfida." + domain)
    return int.from_bytes(digest.digest(), "little")


def _key(root: int) -> bytes:
    return root.to_bytes(16, "little")


@functools.lru_cache(maxsize=64)
def _slow_key(root: int) -> bytes:
    """Return the key of a tournament, made so that each guess of a root costs time and memory.

    This is done only here, where it is paid once per tournament: of single games, of which thousands may take one
    second, it would be most of the time.
    """
    if root >= _GUESSABLE:
        return _key(root)
    try:
        return hashlib.scrypt(_key(root), salt=b"sfida.tournament", n=_COST, r=8, p=1, maxmem=2**26, dklen=32)
    except ValueError as error:         # OpenSSL's word for it
        raise MemoryError(str(error)) from None
