"""What taking luck off the results gains, whether it leaves their mean alone, and what it costs.

    python bench/luck.py reach                              variances of equal agents, with and without luck
    python bench/luck.py reach --game risiko:players=3 --agent greedy --games 300
    python bench/luck.py cost                               seconds of measuring and of playing
    python bench/luck.py agree --games 4000                 an unequal pair: the share of the win both ways
    python bench/luck.py coverage --tournaments 500         how often 95 % intervals hold the truth, simulated

"Reach" is a variance with the luck taken off divided by that without: 0.6 means that six games tell as much as ten.
All copies of an agent play a tournament with common luck. "One game" is the reach of single games, as in a tournament
with independent luck: the variances of all seats, each around its own mean. "Blocks" is that of whole blocks, which
have something less luck already: "common luck" is the variance of their means divided by what it would be if the games
of a block were independent, and "both" is the product. Intervals are 95 % by bootstrap over blocks.

With --store DIR games are kept there, and a later call with as many games or more goes on with them.
"""

from __future__ import annotations

import argparse
import itertools
import re
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from error_rates import setup_of
from specs import FIVE

from sfida import play
from sfida.ai.arena.bootstrap import Tally, Terms, fair_shares, ratios
from sfida.ai.arena.ratings import rate_wins
from sfida.ai.arena.schedule import Schedule
from sfida.ai.arena.store import Store
from sfida.ai.arena.tournament import Tournament
from sfida.ai.luck.value import Value, luck_of
from sfida.engines.registry import make_game

MORE = ("carcassonne:players=4", "risiko:players=5", "attila:players=4", "leduc_poker", "kuhn_poker")
AGENTS = ("greedy", "ismcts:iterations=100")
RIVALS = ("greedy", "ismcts:iterations=20")
COSTLY = "ismcts:iterations=500"
RESAMPLES = 2000


