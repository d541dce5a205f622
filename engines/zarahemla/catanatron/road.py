"""catanatron's own measure of the Longest Road, defects included (ZAR-24.6), for a check to the bit."""

from __future__ import annotations

from sfida.engines.zarahemla.rules import corners_of_edge

MINIMUM = 5


class RoadEmulation:
    """Lengths and holder of the Longest Road as catanatron counts them.

    Parameters
    ----------
    players : int

    Attributes
    ----------
    lengths : list of int
        By seat, as stored: they fall only when the road is cut.
    holder : int
        Seat, or -1.
    """

    def __init__(self, players: int) -> None:
        self.lengths: list[int] = [0] * players
        self.holder: int = -1
        self._best = 0
        self._owner: dict[int, int] = {}                # of an edge
        self._site: dict[int, int] = {}                 # owner of a corner
        self._counted: list[set[int]] = [set() for _ in range(players)]
        self._at: dict[int, list[tuple[int, int]]] = {}  # corner -> (edge, other corner)
        for edge, (a, b) in enumerate(corners_of_edge()):
            self._at.setdefault(a, []).append((edge, b))
            self._at.setdefault(b, []).append((edge, a))

    def build_road(self, seat: int, edge: int) -> None:
        """A seat has built a road."""
        self._owner[edge] = seat
        self._counted[seat].update(c for c in corners_of_edge()[edge] if not self._is_enemy(c, seat))
        length = self._longest(seat)
        self.lengths[seat] = max(self.lengths[seat], length)
        if length >= MINIMUM and length > self._best:
            self.holder, self._best = seat, length

    def build_settlement(self, seat: int, corner: int) -> None:
        """A seat has built a settlement, which may cut another's road."""
        self._site[corner] = seat
        self._counted[seat].add(corner)
        for other in range(len(self.lengths)):
            cut = [far for edge, far in self._at[corner] if self._owner.get(edge) == other]
            if other == seat or len(cut) != 2:
                continue
            for start in cut:
                self._counted[other] |= self._walk(other, start)
            self.lengths[other] = self._longest(other)
            self._best = max(self.lengths)
            self.holder = self.lengths.index(self._best)

    def _is_enemy(self, corner: int, seat: int) -> bool:
        return self._site.get(corner, seat) != seat

    def _walk(self, seat: int, start: int) -> set[int]:
        """Return the corners met on own roads without passing an opponent's corner."""
        seen, agenda = set(), [start]
        while agenda:
            corner = agenda.pop()
            seen.add(corner)
            if not self._is_enemy(corner, seat):
                agenda += [far for edge, far in self._at[corner] if self._owner.get(edge) == seat and far not in seen]
        return seen

    def _longest(self, seat: int) -> int:
        """Return the longest trail from a counted corner that enters no opponent's corner."""

        def trail(corner: int, used: frozenset[int]) -> int:
            return max((1 + trail(far, used | {edge}) for edge, far in self._at[corner]
                        if edge not in used and self._owner.get(edge) == seat and not self._is_enemy(far, seat)),
                       default=0)

        return max(trail(corner, frozenset()) for corner in self._counted[seat])
