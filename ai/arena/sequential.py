"""Ends a tournament as soon as it is decided: a sequential test of the first agent's lead over the others.

The generalised sequential probability ratio test in normal approximation: Wald's test (1945) with the observed
variance of the blocks, as used for chess engines (Van den Bergh), on the win shares of any number of players.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sfida.ai.arena.bootstrap import Floats, Ints, Tally
from sfida.ai.arena.outcome import GameOutcome
from sfida.ai.arena.schedule import Schedule, Setup
from sfida.ai.arena.standings import SprtState
from sfida.ai.luck.control_variate import Factor, block_sums
from sfida.cython_ext.errors import InvalidOption
from sfida.engines.spec import options_from, parse_spec

# ---- Ends a tournament as soon as it is decided: a sequential test of the first agent's lead over the others

FEWEST_BLOCKS = 30
UNDECIDED = "undecided"
_FLOOR = 0.1                    # least variance, as a share of that of a block of independent games without draws
_TINY = 1e-12

T = TypeVar("T", float, Floats)


@dataclass(frozen=True)
class SprtOptions:
    """The hypotheses of the test, which must be fixed before the first game.

    Attributes
    ----------
    elo0, elo1 : float
        Lead of the first agent over the others under H0 and under H1, in Elo; elo0 < elo1, -1000 to 1000.
    alpha, beta : float
        Probability of accepting H1 if H0 holds, and H0 if H1 holds; above 0 and below 0.5.
    adjusted : bool
        Whether to test luck-adjusted win shares.

    Raises
    ------
    InvalidOption
    """

    elo0: float = field(default=0.0, metadata={
        "low": -1000, "high": 1000, "unit": "Elo", "doc": "lead under H0"})
    elo1: float = field(default=35.0, metadata={
        "low": -1000, "high": 1000, "unit": "Elo", "doc": "lead under H1, above elo0"})
    alpha: float = field(default=0.05, metadata={
        "doc": "probability, above 0 and below 0.5, of accepting H1 if H0 holds"})
    beta: float = field(default=0.05, metadata={
        "doc": "probability, above 0 and below 0.5, of accepting H0 if H1 holds"})
    adjusted: bool = field(default=False, metadata={"doc": "test luck-adjusted win shares"})

    def __post_init__(self) -> None:
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise InvalidOption(f"option '{name}' of the sequential test must be above 0 and below 0.5, not "
                                    f"{getattr(self, name):g}")
        for name in ("elo0", "elo1"):
            if not abs(getattr(self, name)) <= 1000:
                raise InvalidOption(f"option '{name}' of the sequential test must be a number from -1000 to 1000, not "
                                    f"{getattr(self, name):g}")
        if not self.elo0 < self.elo1:
            raise InvalidOption(f"option 'elo0' of the sequential test must be below 'elo1', not {self.elo0:g} "
                                f"with elo1={self.elo1:g}")

    @classmethod
    def parse(cls, text: str) -> SprtOptions:
        """Read ``"elo0=0,elo1=35"``; an empty text means all defaults. Raises InvalidOption."""
        params = parse_spec(f"sprt:{text}")[1] if text.strip() else {}
        return options_from(cls, params, "the sequential test")

    def __str__(self) -> str:
        return f"elo0={self.elo0:g},elo1={self.elo1:g},alpha={self.alpha:g},beta={self.beta:g}" + (
            ",adjusted=true" if self.adjusted else "")

    @property
    def bounds(self) -> tuple[float, float]:
        """Log likelihood ratios at which H0 and H1 are accepted (Wald)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)


# ---- expected shares ----------------------------------------------------------------------------------


def expected_share(elo: float, copies: int, players: int) -> float:
    """Return the mean win share of a seat of an agent that leads the others by `elo` and has `copies` seats."""
    strength = 10 ** (elo / 400)
    return strength / (copies * strength + players - copies)


def check_setup(setup: Setup) -> None:
    """Raise InvalidOption unless the first agent meets each of the others equally often."""
    if setup.mode != "gauntlet" and len(setup.agents) != 2:
        raise InvalidOption(f"a sequential test compares the first agent with the others: it needs two agents or "
                            f"mode=gauntlet, not a round-robin of {len(setup.agents)} agents")


@dataclass(frozen=True)
class BlockScores:
    """The blocks as the test sees them, in schedule order; arrays of shape (B,).

    Attributes
    ----------
    share : float array
        Mean win share of the first agent's seats.
    copies : int array
        Number of its seats in a game.
    players : int
    forfeited : bool array
        Whether the block holds a forfeited game.
    """

    share: Floats
    copies: Ints
    players: int
    forfeited: NDArray[np.bool_]

    @classmethod
    def of(cls, tally: Tally) -> BlockScores:
        """Take the blocks from a tally, up to the first missing one; blocks without the first agent are left out."""
        first = tally.number == np.arange(tally.blocks)
        until = tally.blocks if first.all() else int(first.argmin())
        own = tally.agent == 0
        seats = np.bincount(tally.block, own.sum(axis=1), tally.blocks)[:until]
        total = np.bincount(tally.block, (tally.utility * own).sum(axis=1), tally.blocks)[:until]
        there = seats > 0
        players = tally.agent.shape[1]
        return cls(total[there] / seats[there], np.rint(seats[there] / players).astype(np.int64), players,
                   tally.forfeited[:until][there])


