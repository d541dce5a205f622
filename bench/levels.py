"""The levels of a game: fitted, checked, and written to the data file that comes with Sfida."""

from __future__ import annotations

import datetime
import itertools
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import numpy as np

from bench import EVERY, command, folder_of, refused
from sfida.ai.advice import compare
from sfida.ai.chance import decision_seed, tuning_seed
from sfida.ai.external.protocol import sfida_version
from sfida.ai.ismcts import IsmctsAgent
from sfida.ai.levels.agent import level_text
from sfida.ai.levels.fitting import Z95, Duel, FittingEffort, RatingCurve, duel, fit, largest_budget, match, spec_of
from sfida.ai.levels.person_rating import Result, fitting_level
from sfida.ai.levels.scale import (
    FILE, LEVELS, InvalidLevels, LevelStep, Scale, ScaleFit, Strength, at, ladder, place_of, scale_of, table_text,
    usual_cutoff, written
)
from sfida.ai.research.profiling import signature
from sfida.ai.search import IsmctsOptions
from sfida.ai.table import Table, play, take_seats
from sfida.cython_ext.errors import SfidaError
from sfida.engines.data_files import load_toml, wrong_table
from sfida.engines.game import Game
from sfida.engines.registry import make_game
from sfida.engines.spec import shown

SECONDS = 2.0
SEASON = 34                             # games
SETTLED = 14                            # games after which the level should fit the person
NEAR = 25.0                             # Elo by which a step may differ from its nominal size
EDGES = (0.0, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12, 0.2, 0.35, 1.0)
WIDE = 50                               # characters of the longest bar


@command
def levels(game: str | None = None, *,
           check: Annotated[bool, "play the levels in the data file"] = False,
           steps: Annotated[Sequence[Path], "data files: fit also to their steps that --check played, if the game is "
                            "still the same"] = (),
           losses: Annotated[bool, "what decisions of a level give away"] = False,
           follow: Annotated[str | None, "agent that plays seasons of such a person against level:auto"] = None,
           seasons: Annotated[int, f"for --follow, of {SEASON} games each"] = 6,
           budgets: Annotated[bool, "measure those of all games, for levels not yet fitted"] = False,
           level: Annotated[str, "for --losses"] = "3",
           judge: Annotated[int, "iterations that judge a decision, for --losses"] = 2000,
           decisions: Annotated[int, "for --losses"] = 400,
           games: Annotated[int, "--games", "of a match, at most"] = 400,
           least: Annotated[int, "of a match, at least"] = 40,
           work: Annotated[int, "iterations times games of a match"] = 100_000,
           dearest: Annotated[int, "most iterations that are played"] = 2000,
           seconds: Annotated[float, "a decision of level 10"] = SECONDS,
           top: Annotated[int | None, "iterations of level 10, instead of --seconds"] = None,
           seed: int = 20264, jobs: int = 1, store: Path | None = None,
           dry: Annotated[bool, "print the table instead of writing the data file"] = False) -> None:
    """Fit the levels of a game, in Elo, or check and show them. A fit takes hours, --losses and --follow minutes.

    levels carcassonne:players=4 --store DIR             fits its levels; the same call continues
    levels carcassonne:players=4 --store DIR --check     plays each level against the one below
    levels carcassonne:players=4 --store DIR --top 150000 --steps FILE    fits, also to a check
    levels carcassonne --losses                          what a decision of level 3 gives away, as a histogram
    levels carcassonne --follow level:3                  a person as strong as level 3 against level:auto
    levels --budgets                                     level 10 of the games that are not fitted

    The fit plays neighbouring rungs of a ladder of strengths (`ai/levels/scale.py`), draws the rating along it without
    the luck of the games, puts level 10 on the highest rung and the others 100 Elo apart below it; then it plays
    neighbouring levels and fits again to all matches. Rungs above --dearest iterations are not played but extrapolated.
    The number of games of a match is --games where they are cheap, less where they are dear: --work divided by the
    iterations, but --least. All matches lie in --store, and what is there is not played again. Times do not matter to
    the result, except for the budget of level 10, which is as many iterations as take --seconds on this machine, unless
    --top gives it.
    """
    if budgets:
        write_budgets(seconds, seed)
        return
    if game is None:
        raise refused("name a game")
    made = make_game(game)
    if losses:
        show_losses(made, level, judge, decisions, seed)
        return
    if follow:
        show_seasons(made, follow, seasons, SEASON, seed)
        return
    with folder_of(store) as folder:
        plays = Plays(made, FittingEffort(games, least, work, dearest), seed, jobs, folder)
        scale = scale_of(made) if check else fitted(plays, top or kept_top(made, folder, seconds, seed), steps)
        if scale.fit is None:
            raise refused(f"no levels of '{made.spec()}' are in the data file: fit them first")
        scale = checked(plays, scale) if check else scale
    print(table_text(made.name, made.players, scale) if dry else
          f"written to {write(made, scale, scale.strengths[-1].iterations)}")


