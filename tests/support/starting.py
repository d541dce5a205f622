"""Programs that start at once: forked from a process that has already imported Sfida, the slowest part of a start.

    python -m support.starting SOCKET

is that process. It imports, then waits for orders. Each program is a separate child process with a given terminal,
folder and environment, and runs and ends like ``python -m sfida``.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from pathlib import Path

from sfida.ai.review import reviewing

LARGEST = 1 << 20                       # maximum bytes of an order
PACKAGES = ("sfida.cli", "sfida.engines")
# Variables that Python or Sfida reads when it starts: a program with other values is started without a fork.
AT_START = ("PYTHON", "LC_", "LANG", "SFIDA_INSTRUCTIONS", "SFIDA_DEBUG")
_NUMBER = struct.Struct("q")


# ---- the side of the tests ----------------------------------------------------------------------------


class Forked:
    """A forked program, with the members of `subprocess.Popen` that tests use."""

    def __init__(self, pid: int, ends: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._ends = ends

    def poll(self) -> int | None:
        """Return the exit code, or None while it runs."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end of the program, and return its exit code."""
        if self.returncode is None:
            if not select.select([self._ends], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("sfida", timeout or 0)
            self.returncode = _NUMBER.unpack(os.read(self._ends, _NUMBER.size))[0]
            os.close(self._ends)
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


@cache
def _starter() -> socket.socket:
    """Start the process that forks, once for all tests."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    path = os.pathsep.join(filter(None, (str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH"))))
    process = subprocess.Popen([sys.executable, "-m", __name__, str(theirs.fileno())], pass_fds=[theirs.fileno()],
                               stdin=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": path})
    theirs.close()
    atexit.register(process.wait)
    atexit.register(ours.close)         # runs first, and ends the process
    return ours


def start_at_terminal(arguments: Sequence[str], side: int, env: Mapping[str, str],
                      first_look: float | None = None) -> Forked | subprocess.Popen[bytes]:
    """Start ``sfida`` in a new session at a terminal.

    Parameters
    ----------
    arguments : sequence of str
    side : int
        The program's side of the pseudo-terminal.
    env : mapping of str to str
        The whole environment.
    first_look : float, optional
        Seconds for a first look at the finished game, instead of the usual two.
    """
    if any(env.get(name) != os.environ.get(name) for name in env.keys() | os.environ.keys()
           if name.startswith(AT_START)):
        return subprocess.Popen([sys.executable, "-m", "sfida", *arguments], stdin=side, stdout=side, stderr=side,
                                start_new_session=True, env=dict(env), preexec_fn=_take_terminal)
    ends, told = os.pipe()
    order = json.dumps({"arguments": list(arguments), "env": dict(env), "folder": str(Path.cwd()),
                        "first_look": first_look})
    socket.send_fds(_starter(), [order.encode()], [side, told])
    os.close(told)
    return Forked(_NUMBER.unpack(os.read(ends, _NUMBER.size))[0], ends)


def _take_terminal() -> None:
    """Make the terminal at standard input the controlling terminal of this session."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


# ---- the side that forks ------------------------------------------------------------------------------


def _import_all() -> None:
    for name in PACKAGES:
        for found in pkgutil.walk_packages(import_module(name).__path__, f"{name}."):
            with contextlib.suppress(ImportError):          # some packages are not installed
                import_module(found.name)


def _serve(orders: socket.socket) -> list[str] | None:
    """Fork at each order; return None at the end, or, in the ordered program, its arguments."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        order, handles, *_ = socket.recv_fds(orders, LARGEST, 2)
        if not order:
            return None
        if os.fork() == 0:
            orders.close()
            return _watched(json.loads(order), *handles)
        for handle in handles:
            os.close(handle)


def _watched(order: dict, side: int, told: int) -> list[str]:
    """Fork the program from a process that waits for its end and reports the exit code."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    program = os.fork()
    if program:
        os.write(told, _NUMBER.pack(program))
        os.close(side)
        _, status = os.waitpid(program, 0)
        os.write(told, _NUMBER.pack(os.waitstatus_to_exitcode(status)))
        os._exit(0)
    os.close(told)
    os.setsid()
    for handle in range(3):
        os.dup2(side, handle)
    os.close(side)
    _take_terminal()
    os.environ.clear()
    os.environ.update(order["env"])
    os.chdir(order["folder"])
    sys.path[0] = order["folder"]
    for name, handle, mode in (("stdin", 0, "r"), ("stdout", 1, "w"), ("stderr", 2, "w")):
        old = getattr(sys, name)
        stream = open(handle, mode, encoding=old.encoding, errors=old.errors, closefd=False,    # noqa: SIM115
                      buffering=1 if os.isatty(handle) else -1)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    if order["first_look"] is not None:
        reviewing.quick_review = partial(reviewing.quick_review, seconds=order["first_look"])
    return list(order["arguments"])


if __name__ == "__main__":
    _import_all()
    arguments = _serve(socket.socket(fileno=int(sys.argv[1])))
    if arguments is not None:
        sys.argv[1:] = arguments
        runpy.run_module("sfida", run_name="__main__", alter_sys=True)
