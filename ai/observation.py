"""What one seat sees of a game, event by event: the most that a belief may be built on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from sfida.cython_ext.state import GameState, View
from sfida.engines.game import Game
from sfida.engines.records import GameRecord
from sfida.engines.registry import make_game


@dataclass(frozen=True)
class Observation:
    """An event of a game as one seat saw it.

    A seat observes its own moves and every event whose label for it is not 0. Of the others it is not told, not even
    that there were any: in some games that is the secret.

    Attributes
    ----------
    number : int
        How many events the seat had observed before.
    seat : int
        Who observes.
    actor : int
        Who moved; -1 for chance.
    label : int
        What the seat saw: `GameState.label(seat)` after the event; 0 only for an own move.
    move : int or None
        Code of an own move; None for everybody else's, whatever was seen of it.
    view : View
        What the seat may see right after the event.
    """

    number: int
    seat: int
    actor: int
    label: int
    move: int | None
    view: View = field(compare=False, repr=False)


def observation_of(state: GameState, seat: int, actor: int, move: int, number: int,
                   look: Callable[[int], View] | None = None) -> Observation | None:
    """Return the last event as a seat saw it, or None when it saw nothing.

    Parameters
    ----------
    state : GameState
        The true state right after the event.
    seat : int
        Who observes.
    actor : int
        Who moved; -1 for chance.
    move : int
        Code of the event; it is handed on only to its own actor.
    number : int
        How many events the seat has observed before.
    look : callable, optional
        Returns the view of a seat instead of the state.
    """
    label = state.label(seat)
    if label == 0 and actor != seat:
        return None
    return Observation(number, seat, actor, label, move if actor == seat else None, (look or state.view)(seat))


def observations(game: Game, moves: Iterable[int | str], seat: int) -> Iterator[Observation]:
    """Play moves from the start of a game and yield what a seat observes of them.

    Parameters
    ----------
    game : Game
    moves : iterable of int or str
        All events in their order, luck included, as codes or in notation.
    seat : int

    Raises
    ------
    IllegalMove, InvalidNotation, AmbiguousNotation
        When the iteration comes to a move that is not legal there.
    """
    state, number = game.initial_state(), 0
    for move in moves:
        actor = state.to_move
        code = state.parse(move) if isinstance(move, str) else move
        state.apply(code)
        seen = observation_of(state, seat, actor, code, number)
        if seen is not None:
            number += 1
            yield seen


def recorded_observations(record: GameRecord, seat: int, until: int | None = None,
                          game: Game | None = None) -> Iterator[Observation]:
    """Return what a seat observed of a recorded game.

    Parameters
    ----------
    record : GameRecord
    seat : int
    until : int, optional
        Number of moves to play, luck included; all by default.
    game : Game, optional
        The game, when it is not registered under the name in the record.

    Raises
    ------
    InvalidRecord
        If the record does not fit the rules.
    UnknownGame
    """
    record.replay(until, game)                      # says what is wrong with it, if anything
    return observations(game if game is not None else make_game(record.game), record.moves[:until], seat)
