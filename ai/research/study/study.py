"""A study: how much of a game is luck, seat and skill, how it is decided, and what moving first is worth.

The variance is that of a seat's win share in one game around an even share, among the games of one line-up;
line-ups are weighted by their games. Its parts:

- luck: the variance that the luck adjustment removes, which is the luck that the value function sees;
- seat: the variance between the mean shares of the seats;
- skill: the variance between the mean shares of the agents, with equal agents merged;
- rest: the remainder: luck that the value function does not see, the agents' own random choices, and an agent's
  strengths on one seat or against one opponent beyond its mean.

A mean over few blocks varies, which looks like a difference: the square of its standard error is subtracted.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfida.ai.arena.backends import work_on
from sfida.ai.arena.bootstrap import Floats, Ints, Ratios, Tally, Terms, ratios, resamples_for, tail, weights
from sfida.ai.arena.outcome import ForfeitedGames, GameOutcome, told
from sfida.ai.arena.schedule import Setup
from sfida.ai.arena.store import Store
from sfida.ai.arena.tournament import counted
from sfida.ai.chance import bootstrap_seed
from sfida.ai.luck.control_variate import without_luck
from sfida.ai.luck.value import Shares, Value
from sfida.cython_ext.errors import InvalidOption, InvalidRecord
from sfida.cython_ext.rng import Random
from sfida.engines.game import Game
from sfida.engines.language import in_english
from sfida.engines.spec import shown

# ---- Figures with 95 % intervals from resamples of whole blocks

RESAMPLES = 2_000
_DIGITS = 9             # digits kept, as in the table of a tournament

Figures = dict[str, Floats]


@dataclass(frozen=True)
class Estimate:
    """A figure.

    Attributes
    ----------
    value : float
        NaN where it is not defined.
    low, high : float
        Ends of the 95 % interval.
    blocks : int
    sample : float array of shape (resamples,)
    """

    value: float
    low: float
    high: float
    blocks: int
    sample: Floats = field(repr=False, compare=False)

    def __sub__(self, other: Estimate) -> Estimate:
        """Return the difference. Resamples of as many blocks take the same blocks, so common luck cancels out."""
        count = min(len(self.sample), len(other.sample))
        return estimate(self.value - other.value, self.sample[:count] - other.sample[:count],
                        min(self.blocks, other.blocks))

    @property
    def clear(self) -> bool:
        """Whether 0 lies outside the interval."""
        return self.low > 0 or self.high < 0

    def to_json(self) -> dict[str, Any] | None:
        """Return a JSON-able dict; None if the figure is not defined."""
        if not np.isfinite(self.value):
            return None
        return {"value": round(self.value, _DIGITS), "ci95": [round(self.low, _DIGITS), round(self.high, _DIGITS)]}


def estimate(value: float, sample: Floats, blocks: int) -> Estimate:
    """Return a figure whose interval lies between percentiles of its resamples; see `bootstrap.tail`."""
    found = sample[np.isfinite(sample)]
    if not np.isfinite(value) or not len(found) or blocks < 2:
        return Estimate(float(value), float("-inf"), float("inf"), blocks, sample)
    beyond = tail(blocks)
    low, high = np.quantile(found, [beyond, 1 - beyond])
    return Estimate(float(value), float(min(low, value)), float(max(high, value)), blocks, sample)


def estimates(figures: Callable[[Floats, bool], Figures], blocks: int, seed: int,
              resamples: int = RESAMPLES) -> dict[str, Estimate]:
    """Return figures with their intervals.

    Parameters
    ----------
    figures : callable
        Takes the number of times that each block counts, of shape (blocks, R), and whether that is a resample; returns
        arrays of shape (R,) by name.
    blocks : int
    seed : int
    resamples : int
        Largest number of resamples.
    """
    values = figures(np.ones((blocks, 1)), False)
    found = [figures(drawn, True) for drawn in weights(blocks, seed, resamples_for(blocks, resamples))]
    return {name: estimate(float(value[0]), np.concatenate([one[name] for one in found]), blocks)
            for name, value in values.items()}


# ---- The parts of the variance of results: luck, seat, skill, and the rest

PARTS = ("luck", "seat", "skill", "rest")
FEWEST = 2              # fewest blocks of a line-up; the means of fewer say nothing about their variance
ALL = "all"


@dataclass(frozen=True)
class Lineups:
    """Blocks by the agents that play in them; equal agents count as one.

    Attributes
    ----------
    specs : tuple of str
        The different agents.
    agent : int array of shape (G, seats)
        Index in `specs` of the agent on each seat.
    names : tuple of str
        Names of the line-ups that have enough blocks, such as "greedy : random".
    of_block : int array of shape (B,)
        Line-up of each block, -1 if that has too few blocks.
    """

    specs: tuple[str, ...]
    agent: Ints
    names: tuple[str, ...]
    of_block: Ints

    @classmethod
    def of(cls, tally: Tally, agents: tuple[str, ...]) -> Lineups:
        """Group the blocks of a tally."""
        specs = tuple(dict.fromkeys(agents))
        agent = np.array([specs.index(spec) for spec in agents])[tally.agent]
        first = np.searchsorted(tally.block, np.arange(tally.blocks))
        kinds, which, count = np.unique(np.sort(agent[first], axis=1), axis=0, return_inverse=True, return_counts=True)
        kept = np.flatnonzero(count >= FEWEST)
        number = np.full(len(kinds), -1)
        number[kept] = np.arange(len(kept))
        return cls(specs, agent, tuple(_named(kinds[kind], specs) for kind in kept), number[which.ravel()])


def _named(kind: Ints, specs: tuple[str, ...]) -> str:
    seats = np.bincount(kind, minlength=len(specs))
    return " : ".join(spec if count == 1 or (seats > 0).sum() == 1 else f"{count} {spec}"
                      for spec, count in zip(specs, seats, strict=True) if count)


def fair_shares(tally: Tally, lineups: Lineups) -> Floats:
    """Return the luck-adjusted win shares; each line-up has a factor of its own (see `adjusting`)."""
    assert tally.luck is not None
    fair = tally.utility.copy()
    for number in range(len(lineups.names)):
        blocks = np.flatnonzero(lineups.of_block == number)
        own = np.isin(tally.block, blocks)
        fair[own] = without_luck(lineups.agent[own], tally.utility[own], tally.luck[own],
                                 np.searchsorted(blocks, tally.block[own]), len(blocks))
    return fair


class LineupParts:
    """The parts of each line-up and of all games, for any resample of the blocks.

    Parameters
    ----------
    tally : Tally
        Tally with measured luck.
    lineups : Lineups
    """

    def __init__(self, tally: Tally, lineups: Lineups) -> None:
        seats = tally.agent.shape[1]
        even = 1 / seats
        fair = fair_shares(tally, lineups) - even
        self._lineups = lineups
        self._total = _by_block(tally, ((tally.utility - even) ** 2).mean(axis=1, keepdims=True))[:, 0]
        self._fair = _by_block(tally, (fair ** 2).mean(axis=1, keepdims=True))[:, 0]
        self._seat = _by_block(tally, fair)
        sat = np.zeros((tally.games, len(lineups.specs)))
        won = np.zeros_like(sat)
        rows = np.repeat(np.arange(tally.games), seats)
        np.add.at(sat, (rows, lineups.agent.ravel()), 1 / seats)
        np.add.at(won, (rows, lineups.agent.ravel()), fair.ravel() / seats)
        self._sat, self._won = _by_block(tally, sat), _by_block(tally, won)

    def figures(self, drawn: Floats, resampled: bool) -> Figures:
        """Return "PART of LINE-UP", "PART of all", and "seat S": the seat's win share beyond an even share.

        Parameters
        ----------
        drawn : float array of shape (blocks, R)
            Number of times that each block counts.
        resampled : bool
            Whether these are resamples, whose means vary twice: with the blocks, and with the resampling.
        """
        found: Figures = {}
        together = np.zeros((len(PARTS) + 1, drawn.shape[1]))
        for number, name in enumerate(self._lineups.names):
            own = self._lineups.of_block == number
            parts = self._parts(own, drawn[own], resampled)
            count = drawn[own].sum(axis=0)
            together += np.where(count > 0, parts * count, 0)
            found |= _shares(parts, name)
        found |= _shares(together, ALL)
        counted = self._lineups.of_block >= 0
        count = drawn[counted].sum(axis=0)
        for seat in range(self._seat.shape[1]):
            found[f"seat {seat}"] = _divided(self._seat[counted, seat] @ drawn[counted], count)
        return found

    def _parts(self, own: NDArray[np.bool_], drawn: Floats, resampled: bool) -> Floats:
        """Return the four parts of one line-up and the variance, of shape (5, R)."""
        total, fair = (_divided(values[own] @ drawn, drawn.sum(axis=0)) for values in (self._total, self._fair))
        seat = _squared_means(self._seat[own], drawn, resampled).mean(axis=0)
        sat = self._sat[own][0]                                     # the same in every block of a line-up
        there = sat > 0
        means = self._won[own][:, there] / sat[there]
        skill = sat[there] @ _squared_means(means, drawn, resampled)
        return np.stack([total - fair, seat, skill, fair - seat - skill, total])


def _by_block(tally: Tally, values: Floats) -> Floats:
    """Return the means of each block."""
    sums = np.stack([np.bincount(tally.block, column, tally.blocks) for column in values.T], axis=1)
    return np.asarray(sums / np.bincount(tally.block, minlength=tally.blocks)[:, None], float)


def _squared_means(values: Floats, drawn: Floats, resampled: bool) -> Floats:
    """Return the squared means of columns, less the part due to sampling errors, of shape (columns, R)."""
    count = drawn.sum(axis=0)
    mean = _divided(values.T @ drawn, count)
    spread = np.maximum(_divided((values ** 2).T @ drawn, count) - mean ** 2, 0)
    error = _divided(spread, np.maximum(count - 1, 1))
    if resampled:
        error = error + values.var(axis=0)[:, None] / max(len(values) - 1, 1)
    return np.asarray(mean ** 2 - error, float)


def _shares(parts: Floats, name: str) -> Figures:
    return {f"{part} of {name}": _divided(parts[row], parts[-1]) for row, part in enumerate(PARTS)}


def _divided(above: Floats, below: Floats) -> Floats:
    """Return quotients, NaN where nothing was drawn."""
    return np.asarray(np.divide(above, below, out=np.full(np.broadcast_shapes(above.shape, below.shape), np.nan),
                                where=below > 0), float)


# ---- The value of the position for each seat at the end of every turn

_PLAYOUTS = 64          # least number per position not valued by evaluation alone: tells a leader from noise
_BATCH = 8              # games of one task
_BY_ACTOR = -1          # `turn_number` of games whose turns are changes of the actor


@dataclass(frozen=True)
class Curve:
    """The values along one game.

    Attributes
    ----------
    block, rotation : int
        Place of the game in the schedule.
    values : float array of shape (turns, seats)
        Expected win share of each seat after each turn, rows sum to 1; the last row is the result.
    reason : str or None
        Why the game ended, if games can end in several ways (`Rules.end_reason`).
    """

    block: int
    rotation: int
    values: Floats
    reason: str | None = None


def value_for_curves(game: Game) -> Value:
    """Return a value function with `trust` 1, and with enough playouts to tell who leads."""
    usual = Value(game).options
    playouts = max(usual.playouts, _PLAYOUTS) if usual.playouts or not game.initial_state().has_evaluation else 0
    return Value(game, replace(usual, playouts=playouts, trust=1.0))


def curve_of(outcome: GameOutcome, value: Value) -> Curve:
    """Return the values along a game that was played to its end; raises InvalidRecord if it does not fit the rules."""
    state = value.game.initial_state()
    rows: list[Shares] = []
    mover = None                            # the latest seat to move
    for ply, text in enumerate(outcome.record.moves):
        move = state.parse(text)
        before, turn = state.clone(), state.turn_number
        if not state.is_chance:
            mover = int(state.to_move)
        state.apply(move)
        changed = (turn != state.turn_number if turn != _BY_ACTOR else
                   not state.is_chance and mover is not None and int(state.to_move) != mover)
        if changed and not state.is_over:
            rows.append(value.after(before, [move], ply)[0])
    return Curve(outcome.block, outcome.rotation, np.array([*rows, outcome.utilities]), value.game.end_reason(state))


def curves_of(game: Game, outcomes: Sequence[GameOutcome]) -> list[Curve]:
    """Return the curves of some games."""
    value = value_for_curves(game)
    return [curve_of(outcome, value) for outcome in outcomes]


def all_curves(game: Game, outcomes: Sequence[GameOutcome], jobs: int = 1,
               on_progress: Callable[[int, int], object] | None = None) -> list[Curve]:
    """Return the curves of all games that were not forfeited, in the order of the schedule.

    `on_progress` is called with the number of games done and of all.
    """
    whole = [outcome for outcome in outcomes if outcome.forfeit is None]
    found: list[Curve] = []
    for curves in work_on(curves_of, game, whole, _BATCH, jobs, on_progress=on_progress):
        found += curves
    return sorted(found, key=lambda curve: (curve.block, curve.rotation))


# ---- How often the lead changes in a game, and how early it is decided: from its curve of values

LEAD = 0.1              # win share by which a seat must be ahead of the leader to take the lead
SURE = 0.9              # win share from which a game is as good as won
NOBODY = -1
GRID = 20               # steps of the curve of all games


@dataclass(frozen=True)
class Decided:
    """The figures of one curve.

    Attributes
    ----------
    changes : int
        Number of times that the lead passed from one seat to another.
    led : float
        Share of the game, 0 to 1, after which the winner leads to the end; 1: only the last turn decided it, or no
        seat won alone.
    sure : float
        Share of the turns after which the winner's win probability stays at least `SURE`.
    turns : int
    """

    changes: int
    led: float
    sure: float
    turns: int


def decided(curve: Curve) -> Decided:
    """Return the figures of a curve. A turn's values are those at its end."""
    values = curve.values
    turns = len(values)
    leaders = _leaders(values)
    held = [seat for seat in leaders if seat != NOBODY]
    changes = sum(one != other for one, other in itertools.pairwise(held))
    result = values[-1]
    winner = int(result.argmax())
    if (result == result[winner]).sum() > 1:
        return Decided(changes, 1.0, 1.0, turns)
    return Decided(changes, _since(np.array(leaders) == winner), _since(values[:, winner] >= SURE), turns)


