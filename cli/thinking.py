"""One line on standard error that shows how a search gets on, drawn over itself; and Ctrl-C meanwhile."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any

from sfida.ai.seat import Seat
from sfida.cli.output import Output, percent


class Thinking:
    """Shows an agent's progress while the block runs; draws nothing where there is no terminal.

    Parameters
    ----------
    output : Output
    seat : Seat
        Who thinks.
    who : str
        Who is said to think.
    keep : bool
        Ctrl-C ends the search with what it has found; without, it ends the block as KeyboardInterrupt.

    Attributes
    ----------
    interrupted : bool
        Ctrl-C came, and the search was ended by it.
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
        # Set even where nothing is drawn: between two calls Python gets to see Ctrl-C.
        self._seat.follow(self.show)
        if self._keep:
            self._handler = signal.signal(signal.SIGINT, self._stop)
        self._output.progress(f"{self._who} thinks ...")
        return self

    def show(self, progress: Any) -> None:
        """Draw a `Progress` of the search."""
        self._output.progress(f"{self._who} thinks ... {progress.seconds:.1f} s, {progress.iterations:,} iterations, "
                              f"{progress.best} {percent(progress.win)}")

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        if self.interrupted:
            raise KeyboardInterrupt         # a second one means it
        self.interrupted = True
        self._seat.hurry()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._seat.follow(None)
        if self._keep:
            signal.signal(signal.SIGINT, self._handler)
        self._output.progress("")
