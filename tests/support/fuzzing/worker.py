"""Cases run in a separate process, whose memory and time are bounded and whose death is noticed.

`Worker` starts the process as

    python -m support.fuzzing.worker PIPE

The process reads the doors' names from standard input and answers through the pipe.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import json
import mmap
import os
import resource
import select
import signal
import struct
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

SECONDS = 10.0                  # maximum processor seconds of a case, which do not depend on the machine's load
PATIENCE = 60.0                 # maximum seconds by the clock, for cases that wait, or run code that receives no signal
MEMORY = 1 << 30                # maximum bytes of the process
LARGE = 256 << 20               # bytes above which a process first returns memory freed by earlier cases
ADDRESSES = 4 << 30             # additional address space: libraries and threads reserve much that they never use
CRASHED = "the process died"
_NOW = struct.Struct("qd")      # the running case, and the time of its start


@dataclass(frozen=True)
class Finding:
    """A case that failed."""

    door: str
    number: int
    what: str
    said: tuple[str, ...] = ()


@dataclass
class Tally:
    """The results of some cases of a door."""

    door: str
    cases: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    slowest_case: int = 0
    findings: list[Finding] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add the cases of another tally."""
        self.cases += other.cases
        self.seconds += other.seconds
        self.findings += other.findings
        if other.slowest > self.slowest:
            self.slowest, self.slowest_case = other.slowest, other.slowest_case

    def to_json(self) -> dict[str, Any]:
        """Return the tally as JSON-able data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Tally:
        """Return the tally written by `to_json`."""
        findings = [Finding(**{**each, "said": tuple(each["said"])}) for each in data["findings"]]
        return cls(**{**data, "findings": findings})


class Hang(BaseException):
    """A case took too long."""


# ---- the side that runs cases -------------------------------------------------------------------


def run_case(door: Any, seed: int, number: int, folder: Path) -> Finding | None:
    """Run one case in the current process; return its failure, or None."""
    from support.fuzzing.case import Case

    case = Case(door.name, seed, number, folder)
    try:
        with _time_limit():
            door.run(case)
    except Hang:
        return Finding(door.name, number, f"took more than {SECONDS:g} s of the processor:\n"
                       f"{traceback.format_exc()[-1500:]}", tuple(case.said))
    except KeyboardInterrupt:
        raise
    except BaseException:
        return Finding(door.name, number, traceback.format_exc()[-3000:], tuple(case.said))
    finally:
        os.chdir(folder)
        case.clear()
    return None


@contextlib.contextmanager
def _time_limit() -> Iterator[None]:
    def stop(_number: int, _frame: Any) -> None:
        raise Hang
    old = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, old)


def _bound_memory() -> None:
    """Limit the address space, so that a runaway case cannot take the machine's memory."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    most = pages * resource.getpagesize() + ADDRESSES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _forget_peak() -> None:
    """Return memory freed by earlier cases, and reset the peak of memory, so that each case has its own peak."""
    with contextlib.suppress(OSError, AttributeError):      # another C library, or no such file
        ctypes.CDLL(None).malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _held() -> int:
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * resource.getpagesize()
    except OSError:
        return 0


def _greedy() -> str:
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        peak = int(status.partition("VmHWM:")[2].split()[0]) << 10
    except OSError:                     # the peak of all cases so far
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return f"took {peak >> 20} MB of memory" if peak > MEMORY else ""


def serve(pipe: IO[str], shared: mmap.mmap) -> None:
    """Run the requested batches."""
    from support.fuzzing.doors import DOORS

    faulthandler.enable()
    folder = Path(tempfile.mkdtemp(prefix="sfida-fuzz-")).resolve()
    os.chdir(folder)
    _bound_memory()
    for order in sys.stdin:
        name, seed, first, last = json.loads(order)
        tally = Tally(name)
        for number in range(first, last):
            if _held() > LARGE:
                _forget_peak()
            begin = time.perf_counter()
            shared[:] = _NOW.pack(number, time.monotonic())
            finding = run_case(DOORS[name], seed, number, folder)
            shared[:] = _NOW.pack(-1, 0.0)
            spent = time.perf_counter() - begin
            tally.add(Tally(name, 1, spent, spent, number, [] if finding is None else [finding]))
            if greedy := _greedy():
                tally.findings.append(Finding(name, number, greedy))
                break
        pipe.write(json.dumps(tally.to_json()) + "\n")
        pipe.flush()
        if _greedy():
            break
    with contextlib.suppress(OSError):
        folder.rmdir()


