"""The gain of common luck and of luck-adjusted results, and the error rates of a tournament's intervals and tests."""

from __future__ import annotations

import itertools
import math
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

import sfida
from bench import FIVE, command, file_name, folder_of, print_head, print_row
from sfida.ai.arena.bootstrap import Tally, Terms, fair_shares, ratios, seat_effect
from sfida.ai.arena.outcome import GameOutcome
from sfida.ai.arena.ratings import ELO, rate, rate_wins
from sfida.ai.arena.schedule import Schedule, Setup
from sfida.ai.arena.sequential import SprtOptions, cap_blocks, decided_after, expected_blocks, expected_share, llr_path
from sfida.ai.arena.store import Store
from sfida.ai.arena.tournament import Tournament, tournament
from sfida.ai.luck.value import Value, luck_of
from sfida.engines.registry import make_game

# ---- luck-adjusted results -------------------------------------------------------------------------------


@dataclass(frozen=True)
class LuckTask:
    """The options of the command `luck`."""

    games: int
    game: Sequence[str]
    agent: Sequence[str]
    tournaments: int
    seed: int
    jobs: int
    store: Path | None


MORE = ("carcassonne:players=4", "risiko:players=5", "attila:players=4", "leduc_poker", "kuhn_poker")
AGENTS = ("greedy", "ismcts:iterations=100")
RIVALS = ("greedy", "ismcts:iterations=20")
COSTLY = "ismcts:iterations=500"
RESAMPLES = 2000


def played(game: str, agents: Sequence[str], games: int, asked: LuckTask) -> Tally:
    """Play a gauntlet, or continue it, and return its games with their luck."""
    with folder_of(asked.store) as folder:
        path = folder / f"{file_name(game, *agents)}.sfida"
        planned = Tournament(game, agents, games, asked.seed, mode="gauntlet", adjusted=True)
        planned.run(path, jobs=asked.jobs, resume=path.exists())
        with Store.read(path, trust_agents=True) as store:
            return Tally.of(store.outcomes(), planned.setup.players)


# ---- reach ---------------------------------------------------------------------------------------------
def by_place(tally: Tally, shares: np.ndarray) -> np.ndarray:
    """Return shares of shape (blocks, seats, players); the players of a block are numbered from the first agent."""
    players = shares.shape[1]
    first = (tally.agent == 0).argmax(axis=1)
    found = np.zeros((tally.blocks, players, players))
    for step in range(players):
        seat = (first + step) % players
        found[tally.block, seat, step] = shares[np.arange(len(shares)), seat]
    return found


def of_games(x: np.ndarray) -> float:
    """Return the variance that block means would have if the games of a block were independent."""
    return float(x.var(axis=0, ddof=1).sum() / x.shape[1] ** 2)


def of_blocks(x: np.ndarray) -> float:
    """Return the variance of block means."""
    return float(x.mean(axis=1).var(axis=0, ddof=1).sum())


def divided(above: float, below: float) -> float:
    """Return a ratio; NaN without any variance, as in a resample of very few blocks."""
    return above / below if below > 0 else float("nan")


def reach(asked: LuckTask) -> None:
    print_head("game", "agent", "games", "one game", "blocks", "common luck", "both")
    for agent, game in itertools.product(asked.agent or AGENTS, asked.game or (*FIVE, *MORE)):
        tally = played(game, [agent, agent], asked.games, asked)
        raw, fair = by_place(tally, tally.utility), by_place(tally, tally.adjusted().utility)
        measures: list[Callable[[np.ndarray], float]] = [
            lambda i, raw=raw, fair=fair: divided(of_games(fair[i]), of_games(raw[i])),
            lambda i, raw=raw, fair=fair: divided(of_blocks(fair[i]), of_blocks(raw[i])),
            lambda i, raw=raw: divided(of_blocks(raw[i]), of_games(raw[i])),
            lambda i, raw=raw, fair=fair: divided(of_blocks(fair[i]), of_games(raw[i]))]
        rng = np.random.default_rng(asked.seed)
        drawn = rng.integers(tally.blocks, size=(RESAMPLES, tally.blocks))
        cells = []
        for measure in measures:
            low, high = np.nanquantile([measure(i) for i in drawn], (0.025, 0.975))
            cells.append(f"{measure(np.arange(tally.blocks)):.2f} [{low:.2f}, {high:.2f}]")
        print_row(game, agent, tally.games, *cells)


