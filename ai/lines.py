"""Expected lines: the seat and the move of each event, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import GameState, View
from sfida.engines.standing import Term

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
    effects : tuple of str
        What comes of it, as far as the seat that the line is for may know it.
    """

    seat: int
    move: str
    words: str
    effects: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the event as JSON-able data."""
        return {"seat": self.seat, "move": self.move, "words": self.words, "effects": list(self.effects)}


@dataclass(frozen=True)
class Line:
    """An expected line, played in a world that is possible for the seat.

    Attributes
    ----------
    plies : tuple of Ply
    over : bool
        Whether the game is over after it.
    standings : tuple of tuple of tuple of Term
        How every seat stands before each ply and after the last one (`Game.standing`), as the seat knows it.
    """

    plies: tuple[Ply, ...]
    over: bool
    standings: tuple[tuple[tuple[Term, ...], ...], ...] = field(default=(), compare=False, repr=False)

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
    world = view.sample(Random(seed))
    best = _playable(world, texts)
    for number in range(1, _TRIES if view.hidden else 1):
        if len(best) == len(texts):
            break
        other = view.sample(Random(derive(seed, _WORLD, number)))
        found = _playable(other, texts)
        if len(found) > len(best):
            world, best = other, found
    return _told(world, best, view.seat)


def _playable(world: GameState, texts: Sequence[str]) -> list[int]:
    """Return the codes of the events of a line, as far as they can be played in a world."""
    state, codes = world.clone(), []
    for text in texts:
        if state.is_over:
            break
        try:
            code = state.parse(text)
        except SfidaError:
            break
        if state.format(code) != text:
            break
        codes.append(code)
        state.apply(code)
    return codes


def _told(state: GameState, codes: Sequence[int], viewer: int) -> Line:
    """Play a line in a world, and tell it to a seat."""
    game, plies = state.game, []
    standings = [_standing(state, viewer)]
    for code in codes:
        before = state.clone()
        state.apply(code)
        effects = game.effects(before, code, state, viewer)
        plies.append(Ply(int(before.to_move), before.format(code), game.describe_move(before, code),
                         tuple(effect.text for effect in effects)))
        standings.append(_standing(state, viewer))
    return Line(tuple(plies), bool(state.is_over), tuple(standings))


def _standing(state: GameState, viewer: int) -> tuple[tuple[Term, ...], ...]:
    return tuple(state.game.standing(state, seat, viewer) for seat in range(state.players))
