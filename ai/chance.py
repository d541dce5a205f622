"""Sources of the chance outcomes of a game: a seed, a record, or a person with real dice and tiles.

The table chooses the source; the rules only say which outcomes are possible and how likely they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Protocol

from sfida.ai.seeds import check_seed, luck_seed
from sfida.cython_ext.errors import IllegalMove, InvalidRecord
from sfida.cython_ext.rng import splitmix64
from sfida.cython_ext.state import GameState

_MASK = (1 << 64) - 1
_ODD = 0xD1342543DE82EF95          # spreads neighbouring outcome codes over the 64 bits


class ChanceSource(Protocol):
    """Decides the chance events of one game, in order."""

    def draw(self, state: GameState) -> int:
        """Return the code of the outcome of the coming chance event of `state`."""


class SeededChance:
    """Chance outcomes from a seed, the same whatever the players do.

    The k-th draw from each source of the game (tile stack, a die, a deck) has its own random numbers, one per
    outcome: outcome `o` of weight `w` gets an exponential arrival time of rate `w`, keyed by (seed, source, k, o),
    and the first to arrive happens. Each outcome thus has exactly the probability given by its weight. In two games
    with the same seed the same draw gives the same outcome if the possible outcomes are the same, and usually
    the same outcome if they differ only a little.

    Parameters
    ----------
    seed : int

    References
    ----------
    The race of exponentials is the Gumbel-max trick in other coordinates: C. J. Maddison, D. Tarlow,
    T. Minka, "A* sampling" (2014). Common random numbers: P. Glasserman, D. D. Yao (1992).
    """

    def __init__(self, seed: int) -> None:
        self.seed: int = check_seed(seed)
        self._drawn: dict[int, int] = {}

    def draw(self, state: GameState) -> int:
        """Return the outcome of the coming chance event, and count the draw."""
        source, number = self._coming(state)
        outcome = self.outcome(state.chance_outcomes(), source, number)
        self._drawn[source] = number + 1
        return outcome

    def skip(self, state: GameState) -> None:
        """Count the draw of the coming chance event, whose outcome is already known."""
        source, number = self._coming(state)
        self._drawn[source] = number + 1

    def _coming(self, state: GameState) -> tuple[int, int]:
        """Return the source of the coming chance event, and the number of draws from it so far."""
        source = state.game.chance_sources.index(state.game.chance_source(state))
        return source, self._drawn.get(source, 0)

    def outcome(self, outcomes: Sequence[tuple[int, int]], source: int, number: int) -> int:
        """Return the code that the `number`-th draw from a source picks among (code, weight) pairs."""
        if not outcomes:
            raise IllegalMove("no chance event comes next")
        key = luck_seed(self.seed, source, number)
        return min(outcomes, key=lambda outcome: (_arrival(key, *outcome), outcome[0]))[0]


def _arrival(key: int, code: int, weight: int) -> float:
    """Return the exponential arrival time of an outcome."""
    bits = splitmix64(key ^ (code * _ODD & _MASK), 1)[0]
    return -math.log(((bits >> 11) + 0.5) * 2.0**-53) / weight


class ReplayChance:
    """Given chance outcomes, as texts or codes in order.

    Parameters
    ----------
    moves : sequence of str or int
    then : ChanceSource, optional
        Source to use when they are exhausted; without it that is an error.
    """

    def __init__(self, moves: Sequence[str | int], then: ChanceSource | None = None) -> None:
        self._moves = tuple(moves)
        self._then = then
        self._next = 0

    def draw(self, state: GameState) -> int:
        """Return the next given outcome."""
        if self._next >= len(self._moves):
            if self._then is not None:
                return self._then.draw(state)
            raise InvalidRecord(f"the game goes on after the {len(self._moves)} chance moves that were given")
        move = self._moves[self._next]
        code = checked_outcome(state, move)
        self._next += 1
        return code


class ManualChance:
    """Chance outcomes that a person enters, for a game with real tiles, cards or dice.

    Parameters
    ----------
    ask : callable
        Takes the state and returns what was drawn, in the game's notation or as a code.
    """

    def __init__(self, ask: Callable[[GameState], str | int]) -> None:
        self._ask = ask

    def draw(self, state: GameState) -> int:
        """Return what `ask` returns; raises a notation error, or IllegalMove if that is impossible."""
        return checked_outcome(state, self._ask(state))


def checked_outcome(state: GameState, move: str | int) -> int:
    """Return the code of a chance outcome given as text or code; raises an error if it is impossible."""
    code = int(state.parse(move)) if isinstance(move, str) else move
    if not state.is_chance or code not in state.legal_moves():
        raise IllegalMove(f"{move} cannot happen here")
    return code
