"""Server-sent events: a page is told that its table has changed, and how far a search has come."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator

from sfida.web.links import Link
from sfida.web.rooms import Room

_BEAT = 15.0            # seconds without news after which a comment is sent
_CALM = 0.2             # seconds between two reports of a search


async def events(room: Room, link: Link) -> AsyncIterator[str]:
    """Yield the events of a table for a page that has a link, until the page closes it.

    News that come while others are being sent are told together: a slow page gets fewer of them.
    """
    loop, news = asyncio.get_running_loop(), asyncio.Event()

    def tell() -> None:
        with contextlib.suppress(RuntimeError):             # the server has ended
            loop.call_soon_threadsafe(news.set)

    with room.listened(link.seats, tell):
        last = None
        while True:
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
                await asyncio.wait_for(news.wait(), _BEAT)
                continue
            yield ": still here\n\n"


def _event(name: str, data: dict[str, object]) -> str:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"
