"""A match: the same deals played from every seat, and what that says about the agents.

A block is one deal played once per rotation of the seats, so that neither the luck of the deal nor the seat
favours anybody. Blocks are independent; the games of a block are not, so intervals come from whole blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import joblib  # type: ignore[import-untyped]
import numpy as np
from numpy.typing import NDArray

from sfida.ai.agent import Agent
from sfida.ai.chance import SeededChance
from sfida.ai.seeds import block_seed, bootstrap_seed, check_seed, fresh_seed, game_seed
from sfida.ai.table import MoveEvent, game_for, play, seat_agents
from sfida.cython_ext.errors import InvalidOption
from sfida.engines.game import Game
from sfida.engines.records import GameRecord

_RESAMPLES = 10_000


@dataclass(frozen=True)
class AgentResult:
    """What one agent reached in a match.

    Attributes
    ----------
    agent : str
        Spec.
    games : int
    win_share : float
        Mean share of the win; 1 / players is even.
    ci95 : (float, float)
        95 % interval of the win share, by bootstrap over blocks. Where all blocks agree, so that resampling
        tells nothing, as wide as a one-in-`blocks` surprise allows: 1 - 0.025 ** (1 / blocks).
    mean_rank, mean_score : float
    ms_per_move : float
        Mean wall time of a decision; not part of the comparison of results.
    """

    agent: str
    games: int
    win_share: float
    ci95: tuple[float, float]
    mean_rank: float
    mean_score: float
    ms_per_move: float = field(compare=False)


@dataclass(frozen=True)
class MatchResult:
    """The outcome of a match.

    Attributes
    ----------
    game : str
    games, blocks, seed : int
    agents : tuple of AgentResult
        In the order given.
    seats : tuple of float
        Mean win share of each seat, whoever sat there.
    records : tuple of GameRecord
        Every game, block by block; ``extra`` holds `block`, `rotation` and `chance_seed`.
    """

    game: str
    games: int
    blocks: int
    seed: int
    agents: tuple[AgentResult, ...]
    seats: tuple[float, ...]
    records: tuple[GameRecord, ...] = field(repr=False)


def match(game: str | Game, agents: Sequence[str | Agent], games: int, seed: int | None = None,
          jobs: int = 1, *, on_block: Callable[[int, int], object] | None = None,
          **options: object) -> MatchResult:
    """Play a match of whole blocks.

    Parameters
    ----------
    game : str or Game
    agents : sequence of str or Agent
        One a seat; every game turns them one seat further.
    games : int
        Games wanted; rounded up to whole blocks of as many games as there are seats.
    seed : int, optional
        Without one a fresh seed is taken, which the result holds.
    jobs : int
        Processes; the result is the same for any number, as long as budgets are iterations and not seconds.
    on_block : callable, optional
        Is given the numbers of blocks done and to do, in order.
    **options
        More game options.

    Raises
    ------
    UnknownGame, UnknownAgent, InvalidOption
    """
    for what, number in (("games", games), ("jobs", jobs)):
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise InvalidOption(f"the number of {what} must be a whole number of at least 1, not {number!r}")
    engine = game_for(game, agents, options)
    specs = [agent.spec for agent in seat_agents(engine, agents)]
    root = fresh_seed() if seed is None else check_seed(seed)
    seats = engine.players
    blocks = -(-games // seats)
    shared = engine if isinstance(game, Game) else engine.spec()
    tasks = (joblib.delayed(_play_block)(shared, list(agents), root, block) for block in range(blocks))
    played: list[_Block] = []
    for block in joblib.Parallel(n_jobs=min(jobs, blocks), return_as="generator")(tasks):
        played.append(block)
        if on_block is not None:
            on_block(len(played), blocks)
    return _summary(engine.spec(), specs, root, played)


@dataclass(frozen=True)
class _Block:
    """The games of one block, and each agent's decisions and seconds in them."""

    records: tuple[GameRecord, ...]
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]


def _play_block(game: str | Game, agents: list[str | Agent], root: int, block: int) -> _Block:
    count = len(agents)
    decisions, seconds = [0] * count, [0.0] * count
    records = []
    luck = block_seed(root, block)
    for rotation in range(count):
        order = _order(count, rotation)

        def note(event: MoveEvent, order: list[int] = order) -> None:
            if not event.chance:
                decisions[order[event.seat]] += 1
                seconds[order[event.seat]] += event.seconds

        record = play(game, [agents[index] for index in order], game_seed(root, block, rotation),
                      chance=SeededChance(luck), on_event=note)
        records.append(record.with_extra(block=block, rotation=rotation, chance_seed=luck))
    return _Block(tuple(records), tuple(decisions), tuple(seconds))


def _order(count: int, rotation: int) -> list[int]:
    """Return which agent sits on each seat: agent `a` sits on seat `a + rotation`."""
    return [(seat - rotation) % count for seat in range(count)]


def _summary(game: str, specs: list[str], root: int, played: list[_Block]) -> MatchResult:
    count, blocks = len(specs), len(played)
    shares, ranks, scores, seats = (np.zeros((blocks, count)) for _ in range(4))
    for b, block in enumerate(played):
        for rotation, record in enumerate(block.records):
            assert record.result is not None        # play() ends only with the game
            order = _order(count, rotation)
            shares[b, order] += np.array(record.result.utilities) / count
            ranks[b, order] += np.array(record.result.ranks) / count
            scores[b, order] += np.array(record.result.scores) / count
            seats[b] += np.array(record.result.utilities) / count
    rng = np.random.default_rng(bootstrap_seed(root))
    weights = rng.multinomial(blocks, np.full(blocks, 1 / blocks), size=_RESAMPLES) / blocks
    agents = []
    for a, spec in enumerate(specs):
        spent = sum(block.seconds[a] for block in played)
        decisions = sum(block.decisions[a] for block in played)
        agents.append(AgentResult(
            agent=spec, games=blocks * count, win_share=float(shares[:, a].mean()),
            ci95=_interval(shares[:, a], weights), mean_rank=float(ranks[:, a].mean()),
            mean_score=float(scores[:, a].mean()), ms_per_move=1000 * spent / max(decisions, 1)))
    return MatchResult(game=game, games=blocks * count, blocks=blocks, seed=root, agents=tuple(agents),
                       seats=tuple(seats.mean(axis=0).tolist()),
                       records=tuple(record for block in played for record in block.records))


def _interval(shares: NDArray[np.float64], weights: NDArray[np.float64]) -> tuple[float, float]:
    """Return the 95 % interval of the mean: percentiles of its bootstrap distribution."""
    if np.ptp(shares) < 1e-12:
        margin = 1 - 0.025 ** (1 / len(shares))
        low, high = shares.mean() - margin, shares.mean() + margin
    else:
        low, high = np.percentile(weights @ shares, [2.5, 97.5])
    return max(0.0, float(low)), min(1.0, float(high))
