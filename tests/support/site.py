"""The site on which Sfida runs in a browser alone: written once for all tests, and served from a folder of a server."""

from __future__ import annotations

import functools
import http.server
import importlib.util
import json
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from sfida.cython_ext.errors import SfidaError
from sfida.engines.files import locked
from sfida.web.site import SiteWriter

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / "build" / "wasm"
FOLDER = "/games/sfida/"        # of the server, as with a project's pages at a host


@functools.cache
def written() -> Path:
    """Return the folder of the site; skips the test where it cannot be made."""
    lacking = [name for name in ("node", "npm") if shutil.which(name) is None]
    if importlib.util.find_spec("ziglang") is None:
        lacking.append("ziglang")
    if lacking:
        pytest.skip(f"the site for browsers is not tested: {' and '.join(lacking)} not installed")
    CACHE.mkdir(parents=True, exist_ok=True)
    site, target = SiteWriter(ROOT, CACHE), ROOT / "build" / "test-site"
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", "")
    with (CACHE / "lock").open("a+") as file, locked(file.fileno()):
        try:
            site.runtime()
        except SfidaError as error:
            pytest.skip(f"the site for browsers is not tested: {error}")
        file.seek(0)
        if not run or file.read() != run or not target.exists():         # another process of this run has written it
            site.write(target)
            file.truncate(0)
            file.write(run)
    return target


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def translate_path(self, path: str) -> str:
        """Return the file of a path within the folder of the site."""
        return super().translate_path(path.removeprefix(FOLDER.rstrip("/"))) if path.startswith(FOLDER) else "/nowhere"

    def log_message(self, *_args: object) -> None:
        """Say nothing."""


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """Serve a site while the block runs, and give its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{FOLDER}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def asked(page: Any, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
    """Return what the application answers to a request of a page's own transport."""
    status, text = page.evaluate("""async ([method, path, body]) => {
        const { transport } = await import("./static/transport.js");
        const answer = await transport.ask(method, path, {}, body);
        return [answer.status, answer.body];
    }""", [method, path, None if body is None else json.dumps(body)])
    assert status == 200, text
    return text if path.endswith(("/record", "/review")) else json.loads(text)