class MeanCourse:
    """The mean course of all games, for any resample of the blocks.

    Parameters
    ----------
    games : sequence of (int, Decided)
        Row of the game's block, and its figures.
    blocks : int
    """

    def __init__(self, games: Sequence[tuple[int, Decided]], blocks: int) -> None:
        self._sums = {field.name: np.zeros(blocks) for field in fields(Decided)}
        self._games = np.zeros(blocks)
        for block, one in games:
            self._games[block] += 1
            for name, sums in self._sums.items():
                sums[block] += getattr(one, name)

    def figures(self, drawn: Floats, _resampled: bool) -> Figures:
        """Return the mean of each field of `Decided` by its name; the arguments are those of `estimates`."""
        games = self._games @ drawn
        return {name: np.divide(sums @ drawn, games, out=np.full(len(games), np.nan), where=games > 0)
                for name, sums in self._sums.items()}


def reached(shares: Floats) -> Floats:
    """Return the shares of all games that are decided after 0, 1 / GRID, ... of their turns.

    Parameters
    ----------
    shares : float array of shape (games,)
        Share of its turns after which each game is decided; 1 if only the last turn decides it.
    """
    grid = np.arange(GRID + 1) / GRID
    return np.asarray((shares[:, None] <= grid + 1e-9).mean(axis=0), float)


