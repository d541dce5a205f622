"""Threads that share the tree of one search, through joblib."""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any

from sfida.cython_ext.search.search import Search


class Crew:
    """Threads that help one search after another; they start with the first search and wait between searches.

    A decision takes milliseconds, and so does getting threads from joblib, so they are kept for many decisions.

    Parameters
    ----------
    threads : int
        Number of threads that work on a search, 1 to 64, including the one that runs it.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._searches: SimpleQueue[Search | None] = SimpleQueue()
        self._end: Callable[[], object] = _nothing
        self._alone = threads == 1

    @contextmanager
    def helping(self, search: Search) -> Iterator[None]:
        """Let the other threads join the search that runs inside; those that come too late find it closed and leave."""
        if not self._alone and self._end is _nothing:
            self._start()
        if not self._alone:
            for _ in range(self.threads - 1):
                self._searches.put(search)
        yield

    def close(self) -> None:
        """Release the threads; the next search gets new ones."""
        self._end()
        self._end = _nothing

    def _start(self) -> None:
        import joblib  # type: ignore[import-untyped]   # a tenth of the start of a program with one thread

        searches, helpers = self._searches, self.threads - 1
        # one job more than needed: joblib would run a single job in this thread
        try:
            ended = joblib.Parallel(n_jobs=self.threads, backend="threading", pre_dispatch="all",
                                    return_as="generator_unordered")(
                joblib.delayed(_help)(searches) for _ in range(helpers))
        except Exception as error:
            if not no_more_threads(error):
                raise
            self._alone = True          # with an iteration budget the result is the same
            warnings.warn("the system starts no more threads, so searches continue on one", RuntimeWarning,
                          stacklevel=2)
            return
        self._end = weakref.finalize(self, _dismiss, searches, helpers, ended)


def no_more_threads(error: BaseException | None) -> bool:
    """Return whether an error says, or was raised while handling, that the system starts no more threads."""
    while error is not None:
        if isinstance(error, RuntimeError) and "can't start new thread" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def _nothing() -> None:
    """Do nothing: there are no threads to release."""


def _help(searches: SimpleQueue[Search | None]) -> None:
    """Help searches until None arrives."""
    while True:
        search = searches.get()
        if search is None:
            return
        search.help()
        del search                      # while waiting for the next one, do not keep its memory


def _dismiss(searches: SimpleQueue[Search | None], helpers: int, ended: Iterator[None]) -> None:
    for _ in range(helpers):
        searches.put(None)
    for _ in ended:
        pass


def run_search(search: Search, threads: int | Crew, *, iterations: int | None = None, seconds: float | None = None,
               callback: Callable[[Search], object] | None = None, early_stop: bool = False,
               ordered: bool | None = None) -> str:
    """Run a search on several threads, including the calling one, and return why it stopped.

    With an iteration budget the result is the same on any number of threads: the operations on every node are done in
    the same order. With only seconds and more than one thread, each thread continues as soon as it can.

    Parameters
    ----------
    search : Search
    threads : int or Crew
        1 to 64, or existing threads.
    iterations, seconds, callback, early_stop
        As in `Search.run`.
    ordered : bool, optional
        Whether threads keep the order of the iterations; by default the kind of budget decides.
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
