"""The levels of a game: fitted, checked, and written to the data file that Sfida brings along.

    python bench/levels.py carcassonne:players=4 --store DIR       fits its levels; the same call goes on
    python bench/levels.py carcassonne:players=4 --store DIR --check    plays each level against the one below
    python bench/levels.py carcassonne:players=4 --store DIR --top 150000 --steps FILE    fits, also to a check
    python bench/levels.py carcassonne --losses                    what a decision of level 3 gives away, as a histogram
    python bench/levels.py carcassonne --follow level:3            a person as strong as level 3 against level:auto
    python bench/levels.py --budgets                               level 10 of the games that are not fitted
    python bench/levels.py --table                                 writes the tables of docs/levels.md

The fit plays neighbouring rungs of a ladder of strengths (`ai/levels/scale.py`), draws the rating along it without the
luck of the games, puts level 10 on the highest rung and the others 100 Elo apart below it; then it plays neighbouring
levels and fits again to all matches. Rungs above --dearest iterations are not played but extrapolated. The number of
games of a match is --games where they are cheap, less where they are dear: --work divided by the iterations, but
--least. All matches lie in --store, and what is there is not played again. Times do not matter to the result, except
for the budget of level 10, which is as many iterations as take --seconds on this machine, unless --top gives it.
"""

from __future__ import annotations

import argparse
import datetime
import itertools
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from losses import show_losses
from seasons import show_seasons
from specs import EVERY

from sfida.ai.external.protocol import sfida_version
from sfida.ai.levels.fitting import Z95, Curve, Duel, Effort, duel, fit, largest_budget, match, spec_of
from sfida.ai.levels.scale import (
    FILE, LEVELS, Fit, InvalidLevels, Scale, Step, Strength, at, ladder, place_of, scale_of, table_text, usual_cutoff,
    written
)
from sfida.cython_ext.errors import SfidaError
from sfida.engines.data_files import load_toml, wrong_table
from sfida.engines.game import Game
from sfida.engines.registry import make_game
from sfida.engines.spec import shown

SECONDS = 2.0
SEASON = 34                             # games
PAGE = Path(__file__).resolve().parents[1] / "docs" / "levels.md"
MARKS = ("<!-- levels -->", "<!-- /levels -->")
NEAR = 25.0                             # Elo by which a step may differ from what it should be


def fitted(game: Game, given: argparse.Namespace, folder: Path) -> Scale:
    """Fit the levels of a game and return them."""
    effort = Effort(given.games, given.least, given.work, given.dearest)
    top = given.top or kept_top(game, folder, given.seconds, given.seed)
    rungs = ladder(top, usual_cutoff(game))
    duels = [duel for path in given.steps for duel in known_duels(game, path, rungs)]
    for high in range(1, len(rungs)):
        duels += played(game, rungs, high - 1.0, float(high), effort, given, folder)
    curve = fit(duels, len(rungs))
    places = curve.levels()
    for low, high in itertools.pairwise(places):
        duels += played(game, rungs, low, high, effort, given, folder)
    curve = fit(duels, len(rungs))
    places = curve.levels()
    games = sum(one.games for one in duels)
    return scale_from(curve, places, rungs, games)


def known_duels(game: Game, path: Path, rungs: tuple[Strength, ...]) -> list[Duel]:
    """Return the steps of a data file of levels that were played, as matches between places of a ladder.

    Raises InvalidLevels if the file cannot be read or is wrong.
    """
    try:
        content = load_toml(path, InvalidLevels)[1]
    except OSError as error:
        raise InvalidLevels(f"{shown(path)}: {error.strerror}") from None
    try:
        tables = [(table["game"], table["players"], Scale.of(table)) for table in content["table"]]
    except (TypeError, KeyError, AttributeError, ValueError, SfidaError) as error:
        raise InvalidLevels(f"{shown(path)}: {wrong_table(error)}") from None
    found = []
    for name, players, scale in tables:
        if (name, players) == (game.name, game.players) and scale.fit is not None:
            places = itertools.pairwise(place_of(rungs, strength) for strength in scale.strengths)
            found += [Duel(low, high, step.games, step.elo, (step.high - step.low) / (2 * Z95))
                      for (low, high), step in zip(places, scale.fit.steps, strict=True) if step.games]
    return found


