"""Whether forecasts mean what they say: said shares of the win against what happened, in games of equal agents.

    python bench/calibration.py                                      five games, as few players as they allow
    python bench/calibration.py zarahemla:players=4 --agent ismcts:iterations=500 --games 400
    python bench/calibration.py --every --until 50 --store DIR -j 2  all numbers of players; may be interrupted
    python bench/calibration.py carcassonne --evaluation             what the evaluation says after every turn

At every decision with a choice the search of the seat to move says how much of the win it expects. `--of root` takes
the mean over all iterations (`Analysis.value`), `--of move` the value of the chosen move, which people are shown. The
positions are sorted by what was said into tenths of the range; "said" and "happened" are means over them. The
positions of a game share one result: intervals are 95 % by bootstrap over games, and "games" says how many independent
games a tenth has. (Means over positions, not over games, are what a calibrated search gets right: a game that stays
long in the highest tenth is one that goes on well.)

The correction raises the said shares of all seats to a power and divides them by their sum; the power is that of the
least log loss. 1: none is needed; below 1 the search is too sure, above 1 not sure enough. It is no use where the
tenths do not bend that way.

With --until N a game goes on until every tenth has N games (at most --games). With --store games are kept in a folder,
one file a game spec; the same call goes on with them. Ctrl-C prints what is known so far.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import joblib
import numpy as np
from forecasts import EVALUATION, SEARCH, Game, Plan, Store, play
from specs import EVERY, FIVE

from sfida.ai.arena.bootstrap import Floats, Ints, Terms, ratios, tail, weights
from sfida.cython_ext.errors import SfidaError

TENTHS = 10
POWERS = np.geomspace(0.2, 5.0, 200)
LEAST = 1e-3                            # a share of 0 would cost an endless log loss
RESAMPLES = 2000


@dataclass(frozen=True)
class Tenth:
    """What was said and what happened in one tenth of the range; shares 0 to 1.

    Attributes
    ----------
    low, high : float
        Of the tenth.
    positions, games : int
    said, happened : float
        Means over positions.
    ci95 : (float, float)
        Of `happened`, by bootstrap over games.
    """

    low: float
    high: float
    positions: int
    games: int
    said: float
    happened: float
    ci95: tuple[float, float]


@dataclass(frozen=True)
class Reliability:
    """The tenths that were met, and how well a power would correct what was said.

    Attributes
    ----------
    games, positions : int
    tenths : tuple of Tenth
    power : float
    power_ci95 : (float, float)
    log_loss, corrected : float
        Of the shares of all seats as they were said, and with the power; mean over positions.
    """

    games: int
    positions: int
    tenths: tuple[Tenth, ...]
    power: float
    power_ci95: tuple[float, float]
    log_loss: float
    corrected: float


def pairs(games: Sequence[Game], of: str) -> tuple[Ints, Floats, Floats]:
    """Return the game of each share that was said, the share, and what happened, all of shape (N,)."""
    rows = [(number, getattr(one, of)[seat], game.shares[seat]) for number, game in enumerate(games)
            for one in game.said for seat in ([one.seat] if one.seat >= 0 else range(len(game.shares)))]
    number, said, happened = zip(*rows, strict=True) if rows else ((), (), ())
    return np.array(number, np.int64), np.array(said, float), np.array(happened, float)


def tenth_of(said: Floats) -> Ints:
    """Return the tenth, 0 to 9, of each share; the highest one holds 1 too."""
    return np.clip(np.floor(said * TENTHS + 1e-9), 0, TENTHS - 1).astype(np.int64)


def reliability(games: Sequence[Game], of: str = "root", seed: int = 1) -> Reliability:
    """Compare what was said with what happened; `of`: "root" or "move"."""
    number, said, happened = pairs(games, of)
    tenth = tenth_of(said)
    terms = Terms.of(TENTHS, len(games), tenth, number, happened)
    found = ratios(terms, seed, RESAMPLES)
    rows = []
    for i in np.unique(tenth).tolist():
        inside = tenth == i
        rows.append(Tenth(i / TENTHS, (i + 1) / TENTHS, int(inside.sum()), len(np.unique(number[inside])),
                          float(said[inside].mean()), float(found.value[i]),
                          (float(found.low[i]), float(found.high[i]))))
    return Reliability(len(games), sum(len(game.said) for game in games), tuple(rows), *correction(games, of, seed))


def correction(games: Sequence[Game], of: str, seed: int) -> tuple[float, tuple[float, float], float, float]:
    """Return the power of the least log loss, its interval, and the loss without and with it."""
    losses = np.array([_losses(game, of) for game in games if game.said])
    count = np.array([len(game.said) for game in games if game.said])
    if not len(count):
        return 1.0, (float(POWERS[0]), float(POWERS[-1])), 0.0, 0.0
    total = losses.sum(axis=0)
    best = int(total[1:].argmin())
    sample = np.concatenate([POWERS[(losses[:, 1:].T @ taken).argmin(axis=0)]
                             for taken in weights(len(count), seed, RESAMPLES)])
    low, high = np.quantile(sample, [tail(len(count)), 1 - tail(len(count))])
    return (float(POWERS[best]), (float(low), float(high)), float(total[0] / count.sum()),
            float(total[1 + best] / count.sum()))


def _losses(game: Game, of: str) -> Floats:
    """Return the sums over a game of the log loss as said, followed by those with each of the powers."""
    logs = np.log(np.maximum([getattr(one, of) for one in game.said], LEAST))       # (positions, seats)
    z = np.concatenate([[1.0], POWERS])[:, None, None] * logs
    z -= z.max(axis=-1, keepdims=True)
    return np.asarray(-((z - np.log(np.exp(z).sum(axis=-1, keepdims=True))) @ np.array(game.shares)).sum(axis=-1))


# ---- playing -------------------------------------------------------------------------------------------


def games_in_tenths(games: Sequence[Game], of: str) -> list[int]:
    """Return the number of games that met each tenth."""
    number, said, _ = pairs(games, of)
    met = np.unique(np.stack([tenth_of(said), number]), axis=1)[0]
    return np.bincount(met, minlength=TENTHS).tolist()


def fill(store: Store, plan: Plan, given: argparse.Namespace) -> None:
    """Play what the store lacks."""
    def enough() -> bool:
        return bool(given.until and min(games_in_tenths(store.games, given.of)) >= given.until)

    missing = range(len(store.games), given.games)
    if not missing or enough():
        return
    with contextlib.closing(_played(plan, missing, given.jobs)) as games:
        for game in games:
            store.add(game)
            if enough():
                return


def _played(plan: Plan, numbers: range, jobs: int) -> Iterator[Game]:
    """Yield games in the order of their numbers, so that the same ones count whatever the number of jobs."""
    if jobs == 1:
        yield from (play(plan, number) for number in numbers)
        return
    for first in range(0, len(numbers), 4 * jobs):
        yield from joblib.Parallel(n_jobs=jobs)(
            joblib.delayed(play)(plan, number) for number in numbers[first:first + 4 * jobs])


# ---- printing ------------------------------------------------------------------------------------------


def show(found: Reliability) -> None:
    """Print a table."""
    print("tenth       positions   games    said   happened   95 %\n" + "─" * 63)
    for row in found.tenths:
        said, happened, low, high = (100 * x for x in (row.said, row.happened, *row.ci95))
        print(f"{row.low:.1f} - {row.high:.1f}   {row.positions:9,} {row.games:7}   {said:5.1f}      {happened:5.1f}"
              f"   {low:5.1f} {high:5.1f}{'' if low <= said <= high else '  *'}")
    low, high = found.power_ci95
    print(f"Power {found.power:.2f} [{low:.2f} {high:.2f}]; log loss {found.log_loss:.4f}, "
          f"with it {found.corrected:.4f}. *: what was said is outside the interval.\n", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("specs", nargs="*", metavar="GAME", help="game specs")
    parser.add_argument("--every", action="store_true", help="the five games with every number of players")
    parser.add_argument("--agent", help="on every seat (ismcts:iterations=500; with --evaluation greedy)")
    parser.add_argument("--evaluation", action="store_true", help="ask the evaluation after every turn")
    parser.add_argument("--of", choices=("root", "move"), default="root", help="which value of a search (root)")
    parser.add_argument("--games", type=int, default=300, help="of each spec, at most (300)")
    parser.add_argument("--until", type=int, default=0, metavar="N", help="stop when every tenth has N games")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-j", "--jobs", type=int, default=1, help="games at the same time")
    parser.add_argument("--store", type=Path, metavar="DIR", help="keep the games here and go on with them")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    given = parser.parse_args()
    asked = EVALUATION if given.evaluation else SEARCH
    agent = given.agent or ("greedy" if given.evaluation else "ismcts:iterations=500")
    if given.games < 1 or given.jobs < 1 or given.until < 0:
        parser.error("--games and -j must be at least 1, --until at least 0")
    for spec in given.specs or (EVERY if given.every else FIVE):
        name = re.sub(r"\W+", "-", f"{spec} {agent} {asked} {given.seed}") + ".jsonl"
        try:
            plan = Plan.of(spec, agent, asked, given.seed)
            store = Store(plan, given.store and given.store / name)
            with contextlib.suppress(KeyboardInterrupt):
                fill(store, plan, given)
        except SfidaError as error:
            parser.error(str(error))
        if not any(game.said for game in store.games):
            print(f"{spec}: {agent} said nothing in {len(store.games)} games", flush=True)
            continue
        found = reliability(store.games, given.of, given.seed)
        if given.json:
            words = {"game": plan.game, "agent": agent, "asked": asked, "of": given.of, "seed": given.seed}
            print(json.dumps({**words, **asdict(found)}), flush=True)
            continue
        what = "its evaluation after every turn" if given.evaluation else f"the search of {agent} ({given.of})"
        print(f"{spec}, {what}, {found.games} games, {found.positions:,} positions", flush=True)
        show(found)


if __name__ == "__main__":
    main()
