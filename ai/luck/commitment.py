"""The commitment to the luck of a game: a hash that is shown before the first draw, and opened after the last.

All luck of a game follows from its seed. Before the game everybody is shown the SHA-256 of a seed and a random salt,
afterwards both, so that anybody can check that the seed was not exchanged. The salt has 256 bits: without it a seed
that somebody typed could be found by trying.

At a shared table the guests, who need not trust the host, add bytes of their own. Each of them first promises them by
their SHA-256; only when all promises are known are the bytes given. The seed of the game is the hash of everything
together. The host was bound before any bytes were known, and every guest before those of the others were.

References
----------
M. Blum, "Coin flipping by telephone: a protocol for solving impossible problems" (1981).
"""

from __future__ import annotations

import dataclasses
import hashlib
import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from sfida.cython_ext.errors import InvalidOption
from sfida.engines.language import _
from sfida.engines.records import MAX_SEATS, GameRecord
from sfida.engines.untrusted import LARGEST, UNNAMED, FieldReader, JsonData, bounds

FIELD = "commitment"    # extra field of records
_COMMITMENT = "sfida: commitment to the luck of a game"
_SEED = "sfida: seed of the luck of a game"
_BYTES = 32             # length of a salt and of a guest's contribution
_HEX = re.compile("[0-9a-f]{64}")
PROMISES, BYTES = "promises", "bytes"       # stages of the wait before the game


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def promise_of(given: str) -> str:
    """Return the promise of bytes, in hex digits: their SHA-256."""
    return hashlib.sha256(bytes.fromhex(given)).hexdigest()


def is_hex(text: str) -> bool:
    """Whether a text is 32 bytes, as 64 small hex digits."""
    return _HEX.fullmatch(text) is not None


@dataclass(frozen=True)
class Contribution(JsonData):
    """The part of a guest in the luck.

    Attributes
    ----------
    seat : int
    promise : str
        SHA-256 of the bytes.
    given : str
        The bytes, as 64 hex digits; "" if they were not given, or not yet.
    """

    seat: int = field(metadata=bounds(low=0, high=MAX_SEATS - 1))
    promise: str
    given: str = ""


