"""Ending running work and measuring times on a machine that has other work."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

# A pause of the machine spoils a measurement of some tenths of a second, but not four times in a row.
timed = pytest.mark.flaky(reruns=3)


def soon_after(begun: Callable[[], Any], action: Callable[[], object]) -> threading.Thread:
    """Start a thread that waits up to a minute until `begun` holds, and acts a moment later."""
    patience = time.monotonic() + 60

    def wait_and_act() -> None:
        while not begun() and time.monotonic() < patience:
            time.sleep(0.01)
        time.sleep(0.05)
        action()

    thread = threading.Thread(target=wait_and_act, daemon=True)
    thread.start()
    return thread
