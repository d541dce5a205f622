"""Phantom tic-tac-toe: tic-tac-toe in which neither player sees the other's marks.

The player to move tries a cell that is neither marked by that player nor known to be taken. If the cell is empty,
the player marks it and the turn passes. If it is taken, only the player learns this, and tries again; the other
player does not even learn that there was a try. The end of the game shows the board.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any, Self

from sfida.cython_ext.python_state import PythonState
from sfida.cython_ext.rng import Random
from sfida.engines.examples.tic_tac_toe import EMPTY, LINES, draw
from sfida.engines.game import GameOptions
from sfida.engines.python_game import TERMINAL, PythonGame, PythonPosition, TwoPlayers, position_of

UNSEEN = -2
NOTHING = (-1, -1, 0)           # no event to report


class PhantomPosition(PythonPosition):
    """The board, and what each seat has found out by rejected tries. Cells are numbered as in tic-tac-toe.

    Attributes
    ----------
    marks : list of int
        Cells marked by each seat, as bits (cell 0 is the lowest).
    found : list of int
        The other's cells that each seat has run into, as bits; -2 in the view of the other seat.
    counts : list of int
        Number of marks of each seat; public, because turns alternate.
    winner : int
        Seat that completed a line, or -1.
    last : tuple of int
        Last try: seat, cell, and 1 when it was accepted; `NOTHING` in views and redrawn worlds.
    """

    __slots__ = ("counts", "found", "last", "marks", "to_move", "winner")

    def __init__(self, options: GameOptions) -> None:
        self.marks = [0, 0]
        self.found = [0, 0]
        self.counts = [0, 0]
        self.winner = EMPTY
        self.last = NOTHING
        self.to_move = 0

    def clone(self) -> Self:
        twin = object.__new__(type(self))
        twin.marks = self.marks[:]
        twin.found = self.found[:]
        twin.counts = self.counts[:]
        twin.winner = self.winner
        twin.last = self.last
        twin.to_move = self.to_move
        return twin

    # ---- rules --------------------------------------------------------------------------------

    def legal_moves(self) -> list[int]:
        return CELLS[511 & ~(self.marks[self.to_move] | self.found[self.to_move])]

    def apply(self, move: int) -> None:
        seat, bit = self.to_move, 1 << move
        if self.marks[1 - seat] & bit:
            self.found[seat] |= bit
            self.last = (seat, move, 0)
            return
        self.marks[seat] |= bit
        self.counts[seat] += 1
        self.last = (seat, move, 1)
        if HAS_LINE[self.marks[seat]]:
            self.winner = seat
            self.to_move = TERMINAL
        elif sum(self.counts) == 9:
            self.to_move = TERMINAL
        else:
            self.to_move = 1 - seat

    def utilities(self) -> list[float]:
        if self.winner == EMPTY:
            return [0.5, 0.5]
        return [float(self.winner == seat) for seat in (0, 1)]

    # ---- information of the seats -------------------------------------------------------------

    def event_label(self, seat: int) -> int:
        """Return the label: the mover sees the cell and the answer; the other seat only that a turn has passed."""
        mover, cell, accepted = self.last
        if seat == mover:
            return 10 + 2 * cell + accepted
        return accepted

    def determinize(self, seat: int, rng: Random) -> None:
        """Redraw the other's marks and the cells that the other has run into, uniformly over all possibilities.

        The seat knows its own marks, the marks it ran into and the number of the other's marks. The other's
        remaining marks may be on any cells that are neither the seat's own nor run into, without three in a row
        (the game would be over): for each such board there is an order of play in which every mark stood before
        the seat ran into it. Independently of the board, the other may have run into any subset of the seat's
        marks, because a turn allows any number of tries. So the draw is uniform over pairs (board, cells that
        the other found), which is uniform over boards times uniform over subsets. The draw is not weighted by
        the probability that a player chooses such tries.
        """
        if self.to_move == TERMINAL:
            return
        other = 1 - seat
        worlds = consistent(self.marks[seat], self.found[seat], self.counts[other])
        self.marks[other] = worlds[rng.below(len(worlds))]
        found = 0
        for cell in CELLS[self.marks[seat]]:
            found |= rng.below(2) << cell
        self.found[other] = found
        self.last = NOTHING             # even that the other has tried something is hidden

    def redact(self, seat: int) -> None:
        if self.to_move == TERMINAL:
            return
        other = 1 - seat
        self.marks[other] = UNSEEN
        self.found[other] = UNSEEN
        self.last = NOTHING             # even that the other has tried something is hidden

    def observation(self, seat: int) -> dict[str, Any]:
        return {"board": ["XO."[mark] for mark in self._seen(seat)], "counts": self.counts[:],
                "to_move": self.to_move}

    def secrets(self, seat: int) -> dict[str, str]:
        """Return the content of each cell that the seat has neither marked nor run into."""
        if self.to_move == TERMINAL:
            return {}
        other = 1 - seat
        unknown = CELLS[511 & ~(self.marks[seat] | self.found[seat])]
        return {self.format(cell): "XO"[other] if self.marks[other] >> cell & 1 else "empty" for cell in unknown}

    # ---- text ---------------------------------------------------------------------------------

    def _seen(self, seat: int | None) -> list[int]:
        """Return the mark of each cell as the seat sees it."""
        over = self.to_move == TERMINAL
        known = [self.marks[owner] if over or seat == owner else self.found[seat] if seat is not None else 0
                 for owner in (0, 1)]
        return [0 if known[0] >> cell & 1 else 1 if known[1] >> cell & 1 else EMPTY for cell in range(9)]

    def format(self, move: int) -> str:
        return "abc"[move % 3] + "321"[move // 3]

    def text(self, seat: int | None) -> str:
        return f"{draw(self._seen(seat))}\nX has {self.counts[0]} marks, O has {self.counts[1]}"


CELLS = [[cell for cell in range(9) if bits >> cell & 1] for bits in range(512)]
HAS_LINE = [any(all(bits >> cell & 1 for cell in line) for line in LINES) for bits in range(512)]


@cache
def consistent(own: int, found: int, count: int) -> list[int]:
    """Return every set of `count` cells that contains `found`, avoids `own` and forms no line, ascending."""
    free = CELLS[511 & ~(own | found)]
    missing = count - len(CELLS[found])
    sets = [found | sum(1 << cell for cell in chosen) for chosen in combinations(free, missing)]
    return sorted(bits for bits in sets if not HAS_LINE[bits])


class PhantomTicTacToe(PythonGame):
    """Phantom tic-tac-toe, registered as `phantom_tic_tac_toe`."""

    name = "phantom_tic_tac_toe"
    title = "Phantom tic-tac-toe"
    chance_sources = ()
    example = True
    options_class = TwoPlayers
    position_class = PhantomPosition
    max_moves = 9
    max_codes = 9

    def seat_name(self, seat: int) -> str:
        return "XO"[seat]

    def seen_move(self, state: PythonState, move: int, seat: int | None) -> str:
        """Return the try as a seat saw it: others see that a mark was made, but not where, and no failed try."""
        position = position_of(state)
        assert isinstance(position, PhantomPosition)
        if seat == state.to_move:
            return super().seen_move(state, move, seat)
        return "" if position.marks[1 - position.to_move] >> move & 1 else "a mark"
