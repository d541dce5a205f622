"""Characters of a game's opponents: a few of the weights that the engine has already, shifted so that a style shows.

A game's characters are the tables of the file `characters.toml` beside its module: names in words, weights, and how
much stronger or weaker each was found to be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from sfida.cython_ext.learned import Learned, pack, unpack
from sfida.engines.data_files import mapping_beside
from sfida.engines.game import Game
from sfida.engines.language import named

FILE = "characters.toml"                # in the game's package
G = TypeVar("G", bound=Game[Any])


@dataclass(frozen=True)
class Measured:
    """What games of a character against the level that it is to equal have shown (`python -m bench characters-match`).

    Attributes
    ----------
    games : int
    elo, low, high : float
        Its lead in Elo, with a 95 % interval.
    plain : float
        The sign of its style in the play of the level.
    more, more_low, more_high : float
        How much more the character has, with a 95 % interval.
    """

    games: int
    elo: float
    low: float
    high: float
    plain: float
    more: float
    more_low: float
    more_high: float


@dataclass(frozen=True)
class Character:
    """A style of play.

    Attributes
    ----------
    name : str
        The word in specs.
    row : mapping
        Its names and descriptions in the languages of the game.
    weights : tuple of (str, float)
        Weights of the game's hand-written evaluation, priors and playouts that differ.
    taste : tuple of (str, float)
        What a unit of a feature of a seat counts in the game's learned evaluation beyond its usual weight, in log odds.
    strategy : str or None
        The one of the game's strategies that its priors and playouts follow.
    shift : float
        Levels that it plays above the level asked for, which makes it as strong.
    sign : str or None
        Regular expression for the moves, in notation, that show the style; None: a feature shows it.
    feature : str or None
        The feature of a seat that shows it.
    measured : Measured or None
        What games against that level showed.
    """

    name: str
    row: Mapping[str, Any]
    weights: tuple[tuple[str, float], ...] = ()
    taste: tuple[tuple[str, float], ...] = ()
    strategy: str | None = None
    shift: float = 0.0
    sign: str | None = None
    feature: str | None = None
    measured: Measured | None = None

    @property
    def title(self) -> str:
        """The name in the current language."""
        return named(self.row)

    @property
    def about(self) -> str:
        """One sentence on the style, in the current language."""
        return named(self.row, "about")

    def game(self, game: G) -> G:
        """Return the same game, thought about with the weights of this character."""
        twin = type(game)(game.options)
        twin.weights = self.weights
        twin.leaning = self.strategy
        return twin

    def knowledge(self, learned: Learned | None) -> Learned | None:
        """Return a learned evaluation with the taste of this character."""
        return learned if learned is None or not self.taste else _tasted(learned, self.taste)


def characters(game_class: type) -> Mapping[str, Character]:
    """Return the characters of a game by name; none if it has no such file."""
    return _characters(game_class)


@cache
def _characters(game_class: type) -> Mapping[str, Character]:
    return {name: _character(name, row) for name, row in mapping_beside(game_class, FILE).items()}


def _character(name: str, row: Mapping[str, Any]) -> Character:
    weights, taste = (tuple((key, float(value)) for key, value in row.get(field, {}).items())
                      for field in ("weights", "taste"))
    return Character(name, row, weights, taste, row.get("strategy"), float(row.get("shift", 0.0)), row.get("sign"),
                     row.get("feature"), Measured(**row["measured"]) if "measured" in row else None)


@cache
def _tasted(learned: Learned, taste: tuple[tuple[str, float], ...]) -> Learned:
    """Return the evaluation with more weight on some features, in the direct layer of each network."""
    tables = {players: dict(table) for players, table in learned.tables.items()}
    for players, table in tables.items():
        if "L" not in table:
            continue
        wide = "S1" in table
        direct = unpack(table["L"], "i", players * len(learned.features) * players) if wide else list(table["L"])
        for feature, value in taste:
            at = learned.features.index(feature)
            more = round(value * 2 ** table["s3" if wide else "s2"] / table["gain"][at])
            for seat in range(players if wide else 1):      # a wide network has a row for each seat's features
                direct[(seat * len(learned.features) + at) * players + seat if wide else at] += more
        table["L"] = pack(direct, "i") if wide else direct
    return Learned(learned.game, learned.rules, learned.features, tables, learned.made, learned.move_features,
                   learned.inputs)
