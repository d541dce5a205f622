"""The games of a study: one, or one for each value of an option, each with a tournament and a store of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sfida.cython_ext.errors import InvalidOption
from sfida.engines.game import Game
from sfida.engines.registry import make_game
from sfida.engines.spec import quoted


@dataclass(frozen=True)
class Variant:
    """A game that is studied.

    Attributes
    ----------
    name : str
        Such as "preset=second"; "" if there is only one.
    game : Game
    """

    name: str
    game: Game

    def store(self, path: Path) -> Path:
        """Return where its games are kept if a study is kept at `path`: games.sfida, games.preset-second.sfida."""
        if not self.name:
            return path
        return path.with_name(f"{path.stem}.{self.name.replace('=', '-')}{path.suffix}")


def variants_of(game: str | Game, vary: str | None) -> list[Variant]:
    """Return the games of a study.

    Parameters
    ----------
    game : str or Game
    vary : str or None
        ``OPTION=A,B`` with two values or more; the first is what the others are compared with.

    Raises
    ------
    UnknownGame, InvalidOption
    """
    if vary is None:
        return [Variant("", make_game(game))]
    option, equals, values = (part.strip() for part in vary.partition("="))
    listed = [value.strip() for value in values.split(",")]
    if not option or not equals or len(listed) < 2 or not all(listed):
        raise InvalidOption(f"{quoted(vary)} does not say what to vary; right would be OPTION=A,B with two values or "
                            "more")
    found = [Variant(f"{option}={value}", make_game(game, **{option: value})) for value in listed]
    _check_different(found, option)
    return found


def _check_different(variants: Sequence[Variant], option: str) -> None:
    if len({variant.game.spec() for variant in variants}) < len(variants):
        raise InvalidOption(f"two values of '{option}' give the same game")
