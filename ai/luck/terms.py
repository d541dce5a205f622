"""The luck of a game: for every chance event what its outcome was worth more than expected, summed.

References
----------
N. Burch, M. Schmid, M. Moravcik, D. Morrill, M. Bowling, "AIVAT: a new variance reduction technique for agent
evaluation in imperfect information games" (AAAI 2018). M. White, M. Bowling, "Learning a value analysis tool for agent
evaluation" (IJCAI 2009). gnubg calls the difference the luck-adjusted result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sfida.ai.luck.value import Value
from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.rng import derive
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game
from sfida.engines.record_fields import FieldReader
from sfida.engines.records import GameRecord
from sfida.engines.spec import quoted

_STREAM = 0x7EB5                # of the numbers of events
UNIFORM = "random"              # the agent whose mixed strategy is known: every legal move is as likely


@dataclass(frozen=True)
class Term:
    """The luck of one event.

    Attributes
    ----------
    ply : int
        Number of the event in the game, from 0.
    source : str
        Where it came from: a chance source of the game, or "random" for a move of an agent that draws it.
    luck : tuple of float
        In shares of the win, by seat; they sum to 0.
    """

    ply: int
    source: str
    luck: tuple[float, ...]


@dataclass(frozen=True)
class GameLuck:
    """The luck of one game.

    Attributes
    ----------
    key : str
        Of the value function (`Value.key`).
    seats : tuple of float
        In shares of the win, by seat; they sum to 0, and each has mean zero.
    """

    key: str
    seats: tuple[float, ...]


class Measure(Protocol):
    """What measures the luck of an event; `Value` is one."""

    @property
    def game(self) -> Game:
        """The game."""

    def luck(self, state: GameState, outcome: int, weighted: Sequence[tuple[int, int]],
             number: int) -> NDArray[np.float64]:
        """As of `Value`."""


def terms(record: GameRecord, value: Measure) -> Iterator[Term]:
    """Yield the luck of every event of a recorded game that could have gone otherwise.

    Parameters
    ----------
    record : GameRecord
        It may be unfinished.
    value : Measure
        Of the record's game.

    Raises
    ------
    InvalidRecord
        If the record does not fit the rules.
    """
    state = value.game.initial_state()
    # A sample of outcomes that was the same in all games would be a bias. Games of the same luck share their samples,
    # so that what the rotation of the seats takes off is not put back.
    luck_seed = record.extra.get("chance_seed")
    seed = derive(luck_seed if isinstance(luck_seed, int) and luck_seed >= 0 else record.seed or 0, _STREAM)
    for ply, text in enumerate(record.moves):
        try:
            move = state.parse(text)
        except SfidaError as error:
            FieldReader(record.where).fail(f"move {ply + 1} {quoted(text)}: {error}")
        source = _source(state, record.seats)
        if source:
            weighted = (state.chance_outcomes() if state.is_chance else
                        [(code, 1) for code in state.legal_moves()])
            if len(weighted) > 1:
                yield Term(ply, source, tuple(map(float, value.luck(state, move, weighted, derive(seed, ply)))))
        state.apply(move)


def luck_of(record: GameRecord, value: Value) -> GameLuck:
    """Return the luck of a recorded game; raises InvalidRecord if it does not fit the rules."""
    total: NDArray[np.float64] = np.zeros(value.game.players)
    for term in terms(record, value):
        total += term.luck
    return GameLuck(value.key, tuple(map(float, total)))


def _source(state: GameState, seats: Sequence[str]) -> str:
    """Return where the coming event comes from if its probabilities are known, else ""."""
    if state.is_chance:
        return str(state.game.chance_source(state))
    return UNIFORM if seats and seats[int(state.to_move)] == UNIFORM else ""
