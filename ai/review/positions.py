"""The events of a finished game with the positions before them: what a review looks at."""

from __future__ import annotations

from dataclasses import dataclass, field

from sfida.ai.arena.outcome import forfeited
from sfida.ai.table import RESIGN
from sfida.cython_ext.errors import InvalidRecord
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game
from sfida.engines.record_fields import FieldReader
from sfida.engines.records import GameRecord, GameResult
from sfida.engines.registry import make_game

_BY_ACTOR = -1          # `turn_number` of games whose turns are changes of the actor


@dataclass(frozen=True)
class Event:
    """An event of a game.

    Attributes
    ----------
    ply : int
        Its number, from 0.
    seat : int
        Who decided; -1: chance.
    move : int
        Its code.
    before : GameState
        The whole position before it.
    turn : int
        As of `Decision`; -1 for chance events.
    """

    ply: int
    seat: int
    move: int
    before: GameState = field(repr=False, compare=False)
    turn: int = -1


@dataclass(frozen=True)
class Played:
    """A finished game.

    Attributes
    ----------
    game : Game
    record : GameRecord
    events : tuple of Event
    result : tuple of float
        Shares of the win.
    """

    game: Game
    record: GameRecord
    events: tuple[Event, ...]
    result: tuple[float, ...]


def played_to_the_end(record: GameRecord, game: Game | None = None) -> Played:
    """Return the events of a recorded game that is over.

    Parameters
    ----------
    record : GameRecord
    game : Game, optional
        The game, if it is not registered under the name in the record.

    Raises
    ------
    InvalidRecord
        If it does not fit the rules, or the game is not over: while it runs, a review would tell what seats cannot
        know. Of games that ended otherwise, those that one of two players resigned have a result.
    """
    final = record.replay(game=game)
    engine = make_game(record.game) if game is None else game
    found = GameResult.of(final)
    forfeit = record.forfeit
    if found is not None:
        result = found.utilities
    elif record.extra.get("ended") == RESIGN and forfeit is not None and engine.players == 2:
        result = forfeited(2, forfeit.seat)[0]
    else:
        FieldReader(record.where).fail(
            "the game ended without a result, so there is nothing to review" if forfeit is not None
            or "ended" in record.extra else "the game is not over; a review would tell what its seats cannot know")
    if not record.moves:
        raise InvalidRecord(f"{record.where}: nothing was played")
    state, events, turns = engine.initial_state(), [], _Turns()
    for ply, text in enumerate(record.moves):
        move, seat = state.parse(text), -1 if state.is_chance else int(state.to_move)
        events.append(Event(ply, seat, move, state.clone(), turns.number(seat, int(state.turn_number))))
        state.apply(move)
    return Played(engine, record, tuple(events), tuple(map(float, result)))


class _Turns:
    """Numbers the turns of a game."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, int], int] = {}
        self._last, self._own = -1, 0           # for games that do not count their turns

    def number(self, seat: int, counted: int) -> int:
        if seat < 0:
            return -1
        if counted == _BY_ACTOR:
            self._own += seat != self._last
            self._last, counted = seat, self._own
        return self._numbers.setdefault((counted, seat), len(self._numbers))