def played(game: Game, rungs: tuple[Strength, ...], low: float, high: float, effort: Effort,
           given: argparse.Namespace, folder: Path) -> Iterator[Duel]:
    """Play the match between two places, unless it is too dear or they do not differ, and tell its result."""
    strong, weak = at(rungs, high), at(rungs, low)
    games = effort.of(strong)
    if not games or strong == weak:
        return
    found = duel(game, rungs, low, high, games, given.seed, folder, given.jobs)
    print(f"{spec_of(strong):58} {spec_of(weak):58} {found.games:5} games  {found.elo:+5.0f} "
          f"[{found.elo - Z95 * found.error:+5.0f} {found.elo + Z95 * found.error:+5.0f}]", flush=True)
    yield found


def scale_from(curve: Curve, places: tuple[float, ...], rungs: tuple[Strength, ...], games: int) -> Scale:
    """Return the levels at places of a ladder."""
    ratings = [curve.rating(place) for place in places]
    steps = tuple(curve.step(low, high) for low, high in itertools.pairwise(places))
    found = Fit(datetime.date.today(), sfida_version(), games, float(curve.rises.sum()), steps)
    return Scale(tuple(at(rungs, place) for place in places), tuple(rating - ratings[0] for rating in ratings), found)


def checked(game: Game, scale: Scale, given: argparse.Namespace, folder: Path) -> Scale:
    """Play each level against the one below, with luck that the fit has not seen, and return the steps so found."""
    assert scale.fit is not None
    effort = Effort(given.games, given.least, given.work, given.dearest)
    steps, wanted = list(scale.fit.steps), scale.ratings[-1] / (LEVELS - 1)
    for number in range(2, LEVELS + 1):
        games = effort.of(scale.strengths[number - 1])
        if not games:
            print(f"level {number:2} : {number - 1:2}  too dear: {scale.strengths[number - 1].iterations} iterations")
            continue
        elo, error, count = match(game, *(spec_of(scale.strengths[level - 1]) for level in (number, number - 1)),
                                  games, given.seed + 1, folder, given.jobs)
        steps[number - 2] = Step(count, elo, elo - Z95 * error, elo + Z95 * error)
        far = max(0.0, abs(elo - wanted) - NEAR) / error
        print(f"level {number:2} : {number - 1:2}  {count:5} games  {elo:+5.0f} [{elo - Z95 * error:+5.0f} "
              f"{elo + Z95 * error:+5.0f}]  {'as it should be' if not far else 'within chance' if far < 2 else 'OFF'}",
              flush=True)
    return replace(scale, fit=replace(scale.fit, steps=tuple(steps)))


def kept_top(game: Game, folder: Path, seconds: float, seed: int) -> int:
    """Return the budget of level 10, measured once for a store."""
    path = folder / f"top-{game.name}-{game.players}.txt"
    if not path.is_file():
        path.write_text(f"{largest_budget(game, seconds, seed)}\n", encoding="utf-8")
    return int(path.read_text(encoding="utf-8"))


def write(game: Game, scale: Scale | None, budget: int) -> Path:
    """Put the levels of a game, if any, and its budget into the file of its package, in place of those it has."""
    path = Path(str(sys.modules[type(game).__module__].__file__)).resolve().with_name(FILE)
    held = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    texts = {(table["game"], table["players"]): table_text(table["game"], table["players"], Scale.of(table))
             for table in held.get("table", [])}
    budgets = {(one["game"], one["players"]): one["iterations"] for one in held.get("budget", [])}
    budgets[game.name, game.players] = budget
    if scale is not None:
        texts[game.name, game.players] = table_text(game.name, game.players, scale)
    path.write_text(written([texts[key] for key in sorted(texts)], budgets), encoding="utf-8")
    return path


def write_budgets(seconds: float, seed: int) -> None:
    """Measure what two seconds are worth in all board games, for the levels that are not fitted."""
    for spec in EVERY:
        game = make_game(spec)
        fit = scale_of(game)
        count = fit.strengths[-1].iterations if fit.fit is not None else largest_budget(game, seconds, seed)
        print(f"{spec:28} {count:8}  {write(game, None, count)}", flush=True)


def write_page() -> None:
    """Put the tables of all fitted games into docs/levels.md, between its two marks."""
    text = PAGE.read_text(encoding="utf-8")
    before, begin, rest = text.partition(MARKS[0])
    end = rest[rest.index(MARKS[1]):]
    PAGE.write_text(f"{before}{begin}\n\n{tables()}\n\n{end}", encoding="utf-8")


