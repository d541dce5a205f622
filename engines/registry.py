"""The installed games: entry points of the group `sfida.games`, Sfida's own and those of other packages.

An entry point's name is the game's name in specs; its value names the `Game` subclass.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sfida.cython_ext.errors import InvalidOption, UnknownGame
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game
from sfida.engines.language import _
from sfida.engines.plugins import Plugins
from sfida.engines.spec import describe, merge_params, parse_spec, quoted, read_option, shortened

# Names that stand for all games of another library, which may not be installed; they are never listed.
FAMILIES = {"openspiel": "sfida.engines.openspiel.game:OpenSpiel"}
# Other names -> the specs that they stand for: a registered name, with options where the name is that of a preset.
ALIASES = {"zarahemla": "settlers_of_zarahemla", "catan": "settlers_of_zarahemla:preset=catan",
           "acres": "a_few_acres_of_snow"}
GAMES: Plugins[Game] = Plugins("game", "sfida.games", Game, UnknownGame, FAMILIES, tuple(ALIASES))


def game_names(examples: bool = True) -> list[str]:
    """Return the names of the games that can be played, Sfida's own first.

    Parameters
    ----------
    examples : bool
        Include the tiny games of the tutorial.

    Notes
    -----
    Games that cannot be loaded are left out (`broken_games` gives the reasons), and so are the families of games.
    """
    return [cls.name for cls in game_classes() if examples or not cls.example]


def game_classes() -> Iterator[type[Game]]:
    """Yield the classes of those games; each is loaded when it is yielded."""
    return (cls for name, cls in GAMES.classes() if name not in FAMILIES)


def names_a_game(text: str) -> bool:
    """Return whether a text is the spec of a registered game, judged by its name alone; nothing is loaded."""
    name = text.partition(":")[0].strip()
    return name in ALIASES or name in GAMES.registered()


def foreign_game(spec: str) -> str | None:
    """Return where the code of a game comes from, None if it is Sfida's own or unknown; nothing is loaded.

    Parameters
    ----------
    spec : str
        Game spec, valid or not.
    """
    return GAMES.foreign(_registered(spec.partition(":")[0].strip()))


def broken_games() -> dict[str, str]:
    """Return the reason, in one line, for each registered game that cannot be loaded."""
    return GAMES.broken()


def _registered(name: str) -> str:
    """Return the registered name that a name stands for."""
    return ALIASES.get(name, name).partition(":")[0]


def game_class(name: str) -> type[Game]:
    """Return the class of a game.

    Raises
    ------
    UnknownGame
        If no game of that name is registered (the nearest name is given), or if its package fails.
    """
    return GAMES.load(_registered(name))


def make_game(spec: str | Game, **options: object) -> Game:
    """Return the engine object of a game with the given options; parameters and errors are those of `make`."""
    if isinstance(spec, Game):
        if options:
            raise InvalidOption(f"the game {quoted(spec.spec())} has its options already; "
                                "options go with a game spec given as text")
        return spec
    name, params = parse_spec(spec)
    cls, what = game_class(name), _("game '{name}'").format(name=name)
    given = merge_params(cls.options_class, params, options, what)
    for key, value in parse_spec(ALIASES.get(name, name))[1].items():
        other = given.setdefault(key, value)
        if read_option(cls.options_class, key, other, what) != value:
            raise InvalidOption(_("'{name}' means {spec}, so {option} contradicts it; right would be {right}").format(
                name=name, spec=ALIASES[name], option=f"{key}={shortened(other)}",
                right=f"{cls.name}:{key}={shortened(other)}"))
    return cls.from_params(given)


def make(spec: str | Game, **options: object) -> GameState:
    """Return the initial state of a game.

    Parameters
    ----------
    spec : str or Game
        Game spec such as ``"carcassonne:river=false"``, or an existing game. An alias stands for a spec, which
        further options may follow, but none that contradicts it: ``"catan:players=3"``.
    **options
        More options, as text or Python values.

    Raises
    ------
    UnknownGame, InvalidOption
        `InvalidOption` also if the spec and a keyword give an option different values.

    Examples
    --------
    >>> state = sfida.make("carcassonne:river=true", players=3)
    >>> state.game.spec()
    'carcassonne:players=3,river=true'
    """
    return make_game(spec, **options).initial_state()


def describe_game(name: str) -> dict[str, Any]:
    """Return the description of a game, as JSON-able data."""
    cls = game_class(name)
    options = describe(cls.options_class)
    players = next(option for option in options if option["key"] == "players")
    default = players["default"]
    counts = list(players.get("values", range(players.get("low", default), players.get("high", default) + 1)))
    return {"name": cls.name, "title": cls.title, "players": counts, "rules_version": cls.rules_version,
            "example": cls.example, "options": options, "search_defaults": dict(cls.search_defaults),
            "search_exceptions": [{"options": {key: list(values) for key, values in where.items()},
                                   "search_defaults": dict(settings)}
                                  for where, settings in cls.search_exceptions],
            "search_learned": dict(cls.search_learned)}
