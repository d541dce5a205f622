"""The start of the program, and its signals: from here on Ctrl-C and SIGTERM end it with a one-line message.

No module that is slow to import may be imported at the top.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import time
from types import FrameType

_LATER = 0.02               # seconds after which a signal received during an import is sent again
_PATIENCE = 10.0            # maximum seconds that a signal waits for an import

_waits: dict[int, float] = {}           # arrival time of each signal that waits for the end of an import
_ending = False                         # SIGTERM was received: a second one does not interrupt the cleanup


class Terminated(KeyboardInterrupt):
    """SIGTERM was received, which ends the program even where Ctrl-C would only end a search."""


def main() -> None:
    """Run the program `sfida`."""
    _listen(_heard)
    try:
        from sfida.cli.main import main as program

        program(prog_name="sfida")
    except KeyboardInterrupt as error:
        from sfida.cli import errors

        sys.exit(errors.report(error))
    finally:
        _listen(signal.SIG_IGN)         # only the cleanup remains


def _listen(handler: object) -> None:
    """Set the handler of both signals, except of a signal that the program's caller has ignored."""
    for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
        if signal.getsignal(number) in (usual, _heard):
            signal.signal(number, handler)  # type: ignore[arg-type]


def _heard(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt or Terminated.

    During an import, which could turn the exception into any other, the signal is sent again shortly after.
    """
    global _ending
    now = time.monotonic()
    if _importing(frame) and now < _waits.setdefault(number, now) + _PATIENCE:
        again = threading.Timer(_LATER, _send, (number,))
        again.daemon = True
        again.start()
        return
    _waits.pop(number, None)
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    if not _ending:
        _ending = True
        raise Terminated


def _importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _send(number: int) -> None:
    """Send a signal to the main thread, so that the signal interrupts any wait of that thread."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, number)
    else:
        _thread.interrupt_main(signal.Signals(number))
