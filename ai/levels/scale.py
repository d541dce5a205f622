"""The ten levels of a game: their strengths and their places on the rating scale."""

from __future__ import annotations

import datetime
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.search.parameters import option
from sfida.engines.data_files import tables_beside, wrong_table
from sfida.engines.game import Game
from sfida.engines.language import N_
from sfida.engines.spec import options_from, quoted

# ---- The strength of a level: a few parameters, each of which may lie between those of two levels

_STRENGTH_MANY = 64                              # number of moves that replaces "all" in interpolations


@dataclass(frozen=True)
class Strength:
    """The moves that a player considers at a decision, and the quality of their evaluation.

    The defaults describe a search that errs only because its budget is finite.
    """

    iterations: int = option(1000, "iterations per decision", low=1, high=1_000_000_000)
    sight: int | None = option(None, "moves of a decision that are looked at, drawn by the game's priors; the "
                               "likeliest one is always among them", unset="all", low=1, high=100_000)
    misjudge: float = option(0.0, "standard deviation of the error in the value of each of them", unit="log odds",
                             low=0.0, high=20.0)
    depth: int | None = option(None, "turns that a playout looks ahead, if the game can evaluate positions",
                               unset="game's", low=0, high=10_000)

    @property
    def is_whole(self) -> bool:
        """Whether every move is considered and has the value that the search finds."""
        return self.sight is None and self.misjudge == 0.0


def between(low: Strength, high: Strength, share: float) -> Strength:
    """Return the strength that lies at `share`, 0 to 1, of the way from one to the next.

    Numbers that multiply the work or the moves are interpolated on a logarithmic scale, errors on a linear one.
    """
    if share <= 0.0 or low == high:
        return low
    if share >= 1.0:
        return high
    sight = None
    if low.sight is not None or high.sight is not None:
        sight = round(_geometric(low.sight or _STRENGTH_MANY, high.sight or _STRENGTH_MANY, share))
    if low.depth is not None and high.depth is not None:
        depth: int | None = round((1 - share) * low.depth + share * high.depth)
    else:
        depth = low.depth if share < 0.5 else high.depth
    return Strength(iterations=round(_geometric(low.iterations, high.iterations, share)), sight=sight,
                    misjudge=round((1 - share) * low.misjudge + share * high.misjudge, 3), depth=depth)


def _geometric(low: float, high: float, share: float) -> float:
    return float(low ** (1 - share) * high ** share)


# ---- The ladder of strengths from which a game's levels are chosen

# The levels in words: a name, and for whom it is.
NAMES: tuple[tuple[str, str], ...] = (
    (N_("Beginner"), N_("loses even to beginners")),
    (N_("Learner"), N_("overlooks a lot")),
    (N_("Casual player"), N_("right for a first game")),
    (N_("Regular"), N_("a fair opponent after a few games")),
    (N_("Practised player"), N_("if you know the game")),
    (N_("Club player"), N_("if you know the game well")),
    (N_("Strong player"), N_("overlooks little and punishes mistakes")),
    (N_("Expert"), N_("considers every move")),
    (N_("Champion"), N_("errs rarely")),
    (N_("Master"), N_("the strongest, at about two seconds a move")))
LEVELS = len(NAMES)
ERRING = 7                             # rungs of the ladder on which players overlook and misjudge moves
_FIRST = 8                              # iterations of the lowest rung
_MOSTERRING = 500                      # most iterations of the lowest rung without these errors,
_OF_TOP = 8                             # and largest budget divided by this
_MISJUDGE, _SLIGHT = 2.0, 0.1           # log odds on the lowest rung, and where misjudgement ceases to matter
_HALVINGS = 40                          # steps of the bisection
_FEWEST, _MANY = 6, 64                  # moves considered on the lowest rung, and where they are all moves


