"""The gain from the same luck for all games of a block: variances of block means with and without it.

    python bench/common_luck.py                                           every game of the table in docs/common_luck.md
    python bench/common_luck.py --games carcassonne:players=3 --blocks 500 --jobs 2
    python bench/common_luck.py --pair ismcts:iterations=1000 greedy      instead of the default pairs; may be repeated

The first agent of a pair plays a gauntlet against copies of the second: as many blocks with luck="common" as with
luck="independent", with rotated seats in both. "Played" is the variance of the block means of the first tournament
divided by that of the second. "Within" needs only the first: the variance of its block means divided by what it would
be if the games of a block were independent, which is the sum of the variances of the seats divided by the square of
their number. It is more exact; "check" is the same for the second tournament, where it must be 1. Below 1 common luck
saves games: at 0.80 one in five. The last rows are means over the pairs and variants of a game, weighted by blocks.
Intervals are 95 % by bootstrap over blocks. The draws of every block are compared, and the program fails if the games
of a block with common luck did not draw the same.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfida.ai.arena.outcome import GameOutcome
from sfida.ai.arena.tournament import tournament
from sfida.engines.registry import make_game

GAMES = ("carcassonne", "carcassonne:players=3", "carcassonne:players=4", "carcassonne:river=true",
         "carcassonne:players=3,river=true", "carcassonne:players=4,river=true", "leduc_poker", "kuhn_poker",
         "goofspiel", "tic_tac_toe", "phantom_tic_tac_toe")
PAIRS = (("greedy", "random"), ("ismcts:iterations=100", "greedy"), ("greedy", "greedy"))
EQUAL_BLOCKS, OTHER_BLOCKS, TINY_BLOCKS = 140, 50, 1000

Blocks = NDArray[np.float64]        # of shape (blocks, seats): a figure of the first agent, by the seat it took


@dataclass(frozen=True)
class Arm:
    """A tournament of one pair with one kind of luck.

    Attributes
    ----------
    share, margin : arrays of shape (blocks, seats)
        The first agent's share of the win, and its points minus those of the best other.
    draws : list of list of tuple of str
        The chance outcomes of every game of every block.
    """

    share: Blocks
    margin: Blocks
    draws: list[list[tuple[str, ...]]]

    @property
    def agreeing(self) -> int:
        """Number of blocks whose games drew the same, each as far as it went."""
        return sum(all(draws == max(games, key=len)[:len(draws)] for draws in games) for games in self.draws)


def play(game: str, pair: Sequence[str], blocks: int, seed: int, luck: str, jobs: int) -> Arm:
    """Play the blocks of a pair."""
    players = make_game(game).players
    result = tournament(game, list(pair), blocks * players, seed, jobs, mode="gauntlet", luck=luck)
    held: list[list[GameOutcome]] = [[] for _ in range(blocks)]
    for outcome in result.outcomes:
        held[outcome.block].append(outcome)
    for games in held:
        games.sort(key=lambda outcome: outcome.agents.index(0))
    return Arm(_table(held, lambda outcome, seat: outcome.utilities[seat]), _table(held, _margin),
               [[tuple(game.record.moves[ply].lstrip("!") for ply in game.record.chance or ()) for game in games]
                for games in held])


def _table(held: list[list[GameOutcome]], figure: Callable[[GameOutcome, int], float]) -> Blocks:
    return np.array([[figure(game, game.agents.index(0)) for game in games] for games in held], float)


def _margin(outcome: GameOutcome, seat: int) -> float:
    return outcome.scores[seat] - max(score for other, score in enumerate(outcome.scores) if other != seat)


# ---- ratios --------------------------------------------------------------------------------------------


def mean_variance(x: Blocks) -> NDArray[np.float64]:
    """Return the variance over blocks of the block means; x of shape (..., blocks, seats)."""
    return np.asarray(x.mean(axis=-1).var(axis=-1, ddof=1))


def split_variance(x: Blocks) -> NDArray[np.float64]:
    """Return the same as it would be if the games of a block were independent."""
    return np.asarray(x.var(axis=-2, ddof=1).sum(axis=-1) / x.shape[-1] ** 2)


@dataclass(frozen=True)
class Ratio:
    """A ratio of variances, and that of every resample; it has no value if (nearly) all games ended alike."""

    value: float | None
    resampled: NDArray[np.float64]

    @classmethod
    def of(cls, above: NDArray[np.float64], below: NDArray[np.float64]) -> Ratio:
        """Divide; the first entries are the measured variances and the others those of resamples."""
        usable = below > 0
        if not usable[0] or usable.mean() < 0.99:
            return cls(None, np.zeros(0))
        # A resample without any variance is not informative: use the measured ratio instead.
        ratios = np.where(usable, above / np.where(usable, below, 1.0), above[0] / below[0])
        return cls(float(ratios[0]), ratios[1:])

    def __str__(self) -> str:
        if self.value is None:
            return "no variance"
        low, high = np.quantile(self.resampled, (0.025, 0.975))
        return f"{self.value:.2f} [{low:.2f}, {high:.2f}]"


def within(x: Blocks, rng: np.random.Generator, resamples: int) -> Ratio:
    """Return the variance of block means divided by what it would be if the games of a block were independent."""
    drawn = _drawn(x, rng, resamples)
    return Ratio.of(mean_variance(drawn), split_variance(drawn))


def played(common: Blocks, independent: Blocks, rng: np.random.Generator, resamples: int) -> Ratio:
    """Return the ratio of the variances of the block means of two tournaments."""
    return Ratio.of(*(mean_variance(_drawn(x, rng, resamples)) for x in (common, independent)))


def pooled(ratios: Sequence[tuple[Ratio, int]]) -> Ratio:
    """Return the mean of ratios that have a value, weighted by blocks."""
    held = [(ratio, blocks) for ratio, blocks in ratios if ratio.value is not None]
    total = sum(blocks for _, blocks in held)
    if not total:
        return Ratio(None, np.zeros(0))
    return Ratio(sum((ratio.value or 0.0) * blocks for ratio, blocks in held) / total,
                 sum((ratio.resampled * blocks for ratio, blocks in held), np.zeros(())) / total)


def _drawn(x: Blocks, rng: np.random.Generator, resamples: int) -> Blocks:
    """Return the blocks as measured, followed by `resamples` resamples: shape (1 + resamples, blocks, seats)."""
    return x[np.vstack([np.arange(len(x)), rng.integers(len(x), size=(resamples, len(x)))])]


# ---- the program ---------------------------------------------------------------------------------------


def has_luck(game: str, seed: int) -> bool:
    """Return whether a random game has chance events."""
    players = make_game(game).players
    outcomes = tournament(game, ["random", "random"], players, seed, mode="gauntlet").outcomes
    return any(outcome.record.chance for outcome in outcomes)


def blocks_for(game: str, pair: Sequence[str]) -> int:
    """Return how many blocks a cell of the default table has."""
    if type(make_game(game)).example:
        return TINY_BLOCKS
    return EQUAL_BLOCKS if pair[0] == pair[1] else OTHER_BLOCKS


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=GAMES, metavar="GAME")
    parser.add_argument("--pair", nargs=2, action="append", metavar="AGENT", help="agent and what it plays against")
    parser.add_argument("--blocks", type=int, default=0, help="blocks per cell instead of the default number")
    parser.add_argument("--seed", type=int, default=20262)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--resamples", type=int, default=2000)
    args = parser.parse_args()
    began = time.monotonic()
    print("| game | agent | against | blocks | win share: played | within | check | margin: played | within | check "
          "| same draws |")
    print("|---|---|---|---|---|---|---|---|---|---|---|", flush=True)
    good = True
    found: dict[str, list[tuple[list[Ratio], int]]] = defaultdict(list)
    for game in args.games:
        if not has_luck(game, args.seed):
            _print([game, "no luck in this game", *[""] * 9])
            continue
        for pair in args.pair or PAIRS:
            blocks = args.blocks or blocks_for(game, pair)
            common, independent = (play(game, pair, blocks, args.seed, luck, args.jobs)
                                   for luck in ("common", "independent"))
            rng = np.random.default_rng(args.seed)
            ratios = [ratio for one, other in ((common.share, independent.share), (common.margin, independent.margin))
                      for ratio in (played(one, other, rng, args.resamples), within(one, rng, args.resamples),
                                    within(other, rng, args.resamples))]
            found[make_game(game).name].append((ratios, blocks))
            _print([game, *pair, str(blocks), *map(str, ratios), f"{common.agreeing} / {independent.agreeing}"])
            good = good and common.agreeing == blocks
    for name, rows in found.items():
        means = [pooled([(ratios[column], blocks) for ratios, blocks in rows]) for column in range(6)]
        _print([f"mean of {name}", "", "", str(sum(blocks for _, blocks in rows)), *map(str, means), ""])
    print(f"\n{(time.monotonic() - began) / 60:.1f} minutes; "
          + ("the games of every block with common luck drew the same" if good else
             "NOT all games of a block with common luck drew the same"))
    return 0 if good else 1


def _print(cells: Sequence[str]) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