def tables() -> str:
    """Return the tables of docs/levels.md."""
    parts = []
    for spec in EVERY:
        game = make_game(spec)
        scale = scale_of(game)
        if scale.fit is None:
            continue
        many = f"{game.players} players"
        span = f"{scale.fit.span:.0f} Elo" + (", less than 900: the steps are even" if scale.fit.span < 900 else "")
        lines = [f"### {game.title}, {many}", "",
                 f"Fitted {scale.fit.date} with Sfida {scale.fit.version}, {scale.fit.games:,} games; the ladder spans "
                 f"{span}.", "",
                 "| level | iterations | looks at | misjudges by | looks ahead | Elo | above the level below | games |",
                 "|---|---|---|---|---|---|---|---|"]
        for level, (strength, rating) in enumerate(zip(scale.strengths, scale.ratings, strict=True), start=1):
            step = scale.fit.steps[level - 2] if level > 1 else None
            lead = "" if step is None else (f"{step.elo:+.0f} [{step.low:+.0f}, {step.high:+.0f}]"
                                            + (", extrapolated" if step.extrapolated else ""))
            count = "" if step is None else str(step.games or "fit")
            lines.append(f"| {level} | {strength.iterations:,} | {strength.sight or 'all'} | {strength.misjudge:g} | "
                         f"{'as the game' if strength.depth is None else strength.depth} | {rating:.0f} | {lead} | "
                         f"{count} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", help="game spec")
    parser.add_argument("--check", action="store_true", help="play the levels in the data file")
    parser.add_argument("--steps", type=Path, nargs="+", default=[], metavar="FILE",
                        help="data files: fit also to their steps that --check played, if the game is still the same")
    parser.add_argument("--losses", action="store_true", help="what decisions of a level give away")
    parser.add_argument("--follow", metavar="AGENT", help="plays seasons of such a person against level:auto")
    parser.add_argument("--seasons", type=int, default=6, help="for --follow, of 34 games each (6)")
    parser.add_argument("--budgets", action="store_true", help="measure those of all games, for levels not yet fitted")
    parser.add_argument("--table", action="store_true", help="write the tables of docs/levels.md")
    parser.add_argument("--level", default="3", help="for --losses (3)")
    parser.add_argument("--judge", type=int, default=2000, help="iterations that judge a decision, for --losses (2000)")
    parser.add_argument("--decisions", type=int, default=400, help="for --losses (400)")
    parser.add_argument("--games", type=int, default=400, help="of a match, at most (400)")
    parser.add_argument("--least", type=int, default=40, help="of a match, at least (40)")
    parser.add_argument("--work", type=int, default=100_000, help="iterations times games of a match (100000)")
    parser.add_argument("--dearest", type=int, default=2000, help="most iterations that are played (2000)")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="a decision of level 10 (2)")
    parser.add_argument("--top", type=int, help="iterations of level 10, instead of --seconds")
    parser.add_argument("--seed", type=int, default=20264)
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("--store", type=Path, metavar="DIR", help="keep the games here and go on with them")
    parser.add_argument("--dry", action="store_true", help="print the table instead of writing the data file")
    given = parser.parse_args()
    if given.table:
        write_page()
        return
    if given.budgets:
        write_budgets(given.seconds, given.seed)
        return
    if given.game is None:
        parser.error("name a game")
    try:
        game = make_game(given.game)
        if given.losses:
            show_losses(game, given.level, given.judge, given.decisions, given.seed)
            return
        if given.follow:
            show_seasons(game, given.follow, given.seasons, SEASON, given.seed)
            return
        with tempfile.TemporaryDirectory(prefix="sfida-") as folder:
            if given.store is not None:
                given.store.mkdir(parents=True, exist_ok=True)
            where = given.store or Path(folder)
            scale = scale_of(game) if given.check else fitted(game, given, where)
            if scale.fit is None:
                parser.error(f"no levels of '{game.spec()}' are in the data file: fit them first")
            scale = checked(game, scale, given, where) if given.check else scale
        print(table_text(game.name, game.players, scale) if given.dry else
              f"written to {write(game, scale, scale.strengths[-1].iterations)}")
    except SfidaError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
