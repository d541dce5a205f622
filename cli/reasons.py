"""What agents expected of a game that is over."""

from __future__ import annotations

from collections.abc import Iterable

from sfida.ai.story import Step
from sfida.cli import show
from sfida.cli.output import percent
from sfida.cli.text import Text, sentence
from sfida.engines.game import Game
from sfida.engines.language import _


def expectations(game: Game, steps: Iterable[Step]) -> list[Text]:
    """Return for each seat that searched what it expected to win: at first, half way and at last."""
    found: dict[int, list[float]] = {}
    for step in steps:
        if step.analysis is not None and step.analysis.iterations and step.analysis.best.value is not None:
            found.setdefault(step.seat, []).append(step.analysis.best.value)
    lines = []
    for seat, values in sorted(found.items()):
        said = (_("{seat} expected to win {first} at first, {half} half way, {last} at last") if len(values) > 2 else
                _("{seat} expected to win {last}"))
        lines.append(sentence(said, seat=show.seat_text(game, seat), first=percent(values[0]),
                              half=percent(values[len(values) // 2]), last=percent(values[-1])))
    return lines