# ---- cost ----------------------------------------------------------------------------------------------
def cost(asked: LuckTask) -> None:
    print_head("game", "luck, seconds a game", f"{COSTLY}, seconds a game", "share")
    for game in asked.game or (*FIVE, *MORE):
        engine = make_game(game)
        value = Value(engine)
        spent = np.zeros(2)
        for number in range(asked.games):
            started = time.process_time()
            record = sfida.play(game, [COSTLY] * engine.players, seed=asked.seed + number)
            between = time.process_time()
            luck_of(record, value)
            spent += between - started, time.process_time() - between
        playing, measuring = spent / asked.games
        print_row(game, f"{measuring:.3f}", f"{playing:.2f}", f"{100 * measuring / playing:.0f} %")


# ---- agree ---------------------------------------------------------------------------------------------
def agree(asked: LuckTask) -> None:
    pair = asked.agent or RIVALS
    print(f"Win share of {pair[0]} against {pair[1]}.\n\n"
          "| game | games | with luck | without | difference | reach |\n|---|---|---|---|---|---|", flush=True)
    for game in asked.game or FIVE:
        tally = played(game, pair, asked.games, asked)
        fair = tally.adjusted()
        own = tally.agent == 0
        # Means over the first agent's seats, one number per block.
        raw, less = (np.bincount(tally.block, (each.utility * own).sum(axis=1) / own.sum(axis=1), tally.blocks)
                     / tally.agent.shape[1] for each in (tally, fair))
        rng = np.random.default_rng(asked.seed)
        drawn = rng.integers(tally.blocks, size=(RESAMPLES, tally.blocks))
        cells = []
        for x, sign in ((raw, ""), (less, ""), (less - raw, "+")):
            low, high = np.quantile(x[drawn].mean(axis=1), (0.025, 0.975))
            cells.append(f"{100 * x.mean():{sign}.1f} % [{100 * low:{sign}.1f}, {100 * high:{sign}.1f}]")
        print_row(game, tally.games, *cells, f"{less.var() / raw.var():.2f}")


# ---- coverage ------------------------------------------------------------------------------------------
def drawn_games(agent: np.ndarray, block: np.ndarray, strengths: np.ndarray, luck: float, common: bool,
                rng: np.random.Generator) -> Tally:
    """Draw games of known luck.

    The luck of a seat is normal with standard deviation `luck` and adds to the seat's log strength; with `common`, half
    of this variance is shared by all games of a block. A value function that does not know the agents measures the
    worth of this luck as half the difference between this luck and the opposite luck.
    """
    games, players = agent.shape
    event = rng.normal(size=(games, players)) * luck
    if common:
        event = (event + luck * rng.normal(size=(block[-1] + 1, players))[block]) / np.sqrt(2)
    speed = strengths[agent] + event + rng.gumbel(size=agent.shape)
    won = (speed == speed.max(axis=1, keepdims=True)).astype(float)

    def value(event: np.ndarray) -> np.ndarray:
        power = np.exp(event)
        return np.asarray(power / power.sum(axis=1, keepdims=True))

    nothing = np.zeros(agent.shape)
    return Tally(blocks=int(block[-1]) + 1, loose=0, block=block, number=np.unique(block), agent=agent, utility=won,
                 rank=2 - won, score=nothing, decisions=nothing, seconds=nothing, wall=nothing[:, 0],
                 plies=np.ones(games, np.int64), forfeit=np.full(games, -1), luck=(value(event) - value(-event)) / 2)


