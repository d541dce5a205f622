"""Errors that Sfida raises for a user's mistake; all derive from `SfidaError`."""


class SfidaError(ValueError):
    """Base class: one line that says what was wrong and what would be right."""


class IllegalMove(SfidaError):
    """The move is well formed, but the rules do not allow it now."""


class InvalidNotation(SfidaError):
    """The text is not a move in this game's notation."""


class AmbiguousNotation(SfidaError):
    """The text fits more than one legal move."""


class InvalidOption(SfidaError):
    """An option or parameter is unknown, or its value is out of range."""


class InvalidRecord(SfidaError):
    """A record is malformed, tampered with, or of another version."""


class UnknownGame(SfidaError):
    """No game of that name is registered."""


class UnknownAgent(SfidaError):
    """No agent of that name is registered."""


class WorkersLost(SfidaError):
    """Processes, threads or a cluster that play games are gone or cannot be had; finished games are kept."""