def ladder(top: int, cutoff: int | None = None) -> tuple[Strength, ...]:
    """Return the rungs, weakest first.

    On the lower rungs everything grows together: iterations, moves considered, depth of playouts and judgement. From
    there on only the iterations grow, doubling from rung to rung until `top`.

    Parameters
    ----------
    top : int
        Iterations of the highest rung, at least 1.
    cutoff : int, optional
        Turns that a playout of the game looks ahead by default; None, or below 1: playouts are not cut off.
    """
    clear = max(1, min(_MOSTERRING, top // _OF_TOP))
    first = min(_FIRST, clear)
    rungs = []
    for step in range(ERRING):
        share = step / ERRING
        rungs.append(Strength(
            iterations=round(first * (clear / first) ** share), sight=round(_FEWEST * (_MANY / _FEWEST) ** share),
            misjudge=round(_MISJUDGE * (_SLIGHT / _MISJUDGE) ** share, 3),
            depth=None if cutoff is None or cutoff < 1 else max(1, round(cutoff * share))))
    doublings = max(1, round(math.log2(top / clear)))
    rungs += [Strength(iterations=round(clear * (top / clear) ** (step / doublings))) for step in range(doublings + 1)]
    return tuple(rungs)


def at(rungs: Sequence[Strength], place: float) -> Strength:
    """Return the strength at a place on a ladder, 0 for its first rung; between two rungs one in between."""
    below = min(max(int(place), 0), len(rungs) - 2)
    return between(rungs[below], rungs[below + 1], place - below)


def place_of(rungs: Sequence[Strength], strength: Strength) -> float:
    """Return the place of a strength on its ladder, as exactly as its rounded numbers allow.

    The amount of misjudgement decides or, without misjudgement, the number of iterations.
    """
    low, high = 0.0, float(len(rungs) - 1)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        there = at(rungs, middle)
        weaker = (there.misjudge > strength.misjudge if strength.misjudge
                  else there.misjudge > 0.0 or there.iterations < strength.iterations)
        low, high = (middle, high) if weaker else (low, middle)
    return high


# ---- The ten levels of a game: their strengths and their places on the rating scale

FILE = "levels.toml"                    # in the game's package
STEP = 100.0                            # Elo between two levels, if the whole ladder of the game has room for it
UNFITTED_TOP = 2000                     # iterations of level 10 if the speed of the game is not known


class InvalidLevels(SfidaError):
    """A table of levels is wrong; the message names the file and the error."""


@dataclass(frozen=True)
class LevelStep:
    """The lead of a level over the one below, from games between the two, luck-adjusted if luck was measured.

    Attributes
    ----------
    games : int
        Number of games; 0: the two have not met, and the figures come from the ladder between them.
    elo, low, high : float
        Lead with its 95 % interval; in the rating scale of seats if there are more than two.
    extrapolated : bool
        Whether part of the ladder between them is too expensive to measure, and was extrapolated from the effect of
        earlier doublings of the iterations.
    """

    games: int
    elo: float
    low: float
    high: float
    extrapolated: bool = False


@dataclass(frozen=True)
class ScaleFit:
    """The measurement of the levels of a game.

    Attributes
    ----------
    date : datetime.date
    version : str
        Version of Sfida.
    games : int
        Number of all games played.
    span : float
        Elo between the lowest and the highest rung of the ladder.
    steps : tuple of LevelStep
        Leads of levels 2 to 10 over the one below.
    signature : str
        Signature of the game, by ``sfida bench --signature``; "" in files that older versions wrote.
    """

    date: datetime.date
    version: str
    games: int
    span: float
    steps: tuple[LevelStep, ...]
    signature: str = ""


@dataclass(frozen=True)
class Scale:
    """The levels of a game with a number of players.

    Attributes
    ----------
    strengths : tuple of Strength
        Strengths of levels 1 to 10.
    ratings : tuple of float
        Elo of levels 1 to 10; level 1 has 0.
    fit : ScaleFit or None
        None: not measured; a general formula with steps that are assumed to be equal.
    """

    strengths: tuple[Strength, ...]
    ratings: tuple[float, ...]
    fit: ScaleFit | None = None

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> Scale:
        """Return the scale in a table of the file; raises KeyError for a missing field, else ValueError or similar."""
        rows = table["levels"]
        if not isinstance(table["game"], str) or type(table["players"]) is not int or len(rows) != LEVELS:
            raise ValueError(f"a table needs 'game', 'players' and {LEVELS} 'levels'")
        known = [field.name for field in fields(Strength)]
        strengths = tuple(options_from(Strength, {name: row[name] for name in known if name in row}, "a level")
                          for row in rows)
        ratings = tuple(float(row["elo"]) for row in rows)
        if not all(low < high for low, high in itertools.pairwise(ratings)):
            raise ValueError("the ratings of the levels must rise")
        steps = tuple(LevelStep(int(row["games"]), float(row["step"]), float(row["low"]), float(row["high"]),
                                bool(row.get("extrapolated", False))) for row in rows[1:])
        if not isinstance(table["date"], datetime.date):
            raise ValueError("'date' must be a date")
        return cls(strengths, ratings, ScaleFit(table["date"], str(table["version"]), int(table["games"]),
                                                float(table["span"]), steps, str(table.get("signature", ""))))

    def strength(self, level: float) -> Strength:
        """Return the strength of a level, 1 to 10; fractions lie between two levels."""
        below = min(max(int(level), 1), LEVELS - 1)
        return between(self.strengths[below - 1], self.strengths[below], level - below)

    def rating(self, level: float) -> float:
        """Return the rating of a level in Elo above level 1."""
        below = min(max(int(level), 1), LEVELS - 1)
        low, high = self.ratings[below - 1], self.ratings[below]
        return low + (level - below) * (high - low)

    def level(self, rating: float) -> float:
        """Return the level with a rating, 1 to 10."""
        for below in range(1, LEVELS):
            low, high = self.ratings[below - 1], self.ratings[below]
            if rating < high:
                return below + max(0.0, rating - low) / (high - low)
        return float(LEVELS)


def scale_of(game: Game) -> Scale:
    """Return the levels of a game with its number of players.

    The file `levels.toml` of the game's package holds them; options other than the number of players are assumed to
    matter little. Where the file has no levels, a formula gives them.

    Raises
    ------
    InvalidLevels
        If the file is wrong.
    """
    for table in _tables(type(game), "table"):
        if (table["game"], table["players"]) == (game.name, game.players):
            return Scale.of(table)
    rungs = ladder(known_budget(game) or UNFITTED_TOP, usual_cutoff(game))
    places = [(len(rungs) - 1) * level / (LEVELS - 1) for level in range(LEVELS)]
    return Scale(tuple(at(rungs, place) for place in places), tuple(STEP * level for level in range(LEVELS)))


def known_budget(game: Game) -> int | None:
    """Return the iterations that take two seconds in a game, from its `levels.toml`; None if it does not say."""
    found = [one["iterations"] for one in _tables(type(game), "budget")
             if (one["game"], one["players"]) == (game.name, game.players)]
    return found[0] if found else None


def usual_cutoff(game: Game) -> int | None:
    """Return the turns that a playout of a game looks ahead by default; None: to the end."""
    state = game.initial_state()
    cutoff = game.search_settings(state.knowledge).get("cutoff", -1) if state.has_evaluation else -1
    return None if cutoff < 0 else int(cutoff)


# ---- the file -------------------------------------------------------------------------------------------


def _tables(cls: type, key: str) -> list[dict[str, Any]]:
    try:
        tables = tables_beside(cls, FILE, key)
        for table in tables:
            if key == "table":
                Scale.of(table)
            elif type(table["iterations"]) is not int or table["iterations"] < 1 or table["players"] < 2:
                raise ValueError(f"a budget needs 'game', 'players' and 'iterations', not {quoted(table)}")
    except (ValueError, TypeError, KeyError, AttributeError, SfidaError) as error:
        raise InvalidLevels(f"{FILE} of {cls.__module__}: {wrong_table(error)}") from None
    return tables


def table_text(game: str, players: int, scale: Scale) -> str:
    """Return fitted levels as a table of a `levels.toml`."""
    fit = scale.fit
    assert fit is not None
    lines = ["[[table]]", f'game = "{game}"', f"players = {players}", f"date = {fit.date}",
             f'version = "{fit.version}"', f'signature = "{fit.signature}"', f"games = {fit.games}",
             f"span = {fit.span:.0f}", "levels = ["]
    for number, (strength, rating) in enumerate(zip(scale.strengths, scale.ratings, strict=True)):
        row = {name: value for name, value in asdict(strength).items() if value is not None} | {"elo": round(rating, 1)}
        if number:
            step = fit.steps[number - 1]
            row |= {"step": round(step.elo), "low": round(step.low), "high": round(step.high), "games": step.games}
            if step.extrapolated:
                row["extrapolated"] = True
        lines.append("    { " + ", ".join(f"{name} = {str(value).lower()}" for name, value in row.items()) + " },")
    return "\n".join([*lines, "]", ""])


def written(tables: Sequence[str], budgets: Mapping[tuple[str, int], int]) -> str:
    """Return a whole `levels.toml` from such tables and the two-second budgets by game and number of players."""
    lines = ["# The levels of the game, written by `python -m bench levels`: what each is made of, its rating in Elo, "
             "and its measured",
             "# lead over the level below with a 95 % interval. Budgets: iterations in two seconds of one core.", "",
             "budget = ["]
    lines += [f'    {{ game = "{game}", players = {players}, iterations = {count} }},'
              for (game, players), count in sorted(budgets.items())]
    return "\n".join([*lines, "]", "", *tables])