def _leaders(values: Floats) -> list[int]:
    """Return the leader after each turn: a seat takes the lead if it is ahead of the leader, or all others, by `LEAD`.

    The last row is the result, in which any difference counts.
    """
    leaders, leader = [], NOBODY
    for turn, row in enumerate(values):
        best = int(row.argmax())
        rival = row[leader] if leader != NOBODY else np.delete(row, best).max()
        if best != leader and row[best] - rival >= (LEAD if turn < len(values) - 1 else 1e-9):
            leader = best
        leaders.append(leader)
    return leaders


def _since(right: NDArray[np.bool_]) -> float:
    """Return the share of the turns after which all entries are true; the last one counts as true."""
    wrong = np.flatnonzero(~right[:-1])
    return float((wrong[-1] + 2) / len(right)) if len(wrong) else 1 / len(right)


# ---- A study: how much of a game is luck, seat and skill, how it is decided, and what moving first is worth


@dataclass(frozen=True)
class SeatCell:
    """The win share of an agent on a seat within a line-up, luck-adjusted.

    Attributes
    ----------
    lineup, agent : str
    seat : int
    games : int
    share : float
    ci95 : tuple of float
    """

    lineup: str
    agent: str
    seat: int
    games: int
    share: float
    ci95: tuple[float, float]