def coverage(asked: LuckTask) -> None:
    print_head("players", "lead", "blocks", "luck", "win share", "luck-adjusted", "luck-adjusted Elo", "reach")
    for players, lead, blocks, common in itertools.product((2, 4), (0.4, 3.0), (10, 25, 50, 200), (False, True)):
        rng = np.random.default_rng([asked.seed, players, int(10 * lead), blocks, common])
        strengths = np.linspace(lead, -lead, players)
        many = rng.permuted(np.tile(np.arange(players), (40_000, 1)), axis=1)
        endless = drawn_games(many, np.arange(len(many)), strengths, 1.5, False, rng)
        shares = np.array([endless.utility[many == i].mean() for i in range(players)])
        elo = rate_wins(endless, players, seed=1, resamples=2).agents
        agent = np.array([block.seating(turn) for block in Schedule(setup_of(players, players, blocks))
                          for turn in range(players)])
        number = np.repeat(np.arange(blocks), players)
        held, widths = np.zeros(3), np.zeros(2)
        for nth in range(asked.tournaments):
            tally = drawn_games(agent, number, strengths, 1.5, common, rng)
            fair = tally.adjusted()
            terms = [Terms.of(players, blocks, agent.ravel(), np.repeat(number, players), each.utility.ravel())
                     for each in (tally, fair)]
            won = ratios(terms[0], nth, 1000)
            for place, found in enumerate((won, fair_shares(terms[1], won, nth, 1000))):
                held[place] += ((found.low <= shares) & (shares <= found.high)).mean()
                widths[place] += ((found.high - found.low) ** 2).sum()
            low, high = rate_wins(fair, players, seed=nth, resamples=1000).intervals.T
            held[2] += ((low <= elo) & (elo <= high)).mean()
        cells = " | ".join(f"{share:.1f} %" for share in 100 * held / asked.tournaments)
        print_row(players, f"{lead:g}", blocks, 'common' if common else 'independent', cells,
                  f"{widths[1] / widths[0]:.2f}")


@command
def luck(what: Literal["reach", "cost", "agree", "coverage"], *,
         games: Annotated[int | None, "reach 400, cost 3, agree 4000"] = None, game: Sequence[str] = (),
         agent: Annotated[Sequence[str], "reach: agents; agree: a pair"] = (), tournaments: int = 500,
         seed: int = 20267, jobs: int = 1, store: Path | None = None) -> None:
    """Measure what taking luck off the results gains, as a ratio of variances, and what it costs in seconds.

    luck reach                              variances of equal agents, with and without luck; hours
    luck reach --game risiko:players=3 --agent greedy --games 300
    luck cost                               seconds of measuring and of playing; takes half an hour
    luck agree --games 4000                 an unequal pair: the win share both ways; hours
    luck coverage --tournaments 500         how often 95 % intervals hold the truth, simulated; an hour

    "Reach" is a variance with the luck taken off divided by that without: 0.6 means that six games tell as much as ten.
    All copies of an agent play a tournament with common luck. "One game" is the reach of single games, as in a
    tournament with independent luck: the variances of all seats, each around its own mean. "Blocks" is that of whole
    blocks, which have something less luck already: "common luck" is the variance of their means divided by what it
    would be if the games of a block were independent, and "both" is the product. Intervals are 95 % by bootstrap over
    blocks.

    With --store DIR games are kept there, and a later call with as many games or more continues with them.
    """
    usual = {"reach": 400, "cost": 3, "agree": 4000}.get(what, 0)
    {"reach": reach, "cost": cost, "agree": agree, "coverage": coverage}[what](
        LuckTask(games or usual, game, agent, tournaments, seed, jobs, store))


# ---- common luck ----------------------------------------------------------------------------------------


COMMON = ("carcassonne", "carcassonne:players=3", "carcassonne:players=4", "carcassonne:river=true",
          "carcassonne:players=3,river=true", "carcassonne:players=4,river=true", "leduc_poker", "kuhn_poker",
          "goofspiel", "tic_tac_toe", "phantom_tic_tac_toe")
PAIRS = (("greedy", "random"), ("ismcts:iterations=100", "greedy"), ("greedy", "greedy"))
EQUAL_BLOCKS, OTHER_BLOCKS, TINY_BLOCKS = 140, 50, 1000
Blocks = NDArray[np.float64]        # shape (blocks, seats): a figure of the first agent per seat


