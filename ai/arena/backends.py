"""The backends that play blocks: joblib's own, on this machine or on a running cluster."""

from __future__ import annotations

import contextlib
import os
import signal
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from multiprocessing import resource_tracker
from typing import Any, TypeVar

import joblib  # type: ignore[import-untyped]

from sfida.ai.arena.orphans import end_with
from sfida.cython_ext.errors import InvalidOption, SfidaError
from sfida.engines.spec import quoted, shortened

Task = TypeVar("Task")
Done = TypeVar("Done")
Item = TypeVar("Item")

BACKENDS = ("loky", "threading", "dask", "ray")
LOCAL = ("loky", "threading")
SAFE_PATH = "PYTHONSAFEPATH"        # the same as -P, for processes that other code starts


@contextlib.contextmanager
def workers(backend: str, jobs: int, cluster: str | None) -> Iterator[Callable[..., Iterator[Any]]]:
    """Provide a function that maps tasks over the workers and yields results as they finish.

    Parameters
    ----------
    backend : str
        One of `BACKENDS`.
    jobs : int
        Number of processes or threads; a cluster uses all that it has.
    cluster : str, optional
        Address of the dask scheduler or ray head; by default that of the environment.

    Raises
    ------
    InvalidOption, SfidaError
        If there is no such backend, it is not installed, or no cluster can be reached.
    """
    if backend not in BACKENDS:
        raise InvalidOption(f"the backend must be {', '.join(BACKENDS[:-1])} or {BACKENDS[-1]}, not {quoted(backend)}")
    if cluster is not None and backend in LOCAL:
        raise InvalidOption(f"the backend '{backend}' runs on this machine; a cluster needs dask or ray")
    with contextlib.ExitStack() as stack:
        if backend == "dask":
            options: dict[str, Any] = {"client": stack.enter_context(_dask(cluster))}
        elif backend == "ray":
            stack.enter_context(_ray(cluster))
            options = {}
        elif backend == "loky":
            options = {"initializer": _settle, "initargs": (os.getpid(), os.environ.get(SAFE_PATH)),
                       "inner_max_num_threads": 1}      # of numpy's products: jobs take all cores
        else:
            options = {}
        stack.enter_context(joblib.parallel_config(
            backend=backend, n_jobs=jobs if backend in LOCAL else -1, **options))

        def run(function: Callable[[Task], Done], tasks: Iterable[Task]) -> Iterator[Done]:
            calls = (joblib.delayed(function)(task) for task in tasks)
            if backend != "ray":
                done = None
                try:
                    with _deaf_children(), _own_modules():  # an end that was asked for meanwhile is heard as it ends
                        done = joblib.Parallel(return_as="generator_unordered", batch_size=1)(calls)
                    for result in done:  # noqa: UP028 - `yield from` would close it without the filter below
                        yield result
                finally:
                    if done is not None:
                        with warnings.catch_warnings():     # abandoning unfinished blocks is intended
                            warnings.simplefilter("ignore")
                            done.close()
                return
            parallel = joblib.Parallel(batch_size=1)            # ray's backend returns results only all at once
            while chunk := list(islice(calls, 4 * joblib.effective_n_jobs())):
                yield from parallel(chunk)

        yield run


def in_batches(function: Callable[[Task], Done], items: Sequence[Item], task: Callable[[tuple[Item, ...]], Task],
               size: int, jobs: int, backend: str = LOCAL[0],
               on_progress: Callable[[int, int], object] | None = None) -> Iterator[Done]:
    """Yield what a function says of all items, so many at a time, as its results come.

    Parameters
    ----------
    function : callable
        Called in the workers.
    items : sequence
    task : callable
        Makes what `function` takes of the items of a batch.
    size : int
        Items of a batch.
    jobs : int
        Number of workers, at most.
    backend : str
        One of `LOCAL`.
    on_progress : callable, optional
        Called with the number of items done, and of all.
    """
    starts = range(0, len(items), size)
    if not starts:
        return
    with workers(backend, min(jobs, len(starts)), None) as run:
        tasks = (task(tuple(items[first:first + size])) for first in starts)
        for number, done in enumerate(run(function, tasks), start=1):
            yield done
            if on_progress is not None:
                on_progress(min(size * number, len(items)), len(items))


def _settle(home: int, safe_path: str | None) -> None:
    """Set up a worker of the process `home`; programs of agents start as they would there."""
    end_with(home)
    os.environ.pop(SAFE_PATH, None)
    if safe_path is not None:
        os.environ[SAFE_PATH] = safe_path


@contextlib.contextmanager
def _deaf_children() -> Iterator[None]:
    """Block Ctrl-C and SIGTERM, which may be sent to all, in processes that start here: they are ended instead.

    They inherit the mask of blocked signals, before they could set a handler; in this process the signal is only
    delayed.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()                   # starting it clears the mask
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _own_modules() -> Iterator[None]:
    """Keep processes that start in this block from importing from the current folder, which may hold foreign code."""
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        del os.environ[SAFE_PATH]
        if before is not None:
            os.environ[SAFE_PATH] = before


@contextlib.contextmanager
def _dask(cluster: str | None) -> Iterator[Any]:
    try:
        from distributed import Client, get_client  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError as error:
        raise SfidaError("the backend dask needs the package distributed: pip install 'sfida[dask]'") from error
    address = cluster or os.environ.get("DASK_SCHEDULER_ADDRESS")
    if address is None:
        try:
            yield get_client()
        except ValueError:
            raise InvalidOption("the backend dask needs a running cluster: give its scheduler's address by --cluster "
                                "or in DASK_SCHEDULER_ADDRESS") from None
        return
    try:
        client = Client(address, timeout=10)  # type: ignore[no-untyped-call,unused-ignore]
    except (OSError, ValueError) as error:
        raise SfidaError(f"no dask scheduler answers at {quoted(address)}: {shortened(error, 200)}") from error
    with client:
        yield client


@contextlib.contextmanager
def _ray(cluster: str | None) -> Iterator[None]:
    try:
        import ray  # type: ignore[import-untyped,import-not-found,unused-ignore]
        from ray.util.joblib import register_ray  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError as error:
        raise SfidaError("the backend ray needs the package ray: pip install 'sfida[ray]'") from error
    if not ray.is_initialized():
        try:
            ray.init(address=cluster or os.environ.get("RAY_ADDRESS") or "auto", log_to_driver=False)
        except (ConnectionError, ValueError) as error:
            raise SfidaError("no ray cluster can be reached; start one by 'ray start --head', or give its address "
                             "by --cluster") from error
    register_ray()
    yield
