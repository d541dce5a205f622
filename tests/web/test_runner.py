"""Where work is done: in threads, or job after job on one event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, ThreadPoolExecutor

import pytest

from sfida.web.runner import DECIDE, LOOK_BACK, Loop, Threads


class Begun:
    """What a loop was asked to begin."""

    def __init__(self) -> None:
        self.jobs: list[tuple[float, Callable[[], object]]] = []

    def __call__(self, job: Callable[[], object], seconds: float) -> None:
        self.jobs.append((seconds, job))

    def run(self) -> None:
        """Call what was begun, and what that begins."""
        while self.jobs:
            self.jobs.pop(0)[1]()


def test_a_loop_does_the_jobs_of_a_chore_in_order() -> None:
    begun, done = Begun(), list[str]()
    loop = Loop(begun, None)
    found = [loop.submit(lambda name=name: done.append(name) or name) for name in "abc"]
    assert done == []
    assert len(begun.jobs) == 1, "the others wait for the first"
    begun.run()
    assert done == ["a", "b", "c"]
    assert [each.result() for each in found] == ["a", "b", "c"]


def test_a_loop_continues_after_an_error() -> None:
    begun = Begun()
    loop = Loop(begun, None)
    failed, other = loop.submit(lambda: 1 // 0), loop.submit(lambda: 5)
    begun.run()
    assert other.result() == 5
    with pytest.raises(ZeroDivisionError):
        failed.result()


def test_a_review_does_not_wait_for_a_decision() -> None:
    """Each chore has a line of its own, since the jobs of both are suspended now and then."""
    begun, done = Begun(), list[str]()
    loop = Loop(begun, None)

    def decide() -> None:
        begun.jobs.pop(0)[1]()                          # while it is suspended
        done.append("decided")

    loop.submit(decide, DECIDE)
    loop.submit(lambda: done.append("looked back"), LOOK_BACK)
    begun.run()
    assert done == ["looked back", "decided"]


def test_a_pause_suspends_only_where_that_is_possible() -> None:
    slept: list[float] = []
    with_it, without = Loop(Begun(), slept.append), Loop(Begun(), None)
    still = threading.Condition()
    for loop in (with_it, without):
        loop.pause()
        loop.wait(still, 0.05)
    assert len(slept) == 2
    assert not with_it.is_overdue(1e6)
    assert without.is_overdue(10.0)
    assert not without.is_overdue(1.0)


def test_a_closed_runner_does_nothing_more() -> None:
    begun = Begun()
    for runner in (Loop(begun, None), Threads(1)):
        runner.close()
        with pytest.raises(CancelledError):
            runner.submit(lambda: 1).result()
    assert begun.jobs == []


def test_both_call_a_function_and_return_its_result() -> None:
    async def called() -> list[int]:
        return [await runner.call(divmod, 7, 3) for runner in (Loop(Begun(), None), Threads(1))]

    with ThreadPoolExecutor(1) as apart:                # tests in a browser leave a loop running in this thread
        assert apart.submit(asyncio.run, called()).result() == [(2, 1), (2, 1)]


def test_later_comes_later() -> None:
    begun, rang = Begun(), threading.Event()
    Loop(begun, None).later(2.5, rang.set)
    assert begun.jobs == [(2.5, rang.set)]
    Threads(1).later(0.0, rang.set)
    assert rang.wait(60)
