"""The schedule: the pairings, seats and chance seeds of all games, fully known before the first one.

The unit is the block: one deal, played by one line-up once per rotation of the seats. A round contains one block of
every line-up; rounds follow each other, so that a tournament that ends early is still balanced to within a round.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sfida.ai.chance import block_seed, game_seed, lineup_seed
from sfida.cython_ext.errors import InvalidOption
from sfida.engines.records import MAX_SEATS
from sfida.engines.spec import by_contents, quoted, whole

MOST_GAMES = 10**12
MODES = ("round-robin", "gauntlet")
LUCKS = ("common", "independent")
MAX_LINEUPS = 10_000
_VERSION = 2                    # version of the rules below and of the seeds; part of the digest


@dataclass(frozen=True)
class Setup:
    """Everything that determines the games of a tournament, whichever process plays them.

    Attributes
    ----------
    game : str
        Canonical game spec.
    rules_version : int
    players : int
        Number of seats, 2 to 6.
    agents : tuple of str
        Canonical agent specs, at least two; a spec that occurs twice counts as two agents.
    games : int
        Number of games, 1 to `MOST_GAMES`; rounded up to whole blocks.
    seed : int
    mode : str
        "round-robin" or "gauntlet" (the first agent against copies of each of the others).
    mirror : bool
        Gauntlet only: whether one copy of the other agent also plays against copies of the first.
    luck : str
        "common": all games of a block have the same chance events; "independent": only to measure the gain from that.
    contents : tuple of (str, str)
        Path and digest of every file that the specs name. The digests identify the tournament, the paths do not.
    """

    game: str
    rules_version: int
    players: int
    agents: tuple[str, ...]
    games: int
    seed: int
    mode: str = "round-robin"
    mirror: bool = False
    luck: str = "common"
    contents: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if not 2 <= self.players <= MAX_SEATS:
            raise InvalidOption(f"a tournament needs a game of 2 to {MAX_SEATS} seats; {quoted(self.game)} has "
                                f"{self.players}")
        if len(self.agents) < 2:
            raise InvalidOption(f"a tournament needs at least two agents, not {len(self.agents)}")
        games = whole(self.games)
        if games is None or not 1 <= games <= MOST_GAMES:
            right = f"from 1 to {MOST_GAMES}" if games is not None and games > 1 else "of at least 1"
            raise InvalidOption(f"the number of games must be a whole number {right}, not {quoted(self.games)}")
        object.__setattr__(self, "games", games)
        if self.mode not in MODES:
            raise InvalidOption(f"the mode must be {' or '.join(MODES)}, not {quoted(self.mode)}")
        if self.mirror and (self.mode != "gauntlet" or self.players == 2):
            raise InvalidOption("mirrored line-ups belong to a gauntlet with more than two seats")
        if self.luck not in LUCKS:
            raise InvalidOption(f"the luck must be common or independent, not {quoted(self.luck)}")

    @cached_property
    def meaning(self) -> tuple[str, tuple[str, ...]]:
        """The specs of the game and of the agents, with digests of files instead of their paths."""
        contents = dict(self.contents)
        return by_contents(self.game, contents), tuple(by_contents(agent, contents) for agent in self.agents)

    @property
    def labels(self) -> tuple[str, ...]:
        """A name for each agent: its spec, numbered if the spec occurs more than once."""
        seen: Counter[str] = Counter()
        labels = []
        for agent in self.agents:
            seen[agent] += 1
            labels.append(agent if seen[agent] == 1 else f"{agent} ({seen[agent]})")
        return tuple(labels)


@dataclass(frozen=True)
class Block:
    """One deal, to be played once per rotation.

    Attributes
    ----------
    index : int
        Index from 0, in the order of the schedule.
    round : int
    agents : tuple of int
        Index of the agent on each seat in rotation 0.
    """

    index: int
    round: int
    agents: tuple[int, ...]

    def seating(self, rotation: int) -> tuple[int, ...]:
        """Return the agent on each seat: every rotation moves each agent by one seat."""
        count = len(self.agents)
        return tuple(self.agents[(seat - rotation) % count] for seat in range(count))


class Schedule:
    """All blocks of a tournament.

    A longer tournament with the same setup starts with the same blocks.

    Parameters
    ----------
    setup : Setup

    Raises
    ------
    InvalidOption
        If there are too many line-ups.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.blocks: int = -(-setup.games // setup.players)
        self.games: int = self.blocks * setup.players

    @cached_property
    def lineups(self) -> tuple[tuple[int, ...], ...]:
        """Every line-up of a round, in the order of play: agents and pairs of agents are spread evenly."""
        return _evenly(_lineups(self.setup), len(self.setup.agents))

    @property
    def rounds(self) -> float:
        """Number of rounds; a fraction if the last one is incomplete."""
        return self.blocks / len(self.lineups)

    def block(self, index: int) -> Block:
        """Return a block. The order of its seats is drawn again in each round, so that neighbours change."""
        turn, place = divmod(index, len(self.lineups))
        lineup = self.lineups[place]
        if len(lineup) > 2:
            rng = np.random.default_rng(lineup_seed(self.setup.seed, turn, place))
            lineup = tuple(lineup[i] for i in rng.permutation(len(lineup)))
        return Block(index, turn, lineup)

    def __iter__(self) -> Iterator[Block]:
        return (self.block(index) for index in range(self.blocks))

    def luck_seed(self, block: int, rotation: int) -> int:
        """Return the seed of a game's chance events, which is the same for the whole block."""
        seed = block_seed(self.setup.seed, block)
        return seed if self.setup.luck == "common" else game_seed(seed, block, rotation)

    def game_seed(self, block: int, rotation: int) -> int:
        """Return the seed of the agents' own choices in a game."""
        return game_seed(self.setup.seed, block, rotation)

    @cached_property
    def digest(self) -> str:
        """A hash of 16 hex digits that identifies the schedule, whatever its length."""
        return self._digest(_VERSION)

    @property
    def older_digests(self) -> tuple[str, ...]:
        """The values of `digest` under earlier rules of the schedule."""
        return tuple(self._digest(version) for version in range(1, _VERSION))

    def _digest(self, version: int) -> str:
        setup = self.setup
        game, agents = setup.meaning
        words: list[Any] = [version, game, setup.rules_version, setup.players, agents, setup.seed,
                            setup.mode, setup.mirror, setup.luck, self.lineups]
        return hashlib.blake2b(json.dumps(words).encode(), digest_size=8).hexdigest()


def _lineups(setup: Setup) -> list[tuple[int, ...]]:
    """Return the line-ups of a round, each in ascending order of agents."""
    agents, seats = len(setup.agents), setup.players
    if setup.mode == "gauntlet":
        lineups = []
        for other in range(1, agents):
            lineups.append((0, *[other] * (seats - 1)))
            if setup.mirror:
                lineups.append((*[0] * (seats - 1), other))
        return lineups
    copies, rest = divmod(seats, agents)
    count = _choose(agents, rest)
    if count > MAX_LINEUPS:
        raise InvalidOption(f"{agents} agents on {seats} seats make {count} line-ups, more than {MAX_LINEUPS}: "
                            "take fewer agents, or a gauntlet")
    return [tuple(sorted([*range(agents)] * copies + list(more)))
            for more in itertools.combinations(range(agents), rest)]


def _choose(n: int, k: int) -> int:
    result = 1
    for i in range(k):
        result = result * (n - i) // (i + 1)
    return result


def _evenly(lineups: list[tuple[int, ...]], agents: int) -> tuple[tuple[int, ...], ...]:
    """Order line-ups so that after any number of them all agents and all pairs have occurred about equally often."""
    seats = np.zeros((len(lineups), agents))
    for row, lineup in enumerate(lineups):
        for agent in lineup:
            seats[row, agent] += 1
    cost = np.zeros(len(lineups))           # number of meetings of each line-up's pairs so far
    order = []
    for _ in lineups:
        best = int(np.argmin(cost))
        order.append(lineups[best])
        cost += (seats @ seats[best]) ** 2
        cost[best] = np.inf
    return tuple(order)
