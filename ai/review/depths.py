"""How deep a review looks: playouts for the curve, iterations for all decisions, and how they are shared out."""

from __future__ import annotations

from dataclasses import dataclass

from sfida.cython_ext.errors import InvalidOption

GLANCE, FAST, NORMAL, DEEP = "glance", "fast", "normal", "deep"
_FIRST = 0.4            # share of the iterations for a first search of every decision
_USUAL = 2.0            # searches that a first look takes on average: one without limits, and often two held to a move
_AGAIN = 4              # independent searches of each kind where the loss is in doubt
FEWEST, _MOST = 50, 20  # iterations of a search at least; at most the share 1 / _MOST of all


@dataclass(frozen=True)
class Effort:
    """What one decision gets.

    Attributes
    ----------
    iterations : int
        Of each search.
    searches : int
        Independent searches of each kind.
    """

    iterations: int
    searches: int = 1


@dataclass(frozen=True)
class Depth:
    """How deep a review looks.

    Attributes
    ----------
    name : str
    iterations : int
        Of all searches, about.
    playouts : int
        From each position of the curve.
    worlds : int
        Worlds that stand for all that a seat holds possible, where something is hidden, and playouts from each.
    seconds : float or None
        Time after which no decision is searched again; None: no limit. Every decision gets a first look.
    """

    name: str
    iterations: int
    playouts: int
    worlds: int
    seconds: float | None = None

    def first(self, decisions: int) -> Effort:
        """Return what each of some decisions gets at first."""
        return Effort(self._each(_FIRST * self.iterations / (_USUAL * max(1, decisions))))

    def again(self, doubtful: int, decisions: int) -> tuple[int, Effort]:
        """Return how many of the doubtful among all decisions are searched again, and what each of them gets."""
        one = _AGAIN * (_USUAL + 1.0)           # searches
        left = (1.0 - _FIRST) * self.iterations / one
        least = self.first(decisions).iterations
        many = min(doubtful, max(1, int(left / least)))
        return many, Effort(max(least, self._each(left / max(1, many))), _AGAIN)

    def _each(self, iterations: float) -> int:
        return int(max(FEWEST, min(iterations, self.iterations / _MOST)))


# On two cores the slowest of the five games, RisiKo with four players, takes about 8, 40 and 300 s.
DEPTHS = {depth.name: depth for depth in (Depth(FAST, 400_000, 32, 8, 15.0),
                                          Depth(NORMAL, 2_500_000, 128, 16, 50.0), Depth(DEEP, 20_000_000, 512, 64))}


def depth_named(name: str) -> Depth:
    """Return a depth; raises InvalidOption."""
    if name not in DEPTHS:
        raise InvalidOption(f"the depth must be {', '.join(DEPTHS)}, not '{name}'")
    return DEPTHS[name]