@dataclass(frozen=True)
class Arm:
    """A tournament of one pair with one kind of luck.

    Attributes
    ----------
    share, margin : arrays of shape (blocks, seats)
        The first agent's win share, and its points minus the points of the best opponent.
    draws : list of list of tuple of str
        The chance outcomes of every game of every block.
    """

    share: Blocks
    margin: Blocks
    draws: list[list[tuple[str, ...]]]

    @property
    def agreeing(self) -> int:
        """Number of blocks whose games drew the same chance outcomes, up to the end of the shorter game."""
        return sum(all(draws == max(games, key=len)[:len(draws)] for draws in games) for games in self.draws)


def play_arm(game: str, pair: Sequence[str], blocks: int, seed: int, luck: str, jobs: int) -> Arm:
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
    """Return the variance that block means would have if the games of a block were independent."""
    return np.asarray(x.var(axis=-2, ddof=1).sum(axis=-1) / x.shape[-1] ** 2)


@dataclass(frozen=True)
class Ratio:
    """A ratio of variances, with the ratio of every resample; `value` is None if (nearly) all games ended alike."""

    value: float | None
    resampled: NDArray[np.float64]

    @classmethod
    def of(cls, above: NDArray[np.float64], below: NDArray[np.float64]) -> Ratio:
        """Divide variances; the first entries are measured, the others come from resamples."""
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


def ratio_within(x: Blocks, rng: np.random.Generator, resamples: int) -> Ratio:
    """Return the variance of block means divided by the one that independent games of a block would have."""
    drawn = _drawn(x, rng, resamples)
    return Ratio.of(mean_variance(drawn), split_variance(drawn))


def ratio_played(common: Blocks, independent: Blocks, rng: np.random.Generator, resamples: int) -> Ratio:
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
    """Return the number of blocks of a cell of the default table."""
    if type(make_game(game)).example:
        return TINY_BLOCKS
    return EQUAL_BLOCKS if pair[0] == pair[1] else OTHER_BLOCKS


@command
def common_luck(*, games: Sequence[str] = COMMON,
                pair: Annotated[Sequence[tuple[str, str]], "agent and what it plays against"] = (),
                blocks: Annotated[int | None, "per cell instead of the default number"] = None, seed: int = 20262,
                jobs: int = 1, resamples: int = 2000) -> int:
    """Measure what common luck gains, as ratios of variances. The whole table takes 17 minutes on one core.

    common-luck                                           every game of the table in docs/measure/statistics.md
    common-luck --games carcassonne:players=3 --blocks 500 --jobs 2
    common-luck --pair ismcts:iterations=1000 greedy      instead of the default pairs; may be repeated

    The first agent of a pair plays a gauntlet against copies of the second: as many blocks with luck="common" as with
    luck="independent", with rotated seats in both. "Played" is the variance of the block means of the first tournament
    divided by that of the second. "Within" needs only the first: the variance of its block means divided by what it
    would be if the games of a block were independent, which is the sum of the variances of the seats divided by the
    square of their number. It is more exact; "check" is the same for the second tournament, where it must be 1. Below 1
    common luck saves games: at 0.80 one in five. The last rows are means over the pairs and variants of a game,
    weighted by blocks. Intervals are 95 % by bootstrap over blocks. The draws of every block are compared, and the exit
    code is 1 if the games of a block with common luck did not draw the same.
    """
    began = time.monotonic()
    print_head("game", "agent", "against", "blocks", "win share: played", "within", "check", "margin: played", "within",
               "check", "same draws")
    good = True
    found: dict[str, list[tuple[list[Ratio], int]]] = defaultdict(list)
    for game in games:
        if not has_luck(game, seed):
            print_row(game, "no luck in this game", *[""] * 9)
            continue
        for one in pair or PAIRS:
            many = blocks or blocks_for(game, one)
            common, independent = (play_arm(game, one, many, seed, luck, jobs) for luck in ("common", "independent"))
            rng = np.random.default_rng(seed)
            measured = [ratio for first, other in
                        ((common.share, independent.share), (common.margin, independent.margin))
                        for ratio in (ratio_played(first, other, rng, resamples), ratio_within(first, rng, resamples),
                                      ratio_within(other, rng, resamples))]
            found[make_game(game).name].append((measured, many))
            print_row(game, *one, many, *measured, f"{common.agreeing} / {independent.agreeing}")
            good = good and common.agreeing == many
    for name, rows in found.items():
        means = [pooled([(measured[column], many) for measured, many in rows]) for column in range(6)]
        print_row(f"mean of {name}", "", "", sum(many for _, many in rows), *means, "")
    print(f"\n{(time.monotonic() - began) / 60:.1f} minutes; "
          + ("the games of every block with common luck drew the same" if good else
             "NOT all games of a block with common luck drew the same"))
    return 0 if good else 1


