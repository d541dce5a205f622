"""Plays the games of a study on several processes, and draws the result as an SVG picture.

It uses a confidence sequence for a mean by Robbins' normal mixture, with the observed variance (Waudby-Smith and
others, 2021, arXiv 2103.06476): in 95 % of all cases the true mean lies within all intervals, for every length of the
series. So the study may check as often as it likes, and stop at the first interval without 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np

from sfida.ai.arena.bootstrap import Floats, Tally
from sfida.ai.arena.store import Store, is_vacant
from sfida.ai.arena.tournament import Tournament, TournamentProgress
from sfida.ai.registry import agent as make_agent
from sfida.ai.report.material import Cell, csv_text
from sfida.ai.research.study.study import ALL, GRID, PARTS, SURE, Estimate, Study, check_luck, study_of
from sfida.ai.seat import Seat
from sfida.cython_ext.errors import InvalidOption, InvalidRecord
from sfida.engines.drawing.svg import add, new_sheet, num, say, write
from sfida.engines.game import Game
from sfida.engines.registry import make_game
from sfida.engines.spec import by_contents, changes, contents_of, quoted, shown

# ---- Whether the difference between two games is clear, by an interval that is valid at every moment of a series

FEWEST = 30             # blocks before which nothing is clear: the observed variance is too uncertain
ALPHA = 0.05
_TIGHTEST = 100         # number of blocks for which the interval is tightest


def first_shares(tally: Tally) -> Floats:
    """Return the first seat's win share in each block beyond an even share, luck-adjusted if luck was measured.

    Blocks with forfeits are NaN: they do not count in a comparison.
    """
    fair = tally.adjusted() if tally.luck is not None else tally
    shares = fair.utility.reshape(tally.blocks, -1, tally.agent.shape[1])[:, :, 0]
    return np.where(tally.forfeited, np.nan, shares.mean(axis=1) - 1 / tally.agent.shape[1])


def is_clear(differences: Floats, comparisons: int = 1) -> bool:
    """Return whether the mean of differences, one for each block, is certainly not 0.

    Parameters
    ----------
    differences : float array of shape (blocks,)
        NaN: the block does not count.
    comparisons : int
        Number of such tests made together (Bonferroni).
    """
    differences = differences[~np.isnan(differences)]
    count = len(differences)
    if count < FEWEST:
        return False
    return abs(float(differences.mean())) > half_width(count, float(differences.std(ddof=1)), ALPHA / comparisons)


def half_width(count: int, deviation: float, alpha: float = ALPHA) -> float:
    """Return half the width of the interval after `count` blocks of the given standard deviation."""
    wanted = math.log(1 / alpha ** 2)
    mixing = (wanted + math.log(wanted) + 1) / _TIGHTEST
    spread = count * mixing + 1
    return deviation * math.sqrt(2 * spread / (count ** 2 * mixing) * math.log(math.sqrt(spread) / alpha))


# ---- The games of a study: one game, or one for each value of an option


@dataclass(frozen=True)
class Variant:
    """A game of a study.

    Attributes
    ----------
    name : str
        Name such as "preset=second"; "" if there is only one variant.
    game : Game
    """

    name: str
    game: Game

    def store(self, path: Path) -> Path:
        """Return the file of its games for a study at `path`: games.sfida, games.preset-second.sfida."""
        if not self.name:
            return path
        return path.with_name(f"{path.stem}.{self.name.replace('=', '-')}{path.suffix}")


def variants_of(game: str | Game, vary: str | None) -> list[Variant]:
    """Return the games of a study.

    Parameters
    ----------
    game : str or Game
    vary : str or None
        ``OPTION=A,B`` with two values or more; the others are compared with the first.

    Raises
    ------
    UnknownGame, InvalidOption
    """
    if vary is None:
        return [Variant("", make_game(game))]
    option, equals, values = (part.strip() for part in vary.partition("="))
    listed = [value.strip() for value in values.split(",")]
    if not option or not equals or len(listed) < 2 or not all(listed):
        raise InvalidOption(f"{quoted(vary)} does not say what to vary; right would be OPTION=A,B with two values or "
                            "more")
    found = [Variant(f"{option}={value}", make_game(game, **{option: value})) for value in listed]
    _check_different(found, option)
    return found


def _check_different(variants: Sequence[Variant], option: str) -> None:
    if len({variant.game.spec() for variant in variants}) < len(variants):
        raise InvalidOption(f"two values of '{option}' give the same game")


# ---- Playing the games of a study as tournaments, and studying their stores

AGENTS = ("ismcts:iterations=200", "ismcts:iterations=200", "greedy", "greedy")     # two unequal pairs of equal agents
GAMES = 120
_GROWTH = 1.25          # growth of the number of blocks between two checks of a difference


@dataclass(frozen=True)
class StudyPlan:
    """The games of a study.

    Attributes
    ----------
    variants : sequence of Variant
    agents : tuple of str
    games : int
        Most games of each variant.
    seed : int
    until_clear : bool
        Whether to stop as soon as the effect of each value on the first seat's share is clear.
    """

    variants: Sequence[Variant]
    agents: tuple[str, ...]
    games: int
    seed: int
    until_clear: bool = False

    def tournament(self, variant: Variant, games: int) -> Tournament:
        """Return the tournament of a variant; raises InvalidOption if the game has no chance events."""
        check_luck(variant.game)
        return Tournament(variant.game, self.agents, games, self.seed, adjusted=True)


def play(plan: StudyPlan, store: Path, *, jobs: int = 1, resume: bool = False,
         on_progress: Callable[[TournamentProgress], object] | None = None) -> bool:
    """Play the missing games; return whether the run stopped early because all differences are clear.

    Parameters
    ----------
    plan : StudyPlan
    store : Path
        Path of the stores of the variants, see `Variant.store`.
    jobs, resume, on_progress
        As for `Tournament.run`.
    """
    paths = [variant.store(store) for variant in plan.variants]
    for variant in plan.variants:
        plan.tournament(variant, plan.games)            # refuses an unsuitable plan before any game is played
    held = [_held(path) if resume else 0 for path in paths]
    blocks = float(FEWEST) if plan.until_clear else float("inf")
    while True:
        whole = True
        for number, (variant, path) in enumerate(zip(plan.variants, paths, strict=True)):
            games = max(int(min(plan.games, blocks * variant.game.players)), held[number])
            whole = whole and games >= plan.games
            plan.tournament(variant, games).run(path, jobs=jobs, resume=resume, on_progress=on_progress)
        if whole or (plan.until_clear and all_clear(paths)):
            return not whole
        blocks, resume = _GROWTH * blocks, True


def all_clear(paths: Sequence[Path]) -> bool:
    """Return whether the first seat's share in the first store differs clearly from that in each of the others."""
    shares = []
    for path in paths:
        with Store.read(path, trust_agents=True) as held:
            shares.append(first_shares(Tally.of(held.outcomes(), held.setup.players)))
    count = min(map(len, shares))
    return all(is_clear(other[:count] - shares[0][:count], len(shares) - 1) for other in shares[1:])


