"""Sfida in a browser alone: the application on the event loop of a web worker, where messages stand for HTTP."""

from __future__ import annotations

import asyncio
import io
import json
import shutil
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import parse_qs, urlsplit

from pyodide.ffi import can_run_sync, run_sync  # type: ignore[import-not-found]

from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.files import state_folder
from sfida.engines.language import _
from sfida.web.app import Application, Streams, answering
from sfida.web.lobby import Links, Lobby
from sfida.web.requests import Request
from sfida.web.runner import Loop

_SETTINGS = "settings.json"     # in an archive of data: what the page itself keeps
_MOST_BYTES = 1 << 26           # of an archive's content
_MOST_FILES = 100_000


class Local:
    """The application of one browser, whose user is the host.

    Attributes
    ----------
    suspends : bool
        Whether a search can be suspended while requests are answered.
    """

    def __init__(self) -> None:
        self.suspends: bool = bool(can_run_sync())
        self._loop = asyncio.get_event_loop()
        self._streaming: dict[int, asyncio.Task[Any] | None] = {}       # tasks of the open streams, by request
        self._lobby = self._opened()
        self._application = Application(self._lobby, Streams(16, lambda: False))

    def _opened(self) -> Lobby:
        runner = Loop(lambda job, seconds: self._loop.call_later(seconds, job), _sleep if self.suspends else None)
        return Lobby(Links.read(0), runner, alone=True)

    async def answer(self, number: int, method: str, path: str, headers: str, body: str,
                     tell: Callable[[str], object]) -> str:
        """Return the answer to a request as JSON; `tell` is called with each part of a stream.

        Parameters
        ----------
        number : int
            Number of the request, by which a stream is left.
        method, path : str
            The path with its query.
        headers : str
            JSON, by names in small letters.
        body : str
        tell : callable
        """
        parts = urlsplit(path)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        with answering(query, json.loads(headers)):
            found = await self._application.answer(Request(method, parts.path, query, body.encode(), host=True))
            if found.stream is not None:
                self._streaming[number] = asyncio.current_task()
                with suppress(asyncio.CancelledError):          # the page has left
                    async for part in found.stream:
                        tell(part)
                del self._streaming[number]
        return json.dumps({"status": found.status, "media": found.media, "body": found.body.decode()})

    def leave(self, number: int) -> None:
        """End the stream of a request."""
        task = self._streaming.get(number)
        if task is not None:
            task.cancel()

    def exported(self, settings: str) -> bytes:
        """Return all data as a ZIP archive of the state folder, with the settings of the page."""
        packed, folder = io.BytesIO(), state_folder()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(_SETTINGS, settings)
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    archive.writestr(path.relative_to(folder).as_posix(), path.read_bytes())
        return packed.getvalue()

    def imported(self, data: Any) -> str:
        """Replace all data by those of an archive, and return its settings; raises InvalidRecord and keeps the old."""
        try:
            with zipfile.ZipFile(io.BytesIO(bytes(data))) as archive:
                members = [one for one in archive.infolist() if not one.is_dir()]
                if len(members) > _MOST_FILES or sum(one.file_size for one in members) > _MOST_BYTES:
                    raise InvalidRecord(_("the file is too large"))
                files = {PurePosixPath(one.filename): archive.read(one) for one in members}
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
            raise InvalidRecord(_("this is no file with data of Sfida, or it is damaged")) from error
        settings = files.pop(PurePosixPath(_SETTINGS), None)
        if settings is None or any(path.is_absolute() or ".." in path.parts for path in files):
            raise InvalidRecord(_("this is no file with data of Sfida, or it is damaged"))
        self._lobby.close()
        folder = state_folder()
        with suppress(FileNotFoundError):
            shutil.rmtree(folder)
        for path, content in files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        self._lobby = self._opened()
        self._application = Application(self._lobby, Streams(16, lambda: False))
        return settings.decode()


def _sleep(seconds: float) -> None:
    """Suspend the running job; the loop continues."""
    if can_run_sync():
        run_sync(asyncio.sleep(seconds))
