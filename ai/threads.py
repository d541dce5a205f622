"""Threads that share the tree of one search, through joblib."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any

import joblib  # type: ignore[import-untyped]

from sfida.cython_ext.search.search import Search


class Crew:
    """Threads that help one search after the other; they start with the first one and wait in between.

    A decision takes milliseconds, and so does getting threads from joblib: it is done once for many decisions.

    Parameters
    ----------
    threads : int
        1 to 64 that work on a search, the one that runs it among them.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._searches: SimpleQueue[Search | None] = SimpleQueue()
        self._end: Callable[[], object] = _nothing

    @contextmanager
    def helping(self, search: Search) -> Iterator[None]:
        """Have the others join the search that is run inside; those that come late find it closed and go."""
        if self.threads > 1 and self._end is _nothing:
            self._start()
        for _ in range(self.threads - 1):
            self._searches.put(search)
        yield

    def close(self) -> None:
        """Send the threads away; the next search gets new ones."""
        self._end()
        self._end = _nothing

    def _start(self) -> None:
        searches, helpers = self._searches, self.threads - 1
        # one job more than there is to do: joblib would do a single one here and now
        ended = joblib.Parallel(n_jobs=self.threads, backend="threading", pre_dispatch="all",
                                return_as="generator_unordered")(
            joblib.delayed(_help)(searches) for _ in range(helpers))
        self._end = weakref.finalize(self, _dismiss, searches, helpers, ended)


def _nothing() -> None:
    """Nobody is there to be sent away."""


def _help(searches: SimpleQueue[Search | None]) -> None:
    """Help until there is nothing more to come."""
    while True:
        search = searches.get()
        if search is None:
            return
        search.help()
        del search                      # its memory is not to be kept by whoever waits for the next one


def _dismiss(searches: SimpleQueue[Search | None], helpers: int, ended: Iterator[None]) -> None:
    for _ in range(helpers):
        searches.put(None)
    for _ in ended:
        pass


def run_search(search: Search, threads: int | Crew, *, iterations: int | None = None, seconds: float | None = None,
               callback: Callable[[Search], object] | None = None, early_stop: bool = False,
               ordered: bool | None = None) -> str:
    """Run a search on some threads, the calling one among them, and return why it stopped.

    With an iteration budget the result is the same on any number of threads: every node meets what is done to it in
    the same order. With seconds alone and more than one thread, each goes on as soon as it can.

    Parameters
    ----------
    search : Search
    threads : int or Crew
        1 to 64, or threads that are there already.
    iterations, seconds, callback, early_stop
        As of `Search.run`.
    ordered : bool, optional
        Whether threads keep the order of the iterations, if not by the kind of budget.
    """
    crew = threads if isinstance(threads, Crew) else Crew(threads)
    budget: dict[str, Any] = {"iterations": iterations, "seconds": seconds, "callback": callback,
                              "early_stop": early_stop}
    if ordered is None:
        ordered = crew.threads == 1 or iterations is not None
    search.welcome(crew.threads, ordered)
    try:
        with crew.helping(search):
            return search.run(**budget)
    finally:
        if crew is not threads:
            crew.close()