@dataclass(frozen=True)
class Study:
    """The results of a study of the games of a tournament.

    Attributes
    ----------
    game, title : str
    seats : tuple of str
    sides : bool
        Whether seats differ beyond the order of play.
    agents : tuple of str
        The different agents.
    games, blocks : int
        Those that count: whole blocks of line-ups that have at least two.
    left_out : int
        Games of other blocks, including those with a forfeited game.
    seed : int
    value : str
        Key of the value function.
    lineups : dict of str to int
        Games of each line-up.
    figures : dict of str to Estimate
        "luck of all", "seat of LINE-UP", ..., "seat 0", ..., "changes", "led", "sure", "turns".
    cells : tuple of SeatCell
    led, sure : tuple of float
        Shares of the games decided after 0, 1 / 20, ... of their turns.
    ends : dict of (str, int) to int
        Games by the reason of their end and the winner; seat -1: no sole winner.
    forfeits : tuple of ForfeitedGames
        The forfeited games; their blocks are left out.
    """

    game: str
    title: str
    seats: tuple[str, ...]
    sides: bool
    agents: tuple[str, ...]
    games: int
    blocks: int
    left_out: int
    seed: int
    value: str
    lineups: dict[str, int]
    figures: dict[str, Estimate]
    cells: tuple[SeatCell, ...]
    led: tuple[float, ...]
    sure: tuple[float, ...]
    ends: dict[tuple[str, int], int] = field(default_factory=dict)
    forfeits: tuple[ForfeitedGames, ...] = ()

    @property
    def first_elo(self) -> tuple[float, float, float]:
        """The lead of seat 0 over the other seats in Elo, with its 95 % interval."""
        first, players = self.figures["seat 0"], len(self.seats)
        value, low, high = (elo_of(1 / players + lead, players) for lead in (first.value, first.low, first.high))
        return value, low, high

    def to_json(self) -> dict[str, Any]:
        """Return a JSON-able dict."""
        elo, low, high = (round(value, _DIGITS) if math.isfinite(value) else None for value in self.first_elo)
        figure = {name: found.to_json() for name, found in self.figures.items()}
        return {
            "game": self.game, "seats": list(self.seats), "agents": list(self.agents), "games": self.games,
            "blocks": self.blocks, "left_out": self.left_out, "seed": self.seed, "value": self.value,
            "parts": {name: {"games": games, **{part: figure[f"{part} of {name}"] for part in PARTS}}
                      for name, games in {ALL: self.games, **self.lineups}.items()},
            "beyond_even": [figure[f"seat {seat}"] for seat in range(len(self.seats))],
            "first_elo": {"value": elo, "ci95": [low, high]},
            "course": {name: figure[name] for name in ("turns", "changes", "led", "sure")},
            "decided_after": {"share_of_turns": [step / GRID for step in range(GRID + 1)], "led": list(self.led),
                              "sure": list(self.sure)},
            "cells": [{"lineup": cell.lineup, "agent": cell.agent, "seat": cell.seat, "games": cell.games,
                       "win_share": round(cell.share, _DIGITS), "ci95": [round(end, _DIGITS) for end in cell.ci95]}
                      for cell in self.cells],
            "ends": [{"reason": reason, "seat": None if seat < 0 else seat, "games": games}
                     for (reason, seat), games in self.ends.items()],
            "forfeits": [asdict(one) for one in self.forfeits],
        }


