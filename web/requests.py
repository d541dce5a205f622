"""Requests and answers, without HTTP: what can be wrong with a request, and the fields of its JSON."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sfida.cython_ext.errors import SfidaError
from sfida.engines.language import _
from sfida.engines.untrusted import FieldReader

# ---- Requests of pages, and answers of the application


@dataclass(frozen=True)
class Request:
    """A request of a page.

    Attributes
    ----------
    method : str
        "GET" or "POST".
    path : str
        Such as "/api/home".
    query : mapping of str to str
    body : bytes
        JSON of a POST.
    host : bool
        Whether the sender has started the application.
    """

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    host: bool = False


@dataclass(frozen=True)
class Answer:
    """An answer of the application.

    Attributes
    ----------
    body : bytes
    media : str
        Media type of the body.
    status : int
        Of HTTP.
    headers : mapping of str to str
        Further headers, by their names in small letters.
    stream : async iterator of str, or None
        Parts of a text that arrive over time, instead of `body`.
    """

    body: bytes = b""
    media: str = "application/json"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    stream: AsyncIterator[str] | None = None

    @classmethod
    def of(cls, content: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
        """Return an answer of JSON."""
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return cls(text.encode(), status=status, headers=headers or {})


# ---- Errors of requests, beside those of the game; each kind has its HTTP status


class RequestRefused(SfidaError):
    """A request cannot be granted.

    Attributes
    ----------
    status : int
        Status of the answer.
    """

    status = 400


class Forbidden(RequestRefused):
    """The sender may not do that."""

    status = 403


class NotHere(RequestRefused):
    """There is no such page, link or position."""

    status = 404


class NotAsked(RequestRefused):
    """The address does not take this method."""

    status = 405


class Stale(RequestRefused):
    """The game has moved on since the page was drawn, or another request occupies the table."""

    status = 409


class TooMuch(RequestRefused):
    """Too many requests came from one client."""

    status = 429


class Full(RequestRefused):
    """No more tables fit in the lobby."""

    status = 503


# ---- The JSON of requests: every field has a type, and every error is one line


class Fields:
    """The fields of one request; unknown fields are ignored.

    Parameters
    ----------
    data : dict
    """

    def __init__(self, data: dict[str, Any]) -> None:
        self._data = data
        self._reader = FieldReader()

    @classmethod
    def read(cls, body: bytes) -> Fields:
        """Return the fields of a body; raises RequestRefused or InvalidRecord."""
        try:
            text = body.decode()
        except UnicodeDecodeError:
            raise RequestRefused(_("the request is not UTF-8 text")) from None
        data = FieldReader().parse(text or "{}", "the request")
        if not isinstance(data, dict):
            raise RequestRefused(_("a request is a JSON object in braces"))
        return cls(data)

    def take(self, key: str, kind: type, default: Any = ...) -> Any:
        """Return a field; without a default it must be there. Raises InvalidRecord."""
        return self._reader.take(self._data, key, kind, default)

    def take_list(self, key: str, kind: type, default: Any = ...) -> tuple[Any, ...]:
        """Return a field that is a list of things of one kind; raises InvalidRecord."""
        return tuple(self._reader.take_list(self._data, key, kind, default))