# ---- the test -----------------------------------------------------------------------------------------


class _Ratio:
    """The log likelihood ratio of some blocks.

    For blocks with shares x it is the sum of `(m1 - m0) * (2 * x - m0 - m1) / (2 * var)`, where m0 and m1 are the
    shares expected under the hypotheses. The variance is that of the shares around the mean of the blocks with the same
    number of copies, but at least a tenth of that of independent games without draws. If the mean is far from the
    hypotheses, the variance is scaled, like that of a coin, to the middle between them: otherwise luck at the start
    would look like certainty, because few wins vary less. At least 30 blocks are required.
    """

    def __init__(self, options: SprtOptions, players: int) -> None:
        self._options = options
        self._players = players
        self._blocks = 0
        self.llr: float = 0.0
        self._sum = 0.0
        self._natural = 0.0                             # variance of the blocks if their games were coin tosses
        self._kinds: dict[int, list[float]] = {}        # by copies: blocks, sum, sum of squares

    def add(self, share: float, copies: int) -> None:
        """Count a block."""
        low, high, natural = _hypotheses(self._options, copies, self._players)
        self._blocks += 1
        self._sum += (high - low) * (2 * share - low - high)
        self._natural += natural
        kind = self._kinds.setdefault(copies, [0, 0.0, 0.0])
        kind[0] += 1
        kind[1] += share - low
        kind[2] += (share - low) ** 2
        within = seen = 0.0
        for own, (count, total, squares) in self._kinds.items():
            within += squares - total * total / count
            base = expected_share(self._options.elo0, own, self._players)
            seen += count * _natural_variance(base + total / count, own, self._players)
        variance = max(within * self._natural / max(seen, _TINY), _FLOOR * self._natural) / self._blocks
        self.llr = self._sum / (2 * variance)

    @property
    def verdict(self) -> str:
        """"H1", "H0" or "undecided"."""
        lower, upper = self._options.bounds
        if self._blocks < FEWEST_BLOCKS:
            return UNDECIDED
        return "H1" if self.llr >= upper else "H0" if self.llr <= lower else UNDECIDED


class Sprt:
    """The test, block by block.

    A forfeited game says little about the strength of the players. So the test decides only if the blocks agree with
    and without forfeits: with the forfeits counted as lost, and without the blocks that contain one. Neither a broken
    rival nor an agent that fails whenever it would lose can pass it. A tournament with forfeits in most blocks ends
    undecided.

    Parameters
    ----------
    options : SprtOptions
    players : int
        Number of seats.

    Attributes
    ----------
    blocks, forfeited : int
        Blocks counted, and the number of them with a forfeited game.
    verdict : str
        "H1", "H0" or "undecided".
    """

    def __init__(self, options: SprtOptions, players: int) -> None:
        self.options = options
        self.players = players
        self.blocks: int = 0
        self.forfeited: int = 0
        self.verdict: str = UNDECIDED
        self._all, self._whole = _Ratio(options, players), _Ratio(options, players)

    def add(self, share: float, copies: int, *, forfeited: bool = False) -> str:
        """Count a block and return the verdict. After the end of the test further blocks are ignored.

        Parameters
        ----------
        share : float
            Mean win share of the first agent's seats.
        copies : int
            Number of its seats in a game.
        forfeited : bool
            Whether the block holds a forfeited game.
        """
        if self.ended:
            return self.verdict
        self.blocks += 1
        self.forfeited += forfeited
        self._all.add(share, copies)
        if not forfeited:
            self._whole.add(share, copies)
        if self._all.verdict == self._whole.verdict:
            self.verdict = self._all.verdict
        return self.verdict

    @property
    def ended(self) -> bool:
        """Whether the test has decided, or too many forfeits prevent a decision."""
        return self.verdict != UNDECIDED or self._broken

    @property
    def _broken(self) -> bool:
        return self.forfeited >= max(FEWEST_BLOCKS, self.blocks / 2)

    @property
    def llr(self) -> float:
        """The log likelihood ratio with or without forfeits, whichever is closer to 0; 0 if their signs differ."""
        with_forfeits, without = self._all.llr, self._whole.llr
        if not self.forfeited:
            return with_forfeits
        return 0.0 if with_forfeits * without <= 0.0 else min(with_forfeits, without, key=abs)

    def state(self, name: str, rivals: str = "the others") -> SprtState:
        """Return the state of the test, with a text about `name`."""
        options = self.options
        lower, upper = options.bounds
        decided = self.verdict != UNDECIDED
        fraction = 1.0 if decided else min(1.0, max(0.0, self.llr / (upper if self.llr > 0 else lower)))
        return SprtState(
            elo0=options.elo0, elo1=options.elo1, alpha=options.alpha, beta=options.beta, llr=self.llr, lower=lower,
            upper=upper, fraction=fraction, blocks=self.blocks, verdict=self.verdict, text=self._text(name, rivals),
            forfeited=self.forfeited)

    def _text(self, name: str, rivals: str) -> str:
        options = self.options
        lower, upper = options.bounds
        after = f"after {self.blocks} block{'' if self.blocks == 1 else 's'}"
        lost = f"{self.forfeited} of them with forfeits" if self.forfeited else ""
        if self.verdict == UNDECIDED:
            why = f", {lost}: the test must decide with and without those" if lost else ""
            over = "; it ends here, because most blocks hold a forfeit" if self._broken else ""
            return (f"undecided whether {name} leads {rivals} by {options.elo0:g} or by {options.elo1:g} Elo "
                    f"(LLR {self.llr:.2f} between {lower:.2f} and {upper:.2f} {after}{why}{over})")
        if self.verdict == "H1":
            words = "is stronger than" if options.elo0 >= 0 else "is not weaker than"
            taken, left, bound = options.elo1, options.elo0, upper
        else:
            words = "is not stronger than" if options.elo0 >= 0 else "is weaker than"
            taken, left, bound = options.elo0, options.elo1, lower
        also = f", {lost}, and without those" if lost else ""
        return (f"{name} {words} {rivals}: a lead of {taken:g} Elo is accepted over {left:g} "
                f"(LLR {self.llr:.2f} of {bound:.2f} {after}{also})")


