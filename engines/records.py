"""Game records: one JSON object a line, which replays move by move or says why it does not.

Files end in ``.jsonl``, or ``.jsonl.gz`` when gzip-compressed, and hold any number of games.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib.metadata
import itertools
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game
from sfida.engines.record_fields import FieldReader
from sfida.engines.registry import make_game
from sfida.engines.spec import quoted

SCHEMA = 1


@functools.cache
def sfida_version() -> str:
    """Return the version of the installed program."""
    return importlib.metadata.version("sfida")


@dataclass(frozen=True)
class GameResult:
    """How a game ended, seat by seat.

    Attributes
    ----------
    utilities : tuple of float
        Shares of the win; they sum to 1.
    scores : tuple of float
        Points; whole numbers are ints.
    ranks : tuple of int
        1 for the first; equal ranks for a tie.
    """

    utilities: tuple[float, ...]
    scores: tuple[float, ...]
    ranks: tuple[int, ...]

    @classmethod
    def of(cls, state: GameState) -> GameResult | None:
        """Return the result of a state, or None before its end."""
        utilities, ranks = state.utilities(), state.ranks()
        if utilities is None or ranks is None:
            return None
        return cls(tuple(utilities), tuple(state.scores()), tuple(ranks))

    @classmethod
    def from_json(cls, data: Mapping[str, Any], reader: FieldReader) -> GameResult:
        """Build a result from JSON data; raises InvalidRecord."""
        fields = dict(data)
        parts = [reader.take_list(fields, key, kind)
                 for key, kind in (("utilities", float), ("scores", float), ("ranks", int))]
        if len({len(part) for part in parts}) != 1:
            reader.fail("'utilities', 'scores' and 'ranks' must be equally long, one entry a seat")
        if not all(math.isfinite(value) for part in parts for value in part):
            reader.fail("the numbers of 'result' must be finite")
        return cls(*parts)

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON-able data."""
        return {"utilities": list(self.utilities), "scores": list(self.scores), "ranks": list(self.ranks)}


