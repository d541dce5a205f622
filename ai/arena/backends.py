"""The backends that play blocks: joblib's own, on this machine or on a running cluster, and work in batches.

Every system can play: results do not depend on the backend, so threads replace processes if the system has no
semaphores or if another tournament of this process uses the processes.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import pickle
import re
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from types import ModuleType
from typing import Any, Generic, TypeVar

from sfida.ai.search import no_more_threads
from sfida.cython_ext.errors import InvalidOption, SfidaError, WorkersLost, faults_told
from sfida.engines.game import Game
from sfida.engines.spec import quoted, shortened

# ---- Ending workers together with their tournament, even if it is killed

_LOOK = 1.0                         # seconds between two checks that the tournament is still running


def end_with(home: int) -> None:
    """End this process as soon as its parent is no longer `home` (only on POSIX, which shows a parent's death).

    Parameters
    ----------
    home : int
        Process id of the tournament.
    """
    if os.name == "posix":
        with contextlib.suppress(RuntimeError):         # the system starts no more threads
            threading.Thread(target=_watch, args=(home,), daemon=True).start()


def _watch(home: int) -> None:
    while os.getppid() == home:
        time.sleep(_LOOK)
    os._exit(1)                     # its playing process sees the end of the pipe and ends, too


# ---- Sending games and agents to other processes


def portable(thing: object) -> bytes:
    """Pickle a game or an agent so that another process with the same `sys.path` can load it.

    A class that cannot be imported there (from a script, a notebook or a test) is pickled with it.

    Raises
    ------
    InvalidOption
        If it cannot be pickled.
    """
    import cloudpickle

    module = sys.modules.get(type(thing).__module__)
    travels = module is not None and module.__name__ != "__main__" and not _found_again(module)
    try:
        if travels:
            cloudpickle.register_pickle_by_value(module)
        return bytes(cloudpickle.dumps(thing))
    except (TypeError, AttributeError, pickle.PicklingError) as error:
        raise InvalidOption(f"{quoted(thing)} cannot be sent to the processes that play the games: {error}") from error
    finally:
        if travels:
            cloudpickle.unregister_pickle_by_value(module)


def _found_again(module: ModuleType) -> bool:
    """Return whether importing the module's name in another process would load the same file."""
    path, spec, name = None, None, ""
    for part in module.__name__.split("."):
        name = f"{name}.{part}" if name else part
        specs = (finder.find_spec(name, path) for finder in sys.meta_path if hasattr(finder, "find_spec"))
        spec = next((found for found in specs if found is not None), None)
        if spec is None:
            return False
        path = spec.submodule_search_locations
    return spec is not None and spec.origin == getattr(module, "__file__", None)


# ---- The backends that play blocks: joblib's own, on this machine or on a running cluster

Task = TypeVar("Task")
Done = TypeVar("Done")
Item = TypeVar("Item")

BACKENDS = ("loky", "threading", "dask", "ray")
LOCAL = ("loky", "threading")
SAFE_PATH = "PYTHONSAFEPATH"        # the same as -P, for processes that other code starts
_FOREIGN = ("concurrent", "dask", "distributed", "joblib", "ray", "tornado")    # packages with own errors for a loss
_processes = threading.Lock()           # joblib has one pool of processes, for one tournament at a time


@contextlib.contextmanager
def workers(backend: str, jobs: int, cluster: str | None) -> Iterator[Callable[..., Iterator[Any]]]:
    """Provide a function that maps tasks over the workers and yields results as they finish.

    Parameters
    ----------
    backend : str
        One of `BACKENDS`.
    jobs : int
        Number of processes or threads; a cluster uses all of its own.
    cluster : str, optional
        Address of the dask scheduler or ray head; by default from the environment.

    Raises
    ------
    InvalidOption, SfidaError
        If there is no such backend, it is not installed, or no cluster can be reached.
    WorkersLost
        Inside the block, if workers are killed or cannot be started, or the cluster is lost.
    """
    if backend not in BACKENDS:
        raise InvalidOption(f"the backend must be {', '.join(BACKENDS[:-1])} or {BACKENDS[-1]}, not {quoted(backend)}")
    if cluster is not None and backend in LOCAL:
        raise InvalidOption(f"the backend '{backend}' runs on this machine; a cluster needs dask or ray")
    if backend in LOCAL and jobs == 1:
        with _explained():
            yield _one_by_one
        return
    import joblib  # it takes a tenth of a second, and one job may run on systems that lack its modules

    with _explained(), contextlib.ExitStack() as stack:
        occupy_standard_descriptors()
        if backend == "loky" and not (has_semaphores() and _held(_processes, stack)):
            backend = "threading"
        if backend == "dask":
            options: dict[str, Any] = {"client": stack.enter_context(_dask(cluster))}
        elif backend == "ray":
            stack.enter_context(_ray(cluster))
            options = {}
        elif backend == "loky":
            options = {"initializer": _settle, "initargs": (os.getpid(), os.environ.get(SAFE_PATH)),
                       "inner_max_num_threads": 1}      # threads of numpy's products: the jobs use all cores
        else:
            options = {}
        stack.enter_context(joblib.parallel_config(
            backend=backend, n_jobs=jobs if backend in LOCAL else -1, **options))

        def run(function: Callable[[Task], Done], tasks: Iterable[Task]) -> Iterator[Done]:
            calls = (joblib.delayed(function)(task) for task in tasks)
            if backend != "ray":
                done = None
                try:
                    # Only one tournament at a time starts processes, so nothing else changes the environment meanwhile.
                    own = _own_modules() if backend == "loky" else contextlib.nullcontext()
                    with _deaf_children(), own:     # a signal in between is delivered at the end
                        done = joblib.Parallel(return_as="generator_unordered", batch_size=1)(calls)
                    for result in done:  # noqa: UP028 - `yield from` would close it without the filter below
                        yield result
                finally:
                    if done is not None:
                        with warnings.catch_warnings():     # abandoning unfinished blocks is intended
                            warnings.simplefilter("ignore")
                            done.close()
                return
            parallel = joblib.Parallel(batch_size=1)            # ray's backend returns all results at once
            while chunk := list(islice(calls, 4 * joblib.effective_n_jobs())):
                yield from parallel(chunk)

        yield run


def _one_by_one(function: Callable[[Task], Done], tasks: Iterable[Task]) -> Iterator[Done]:
    for task in tasks:
        yield function(task)


def in_batches(function: Callable[[Task], Done], items: Sequence[Item], task: Callable[[tuple[Item, ...]], Task],
               size: int, jobs: int, backend: str = LOCAL[0],
               on_progress: Callable[[int, int], object] | None = None) -> Iterator[Done]:
    """Yield the results of a function for all items, a limited number of tasks at a time, in the order of completion.

    Parameters
    ----------
    function : callable
        Called in the workers.
    items : sequence
    task : callable
        Makes the argument of `function` from the items of a batch.
    size : int
        Number of items in a batch.
    jobs : int
        Most workers.
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


@contextlib.contextmanager
def _explained() -> Iterator[None]:
    """Turn errors of the system and of the backend, but not those of tasks, into a WorkersLost of one line."""
    try:
        yield
    except Exception as error:
        reason = _loss(error)
        if reason is None:
            raise
        raise WorkersLost(reason) from error


def _loss(error: BaseException) -> str | None:
    """Return the loss of workers that an error reports, in words; None if it reports none."""
    if no_more_threads(error):
        return "the system starts no more threads: a limit of memory or of processes is reached"
    if isinstance(error, OSError) and error.errno in (errno.EAGAIN, errno.ENOMEM):
        return f"the system starts no more processes: {error.strerror}"
    if isinstance(error, SfidaError) or type(error).__module__.partition(".")[0] not in _FOREIGN:
        return None
    codes = re.search(r"exit codes of the workers are \{(.*?)\}", str(error))
    if codes is not None:
        return f"a worker process was killed ({codes[1]}), perhaps because memory ran out"
    words = re.split(r"\.\s", " ".join(str(error).split()))[0].rstrip(".")
    return f"the workers are gone: {type(error).__name__}: {shortened(words, 160)}"


def has_semaphores() -> bool:
    """Return whether processes can be coordinated; not with JOBLIB_MULTIPROCESSING=0 or a read-only /dev/shm."""
    import joblib

    if joblib.parallel.mp is None:
        return False
    try:
        joblib.parallel.mp.get_context("spawn").Semaphore()
    except (ImportError, OSError):
        return False
    return True


def _held(lock: threading.Lock, stack: contextlib.ExitStack) -> bool:
    """Take a lock until the stack ends, if it is free; return whether it was."""
    free = lock.acquire(blocking=False)
    if free:
        stack.callback(lock.release)
    return free


def occupy_standard_descriptors() -> None:
    """Open the closed ones of the descriptors 0 to 2: otherwise pipes of workers would get their numbers."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(number)
    for standard in range(3):
        os.set_inheritable(standard, True)


def _settle(home: int, safe_path: str | None) -> None:
    """Set up a worker of the process `home`; agents' programs start as they would there."""
    end_with(home)
    os.environ.pop(SAFE_PATH, None)
    if safe_path is not None:
        os.environ[SAFE_PATH] = safe_path


@contextlib.contextmanager
def _deaf_children() -> Iterator[None]:
    """Block Ctrl-C and SIGTERM, which may reach all processes, in those that start here: they are ended instead.

    They inherit the mask of blocked signals before they could set a handler; in this process the signal is only
    delayed.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()                   # starting it clears the mask
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _own_modules() -> Iterator[None]:
    """Keep processes that start in this block from importing modules of the current folder, which may be untrusted."""
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        os.environ.pop(SAFE_PATH, None)
        if before is not None:
            os.environ[SAFE_PATH] = before


@contextlib.contextmanager
def _dask(cluster: str | None) -> Iterator[Any]:
    try:
        from distributed import Client, get_client
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
    with _silent("distributed", "distributed.client", "distributed.core", "distributed.utils"), client:
        yield client


@contextlib.contextmanager
def _silent(*names: str) -> Iterator[None]:
    """Silence loggers, which print the tracebacks of losses that `_explained` reports."""
    before = {logger: logger.level for logger in map(logging.getLogger, names)}
    for logger in before:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in before.items():
            logger.setLevel(level)


@contextlib.contextmanager
def _ray(cluster: str | None) -> Iterator[None]:
    try:
        import ray
        from ray.util.joblib import register_ray
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


# ---- Processing recorded games in workers, a limited number at a time


@dataclass(frozen=True)
class _Task(Generic[Item, Done]):
    """Some items to process; their game is pickled by `portable`."""

    work: Callable[[Game, tuple[Item, ...]], Done]
    game: bytes
    items: tuple[Item, ...]


def work_on(work: Callable[[Game, tuple[Item, ...]], Done], game: Game, items: Sequence[Item], size: int, jobs: int = 1,
            backend: str = LOCAL[0], on_progress: Callable[[int, int], object] | None = None) -> Iterator[Done]:
    """Yield the results of a function for a game's items, a limited number at a time, in the order of completion.

    Parameters
    ----------
    work : callable
        Called in the workers with the game and some items; a function of a module, or a `functools.partial` of one.
    game : Game
    items : sequence
    size, jobs, backend, on_progress
        As for `in_batches`.

    Raises
    ------
    InvalidOption
        If the game cannot be sent to workers.
    """
    packed = portable(game)
    return in_batches(_done, items, lambda some: _Task(work, packed, some), size, jobs, backend, on_progress)


def _done(task: _Task[Item, Done]) -> Done:
    with faults_told():
        return task.work(pickle.loads(task.game), task.items)