# ---- the side that watches ----------------------------------------------------------------------


class Worker:
    """A process that runs cases; it is restarted when it dies or hangs."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None
        self._memory = tempfile.TemporaryFile()         # noqa: SIM115  (both for as long as the worker is)
        self._memory.write(bytes(_NOW.size))
        self._memory.flush()
        self._shared = mmap.mmap(self._memory.fileno(), _NOW.size)
        self._errors = tempfile.TemporaryFile()         # noqa: SIM115
        self._answers: IO[bytes] | None = None

    def run(self, door: str, seed: int, first: int, last: int,
            tell: Callable[[Tally], object] = lambda tally: None) -> Tally:
        """Run the cases `first` to `last` - 1 of a door, even if they end the process."""
        total = Tally(door)
        while first < last:
            until = min(last, first + 50)
            part = self._batch(door, seed, first, until)
            first += part.cases
            total.add(part)
            tell(part)
        return total

    def _batch(self, door: str, seed: int, first: int, last: int) -> Tally:
        process = self._started()
        assert process.stdin
        assert self._answers
        self._shared[:] = _NOW.pack(-1, 0.0)
        try:
            process.stdin.write(json.dumps((door, seed, first, last)) + "\n")
            process.stdin.flush()
        except BrokenPipeError:
            return self._lost(door, seed, first, self._last_words(process))
        while True:
            if select.select([self._answers], [], [], 0.5)[0]:
                answer = self._answers.readline()
                if answer:
                    tally = Tally.from_json(json.loads(answer))
                    if tally.cases < last - first:      # the process holds too much memory to continue
                        self.close()
                    return tally
                return self._lost(door, seed, first, self._last_words(process))
            number, since = _NOW.unpack(self._shared[:])
            if number >= 0 and time.monotonic() - since > PATIENCE:
                os.killpg(process.pid, signal.SIGKILL)
                return self._lost(door, seed, first, f"took more than {PATIENCE:g} s by the clock")

    def _lost(self, door: str, seed: int, first: int, what: str) -> Tally:
        """Return the batch up to and including the case that ended the process; earlier cases run again."""
        number, _ = _NOW.unpack(self._shared[:])
        self.close()
        if number < first:
            raise RuntimeError(f"a worker died before its first case of door '{door}': {what}")
        tally = self._batch(door, seed, first, number) if number > first else Tally(door)
        if tally.cases == number - first:
            tally.add(Tally(door, 1, findings=[Finding(door, number, what)]))
        return tally

    def _last_words(self, process: subprocess.Popen[str]) -> str:
        code = process.wait()
        self._errors.seek(0)
        said = self._errors.read().decode(errors="replace")
        how = f"by {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"
        return f"{CRASHED} {how}\n{said[-1500:]}"

    def _started(self) -> subprocess.Popen[str]:
        if self.process is None or self.process.poll() is not None:
            self.close()
            ours, theirs = os.pipe()
            self._answers = os.fdopen(ours, "rb")
            self._errors.truncate(0)
            tests = str(Path(__file__).resolve().parents[2])
            path = os.pathsep.join(filter(None, (tests, os.environ.get("PYTHONPATH"))))
            self.process = subprocess.Popen(
                [sys.executable, "-m", __name__, str(theirs), str(self._memory.fileno())], text=True,
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self._errors,
                pass_fds=(theirs, self._memory.fileno()), start_new_session=True,
                env={**os.environ, "PYTHONPATH": path})
            os.close(theirs)
        return self.process

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            process, self.process = self.process, None
            if process.stdin is not None:
                with contextlib.suppress(OSError):
                    process.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(2)
            with contextlib.suppress(ProcessLookupError):       # with all processes that the cases started
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if self._answers is not None:
            self._answers.close()
            self._answers = None

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()
        self._shared.close()
        self._memory.close()
        self._errors.close()


if __name__ == "__main__":
    serve(os.fdopen(int(sys.argv[1]), "w"), mmap.mmap(int(sys.argv[2]), _NOW.size))
