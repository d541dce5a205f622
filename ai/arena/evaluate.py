"""The computation of a tournament's table from its games."""

from __future__ import annotations

import itertools

import numpy as np

from sfida.ai.arena.bootstrap import (
    RESAMPLES, Floats, Ratios, SeatEffect, Tally, Terms, fair_shares, ratios, seat_effect
)
from sfida.ai.arena.ratings import Ratings, expected_scores, rate, rate_wins
from sfida.ai.arena.schedule import Setup
from sfida.ai.arena.sequential import SprtOptions, sprt_state
from sfida.ai.arena.standings import (
    Adjusted, AdjustedStanding, AgentStanding, PairStanding, SeatShare, SeatStanding, Standings
)
from sfida.ai.chance import bootstrap_seed
from sfida.cython_ext.errors import UnknownGame
from sfida.engines.game import Game
from sfida.engines.language import in_english
from sfida.engines.registry import foreign_game, make_game

_DIGITS = 9                     # digits kept of linear algebra's results, whose last digits depend on the machine


def evaluate(tally: Tally, setup: Setup, *, sprt: SprtOptions | None = None,
             resamples: int = RESAMPLES, trust_agents: bool = True, value: str | None = None) -> Standings:
    """Return the table of a tournament, finished or not.

    Before the first whole block, shares are 0 with an interval from 0 to 1, and ratings are 0 with the interval of the
    prior alone.

    Parameters
    ----------
    tally : Tally
    setup : Setup
        Setup, whose seed determines the resamples: the same games always give the same table.
    sprt : SprtOptions, optional
        Sequential test to report on.
    resamples : int
        Largest number of resamples per interval; very large tournaments take fewer.
    trust_agents : bool
        Whether a game of another package may be loaded; otherwise the seats of such a game have no names here.
    value : str, optional
        Key of the value function that measured the luck in the tally.

    Raises
    ------
    InvalidOption
        If a sequential test is impossible for the setup.
    """
    seed = bootstrap_seed(setup.seed)
    agents = len(setup.agents)
    game = _game(setup) if trust_agents or foreign_game(setup.game) is None else None
    shares = ratios(_win_terms(tally, agents), seed, resamples)
    by_seat = ratios(_seat_terms(tally, agents), seed, resamples)
    ratings = rate(tally.agent, tally.rank, tally.block, agents, seed=seed, resamples=resamples)
    seats = seat_effect(tally.utility, tally.block, seed, resamples=resamples)
    return Standings(
        game=setup.game, players=setup.players, games=tally.games, blocks=tally.blocks, loose=tally.loose,
        seed=setup.seed, mode=setup.mode, agents=_agents(tally, setup, shares, by_seat, ratings),
        pairs=_pairs(tally, agents, ratings, seed, resamples), seats=_seats(setup, game, seats, ratings),
        seat_p=seats.p, sides=game is not None and game.sides,
        sprt=None if sprt is None else sprt_state(tally, setup, sprt),
        adjusted=None if value is None or tally.luck is None or not tally.games else
        _adjusted(tally, tally.luck, shares, value, seed, resamples), forfeits=tally.forfeits(setup.labels))


def _adjusted(tally: Tally, lucky: Floats, won: Ratios, value: str, seed: int, resamples: int) -> Adjusted:
    fair, agents = tally.adjusted(), len(won.value)
    shares = fair_shares(_win_terms(fair, agents), won, seed, resamples)
    ratings = rate_wins(fair, agents, seed=seed, resamples=resamples)
    own = tally.agent.ravel()
    luck = np.bincount(own, lucky.ravel(), agents) / np.maximum(np.bincount(own, minlength=agents), 1)
    before, after = (_spread(each, agents) for each in (tally, fair))
    return Adjusted(
        value=value, reach=_rounded(after / before) if before > 0 else None,
        agents=tuple(AdjustedStanding(
            win_share=_rounded(shares.value[i]), ci95=(_rounded(shares.low[i]), _rounded(shares.high[i])),
            elo=_rounded(ratings.agents[i]),
            elo_ci95=(_rounded(ratings.intervals[i, 0]), _rounded(ratings.intervals[i, 1])), luck=_rounded(luck[i]))
            for i in range(agents)))


def _spread(tally: Tally, agents: int) -> float:
    """Return the variance of the agents' shares between blocks, summed over agents."""
    above, below = np.zeros((2, tally.blocks, agents))
    where = (tally.block[:, None], tally.agent)
    np.add.at(above, where, tally.utility)
    np.add.at(below, where, 1)
    share = above.sum(axis=0) / np.maximum(below.sum(axis=0), 1)
    return float(((above - share * below) ** 2).sum())


def _win_terms(tally: Tally, agents: int) -> Terms:
    """Return the win share of a seat of each agent."""
    block = np.repeat(tally.block, tally.agent.shape[1])
    return Terms.of(agents, tally.blocks, tally.agent.ravel(), block, tally.utility.ravel())