@dataclass(frozen=True)
class GameRecord:
    """The record of a game, finished or not.

    Attributes
    ----------
    game : str
        Game spec.
    rules_version : int
        Version of the game's rules that it was played by.
    moves : tuple of str
        Every move in the game's notation, chance included.
    seats : tuple of str
        Who sat where: agent specs, or any names.
    seed : int or None
        Seed that the game was played with.
    chance : tuple of int or None
        Indices in `moves` of the chance moves, ascending; None when the record does not tell.
    result : GameResult or None
        None for an unfinished game.
    sfida : str
        Version of the program that wrote the record.
    extra : mapping
        Fields that this version does not know; written back unchanged.
    where : str
        Where the record was read, for messages; not part of the record.
    """

    game: str
    rules_version: int
    moves: tuple[str, ...] = ()
    seats: tuple[str, ...] = ()
    seed: int | None = None
    chance: tuple[int, ...] | None = None
    result: GameResult | None = None
    sfida: str = field(default_factory=sfida_version)
    extra: Mapping[str, Any] = field(default_factory=dict)
    where: str = field(default="", compare=False, repr=False)

    __hash__ = None  # type: ignore[assignment]

    # ---- JSON ---------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON-able data."""
        data: dict[str, Any] = {
            "schema": SCHEMA, "type": "game", "game": self.game, "rules_version": self.rules_version,
            "sfida": self.sfida, "seats": list(self.seats), "seed": self.seed, "moves": list(self.moves),
        }
        if self.chance is not None:
            data["chance"] = list(self.chance)
        data["result"] = self.result.to_json() if self.result is not None else None
        return {**data, **{key: value for key, value in self.extra.items() if key not in data}}

    def to_json_line(self) -> str:
        """Return the record as one line of JSON, without the line end."""
        return json.dumps(self.to_json(), ensure_ascii=False, allow_nan=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, data: object, where: str = "") -> GameRecord:
        """Build a record from JSON data; `where` leads the messages of errors.

        Raises
        ------
        InvalidRecord
            If a field is missing or has the wrong type, or the format is another one.
        """
        reader = FieldReader(where)
        if not isinstance(data, dict):
            reader.fail("a record is a JSON object in braces, {...}")
        fields = dict(data)
        schema = reader.take(fields, "schema", int)
        if schema != SCHEMA:
            reader.fail(f"record format {quoted(schema)} is not one that this program reads (it reads {SCHEMA})")
        kind = reader.take(fields, "type", str)
        if kind != "game":
            reader.fail(f"'type' must be 'game', not {quoted(kind)}: this is not the record of a game")
        game = reader.take(fields, "game", str)
        version = reader.take(fields, "rules_version", int)
        moves = reader.take_list(fields, "moves", str)
        chance = reader.take_list(fields, "chance", int, None)
        if chance is not None:
            if any(a >= b for a, b in itertools.pairwise(chance)):
                reader.fail("'chance' must list indices in ascending order, each once")
            if chance and not (chance[0] >= 0 and chance[-1] < len(moves)):
                reader.fail("'chance' must list indices of moves, from 0 to "
                            f"{len(moves) - 1}" if moves else "'chance' lists indices of moves, but there are no moves")
        result = reader.take(fields, "result", dict, None)
        return cls(
            game=game, rules_version=version, moves=moves, chance=chance,
            seats=reader.take_list(fields, "seats", str, []), seed=reader.take(fields, "seed", int, None),
            result=None if result is None else GameResult.from_json(result, reader),
            sfida=reader.take(fields, "sfida", str, ""), extra=fields, where=where)

    @classmethod
    def from_json_line(cls, line: str, where: str = "") -> GameRecord:
        """Build a record from its line of JSON; raises InvalidRecord."""
        return cls.from_json(FieldReader(where).parse(line), where)

    # ---- replay -------------------------------------------------------------------------------

    def replay(self, until: int | None = None, game: Game | None = None) -> GameState:
        """Play the moves again, checking each, and return the state reached.

        Parameters
        ----------
        until : int, optional
            Number of moves to play; all by default. Only after the last move is the result checked.
        game : Game, optional
            The game, when it is not registered under the name in the record.

        Raises
        ------
        InvalidRecord
            If the record does not fit the rules; the line, the move and the reason are named. Moves
            are counted from 1.
        """
        reader = FieldReader(self.where)
        if until is None:
            until = len(self.moves)
        elif not 0 <= until <= len(self.moves):
            reader.fail(f"there is no position after move {until}: the record has {len(self.moves)} moves")
        try:
            engine = game if game is not None else make_game(self.game)
        except SfidaError as error:
            reader.fail(str(error))
        if engine.rules_version != self.rules_version:
            reader.fail(f"played by rules version {quoted(self.rules_version)} of '{engine.name}'; this program "
                        f"plays version {engine.rules_version}, so it cannot be replayed")
        if self.seats and len(self.seats) != engine.players:
            reader.fail(f"'seats' names {len(self.seats)}, but {quoted(self.game)} has {engine.players}")
        state = engine.initial_state()
        chance = None if self.chance is None else frozenset(self.chance)
        for ply in range(until):
            self._replay_move(reader, state, ply, chance)
        if until == len(self.moves):
            self._check_result(reader, state)
        return state

    def _replay_move(self, reader: FieldReader, state: GameState, ply: int,
                     chance: frozenset[int] | None) -> None:
        text = self.moves[ply]
        at = f"move {ply + 1} {quoted(text)}"
        if state.is_over:
            reader.fail(f"{at}: the game is over after {ply} moves")
        if chance is not None and state.is_chance != (ply in chance):
            reader.fail(f"{at}: a chance event comes here, but 'chance' does not list index {ply}"
                        if state.is_chance else
                        f"{at}: 'chance' lists index {ply}, but seat {state.to_move} is to move here")
        try:
            state.apply(state.parse(text))
        except SfidaError as error:
            reader.fail(f"{at}: {error}")

    def _check_result(self, reader: FieldReader, state: GameState) -> None:
        if self.result is None:
            return
        found = GameResult.of(state)
        if found is None:
            reader.fail(f"a result is given, but the game is not over after {len(self.moves)} moves")
        for key, value in self.result.to_json().items():
            recount = found.to_json()[key]
            if len(value) != len(recount) or not np.allclose(value, recount, rtol=0, atol=1e-9):
                reader.fail(f"the result does not fit the moves: '{key}' is {quoted(value)} in the record, "
                            f"but the game gives {recount}")

    def with_extra(self, **extra: Any) -> GameRecord:
        """Return a copy with more fields of the caller's own."""
        return dataclasses.replace(self, extra={**self.extra, **extra})