def study_all(variants: Sequence[Variant], store: Path, agents: Sequence[str] = (), jobs: int = 1,
              on_progress: Callable[[int, int], object] | None = None) -> list[Study]:
    """Return the study of each variant from the games in its store; `on_progress` as for `study_of`.

    Raises
    ------
    InvalidRecord
        If a store holds another game or, if agents are named, other agents; see also `study_of`.
    """
    found = []
    for variant in variants:
        path = variant.store(store)
        with Store.read(path, trust_agents=True) as held:
            contents = contents_of(variant.game.options, *(Seat(make_agent(agent)).options for agent in agents))
            (game, players), there = held.setup.meaning, dict(held.setup.contents)
            if changed := changes(there, contents):
                raise InvalidRecord(f"{shown(path)}: {changed[0]}")
            if game != by_contents(variant.game.spec(), contents):
                raise InvalidRecord(f"{shown(path)}: holds games of '{held.setup.game}', not of "
                                    f"'{variant.game.spec()}'")
            if agents and players != by_contents(tuple(agents), contents):
                raise InvalidRecord(f"{shown(path)}: its agents are {', '.join(held.setup.agents)}, not "
                                    f"{', '.join(agents)}")
            found.append(study_of(held, variant.game, jobs, on_progress))
    return found


def _held(path: Path) -> int:
    """Return the planned number of games of the tournament in a store; 0 if there is none."""
    if is_vacant(path):
        return 0
    with Store.read(path, trust_agents=True) as held:
        return held.setup.games


