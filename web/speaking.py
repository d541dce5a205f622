"""The language in which a request is answered."""

from __future__ import annotations

from urllib.parse import parse_qs

from starlette.types import ASGIApp, Receive, Scope, Send

from sfida.engines.language import LANGUAGES, speaking
from sfida.web.words import preferred

_HEADER = b"x-sfida-language"           # what was chosen on the page


class Speaking:
    """Answers each request in the language that its page has chosen, else in the server's, else in the browser's.

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
        with speaking(self._language(scope)):
            await self._app(scope, receive, send)

    def _language(self, scope: Scope) -> str:
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        asked = parse_qs(scope["query_string"].decode("latin-1")).get("lang", [""])[-1]
        chosen = (asked, headers.get(_HEADER, ""), self._lang)
        return next((code for code in chosen if code in LANGUAGES), preferred(headers.get(b"accept-language", "")))
