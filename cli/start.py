"""Where the program starts, and how it is told to stop: Ctrl-C and SIGTERM are heard from here on, and told in a line.

Nothing that takes time to import may be imported above.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import time
from types import FrameType

_LATER = 0.02               # seconds until a signal that came amid an import is heard again
_PATIENCE = 10.0            # seconds that an import may take meanwhile

_waits: dict[int, float] = {}           # signals that wait for the end of an import, since when
_ending = False                         # SIGTERM was heard: it does not interrupt its own end


class Terminated(KeyboardInterrupt):
    """SIGTERM came: it ends the program as Ctrl-C does, also where Ctrl-C would end no more than a search."""


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
        _listen(signal.SIG_IGN)         # what is left is to clean up


def _listen(handler: object) -> None:
    """Set what both signals do, but for one that whoever started the program wants ignored."""
    for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
        if signal.getsignal(number) in (usual, _heard):
            signal.signal(number, handler)  # type: ignore[arg-type]


def _heard(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt or Terminated; amid an import, where it could come out as anything, a little later."""
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
    """Send a signal to the main thread, so that it wakes whatever that waits for."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, number)
    else:
        _thread.interrupt_main(signal.Signals(number))
