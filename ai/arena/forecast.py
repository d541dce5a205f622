"""Forecast of a tournament before its first game: games per agent, precision and time."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from sfida.ai.arena.pace import play_random_games, seconds_per_decision
from sfida.ai.arena.schedule import Schedule, Setup
from sfida.ai.seeds import forecast_seed
from sfida.engines.game import Game
from sfida.engines.registry import make_game

_Z = 1.959963984540054          # 97.5 % quantile of the normal distribution


@dataclass(frozen=True)
class Forecast:
    """What to expect of a tournament; tuples have one entry per agent.

    The half widths are those of an agent of equal strength p = 1 / seats, as if its n games were independent:
    1.96 * sqrt(p * (1 - p) / n). That is conservative: playing each deal from every seat usually narrows the
    interval, because luck and seat cancel within a block.

    Times are measured within a few seconds and differ from run to run; they are not compared. They are based on
    random games: real ones may be longer or shorter, and their positions easier or harder. A budget of seconds is
    assumed to be spent in full.

    Attributes
    ----------
    setup : Setup
    digest : str
        Hash of the schedule.
    games, blocks : int
        Whole blocks.
    rounds : float
        Number of rounds; the last one may be incomplete.
    lineups : tuple of tuple of str
        Labels of the agents of every line-up of a round, in the order of play.
    games_per_agent : tuple of int
        Number of seats that each agent takes in all games.
    half_width : tuple of float or None
        Half width of the 95 % interval of the win share; None for an agent that plays no game.
    half_width_elo : tuple of float or None
        The same in Elo, by ``400 * log10(p * (seats - 1) / (1 - p))`` of the ends of the interval; None if it
        reaches 0 or 1.
    jobs : int
        Number of blocks played at the same time.
    decisions_per_game : float or None
        Decisions of all seats together; None if random games do not end.
    ms_per_decision : tuple of float or None
        Wall-clock time; None for agents that are programs, which are not started, and if random games do not end.
    expected_seconds : float or None
        Wall-clock time of the whole run if each job has its own core; None if any of the above is unknown.
    """

    setup: Setup
    digest: str
    games: int
    blocks: int
    rounds: float
    lineups: tuple[tuple[str, ...], ...]
    games_per_agent: tuple[int, ...]
    half_width: tuple[float | None, ...]
    half_width_elo: tuple[float | None, ...]
    jobs: int = field(compare=False)
    decisions_per_game: float | None = field(compare=False)
    ms_per_decision: tuple[float | None, ...] = field(compare=False)
    expected_seconds: float | None = field(compare=False)

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``sfida tournament --dry-run --json``; agents in the order given."""
        setup = self.setup
        agents = [
            {"agent": agent, "label": label, "games": games, "half_width": width, "half_width_elo": elo,
             "ms_per_decision": ms}
            for agent, label, games, width, elo, ms in zip(
                setup.agents, setup.labels, self.games_per_agent, self.half_width, self.half_width_elo,
                self.ms_per_decision, strict=True)]
        return {"schema": 1, "type": "dry-run", "game": setup.game, "players": setup.players, "mode": setup.mode,
                "mirror": setup.mirror, "seed": setup.seed, "games": self.games, "blocks": self.blocks,
                "rounds": self.rounds, "schedule": self.digest, "lineups": [list(lineup) for lineup in self.lineups],
                "agents": agents, "jobs": self.jobs, "decisions_per_game": self.decisions_per_game,
                "expected_seconds": self.expected_seconds}


def forecast(setup: Setup, jobs: int = 1, *, game: Game | None = None) -> Forecast:
    """Forecast a tournament without playing it, within a few seconds per agent.

    Parameters
    ----------
    setup : Setup
    jobs : int
        Number of blocks played at the same time, each on its own core.
    game : Game, optional
        The game of the setup, if its spec does not name a registered one.

    Raises
    ------
    UnknownGame, UnknownAgent, InvalidOption
    """
    schedule = Schedule(setup)
    counts = _seats_taken(schedule)
    even = 1.0 / setup.players
    widths = tuple(_Z * math.sqrt(even * (1.0 - even) / count) if count else None for count in counts)
    decisions, pace, seconds = _times(schedule, game or make_game(setup.game), counts, jobs)
    labels = setup.labels
    return Forecast(
        setup=setup, digest=schedule.digest, games=schedule.games, blocks=schedule.blocks, rounds=schedule.rounds,
        lineups=tuple(tuple(labels[agent] for agent in lineup) for lineup in schedule.lineups),
        games_per_agent=counts, half_width=widths,
        half_width_elo=tuple(_elo_width(width, setup.players) for width in widths), jobs=jobs,
        decisions_per_game=decisions, ms_per_decision=pace, expected_seconds=seconds)


def _seats_taken(schedule: Schedule) -> tuple[int, ...]:
    """Return how many seats each agent takes in all games."""
    lineups, players = schedule.lineups, schedule.setup.players
    rounds, rest = divmod(schedule.blocks, len(lineups))
    counts = [0] * len(schedule.setup.agents)
    for place, lineup in enumerate(lineups):
        for agent in lineup:
            counts[agent] += players * (rounds + (place < rest))
    return tuple(counts)


def _elo_width(width: float | None, players: int) -> float | None:
    """Return half the length in Elo of the interval that reaches `width` to both sides of an equal share."""
    if width is None:
        return None
    low, high = 1.0 / players - width, 1.0 / players + width
    if low <= 0.0 or high >= 1.0:
        return None
    return 200.0 * math.log10(high * (1.0 - low) / (low * (1.0 - high)))


def _times(schedule: Schedule, game: Game, counts: tuple[int, ...],
           jobs: int) -> tuple[float | None, tuple[float | None, ...], float | None]:
    """Return decisions per game, milliseconds per decision of each agent, and seconds of the whole run."""
    setup = schedule.setup
    seed = forecast_seed(setup.seed)
    games = play_random_games(game, seed)
    if games is None:
        return None, (None,) * len(setup.agents), None
    known = {spec: seconds_per_decision(spec, games, seed) for spec in dict.fromkeys(setup.agents)}
    pace = [known[spec] for spec in setup.agents]
    ms = tuple(None if each is None else 1000.0 * each for each in pace)
    total = schedule.games * games.overhead
    for count, each in zip(counts, pace, strict=True):
        if each is None:
            return games.decisions, ms, None
        total += count * games.decisions / setup.players * each
    # A job plays whole blocks one after the other: an incomplete last wave takes as long as a whole one.
    waves = -(-schedule.blocks // jobs)
    return games.decisions, ms, total / schedule.blocks * waves
