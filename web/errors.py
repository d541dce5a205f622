"""What can be wrong with a request, apart from errors of the game; each kind has its status."""

from __future__ import annotations

from sfida.cython_ext.errors import SfidaError


class Refused(SfidaError):
    """A request cannot be granted.

    Attributes
    ----------
    status : int
        Of the answer.
    """

    status = 400


class Forbidden(Refused):
    """Whoever asks may not do that."""

    status = 403


class NotHere(Refused):
    """There is no such page, link or position."""

    status = 404


class Stale(Refused):
    """The game has moved on since the page was drawn, or something else is being done at the table."""

    status = 409


class TooMuch(Refused):
    """Too many requests came from one place."""

    status = 429


class Full(Refused):
    """No more tables fit in the house."""

    status = 503