# ---- fitting and checking -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plays:
    """The settings for the matches of a game, and the folder of their stores."""

    game: Game
    effort: FittingEffort
    seed: int
    jobs: int
    folder: Path


def fitted(plays: Plays, top: int, steps: Sequence[Path]) -> Scale:
    """Fit the levels of a game and return them."""
    rungs = ladder(top, usual_cutoff(plays.game))
    duels = [duel for path in steps for duel in known_duels(plays.game, path, rungs)]
    for high in range(1, len(rungs)):
        duels += played(plays, rungs, high - 1.0, float(high))
    curve = fit(duels, len(rungs))
    places = curve.levels()
    for low, high in itertools.pairwise(places):
        duels += played(plays, rungs, low, high)
    curve = fit(duels, len(rungs))
    places = curve.levels()
    games = sum(one.games for one in duels)
    return scale_from(curve, places, rungs, games, signature(plays.game))


def known_duels(game: Game, path: Path, rungs: tuple[Strength, ...]) -> list[Duel]:
    """Return the steps that a data file of levels has as played, as matches between places of a ladder.

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


def played(plays: Plays, rungs: tuple[Strength, ...], low: float, high: float) -> Iterator[Duel]:
    """Play the match between two places, unless it is too expensive or they do not differ; yield its result."""
    strong, weak = at(rungs, high), at(rungs, low)
    games = plays.effort.of(strong)
    if not games or strong == weak:
        return
    found = duel(plays.game, rungs, low, high, games, plays.seed, plays.folder, plays.jobs)
    print(f"{spec_of(strong):58} {spec_of(weak):58} {found.games:5} games  {found.elo:+5.0f} "
          f"[{found.elo - Z95 * found.error:+5.0f} {found.elo + Z95 * found.error:+5.0f}]", flush=True)
    yield found


def scale_from(curve: RatingCurve, places: tuple[float, ...], rungs: tuple[Strength, ...], games: int,
               played_by: str) -> Scale:
    """Return the levels at places of a ladder."""
    ratings = [curve.rating(place) for place in places]
    steps = tuple(curve.step(low, high) for low, high in itertools.pairwise(places))
    found = ScaleFit(datetime.date.today(), sfida_version(), games, float(curve.rises.sum()), steps,
                     played_by)
    return Scale(tuple(at(rungs, place) for place in places), tuple(rating - ratings[0] for rating in ratings), found)


def checked(plays: Plays, scale: Scale) -> Scale:
    """Play each level against the one below, on luck new to the fit; return the levels with these steps."""
    assert scale.fit is not None
    steps, wanted = list(scale.fit.steps), scale.ratings[-1] / (LEVELS - 1)
    for number in range(2, LEVELS + 1):
        games = plays.effort.of(scale.strengths[number - 1])
        if not games:
            print(f"level {number:2} : {number - 1:2}  too dear: {scale.strengths[number - 1].iterations} iterations")
            continue
        elo, error, count = match(plays.game, *(spec_of(scale.strengths[level - 1]) for level in (number, number - 1)),
                                  games, plays.seed + 1, plays.folder, plays.jobs)
        steps[number - 2] = LevelStep(count, elo, elo - Z95 * error, elo + Z95 * error)
        far = max(0.0, abs(elo - wanted) - NEAR) / error
        print(f"level {number:2} : {number - 1:2}  {count:5} games  {elo:+5.0f} [{elo - Z95 * error:+5.0f} "
              f"{elo + Z95 * error:+5.0f}]  {'as it should be' if not far else 'within chance' if far < 2 else 'OFF'}",
              flush=True)
    return replace(scale, fit=replace(scale.fit, steps=tuple(steps)))


def kept_top(game: Game, folder: Path, seconds: float, seed: int) -> int:
    """Return the budget of level 10, measured once per store."""
    path = folder / f"top-{game.name}-{game.players}.txt"
    if not path.is_file():
        path.write_text(f"{largest_budget(game, seconds, seed)}\n", encoding="utf-8")
    return int(path.read_text(encoding="utf-8"))


def write(game: Game, scale: Scale | None, budget: int) -> Path:
    """Write the levels of a game, if any, and its budget to the file of its package, in place of the old ones."""
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
    """Measure the iterations of a level-10 decision in all board games, for levels that are not fitted."""
    for spec in EVERY:
        game = make_game(spec)
        fit = scale_of(game)
        count = fit.strengths[-1].iterations if fit.fit is not None else largest_budget(game, seconds, seed)
        print(f"{spec:28} {count:8}  {write(game, None, count)}", flush=True)


# ---- losses and seasons ---------------------------------------------------------------------------------


def losses_of(game: Game, level: str, iterations: int, decisions: int, seed: int) -> list[float]:
    """Return the loss in win share of a given number of decisions with a choice, in games of a level against itself."""
    judge = IsmctsAgent(IsmctsOptions(iterations=iterations), seed)
    found: list[float] = []
    number = 0
    while len(found) < decisions:
        table = Table(game, take_seats(game, [f"level:{level}"] * game.players), seed + number)
        table.begin()
        number += 1
        while not table.is_over and len(found) < decisions:
            state, seat = table.state, int(table.state.to_move)
            code = table.next_move()
            if seat >= 0 and len(state.legal_moves()) > 1:
                judge.new_game()
                judge.seed = decision_seed(seed + number, seat, len(table.events))
                found.append(max(0.0, compare(judge, state.view(seat), code).loss))
            table.play(code)
    return found


def show_losses(game: Game, level: str, iterations: int, decisions: int, seed: int) -> None:
    """Print the histogram."""
    found = np.array(losses_of(game, level, iterations, decisions, seed))
    print(f"{game.spec()}, level {level}: loss in win share of {len(found)} decisions, judged by {iterations} "
          f"iterations\nmean {found.mean():.4f}, median {np.median(found):.4f}, 90 % below "
          f"{np.quantile(found, 0.9):.4f}, largest {found.max():.3f}")
    counts = [int(((found > low) & (found <= high)).sum()) for low, high in itertools.pairwise(EDGES)]
    rows = [("none", int((found == 0).sum()))]
    rows += [(f"{low:g} to {high:g}", count) for low, high, count in zip(EDGES, EDGES[1:], counts, strict=False)]
    most = max(count for _, count in rows)
    for name, count in rows:
        print(f"{name:>14} {count:5}  {'#' * round(WIDE * count / most)}".rstrip())


def season(game: Game, person: str, games: int, seed: int) -> list[Result]:
    """Play the games of one person, on each seat in turn, against the level that adapts to the person."""
    scale = scale_of(game)
    results: list[Result] = []
    for number in range(games):
        level = fitting_level(results, scale)
        agents = [f"level:{level_text(level)}"] * game.players
        agents[number % game.players] = person
        record = play(game, agents, tuning_seed(seed, number, 0))
        assert record.result is not None
        results.append(Result(level, game.players, record.result.utilities[number % game.players]))
    return results


def show_seasons(game: Game, person: str, seasons: int, games: int, seed: int) -> None:
    """Print the win shares of a person from the fifteenth game on, and the levels of the opponents."""
    played = [season(game, person, games, seed + number) for number in range(seasons)]
    shares = np.array([[each.share for each in one[SETTLED:]] for one in played])
    levels = np.array([[each.level for each in one[SETTLED:]] for one in played])
    error = shares.std() / np.sqrt(shares.size)
    print(f"{game.spec()}, {person} against level:auto, {seasons} seasons of {games} games: from game {SETTLED + 1} on "
          f"{100 * shares.mean():.1f} % ± {196 * error:.1f} of wins, met level {levels.mean():.1f} "
          f"[{levels.min():g} to {levels.max():g}]")