# ---- The differences between two variants of a game

COMPARED = ("first", *PARTS, "turns", "changes", "led", "sure")


def differences(study: Study, other: Study) -> dict[str, Estimate]:
    """Return the figures of a study minus those of another, by the names in `COMPARED`; `first` is the first seat's
    win share beyond an even one.
    """
    keys = {"first": "seat 0", **{part: f"{part} of {ALL}" for part in PARTS}}
    return {name: study.figures[keys.get(name, name)] - other.figures[keys.get(name, name)] for name in COMPARED}


# ---- Studies as CSV: one line per figure

_HEADS = ("variant", "figure", "lineup", "agent", "seat", "games", "value", "low", "high")


def csv_of(studies: Iterable[tuple[str, Study]]) -> str:
    """Return the figures of studies, each with the name of its variant, as one table (RFC 4180)."""
    return csv_text(_HEADS, (row for name, study in studies for row in _rows(name, study)))


def _rows(name: str, study: Study) -> Iterator[Sequence[Cell]]:
    for lineup, games in {ALL: study.games, **study.lineups}.items():
        for part in PARTS:
            found = study.figures[f"{part} of {lineup}"]
            yield name, part, lineup, None, None, games, found.value, found.low, found.high
    for seat in range(len(study.seats)):
        found = study.figures[f"seat {seat}"]
        yield name, "beyond even", ALL, None, seat, study.games, found.value, found.low, found.high
    yield (name, "elo", ALL, None, 0, study.games, *study.first_elo)
    for cell in study.cells:
        yield name, "win share", cell.lineup, cell.agent, cell.seat, cell.games, cell.share, *cell.ci95
    for what in ("turns", "changes", "led", "sure"):
        found = study.figures[what]
        yield name, what, ALL, None, None, study.games, found.value, found.low, found.high
    for what, shares in (("led", study.led), ("sure", study.sure)):
        for step, share in enumerate(shares):
            yield name, f"{what} by {step / GRID:g}", ALL, None, None, study.games, share, None, None
    for (reason, seat), games in study.ends.items():
        yield name, f"end {reason}", ALL, None, None if seat < 0 else seat, games, None, None, None


# ---- A study as a picture: the parts of the variance as stacked bars, and how early games are decided

_WIDE = 640.0
_LEFT, _RIGHT = 24.0, 616.0
_INK, _MUTED, _RULE, _PAPER = "#1c2024", "#5c6670", "#dde1e5", "#ffffff"
_FILLS = {"luck": "#2b7bba", "seat": "#8f6e3d", "skill": "#d9772b", "rest": "#c9ced4"}
_LETTERS = {"luck": "#ffffff", "seat": "#ffffff", "skill": "#ffffff", "rest": _INK}
_LINES = ("#2b7bba", "#c4148c", "#8f6e3d", "#10655f", "#701040", "#75808f")
_ROW, _BAR = 46.0, 22.0
_PLOT = 210.0           # height of the curves
_NARROWEST = 0.07       # least share of a bar with room for its number


