"""Leduc poker: two rounds of betting, one shared card (Southey and others 2005).

Six cards: two jacks, two queens, two kings. Both players put one chip into the pot and get one card. In each
of two rounds of betting, seat 0 first, a player folds (only when facing a bet), calls (or checks) or raises:
by 2 chips in the first round, by 4 in the second, at most two raises per round. One card is turned up between
the rounds. At the end a pair with it wins, else the higher card; equal cards split the pot.

Scores are chips won or lost; win shares map chips -13..13 linearly to 0..1 (13 = 1 + 2 * 2 + 2 * 4 is the
most a player can lose).
"""

from __future__ import annotations

from typing import Any, Self

from sfida.cython_ext.python_state import PythonState
from sfida.cython_ext.rng import Random
from sfida.engines.game import GameOptions
from sfida.engines.python_game import CHANCE, TERMINAL, PythonGame, PythonPosition, TwoPlayers, position_of

FOLD, CALL, RAISE = 0, 1, 2
DEAL = 10                       # chance outcome DEAL + rank
RANKS = "JQK"
NONE, UNSEEN = -1, -2
SIZE = (2, 4)                   # size of a raise in each round
MAX_RAISES = 2
MOST_CHIPS = 13.0


class LeducPosition(PythonPosition):
    """Cards, chips and the betting so far.

    Attributes
    ----------
    cards : list of int
        Rank of each seat's card and of the shared card: 0..2, `NONE` before the deal, or `UNSEEN`.
    chips : list of int
        Chips each seat has put into the pot.
    rounds : list of str
        Betting of each round: letters f, c, r.
    folded : int
        Seat that folded, or `NONE`.
    """

    __slots__ = ("cards", "chips", "folded", "rounds", "to_move")

    def __init__(self, options: GameOptions) -> None:
        self.cards = [NONE, NONE, NONE]
        self.chips = [1, 1]
        self.rounds = [""]
        self.folded = NONE
        self.to_move = CHANCE

    def clone(self) -> Self:
        twin = object.__new__(type(self))
        twin.cards = self.cards[:]
        twin.chips = self.chips[:]
        twin.rounds = self.rounds[:]
        twin.folded = self.folded
        twin.to_move = self.to_move
        return twin

    # ---- rules --------------------------------------------------------------------------------

    def chance_outcomes(self) -> list[tuple[int, int]]:
        """Deal lazily; the weight of a rank is its number of cards left."""
        left = [(DEAL + rank, 2 - self.cards.count(rank)) for rank in range(3)]
        return [(code, weight) for code, weight in left if weight]

    def legal_moves(self) -> list[int]:
        moves = [CALL]
        if self.chips[0] != self.chips[1]:
            moves.insert(0, FOLD)
        if self.rounds[-1].count("r") < MAX_RAISES:
            moves.append(RAISE)
        return moves

    def apply(self, move: int) -> None:
        if self.to_move == CHANCE:
            place = self.cards.index(NONE)
            self.cards[place] = move - DEAL
            self.to_move = CHANCE if place == 0 else 0
            return
        seat = self.to_move
        self.rounds[-1] += "fcr"[move]
        if move == FOLD:
            self.folded = seat
            self.to_move = TERMINAL
            return
        self.chips[seat] = self.chips[1 - seat]
        if move == RAISE:
            self.chips[seat] += SIZE[len(self.rounds) - 1]
        if move == RAISE or self.rounds[-1] == "c":
            self.to_move = 1 - seat
        elif len(self.rounds) == 2:
            self.to_move = TERMINAL
        else:
            self.rounds.append("")
            self.to_move = CHANCE

    def scores(self) -> list[float]:
        """Chips won by each seat; zero while the game continues."""
        if self.to_move != TERMINAL:
            return [0.0, 0.0]
        if self.folded != NONE:
            winner = 1 - self.folded
        else:
            mine, other, shared = self.cards
            if mine == other:
                return [0.0, 0.0]
            winner = 0 if mine == shared or (other != shared and mine > other) else 1
        won = float(self.chips[1 - winner])
        return [won, -won] if winner == 0 else [-won, won]

    def utilities(self) -> list[float]:
        return [0.5 + chips / (2 * MOST_CHIPS) for chips in self.scores()]

    # ---- information of the seats -------------------------------------------------------------

    def hides_from(self, seat: int) -> bool:
        """Return whether the other card is dealt and face down: the end shows the cards unless somebody folded."""
        shown = self.to_move == TERMINAL and self.folded == NONE
        return self.cards[1 - seat] != NONE and not shown

    def event_label(self, seat: int) -> Any:
        """Return the label: bets and the shared card are public; only the seat that gets a card sees its deal."""
        if self.rounds[0]:
            return (*self.rounds, self.cards[2])
        last_dealt = 1 if self.cards[1] != NONE else 0
        dealt = self.cards[seat] if seat == last_dealt else NONE
        return ("card", dealt) if dealt != NONE else 0

    def determinize(self, seat: int, rng: Random) -> None:
        """Redraw the other player's card, uniformly among the cards that the seat does not see."""
        if self.hides_from(seat):
            seen = (self.cards[seat], self.cards[2])
            unseen = [rank for rank in range(3) for _ in range(2 - seen.count(rank))]
            self.cards[1 - seat] = unseen[rng.below(len(unseen))]

    def redact(self, seat: int) -> None:
        if self.hides_from(seat):
            self.cards[1 - seat] = UNSEEN

    def private_bucket(self, seat: int) -> int:
        """Return the seat's card."""
        return max(0, self.cards[seat] + 1)

    def observation(self, seat: int) -> dict[str, Any]:
        other = "hidden" if self.hides_from(seat) else self._name(1 - seat)
        return {"card": self._name(seat), "other": other, "shared": self._name(2),
                "chips": self.chips[:], "rounds": self.rounds[:],
                "to_move": self.to_move}

    def secrets(self, seat: int) -> dict[str, str]:
        """Return the other player's card."""
        if not self.hides_from(seat):
            return {}
        return {f"card of seat {1 - seat}": RANKS[self.cards[1 - seat]]}

    # ---- text ---------------------------------------------------------------------------------

    def _name(self, place: int) -> str | None:
        return RANKS[self.cards[place]] if self.cards[place] >= 0 else None

    def format(self, move: int) -> str:
        return f"deal:{RANKS[move - DEAL]}" if move >= DEAL else ("fold", "call", "raise")[move]

    def text(self, seat: int | None) -> str:
        lines = []
        for owner in (0, 1):
            hidden = seat != owner and self.hides_from(1 - owner)
            lines.append(f"seat {owner}: {'?' if hidden else self._name(owner) or '-'}, "
                         f"{self.chips[owner]} in the pot")
        return "\n".join([*lines, f"shared: {self._name(2) or '-'}", f"betting: {' / '.join(self.rounds)}"])


class LeducPoker(PythonGame):
    """Leduc poker, registered as `leduc_poker`."""

    name = "leduc_poker"
    title = "Leduc poker"
    example = True
    options_class = TwoPlayers
    position_class = LeducPosition
    chance_sources = ("deck",)
    max_moves = 3
    max_codes = 3

    def seen_move(self, state: PythonState, move: int, seat: int | None) -> str:
        """Return the move as a seat saw it: only the seat that gets a card sees its deal; all see the shared card."""
        position = position_of(state)
        assert isinstance(position, LeducPosition)
        place = position.cards.index(NONE) if state.is_chance else 2
        if place < 2 and seat != place:
            return "deal:?"
        return super().seen_move(state, move, seat)