def played(game: str, agents: Sequence[str], games: int, given: argparse.Namespace) -> Tally:
    """Play a gauntlet, or go on with it, and return its games with their luck."""
    name = re.sub(r"\W+", "-", f"{game} {' '.join(agents)}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(given.store or folder, f"{name}.sfida")
        planned = Tournament(game, agents, games, given.seed, mode="gauntlet", adjusted=True)
        planned.run(path, jobs=given.jobs, resume=path.exists())
        with Store.read(path, trust_agents=True) as store:
            return Tally.of(store.outcomes(), planned.setup.players)


# ---- reach ---------------------------------------------------------------------------------------------


def by_place(tally: Tally, shares: np.ndarray) -> np.ndarray:
    """Return shares of shape (blocks, seats, players): the players of a block, counted on from the first agent."""
    players = shares.shape[1]
    first = (tally.agent == 0).argmax(axis=1)
    found = np.zeros((tally.blocks, players, players))
    for step in range(players):
        seat = (first + step) % players
        found[tally.block, seat, step] = shares[np.arange(len(shares)), seat]
    return found


def of_games(x: np.ndarray) -> float:
    """Return what the variance of block means would be if the games of a block were independent."""
    return float(x.var(axis=0, ddof=1).sum() / x.shape[1] ** 2)


def of_blocks(x: np.ndarray) -> float:
    """Return the variance of block means."""
    return float(x.mean(axis=1).var(axis=0, ddof=1).sum())


def divided(above: float, below: float) -> float:
    """Return a ratio; not a number if nothing varies, as in a resample of very few blocks."""
    return above / below if below > 0 else float("nan")


def reach(given: argparse.Namespace) -> None:
    print("| game | agent | games | one game | blocks | common luck | both |\n"
          "|---|---|---|---|---|---|---|", flush=True)
    for agent, game in itertools.product(given.agent or AGENTS, given.game or (*FIVE, *MORE)):
        tally = played(game, [agent, agent], given.games, given)
        raw, fair = by_place(tally, tally.utility), by_place(tally, tally.adjusted().utility)
        measures: list[Callable[[np.ndarray], float]] = [
            lambda i, raw=raw, fair=fair: divided(of_games(fair[i]), of_games(raw[i])),
            lambda i, raw=raw, fair=fair: divided(of_blocks(fair[i]), of_blocks(raw[i])),
            lambda i, raw=raw: divided(of_blocks(raw[i]), of_games(raw[i])),
            lambda i, raw=raw, fair=fair: divided(of_blocks(fair[i]), of_games(raw[i]))]
        rng = np.random.default_rng(given.seed)
        drawn = rng.integers(tally.blocks, size=(RESAMPLES, tally.blocks))
        cells = []
        for measure in measures:
            low, high = np.nanquantile([measure(i) for i in drawn], (0.025, 0.975))
            cells.append(f"{measure(np.arange(tally.blocks)):.2f} [{low:.2f}, {high:.2f}]")
        print(f"| {game} | {agent} | {tally.games} | {' | '.join(cells)} |", flush=True)


# ---- cost ----------------------------------------------------------------------------------------------


def cost(given: argparse.Namespace) -> None:
    print(f"| game | luck, seconds a game | {COSTLY}, seconds a game | share |\n|---|---|---|---|", flush=True)
    for game in given.game or (*FIVE, *MORE):
        engine = make_game(game)
        value = Value(engine)
        spent = np.zeros(2)
        for number in range(given.games):
            started = time.process_time()
            record = play(game, [COSTLY] * engine.players, seed=given.seed + number)
            between = time.process_time()
            luck_of(record, value)
            spent += between - started, time.process_time() - between
        playing, measuring = spent / given.games
        print(f"| {game} | {measuring:.3f} | {playing:.2f} | {100 * measuring / playing:.0f} % |", flush=True)


# ---- agree ---------------------------------------------------------------------------------------------


def agree(given: argparse.Namespace) -> None:
    pair = given.agent or RIVALS
    print(f"Share of the win of {pair[0]} against {pair[1]}.\n\n"
          "| game | games | with luck | without | difference | reach |\n|---|---|---|---|---|---|", flush=True)
    for game in given.game or FIVE:
        tally = played(game, pair, given.games, given)
        fair = tally.adjusted()
        own = tally.agent == 0
        # Sums over the first agent's seat of each block: one number a block.
        raw, less = (np.bincount(tally.block, (each.utility * own).sum(axis=1) / own.sum(axis=1), tally.blocks)
                     / tally.agent.shape[1] for each in (tally, fair))
        rng = np.random.default_rng(given.seed)
        drawn = rng.integers(tally.blocks, size=(RESAMPLES, tally.blocks))
        cells = []
        for x, sign in ((raw, ""), (less, ""), (less - raw, "+")):
            low, high = np.quantile(x[drawn].mean(axis=1), (0.025, 0.975))
            cells.append(f"{100 * x.mean():{sign}.1f} % [{100 * low:{sign}.1f}, {100 * high:{sign}.1f}]")
        print(f"| {game} | {tally.games} | {' | '.join(cells)} | {less.var() / raw.var():.2f} |", flush=True)


# ---- coverage ------------------------------------------------------------------------------------------


def drawn_games(agent: np.ndarray, block: np.ndarray, strengths: np.ndarray, luck: float, common: bool,
                rng: np.random.Generator) -> Tally:
    """Draw games of known luck.

    Each seat has luck, normal with this standard deviation, which adds to its log strength; common: half of its
    variance is the same in all games of a block. What it was worth is told by a value function that knows nothing of
    the agents: the luck could just as well have been the opposite.
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


def coverage(given: argparse.Namespace) -> None:
    print("| players | lead | blocks | luck | win share | without luck | Elo without luck | reach |\n"
          "|---|---|---|---|---|---|---|---|", flush=True)
    for players, lead, blocks, common in itertools.product((2, 4), (0.4, 3.0), (10, 25, 50, 200), (False, True)):
        rng = np.random.default_rng([given.seed, players, int(10 * lead), blocks, common])
        strengths = np.linspace(lead, -lead, players)
        many = rng.permuted(np.tile(np.arange(players), (40_000, 1)), axis=1)
        endless = drawn_games(many, np.arange(len(many)), strengths, 1.5, False, rng)
        shares = np.array([endless.utility[many == i].mean() for i in range(players)])
        elo = rate_wins(endless, players, seed=1, resamples=2).agents
        agent = np.array([block.seating(turn) for block in Schedule(setup_of(players, players, blocks))
                          for turn in range(players)])
        number = np.repeat(np.arange(blocks), players)
        held, widths = np.zeros(3), np.zeros(2)
        for nth in range(given.tournaments):
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
        cells = " | ".join(f"{share:.1f} %" for share in 100 * held / given.tournaments)
        print(f"| {players} | {lead:g} | {blocks} | {'common' if common else 'independent'} | {cells} | "
              f"{widths[1] / widths[0]:.2f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["reach", "cost", "agree", "coverage"])
    parser.add_argument("--games", type=int, default=0, help="default: reach 400, cost 3, agree 4000")
    parser.add_argument("--game", nargs="+")
    parser.add_argument("--agent", nargs="+", help="reach: agents; agree: a pair")
    parser.add_argument("--tournaments", type=int, default=500)
    parser.add_argument("--seed", type=int, default=20267)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--store", help="folder for the games")
    given = parser.parse_args()
    given.games = given.games or {"reach": 400, "cost": 3, "agree": 4000}.get(given.what, 0)
    {"reach": reach, "cost": cost, "agree": agree, "coverage": coverage}[given.what](given)


if __name__ == "__main__":
    main()
