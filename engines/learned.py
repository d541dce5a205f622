"""Files of learned evaluations and priors, and changes to the weights of a game's knowledge."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.learned import Learned
from sfida.engines.files import expanded, read_at_most, write_whole
from sfida.engines.spec import shortened, shown

# ---- Weights of a game's knowledge: the table of an engine, with a caller's changes

Weight = TypeVar("Weight")


def changed(table: Mapping[str, Weight], changes: Mapping[str, Weight]) -> dict[str, Weight]:
    """Return the table with the changes, in the order of the table.

    Raises
    ------
    ValueError
        If a change is for an unknown weight.
    """
    unknown = set(changes) - set(table)
    if unknown:
        raise ValueError(f"unknown weights: {sorted(unknown)}")
    return {**table, **changes}


# ---- Files of learned evaluations and priors: one per game, JSON, at most three megabytes

FORMAT = 1
MOST_BYTES = 3 << 20
FILE_NAME = "learned.json"              # beside the module of a game
_KEYS = ("format", "game", "rules", "features", "tables", "made")


def read_learned(path: str | Path) -> Learned:
    """Return the learned evaluation in a file.

    Raises
    ------
    OSError
        If the file is missing, is not a regular file or is larger than `MOST_BYTES`.
    InvalidOption
        If the file contains something else, or inconsistent numbers.
    """
    path = expanded(path)
    try:
        return _learned(json.loads(read_at_most(path, MOST_BYTES)))
    except RecursionError:
        reason = "its lists are nested too deeply"
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        reason = f"not JSON: {shortened(error, 120)}"
    except ValueError as error:
        reason = shortened(error, 200)
    raise InvalidOption(f"{shown(path)} is no learned evaluation: {reason}") from None


def write_learned(path: str | Path, learned: Learned) -> Path:
    """Write a learned evaluation to a file, completely or not at all, and return its path.

    Raises
    ------
    OSError
        If writing fails.
    InvalidOption
        If the file would be larger than `MOST_BYTES`.
    """
    content = {
        "format": FORMAT, "game": learned.game, "rules": learned.rules, "features": list(learned.features),
        "tables": {str(players): table for players, table in learned.tables.items()}, "made": learned.made,
    }
    for key, names in (("move_features", learned.move_features), ("inputs", learned.inputs)):
        if names:
            content[key] = list(names)
    text = json.dumps(content, allow_nan=False, separators=(",", ":")) + "\n"
    if len(text) > MOST_BYTES:
        raise InvalidOption(f"a learned evaluation of {len(text)} bytes is larger than {MOST_BYTES}")
    return write_whole(expanded(path), text)


def path_beside(game_class: type) -> Path | None:
    """Return the path of a game's own learned evaluation, beside its module; None if there is no such file."""
    module = getattr(sys.modules.get(game_class.__module__), "__file__", None)
    return None if module is None else Path(module).with_name(FILE_NAME)


@cache
def beside(game_class: type[Any]) -> Learned | None:
    """Return a game's own learned evaluation, from the file beside its module, or None.

    A file there may belong to another game in the same folder.
    """
    path = path_beside(game_class)
    found = read_learned(path) if path is not None and path.is_file() else None
    return found if found is not None and found.game == game_class.name else None


def _learned(content: Any) -> Learned:
    if not isinstance(content, dict):
        raise ValueError("it is not a table of values")
    if content.get("format") != FORMAT:
        raise ValueError(f"it does not have the format {FORMAT}")
    for key in _KEYS:
        if key not in content:
            raise ValueError(f"'{key}' is missing")
    game, rules, features, tables, made = (content[key] for key in _KEYS[1:])
    if not isinstance(game, str) or not isinstance(rules, int) or isinstance(rules, bool) or abs(rules) >= 1 << 31:
        raise ValueError("'game' must be a name and 'rules' a version")
    moves, inputs = content.get("move_features", []), content.get("inputs", [])
    for key, names in (("features", features), ("move_features", moves), ("inputs", inputs)):
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError(f"'{key}' must be a list of names")
    if not isinstance(tables, dict) or not isinstance(made, dict):
        raise ValueError("'tables' and 'made' must be tables of values")
    for players in tables:
        if not (len(players) == 1 and players.isascii() and players.isdigit()):
            raise ValueError(f"'{shortened(players, 20)}' in 'tables' is not a number of players")
    return Learned(game, rules, features, {int(players): table for players, table in tables.items()}, made,
                   moves, inputs)
