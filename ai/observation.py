"""What one seat sees of a game, event by event: the only data that its beliefs may use."""

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

    A seat observes its own moves and every event whose label for it is not 0. It is told nothing of the other events,
    not even that they happened: in some games that is the secret.

    Attributes
    ----------
    number : int
        Number of events that the seat had observed before.
    seat : int
        The observing seat.
    actor : int
        The seat that moved; -1 for chance.
    label : int
        What the seat saw: `GameState.label(seat)` after the event; 0 only for an own move.
    move : int or None
        Code of an own move; None for moves of others, whatever was seen of them.
    view : View
        View of the seat right after the event.
    """

    number: int
    seat: int
    actor: int
    label: int
    move: int | None
    view: View = field(compare=False, repr=False)


def observation_of(state: GameState, seat: int, actor: int, move: int, number: int,
                   look: Callable[[int], View] | None = None) -> Observation | None:
    """Return the last event as a seat saw it, or None if it saw nothing.

    Parameters
    ----------
    state : GameState
        The true state right after the event.
    seat : int
        The observing seat.
    actor : int
        The seat that moved; -1 for chance.
    move : int
        Code of the event; it is passed on only to its actor.
    number : int
        Number of events that the seat has observed before.
    look : callable, optional
        Function that returns the view of a seat; by default `state.view`.
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
        All events in order, chance events included, as codes or in notation.
    seat : int

    Raises
    ------
    IllegalMove, InvalidNotation, AmbiguousNotation
        When the iteration reaches a move that is not legal there.
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
        Number of moves to play, chance events included; all by default.
    game : Game, optional
        The game, if it is not registered under the name in the record.

    Raises
    ------
    InvalidRecord
        If the record does not fit the rules.
    UnknownGame
    """
    record.replay(until, game)                      # raises an error if anything is wrong with it
    return observations(game if game is not None else make_game(record.game), record.moves[:until], seat)