def study_of(store: Store, game: Game, jobs: int = 1,
             on_progress: Callable[[int, int], object] | None = None) -> Study:
    """Return the study of the games of a store; `on_progress` is called with the number of games examined, and of all.

    Raises
    ------
    InvalidOption
        If the game has no chance events.
    InvalidRecord
        If luck was not measured in its games, or there are too few.
    """
    check_luck(game)
    outcomes = list(counted(store))
    tally = Tally.of(outcomes, store.setup.players)
    if not tally.forfeited.all() and (tally.luck is None or store.value is None):
        raise InvalidRecord(f"{shown(store.path)}: luck was not measured in these games; to do so: "
                            f"sfida ratings {shown(store.path)} --adjusted")
    return evaluate(tally, store.setup, game, store.value or "", all_curves(game, outcomes, jobs, on_progress))


def check_luck(game: Game) -> None:
    """Raise InvalidOption if a random game has no chance event."""
    state, rng = game.initial_state(), Random(0)
    while not (state.is_over or state.is_chance):
        moves = state.legal_moves()
        state.apply(moves[rng.below(len(moves))])
    if not state.is_chance:
        raise InvalidOption(f"there is no luck in {game.title} to study: its results come from the players alone")


def evaluate(tally: Tally, setup: Setup, game: Game, value: str, curves: Sequence[Curve]) -> Study:
    """Return the study of games whose luck was measured; raises InvalidRecord if they are too few."""
    forfeits, games = tally.forfeits(setup.labels), tally.games
    tally = tally.blocks_where(~tally.forfeited)        # forfeits reveal nothing about luck, seat and skill
    lineups = Lineups.of(tally, setup.agents)
    if not lineups.names:
        raise InvalidRecord(f"too few games: a study needs {FEWEST} whole blocks of a line-up, {FEWEST} times "
                            f"{setup.players} games, without forfeits{told(forfeits)}")
    kept = lineups.of_block >= 0
    row_of = {int(number): row for row, number in enumerate(tally.number) if kept[row]}
    found = [(row_of[curve.block], decided(curve), curve) for curve in curves if curve.block in row_of]
    parts, course = LineupParts(tally, lineups), MeanCourse([(row, one) for row, one, _ in found], tally.blocks)

    def figures(drawn: Floats, resampled: bool) -> Figures:
        return parts.figures(drawn, resampled) | course.figures(drawn, resampled)

    seed = bootstrap_seed(setup.seed)
    per_block = np.bincount(tally.block, minlength=tally.blocks)
    return Study(
        game=setup.game, title=game.title,
        seats=tuple(in_english(game.seat_name, seat) for seat in range(setup.players)),
        sides=game.sides, agents=lineups.specs, games=int(per_block[kept].sum()), blocks=int(kept.sum()),
        left_out=int(per_block[~kept].sum()) + games - tally.games + tally.loose, seed=setup.seed, value=value,
        forfeits=forfeits,
        lineups={name: int(per_block[lineups.of_block == number].sum()) for number, name in enumerate(lineups.names)},
        figures=estimates(figures, tally.blocks, seed), cells=_cells(tally, lineups, seed),
        led=_reached([one for _, one, _ in found], "led"), sure=_reached([one for _, one, _ in found], "sure"),
        ends=_ends([curve for _, _, curve in found]))


