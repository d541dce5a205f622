"""Goofspiel with four cards: simultaneous bids as hidden commitments.

Each player holds the cards 1 to 4. Prizes worth 4, 3, 2 and 1 come up in that order. For each, both players
choose a card at the same time and show them together: the higher one takes the prize, equal ones discard it.
Both cards are gone. Most points win.

"At the same time" is modelled as two moves: seat 0 lays its card face down, then seat 1 lays its card, which
turns both up. Of the first move seat 1 sees only that a card lies there.
"""

from __future__ import annotations

from typing import Any, Self

from sfida.cython_ext.python_state import PythonState
from sfida.cython_ext.rng import Random
from sfida.engines.game import GameOptions
from sfida.engines.python_game import TERMINAL, PythonGame, PythonPosition, TwoPlayers

PRIZES = (4, 3, 2, 1)
CARDS = (1, 2, 3, 4)
NONE, UNSEEN = 0, -1


class GoofspielPosition(PythonPosition):
    """Bids so far and points. A move code is the value of the card.

    Attributes
    ----------
    bids : list of list of int
        Cards that each seat has shown, in order.
    face_down : int
        Seat 0's card that still lies face down; `NONE`, or `UNSEEN` in seat 1's view.
    points : list of int
        Prizes won.
    """

    __slots__ = ("bids", "face_down", "points", "to_move")

    feature_names = ("points", "cards", "highest", "prizes")
    move_feature_names = ("over", "under", "highest")

    def __init__(self, options: GameOptions) -> None:
        self.bids: list[list[int]] = [[], []]
        self.face_down = NONE
        self.points = [0, 0]
        self.to_move = 0

    def clone(self) -> Self:
        twin = object.__new__(type(self))
        twin.bids = [self.bids[0][:], self.bids[1][:]]
        twin.face_down = self.face_down
        twin.points = self.points[:]
        twin.to_move = self.to_move
        return twin

    # ---- rules --------------------------------------------------------------------------------

    def hand(self, seat: int) -> list[int]:
        """Return the cards that a seat has not shown yet."""
        return [card for card in CARDS if card not in self.bids[seat]]

    def legal_moves(self) -> list[int]:
        return self.hand(self.to_move)

    def apply(self, move: int) -> None:
        if self.to_move == 0:
            self.face_down = move
            self.to_move = 1
            return
        prize = PRIZES[len(self.bids[0])]
        if self.face_down > move:
            self.points[0] += prize
        elif self.face_down < move:
            self.points[1] += prize
        self.bids[0].append(self.face_down)
        self.bids[1].append(move)
        self.face_down = NONE
        self.to_move = 0 if len(self.bids[0]) < len(PRIZES) else TERMINAL

    def scores(self) -> list[int]:
        return self.points

    def utilities(self) -> list[float]:
        first, second = self.points
        return [0.5, 0.5] if first == second else [float(first > second), float(second > first)]

    # ---- information of the seats -------------------------------------------------------------

    def event_label(self, seat: int) -> Any:
        """Return the label: a reveal is public; only the owner knows a face-down card, the other sees that it lies."""
        if self.face_down == NONE:
            return ("shown", self.bids[0][-1], self.bids[1][-1]) if self.bids[0] else 0
        return ("laid", self.face_down) if seat == 0 else "laid"

    def determinize(self, seat: int, rng: Random) -> None:
        """Redraw the face-down card among the cards that seat 0 has not shown."""
        if seat == 1 and self.face_down != NONE:
            hand = self.hand(0)
            self.face_down = hand[rng.below(len(hand))]

    def redact(self, seat: int) -> None:
        if seat == 1 and self.face_down != NONE:
            self.face_down = UNSEEN

    def is_bid(self) -> bool:
        """Return True: both seats choose before either card is shown."""
        return True

    def retract_bids(self, seat: int) -> None:
        """Let seat 0 choose again the card that seat 1 has not seen."""
        if seat == 1 and self.face_down != NONE:
            self.face_down, self.to_move = NONE, 0

    def observation(self, seat: int) -> dict[str, Any]:
        face_down: int | str | None = self.face_down or None
        if face_down is not None and seat == 1:
            face_down = "hidden"
        return {"bids": [self.bids[0][:], self.bids[1][:]], "face_down": face_down,
                "points": self.points[:], "to_move": self.to_move}

    def secrets(self, seat: int) -> dict[str, str]:
        """Return the face-down card."""
        return {"card face down": str(self.face_down)} if seat == 1 and self.face_down != NONE else {}

    # ---- inputs of learning -------------------------------------------------------------------

    def features(self, seat: int) -> list[float]:
        """Return points, sum of the cards left and highest card; the prizes left are the same for both seats."""
        hand = self.hand(seat)
        return [self.points[seat], sum(hand), max(hand, default=0), sum(PRIZES[len(self.bids[0]):])]

    def move_features(self, moves: list[int]) -> list[list[float]]:
        """Return for each card its difference from the prize, and whether it is the highest card left."""
        prize = PRIZES[len(self.bids[0])]
        return [[max(card - prize, 0), max(prize - card, 0), card == max(moves)] for card in moves]

    # ---- text ---------------------------------------------------------------------------------

    def text(self, seat: int | None) -> str:
        lines = [f"seat {owner}: {points} points, shown {' '.join(map(str, bids)) or '-'}"
                 for owner, (points, bids) in enumerate(zip(self.points, self.bids, strict=True))]
        if self.face_down != NONE:
            lines[0] += f", face down {self.face_down if seat == 0 else '?'}"
        if self.to_move != TERMINAL:
            lines.append(f"prize: {PRIZES[len(self.bids[0])]}")
        return "\n".join(lines)


class Goofspiel(PythonGame):
    """Goofspiel with four cards, registered as `goofspiel`."""

    name = "goofspiel"
    title = "Goofspiel (4 cards)"
    chance_sources = ()
    example = True
    options_class = TwoPlayers
    position_class = GoofspielPosition
    max_moves = 4
    max_codes = 5

    def seen_move(self, state: PythonState, move: int, seat: int | None) -> str:
        """Return the move as a seat saw it: seat 0's card lies face down until seat 1 has chosen too."""
        if state.to_move == 0 and seat != 0:
            return "a card face down"
        return super().seen_move(state, move, seat)
