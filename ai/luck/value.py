"""The luck of a game: the value of whole positions, and the value of each chance outcome beyond its expectation.

No agent ever sees the value function, so it may use all secrets. Whatever it returns, the luck measured with it has
mean zero; the better it predicts the result, the more of the variance it removes.

References
----------
N. Burch, M. Schmid, M. Moravcik, D. Morrill, M. Bowling, "AIVAT: a new variance reduction technique for agent
evaluation in imperfect information games" (AAAI 2018). M. White, M. Bowling, "Learning a value analysis tool for agent
evaluation" (IJCAI 2009). gnubg calls the difference the luck-adjusted result.
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
import operator
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate
from typing import Any, Protocol

from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.lookahead import Lookahead
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.search.parameters import option
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game
from sfida.engines.records import GameRecord
from sfida.engines.spec import options_from, quoted
from sfida.engines.untrusted import FieldReader, JsonData

# ---- The value function that measures luck: the value of a whole position for each seat

VERSION = 2                     # changes when values or terms are computed differently
LISTED = 64                     # most outcomes for an exact expectation; of more, this many are drawn
_VALUE_STREAM = 0x10CC                # stream of all random numbers here
_PROBED = 6                     # chance events of a random game whose values are part of the key
_DIGITS = 6                     # digits of values in the key: the last ones depend on the machine


Shares = tuple[float, ...]      # win shares, or differences of them, by seat


def mean(rows: Sequence[Sequence[float]]) -> Shares:
    """Return the mean of at least one row, by seat."""
    return tuple(math.fsum(column) / len(rows) for column in zip(*rows, strict=True))


def difference(first: Sequence[float], second: Sequence[float]) -> Shares:
    """Return the first row less the second, by seat."""
    return tuple(map(operator.sub, first, second))


@dataclass(frozen=True)
class ValueOptions:
    """Options of the valuation of positions."""

    steps: int = option(0, "decisions of the turn after a chance event that are played by the game's evaluation", low=0,
                        high=4)
    playouts: int = option(16, "playouts from there; 0: the position is evaluated", low=0, high=100_000)
    cutoff: int = option(-1, "turns of a playout before the position is evaluated; -1: it plays to the end", low=-1,
                         high=10_000)
    informed: int = option(100, "share of playout moves chosen by the game's rollout policy", unit="%", low=0, high=100)
    trust: float = option(1.0, "factor of the values: less than 1 where they are uncertain", low=0.0, high=10.0)


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
        """Name of the function, 16 hex digits: it changes with the options, the rules and the game's knowledge.

        It is a hash of the options, of a learned evaluation if the function uses it, and of values along a random game.
        """
        found: list[Any] = [VERSION, self.game.spec(), self.game.rules_version, asdict(self.options)]
        knowledge = self.game.knowledge
        if knowledge is not None and (self.options.steps or not self.options.playouts or self.options.cutoff >= 0):
            found.append(knowledge.digest)
        state, rng = self.game.initial_state(), Random(_VALUE_STREAM)
        events = 0
        while not state.is_over and events < _PROBED:
            if state.is_chance:
                outcomes = [code for code, _ in state.chance_outcomes()][:4]
                if len(outcomes) > 1:
                    events += 1
                    found.append([[round(share, _DIGITS) for share in row]
                                  for row in self.after(state, outcomes, events)])
                state.apply(state.sample_chance(rng))
            else:
                moves = state.legal_moves()
                state.apply(moves[rng.below(len(moves))])
        return hashlib.blake2b(json.dumps(found).encode(), digest_size=8).hexdigest()

    def after(self, state: GameState, events: Sequence[int], number: int) -> list[Shares]:
        """Return each seat's expected win share after each of some events.

        Parameters
        ----------
        state : GameState
            The whole position before the events.
        events : sequence of int
            Legal moves or chance outcomes.
        number : int
            Key of the event: its random numbers depend on this and on nothing in the future.

        Returns
        -------
        list of tuple of float
            A row of `players` numbers for each event; a row sums to `trust`.
        """
        out: Any = memoryview(array("d", [0.0]) * (len(events) * self._players)).cast("B").cast(
            "d", (len(events), self._players))
        self._lookahead.values(state, array("Q", events), derive(_VALUE_STREAM, number), out)
        return [tuple(share * self.options.trust for share in row) for row in out.tolist()]

    def now(self, state: GameState, number: int) -> Shares:
        """Return each seat's expected win share in a position, by playouts from it or by the game's evaluation.

        Parameters
        ----------
        state : GameState
            The whole position; the game is not over.
        number : int
            Key of the position's random numbers; values of positions under one key compare well.

        Returns
        -------
        tuple of float
            Sums to `trust`.
        """
        chosen, evaluated = self.options, state.evaluation()
        if not chosen.playouts and evaluated is not None:
            return tuple(share * chosen.trust for share in evaluated[0])
        cutoff = chosen.cutoff if state.has_evaluation else -1
        won = [state.clone().random_playout(Random(derive(_VALUE_STREAM, number, k)), cutoff, chosen.informed)[0]
               for k in range(max(chosen.playouts, 1))]
        return tuple(share * chosen.trust for share in mean(won))

    def luck(self, state: GameState, outcome: int, weighted: Sequence[tuple[int, int]], number: int) -> Shares:
        """Return the luck of every seat at one event: its value minus the expected value.

        Parameters
        ----------
        state : GameState
            The whole position before the event.
        outcome : int
            The actual outcome.
        weighted : sequence of (int, int)
            All possible outcomes, with exact weights.
        number : int
            See `after`.

        Returns
        -------
        tuple of float
            Luck, by seat; its mean over the outcomes is zero. The expectation over more than `LISTED` outcomes is that
            of a sample, drawn like the outcome itself but independently of it: the mean over numbers is then also
            exactly zero, if each game has its own.
        """
        codes, edges = [code for code, _ in weighted], list(accumulate(weight for _, weight in weighted))
        if len(codes) > LISTED:
            rng = Random(derive(_VALUE_STREAM, number, 1))
            drawn = [codes[min(bisect_right(edges, rng.uniform() * edges[-1]), len(codes) - 1)] for _ in range(LISTED)]
            different = list(dict.fromkeys([outcome, *drawn]))      # equal outcomes have equal values
            values = dict(zip(different, self.after(state, different, number), strict=True))
            return difference(values[outcome], mean([values[code] for code in drawn]))
        rows = self.after(state, codes, number)
        expected = (math.fsum(weight * row[seat] for (_, weight), row in zip(weighted, rows, strict=True)) / edges[-1]
                    for seat in range(self._players))
        return difference(rows[codes.index(outcome)], tuple(expected))


# ---- The luck of a game: the sum over its chance events of each outcome's value beyond its expectation

_STREAM = 0x7EB5                # stream of the random numbers of events
UNIFORM = "random"              # the agent whose mixed strategy is known: all legal moves are equally likely


@dataclass(frozen=True)
class LuckTerm(JsonData):
    """The luck of one event.

    Attributes
    ----------
    ply : int
        Number of the event in the game, from 0.
    source : str
        Its origin: a chance source of the game, or "random" for a move that an agent draws.
    luck : tuple of float
        Luck in win shares, by seat; they sum to 0.
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
        Key of the value function (`Value.key`).
    seats : tuple of float
        Luck in win shares, by seat; they sum to 0, and each has mean zero.
    """

    key: str
    seats: tuple[float, ...]


class Measure(Protocol):
    """A measure of the luck of an event, such as `Value`."""

    @property
    def game(self) -> Game:
        """The game."""

    def luck(self, state: GameState, outcome: int, weighted: Sequence[tuple[int, int]], number: int) -> Shares:
        """Return the same as `Value.luck`."""


def terms(record: GameRecord, value: Measure) -> Iterator[LuckTerm]:
    """Yield the luck of every event of a recorded game that could have had another outcome.

    Parameters
    ----------
    record : GameRecord
        Record of a game, which may be unfinished.
    value : Measure
        Value of the record's game.

    Raises
    ------
    InvalidRecord
        If the record does not fit the rules.
    """
    state = value.game.initial_state()
    # The same sample of outcomes in all games would be a bias. Games of the same chance seed share their samples, so
    # that the luck that the rotation of the seats removes does not return.
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
                yield LuckTerm(ply, source, value.luck(state, move, weighted, derive(seed, ply)))
        state.apply(move)


def luck_of(record: GameRecord, value: Value) -> GameLuck:
    """Return the luck of a recorded game; raises InvalidRecord if it does not fit the rules."""
    total: Shares = (0.0,) * value.game.players
    for term in terms(record, value):
        total = tuple(map(operator.add, total, term.luck))
    return GameLuck(value.key, total)


def _source(state: GameState, seats: Sequence[str]) -> str:
    """Return the origin of the coming event if its probabilities are known; "" otherwise."""
    if state.is_chance:
        return str(state.game.chance_source(state))
    return UNIFORM if seats and seats[int(state.to_move)] == UNIFORM else ""
