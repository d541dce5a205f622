"""The games that are installed: entry points of the group `sfida.games`, Sfida's own and other people's.

An entry point's name is the game's name in specs; its value names the `Game` subclass.
"""

from __future__ import annotations

from sfida.cython_ext.errors import InvalidOption, UnknownGame
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game
from sfida.engines.plugins import Plugins
from sfida.engines.spec import merge_params, parse_spec, quoted

# Names that stand for all the games of another library, which may not be installed: never listed.
FAMILIES = {"openspiel": "sfida.engines.openspiel.game:OpenSpiel"}
# Short names: what is typed -> the registered name.
ALIASES = {"zarahemla": "settlers_of_zarahemla", "acres": "a_few_acres_of_snow"}
GAMES: Plugins[Game] = Plugins("game", "sfida.games", Game, UnknownGame, FAMILIES)


def game_names(examples: bool = True) -> list[str]:
    """Return the names of the games that can be played, Sfida's own first.

    Parameters
    ----------
    examples : bool
        Include the tiny games of the tutorial.

    Notes
    -----
    Games that cannot be loaded are left out; `broken_games` says why. So are the families of games.
    """
    return [name for name in GAMES.names()
            if name not in FAMILIES and (examples or not game_class(name).example)]


def broken_games() -> dict[str, str]:
    """Return, for each registered game that cannot be loaded, one line that says why."""
    return GAMES.broken()


def game_class(name: str) -> type[Game]:
    """Return the class of a game.

    Raises
    ------
    UnknownGame
        If no game of that name is registered (the nearest name is given), or if its package fails.
    """
    return GAMES.load(ALIASES.get(name, name))


def make_game(spec: str | Game, **options: object) -> Game:
    """Return the engine object of a game with chosen options.

    Parameters
    ----------
    spec : str or Game
        Game spec such as ``"carcassonne:river=false"``, or a game that is there already.
    **options
        More options, as text or Python values.

    Raises
    ------
    UnknownGame, InvalidOption
        `InvalidOption` also when the spec and a keyword give one option different values.
    """
    if isinstance(spec, Game):
        if options:
            raise InvalidOption(f"the game {quoted(spec.spec())} has its options already; "
                                "options go with a game spec given as text")
        return spec
    name, params = parse_spec(spec)
    cls = game_class(name)
    return cls.from_params(merge_params(cls.options_class, params, options, f"game '{name}'"))


def make(spec: str | Game, **options: object) -> GameState:
    """Return a game at its start; see `make_game` for the parameters."""
    return make_game(spec, **options).initial_state()
