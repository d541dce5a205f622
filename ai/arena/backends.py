"""Where blocks are played: joblib's own backends, on this machine or on a running cluster."""

from __future__ import annotations

import contextlib
import os
import signal
import warnings
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from multiprocessing import resource_tracker
from typing import Any, TypeVar

import joblib  # type: ignore[import-untyped]

from sfida.ai.arena.orphans import end_with
from sfida.cython_ext.errors import InvalidOption, SfidaError
from sfida.engines.spec import quoted, shortened

Task = TypeVar("Task")
Done = TypeVar("Done")

BACKENDS = ("loky", "threading", "dask", "ray")
LOCAL = ("loky", "threading")


@contextlib.contextmanager
def workers(backend: str, jobs: int, cluster: str | None) -> Iterator[Callable[..., Iterator[Any]]]:
    """Provide a function that maps tasks over the workers and yields results as they come.

    Parameters
    ----------
    backend : str
        One of `BACKENDS`.
    jobs : int
        Processes or threads; a cluster uses all that it has.
    cluster : str, optional
        Address of the dask scheduler or ray head; without one, that of the environment.

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
            options = {"initializer": end_with, "initargs": (os.getpid(),)}
        else:
            options = {}
        stack.enter_context(joblib.parallel_config(
            backend=backend, n_jobs=jobs if backend in LOCAL else -1, **options))

        def run(function: Callable[[Task], Done], tasks: Iterable[Task]) -> Iterator[Done]:
            calls = (joblib.delayed(function)(task) for task in tasks)
            if backend != "ray":
                with _deaf_children():
                    done = joblib.Parallel(return_as="generator_unordered", batch_size=1)(calls)
                try:
                    for result in done:  # noqa: UP028 - `yield from` would close it without the filter below
                        yield result
                finally:
                    with warnings.catch_warnings():     # that blocks begun are given up is meant
                        warnings.simplefilter("ignore")
                        done.close()
                return
            parallel = joblib.Parallel(batch_size=1)            # ray's backend gives results only all together
            while chunk := list(islice(calls, 4 * joblib.effective_n_jobs())):
                yield from parallel(chunk)

        yield run


@contextlib.contextmanager
def _deaf_children() -> Iterator[None]:
    """Let processes that start in here never hear of Ctrl-C, which a terminal sends to all: they are ended instead.

    They inherit the mask of blocked signals, even before they could set a handler; here the signal is only delayed.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()                   # its start lifts the mask
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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