def _hypotheses(options: SprtOptions, copies: int, players: int) -> tuple[float, float, float]:
    """Return the shares of a seat under H0 and H1, and a block's natural variance halfway between."""
    low, high = (expected_share(elo, copies, players) for elo in (options.elo0, options.elo1))
    return low, high, _natural_variance((low + high) / 2, copies, players)


def _natural_variance(share: T, copies: int, players: int) -> T:
    """Return the variance of a block's share if its games are independent and have one winner each."""
    total = copies * share
    return total * (1 - total) / (copies * copies * players)


def llr_path(shares: Floats, copies: Ints, players: int, options: SprtOptions) -> Floats:
    """Return the log likelihood ratio after every block, as `Sprt` computes it.

    Parameters
    ----------
    shares : float array of shape (..., B)
        Any number of tournaments.
    copies : int array of shape (B,)
    players : int
    options : SprtOptions
    """
    low, high, natural = np.zeros((3, len(copies)))
    within, seen = np.zeros((2, *shares.shape))
    for kind in dict.fromkeys(copies.tolist()):         # in the order of their first block, as in Sprt
        own = copies == kind
        base, top, variance = _hypotheses(options, kind, players)
        low[own], high[own], natural[own] = base, top, variance
        count = np.cumsum(own)
        away = np.where(own, shares - base, 0.0)
        total = np.cumsum(away, axis=-1)
        within += np.cumsum(away ** 2, axis=-1) - total * total / np.maximum(count, 1)
        seen += count * _natural_variance(base + total / np.maximum(count, 1), kind, players)
    coins, blocks = np.cumsum(natural), np.arange(1, len(copies) + 1)
    variance = np.maximum(within * coins / np.maximum(seen, _TINY), _FLOOR * coins) / blocks
    path: Floats = np.cumsum((high - low) * (2 * shares - low - high), axis=-1) / (2 * variance)
    return path


def decided_after(path: Floats, options: SprtOptions) -> int | None:
    """Return the number of blocks after which the test decides, or None; `path` is from `llr_path`."""
    lower, upper = options.bounds
    ended = (path >= upper) | (path <= lower)
    ended[:FEWEST_BLOCKS - 1] = False
    return int(ended.argmax()) + 1 if ended.any() else None


def sprt_state(tally: Tally, setup: Setup, options: SprtOptions) -> SprtState:
    """Return the state of the test after the blocks of a tally.

    The test is made after every block in schedule order and ends at the first block that decides, so that the number of
    processes, and which other blocks they have finished, make no difference.

    Raises
    ------
    InvalidOption
        If the setup is not a comparison of the first agent with the others.
    """
    check_setup(setup)
    scores = BlockScores.of(tally.adjusted_in_order(len(setup.agents)) if options.adjusted else tally)
    test = Sprt(options, setup.players)
    rows = zip(scores.share.tolist(), scores.copies.tolist(), scores.forfeited.tolist(), strict=True)
    for share, copies, forfeited in rows:
        test.add(share, copies, forfeited=forfeited)
    labels = setup.labels
    return test.state(labels[0], labels[1] if len(labels) == 2 else "the others")


