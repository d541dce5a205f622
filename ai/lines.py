"""Expected lines: the seat and the move of each event, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import GameState, View

_WORLD = 0x11E5                         # stream of further worlds
_TRIES = 100                            # most worlds tried to find one in which the line can be played


@dataclass(frozen=True)
class Ply:
    """One event of a line.

    Attributes
    ----------
    seat : int
        The seat that moves; -1 for chance.
    move : str
        The move in notation.
    words : str
        The move in words, for people.
    """

    seat: int
    move: str
    words: str

    def to_json(self) -> dict[str, Any]:
        """Return the event as JSON-able data."""
        return {"seat": self.seat, "move": self.move, "words": self.words}


@dataclass(frozen=True)
class Line:
    """An expected line, played in a world that is possible for the seat.

    Attributes
    ----------
    plies : tuple of Ply
    over : bool
        Whether the game is over after it.
    """

    plies: tuple[Ply, ...]
    over: bool

    @property
    def answer(self) -> int | None:
        """Index of the first ply of a seat other than the first one's; None if there is none."""
        return next((i for i, ply in enumerate(self.plies) if ply.seat not in (-1, self.plies[0].seat)), None)


def follow(view: View, texts: Sequence[str], seed: int) -> Line:
    """Return a line with the seat and the words of each event.

    Parameters
    ----------
    view : View
        View in which the line starts.
    texts : sequence of str
        Events in notation, chance outcomes included, such as `MoveStats.pv`.
    seed : int
        Seed of the worlds in which the line is tried; with the seed of the search the first one is the world in
        which the search found its line.

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
