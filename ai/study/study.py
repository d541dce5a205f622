"""A study: how much of a game is luck, seat and skill, how it is decided, and what moving first is worth."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from sfida.ai.arena.bootstrap import Floats, Ratios, Terms, ratios
from sfida.ai.arena.outcome import ForfeitedGames, told
from sfida.ai.arena.schedule import Setup
from sfida.ai.arena.store import Store
from sfida.ai.arena.tally import Tally
from sfida.ai.arena.tournament import counted
from sfida.ai.seeds import bootstrap_seed
from sfida.ai.study.curves import Curve, all_curves
from sfida.ai.study.decided import GRID, Course, Decided, decided, reached
from sfida.ai.study.estimates import Estimate, Figures, estimates
from sfida.ai.study.parts import ALL, FEWEST, PARTS, Lineups, Parts, fair_shares
from sfida.cython_ext.errors import InvalidOption, InvalidRecord
from sfida.cython_ext.rng import Random
from sfida.engines.game import Game
from sfida.engines.language import in_english
from sfida.engines.spec import shown

_DIGITS = 9


@dataclass(frozen=True)
class SeatCell:
    """The share of the win of an agent on a seat within a line-up, without luck.

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
    """What the games of a tournament say about the game.

    Attributes
    ----------
    game, title : str
    seats : tuple of str
    sides : bool
        Whether seats differ beyond the order of play.
    agents : tuple of str
        Each once.
    games, blocks : int
        Whole blocks of line-ups that have at least two.
    left_out : int
        Games of other blocks, and of those that hold a forfeited game.
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
        Games by why they ended and who won; seat -1: nobody alone.
    forfeits : tuple of ForfeitedGames
        Their blocks are left out.
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
    """Return the study of the games of a store; `on_progress` is called with the games looked at, and of all.

    Raises
    ------
    InvalidOption
        If there is no luck in the game.
    InvalidRecord
        If luck was not measured in its games, or they are too few.
    """
    check_luck(game)
    outcomes = list(counted(store))
    tally = Tally.of(outcomes, store.setup.players)
    if not tally.forfeited.all() and (tally.luck is None or store.value is None):
        raise InvalidRecord(f"{shown(store.path)}: luck was not measured in these games; to do so: "
                            f"sfida ratings {shown(store.path)} --adjusted")
    return evaluate(tally, store.setup, game, store.value or "", all_curves(game, outcomes, jobs, on_progress))


def check_luck(game: Game) -> None:
    """Raise InvalidOption if there is no luck in a game: none in a random one."""
    state, rng = game.initial_state(), Random(0)
    while not (state.is_over or state.is_chance):
        moves = state.legal_moves()
        state.apply(moves[rng.below(len(moves))])
    if not state.is_chance:
        raise InvalidOption(f"there is no luck in {game.title} to study: its results come from the players alone")


def evaluate(tally: Tally, setup: Setup, game: Game, value: str, curves: Sequence[Curve]) -> Study:
    """Return the study of games whose luck was measured; raises InvalidRecord if they are too few."""
    forfeits, games = tally.forfeits(setup.labels), tally.games
    tally = tally.blocks_where(~tally.forfeited)        # who forfeits says nothing of luck, seat and skill
    lineups = Lineups.of(tally, setup.agents)
    if not lineups.names:
        raise InvalidRecord(f"too few games: a study needs {FEWEST} whole blocks of a line-up, {FEWEST} times "
                            f"{setup.players} games, without forfeits{told(forfeits)}")
    kept = lineups.of_block >= 0
    row_of = {int(number): row for row, number in enumerate(tally.number) if kept[row]}
    found = [(row_of[curve.block], decided(curve), curve) for curve in curves if curve.block in row_of]
    parts, course = Parts(tally, lineups), Course([(row, one) for row, one, _ in found], tally.blocks)

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
