"""The value function by which luck is measured: what a whole position is worth to each seat.

It is never shown to an agent, so it may see all that is hidden. Whatever it says, the luck measured by it has mean
zero; the better it foretells the result, the more of the variance it takes away.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfida.cython_ext.lookahead import Lookahead
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.search.parameters import knob
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game
from sfida.engines.spec import options_from

VERSION = 1                     # of the way in which values and terms are computed
LISTED = 64                     # outcomes up to which an expectation is exact; of more, so many are drawn
_STREAM = 0x10CC                # of all random numbers here
_PROBED = 6                     # chance events of a random game whose values are part of the key
_DIGITS = 6                     # digits of values in the key: the last ones depend on the machine


@dataclass(frozen=True)
class ValueOptions:
    """How positions are valued."""

    steps: int = knob(0, "decisions of the turn after a chance event that are played by the game's evaluation", low=0,
                      high=4)
    playouts: int = knob(16, "playouts from there; 0: the position is evaluated", low=0, high=100_000)
    cutoff: int = knob(-1, "turns of a playout before the position is evaluated; -1: it plays to the end", low=-1,
                       high=10_000)
    informed: int = knob(100, "share of playout moves chosen by the game's rollout policy", unit="%", low=0, high=100)
    trust: float = knob(1.0, "factor of the values: less than 1 where they are uncertain", low=0.0, high=10.0)


class Value:
    """Values of positions of one game.

    Parameters
    ----------
    game : Game
    options : ValueOptions, optional
        By default those of the game (`Game.luck_defaults`).

    Attributes
    ----------
    options : ValueOptions
    """

    def __init__(self, game: Game, options: ValueOptions | None = None) -> None:
        self.game = game
        self.options: ValueOptions = options or options_from(ValueOptions, game.luck_defaults, f"luck of {game.name}")
        start = game.initial_state()
        chosen = self.options
        evaluates = bool(start.has_evaluation)
        self._lookahead = Lookahead(start, chosen.steps if evaluates else 0,
                                    max(chosen.playouts, 0 if evaluates else 1), chosen.cutoff, chosen.informed)
        self._players = game.players

    @functools.cached_property
    def key(self) -> str:
        """Name of the function, 16 hex digits: it changes with the options, the rules and what the game knows.

        It is a hash of the options, of a learned evaluation as far as it is asked, and of values along a random game.
        """
        found: list[Any] = [VERSION, self.game.spec(), self.game.rules_version, asdict(self.options)]
        knowledge = self.game.knowledge
        if knowledge is not None and (self.options.steps or not self.options.playouts or self.options.cutoff >= 0):
            found.append(knowledge.digest)
        state, rng = self.game.initial_state(), Random(_STREAM)
        events = 0
        while not state.is_over and events < _PROBED:
            if state.is_chance:
                outcomes = [code for code, _ in state.chance_outcomes()][:4]
                if len(outcomes) > 1:
                    events += 1
                    found.append(np.round(self.after(state, outcomes, events), _DIGITS).tolist())
                state.apply(state.sample_chance(rng))
            else:
                moves = state.legal_moves()
                state.apply(moves[rng.below(len(moves))])
        return hashlib.blake2b(json.dumps(found).encode(), digest_size=8).hexdigest()

    def after(self, state: GameState, events: Sequence[int], number: int) -> NDArray[np.float64]:
        """Return what each seat may expect to win after each of some events.

        Parameters
        ----------
        state : GameState
            The whole position before them.
        events : sequence of int
            Legal moves or chance outcomes.
        number : int
            Names the event: its random numbers depend on this and on nothing that is still to happen.

        Returns
        -------
        float array of shape (events, players)
            Rows sum to `trust`.
        """
        out = np.zeros((len(events), self._players))
        self._lookahead.values(state, np.array(events, np.uint64), derive(_STREAM, number), out)
        return out * self.options.trust

    def now(self, state: GameState, number: int) -> NDArray[np.float64]:
        """Return what each seat may expect to win in a position, by playouts from it or by the game's evaluation.

        Parameters
        ----------
        state : GameState
            The whole position; the game is not over.
        number : int
            Names it: its random numbers depend on this, so values of positions under one number compare well.

        Returns
        -------
        float array of shape (players,)
            Sums to `trust`.
        """
        chosen, evaluated = self.options, state.evaluation()
        if not chosen.playouts and evaluated is not None:
            return np.array(evaluated[0]) * chosen.trust
        cutoff = chosen.cutoff if state.has_evaluation else -1
        won = [state.clone().random_playout(Random(derive(_STREAM, number, k)), cutoff, chosen.informed)[0]
               for k in range(max(chosen.playouts, 1))]
        found: NDArray[np.float64] = np.mean(won, axis=0) * chosen.trust
        return found

    def luck(self, state: GameState, outcome: int, weighted: Sequence[tuple[int, int]],
             number: int) -> NDArray[np.float64]:
        """Return the luck of every seat at one event: its value minus the expected value.

        Parameters
        ----------
        state : GameState
            The whole position before the event.
        outcome : int
            What happened.
        weighted : sequence of (int, int)
            What could have happened, with exact weights.
        number : int
            As of `after`.

        Returns
        -------
        float array of shape (players,)
            Its mean over the outcomes is zero. The expectation over more than `LISTED` outcomes is that of a
            sample, drawn like the outcome itself but independently of it: the mean over numbers is zero just as
            exactly, if each game has its own.
        """
        weights = np.array([weight for _, weight in weighted], float)
        weights /= weights.sum()
        codes = [code for code, _ in weighted]
        if len(codes) > LISTED:
            drawn = np.random.default_rng(derive(_STREAM, number, 1)).choice(len(codes), LISTED, p=weights)
            values = self.after(state, [outcome, *(codes[i] for i in drawn)], number)
            sampled: NDArray[np.float64] = values[0] - values[1:].mean(axis=0)
            return sampled
        values = self.after(state, codes, number)
        term: NDArray[np.float64] = values[codes.index(outcome)] - weights @ values
        return term
