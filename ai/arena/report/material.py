"""The data that all parts of a report use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sfida.ai.arena.outcome import GameOutcome
from sfida.ai.arena.report.labels import short_labels
from sfida.ai.arena.schedule import Setup
from sfida.ai.arena.standings import Standings

SUSPECT = 3.0           # standard errors beyond which a pair does not fit the ratings

@dataclass(frozen=True)
class NumberedGame:
    """A game with its place in the list.

    Attributes
    ----------
    number : int
        From 1, by block and rotation.
    outcome : GameOutcome
    counted : bool
        Whether the standings include it.
    """

    number: int
    outcome: GameOutcome
    counted: bool

    @property
    def plies(self) -> int:
        """Number of moves, chance events included."""
        return len(self.outcome.record.moves)


@dataclass(frozen=True)
class Material:
    """A tournament, prepared for a report.

    Attributes
    ----------
    setup : Setup
    standings : Standings
    games : tuple of NumberedGame
        In the order of their numbers.
    names : tuple of str
        A short name for each agent, in the order of the setup.
    store : Path or None
    """

    setup: Setup
    standings: Standings
    games: tuple[NumberedGame, ...]
    names: tuple[str, ...]
    store: Path | None

    @classmethod
    def of(cls, setup: Setup, standings: Standings, outcomes: Sequence[GameOutcome],
           store: Path | None = None) -> Material:
        """Number the games; those of the first `standings.blocks` whole blocks are counted."""
        ordered = sorted(outcomes, key=lambda outcome: (outcome.block, outcome.rotation))
        sizes = Counter(outcome.block for outcome in ordered)
        whole = set([block for block, size in sizes.items() if size == setup.players][:standings.blocks])
        games = tuple(NumberedGame(number, outcome, outcome.block in whole)
                      for number, outcome in enumerate(ordered, 1))
        return cls(setup, standings, games, short_labels(setup.labels), store)

    @property
    def counted(self) -> tuple[NumberedGame, ...]:
        """The games that the standings include."""
        return tuple(game for game in self.games if game.counted)

    @property
    def ranking(self) -> tuple[int, ...]:
        """Indices of the agents, best first; those without a rating last."""
        elo = [agent.elo for agent in self.standings.agents]
        return tuple(sorted(range(len(elo)), key=lambda i: (elo[i] != elo[i], -elo[i] if elo[i] == elo[i] else 0.0, i)))

    def seats_of(self, agent: int) -> Iterator[tuple[NumberedGame, int]]:
        """Yield every counted game and seat that an agent took."""
        for game in self.counted:
            for seat, here in enumerate(game.outcome.agents):
                if here == agent:
                    yield game, seat
