"""The application over HTTP: guard, host's cookie and static files by Starlette, on a socket until Ctrl-C."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import parse_qs

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from sfida.engines.language import N_, _
from sfida.web.app import STATIC, Application, Streams, answering, refusal
from sfida.web.guard import LOOPBACK, Guard, Limits
from sfida.web.lobby import MOST_TABLES, Links, Lobby
from sfida.web.requests import Answer
from sfida.web.requests import Request as Asked
from sfida.web.runner import Threads

# ---- The application as one of ASGI

_LEAST_PACKED = 2000    # bytes of an answer that is compressed: a scene, most of it drawing, shrinks to an eighth
_STATUSES = {404: N_("there is no such page"), 405: N_("this page is not asked for in that way")}


class Speaking:
    """Answers each request in the language of the page's choice, else of the server, else of the browser.

    Parameters
    ----------
    app : ASGI application
    lang : str
        Language of the server; "" for none.
    """

    def __init__(self, app: ASGIApp, lang: str = "") -> None:
        self._app = app
        self._lang = lang

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        query = {name: values[-1] for name, values in parse_qs(scope["query_string"].decode("latin-1")).items()}
        with answering(query, headers, self._lang):
            await self._app(scope, receive, send)


class _Static(StaticFiles):
    """The static files; a browser caches them and revalidates them on each use."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        """Answer with a file, or with the status that it is unchanged."""
        answer = super().file_response(*args, **kwargs)
        answer.headers["cache-control"] = "no-cache"
        return answer


class _Gateway:
    """Passes requests to the application; the host's cookie identifies the host.

    Parameters
    ----------
    application : Application
    key : str
        The host's key.
    port : int
        Port of the server; it is part of the cookie's name.
    """

    def __init__(self, application: Application, key: str, port: int) -> None:
        self._application = application
        self._key = key.encode()
        self._cookie = f"sfida-host-{port}"

    async def start(self, request: Request) -> Response:
        """Answer with the start page; a request with the key gets the cookie."""
        key = request.query_params.get("key")
        if key is not None and secrets.compare_digest(key.encode(), self._key):
            answer = RedirectResponse("/", 303)
            answer.set_cookie(self._cookie, key, httponly=True, samesite="strict")
            return answer
        return await self.ask(request)

    async def ask(self, request: Request) -> Response:
        """Answer any other request."""
        host = secrets.compare_digest(request.cookies.get(self._cookie, "").encode(), self._key)
        return _response(await self._application.answer(Asked(
            "GET" if request.method == "HEAD" else request.method, str(request.scope["path"]), request.query_params,
            await request.body(), host)))


def _response(answer: Answer) -> Response:
    if answer.stream is not None:
        return StreamingResponse(answer.stream, answer.status, answer.headers, answer.media)
    return Response(answer.body, answer.status, answer.headers, answer.media)


async def _http_refusal(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = _STATUSES.get(error.status_code)
    return _response(refusal(error.detail.lower() if words is None else _(words), error.status_code, error.headers))


async def _fault(_request: Request, _error: Exception) -> Response:
    return _response(refusal(_("something went wrong in the server; its terminal says what"), 500))


def make_app(lobby: Lobby, port: int, *, hosts: Iterable[str] = LOOPBACK, limits: Limits | None = None,
             lang: str = "", ends: Callable[[], bool] = lambda: False) -> Speaking:
    """Return the ASGI application of a lobby.

    Parameters
    ----------
    lobby : Lobby
    port : int
    hosts : iterable of str
        Names and addresses of the server.
    limits : Limits, optional
    lang : str
        Language of the pages, "" for that of the browser.
    ends : callable
        Returns whether the server is ending.
    """
    limits = limits or Limits()
    gateway = _Gateway(Application(lobby, Streams(limits.streams, ends)), lobby.links.key, port)
    app = Starlette(
        routes=[Route("/", gateway.start), Mount("/static", _Static(directory=str(STATIC), check_dir=False)),
                Route("/{path:path}", gateway.ask, methods=["GET", "POST"])],
        exception_handlers={HTTPException: _http_refusal, Exception: _fault})
    return Speaking(Guard(GZipMiddleware(app, _LEAST_PACKED, compresslevel=1), hosts, limits), lang)


# ---- The server: socket, lobby and application together

_CONNECTIONS = 1000     # largest number of connections
_FAREWELL = 1           # seconds for streams to end when the server ends


class Server:
    """A server on a socket.

    Parameters
    ----------
    listening : socket
        Socket that is bound to its address.
    share : bool
        Whether other computers can reach it.
    workers : int, optional
        Largest number of concurrent searches; by default one per core.
    tables : int
        Largest number of tables in play.
    lang : str
        Language of the pages, "" for that of the browser.
    trusts : bool
        Whether pages may name code that is not Sfida's own.
    limits : Limits, optional
        Limits for one client.
    """

    def __init__(self, listening: socket.socket, *, share: bool = False, workers: int | None = None,
                 tables: int = MOST_TABLES, lang: str = "", trusts: bool = False,
                 limits: Limits | None = None) -> None:
        self.listening = listening
        self.port: int = int(listening.getsockname()[1])
        self._links = Links.read(self.port)
        self.lobby: Lobby = Lobby(self._links, Threads(workers or os.cpu_count() or 1), tables, trusts=trusts)
        own = own_addresses() if share else []
        self.addresses: list[str] = [f"http://{_in_url(host)}:{self.port}/?key={self._links.key}"
                                     for host in ("127.0.0.1", *own)]
        app = make_app(self.lobby, self.port, hosts=(*LOOPBACK, *own, *([socket.gethostname()] if share else [])),
                       limits=limits, lang=lang, ends=lambda: self._server.should_exit)
        self._server = uvicorn.Server(uvicorn.Config(
            app, log_level="warning", access_log=False, lifespan="off", limit_concurrency=_CONNECTIONS,
            timeout_graceful_shutdown=_FAREWELL, server_header=False, h11_max_incomplete_event_size=1 << 14))

    @property
    def started(self) -> bool:
        """Whether the server accepts requests."""
        return bool(self._server.started)

    def stop(self) -> None:
        """Make `run` return; may be called from another thread."""
        self._server.should_exit = True

    def run(self) -> None:
        """Serve until Ctrl-C or SIGTERM; all games are saved."""
        try:
            with contextlib.suppress(KeyboardInterrupt):
                self._server.run([self.listening])
        finally:
            self.lobby.close()


def own_addresses() -> list[str]:
    """Return the addresses of this machine in its network, without the loopback."""
    found: dict[str, None] = {}
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))             # sends nothing; it only selects the local address
        found[probe.getsockname()[0]] = None
    with contextlib.suppress(OSError):
        for *_, address in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            found[str(address[0])] = None
    return [address for address in found if not address.startswith("127.")]


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
