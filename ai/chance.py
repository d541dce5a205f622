"""Chance outcomes of a game, and the seeds of all random streams, derived by key.

Every seed of a game or a tournament is a keyed BLAKE2b hash of its place, with the root as the key and the domain
(luck, decisions, ...) as personalization: from some seeds neither another one nor the root can be computed, except by
guessing the root.

References
----------
M.-J. Saarinen, J.-P. Aumasson, "The BLAKE2 Cryptographic Hash and MAC", RFC 7693 (2015).
C. Percival, S. Josefsson, "The scrypt Password-Based Key Derivation Function", RFC 7914 (2016).

The table chooses the source; the rules only define the possible outcomes and their probabilities.
"""

from __future__ import annotations

import functools
import hashlib
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from sfida.cython_ext.errors import IllegalMove, InvalidOption
from sfida.cython_ext.keyed import first_to_arrive
from sfida.cython_ext.state import GameState
from sfida.engines.records import GameRecord
from sfida.engines.registry import make_game
from sfida.engines.spec import quoted, whole
from sfida.engines.untrusted import FieldReader

# ---- Seeds of all random streams, derived by key, never from the order of execution

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
    """Seed of the memory of the agent on `seat` in the game with seed `root`, set before the game begins."""
    return _hash(_key(root), b"opening", 8, seat)


def advice_seed(root: int, seat: int, ply: int) -> int:
    """Seed of advice on the decision that `seat` takes as move `ply` of the game with seed `root`."""
    return _hash(_key(root), b"advice", 8, seat, ply)


def stream_seed(root: int) -> int:
    """Seed of the single stream for all chance events of the game with seed `root`, for the greatest speed."""
    return _hash(_key(root), b"stream", 8)


def episode_seed(root: int, number: int) -> int:
    """Seed of game `number` in a learner's series of games; the first has the given seed."""
    return root if number == 0 else _hash(_key(root), b"episode", 16, number)


# ---- of a tournament: 128 bits --------------------------------------------------------------------------


def game_seed(root: int, block: int, rotation: int) -> int:
    """Seed of the agents in one game of a tournament."""
    return _hash(_slow_key(root), b"game", 16, block, rotation)


def block_seed(root: int, block: int) -> int:
    """Seed of the chance events in all games of a block of a tournament."""
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
    """Seed of a tournament that a tuning with seed `root` plays, and of the choice of its candidates."""
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

    Only tournaments pay this cost, once each: where thousands of single games take a second, it would be most of it.
    """
    if root >= _GUESSABLE:
        return _key(root)
    try:
        return hashlib.scrypt(_key(root), salt=b"sfida.tournament", n=_COST, r=8, p=1, maxmem=2**26, dklen=32)
    except ValueError as error:         # OpenSSL raises it for a lack of memory
        raise MemoryError(str(error)) from None


# ---- Sources of the chance outcomes of a game; usually a seed


class ChanceSource(Protocol):
    """Decides the chance events of one game, in order."""

    def draw(self, state: GameState) -> int:
        """Return the code of the outcome of the coming chance event of `state`."""


class SeededChance:
    """Chance outcomes from a seed, the same whatever the players do.

    The k-th draw from each source of the game (tile stack, a die, a deck) has its own random numbers, one per
    outcome: outcome `o` of weight `w` gets an exponential arrival time of rate `w`, keyed by (seed, source, k, o),
    and the first to arrive happens. Each outcome thus has exactly the probability given by its weight. In two games
    with the same seed the same draw gives the same outcome if the possible outcomes are the same, and usually
    the same outcome if they differ only a little.

    Parameters
    ----------
    seed : int

    References
    ----------
    The race of exponentials is the Gumbel-max trick in other coordinates: C. J. Maddison, D. Tarlow,
    T. Minka, "A* sampling" (2014). Common random numbers: P. Glasserman, D. D. Yao (1992).
    """

    def __init__(self, seed: int) -> None:
        self.seed: int = check_seed(seed)
        self._drawn: dict[int, int] = {}

    def draw(self, state: GameState) -> int:
        """Return the outcome of the coming chance event, and count the draw."""
        source, number = self._coming(state)
        outcome = self.outcome(state.chance_outcomes(), source, number)
        self._drawn[source] = number + 1
        return outcome

    def skip(self, state: GameState) -> None:
        """Count the draw of the coming chance event, whose outcome is already known."""
        source, number = self._coming(state)
        self._drawn[source] = number + 1

    def _coming(self, state: GameState) -> tuple[int, int]:
        """Return the source of the coming chance event, and the number of draws from it so far."""
        source = state.game.chance_sources.index(state.game.chance_source(state))
        return source, self._drawn.get(source, 0)

    def outcome(self, outcomes: Sequence[tuple[int, int]], source: int, number: int) -> int:
        """Return the code that the `number`-th draw from a source selects among (code, weight) pairs."""
        if not outcomes:
            raise IllegalMove("no chance event comes next")
        return first_to_arrive(luck_seed(self.seed, source, number), outcomes)


# ---- Whether the luck of a recorded game followed from its seed

TYPED = "manual_chance"     # extra field of records: chance outcomes were typed in
BEGUN = "begun_at"          # extra field of records: number of events that were taken over from a game with other luck
_LUCK = "chance_seed"       # extra field of records of tournaments: seed of the chance events alone


@dataclass(frozen=True)
class ChanceDraw:
    """A chance event of a recorded game.

    Attributes
    ----------
    ply : int
        Number of the event in the game, from 0.
    drawn, due : str
        Its outcome, and the outcome that follows from the seed, in notation.
    """

    ply: int
    drawn: str
    due: str


def draws_of(record: GameRecord) -> Iterator[ChanceDraw]:
    """Yield the chance events of a recorded game with the outcomes that follow from its seed.

    Parameters
    ----------
    record : GameRecord
        Record of a game, which may be unfinished. Events that it has taken over from a game with other luck are left
        out.

    Raises
    ------
    InvalidRecord
        If the record does not fit the rules, names no seed, or its luck was typed in.
    """
    reader = FieldReader(record.where)
    given = record.extra.get(_LUCK)
    seed = given if isinstance(given, int) and given >= 0 else record.seed
    if record.extra.get(TYPED):
        reader.fail("the luck of this game was typed in, so no seed gives it")
    if seed is None:
        reader.fail("the record names no seed")
    first = reader.take(dict(record.extra), BEGUN, int, 0)
    record.replay()
    state, luck = make_game(record.game).initial_state(), SeededChance(seed)
    for ply, text in enumerate(record.moves):
        if state.is_chance and ply < first:
            luck.skip(state)
        elif state.is_chance:
            yield ChanceDraw(ply, state.format(state.parse(text)), state.format(luck.draw(state)))
        state.apply(state.parse(text))
