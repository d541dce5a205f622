"""What seats are rewarded for."""

from __future__ import annotations

from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.state import GameState
from sfida.engines.spec import quoted

SHARES, ZERO_SUM, POINTS = "shares", "zero_sum", "points"
KINDS = (SHARES, ZERO_SUM, POINTS)


def centred(shares: list[float]) -> list[float]:
    """Return shares of the win on a scale whose sum is 0 and whose greatest value, for a win alone, is 1."""
    n = len(shares)
    return [(n * share - 1) / (n - 1) for share in shares]


class Rewards:
    """Rewards of a game as it goes on.

    Parameters
    ----------
    kind : str
        "shares": each seat's share of the win at the end, 0 to 1, and 0 before; "zero_sum": the same from
        -1 / (n - 1) to 1, with sum 0; "points": what each seat's points on show have changed by since the last action.
    state : GameState
        The start.

    Raises
    ------
    InvalidOption
        If there is no such kind.
    """

    def __init__(self, kind: str, state: GameState) -> None:
        if kind not in KINDS:
            raise InvalidOption(f"reward must be one of {', '.join(map(repr, KINDS))}, not {quoted(kind)}")
        self._kind = kind
        self._points = [float(points) for points in state.scores()] if kind == POINTS else []

    def of(self, state: GameState) -> list[float]:
        """Return each seat's reward since the last call."""
        if self._kind == POINTS:
            before, self._points = self._points, [float(points) for points in state.scores()]
            return [now - then for then, now in zip(before, self._points, strict=True)]
        shares = state.utilities()
        if shares is None:
            return [0.0] * state.players
        return list(shares) if self._kind == SHARES else centred(shares)