def _seat_terms(tally: Tally, agents: int) -> Terms:
    """Return the win share of each agent on each seat, agent by agent."""
    seats = tally.agent.shape[1]
    block = np.repeat(tally.block, seats)
    return Terms.of(agents * seats, tally.blocks, (tally.agent * seats + np.arange(seats)).ravel(), block,
                    tally.utility.ravel())


def _agents(tally: Tally, setup: Setup, shares: Ratios, by_seat: Ratios,
            ratings: Ratings) -> tuple[AgentStanding, ...]:
    agents = len(setup.agents)
    sat = [np.bincount(column, minlength=agents) for column in tally.agent.T]
    own = tally.agent.ravel()

    def total(values: Floats) -> Floats:
        return np.bincount(own, values.ravel(), agents).astype(float)

    seats = np.bincount(own, minlength=agents)
    finished = np.broadcast_to((tally.forfeit < 0)[:, None], tally.agent.shape).astype(float)
    scored, scores = total(finished), total(tally.score * finished)
    at_fault = np.flatnonzero(tally.forfeit >= 0)
    forfeits = np.bincount(tally.agent[at_fault, tally.forfeit[at_fault]], minlength=agents)
    ranks, decisions, seconds = total(tally.rank), total(tally.decisions), total(tally.seconds)
    return tuple(AgentStanding(
        agent=setup.agents[i], label=setup.labels[i], games=int(seats[i]), forfeits=int(forfeits[i]),
        win_share=_rounded(shares.value[i]), ci95=(_rounded(shares.low[i]), _rounded(shares.high[i])),
        elo=_rounded(ratings.agents[i]),
        elo_ci95=(_rounded(ratings.intervals[i, 0]), _rounded(ratings.intervals[i, 1])),
        mean_rank=_rounded(ranks[i] / max(seats[i], 1)),
        mean_score=_rounded(scores[i] / scored[i]) if scored[i] else None,
        by_seat=tuple(SeatShare(int(sat[seat][i]), _rounded(by_seat.value[place]),
                                (_rounded(by_seat.low[place]), _rounded(by_seat.high[place])))
                      for seat, place in enumerate(range(i * len(sat), (i + 1) * len(sat)))),
        ms_per_move=_rounded(1000 * seconds[i] / max(decisions[i], 1))) for i in range(agents))


def _pairs(tally: Tally, agents: int, ratings: Ratings, seed: int, resamples: int) -> tuple[PairStanding, ...]:
    pairs = list(itertools.combinations(range(agents), 2))
    number = np.full((agents, agents), -1)
    number[tuple(np.array(pairs).T)] = np.arange(len(pairs))
    which, block, above = [], [], []
    for s, t in itertools.permutations(range(tally.agent.shape[1]), 2):
        met = number[tally.agent[:, s], tally.agent[:, t]]
        there = met >= 0                # the lower index on seat s
        which.append(met[there])
        block.append(tally.block[there])
        lead = tally.rank[there, t] - tally.rank[there, s]
        above.append(0.5 + 0.5 * np.sign(lead))
    terms = Terms.of(len(pairs), tally.blocks, np.concatenate(which), np.concatenate(block), np.concatenate(above))
    games = np.bincount(np.concatenate(which), minlength=len(pairs))
    scores = ratios(terms, seed, resamples)
    expected = expected_scores(tally.agent, ratings)
    result = []
    for i, (a, b) in enumerate(pairs):
        if not games[i]:
            result.append(PairStanding(a, b, 0))
            continue
        residual = float(scores.value[i]) - expected(a, b)
        result.append(PairStanding(
            a=a, b=b, games=int(games[i]), score=_rounded(scores.value[i]),
            ci95=(_rounded(scores.low[i]), _rounded(scores.high[i])), expected=_rounded(expected(a, b)),
            residual=_rounded(residual), z=_rounded(residual / scores.error[i])))
    return tuple(result)


def _seats(setup: Setup, game: Game | None, effect: SeatEffect, ratings: Ratings) -> tuple[SeatStanding, ...]:
    shares = effect.shares
    return tuple(SeatStanding(
        seat=seat, name=f"seat {seat}" if game is None else in_english(game.seat_name, seat),
        win_share=_rounded(shares.value[seat]), ci95=(_rounded(shares.low[seat]), _rounded(shares.high[seat])),
        elo=_rounded(ratings.seats[seat]))
        for seat in range(setup.players))


def _game(setup: Setup) -> Game | None:
    """Return the game, or None if it is the caller's own and not registered."""
    try:
        return make_game(setup.game)
    except UnknownGame:
        return None


def _rounded(value: float) -> float:
    return round(float(value), _DIGITS) + 0.0           # no negative zero