@dataclass(frozen=True)
class Commitment(JsonData):
    """A commitment to the luck of a game.

    Attributes
    ----------
    sha256 : str
        What is shown before the game: the hash of the host's seed and the salt.
    seed : int or None
        The host's seed, which is that of the game unless guests contributed; None while it is secret.
    salt : str
        64 hex digits; "" while it is secret.
    contributions : tuple of Contribution
        Those of the guests, by seat.
    stage : str
        What guests are asked for before the game: "promises", then "bytes"; "" if for nothing any more.
    """

    sha256: str
    seed: int | None = field(default=None, metadata=bounds(low=0, high=LARGEST))
    salt: str = ""
    contributions: tuple[Contribution, ...] = field(default=(), metadata=bounds(most=MAX_SEATS))
    stage: str = ""

    @classmethod
    def to(cls, seed: int) -> Self:
        """Return a new commitment to a seed, with a random salt."""
        salt = secrets.token_hex(_BYTES)
        return cls(_hash(seed, salt), seed, salt)

    @classmethod
    def from_json(cls, data: Mapping[str, Any], reader: FieldReader = UNNAMED) -> Self:
        """Build a commitment from JSON data; raises InvalidRecord."""
        found = super().from_json(data, reader)
        texts = [("sha256", found.sha256), ("salt", found.salt)]
        for part in found.contributions:
            texts += [("promise", part.promise), ("given", part.given)]
        for name, text in texts:
            if not (is_hex(text) or (name in ("salt", "given") and not text)):
                reader.fail(f"'{name}' in '{FIELD}' must be 64 hex digits")
        if (found.seed is None) != (not found.salt):
            reader.fail(f"'{FIELD}' must hold both 'seed' and 'salt', or neither")
        seats = [part.seat for part in found.contributions]
        if seats != sorted(set(seats)):
            reader.fail(f"'contributions' in '{FIELD}' must be in the order of the seats, one of each")
        if found.stage not in ("", PROMISES, BYTES):
            reader.fail(f"'stage' in '{FIELD}' must be '{PROMISES}', '{BYTES}' or empty")
        return found

    @property
    def sealed(self) -> Commitment:
        """The part that may be shown before the end: all but seed and salt."""
        return dataclasses.replace(self, seed=None, salt="")

    @property
    def closed(self) -> Commitment:
        """The same when nothing is waited for any more."""
        return dataclasses.replace(self, stage="")

    @property
    def game_seed(self) -> int | None:
        """The seed of the game: the host's, or the hash of that and what the guests gave; None while it is secret."""
        given = [part for part in self.contributions if part.given]
        if self.seed is None or not given:
            return self.seed
        lines = [_SEED, f"seed {self.seed}", f"salt {self.salt}", *(f"seat {part.seat} {part.given}" for part in given)]
        return int(_digest("".join(f"{line}\n" for line in lines))[:32], 16)

    @property
    def fits(self) -> bool:
        """Whether the hash is that of seed and salt."""
        return self.seed is not None and _hash(self.seed, self.salt) == self.sha256

    @property
    def broken(self) -> Sequence[int]:
        """The seats whose bytes are not those that they promised."""
        return [part.seat for part in self.contributions if part.given and promise_of(part.given) != part.promise]

    @property
    def withheld(self) -> Sequence[int]:
        """The seats that promised bytes and did not give them."""
        return [part.seat for part in self.contributions if not part.given]

    # ---- before the game ----------------------------------------------------------------------

    def waits_for(self, guests: Iterable[int]) -> list[int]:
        """Return the seats of those guests whose promise or whose bytes are still missing."""
        done = {part.seat for part in self.contributions if part.given or self.stage == PROMISES}
        asked = guests if self.stage == PROMISES else self.withheld if self.stage == BYTES else ()
        return sorted(set(asked) - done)

    def with_promise(self, seat: int, promise: str) -> Commitment:
        """Return the commitment with a guest's promise; raises InvalidOption."""
        known = next((part.promise for part in self.contributions if part.seat == seat), None)
        if known is not None:
            if known == promise:
                return self
            raise InvalidOption(_("another browser has contributed to the luck from this seat"))
        if self.stage != PROMISES:
            raise InvalidOption(_("the promises for the luck are closed"))
        if not is_hex(promise):
            raise InvalidOption(_("what is contributed to the luck must be 64 hex digits"))
        parts = sorted((*self.contributions, Contribution(seat, promise)), key=lambda part: part.seat)
        return dataclasses.replace(self, contributions=tuple(parts))

    def with_bytes(self, seat: int, given: str) -> Commitment:
        """Return the commitment with the bytes that a guest has promised; raises InvalidOption."""
        if self.stage != BYTES:
            raise InvalidOption(_("the luck takes no contribution now"))
        if not is_hex(given):
            raise InvalidOption(_("what is contributed to the luck must be 64 hex digits"))
        if all(part.seat != seat or part.promise != promise_of(given) for part in self.contributions):
            raise InvalidOption(_("these are not the bytes that this seat has promised"))
        return dataclasses.replace(self, contributions=tuple(
            dataclasses.replace(part, given=given) if part.seat == seat else part for part in self.contributions))

    def after(self, guests: Iterable[int], *, hurried: bool = False) -> Commitment:
        """Return the commitment in its next stage if nothing is missing in this one, or if nobody is waited for."""
        if not self.stage or (not hurried and self.waits_for(guests)):
            return self
        if self.stage == PROMISES and self.contributions:
            return dataclasses.replace(self, stage=BYTES)
        return self.closed


def _hash(seed: int, salt: str) -> str:
    return _digest(f"{_COMMITMENT}\nseed {seed}\nsalt {salt}\n")


def commitment_of(record: GameRecord) -> Commitment | None:
    """Return the commitment in a record; None if there is none. Raises InvalidRecord."""
    reader = FieldReader(record.where)
    data = reader.take(dict(record.extra), FIELD, dict, None)
    return None if data is None else Commitment.from_json(data, reader)