# ---- planning -----------------------------------------------------------------------------------------


def expected_blocks(setup: Setup, options: SprtOptions) -> int:
    """Return the mean number of blocks of the test under H0 or H1, whichever is larger (Wald).

    It assumes games with one winner each, independent within a block: common luck and draws shorten the test.
    """
    check_setup(setup)
    information = []                    # per block: squared distance of the hypotheses in standard deviations
    for lineup in Schedule(setup).lineups:
        copies = lineup.count(0)
        if copies:
            low, high = (expected_share(elo, copies, setup.players) for elo in (options.elo0, options.elo1))
            variance = _natural_variance((low + high) / 2, copies, setup.players)
            information.append((high - low) ** 2 / variance)
        else:
            information.append(0.0)
    lower, upper = options.bounds
    drift = float(np.mean(information)) / 2
    longest = max(options.alpha * upper + (1 - options.alpha) * lower,
                  (1 - options.beta) * upper + options.beta * lower, key=abs)
    return max(FEWEST_BLOCKS, math.ceil(abs(longest) / drift))


def cap_blocks(setup: Setup, options: SprtOptions) -> int:
    """Return the number of blocks after which the test ends undecided: four times the expected length."""
    return 4 * expected_blocks(setup, options)


# ---- Ending a tournament by a sequential test: always at the same block, however many workers play


class Stopping:
    """Checks whole blocks in the order of the schedule.

    Parameters
    ----------
    setup : Setup
    options : SprtOptions or None
        None: nothing ends the tournament early.

    Raises
    ------
    InvalidOption
        If the setup does not compare the first agent with the others.

    Attributes
    ----------
    blocks : int
        Number of blocks seen.
    sprt : Sprt or None
        The test, if there is one.
    """

    def __init__(self, setup: Setup, options: SprtOptions | None) -> None:
        self.blocks: int = 0
        self.sprt = None
        self._agents = len(setup.agents)
        self._factor = Factor(self._agents) if options is not None and options.adjusted else None
        if options is not None:
            check_setup(setup)
            self.sprt = Sprt(options, setup.players)

    @property
    def decided(self) -> bool:
        """Whether the test has ended, so that later blocks do not count."""
        return self.sprt is not None and self.sprt.ended

    @property
    def fraction(self) -> float | None:
        """Progress of the test, 0 to 1; None without one."""
        return None if self.sprt is None else self.sprt.state("").fraction

    def add(self, block: Sequence[GameOutcome]) -> None:
        """Add the games of the next block."""
        self.blocks += 1
        if self.sprt is None:
            return
        fair = self._without_luck(block) if self._factor else [game.utilities for game in block]
        shares = [share for game, found in zip(block, fair, strict=True)
                  for agent, share in zip(game.agents, found, strict=True) if agent == 0]
        if shares:
            self.sprt.add(sum(shares) / len(shares), len(shares) // len(block),
                          forfeited=any(game.forfeit is not None for game in block))

    def _without_luck(self, block: Sequence[GameOutcome]) -> list[list[float]]:
        """Return the luck-adjusted win shares of the next block's games, as `in_order` does."""
        assert self._factor is not None
        if any(game.luck is None for game in block):
            raise InvalidOption("luck was not measured in all games: 'sfida ratings FILE --adjusted' does it")
        agent, share, luck = (np.array(rows) for rows in (
            [game.agents for game in block], [game.utilities for game in block],
            [game.luck_to_take_off for game in block]))
        fair = share - self._factor.value * luck
        self._factor.add(block_sums(agent, share, luck, np.zeros(len(block), np.int64), self._agents))
        return [list(map(float, row)) for row in fair]


def most_games(setup: Setup, options: SprtOptions) -> int:
    """Return the number of games after which the test ends undecided."""
    return cap_blocks(setup, options) * setup.players


def counted_blocks(outcomes: Iterable[GameOutcome], setup: Setup, options: SprtOptions | None) -> int | None:
    """Return the number of blocks up to the test's decision, which count; None if all count.

    Parameters
    ----------
    outcomes : iterable of GameOutcome
        In the order of the schedule.
    setup : Setup
    options : SprtOptions or None
    """
    if options is None:
        return None
    stopping = Stopping(setup, options)
    games: list[GameOutcome] = []
    for outcome in outcomes:
        if outcome.block != stopping.blocks:
            return None                     # an earlier block is incomplete
        games.append(outcome)
        if len(games) == setup.players:
            stopping.add(games)
            games = []
            if stopping.decided:
                return stopping.blocks
    return None
