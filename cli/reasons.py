"""What agents expected of a game that is over."""

from __future__ import annotations

from collections.abc import Iterable

from sfida.ai.story import Step
from sfida.cli import show
from sfida.cli.output import percent
from sfida.cli.text import Text
from sfida.engines.game import Game


def expectations(game: Game, steps: Iterable[Step]) -> list[Text]:
    """Return for each seat that searched what it expected to win: at first, half way and at last."""
    found: dict[int, list[float]] = {}
    for step in steps:
        if step.analysis is not None and step.analysis.iterations:
            found.setdefault(step.seat, []).append(step.analysis.best.value)
    lines = []
    for seat, values in sorted(found.items()):
        told = [f"{percent(values[0])} at first", f"{percent(values[len(values) // 2])} half way",
                f"{percent(values[-1])} at last"]
        lines.append(show.seat_text(game, seat).append(
            f" expected to win {', '.join(told) if len(values) > 2 else percent(values[-1])}"))
    return lines