# ---- simulated tournaments ------------------------------------------------------------------------------


def setup_of(players: int, agents: int, blocks: int, mode: str = "round-robin") -> Setup:
    names = tuple(f"agent{i}" for i in range(agents))
    return Setup("simulated", 1, players, names, blocks * players, 1, mode)


def rankings(agent: np.ndarray, block: np.ndarray, strengths: np.ndarray, luck: float,
             rng: np.random.Generator) -> np.ndarray:
    """Draw the rank of each seat in each game from log strengths; `luck` is the standard deviation of log luck."""
    common = rng.normal(size=(block[-1] + 1, agent.shape[1])) * luck
    speed = strengths[agent] + common[block] + rng.gumbel(size=agent.shape)
    return (-speed).argsort(axis=1).argsort(axis=1) + 1.0


def truth(schedule: Schedule, strengths: np.ndarray, luck: float, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Return the win shares and the ratings of an infinite tournament."""
    lineups = np.array(schedule.lineups)
    many = np.repeat(lineups, max(1, 40_000 // len(lineups)), axis=0)
    many = rng.permuted(many, axis=1)
    rank = rankings(many, np.arange(len(many)), strengths, luck, rng)
    count = len(strengths)
    shares = np.bincount(many.ravel(), (rank == 1).ravel(), count) / np.bincount(many.ravel(), minlength=count)
    elo = rate(many, rank, np.arange(len(many)), count, prior=0, resamples=0, seat_strengths=False).agents
    return shares, elo


def error_coverage(tournaments: int, seed: int) -> None:
    print_head("players", "agents", "blocks", "luck", "win share", "Elo")
    for (players, agents), blocks, luck in itertools.product(((2, 2), (4, 4), (4, 5)), (10, 25, 50, 200), (0.0, 1.0)):
        rng = np.random.default_rng([seed, players, agents, blocks, int(luck)])
        schedule = Schedule(setup_of(players, agents, blocks))
        strengths = np.linspace(0.4, -0.4, agents)
        agent = np.array([block.seating(turn) for block in schedule for turn in range(players)])
        number = np.repeat(np.arange(blocks), players)
        shares, elo = truth(schedule, strengths, luck, rng)
        held = np.zeros(2)
        for nth in range(tournaments):
            rank = rankings(agent, number, strengths, luck, rng)
            terms = Terms.of(agents, blocks, agent.ravel(), np.repeat(number, players), (rank == 1.0).ravel())
            found = ratios(terms, nth, 1000)
            held[0] += ((found.low <= shares) & (shares <= found.high)).mean()
            low, high = rate(agent, rank, number, agents, seed=nth, resamples=1000).intervals.T
            held[1] += ((low <= elo) & (elo <= high)).mean()
        held *= 100 / tournaments
        print_row(players, agents, blocks, f"{luck:g}", f"{held[0]:.1f} %", f"{held[1]:.1f} %")


def block_shares(share: float, players: int, tests: int, blocks: int, luck: float, draws: float,
                 rng: np.random.Generator) -> np.ndarray:
    """Draw block shares of the first agent with the mean `share`; the result has shape (tests, blocks)."""
    if players == 2 and draws:
        games = rng.random((tests, blocks, 2))
        return np.where(games < share - draws / 2, 1.0, np.where(games < share + draws / 2, 0.5, 0.0)).mean(axis=2)
    factor = np.exp(luck * rng.normal(size=(200_000, players)))
    low, high = -5.0, 5.0
    for _ in range(40):                         # find the strength that gives this mean share under such luck
        middle = (low + high) / 2
        own = math.exp(middle) * factor[:, 0]
        low, high = (middle, high) if (own / (own + factor[:, 1:].sum(axis=1))).mean() < share else (low, middle)
    total = np.zeros((tests, blocks))
    factor = np.exp(luck * rng.normal(size=(tests, blocks, players)))
    field = factor.sum(axis=2)
    for seat in range(players):
        own = math.exp(middle) * factor[:, :, seat]
        total += rng.random((tests, blocks)) < own / (own + field - factor[:, :, seat])
    return total / players


def sequential(tournaments: int, seed: int) -> None:
    options = SprtOptions()
    print(f"\n{options}\n\n| players | luck | draws | lead | H1 | H0 | undecided | blocks on average (expected) |\n"
          "|---|---|---|---|---|---|---|---|")
    for players, luck, draws in ((2, 0.0, 0.0), (2, 0.0, 0.6), (3, 1.0, 0.0), (4, 0.0, 0.0), (4, 1.0, 0.0),
                                 (4, 2.0, 0.0), (6, 1.0, 0.0)):
        setup = setup_of(players, 2, 1, "gauntlet")
        blocks = cap_blocks(setup, options)
        for lead in (options.elo0, (options.elo0 + options.elo1) / 2, options.elo1):
            rng = np.random.default_rng([seed, players, int(luck), int(10 * draws), int(lead)])
            ends, verdicts = [], {1: 0, 0: 0, -1: 0}
            for first in range(0, tournaments, 500):
                tests = min(500, tournaments - first)
                shares = block_shares(expected_share(lead, 1, players), players, tests, blocks, luck, draws, rng)
                for path in llr_path(shares, np.ones(blocks, int), players, options):
                    end = decided_after(path, options)
                    ends.append(blocks if end is None else end)
                    verdicts[-1 if end is None else int(path[end - 1] > 0)] += 1
            h1, h0, none = (100 * verdicts[key] / tournaments for key in (1, 0, -1))
            print_row(players, f"{luck:g}", f"{draws:g}", f"{lead:g}", f"{h1:.1f} %", f"{h0:.1f} %", f"{none:.1f} %",
                      f"{np.mean(ends):.0f} ({expected_blocks(setup, options)})")


def seats(tournaments: int, seed: int) -> None:
    print()
    print_head("players", "blocks", "luck", "advantage of seat 0", "p < 0.05")
    for players, blocks, luck, lead in itertools.product((2, 4), (25, 100), (0.0, 2.0), (0, 100)):
        rng = np.random.default_rng([seed, players, blocks, int(luck), lead])
        found = 0
        speed = np.zeros(players)
        speed[0] = lead / ELO
        for nth in range(tournaments):
            common = luck * rng.normal(size=(blocks, 1, players))
            won = (speed + common + rng.gumbel(size=(blocks, players, players))).argmax(axis=2).ravel()
            utility = np.eye(players)[won]
            found += seat_effect(utility, np.repeat(np.arange(blocks), players), nth, shifts=999, resamples=2).p < 0.05
        print_row(players, blocks, f"{luck:g}", f"{lead} Elo", f"{100 * found / tournaments:.1f} %")


@command
def error_rates(*what: Literal["coverage", "sequential", "seats"], tournaments: int = 1000, seed: int = 1) -> None:
    """Measure how often intervals of tournaments hold the truth, and how often tests err, in %. Takes two hours.

    error-rates
    error-rates --tournaments 100 seats

    Agents of known strength take places by the Plackett-Luce model, simulated; each seat of a block has its own luck,
    the same in all games of the block, which multiplies strength by a lognormal factor.
    """
    for name, run in (("coverage", error_coverage), ("sequential", sequential), ("seats", seats)):
        if not what or name in what:
            run(tournaments, seed)
