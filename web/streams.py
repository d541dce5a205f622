"""Server-sent events: a page is told that its table has changed, and how far a search has come."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable

from sfida.engines.language import _
from sfida.web.errors import TooMuch
from sfida.web.links import Link
from sfida.web.rooms import Room

_BEAT = 15.0            # seconds without news after which a comment is sent
_LOOK = 0.5             # seconds between two looks whether the server ends
_CALM = 0.2             # seconds between two reports of a search


class Streams:
    """The streams of a server.

    Parameters
    ----------
    most : int
        Most that are open at once.
    ends : callable
        Tells whether the server is about to end, and streams with it.
    """

    def __init__(self, most: int, ends: Callable[[], bool]) -> None:
        self._most = most
        self._ends = ends
        self._open = 0

    def check(self) -> None:
        """Make sure that a stream more may be opened; raises TooMuch."""
        if self._open >= self._most:
            raise TooMuch(_("too many pages are open; close some"))

    async def events(self, room: Room, link: Link) -> AsyncIterator[str]:
        """Yield the events of a table for a page that has a link, until it closes the stream or the server ends."""
        self._open += 1
        try:
            async for event in _events(room, link, self._ends):
                yield event
        finally:
            self._open -= 1


async def _events(room: Room, link: Link, ends: Callable[[], bool]) -> AsyncIterator[str]:
    """Yield the events; news that come while others are being sent are told together, the fewer to a slow page."""
    loop, news = asyncio.get_running_loop(), asyncio.Event()

    def tell() -> None:
        with contextlib.suppress(RuntimeError):             # the server has ended
            loop.call_soon_threadsafe(news.set)

    with room.listened(link.seats, tell):
        last, quiet = None, 0.0
        while not ends():
            news.clear()
            now = room.public_mark()
            if now != last:
                last = now
                yield _event("changed", {"version": room.version})
            thought = room.thought
            if thought is not None:
                yield _event("thinking", thought.to_json())
            await asyncio.sleep(_CALM)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(news.wait(), _LOOK)
                quiet = 0.0
                continue
            quiet += _LOOK
            if quiet >= _BEAT:
                quiet = 0.0
                yield ": still here\n\n"


def _event(name: str, data: dict[str, object]) -> str:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"
