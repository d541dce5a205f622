"""Runners of the application's work: threads on a server, or the single event loop of a browser."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from typing import Any, Protocol, TypeVar

Result = TypeVar("Result")

_ANSWERING = 40         # threads that answer requests; some of them wait until a search ends
_CHORES = {"decide": "sfida-think", "look back": "sfida-look-back"}
DECIDE, LOOK_BACK = _CHORES


class Runner(Protocol):
    """Runs decisions and reviews, and calls functions that may block."""

    def submit(self, job: Callable[[], Result], chore: str = DECIDE) -> Future[Result]:
        """Run a job when its turn comes; after `close` no job runs.

        Parameters
        ----------
        job : callable
        chore : str
            `DECIDE` or `LOOK_BACK`. Jobs of one chore start in the order of submission.
        """

    def later(self, seconds: float, job: Callable[[], object]) -> None:
        """Call a function after some seconds."""

    async def call(self, function: Callable[..., Result], *args: Any) -> Result:
        """Call a function that may block, in the context of the request, and return its result."""

    def pause(self) -> None:
        """Give others a chance to run; long jobs call this between two parts of their work."""

    def wait(self, still: threading.Condition, seconds: float) -> None:
        """Wait for a condition, which the caller holds, for at most some seconds."""

    def is_overdue(self, seconds: float) -> bool:
        """Return whether a search of this duration must end because it blocks all requests."""

    def close(self) -> None:
        """Drop all waiting jobs without waiting for running ones."""


class Threads:
    """Runs each chore in its own threads.

    A table submits one decision at a time and queues again for the next one, so no table waits longer than one
    decision of each other table.

    Parameters
    ----------
    deciding : int
        Most decisions that are searched at the same time.
    """

    def __init__(self, deciding: int) -> None:
        self._pools = {chore: ThreadPoolExecutor(deciding if chore == DECIDE else 1, thread_name_prefix=name)
                       for chore, name in _CHORES.items()}
        self._answering = ThreadPoolExecutor(_ANSWERING, thread_name_prefix="sfida-answer")
        self._closed = False

    def submit(self, job: Callable[[], Result], chore: str = DECIDE) -> Future[Result]:
        """Run a job when its turn comes; see `Runner`."""
        if not self._closed:
            with suppress(RuntimeError):            # the pool was closed in between
                return self._pools[chore].submit(job)
        gone: Future[Result] = Future()
        gone.cancel()
        return gone

    def later(self, seconds: float, job: Callable[[], object]) -> None:
        """Call a function after some seconds, in a thread."""
        timer = threading.Timer(seconds, job)
        timer.daemon = True
        timer.start()

    async def call(self, function: Callable[..., Result], *args: Any) -> Result:
        """Call a function in a thread."""
        return await asyncio.get_running_loop().run_in_executor(
            self._answering, partial(copy_context().run, function, *args))

    def pause(self) -> None:
        """Do nothing: other threads run concurrently."""

    def wait(self, still: threading.Condition, seconds: float) -> None:
        """Wait for a condition."""
        still.wait(seconds)

    def is_overdue(self, _seconds: float) -> bool:
        """Return False: other threads answer requests."""
        return False

    def close(self) -> None:
        """Drop all waiting jobs."""
        self._closed = True
        for pool in (*self._pools.values(), self._answering):
            pool.shutdown(wait=False, cancel_futures=True)


_MOST_SECONDS = 3.0     # longest search that may block all requests
_BREATH = 0.004         # seconds of a pause


class Loop:
    """Runs everything on the event loop of the thread that made it.

    Parameters
    ----------
    begin : callable
        Schedules a function on the loop after some seconds, on a stack that `sleep` can suspend.
    sleep : callable, optional
        Suspends the running job for some seconds while the loop continues; None in a browser that cannot suspend jobs
        (without JavaScript Promise Integration).
    """

    def __init__(self, begin: Callable[[Callable[[], object], float], object],
                 sleep: Callable[[float], object] | None) -> None:
        self._begin = begin
        self._sleep = sleep
        self._lines: dict[str, deque[Callable[[], None]]] = {chore: deque() for chore in _CHORES}
        self._busy: set[str] = set()
        self._closed = False

    def submit(self, job: Callable[[], Result], chore: str = DECIDE) -> Future[Result]:
        """Run a job when its turn comes; see `Runner`."""
        done: Future[Result] = Future()
        if self._closed:
            done.cancel()
            return done

        def work() -> None:
            if done.set_running_or_notify_cancel():
                try:
                    done.set_result(job())
                except Exception as error:
                    done.set_exception(error)

        self._lines[chore].append(work)
        if chore not in self._busy:
            self._busy.add(chore)
            self._begin(partial(self._work_off, chore), 0.03)       # the page first shows that an agent thinks
        return done

    def _work_off(self, chore: str) -> None:
        try:
            while self._lines[chore]:
                self._lines[chore].popleft()()
        finally:
            self._busy.discard(chore)

    def later(self, seconds: float, job: Callable[[], object]) -> None:
        """Call a function after some seconds."""
        self._begin(job, seconds)

    async def call(self, function: Callable[..., Result], *args: Any) -> Result:
        """Call a function."""
        return function(*args)

    def pause(self) -> None:
        """Let the loop answer waiting requests."""
        if self._sleep is not None:
            self._sleep(_BREATH)

    def wait(self, _still: threading.Condition, seconds: float) -> None:
        """Let the loop continue for some seconds: the job that notifies the condition runs there."""
        if self._sleep is not None:
            self._sleep(seconds)

    def is_overdue(self, seconds: float) -> bool:
        """Return whether a search that cannot be suspended has run as long as a person will wait."""
        return self._sleep is None and seconds > _MOST_SECONDS

    def close(self) -> None:
        """Drop all waiting jobs."""
        self._closed = True
        for line in self._lines.values():
            line.clear()
