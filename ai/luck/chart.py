"""Charts of dice and draws: what came in a game, and what was to be expected, as far as a viewer knows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState
from sfida.engines.drawing.svg import num
from sfida.engines.game import Game
from sfida.engines.language import _
from sfida.engines.narration import LuckCount
from sfida.engines.untrusted import JsonData

_FEW, _WORLDS = 3, 48   # possible worlds over which odds are averaged; the few suffice if all have the same odds
_BARS = 40              # a chart of more could not be read
_WIDE, _ROW, _LETTERS = 360.0, 22.0, 12.0       # width of a drawing, height of a row, size of letters
_LETTER, _MOST, _RIGHT = 6.6, 170.0, 66.0       # width of a letter; most width of the names; width of the numbers

LuckEvent = tuple[GameState, int, GameState]     # the whole state before a chance event, its outcome, the state after


@dataclass(frozen=True)
class LuckBar(JsonData):
    """One thing that chance can bring: its name, how often it came, the expectation, and the standard deviation."""

    words: str
    seen: float
    expected: float
    spread: float


@dataclass(frozen=True)
class LuckChart(JsonData):
    """A chart of one kind of dice or draws."""

    title: str
    bars: tuple[LuckBar, ...]

    @property
    def svg(self) -> str:
        """The drawing, as an SVG document whose colours are those of the page around it."""
        most = max(max(bar.seen, bar.expected + 2 * bar.spread) for bar in self.bars) or 1.0
        left = min(_MOST, 8 + _LETTER * max(len(bar.words) for bar in self.bars))
        unit = (_WIDE - left - _RIGHT) / most
        rows = "".join(_row(bar, place * _ROW, left, unit) for place, bar in enumerate(self.bars))
        said = "; ".join(_("{what}: {seen:g}, {expected:.1f} expected").format(
            what=bar.words, seen=bar.seen, expected=bar.expected) for bar in self.bars)
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {num(_WIDE)} {num(_ROW * len(self.bars))}" '
                f'role="img" font-size="{num(_LETTERS)}" fill="currentColor" '
                f'aria-label="{_escaped(f"{self.title}. {said}")}">{rows}</svg>')

    def to_json(self) -> dict[str, Any]:
        """Return title, bars and drawing, as pages show them."""
        return {**super().to_json(), "svg": self.svg}


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def _row(bar: LuckBar, top: float, left: float, unit: float) -> str:
    low, mark, high = (left + max(0.0, bar.expected + way * bar.spread) * unit for way in (-2, 0, 2))
    middle, below = top + _ROW / 2, top + _ROW / 2 + 4
    lines = "".join(f'<path class="mark" stroke="currentColor" stroke-width="1.5" d="{path}"/>' for path in (
        f"M{num(low)} {num(middle)}H{num(high)}", f"M{num(mark)} {num(top + 3)}V{num(top + _ROW - 3)}"))
    most = int(left / _LETTER)
    name = bar.words if len(bar.words) <= most else f"{bar.words[:most - 1]}…"
    return (f'<text x="{num(left - 6)}" y="{num(below)}" text-anchor="end">{_escaped(name)}</text>'
            f'<rect class="bar" fill-opacity=".4" x="{num(left)}" y="{num(top + 4)}" width="{num(bar.seen * unit)}" '
            f'height="{num(_ROW - 8)}"/>{lines}<text x="{num(_WIDE)}" y="{num(below)}" text-anchor="end">'
            f"{bar.seen:g} ({bar.expected:.1f})</text>")


def luck_charts(game: Game, events: Iterable[LuckEvent], viewer: int | None, *,
                everything: bool = False) -> list[LuckChart]:
    """Return the charts of the chance events of a game.

    Parameters
    ----------
    game : Game
    events : iterable of (before, outcome, after)
        Chance events with whole states; other events are left out.
    viewer : int or None
        The seat that reads the charts; None: a spectator. Draws that the viewer did not see are left out, and the odds
        of the others are those of a player with the viewer's knowledge.
    everything : bool
        Hide nothing: the game is over.
    """
    sums: dict[tuple[str, str], list[float]] = {}
    for before, outcome, after in events:
        if not before.is_chance or not game.luck_counts(before, outcome):
            continue
        if not everything:
            open_ = game.luck_is_public(before)         # a spectator knows the odds of nothing else
            if (viewer is None and not open_) or game.told_notation(before, outcome, after, viewer) != before.format(
                    outcome):
                continue
        odds = list(_odds(game, before, viewer, everything))
        for chart, what in dict.fromkeys((count.chart, count.what) for _p, counts in odds for count in counts):
            amounts = [(p, sum(count.amount for count in counts if (count.chart, count.what) == (chart, what)))
                       for p, counts in odds]
            mean = math.fsum(p * amount for p, amount in amounts)
            held = sums.setdefault((chart, what), [0.0, 0.0, 0.0])
            held[1] += mean
            held[2] += max(0.0, math.fsum(p * amount * amount for p, amount in amounts) - mean * mean)
        for count in game.luck_counts(before, outcome):
            sums.setdefault((count.chart, count.what), [0.0, 0.0, 0.0])[0] += count.amount
    found: dict[str, list[LuckBar]] = {}
    for (chart, what), (seen, expected, variance) in sums.items():
        found.setdefault(chart, []).append(LuckBar(what, seen, expected, math.sqrt(variance)))
    return [LuckChart(title, tuple(bars)) for title, bars in found.items() if len(bars) <= _BARS]


def _odds(game: Game, before: GameState, viewer: int | None,
          everything: bool) -> Iterator[tuple[float, Sequence[LuckCount]]]:
    """Yield what each outcome counts as, with its probability by the viewer's knowledge."""
    worlds = [before.chance_outcomes()]
    if viewer is not None and not everything and not game.luck_is_public(before):
        rng, view = Random(1), before.view(viewer)
        worlds = [view.sample(rng).chance_outcomes() for _number in range(_FEW)]
        worlds = worlds[:1] if all(odds == worlds[0] for odds in worlds) else [
            *worlds, *(view.sample(rng).chance_outcomes() for _number in range(_WORLDS - _FEW))]
    odds: dict[int, float] = {}
    for outcomes in worlds:
        total = sum(weight for _code, weight in outcomes) * len(worlds)
        for code, weight in outcomes:
            odds[code] = odds.get(code, 0.0) + weight / total
    for code, share in sorted(odds.items()):
        yield share, game.luck_counts(before, code)
