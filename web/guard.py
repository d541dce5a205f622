"""Checks of every request: known host, same origin, JSON of bounded size, rate limit; and headers of answers."""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sfida.engines.language import _

POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
          "base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
LOOPBACK = ("127.0.0.1", "localhost", "::1")
_DRAIN = 1.0            # seconds to read the rest of a refused request
_CLIENTS = 4096         # clients whose buckets are remembered
_HEADERS = {"content-security-policy": POLICY, "x-content-type-options": "nosniff", "referrer-policy": "no-referrer",
            "cross-origin-opener-policy": "same-origin", "cross-origin-resource-policy": "same-origin",
            "x-frame-options": "DENY", "cache-control": "no-store"}


@dataclass(frozen=True)
class Limits:
    """Limits for one client.

    Attributes
    ----------
    body : int
        Bytes of a request.
    seconds : float
        Longest time for the body to arrive.
    burst : int
        Largest burst of requests.
    rate : float
        Requests per second after a burst.
    streams : int
        Largest number of open streams, over all tables.
    """

    body: int = 1 << 23
    seconds: float = 15.0
    burst: int = 400
    rate: float = 50.0
    streams: int = 200


class Buckets:
    """A token bucket for each client; the bucket of the client that was absent longest is dropped first."""

    def __init__(self, burst: int, rate: float) -> None:
        self._burst, self._rate = float(burst), rate
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str, now: float) -> bool:
        """Take a token at a time in seconds; return whether one was left."""
        left, then = self._left.pop(client, (self._burst, now))
        left = min(self._burst, left + (now - then) * self._rate)
        self._left[client] = (left - 1.0 if left >= 1.0 else left, now)
        if len(self._left) > _CLIENTS:
            self._left.popitem(last=False)
        return left >= 1.0


class Guard:
    """Refuses requests that cannot come from a page of this server.

    Parameters
    ----------
    app : ASGI application
    hosts : iterable of str
        Names and addresses of the server, without a port. Other values of `Host` are refused, so that no other site's
        name can be pointed at the server.
    limits : Limits
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = LOOPBACK, limits: Limits = Limits()) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._limits = limits
        self._buckets = Buckets(self._limits.burst, self._limits.rate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
                return
            await self._app(scope, receive, send)
            return
        refused = self._refused(scope)
        if refused is not None:
            with suppress(TimeoutError, _Gone, _TooLong):       # a client reads no answer before it has sent everything
                await asyncio.wait_for(self._body(receive), _DRAIN)
            await _answer(send, *refused)
            return
        body = b""
        if scope["method"] == "POST":
            try:
                body = await asyncio.wait_for(self._body(receive), self._limits.seconds)
            except TimeoutError:
                await _answer(send, 408, _("the request did not arrive whole in time"))
                return
            except _Gone:
                return
            except _TooLong:
                await _answer(send, 413, self._too_long())
                return
        read = False

        async def again() -> Message:
            nonlocal read
            if read or scope["method"] != "POST":
                return await receive()
            read = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._app(scope, again, _with_headers(send))

    def _refused(self, scope: Scope) -> tuple[int, str] | None:
        """Return the status and the reason if a request is refused by its head."""
        client = scope.get("client")
        if not self._buckets.take(client[0] if client else "", time.monotonic()):
            return 429, _("too many requests; wait a moment")
        headers: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
        host = headers.get("host", [])
        if len(host) != 1 or _name_of(host[0]) not in self._hosts:
            return 421, _("this server does not answer for that host")
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, _("only GET and POST are understood")
        origin = headers.get("origin", [])
        if scope["method"] == "POST" and (len(origin) > 1 or (origin and origin[0] != f"{scope['scheme']}://{host[0]}")):
            return 403, _("the request comes from another site")
        if headers.get("sec-fetch-site", ["none"])[0] not in ("none", "same-origin") and scope["method"] == "POST":
            return 403, _("the request comes from another site")
        if scope["method"] == "POST":
            kind = headers.get("content-type", [""])[0].partition(";")[0].strip().lower()
            if kind != "application/json":
                return 415, _("the content of a request must be application/json")
            length = headers.get("content-length", ["0"])[0]
            if not length.isdecimal() or int(length) > self._limits.body:
                return 413, self._too_long()
        return None

    def _too_long(self) -> str:
        return _("a request has at most {number} bytes").format(number=self._limits.body)

    async def _body(self, receive: Receive) -> bytes:
        parts, size = [], 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise _Gone
            part = message.get("body", b"")
            size += len(part)
            if size > self._limits.body:
                raise _TooLong
            parts.append(part)
            if not message.get("more_body", False):
                return b"".join(parts)


class _Gone(Exception):
    """The client has closed the connection."""


class _TooLong(Exception):
    """The body is longer than announced."""


def _name_of(host: str) -> str:
    """Return the host of a `Host` header without its port; "" for an invalid header."""
    try:
        parts = urlsplit(f"//{host}")
        parts.port      # noqa: B018  (raises if it is no number)
    except ValueError:
        return ""
    return (parts.hostname or "") if parts.netloc == host and "@" not in host else ""


def _with_headers(send: Send) -> Send:
    """Add the common headers to an answer, except those that it has already."""
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _value in message["headers"]}
            message["headers"] = [*message["headers"], *((name.encode(), value.encode())
                                                         for name, value in _HEADERS.items()
                                                         if name.encode() not in given)]
        await send(message)

    return sent


async def _answer(send: Send, status: int, error: str) -> None:
    """Send an error."""
    body = json.dumps({"error": error}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()),
               (b"connection", b"close")]
    sent = _with_headers(send)
    await sent({"type": "http.response.start", "status": status, "headers": headers})
    await sent({"type": "http.response.body", "body": body})
