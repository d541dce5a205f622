"""What is played: name, options, the start, the luck and the end of a game."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Generic, Self

from sfida.cython_ext.state import GameState
from sfida.engines.faces import S
from sfida.engines.language import _
from sfida.engines.spec import canonical, options_from


@dataclass(frozen=True)
class GameOptions:
    """Options that every game has; engines add their own fields."""

    players: int = 2


class Rules(abc.ABC, Generic[S]):
    """The face that tables, records and tournaments read.

    A game whose rules order the losers by more than points also has a method ``ranks(state)``: the rank of each seat at
    the end.

    Attributes
    ----------
    name : str
        Registered name, also the first word of a game spec.
    title : str
        Name on the box.
    length : str
        How long a game lasts, in a few words for people, such as "about 18 turns each"; "" if nothing is said.
    rules_version : int
        Raised whenever the same moves would no longer give the same game.
    example : bool
        True for the tiny games of the tutorial.
    options_class : type
        Frozen dataclass; each field's metadata may hold `values`, `low`, `high` and `doc`.
    options : GameOptions
        The chosen ones.
    chance_sources : tuple of str
        Names of the independent physical sources of luck (tile stack, a die, a deck).
    sides : bool
        Seats differ in what they may do, beyond the order of play: an agent's results are told for each.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    length: ClassVar[str] = ""
    rules_version: ClassVar[int] = 1
    example: ClassVar[bool] = False
    options_class: ClassVar[type[GameOptions]] = GameOptions
    chance_sources: ClassVar[tuple[str, ...]] = ("chance",)
    sides: ClassVar[bool] = False
    options: GameOptions

    def __init__(self, options: GameOptions | None = None) -> None:
        self.options = options if options is not None else self.options_class()

    @classmethod
    def from_params(cls, params: Mapping[str, object]) -> Self:
        """Build the game from the values of a spec, as text or Python values; raises InvalidOption."""
        return cls(options_from(cls.options_class, params, _("game '{name}'").format(name=cls.name)))

    def spec(self) -> str:
        """Return the canonical spec: options that differ from their defaults, in field order."""
        return canonical(self.name, self.options)

    @property
    def players(self) -> int:
        """Number of seats."""
        return self.options.players

    @abc.abstractmethod
    def initial_state(self) -> GameState:
        """Return the state at the start of the game."""

    def chance_source(self, state: S) -> str:
        """Return which of `chance_sources` the coming chance event draws from."""
        return self.chance_sources[0]

    def end_reason(self, state: S) -> str | None:
        """Return why a game that is over has ended, as one word, where games can end in several ways."""
        return None

    # ---- debug build ----------------------------------------------------------------------------

    def verify(self, state: S) -> None:
        """Recount a position apart from the core; raises AssertionError on a difference."""

    def verify_step(self, before: S, move: int, after: S) -> None:
        """Recount what a move did; raises AssertionError on a difference. A debug build calls it after each move."""

    # ---- identity -------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.options == other.options

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.options))

    def __repr__(self) -> str:
        return f"<game {self.spec()}>"
