"""The threads in which agents think: as many as the house has, and each table waits for its turn."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")


class Workers:
    """Runs one decision after the other.

    A table hands in one decision at a time and comes last in the line again with the next one: no table waits longer
    than one decision of each other table.

    Parameters
    ----------
    threads : int
        Most decisions that are searched at the same time.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="sfida-think")
        self._closed = False

    def submit(self, job: Callable[[], Result]) -> Future[Result]:
        """Do a job when its turn comes; after `close` none is done."""
        if self._closed:
            gone: Future[Result] = Future()
            gone.cancel()
            return gone
        return self._pool.submit(job)

    def close(self) -> None:
        """Drop what waits, and wait for nothing."""
        self._closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)