def elo_of(share: float, players: int) -> float:
    """Return the lead in Elo of a seat that wins a share of the games against equal others."""
    if not 0 < share < 1:
        return math.inf if share >= 1 else -math.inf
    return 400 * math.log10(share * (players - 1) / (1 - share))


def _cells(tally: Tally, lineups: Lineups, seed: int) -> tuple[SeatCell, ...]:
    seats, specs = tally.agent.shape[1], len(lineups.specs)
    own = lineups.of_block[tally.block] >= 0
    place = ((lineups.of_block[tally.block][:, None] * specs + lineups.agent) * seats + np.arange(seats))[own].ravel()
    block = np.repeat(tally.block[own], seats)
    count = len(lineups.names) * specs * seats
    fair = fair_shares(tally, lineups)[own].ravel()
    found: Ratios = ratios(Terms.of(count, tally.blocks, place, block, fair), seed)
    games = np.bincount(place, minlength=count)
    return tuple(SeatCell(lineups.names[i // (specs * seats)], lineups.specs[i // seats % specs], int(i % seats),
                          int(games[i]), float(found.value[i]), (float(found.low[i]), float(found.high[i])))
                 for i in np.flatnonzero(games))


def _reached(games: Sequence[Decided], what: str) -> tuple[float, ...]:
    if not games:
        return ()
    return tuple(round(float(share), _DIGITS) for share in reached(np.array([getattr(one, what) for one in games])))


def _ends(curves: Sequence[Curve]) -> dict[tuple[str, int], int]:
    counts: Counter[tuple[str, int]] = Counter()
    for curve in curves:
        best = np.flatnonzero(curve.values[-1] == curve.values[-1].max())
        if curve.reason is not None:
            counts[curve.reason, int(best[0]) if len(best) == 1 else -1] += 1
    return dict(counts.most_common())
