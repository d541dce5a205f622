"""What an agent judges positions by: the option `knowledge`."""

from __future__ import annotations

import errno
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.learned import Learned
from sfida.cython_ext.search.parameters import knob
from sfida.cython_ext.state import View
from sfida.engines.files import expanded
from sfida.engines.game import Game
from sfida.engines.learned import read_learned
from sfida.engines.spec import shown

HAND, LEARNED = "hand", "learned"
_DIGITS = 16            # hex digits; the digest covers what a file says, not how it was made


def knowledge_option(unset: str) -> Any:
    """Declare the option `knowledge`; `unset` says what is meant if it is left out."""
    return knob(None, "what positions are judged by: the game's evaluation made by hand (hand), the one it has learned "
                      "(learned), or one in a file", unset=unset,
                contents=lambda value: {} if value in (HAND, LEARNED) else {value: _in_file(value).digest[:_DIGITS]})


@dataclass(frozen=True)
class KnowledgeOptions:
    """What positions are judged by."""

    knowledge: str | None = knowledge_option("game's")


def judged(view: View, options: KnowledgeOptions) -> View:
    """Return a view with the same content that is judged as the options say.

    Raises
    ------
    InvalidOption
        If the game has learned nothing, or a file cannot be read or is for another game.
    """
    if options.knowledge is None:
        return view
    chosen = _chosen(view.game, options.knowledge)
    if chosen == view.knowledge:
        return view
    view = view.clone()
    view.use(chosen)
    return view


def _chosen(game: Game, knowledge: str) -> Learned | None:
    if knowledge == HAND:
        return None
    if knowledge == LEARNED:
        if game.knowledge is None:
            raise InvalidOption(f"{game.title} has no learned evaluation: leave 'knowledge' out, or name a file")
        return game.knowledge
    try:
        return _in_file(knowledge)
    except OSError as error:
        if error.errno == errno.ENOENT:
            raise InvalidOption(f"option 'knowledge' must be {HAND}, {LEARNED} or a file; there is no file "
                                f"{shown(knowledge)}") from None
        raise InvalidOption(f"{shown(knowledge)} cannot be read: {error.strerror}") from None


def _in_file(knowledge: str) -> Learned:
    path = expanded(knowledge)
    found = path.stat()
    return _read(path, found.st_ino, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=16)
def _read(path: Path, _inode: int, _changed: int, _size: int) -> Learned:
    """Return what a file holds; it is read again when it has changed."""
    return read_learned(path)
