"""A line on standard error with the progress of a search, and the handling of Ctrl-C during it."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any

from sfida.ai.seat import Seat
from sfida.cli.output import Output, percent


class Thinking:
    """Shows an agent's progress while the block runs; draws nothing without a terminal.

    Parameters
    ----------
    output : Output
    seat : Seat
        The seat whose agent thinks.
    who : str
        The name shown for it.
    keep : bool
        On Ctrl-C end the search and keep what it has found; otherwise Ctrl-C raises KeyboardInterrupt in the block.

    Attributes
    ----------
    interrupted : bool
        Whether Ctrl-C ended the search.
    """

    def __init__(self, output: Output, seat: Seat, who: str, keep: bool = False) -> None:
        self.interrupted = False
        self._output = output
        self._seat = seat
        self._who = who
        self._keep = (keep and seat.can_be_hurried
                      and threading.current_thread() is threading.main_thread())
        self._handler: Any = None

    def __enter__(self) -> Thinking:
        # Set even if nothing is drawn: between two calls Python notices Ctrl-C.
        self._seat.follow(self.show)
        if self._keep:
            self._handler = signal.signal(signal.SIGINT, self._stop)
        self._output.progress(f"{self._who} thinks ...")
        return self

    def show(self, progress: Any) -> None:
        """Draw a `Progress` of the search."""
        self._output.progress(f"{self._who} thinks ... {progress.seconds:.1f} s, {progress.iterations:,} "
                              f"iterations, {progress.best} {percent(progress.win)}")

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        if self.interrupted:
            raise KeyboardInterrupt         # the second one
        self.interrupted = True
        self._seat.hurry()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._seat.follow(None)
        if self._keep:
            signal.signal(signal.SIGINT, self._handler)
        self._output.progress("")
