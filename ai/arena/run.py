"""A tournament in one call."""

from __future__ import annotations

import contextlib
import tempfile
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sfida.ai.agent import Agent
from sfida.ai.arena.outcome import GameOutcome
from sfida.ai.arena.progress import Progress
from sfida.ai.arena.schedule import Setup
from sfida.ai.arena.sequential import SprtOptions
from sfida.ai.arena.standings import Standings
from sfida.ai.arena.store import Store
from sfida.ai.arena.tournament import Tournament, counted
from sfida.cython_ext.errors import InvalidOption
from sfida.engines.game import Game


@dataclass(frozen=True)
class TournamentResult:
    """The result of a tournament.

    Attributes
    ----------
    setup : Setup
    standings : Standings
    outcomes : tuple of GameOutcome
        Every game that counts, in the order of the schedule.
    """

    setup: Setup
    standings: Standings
    outcomes: tuple[GameOutcome, ...] = field(repr=False)


def tournament(game: str | Game, agents: Sequence[str | Agent], games: int | None = None, seed: int | None = None,
               jobs: int = 1, *, mode: str = "round-robin", mirror: bool = False, luck: str = "common",
               sprt: SprtOptions | str | None = None, limit: float | None = None, store: str | Path | None = None,
               adjusted: bool | None = None, values: bool = False, resume: bool = False, backend: str = "loky",
               cluster: str | None = None, strict: bool = False,
               observers: Sequence[Any] = (), on_progress: Callable[[Progress], object] | None = None,
               **options: object) -> TournamentResult:
    """Play a tournament; see `Tournament` and `Tournament.run` for the parameters.

    Parameters
    ----------
    sprt : SprtOptions or str, optional
        Text as on the command line: ``"elo0=0,elo1=35"``.
    store : str or Path, optional
        By default the games are kept in a temporary file while the tournament runs.

    Examples
    --------
    >>> table = sfida.tournament("tic_tac_toe", ["ismcts:iterations=50", "random"], games=20, seed=1).standings
    >>> [agent.win_share for agent in table.agents]
    [0.95, 0.05]
    """
    planned = Tournament(game, agents, games, seed, mode=mode, mirror=mirror, luck=luck,
                         sprt=SprtOptions.parse(sprt) if isinstance(sprt, str) else sprt, limit=limit,
                         adjusted=adjusted, values=values, **options)
    for caution in planned.cautions(jobs, backend):
        warnings.warn(caution, stacklevel=2)
    if resume and store is None:
        raise InvalidOption("to resume, say which store: store='FILE'")
    with contextlib.ExitStack() as stack:
        path = Path(store) if store is not None else Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="sfida-")), "games.sfida")
        standings = planned.run(path, jobs=jobs, backend=backend, cluster=cluster, resume=resume, strict=strict,
                                observers=observers, on_progress=on_progress)
        with Store.read(path, trust_agents=True) as opened:
            return TournamentResult(planned.setup, standings, tuple(counted(opened)))
