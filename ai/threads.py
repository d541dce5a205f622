"""Threads that share the tree of one search, through joblib."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import joblib  # type: ignore[import-untyped]

from sfida.cython_ext.search import Search

_LANDING = 0.0003               # seconds


def run_search(search: Search, threads: int, *, iterations: int | None = None, seconds: float | None = None,
               callback: Callable[[Search], object] | None = None, early_stop: bool = False) -> str:
    """Run a search on some threads, the calling one among them, and return why it stopped.

    With an iteration budget the result is the same on any number of threads: operations on the tree keep their
    order. With seconds alone and more than one thread, each goes on as soon as it can.

    Parameters
    ----------
    search : Search
    threads : int
        1 to 64.
    iterations, seconds, callback, early_stop
        As of `Search.run`.
    """
    search.welcome(threads, ordered=threads == 1 or iterations is not None)
    budget: dict[str, Any] = {"iterations": iterations, "seconds": seconds, "callback": callback,
                              "early_stop": early_stop}
    if threads == 1:
        return search.run(**budget)
    # joblib starts helpers and the search begins at once, whether or not they have come; those that come late
    # find it closed and go
    helpers = joblib.Parallel(n_jobs=threads, backend="threading", return_as="generator_unordered")(
        joblib.delayed(search.help)() for _ in range(threads - 1))
    try:
        return search.run(**budget)
    finally:
        time.sleep(_LANDING)            # they are on their way out; joblib looks only every 10 ms
        for _ in helpers:
            pass
