"""The installed games: entry points of the group `sfida.games`, Sfida's own and those of other packages.

An entry point's name is the game's name in specs; its value names the `Game` subclass.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sfida.cython_ext.errors import InvalidOption, SfidaError, UnknownGame
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game
from sfida.engines.language import N_, _
from sfida.engines.spec import describe, did_you_mean, merge_params, parse_spec, quoted, read_option, shortened

if TYPE_CHECKING:
    from sfida.engines.records import GameRecord

# ---- Classes by name: Sfida's own classes and those of entry points, which may be broken

_UNKNOWN = {"game": N_("unknown game {name}{hint} the games: {names}"),
            "agent": N_("unknown agent {name}{hint} the agents: {names}")}

T = TypeVar("T")


@dataclass(frozen=True)
class Plugins(Generic[T]):
    """The named classes of one kind.

    Attributes
    ----------
    kind : str
        Word for the classes in messages: "game" or "agent".
    group : str
        Entry-point group.
    base : type
        Base class of all of them.
    error : type of SfidaError
        Raised for an unknown name or a class that cannot be loaded.
    own : mapping of str to str
        Classes that need no entry point, as ``"module:Class"`` by name.
    also : tuple of str
        Other names that callers understand, considered in suggestions for misspelled names.
    unlisted : tuple of str
        Names that are loaded when they are asked for, and that no list contains.
    """

    kind: str
    group: str
    base: type[Any]
    error: type[SfidaError]
    own: Mapping[str, str]
    also: tuple[str, ...] = ()
    unlisted: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return hash((self.kind, self.group))

    def registered(self) -> list[str]:
        """Return every registered name, loadable or not, Sfida's own first."""
        return list(self._points())

    def foreign(self, name: str) -> str | None:
        """Return the origin of a name's code, None if it is Sfida's own or unknown; nothing is loaded."""
        points = [point for point in self._points().get(name, ()) if not _is_own(point)]
        origins = ", ".join(f"{_origin(point)} ({point.value})" for point in points)
        return f"{self.kind} '{name}' of {origins}" if points else None

    def classes(self) -> Iterator[tuple[str, type[T]]]:
        """Yield the loadable names with their classes, Sfida's own first; each class is loaded when it is yielded."""
        for name in self._listed():
            with contextlib.suppress(SfidaError):
                yield name, self.load(name)

    def names(self) -> list[str]:
        """Return the names that can be loaded, Sfida's own first."""
        return [name for name, _ in self.classes()]

    def broken(self) -> dict[str, str]:
        """Return the reason, in one line, for each registered name that cannot be loaded."""
        reasons = {}
        for name in self._listed():
            try:
                self.load(name)
            except SfidaError as error:
                reasons[name] = str(error)
        return reasons

    def load(self, name: str) -> type[T]:
        """Return the class with a name.

        Raises
        ------
        SfidaError
            An error of the class `error`: if there is no such name (the nearest one is suggested) or its package fails.
        """
        points = self._points()
        if name not in points:
            raise self.error(_(_UNKNOWN[self.kind]).format(
                name=quoted(name), hint=did_you_mean(name, [*points, *self.also]) or ";",
                names=", ".join(points) or _("none")))
        return self._load(points[name])

    def _listed(self) -> list[str]:
        return [name for name in self._points() if name not in self.unlisted]

    @functools.cache  # noqa: B019 - one object per kind, which lives as long as the program
    def _points(self) -> dict[str, tuple[EntryPoint, ...]]:
        found = {name: [EntryPoint(name, value, self.group)] for name, value in self.own.items() if _is_there(value)}
        for point in sorted(entry_points(group=self.group), key=lambda point: not _is_own(point)):
            rivals = found.setdefault(point.name, [])
            # A third party cannot take one of Sfida's own names.
            if not (rivals and _is_own(rivals[0])):
                rivals.append(point)
        return {name: tuple(rivals) for name, rivals in found.items()}

    @functools.cache  # noqa: B019
    def _load(self, points: tuple[EntryPoint, ...]) -> type[T]:
        point = points[0]
        if len(points) > 1:
            raise self.error(f"{self.kind} '{point.name}' is registered by more than one package: "
                             f"{', '.join(sorted(map(_origin, points)))}; uninstall all but one")
        try:
            cls: Any = point.load()
        except (Exception, SystemExit) as error:  # whatever a foreign module raises on import
            cause = " ".join(str(error).split()) or "no message"
            raise self._unloadable(point, f"{type(error).__name__}: {cause}") from error
        if not (isinstance(cls, type) and issubclass(cls, self.base)):
            raise self._unloadable(point, f"'{point.value}' is not a subclass of "
                                   f"{self.base.__module__}.{self.base.__name__}")
        missing = sorted(getattr(cls, "__abstractmethods__", ()))
        if missing:
            raise self._unloadable(point, f"its class does not define {', '.join(missing)}")
        name = getattr(cls, "name", None)
        if name != point.name:
            raise self._unloadable(point, f"it calls itself {quoted(name)}; "
                                   "the entry point and the attribute 'name' must agree")
        return cls

    def _unloadable(self, point: EntryPoint, reason: str) -> SfidaError:
        return self.error(f"{self.kind} '{point.name}' of {_origin(point)} cannot be loaded: {reason}")


