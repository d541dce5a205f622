"""Addresses of this computer that only this computer reaches, and who speaks there."""

from __future__ import annotations

import ipaddress
import re
import socket
import struct
from pathlib import Path

from sfida.cython_ext.errors import InvalidOption
from sfida.engines.spec import quoted

HOME = "127.0.0.1"
LARGEST_PORT = 65535
NOBODY = -1
_PLACE = re.compile(r"(?:(?P<host>\[[0-9A-Fa-f:]+\]|[0-9.]+|localhost):)?(?P<port>[0-9]{1,5})")


def place_of(text: str) -> tuple[str, int]:
    """Return the address and the port that a text names.

    Parameters
    ----------
    text : str
        `PORT` or `ADDRESS:PORT`: a port from 1 to 65535, an address from 127.0.0.0/8, `[::1]` or `localhost`.

    Raises
    ------
    InvalidOption
        If it names none, or one that other computers may reach.
    """
    found = _PLACE.fullmatch(text)
    port = int(found["port"]) if found else 0
    if found is None or not 1 <= port <= LARGEST_PORT:
        raise InvalidOption(f"{quoted(text)} is no port of this computer; right would be a number from 1 to "
                            f"{LARGEST_PORT}, such as 4000, or an address with it, such as {HOME}:4000")
    host = (found["host"] or HOME).strip("[]").replace("localhost", HOME)
    try:
        local = ipaddress.ip_address(host).is_loopback
    except ValueError:
        local = False
    if not local:
        raise InvalidOption(f"{quoted(text)} is not a place on this computer: only 127.0.0.1 and other loopback "
                            "addresses are taken")
    return host, port


def peer_user(connection: socket.socket) -> int | None:
    """Return the user whose program is at the other end of a connection over `HOME`.

    Linux tells it in /proc/net/tcp, by the address that the other end calls its own.

    Returns
    -------
    int or None
        The number of the user; `NOBODY` if the program has gone; None if the system does not tell.
    """
    here, there = (_as_listed(*name) for name in (connection.getsockname(), connection.getpeername()))
    try:
        lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    except OSError:
        return None
    for words in map(str.split, lines):
        if words[1:3] == [there, here]:
            return int(words[7]) if words[9] != "0" else NOBODY     # without an inode: closed, and then shown as root's
    return NOBODY


def _as_listed(host: str, port: int) -> str:
    """Return an IPv4 address and a port as /proc/net/tcp writes them: the address as a number of this machine."""
    (number,) = struct.unpack("=I", socket.inet_aton(host))
    return f"{number:08X}:{port:04X}"
