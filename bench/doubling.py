"""What more iterations are worth: twice and four times as many against once, in every game.

    python bench/doubling.py --store DIR -j 2              the table of docs/strength.md; days of playing
    python bench/doubling.py acres --from 500 --to 2000 --games 100 --store DIR
    python bench/doubling.py --store DIR --held            the table of the games held so far; plays nothing
    python bench/doubling.py --store DIR --held --toml     its doublings as in a game's doubling.toml

One seat with more iterations plays against copies of the same agent with fewer, on every seat in turn with the same
luck (a gauntlet). "Share" is its share of the win, "without luck" the same with the luck of the games taken off, where
the game has a value function; both with 95 % intervals by bootstrap over blocks. Elo is the lead that gives such a
share against equal opponents. No budget is larger than --to.

Every match has a file in --store, and the same call goes on with it; --games may be larger then. With --sprt a match
ends as soon as the test decides; shares at such an end exaggerate.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from specs import FIVE

from sfida.ai.arena.sequential import SprtOptions
from sfida.ai.arena.standings import Standings
from sfida.ai.arena.store import Store, is_vacant
from sfida.ai.arena.tournament import Tournament, table_of
from sfida.ai.research.profiling import elo_lead
from sfida.cython_ext.errors import SfidaError
from sfida.engines.registry import make_game

FACTORS = (2, 4)
NEAREST = 1e-3                          # to 0 or 1, of a share in a doubling.toml


@dataclass(frozen=True)
class Match:
    """`factor` times `iterations` against `iterations`."""

    game: str
    agent: str
    iterations: int
    factor: int

    @property
    def agents(self) -> tuple[str, str]:
        """The specs, the one with more iterations first."""
        joint = "," if ":" in self.agent else ":"
        return (f"{self.agent}{joint}iterations={self.factor * self.iterations}",
                f"{self.agent}{joint}iterations={self.iterations}")

    def path(self, folder: Path) -> Path:
        """Return its file in a folder."""
        return folder / (re.sub(r"\W+", "-", " ".join((self.game, *self.agents))) + ".sfida")


@dataclass(frozen=True)
class Share:
    """A share of the win and the lead in Elo that gives it, each with its 95 % interval."""

    share: float
    ci95: tuple[float, float]
    elo: float
    elo_ci95: tuple[float, float]

    @classmethod
    def of(cls, share: float, ci95: tuple[float, float], players: int) -> Share:
        """Work out the lead; it is infinite at 0 and 1 and beyond."""
        def lead(share: float) -> float:
            return elo_lead(share, players) if 0 < share < 1 else math.copysign(math.inf, share - 0.5)

        return cls(share, ci95, lead(share), (lead(ci95[0]), lead(ci95[1])))

    def __str__(self) -> str:
        low, high = self.ci95
        return (f"{100 * self.share:5.1f} % [{100 * low:5.1f} {100 * high:5.1f}]  {self.elo:+5.0f} "
                f"[{self.elo_ci95[0]:+5.0f} {self.elo_ci95[1]:+5.0f}]")


@dataclass(frozen=True)
class Row:
    """The result of a match; `fair` is without luck, None where luck is not measured."""

    match: Match
    players: int
    games: int
    raw: Share
    fair: Share | None
    verdict: str | None

    @classmethod
    def of(cls, match: Match, table: Standings) -> Row:
        """Read it from a table."""
        first, fair = table.agents[0], table.adjusted.agents[0] if table.adjusted is not None else None
        return cls(match, table.players, table.games, Share.of(first.win_share, first.ci95, table.players),
                   None if fair is None else Share.of(fair.win_share, fair.ci95, table.players),
                   None if table.sprt is None else table.sprt.verdict)


def matches(game: str, agent: str, least: int, most: int, factors: tuple[int, ...]) -> Iterator[Match]:
    """Yield the matches of a game: by factor, then by budget."""
    for factor in factors:
        iterations = least
        while factor * iterations <= most:
            yield Match(game, agent, iterations, factor)
            iterations *= 2


def played(match: Match, given: argparse.Namespace, folder: Path) -> Standings | None:
    """Play what the match's file lacks and return its table; None if nothing is held and nothing may be played."""
    path = match.path(folder)
    if given.held:
        if is_vacant(path):
            return None
        with Store.read(path) as store:
            return table_of(store)
    planned = Tournament(match.game, match.agents, given.games, given.seed, mode="gauntlet", sprt=given.sprt)
    return planned.run(path, jobs=given.jobs, resume=True)