def _is_there(value: str) -> bool:
    """Return whether the package of a class of Sfida's own is installed: an edition for browsers lacks some."""
    return importlib.util.find_spec(value.partition(":")[0].rpartition(".")[0]) is not None


def _is_own(point: EntryPoint) -> bool:
    return point.value.startswith("sfida.")


def _origin(point: EntryPoint) -> str:
    return f"distribution '{point.dist.name}'" if point.dist is not None else f"'{point.value}'"


# ---- The installed games: entry points of the group `sfida.games`, Sfida's own and those of other packages

# Names for all games of another library, which may not be installed; these names are never listed.
FAMILIES = {"openspiel": "sfida.engines.openspiel.game:OpenSpiel"}
# Aliases and their specs: a registered name, with options if the alias is the name of a preset.
ALIASES = {"zarahemla": "settlers_of_zarahemla", "catan": "settlers_of_zarahemla:preset=catan",
           "acres": "a_few_acres_of_snow"}
GAMES: Plugins[Game] = Plugins("game", "sfida.games", Game, UnknownGame, FAMILIES, tuple(ALIASES), tuple(FAMILIES))


def game_names(examples: bool = True) -> list[str]:
    """Return the names of the games that can be played, Sfida's own first.

    Parameters
    ----------
    examples : bool
        Include the tiny games of the tutorial.

    Notes
    -----
    Games that cannot be loaded are omitted (`broken_games` gives the reasons), and so are families of games.
    """
    return [cls.name for cls in game_classes() if examples or not cls.example]


def game_classes() -> Iterator[type[Game]]:
    """Yield the classes of the games that can be played; each is loaded when it is yielded."""
    return (cls for _name, cls in GAMES.classes())


def read_replay(path: Path, number: int) -> GameRecord | None:
    """Return a game of a file in a special format of one of Sfida's games (`Game.read_replay`); None: another format.

    Games of other packages are not tried, because that would run their code.
    """
    own = (GAMES.load(name) for name in GAMES.registered() if name not in FAMILIES and GAMES.foreign(name) is None)
    return next(filter(None, (game.read_replay(path, number) for game in own)), None)


def names_a_game(text: str) -> bool:
    """Return whether a text is the spec of a registered game, judged by its name alone; nothing is loaded."""
    name = text.partition(":")[0].strip()
    return name in ALIASES or name in GAMES.registered()


def foreign_game(spec: str) -> str | None:
    """Return the origin of a game's code, None if it is Sfida's own or unknown; nothing is loaded.

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
    """Return the registered name of a name or an alias."""
    return ALIASES.get(name, name).partition(":")[0]


def game_class(name: str) -> type[Game]:
    """Return the class of a game.

    Raises
    ------
    UnknownGame
        If no game of that name is registered (the nearest name is suggested), or if its package fails.
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
        Game spec such as ``"carcassonne:river=false"``, or an existing game. An alias stands for a spec; further
        options may follow the alias unless they contradict its spec: ``"catan:players=3"``.
    **options
        Further options, as text or Python values.

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
    return {"name": cls.name, "title": cls.title, "players": counts, "length": cls.length,
            "minutes": list(cls.minutes), "luck": cls.luck, "rules_version": cls.rules_version, "example": cls.example,
            "options": options, "search_defaults": dict(cls.search_defaults),
            "search_exceptions": [{"options": {key: list(values) for key, values in where.items()},
                                   "search_defaults": dict(settings)}
                                  for where, settings in cls.search_exceptions],
            "search_learned": dict(cls.search_learned)}
