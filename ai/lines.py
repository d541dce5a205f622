"""Expected lines with who plays what, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import GameState, View

_WORLD = 0x11E5                         # stream of further worlds
_TRIES = 100                            # worlds looked at for one in which the line can be played


@dataclass(frozen=True)
class Ply:
    """One event of a line.

    Attributes
    ----------
    seat : int
        Who moves; -1 for chance.
    move : str
        In notation.
    words : str
        For people.
    """

    seat: int
    move: str
    words: str

    def to_json(self) -> dict[str, Any]:
        """Return the event as JSON-able data."""
        return {"seat": self.seat, "move": self.move, "words": self.words}


@dataclass(frozen=True)
class Line:
    """An expected line, played in a world that the seat takes for possible.

    Attributes
    ----------
    plies : tuple of Ply
    over : bool
        The game is over after it.
    """

    plies: tuple[Ply, ...]
    over: bool

    @property
    def answer(self) -> int | None:
        """Index of the first ply of another seat than the first one's; None without any."""
        return next((i for i, ply in enumerate(self.plies) if ply.seat not in (-1, self.plies[0].seat)), None)


def follow(view: View, texts: Sequence[str], seed: int) -> Line:
    """Return a line with who plays what.

    Parameters
    ----------
    view : View
        Where the line starts.
    texts : sequence of str
        In notation, chance included, as `MoveStats.pv`.
    seed : int
        Of the worlds that the line is tried in; with the seed of the search the first one is the world that the
        search told its line in.

    Returns
    -------
    Line
        As much of the line as can be played in one world.
    """
    best = _play(view.sample(Random(seed)), texts)
    for number in range(1, _TRIES if view.hidden else 1):
        if len(best.plies) == len(texts):
            break
        found = _play(view.sample(Random(derive(seed, _WORLD, number))), texts)
        if len(found.plies) > len(best.plies):
            best = found
    return best


def _play(state: GameState, texts: Sequence[str]) -> Line:
    plies: list[Ply] = []
    for text in texts:
        if state.is_over:
            break
        try:
            code = state.parse(text)
        except SfidaError:
            break
        if state.format(code) != text:
            break
        plies.append(Ply(int(state.to_move), text, state.game.describe_move(state, code)))
        state.apply(code)
    return Line(tuple(plies), bool(state.is_over))
