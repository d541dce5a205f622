"""Find classes by name: Sfida's own and those of entry points, which may be broken."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar

from sfida.cython_ext.errors import SfidaError
from sfida.engines.language import N_, _
from sfida.engines.spec import did_you_mean, quoted

_UNKNOWN = {"game": N_("unknown game {name}{hint} the games: {names}"),
            "agent": N_("unknown agent {name}{hint} the agents: {names}")}

T = TypeVar("T")


@dataclass(frozen=True)
class Plugins(Generic[T]):
    """The named classes of one kind.

    Attributes
    ----------
    kind : str
        The word for them in messages: "game" or "agent".
    group : str
        Entry-point group.
    base : type
        Class that each must derive from.
    error : type of SfidaError
        Raised for an unknown name or a class that cannot be loaded.
    own : mapping of str to str
        Classes that need no entry point, as ``"module:Class"`` by name.
    also : tuple of str
        Other names that callers understand: a slip is compared with them as well.
    """

    kind: str
    group: str
    base: type[Any]
    error: type[SfidaError]
    own: Mapping[str, str]
    also: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return hash((self.kind, self.group))

    def registered(self) -> list[str]:
        """Return every registered name, Sfida's own first, whether it can be loaded or not."""
        return list(self._points())

    def foreign(self, name: str) -> str | None:
        """Return where the code of a name comes from, None if it is Sfida's own or unknown; nothing is loaded."""
        points = [point for point in self._points().get(name, ()) if not _is_own(point)]
        origins = ", ".join(f"{_origin(point)} ({point.value})" for point in points)
        return f"{self.kind} '{name}' of {origins}" if points else None

    def classes(self) -> Iterator[tuple[str, type[T]]]:
        """Yield the loadable names with their classes, Sfida's own first; each class is loaded when it is yielded."""
        for name in self._points():
            with contextlib.suppress(SfidaError):
                yield name, self.load(name)

    def names(self) -> list[str]:
        """Return the names that can be loaded, Sfida's own first."""
        return [name for name, _ in self.classes()]

    def broken(self) -> dict[str, str]:
        """Return the reason, in one line, for each registered name that cannot be loaded."""
        reasons = {}
        for name in self._points():
            try:
                self.load(name)
            except SfidaError as error:
                reasons[name] = str(error)
        return reasons

    def load(self, name: str) -> type[T]:
        """Return the class of that name.

        Raises
        ------
        SfidaError
            Of the class `error`: if there is no such name (the nearest one is given) or its package fails.
        """
        points = self._points()
        if name not in points:
            raise self.error(_(_UNKNOWN[self.kind]).format(
                name=quoted(name), hint=did_you_mean(name, [*points, *self.also]) or ";",
                names=", ".join(points) or _("none")))
        return self._load(points[name])

    @functools.cache  # noqa: B019 - one object per kind, which lives as long as the program
    def _points(self) -> dict[str, tuple[EntryPoint, ...]]:
        found = {name: [EntryPoint(name, value, self.group)] for name, value in self.own.items()}
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
        where = f"{self.kind} '{point.name}' of {_origin(point)} cannot be loaded:"
        try:
            cls: Any = point.load()
        except (Exception, SystemExit) as error:  # whatever a foreign module raises on import
            cause = " ".join(str(error).split()) or "no message"
            raise self.error(f"{where} {type(error).__name__}: {cause}") from error
        if not (isinstance(cls, type) and issubclass(cls, self.base)):
            raise self.error(f"{where} '{point.value}' is not a subclass of "
                             f"{self.base.__module__}.{self.base.__name__}")
        missing = sorted(getattr(cls, "__abstractmethods__", ()))
        if missing:
            raise self.error(f"{where} its class does not define {', '.join(missing)}")
        name = getattr(cls, "name", None)
        if name != point.name:
            raise self.error(f"{where} it calls itself {quoted(name)}; "
                             "the entry point and the attribute 'name' must agree")
        return cls


def _is_own(point: EntryPoint) -> bool:
    return point.value.startswith("sfida.")


def _origin(point: EntryPoint) -> str:
    return f"distribution '{point.dist.name}'" if point.dist is not None else f"'{point.value}'"
