"""Lines on standard error with the progress of a search or of a tournament, and Ctrl-C during a search."""

from __future__ import annotations

import math
import signal
import threading
import time
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any

from sfida.ai.seat import Seat
from sfida.cli.output import Output, percent
from sfida.engines.language import N_, _, counted

if TYPE_CHECKING:                   # a game at the terminal starts without the arena
    from sfida.ai.arena.tournament import TournamentProgress

# ---- A line on standard error with the progress of a search, and the handling of Ctrl-C during it

MOVE_NOW = N_("move now")   # effect of Ctrl-C, as shown in the line
ANSWER_NOW = N_("answer now")
_AGAIN = 1.0                # seconds in which a Ctrl-C counts as the second one, even if another search has begun


class Thinking:
    """Shows an agent's progress while the block runs; draws nothing without a terminal.

    Parameters
    ----------
    output : Output
    seat : Seat
        The seat whose agent thinks.
    who : str
        The name shown for the seat.
    keep : str
        The effect of Ctrl-C in words if Ctrl-C is to end the search and keep its result; "" if it is to raise
        KeyboardInterrupt in the block. A second Ctrl-C always raises, and so does the first if the agent cannot be
        hurried.
    previous : Thinking, optional
        The search before this one: a Ctrl-C right after the one that ended it counts as the second one.
    secret : bool
        Show the time of the search, but not its findings, which would reveal to others what the seat knows.

    Attributes
    ----------
    interrupted : bool
        Whether Ctrl-C ended the search.
    """

    def __init__(self, output: Output, seat: Seat, who: str, keep: str = "",
                 previous: Thinking | None = None, *, secret: bool = False) -> None:
        self.interrupted: bool = False
        self._output = output
        self._seat = seat
        can = seat.can_be_hurried and threading.current_thread() is threading.main_thread()
        self._keep = keep if can else ""
        self._secret = secret
        # Translated here, in the language of the thread that began it: progress may come from another thread.
        self._line, self._note = _("{who} thinks ...").format(who=who), _("(Ctrl-C: {does})")
        self._does, self._steps = _(self._keep), _("{iterations:,} iterations")
        # When Ctrl-C last ended a search.
        self._pressed: float = -math.inf if previous is None else previous._pressed
        self._handler: Any = None

    def __enter__(self) -> Thinking:
        # Set even if nothing is drawn: Python notices Ctrl-C between two calls.
        self._seat.follow(self.show)
        if self._keep:
            self._handler = signal.signal(signal.SIGINT, self._stop)
        self._draw("")
        return self

    def show(self, progress: Any) -> None:
        """Draw a `Progress` of the search."""
        if self.interrupted:
            self._seat.hurry()              # the search had not begun when Ctrl-C came
        seconds = f" {progress.seconds:.1f} s"
        best = "" if self._secret else f", {progress.best} {percent(progress.win)}"
        steps = self._steps.format(iterations=progress.iterations)
        self._draw(f"{seconds}, {steps}{best}", f"{seconds}{best}")

    def _draw(self, so_far: str, shorter: str = "") -> None:
        """Draw the line; if the note on Ctrl-C does not fit, `shorter` takes the place of `so_far`."""
        note = "  " + self._note.format(does=self._does) if self._keep else ""
        room = self._output.to_stderr().width - 1 - len(note)
        line, brief = (f"{self._line}{text}" for text in (so_far, shorter))
        self._output.progress((line if len(line) <= room else brief)[:room] + note)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if self.interrupted or now < self._pressed + _AGAIN:
            raise KeyboardInterrupt
        self.interrupted, self._pressed = True, now
        self._seat.hurry()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._seat.follow(None)
        if self._keep:
            signal.signal(signal.SIGINT, self._handler)
        self._output.progress("")


# ---- A line on standard error with the progress of a tournament, or of a computation on its games

_TENTHS = 10


class TournamentLine:
    """Updates a line of progress on a terminal; elsewhere writes a line after every tenth of the games.

    Parameters
    ----------
    output : Output
    quiet : bool
        Show nothing.
    """

    def __init__(self, output: Output, quiet: bool) -> None:
        self._output = output
        self._quiet = quiet
        self._tenth: int | None = None
        self._title = ""

    def show(self, progress: TournamentProgress, title: str = "") -> None:
        """Show the progress; `title` names the tournament if there are several."""
        if title != self._title:
            self._title, self._tenth = title, None
        self._say(f"{title}  {text_of(progress)}" if title else text_of(progress), progress.games, progress.of)

    def count(self, what: str, games: int, of: int, noun: str = "games") -> None:
        """Show the number of games, or of other units, for which a step such as "luck measured" is done."""
        self._say(f"{_(what)}: {games}/{of} {_(noun)}", games, of)

    def _say(self, text: str, games: int, of: int) -> None:
        if self._quiet:
            return
        if self._output.live:
            self._output.progress(text)
            return
        if games == of:
            self._tenth = None          # the table follows, or another count
            return
        tenth = _TENTHS * games // max(of, 1)
        if self._tenth is None or tenth > self._tenth:
            if self._tenth is not None:
                self._output.note(text)
            self._tenth = tenth

    def __enter__(self) -> TournamentLine:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if not self._quiet:
            self._output.progress("")


def text_of(progress: TournamentProgress) -> str:
    """Return progress as one line: games, rate, time left, leader and the progress of a sequential test."""
    parts = [f"{progress.games}/{progress.of} games", f"{progress.rate:.3g}/s"]
    if progress.left is not None and progress.games < progress.of:
        parts.append(f"{duration(progress.left)} left")
    if progress.leader:
        parts.append(f"{progress.leader} {100 * progress.share:.1f} % ± {100 * progress.half_width:.1f}")
    if progress.sprt is not None:
        parts.append(f"SPRT {100 * progress.sprt:.0f} %")
    if progress.forfeits:
        parts.append(counted(progress.forfeits, "forfeit", "forfeits"))
    return "  ".join(parts)


def duration(seconds: float) -> str:
    """Return a time span for people: 40 s, 3 min, 2 h 05 min."""
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60:02d} min"