def picture_of(studies: Sequence[tuple[str, Study]]) -> str:
    """Return an SVG of studies, each with the name of its variant: one bar each, or per line-up of a single study."""
    first = studies[0][1]
    sheet = new_sheet(f"Luck, seat and skill in {first.title}", _WIDE, int(_WIDE), _PAPER)
    root = sheet.root
    say(root, _LEFT, 34, f"{first.title}: what decides a game", 18, fill=_INK, bold=True)
    y = _legend(root, 58)
    rows = [(name or "all games", study, ALL) for name, study in studies]
    if len(studies) == 1 and len(first.lineups) > 1:
        rows += [(lineup, first, lineup) for lineup in first.lineups]
    for name, study, lineup in rows:
        _bar(root, y, name, study, lineup)
        y += _ROW
    say(root, _LEFT, y + 6, "Shares of the variance of results. Luck: what the value function sees, at least.", 11,
        fill=_MUTED)
    y = _curves(root, y + 40, studies)
    return write(sheet, y, {"symbols": ""})


def _legend(root: ET.Element, y: float) -> float:
    x = _LEFT
    for part in PARTS:
        add(root, "rect", x=x, y=y - 10, width=12.0, height=12.0, fill=_FILLS[part])
        say(root, x + 18, y, part, 12, fill=_INK)
        x += 76
    return y + 30


def _bar(root: ET.Element, y: float, name: str, study: Study, lineup: str) -> None:
    games = study.games if lineup == ALL else study.lineups[lineup]
    say(root, _LEFT, y, name, 12, fill=_INK)
    say(root, _RIGHT, y, f"{games} games", 11, fill=_MUTED, anchor="end")
    found = {part: study.figures[f"{part} of {lineup}"].value for part in PARTS}
    shown = {part: max(value, 0.0) if math.isfinite(value) else 0.0 for part, value in found.items()}
    whole, x = sum(shown.values()), _LEFT
    for part, value in shown.items():
        width = (_RIGHT - _LEFT) * value / whole if whole > 0 else 0.0
        add(root, "rect", x=x, y=y + 7, width=width, height=_BAR, fill=_FILLS[part])
        if whole > 0 and value / whole >= _NARROWEST:
            say(root, x + width / 2, y + 7 + _BAR / 2 + 4, f"{100 * found[part]:.0f} %", 11, fill=_LETTERS[part],
                anchor="middle")
        x += width


def _curves(root: ET.Element, y: float, studies: Sequence[tuple[str, Study]]) -> float:
    """Draw the share of the games that are decided by each share of their turns."""
    say(root, _LEFT, y, "How early games are decided", 14, fill=_INK, bold=True)
    left, _top, bottom = _LEFT + 40, y + 18, y + 18 + _PLOT
    for step in range(5):
        level = bottom - step / 4 * _PLOT
        add(root, "line", x1=left, y1=level, x2=_RIGHT, y2=level, stroke=_RULE)
        say(root, left - 8, level + 4, f"{25 * step} %", 11, fill=_MUTED, anchor="end")
        say(root, left + step / 4 * (_RIGHT - left), bottom + 18, f"{25 * step} %", 11, fill=_MUTED, anchor="middle")
    say(root, (left + _RIGHT) / 2, bottom + 36, "of the turns of a game", 11, fill=_MUTED, anchor="middle")
    y = bottom + 60
    for number, (name, study) in enumerate(studies):
        ink = _LINES[number % len(_LINES)]
        for shares, dashes, told in ((study.led, None, "the winner leads to the end"),
                                     (study.sure, "6 4", f"the winner stays above {100 * SURE:.0f} %")):
            points = " ".join(f"{num(left + step / GRID * (_RIGHT - left))},{num(bottom - share * _PLOT)}"
                              for step, share in enumerate(shares))
            add(root, "polyline", points=points, fill="none", stroke=ink, stroke_width=2.0, stroke_dasharray=dashes)
            add(root, "line", x1=left, y1=y - 4, x2=left + 30, y2=y - 4, stroke=ink, stroke_width=2.0,
                stroke_dasharray=dashes)
            say(root, left + 38, y, f"{name}: {told}" if name else told, 11, fill=_INK)
            y += 18
    return y + 6