def toml(game: str, agent: str, rows: list[Row]) -> str:
    """Return the doublings as a table of a doubling.toml; without luck where it was measured."""
    made = make_game(game)
    lines = ["[[table]]", f'game = "{made.name}"', f"players = {made.players}", f'agent = "{agent}"', "matches = ["]
    for row in rows:
        best = row.fair or row.raw
        share, low, high = (min(max(x, NEAREST), 1 - NEAREST) for x in (best.share, *best.ci95))
        if row.match.factor == 2:
            lines.append(f"    {{ iterations = {row.match.iterations}, games = {row.games}, share = {share:.3f}, "
                         f"low = {low:.3f}, high = {high:.3f} }},")
    return "\n".join([*lines, "]"])


def finite(value: Any) -> Any:
    """Return plain data with null for what is infinite, which JSON does not know."""
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def show(row: Row) -> None:
    """Print a row."""
    budgets = f"{row.match.factor * row.match.iterations:,} : {row.match.iterations:,}"
    print(f"{budgets:16} {row.games:6,}  {row.raw}   {row.fair or 'not measured'!s:41}"
          f"{'  ' + row.verdict if row.verdict else ''}".rstrip(), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("specs", nargs="*", default=FIVE, metavar="GAME", help="game specs (the five games)")
    parser.add_argument("--agent", default="ismcts", help="spec without its budget (ismcts)")
    parser.add_argument("--from", type=int, default=250, dest="least", metavar="N", help="smallest budget (250)")
    parser.add_argument("--to", type=int, default=16_000, dest="most", metavar="N", help="largest budget (16000)")
    parser.add_argument("--factors", type=int, nargs="+", default=FACTORS, metavar="N", help="(2 4)")
    parser.add_argument("--games", type=int, default=400, help="of each match, at most (400)")
    parser.add_argument("--sprt", type=SprtOptions.parse, metavar="elo0=0,elo1=20", help="end matches by this test")
    parser.add_argument("--seed", type=int, default=20263)
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("--store", type=Path, metavar="DIR", help="keep the games here and go on with them")
    parser.add_argument("--held", action="store_true", help="play nothing")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--toml", action="store_true", help="print tables for doubling.toml")
    form.add_argument("--json", action="store_true", help="print one JSON object a match")
    given = parser.parse_args()
    if given.least < 1 or min(given.factors) < 2 or given.least * min(given.factors) > given.most:
        parser.error("--from must be at least 1, --factors at least 2, and --to at least their product")
    if given.held and given.store is None:
        parser.error("--held needs --store")
    with tempfile.TemporaryDirectory(prefix="sfida-") as folder:
        if given.store is not None:
            given.store.mkdir(parents=True, exist_ok=True)
        try:
            tell(given, given.store or Path(folder))
        except SfidaError as error:
            parser.error(str(error))


def tell(given: argparse.Namespace, folder: Path) -> None:
    """Print the tables of all games."""
    for game in given.specs:
        if not (given.toml or given.json):
            print(f"\n{game}\nbudgets           games   share   95 %             Elo   95 %           without luck")
        rows = []
        for match in matches(game, given.agent, given.least, given.most, tuple(given.factors)):
            table = played(match, given, folder)
            if table is None or not table.games:
                continue
            rows.append(Row.of(match, table))
            if given.json:
                print(json.dumps(finite(asdict(rows[-1]))), flush=True)
            elif not given.toml:
                show(rows[-1])
        if given.toml and rows:
            print(toml(game, given.agent, rows), flush=True)


if __name__ == "__main__":
    main()
