"""Files of recorded games: TOML with a ``[[replay]]`` table for each, and in which line each turn stands."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfida.cython_ext.acres.core import SIDES
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.spec import did_you_mean, quoted, shown
from sfida.engines.toml_files import load_toml

RESIGNATION = "resignation"
UNRECORDED = "unrecorded"
ENDS = ("siege", "settle", "supply", "capture", "max_turns", RESIGNATION)
# comments and strings of TOML: a sign of one means nothing within the other
_TOKEN = re.compile(
    r'''#[^\n]*|("""(?:\\.|(?!""").)*"{3,5}|\'\'\'.*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*')''', re.DOTALL)


@dataclass(frozen=True)
class TurnLine:
    """One turn as written.

    Attributes
    ----------
    where : str
        File and line, for messages.
    text : str
    """

    where: str
    text: str


@dataclass(frozen=True)
class RecordedGame:
    """A ``[[replay]]`` table.

    Attributes
    ----------
    where : str
        File and game, for messages.
    name : str
        Its id; empty for none.
    preset : str
        As written.
    options : dict of str to object
        Options of the game by name, as written.
    pick : str
        Empire card that the French chose for their initial deck; empty for none.
    hands : tuple of str
        Opening hands, British and French.
    turns : tuple of TurnLine
    end : str
        Why it ended, one of `ENDS`; empty when not told.
    winner : int or None
        Seat; None when not recorded.
    final : tuple of (str, int, int)
        What is told of the end: "points" or "money", seat, number.
    """

    where: str
    name: str
    preset: str
    options: dict[str, object]
    pick: str
    hands: tuple[str, str]
    turns: tuple[TurnLine, ...]
    end: str
    winner: int | None
    final: tuple[tuple[str, int, int], ...]


def is_replay_file(path: Path) -> bool:
    """Say whether a file is of this form, by its name."""
    return path.suffix == ".toml"


def read_file(path: Path) -> list[RecordedGame]:
    """Return the games of a file.

    Raises
    ------
    InvalidRecord
        If it cannot be read or is not of this form.
    """
    try:
        text, tables = load_toml(path, InvalidRecord)
    except OSError as error:
        raise InvalidRecord(f"{shown(path)}: cannot be read: {error.strerror}") from error
    games = tables.get("replay", [])
    if not isinstance(games, list) or not games or not all(isinstance(game, dict) for game in games):
        raise InvalidRecord(f"{shown(path)}: the file holds no [[replay]] table")
    strings = _strings(text)
    return [_game(game, f"{shown(path)}: game {quoted(game.get('id', number))}", path, strings)
            for number, game in enumerate(games, start=1)]


def _strings(text: str) -> Iterator[tuple[str, int]]:
    """Every string of a TOML text with its line."""
    line, seen = 1, 0
    for token in _TOKEN.finditer(text):
        line += text.count("\n", seen, token.start())
        seen = token.start()
        if token[1] is not None:
            yield tomllib.loads(f"x = {token[1]}")["x"], line


def _game(table: dict[str, Any], where: str, path: Path, strings: Iterator[tuple[str, int]]) -> RecordedGame:
    def text(key: str, default: str = "") -> str:
        value = table.get(key, default)
        if not isinstance(value, str):
            raise InvalidRecord(f"{where}: '{key}' must be a text, not {quoted(value)}")
        return value

    def one_of(key: str, known: tuple[str, ...]) -> str:
        value = text(key)
        if value and value not in known:
            raise InvalidRecord(f"{where}: '{key}' must be one of {', '.join(known)}, not {quoted(value)}"
                                f"{did_you_mean(value, known)}")
        return value

    name = table.get("id", "")
    if not isinstance(name, str | int):
        raise InvalidRecord(f"{where}: 'id' must be a text, not {quoted(name)}")
    turns = table.get("turns", [])
    if not isinstance(turns, list) or not turns or not all(isinstance(turn, str) for turn in turns):
        raise InvalidRecord(f"{where} has no turns: 'turns' must be a list of texts, one a turn")
    lines = [next((line for string, line in strings if string == turn), None) for turn in turns]
    final = []
    for key, field in (("final_points", "points"), ("final_money", "money")):
        told = table.get(key, {})
        if not isinstance(told, dict) or not all(side in SIDES and type(n) is int for side, n in told.items()):
            raise InvalidRecord(f"{where}: '{key}' must be like {{ british = 48, french = 61 }}, not {quoted(told)}")
        final += [(field, SIDES.index(side), n) for side, n in told.items()]
    options = table.get("options", {})
    if not isinstance(options, dict):
        raise InvalidRecord(f"{where}: 'options' must be like {{ british_bateaux_in_initial_deck = true }}, "
                            f"not {quoted(options)}")
    if "preset" in options:
        raise InvalidRecord(f"{where}: 'preset' stands beside 'options', not within")
    winner = one_of("winner", (*SIDES, UNRECORDED))
    return RecordedGame(
        where, str(name), text("preset", "online_second_edition"), options, text("pick_french"),
        (text("hand_british"), text("hand_french")),
        tuple(TurnLine(f"{shown(path)}, line {line}" if line else shown(path), turn)
              for turn, line in zip(turns, lines, strict=True)),
        one_of("end", ENDS), SIDES.index(winner) if winner in SIDES else None, tuple(final))
