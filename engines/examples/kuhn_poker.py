"""Kuhn poker: the smallest game with hidden cards and bluffing.

Three cards, jack, queen and king. Both players put one chip into the pot and get one card. Seat 0 passes
or bets one chip; then the other passes or bets in turn. A pass in answer to a bet folds, a bet in answer to
a bet calls, and a bet after a pass gives the first player one more decision. After two passes or a call
the higher card takes the pot (Kuhn 1950). Perfect play is worth -1/18 of a chip to seat 0.

Scores are chips won or lost; win shares map chips -2..2 linearly to 0..1, so that searching for win share
is searching for chips.
"""

from __future__ import annotations

from typing import Any, Self

from sfida.cython_ext.python_state import PythonState
from sfida.cython_ext.rng import Random
from sfida.engines.game import GameOptions
from sfida.engines.python_game import CHANCE, TERMINAL, PythonGame, PythonPosition, TwoPlayers, position_of

PASS, BET = 0, 1
DEAL = 10                       # chance outcome DEAL + card
CARDS = "JQK"
NOT_DEALT, UNSEEN = -1, -2
TO_MOVE = {"": 0, "p": 1, "b": 1, "pb": 0}      # every other betting history ends the game


class KuhnPosition(PythonPosition):
    """Two cards and the betting so far.

    Attributes
    ----------
    cards : list of int
        Card of each seat, 0..2; `NOT_DEALT`, or `UNSEEN` where a view hides it.
    history : str
        Betting so far: "p" for a pass, "b" for a bet.
    """

    __slots__ = ("cards", "history", "to_move")

    def __init__(self, options: GameOptions) -> None:
        self.cards = [NOT_DEALT, NOT_DEALT]
        self.history = ""
        self.to_move = CHANCE

    def clone(self) -> Self:
        twin = object.__new__(type(self))
        twin.cards = self.cards[:]
        twin.history = self.history
        twin.to_move = self.to_move
        return twin

    # ---- rules --------------------------------------------------------------------------------

    def chance_outcomes(self) -> list[tuple[int, int]]:
        """Deal lazily: seat 0's card, then seat 1's, each of the cards left equally likely."""
        return [(DEAL + card, 1) for card in range(3) if card not in self.cards]

    def legal_moves(self) -> list[int]:
        return [PASS, BET]

    def apply(self, move: int) -> None:
        if self.to_move == CHANCE:
            seat = 0 if self.cards[0] == NOT_DEALT else 1
            self.cards[seat] = move - DEAL
            self.to_move = CHANCE if seat == 0 else 0
        else:
            self.history += "pb"[move]
            self.to_move = TO_MOVE.get(self.history, TERMINAL)

    def scores(self) -> list[float]:
        """Chips won by each seat; zero while the game continues."""
        if self.to_move != TERMINAL:
            return [0.0, 0.0]
        if self.history == "bp":
            won = 1.0                                           # seat 1 folded
        elif self.history == "pbp":
            won = -1.0                                          # seat 0 folded
        else:
            won = 2.0 if self.history.endswith("bb") else 1.0
            won = won if self.cards[0] > self.cards[1] else -won
        return [won, -won]

    def utilities(self) -> list[float]:
        return [0.5 + chips / 4.0 for chips in self.scores()]

    # ---- information of the seats -------------------------------------------------------------

    def hides_from(self, seat: int) -> bool:
        """Return whether the other card is dealt and face down: the end shows the cards unless somebody folded."""
        shown = self.to_move == TERMINAL and self.history in ("pp", "bb", "pbb")
        return self.cards[1 - seat] != NOT_DEALT and not shown

    def event_label(self, seat: int) -> str | int:
        """Return the label: bets are public; only the seat that gets a card sees its deal."""
        if self.history:
            return self.history
        last_dealt = 1 if self.cards[1] != NOT_DEALT else 0
        dealt = self.cards[seat] if seat == last_dealt else NOT_DEALT
        return f"card {dealt}" if dealt != NOT_DEALT else 0

    def determinize(self, seat: int, rng: Random) -> None:
        """Redraw the other player's card between the two cards that the seat does not hold."""
        if self.hides_from(seat):
            unseen = [card for card in range(3) if card != self.cards[seat]]
            self.cards[1 - seat] = unseen[rng.below(len(unseen))]

    def redact(self, seat: int) -> None:
        if self.hides_from(seat):
            self.cards[1 - seat] = UNSEEN

    def private_bucket(self, seat: int) -> int:
        """Return the seat's card."""
        return max(0, self.cards[seat] + 1)

    def observation(self, seat: int) -> dict[str, Any]:
        other = "hidden" if self.hides_from(seat) else self._name(1 - seat)
        return {"card": self._name(seat), "other": other, "history": self.history, "to_move": self.to_move}

    def secrets(self, seat: int) -> dict[str, str]:
        """Return the other player's card."""
        if not self.hides_from(seat):
            return {}
        return {f"card of seat {1 - seat}": CARDS[self.cards[1 - seat]]}

    # ---- text ---------------------------------------------------------------------------------

    def _name(self, seat: int) -> str | None:
        return CARDS[self.cards[seat]] if self.cards[seat] >= 0 else None

    def format(self, move: int) -> str:
        return f"deal:{CARDS[move - DEAL]}" if move >= DEAL else ("pass", "bet")[move]

    def text(self, seat: int | None) -> str:
        lines = []
        for owner in (0, 1):
            hidden = seat != owner and self.hides_from(1 - owner)
            lines.append(f"seat {owner}: " + ("?" if hidden else self._name(owner) or "-"))
        bets = ", ".join("pass" if bet == "p" else "bet" for bet in self.history)
        return "\n".join([*lines, f"betting: {bets or 'none yet'}"])


class KuhnPoker(PythonGame):
    """Kuhn poker, registered as `kuhn_poker`."""

    name = "kuhn_poker"
    title = "Kuhn poker"
    example = True
    options_class = TwoPlayers
    position_class = KuhnPosition
    chance_sources = ("deck",)
    max_moves = 3
    max_codes = 2

    def seen_move(self, state: PythonState, move: int, seat: int | None) -> str:
        """Return the move as a seat saw it: only the seat that gets a card sees its deal."""
        position = position_of(state)
        assert isinstance(position, KuhnPosition)
        if state.is_chance and seat != position.cards.index(NOT_DEALT):
            return "deal:?"
        return super().seen_move(state, move, seat)
