"""What a playing process notes while it plays, so that another process can read it, even after its death.

A file is mapped into both processes. It holds which seat decides and since when, the moves so far, and the time taken.
Writing takes well under a microsecond and no system call. Each side leaves out of a decision's time what it has slept
itself meanwhile (`measure.slept`): both may have been stopped and continued, and not at the same moments.
"""

from __future__ import annotations

import mmap
import time
from pathlib import Path
from types import TracebackType

from sfida.cython_ext.measure import slept

_SEATS = 16
_MOVES = 1 << 16                # most moves that are noted
_PLIES, _SEAT, _SINCE, _DECISIONS = 0, 1, 2, 3
_NANOSECONDS = _DECISIONS + _SEATS
_CODES = _NANOSECONDS + _SEATS
SIZE = 8 * (_CODES + _MOVES)
NOBODY = -1


class Heartbeat:
    """The shared page of 64-bit words.

    Parameters
    ----------
    path : Path
        File of `SIZE` bytes.
    """

    def __init__(self, path: Path) -> None:
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), SIZE)
        self._words = memoryview(self._map).cast("q")
        self._since = 0                 # the decision looked at last, and what had been slept when it began
        self._slept = self._slept_before = slept()

    # ---- the playing process ------------------------------------------------------------------

    def begin(self) -> None:
        """Note that a game begins."""
        self._words[_PLIES] = 0
        self._words[_SEAT] = NOBODY
        for index in range(_DECISIONS, _CODES):
            self._words[index] = 0

    def deciding(self, seat: int, allowance: float = 0.0) -> None:
        """Note that a seat begins to decide; its time starts in `allowance` seconds."""
        self._slept_before = slept()
        self._since = self._words[_SINCE] = time.monotonic_ns() + int(allowance * 1e9)
        self._words[_SEAT] = seat

    def decided(self) -> float:
        """Note that the decision is made; return its seconds."""
        seat = self._words[_SEAT]
        self._words[_DECISIONS + seat] += 1
        return self.told()

    def told(self) -> float:
        """Note that the seat has processed an event; its time counts, but it is not a decision."""
        seat, took = self._words[_SEAT], self.deciding_for
        self._words[_SEAT] = NOBODY
        self._words[_NANOSECONDS + seat] += int(took * 1e9)
        return took

    def played(self, code: int) -> None:
        """Note a move."""
        plies = self._words[_PLIES]
        if plies < _MOVES:
            self._words[_CODES + plies] = code
            self._words[_PLIES] = plies + 1

    # ---- either -------------------------------------------------------------------------------

    @property
    def seat(self) -> int:
        """The seat that decides, or NOBODY."""
        return self._words[_SEAT]

    @property
    def deciding_for(self) -> float:
        """Seconds since the current decision began, without those that this process has slept."""
        since = self._words[_SINCE]
        if since != self._since:            # it began after the last look
            self._since, self._slept_before = since, self._slept
        self._slept = slept()
        return (time.monotonic_ns() - since) * 1e-9 - (self._slept - self._slept_before)

    def moves(self) -> list[int]:
        """Return the moves of the game so far."""
        return self._words[_CODES:_CODES + self._words[_PLIES]].tolist()

    def decisions(self, players: int) -> tuple[int, ...]:
        """Return the number of decisions of each seat."""
        return tuple(self._words[_DECISIONS:_DECISIONS + players])

    def seconds(self, players: int) -> tuple[float, ...]:
        """Return the time taken by each seat, in seconds."""
        return tuple(value * 1e-9 for value in self._words[_NANOSECONDS:_NANOSECONDS + players])

    def close(self) -> None:
        """Close the page."""
        self._words.release()
        self._map.close()

    def __enter__(self) -> Heartbeat:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()
